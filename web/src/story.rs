//! The built-in story: a coding session with two compactions.

use diffledger_core::transcript;

use crate::recording::{Recording, Script};

/// As Claude Code would have written it.
const STORY: &str = include_str!("../story.jsonl");

/// The turn that the page opens with: just after the crunch, with one gap that is filled.
pub const OPENING_TURN: u32 = 17;

/// The story as a script, nothing done in it yet.
#[must_use]
pub fn script() -> Script {
    let transcript = transcript::read(STORY.as_bytes()).unwrap_or_else(|_| nothing());
    Script { name: "The story".into(), transcript, acts: Vec::new() }
}

/// The frame that the page opens with.
#[must_use]
pub fn opening(recording: &Recording) -> usize {
    recording.frames().iter().position(|shown| shown.turn == OPENING_TURN).unwrap_or(0)
}

/// What a test rules out: that the built-in text cannot be read.
fn nothing() -> transcript::Transcript {
    transcript::Transcript {
        format: transcript::Format::Plain,
        messages: Vec::new(),
        markers: Vec::new(),
        skipped: Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_story_is_read_whole() {
        let transcript = script().transcript;
        assert!(transcript.messages.len() > 100 && transcript.markers.len() == 2);
        assert!(transcript.skipped.is_empty(), "{:?}", transcript.skipped);
    }
}
