//! The line of frames: where the crunches and the gaps are, and how to move along it.

use crate::recording::{Recording, Shown};

/// A tick of the scrubber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tick {
    /// The frame.
    pub frame: usize,
    /// Whether it has a crunch; else it has a gap.
    pub is_crunch: bool,
}

/// Ticks that are drawn at most; of more, every so-and-so-manyth gap is left out.
const TICKS: usize = 400;

/// All ticks, in order.
#[must_use]
pub fn ticks(recording: &Recording) -> Vec<Tick> {
    let of = |(frame, shown): (usize, &Shown)| {
        let is_crunch = shown.frame.turn.crunch.is_some();
        (is_crunch || shown.gaps() > 0).then_some(Tick { frame, is_crunch })
    };
    let all: Vec<Tick> = recording.frames().iter().enumerate().filter_map(of).collect();
    let every = all.len().div_ceil(TICKS).max(1);
    all.into_iter().enumerate().filter(|(at, tick)| tick.is_crunch || at % every == 0).map(|(_, tick)| tick).collect()
}

/// The next frame after `frame` for which `wanted` holds, or before it.
#[must_use]
pub fn find(recording: &Recording, frame: usize, forward: bool, wanted: impl Fn(&Shown) -> bool) -> Option<usize> {
    let holds = |at: &usize| recording.frames().get(*at).is_some_and(&wanted);
    if forward { (frame + 1..recording.frames().len()).find(holds) } else { (0..frame).rev().find(holds) }
}

/// Where the cursor stands, in words: "Turn 14 of 30, crunch, 2 gaps".
#[must_use]
pub fn spoken(recording: &Recording, frame: usize) -> String {
    let Some(shown) = recording.frames().get(frame) else { return "Nothing to replay".into() };
    let turns = recording.frames().last().map_or(0, |last| last.turn);
    let mut text = format!("Turn {} of {turns}", shown.turn);
    if shown.is_act {
        text.push_str(", yours");
    }
    if shown.frame.turn.crunch.is_some() {
        text.push_str(", crunch");
    }
    match shown.gaps() {
        0 => {}
        1 => text.push_str(", 1 gap"),
        more => text.push_str(&format!(", {more} gaps")),
    }
    text
}

/// What happened at a frame, in numbers.
#[must_use]
pub fn happened(recording: &Recording, frame: usize) -> String {
    let mut text = spoken(recording, frame);
    let Some(shown) = recording.frames().get(frame) else { return text };
    if let (Some(crunch), Some((before, after))) = (&shown.frame.turn.crunch, shown.frame.window) {
        text.push_str(&format!(
            ". {} messages left the window, about {before} to {after} tokens; {} concepts lost, {} survived",
            crunch.dropped.len(),
            crunch.lost.len(),
            crunch.survived.len()
        ));
    }
    let turn = &shown.frame.turn;
    if !turn.fills.is_empty() {
        let tokens: u32 = turn.fills.iter().map(|fill| fill.tokens).sum();
        let gaps = counted(turn.gaps.len(), "gap");
        text.push_str(&format!(". {} of {gaps} filled with {tokens} tokens", turn.fills.len()));
    }
    text
}

/// What a recording holds, in numbers.
#[must_use]
pub fn summary(recording: &Recording) -> String {
    let turns = || recording.frames().iter().map(|shown| &shown.frame.turn);
    let crunches = turns().filter(|turn| turn.crunch.is_some()).count();
    let gaps: usize = turns().map(|turn| turn.gaps.len()).sum();
    let fills: usize = turns().map(|turn| turn.fills.len()).sum();
    let tokens: u32 = turns().flat_map(|turn| &turn.fills).map(|fill| fill.tokens).sum();
    let messages = recording.session().log().atoms().len();
    let mut text = format!(
        "{}, {}, {} to something lost",
        counted(messages, "message"),
        if crunches == 1 { "1 crunch".to_owned() } else { format!("{crunches} crunches") },
        counted(gaps, "reference"),
    );
    if gaps > 0 {
        text.push_str(&format!(", {fills} of them filled with {tokens} tokens in all"));
    }
    text
}

/// A number of things.
fn counted(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story;

    #[test]
    fn ticks_are_where_something_happens() {
        let recording = Recording::complete(story::script()).unwrap();
        let ticks = ticks(&recording);
        assert_eq!(ticks.iter().filter(|tick| tick.is_crunch).count(), 2);
        assert!(ticks.is_sorted_by_key(|tick| tick.frame));
    }

    #[test]
    fn one_finds_the_next_and_the_last_of_a_sort() {
        let recording = Recording::complete(story::script()).unwrap();
        let crunch = |shown: &Shown| shown.frame.turn.crunch.is_some();
        let first = find(&recording, 0, true, crunch).unwrap();
        let second = find(&recording, first, true, crunch).unwrap();
        assert_eq!(find(&recording, second, true, crunch), None);
        assert_eq!(find(&recording, second, false, crunch), Some(first));
        assert_eq!(recording.frames()[first].turn, 14);
    }

    #[test]
    fn the_place_is_said_in_words() {
        let recording = Recording::complete(story::script()).unwrap();
        let frame = recording.frames().iter().position(|shown| shown.turn == 14).unwrap();
        assert_eq!(spoken(&recording, frame), "Turn 14 of 30, crunch, 2 gaps");
        assert!(happened(&recording, frame).contains("75 messages left the window"));
        assert_eq!(
            summary(&recording),
            "140 messages, 2 crunches, 14 references to something lost, 14 of them filled with 739 tokens in all"
        );
    }
}
