//! The ledger at a frame, as rows of a table.

use std::cmp::Reverse;

use diffledger_core::concept::ConceptKind;
use diffledger_core::ledger::{Entry, State, Why};

use crate::recording::{Recording, Standing};

/// Which entries are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those in this state.
    pub state: Option<State>,
    /// Only those whose concept contains this, whatever its case.
    pub text: String,
}

/// An entry at a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Its id.
    pub entry: u32,
    /// The concept.
    pub concept: String,
    /// Its kind.
    pub kind: ConceptKind,
    /// What it is.
    pub standing: Standing,
    /// Turn of its first mention.
    pub first_turn: u32,
    /// The turn since which it stands as it does.
    pub since: u32,
    /// Messages that tell about it, in all of the chat.
    pub carriers: usize,
}

/// An entry, the frame since which it stands as it does, and how.
type Found<'a> = (&'a Entry, usize, Standing);

/// The entries that pass the filter, what the message means first, then the last mentioned; at most
/// `limit` of them, with how many there are.
#[must_use]
pub fn rows(recording: &Recording, frame: usize, filter: &Filter, limit: usize) -> (usize, Vec<Row>) {
    let Some(shown) = recording.frames().get(frame) else { return (0, Vec::new()) };
    let wanted = filter.text.trim().to_lowercase();
    let meant = |entry: &Entry| shown.frame.turn.gaps.iter().any(|gap| gap.entry == Some(entry.id));
    let passes = |entry: &Entry, standing: &Standing| {
        filter.state.is_none_or(|state| state == standing.state)
            && (wanted.is_empty() || entry.concept.to_lowercase().contains(&wanted))
    };
    // The newest first, so that few of those that come later displace one.
    let entries = recording.session().ledger().entries().iter().rev();
    let standing = |entry| recording.standing(entry, frame).map(|(since, standing)| (entry, since, standing));
    let (mut count, mut first) = (0, Vec::new());
    for found in entries.filter_map(standing).filter(|(entry, _, standing)| passes(entry, standing)) {
        count += 1;
        let rank = |(entry, _, standing): &Found<'_>| (!meant(entry), Reverse(standing.last_turn), entry.id);
        let at = first.partition_point(|other| rank(other) < rank(&found));
        if at < limit {
            first.truncate(limit - 1);
            first.insert(at, found);
        }
    }
    let turn_of = |frame: usize| recording.frames().get(frame).map_or(0, |shown| shown.turn);
    let row = |(entry, since, standing): Found<'_>| Row {
        entry: entry.id,
        concept: entry.concept.clone(),
        kind: entry.kind,
        standing,
        first_turn: entry.first_turn,
        since: turn_of(since),
        carriers: entry.carriers.len(),
    };
    (count, first.into_iter().map(row).collect())
}

/// Why an entry is in its state, in a few words.
#[must_use]
pub fn why(standing: &Standing) -> &'static str {
    match (standing.state, standing.why) {
        (State::Weakened, _) => "some of what told it is gone",
        (State::Live, Why::Carrier) => "a message in the window tells it",
        (State::Live, Why::Injection) => "it was put back",
        (State::Live, Why::Summary) => "the summary states it",
        (State::Expired, _) => "what was put back is too old",
        (State::Live | State::Stale | State::Unknown, _) => "nothing in the window tells it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story;

    #[test]
    fn what_the_message_means_stands_first() {
        let recording = Recording::complete(story::script()).unwrap();
        let frame = story::opening(&recording);
        let (count, rows) = rows(&recording, frame, &Filter::default(), 20);
        assert_eq!((rows.len(), &*rows[0].concept), (20, "port 8444"));
        let counts = recording.frames()[frame].counts;
        assert_eq!(count, (counts.live + counts.weakened + counts.stale + counts.expired) as usize);
    }

    #[test]
    fn a_filter_leaves_what_it_says() {
        let recording = Recording::complete(story::script()).unwrap();
        let frame = story::opening(&recording);
        let filter = Filter { state: Some(State::Stale), text: " PORT".into() };
        let (count, rows) = rows(&recording, frame, &filter, usize::MAX);
        assert!(count == rows.len() && count > 0);
        assert!(
            rows.iter().all(|row| row.standing.state == State::Stale && row.concept.to_lowercase().contains("port"))
        );
    }

    #[test]
    fn the_counts_are_those_of_the_rows() {
        let recording = Recording::complete(story::script()).unwrap();
        for frame in [0, 13, 20, recording.frames().len() - 1] {
            let of = |state| rows(&recording, frame, &Filter { state: Some(state), text: String::new() }, 0).0 as u32;
            let counts = recording.frames()[frame].counts;
            assert_eq!(
                (of(State::Live), of(State::Weakened), of(State::Stale), of(State::Expired)),
                (counts.live, counts.weakened, counts.stale, counts.expired)
            );
        }
    }
}
