//! What holds for every conversation, whatever is said in it and whatever a host does to its window.
//!
//! Random hosts: they speak, call tools in parallel, compact in every way, take messages back, put our
//! block where they like, and hand over the whole array every turn.
#![cfg(not(target_arch = "wasm32"))]

mod host;

use std::collections::BTreeSet;

use diffledger_core::config::Config;
use diffledger_core::hear::passages;
use diffledger_core::ledger::{Entry, Ledger, State, Why};
use diffledger_core::log::{Atom, AtomKind, Seq};
use diffledger_core::message::Message;
use diffledger_core::session::Session;
use diffledger_core::turn::Turn;
use host::{Host, Step, steps};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn fresh(config: Config) -> Session {
    Session::new("laws", config).unwrap()
}

/// Runs the steps and hands each array, with the answer to it, to `check`.
fn run(steps: &[Step], config: Config, mut check: impl FnMut(&mut Session, &mut Host, &Turn)) -> Vec<Turn> {
    let mut session = fresh(config);
    let mut host = Host::default();
    steps
        .iter()
        .map(|step| {
            host.does(step);
            let turn = session.turn(&host.array());
            check(&mut session, &mut host, &turn);
            host.inject = turn.inject.clone();
            turn
        })
        .collect()
}

fn entries_are_consistent(session: &Session) {
    let (log, ledger) = (session.log(), session.ledger());
    let view: BTreeSet<Seq> = log.view().iter().copied().collect();
    assert_eq!(view.len(), log.view().len(), "an atom stands twice in the window");
    for atom in log.atoms() {
        assert_eq!(ledger.is_visible(atom.seq), view.contains(&atom.seq), "{:?}", atom.seq);
    }
    for (id, entry) in (0u32..).zip(ledger.entries()) {
        assert_eq!(entry.id, id);
        assert!(entry.carriers.is_sorted() && entry.mentions.is_sorted());
        for seq in entry.carriers.iter().chain(&entry.mentions) {
            assert_ne!(log.atom(*seq).unwrap().kind, AtomKind::Synthetic, "{}", entry.concept);
        }
        is_in_its_state(entry, ledger, &view);
    }
}

fn is_in_its_state(entry: &Entry, ledger: &Ledger, view: &BTreeSet<Seq>) {
    let sources = entry.sources();
    let visible = sources.iter().filter(|seq| view.contains(seq)).count();
    let kept_otherwise = matches!(ledger.why(entry), Why::Injection | Why::Summary);
    let injected = entry.injections.iter().any(|injection| ledger.is_live(injection));
    let holds = match ledger.state(entry) {
        State::Live => kept_otherwise || injected || visible > 0,
        State::Weakened => visible > 0 && visible < sources.len(),
        State::Stale => visible == 0 && !injected && entry.is_told(),
        State::Expired => visible == 0 && !injected && !entry.injections.is_empty(),
        State::Unknown => !entry.is_told(),
    };
    assert!(holds, "{entry:?} is {:?}, {visible} visible", ledger.state(entry));
}

/// Each fill is a contiguous part of what it names, all of which left the window.
fn fills_are_verbatim(session: &Session, turn: &Turn) {
    let config = session.ledger().config();
    assert!(turn.fills.len() <= config.gap_max as usize);
    assert!(turn.fills.iter().map(|fill| fill.tokens).sum::<u32>() <= config.fill_tokens);
    // Once the host has placed the block, it is not handed out again.
    assert!(turn.inject.is_empty() || !turn.fills.is_empty());
    assert_eq!(turn.inject.matches("</diffledger>").count(), usize::from(!turn.inject.is_empty()));
    for fill in &turn.fills {
        assert!(!fill.text.trim().is_empty() && fill.text.chars().count() <= config.fill_chars as usize, "{fill:?}");
        let atoms: Vec<&Atom> = fill.source.seqs.iter().map(|seq| session.log().atom(*seq).unwrap()).collect();
        assert!(atoms.iter().all(|atom| atom.kind != AtomKind::Synthetic), "{fill:?}");
        assert!(atoms.iter().all(|atom| !session.log().view().contains(&atom.seq)), "in view: {fill:?}");
        let found = match atoms.as_slice() {
            [one] => passages(&one.message).iter().any(|passage| passage.contains(&fill.text)),
            [asked, reply] => {
                reply.seq.0 == asked.seq.0 + 1
                    && format!("{}\n{}", asked.message.visible(), reply.message.visible()).contains(&fill.text)
            }
            _ => false,
        };
        assert!(found, "{fill:?} is not in {atoms:?}");
    }
}

fn equals_its_fold(session: &Session) {
    let (ledger, config) = (session.ledger(), session.ledger().config().clone());
    let folded = Ledger::fold(ledger.session_id(), config, session.log()).unwrap();
    assert_eq!(folded.entries(), ledger.entries());
    assert_eq!(folded.turn(), ledger.turn());
    for (one, other) in folded.entries().iter().zip(ledger.entries()) {
        assert_eq!(folded.state(one), ledger.state(other), "{}", one.concept);
        assert_eq!(folded.why(one), ledger.why(other), "{}", one.concept);
    }
}

