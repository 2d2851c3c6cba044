//! Resolution: which lost things does this message mean?
//!
//! One small interface: a [`Question`] and a [`View`] of the session go in, [`Reference`]s come out,
//! ranked on one scale, with what else was considered. Each way of referring is a file: *named*,
//! *ordinal*, *typed*, *deixis* (pronouns and ellipsis), *session*, *work*; [`model`] lets a model
//! choose. All are deterministic and look at the shape of the message (its function words, its order),
//! never at topics.
//!
//! Silence is the default: an acknowledgement refers to nothing, a reference that the window still
//! answers is no reference to something lost, and a message that names only known or new things gets
//! nothing.

mod courtesy;
mod deixis;
mod leaning;
pub mod model;
mod named;
mod ordinal;
mod question;
mod score;
mod session;
mod typed;
mod uptake;
mod work;

pub use question::Question;

use crate::concept::ConceptKind;
use crate::gap::{Candidate, Evidence, EvidenceRule};
use crate::ledger::{Entry, Ledger, State};
use crate::log::{Atom, AtomKind, Log, Seq};
use crate::order;
use crate::recall::{Hit, Search};
use crate::sentence;

/// What resolution may look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What was told, and what of it is still known.
    pub ledger: &'a Ledger,
    /// The messages.
    pub log: &'a Log,
    /// The search over them.
    pub search: &'a Search,
    /// The message that is looked at, when it is in the log: it answers nothing about itself.
    pub current: Option<Seq>,
}

impl<'a> View<'a> {
    /// Whether an atom left the window.
    #[must_use]
    pub fn is_lost(&self, seq: Seq) -> bool {
        !self.ledger.is_visible(seq) && Some(seq) != self.current
    }

    /// The state of an entry without the message that is looked at.
    #[must_use]
    pub fn state(&self, entry: &Entry) -> State {
        self.ledger.state_without(entry, self.current)
    }

    /// How well some atoms answer the tokens, best first.
    pub(crate) fn search_among(&self, tokens: &[String], seqs: &[Seq]) -> Vec<Hit> {
        let docs: Vec<u32> = seqs.iter().map(|seq| seq.0).collect();
        self.search.query_among(tokens, &docs)
    }

    /// The conversation before the message, newest first.
    pub(crate) fn talk(&self) -> impl Iterator<Item = &'a Atom> + use<'a> {
        let talk = |atom: &&Atom| matches!(atom.kind, AtomKind::User | AtomKind::Assistant) && atom.message.has_text();
        let current = self.current;
        self.log.atoms().iter().rev().filter(talk).filter(move |atom| Some(atom.seq) != current)
    }

    /// The atoms of the conversation that left the window, newest first.
    pub(crate) fn lost_talk(&self) -> impl Iterator<Item = &'a Atom> + '_ {
        self.talk().filter(|atom| self.is_lost(atom.seq))
    }

    /// What stands in the window before the message, tool output included, newest first.
    pub(crate) fn visible_before(&self) -> impl Iterator<Item = &'a Atom> + '_ {
        let talk = |atom: &&Atom| matches!(atom.kind, AtomKind::User | AtomKind::Assistant | AtomKind::ToolResult);
        let seqs = self.log.view().iter().rev().copied();
        seqs.filter(|seq| Some(*seq) != self.current && self.ledger.is_visible(*seq))
            .filter_map(|seq| self.log.atom(seq))
            .filter(talk)
    }

    /// The entries that an atom tells about, in order of first mention in it.
    pub(crate) fn told(&self, seq: Seq) -> impl Iterator<Item = &'a Entry> + 'a {
        let ledger = self.ledger;
        ledger.told_by(seq).iter().filter_map(|(id, _)| ledger.entry(*id))
    }

    /// Whether the window no longer states an entry, or not what the atom said about it.
    pub(crate) fn is_missing(&self, entry: &Entry, atom: Option<Seq>) -> bool {
        let state = self.state(entry);
        state.is_lost() || state == State::Weakened && atom.is_none_or(|seq| self.is_lost(seq))
    }

