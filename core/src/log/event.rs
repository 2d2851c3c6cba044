//! What happened to the window and the ledger, as the log keeps it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Seq;
use crate::json::{FromJson, ToJson, Writer, Wrong, variant};

/// Why the window changed other than by growing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// A compaction, with its identity.
    Crunch {
        /// Reported once under this identity.
        id: String,
    },
    /// The tail was taken back (regenerated, edited, streamed on): it never was.
    Rewind,
    /// The host rewrote system text.
    Edit,
    /// Only places changed, or atoms came back.
    Restore,
}

/// Something that happened. The only source of truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// An atom was added; it is visible.
    Append {
        /// Its position.
        seq: Seq,
    },
    /// The window is now these atoms, in this order.
    Window {
        /// Why.
        cause: Cause,
        /// The visible atoms.
        view: Vec<Seq>,
    },
    /// Text was put in front of the agent for a concept.
    Inject {
        /// The entry that it is for; `None` finds or makes the one for `concept`.
        entry: Option<u32>,
        /// The concept's name.
        concept: String,
        /// The text, verbatim.
        text: String,
        /// Where it came from: `log`, `ledger`, a store's name, or what `add` was given.
        source: String,
        /// How well it fits, 0 to 1000.
        score: u32,
        /// The id of the [`crate::turn::Turn`] whose fence holds it, in a session.
        fence: Option<u32>,
        /// Positions of the atoms that it quotes.
        seqs: Vec<Seq>,
    },
    /// The fences that are visible now.
    Fences {
        /// Ids of turns.
        visible: Vec<u32>,
    },
    /// Everything was declared lost.
    MarkStale {
        /// The compaction that was the reason, where there is one.
        crunch: Option<String>,
    },
    /// The caller moved on by one turn.
    Advance,
    /// The texts of these atoms were forgotten to keep the log under its cap.
    Forget {
        /// Their positions.
        seqs: Vec<Seq>,
    },
}

impl ToJson for Cause {
    fn to_json(&self, to: &mut Writer) {
        match self {
            Self::Crunch { id } => to.variant("crunch").field("id", id).end(),
            Self::Rewind => to.text("rewind"),
            Self::Edit => to.text("edit"),
            Self::Restore => to.text("restore"),
        }
    }
}

impl FromJson for Cause {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let (name, fields) = variant(value)?;
        Ok(match name {
            "crunch" => Self::Crunch { id: fields.get("id")? },
            "rewind" => Self::Rewind,
            "edit" => Self::Edit,
            "restore" => Self::Restore,
            _ => return Err(Wrong::new(value, "a cause")),
        })
    }
}

impl ToJson for Event {
    fn to_json(&self, to: &mut Writer) {
        match self {
            Self::Append { seq } => to.variant("append").field("seq", seq).end(),
            Self::Window { cause, view } => to.variant("window").field("cause", cause).field("view", view).end(),
            Self::Inject { entry, concept, text, source, score, fence, seqs } => to
                .variant("inject")
                .field("entry", entry)
                .field("concept", concept)
                .field("text", text)
                .field("source", source)
                .field("score", score)
                .field("fence", fence)
                .field("seqs", seqs)
                .end(),
            Self::Fences { visible } => to.variant("fences").field("visible", visible).end(),
            Self::MarkStale { crunch } => to.variant("markStale").field("crunch", crunch).end(),
            Self::Advance => to.text("advance"),
            Self::Forget { seqs } => to.variant("forget").field("seqs", seqs).end(),
        }
    }
}

impl FromJson for Event {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let (name, fields) = variant(value)?;
        Ok(match name {
            "append" => Self::Append { seq: fields.get("seq")? },
            "window" => Self::Window { cause: fields.get("cause")?, view: fields.get("view")? },
            "inject" => Self::Inject {
                entry: fields.or("entry", None)?,
                concept: fields.get("concept")?,
                text: fields.get("text")?,
                source: fields.get("source")?,
                score: fields.get("score")?,
                fence: fields.or("fence", None)?,
                seqs: fields.get("seqs")?,
            },
            "fences" => Self::Fences { visible: fields.get("visible")? },
            "markStale" => Self::MarkStale { crunch: fields.or("crunch", None)? },
            "advance" => Self::Advance,
            "forget" => Self::Forget { seqs: fields.get("seqs")? },
            _ => return Err(Wrong::new(value, "an event")),
        })
    }
}
