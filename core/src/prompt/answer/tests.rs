use proptest::prelude::*;
use serde_json::json;

use super::*;

/// The answer's references, with three choices.
fn check(text: &str, expected: &[u32]) {
    assert_eq!(read_answer(text, 3).map(|answer| answer.references).as_deref(), Ok(expected), "{text}");
}

/// The answer is refused, and the reason contains `reason`.
fn check_refused(text: &str, reason: &str) {
    let error = read_answer(text, 3).expect_err(&shown(text));
    assert_eq!(error.kind, ErrorKind::InvalidAnswer, "{}", shown(text));
    assert!(error.message.contains(reason), "{}: {}", shown(text), error.message);
}

fn envelope(response: &str) -> String {
    json!({ "model": "m", "response": response, "done": true, "done_reason": "stop" }).to_string()
}

#[test]
fn numbers_are_read_in_every_unambiguous_writing() {
    for list in
        ["[1]", r#"["1"]"#, "[1.0]", "[1e0]", r##"["#1"]"##, r#"[" 1 "]"#, r#"["1."]"#, r#"["1.0"]"#, r#"["1)"]"#]
    {
        check(&format!("{{\"references\": {list}}}"), &[1]);
    }
    check(r#"{"references": ["１", "＃２"]}"#, &[1, 2]);
    check(r#"{"references": 2}"#, &[2]);
    check(r#"{"references": "2", "concepts": null}"#, &[2]);
}

#[test]
fn order_is_kept_and_repeats_count_once() {
    check(r#"{"references": [3, 1, "3", 1.0, 3]}"#, &[3, 1]);
}

#[test]
fn one_level_of_nesting_is_opened() {
    check(r#"{"references": [[1, 2]]}"#, &[1, 2]);
    check(r#"{"references": [[2], [1]]}"#, &[2, 1]);
    check(r#"{"references": {"ids": [1]}}"#, &[1]);
    check(r#"{"references": [{"number": 2, "concept": "retry queue"}]}"#, &[2]);
    check(r#"{"answer": {"references": [1]}}"#, &[1]);
    check(r#"{"reason": "a port", "result": {"references": [1], "concepts": []}}"#, &[1]);
    check(r#"[{"references": [1]}]"#, &[1]);
}

#[test]
fn nesting_that_can_mean_several_things_is_refused() {
    check_refused(r#"{"references": [[[1]]]}"#, "`[1]`");
    check_refused(r#"{"references": {"ids": [1], "old": [2]}}"#, "no list");
    check_refused(r#"{"references": {"excluded": [1]}}"#, "no list");
    check_refused(r#"{"references": {"1": "retry queue"}}"#, "no list");
    check_refused(r#"{"references": [{"index": 1}]}"#, "not a number");
    check_refused(r#"{"a": {"references": [1]}, "b": {"references": [2]}}"#, "no `references`");
}

#[test]
fn the_last_object_counts_wherever_it_stands() {
    check("```json\n{\"references\": [1]}\n```", &[1]);
    check("Sure! It is {\"references\": [1]}, I think.", &[1]);
    check("first {\"references\": [1]}, no: {\"references\": [2]}<|im_end|>", &[2]);
    check("a set {1, 2} and a {placeholder}: {\"references\": [1]} {see above}", &[1]);
    check(r#"{"references": [1], "concepts": ["a } and a { in \" quotes"]}"#, &[1]);
    check("{result: {\"references\": [1]}}", &[1]);
    check_refused(r#"{"references": [1]} {"confidence": 0.9}"#, "no `references`");
}

#[test]
fn thoughts_are_no_answer() {
    check("<think>maybe {\"references\": [3]}?</think>\n{\"references\": [1]}", &[1]);
    check("maybe {\"references\": [3]}?\n</think>\n{\"references\": [1]}", &[1]);
    check("<think>a <think> b </think> {\"references\": [3]} </think> {\"references\": [1]}", &[1]);
    check("{\"references\": [1]}<think>was that right? {\"references\": [2]}", &[1]);
    check_refused("<think>maybe {\"references\": [3]}", "only thought");
    check_refused("<think></think>\n", "only thought");
}

#[test]
fn an_answer_may_speak_of_thoughts() {
    let answer = read_answer(r#"{"references": [1], "concepts": ["the <think> tag"]}"#, 3).unwrap();
    assert_eq!(answer.concepts, ["the <think> tag"]);
}

#[test]
fn one_number_off_the_list_refuses_the_answer() {
    for list in ["[1, 4]", "[1, 0]", "[1, -0.0]", r#"["0"]"#, "[4294967297]", "[18446744073709551615]", "[1, 99.0]"] {
        check_refused(&format!("{{\"references\": {list}}}"), "not on the list of 3");
    }
    assert!(read_answer(r#"{"references": [1]}"#, 0).is_err());
}

#[test]
fn what_is_no_whole_number_is_refused() {
    for item in [
        "1.5", "-1", "-1.0", "true", "null", "\"one\"", "\"1,2\"", "\"1-3\"", "\"+1\"", "\"\"", "\"#\"", "1e300", "[]",
        "{}",
    ] {
        let reason = if item == "[]" { continue } else { "not a number of the list" };
        check_refused(&format!("{{\"references\": [1, {item}]}}"), reason);
    }
    for text in ["①", "١", "一", "1. retry queue", "99999999999999999999999"] {
        check_refused(&format!("{{\"references\": [\"{text}\"]}}"), "not a number of the list");
    }
}

#[test]
fn an_empty_list_says_that_nothing_is_meant() {
    check(r#"{"references": []}"#, &[]);
    check(r#"{"references": [], "concepts": []}"#, &[]);
    check(r#"{"references": [[]]}"#, &[]);
}

#[test]
fn no_list_says_nothing() {
    check_refused("{}", "no `references`");
    check_refused(r#"{"concepts": []}"#, "no `references`");
    check_refused(r#"{"references": null}"#, "empty list");
    check_refused(r#"{"reference": [1]}"#, "no `references`");
    check_refused(r#"{"references": [1], "references": [2]}"#, "twice");
}

#[test]
fn a_text_without_an_object_is_no_answer() {
    check_refused("", "is empty");
    check_refused(" \n", "is empty");
    check_refused("The message refers to the retry queue.", "no JSON object: `The message");
    check_refused("[1, 2]", "no JSON object");
    check_refused("{'references': [1]}", "no JSON object");
    check_refused("null", "no JSON object");
}

#[test]
fn an_object_that_never_ends_is_no_answer() {
    check_refused(r#"{"references": [1, "#, "cut off");
    check_refused(r#"{"references": [1], "concepts": ["ret"#, "cut off");
    check_refused(r#"{"references": [1]} or rather {"references": [2"#, "cut off");
    check_refused(r#"{"answer": {"references": [1]}"#, "cut off");
}

#[test]
fn a_model_in_a_loop_is_refused() {
    check_refused(&format!("{{\"references\": [1{}]}}", ", 1".repeat(MOST_REFERENCES)), "more than 32");
    check_refused(
        &format!("{{\"references\": [], \"concepts\": [\"a\"{}]}}", ", \"a\"".repeat(MOST_CONCEPTS)),
        "more than 16",
    );
    check_refused(&"so: {".repeat(MOST_BYTES), "bytes");
}

#[test]
fn concepts_are_trimmed_and_named_once() {
    let answer = read_answer(r#"{"concepts": [" rate limiter ", "rate limiter", "", "k8s"]}"#, 3).unwrap();
    assert_eq!(answer, Answer { references: vec![], concepts: vec!["rate limiter".into(), "k8s".into()] });
    assert_eq!(read_answer(r#"{"references": [], "concepts": "k8s"}"#, 3).unwrap().concepts, ["k8s"]);
    check_refused(r#"{"references": [1], "concepts": [7]}"#, "concept `7` is no text");
    check_refused(
        &format!("{{\"references\": [1], \"concepts\": [\"{}\"]}}", "x".repeat(CONCEPT_CHARS + 1)),
        "longer than",
    );
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{{\"references\": {}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
    check_refused(&deep, "no JSON object");
    check_refused(&"{\"a\":".repeat(1000), "cut off");
    check_refused(&"</think><think>".repeat(100_000), "only thought");
}

#[test]
fn an_envelope_is_opened() {
    assert_eq!(read_envelope(&envelope(r#"{"references": [2]}"#), 3).unwrap().references, [2]);
    let bare = json!({ "response": "{\"references\": []}" }).to_string();
    assert_eq!(read_envelope(&bare, 3), Ok(Answer::default()));
}

#[test]
fn an_envelope_without_an_answer_says_why() {
    let cases = [
        (r#"{"error": "model 'x' not found"}"#.to_owned(), "`model 'x' not found`"),
        (r#"{"error": {"message": "busy"}, "response": "{\"references\": [1]}"}"#.to_owned(), "busy"),
        (json!({ "response": "{\"references\": [1]}", "done": true, "done_reason": "length" }).to_string(), "`length`"),
        (json!({ "response": "{\"references\": [1]}", "done": false }).to_string(), "not finished"),
        (json!({ "response": "", "thinking": "hm", "done": true }).to_string(), "only thought"),
        (envelope(""), "is empty"),
        (envelope("I do not know"), "no JSON object"),
        (r#"{"done": true}"#.to_owned(), "`response`"),
        (r#"{"response": {"references": [1]}}"#.to_owned(), "`response`"),
        ("<html>502 Bad Gateway</html>".to_owned(), "502 Bad Gateway"),
        ("[]".to_owned(), "no JSON object"),
        (String::new(), "no JSON object"),
    ];
    for (body, reason) in cases {
        let error = read_envelope(&body, 3).expect_err(&body);
        assert_eq!(error.kind, ErrorKind::InvalidAnswer, "{body}");
        assert!(error.message.contains(reason), "{body}: {}", error.message);
    }
}

/// Pieces that answers are made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{\"references\": "),
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just("1"),
        Just("\"2\""),
        Just(","),
        Just("\"concepts\": "),
        Just("<think>"),
        Just("</think>"),
        Just("```"),
        Just("\""),
        Just("\\"),
        Just("1.5"),
        Just("null"),
        Just("é"),
        Just("{\"references\": [1, 3]}"),
        Just("\u{0}"),
        Just(" ")
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn hold(text: &str, choices: u32) {
    if let Ok(Answer { references, .. }) = read_answer(text, choices) {
        assert!(references.iter().all(|number| (1..=choices).contains(number)), "{text}");
        assert!((1..references.len()).all(|i| !references[..i].contains(&references[i])), "{text}");
    }
    let _ = read_envelope(text, choices);
    let _ = read_envelope(&envelope(text), choices);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), choices in any::<u32>()) {
        hold(&text, choices);
    }

    #[test]
    fn anything_like_an_answer_is_read_or_refused(text in pieces(), choices in 0_u32..5) {
        hold(&text, choices);
    }

    #[test]
    fn a_chosen_list_comes_back(numbers in proptest::collection::btree_set(1_u32..=20, 0..10)) {
        let numbers: Vec<u32> = numbers.into_iter().collect();
        let text = json!({ "references": numbers, "concepts": [] }).to_string();
        prop_assert_eq!(read_answer(&text, 20).unwrap().references, numbers);
    }
}