    /// A reference to an entry.
    fn refer(&self, entry: &Entry, evidence: Evidence) -> Reference {
        Reference {
            entry: Some(entry.id),
            concept: entry.concept.clone(),
            kind: entry.kind,
            state: self.state(entry),
            evidence,
            atoms: Vec::new(),
            runners_up: Vec::new(),
        }
    }

    /// The entry that an atom is most about: of what it tells, what is told most often, phrases
    /// before single words.
    pub(crate) fn main_entry(&self, atom: &Atom) -> Option<&'a Entry> {
        self.told(atom.seq).take(24).max_by_key(|entry| {
            let weight = match entry.kind {
                ConceptKind::Quantity => 0,
                ConceptKind::Term if entry.canonical.contains(' ') => 5,
                ConceptKind::Quote | ConceptKind::Term => 1,
                _ => 2,
            };
            (entry.reference_count.min(3) + weight, std::cmp::Reverse(entry.id))
        })
    }
}

/// Something the message refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The entry; `None` for a concept never told here.
    pub entry: Option<u32>,
    /// Its name.
    pub concept: String,
    /// Its kind.
    pub kind: ConceptKind,
    /// Its state.
    pub state: State,
    /// Why.
    pub evidence: Evidence,
    /// The atoms that the rule itself points at; empty when any carrier will do.
    pub atoms: Vec<Seq>,
    /// What else was considered, best first.
    pub runners_up: Vec<Candidate>,
}

impl Reference {
    /// The rule itself points at these atoms.
    fn at(mut self, atoms: impl IntoIterator<Item = Seq>) -> Self {
        self.atoms.extend(atoms);
        self
    }

    /// These were considered as well, best first.
    fn before<'a>(mut self, others: impl IntoIterator<Item = &'a Entry>, score: u32) -> Self {
        let others = others.into_iter().filter(|other| Some(other.id) != self.entry).take(RUNNERS_UP);
        self.runners_up = others.map(|other| candidate(other, score)).collect();
        self
    }
}

/// Evidence of a rule that compares nothing letter by letter.
fn evidence(rule: EvidenceRule, span: Option<(u32, u32)>, score: u32, note: impl Into<String>) -> Evidence {
    Evidence { rule, span, shared: None, total: None, score, note: note.into() }
}

/// What a message refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// References to lost things, the most certain first.
    pub references: Vec<Reference>,
    /// Concepts that were never told in this session.
    pub unknown: Vec<(String, ConceptKind, (u32, u32))>,
}

/// At most this many runners-up stand beside a reference: more are noise to a reader.
const RUNNERS_UP: usize = 3;

/// Words up to which a message holds one reference. Higher and a pronoun in a long message is lost;
/// lower and "which port was it again" brings the last message too.
const SHORT: usize = 12;

