//! What is a compaction, what is none, and what it leaves.

use super::*;

#[test]
fn a_marker_that_stays_in_the_transcript_is_one_crunch() {
    let summary = "This session is being continued from a previous conversation that ran out of context. The summary below covers it: we talked.";
    let text = format!(
        r#"[{{"role":"user","content":"The retry queue holds failed posts."}},{{"role":"user","content":"{summary}"}},{{"role":"user","content":"now the parser"}}]"#
    );
    let mut session = session();
    let first = session.turn(&transcript::read(text.as_bytes()).unwrap());
    assert_eq!(first.crunch.map(|crunch| crunch.kind), Some(CrunchKind::Marker));
    let longer = text.replace(
        r#""now the parser"}"#,
        r#""now the parser"},{"role":"assistant","content":"ok"},{"role":"user","content":"and again"}"#,
    );
    for _ in 0..3 {
        assert_eq!(session.turn(&transcript::read(longer.as_bytes()).unwrap()).crunch, None);
    }
}

#[test]
fn quoting_the_marker_is_no_crunch() {
    let mut session = set_up();
    let turn = ask(
        &mut session,
        "why does it say \"This session is being continued from a previous conversation that ran out of context\"?",
    );
    assert_eq!(turn.crunch, None);
    assert_eq!(session.ledger().stale_entries().len(), 0);
}

#[test]
fn session_ids_cannot_leave_their_folder() {
    for id in ["../../x", "a/b", "a\\b", "", "..", ".hidden", "a\0b", "a b", &"x".repeat(300)] {
        let error = Session::new(id, Config::default()).unwrap_err();
        assert_eq!(error.kind, crate::error::ErrorKind::InvalidSessionId, "{id}");
    }
    for id in ["default", "my-session_2.0", "会话", "5f0c1c0e-1f0a-4a3e-9f63-1f0f3f1f2f3f"] {
        assert!(Session::new(id, Config::default()).is_ok(), "{id}");
    }
}

#[test]
fn a_summary_keeps_live_what_it_states() {
    let mut session = set_up();
    let crunch = session.crunch_with_summary(0, "We built the retry queue and the rate limiter.");
    assert!(
        crunch.lost.contains(&"port 8443".to_owned()) && !crunch.lost.contains(&"retry queue".to_owned()),
        "{crunch:?}"
    );
    assert!(crunch.survived.contains(&"retry queue".to_owned()));
    assert_eq!(crunch.lost.len(), crunch.lost_kinds.len());
    let entry = session.ledger().entries().iter().find(|entry| entry.canonical == "retry queue").unwrap();
    assert_eq!(session.ledger().why(entry), crate::ledger::Why::Summary);
}

#[test]
fn placeholders_between_two_calls_are_a_crunch_and_their_results_are_lost() {
    let result = |text: &str| {
        let mut message = Message::text(Role::Tool, "");
        message.parts = vec![Part::ToolResult { call: "c1".into(), text: text.into(), error: false }];
        message.synthetic = transcript::is_placeholder(text).then_some(Synthetic::Placeholder);
        message
    };
    let mut call = assistant("Looking.");
    call.parts.push(Part::ToolCall {
        id: "c1".into(),
        name: "Read".into(),
        input: r#"{"file_path":"ops/tunnel.toml"}"#.into(),
    });
    let before = [
        user("look at the tunnel"),
        call.clone(),
        result("bastion_host = bastion_internal_7"),
        assistant("Done."),
        user("go on"),
    ];
    let after = [
        user("look at the tunnel"),
        call,
        result("[Old tool result content cleared]"),
        assistant("Done."),
        user("go on"),
    ];
    let mut session = session();
    session.turn(&array(&before));
    let turn = session.turn(&array(&after));
    let crunch = turn.crunch.unwrap();
    assert_eq!((crunch.kind, crunch.dropped.as_slice()), (CrunchKind::Placeholder, &[Seq(2)][..]));
    assert!(crunch.lost.contains(&"bastion_internal_7".to_owned()), "{crunch:?}");
    let longer: Vec<Message> = after.into_iter().chain([assistant("On it."), user("thanks")]).collect();
    assert_eq!(session.turn(&array(&longer)).crunch, None);
}

