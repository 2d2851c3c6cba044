//! What hosts hand over: messages with parts, whatever format they came in.
//!
//! The readers in [`crate::transcript`] turn each format into these types; nothing after them knows
//! formats. A host's message that mixes user text with tool results becomes several messages here,
//! so that every message is of one kind; `place` says where each came from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::{Fields, FromJson, ToJson, Writer, Wrong, variant, words};

/// Who speaks. Developer messages count as system messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Instructions of the host.
    System,
    /// The person.
    User,
    /// The model, with its tool calls.
    Assistant,
    /// The answer of a tool.
    Tool,
}

words!(
    Role,
    System => "system",
    User => "user",
    Assistant => "assistant",
    Tool => "tool",
);

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Visible text.
    Text {
        /// The text, verbatim.
        text: String,
    },
    /// The model asks for a tool.
    ToolCall {
        /// What pairs the call with its result; empty where the format has no ids.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments: JSON text where the host had JSON, else as they were shown.
        input: String,
    },
    /// What a tool answered.
    ToolResult {
        /// The id of the call that is answered; empty where the format has no ids.
        call: String,
        /// The visible text of the result.
        text: String,
        /// Whether the tool reported a failure.
        error: bool,
    },
    /// Hidden reasoning: kept, and carries nothing.
    Reasoning {
        /// The text, verbatim.
        text: String,
    },
    /// An image, a file or anything else that is no text: kept untouched, counted at a fixed cost.
    Opaque {
        /// What the host calls it, for instance `image`.
        kind: String,
        /// The host's own JSON, so that it can be written back.
        raw: String,
    },
}

impl ToJson for Part {
    fn to_json(&self, to: &mut Writer) {
        match self {
            Self::Text { text } => to.variant("text").field("text", text).end(),
            Self::ToolCall { id, name, input } => {
                to.variant("tool_call").field("id", id).field("name", name).field("input", input).end()
            }
            Self::ToolResult { call, text, error } => {
                to.variant("tool_result").field("call", call).field("text", text).field("error", error).end()
            }
            Self::Reasoning { text } => to.variant("reasoning").field("text", text).end(),
            Self::Opaque { kind, raw } => to.variant("opaque").field("kind", kind).field("raw", raw).end(),
        }
    }
}

impl FromJson for Part {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let (name, fields) = variant(value)?;
        Ok(match name {
            "text" => Self::Text { text: fields.get("text")? },
            "tool_call" => {
                Self::ToolCall { id: fields.get("id")?, name: fields.get("name")?, input: fields.get("input")? }
            }
            "tool_result" => {
                Self::ToolResult { call: fields.get("call")?, text: fields.get("text")?, error: fields.get("error")? }
            }
            "reasoning" => Self::Reasoning { text: fields.get("text")? },
            "opaque" => Self::Opaque { kind: fields.get("kind")?, raw: fields.get("raw")? },
            _ => return Err(Wrong::new(value, "a part of a message")),
        })
    }
}

/// Why a message was made by software rather than said by the person or the model. Synthetic
/// messages are labels: nothing is learnt from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Synthetic {
    /// A host's summary of what a compaction removed.
    Summary,
    /// A reminder that a host put into the conversation (`<system-reminder>`, meta records).
    Reminder,
    /// A note of the host: interrupted, command output echoed, and the like.
    Notice,
    /// What a host left in place of content that it removed.
    Placeholder,
    /// Text that this library recalled and a host put into the conversation.
    Fill,
}

words!(
    Synthetic,
    Summary => "summary",
    Reminder => "reminder",
    Notice => "notice",
    Placeholder => "placeholder",
    Fill => "fill",
);

/// One message, of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The host's id, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub parts: Vec<Part>,
    /// Set when software wrote this message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synthetic: Option<Synthetic>,
    /// Where it stood in the input: index of the array element, or of the record in a file.
    pub place: u32,
}

impl ToJson for Message {
    fn to_json(&self, to: &mut Writer) {
        to.object()
            .given("id", &self.id)
            .field("role", &self.role)
            .field("parts", &self.parts)
            .given("synthetic", &self.synthetic)
            .field("place", &self.place)
            .end();
    }
}

impl FromJson for Message {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let fields = Fields::of(value)?;
        Ok(Self {
            id: fields.or("id", None)?,
            role: fields.get("role")?,
            parts: fields.get("parts")?,
            synthetic: fields.or("synthetic", None)?,
            place: fields.get("place")?,
        })
    }
}

impl Message {
    /// A message of plain text at place 0.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { id: None, role, parts: vec![Part::Text { text: text.into() }], synthetic: None, place: 0 }
    }

    /// The text that people would say the message has: text parts and tool results, a line apart.
    #[must_use]
    pub fn visible(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text { text } | Part::ToolResult { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Whether anything visible is said.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Text { text } | Part::ToolResult { text, .. } if !text.trim().is_empty()))
    }

    /// Whether the person said this: a user message that no software wrote.
    #[must_use]
    pub fn is_from_user(&self) -> bool {
        self.role == Role::User && self.synthetic.is_none()
    }
}
