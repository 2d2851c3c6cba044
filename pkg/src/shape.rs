//! Results as JavaScript sees them: names in camel case, places as indices into its strings.

use diffledger_core::crunch::Crunch;
use diffledger_core::fill::Fill;
use diffledger_core::gap::{Evidence, Gap};
use diffledger_core::json::{ToJson, Writer};
use diffledger_core::ledger::{Entry, Injection, Ledger, State, Summary};
use diffledger_core::look::Look;
use diffledger_core::turn::Turn;

/// A turn that looked at a message.
#[derive(Debug)]
pub struct TurnShape<'a> {
    /// What was found.
    pub turn: &'a Turn,
    /// The message, in which the places are counted.
    pub message: &'a str,
}

impl ToJson for TurnShape<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Turn { id, crunch, gaps: found, unknown, fills, inject, degraded, skipped } = self.turn;
        to.object()
            .field("id", id)
            .field("crunch", &crunch.as_ref().map(CrunchShape))
            .field("gaps", &gaps(found, self.message))
            .field("unknown", unknown)
            .field("fills", fills)
            .field("inject", inject)
            .field("degraded", degraded)
            .field("skipped", skipped)
            .end();
    }
}

/// What a message would need.
#[derive(Debug)]
pub struct LookShape<'a> {
    /// What was found.
    pub look: &'a Look,
    /// The message, in which the places are counted.
    pub message: &'a str,
}

impl ToJson for LookShape<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Look { gaps: found, fills, unknown, .. } = self.look;
        let fills: Vec<&Fill> = fills.iter().flatten().collect();
        to.object().field("gaps", &gaps(found, self.message)).field("fills", &fills).field("unknown", unknown).end();
    }
}

/// A compaction.
#[derive(Debug)]
pub struct CrunchShape<'a>(pub &'a Crunch);

impl ToJson for CrunchShape<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Crunch { id, kind, dropped, lost, lost_kinds, survived } = self.0;
        to.object()
            .field("id", id)
            .field("kind", kind)
            .field("dropped", dropped)
            .field("lost", lost)
            .field("lostKinds", lost_kinds)
            .field("survived", survived)
            .end();
    }
}

/// A gap of a message.
#[derive(Debug)]
pub struct GapShape<'a> {
    gap: &'a Gap,
    message: &'a str,
}

impl ToJson for GapShape<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Gap { concept, kind, state, entry, evidence, runners_up, status, error } = self.gap;
        to.object()
            .field("concept", concept)
            .field("kind", kind)
            .field("state", state)
            .field("entry", entry)
            .field("evidence", &EvidenceShape { evidence, message: self.message })
            .field("runnersUp", runners_up)
            .field("status", status)
            .field("error", error)
            .end();
    }
}

struct EvidenceShape<'a> {
    evidence: &'a Evidence,
    message: &'a str,
}

impl ToJson for EvidenceShape<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Evidence { rule, span, shared, total, score, note } = self.evidence;
        to.object()
            .field("rule", rule)
            .field("span", &span.map(|span| in_units(self.message, span)))
            .given("shared", shared)
            .given("total", total)
            .field("score", score)
            .field("note", note)
            .end();
    }
}

/// Gaps of a message.
#[must_use]
pub fn gaps<'a>(gaps: &'a [Gap], message: &'a str) -> Vec<GapShape<'a>> {
    gaps.iter().map(|gap| GapShape { gap, message }).collect()
}

/// A range of bytes as a range of UTF-16 units.
fn in_units(message: &str, (from, to): (u32, u32)) -> (u32, u32) {
    let units = |end: u32| {
        let part = message.get(..end as usize).unwrap_or(message);
        u32::try_from(part.encode_utf16().count()).unwrap_or(u32::MAX)
    };
    (units(from), units(to))
}

/// An entry, as it is now.
#[derive(Debug)]
pub struct EntryShape<'a> {
    entry: &'a Entry,
    state: State,
}

impl ToJson for EntryShape<'_> {
    fn to_json(&self, to: &mut Writer) {
        let entry = self.entry;
        let injections: Vec<InjectionShape<'_>> = entry.injections.iter().map(InjectionShape).collect();
        to.object()
            .field("id", &entry.id)
            .field("concept", &entry.concept)
            .field("canonical", &entry.canonical)
            .field("kind", &entry.kind)
            .field("state", &self.state)
            .field("firstTurn", &entry.first_turn)
            .field("lastTurn", &entry.last_turn)
            .field("referenceCount", &entry.reference_count)
            .field("carriers", &entry.carriers)
            .field("injections", &injections)
            .field("marks", &entry.marks)
            .end();
    }
}

struct InjectionShape<'a>(&'a Injection);

impl ToJson for InjectionShape<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Injection { turn, text, source, score, .. } = self.0;
        to.object().field("turn", turn).field("text", text).field("source", source).field("score", score).end();
    }
}

/// Entries of a ledger.
pub fn entries<'a>(entries: impl IntoIterator<Item = &'a Entry>, ledger: &Ledger) -> Vec<EntryShape<'a>> {
    let told = entries.into_iter().filter(|entry| entry.is_told());
    told.map(|entry| EntryShape { entry, state: ledger.state(entry) }).collect()
}

/// Counts of a ledger.
#[derive(Debug)]
pub struct SummaryShape(pub Summary);

impl ToJson for SummaryShape {
    fn to_json(&self, to: &mut Writer) {
        let Summary { session_id, turn, live, stale, expired, total } = &self.0;
        to.object()
            .field("sessionId", session_id)
            .field("turn", turn)
            .field("live", live)
            .field("stale", stale)
            .field("expired", expired)
            .field("total", total)
            .end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_counts_as_javascript_counts() {
        let message = "añ🙂 port";
        assert_eq!(in_units(message, (0, 1)), (0, 1));
        assert_eq!(in_units(message, (8, 12)), (5, 9));
        assert_eq!(in_units(message, (8, 400)), (5, 9));
    }
}
