//! How a model's answer is read.
//!
//! The rule in one sentence: **an answer is read when it can mean only one thing, and otherwise
//! refused whole, with the reason**, so that the caller falls back on the built-in resolver and says
//! why.
//!
//! | Answer | Read as |
//! |---|---|
//! | `{"references": [2, 1]}` | 2, 1: the model's order is kept |
//! | the same in a code fence, or with prose around it | the last complete JSON object of the text |
//! | the same after `<think>…</think>`, or after a lone `</think>` | thoughts are removed first |
//! | `["1"]`, `[1.0]`, `["#1"]`, `["1."]`, `["１"]` | 1: one way to read it |
//! | `[1, "1", 1.0]` | 1: once |
//! | `"references": 1` | 1: a list of one |
//! | `[[1, 2]]`, `[[1], [2]]` | 1, 2: one level of nesting is opened |
//! | `{"references": {"ids": [1]}}` | 1, for `ids`, `items`, `numbers` or `references` as the only field |
//! | `[{"number": 1}]` | 1: the question calls it a number |
//! | `{"answer": {"references": [1]}}` | 1, when one field alone holds such an object |
//! | `{"references": []}` | nothing is referred to: an answer like any other |
//! | `{"concepts": ["x"]}` | no reference, and the concept: a model may leave out an empty list |
//! | `{}`, `{"concepts": []}`, `"references": null` | refused: silence is said with an empty list |
//! | a number that is not on the list | refused whole: who picks an entry that is not there did not read the list, and the other picks are no better |
//! | `0`, `-1` | refused whole: a model that counts from 0 means other entries by its other numbers too |
//! | `1.5`, `true`, `null`, `"one"`, `"1,2"`, `[[[1]]]`, `[{"index": 1}]`, `["①"]` | refused: no number, or more than one way to read it |
//! | the same key twice in the object | refused: two answers |
//! | more than [`MOST_REFERENCES`] numbers, repeats included | refused: a model in a loop |
//! | an object that never ends, also after a complete one | refused: the answer was cut off |
//! | prose, a bare list, nothing, or an unclosed `<think>` | refused: no answer |
//! | a concept that is no text, too long, or one of too many | refused |
//!
//! Reading costs linear time: no object is nested deeper than 128 levels, and an answer of more than
//! [`MOST_BYTES`] besides its thoughts is refused. The published Python package dropped such
//! answers or failed on them.

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, ErrorKind, shown};
use crate::json;

/// Numbers that one answer may hold, repeats included. Nobody means thirty things by one message;
/// a model that repeats itself does. Lower, and "all of these" is refused on a long list.
pub const MOST_REFERENCES: usize = 32;

/// Concepts that one answer may name. More is a copy of the message, word by word.
pub const MOST_CONCEPTS: usize = 16;

/// Characters of one concept in an answer. A longer one is a sentence; lower, and long command lines
/// are refused.
pub const CONCEPT_CHARS: usize = 300;

/// Bytes of an answer without its thoughts. An answer is a line; this much is a document.
pub const MOST_BYTES: usize = 32 * 1024;

/// What a model chose. Both lists empty means: the message refers to nothing on the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Numbers of the list, each once, in the model's order. All are on the list.
    pub references: Vec<u32>,
    /// Concepts that are not on the list, trimmed, each once, in the model's order.
    pub concepts: Vec<String>,
}

/// Reads a model's answer to a list of `choices` entries.
///
/// # Errors
/// [`ErrorKind::InvalidAnswer`] with the reason, as the table of the module lists them. A refused
/// answer yields nothing at all: no part of it is kept.
pub fn read_answer(text: &str, choices: u32) -> Result<Answer, Error> {
    let fields = opened(last_object(text)?);
    let references = fields.only("references")?;
    let concepts = match fields.only("concepts")? {
        Some(value) => concepts(value)?,
        None => Vec::new(),
    };
    let references = match references {
        Some(value) => references_in(value, choices)?,
        None if concepts.is_empty() => return Err(refused("the answer has no `references`")),
        None => Vec::new(),
    };
    Ok(Answer { references, concepts })
}

