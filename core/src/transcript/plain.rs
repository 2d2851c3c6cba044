//! Plain messages: `{role, content}`, content being text, or blocks (see [`super::anthropic`]).
//!
//! *The rule*: `system` (or `developer`), `user`, `assistant` and `tool` (or `function`) are roles,
//! any other is counted and left out.

use serde_json::Value;

use super::reading::{Piece, Reading, kind_of};
use super::{anthropic, openai};
use crate::message::Role;

/// Reads one message, also one of Anthropic's.
pub(super) fn read(value: &Value, role: &str, place: u32, reading: &mut Reading) {
    let Some(role) = role_named(role) else {
        reading.skip(&format!("role:{role}"));
        return;
    };
    let pieces = match value.get("content") {
        Some(Value::String(text)) if role == Role::Tool => vec![Piece::result("", text.clone(), false)],
        Some(Value::String(text)) => vec![Piece::text(role, text.as_str())],
        Some(content @ Value::Array(_)) if role == Role::Tool => {
            let (results, others) = anthropic::pieces(content, role, reading).into_iter().partition(Piece::is_result);
            openai::results(value, results, others)
        }
        Some(content @ Value::Array(_)) => anthropic::pieces(content, role, reading),
        other => {
            reading.skip(&format!("content:{}", other.map_or("none", kind_of)));
            return;
        }
    };
    if pieces.is_empty() {
        reading.skip("content:empty");
    }
    reading.put(value.get("id").and_then(Value::as_str), place, pieces);
}

/// The role of a name, for all arrays of messages.
pub(super) fn role_named(name: &str) -> Option<Role> {
    match name {
        "system" | "developer" => Some(Role::System),
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        "tool" | "function" => Some(Role::Tool),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{outline, skipped};
    use crate::message::Part;
    use crate::transcript::{Format, read_as};

    #[test]
    fn a_plain_message_is_its_role_and_its_text() {
        let input = r#"[{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi", "id": "u1", "mood": 3},
            {"role": "assistant", "content": ""}]"#;
        assert_eq!(outline(input), ["0 system: be brief", "1 user u1: hi", "2 assistant: "]);
    }

    #[test]
    fn a_message_of_a_tool_is_always_a_result() {
        for content in [r#""ok""#, r#"[{"type": "text", "text": "ok"}]"#, r#"["ok"]"#] {
            let input = format!(r#"[{{"role": "tool", "content": {content}}}]"#);
            for format in [Format::Plain, Format::OpenAiChat, Format::Anthropic] {
                let message = &read_as(format, input.as_bytes()).unwrap().messages[0];
                let result = Part::ToolResult { call: String::new(), text: "ok".to_owned(), error: false };
                assert_eq!(message.parts, [result], "{format:?} {content}");
            }
        }
    }

    #[test]
    fn content_that_is_no_text_is_counted_and_no_message() {
        let input = r#"[{"role": "user", "content": 5}, {"role": "user"}, {"role": "user", "content": null},
            {"role": "user", "content": []}, {"role": "user", "content": {"a": 1}}, {"role": "critic", "content": "x"}]"#;
        assert_eq!(outline(input), [""; 0]);
        let counts =
            "content:empty 1, content:none 1, content:null 1, content:number 1, content:object 1, role:critic 1";
        assert_eq!(skipped(input), counts);
    }
}
