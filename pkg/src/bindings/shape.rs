//! Results as JavaScript sees them: names in camel case, places as indices into its strings.

use diffledger_core::concept::ConceptKind;
use diffledger_core::crunch::{Crunch, CrunchKind};
use diffledger_core::error::ErrorInfo;
use diffledger_core::fill::Fill;
use diffledger_core::gap::{self, Candidate, EvidenceRule, Status};
use diffledger_core::ledger::{self, Ledger, State};
use diffledger_core::log::Seq;
use diffledger_core::look::Look;
use diffledger_core::sentence::Mark;
use diffledger_core::skipped::Skipped;
use diffledger_core::turn::Turn;
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnShape<'a> {
    id: u32,
    crunch: Option<CrunchShape<'a>>,
    gaps: Vec<GapShape<'a>>,
    unknown: &'a [String],
    fills: &'a [Fill],
    inject: &'a str,
    degraded: &'a [ErrorInfo],
    skipped: &'a Skipped,
}

impl<'a> TurnShape<'a> {
    /// `message` is the text that the turn looked at.
    pub(crate) fn new(turn: &'a Turn, message: &str) -> Self {
        Self {
            id: turn.id,
            crunch: turn.crunch.as_ref().map(CrunchShape::new),
            gaps: gaps(&turn.gaps, message),
            unknown: &turn.unknown,
            fills: &turn.fills,
            inject: &turn.inject,
            degraded: &turn.degraded,
            skipped: &turn.skipped,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LookShape<'a> {
    gaps: Vec<GapShape<'a>>,
    fills: Vec<&'a Fill>,
    unknown: &'a [String],
}

impl<'a> LookShape<'a> {
    pub(crate) fn new(look: &'a Look, message: &str) -> Self {
        let fills = look.fills.iter().flatten().collect();
        Self { gaps: gaps(&look.gaps, message), fills, unknown: &look.unknown }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CrunchShape<'a> {
    id: &'a str,
    kind: CrunchKind,
    dropped: &'a [Seq],
    lost: &'a [String],
    lost_kinds: &'a [ConceptKind],
    survived: &'a [String],
}

impl<'a> CrunchShape<'a> {
    pub(crate) fn new(crunch: &'a Crunch) -> Self {
        Self {
            id: &crunch.id,
            kind: crunch.kind,
            dropped: &crunch.dropped,
            lost: &crunch.lost,
            lost_kinds: &crunch.lost_kinds,
            survived: &crunch.survived,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GapShape<'a> {
    concept: &'a str,
    kind: ConceptKind,
    state: State,
    entry: Option<u32>,
    evidence: EvidenceShape<'a>,
    runners_up: &'a [Candidate],
    status: Status,
    error: Option<&'a ErrorInfo>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EvidenceShape<'a> {
    rule: EvidenceRule,
    span: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u32>,
    score: u32,
    note: &'a str,
}

/// Gaps of a message.
pub(crate) fn gaps<'a>(gaps: &'a [gap::Gap], message: &str) -> Vec<GapShape<'a>> {
    let shape = |gap: &'a gap::Gap| GapShape {
        concept: &gap.concept,
        kind: gap.kind,
        state: gap.state,
        entry: gap.entry,
        evidence: EvidenceShape {
            rule: gap.evidence.rule,
            span: gap.evidence.span.map(|span| in_units(message, span)),
            shared: gap.evidence.shared,
            total: gap.evidence.total,
            score: gap.evidence.score,
            note: &gap.evidence.note,
        },
        runners_up: &gap.runners_up,
        status: gap.status,
        error: gap.error.as_ref(),
    };
    gaps.iter().map(shape).collect()
}

/// A range of bytes as a range of UTF-16 units.
fn in_units(message: &str, (from, to): (u32, u32)) -> (u32, u32) {
    let units = |end: u32| {
        let part = message.get(..end as usize).unwrap_or(message);
        u32::try_from(part.encode_utf16().count()).unwrap_or(u32::MAX)
    };
    (units(from), units(to))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryShape<'a> {
    id: u32,
    concept: &'a str,
    canonical: &'a str,
    kind: ConceptKind,
    state: State,
    first_turn: u32,
    last_turn: u32,
    reference_count: u32,
    carriers: &'a [Seq],
    injections: Vec<InjectionShape<'a>>,
    marks: &'a [Mark],
}

#[derive(Serialize)]
struct InjectionShape<'a> {
    turn: u32,
    text: &'a str,
    source: &'a str,
    score: u32,
}

/// Entries of a ledger, as they are now.
pub(crate) fn entries<'a>(
    entries: impl IntoIterator<Item = &'a ledger::Entry>,
    ledger: &Ledger,
) -> Vec<EntryShape<'a>> {
    let injection = |one: &'a ledger::Injection| InjectionShape {
        turn: one.turn,
        text: &one.text,
        source: &one.source,
        score: one.score,
    };
    let shape = |entry: &'a ledger::Entry| EntryShape {
        id: entry.id,
        concept: &entry.concept,
        canonical: &entry.canonical,
        kind: entry.kind,
        state: ledger.state(entry),
        first_turn: entry.first_turn,
        last_turn: entry.last_turn,
        reference_count: entry.reference_count,
        carriers: &entry.carriers,
        injections: entry.injections.iter().map(injection).collect(),
        marks: &entry.marks,
    };
    entries.into_iter().filter(|entry| entry.is_told()).map(shape).collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SummaryShape {
    session_id: String,
    turn: u32,
    live: usize,
    stale: usize,
    expired: usize,
    total: usize,
}

impl SummaryShape {
    pub(crate) fn new(ledger: &Ledger) -> Self {
        let ledger::Summary { session_id, turn, live, stale, expired, total } = ledger.summary();
        Self { session_id, turn, live, stale, expired, total }
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
