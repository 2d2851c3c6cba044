//! One sentence a claim: what a message refers to after everything left the window.

use crate::config::Config;
use crate::gap::EvidenceRule::{self, Ellipsis, Exact, Ordinal, Prefix, Pronoun, Session as Whole, TokenSubset, Typed};
use crate::message::{Message, Role};
use crate::session::Session;

/// User and assistant by turns, all of it lost.
fn lost(said: &[&str]) -> Session {
    let mut session = Session::new("test", Config::default()).unwrap();
    let roles = [Role::User, Role::Assistant].into_iter().cycle();
    session.extend(said.iter().zip(roles).map(|(text, role)| Message::text(role, *text)));
    session.crunch_all();
    session
}

const TALK: &[&str] = &[
    "Let's set up the staging tunnel.",
    "I set up the staging tunnel on port 8443. Open it with `./scripts/tunnel.sh --wait`.",
    "correction: staging moved, it is port 8444 now",
    "Noted, port 8444. Don't touch src/legacy/ledger/ while finance reviews it.",
    "now the retry queue",
    "The retry queue failed with `error: relation \"retry_jobs\" does not exist`. We decided to keep Postgres instead of Redis.",
    "run the backfill",
    "The backfill ran with `cargo run --bin backfill -- --batch 500`. Left to do: the alert route is still open.",
];

fn check(asked: &str, rule: EvidenceRule, in_fill: &str) {
    let look = lost(TALK).look(asked);
    let found =
        look.gaps.iter().zip(&look.fills).any(|(gap, fill)| {
            gap.evidence.rule == rule && fill.as_ref().is_some_and(|fill| fill.text.contains(in_fill))
        });
    assert!(
        found,
        "{asked}: {:#?}",
        look.gaps
            .iter()
            .zip(&look.fills)
            .map(|(gap, fill)| (&gap.concept, gap.evidence.rule, gap.evidence.score, fill.as_ref().map(|f| &f.text)))
            .collect::<Vec<_>>()
    );
}

#[test]
fn named() {
    check("is the retry queue done?", Exact, "The retry queue failed");
    check("open a tunnel please", TokenSubset, "staging tunnel");
    check("fix the spawn handler in src/legacy/ledger/post.rs", Prefix, "Don't touch src/legacy/ledger/");
}

#[test]
fn ordinal() {
    check("what was the first thing we set up?", Ordinal, "staging tunnel");
    check("show me the last command", Ordinal, "--batch 500");
    check("what was the first command you gave me?", Ordinal, "./scripts/tunnel.sh --wait");
}

#[test]
fn typed() {
    check("which port was it again?", Typed, "8444");
    check("what was that error?", Typed, "retry_jobs");
    check("give me the exact command for the tunnel", Typed, "./scripts/tunnel.sh --wait");
    check("run the command for the backfill again", Typed, "--batch 500");
}

#[test]
fn pronoun_and_ellipsis() {
    check("how does it work again", Pronoun, "backfill");
    check("why?", Ellipsis, "backfill");
    check("again", Ellipsis, "backfill");
}

#[test]
fn session() {
    check("what did we decide about redis?", Whole, "keep Postgres");
    check("where were we?", Whole, "Left to do");
    check("continue", Whole, "backfill");
    check("what's left?", Whole, "Left to do");
}

#[test]
fn silence() {
    for asked in ["thanks!", "write a haiku about autumn leaves", "what is the capital of France?", "ok cool"] {
        let look = lost(TALK).look(asked);
        assert!(look.fills.iter().all(Option::is_none), "{asked}: {look:#?}");
    }
}

#[test]
fn while_the_window_answers_a_pronoun_nothing_is_lost() {
    let mut session = lost(TALK);
    session.extend([
        Message::text(Role::User, "write a parser"),
        Message::text(Role::Assistant, "The parser reads one line at a time."),
    ]);
    for asked in ["how does it work?", "why?", "and what about the tests?"] {
        let look = session.look(asked);
        assert!(look.fills.iter().all(Option::is_none), "{asked}: {look:#?}");
    }
}

#[test]
fn what_else_was_considered_is_listed_and_never_the_winner() {
    let look = lost(TALK).look("which port was it again?");
    let gap = &look.gaps[0];
    assert!(!gap.runners_up.is_empty() && gap.runners_up.len() <= 3);
    assert!(gap.runners_up.iter().all(|other| Some(other.entry) != gap.entry));
}

#[test]
fn what_is_named_in_full_is_all_that_a_brief_question_gets() {
    let session = lost(&["The retry queue waits 30 s.", "Noted.", "Staging listens on port 8444.", "Noted."]);
    for asked in ["how long does the retry queue wait?", "what is the retry queue?"] {
        let found: Vec<String> = session.look(asked).gaps.into_iter().map(|gap| gap.concept).collect();
        assert_eq!(found, ["retry queue"], "{asked}");
    }
    // What it is compared with stands in the last exchange.
    assert!(session.look("the retry queue or the port instead?").gaps.len() > 1);
}
