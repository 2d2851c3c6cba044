//! The active branch of a Claude Code session: which records the conversation goes through.
//!
//! A session file is appended to, and each record names the one before it (`parentUuid`). Going back
//! to an earlier message starts a new branch there, and the records of the old one stay in the file.
//!
//! *The rule*: the branch is what the last message leads back to. To it belong also, though no link
//! leads there: all pieces of an answer of which one piece is on it (the same `message.id`), the
//! results of the calls that are on it (parallel calls fork the links), and a compaction that kept
//! messages which are on it (links may go past it). A compaction leads on to the record that it
//! names as its logical parent; a link to a record that is not in the file, or no link where the
//! format has none, leads to the message before it in the file, for files with such gaps are common
//! and losing everything before one is worse than a message too many.
//!
//! *Complexity*: n log n in the records. *Source*: session files, and the reports
//! anthropics/claude-code#46603 (links to records that were never written) and #92089 (a second
//! compaction writes old records again, and links past the first).

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::is_continuation;
use crate::order::Ids;

/// What a record is to the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The user, or tool results.
    User,
    /// A piece of an answer.
    Assistant,
    /// What the user typed while the agent worked.
    Queued,
    /// A command of the interface and its output.
    Command,
    /// A compaction.
    Boundary,
    /// Looks like a compaction, and only says that the user went back.
    Rewind,
    /// The conversation was cleared.
    Reset,
    /// Bookkeeping: only a link.
    Link,
}

/// A record that is in the file once.
pub(super) struct Record<'a> {
    pub(super) place: u32,
    pub(super) value: &'a Value,
    pub(super) kind: Kind,
}

/// A record that was written again under the same uuid.
pub(super) struct Copy<'a> {
    /// Index of the record that it repeats.
    pub(super) of: usize,
    /// How many records stand before it.
    pub(super) after: usize,
    pub(super) value: &'a Value,
}

/// The main conversation's records, in the order of the file.
#[derive(Default)]
pub(super) struct Records<'a> {
    pub(super) list: Vec<Record<'a>>,
    pub(super) copies: Vec<Copy<'a>>,
    pub(super) by_uuid: HashMap<&'a str, usize>,
}

impl<'a> Record<'a> {
    pub(super) fn text(&self, field: &str) -> Option<&'a str> {
        self.value.get(field).and_then(Value::as_str)
    }

    pub(super) fn is(&self, flag: &str) -> bool {
        self.value.get(flag).and_then(Value::as_bool) == Some(true)
    }

    /// The id of the answer that an assistant's record is a piece of.
    pub(super) fn answer(&self) -> Option<&'a str> {
        let id = self.value.get("message").and_then(|message| message.get("id")).and_then(Value::as_str);
        id.filter(|id| self.kind == Kind::Assistant && !id.is_empty())
    }

    /// Whether it is the summary of a compaction.
    fn continues(&self) -> bool {
        let content = self.value.get("message").and_then(|message| message.get("content"));
        let first = content.and_then(|content| content.get(0)).and_then(|block| block.get("text"));
        let text = content.filter(|content| content.is_string()).or(first).and_then(Value::as_str);
        self.is("isCompactSummary") || self.kind == Kind::User && text.is_some_and(is_continuation)
    }

    /// The ids in `field` of the content blocks of a type.
    fn ids(&self, kind: &'static str, field: &'static str) -> impl Iterator<Item = &'a str> {
        let content = self.value.get("message").and_then(|message| message.get("content"));
        let blocks = content.and_then(Value::as_array).into_iter().flatten();
        blocks.filter_map(move |block| {
            let is_kind = block.get("type").and_then(Value::as_str) == Some(kind);
            block.get(field).and_then(Value::as_str).filter(|_| is_kind)
        })
    }
}

/// What a compaction says that it kept.
pub(super) struct Preserved<'a> {
    pub(super) uuids: Vec<&'a str>,
    pub(super) head: Option<&'a str>,
    pub(super) tail: Option<&'a str>,
    pub(super) anchor: Option<&'a str>,
}

impl<'a> Preserved<'a> {
    /// From the metadata in the session file's spelling or in that of the SDK's stream.
    pub(super) fn of(value: &'a Value) -> Self {
        let metadata = either(value, "compactMetadata", "compact_metadata");
        let messages = metadata.and_then(|value| either(value, "preservedMessages", "preserved_messages"));
        let segment = metadata.and_then(|value| either(value, "preservedSegment", "preserved_segment"));
        let uuid =
            |from: Option<&'a Value>, camel, snake| from.and_then(|v| either(v, camel, snake)).and_then(Value::as_str);
        let uuids = messages.and_then(|value| value.get("uuids")).and_then(Value::as_array);
        Self {
            uuids: uuids.into_iter().flatten().filter_map(Value::as_str).collect(),
            head: uuid(segment, "headUuid", "head_uuid"),
            tail: uuid(segment, "tailUuid", "tail_uuid"),
            anchor: uuid(segment, "anchorUuid", "anchor_uuid").or_else(|| uuid(messages, "anchorUuid", "anchor_uuid")),
        }
    }

    /// The last message that was kept.
    fn last(&self) -> Option<&'a str> {
        self.tail.or_else(|| self.uuids.last().copied())
    }
}

/// Whether a boundary only records that the user went back: it took no time and hangs on itself.
pub(super) fn is_rewind(value: &Value) -> bool {
    let metadata = either(value, "compactMetadata", "compact_metadata");
    let took = metadata.and_then(|value| either(value, "durationMs", "duration_ms")).and_then(Value::as_f64);
    let uuid = value.get("uuid").and_then(Value::as_str);
    took == Some(0.0) && uuid.is_some() && Preserved::of(value).anchor == uuid
}

