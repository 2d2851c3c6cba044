//! A fill: the original words that close a gap; bounded, sourced, verbatim.
//!
//! Of the atoms that tell about a concept and left the window, the one that best answers the message
//! is quoted; among those that answer about as well, the newest, so that a corrected fact comes back
//! corrected. A short text is quoted whole; of a long one the sentence that answers, with as many of
//! its neighbours as the limit allows. A question is quoted with the reply that follows it.

use std::collections::HashSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::concept::Concept;
use crate::gap::EvidenceRule;
use crate::hear::passages;
use crate::json::{ToJson, Writer, words};
use crate::ledger::{Entry, Ledger};
use crate::log::{Atom, AtomKind, Seq};
use crate::order;
use crate::resolve::{Question, Reference, View};
use crate::sentence;
use crate::text;

/// Where a fill comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// The session's log.
    Log,
    /// A text that was added to the ledger.
    Ledger,
    /// The memory.
    Memory,
    /// A remote store.
    Remote,
}

words!(
    SourceKind,
    Log => "log",
    Ledger => "ledger",
    Memory => "memory",
    Remote => "remote",
);

/// The source of a fill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Which system.
    pub kind: SourceKind,
    /// The atoms that are quoted, for the log.
    pub seqs: Vec<Seq>,
    /// The store's id, for memory and remote.
    pub id: Option<String>,
}

impl ToJson for Source {
    fn to_json(&self, to: &mut Writer) {
        to.object().field("kind", &self.kind).field("seqs", &self.seqs).field("id", &self.id).end();
    }
}

/// Recalled text that closes a gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fill {
    /// The concept of the gap.
    pub concept: String,
    /// The words, verbatim.
    pub text: String,
    /// Where they stand.
    pub source: Source,
    /// Estimated tokens of the text.
    pub tokens: u32,
    /// Whether the source says more than the limit let through.
    pub cut: bool,
}

impl ToJson for Fill {
    fn to_json(&self, to: &mut Writer) {
        to.object()
            .field("concept", &self.concept)
            .field("text", &self.text)
            .field("source", &self.source)
            .field("tokens", &self.tokens)
            .field("cut", &self.cut)
            .end();
    }
}

/// Atoms of an entry that are compared: the newest of its carriers.
const COMPARED: usize = 48;

/// Of those, the ones that are read closely: so many that answer well, and so many that do not.
const READ: usize = 6;

/// An atom answers about as well as the best from this share of its score on, in tenths. Higher and
/// an old value wins because its sentence is a little closer; lower and the newest mention wins
/// whatever it says.
const ABOUT_AS_WELL: usize = 8;

/// The fills that could close the gap of a reference, best first; the caller takes the first that is
/// not in front of the agent already.
#[must_use]
pub fn candidates(reference: &Reference, question: &Question<'_>, view: View<'_>, limit: usize) -> Vec<Fill> {
    let entry = reference.entry.and_then(|id| view.ledger.entry(id));
    let mut out: Vec<Fill> = Vec::new();
    for seq in ranked(reference, entry, question, view) {
        let Some(atom) = view.log.atom(seq) else { continue };
        if let Some(fill) = quote(reference, entry, atom, question, view, limit) {
            out.push(fill);
        }
        if out.len() >= 4 {
            break;
        }
    }
    if out.is_empty() {
        out.extend(entry.and_then(|entry| added(entry, limit)));
    }
    out
}

/// The lost atoms that tell about the entry, the best answer first.
fn ranked(reference: &Reference, entry: Option<&Entry>, question: &Question<'_>, view: View<'_>) -> Vec<Seq> {
    if !reference.atoms.is_empty() {
        return reference.atoms.iter().copied().filter(|seq| view.is_lost(*seq)).collect();
    }
    let Some(entry) = entry else { return Vec::new() };
    let lost: Vec<Seq> =
        entry.sources().iter().rev().copied().filter(|seq| view.is_lost(*seq)).take(COMPARED).collect();
    let hits = view.search_among(&question.tokens, &lost);
    // The quotation is bounded, so a long text is no worse a source: the words it shares count, not their density.
    let best = hits.iter().map(|hit| hit.matched.len()).max().unwrap_or(0);
    let good = |seq: &Seq| hits.iter().any(|hit| hit.doc == seq.0 && hit.matched.len() * 10 >= best * ABOUT_AS_WELL);
    let (better, rest): (Vec<Seq>, Vec<Seq>) = lost.into_iter().partition(good);
    let mut order: Vec<(bool, Seq)> = better.into_iter().take(READ).map(|seq| (false, seq)).collect();
    order.extend(rest.into_iter().take(READ).map(|seq| (true, seq)));
    order::by_cached_key(&mut order, |(worse, seq)| {
        let rank = rank_of(*seq, entry, view);
        (rank >= ONLY_NAMES, *worse, rank)
    });
    order.into_iter().map(|(_, seq)| seq).collect()
}

