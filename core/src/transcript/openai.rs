//! OpenAI chat completions: `tool_calls`, `tool_call_id`, content parts; also the older
//! `function_call` with the role `function`, which have no ids.
//!
//! *The rule*: a message keeps its calls as parts after its text; a message of role `tool` is a
//! result. Arguments stay the JSON text that the host had, even when it does not parse.

use serde_json::Value;

use super::plain::role_named;
use super::reading::{Piece, Reading, kind_of};
use crate::message::{Part, Role};

/// Types of content parts that only this format has.
const PARTS: [&str; 6] = ["image_url", "input_audio", "refusal", "file", "input_text", "output_text"];

/// Whether a message can be of this format only.
pub(super) fn recognises(value: &Value) -> bool {
    let role = value.get("role").and_then(Value::as_str);
    let fields = ["tool_calls", "tool_call_id", "function_call", "refusal"];
    let in_part = |part: &Value| part.get("type").and_then(Value::as_str).is_some_and(|name| PARTS.contains(&name));
    matches!(role, Some("developer" | "tool" | "function"))
        || fields.iter().any(|field| value.get(field).is_some_and(|value| !value.is_null()))
        || value.get("content").and_then(Value::as_array).is_some_and(|parts| parts.iter().any(in_part))
}

/// Reads one message.
pub(super) fn read(value: &Value, role: &str, place: u32, reading: &mut Reading) {
    let Some(role) = role_named(role) else {
        reading.skip(&format!("role:{role}"));
        return;
    };
    let mut pieces = Vec::new();
    if let Some(Value::String(text)) = value.get("reasoning_content") {
        pieces.push(Piece::new(role, Part::Reasoning { text: text.clone() }));
    }
    let has_calls = value.get("tool_calls").is_some() || value.get("function_call").is_some();
    match value.get("content") {
        Some(Value::String(text)) => pieces.push(Piece::text(role, text.as_str())),
        Some(Value::Array(parts)) => pieces.extend(parts.iter().filter_map(|part| read_part(part, role, reading))),
        None | Some(Value::Null) if has_calls || value.get("refusal").is_some() || role == Role::Tool => {}
        other => reading.skip(&format!("content:{}", other.map_or("none", kind_of))),
    }
    if let Some(Value::String(text)) = value.get("refusal") {
        pieces.push(Piece::text(role, text.as_str()));
    }
    if role == Role::Tool {
        pieces = results(value, Vec::new(), pieces);
    } else {
        calls(value, role, reading, &mut pieces);
    }
    reading.put(value.get("id").and_then(Value::as_str), place, pieces);
}

fn read_part(part: &Value, role: Role, reading: &mut Reading) -> Option<Piece> {
    if let Value::String(text) = part {
        return Some(Piece::text(role, text.as_str()));
    }
    let kind = part.get("type").and_then(Value::as_str);
    let field = match kind {
        Some("text" | "input_text" | "output_text") => "text",
        Some("refusal") => "refusal",
        Some(kind @ ("image_url" | "input_audio" | "file" | "input_image" | "input_file")) => {
            return Some(Piece::new(role, reading.opaque(kind, part)));
        }
        _ => return Some(Piece::new(role, reading.unknown_part(part))),
    };
    let text = part.get(field).and_then(Value::as_str);
    if text.is_none() {
        reading.skip(&format!("part:{field} without text"));
    }
    text.map(|text| Piece::text(role, text))
}

/// Results that are known, and one of all the other texts, its images behind it.
pub(super) fn results(value: &Value, mut known: Vec<Piece>, others: Vec<Piece>) -> Vec<Piece> {
    if others.is_empty() && !known.is_empty() {
        return known;
    }
    let (mut texts, mut rest) = (Vec::new(), Vec::new());
    for part in others.into_iter().flat_map(|piece| piece.parts) {
        match part {
            Part::Text { text } => texts.push(text),
            other => rest.push(other),
        }
    }
    let call = value.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
    let mut piece = Piece::result(call, texts.join("\n"), false);
    piece.parts.extend(rest);
    known.push(piece);
    known
}

fn calls(value: &Value, role: Role, reading: &mut Reading, pieces: &mut Vec<Piece>) {
    match value.get("tool_calls") {
        Some(Value::Array(calls)) => {
            for call in calls {
                let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
                match call.get("function").or_else(|| call.get("custom")) {
                    Some(function @ Value::Object(_)) => pieces.push(call_part(id, function, role, reading)),
                    _ => pieces.push(Piece::new(role, reading.unknown_part(call))),
                }
            }
        }
        None | Some(Value::Null) => {}
        Some(other) => reading.skip(&format!("toolCalls:{}", kind_of(other))),
    }
    if let Some(function @ Value::Object(_)) = value.get("function_call") {
        pieces.push(call_part("", function, role, reading));
    }
}

fn call_part(id: &str, function: &Value, role: Role, reading: &mut Reading) -> Piece {
    let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
    let input = match function.get("arguments").or_else(|| function.get("input")) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => reading.json(other),
        None => String::new(),
    };
    Piece::new(role, Part::ToolCall { id: id.to_owned(), name: name.to_owned(), input })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{format, outline, skipped};
    use crate::transcript::Format;

    #[test]
    fn calls_and_results_keep_their_ids() {
        let input = r#"[{"role": "developer", "content": "be brief"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "run", "arguments": "{\"cmd\": \"make\"}"}},
                {"id": "c2", "type": "function", "function": {"name": "run", "arguments": {"cmd": "ls"}}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "done"},
            {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]"#;
        let expected = [
            "0 system: be brief",
            r#"1 assistant: run(c1)={"cmd": "make"} + run(c2)={"cmd":"ls"}"#,
            "2 tool: result(c1)=done",
            "3 tool: result(c2)=a\\nb",
        ];
        assert_eq!(outline(input), expected);
        assert_eq!(format(input), Format::OpenAiChat);
        assert_eq!(skipped(input), "");
    }

    #[test]
    fn functions_of_the_older_api_are_calls_without_ids() {
        let input = r#"[{"role": "assistant", "content": null, "function_call": {"name": "now", "arguments": "{}"}},
            {"role": "function", "name": "now", "content": "12:00"}]"#;
        assert_eq!(outline(input), ["0 assistant: now()={}", "1 tool: result()=12:00"]);
    }

    #[test]
    fn images_are_opaque_and_unknown_parts_are_kept_and_counted() {
        let input = r#"[{"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "x"}},
            {"type": "hologram"}, 7, {"type": "text"}]}, {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
            {"role": "assistant", "tool_calls": [3]}]"#;
        assert_eq!(
            outline(input),
            ["0 user: see + <image_url> + <hologram> + <number>", "1 assistant: no", "2 assistant: <number>"]
        );
        assert_eq!(skipped(input), "part:hologram 1, part:number 2, part:text without text 1");
    }

    #[test]
    fn a_placeholder_marks_the_result_and_not_what_the_user_says() {
        let input = r#"[{"role": "tool", "tool_call_id": "c", "content": "[cleared]"}, {"role": "user", "content": "[cleared]"}]"#;
        assert_eq!(outline(input), ["0 tool Placeholder: result(c)=[cleared]", "1 user: [cleared]"]);
    }
}
