//! Conversations as hosts write them: one file a format. (Under construction.)

use std::collections::BTreeMap;

use crate::message::Message;

/// A format that the core reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
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
    /// Indices of earlier messages that stayed visible.
    pub kept: Vec<usize>,
}

/// A conversation, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The format that it was in.
    pub format: Format,
    /// The messages of the active branch, in order, those before a compaction included.
    pub messages: Vec<Message>,
    /// The compactions on record, in order of `at`.
    pub markers: Vec<Marker>,
    /// What was not understood, counted by kind.
    pub skipped: BTreeMap<String, u32>,
}
