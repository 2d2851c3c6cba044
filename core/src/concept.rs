//! What a message can refer to. (Under construction: extraction follows.)

use serde::{Deserialize, Serialize};

/// What sort of thing a concept is. Everything but `Term` is a name: it matches exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConceptKind {
    /// A noun phrase: "retry queue", "数据库".
    Term,
    /// A name in code: `npcflag`, `WatchAgents`, `--json`.
    Identifier,
    /// A file or folder.
    Path,
    /// A command line, whole.
    Command,
    /// A web address.
    Url,
    /// A number with what it measures: "port 8443", "30 s", "python 3.11".
    Quantity,
    /// The text of an error.
    #[serde(rename = "error")]
    ErrorText,
    /// Words in quotation marks.
    Quote,
}

/// A concept found in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concept {
    /// The kind.
    pub kind: ConceptKind,
    /// As it stands in the text, verbatim.
    pub surface: String,
    /// Byte range in the text.
    pub span: (u32, u32),
}
