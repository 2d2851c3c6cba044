//! Defects that were found by trying to break the core, each with the smallest input that showed it and
//! a comment that says what went wrong.
#![cfg(not(target_arch = "wasm32"))]

use std::time::{Duration, Instant};

use diffledger_core::config::Config;
use diffledger_core::message::{Message, Part, Role};
use diffledger_core::session::Session;
use diffledger_core::transcript::{Format, Transcript};

fn array(messages: &[Message]) -> Transcript {
    Transcript { format: Format::Plain, messages: messages.to_vec(), markers: Vec::new(), skipped: Default::default() }
}

fn said(role: Role, text: &str) -> Message {
    Message::text(role, text)
}

/// `take` labels a placeholder that the caller did not label, and the label is part of the digest: the
/// same array was then never recognised, and every turn is one more compaction with three more atoms.
#[test]
fn a_placeholder_without_a_label_is_one_compaction() {
    let call = Part::ToolCall { id: "1".into(), name: "Bash".into(), input: "{}".into() };
    let result = |text: &str| {
        let parts = vec![Part::ToolResult { call: "1".into(), text: text.into(), error: false }];
        Message { parts, ..said(Role::Tool, "") }
    };
    let asks = Message { parts: vec![call], ..said(Role::Assistant, "") };
    let mut session = Session::new("found", Config::default()).unwrap();
    session.turn(&array(&[asks.clone(), result("Staging listens on port 8444.")]));
    let cleared = array(&[asks, result("[Old tool result content cleared]")]);
    assert!(session.turn(&cleared).crunch.is_some());
    let atoms = session.log().atoms().len();
    assert_eq!(session.turn(&cleared).crunch, None);
    assert_eq!(session.log().atoms().len(), atoms);
}

/// The block is held back only on the turn on which it is first seen in the messages: the same array
/// once more hands it out again, and a host that asks twice puts it in twice.
#[test]
fn a_block_that_stands_in_the_messages_is_not_handed_out_again() {
    let mut session = Session::new("found", Config::default()).unwrap();
    session.extend([said(Role::User, "Which port?"), said(Role::Assistant, "Staging listens on port 8444.")]);
    session.crunch_all();
    let turn = session.turn(&array(&[said(Role::User, "which port was staging on?")]));
    assert!(!turn.inject.is_empty());
    let placed = array(&[said(Role::User, &format!("{}\n\nwhich port was staging on?", turn.inject))]);
    assert_eq!(session.turn(&placed).inject, "");
    assert_eq!(session.turn(&placed).inject, "");
}

fn is_learnt_in_time(what: &str) {
    let text = what.repeat((1 << 20) / what.len());
    let mut session = Session::new("found", Config::default()).unwrap();
    let start = Instant::now();
    session.extend([said(Role::Assistant, &text)]);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?} for a megabyte of `{what}`", start.elapsed());
}

/// After each span the rest is searched for both sorts of span to its end: quadratic.
#[test]
fn a_megabyte_of_reminders_is_cut_in_time() {
    is_learnt_in_time("<system-reminder></system-reminder>");
}

/// From each opening the rest is searched for an end to its end: quadratic.
#[test]
fn a_megabyte_of_fences_without_an_end_is_read_in_time() {
    is_learnt_in_time("<diffledger id=\"");
}

/// For each sentence every token of the message is looked for in every token of the passage
/// (`fill::shared`): the product of two sizes.
#[test]
fn a_large_paste_against_a_large_lost_text_is_looked_at_in_time() {
    let lines = "$ cargo run\n".repeat(10_000);
    let mut session = Session::new("found", Config::default()).unwrap();
    session.extend([said(Role::Assistant, &lines), said(Role::Assistant, "Done.")]);
    session.crunch_all();
    let start = Instant::now();
    session.extend([said(Role::User, &lines)]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// The cue "we decided" is taken for a question wherever it stands: a message that tells of a new
/// decision, and names nothing lost, gets an old one.
#[test]
fn telling_of_a_decision_asks_for_none() {
    let mut session = Session::new("found", Config::default()).unwrap();
    session.extend([said(Role::User, "redis or in process?"), said(Role::Assistant, "I decided against Redis.")]);
    session.extend([said(Role::User, "ok. now the docs"), said(Role::Assistant, "Done.")]);
    session.crunch_all();
    for text in [
        "In the meeting we decided to hire Bob. Write the announcement.",
        "we decided that the page gets a dark theme, add it",
        "translate \"carry on, my wayward son\"",
    ] {
        assert_eq!(session.look(text).fills, [], "{text}");
    }
}
