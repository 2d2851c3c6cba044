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
use crate::order;
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

    /// The last `most` entries of the sort, in order of first mention: by their kind, or by the noun in
    /// their name ("port 8443" is a port, "apple pie recipe" is a recipe).
    pub(super) fn last(&self, most: usize, view: View<'_>) -> Vec<u32> {
        let tail = |ids: &[u32]| ids.get(ids.len().saturating_sub(most)..).unwrap_or_default().to_vec();
        let mut ids: Vec<u32> = self.kinds.iter().flat_map(|kind| tail(view.ledger.of_kind(*kind))).collect();
        let is_phrase = |id: &u32| view.ledger.entry(*id).is_some_and(|entry| entry.kind == ConceptKind::Term);
        // A noun that stands for a kind asks for that, not for phrases that end in it.
        let named = tail(view.ledger.with_stem(&self.noun)).into_iter();
        ids.extend(named.filter(|id| self.kinds.is_empty() || !is_phrase(id)));
        order::numbers(&mut ids);
        ids.dedup();
        tail(&ids)
    }
}

/// References of this sort that one message can hold: a pasted text is full of "the" and points nowhere.
const MOST: usize = 3;

/// Words up to which a message may mean a thing by a noun that stands for no kind; in a longer one
/// such a noun is a name in running text.
const SHORT: usize = 20;

pub(super) fn resolve(question: &Question<'_>, view: View<'_>) -> Vec<Reference> {
    let pointings = (0..question.words.len()).filter_map(|at| pointing(question, at));
    let may_point = |(_, noun): &(usize, usize)| question.words.len() <= SHORT || stands_for_kind(question.word(*noun));
    let picked = pointings.filter(may_point).filter_map(|(from, noun)| pick(from, noun, question, view));
    picked.take(MOST).collect()
}

fn stands_for_kind(noun: &str) -> bool {
    !kinds_of(noun).is_empty() || is_measure(noun)
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
        let sort = stands_for_kind(word) || place == at + 1 && !text::is_stop_word(word);
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

fn pick(from: usize, noun_at: usize, question: &Question<'_>, view: View<'_>) -> Option<Reference> {
    let asked = Asked::new(question.word(noun_at));
    let ids = asked.last(COMPARED, view);
    let told =
        ids.iter().rev().filter_map(|id| view.ledger.entry(*id)).filter(|entry| view.state(entry) != State::Unknown);
    let fitting: Vec<&Entry> = told.collect();
    // Where nothing of the sort is missing there is nothing to choose.
    if !fitting.iter().any(|entry| view.state(entry) != State::Live) {
        return None;
    }
    let context = question.tokens_outside(from, noun_at);
    let mut ranked: Vec<(usize, Option<Seq>, &Entry)> =
        likely(fitting, &context, view).into_iter().map(|entry| fit(entry, &context, view)).collect();
    order::by_key(&mut ranked, |(shared, source, entry)| (Reverse(*shared), Reverse(*source), entry.id));
    let (shared, source, entry) = *ranked.first()?;
    let by_name = !stands_for_kind(question.word(noun_at));
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

/// Entries that are read closely: those whose atoms have most of the message's other words, then the
/// newest.
const READ: usize = 8;

/// Atoms with the message's other words that are looked up for it.
const FOUND: usize = 128;

/// The entries that are worth reading closely, by what the search knows of their atoms.
fn likely<'a>(fitting: Vec<&'a Entry>, context: &[String], view: View<'_>) -> Vec<&'a Entry> {
    let weighted: Vec<(&str, u32)> = context.iter().map(|token| (token.as_str(), 1000)).collect();
    let hits = view.search.query_weighted(&weighted, FOUND, |doc| Some(Seq(doc)) != view.current);
    let mut shared: Vec<(u32, usize)> = hits.into_iter().map(|hit| (hit.doc, hit.matched.len())).collect();
    order::by_key(&mut shared, |(doc, _)| *doc);
    let shared_by = |seq: &Seq| {
        let at = shared.binary_search_by_key(&seq.0, |(doc, _)| *doc).ok()?;
        shared.get(at).map(|(_, shared)| *shared)
    };
    let weight = |entry: &Entry| {
        let sources = entry.sources().iter().rev().filter(|seq| Some(**seq) != view.current).take(SOURCES);
        let best = sources.clone().filter_map(shared_by).max().unwrap_or(0);
        let own = context.iter().filter(|token| entry.canonical.contains(token.as_str())).count();
        (Reverse(best.max(own)), Reverse(sources.max().copied()))
    };
    let mut entries = fitting;
    order::by_cached_key(&mut entries, |entry| weight(entry));
    entries.truncate(READ);
    entries
}

/// Atoms of an entry that are compared: the newest ones.
const SOURCES: usize = 4;

/// How many of the message's other words stand with the entry, and the newest atom where most do.
fn fit<'a>(entry: &'a Entry, context: &[String], view: View<'_>) -> (usize, Option<Seq>, &'a Entry) {
    let sources = entry.sources().iter().rev().copied().filter(|seq| Some(*seq) != view.current).take(SOURCES);
    let own = text::search_tokens(&entry.concept);
    let mut best: (usize, Option<Seq>) = (context.iter().filter(|token| own.contains(token)).count(), None);
    let mut sources: Vec<Seq> = sources.collect();
    // What was said counts before what a tool printed, the newer before the older.
    order::by_key(&mut sources, |seq| {
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
