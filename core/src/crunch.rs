//! What a compaction took: its identity, the atoms that left, and the concepts that went with them.
//!
//! Nothing is guessed. The ledger's states before and after the window changed are compared for the
//! entries that the dropped atoms tell about; what was live and is lost now is `lost`, what they
//! told and something still states is `survived`.

use serde::{Deserialize, Serialize};

use crate::concept::ConceptKind;
use crate::json::words;
use crate::ledger::{Ledger, State};
use crate::log::Seq;
use crate::order::Set;

/// How a compaction was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CrunchKind {
    /// Messages are missing before others that survived.
    Vanished,
    /// Messages were replaced by placeholders ("[Old tool result content cleared]").
    Placeholder,
    /// Messages were replaced by a summary.
    Summary,
    /// The transcript records it.
    Marker,
    /// The caller said so.
    Manual,
}

words!(
    CrunchKind,
    Vanished => "vanished",
    Placeholder => "placeholder",
    Summary => "summary",
    Marker => "marker",
    Manual => "manual",
);

/// A compaction, reported once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crunch {
    /// Identity: the same compaction has the same id at every reading.
    pub id: String,
    /// How it was noticed.
    pub kind: CrunchKind,
    /// The atoms that left the window.
    pub dropped: Vec<Seq>,
    /// The concepts that nothing in the window states any more, in order of first mention.
    pub lost: Vec<String>,
    /// The kind of each of `lost`.
    pub lost_kinds: Vec<ConceptKind>,
    /// The concepts that the dropped atoms told about and that something still states.
    pub survived: Vec<String>,
}

/// The states, before the window changes, of the entries that could be lost with some atoms.
pub(crate) struct Before(Vec<(u32, State)>);

/// Takes down the states of all entries that `gone` tell about.
pub(crate) fn before(ledger: &Ledger, gone: &[Seq]) -> Before {
    let ids: Set<u32> = gone.iter().flat_map(|seq| ledger.told_by(*seq)).map(|(id, _)| *id).collect();
    let state = |id: &u32| ledger.entry(*id).map(|entry| (*id, ledger.state(entry)));
    Before(ids.as_slice().iter().filter_map(state).collect())
}

/// The report on a compaction after which the ledger is as it is now.
pub(crate) fn report(id: String, kind: CrunchKind, dropped: Vec<Seq>, before: &Before, ledger: &Ledger) -> Crunch {
    let mut crunch = Crunch { id, kind, dropped, lost: Vec::new(), lost_kinds: Vec::new(), survived: Vec::new() };
    for (id, state) in &before.0 {
        let Some(entry) = ledger.entry(*id) else { continue };
        match (state, ledger.state(entry)) {
            (State::Live | State::Weakened, now) if now.is_lost() => {
                crunch.lost.push(entry.concept.clone());
                crunch.lost_kinds.push(entry.kind);
            }
            (State::Live | State::Weakened, State::Live | State::Weakened) => {
                crunch.survived.push(entry.concept.clone())
            }
            _ => {}
        }
    }
    crunch
}
