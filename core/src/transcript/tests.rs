//! What holds across formats: bad input, markers, real files, random input.

use crate::message::{Role, Synthetic};

use super::*;
use crate::message::Part;

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

/// A real file that stays outside the repository.
fn shared(name: &str) -> Option<Vec<u8>> {
    let root =
        std::env::var("DIFFLEDGER_SHARED").unwrap_or_else(|_| format!("{}/../../shared", env!("CARGO_MANIFEST_DIR")));
    let path = format!("{root}/transcripts/{name}");
    let bytes = std::fs::read(&path);
    if bytes.is_err() {
        println!("skipped: {path} is not there");
    }
    bytes.ok()
}

#[test]
fn real_files_have_the_messages_that_their_readme_counts() {
    for (name, users, agents, crunches) in
        [("one-crunch.md", 43, 323, 1), ("no-crunch.md", 19, 126, 0), ("quotes-the-marker.md", 7, 24, 0)]
    {
        let Some(bytes) = shared(name) else { continue };
        let file = read(&bytes).unwrap();
        let count = |role| file.messages.iter().filter(|message| message.role == role).count();
        let sidechain = file.skipped.get("sidechain").copied().unwrap_or(0) as usize;
        assert_eq!(count(Role::User), users, "{name}");
        assert_eq!(count(Role::Assistant) + sidechain, agents, "{name}: {:?}", file.skipped);
        assert_eq!(file.markers.len(), crunches, "{name}");
        let labels = |label| file.messages.iter().filter(|message| message.synthetic == Some(label)).count();
        println!(
            "{name}: {} users, {} agents, {sidechain} sidechain, {} tool, notices {}, reminders {}, summaries {}, {:?}, markers {:?}",
            count(Role::User),
            count(Role::Assistant),
            count(Role::Tool),
            labels(Synthetic::Notice),
            labels(Synthetic::Reminder),
            labels(Synthetic::Summary),
            file.skipped,
            file.markers
        );
    }
}