#[test]
fn the_same_array_twice_gives_the_same_turn_and_learns_nothing_twice() {
    let mut session = session();
    let whole = [
        user("How does the retry queue work?"),
        assistant("The retry queue waits 30 s."),
        user("and the parser?"),
        assistant("It parses."),
    ];
    session.turn(&array(&whole));
    let shorter = [whole[2].clone(), whole[3].clone(), user("how does the retry queue work again")];
    let first = session.turn(&array(&shorter));
    let atoms = session.log().atoms().len();
    assert!(first.crunch.is_some() && !first.inject.is_empty());
    assert_eq!(session.turn(&array(&shorter)), first);
    assert_eq!(session.log().atoms().len(), atoms);
}

#[test]
fn what_was_taken_back_is_not_lost() {
    let mut session = session();
    session.turn(&array(&[user("name the host"), assistant("The host is bastion_seven.")]));
    let turn = session.turn(&array(&[
        user("name the host"),
        assistant("The host is tower_nine."),
        user("what is bastion_seven?"),
    ]));
    assert_eq!(turn.crunch, None);
    assert!(turn.fills.is_empty(), "{turn:?}");
}

#[test]
fn a_turn_that_ends_in_an_answer_only_learns() {
    let mut session = session();
    let turn = session.turn(&array(&[user("how does it work again"), assistant("Like this.")]));
    assert!(turn.gaps.is_empty() && turn.inject.is_empty());
}

#[test]
fn a_result_never_stays_without_its_call() {
    let result = |call: &str| {
        let mut message = Message::text(Role::Tool, "");
        message.parts = vec![Part::ToolResult { call: call.into(), text: "out".into(), error: false }];
        message
    };
    let mut call = assistant("Both.");
    for id in ["1", "2"] {
        call.parts.push(Part::ToolCall { id: id.into(), name: "Read".into(), input: "{}".into() });
    }
    let mut reminder = user("be kind");
    reminder.synthetic = Some(Synthetic::Reminder);
    for (keep, with_summary) in [(1, false), (1, true), (2, false), (2, true), (3, false)] {
        let mut session = session();
        session.extend([user("go"), call.clone(), result("1"), reminder.clone(), result("2")]);
        if with_summary {
            session.crunch_with_summary(keep, "We went.");
        } else {
            session.crunch_to(keep);
        }
        let view = session.log().view();
        assert!([1, 2, 4].iter().all(|seq| view.contains(&Seq(*seq))), "keep {keep}: {view:?}");
        assert!(!view.contains(&Seq(0)));
    }
}

#[test]
fn a_fold_over_a_log_that_forgot_texts_gives_the_same_ledger() {
    let config = Config { log_bytes: 1024, ..Config::default() };
    let mut session = Session::new("test", config.clone()).unwrap();
    session.extend([user("The retry queue waits 30 s."), assistant("The staging tunnel is up.")]);
    session.crunch_all();
    session.extend([user(&"filler ".repeat(200)), assistant("The rate limiter counts.")]);
    let folded = Ledger::fold("test", config, session.log()).unwrap();
    assert_eq!(folded.entries(), session.ledger().entries());
}

#[test]
fn a_fold_over_the_log_gives_the_same_ledger() {
    let mut session = set_up();
    session.crunch_all();
    ask(&mut session, "how does the retry queue work?");
    session.crunch_with_summary(1, "The rate limiter is done.");
    ask(&mut session, "which port was staging on?");
    let folded = Ledger::fold("test", Config::default(), session.log()).unwrap();
    assert_eq!(folded.entries(), session.ledger().entries());
    assert_eq!(folded.summary(), session.ledger().summary());
}

#[test]
fn a_conversation_that_is_learnt_in_parts_is_learnt_as_a_whole() {
    let story = include_bytes!("../../../../web/story.jsonl");
    let story = transcript::read(story).unwrap();
    let mut whole = session();
    let turn = whole.turn(&story);
    assert!(turn.crunch.is_some());
    let mut parts = session();
    for from in (0..story.messages.len()).step_by(7) {
        parts.learn_part(&story, from..from + 7);
    }
    assert_eq!(parts.turn(&story), turn);
    assert_eq!(parts.ledger().entries(), whole.ledger().entries());
    assert_eq!(parts.log().view(), whole.log().view());
    // Given up in the middle, the rest comes with the next turn.
    let mut half = session();
    half.learn_part(&story, 0..60);
    half.turn(&story);
    assert_eq!(half.ledger().summary(), whole.ledger().summary());
}
