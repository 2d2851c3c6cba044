//! Typed: "the command", "that error", "which port", "the recipe".
//!
//! A determiner and a noun that says what sort of thing is meant. Of the entries of that sort the
//! message's other words choose ("the command for the *backfill*"), then recency: of two values for
//! the same thing the later one holds.

use std::cmp::Reverse;

use super::{Question, Reference, View, candidate};
use crate::concept::ConceptKind;
use crate::gap::{Evidence, EvidenceRule};
use crate::ledger::{Entry, State};
use crate::log::{AtomKind, Seq};
use crate::text;

/// The score of a typed reference without and with words that narrow it down.
const BARE: u32 = 640;
pub(super) const NARROWED: u32 = 820;

/// How much less certain a noun is that stands for no kind of its own ("the recipe").
const BY_NOUN: u32 = 120;

/// Entries of one sort that are compared: the ones told last.
const COMPARED: usize = 256;

/// What sort of thing a noun asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    kinds: &'static [ConceptKind],
    noun: String,
}

/// Nouns that stand for a kind.
fn kinds_of(noun: &str) -> &'static [ConceptKind] {
    match noun {
        "command" | "commands" | "invocation" | "cmd" | "命令" => &[ConceptKind::Command],
        "error" | "errors" | "exception" | "failure" | "stacktrace" | "traceback" | "panic" => {
            &[ConceptKind::ErrorText]
        }
        "file" | "files" | "path" | "folder" | "directory" | "dir" | "script" | "module" => &[ConceptKind::Path],
        "url" | "link" | "address" | "site" | "website" | "endpoint" => &[ConceptKind::Url],
        "flag" | "function" | "method" | "variable" | "column" | "field" | "class" | "identifier" | "struct"
        | "type" | "branch" | "constant" => &[ConceptKind::Identifier],
        "quote" | "wording" | "phrase" => &[ConceptKind::Quote],
        "number" | "value" | "figure" => &[ConceptKind::Quantity],
        _ => &[],
    }
}

impl Asked {
    pub(super) fn new(noun: &str) -> Self {
        Self { kinds: kinds_of(noun), noun: text::stem(noun) }
    }

    /// Whether an entry is of the sort: by its kind, or by the noun in its name ("port 8443" is a
    /// port, "apple pie recipe" is a recipe).
    pub(super) fn fits(&self, entry: &Entry) -> bool {
        if self.kinds.contains(&entry.kind) {
            return true;
        }
        match entry.kind {
            ConceptKind::Quantity => {
                entry.canonical.split(' ').any(|word| text::stem(word) == self.noun)
                    && entry.canonical.contains(|c: char| c.is_ascii_digit())
            }
            ConceptKind::Term => {
                self.kinds.is_empty()
                    && entry.canonical.contains(' ')
                    && entry.canonical.rsplit(' ').next().is_some_and(|head| text::stem(head) == self.noun)
            }
            _ => false,
        }
    }
}

/// Whether an entry can be what a message was about: a number or a quotation alone is not.
pub(super) fn is_nameable(entry: &Entry) -> bool {
    !matches!(entry.kind, ConceptKind::Quantity | ConceptKind::Quote)
}

pub(super) fn resolve(question: &Question<'_>, view: View<'_>) -> Vec<Reference> {
    let mut out: Vec<Reference> = Vec::new();
    for at in 0..question.words.len() {
        let Some((from, noun_at)) = pointing(question, at) else { continue };
        let asked = Asked::new(question.word(noun_at));
        if let Some(reference) = pick(&asked, from, noun_at, question, view) {
            out.push(reference);
        }
    }
    out
}

/// A determiner at `at`, and where its noun is: up to two describing words may stand between.
fn pointing(question: &Question<'_>, at: usize) -> Option<(usize, usize)> {
    let determiner = question.word(at);
    if !matches!(determiner, "the" | "that" | "this" | "which" | "what" | "what's" | "whats" | "our" | "same" | "those")
    {
        return None;
    }
    (1..=3).map(|step| at + step).take_while(|place| *place < question.words.len()).find_map(|place| {
        let word = question.word(place);
        let between = (at + 1..place).all(|between| {
            !text::is_stop_word(question.word(between))
                || matches!(question.word(between), "same" | "the" | "was" | "is" | "exact" | "that")
        });
        let sort = !kinds_of(word).is_empty() || is_measure(word) || place == at + 1 && !text::is_stop_word(word);
        (between && sort && !text::is_stop_word(word)).then_some((at, place))
    })
}