/// Reads the body that Ollama's `/api/generate` sends (with `stream` false), and the answer in it.
///
/// # Errors
/// [`ErrorKind::InvalidAnswer`]: when the body is no JSON object or reports an error, when the
/// generation is unfinished or was stopped by its length, when the answer is empty, and for all that
/// [`read_answer`] refuses.
pub fn read_envelope(body: &str, choices: u32) -> Result<Answer, Error> {
    let Ok(Value::Object(envelope)) = serde_json::from_str::<Value>(body) else {
        return Err(refused(format!("the model's server sent no JSON object: `{}`", shown(body.trim()))));
    };
    let text = |key: &str| envelope.get(key).and_then(Value::as_str);
    match envelope.get("error") {
        None | Some(Value::Null) => {}
        Some(Value::String(error)) => return Err(refused(format!("the model's server says `{}`", shown(error)))),
        Some(error) => return Err(refused(format!("the model's server says `{}`", plain(error)))),
    }
    if envelope.get("done") == Some(&Value::Bool(false)) {
        return Err(refused("the model has not finished its answer (`done` is `false`)"));
    }
    if text("done_reason") == Some("length") {
        return Err(refused("the answer was cut off: `done_reason` is `length`"));
    }
    let Some(response) = text("response") else {
        return Err(refused("the model's server sent no text in `response`"));
    };
    let thought = text("thinking").is_some_and(|thinking| !thinking.trim().is_empty());
    if response.trim().is_empty() && thought {
        return Err(refused("the answer is empty: the model only thought"));
    }
    read_answer(response, choices)
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidAnswer, message)
}

/// A JSON value, short enough for a message.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => shown(text),
        other => shown(&json::line(other)),
    }
}

/// The fields of a JSON object in order, repeated keys included: a map would keep one of two answers
/// and not say so.
struct Fields(Vec<(String, Value)>);

impl Fields {
    /// The value of `key`, `None` when it is missing.
    fn only(&self, key: &str) -> Result<Option<&Value>, Error> {
        let mut values = self.0.iter().filter(|(name, _)| name == key).map(|(_, value)| value);
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(refused(format!("the answer has `{key}` twice"))),
            (value, None) => Ok(value),
        }
    }

    fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| name == key)
    }
}

/// Why no object is read.
enum Unread {
    /// The text ends within it.
    CutOff,
    NoObject,
}

/// The object that a text begins with, and the text behind it.
fn leading_object(text: &str) -> Result<(Fields, &str), Unread> {
    let mut fields = Vec::new();
    let mut rest = after(text, '{')?;
    if let Ok(rest) = after(rest, '}') {
        return Ok((Fields(fields), rest));
    }
    loop {
        after(rest, '"')?;
        let (name, tail) = leading_value(rest)?;
        let (value, tail) = leading_value(after(tail, ':')?)?;
        fields.push((name.as_str().unwrap_or_default().to_owned(), value));
        match after(tail, ',') {
            Ok(tail) => rest = tail,
            Err(_) => return Ok((Fields(fields), after(tail, '}')?)),
        }
    }
}

/// What follows a sign of JSON.
fn after(text: &str, sign: char) -> Result<&str, Unread> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\r']);
    text.strip_prefix(sign).ok_or(if text.is_empty() { Unread::CutOff } else { Unread::NoObject })
}

/// The value that a text begins with, and the text behind it.
fn leading_value(text: &str) -> Result<(Value, &str), Unread> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    match values.next() {
        Some(Ok(value)) => Ok((value, text.get(values.byte_offset()..).unwrap_or_default())),
        Some(Err(error)) if !error.is_eof() => Err(Unread::NoObject),
        _ => Err(Unread::CutOff),
    }
}

/// The last complete JSON object of an answer, outside its thoughts.
fn last_object(text: &str) -> Result<Fields, Error> {
    // An answer that is JSON throughout has no thoughts, even where its strings speak of `<think>`.
    if text.len() <= MOST_BYTES
        && let Ok((fields, rest)) = leading_object(text)
        && rest.trim().is_empty()
    {
        return Ok(fields);
    }
    let spoken = without_thoughts(text);
    if spoken.trim().is_empty() {
        return Err(refused(if text.trim().is_empty() {
            "the answer is empty"
        } else {
            "the answer is empty: the model only thought"
        }));
    }
    if spoken.len() > MOST_BYTES {
        return Err(refused(format!("the answer has `{}` bytes, more than {MOST_BYTES}", spoken.len())));
    }
    let mut found = None;
    let mut rest = spoken.as_str();
    while let Some((_, tail)) = rest.split_once('{') {
        rest = match leading_object(rest.get(rest.len() - tail.len() - 1..).unwrap_or_default()) {
            Ok((fields, behind)) => {
                found = Some(fields);
                behind
            }
            // What is complete inside or before it may not be what the model wanted to say.
            Err(Unread::CutOff) => return Err(refused("the answer was cut off within its JSON object")),
            Err(Unread::NoObject) => tail,
        };
    }
    found.ok_or_else(|| refused(format!("the answer holds no JSON object: `{}`", shown(spoken.trim()))))
}

/// `text` without `<think>…</think>`. An unclosed block ends with the text; a closing tag alone ends
/// thoughts that began in the prompt.
fn without_thoughts(text: &str) -> String {
    let mut pieces = text.split('<');
    let mut spoken = pieces.next().unwrap_or_default().to_owned();
    let mut thinking = false;
    for piece in pieces {
        if let Some(after) = piece.strip_prefix("/think>") {
            if !thinking {
                spoken.clear();
            }
            thinking = false;
            spoken.push_str(after);
        } else if piece.starts_with("think>") {
            thinking = true;
        } else if !thinking {
            spoken.push('<');
            spoken.push_str(piece);
        }
    }
    spoken
}

