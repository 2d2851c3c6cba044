//! Claude Code's session files: one JSON record a line, messages among bookkeeping.
//!
//! *The rule*: the messages of the active branch (see [`super::branch`]), in the order of the file,
//! each record once. Pieces of one answer (the same `message.id`) are one message with the uuid of
//! the first piece. Records of sub-agents are left out, unless the file has no others. What the
//! program wrote itself is labelled: summaries, meta records (reminders), commands, interruptions
//! and its own error messages (notices).
//!
//! A compaction is a `compact_boundary`, whose uuid is the marker's id, or a summary record without
//! one; both together are one compaction. A boundary that took no time and hangs on itself says that
//! the user went back. A cleared conversation counts as a compaction that kept nothing. The spelling
//! of the SDK's stream (snake case, no links between records) is read as well.
//!
//! *Complexity*: n log n in the records. *Source*: session files and the SDK's type definitions.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::Value;

use super::branch::{self, Copy, Kind, Preserved, Record, Records};
use super::reading::{Piece, Reading};
use super::{Format, Transcript, anthropic};
use crate::message::{Part, Role, Synthetic};

/// Types of records; other tools write lines with a `type` too.
const TYPES: [&str; 20] = [
    "user",
    "assistant",
    "system",
    "summary",
    "attachment",
    "file-history-snapshot",
    "progress",
    "queue-operation",
    "result",
    "stream_event",
    "conversation_reset",
    "status",
    "custom-title",
    "ai-title",
    "last-prompt",
    "permission-mode",
    "agent-name",
    "pr-link",
    "tag",
    "mode",
];
/// Fields of which every record has one.
const FIELDS: [&str; 12] = [
    "message",
    "uuid",
    "sessionId",
    "session_id",
    "leafUuid",
    "messageId",
    "snapshot",
    "attachment",
    "subtype",
    "operation",
    "summary",
    "trigger",
];
/// How many of an answer's last parts are compared with a new piece: files repeat pieces at once, and
/// comparing with all would make a long answer quadratic.
const REPEATS: usize = 64;

/// Whether a value is a record of a session file.
pub(super) fn recognises(value: &Value) -> bool {
    let known = kind_named(value).is_some_and(|name| TYPES.contains(&name));
    known && value.get("role").is_none() && FIELDS.iter().any(|field| value.get(field).is_some())
}

/// Reads a file's records.
pub(super) fn read(items: &[(u32, &Value)], mut reading: Reading) -> Transcript {
    let records = collect(items, &mut reading);
    let active = branch::active(&records);
    let mut session = Session { reading, spans: HashMap::new(), answers: HashMap::new() };
    for (record, active) in records.list.iter().zip(active).filter(|(record, _)| record.kind != Kind::Link) {
        if active {
            session.take(record);
        } else {
            session.reading.skip("otherBranch");
        }
    }
    session.reading.finish(Format::ClaudeCode)
}

/// The main conversation's records, each once; everything else is counted.
fn collect<'a>(items: &[(u32, &'a Value)], reading: &mut Reading) -> Records<'a> {
    let has_main = items.iter().any(|(_, value)| kind_of(value).is_ok_and(is_message) && !is_sidechain(value));
    let mut records = Records::default();
    for (place, value) in items {
        if has_main && is_sidechain(value) {
            reading.skip("sidechain");
            continue;
        }
        let kind = kind_of(value);
        let uuid = value.get("uuid").and_then(Value::as_str);
        if let Some(of) = uuid.and_then(|uuid| records.by_uuid.get(uuid).copied()) {
            reading.skip("duplicate");
            records.copies.push(Copy { of, after: records.list.len(), value });
            continue;
        }
        if let Err(name) = &kind {
            reading.skip(&format!("recordType:{name}"));
        }
        if let Some(uuid) = uuid {
            records.by_uuid.insert(uuid, records.list.len());
        }
        records.list.push(Record { place: *place, value, kind: kind.unwrap_or(Kind::Link) });
    }
    records
}

