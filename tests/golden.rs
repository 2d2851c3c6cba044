//! The golden story, natively.
#![cfg(not(target_arch = "wasm32"))]

use diffledger_tests::{difference, story};

const GOLDEN: &str = include_str!("golden/story.json");

#[test]
fn the_story_comes_out_as_it_is_written_down() {
    if let Some(difference) = difference(GOLDEN) {
        panic!("{difference}");
    }
}

#[test]
fn what_is_written_down_is_json_with_a_frame_for_each_user_message() {
    let frames: Vec<serde_json::Value> = serde_json::from_str(&story()).unwrap();
    let numbers: Vec<u64> = frames.iter().filter_map(|frame| frame["turn"].as_u64()).collect();
    assert_eq!(numbers, (1..=30).collect::<Vec<u64>>());
}

#[test]
fn a_difference_names_the_line_and_the_command_that_accepts_it() {
    let changed = GOLDEN.replacen("\"turn\": 2,", "\"turn\": 9,", 1);
    let difference = difference(&changed).unwrap();
    assert!(difference.contains("\"turn\": 9,"), "{difference}");
    assert!(difference.contains("cargo run -p diffledger-tests --bin golden"), "{difference}");
}

#[test]
fn two_replays_are_equal_byte_for_byte() {
    assert_eq!(story(), story());
}
