//! The built-in story: a coding session with two compactions.

use diffledger_core::transcript;

use crate::recording::{Recording, Script};

/// As Claude Code would have written it, made short by the build.
const STORY: &str = include_str!(concat!(env!("OUT_DIR"), "/story.jsonl"));

/// The turn that the page opens with: just after the crunch, with one gap that is filled.
pub const OPENING_TURN: u32 = 17;

/// The story as a script, nothing done in it yet.
#[must_use]
pub fn script() -> Script {
    let transcript = transcript::read(STORY.as_bytes()).unwrap_or_else(|_| nothing());
    Script::new("The story", transcript)
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
    fn the_short_story_is_the_story() {
        let whole = transcript::read(include_bytes!("../story.jsonl")).unwrap();
        let short = script().transcript;
        let told = |transcript: &transcript::Transcript| {
            let messages = transcript.messages.iter();
            messages.map(|message| (message.role, message.synthetic, message.visible())).collect::<Vec<_>>()
        };
        assert_eq!(told(&short), told(&whole));
        let kept = |transcript: &transcript::Transcript| {
            transcript.markers.iter().map(|marker| (marker.at, marker.kept.clone())).collect::<Vec<_>>()
        };
        assert_eq!((kept(&short), &short.skipped), (kept(&whole), &whole.skipped));
        let turns = |transcript| {
            let recording = Recording::complete(Script::new("", transcript)).unwrap();
            recording.frames().iter().map(|shown| shown.frame.turn.fills.clone()).collect::<Vec<_>>()
        };
        assert_eq!(turns(short), turns(whole));
    }

    #[test]
    fn the_story_is_read_whole() {
        let transcript = script().transcript;
        assert!(transcript.messages.len() > 100 && transcript.markers.len() == 2);
        assert!(transcript.skipped.is_empty(), "{:?}", transcript.skipped);
    }
}