fn either<'a>(value: &'a Value, camel: &str, snake: &str) -> Option<&'a Value> {
    value.get(camel).or_else(|| value.get(snake))
}

/// Which records are on the active branch.
pub(super) fn active(records: &Records<'_>) -> Vec<bool> {
    let parents = parents(records);
    let mut active = vec![false; records.list.len()];
    let leaf = records.list.iter().rposition(|record| record.kind != Kind::Link);
    follow(leaf, &parents, &mut active);
    add_compactions(records, &parents, &mut active);
    add_pieces(records, &mut active);
    add_results(records, &mut active);
    active
}

fn follow(from: Option<usize>, parents: &[Vec<usize>], active: &mut [bool]) {
    let mut open: Vec<usize> = from.into_iter().collect();
    while let Some(at) = open.pop() {
        match active.get_mut(at) {
            Some(on) if !*on => *on = true,
            _ => continue,
        }
        open.extend(parents.get(at).into_iter().flatten());
    }
}

/// The records that each one follows: one, or one more for each copy that hangs elsewhere.
fn parents(records: &Records<'_>) -> Vec<Vec<usize>> {
    let find = |uuid: Option<&str>| uuid.and_then(|uuid| records.by_uuid.get(uuid).copied());
    let mut parents: Vec<Vec<usize>> = Vec::with_capacity(records.list.len());
    let mut before: Option<usize> = None;
    let mut boundary = 0;
    for (at, record) in records.list.iter().enumerate() {
        let linked = record.value.get("parentUuid");
        let logical = find(record.text("logicalParentUuid"));
        let compacts = matches!(record.kind, Kind::Boundary | Kind::Rewind | Kind::Reset);
        let starts = compacts || record.continues() || logical.is_some();
        let parent = match linked {
            Some(Value::String(uuid)) => find(Some(uuid)).or(before),
            // Records written again: the named parent is one of them, and leads past what came after.
            Some(_) if record.kind == Kind::Boundary && has_copies(records, boundary, at) => before,
            Some(_) if !starts => None,
            _ if record.kind == Kind::Rewind => find(Preserved::of(record.value).last()).or(logical).or(before),
            _ => logical.or(before),
        };
        parents.push(parent.into_iter().collect());
        if record.kind == Kind::Boundary {
            boundary = at;
        }
        if record.kind != Kind::Link {
            before = Some(at);
        }
    }
    for copy in &records.copies {
        let parent = find(copy.value.get("parentUuid").and_then(Value::as_str));
        if let (Some(parent), Some(known)) = (parent, parents.get_mut(copy.of))
            && !known.contains(&parent)
            && known.len() < 8
        {
            known.push(parent);
        }
    }
    parents
}

/// Whether records were written again between two places.
fn has_copies(records: &Records<'_>, from: usize, to: usize) -> bool {
    let first = records.copies.partition_point(|copy| copy.after <= from);
    records.copies.get(first).is_some_and(|copy| copy.after <= to)
}

/// Compactions whose kept messages are on the branch, with their summaries.
fn add_compactions(records: &Records<'_>, parents: &[Vec<usize>], active: &mut [bool]) {
    let mut added = Ids::default();
    for (at, record) in records.list.iter().enumerate().filter(|(_, record)| record.kind == Kind::Boundary) {
        let preserved = Preserved::of(record.value);
        let is_on = |uuid: &&str| records.by_uuid.get(uuid).and_then(|at| active.get(*at)).copied() == Some(true);
        let kept = preserved.uuids.iter().chain(&preserved.tail).chain(&preserved.head).any(is_on);
        if kept && active.get(at) == Some(&false) {
            added.insert(at);
            if let Some(anchor) = preserved.anchor.and_then(|uuid| records.by_uuid.get(uuid)) {
                added.insert(*anchor);
            }
        }
    }
    for (at, record) in records.list.iter().enumerate() {
        let follows = || parents.get(at).into_iter().flatten().any(|parent| added.contains(*parent));
        if added.contains(at) || !added.is_empty() && record.continues() && follows() {
            set(active, at);
        }
    }
}

fn add_pieces(records: &Records<'_>, active: &mut [bool]) {
    let answers: HashSet<&str> = on(records, active).filter_map(Record::answer).collect();
    for (at, record) in records.list.iter().enumerate() {
        if record.answer().is_some_and(|answer| answers.contains(answer)) {
            set(active, at);
        }
    }
}

fn add_results(records: &Records<'_>, active: &mut [bool]) {
    let mut calls: HashSet<&str> = on(records, active).flat_map(|record| record.ids("tool_use", "id")).collect();
    for result in on(records, active).flat_map(|record| record.ids("tool_result", "tool_use_id")) {
        calls.remove(result);
    }
    for (at, record) in records.list.iter().enumerate().filter(|(_, record)| record.kind == Kind::User) {
        if active.get(at) == Some(&false) && record.ids("tool_result", "tool_use_id").any(|id| calls.contains(id)) {
            set(active, at);
            for id in record.ids("tool_result", "tool_use_id") {
                calls.remove(id);
            }
        }
    }
}

fn on<'r, 'a>(records: &'r Records<'a>, active: &'r [bool]) -> impl Iterator<Item = &'r Record<'a>> {
    records.list.iter().zip(active).filter(|(_, on)| **on).map(|(record, _)| record)
}

fn set(active: &mut [bool], at: usize) {
    if let Some(on) = active.get_mut(at) {
        *on = true;
    }
}
