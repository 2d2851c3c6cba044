//! Bad input: a typed error that names the place, or a counted skip; never a panic.

use serde_json::{Value, json};

use super::{outline, skipped};
use crate::error::ErrorKind;
use crate::transcript::{Format, MAX_BYTES, read, read_as, read_messages};

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
    assert!(skipped.len() <= 201 && skipped.iter().all(|(name, _)| name.len() <= 60));
    assert_eq!(skipped.iter().map(|(_, count)| count).sum::<u32>(), 5000);
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
    assert_eq!((transcript.messages.len(), transcript.skipped.get("tooDeep")), (1, 1));
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
    assert_eq!((cut.messages.len(), cut.skipped.get("cutCharacter"), cut.skipped.get("brokenLine")), (1, 1, 1));
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
