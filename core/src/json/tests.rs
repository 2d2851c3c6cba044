use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::*;
use crate::concept::{Concept, ConceptKind};
use crate::crunch::CrunchKind;
use crate::error::{ErrorInfo, ErrorKind};
use crate::fill::{Fill, Source, SourceKind};
use crate::gap::{Candidate, EvidenceRule, Status};
use crate::hear::Heard;
use crate::ledger::{Injection, State};
use crate::log::{Cause, Event, Seq};
use crate::message::{Message, Part, Role, Synthetic};
use crate::prompt::resolution_request;
use crate::sentence::Mark;
use crate::skipped::Skipped;

fn check_refused<T: FromJson + Debug>(text: &str, why: &str) {
    assert_eq!(read::<T>(text).unwrap_err(), why, "{text}");
}

fn check_written<T: ToJson + Serialize>(value: &T) {
    assert_eq!(line(value), serde_json::to_string(value).unwrap());
    assert_eq!(pretty(value), serde_json::to_string_pretty(value).unwrap());
}

fn check<T: ToJson + FromJson + Serialize + PartialEq + Debug>(value: &T) {
    check_written(value);
    assert_eq!(read::<T>(&line(value)).as_ref(), Ok(value));
}

fn check_words<T: ToJson + FromJson + Serialize + PartialEq + Debug>(all: &[T]) {
    assert!(all.len() > 1);
    all.iter().for_each(check);
}

fn message() -> Message {
    let parts = vec![
        Part::Text { text: "Is it \"up\"?\n".into() },
        Part::ToolCall { id: "1".into(), name: "Bash".into(), input: r#"{"command":"make"}"#.into() },
        Part::ToolResult { call: "1".into(), text: "añ🙂\u{1b}".into(), error: true },
        Part::Reasoning { text: String::new() },
        Part::Opaque { kind: "image".into(), raw: "{}".into() },
    ];
    Message { id: Some("m".into()), role: Role::Tool, parts, synthetic: Some(Synthetic::Notice), place: 7 }
}

fn injection() -> Injection {
    let (text, source, seqs) = ("It waits.".into(), "log".into(), vec![Seq(1), Seq(2)]);
    Injection { turn: 3, text, source, score: 875, fence: Some(2), seqs, ended: true }
}

#[test]
fn what_does_not_read_is_named_with_its_place() {
    let window = r#"{"window":{"cause":"rewind","view":[1,"x"]}}"#;
    check_refused::<Event>(window, r#"`window.view[1]` is `"x"`, not a whole number from 0 to 4294967295"#);
    check_refused::<Event>(r#"{"append":{"seq":-1}}"#, "`append.seq` is `-1`, not a whole number from 0 to 4294967295");
    check_refused::<Event>(r#"{"append":{}}"#, "`append.seq` is missing");
    check_refused::<Event>(r#""append""#, "`append.seq` is missing");
    check_refused::<Event>(r#""leap""#, r#"it is `"leap"`, not an event"#);
    check_refused::<Event>("[]", "it is `[]`, not one name with its fields");
    check_refused::<Injection>("1", "it is `1`, not an object");
    check_refused::<Vec<Role>>(
        r#"["user","critic"]"#,
        r#"`[1]` is `"critic"`, not one of system, user, assistant, tool"#,
    );
    check_refused::<(u32, u32)>("[1]", "it is `[1]`, not two numbers");
    check_refused::<bool>("[1", "EOF while parsing a list at line 1 column 2");
    let part = r#"{"role":"user","parts":[{"text":{"text":null}}],"place":0}"#;
    check_refused::<Message>(part, "`parts[0].text.text` is `null`, not a text");
}

#[test]
fn every_event_is_written_as_serde_writes_it_and_comes_back() {
    for cause in [Cause::Crunch { id: "x".into() }, Cause::Rewind, Cause::Edit, Cause::Restore] {
        check(&Event::Window { cause, view: vec![Seq(0), Seq(4)] });
    }
    let (concept, text, source) = (String::from("port"), String::from("8444"), String::from("docs"));
    check(&Event::Inject { entry: Some(1), concept, text, source, score: 1000, fence: None, seqs: Vec::new() });
    check(&Event::Fences { visible: vec![1, 2] });
    check(&Event::MarkStale { crunch: None });
    check(&Event::MarkStale { crunch: Some("c".into()) });
    check(&Event::Append { seq: Seq(3) });
    check(&Event::Forget { seqs: vec![Seq(3)] });
    check(&Event::Advance);
}

#[test]
fn messages_and_what_they_tell_are_written_as_serde_writes_them_and_come_back() {
    check(&message());
    check(&Message::text(Role::User, "hello"));
    check(&injection());
    let concept = Concept::named("retry queue");
    check(&Heard { concept, stated: true, said: false, marks: vec![Mark::Task, Mark::Failure] });
}

#[test]
fn results_are_written_as_serde_writes_them() {
    let source = Source { kind: SourceKind::Remote, seqs: vec![Seq(1)], id: Some("a".into()) };
    check_written(&Fill { concept: "a".into(), text: "b".into(), source, tokens: 1, cut: true });
    check_written(&Candidate { concept: "a".into(), entry: 1, score: 900 });
    check_written(&resolution_request("why?", &[]));
    for kind in ErrorKind::ALL {
        check_written(&ErrorInfo { code: *kind, message: "no".into() });
    }
}

#[test]
fn every_word_is_that_of_serde_and_comes_back() {
    check_words(Role::ALL);
    check_words(Synthetic::ALL);
    check_words(ConceptKind::ALL);
    check_words(Mark::ALL);
    check_words(State::ALL);
    check_words(Status::ALL);
    check_words(EvidenceRule::ALL);
    check_words(CrunchKind::ALL);
    check_words(SourceKind::ALL);
}

#[test]
fn numbers_and_empty_values_are_written_as_serde_writes_them() {
    check_written(&vec![0.0, -0.5, 1e21, 0.1 + 0.2, f64::NAN]);
    check_written(&vec![u64::MAX, 0]);
    check_written(&vec![None, Some((1, 2))]);
    check_written(&Vec::<String>::new());
    let mut skipped = Skipped::default();
    check_written(&skipped);
    skipped.add("b", 2);
    skipped.add("a\"", 1);
    check_written(&skipped);
    let value = json!({ "b": [1, 2.5, null], "a": { "c": true } });
    check_written(&value);
}

proptest! {
    #[test]
    fn any_text_is_written_as_serde_writes_it_and_comes_back(text in any::<String>()) {
        prop_assert_eq!(line(&text), serde_json::to_string(&text).unwrap());
        prop_assert_eq!(read::<String>(&line(&text)), Ok(text));
    }

    #[test]
    fn any_nesting_is_laid_out_as_serde_does_it(lists in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 0..3), 0..3)) {
        prop_assert_eq!(pretty(&lists), serde_json::to_string_pretty(&lists).unwrap());
    }
}