/// Resolves a message against what was lost.
#[must_use]
pub fn resolve(question: &Question<'_>, view: View<'_>) -> Resolution {
    if question.is_acknowledgement() {
        return Resolution::default();
    }
    let (mut resolution, known) = named::resolve(question, view);
    let mut pointed = ordinal::resolve(question, view);
    pointed.extend(typed::resolve(question, view));
    pointed.extend(session::resolve(question, view));
    let mut deixis = deixis::resolve(question, view);
    if !deixis.leaning.leans() {
        resolution.references.retain(|reference| !is_passing(reference, question));
    }
    if deixis.answered {
        resolution.references.retain(|reference| reference.evidence.score >= score::CERTAIN);
    }
    // The noun of "which port" or "the second movie" is part of the pointing, not a name.
    let spans: Vec<(u32, u32)> = pointed.iter().filter_map(|reference| reference.evidence.span).collect();
    let pointed_at = |span: (u32, u32)| spans.iter().any(|s| s.0 < span.1 && span.0 < s.1);
    let is_noun = |reference: &Reference| matches!(reference.kind, ConceptKind::Term | ConceptKind::Quantity);
    resolution.references.retain(|reference| !(reference.evidence.span.is_some_and(pointed_at) && is_noun(reference)));
    // "which port was *staging* on": the word chose the port, it asks for nothing of its own.
    let narrowed = pointed.iter().any(|reference| reference.evidence.score >= score::TYPED_NARROWED);
    resolution
        .references
        .retain(|reference| !narrowed || reference.kind != ConceptKind::Term || reference.concept.contains(' '));
    resolution.unknown.retain(|(_, _, span)| !pointed_at(*span));
    // In a short message a pronoun beside a counted, typed or session reference is part of it.
    let points =
        question.words.len() <= SHORT && pointed.iter().any(|reference| reference.evidence.score >= score::POINTED);
    // "that guesthouse": the pronoun belongs to the noun, and the noun says what is meant.
    let leans_at = question.span(deixis.leaning.from, deixis.leaning.to);
    let is_covered = deixis.leaning.rule == EvidenceRule::Pronoun && leans_at.is_some_and(pointed_at);
    // A question about what the window states, with nothing in it that leans, is answered there.
    let is_known = known && !deixis.leaning.explicit && resolution.references.is_empty();
    // What was never told here may be known elsewhere: that is asked first.
    let elsewhere = view.ledger.config().external && !resolution.unknown.is_empty() && !deixis.leaning.explicit;
    // "what is the staging port?": brief, but what it is about is named in full.
    let is_named = !deixis.leaning.explicit
        && !deixis.leaning.compares
        && resolution.references.iter().any(|reference| reference.evidence.score >= score::CERTAIN);
    if points || elsewhere || is_covered || is_known || is_named {
        deixis.references.clear();
    }
    resolution.references.extend(pointed);
    resolution.references.extend(deixis.references);
    // "which port was staging on" asks for one thing; "fix the port in the config" needs the names.
    let asks = narrowed && sentence::is_question(question.text);
    let work = if asks { Vec::new() } else { work::resolve(question, &deixis.leaning, view) };
    if !work.is_empty() {
        give_way(&mut resolution.references, view);
    }
    resolution.references.extend(work);
    rank(&mut resolution.references);
    resolution
}

/// The names of the work say more than one name does; but one that was decided on, forbidden or failed
/// keeps its place before them.
fn give_way(references: &mut [Reference], view: View<'_>) {
    let is_marked = |reference: &Reference| {
        reference.entry.and_then(|id| view.ledger.entry(id)).is_some_and(|entry| !entry.marks.is_empty())
    };
    let mut marked = 0;
    for reference in references.iter_mut().filter(|reference| reference.evidence.score > score::WORK) {
        marked += usize::from(is_marked(reference));
        if !is_marked(reference) || marked > 1 {
            reference.evidence.score = score::WORK - 2;
        }
    }
}

/// Whether a message that stands by itself only uses a word that was used before: it is neither
/// definite nor written as a name.
fn is_passing(reference: &Reference, question: &Question<'_>) -> bool {
    let is_word = reference.kind == ConceptKind::Term && reference.evidence.score <= score::WORD;
    let at = reference.evidence.span.and_then(|span| question.words.iter().position(|word| word.span.0 == span.0));
    let before = at.and_then(|at| at.checked_sub(1)).map_or("", |before| question.word(before));
    is_word
        && !matches!(before, "the" | "that" | "this" | "our" | "those" | "these")
        && !at.is_some_and(|at| question.is_name(at))
}

/// Most certain first, then the older entry; each entry once.
fn rank(references: &mut Vec<Reference>) {
    order::by_key(references, |reference| (std::cmp::Reverse(reference.evidence.score), reference.entry));
    let mut seen: Vec<(u32, Vec<Seq>)> = Vec::new();
    references.retain(|reference| {
        let Some(entry) = reference.entry else { return true };
        let is_new = !seen.iter().any(|(id, atoms)| *id == entry && (atoms.is_empty() || *atoms == reference.atoms));
        seen.push((entry, reference.atoms.clone()));
        is_new
    });
    for reference in references {
        let own = reference.entry;
        reference.runners_up.retain(|candidate| Some(candidate.entry) != own);
        reference.runners_up.truncate(RUNNERS_UP);
    }
}

fn candidate(entry: &Entry, score: u32) -> Candidate {
    Candidate { concept: entry.concept.clone(), entry: entry.id, score: score.min(1000) }
}

#[cfg(test)]
mod tests;
