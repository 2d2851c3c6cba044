use super::*;

/// Written by the published package.
const PYTHON: &str = r#"{
  "session_id": "demo",
  "turn": 2,
  "entries": [
    {
      "concept": "The Retry Queue",
      "canonical": "retry queue",
      "text": "The retry queue waits 30 s.",
      "source": "gap",
      "turn_injected": 0,
      "score": 1.0,
      "reference_count": 1,
      "stale": true
    },
    {
      "concept": "staging port",
      "canonical": "staging port",
      "text": "Staging listens on port 8445.",
      "source": "docs",
      "turn_injected": 2,
      "score": 0.9,
      "reference_count": 2,
      "stale": false
    }
  ]
}"#;

fn load(text: &str) -> Result<Ledger, Error> {
    Ledger::load("demo", Config::default(), text)
}

fn check_refused(text: &str, kind: ErrorKind, part: &str) {
    let error = load(text).unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(part), "{error}");
}

#[test]
fn what_is_no_ledger_of_this_session_is_refused_with_the_reason() {
    check_refused("", ErrorKind::Damaged, "does not read");
    check_refused(&PYTHON[..100], ErrorKind::Damaged, "line 7");
    check_refused("{\"session_id\": \"demo\", \"entries\": [1]}", ErrorKind::Damaged, "does not read");
    check_refused("{\"session_id\": \"other\"}", ErrorKind::Damaged, "`other`");
    check_refused("{\"session_id\": \"demo\", \"turn\": 4000000000}", ErrorKind::Damaged, "`4000000000`");
    check_refused(
        "{\"session_id\": \"demo\", \"diffledger\": {\"schema\": 2, \"shape\": []}}",
        ErrorKind::NewerVersion,
        "schema `2`",
    );
}

#[test]
fn a_file_of_the_python_package_is_read_as_it_is() {
    let ledger = load(PYTHON).unwrap();
    assert_eq!((ledger.turn(), ledger.stale_entries().len(), ledger.entries().len()), (2, 1, 2));
    assert!(ledger.is_known("the staging port") && !ledger.is_known("retry queue"));
    assert_eq!((ledger.concept_ref_count("staging port"), ledger.entries()[1].injections[0].score), (2, 900));
}

#[test]
fn what_is_saved_holds_the_python_form_unchanged() {
    let saved: Value = serde_json::from_str(&load(PYTHON).unwrap().saved(None)).unwrap();
    let python: Value = serde_json::from_str(PYTHON).unwrap();
    for key in ["session_id", "turn", "entries"] {
        assert_eq!(saved[key], python[key]);
    }
}

#[test]
fn a_ledger_comes_back_whole() {
    let mut ledger = Ledger::new("demo", Config { stale_turns: 2, ..Config::default() }).unwrap();
    ledger.add("Flux Capacitor", &"It needs power. ".repeat(60), "docs", 400);
    ledger.add("npcflag", "The column.", "gap", 1000);
    ledger.advance_turn();
    ledger.mark_all_stale(Some("c1"));
    ledger.add("flux capacitor", "1.21 gigawatts.", "gap", 1000);
    ledger.advance_turn();
    let again = Ledger::load("demo", ledger.config().clone(), &ledger.saved(None)).unwrap();
    assert_eq!(again.entries(), ledger.entries());
    assert_eq!(again.summary(), ledger.summary());
    assert!(again.has_crunch("c1"));
    assert_eq!(again.saved(None), ledger.saved(None));
}

#[test]
fn python_may_add_stale_and_reset_and_the_rest_stays() {
    let mut ledger = Ledger::new("demo", Config::default()).unwrap();
    ledger.add("alpha queue", "First.", "gap", 1000);
    ledger.add("beta queue", "Second.", "gap", 1000);
    let mut file: Value = serde_json::from_str(&ledger.saved(None)).unwrap();
    // What `ledger.add("alpha queue", …)` of the Python package does: out, and in again at the end.
    let mut entries = file["entries"].as_array().unwrap().clone();
    let mut alpha = entries.remove(0);
    (alpha["text"], alpha["reference_count"]) = ("Third.".into(), 2.into());
    entries.push(alpha);
    file["entries"] = entries.into();
    let again = load(&file.to_string()).unwrap();
    let names: Vec<&str> = again.entries().iter().map(|entry| entry.canonical.as_str()).collect();
    assert_eq!(names, ["alpha queue", "beta queue"]);
    let texts: Vec<&str> = again.entries()[0].injections.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["First.", "Third."]);
    (file["entries"], file["turn"]) = (Vec::<Value>::new().into(), 0.into());
    assert_eq!(load(&file.to_string()).unwrap().entries().len(), 0);
    file["entries"] = serde_json::json!([{ "concept": "gamma queue", "text": "Fourth." }]);
    assert_eq!(load(&file.to_string()).unwrap().entries().len(), 1);
}

#[test]
fn two_names_that_are_one_to_python_stay_two() {
    let mut ledger = Ledger::new("demo", Config::default()).unwrap();
    ledger.add("`Port`", "A name.", "gap", 1000);
    ledger.add("port", "A term.", "gap", 1000);
    ledger.add("src/Main.rs", "x", "gap", 1000);
    ledger.add("src/main.rs", "y", "gap", 1000);
    let again = load(&ledger.saved(None)).unwrap();
    assert_eq!(again.entries(), ledger.entries());
}

#[test]
fn a_score_is_written_as_python_writes_it() {
    for thousandths in 0..=1000 {
        let expected = serde_json::to_string(&(f64::from(thousandths) / 1000.0)).unwrap();
        assert_eq!(json::line(&Share(thousandths)), expected);
        assert_eq!(json::read::<Share>(&expected), Ok(Share(thousandths)));
    }
    assert_eq!(json::read::<Share>("7"), Ok(Share(1000)));
}
