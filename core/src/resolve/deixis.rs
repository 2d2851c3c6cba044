//! Pronoun and ellipsis: "how does it work again", "why?", "what about the other one".
//!
//! Such a message goes on with what was said before it. While the window holds an exchange before the
//! message, that is what it goes on with, and nothing is lost. Else the lost conversation is: its last
//! exchange, and the message that began the topic, found by going back over messages that themselves
//! only go on.

use super::{Question, Reference, View, evidence, score};
use crate::gap::EvidenceRule;
use crate::ledger::Entry;
use crate::log::{Atom, AtomKind};
use crate::order;
use crate::sentence;
use crate::text;

/// User messages that may belong to one topic: going back further finds another topic's words.
const TOPIC_LENGTH: usize = 12;

/// Words from which on a message is long enough to speak about itself.
const LONG: usize = 14;

/// Words of a message that count for beginning a topic: a long message is not more of a beginning.
const MOST_WORDS: usize = 6;

/// What a message that goes on with another loses, in quarters of a word.
const DEPENDENT: usize = 8;

pub(super) fn resolve(question: &Question<'_>, view: View<'_>) -> Vec<Reference> {
    let Some(cue) = cue(question) else { return Vec::new() };
    // "the page gets a dark theme, add it": a message that tells brings what its pronoun means.
    let tells =
        cue.rule == EvidenceRule::Pronoun && !sentence::is_question(question.text) && names_before(question, &cue);
    if tells || view.visible_before().next().is_some() {
        return Vec::new();
    }
    let lost: Vec<&Atom> = view.lost_talk().take(TOPIC_LENGTH * 4).collect();
    if lost.is_empty() {
        return salient(question, &cue, view);
    }
    let users: Vec<&Atom> =
        lost.iter().copied().filter(|atom| atom.kind == AtomKind::User).take(TOPIC_LENGTH).collect();
    let last = lost.first().copied();
    // A reply tells what its own question asked: the question adds nothing.
    let answered =
        |atom: &&Atom| last.is_some_and(|last| last.kind == AtomKind::Assistant && last.seq.0 == atom.seq.0 + 1);
    let begin = beginning(&users).filter(|atom| !answered(atom));
    let mut out: Vec<Reference> = Vec::new();
    let less = if question.words.len() >= LONG && names_before(question, &cue) { score::ITSELF } else { 0 };
    for (atom, rule, certain, note) in [
        (last, cue.rule, score::LAST, "the last that was said before it"),
        (begin, EvidenceRule::Topic, score::TOPIC, "what the topic began with"),
    ] {
        let Some(atom) = atom.filter(|atom| !out.iter().any(|other| other.atoms.contains(&atom.seq))) else { continue };
        let taken: Vec<u32> = out.iter().filter_map(|reference| reference.entry).collect();
        let Some(entry) = entry_of(atom, &taken, view) else { continue };
        let certain = certain - less;
        let evidence = evidence(rule, question.span(cue.from, cue.to), certain, note);
        let others = view.told(atom.seq);
        out.push(view.refer(entry, evidence).at([atom.seq]).before(others, certain - score::RUNNER_UP));
    }
    out
}

/// The message that began the topic: of the last user messages the one that brings most words of its
/// own and stands on them, nearer ones first. A message that only goes on brings few.
fn beginning<'a>(users: &[&'a Atom]) -> Option<&'a Atom> {
    let weight = |(distance, atom): (usize, &&'a Atom)| {
        let text = atom.message.visible();
        let own = text::tokens(&text).len().min(MOST_WORDS);
        let dependent = if is_dependent(&text) { DEPENDENT } else { 0 };
        (4 * own).saturating_sub(distance + dependent)
    };
    let best = users.iter().enumerate().map(weight).max()?;
    users.iter().enumerate().find(|(distance, atom)| weight((*distance, atom)) == best).map(|(_, atom)| *atom)
}

/// Whether the message names something before its pronoun.
fn names_before(question: &Question<'_>, cue: &Cue) -> bool {
    let at = question.words.get(cue.from).map_or(0, |word| word.span.0);
    question.concepts.iter().any(|concept| concept.span.1 <= at)
}

/// What an atom is about and the window does not state, other than what is taken already.
fn entry_of<'a>(atom: &Atom, taken: &[u32], view: View<'a>) -> Option<&'a Entry> {
    let usable = |entry: &&Entry| !taken.contains(&entry.id) && view.is_missing(entry, Some(atom.seq));
    view.main_entry(atom).filter(usable).or_else(|| view.told(atom.seq).find(usable))
}

/// Without messages (a ledger that only `add` filled) the focus is what was told last, then most often.
fn salient(question: &Question<'_>, cue: &Cue, view: View<'_>) -> Vec<Reference> {
    let mut lost: Vec<&Entry> = view.ledger.entries().iter().filter(|entry| view.state(entry).is_lost()).collect();
    order::by_key(&mut lost, |entry| {
        (std::cmp::Reverse(entry.last_turn), std::cmp::Reverse(entry.reference_count), std::cmp::Reverse(entry.id))
    });
    let Some(entry) = lost.first() else { return Vec::new() };
    let evidence = evidence(cue.rule, question.span(cue.from, cue.to), score::LAST, "the last that was told");
    vec![view.refer(entry, evidence).before(lost.iter().copied(), score::LAST - score::RUNNER_UP)]
}

