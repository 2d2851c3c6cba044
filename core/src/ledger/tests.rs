use super::*;
use crate::log::Cause;
use crate::message::{Message, Role, Synthetic};

/// A log and its ledger, kept in step.
struct Pair {
    log: Log,
    ledger: Ledger,
}

impl Pair {
    fn new(said: &[&str]) -> Self {
        let mut pair = Self { log: Log::default(), ledger: Ledger::new("test", Config::default()).unwrap() };
        for text in said {
            pair.say(Message::text(Role::Assistant, *text));
        }
        pair
    }

    fn say(&mut self, message: Message) {
        let seq = self.log.append(message);
        self.ledger.apply(&Event::Append { seq }, &self.log);
    }

    fn record(&mut self, event: Event) {
        self.log.record(event.clone());
        self.ledger.apply(&event, &self.log);
    }

    fn show(&mut self, cause: Cause, view: &[u32]) {
        self.record(Event::Window { cause, view: view.iter().copied().map(Seq).collect() });
    }

    fn check(&self, canonical: &str, state: State) {
        let entry = self.ledger.entries().iter().find(|entry| entry.canonical == canonical);
        assert_eq!(entry.map_or(State::Unknown, |entry| self.ledger.state(entry)), state, "{canonical}");
    }
}

fn crunch() -> Cause {
    Cause::Crunch { id: "c".into() }
}

const TOLD: &[&str] = &["The retry queue waits 30 s.", "The rate limiter counts.", "The retry queue is full."];

#[test]
fn a_concept_is_live_weakened_and_stale_with_its_carriers() {
    let mut pair = Pair::new(TOLD);
    pair.check("retry queue", State::Live);
    pair.show(crunch(), &[1, 2]);
    pair.check("retry queue", State::Weakened);
    pair.check("rate limiter", State::Live);
    pair.show(crunch(), &[1]);
    pair.check("retry queue", State::Stale);
    assert!(pair.ledger.has_crunch("c"));
    pair.show(Cause::Restore, &[0, 1, 2]);
    pair.check("retry queue", State::Live);
}

#[test]
fn what_was_taken_back_was_never_said_until_it_comes_back() {
    let mut pair = Pair::new(TOLD);
    pair.show(Cause::Rewind, &[0]);
    pair.check("rate limiter", State::Unknown);
    pair.check("retry queue", State::Live);
    pair.show(Cause::Restore, &[0, 1, 2]);
    pair.check("rate limiter", State::Live);
}

#[test]
fn a_question_stands_in_only_where_nothing_is_stated() {
    let mut pair = Pair::new(&["What is the retry queue?", "What is the rate limiter?", "The rate limiter counts."]);
    pair.show(crunch(), &[0, 1]);
    pair.check("retry queue", State::Live);
    pair.check("rate limiter", State::Stale);
}

#[test]
fn an_injection_keeps_live_expires_and_is_ended() {
    let mut ledger = Ledger::new("test", Config { stale_turns: 3, ..Config::default() }).unwrap();
    ledger.add("retry queue", "It waits.", "gap", 2000);
    assert!(ledger.is_known("the retry queue"));
    assert_eq!(ledger.entries()[0].injections[0].score, 1000);
    for _ in 0..3 {
        ledger.advance_turn();
    }
    assert_eq!(ledger.state(&ledger.entries()[0]), State::Expired);
    ledger.add("Retry Queue", "It waits.", "gap", 500);
    assert_eq!((ledger.entries().len(), ledger.concept_ref_count("retry queue")), (1, 2));
    assert_eq!(ledger.live_canonicals(), ["retry queue"]);
    ledger.mark_all_stale(None);
    assert_eq!(ledger.state(&ledger.entries()[0]), State::Stale);
    assert_eq!(
        ledger.summary(),
        Summary { session_id: "test".into(), turn: 3, live: 0, stale: 1, expired: 0, total: 1 }
    );
    ledger.reset();
    assert_eq!((ledger.session_id(), ledger.turn(), ledger.entries().len()), ("test", 0, 0));
}

#[test]
fn everything_declared_lost_comes_back_with_the_messages_that_hold_it() {
    let mut pair = Pair::new(TOLD);
    pair.record(Event::MarkStale { crunch: None });
    pair.check("retry queue", State::Stale);
    pair.show(Cause::Restore, &[2]);
    pair.check("retry queue", State::Weakened);
}

#[test]
fn the_newest_visible_summary_keeps_live_what_it_states_verbatim() {
    let mut pair =
        Pair::new(&["The retry queue listens on port 8443, see src/a/queue.rs.", "The rate limiter counts to 8444."]);
    let mut summary = Message::text(Role::User, "We have a retry queue in src/a/queue.rs and a limiter.");
    summary.synthetic = Some(Synthetic::Summary);
    pair.say(summary);
    pair.show(crunch(), &[2]);
    pair.check("retry queue", State::Live);
    pair.check("src/a/queue.rs", State::Live);
    pair.check("port 8443", State::Stale);
    pair.check("rate limiter", State::Stale);
    pair.show(crunch(), &[]);
    pair.check("retry queue", State::Stale);
}

#[test]
fn a_plain_word_that_is_known_as_a_name_is_that_name() {
    let pair = Pair::new(&["The column is `npcflag` there.", "The npcflag is set."]);
    assert_eq!(pair.ledger.entries().iter().filter(|entry| entry.canonical == "npcflag").count(), 1);
    assert!(!pair.ledger.is_known("npcflags"));
}

#[test]
fn the_published_rules_are_there_for_comparison() {
    let mut ledger = Ledger::new("test", Config::reference()).unwrap();
    ledger.add("port 8443", "", "gap", 0);
    assert!(ledger.is_known("port 8444"));
}

#[test]
fn a_fold_over_the_events_is_the_ledger() {
    let mut pair = Pair::new(TOLD);
    pair.show(crunch(), &[1]);
    pair.record(Event::Inject {
        entry: Some(0),
        concept: "x".into(),
        text: "t".into(),
        source: "log".into(),
        score: 1,
        fence: Some(1),
        seqs: vec![Seq(0)],
    });
    pair.record(Event::Fences { visible: vec![1] });
    pair.record(Event::Advance);
    pair.show(Cause::Restore, &[1, 0]);
    let folded = Ledger::fold("test", Config::default(), &pair.log).unwrap();
    assert_eq!(folded.entries(), pair.ledger.entries());
    assert_eq!(folded.summary(), pair.ledger.summary());
}
