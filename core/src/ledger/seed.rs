//! The seed API: what the published package offers, for callers that hand over no messages. Injections
//! are then all that is known.

use serde::Serialize;

use super::{Entry, Injection, Ledger, State};
use crate::concept::Concept;
use crate::order::Set;

/// Counts of a ledger, for a status line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The session.
    pub session_id: String,
    /// The turn.
    pub turn: u32,
    /// Entries that something in the window states, weakened ones included.
    pub live: usize,
    /// Entries that nothing states any more.
    pub stale: usize,
    /// Entries whose injection is too old.
    pub expired: usize,
    /// All entries.
    pub total: usize,
}

impl Ledger {
    /// Puts a text in front of the agent for a concept: the seed API's way to learn.
    pub fn add(&mut self, concept: &str, text: &str, source: &str, score: u32) {
        let injection = Injection {
            turn: self.turn,
            text: text.to_owned(),
            source: source.to_owned(),
            score: score.min(1000),
            fence: None,
            seqs: Vec::new(),
            ended: false,
        };
        let id = self.entry_for(&Concept::named(concept));
        self.inject(id, injection);
    }

    /// Whether a live entry covers the concept.
    #[must_use]
    pub fn is_known(&self, concept: &str) -> bool {
        let concept = Concept::named(concept);
        let live =
            |id: u32| self.entry(id).is_some_and(|entry| matches!(self.state(entry), State::Live | State::Weakened));
        self.lookup(concept.kind, &concept.canonical).iter().any(|(id, _)| live(*id))
    }

    /// The highest reference count among the entries that cover the concept; 0 when none does.
    #[must_use]
    pub fn concept_ref_count(&self, concept: &str) -> u32 {
        let concept = Concept::named(concept);
        let hits = self.lookup(concept.kind, &concept.canonical);
        hits.iter().filter_map(|(id, _)| self.entry(*id)).map(|entry| entry.reference_count).max().unwrap_or(0)
    }

    /// The compared forms of all live entries, in order of first mention.
    #[must_use]
    pub fn live_canonicals(&self) -> Vec<&str> {
        let live = self.entries.iter().filter(|entry| matches!(self.state(entry), State::Live | State::Weakened));
        live.map(|entry| entry.canonical.as_str()).collect()
    }

    /// The entries that nothing keeps live, in order of first mention.
    #[must_use]
    pub fn stale_entries(&self) -> Vec<&Entry> {
        self.entries.iter().filter(|entry| self.state(entry) == State::Stale).collect()
    }

    /// Declares everything lost: ends every injection, and empties the window until the next
    /// messages arrive. `crunch` is the identity of the compaction that was the reason.
    pub fn mark_all_stale(&mut self, crunch: Option<&str>) {
        for entry in &mut self.entries {
            entry.injections.iter_mut().for_each(|injection| injection.ended = true);
        }
        let visible = std::mem::take(&mut self.visible);
        self.leave(visible.as_slice());
        self.fences = Set::default();
        self.clear_summary();
        self.crunches.extend(crunch.map(str::to_owned));
    }

    /// Moves on by one turn.
    pub fn advance_turn(&mut self) {
        self.turn += 1;
    }

    /// Counts, for a status line.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut summary =
            Summary { session_id: self.session.clone(), turn: self.turn, live: 0, stale: 0, expired: 0, total: 0 };
        for entry in &self.entries {
            let counter = match self.state(entry) {
                State::Live | State::Weakened => &mut summary.live,
                State::Stale => &mut summary.stale,
                State::Expired => &mut summary.expired,
                State::Unknown => continue,
            };
            *counter += 1;
            summary.total += 1;
        }
        summary
    }

    /// Forgets everything but the session's name and configuration.
    pub fn reset(&mut self) {
        let config = self.config.clone();
        let session = std::mem::take(&mut self.session);
        let is_anew = self.is_anew || self.stands_on.is_some();
        if let Ok(mut fresh) = Self::new(&session, config) {
            fresh.is_anew = is_anew;
            std::mem::swap(self, &mut fresh);
        }
    }
}
