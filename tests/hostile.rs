//! Bad input: a typed error or a counted skip, never a panic, and what is understood is learnt.
#![cfg(not(target_arch = "wasm32"))]

use diffledger_core::config::Config;
use diffledger_core::error::ErrorKind;
use diffledger_core::replay::{Options, replay};
use diffledger_core::session::Session;
use diffledger_core::transcript::{self, Transcript};

const GOOD: &str = r#"{"role": "assistant", "content": "The retry queue waits 30 s."}"#;

/// The input is read as far as it goes: the retry queue is learnt, and `skipped` says what was not.
fn check(input: impl AsRef<[u8]>, skipped: &[(&str, u32)]) {
    let transcript = transcript::read(input.as_ref()).unwrap();
    for (what, number) in skipped {
        assert_eq!(transcript.skipped.get(what), *number, "{what}: {:?}", transcript.skipped);
    }
    let mut session = Session::new("hostile", Config::default()).unwrap();
    let turn = session.turn(&transcript);
    assert_eq!(turn.skipped, transcript.skipped);
    assert!(session.ledger().is_known("retry queue"));
    assert_eq!(session.turn(&transcript).crunch, None);
    let (replayed, _) = replay(&transcript, Config::default(), Options { crunch_from: Some(1) }).unwrap();
    assert!(replayed.log().atoms().len() >= transcript.messages.len());
}

fn refused(input: impl AsRef<[u8]>, kind: ErrorKind) {
    let error = transcript::read(input.as_ref()).unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.chars().count() < 400, "{error}");
}

#[test]
fn what_holds_nothing_is_refused() {
    for input in ["", " ", "\n\t \n", "\u{feff}", "\u{feff} "] {
        refused(input, ErrorKind::UnknownFormat);
    }
    for input in ["hello", "null", "3", "\"text\"", "{}", "<html></html>", "[[[]]]", "{\"a\":1}\n{\"b\":2}"] {
        assert!(transcript::read(input.as_bytes()).is_err(), "{input}");
    }
}

#[test]
fn an_empty_conversation_is_one() {
    let transcript = transcript::read(b"[]").unwrap();
    let mut session = Session::new("hostile", Config::default()).unwrap();
    let turn = session.turn(&transcript);
    assert_eq!((turn.id, turn.inject.as_str(), session.log().atoms().len()), (0, "", 0));
}

#[test]
fn binary_is_refused() {
    refused([0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0xff], ErrorKind::NotText);
    refused((0..=255).collect::<Vec<u8>>(), ErrorKind::NotText);
    refused([0xff, 0xfe, 0x00], ErrorKind::NotText);
    let all_zero = transcript::read(&[0; 4096]).unwrap_err();
    assert!(matches!(all_zero.kind, ErrorKind::NotText | ErrorKind::UnknownFormat), "{all_zero}");
}

#[test]
fn utf16_with_its_mark_is_read_and_without_it_is_refused() {
    let units =
        |mark: &str| -> Vec<u8> { format!("{mark}[{GOOD}]").encode_utf16().flat_map(u16::to_le_bytes).collect() };
    check(units("\u{feff}"), &[]);
    assert!(transcript::read(&units("")).is_err());
}

#[test]
fn a_broken_line_costs_that_line() {
    check(format!("{GOOD}\n{{\"role\": \"user\", \"cont\n{GOOD}\n]]\n"), &[("brokenLine", 2)]);
    check(format!("{GOOD}\n\n\n   \n{}", &GOOD[..30]), &[("brokenLine", 1)]);
    refused(&GOOD[..30], ErrorKind::InvalidJson);
}

