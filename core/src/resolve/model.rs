//! Chosen: a model says which of the lost things the message means.
//!
//! The model sees a short list in order of first mention and can only choose from it. Its choice
//! replaces the references that are readings (ordinals, pronouns, kinds), and stands beside those
//! that the message names. What it names beyond the list is looked up like any other concept.

use std::cmp::Reverse;

use super::{Question, Reference, Resolution, View, evidence, rank, resolve, score};
use crate::concept::Concept;
use crate::gap::EvidenceRule;
use crate::ledger::Entry;
use crate::order;
use crate::prompt::{Answer, Choice, Request, resolution_request};

/// Entries that are listed for a model. The published package lists 15; with more, a small model loses
/// the thread, with fewer, what is meant is often not on the list.
pub const CHOICES: usize = 20;

/// A message with the question that a model is asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What is sent.
    pub request: Request,
    /// The entries by their numbers on the list, from 1.
    pub(crate) entries: Vec<u32>,
}

impl Asked {
    /// How many entries the list has: what an answer is read against.
    #[must_use]
    pub fn choices(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }
}

/// The question for a model; `None` when the message refers to nothing or nothing is lost.
#[must_use]
pub fn ask(question: &Question<'_>, view: View<'_>) -> Option<Asked> {
    if question.is_acknowledgement() {
        return None;
    }
    let entries = listed(&resolve(question, view), view);
    let choices: Vec<Choice> = entries
        .iter()
        .filter_map(|id| view.ledger.entry(*id))
        .zip(1..)
        .map(|(entry, number)| Choice {
            number,
            concept: entry.concept.clone(),
            kind: entry.kind,
            first_turn: entry.first_turn,
        })
        .collect();
    (!choices.is_empty()).then(|| Asked { request: resolution_request(question.text, &choices), entries })
}

/// What the built-in rules found or considered, then what was told last and most.
fn listed(found: &Resolution, view: View<'_>) -> Vec<u32> {
    let named = found.references.iter().filter_map(|reference| reference.entry);
    let considered = found.references.iter().flat_map(|reference| &reference.runners_up).map(|other| other.entry);
    let mut rest: Vec<&Entry> = view.ledger.entries().iter().filter(|entry| view.is_missing(entry, None)).collect();
    order::by_key(&mut rest, |entry| (Reverse((entry.last_turn, entry.reference_count)), entry.id));
    let mut chosen = order::Set::default();
    let is_missing = |id: &u32| view.ledger.entry(*id).is_some_and(|entry| view.is_missing(entry, None));
    for id in named.chain(considered.filter(is_missing)).chain(rest.into_iter().map(|entry| entry.id)) {
        chosen.insert(id);
        if chosen.as_slice().len() == CHOICES {
            break;
        }
    }
    chosen.as_slice().to_vec()
}

/// What the message refers to, by a model's answer.
#[must_use]
pub fn chosen(question: &Question<'_>, view: View<'_>, asked: &Asked, answer: &Answer) -> Resolution {
    let mut resolution = resolve(question, view);
    let by_rule = std::mem::take(&mut resolution.references);
    let numbers = answer.references.iter().filter_map(|number| asked.entries.get((*number as usize).checked_sub(1)?));
    for entry in numbers.filter_map(|id| view.ledger.entry(*id)) {
        let mut reference =
            view.refer(entry, evidence(EvidenceRule::Model, None, score::MODEL, "a model chose it from the list"));
        if let Some(same) = by_rule.iter().find(|other| other.entry == Some(entry.id)) {
            reference.atoms.clone_from(&same.atoms);
            reference.evidence.span = same.evidence.span;
        }
        resolution.references.push(reference);
    }
    for name in &answer.concepts {
        look_up(name, question, view, &mut resolution);
    }
    resolution.references.extend(by_rule.into_iter().filter(is_named));
    rank(&mut resolution.references);
    resolution
}

fn is_named(reference: &Reference) -> bool {
    use EvidenceRule::{Exact, Jaccard, Prefix, TokenSubset};
    matches!(reference.evidence.rule, Exact | Jaccard | Prefix | TokenSubset)
}

/// A concept that a model named: lost, known, or never told.
fn look_up(name: &str, question: &Question<'_>, view: View<'_>, resolution: &mut Resolution) {
    let concept = Concept::named(name);
    let hits = view.ledger.lookup(concept.kind, &concept.canonical);
    let Some(entry) = hits.first().and_then(|(id, _)| view.ledger.entry(*id)) else {
        if !resolution.unknown.iter().any(|(known, ..)| known == name) {
            let at = question.text.find(name).and_then(|at| u32::try_from(at).ok()).unwrap_or(0);
            let length = u32::try_from(name.len()).unwrap_or(0);
            let span = if question.text.contains(name) { (at, at + length) } else { (0, 0) };
            resolution.unknown.push((name.to_owned(), concept.kind, span));
        }
        return;
    };
    if view.is_missing(entry, None) {
        let note = "a model named it";
        resolution.references.push(view.refer(entry, evidence(EvidenceRule::Model, None, score::MODEL, note)));
    }
}
