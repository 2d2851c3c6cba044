//! Random bytes, random JSON and damaged transcripts: never a panic, and what is read keeps the promises
//! of a transcript.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::message::{Part, Role};
use crate::transcript::{Format, Transcript, read, read_as, read_messages};

const FORMATS: [Format; 5] =
    [Format::Plain, Format::OpenAiChat, Format::Anthropic, Format::ClaudeCode, Format::SpecStory];

/// What every transcript promises.
fn check(transcript: &Transcript) {
    let mut at = 0;
    for marker in &transcript.markers {
        assert!(at <= marker.at && marker.at <= transcript.messages.len());
        assert!(marker.kept.is_sorted() && marker.kept.iter().all(|kept| *kept < marker.at));
        at = marker.at;
    }
    for message in &transcript.messages {
        assert!(!message.parts.is_empty());
        let results = message.parts.iter().filter(|part| matches!(part, Part::ToolResult { .. })).count();
        assert_eq!(results, usize::from(message.role == Role::Tool), "{message:?}");
    }
}

fn read_all_ways(bytes: &[u8]) {
    let ways = FORMATS.iter().map(|format| read_as(*format, bytes)).chain(std::iter::once(read(bytes)));
    for transcript in ways.flatten() {
        check(&transcript);
    }
}

/// Valid inputs, to be damaged.
fn samples() -> Vec<String> {
    let openai = json!([{"role": "developer", "content": "d"}, {"role": "assistant", "content": null, "tool_calls":
        [{"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c", "content": "r"}]);
    let anthropic = json!({"system": [{"type": "text", "text": "s"}], "messages": [{"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "\u{e9}"}, {"type": "image"}]}, {"type": "text", "text": "x"}]}]});
    let records = [
        json!({"type": "user", "uuid": "u", "parentUuid": null, "message": {"content": "go"}}),
        json!({"type": "assistant", "uuid": "a", "parentUuid": "u", "message": {"id": "m", "content": [{"type": "tool_use", "id": "t"}]}}),
        json!({"type": "user", "uuid": "r", "parentUuid": "a", "message": {"content": [{"type": "tool_result", "tool_use_id": "t"}]}}),
        json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": null, "logicalParentUuid": "r",
            "compactMetadata": {"preservedSegment": {"headUuid": "a", "anchorUuid": "s", "tailUuid": "r"}}}),
        json!({"type": "user", "uuid": "s", "parentUuid": "b", "isCompactSummary": true, "message": {"content": "sum"}}),
    ];
    let markdown = "<!-- Claude Code Session s (2026-01-02 10:00:00Z) -->\n\n_**User (2026-01-02 10:00:00Z)**_\n\nhi\n\n```\nx\n```\n\n---\n\n\
        _**Agent (m 2026-01-02 10:00:01Z)**_\n\n<think><details><summary>T</summary>\nhm\n</details></think>\n\n\
        <tool-use data-tool-type=\"t\" data-tool-name=\"n\"><details>\n<summary>Tool use: **n**</summary>\n\n```text\nr\n```\n</details></tool-use>\n";
    let lines = records.iter().map(|record| format!("{record}\n")).collect();
    vec![openai.to_string(), anthropic.to_string(), lines, markdown.to_owned()]
}

fn value() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "user",
        "assistant",
        "system",
        "tool",
        "function",
        "critic",
        "text",
        "tool_use",
        "tool_result",
        "thinking",
        "compaction",
        "image_url",
        "compact_boundary",
        "attachment",
        "queued_command",
        "a",
        "b",
        "",
        "[cleared]",
        "search_result",
        "conversation_reset",
    ]);
    let key = prop::sample::select(vec![
        "role",
        "content",
        "type",
        "text",
        "id",
        "uuid",
        "parentUuid",
        "logicalParentUuid",
        "message",
        "subtype",
        "tool_calls",
        "function",
        "function_call",
        "arguments",
        "tool_use_id",
        "isSidechain",
        "isCompactSummary",
        "compactMetadata",
        "uuids",
        "preservedSegment",
        "preservedMessages",
        "headUuid",
        "tailUuid",
        "anchorUuid",
        "attachment",
        "prompt",
        "messages",
        "system",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        word.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        let fields = prop::collection::vec((key.clone(), inner.clone()), 0..8);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            fields.prop_map(|fields| fields
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all_ways(&bytes);
    }

    #[test]
    fn random_json_never_panics(values in prop::collection::vec(value(), 0..12)) {
        if let Ok(transcript) = read_messages(&values) {
            check(&transcript);
        }
        let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
        read_all_ways(lines.as_bytes());
    }

    #[test]
    fn damaged_transcripts_never_panic(which in 0..4_usize, cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..40_usize, any::<u8>()), 1..6)) {
        let mut bytes = samples()[which].clone().into_bytes();
        for (at, length, byte) in cuts {
            if bytes.is_empty() { break }
            let from = at.index(bytes.len());
            let to = (from + length).min(bytes.len());
            match byte % 3 {
                0 => { bytes.drain(from..to); }
                1 => { let copy = bytes[from..to].to_vec(); bytes.splice(from..from, copy); }
                _ => bytes[from] = byte & 0x7f,
            }
        }
        read_all_ways(&bytes);
    }
}
