//! Named: the message contains the name, or enough of it.
//!
//! For each concept of the message the best entry decides. A live entry at least as good as the best
//! lost one means that the agent knows what is meant. A weakened entry counts as lost only when the
//! carrier that best answers the message is gone and nothing in the window says as much.

use super::{Question, Resolution, View, candidate, score};
use crate::concept::{Concept, ConceptKind};
use crate::gap::{Evidence, EvidenceRule};
use crate::ledger::{Entry, State};
use crate::log::Seq;
use crate::matching::{Match, Rule};
use crate::order;

/// A lost carrier answers better than what is left when its search score is this many times as high,
/// in tenths. Nearer to 10 and every passing mention counts as a loss; higher and an explanation that
/// is gone is taken for known because its subject was mentioned.
const BETTER: u32 = 13;

/// Carriers of an entry that are compared: the newest ones.
const COMPARED: usize = 64;

/// What is lost or was never told of what the message names, and whether the window states any of it.
pub(super) fn resolve(question: &Question<'_>, view: View<'_>) -> (Resolution, bool) {
    let (mut resolution, mut known_any) = (Resolution::default(), false);
    for concept in mostly_named(&question.concepts) {
        let hits = view.ledger.lookup(concept.kind, &concept.canonical);
        let known: Vec<(&Entry, Match)> = hits
            .into_iter()
            .filter_map(|(id, found)| view.ledger.entry(id).map(|entry| (entry, found)))
            .filter(|(entry, _)| view.state(entry) != State::Unknown)
            .collect();
        let Some((best, _)) = known.first() else {
            resolution.unknown.push((concept.surface.clone(), concept.kind, concept.span));
            continue;
        };
        // Best first: each is judged once, until there is one of both sorts.
        let (mut lost, mut live) = (None, None);
        for hit in &known {
            let slot = if is_lost(hit.0, question, view) { &mut lost } else { &mut live };
            slot.get_or_insert(hit);
            if lost.is_some() && live.is_some() {
                break;
            }
        }
        known_any |= live.is_some();
        let Some((entry, found)) = lost else { continue };
        if live.is_some_and(|(_, other)| other.score >= found.score) {
            continue;
        }
        let mut reference = view.refer(entry, evidence(concept.span, best, entry, found, view));
        reference.runners_up = known.iter().map(|(entry, found)| candidate(entry, found.score)).collect();
        resolution.references.push(reference);
    }
    (resolution, known_any)
}

/// Concepts of one message that are looked up. A pasted log names hundreds; past the names and phrases
/// that come first, its words are noise, and each look-up costs.
const LOOKED_UP: usize = 48;

/// The concepts to look up, in order of the message: names and phrases before single words.
fn mostly_named(concepts: &[Concept]) -> Vec<&Concept> {
    let mut chosen: Vec<&Concept> = concepts.iter().collect();
    if chosen.len() > LOOKED_UP {
        order::by_key(&mut chosen, |concept| concept.kind == ConceptKind::Term && !concept.canonical.contains(' '));
        chosen.truncate(LOOKED_UP);
        order::by_key(&mut chosen, |concept| concept.span);
    }
    chosen
}

/// Whether the entry is lost to this message: the message itself keeps nothing live.
fn is_lost(entry: &Entry, question: &Question<'_>, view: View<'_>) -> bool {
    match view.state(entry) {
        State::Stale | State::Expired => true,
        State::Weakened => best_is_gone(entry, question, view),
        State::Live | State::Unknown => false,
    }
}

/// Whether a carrier that is gone answers the message better than all that are left.
fn best_is_gone(entry: &Entry, question: &Question<'_>, view: View<'_>) -> bool {
    let recent: Vec<Seq> =
        entry.carriers.iter().rev().take(COMPARED).copied().filter(|seq| Some(*seq) != view.current).collect();
    let hits = view.search_among(&question.tokens, &recent);
    let best = |lost: bool| {
        hits.iter().filter(|hit| view.is_lost(Seq(hit.doc)) == lost).map(|hit| hit.score).max().unwrap_or(0)
    };
    best(true) * 10 > best(false) * BETTER
}

fn evidence(span: (u32, u32), best: &Entry, entry: &Entry, found: &Match, view: View<'_>) -> Evidence {
    let rule = match found.rule {
        Rule::Exact => EvidenceRule::Exact,
        Rule::TokenSubset => EvidenceRule::TokenSubset,
        Rule::Jaccard => EvidenceRule::Jaccard,
        Rule::Prefix => EvidenceRule::Prefix,
    };
    // A name says exactly what it means; a single word may be passing by.
    let certainty = match (entry.kind, entry.canonical.contains(' ')) {
        (ConceptKind::Term, false) => score::WORD,
        (ConceptKind::Term, true) | (ConceptKind::Quantity, _) => score::PHRASE,
        _ => score::NAME,
    };
    let score = found.score.min(1000) * certainty / 1000;
    let fuzzy = rule != EvidenceRule::Exact;
    let note = if best.id == entry.id {
        format!("named in the message, {}", view.state(entry).word())
    } else {
        format!("named in the message, as {}", entry.concept)
    };
    Evidence {
        rule,
        span: Some(span),
        shared: fuzzy.then_some(found.shared),
        total: fuzzy.then_some(found.total),
        score,
        note,
    }
}
