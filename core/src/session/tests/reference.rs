//! What a message refers to after a compaction.

use super::*;

#[test]
fn a_session_that_was_only_talked_in_is_learnt() {
    let mut session = set_up();
    session.crunch_all();
    let turn = ask(&mut session, "how long do failed posts wait in the retry queue?");
    assert!(filled(&turn).contains("failed posts wait 30 s"), "{turn:?}");
}

#[test]
fn ordinals_count_first_mentions_over_the_whole_session_across_crunches() {
    let mut session = set_up();
    session.crunch_all();
    ask(&mut session, "add a metrics page");
    session.extend([assistant(
        "I set up the metrics page. The retry queue, the retry queue and the retry queue are on it.",
    )]);
    session.crunch_all();
    for (text, concept) in [
        ("what was the first thing we set up", "staging tunnel"),
        ("what was the second thing we set up?", "retry queue"),
        ("and the third thing we set up", "rate limiter"),
        ("what was the last thing we set up", "metrics page"),
    ] {
        let found = session.look(text);
        let gap = found.gaps.iter().find(|gap| gap.evidence.rule == EvidenceRule::Ordinal);
        assert_eq!(gap.map(|gap| gap.concept.to_lowercase()), Some(concept.to_owned()), "{text}");
    }
}

#[test]
fn a_number_sign_counts_too() {
    let mut session = session();
    session.extend([user("plan: 1. the feed parser 2. the image cache 3. the search index"), assistant("Good plan.")]);
    session.crunch_all();
    ask(&mut session, "start with the feed parser");
    session.crunch_all();
    let turn = ask(&mut session, "what about #3?");
    assert_eq!(
        turn.gaps.first().map(|gap| (gap.concept.as_str(), gap.evidence.rule)),
        Some(("search index", EvidenceRule::Ordinal))
    );
}

#[test]
fn acknowledgements_after_a_crunch_are_silent() {
    for text in ["ok", "thanks", "thanks, that's it", "perfect!", "好的"] {
        let mut session = set_up();
        session.crunch_all();
        let turn = ask(&mut session, text);
        assert!(turn.gaps.is_empty() && turn.inject.is_empty() && turn.unknown.is_empty(), "{text}: {turn:?}");
    }
}

#[test]
fn messages_under_eight_characters_are_looked_at() {
    for text in ["why?", "again", "fix it"] {
        let mut session = set_up();
        session.crunch_all();
        assert!(!ask(&mut session, text).fills.is_empty(), "{text}");
    }
}

#[test]
fn every_script_digit_and_short_name_is_first_class() {
    for (told, asked, expected) in [
        ("我们的数据库连接池最多有20个连接。", "数据库连接池有多大", "20个连接"),
        ("ステージング環境のポートは8443です。", "ステージング環境は?", "8443"),
        ("قاعدة البيانات تعمل على المنفذ 5432.", "أين قاعدة البيانات", "5432"),
        ("We run everything on k8s with three nodes.", "how many nodes does k8s have", "three nodes"),
        ("The worker is written in Go because of its runtime.", "why is it in Go", "runtime"),
        ("The parser in C++ is the old one.", "where is the C++ code", "old one"),
    ] {
        let mut session = session();
        session.extend([user("hello there"), assistant(told)]);
        session.crunch_all();
        let turn = ask(&mut session, asked);
        assert!(filled(&turn).contains(expected), "{asked}: {turn:?}");
    }
}

#[test]
fn numbers_and_versions_match_exactly() {
    let mut session = session();
    session.extend([user("Staging listens on port 8443 and needs python 3.11."), assistant("Noted.")]);
    session.crunch_all();
    let other = ask(&mut session, "is port 8444 open, and do we have python 3.12");
    assert!(other.gaps.iter().all(|gap| gap.evidence.rule != EvidenceRule::Exact), "{other:?}");
    let mut session = self::session();
    session.extend([user("Staging listens on port 8443 and needs python 3.11."), assistant("Noted.")]);
    session.crunch_all();
    let same = session.look("who uses port 8443");
    assert_eq!(same.gaps.first().map(|gap| gap.concept.as_str()), Some("port 8443"));
}

#[test]
fn one_common_word_is_not_the_whole_phrase() {
    let mut ledger = Ledger::new("test", Config::default()).unwrap();
    ledger.add("test harness for the flux capacitor", "It hums.", "gap", 1000);
    assert!(!ledger.is_known("test"));
    assert!(ledger.is_known("the flux capacitor test harness"));
}

#[test]
fn which_port_asks_for_the_value_that_holds() {
    let mut session = session();
    session.extend([
        user("staging listens on port 8443"),
        assistant("Noted: staging is on port 8443."),
        user("correction: staging moved to port 8444"),
        assistant("Noted: staging is on port 8444 now."),
        user("the parser next"),
        assistant("The parser is done."),
    ]);
    session.crunch_all();
    let turn = ask(&mut session, "which port was staging on?");
    assert!(turn.fills.first().is_some_and(|fill| fill.text.contains("8444")), "{turn:?}");
}