/// The same cases at every run; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for more and for others.
fn settings() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 24 };
    let rng_seed = if default.rng_seed == RngSeed::Random { RngSeed::Fixed(7) } else { default.rng_seed };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn replaying_the_log_gives_the_same_ledger(steps in steps()) {
        run(&steps, Config::default(), |session, _, _| equals_its_fold(session));
        let forgetful = Config { log_bytes: 1024, ..Config::default() };
        run(&steps, forgetful, |session, _, _| equals_its_fold(session));
    }

    #[test]
    fn the_log_only_grows_and_its_seqs_are_positions(steps in steps()) {
        let mut before: Vec<Atom> = Vec::new();
        run(&steps, Config::default(), |session, _, _| {
            let atoms = session.log().atoms();
            assert!(atoms.starts_with(&before));
            assert!((0u32..).zip(atoms).all(|(at, atom)| atom.seq == Seq(at)));
            before = atoms.to_vec();
        });
    }

    #[test]
    fn a_state_is_what_the_window_says(steps in steps()) {
        run(&steps, Config::default(), |session, _, _| entries_are_consistent(session));
    }

    #[test]
    fn a_fill_is_verbatim_lost_and_within_the_limits(steps in steps()) {
        run(&steps, Config::default(), |session, _, turn| fills_are_verbatim(session, turn));
        let narrow = Config { fill_chars: 40, fill_tokens: 12, gap_max: 1, ..Config::default() };
        run(&steps, narrow, |session, _, turn| fills_are_verbatim(session, turn));
    }

    #[test]
    fn the_same_array_twice_gives_the_same_turn_and_teaches_nothing(steps in steps()) {
        run(&steps, Config::default(), |session, host, turn| {
            let events = session.log().events().len();
            let mut again = session.turn(&host.array());
            // A compaction is reported once, where no message waits that it is an answer to.
            if session.waiting().is_none() {
                again.crunch.clone_from(&turn.crunch);
            }
            // Whether a block that was placed is handed out again: `found.rs`.
            again.inject.clone_from(&turn.inject);
            assert_eq!(&again, turn);
            assert_eq!(session.log().events().len(), events);
        });
    }

    #[test]
    fn what_a_crunch_lost_is_lost_and_what_survived_is_not(steps in steps()) {
        let mut reported = BTreeSet::new();
        run(&steps, Config::default(), |session, host, turn| {
            // The answer to a message that still waits says again what it said.
            let Some(crunch) = turn.crunch.as_ref().filter(|crunch| reported.insert(crunch.id.clone())) else { return };
            assert!(host.dropped, "no message left and a crunch is reported: {crunch:?}");
            assert_eq!(crunch.lost.len(), crunch.lost_kinds.len());
            let view = session.log().view();
            assert!(crunch.dropped.iter().all(|seq| !view.contains(seq)));
            let lost: BTreeSet<&String> = crunch.lost.iter().collect();
            assert!(crunch.survived.iter().all(|concept| !lost.contains(concept)), "{crunch:?}");
        });
    }

    #[test]
    fn our_block_is_never_learnt_and_its_going_is_no_crunch(steps in steps(), place in 0usize..4) {
        run(&steps, Config::default(), |session, host, turn| {
            if turn.inject.is_empty() {
                return;
            }
            let told = |session: &Session| -> Vec<(String, Vec<Seq>, Vec<Seq>)> {
                let entries = session.ledger().entries().iter();
                entries.map(|entry| (entry.concept.clone(), entry.carriers.clone(), entry.mentions.clone())).collect()
            };
            let before = told(session);
            let placed = session.turn(&host.array_with(&turn.inject, place));
            assert_eq!(told(session), before);
            assert!(placed.crunch.is_none() || placed.crunch == turn.crunch);
            assert_eq!(placed.fills, turn.fills);
            let removed = session.turn(&host.array());
            assert_eq!(told(session), before);
            assert!(removed.crunch.is_none() || removed.crunch == turn.crunch);
        });
    }

    #[test]
    fn two_sessions_that_are_told_the_same_answer_the_same(steps in steps()) {
        let silent = |_: &mut Session, _: &mut Host, _: &Turn| ();
        prop_assert_eq!(run(&steps, Config::default(), silent), run(&steps, Config::default(), silent));
    }

    #[test]
    fn no_text_and_no_option_makes_it_panic(steps in steps(), gap_max in 0u32..5, fill_chars in 20u32..90, published: bool) {
        let matching = if published { Config::reference().matching } else { Config::default().matching };
        let config = Config { gap_max, fill_chars, matching, external: true, stale_turns: 1, log_bytes: 4096, ..Config::default() };
        run(&steps, config, |session, host, _| {
            for message in &host.messages {
                let _ = session.look(&message.visible());
            }
        });
    }

    #[test]
    fn by_hand_and_message_by_message_the_same_laws_hold(steps in steps(), keep in 0usize..6) {
        let mut session = fresh(Config::default());
        let mut host = Host::default();
        for step in &steps {
            host.does(step);
            let fresh: Vec<Message> = std::mem::take(&mut host.messages);
            let turn = session.extend(fresh);
            fills_are_verbatim(&session, &turn);
            session.crunch_to(keep);
            entries_are_consistent(&session);
            equals_its_fold(&session);
            let turn = session.extend(host.question());
            fills_are_verbatim(&session, &turn);
            session.crunch_with_summary(keep, "We talked about the retry queue and port 8443.");
            entries_are_consistent(&session);
            equals_its_fold(&session);
        }
    }
}