/// What a record is, or by which name it is counted.
fn kind_of(value: &Value) -> Result<Kind, String> {
    let name = kind_named(value).unwrap_or("none");
    let within = |field: &str, name: &str| value.get(field).and_then(|inner| inner.get(name));
    match name {
        "user" if within("message", "content").is_some() => Ok(Kind::User),
        "assistant" if within("message", "content").is_some() => Ok(Kind::Assistant),
        "user" | "assistant" => Err(format!("{name} without content")),
        "conversation_reset" => Ok(Kind::Reset),
        "system" => match value.get("subtype").and_then(Value::as_str) {
            Some("compact_boundary") if branch::is_rewind(value) => Ok(Kind::Rewind),
            Some("compact_boundary") => Ok(Kind::Boundary),
            Some("conversation_reset") => Ok(Kind::Reset),
            Some("local_command") if value.get("content").is_some_and(Value::is_string) => Ok(Kind::Command),
            Some(subtype) => Err(format!("system:{subtype}")),
            None => Err("system".to_owned()),
        },
        "attachment" => match within("attachment", "type").and_then(Value::as_str) {
            Some("queued_command") if within("attachment", "prompt").is_some() => Ok(Kind::Queued),
            Some(kind) => Err(format!("attachment:{kind}")),
            None => Err("attachment".to_owned()),
        },
        _ => Err(name.to_owned()),
    }
}

fn kind_named(value: &Value) -> Option<&str> {
    value.get("type").and_then(Value::as_str)
}

fn is_message(kind: Kind) -> bool {
    matches!(kind, Kind::User | Kind::Assistant)
}

fn is_sidechain(value: &Value) -> bool {
    value.get("isSidechain").and_then(Value::as_bool) == Some(true)
        || value.get("parent_tool_use_id").is_some_and(Value::is_string)
}

/// The conversation so far.
struct Session<'a> {
    reading: Reading,
    /// The messages that each record became.
    spans: HashMap<&'a str, Range<usize>>,
    /// The message of each answer since the last compaction.
    answers: HashMap<&'a str, usize>,
}

impl<'a> Session<'a> {
    fn take(&mut self, record: &Record<'a>) {
        let from = self.reading.messages.len();
        let mut span = None;
        match record.kind {
            Kind::User => self.take_user(record),
            Kind::Assistant => span = self.take_answer(record),
            Kind::Queued => self.take_queued(record),
            Kind::Command => {
                let text = record.text("content").unwrap_or_default().to_owned();
                let piece =
                    Piece { role: Role::System, synthetic: Some(Synthetic::Notice), parts: vec![Part::Text { text }] };
                self.reading.put(record.text("uuid"), record.place, vec![piece]);
            }
            Kind::Boundary => self.mark(record, "boundary"),
            Kind::Reset => self.mark(record, "reset"),
            Kind::Rewind => self.reading.skip("rewindBoundary"),
            Kind::Link => {}
        }
        let span = span.unwrap_or(from..self.reading.messages.len());
        if let Some(uuid) = record.text("uuid").filter(|_| !span.is_empty()) {
            self.spans.insert(uuid, span);
        }
    }

    fn take_user(&mut self, record: &Record<'a>) {
        let label = match () {
            () if record.is("isCompactSummary") => Some(Synthetic::Summary),
            () if record.is("isVisibleInTranscriptOnly") => Some(Synthetic::Notice),
            () if record.is("isMeta") => Some(Synthetic::Reminder),
            () => None,
        };
        let mut pieces = self.pieces(record, Role::User);
        for piece in pieces.iter_mut().filter(|piece| piece.role == Role::User) {
            match label {
                Some(Synthetic::Summary) => piece.synthetic = label,
                _ => piece.synthetic = piece.synthetic.or(label),
            }
        }
        if label == Some(Synthetic::Summary) && !pieces.is_empty() && !self.reading.marker_is_open() {
            self.mark(record, "summary");
        }
        self.reading.put(record.text("uuid"), record.place, pieces);
    }

