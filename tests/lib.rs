//! What the tests share: the built-in story as the core replays it, written down so that two replays
//! can be compared byte for byte, and the conversations that the benchmarks measure with.
//!
//! Nothing here says what is right: `golden/story.json` says what came out last time, and the tests
//! say what must come out.

pub mod workload;

use std::fmt::Write;

use diffledger_core::config::Config;
use diffledger_core::crunch::{Crunch, CrunchKind};
use diffledger_core::fill::Fill;
use diffledger_core::gap::{EvidenceRule, Gap, Status};
use diffledger_core::log::Seq;
use diffledger_core::replay::{Frame, Options, replay};
use diffledger_core::session::Session;
use diffledger_core::transcript::{self, Transcript};
use serde::Serialize;

/// The story that is built into the demo: a coding session with two compactions.
pub const STORY: &str = include_str!("../web/story.jsonl");

/// The story read and replayed with the default configuration.
///
/// # Panics
/// When the story cannot be read: it is part of the repository.
#[must_use]
pub fn replayed_story() -> (Transcript, Session, Vec<Frame>) {
    let transcript = transcript::read(STORY.as_bytes()).expect("the story is a transcript");
    let (session, frames) =
        replay(&transcript, Config::default(), Options::default()).expect("the defaults are in range");
    (transcript, session, frames)
}

/// The replay of the story as JSON: one gap or fill a line, so that a change of one of them is
/// a change of one line. The same on every target.
#[must_use]
pub fn story() -> String {
    let (_, session, frames) = replayed_story();
    let frames: Vec<String> = frames.iter().map(|frame| written(frame, &session)).collect();
    format!("[\n{}\n]\n", frames.join(",\n"))
}

/// What differs between the golden file and the story as it comes out now: the first line that does,
/// and how to accept it. `None` when nothing does.
#[must_use]
pub fn difference(golden: &str) -> Option<String> {
    let now = story();
    if golden == now {
        return None;
    }
    let lines = golden.lines().zip(now.lines());
    let at = lines.take_while(|(old, new)| old == new).count();
    let line = |text: &str| text.lines().nth(at).unwrap_or("(the end)").to_owned();
    Some(format!(
        "tests/golden/story.json, line {}:\n  was {}\n  is  {}\n\
         If that is meant: `cargo run -p diffledger-tests --bin golden`, and review the difference.",
        at + 1,
        line(golden),
        line(&now)
    ))
}

/// The beginning of a crunch's losses that is written down: enough to see a change of kind or order.
const LOST_SHOWN: usize = 20;

/// A crunch as it is written down.
#[derive(Serialize)]
struct CrunchLine<'a> {
    kind: CrunchKind,
    id: &'a str,
    dropped: usize,
    lost: usize,
    survived: usize,
    first_lost: Vec<String>,
}

/// A gap as it is written down.
#[derive(Serialize)]
struct GapLine<'a> {
    concept: &'a str,
    kind: &'a str,
    state: &'a str,
    rule: EvidenceRule,
    score: u32,
    status: Status,
}

/// A fill as it is written down.
#[derive(Serialize)]
struct FillLine<'a> {
    text: &'a str,
    seqs: &'a [Seq],
    cut: bool,
    tokens: u32,
}

fn written(frame: &Frame, session: &Session) -> String {
    let turn = &frame.turn;
    let said = frame.seq.and_then(|seq| session.log().atom(seq)).map(|atom| atom.message.visible());
    let seq = json(&frame.seq);
    let mut out = format!("{{\"seq\": {seq}, \"turn\": {}, \"said\": {}", turn.id, json(&said.unwrap_or_default()));
    if let Some(crunch) = &turn.crunch {
        field(&mut out, "crunch", &json(&crunch_line(crunch)));
    }
    list(&mut out, "gaps", turn.gaps.iter().map(|gap| json(&gap_line(gap))));
    if !turn.unknown.is_empty() {
        field(&mut out, "unknown", &json(&turn.unknown));
    }
    list(&mut out, "fills", turn.fills.iter().map(|fill| json(&fill_line(fill))));
    if !turn.inject.is_empty() {
        field(&mut out, "inject", &json(&turn.inject));
    }
    out.push('}');
    out
}

fn crunch_line(crunch: &Crunch) -> CrunchLine<'_> {
    let lost = crunch.lost.iter().zip(&crunch.lost_kinds).take(LOST_SHOWN);
    CrunchLine {
        kind: crunch.kind,
        id: &crunch.id,
        dropped: crunch.dropped.len(),
        lost: crunch.lost.len(),
        survived: crunch.survived.len(),
        first_lost: lost.map(|(concept, kind)| format!("{}: {concept}", kind.word())).collect(),
    }
}

fn gap_line(gap: &Gap) -> GapLine<'_> {
    GapLine {
        concept: &gap.concept,
        kind: gap.kind.word(),
        state: gap.state.word(),
        rule: gap.evidence.rule,
        score: gap.evidence.score,
        status: gap.status,
    }
}

fn fill_line(fill: &Fill) -> FillLine<'_> {
    FillLine { text: &fill.text, seqs: &fill.source.seqs, cut: fill.cut, tokens: fill.tokens }
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| format!("\"{error}\""))
}

fn field(out: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = write!(out, ",\n \"{name}\": {value}");
}

fn list(out: &mut String, name: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        field(out, name, &format!("[\n  {}]", items.join(",\n  ")));
    }
}

/// Every block of Rust in the README runs as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
