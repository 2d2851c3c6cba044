//! Bytes to text, text to JSON values with their places, both forgiving where that loses nothing.
//!
//! *The rule*: damage is confined to where it is. A broken line costs that line, half a surrogate
//! pair one character, a file that is cut in the middle of a character that character.

use std::borrow::Cow;

use serde_json::Value;

use super::place;
use super::reading::{Reading, kind_of};
use crate::error::{Error, ErrorKind, shown};

/// The largest input in bytes. Parsed JSON takes about four times its size, and 32-bit wasm has 4 GB.
pub const MAX_BYTES: usize = 256 << 20;

/// Values with their places.
pub(super) struct Json {
    pub(super) items: Vec<(u32, Value)>,
    pub(super) system: Option<Value>,
}

/// Text from UTF-8, or from UTF-16 that says so by its byte order mark. An incomplete last character
/// (a file read while it is written) is dropped and counted.
pub(super) fn decode<'a>(bytes: &'a [u8], reading: &mut Reading) -> Result<Cow<'a, str>, Error> {
    if bytes.len() > MAX_BYTES {
        let message = format!("the input has `{}` bytes, the limit is {MAX_BYTES}", bytes.len());
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return decode_utf16(rest, u16::from_le_bytes).map(Cow::Owned);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return decode_utf16(rest, u16::from_be_bytes).map(Cow::Owned);
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let text = std::str::from_utf8(valid).unwrap_or_default();
            if error.error_len().is_none() && !text.trim().is_empty() {
                reading.skip("cutCharacter");
                return Ok(Cow::Borrowed(text));
            }
            let message = format!("the input is not text: byte `{}` is not UTF-8", error.valid_up_to());
            Err(Error::new(ErrorKind::NotText, message))
        }
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Error> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text = if rest.is_empty() {
        char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect()
    } else {
        Ok(String::new())
    };
    match text {
        Ok(text) if rest.is_empty() => Ok(text),
        _ => Err(Error::new(ErrorKind::NotText, "the input is not text: it begins like UTF-16 and is broken")),
    }
}

/// The values of a JSON array, of an object with `messages`, or of JSON lines.
pub(super) fn parse(text: &str, reading: &mut Reading) -> Result<Json, Error> {
    let (text, lone) = mend_surrogates(text);
    reading.skip_many("loneSurrogate", lone);
    let first = text.trim_start().chars().next();
    let whole = match first {
        Some('{' | '[') => serde_json::from_str::<Value>(&text).map_err(Some),
        _ => Err(None),
    };
    let error = match whole {
        Ok(value) => return of_value(value),
        Err(error) => error,
    };
    let mut items = Vec::new();
    let mut broken = 0_usize;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<Value>(line) {
            Ok(value @ Value::Object(_)) => items.push((place(number), value)),
            _ => broken += 1,
        }
    }
    if items.is_empty() || is_spread(&text) && items.len() <= broken {
        return Err(match error {
            Some(error) => invalid(&text, &error),
            None if text.contains('\0') => Error::new(ErrorKind::NotText, "the input is not text: it holds zero bytes"),
            None => unknown(&text),
        });
    }
    reading.skip_many("brokenLine", u32::try_from(broken).unwrap_or(u32::MAX));
    Ok(Json { items, system: None })
}

/// Whether the text begins like one value over several lines: read line by line, a broken one would
/// lose all elements but the few that happen to be whole lines.
fn is_spread(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default().trim_end();
    line.starts_with('[') || line.starts_with('{') && line.ends_with(['{', '[', ',', ':'])
}

