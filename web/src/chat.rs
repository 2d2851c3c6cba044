//! The chat up to a frame: each message with its text, what it tells, and whether it is still in the
//! window. Only the last messages are made, so that a step costs the same however long the chat is.

use std::ops::Range;

use diffledger_core::ledger::{Entry, Ledger};
use diffledger_core::log::{Atom, AtomKind, Seq};
use diffledger_core::message::Part;
use diffledger_core::text;

use crate::recording::Recording;
use crate::weight::Class;

/// Characters of a piece that are shown at first; the rest on demand.
const SHOWN: usize = 700;

/// A message, as it stands at a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Its position in the log.
    pub seq: Seq,
    /// Who wrote it.
    pub class: Class,
    /// Its user turn.
    pub turn: u32,
    /// Its tokens.
    pub tokens: u32,
    /// The turn at which it left the window, when it has left.
    pub dropped: Option<u32>,
    /// Whether it is the message that the frame looks at.
    pub is_current: bool,
    /// What it says.
    pub pieces: Vec<Piece>,
}

/// What a piece of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// Visible text.
    Said,
    /// A tool is asked.
    Call,
    /// A tool answers.
    Result,
    /// Hidden reasoning.
    Thought,
    /// An image, a file.
    Opaque,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// What is shown at once, in runs.
    pub runs: Vec<Run>,
    /// What follows on demand.
    pub rest: String,
}

/// A run of text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// The text.
    pub text: String,
    /// Why it is marked.
    pub mark: Option<Mark>,
}

/// Why a run is marked; the later goes before the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// It is a concept.
    Concept,
    /// It is the concept that is selected.
    Selected,
    /// It is what was put back.
    Source,
    /// It refers to something that is lost.
    Gap,
}

/// The last `limit` messages up to `frame`, with how many stand before them.
#[must_use]
pub fn rows(recording: &Recording, frame: usize, selected: Option<u32>, limit: usize) -> (usize, Vec<Row>) {
    let Some(shown) = recording.frames().get(frame) else { return (0, Vec::new()) };
    let atoms = recording.session().log().atoms().get(..shown.atoms).unwrap_or_default();
    let hidden = atoms.len().saturating_sub(limit);
    let turn_of = |frame: usize| recording.frames().get(frame).map_or(0, |shown| shown.turn);
    let turn = &shown.frame.turn;
    let row = |atom: &Atom| {
        let left = recording.visible(atom.seq, frame).filter(|(_, is_visible)| !is_visible);
        let is_current = shown.frame.seq == Some(atom.seq);
        let spans: Vec<Range<usize>> = match is_current {
            true => turn.gaps.iter().filter_map(|gap| gap.evidence.span).map(range).collect(),
            false => Vec::new(),
        };
        let quoted: Vec<&str> = turn
            .fills
            .iter()
            .filter(|fill| fill.source.seqs.contains(&atom.seq))
            .flat_map(|fill| fill.text.split('\n'))
            .collect();
        Row {
            seq: atom.seq,
            class: Class::of(atom),
            turn: atom.turn,
            tokens: atom.tokens,
            dropped: left.map(|(since, _)| turn_of(since)),
            is_current,
            pieces: pieces(atom, recording.session().ledger(), selected, &spans, &quoted),
        }
    };
    (hidden, atoms.iter().skip(hidden).map(row).collect())
}

fn range((from, to): (u32, u32)) -> Range<usize> {
    from as usize..to as usize
}

