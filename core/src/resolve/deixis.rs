//! Pronoun and ellipsis: "how does it work again", "why?", "what about the other one".
//!
//! A message that leans ([`Leaning`]) goes on with two things: the last that was said, and what the
//! topic began with. Each is recalled only when it left the window, so a message whose topic the
//! window still holds gets nothing, and one whose topic began before the window gets that beginning.
//!
//! The beginning is sought backwards over the user's messages: one that stands by itself, takes up no
//! word that was just said, and is not long ago, counted in the text since. With long replies the last
//! exchanges hold the topic and are near; with short questions only the first of them does.

use super::leaning::Leaning;
use super::{Question, Reference, View, evidence, score, uptake};
use crate::gap::EvidenceRule;
use crate::ledger::Entry;
use crate::log::{Atom, AtomKind};
use crate::order;

/// User messages that are looked at for the beginning of the topic.
const LOOKED_AT: usize = 16;

/// User messages before one in which the words that it takes up are sought, with the replies to them.
const JUST_SAID: usize = 4;

/// One in this many of a message's words must be taken up. Higher and one word that happens to be
/// shared ties a new request to the last topic.
const MESSAGE: usize = 3;

/// The same where the beginning of a topic is sought.
const BEGAN: usize = 2;

/// Bytes of a message that are read for how much it leans.
const HEAD: usize = 400;

/// What a message leans on, and whether the window holds it.
pub(super) struct Deixis {
    pub(super) references: Vec<Reference>,
    /// How much it leans.
    pub(super) leaning: Leaning,
    /// It leans, and what it leans on is in the window.
    pub(super) answered: bool,
}

pub(super) fn resolve(question: &Question<'_>, view: View<'_>) -> Deixis {
    let mut leaning = Leaning::of(question.text, &question.words);
    let talk = Talk::of(view);
    if talk.takes_up(&leaning, talk.atoms.len(), MESSAGE, view) {
        leaning.points += score::leaning::TAKES_UP;
    }
    if !leaning.leans() {
        return Deixis { references: Vec::new(), leaning, answered: false };
    }
    let seen = view.visible_before().next();
    let answered = seen.is_some();
    let last = if answered { None } else { talk.last(view) };
    // A reply in the window holds the topic; a mere question may only go on with it.
    let begin = if seen.is_none_or(|atom| atom.kind == AtomKind::User) { talk.beginning(view) } else { None };
    if talk.atoms.is_empty() {
        return Deixis { references: salient(question, &leaning, view), leaning, answered };
    }
    let less = if leaning.explicit { 0 } else { score::ONLY_BRIEF };
    let mut references: Vec<Reference> = Vec::new();
    for (atom, rule, certain, note) in [
        (last, leaning.rule, score::LAST, "the last that was said before it"),
        (begin, EvidenceRule::Topic, score::TOPIC, "what the topic began with"),
    ] {
        let Some(atom) = atom.filter(|atom| view.is_lost(atom.seq)) else { continue };
        if references.iter().any(|other| other.atoms.contains(&atom.seq)) {
            continue;
        }
        let taken: Vec<u32> = references.iter().filter_map(|reference| reference.entry).collect();
        let Some(entry) = entry_of(atom, &taken, view) else { continue };
        let certain = certain - less;
        let evidence = evidence(rule, question.span(leaning.from, leaning.to), certain, note);
        let others = view.told(atom.seq);
        references.push(view.refer(entry, evidence).at([atom.seq]).before(others, certain - score::RUNNER_UP));
    }
    Deixis { references, leaning, answered }
}

/// The conversation before the message, newest first, with the places of the user's messages in it.
struct Talk<'a> {
    atoms: Vec<&'a Atom>,
    users: Vec<usize>,
}

impl<'a> Talk<'a> {
    /// As far back as the beginning of the topic can be.
    fn of(view: View<'a>) -> Self {
        let mut talk = Self { atoms: Vec::new(), users: Vec::new() };
        let mut said = 0;
        for atom in view.talk() {
            if atom.kind == AtomKind::User {
                talk.users.push(talk.atoms.len());
            }
            talk.atoms.push(atom);
            said += atom.tokens;
            if talk.users.len() >= LOOKED_AT + JUST_SAID || said > FARTHEST {
                break;
            }
        }
        talk
    }