fn of_value(value: Value) -> Result<Json, Error> {
    let mut object = match value {
        Value::Array(values) => return Ok(Json { items: numbered(values), system: None }),
        Value::Object(object) => object,
        other => return Ok(Json { items: vec![(0, other)], system: None }),
    };
    if object.get("role").is_some_and(Value::is_string) {
        return Ok(Json { items: vec![(0, Value::Object(object))], system: None });
    }
    match object.remove("messages") {
        None => Ok(Json { items: vec![(0, Value::Object(object))], system: None }),
        Some(Value::Array(values)) => Ok(Json { items: numbered(values), system: object.remove("system") }),
        Some(other) => {
            let message = format!("`messages` is no array but a value of type `{}`", kind_of(&other));
            Err(Error::new(ErrorKind::UnknownFormat, message))
        }
    }
}

fn numbered(values: Vec<Value>) -> Vec<(u32, Value)> {
    values.into_iter().enumerate().map(|(index, value)| (place(index), value)).collect()
}

fn invalid(text: &str, error: &serde_json::Error) -> Error {
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let from = error.column().saturating_sub(20);
    let near: String =
        String::from_utf8_lossy(line.as_bytes().get(from..).unwrap_or_default()).chars().take(40).collect();
    Error::new(ErrorKind::InvalidJson, format!("invalid JSON: {error}, near `{}`", shown(&near)))
}

fn unknown(text: &str) -> Error {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let message = format!("neither JSON nor SpecStory markdown: line 1 column 1 begins with `{}`", shown(line));
    Error::new(ErrorKind::UnknownFormat, message)
}

/// Replaces each escape of half a surrogate pair by that of U+FFFD: JavaScript writes such escapes,
/// and serde_json refuses the whole text for one. Both escapes have six characters, so places stay.
fn mend_surrogates(text: &str) -> (Cow<'_, str>, u32) {
    let mut lone = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(step) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += step;
        match escape(bytes, at) {
            Some(0xd800..=0xdbff) => match escape(bytes, at + 6) {
                Some(0xdc00..=0xdfff) => at += 12,
                _ => {
                    lone.push(at);
                    at += 6;
                }
            },
            Some(0xdc00..=0xdfff) => {
                lone.push(at);
                at += 6;
            }
            _ => at += 2,
        }
    }
    if lone.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let mut mended = String::with_capacity(text.len());
    let mut from = 0;
    for at in &lone {
        mended.push_str(text.get(from..*at).unwrap_or_default());
        mended.push_str("\\ufffd");
        from = at + 6;
    }
    mended.push_str(text.get(from..).unwrap_or_default());
    (Cow::Owned(mended), u32::try_from(lone.len()).unwrap_or(u32::MAX))
}

/// The code unit of the escape `\uXXXX` that stands at `at`.
fn escape(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_surrogate_pair_is_replaced_and_a_whole_one_is_not() {
        let cases = [
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#, 0),
            (r#""\ud800""#, r#""\ufffd""#, 1),
            (r#""\uDC00 \ud800\ud800""#, r#""\ufffd \ufffd\ufffd""#, 3),
            (r#""\\ud800""#, r#""\\ud800""#, 0),
            (r#""\\\ud800""#, r#""\\\ufffd""#, 1),
            (r#""\ud8""#, r#""\ud8""#, 0),
            ("\\", "\\", 0),
        ];
        for (input, expected, lone) in cases {
            assert_eq!(mend_surrogates(input), (Cow::Borrowed(expected), lone), "{input}");
        }
    }

    #[test]
    fn text_is_utf8_or_marked_utf16() {
        let mut reading = Reading::default();
        let utf16: Vec<u8> = std::iter::once(0xfeff).chain("añ🙂".encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16, &mut reading).unwrap(), "añ🙂");
        assert_eq!(decode(b"\xef\xbb\xbf[]", &mut reading).unwrap(), "[]");
        assert_eq!(decode(b"ab\xc3", &mut reading).unwrap(), "ab");
        for broken in [&b"\xff\xfea"[..], b"\xff\xfe\x00\xd8", b"a\xffb", b"\x80"] {
            assert_eq!(decode(broken, &mut reading).unwrap_err().kind, ErrorKind::NotText);
        }
    }
}
