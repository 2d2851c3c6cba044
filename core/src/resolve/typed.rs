//! Typed: "the command", "that error", "which port", "the recipe".
//!
//! A determiner and a noun that says what sort of thing is meant. Of the entries of that sort the
//! message's other words choose ("the command for the *backfill*"), then recency: of two values for
//! the same thing the later one holds.

use std::cmp::Reverse;

use super::{Question, Reference, View, evidence, score};
use crate::concept::ConceptKind;
use crate::gap::EvidenceRule;
use crate::ledger::{Entry, State};
use crate::log::{AtomKind, Seq};
use crate::text;

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

    /// The entries of the sort, in order of first mention: by their kind, or by the noun in their name
    /// ("port 8443" is a port, "apple pie recipe" is a recipe).
    pub(super) fn ids(&self, view: View<'_>) -> Vec<u32> {
        let mut ids: Vec<u32> = self.kinds.iter().flat_map(|kind| view.ledger.of_kind(*kind)).copied().collect();
        let named = view.ledger.with_stem(&self.noun).iter().copied();
        let is_phrase = |id: &u32| view.ledger.entry(*id).is_some_and(|entry| entry.kind == ConceptKind::Term);
        // A noun that stands for a kind asks for that, not for phrases that end in it.
        ids.extend(named.filter(|id| self.kinds.is_empty() || !is_phrase(id)));
        ids.sort_unstable();
        ids.dedup();
        ids
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
    let ids = asked.ids(view);
    let told =
        ids.iter().rev().filter_map(|id| view.ledger.entry(*id)).filter(|entry| view.state(entry) != State::Unknown);
    let fitting: Vec<&Entry> = told.take(COMPARED).collect();
    // Where nothing of the sort is missing there is nothing to choose.
    if !fitting.iter().any(|entry| view.state(entry) != State::Live) {
        return None;
    }
    let context = question.tokens_outside(from, noun_at);
    let mut ranked: Vec<(usize, Option<Seq>, &Entry)> =
        fitting.into_iter().map(|entry| fit(entry, &context, view)).collect();
    ranked.sort_by_key(|(shared, source, entry)| (Reverse(*shared), Reverse(*source), entry.id));
    let (shared, source, entry) = *ranked.first()?;
    let by_name = asked.kinds.is_empty() && !is_measure(question.word(noun_at));
    let equals = ranked.iter().take_while(|(other, ..)| *other == shared).count();
    // A noun that stands for no kind ("the parser") with nothing to choose by is a name, not a type.
    if by_name && shared == 0 && equals > 1 || !view.is_missing(entry, source) {
        return None;
    }
    let (certain, note) = if shared > 0 {
        (score::TYPED_NARROWED, format!("the {} that the message's other words fit", entry.kind.word()))
    } else {
        (score::TYPED, format!("the last {} that was told", entry.kind.word()))
    };
    let certain = certain - if by_name { score::BY_NOUN } else { 0 };
    let others = ranked.iter().map(|(_, _, entry)| *entry);
    let reference = view
        .refer(entry, evidence(EvidenceRule::Typed, question.span(from, noun_at), certain, note))
        .before(others, certain - score::RUNNER_UP);
    Some(reference.at(source.filter(|seq| view.is_lost(*seq))))
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
        let shared = crate::hear::passages(&atom.message)
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
