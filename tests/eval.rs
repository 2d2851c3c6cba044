//! The evaluation's command: a line a case, in order, and nothing else on standard output.
#![cfg(not(target_arch = "wasm32"))]

use std::process::{Command, Output};

use serde_json::{Value, json};

/// Runs `eval` on a file of these lines.
fn eval(name: &str, lines: &[String]) -> Output {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, lines.join("\n")).unwrap();
    Command::new(env!("CARGO_BIN_EXE_eval")).arg("refill").arg(path).output().unwrap()
}

fn case(id: &str, message: &str) -> String {
    let said = |role: &str, text: &str| json!({ "role": role, "text": text });
    let messages = json!([
        said("user", "How do we reach staging?"),
        said("assistant", "Through the tunnel: staging listens on port 8444."),
        said("user", "Good. Now the parser."),
        said("assistant", "The parser is done."),
    ]);
    json!({ "id": id, "messages": messages, "keep": 0, "message": message }).to_string()
}

#[test]
fn each_case_is_answered_on_its_line_in_order() {
    let cases =
        ["", &case("z/first", "which port was staging on?"), "", &case("a/second", "thanks!")].map(str::to_owned);
    let output = eval("two-cases.jsonl", &cases);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = lines.iter().filter_map(|line| line["id"].as_str()).collect();
    assert_eq!(ids, ["z/first", "a/second"]);
    assert_eq!(lines[0]["fills"], json!(["Through the tunnel: staging listens on port 8444."]));
    assert!(lines[0]["concepts"].as_array().is_some_and(|concepts| !concepts.is_empty()));
    assert_eq!((&lines[1]["fills"], &lines[1]["concepts"]), (&json!([]), &json!([])));
}

#[test]
fn a_broken_case_is_named_by_its_line() {
    let output = eval("broken-case.jsonl", &[case("one", "why?"), "{\"id\":".to_owned()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("line 2"), "{error}");
}

#[test]
fn without_its_arguments_it_says_how_it_is_used() {
    let output = Command::new(env!("CARGO_BIN_EXE_eval")).output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().contains("usage: eval refill CASES.jsonl"));
}
