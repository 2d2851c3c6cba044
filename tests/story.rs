//! What must come back in the built-in story, whatever else the core learns to do.
//!
//! The golden file says what came out last time; this says what is right, one claim a prompt.
#![cfg(not(target_arch = "wasm32"))]

use std::sync::LazyLock;

use diffledger_core::config::Config;
use diffledger_core::gap::EvidenceRule;
use diffledger_core::replay::{Frame, Options, Replay};
use diffledger_core::session::Session;
use diffledger_core::transcript::Transcript;
use diffledger_core::turn::Turn;
use diffledger_tests::replayed_story;

static REPLAYED: LazyLock<(Transcript, Session, Vec<Frame>)> = LazyLock::new(replayed_story);

/// The answer to the user's `number`th prompt, which begins with `says`.
fn turn(number: usize, says: &str) -> &'static Turn {
    let (_, session, frames) = &*REPLAYED;
    let mut asked = frames.iter().filter(|frame| frame.seq.is_some());
    let frame = asked.nth(number - 1).unwrap();
    let said = session.log().atom(frame.seq.unwrap()).unwrap().message.visible();
    assert!(said.starts_with(says), "prompt {number} is `{said}`");
    &frame.turn
}

fn seen(turn: &Turn) -> String {
    let gaps = turn.gaps.iter().map(|gap| {
        let error = gap.error.as_ref().map_or("", |error| &error.message);
        format!("\n  gap  {} {:?} {} {error}", gap.concept, gap.evidence.rule, gap.evidence.score)
    });
    let fills = turn.fills.iter().map(|fill| format!("\n  fill {:?}", fill.text));
    gaps.chain(fills).collect()
}

/// Each of `texts` stands in one of the fills; of alternatives parted by `|` one does.
fn comes_back(number: usize, says: &str, texts: &[&str]) {
    let turn = turn(number, says);
    for text in texts {
        let holds = |wanted: &str| turn.fills.iter().any(|fill| fill.text.contains(wanted));
        assert!(text.split('|').any(holds), "prompt {number} `{says}` lacks `{text}`:{}", seen(turn));
    }
}

fn is_silent(number: usize, says: &str) {
    let turn = turn(number, says);
    assert!(turn.fills.is_empty() && turn.inject.is_empty(), "prompt {number} `{says}`:{}", seen(turn));
}

#[test]
fn there_are_exactly_two_crunches_and_each_takes_something() {
    let (transcript, _, frames) = &*REPLAYED;
    assert_eq!(transcript.markers.len(), 2);
    let at: Vec<u32> = frames.iter().filter(|frame| frame.turn.crunch.is_some()).map(|frame| frame.turn.id).collect();
    assert_eq!(at, [14, 24]);
    for crunch in frames.iter().filter_map(|frame| frame.turn.crunch.as_ref()) {
        assert!(!crunch.lost.is_empty() && crunch.lost.len() == crunch.lost_kinds.len());
        assert!(!crunch.dropped.is_empty() && !crunch.survived.is_empty());
    }
}

#[test]
fn before_the_first_crunch_nothing_is_injected() {
    let (_, _, frames) = &*REPLAYED;
    for frame in frames.iter().take_while(|frame| frame.turn.crunch.is_none()) {
        assert!(
            frame.turn.fills.is_empty() && frame.turn.gaps.is_empty(),
            "turn {}:{}",
            frame.turn.id,
            seen(&frame.turn)
        );
    }
}

#[test]
fn it_is_what_was_talked_of_last() {
    comes_back(14, "how does it work again?", &["The kill switch is a row in `partner_switches`"]);
}

#[test]
fn an_instruction_about_what_the_window_holds_gets_nothing() {
    is_silent(15, "not what i meant, but ok. wire the limiter in");
}

#[test]
fn the_first_thing_is_the_first_of_the_session() {
    comes_back(16, "what was the first thing we set up?", &["staging tunnel"]);
}

#[test]
fn a_corrected_port_comes_back_corrected() {
    comes_back(17, "which port was staging on?", &["Staging is on port 8444 now, not 8443."]);
}

#[test]
fn an_unrelated_task_gets_nothing() {
    is_silent(18, "write a regex that matches ISO dates");
}

#[test]
fn that_error_comes_back_in_its_own_words() {
    let error = "column \"feed_cursor\" of relation \"feeds\" contains null values";
    comes_back(19, "what was that error again when the migration failed?", &[error]);
}

#[test]
fn the_exact_command_comes_back() {
    let command = "cargo run --release --bin backfill -- --since 2025-11-03 --batch 500 --sleep-ms 50";
    comes_back(20, "run the command for the backfill again", &[command]);
}

#[test]
fn a_path_below_a_folder_brings_back_the_rule_about_the_folder() {
    let says = "fix the rounding in src/legacy/ledger/post.rs";
    comes_back(21, says, &["src/legacy/ledger/", "don't touch|read-only"]);
}

#[test]
fn what_the_message_says_itself_is_not_put_back() {
    is_silent(22, "no!! revert that, that folder is off limits");
}

#[test]
fn a_new_task_gets_nothing() {
    is_silent(23, "ok. last thing, an alert for dead letters:");
}

#[test]
fn where_were_we_brings_back_what_was_left_to_do() {
    comes_back(24, "back from lunch. where were we?", &["Left to do:"]);
}

#[test]
fn a_decision_survives_two_crunches() {
    comes_back(25, "what did we decide about redis?", &["I decided against Redis"]);
}

#[test]
fn ordinals_still_count_from_the_start_after_a_second_crunch() {
    let turn = turn(26, "for the wiki: how often does the second thing we set up retry");
    let found = turn.gaps.iter().any(|gap| gap.concept == "retry queue" && gap.evidence.rule == EvidenceRule::Ordinal);
    assert!(found, "{}", seen(turn));
}

#[test]
fn a_number_sign_counts_as_well() {
    comes_back(27, "and #3, what burst did we give it?", &["burst of 80"]);
}

#[test]
fn of_two_names_that_look_alike_the_right_one_comes_back() {
    comes_back(29, "is it partner_ref or partner_refs?", &["the column `partner_ref`|the db column is partner_ref"]);
}

#[test]
fn thanks_get_nothing() {
    is_silent(30, "thanks, that's it");
}

#[test]
fn a_question_for_one_thing_gets_that_and_no_other_names_when_everything_is_lost() {
    let (transcript, ..) = &*REPLAYED;
    let mut replay = Replay::new("story", Config::default(), Options::default()).unwrap();
    while !replay.is_done(transcript) {
        replay.step(transcript);
    }
    replay.crunch(None, transcript);
    let turn = replay.say("which port was staging on?", transcript).turn;
    let concepts: Vec<&str> = turn.gaps.iter().map(|gap| gap.concept.as_str()).collect();
    assert_eq!(concepts, ["port 8444"], "{}", seen(&turn));
    assert!(turn.fills[0].text.contains("8444"), "{}", seen(&turn));
}
