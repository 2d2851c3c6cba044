//! Looking at one message: its gaps, and the fills that close them, within the limits of a turn.
//!
//! Pure: nothing is recorded here. The seed API ([`detect_gaps`]) and the session look through the
//! same code, the one at a ledger alone, the other with the log behind it.

use crate::concept::ConceptKind;
use crate::error::{Error, ErrorKind};
use crate::fill::{self, Fill};
use crate::gap::{Evidence, EvidenceRule, Gap, Status};
use crate::ledger::{Ledger, State};
use crate::log::Log;
use crate::recall::Search;
use crate::resolve::{Question, Reference, Resolution, View, resolve};

/// What a message needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Lost things it refers to, the most certain first.
    pub gaps: Vec<Gap>,
    /// For each gap the fill that closes it.
    pub fills: Vec<Option<Fill>>,
    /// Concepts never told in this session.
    pub unknown: Vec<String>,
}

/// Gaps that are listed: with more, a long message that names half of the session is unreadable.
const LISTED: usize = 12;

/// Looks at a message.
#[must_use]
pub fn look(text: &str, view: View<'_>) -> Look {
    let question = Question::new(text);
    let Resolution { references, unknown } = resolve(&question, view);
    let config = view.ledger.config();
    let mut out = Look { unknown: unknown.iter().map(|(surface, ..)| surface.clone()).collect(), ..Look::default() };
    out.unknown.dedup();
    let (mut filled, mut tokens) = (0u32, 0u32);
    let mut quoted: Vec<String> = shown(view.ledger);
    for reference in references {
        let candidates = fill::candidates(&reference, &question, view, config.fill_chars as usize);
        let found = !candidates.is_empty();
        let fresh = candidates
            .into_iter()
            .find(|fill| !quoted.iter().any(|text| text.contains(&fill.text) || fill.text.contains(text.as_str())));
        let (fill, error) = match fresh {
            // Its words are in front of the agent already, by another fill: nothing is missing.
            None if found => continue,
            None => (
                None,
                Some(Error::new(
                    ErrorKind::NothingFound,
                    format!("no text about `{}` is left to recall", reference.concept),
                )),
            ),
            Some(_) if filled >= config.gap_max => (None, Some(limit("gap_max", config.gap_max))),
            Some(fill) if tokens + fill.tokens > config.fill_tokens => {
                (None, Some(limit("fill_tokens", config.fill_tokens)))
            }
            Some(fill) => (Some(fill), None),
        };
        if let Some(fill) = &fill {
            filled += 1;
            tokens += fill.tokens;
            quoted.push(fill.text.clone());
        }
        if out.gaps.len() < LISTED {
            out.gaps.push(gap(reference, fill.is_some(), error.as_ref()));
            out.fills.push(fill);
        }
    }
    if config.external {
        out.gaps.extend(unknown.into_iter().map(|(surface, kind, span)| never_told(surface, kind, span)));
        out.fills.resize(out.gaps.len(), None);
    }
    out
}

/// Concepts in the message that are absent from the ledger: the published `detect_gaps`. Unlike in a
/// session, what was never told is a gap as well.
#[must_use]
pub fn detect_gaps(message: &str, ledger: &Ledger) -> Vec<Gap> {
    let (log, search) = (Log::default(), Search::new());
    let view = View { ledger, log: &log, search: &search, current: None };
    let question = Question::new(message);
    let mut gaps = look(message, view).gaps;
    if !question.is_acknowledgement() {
        let known: Vec<String> = gaps.iter().map(|gap| gap.concept.clone()).collect();
        let unknown = resolve(&question, view).unknown;
        gaps.extend(
            unknown
                .into_iter()
                .filter(|(surface, ..)| !known.contains(surface))
                .map(|(surface, kind, span)| never_told(surface, kind, span)),
        );
    }
    gaps
}

/// The texts that are in front of the agent as fills now.
fn shown(ledger: &Ledger) -> Vec<String> {
    let live = ledger
        .entries()
        .iter()
        .flat_map(|entry| &entry.injections)
        .filter(|injection| injection.fence.is_some() && ledger.is_live(injection));
    live.map(|injection| injection.text.clone()).collect()
}

fn limit(name: &str, value: u32) -> Error {
    Error::new(ErrorKind::LimitReached, format!("`{name}` is `{value}`: the turn has no room for more"))
}

fn gap(reference: Reference, filled: bool, error: Option<&Error>) -> Gap {
    Gap {
        concept: reference.concept,
        kind: reference.kind,
        state: reference.state,
        entry: reference.entry,
        evidence: reference.evidence,
        runners_up: reference.runners_up,
        status: if filled { Status::Filled } else { Status::Open },
        error: error.map(Error::info),
    }
}

fn never_told(concept: String, kind: ConceptKind, span: (u32, u32)) -> Gap {
    let note = "never told in this session".into();
    let error = Error::new(ErrorKind::NothingFound, format!("`{concept}` was never told in this session")).info();
    Gap {
        concept,
        kind,
        state: State::Unknown,
        entry: None,
        evidence: Evidence { rule: EvidenceRule::Exact, span: Some(span), shared: None, total: None, score: 0, note },
        runners_up: Vec::new(),
        status: Status::Open,
        error: Some(error),
    }
}
