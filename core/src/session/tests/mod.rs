//! The rows of the fault table that need neither network nor files, and what users report: each test
//! says what went wrong elsewhere and must not here.

mod crunch;
mod fill;
mod reference;

use super::*;
use crate::gap::{EvidenceRule, Status};
use crate::ledger::State;
use crate::message::Part;
use crate::transcript;

fn session() -> Session {
    Session::new("test", Config::default()).unwrap()
}

fn user(text: &str) -> Message {
    Message::text(Role::User, text)
}

fn assistant(text: &str) -> Message {
    Message::text(Role::Assistant, text)
}

fn array(messages: &[Message]) -> Transcript {
    Transcript {
        format: transcript::Format::Plain,
        messages: messages.to_vec(),
        markers: Vec::new(),
        skipped: Default::default(),
    }
}

/// A session in which these things were set up, one after the other.
fn set_up() -> Session {
    let mut session = session();
    session.extend([
        user("Let's set up the staging tunnel first."),
        assistant("I set up the staging tunnel: it listens on port 8443."),
        user("Next, set up the retry queue."),
        assistant("I set up the retry queue: failed posts wait 30 s, then twice as long."),
        user("And the rate limiter?"),
        assistant("We set up the rate limiter with `cargo run --bin limiter -- --burst 80`."),
    ]);
    session
}

fn ask(session: &mut Session, text: &str) -> Turn {
    session.extend([user(text)])
}

fn filled(turn: &Turn) -> String {
    turn.fills.iter().map(|fill| fill.text.as_str()).collect::<Vec<_>>().join("\n")
}