/// Whether the message goes on with an exchange that the window still holds: then its plain words are
/// about that, not about what is lost.
pub(super) fn is_answered(question: &Question<'_>, view: View<'_>) -> bool {
    cue(question).is_some() && view.visible_before().next().is_some()
}

struct Cue {
    rule: EvidenceRule,
    from: usize,
    to: usize,
}

/// Whether a message only goes on with another.
fn is_dependent(text: &str) -> bool {
    cue(&Question::new(text)).is_some()
}

/// The word that makes the message go on with something, if one does.
fn cue(question: &Question<'_>) -> Option<Cue> {
    let pronoun = (0..question.words.len()).find(|at| is_pronoun(question, *at));
    if let Some(at) = pronoun {
        return Some(Cue { rule: EvidenceRule::Pronoun, from: at, to: at });
    }
    ellipsis(question).map(|(from, to)| Cue { rule: EvidenceRule::Ellipsis, from, to })
}

fn is_pronoun(question: &Question<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |i| question.word(i));
    let after = question.word(at + 1);
    match question.word(at) {
        "it" | "its" | "they" | "them" | "their" | "theirs" | "he" | "him" | "his" | "she" | "her" | "hers"
        | "it's" | "they're" | "he's" | "she's" => true,
        // "this week" is a time, "that the …" joins clauses, "films that win" is a relative clause.
        "this" | "these" => !matches!(after, "week" | "year" | "month" | "morning" | "time" | "evening" | "session"),
        "that" | "those" | "that's" => {
            before.is_empty()
                || text::is_stop_word(before)
                    && !matches!(after, "the" | "a" | "an" | "i" | "you" | "we" | "they" | "he" | "she")
        }
        "there" => {
            !matches!(before, "is" | "are" | "was" | "were" | "be")
                && !matches!(after, "is" | "are" | "was" | "were" | "a" | "any")
        }
        "one" | "ones" => !before.is_empty() && !matches!(before, "no" | "some" | "any" | "every"),
        "它" | "他" | "她" | "这个" | "那个" | "其" => true,
        _ => false,
    }
}

/// "the movement": a definite noun that nothing in the message says more about. What follows it must
/// end the phrase; "the history of …" and "the Golden Globe" say which.
fn is_bare_definite(question: &Question<'_>, at: usize) -> bool {
    let (noun, after) = (question.word(at + 1), question.word(at + 2));
    let is_plain = question
        .words
        .get(at + 1)
        .and_then(|word| question.text.get(word.span.0 as usize..word.span.1 as usize))
        .is_some_and(|word| word.chars().all(char::is_lowercase));
    let ends = after.is_empty()
        || matches!(
            after,
            "is" | "was"
                | "are"
                | "were"
                | "do"
                | "does"
                | "did"
                | "and"
                | "or"
                | "to"
                | "that"
                | "work"
                | "have"
                | "has"
                | "can"
                | "will"
        );
    question.word(at) == "the"
        && is_plain
        && ends
        && !text::is_stop_word(noun)
        && !matches!(
            noun,
            "best" | "world" | "internet" | "most" | "past" | "future" | "day" | "morning" | "way" | "rest"
        )
}

/// Openings and words that leave something out.
fn ellipsis(question: &Question<'_>) -> Option<(usize, usize)> {
    const OPENINGS: &[&str] = &[
        "what about",
        "how about",
        "what else",
        "who else",
        "where else",
        "how so",
        "why not",
        "tell me more",
        "and the",
        "and what",
        "and how",
        "why is that",
        "any other",
        "any others",
        "more about",
    ];
    let opening = OPENINGS.iter().find_map(|phrase| {
        question.find(phrase).filter(|at| *at <= 1).map(|at| (at, at + phrase.split(' ').count() - 1))
    });
    if opening.is_some() {
        return opening;
    }
    let marker = (0..question.words.len()).find(|at| {
        matches!(
            question.word(*at),
            "again" | "else" | "instead" | "others" | "another" | "same" | "too" | "then" | "more"
        )
    });
    // Too short to say anything by itself: "why?", "examples?", "who received it first?".
    let asks = sentence::is_question(question.text);
    let bare =
        question.words.len() <= 2 && question.concepts.is_empty() || asks && text::tokens(question.text).len() <= 1;
    // Only in a question: "write the announcement" makes what it names.
    let definite = (0..question.words.len()).find(|at| asks && is_bare_definite(question, *at));
    match marker.filter(|_| question.words.len() <= 8).or(definite) {
        Some(at) => Some((at, at)),
        _ if bare && !question.words.is_empty() => Some((0, question.words.len() - 1)),
        _ => None,
    }
}
