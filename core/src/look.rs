//! Looking at one message: its gaps, and the fills that close them, within the limits of a turn.
//!
//! Pure: nothing is recorded here. The seed API ([`detect_gaps`]) and the session look through the
//! same code, the one at a ledger alone, the other with the log behind it.

use std::collections::HashSet;

use crate::concept::ConceptKind;
use crate::error::{Error, ErrorKind};
use crate::fill::{self, Fill};
use crate::gap::{Evidence, EvidenceRule, Gap, Status};
use crate::ledger::{Injection, Ledger, State};
use crate::log::Log;
use crate::prompt::Answer;
use crate::recall::Search;
use crate::resolve::model::{self, Asked};
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
    look_at(resolve(&question, view), &question, view)
}

/// Looks at a message of which it is known what it refers to.
#[must_use]
pub fn look_at(resolution: Resolution, question: &Question<'_>, view: View<'_>) -> Look {
    let Resolution { references, unknown } = resolution;
    let mut out = fill_in(references, question, view);
    let mut seen = HashSet::new();
    out.unknown.extend(unknown.iter().map(|(surface, ..)| surface.clone()).filter(|name| seen.insert(name.clone())));
    if view.ledger.config().external {
        out.gaps.extend(unknown.into_iter().map(never_told));
        out.fills.resize(out.gaps.len(), None);
    }
    out
}

/// Gaps for the references, with the fills that the turn has room for.
fn fill_in(references: Vec<Reference>, question: &Question<'_>, view: View<'_>) -> Look {
    let config = view.ledger.config();
    let mut out = Look::default();
    let (mut filled, mut tokens) = (0u32, 0u32);
    let put_up = |injection: &&Injection| injection.fence.is_some();
    let mut quoted: Vec<String> = view.ledger.shown().filter(put_up).map(|one| one.text.clone()).collect();
    // What was put up by hand may be a word; it only covers what it says in full.
    let is_told = |text: &str| view.ledger.shown().any(|one| one.fence.is_none() && one.text.contains(text));
    for reference in references {
        if out.gaps.len() >= LISTED {
            break;
        }
        if filled >= config.gap_max {
            out.gaps.push(gap(reference, Some(&limit("gap_max", config.gap_max))));
            out.fills.push(None);
            continue;
        }
        let candidates = fill::candidates(&reference, question, view, config.fill_chars as usize);
        let found = !candidates.is_empty();
        let fresh = candidates
            .into_iter()
            .find(|fill| !is_told(&fill.text) && !quoted.iter().any(|text| overlap(text, &fill.text)));
        let answer = match fresh {
            // Its words are in front of the agent already, by another fill: nothing is missing.
            None if found => continue,
            None => Err(nothing_left(&reference.concept)),
            Some(fill) if tokens + fill.tokens > config.fill_tokens => Err(limit("fill_tokens", config.fill_tokens)),
            Some(fill) => Ok(fill),
        };
        if let Ok(fill) = &answer {
            filled += 1;
            tokens += fill.tokens;
            quoted.push(fill.text.clone());
        }
        out.gaps.push(gap(reference, answer.as_ref().err()));
        out.fills.push(answer.ok());
    }
    out
}

fn overlap(one: &str, other: &str) -> bool {
    one.contains(other) || other.contains(one)
}

fn nothing_left(concept: &str) -> Error {
    Error::new(ErrorKind::NothingFound, format!("no text about `{concept}` is left to recall"))
}

/// Concepts in the message that are absent from the ledger: the published `detect_gaps`. Unlike in a
/// session, what was never told is a gap as well.
#[must_use]
pub fn detect_gaps(message: &str, ledger: &Ledger) -> Vec<Gap> {
    with_view(ledger, |view| {
        let question = Question::new(message);
        gaps_of(resolve(&question, view), &question, view)
    })
}

/// The question that a model can be asked about a message: `None` when there is nothing to ask.
#[must_use]
pub fn ask(message: &str, ledger: &Ledger) -> Option<Asked> {
    with_view(ledger, |view| model::ask(&Question::new(message), view))
}

/// [`detect_gaps`] with a model's answer to what [`ask`] gave for the same message and ledger.
#[must_use]
pub fn detect_gaps_chosen(message: &str, ledger: &Ledger, asked: &Asked, answer: &Answer) -> Vec<Gap> {
    with_view(ledger, |view| {
        let question = Question::new(message);
        gaps_of(model::chosen(&question, view, asked, answer), &question, view)
    })
}

/// A ledger that sees no messages.
fn with_view<T>(ledger: &Ledger, read: impl FnOnce(View<'_>) -> T) -> T {
    let (log, search) = (Log::default(), Search::new());
    read(View { ledger, log: &log, search: &search, current: None })
}

fn gaps_of(resolution: Resolution, question: &Question<'_>, view: View<'_>) -> Vec<Gap> {
    let mut gaps = fill_in(resolution.references, question, view).gaps;
    gaps.extend(resolution.unknown.into_iter().map(never_told));
    gaps
}

fn limit(name: &str, value: u32) -> Error {
    Error::new(ErrorKind::LimitReached, format!("`{name}` is `{value}`: the turn has no room for more"))
}

fn gap(reference: Reference, error: Option<&Error>) -> Gap {
    Gap {
        concept: reference.concept,
        kind: reference.kind,
        state: reference.state,
        entry: reference.entry,
        evidence: reference.evidence,
        runners_up: reference.runners_up,
        status: if error.is_none() { Status::Filled } else { Status::Open },
        error: error.map(Error::info),
    }
}

fn never_told((concept, kind, span): (String, ConceptKind, (u32, u32))) -> Gap {
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
