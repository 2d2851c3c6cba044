//! Bad input: a typed error that names the place, or a counted skip; never a panic.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{outline, skipped};
use crate::error::ErrorKind;
use crate::message::{Part, Role};
use crate::transcript::{Format, MAX_BYTES, Transcript, read, read_as, read_messages};

const FORMATS: [Format; 5] =
    [Format::Plain, Format::OpenAiChat, Format::Anthropic, Format::ClaudeCode, Format::SpecStory];

fn refused(input: impl AsRef<[u8]>) -> (ErrorKind, String) {
    let error = read(input.as_ref()).unwrap_err();
    (error.kind, error.message)
}

#[test]
fn an_empty_input_is_refused_and_an_empty_array_is_a_conversation() {
    for input in ["", " \n\t ", "\u{feff}", "\u{feff}\n"] {
        assert_eq!(refused(input), (ErrorKind::UnknownFormat, "the input is empty".to_owned()), "{input:?}");
    }
    for input in ["[]", " [ ]\n", r#"{"messages": []}"#] {
        let transcript = read(input.as_bytes()).unwrap();
        assert!(transcript.messages.is_empty() && transcript.skipped.is_empty(), "{input}");
    }
    assert!(read_messages(&[]).unwrap().messages.is_empty());
}

#[test]
fn binary_is_no_text() {
    for input in [&b"\x89PNG\r\n\x1a\n"[..], b"\x7fELF\x00\x01", b"\xff\xfe\x01", b"\x00\x01\x02", b"PK\x03\x04\x00"] {
        assert_eq!(refused(input).0, ErrorKind::NotText, "{input:?}");
    }
    assert!(refused(b"[\"\xff\"]").1.contains("byte `2`"));
}

#[test]
fn broken_json_is_refused_with_line_and_column() {
    for (input, place) in [
        ("[\n{\"role\": \"user\", \"content\": \"a\"},\n", "line 3 column 0"),
        ("[\n{\"role\": \"user\", \"content\": \"a\"}\n{\"role\": \"user\", \"content\": \"a\"}\n]", "line 3 column 1"),
        ("{\n\"messages\": [\n{\"role\": \"user\", \"content\": \"a\"}\n", "line 4 column 0"),
        ("{\"messages\": [", "line 1 column 14"),
        ("[1,,2]", "line 1 column 4"),
    ] {
        let (kind, message) = refused(input);
        assert_eq!(kind, ErrorKind::InvalidJson, "{input}: {message}");
        assert!(message.contains(place), "{input}: {message}");
    }
}

#[test]
fn what_is_no_conversation_is_refused_and_says_what_it_found() {
    for (input, found) in [
        ("just words", "line 1 column 1 begins with `just words`"),
        ("\n\n# A title\n\ntext", "`# A title`"),
        ("[1, 2]", "number `1`"),
        ("[{\"text\": \"a\"}]", "object `{\"text\":\"a\"}`"),
        ("{\"messages\": \"a\"}", "`string`"),
        ("{\"a\": 1}\n{\"b\": 2}", "{\"a\":1}"),
        ("{}", "object `{}`"),
    ] {
        let (kind, message) = refused(input);
        assert_eq!(kind, ErrorKind::UnknownFormat, "{input}: {message}");
        assert!(message.contains(found), "{input}: {message}");
    }
    assert!(refused(format!("[\"{}\"]", "é".repeat(5000))).1.len() < 400);
}

#[test]
fn a_whole_array_of_unknown_roles_is_counted_and_no_error() {
    assert_eq!(outline(r#"[{"role": "critic", "content": "a"}]"#), [""; 0]);
    assert_eq!(
        skipped(r#"[{"role": "critic", "content": "a"}, 5, null]"#),
        "element:null 1, element:number 1, role:critic 1"
    );
}

#[test]
fn an_endless_supply_of_unknown_names_makes_a_short_list() {
    let values: Vec<Value> =
        (0..5000).map(|n| json!({"role": format!("r{n}{}", "x".repeat(n)), "content": ""})).collect();
    let skipped = read_messages(&values).unwrap().skipped;
    assert!(skipped.len() <= 201 && skipped.keys().all(|name| name.len() <= 60));
    assert_eq!(skipped.values().sum::<u32>(), 5000);
}

#[test]
fn half_a_surrogate_pair_costs_one_character_and_not_the_message() {
    let input = r#"[{"role": "user", "content": "a\ud800b \ud83d\ude00 \\ud800"}]"#;
    assert_eq!(outline(input), ["0 user: a\u{fffd}b 😀 \\ud800"]);
    assert_eq!(skipped(input), "loneSurrogate 1");
}

#[test]
fn deep_nesting_is_refused_or_counted() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for depth in [200, 100_000] {
        assert_eq!(refused(deep(depth)).0, ErrorKind::InvalidJson);
        let lines =
            format!("{{\"role\": \"user\", \"content\": {}}}\n{{\"role\": \"user\", \"content\": \"a\"}}", deep(depth));
        assert_eq!((outline(&lines).len(), skipped(&lines)), (1, "brokenLine 1".to_owned()));
    }
    let input = (0..500).fold(json!(1), |inner, _| json!([inner]));
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "n", "input": input}]});
    let transcript = read_messages(&[call]).unwrap();
    assert_eq!((transcript.messages.len(), transcript.skipped["tooDeep"]), (1, 1));
}