/// Nouns whose things are numbers.
fn is_measure(word: &str) -> bool {
    matches!(
        word,
        "port"
            | "version"
            | "timeout"
            | "limit"
            | "threshold"
            | "size"
            | "count"
            | "interval"
            | "delay"
            | "budget"
            | "rate"
            | "percentage"
            | "code"
            | "duration"
            | "ttl"
            | "capacity"
            | "workers"
            | "retries"
    )
}

fn pick(asked: &Asked, from: usize, noun_at: usize, question: &Question<'_>, view: View<'_>) -> Option<Reference> {
    let fitting =
        view.ledger.entries().iter().rev().filter(|entry| asked.fits(entry) && view.state(entry) != State::Unknown);
    let fitting: Vec<&Entry> = fitting.take(COMPARED).collect();
    if fitting.is_empty() {
        return None;
    }
    let context = question.tokens_outside(from, noun_at);
    let mut ranked: Vec<(usize, Option<Seq>, &Entry)> =
        fitting.into_iter().map(|entry| fit(entry, &context, view)).collect();
    ranked.sort_by_key(|(shared, source, entry)| (Reverse(*shared), Reverse(*source), entry.id));
    let (shared, source, entry) = *ranked.first()?;
    let head = ranked.iter().take_while(|(other, ..)| *other == shared).count();
    // A noun that stands for no kind ("the parser") with nothing to choose by is a name, not a type.
    if asked.kinds.is_empty() && !is_measure(question.word(noun_at)) && shared == 0 && head > 1 {
        return None;
    }
    let state = view.state(entry);
    if !(state.is_lost() || state == State::Weakened && source.is_some_and(|seq| view.is_lost(seq))) {
        return None;
    }
    let by_noun = if asked.kinds.is_empty() && !is_measure(question.word(noun_at)) { BY_NOUN } else { 0 };
    let score = if shared > 0 { NARROWED } else { BARE } - by_noun;
    let note = if shared > 0 {
        format!("the {} that the message's other words fit", entry.kind.word())
    } else {
        format!("the last {} that was told", entry.kind.word())
    };
    let evidence = Evidence {
        rule: EvidenceRule::Typed,
        span: question.span(from, noun_at),
        shared: None,
        total: None,
        score,
        note,
    };
    let mut reference = Reference::to(entry, state, evidence);
    reference.atoms = source.into_iter().filter(|seq| view.is_lost(*seq)).collect();
    reference.runners_up = ranked
        .iter()
        .skip(1)
        .take(3)
        .map(|(other, _, e)| candidate(e, if *other > 0 { NARROWED - 100 } else { BARE - 100 }))
        .collect();
    Some(reference)
}

/// How many of the message's other words stand with the entry, and the newest atom where most do.
fn fit<'a>(entry: &'a Entry, context: &[String], view: View<'_>) -> (usize, Option<Seq>, &'a Entry) {
    let sources = entry.sources().iter().rev().copied().filter(|seq| Some(*seq) != view.current).take(8);
    let own = text::search_tokens(&entry.concept);
    let mut best: (usize, Option<Seq>) = (context.iter().filter(|token| own.contains(token)).count(), None);
    let mut sources: Vec<Seq> = sources.collect();
    // What was said counts before what a tool printed, the newer before the older.
    sources.sort_by_key(|seq| {
        view.log.atom(*seq).is_none_or(|atom| atom.kind == AtomKind::ToolResult || atom.message.visible().is_empty())
    });
    for seq in sources {
        let Some(atom) = view.log.atom(seq) else { continue };
        let shared = crate::ledger::passages(&atom.message)
            .iter()
            .map(|passage| shared_near(passage, entry, context, &own))
            .max()
            .unwrap_or(0);
        if best.1.is_none() || shared > best.0 {
            best = (shared, Some(seq));
        }
    }
    (best.0, best.1, entry)
}

/// Words around the name that count as its surroundings, in bytes to either side.
const NEAR: usize = 200;

fn shared_near(passage: &str, entry: &Entry, context: &[String], own: &[String]) -> usize {
    let Some(at) = entry.find_in(passage) else { return 0 };
    let (mut from, mut to) = (at.saturating_sub(NEAR), (at + entry.concept.len() + NEAR).min(passage.len()));
    while !passage.is_char_boundary(from) {
        from -= 1;
    }
    while !passage.is_char_boundary(to) {
        to += 1;
    }
    let around = text::search_tokens(passage.get(from..to).unwrap_or_default());
    context.iter().filter(|token| around.contains(token) || own.contains(token)).count()
}