/// The object that holds the answer: this one, or the only one of its fields that has `references`.
fn opened(fields: Fields) -> Fields {
    if fields.has("references") {
        return fields;
    }
    let mut inner =
        fields.0.iter().filter_map(|(_, value)| value.as_object()).filter(|map| map.contains_key("references"));
    match (inner.next(), inner.next()) {
        (Some(map), None) => Fields(map.iter().map(|(key, value)| (key.clone(), value.clone())).collect()),
        _ => fields,
    }
}

/// The numbers in the value of `references`, checked against a list of `choices` entries.
fn references_in(value: &Value, choices: u32) -> Result<Vec<u32>, Error> {
    let items = items(value)?;
    if items.len() > MOST_REFERENCES {
        return Err(refused(format!("the answer has `{}` references, more than {MOST_REFERENCES}", items.len())));
    }
    let mut numbers = Vec::new();
    for item in items {
        let number = number(item)?;
        if number == 0 || number > u64::from(choices) {
            return Err(refused(format!("reference `{}` is not on the list of {choices}", plain(item))));
        }
        // Not above `choices`, so it fits.
        let number = u32::try_from(number).unwrap_or(choices);
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    Ok(numbers)
}

/// The items of a list, of a list in a list, of a list in an object, or of a single value.
fn items(value: &Value) -> Result<Vec<&Value>, Error> {
    const NAMES: [&str; 4] = ["ids", "items", "numbers", "references"];
    match value {
        Value::Array(list) => {
            let opened = list.iter().flat_map(|item| match item {
                Value::Array(inner) => inner.as_slice(),
                single => std::slice::from_ref(single),
            });
            Ok(opened.collect())
        }
        Value::Object(map) => match map.iter().next() {
            Some((name, Value::Array(list))) if map.len() == 1 && NAMES.contains(&name.as_str()) => {
                Ok(list.iter().collect())
            }
            _ => Err(refused(format!("`references` is no list: `{}`", plain(value)))),
        },
        Value::Null => Err(refused("`references` is `null`, where nothing would be an empty list")),
        other => Ok(vec![other]),
    }
}

/// One number: `1`, `1.0`, `"1"`, `"#1"`, `"1."`, `{"number": 1}`. Zero is read, and refused by its range.
fn number(value: &Value) -> Result<u64, Error> {
    let scalar = match value {
        Value::Object(map) => map.get("number").unwrap_or(value),
        other => other,
    };
    let number = match scalar {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64())),
        Value::String(text) => digits(text),
        _ => None,
    };
    number.ok_or_else(|| refused(format!("reference `{}` is not a number of the list", plain(value))))
}

/// A floating-point number without a fraction, when it is one that floating point holds exactly.
fn whole(number: Option<f64>) -> Option<u64> {
    let number = number.filter(|number| number.fract() == 0.0 && (0.0..=9e15).contains(number))?;
    // In range and without a fraction, so nothing is lost.
    Some(number as u64)
}

/// Digits, full-width ones too, after an optional `#` and before an optional `.`, `.0` or `)`.
fn digits(text: &str) -> Option<u64> {
    let folded: String = text.trim().chars().map(narrow).collect();
    let number = folded.strip_prefix('#').unwrap_or(&folded).trim_start();
    let number = [".0", ".", ")"].into_iter().find_map(|end| number.strip_suffix(end)).unwrap_or(number);
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    number.parse().ok()
}

/// The ASCII form of a full-width sign (U+FF01 to U+FF5E lie in the order of ASCII).
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// The concepts in the value of `concepts`: a list of texts, one text, or `null` for none.
fn concepts(value: &Value) -> Result<Vec<String>, Error> {
    let items: Vec<&Value> = match value {
        Value::Null => Vec::new(),
        Value::Array(list) => list.iter().collect(),
        other => vec![other],
    };
    if items.len() > MOST_CONCEPTS {
        return Err(refused(format!("the answer has `{}` concepts, more than {MOST_CONCEPTS}", items.len())));
    }
    let mut concepts: Vec<String> = Vec::new();
    for item in items {
        let Value::String(text) = item else {
            return Err(refused(format!("concept `{}` is no text", plain(item))));
        };
        let text = text.trim();
        if text.chars().count() > CONCEPT_CHARS {
            return Err(refused(format!("concept `{}` is longer than {CONCEPT_CHARS} characters", shown(text))));
        }
        if !text.is_empty() && !concepts.iter().any(|known| known == text) {
            concepts.push(text.to_owned());
        }
    }
    Ok(concepts)
}

#[cfg(test)]
mod tests;
