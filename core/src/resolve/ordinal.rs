//! Ordinal: "the first thing we set up", "the last command", "#3".
//!
//! Counted over the whole session, across compactions, in order of first mention; ids never restart.
//! "thing we set up" counts the statements that say so; a kind or a head noun counts the entries of
//! that kind; a bare "thing" counts what the user's messages were about. What is counted may still be
//! in the window: then nothing is lost.

use super::typed::Asked;
use super::{Question, Reference, View, evidence, score};
use crate::gap::EvidenceRule;
use crate::ledger::Entry;
use crate::log::{Atom, AtomKind, Seq};
use crate::order;
use crate::sentence;
use crate::text;
use crate::topic;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    FromStart(usize),
    FromEnd(usize),
}

/// Words that name no kind: anything may be counted.
const ANYTHING: &[&str] =
    &["thing", "things", "one", "topic", "point", "item", "step", "subject", "question", "task", "point"];

/// Nouns of time: "the last week" counts nothing.
const TIMES: &[&str] = &[
    "time", "times", "day", "week", "month", "year", "night", "hour", "minute", "second", "half", "place", "step",
    "name", "class", "party", "aid",
];

/// Whether a word counts.
pub(super) fn is_counting(word: &str) -> bool {
    place_of(word).is_some()
}

/// Whether a noun is one of time, or of an idiom, that an ordinal does not count.
pub(super) fn is_time(noun: &str) -> bool {
    TIMES.contains(&noun)
}

struct Count {
    place: Place,
    /// Places of the ordinal and of its noun, in words.
    from: usize,
    to: usize,
    noun: String,
    /// The last word of the clause that counts.
    end: usize,
    /// The verb of "… we set up", with its particle.
    verb: Option<Vec<String>>,
}

pub(super) fn resolve(question: &Question<'_>, view: View<'_>) -> Vec<Reference> {
    let Some(count) = parse(question) else { return Vec::new() };
    let counted = counted(&count, view);
    let picked = match count.place {
        Place::FromStart(nth) => counted.get(nth),
        Place::FromEnd(nth) => counted.len().checked_sub(nth + 1).and_then(|at| counted.get(at)),
    };
    let Some((entry, atom)) = picked.and_then(|(id, atom)| Some((view.ledger.entry(*id)?, *atom))) else {
        return Vec::new();
    };
    if !view.is_missing(entry, atom) {
        return Vec::new();
    }
    let position = counted.iter().position(|(id, _)| *id == entry.id).unwrap_or(0) + 1;
    let note = format!("number {position} of {} in order of first mention", counted.len());
    let span = question.span(count.from, count.to);
    let others = counted.iter().filter_map(|(id, _)| view.ledger.entry(*id));
    let reference = view
        .refer(entry, evidence(EvidenceRule::Ordinal, span, score::ORDINAL, note))
        .before(others, score::ORDINAL - score::RUNNER_UP);
    // "what was the first thing we set up" wants the place itself; "how often does it retry" wants more.
    let place = atom.filter(|seq| view.is_lost(*seq) && question.tokens_outside(count.from, count.end).is_empty());
    vec![reference.at(place)]
}

fn parse(question: &Question<'_>) -> Option<Count> {
    (0..question.words.len()).find_map(|at| parse_at(question, at))
}

fn parse_at(question: &Question<'_>, at: usize) -> Option<Count> {
    let hash = question
        .words
        .get(at)
        .is_some_and(|word| question.text.get(..word.span.0 as usize).is_some_and(|before| before.ends_with('#')));
    if hash || matches!(at.checked_sub(1).map(|i| question.word(i)), Some("number" | "no")) {
        let nth: usize = question.word(at).parse().ok()?;
        let before = at.checked_sub(1).map_or("", |i| question.word(i));
        // "issue #266" and "PR #12" are names, not counts.
        let bare = at == 0 || text::is_stop_word(before) || ANYTHING.contains(&before) || before == "number";
        return (bare && (1..=99).contains(&nth)).then(|| Count {
            place: Place::FromStart(nth - 1),
            from: at,
            to: at,
            end: at,
            noun: "thing".into(),
            verb: None,
        });
    }
    let place = place_of(question.word(at))?;
    let determined = at
        .checked_sub(1)
        .is_some_and(|i| matches!(question.word(i), "the" | "that" | "our" | "my" | "your" | "very" | "this"));
    if !determined {
        return None;
    }
    let mut noun_at = at + 1;
    while matches!(question.word(noun_at), "few" | "big" | "main" | "exact" | "real" | "original") {
        noun_at += 1;
    }
    let noun = question.word(noun_at);
    let usable = noun.chars().any(char::is_alphabetic) && (!text::is_stop_word(noun) || ANYTHING.contains(&noun));
    if !usable || TIMES.contains(&noun) && !ANYTHING.contains(&noun) {
        return None;
    }
    let before = question.word(noun_at + 1) == "before" && matches!(question.word(noun_at + 2), "that" | "it" | "this");
    let place = if before {
        match place {
            Place::FromEnd(nth) => Place::FromEnd(nth + 1),
            Place::FromStart(nth) => Place::FromStart(nth.saturating_sub(1)),
        }
    } else {
        place
    };
    let clause = verb_after(question, noun_at + 1);
    let (verb, end) = clause.map_or((None, noun_at), |(verb, end)| (Some(verb), end));
    Some(Count { place, from: at, to: noun_at, end, noun: noun.to_owned(), verb })
}

