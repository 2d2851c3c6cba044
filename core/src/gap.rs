//! A gap: something the message refers to that the agent no longer knows, with the evidence for it.

use serde::{Deserialize, Serialize};

use crate::concept::ConceptKind;
use crate::error::ErrorInfo;
use crate::json::{ToJson, Writer, words};
use crate::ledger::State;

/// The rule that found a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EvidenceRule {
    /// The message names it: canonical forms are equal.
    Exact,
    /// The message names it: the words of one are contained in the other.
    TokenSubset,
    /// The message names it: enough trigrams are shared.
    Jaccard,
    /// The message names a path below or above it.
    Prefix,
    /// Counted: "the first thing", "#3".
    Ordinal,
    /// By its kind: "that error", "which port".
    Typed,
    /// "it", "they", "that".
    Pronoun,
    /// Something is left out: "why?", "again", "what about …".
    Ellipsis,
    /// The topic that the message goes on with.
    Topic,
    /// The session as a whole: "where were we".
    Session,
    /// A model chose it.
    Model,
}

words!(
    EvidenceRule,
    Exact => "exact",
    TokenSubset => "tokenSubset",
    Jaccard => "jaccard",
    Prefix => "prefix",
    Ordinal => "ordinal",
    Typed => "typed",
    Pronoun => "pronoun",
    Ellipsis => "ellipsis",
    Topic => "topic",
    Session => "session",
    Model => "model",
);

/// Why the message is taken to refer to a concept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The rule.
    pub rule: EvidenceRule,
    /// The words of the message that refer: byte range in its text. `None` when the whole does.
    pub span: Option<(u32, u32)>,
    /// Trigrams or tokens in common, for the fuzzy rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<u32>,
    /// Trigrams or tokens of both together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
    /// How certain, 0 to 1000, on one scale for all rules.
    pub score: u32,
    /// One clause for people.
    pub note: String,
}

/// An entry that was considered and did not win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its concept.
    pub concept: String,
    /// Its id in the ledger.
    pub entry: u32,
    /// Its score, 0 to 1000.
    pub score: u32,
}

impl ToJson for Candidate {
    fn to_json(&self, to: &mut Writer) {
        to.object().field("concept", &self.concept).field("entry", &self.entry).field("score", &self.score).end();
    }
}

/// Whether a gap was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A fill closes it.
    Filled,
    /// It stays open; `error` says why.
    Open,
}

words!(
    Status,
    Filled => "filled",
    Open => "open",
);

/// Something the message refers to that is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The concept, as the session first wrote it.
    pub concept: String,
    /// Its kind.
    pub kind: ConceptKind,
    /// Its state.
    pub state: State,
    /// Its entry in the ledger; `None` when it was never told here.
    pub entry: Option<u32>,
    /// Why the message is taken to refer to it.
    pub evidence: Evidence,
    /// What else was considered, best first, at most three.
    pub runners_up: Vec<Candidate>,
    /// Whether it was closed.
    pub status: Status,
    /// Why it stayed open.
    pub error: Option<ErrorInfo>,
}
