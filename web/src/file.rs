//! A chat from a file, and a session into one.
//!
//! Every format that the core reads, and the saved form of a session: what the page exports, and what
//! the npm package writes as `session_<id>.jsonl`.

use diffledger_core::config::Config;
use diffledger_core::error::Error;
use diffledger_core::log::{AtomKind, Cause, Event, Log, Seq};
use diffledger_core::message::Synthetic;
use diffledger_core::session::Session;
use diffledger_core::skipped::Skipped;
use diffledger_core::transcript::{self, Format, Marker, Transcript};

use crate::recording::{Act, Placed, Recording, Script};

/// Reads a chat. The name is only shown.
///
/// # Errors
/// As [`transcript::read`] and [`Session::load`].
pub fn read(name: &str, bytes: &[u8]) -> Result<Script, Error> {
    match saved_id(bytes) {
        Some((id, text)) => {
            let session = Session::load(&id, Config::default(), Some(text), None)?;
            Ok(from_log(name, session.log()))
        }
        None => Ok(Script::new(name, transcript::read(bytes)?)),
    }
}

/// The id in the first line of a saved session, and the whole as text.
fn saved_id(bytes: &[u8]) -> Option<(String, &str)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let header: serde_json::Value = serde_json::from_str(text.lines().next()?).ok()?;
    (header.get("diffledger")?.as_str()? == "session").then_some(())?;
    Some((header.get("session_id")?.as_str()?.to_owned(), text))
}

/// The session at the end of a recording, in its saved form.
#[must_use]
pub fn write(recording: &Recording) -> String {
    recording.session().saved().session
}

/// The chat that a log tells: its compactions become marks, those by hand acts of the visitor.
fn from_log(name: &str, log: &Log) -> Script {
    let mut messages = Vec::new();
    let (mut markers, mut acts) = (Vec::new(), Vec::new());
    let mut skipped = Skipped::default();
    for event in log.events() {
        match event {
            Event::Append { seq } => messages.extend(log.atom(*seq).map(|atom| atom.message.clone())),
            Event::Window { cause: Cause::Crunch { id }, view } => {
                let summary = messages.last().filter(|last| last.synthetic == Some(Synthetic::Summary));
                let is_system = |seq: &Seq| log.atom(*seq).is_some_and(|atom| atom.kind == AtomKind::System);
                let is_everything =
                    view.iter().all(|seq| is_system(seq) || Some(seq.index()) == messages.len().checked_sub(1));
                if id.starts_with("manual-") && view.iter().all(is_system) {
                    acts.push(Placed { before: messages.len(), act: Act::Crunch(None) });
                } else if let Some(text) =
                    summary.map(|summary| summary.visible()).filter(|_| id.starts_with("summary-") && is_everything)
                {
                    messages.pop();
                    acts.push(Placed { before: messages.len(), act: Act::Crunch(Some(text)) });
                } else {
                    let at = messages.len() - usize::from(summary.is_some());
                    let kept = view.iter().map(|seq| seq.index()).filter(|kept| *kept < at).collect();
                    markers.push(Marker { at, id: id.clone(), kept });
                }
            }
            Event::Window { .. } => skipped.add("rewound", 1),
            _ => {}
        }
    }
    let transcript = Transcript { format: Format::Plain, messages, markers, skipped };
    Script { acts, ..Script::new(name, transcript) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story;

    #[test]
    fn what_is_exported_restores_the_same_frames() {
        let (script, _) = Recording::complete(story::script()).unwrap().with_act(5, Act::Crunch(None));
        let mut recording = Recording::complete(script).unwrap();
        recording.act(Act::Crunch(Some("They set up the staging tunnel.".into())));
        recording.act(Act::Say("which port was staging on?".into()));
        let script = read("again", write(&recording).as_bytes()).unwrap();
        assert_eq!(script.acts.len(), 2);
        let again = Recording::complete(script).unwrap();
        let turns = |recording: &Recording| {
            let shown = recording.frames().iter().filter(|shown| shown.frame.seq.is_some());
            shown
                .map(|shown| (shown.turn, shown.window, shown.counts, shown.frame.turn.gaps.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(turns(&again), turns(&recording));
    }

    #[test]
    fn what_is_no_chat_is_an_error_that_says_why() {
        assert!(read("x", b"hello").is_err());
        let error = read("x", b"{\"diffledger\":\"session\",\"schema\":1,\"session_id\":\"a\"}\n{\"nothing\":1}\n");
        assert!(error.unwrap_err().message.contains("line 2"));
        assert!(read("x", b"{\"diffledger\":\"session\",\"schema\":99,\"session_id\":\"a\"}").is_err());
    }
}
