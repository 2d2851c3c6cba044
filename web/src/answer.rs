//! A turn as JavaScript gets it: the object that the npm package returns, and the lines that ask for it.

use diffledger::shape::TurnShape;
use diffledger_core::json::pretty;

use crate::recording::Recording;
use crate::steps::message;

/// The lines of JavaScript whose result [`json`] shows.
pub const PROGRAM: &str = "\
import { Session } from \"diffledger\";
const session = new Session({ id: \"agent\" });
// Before each call of the model, with the conversation as it is then:
const turn = await session.turn(messages);
const block = turn.inject ? [{ role: \"user\", content: turn.inject }] : [];
const prompt = [...messages.slice(0, -1), ...block, ...messages.slice(-1)];";

/// The turn at a frame, as text with line breaks; empty when there is no such frame.
#[must_use]
pub fn json(recording: &Recording, frame: usize) -> String {
    let Some(shown) = recording.frames().get(frame) else { return String::new() };
    pretty(&TurnShape { turn: &shown.frame.turn, message: &message(recording, frame).unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story;

    #[test]
    fn places_count_as_javascript_counts() {
        let recording = Recording::complete(story::script()).unwrap();
        let turn: serde_json::Value = serde_json::from_str(&json(&recording, story::opening(&recording))).unwrap();
        assert_eq!(turn["id"], story::OPENING_TURN);
        assert_eq!(turn["gaps"][0]["evidence"]["span"], serde_json::json!([0, 10]));
        assert!(turn["gaps"][0]["runnersUp"].as_array().is_some_and(|others| !others.is_empty()));
        assert_eq!(json(&recording, usize::MAX), "");
    }
}