fn place_of(word: &str) -> Option<Place> {
    const ORDINALS: &[&str] =
        &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    if let Some(nth) = ORDINALS.iter().position(|ordinal| *ordinal == word) {
        return Some(Place::FromStart(nth));
    }
    match word {
        "1st" => Some(Place::FromStart(0)),
        "last" | "latest" => Some(Place::FromEnd(0)),
        "previous" => Some(Place::FromEnd(1)),
        _ => {
            let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end))?;
            let nth: usize = digits.parse().ok()?;
            (1..=99).contains(&nth).then(|| Place::FromStart(nth - 1))
        }
    }
}

/// The verb of a clause like "we set up", "you suggested", "that we tried".
fn verb_after(question: &Question<'_>, at: usize) -> Option<(Vec<String>, usize)> {
    let at = if question.word(at) == "that" { at + 1 } else { at };
    if !matches!(question.word(at), "we" | "you" | "i" | "they") {
        return None;
    }
    let mut verb_at = at + 1;
    while matches!(question.word(verb_at), "had" | "have" | "actually" | "just" | "did" | "ever" | "'ve" | "then") {
        verb_at += 1;
    }
    let verb = question.word(verb_at);
    // Verbs of talking count what was talked about.
    let talking = matches!(
        verb,
        "discussed"
            | "talked"
            | "mentioned"
            | "said"
            | "did"
            | "looked"
            | "asked"
            | "covered"
            | "spoke"
            | "were"
            | "was"
    );
    if verb.is_empty() || talking {
        return None;
    }
    let mut stems = vec![text::stem(verb)];
    let particle = question.word(verb_at + 1);
    if matches!(particle, "up" | "out" | "off" | "on" | "down" | "in" | "over") {
        stems.push(text::stem(particle));
        verb_at += 1;
    }
    Some((stems, verb_at))
}

type Counted = Vec<(u32, Option<Seq>)>;

fn counted(count: &Count, view: View<'_>) -> Counted {
    if let Some(verb) = &count.verb {
        let said = stating(verb, view);
        if !said.is_empty() {
            return said;
        }
    }
    if !ANYTHING.contains(&count.noun.as_str()) {
        let ids = Asked::new(&count.noun).last(usize::MAX, view);
        let told = ids.into_iter().filter(|id| view.ledger.entry(*id).is_some_and(Entry::is_told));
        return told.map(|id| (id, None)).collect();
    }
    topics(view)
}

/// The statements of user and assistant that use the verb, each by what it says it of; a numbered list
/// after the verb counts item by item.
fn stating(verb: &[String], view: View<'_>) -> Counted {
    let mut out: Counted = Vec::new();
    for atom in using(verb, view) {
        let visible = atom.message.visible();
        for range in text::sentences(&visible) {
            let Some(sentence) = visible.get(range.clone()) else { continue };
            let Some(after) = place_of_verb(sentence, verb).filter(|_| !sentence::is_question(sentence)) else {
                continue;
            };
            let rest = visible.get(range.start + after..).unwrap_or_default();
            let items = topic::enumerated(rest);
            let pieces = if items.is_empty() { vec![sentence.get(after..).unwrap_or_default()] } else { items };
            for entry in pieces.into_iter().filter_map(|piece| topic::first_in(piece, view.told(atom.seq))) {
                if !out.iter().any(|(id, _)| *id == entry.id) {
                    out.push((entry.id, Some(atom.seq)));
                }
            }
        }
    }
    out
}

/// Atoms that use a verb are found through the search; this many of them are read.
const READ: usize = 400;

/// The messages of user and assistant that may use the verb, oldest first.
fn using<'a>(verb: &[String], view: View<'a>) -> Vec<&'a Atom> {
    let is_talk =
        |atom: &Atom| matches!(atom.kind, AtomKind::User | AtomKind::Assistant) && Some(atom.seq) != view.current;
    let atom = |doc: u32| view.log.atom(Seq(doc)).filter(|atom| is_talk(atom));
    let Some(first) = verb.first().filter(|stem| view.search.frequency(stem) > 0) else { return Vec::new() };
    let mut seqs: Vec<u32> = view
        .search
        .query_weighted(&[(first.as_str(), 1000)], READ, |doc| atom(doc).is_some())
        .into_iter()
        .map(|hit| hit.doc)
        .collect();
    order::numbers(&mut seqs);
    seqs.into_iter().filter_map(atom).collect()
}

/// Where the verb (with its particle) ends in a sentence.
fn place_of_verb(sentence: &str, verb: &[String]) -> Option<usize> {
    if !verb.first().is_some_and(|stem| sentence.to_lowercase().contains(stem)) {
        return None;
    }
    let words = text::words(sentence);
    let stems: Vec<String> = words.iter().map(|word| text::stem(&word.text.to_lowercase())).collect();
    let at = stems.windows(verb.len()).position(|window| window == verb)?;
    words.get(at + verb.len() - 1).map(|word| word.span().end)
}

/// What the user's messages were about; without messages, the entries themselves.
fn topics(view: View<'_>) -> Counted {
    let is_told = |id: u32| view.ledger.entry(id).is_some_and(Entry::is_told);
    let topics = view.ledger.topics().iter().filter(|(id, seq)| Some(*seq) != view.current && is_told(*id));
    let out: Counted = topics.map(|(id, seq)| (*id, Some(*seq))).collect();
    if !out.is_empty() {
        return out;
    }
    view.ledger.entries().iter().filter(|entry| is_told(entry.id)).map(|entry| (entry.id, None)).collect()
}
