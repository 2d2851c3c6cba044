//! What can go wrong, as one type with a stable code.
//!
//! Every error names the value that was refused and the place where it stood, so that a caller can
//! say what to do next. In JavaScript the same code becomes `error.code`.

use std::fmt;

use serde::{Deserialize, Serialize};

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
}

impl ErrorKind {
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
        for kind in [ErrorKind::InvalidSessionId, ErrorKind::NotText, ErrorKind::LimitReached, ErrorKind::Forgotten] {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.code()));
        }
    }

    #[test]
    fn a_huge_value_makes_a_short_message_without_control_characters() {
        let text = shown(&"a\n".repeat(1000));
        assert!(text.chars().count() == 61 && !text.contains('\n'));
    }
}
