//! Real transcripts, where the shared folder is present: one crunch is found once, a quoted marker is
//! none, and whatever a simulated compaction takes comes back verbatim or not at all.
//!
//! The folder is `$DIFFLEDGER_SHARED`, else `shared` beside the repository; nothing of it is copied.
#![cfg(not(target_arch = "wasm32"))]

use std::path::PathBuf;

use diffledger_core::config::Config;
use diffledger_core::crunch::CrunchKind;
use diffledger_core::hear::passages;
use diffledger_core::replay::{Frame, Options, replay};
use diffledger_core::session::Session;
use diffledger_core::transcript;

/// The replay of a shared transcript; `None`, and a line that says so, where there is none.
fn replayed(name: &str, crunch_from: Option<u32>) -> Option<(Session, Vec<Frame>)> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let folder = std::env::var_os("DIFFLEDGER_SHARED").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let path = folder.join("transcripts").join(name);
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    let transcript = transcript::read(&bytes).unwrap();
    Some(replay(&transcript, Config::default(), Options { crunch_from }).unwrap())
}

fn crunches(frames: &[Frame]) -> Vec<&diffledger_core::crunch::Crunch> {
    frames.iter().filter_map(|frame| frame.turn.crunch.as_ref()).collect()
}

#[test]
fn the_one_crunch_is_found_once_with_what_its_summary_lost() {
    let Some((_, frames)) = replayed("one-crunch.md", None) else { return };
    let crunches = crunches(&frames);
    assert_eq!(crunches.len(), 1);
    assert_eq!(crunches[0].kind, CrunchKind::Marker);
    assert!(!crunches[0].lost.is_empty() && !crunches[0].survived.is_empty());
    assert_eq!(crunches[0].lost.len(), crunches[0].lost_kinds.len());
}

#[test]
fn a_quoted_marker_is_no_crunch() {
    let Some((_, frames)) = replayed("quotes-the-marker.md", None) else { return };
    assert_eq!(crunches(&frames), Vec::<&diffledger_core::crunch::Crunch>::new());
}

#[test]
fn where_nothing_was_compacted_there_is_no_crunch_and_nothing_is_put_back() {
    let Some((_, frames)) = replayed("no-crunch.md", None) else { return };
    assert_eq!(crunches(&frames), Vec::<&diffledger_core::crunch::Crunch>::new());
    assert!(frames.iter().all(|frame| frame.turn.inject.is_empty()));
}

/// Every fill of a replay that loses everything before each message from the tenth on.
fn every_fill_is_verbatim(name: &str) {
    let Some((session, frames)) = replayed(name, Some(10)) else { return };
    let mut count = 0;
    for frame in &frames {
        let fills = &frame.turn.fills;
        assert!(fills.len() <= 2 && fills.iter().map(|fill| fill.tokens).sum::<u32>() <= 400, "{fills:?}");
        for fill in fills {
            assert!(fill.text.chars().count() <= 300, "{fill:?}");
            let atom = |at: usize| session.log().atom(fill.source.seqs[at]).unwrap();
            let found = match fill.source.seqs.len() {
                1 => passages(&atom(0).message).iter().any(|passage| passage.contains(&fill.text)),
                2 => {
                    let (asked, reply) = (atom(0).message.visible(), atom(1).message.visible());
                    format!("{asked}\n{reply}").contains(&fill.text)
                }
                _ => false,
            };
            assert!(found, "{fill:?}");
            count += 1;
        }
    }
    println!("{name}: {} messages, {count} fills", frames.len());
    assert!(count > 0, "everything was lost and nothing came back");
}

#[test]
fn fills_from_a_long_session_are_verbatim_and_within_the_limits() {
    every_fill_is_verbatim("one-crunch.md");
}

#[test]
fn fills_from_a_short_session_are_verbatim_and_within_the_limits() {
    every_fill_is_verbatim("no-crunch.md");
}