#[test]
fn the_last_of_duplicate_keys_counts() {
    assert_eq!(outline(r#"[{"role": "critic", "role": "user", "content": "a", "content": "b"}]"#), ["0 user: b"]);
}

#[test]
fn an_input_above_the_limit_is_refused_unread() {
    assert_eq!(refused(vec![b' '; MAX_BYTES + 1]).0, ErrorKind::TooLarge);
}

#[test]
fn byte_order_marks_and_a_cut_last_character_are_no_trouble() {
    let text = r#"[{"role": "user", "content": "añ🙂"}]"#;
    let utf16: Vec<u8> = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for bytes in [text.as_bytes().to_vec(), [b"\xef\xbb\xbf", text.as_bytes()].concat(), utf16] {
        assert_eq!(read(&bytes).unwrap(), read(text.as_bytes()).unwrap());
    }
    let line = "{\"role\": \"user\", \"content\": \"a\"}\n{\"role\": \"user\", \"content\": \"\u{e9}";
    let cut = read(&line.as_bytes()[..line.len() - 1]).unwrap();
    assert_eq!((cut.messages.len(), cut.skipped["cutCharacter"], cut.skipped["brokenLine"]), (1, 1, 1));
}

#[test]
fn a_message_a_line_keeps_the_numbers_of_the_lines() {
    let input = "\n{\"role\": \"user\", \"content\": \"a\"}\n\n{oops\n{\"role\": \"assistant\", \"content\": \"b\"}\n{\"x\": 1}";
    assert_eq!(outline(input), ["1 user: a", "4 assistant: b"]);
    assert_eq!(skipped(input), "brokenLine 1, element:object 1");
    assert_eq!(outline("{\"role\": \"user\",\n \"content\": \"a\"}"), ["0 user: a"]);
}

#[test]
fn a_mixed_array_has_the_format_that_says_most() {
    let plain = json!({"role": "user", "content": "a"});
    let openai = json!({"role": "tool", "tool_call_id": "c", "content": "b"});
    let anthropic = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "c"}]});
    let format =
        |values: &[&Value]| read_messages(&values.iter().map(|v| (*v).clone()).collect::<Vec<_>>()).unwrap().format;
    assert_eq!(format(&[&plain]), Format::Plain);
    assert_eq!(format(&[&openai, &plain]), Format::OpenAiChat);
    assert_eq!(format(&[&anthropic, &openai, &plain]), Format::Anthropic);
}

#[test]
fn a_named_format_is_kept_and_an_input_of_another_is_refused() {
    let plain = br#"[{"role": "user", "content": "a"}]"#;
    for format in [Format::Plain, Format::OpenAiChat, Format::Anthropic] {
        let transcript = read_as(format, plain).unwrap();
        assert_eq!((transcript.format, transcript.messages.len()), (format, 1));
    }
    for format in [Format::ClaudeCode, Format::SpecStory] {
        assert_eq!(read_as(format, plain).unwrap_err().kind, ErrorKind::UnknownFormat);
    }
    let markdown = b"_**User (2026-01-02 10:00:00Z)**_\n\nhi\n";
    assert_eq!(read_as(Format::SpecStory, markdown).unwrap(), read(markdown).unwrap());
    assert!(read_as(Format::Plain, markdown).is_err());
}

#[test]
fn a_continuation_marks_in_every_format_and_by_the_same_id_each_time() {
    let text = "This session is being continued from a previous conversation that ran out of context. Ports.";
    let message = |role: &str| json!({"role": role, "content": text});
    let system = json!({"role": "system", "content": "be brief"});
    let values =
        [system, message("user"), message("assistant"), json!({"role": "user", "content": "on"}), message("user")];
    let markers = read_messages(&values).unwrap().markers;
    assert_eq!(
        markers.iter().map(|marker| (marker.at, marker.kept.clone())).collect::<Vec<_>>(),
        [(1, vec![0]), (4, vec![0])]
    );
    assert_ne!(markers[0].id, markers[1].id);
    assert_eq!(read_messages(&values[1..]).unwrap().markers[1].id, markers[1].id);
}

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
