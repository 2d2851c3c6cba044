//! Conversations as hosts write them, read into [`Message`]s: one file a format.
//!
//! *The rule*: what is understood becomes messages, what is not is counted by name in
//! [`Transcript::skipped`], and only an input of which nothing at all is understood is an error. So a
//! host that adds fields, record types or roles tomorrow loses nothing that was readable today.
//!
//! | Format | Input |
//! |---|---|
//! | [`Format::Plain`], [`Format::OpenAiChat`], [`Format::Anthropic`] | a JSON array of messages, an object with `messages` (and `system`), or a message a line |
//! | [`Format::ClaudeCode`] | a JSON record a line, or the records as an array |
//! | [`Format::SpecStory`] | markdown |
//!
//! Every message is of one kind. A host's message that holds several (a user message with two tool
//! results and a sentence) is split, in order, a message per tool result and per run of text that
//! has the same author. The pieces share their `place`. Their ids are the host's own, then `ID#1`,
//! `ID#2`; what the host wrote beside them (a reminder) gets `ID#host`, so that an alignment by id
//! works though reminders come and go. `place` is the index of the array element, the number of the
//! line (from 0, blank lines counted) in JSON lines, the number of the block in markdown, and
//! [`TOP_LEVEL`] for the `system` beside `messages`.
//!
//! *Complexity*: time and memory are linear in the input, except that a set is asked for each record
//! of Claude Code (n log n). *Sources*: the hosts' own type definitions and files, as far as they are
//! public; none of these formats is promised to stay.
//!
//! ```
//! use diffledger_core::message::Role;
//! use diffledger_core::transcript::{Format, read};
//!
//! let chat = br#"[
//!     {"role": "user", "content": "which port?"},
//!     {"role": "assistant", "content": [{"type": "text", "text": "8443"}]},
//!     {"role": "critic", "content": "hm"}
//! ]"#;
//! let transcript = read(chat)?;
//! assert_eq!(transcript.format, Format::Anthropic);
//! assert_eq!(transcript.messages[1].role, Role::Assistant);
//! assert_eq!(transcript.skipped.get("role:critic"), 1);
//! # Ok::<(), diffledger_core::error::Error>(())
//! ```

use serde_json::Value;

use crate::error::{Error, ErrorKind, shown};
use crate::json;
use crate::message::Message;
use crate::skipped::Skipped;

mod anthropic;
mod branch;
mod claude_code;
mod host;
mod input;
mod openai;
mod plain;
mod reading;
mod specstory;
#[cfg(test)]
mod tests;
mod tool_block;

pub use host::{is_continuation, is_placeholder, opens_summary};
pub use input::MAX_BYTES;

use reading::{Reading, kind_of};

/// The `place` of a message that stands beside the array: Anthropic's top-level `system`.
pub const TOP_LEVEL: u32 = u32::MAX;

/// A format that the core reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Format {
    /// `[{role, content: string}]`.
    Plain,
    /// OpenAI chat completions: `tool_calls`, `tool_call_id`.
    OpenAiChat,
    /// Anthropic messages: content blocks.
    Anthropic,
    /// Claude Code's session file, one JSON record a line.
    ClaudeCode,
    /// SpecStory's markdown export.
    SpecStory,
}

/// A compaction that the transcript itself records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Index into `messages`: everything before it left the window (but `kept`).
    pub at: usize,
    /// Identity of the compaction, the same at every reading of the same file.
    pub id: String,
    /// Indices of earlier messages that stayed visible, ascending; the system messages that open the
    /// conversation are among them.
    pub kept: Vec<usize>,
}

/// A conversation, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The format that it was in; in a mixed array the one that says most (the last in the order of
    /// [`Format`]).
    pub format: Format,
    /// The messages of the active branch, in order, those before a compaction included.
    pub messages: Vec<Message>,
    /// The compactions on record, in order of `at`.
    pub markers: Vec<Marker>,
    /// What was not understood or not taken, counted by kind: `brokenLine`, `role:critic`,
    /// `recordType:progress`, `part:video`, `content:number`, `sidechain`, `otherBranch`,
    /// `duplicate`, `loneSurrogate`, and the like.
    pub skipped: Skipped,
}

