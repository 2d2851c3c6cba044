use super::*;
use crate::ledger::{Ledger, State};
use crate::message::Role;
use crate::session::{Outside, Step};

fn said() -> [Message; 4] {
    [
        Message::text(Role::User, "Set up the retry queue and the rate limiter."),
        Message::text(Role::Assistant, "The retry queue waits 30 s. The rate limiter allows 80 requests."),
        Message::text(Role::User, "Now the parser."),
        Message::text(Role::Assistant, "The parser reads `src/parse.rs`."),
    ]
}

fn session() -> Session {
    let mut session = Session::new("demo", Config::default()).unwrap();
    session.extend(said());
    session.crunch_to(2);
    session.extend([Message::text(Role::User, "how long does the retry queue wait?")]);
    session
}

fn load(saved: &Saved) -> Session {
    Session::load("demo", Config::default(), Some(&saved.session), Some(&saved.ledger)).unwrap()
}

fn state(session: &Session, canonical: &str) -> State {
    let entry = session.ledger().entries().iter().find(|entry| entry.canonical == canonical);
    entry.map_or(State::Unknown, |entry| session.ledger().state(entry))
}

/// Hands the ledger's file to a ledger that sees no messages, and takes back what it saves.
fn elsewhere(saved: &Saved, change: impl FnOnce(&mut Ledger)) -> Saved {
    let mut ledger = Ledger::load("demo", Config::default(), &saved.ledger).unwrap();
    change(&mut ledger);
    Saved { session: saved.session.clone(), ledger: ledger.saved(None) }
}

fn check_refused(text: &str, kind: ErrorKind, part: &str) {
    let error = Session::load("demo", Config::default(), Some(text), None).unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(part), "{error}");
}

#[test]
fn what_is_no_saved_session_is_refused_with_the_line() {
    let saved = session().saved().session;
    check_refused("", ErrorKind::Damaged, "empty");
    check_refused("{}", ErrorKind::Damaged, "line 1");
    check_refused(&saved[..saved.len() - 20], ErrorKind::Damaged, "does not read");
    check_refused(&saved.replace("\"seq\":1", "\"seq\":7"), ErrorKind::Damaged, "line 3");
    check_refused(&saved.replace("\"view\":[2", "\"view\":[900"), ErrorKind::Damaged, "`900`");
    check_refused(&saved.replace("\"session_id\":\"demo\"", "\"session_id\":\"x\""), ErrorKind::Damaged, "`x`");
    check_refused(&saved.replace("\"schema\":1", "\"schema\":2"), ErrorKind::NewerVersion, "schema `2`");
}

#[test]
fn a_session_comes_back_whole() {
    let session = session();
    let saved = session.saved();
    let again = load(&saved);
    assert_eq!(again.log().events(), session.log().events());
    assert_eq!(again.log().atoms(), session.log().atoms());
    assert_eq!(again.log().view(), session.log().view());
    assert_eq!(again.ledger().entries(), session.ledger().entries());
    assert_eq!(again.saved(), saved);
    assert_eq!(again.look("what does the rate limiter allow?"), session.look("what does the rate limiter allow?"));
    let alone = Session::load("demo", Config::default(), Some(&saved.session), None).unwrap();
    assert_eq!(alone.saved(), saved);
}

#[test]
fn a_forgotten_text_stays_forgotten_and_what_it_told_stays_known() {
    let mut session = Session::new("demo", Config { log_bytes: 1024, ..Config::default() }).unwrap();
    session.extend([Message::text(Role::Assistant, format!("The retry queue waits. {}", "Words. ".repeat(200)))]);
    session.crunch_all();
    session.extend([Message::text(Role::User, "hello there")]);
    assert!(session.log().atoms()[0].heard.is_some());
    let saved = session.saved();
    let again = load(&saved);
    assert_eq!(again.log().atoms(), session.log().atoms());
    assert_eq!(state(&again, "retry queue"), State::Stale);
    assert_eq!(again.saved(), saved);
}

#[test]
fn nothing_changed_elsewhere_is_no_event() {
    let saved = session().saved();
    let events = load(&saved).log().events().len();
    assert_eq!(load(&elsewhere(&saved, |_| ())).log().events().len(), events);
}

#[test]
fn what_another_program_added_or_staled_becomes_events() {
    let saved = session().saved();
    let before = load(&saved);
    let again = load(&elsewhere(&saved, |ledger| {
        ledger.mark_all_stale(Some("theirs"));
        ledger.advance_turn();
        ledger.add("flux capacitor", "1.21 gigawatts.", "docs", 700);
    }));
    assert_eq!(state(&before, "parser"), State::Live);
    assert_eq!(state(&again, "parser"), State::Stale);
    assert_eq!(state(&again, "flux capacitor"), State::Live);
    assert!(again.ledger().has_crunch("theirs"));
    assert_eq!(again.ledger().turn(), before.ledger().turn() + 1);
    // Once taken over it is the session's own: a second reading adds nothing.
    assert_eq!(load(&again.saved()).log().events(), again.log().events());
}

#[test]
fn a_ledger_that_was_saved_before_the_log_grew_takes_nothing_away() {
    let mut session = session();
    let old = session.saved();
    session.extend([Message::text(Role::Assistant, "It waits 30 s, see the dead letter table.")]);
    let torn = Saved { session: session.saved().session, ledger: old.ledger };
    assert_eq!(load(&torn).log().events(), session.log().events());
}

#[test]
fn a_ledger_alone_starts_a_session() {
    let mut ledger = Ledger::new("demo", Config::default()).unwrap();
    ledger.add("staging port", "Staging listens on port 8444.", "docs", 1000);
    ledger.mark_all_stale(None);
    let mut session = Session::load("demo", Config::default(), None, Some(&ledger.saved(None))).unwrap();
    let Step::Done(turn) = session.tell("which port was staging on?", Outside::default()) else { panic!() };
    assert_eq!(turn.fills[0].text, "Staging listens on port 8444.");
}

#[test]
fn a_reset_elsewhere_empties_the_session() {
    let saved = session().saved();
    let mut file: serde_json::Value = serde_json::from_str(&saved.ledger).unwrap();
    (file["entries"], file["turn"]) = (Vec::<serde_json::Value>::new().into(), 0.into());
    let again = load(&Saved { ledger: file.to_string(), ..saved.clone() });
    assert_eq!((again.log().events().len(), again.ledger().entries().len()), (0, 0));
    // By the seed API, with something added since.
    let again = load(&elsewhere(&saved, |ledger| {
        ledger.reset();
        ledger.add("flux capacitor", "1.21 gigawatts.", "docs", 700);
    }));
    assert_eq!((again.log().atoms().len(), again.ledger().entries().len()), (0, 1));
    assert_eq!(load(&again.saved()).log().events(), again.log().events());
}

#[test]
fn what_is_added_elsewhere_under_a_known_name_is_that_entry() {
    let saved = session().saved();
    let (before, path) = (load(&saved), "src/parse.rs");
    let again = load(&elsewhere(&saved, |ledger| ledger.add(path, "It is 300 lines.", "docs", 700)));
    assert_eq!(again.ledger().entries().len(), before.ledger().entries().len());
    assert_eq!(again.ledger().entries().iter().find(|entry| entry.canonical == path).unwrap().injections.len(), 1);
}