/// Words that a text must have besides the concept to tell something about it: "now the retry queue"
/// names it and leaves.
const TELLING: usize = 2;

/// The rank from which on a text only names the concept.
const ONLY_NAMES: u8 = 2;

/// What somebody said about a concept tells more than a tool's output that contains it, and that more
/// than a text that only names it.
fn rank_of(seq: Seq, entry: &Entry, view: View<'_>) -> u8 {
    let Some(atom) = view.log.atom(seq) else { return ONLY_NAMES };
    let own = text::search_tokens(&entry.concept);
    let says = |part: &str| text::search_tokens(part).iter().filter(|token| !own.contains(token)).count() >= TELLING;
    if !passages(&atom.message).iter().any(|part| says(part)) {
        return ONLY_NAMES;
    }
    u8::from(atom.kind == AtomKind::ToolResult || !atom.message.has_text())
}

/// What `ledger.add` was given: the source where the log holds no original.
/// The newest text that was added to the ledger for an entry, as a fill of at most `limit` characters.
#[must_use]
pub fn added(entry: &Entry, limit: usize) -> Option<Fill> {
    let injection = entry
        .injections
        .iter()
        .rev()
        .find(|injection| injection.seqs.is_empty() && !injection.text.trim().is_empty())?;
    let (range, cut) = within(&injection.text, Some(entry), &[], limit);
    let text = injection.text.get(range)?.to_owned();
    Some(Fill {
        concept: entry.concept.clone(),
        tokens: text::estimate_tokens(&text),
        text,
        source: Source { kind: SourceKind::Ledger, seqs: Vec::new(), id: None },
        cut,
    })
}

/// The newest text that was added for the entry that covers a concept best.
#[must_use]
pub fn added_for(concept: &str, ledger: &Ledger) -> Option<Fill> {
    let concept = Concept::named(concept);
    let covering = ledger.lookup(concept.kind, &concept.canonical);
    let mut entries = covering.iter().filter_map(|(id, _)| ledger.entry(*id));
    entries.find_map(|entry| added(entry, ledger.config().fill_chars as usize))
}

/// Text that a store outside recalled for a concept, as a fill of at most `limit` characters; `None`
/// when it says nothing.
#[must_use]
pub fn remote(concept: &str, text: &str, id: Option<String>, limit: usize) -> Option<Fill> {
    let tokens = text::search_tokens(concept);
    let (range, cut) = within(text, None, &tokens, limit);
    let text = text.get(range)?.to_owned();
    (!text.is_empty()).then(|| Fill {
        concept: concept.to_owned(),
        tokens: text::estimate_tokens(&text),
        text,
        source: Source { kind: SourceKind::Remote, seqs: Vec::new(), id },
        cut,
    })
}

fn quote(
    reference: &Reference,
    entry: Option<&Entry>,
    atom: &Atom,
    question: &Question<'_>,
    view: View<'_>,
    limit: usize,
) -> Option<Fill> {
    let (text, seqs, cut) = match exchange(atom, reference.evidence.rule == EvidenceRule::Topic, view, limit) {
        Some((text, reply, cut)) => (text, vec![atom.seq, reply], cut),
        None => {
            let passages = passages(&atom.message);
            let best = passages.iter().max_by_key(|passage| {
                let named = entry.is_some_and(|entry| entry.find_in(passage).is_some());
                (named, shared(passage, &question.tokens), std::cmp::Reverse(passage.len()))
            })?;
            let (range, cut) = within(best, entry, &question.tokens, limit);
            (best.get(range)?.to_owned(), vec![atom.seq], cut)
        }
    };
    if text.trim().is_empty() {
        return None;
    }
    Some(Fill {
        concept: reference.concept.clone(),
        tokens: text::estimate_tokens(&text),
        text,
        source: Source { kind: SourceKind::Log, seqs, id: None },
        cut,
    })
}

/// A short question of the user with the reply right after it, cut at a sentence of the reply. What
/// began a topic comes with its reply even when it is no question.
fn exchange(atom: &Atom, begins: bool, view: View<'_>, limit: usize) -> Option<(String, Seq, bool)> {
    if atom.kind != AtomKind::User {
        return None;
    }
    let reply =
        view.log.atom(Seq(atom.seq.0 + 1)).filter(|next| next.kind == AtomKind::Assistant && view.is_lost(next.seq))?;
    let (asked, said) = (atom.message.visible(), reply.message.visible());
    let length = asked.chars().count();
    if !begins && !sentence::is_question(asked.trim()) || length * 2 > limit || said.trim().is_empty() {
        return None;
    }
    let room = limit - length - 1;
    let mut end = 0;
    for range in text::sentences(&said) {
        if said.get(..range.end)?.chars().count() > room {
            break;
        }
        end = range.end;
    }
    let kept = said.get(..end)?.trim_end();
    (!kept.is_empty())
        .then(|| (format!("{}\n{kept}", asked.trim_start()), reply.seq, kept.len() < said.trim_end().len()))
}