    /// Takes a piece of an answer; the span of the message that it was joined to, if any.
    fn take_answer(&mut self, record: &Record<'a>) -> Option<Range<usize>> {
        let mut pieces = self.pieces(record, Role::Assistant);
        let model = record.value.get("message").and_then(|message| message.get("model")).and_then(Value::as_str);
        if record.is("isApiErrorMessage") || model == Some("<synthetic>") {
            for piece in &mut pieces {
                piece.synthetic = piece.synthetic.or(Some(Synthetic::Notice));
            }
        }
        let from = self.reading.messages.len();
        let known = record.answer().and_then(|answer| self.answers.get(answer).copied());
        if let Some(at) = known
            && let Some(message) = self.reading.messages.get_mut(at)
        {
            let (joined, others): (Vec<Piece>, Vec<Piece>) = pieces
                .into_iter()
                .partition(|piece| piece.role == message.role && piece.synthetic == message.synthetic);
            join(&mut message.parts, joined.into_iter().flat_map(|piece| piece.parts).collect());
            self.reading.put(record.text("uuid").filter(|_| !others.is_empty()), record.place, others);
            return Some(at..at + 1);
        }
        self.reading.put(record.text("uuid"), record.place, pieces);
        let mut new = self.reading.messages.iter().enumerate().skip(from);
        let first = new.find(|(_, message)| message.role == Role::Assistant && message.synthetic.is_none());
        if let (Some(answer), Some((at, _))) = (record.answer(), first) {
            self.answers.insert(answer, at);
        }
        None
    }

    fn take_queued(&mut self, record: &Record<'a>) {
        let Some(queued) = record.value.get("attachment") else { return };
        let prompt = queued.get("prompt").unwrap_or(&Value::Null);
        let mut pieces = anthropic::pieces(prompt, Role::User, &mut self.reading);
        let mode = queued.get("commandMode").and_then(Value::as_str).unwrap_or("prompt");
        if mode != "prompt" || record.is("isMeta") {
            for piece in &mut pieces {
                piece.synthetic = piece.synthetic.or(Some(Synthetic::Reminder));
            }
        }
        self.reading.put(record.text("uuid"), record.place, pieces);
    }

    fn pieces(&mut self, record: &Record<'a>, role: Role) -> Vec<Piece> {
        let content = record.value.get("message").and_then(|message| message.get("content"));
        content.map_or_else(Vec::new, |content| anthropic::pieces(content, role, &mut self.reading))
    }

    fn mark(&mut self, record: &Record<'a>, name: &str) {
        let preserved = Preserved::of(record.value);
        let span = |uuid: &str| self.spans.get(uuid).cloned();
        let mut kept: Vec<usize> = preserved.uuids.iter().filter_map(|uuid| span(uuid)).flatten().collect();
        if kept.is_empty()
            && let Some(head) = preserved.head.and_then(span)
        {
            let tail = preserved.tail.and_then(span).map_or(self.reading.messages.len(), |tail| tail.end);
            // What an earlier compaction took is not in the window; so no message is looked at twice.
            kept = (head.start.max(self.reading.last_marker())..tail).collect();
        }
        let id = record.text("uuid").map(str::to_owned).unwrap_or_else(|| {
            let text = self.reading.json(record.value);
            self.reading.digest_id(name, &[Part::Text { text }])
        });
        self.reading.mark(id, kept);
        self.answers.clear();
    }
}

/// Adds a piece to an answer: what it repeats is left out, and a piece that repeats the whole answer
/// and goes on takes its place.
fn join(parts: &mut Vec<Part>, piece: Vec<Part>) {
    if piece.starts_with(parts) {
        *parts = piece;
        return;
    }
    for part in piece {
        let recent = parts.get(parts.len().saturating_sub(REPEATS)..).unwrap_or_default();
        let repeats = recent.iter().any(|known| match (known, &part) {
            (Part::ToolCall { id, .. }, Part::ToolCall { id: new, .. }) => id == new,
            (known, part) => known == part,
        });
        if !repeats {
            parts.push(part);
        }
    }
}
