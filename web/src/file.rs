//! A chat from a file, and a session into one.
//!
//! Every format that the core reads, and the saved form of a session: what the page exports, and what
//! the npm package writes as `session_<id>.jsonl`.

use std::collections::BTreeMap;

use diffledger_core::config::Config;
use diffledger_core::error::Error;
use diffledger_core::log::{AtomKind, Cause, Event, Log, Seq};
use diffledger_core::message::Synthetic;
use diffledger_core::session::Session;
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
        None => Ok(Script { name: name.to_owned(), transcript: transcript::read(bytes)?, acts: Vec::new() }),
    }
}

/// The id in the first line of a saved session, and the whole as text.
fn saved_id(bytes: &[u8]) -> Option<(String, &str)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let header: serde_json::Value = serde_json::from_slice(text.lines().next()?.as_bytes()).ok()?;
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
    let mut skipped = BTreeMap::new();
    for event in log.events() {
        match event {
            Event::Append { seq } => messages.extend(log.atom(*seq).map(|atom| atom.message.clone())),
            Event::Window { cause: Cause::Crunch { id }, view } => {
                let summary = messages.last().filter(|last| last.synthetic == Some(Synthetic::Summary));
                let is_everything = view.iter().all(|seq| is_left(log, *seq, messages.len()));
                if id.starts_with("manual-") && is_everything {
                    acts.push(Placed { before: messages.len(), act: Act::Crunch(None) });
                } else if let Some(text) = summary.map(|summary| summary.visible()).filter(|_| id.starts_with("summary-")) {
                    messages.pop();
                    acts.push(Placed { before: messages.len(), act: Act::Crunch(Some(text)) });
                } else {
                    let at = messages.len() - usize::from(summary.is_some());
                    let kept = view.iter().map(|seq| seq.index()).filter(|kept| *kept < at).collect();
                    markers.push(Marker { at, id: id.clone(), kept });
                }
            }
            Event::Window { .. } => *skipped.entry("rewound".to_owned()).or_default() += 1,
            _ => {}
        }
    }
    Script { name: name.to_owned(), transcript: Transcript { format: Format::Plain, messages, markers, skipped }, acts }
}