fn pieces(atom: &Atom, ledger: &Ledger, selected: Option<u32>, spans: &[Range<usize>], quoted: &[&str]) -> Vec<Piece> {
    let told: Vec<&Entry> = ledger.told_by(atom.seq).iter().filter_map(|(id, _)| ledger.entry(*id)).collect();
    let spans_are_of = |part: &Part| matches!(part, Part::Text { .. });
    // A span counts bytes of all text parts, joined by a line break.
    let mut offset = 0;
    let piece = |part: &Part| {
        let (kind, text) = match part {
            Part::Text { text } => (PieceKind::Said, text.clone()),
            Part::ToolCall { name, input, .. } => (PieceKind::Call, format!("{name} {input}")),
            Part::ToolResult { text, .. } => (PieceKind::Result, text.clone()),
            Part::Reasoning { text } => (PieceKind::Thought, text.clone()),
            Part::Opaque { kind, .. } => (PieceKind::Opaque, kind.clone()),
        };
        let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
        let (head, rest) = text.split_at_checked(end).unwrap_or((&text, ""));
        let mut marks: Vec<(Range<usize>, Mark)> = Vec::new();
        if spans_are_of(part) {
            marks.extend(
                spans.iter().filter_map(|span| Some((span.start.checked_sub(offset)?..span.end - offset, Mark::Gap))),
            );
            offset += text.len() + 1;
        }
        for line in quoted.iter().filter(|line| !line.trim().is_empty()) {
            marks.extend(head.find(line).map(|at| (at..at + line.len(), Mark::Source)));
        }
        for entry in &told {
            let mark = if selected == Some(entry.id) { Mark::Selected } else { Mark::Concept };
            marks.extend(text::contains_whole(head, &entry.concept).map(|at| (at..at + entry.concept.len(), mark)));
        }
        Piece { kind, runs: runs(head, marks), rest: rest.to_owned() }
    };
    if atom.kind == AtomKind::Synthetic && atom.message.parts.is_empty() {
        return Vec::new();
    }
    atom.message.parts.iter().map(piece).collect()
}

/// Cuts a text at its marks; where two meet, the stronger wins, and of equals the one that is longer.
#[must_use]
pub fn runs(text: &str, mut marks: Vec<(Range<usize>, Mark)>) -> Vec<Run> {
    marks.retain(|(range, _)| !range.is_empty() && text.get(range.clone()).is_some());
    marks.sort_by_key(|(range, mark)| (std::cmp::Reverse((*mark, range.len())), range.start));
    let mut taken: Vec<(Range<usize>, Mark)> = Vec::new();
    for (range, mark) in marks {
        if taken.iter().all(|(other, _)| range.end <= other.start || other.end <= range.start) {
            taken.push((range, mark));
        }
    }
    taken.sort_by_key(|(range, _)| range.start);
    let mut runs = Vec::new();
    let mut at = 0;
    let mut push = |range: Range<usize>, mark: Option<Mark>| {
        if let Some(text) = text.get(range).filter(|text| !text.is_empty()) {
            runs.push(Run { text: text.to_owned(), mark });
        }
    };
    for (range, mark) in taken {
        push(at..range.start, None);
        at = range.end;
        push(range, Some(mark));
    }
    push(at..text.len(), None);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story;

    fn check(text: &str, marks: &[(Range<usize>, Mark)], expected: &[(&str, Option<Mark>)]) {
        let runs = runs(text, marks.to_vec());
        assert_eq!(runs.iter().map(|run| (&*run.text, run.mark)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_text_is_cut_at_its_marks() {
        check("a bc d", &[(2..4, Mark::Concept)], &[("a ", None), ("bc", Some(Mark::Concept)), (" d", None)]);
        check("", &[], &[]);
    }

    #[test]
    fn where_marks_meet_the_stronger_wins() {
        let marks = [(0..4, Mark::Concept), (2..6, Mark::Gap), (0..2, Mark::Selected)];
        check("abcdef", &marks, &[("ab", Some(Mark::Selected)), ("cdef", Some(Mark::Gap))]);
    }

    #[test]
    fn a_mark_that_is_no_place_of_the_text_is_left_out() {
        check("é", &[(0..1, Mark::Gap), (1..9, Mark::Gap)], &[("é", None)]);
    }

    #[test]
    fn the_opening_frame_marks_the_gap_and_its_source() {
        let recording = Recording::complete(story::script()).unwrap();
        let frame = story::opening(&recording);
        let (_, rows) = rows(&recording, frame, None, usize::MAX);
        let marked = |wanted: Mark| {
            let runs = rows.iter().flat_map(|row| &row.pieces).flat_map(|piece| &piece.runs);
            runs.filter(|run| run.mark == Some(wanted)).map(|run| run.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(marked(Mark::Gap), ["which port"]);
        assert!(marked(Mark::Source)[0].contains("Staging is on port 8444 now"));
        let current = rows.last().unwrap();
        assert!(current.is_current && current.dropped.is_none());
        assert_eq!(rows[0].dropped, Some(14));
    }

    #[test]
    fn only_the_last_messages_are_made() {
        let recording = Recording::complete(story::script()).unwrap();
        let last = recording.frames().len() - 1;
        let (hidden, rows) = rows(&recording, last, None, 10);
        assert_eq!((hidden + rows.len(), rows.len()), (recording.session().log().atoms().len(), 10));
    }
}
