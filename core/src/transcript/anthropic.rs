//! Anthropic messages: content is text or a list of blocks.
//!
//! *The rule*: an assistant's text and calls stay one message; each tool result becomes a message of
//! its own, wherever it stands, and so does each run of text of one author. A `compaction` block is
//! a summary, and marks a compaction; without content it is a compaction that failed, and nothing.
//!
//! Claude Code's records hold the same blocks, see [`super::claude_code`].

use serde_json::Value;

use super::TOP_LEVEL;
use super::reading::{Piece, Reading, kind_of};
use crate::message::{Part, Role, Synthetic};

/// Blocks that are neither text nor calls, kept as they are.
const OPAQUE: [&str; 4] = ["image", "document", "container_upload", "tool_reference"];
/// All blocks that show that a message is of this format.
const BLOCKS: [&str; 8] = [
    "text",
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "thinking",
    "redacted_thinking",
    "compaction",
    "search_result",
];

/// Whether the content is a list of blocks of this format.
pub(super) fn recognises(value: &Value) -> bool {
    let blocks = value.get("content").and_then(Value::as_array);
    blocks.is_some_and(|blocks| blocks.iter().any(|block| type_of(block).is_some_and(is_known)))
}

/// Reads the `system` that stands beside `messages`.
pub(super) fn read_system(system: &Value, reading: &mut Reading) {
    let pieces = match system {
        Value::Null => return,
        other => pieces(other, Role::System, reading),
    };
    reading.put(None, TOP_LEVEL, pieces);
}

/// The pieces of a message's content, which is text or blocks.
pub(super) fn pieces(content: &Value, role: Role, reading: &mut Reading) -> Vec<Piece> {
    match content {
        Value::String(text) => vec![Piece::text(role, text.as_str())],
        Value::Array(blocks) => blocks.iter().filter_map(|block| piece(block, role, reading)).collect(),
        other => {
            reading.skip(&format!("content:{}", kind_of(other)));
            Vec::new()
        }
    }
}

fn piece(block: &Value, role: Role, reading: &mut Reading) -> Option<Piece> {
    if let Value::String(text) = block {
        return Some(Piece::text(role, text.as_str()));
    }
    let kind = type_of(block).unwrap_or_default();
    let part = match kind {
        "text" => match block.get("text") {
            Some(Value::String(text)) => return Some(Piece::text(role, text.as_str())),
            _ => {
                reading.skip("part:text without text");
                return None;
            }
        },
        "tool_use" | "server_tool_use" | "mcp_tool_use" if role == Role::Assistant => call(block, reading),
        "thinking" => Part::Reasoning { text: field(block, "thinking").to_owned() },
        "redacted_thinking" => Part::Reasoning { text: field(block, "data").to_owned() },
        "compaction" => {
            let Some(text) = block.get("content").and_then(Value::as_str) else {
                reading.skip("compactionFailed");
                return None;
            };
            let part = Part::Text { text: text.to_owned() };
            return Some(Piece { role, synthetic: Some(Synthetic::Summary), parts: vec![part] });
        }
        "search_result" => {
            let mut piece = Piece::new(role, reading.opaque(kind, block));
            let texts = block.get("content").and_then(Value::as_array).into_iter().flatten();
            piece.parts.extend(texts.filter_map(text_of).map(|text| Part::Text { text: text.to_owned() }));
            return Some(piece);
        }
        _ if is_result(kind) => return Some(result(block, reading)),
        _ if OPAQUE.contains(&kind) => reading.opaque(kind, block),
        _ => reading.unknown_part(block),
    };
    Some(Piece::new(role, part))
}

fn call(block: &Value, reading: &mut Reading) -> Part {
    let input = block.get("input").map(|input| reading.json(input)).unwrap_or_default();
    Part::ToolCall { id: field(block, "id").to_owned(), name: field(block, "name").to_owned(), input }
}

/// A tool's answer: its texts a line apart, everything else behind them.
fn result(block: &Value, reading: &mut Reading) -> Piece {
    let mut texts = Vec::new();
    let mut others = Vec::new();
    match block.get("content") {
        None | Some(Value::Null) => {}
        Some(Value::String(text)) => texts.push(text.clone()),
        Some(Value::Array(blocks)) => {
            for block in blocks {
                match (text_of(block), type_of(block)) {
                    (Some(text), _) => texts.push(text.to_owned()),
                    (None, Some("web_search_result")) => {
                        texts.push(format!("{} {}", field(block, "title"), field(block, "url")));
                    }
                    (None, Some(kind)) if OPAQUE.contains(&kind) => others.push(reading.opaque(kind, block)),
                    _ => others.push(reading.unknown_part(block)),
                }
            }
        }
        Some(object @ Value::Object(_)) => {
            texts.extend(
                ["stdout", "stderr"].map(|name| field(object, name).to_owned()).into_iter().filter(|t| !t.is_empty()),
            );
            others.push(reading.opaque(type_of(object).unwrap_or("object"), object));
        }
        Some(other) => reading.skip(&format!("content:{}", kind_of(other))),
    }
    let error = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
    let mut piece = Piece::result(field(block, "tool_use_id"), texts.join("\n"), error);
    piece.parts.extend(others);
    piece
}

