//! Work: "hoist and refactor now" names nothing, yet whoever does it needs the names of the work.
//!
//! In a session about code, what a request needs is mostly names: files, functions, flags. Of the lost
//! messages that are most related to the request, those come back that bring most names which the
//! request does not have itself, each counted by how often and how lately it was told; the second
//! only for what the first does not bring. Whether the request is about the work at all is told by
//! its own words: one of them must have been said before. While the window holds any of the work, its names
//! are there and nothing is brought.
//!
//! Cost: one search, and the names of [`RELATED`] messages.

use super::leaning::Leaning;
use super::{Question, Reference, View, evidence, score};
use crate::concept::ConceptKind;
use crate::gap::EvidenceRule;
use crate::ledger::Entry;
use crate::log::{Atom, AtomKind, Seq};
use crate::matching::Rule;
use crate::order;
use crate::text;

/// Lost messages that are compared. More and the two with most names win whatever is asked; fewer and
/// what the request does not mention is out of reach.
const RELATED: usize = 64;

/// Files that make a session one about code. Fewer and talk of phones and cars, with their models, is work.
const FILES: usize = 3;

/// Words of the request that are searched for: the rarest.
const SEARCHED: usize = 32;

/// Names that a message must bring. With one, any passing mention is the work.
const LEAST: usize = 1;

/// Messages since which a name's weight is halved.
const HALF: u64 = 150;

/// References to the work in one message.
const MOST: usize = 2;

pub(super) fn resolve(question: &Question<'_>, leaning: &Leaning, view: View<'_>) -> Vec<Reference> {
    if view.visible_before().next().is_some() || view.ledger.of_kind(ConceptKind::Path).len() < FILES {
        return Vec::new();
    }
    let known = leaning.named.iter().filter(|word| told_of(word, view) > 0).count();
    // A request that stands by itself is about the work when most of what it names was told in it.
    if known == 0 || !leaning.leans() && known * 2 <= leaning.named.len() {
        return Vec::new();
    }
    let related = related(question, view);
    let mut brought: Vec<u32> = question
        .concepts
        .iter()
        .flat_map(|concept| view.ledger.lookup(concept.kind, &concept.canonical))
        .filter(|(_, found)| found.rule == Rule::Exact)
        .map(|(id, _)| id)
        .collect();
    let mut out = Vec::new();
    for certain in [score::WORK, score::WORK - 1].into_iter().take(MOST) {
        let bringing = related.iter().map(|(atom, relation)| {
            let names = names(atom, &brought, view);
            let worth: u64 = names.iter().map(|entry| worth(entry, view)).sum();
            (worth * relation.isqrt(), *atom, names)
        });
        let Some((_, atom, names)) =
            bringing.filter(|(.., names)| names.len() >= LEAST).max_by_key(|(sum, atom, _)| (*sum, atom.seq))
        else {
            break;
        };
        let Some(main) = names.iter().copied().max_by_key(|entry| (worth(entry, view), std::cmp::Reverse(entry.id)))
        else {
            break;
        };
        let note = format!("{} names that the work goes by", names.len());
        let reference = view.refer(main, evidence(EvidenceRule::Topic, None, certain, note));
        out.push(reference.at([atom.seq]).before(names.iter().copied(), certain - score::RUNNER_UP));
        brought.extend(names.iter().map(|entry| entry.id));
    }
    out
}

/// How many messages have a word, without the request itself.
fn told_of(word: &str, view: View<'_>) -> usize {
    let own = view.current.is_some_and(|seq| view.search.has(word, seq.0));
    view.search.frequency(word) - usize::from(own)
}

/// The lost messages that are most related, with how much: what was said beside them counts as well.
fn related<'a>(question: &Question<'_>, view: View<'a>) -> Vec<(&'a Atom, u64)> {
    let mut tokens: Vec<&String> = question.tokens.iter().filter(|token| told_of(token, view) > 0).collect();
    order::by_key(&mut tokens, |token| told_of(token, view));
    tokens.truncate(SEARCHED);
    let weighted: Vec<(&str, u32)> = tokens.into_iter().map(|token| (token.as_str(), 1000)).collect();
    let talk = |seq: Seq| {
        let said = |atom: &&Atom| matches!(atom.kind, AtomKind::User | AtomKind::Assistant) && view.is_lost(seq);
        view.log.atom(seq).filter(said)
    };
    let hits = view.search.query_weighted(&weighted, RELATED, |doc| talk(Seq(doc)).is_some());
    let mut beside: Vec<(u32, u64)> = Vec::new();
    for hit in hits {
        for (step, share) in [(0, 10), (1, 3), (2, 2)] {
            let score = u64::from(hit.score) * share / 10;
            beside.push((hit.doc + step, score));
            if step > 0
                && let Some(before) = hit.doc.checked_sub(step)
            {
                beside.push((before, score));
            }
        }
    }
    order::by_key(&mut beside, |(doc, _)| *doc);
    let summed = beside.chunk_by(|one, two| one.0 == two.0);
    let mut found: Vec<(&Atom, u64)> = summed
        .filter_map(|same| Some((talk(Seq(same.first()?.0))?, same.iter().map(|(_, score)| score).sum())))
        .collect();
    order::by_key(&mut found, |(atom, relation)| (std::cmp::Reverse(*relation), atom.seq));
    found.truncate(RELATED);
    found
}

/// The names that a message tells and that are neither brought already nor in the window.
fn names<'a>(atom: &Atom, brought: &[u32], view: View<'a>) -> Vec<&'a Entry> {
    // A name of one part (a branch, a tool) is a word; those of several are made for this work.
    let is_name = |entry: &&Entry| {
        matches!(entry.kind, ConceptKind::Identifier | ConceptKind::Path)
            && (entry.concept.starts_with("--") || !text::parts(&entry.concept).is_empty())
    };
    let lost = |entry: &&Entry| !brought.contains(&entry.id) && view.is_missing(entry, Some(atom.seq));
    view.told(atom.seq).filter(is_name).filter(lost).collect()
}

/// What bringing a name is worth: often told and lately told counts, each with less and less return.
fn worth(entry: &Entry, view: View<'_>) -> u64 {
    let last = entry.sources().last().map_or(0, |seq| u64::from(seq.0));
    let age = (view.log.atoms().len() as u64).saturating_sub(last);
    let often = (u64::from(entry.reference_count) * 1_000_000).isqrt();
    (often * (300 + 1000 * HALF / (HALF + age))).isqrt()
}