fn shared(passage: &str, tokens: &[String]) -> usize {
    let own: HashSet<String> = text::search_tokens(passage).into_iter().collect();
    tokens.iter().filter(|token| own.contains(*token)).count()
}

/// The part of `passage` to quote: all of it within the limit (in characters), else the sentence that
/// names the concept and answers best, with its neighbours. The second value says whether it was cut.
#[must_use]
pub fn within(passage: &str, entry: Option<&Entry>, tokens: &[String], limit: usize) -> (Range<usize>, bool) {
    let start = passage.len() - passage.trim_start().len();
    let whole = start..start + passage.trim().len();
    if passage.get(whole.clone()).is_some_and(|text| text.chars().count() <= limit) {
        return (whole, false);
    }
    let sentences: Vec<Range<usize>> = text::sentences(passage);
    let score = |range: &Range<usize>| {
        let sentence = passage.get(range.clone()).unwrap_or_default();
        let named = entry.is_some_and(|entry| entry.find_in(sentence).is_some());
        (
            usize::from(named) * 4 + shared(sentence, tokens) * 3 + usize::from(!sentence::is_question(sentence)),
            std::cmp::Reverse(range.start),
        )
    };
    let Some(best) = (0..sentences.len()).max_by_key(|at| sentences.get(*at).map(score)) else {
        return (around(passage, 0, limit), true);
    };
    let Some(mut range) = sentences.get(best).cloned() else { return (around(passage, 0, limit), true) };
    let size = |range: &Range<usize>| passage.get(range.clone()).map_or(usize::MAX, |text| text.chars().count());
    if size(&range) > limit {
        let at = entry.and_then(|entry| entry.find_in(passage.get(range.clone())?)).unwrap_or(0);
        return (around(passage, range.start + at, limit), true);
    }
    // What follows explains; what stands before only introduces.
    for after in sentences.iter().skip(best + 1) {
        if size(&(range.start..after.end)) > limit {
            break;
        }
        range.end = after.end;
    }
    for before in sentences.iter().take(best).rev() {
        if size(&(before.start..range.end)) > limit {
            break;
        }
        range.start = before.start;
    }
    (trim(passage, range), true)
}

fn trim(passage: &str, range: Range<usize>) -> Range<usize> {
    let Some(text) = passage.get(range.clone()) else { return range };
    let start = range.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// `limit` characters around `at`, a quarter of them before it.
pub(crate) fn around(passage: &str, at: usize, limit: usize) -> Range<usize> {
    let before = passage.get(..at).unwrap_or_default();
    let back = before.chars().rev().take(limit / 4).map(char::len_utf8).sum::<usize>();
    let from = before.len() - back;
    let length = passage.get(from..).unwrap_or_default().chars().take(limit).map(char::len_utf8).sum::<usize>();
    trim(passage, from..from + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::ledger::Ledger;

    fn entry(name: &str) -> Entry {
        let mut ledger = Ledger::new("fill", Config::default()).unwrap();
        ledger.add(name, "", "test", 0);
        ledger.entries()[0].clone()
    }

    fn check(passage: &str, name: &str, limit: usize, expected: &str, cut: bool) {
        let (range, was_cut) = within(passage, Some(&entry(name)), &[], limit);
        assert_eq!((&passage[range], was_cut), (expected, cut));
    }

    #[test]
    fn a_short_text_is_quoted_whole() {
        check("  The port is 8443.\n", "port", 300, "The port is 8443.", false);
    }

    #[test]
    fn of_a_long_text_the_sentence_that_names_it_comes_with_its_neighbours() {
        let text = "Nothing here. The retry queue waits 30 s. It doubles each time. Unrelated words follow at length and more.";
        check(text, "retry queue", 55, "The retry queue waits 30 s. It doubles each time.", true);
    }

    #[test]
    fn a_sentence_over_the_limit_is_cut_around_the_name() {
        let text = format!("{} port 8443 {}", "a".repeat(100), "b".repeat(100));
        let (range, cut) = within(&text, Some(&entry("port 8443")), &[], 40);
        assert!(cut && text[range.clone()].contains("port 8443") && text[range].chars().count() <= 40);
    }

    #[test]
    fn wide_characters_count_as_one() {
        let text = "数据库连接池太小了。".repeat(40);
        let (range, _) = within(&text, Some(&entry("连接池")), &[], 50);
        assert!(text[range].chars().count() <= 50);
    }
}