    /// Whether one of the words stands in what was said just before a place.
    fn takes_up(&self, leaning: &Leaning, place: usize, share: usize, view: View<'_>) -> bool {
        let from = if place < self.atoms.len() { place + 1 } else { 0 };
        let to = self.users.iter().copied().filter(|user| *user >= from).nth(JUST_SAID - 1);
        let before = self.atoms.get(from..to.map_or(self.atoms.len(), |to| to + 1)).unwrap_or_default();
        let shared = uptake::shared(&leaning.taken, before, view);
        shared > 0 && shared * share >= leaning.taken.len()
    }

    /// The last that tells anything.
    fn last(&self, view: View<'_>) -> Option<&'a Atom> {
        self.atoms.iter().copied().find(|atom| view.told(atom.seq).next().is_some())
    }

    /// The message that began the topic, wherever it is now.
    fn beginning(&self, view: View<'_>) -> Option<&'a Atom> {
        let is_first = |atom: &Atom| view.log.atoms().iter().find(|one| one.kind == AtomKind::User) == Some(atom);
        let mut best: Option<(i32, &Atom)> = None;
        let (mut said, mut counted) = (0, 0);
        for (which, place) in self.users.iter().copied().take(LOOKED_AT).enumerate() {
            // Its own reply belongs to it: what was said since begins with the user's next message.
            let since = which.checked_sub(1).and_then(|next| self.users.get(next)).map_or(0, |next| next + 1);
            let newer = self.atoms.get(counted..since).unwrap_or_default();
            said += newer.iter().map(|atom| i32::try_from(atom.tokens).unwrap_or(i32::MAX / 4)).sum::<i32>();
            counted = since;
            let Some(atom) = self.atoms.get(place).copied() else { continue };
            // A reply tells what its own question asked: the question adds nothing to it.
            if place == 1
                && self.atoms.first().is_some_and(|reply| reply.kind == AtomKind::Assistant && view.is_lost(reply.seq))
            {
                continue;
            }
            let leaning = leaning_of(atom);
            let takes_up = if self.takes_up(&leaning, place, BEGAN, view) { score::begin::TAKES_UP } else { 0 };
            let first = if is_first(atom) { score::begin::FIRST } else { 0 };
            let window = if view.is_lost(atom.seq) { 0 } else { score::begin::WINDOW };
            let weight = first + window - takes_up - score::begin::LEANS * leaning.points - score::begin::SAID * said;
            if best.is_none_or(|(most, _)| weight > most) {
                best = Some((weight, atom));
            }
        }
        best.map(|(_, atom)| atom)
    }
}

/// Estimated tokens back to which the beginning of a topic is sought.
const FARTHEST: u32 = 4000;

fn leaning_of(atom: &Atom) -> Leaning {
    let text = atom.message.visible();
    let head = text.get(..text.floor_char_boundary(HEAD)).unwrap_or(&text);
    Leaning::of(head, &super::question::words(head))
}

/// What an atom is about and the window does not state, if possible other than what is taken already.
fn entry_of<'a>(atom: &Atom, taken: &[u32], view: View<'a>) -> Option<&'a Entry> {
    let missing = |entry: &&Entry| view.is_missing(entry, Some(atom.seq));
    let fresh = |entry: &&Entry| missing(entry) && !taken.contains(&entry.id);
    let all = || view.told(atom.seq);
    view.main_entry(atom).filter(fresh).or_else(|| all().find(fresh)).or_else(|| all().find(missing))
}

/// Without messages (a ledger that only `add` filled) the focus is what was told last, then most often.
fn salient(question: &Question<'_>, leaning: &Leaning, view: View<'_>) -> Vec<Reference> {
    let mut lost: Vec<&Entry> = view.ledger.entries().iter().filter(|entry| view.state(entry).is_lost()).collect();
    order::by_key(&mut lost, |entry| {
        (std::cmp::Reverse(entry.last_turn), std::cmp::Reverse(entry.reference_count), std::cmp::Reverse(entry.id))
    });
    let Some(entry) = lost.first() else { return Vec::new() };
    let span = question.span(leaning.from, leaning.to);
    let evidence = evidence(leaning.rule, span, score::LAST, "the last that was told");
    vec![view.refer(entry, evidence).before(lost.iter().copied(), score::LAST - score::RUNNER_UP)]
}
