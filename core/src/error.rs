//! What can go wrong, as one type with a stable code.
//!
//! Every error names the value that was refused and the place where it stood, so that a caller can
//! say what to do next. In JavaScript the same code becomes `error.code`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::json::{ToJson, Writer};

/// What kind of thing went wrong. The code (see [`ErrorKind::code`]) never changes between releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The session id is empty, too long, or could leave its folder.
    InvalidSessionId,
    /// An option has a value outside its range.
    InvalidOption,
    /// The input is no conversation in any format that the core reads.
    UnknownFormat,
    /// The input says that it is JSON (or JSON lines) and does not parse.
    InvalidJson,
    /// The input is not text: binary, or not UTF-8.
    NotText,
    /// The input is larger than the limit.
    TooLarge,
    /// A model's answer could not be read without guessing.
    InvalidAnswer,
    /// A number points outside what there is.
    OutOfRange,
    /// Nothing was found that could fill a gap.
    NothingFound,
    /// A gap is beyond the limits of one turn.
    LimitReached,
    /// The text of a gap's source was removed to keep the log under its size cap.
    Forgotten,
    /// An argument is not of the type that is asked for.
    InvalidInput,
    /// A saved form cannot be read.
    Damaged,
    /// A saved form was written by a newer version.
    NewerVersion,
    /// What is stored was changed by somebody else since it was loaded.
    Conflict,
    /// There is nowhere to save to.
    StoreMissing,
    /// A store could not load or save.
    StoreFailed,
    /// A file named by the caller cannot be read.
    FileUnreadable,
    /// A function that the caller gave threw.
    CallbackFailed,
    /// The object was disposed of.
    Disposed,
    /// The caller called it off.
    Aborted,
    /// No answer within the time limit.
    Timeout,
    /// Nothing answers at the address.
    Unreachable,
    /// The browser did not let the page ask, or read the answer (CORS, mixed content).
    Blocked,
    /// The server answered with an error status.
    BadStatus,
    /// The server's answer is not what its interface promises.
    BadBody,
    /// The server does not have the model.
    ModelMissing,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[
        Self::InvalidSessionId,
        Self::InvalidOption,
        Self::UnknownFormat,
        Self::InvalidJson,
        Self::NotText,
        Self::TooLarge,
        Self::InvalidAnswer,
        Self::OutOfRange,
        Self::NothingFound,
        Self::LimitReached,
        Self::Forgotten,
        Self::InvalidInput,
        Self::Damaged,
        Self::NewerVersion,
        Self::Conflict,
        Self::StoreMissing,
        Self::StoreFailed,
        Self::FileUnreadable,
        Self::CallbackFailed,
        Self::Disposed,
        Self::Aborted,
        Self::Timeout,
        Self::Unreachable,
        Self::Blocked,
        Self::BadStatus,
        Self::BadBody,
        Self::ModelMissing,
    ];

    /// The stable code, in camel case: what JavaScript sees as `error.code`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidSessionId => "invalidSessionId",
            Self::InvalidOption => "invalidOption",
            Self::UnknownFormat => "unknownFormat",
            Self::InvalidJson => "invalidJson",
            Self::NotText => "notText",
            Self::TooLarge => "tooLarge",
            Self::InvalidAnswer => "invalidAnswer",
            Self::OutOfRange => "outOfRange",
            Self::NothingFound => "nothingFound",
            Self::LimitReached => "limitReached",
            Self::Forgotten => "forgotten",
            Self::InvalidInput => "invalidInput",
            Self::Damaged => "damaged",
            Self::NewerVersion => "newerVersion",
            Self::Conflict => "conflict",
            Self::StoreMissing => "storeMissing",
            Self::StoreFailed => "storeFailed",
            Self::FileUnreadable => "fileUnreadable",
            Self::CallbackFailed => "callbackFailed",
            Self::Disposed => "disposed",
            Self::Aborted => "aborted",
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Blocked => "blocked",
            Self::BadStatus => "badStatus",
            Self::BadBody => "badBody",
            Self::ModelMissing => "modelMissing",
        }
    }
}

/// A refused input or an unanswered question: a kind with a stable code, and a message that names
/// the value and the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind; decides the code.
    pub kind: ErrorKind,
    /// One sentence in lower case, the bad value in backticks, no full stop.
    pub message: String,
}

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The serialisable form that stands inside results.
    #[must_use]
    pub fn info(&self) -> ErrorInfo {
        ErrorInfo { code: self.kind, message: self.message.clone() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.kind.code())
    }
}

impl std::error::Error for Error {}

/// An error as part of a result: why a gap stayed open, why a turn is degraded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorInfo {
    /// The stable code.
    pub code: ErrorKind,
    /// What happened, for people.
    pub message: String,
}

impl ToJson for ErrorInfo {
    fn to_json(&self, to: &mut Writer) {
        to.object().field("code", &self.code.code()).field("message", &self.message).end();
    }
}

/// At most 60 characters of `value`, for a message: a huge input must not make a huge error.
#[must_use]
pub fn shown(value: &str) -> String {
    let mut out: String = value.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.chars().nth(60).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_what_serde_writes() {
        for kind in ErrorKind::ALL {
            assert_eq!(serde_json::to_string(kind).unwrap(), format!("\"{}\"", kind.code()));
        }
    }

    #[test]
    fn a_huge_value_makes_a_short_message_without_control_characters() {
        let text = shown(&"a\n".repeat(1000));
        assert!(text.chars().count() == 61 && !text.contains('\n'));
    }
}
