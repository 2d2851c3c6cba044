//! What all readers write into: messages, markers and counts, with the rules that hold in every
//! format (splitting by kind, labelling what hosts wrote, one marker a compaction).

use std::collections::HashMap;

use serde_json::Value;

use super::{Format, Marker, Transcript, host};
use crate::json;
use crate::message::{Message, Part, Role, Synthetic};
use crate::order;
use crate::skipped::Skipped;

/// Counters with different names; what comes after them is counted together, so that an input made
/// of unknown names cannot make an endless list.
const KINDS_MAX: usize = 200;
/// System messages that stay visible through a compaction. A host has a handful; without a limit
/// many of them and many markers would multiply.
const SYSTEM_MAX: usize = 16;
/// Deeper JSON than this is not written out again: serde_json reads no deeper either, and writing
/// recurses.
const DEPTH_MAX: usize = 128;

/// A piece of a host's message: parts of one speaker and one author.
pub(super) struct Piece {
    pub(super) role: Role,
    pub(super) synthetic: Option<Synthetic>,
    pub(super) parts: Vec<Part>,
}

impl Piece {
    pub(super) fn new(role: Role, part: Part) -> Self {
        Self { role, synthetic: None, parts: vec![part] }
    }

    /// A text; what the host wrote in the user's name is labelled.
    pub(super) fn text(role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        let synthetic = if role == Role::User { host::label(&text) } else { None };
        Self { role, synthetic, parts: vec![Part::Text { text }] }
    }

    /// Whether the host wrote it. A placeholder stands where something was said.
    fn is_from_host(&self) -> bool {
        self.synthetic.is_some_and(|why| why != Synthetic::Placeholder)
    }

    /// Whether it is a tool's answer.
    pub(super) fn is_result(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::ToolResult { .. }))
    }

    /// A tool's answer; one that the host has taken away is labelled.
    pub(super) fn result(call: &str, text: String, error: bool) -> Self {
        let synthetic = host::is_placeholder(&text).then_some(Synthetic::Placeholder);
        let part = Part::ToolResult { call: call.to_owned(), text, error };
        Self { role: Role::Tool, synthetic, parts: vec![part] }
    }
}

/// A conversation in the making.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) messages: Vec<Message>,
    markers: Vec<Marker>,
    open: bool,
    skipped: Skipped,
    system: Vec<usize>,
    digests: HashMap<String, u32>,
}

impl Reading {
    /// Counts one thing that was not taken.
    pub(super) fn skip(&mut self, kind: &str) {
        self.skip_many(kind, 1);
    }

    /// Counts `count` things that were not taken.
    pub(super) fn skip_many(&mut self, kind: &str, count: u32) {
        let name: String = kind.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let known = self.skipped.get(&name) > 0 || self.skipped.len() < KINDS_MAX;
        self.skipped.add(if known { &name } else { "other" }, count);
    }

    /// Adds one message of the host: adjacent pieces of one kind together, each tool result apart.
    ///
    /// What was said keeps the id, then `ID#1`, `ID#2`; what the host wrote beside it gets `ID#host`,
    /// `ID#host1`, so that a reminder which comes and goes moves no other id. Alone it keeps the id.
    pub(super) fn put(&mut self, id: Option<&str>, place: u32, pieces: Vec<Piece>) {
        let first = self.messages.len();
        let mixed = pieces.iter().any(|piece| !piece.is_from_host()) && pieces.iter().any(Piece::is_from_host);
        let (mut said, mut beside) = (0, 0);
        for piece in pieces {
            let joins = piece.role != Role::Tool
                && self.messages.len() > first
                && self
                    .messages
                    .last()
                    .is_some_and(|last| last.role == piece.role && last.synthetic == piece.synthetic);
            if joins && let Some(last) = self.messages.last_mut() {
                last.parts.extend(piece.parts);
                continue;
            }
            let host = mixed && piece.is_from_host();
            let nth = if host { &mut beside } else { &mut said };
            let id = id.map(|id| match (host, *nth) {
                (false, 0) => id.to_owned(),
                (false, nth) => format!("{id}#{nth}"),
                (true, 0) => format!("{id}#host"),
                (true, nth) => format!("{id}#host{nth}"),
            });
            *nth += 1;
            self.push(id, place, piece);
        }
    }

    fn push(&mut self, id: Option<String>, place: u32, piece: Piece) {
        let Piece { role, synthetic, parts } = piece;
        if synthetic == Some(Synthetic::Summary) && !self.open {
            let marker = self.digest_id("continued", &parts);
            self.mark(marker, Vec::new());
        }
        if role == Role::System && synthetic.is_none() && self.system.len() < SYSTEM_MAX {
            self.system.push(self.messages.len());
        }
        self.open &= synthetic.is_some_and(|why| why != Synthetic::Summary);
        self.messages.push(Message { id, role, parts, synthetic, place });
    }

    /// Records a compaction before the next message; `kept` are indices of messages that stay.
    pub(super) fn mark(&mut self, id: String, mut kept: Vec<usize>) {
        kept.extend(&self.system);
        order::numbers(&mut kept);
        kept.dedup();
        self.markers.push(Marker { at: self.messages.len(), id, kept });
        self.open = true;
    }

    /// Whether the last marker still waits for its summary: nothing but the host's own messages came
    /// after it, and none of them a summary.
    pub(super) fn marker_is_open(&self) -> bool {
        self.open
    }

    /// Where the last compaction stands; 0 without one.
    pub(super) fn last_marker(&self) -> usize {
        self.markers.last().map_or(0, |marker| marker.at)
    }

    /// An identity from the text itself and from how often the same text was seen before.
    pub(super) fn digest_id(&mut self, name: &str, parts: &[Part]) -> String {
        let mut digest = Digest::new();
        for part in parts {
            if let Part::Text { text } = part {
                digest.write(text.as_bytes());
            }
        }
        let digest = format!("{:016x}", digest.0);
        let ordinal = self.digests.get(&digest).copied().unwrap_or(0);
        let id = format!("{name}-{digest}-{ordinal}");
        self.digests.insert(digest, ordinal.saturating_add(1));
        id
    }

    /// The host's own JSON of a part that is no text.
    pub(super) fn opaque(&mut self, kind: &str, value: &Value) -> Part {
        Part::Opaque { kind: kind.to_owned(), raw: self.json(value) }
    }

    /// A part of a type that nobody here knows: kept, and counted.
    pub(super) fn unknown_part(&mut self, value: &Value) -> Part {
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_else(|| kind_of(value));
        self.skip(&format!("part:{kind}"));
        self.opaque(kind, value)
    }

    /// JSON text; what is nested too deep to be written is counted and left out.
    pub(super) fn json(&mut self, value: &Value) -> String {
        if is_deeper(value, DEPTH_MAX) {
            self.skip("tooDeep");
            return "null".to_owned();
        }
        json::line(value)
    }

    /// The result.
    pub(super) fn finish(self, format: Format) -> Transcript {
        Transcript { format, messages: self.messages, markers: self.markers, skipped: self.skipped }
    }
}

/// What JSON calls the value, for counts and messages.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_deeper(value: &Value, limit: usize) -> bool {
    let Some(next) = limit.checked_sub(1) else { return true };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deeper(item, next)),
        Value::Object(fields) => fields.values().any(|field| is_deeper(field, next)),
        _ => false,
    }
}

/// FNV-1a: small, the same on every target, and an identity only together with an ordinal.
struct Digest(u64);

impl Digest {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
