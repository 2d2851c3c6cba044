//! Tests of all readers: what they share, and the files of tests that are too long to stand beside the
//! code they test.

use super::*;
use crate::message::Part;

mod claude_code;
mod hostile;
// The generator's source of randomness does not build for wasm.
#[cfg(not(target_arch = "wasm32"))]
mod random;
mod real;
mod specstory;

/// The transcript of an input that must be readable.
pub(super) fn transcript(input: &str) -> Transcript {
    read(input.as_bytes()).unwrap()
}

pub(super) fn format(input: &str) -> Format {
    transcript(input).format
}

/// A line a message: place, role, label, id, parts.
pub(super) fn outline(input: &str) -> Vec<String> {
    transcript(input).messages.iter().map(line).collect()
}

pub(super) fn markers(input: &str) -> Vec<String> {
    transcript(input).markers.iter().map(|marker| format!("{} kept {:?}", marker.at, marker.kept)).collect()
}

pub(super) fn skipped(input: &str) -> String {
    let counts = transcript(input).skipped;
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

fn line(message: &Message) -> String {
    let role = serde_json::to_value(message.role).unwrap();
    let label = message.synthetic.map(|label| format!(" {label:?}")).unwrap_or_default();
    let id = message.id.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
    let parts: Vec<String> = message.parts.iter().map(part).collect();
    let line = format!("{} {}{label}{id}: {}", message.place, role.as_str().unwrap(), parts.join(" + "));
    line.replace('\n', "\\n")
}

fn part(part: &Part) -> String {
    match part {
        Part::Text { text } => text.clone(),
        Part::ToolCall { id, name, input } => format!("{name}({id})={input}"),
        Part::ToolResult { call, text, error } => format!("result({call}){}={text}", if *error { "!" } else { "" }),
        Part::Reasoning { text } => format!("({text})"),
        Part::Opaque { kind, .. } => format!("<{kind}>"),
    }
}
