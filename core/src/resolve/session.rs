//! Session: "what did we decide", "where were we", "continue".
//!
//! The message asks for the state of the work, not for a thing. What was decided, forbidden or left
//! to do is marked when it is learnt ([`crate::sentence::Mark`]); the newest such statement that left
//! the window answers, narrowed by the message's other words. "Where were we" is the last that was
//! said.

use super::{Question, Reference, View, evidence, score};
use crate::gap::EvidenceRule;
use crate::ledger::{Entry, State};
use crate::log::Atom;
use crate::order;
use crate::sentence::{self, Mark};
use crate::text;

/// Lost atoms with the mark that are looked through, newest first.
const LOOKED_THROUGH: usize = 64;

enum Wanted {
    Marked(Mark),
    Frontier,
}

const CUES: &[(&str, Wanted)] = &[
    ("did we decide", Wanted::Marked(Mark::Decision)),
    ("we decided", Wanted::Marked(Mark::Decision)),
    ("was decided", Wanted::Marked(Mark::Decision)),
    ("was the decision", Wanted::Marked(Mark::Decision)),
    ("did we agree", Wanted::Marked(Mark::Decision)),
    ("did we settle", Wanted::Marked(Mark::Decision)),
    ("did we choose", Wanted::Marked(Mark::Decision)),
    ("did we pick", Wanted::Marked(Mark::Decision)),
    ("what's left", Wanted::Marked(Mark::Task)),
    ("whats left", Wanted::Marked(Mark::Task)),
    ("what is left", Wanted::Marked(Mark::Task)),
    ("still to do", Wanted::Marked(Mark::Task)),
    ("still open", Wanted::Marked(Mark::Task)),
    ("what's next", Wanted::Marked(Mark::Task)),
    ("whats next", Wanted::Marked(Mark::Task)),
    ("where were we", Wanted::Frontier),
    ("where did we leave", Wanted::Frontier),
    ("where we left", Wanted::Frontier),
    ("what were we doing", Wanted::Frontier),
    ("what were we working", Wanted::Frontier),
    ("what was i doing", Wanted::Frontier),
    ("carry on", Wanted::Frontier),
    ("pick up where", Wanted::Frontier),
];

pub(super) fn resolve(question: &Question<'_>, view: View<'_>) -> Vec<Reference> {
    let Some((at, phrase, wanted)) = wanted(question) else { return Vec::new() };
    let to = at + phrase.split(' ').count() - 1;
    let context = question.tokens_outside(at, to);
    let found = match wanted {
        Wanted::Marked(mark) => marked(*mark, &context, view),
        Wanted::Frontier => Vec::new(),
    };
    let frontier = found.is_empty();
    // What the window still says is not lost: "continue" in the middle of the work asks for nothing.
    if frontier
        && (view.visible_before().next().is_some() || !context.is_empty() && matches!(wanted, Wanted::Marked(_)))
    {
        return Vec::new();
    }
    let atoms: Vec<(&Atom, Option<&Entry>)> =
        if frontier { view.lost_talk().take(2).map(|atom| (atom, view.main_entry(atom))).collect() } else { found };
    let note = if frontier { "the last that was said" } else { "the newest statement of that sort" };
    let all: Vec<&Entry> = atoms.iter().filter_map(|(_, entry)| *entry).collect();
    let told = atoms.iter().filter_map(|(atom, entry)| entry.map(|entry| (*atom, entry)));
    told.filter(|(_, entry)| !frontier || view.state(entry) != State::Live)
        .zip([score::SESSION, score::LAST])
        .take(if frontier { 2 } else { 1 })
        .map(|((atom, entry), certain)| {
            view.refer(entry, evidence(EvidenceRule::Session, question.span(at, to), certain, note))
                .at([atom.seq])
                .before(all.iter().copied(), certain - score::RUNNER_UP)
        })
        .collect()
}

/// Words up to which a message may ask for the state of the work: a longer one tells of it.
const SHORT: usize = 24;

fn wanted(question: &Question<'_>) -> Option<(usize, &'static str, &'static Wanted)> {
    if question.words.len() > SHORT {
        return None;
    }
    let alone = matches!(question.words.len(), 1 | 2) && matches!(question.word(0), "continue" | "resume" | "proceed");
    if alone {
        return Some((0, "continue", &Wanted::Frontier));
    }
    let found = CUES.iter().find_map(|(phrase, wanted)| question.find(phrase).map(|at| (at, *phrase, wanted)));
    // "we decided to keep it" says so; "what we decided" asks.
    let tells = |phrase: &str| phrase.ends_with("decided") && !sentence::is_question(question.text);
    // A request stands at the start; elsewhere the words are told or quoted.
    let requests = |phrase: &str| matches!(phrase, "carry on" | "pick up where" | "still to do" | "still open");
    let starts = |at: usize| {
        at == 0
            || at == 1
                && matches!(question.word(0), "please" | "ok" | "okay" | "so" | "and" | "now" | "what's" | "what")
    };
    found.filter(|(at, phrase, _)| !tells(phrase) && (starts(*at) || !requests(phrase)))
}

/// Lost statements with the mark: those that share most with the message, then the newest.
fn marked<'a>(mark: Mark, context: &[String], view: View<'a>) -> Vec<(&'a Atom, Option<&'a Entry>)> {
    let mut found: Vec<(usize, &Atom, String)> = Vec::new();
    for atom in view.lost_talk().filter(|atom| view.ledger.marks_of(atom.seq).contains(&mark)).take(LOOKED_THROUGH) {
        let visible = atom.message.visible();
        for range in text::sentences(&visible) {
            let Some(sentence) = visible.get(range) else { continue };
            if sentence::is_question(sentence) || !sentence::marks(sentence).contains(&mark) {
                continue;
            }
            let tokens = if context.is_empty() { Vec::new() } else { text::search_tokens(sentence) };
            let shared = context.iter().filter(|token| tokens.contains(token)).count();
            if context.is_empty() || shared > 0 {
                found.push((shared, atom, sentence.to_owned()));
            }
        }
    }
    order::by_key(&mut found, |(shared, atom, _)| (std::cmp::Reverse(*shared), std::cmp::Reverse(atom.seq)));
    found.truncate(NAMED);
    found.into_iter().map(|(_, atom, sentence)| (atom, subject(&sentence, atom, context, view))).collect()
}

/// Statements whose subject is found out: the one that answers, and those listed beside it.
const NAMED: usize = 4;

/// What a statement is about: the entry that shares most with the message, phrases before words.
fn subject<'a>(sentence: &str, atom: &Atom, context: &[String], view: View<'a>) -> Option<&'a Entry> {
    view.told(atom.seq).filter(|entry| entry.find_in(sentence).is_some()).max_by_key(|entry| {
        let own = text::tokens(&entry.concept);
        let shared = context.iter().filter(|token| own.contains(token)).count();
        (shared, entry.canonical.contains(' '), std::cmp::Reverse(entry.id))
    })
}