/// Reads a conversation in any format, which is found out from the input.
///
/// An empty array is a conversation without messages. Errors: [`ErrorKind::TooLarge`] above
/// [`MAX_BYTES`], [`ErrorKind::NotText`] for what is neither UTF-8 nor UTF-16 with a byte order mark,
/// [`ErrorKind::InvalidJson`] with line and column, [`ErrorKind::UnknownFormat`] when nothing is
/// understood (an empty input included).
pub fn read(input: &[u8]) -> Result<Transcript, Error> {
    read_input(None, input)
}

/// Reads a conversation that is known to be in `format`; errors as in [`read`].
pub fn read_as(format: Format, input: &[u8]) -> Result<Transcript, Error> {
    read_input(Some(format), input)
}

/// Reads an array that is parsed already. Each element is looked at by itself, so plain, OpenAI and
/// Anthropic messages may stand side by side; an array of Claude Code records is read as such.
/// Fails with [`ErrorKind::UnknownFormat`] when no element is a message.
pub fn read_messages(values: &[Value]) -> Result<Transcript, Error> {
    let items: Vec<(u32, &Value)> = values.iter().enumerate().map(|(i, value)| (place(i), value)).collect();
    read_items(None, &items, None, Reading::default())
}

fn read_input(wanted: Option<Format>, bytes: &[u8]) -> Result<Transcript, Error> {
    let mut reading = Reading::default();
    let text = input::decode(bytes, &mut reading)?;
    let first = text.trim_start().chars().next();
    let Some(first) = first else {
        return Err(Error::new(ErrorKind::UnknownFormat, "the input is empty"));
    };
    let markdown = match wanted {
        Some(format) => format == Format::SpecStory,
        None => first != '{' && first != '[' && specstory::recognises(&text),
    };
    if markdown {
        return specstory::read(&text, reading);
    }
    let json = input::parse(&text, &mut reading)?;
    let items: Vec<(u32, &Value)> = json.items.iter().map(|(place, value)| (*place, value)).collect();
    read_items(wanted, &items, json.system.as_ref(), reading)
}

fn read_items(
    wanted: Option<Format>,
    items: &[(u32, &Value)],
    system: Option<&Value>,
    mut reading: Reading,
) -> Result<Transcript, Error> {
    let record = items.iter().position(|(_, value)| claude_code::recognises(value));
    let message = items.iter().position(|(_, value)| role_of(value).is_some());
    let records_first = record.is_some_and(|record| message.is_none_or(|message| record < message));
    let wants_records = wanted.map_or(records_first, |format| format == Format::ClaudeCode);
    let understood = if wants_records { record } else { message };
    if understood.is_none()
        && let Some((_, value)) = items.first()
    {
        return Err(not_a_message(value, wants_records));
    }
    if wants_records {
        return Ok(claude_code::read(items, reading));
    }
    let mut format = wanted.unwrap_or(Format::Plain);
    if let Some(system) = system {
        format = wanted.unwrap_or(Format::Anthropic);
        anthropic::read_system(system, &mut reading);
    }
    for (place, value) in items {
        let Some(role) = role_of(value) else {
            reading.skip(&format!("element:{}", kind_of(value)));
            continue;
        };
        let own = wanted.unwrap_or_else(|| format_of(value));
        format = format.max(own);
        match own {
            Format::OpenAiChat => openai::read(value, role, *place, &mut reading),
            _ => plain::read(value, role, *place, &mut reading),
        }
    }
    Ok(reading.finish(format))
}

/// The format that one message shows.
fn format_of(value: &Value) -> Format {
    if openai::recognises(value) {
        Format::OpenAiChat
    } else if anthropic::recognises(value) {
        Format::Anthropic
    } else {
        Format::Plain
    }
}

fn role_of(value: &Value) -> Option<&str> {
    value.get("role").and_then(Value::as_str)
}

fn not_a_message(value: &Value, wants_records: bool) -> Error {
    let missing = if wants_records { "is no record of Claude Code" } else { "is no message with a `role`" };
    let mut what = json::line(value);
    what.truncate(what.char_indices().nth(200).map_or(what.len(), |(at, _)| at));
    let message =
        format!("nothing was understood: the first element, {} `{}`, {missing}", kind_of(value), shown(&what));
    Error::new(ErrorKind::UnknownFormat, message)
}

/// An index as a `place`; an input within [`MAX_BYTES`] cannot reach the end of the type.
fn place(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(TOP_LEVEL - 1)
}