fn is_known(kind: &str) -> bool {
    BLOCKS.contains(&kind) || OPAQUE.contains(&kind) || is_result(kind)
}

fn is_result(kind: &str) -> bool {
    kind == "tool_result" || kind.ends_with("_tool_result")
}

fn type_of(block: &Value) -> Option<&str> {
    block.get("type").and_then(Value::as_str)
}

fn text_of(block: &Value) -> Option<&str> {
    match block {
        Value::String(text) => Some(text),
        block if type_of(block) == Some("text") => block.get("text").and_then(Value::as_str),
        _ => None,
    }
}

fn field<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{format, markers, outline, skipped};
    use crate::transcript::{Format, TOP_LEVEL, read};

    #[test]
    fn text_and_calls_of_the_assistant_stay_one_message() {
        let input = r#"[{"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "redacted_thinking", "data": "x"}, {"type": "text", "text": "I build."},
            {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}]}]"#;
        assert_eq!(outline(input), [r#"0 assistant: (hm) + (x) + I build. + Bash(t1)={"command":"make"}"#]);
        assert_eq!(format(input), Format::Anthropic);
    }

    #[test]
    fn a_user_message_that_mixes_results_and_text_is_split_with_unique_ids() {
        let input = r#"[{"role": "user", "id": "m", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "ok"},
            {"type": "tool_result", "tool_use_id": "t2", "is_error": true, "content": [{"type": "text", "text": "a"},
                {"type": "image", "source": {}}, {"type": "text", "text": "b"}]},
            {"type": "text", "text": "<system-reminder>tidy</system-reminder>"},
            {"type": "text", "text": "now"}, {"type": "text", "text": "again"}]}]"#;
        let expected = [
            "0 tool m: result(t1)=ok",
            "0 tool m#1: result(t2)!=a\\nb + <image>",
            "0 user Reminder m#host: <system-reminder>tidy</system-reminder>",
            "0 user m#2: now + again",
        ];
        assert_eq!(outline(input), expected);
    }

    #[test]
    fn results_without_readable_content_keep_the_pair() {
        let input = r#"[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1"},
            {"type": "tool_result", "tool_use_id": "t2", "content": 5}, {"type": "tool_result", "content": [[], "x"]}]}]"#;
        assert_eq!(outline(input), ["0 tool: result(t1)=", "0 tool: result(t2)=", "0 tool: result()=x + <array>"]);
        assert_eq!(skipped(input), "content:number 1, part:array 1");
    }

    #[test]
    fn a_compaction_block_is_a_summary_and_an_empty_one_is_nothing() {
        let input = r#"{"system": "be brief", "messages": [{"role": "user", "content": "hi"},
            {"role": "assistant", "content": [{"type": "compaction", "content": "they said hi"}, {"type": "text", "text": "yes"}]},
            {"role": "assistant", "content": [{"type": "compaction", "content": null}]}]}"#;
        let place = TOP_LEVEL;
        let expected = [
            &format!("{place} system: be brief"),
            "0 user: hi",
            "1 assistant Summary: they said hi",
            "1 assistant: yes",
        ];
        assert_eq!(outline(input), expected);
        assert_eq!(markers(input), ["2 kept [0]"]);
        assert_eq!(skipped(input), "compactionFailed 1, content:empty 1");
    }

    #[test]
    fn unknown_blocks_are_kept_and_counted_and_a_call_by_the_user_is_none() {
        let input = r#"[{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "id": "t"}, {"type": "smell"}]}]"#;
        assert_eq!(outline(input), ["0 user: a + <tool_use> + <smell>"]);
        assert_eq!(skipped(input), "part:smell 1, part:tool_use 1");
    }

    #[test]
    fn a_servers_tool_answers_inside_the_assistants_message() {
        let input = r#"[{"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "web_search_result", "title": "T", "url": "u"}]},
            {"type": "text", "text": "Found."}]}]"#;
        assert_eq!(outline(input), ["0 assistant: web_search(s)={}", "0 tool: result(s)=T u", "0 assistant: Found."]);
        assert!(read(input.as_bytes()).is_ok());
    }
}