#[test]
fn unknown_roles_and_record_types_are_counted() {
    check(
        format!(r#"[{{"role": "critic", "content": "hm"}}, {GOOD}, {{"role": "", "content": 3}}, 7]"#),
        &[("role:critic", 1)],
    );
    let record = |kind: &str, text: &str| {
        format!(r#"{{"type": "{kind}", "uuid": "{kind}", "message": {{"content": "{text}"}}}}"#)
    };
    let lines = [
        record("user", "hi"),
        record("progress", ""),
        record("zork", "x"),
        record("assistant", "The retry queue waits 30 s."),
    ];
    check(lines.join("\n"), &[("recordType:zork", 1)]);
}

#[test]
fn half_a_surrogate_pair_costs_one_character() {
    check(r#"[{"role": "user", "content": "a \ud83d b \udc00 The retry queue waits 30 s."}]"#, &[("loneSurrogate", 2)]);
}

#[test]
fn deep_nesting_is_no_stack_overflow() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for depth in [200, 100_000] {
        assert!(transcript::read(nested(depth).as_bytes()).is_err());
        check(format!("{GOOD}\n{{\"role\": \"user\", \"content\": {}}}", nested(depth)), &[]);
        let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        check(format!("{GOOD}\n{{\"role\": \"user\", \"content\": {objects}}}"), &[]);
        // As text it is nothing special.
        let text = serde_json::json!({ "role": "user", "content": nested(depth) });
        check(format!("[{GOOD}, {text}]"), &[]);
        let call = serde_json::json!({ "role": "assistant", "content": null, "tool_calls": [
            { "id": "1", "type": "function", "function": { "name": "f", "arguments": objects } }] });
        check(format!("[{GOOD}, {call}]"), &[]);
    }
}

const FIFTY_MEGABYTES: usize = 50 << 20;

fn is_learnt(input: &str) -> Transcript {
    let transcript = transcript::read(input.as_bytes()).unwrap();
    let mut session = Session::new("hostile", Config::default()).unwrap();
    session.turn(&transcript);
    assert!(session.ledger().is_known("retry queue"));
    transcript
}

#[test]
fn fifty_megabytes_in_one_line_are_read() {
    let blob = "A".repeat(FIFTY_MEGABYTES);
    let image = format!(r#"[{{"type": "image", "source": {{"data": "{blob}"}}}}]"#);
    is_learnt(&format!(r#"[{GOOD}, {{"role": "user", "content": {image}}}]"#));
    // A tenth of it as one word: unoptimised, learning takes its time.
    let word = &blob[..FIFTY_MEGABYTES / 10];
    is_learnt(&format!(r#"[{GOOD}, {{"role": "assistant", "content": "{word}"}}]"#));
    refused(blob, ErrorKind::UnknownFormat);
}

#[test]
fn fifty_megabytes_of_broken_lines_are_counted() {
    let line = "{\"role\": \"user\", \"content\": \"cut in the midd\n";
    let number = FIFTY_MEGABYTES / line.len();
    let many = is_learnt(&format!("{GOOD}\n{}", line.repeat(number)));
    assert_eq!(many.skipped.get("brokenLine") as usize, number);
}

#[test]
fn many_messages_and_few_words_are_learnt() {
    let messages = format!("{GOOD}\n").repeat(5_000);
    let transcript = transcript::read(messages.as_bytes()).unwrap();
    let mut session = Session::new("hostile", Config::default()).unwrap();
    session.turn(&transcript);
    assert_eq!(session.log().atoms().len(), 5_000);
    assert!(session.ledger().is_known("retry queue"));
}

#[test]
fn a_session_id_that_could_leave_its_folder_is_refused() {
    let long = "x".repeat(300);
    for id in ["", ".", "..", "../../x", "a/b", "a\\b", "/etc/passwd", "C:x", ".hidden", "a\0b", "a\nb", " ", &long] {
        let error = Session::new(id, Config::default()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidSessionId, "{id}");
        assert!(error.message.chars().count() < 200, "{error}");
    }
    for id in ["default", "5b0c7a3e-9f41-4d86", "a.b_c-D", "会话", &"x".repeat(128)] {
        assert!(Session::new(id, Config::default()).is_ok(), "{id}");
    }
}

#[test]
fn an_absurd_option_is_refused_by_name() {
    let absurd = [
        ("jaccard", Config { jaccard: 0, ..Config::default() }),
        ("jaccard", Config { jaccard: u32::MAX, ..Config::default() }),
        ("stale_turns", Config { stale_turns: 0, ..Config::default() }),
        ("stale_turns", Config { stale_turns: u32::MAX, ..Config::default() }),
        ("gap_max", Config { gap_max: u32::MAX, ..Config::default() }),
        ("fill_chars", Config { fill_chars: 0, ..Config::default() }),
        ("fill_chars", Config { fill_chars: u32::MAX, ..Config::default() }),
        ("fill_tokens", Config { fill_tokens: 0, ..Config::default() }),
        ("log_bytes", Config { log_bytes: 0, ..Config::default() }),
        ("log_bytes", Config { log_bytes: u64::MAX, ..Config::default() }),
    ];
    for (name, config) in absurd {
        let error = Session::new("hostile", config).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidOption);
        assert!(error.message.contains(&format!("`{name}`")), "{error}");
    }
    assert!(serde_json::from_str::<Config>(r#"{"gap_max": -1}"#).is_err());
    assert!(serde_json::from_str::<Config>(r#"{"gapmax": 1}"#).is_err());
}

#[test]
fn the_edges_of_the_options_work() {
    let edges = [
        Config {
            gap_max: 0,
            fill_chars: 20,
            fill_tokens: 10,
            jaccard: 1,
            stale_turns: 1,
            log_bytes: 1024,
            ..Config::default()
        },
        Config { gap_max: 100, fill_chars: 100_000, fill_tokens: 1_000_000, jaccard: 1000, ..Config::default() },
    ];
    let transcript = transcript::read(diffledger_tests::STORY.as_bytes()).unwrap();
    for config in edges {
        let most = config.gap_max as usize;
        let (_, frames) = replay(&transcript, config, Options { crunch_from: Some(12) }).unwrap();
        assert!(frames.iter().all(|frame| frame.turn.fills.len() <= most));
    }
}
