//! The answer of a turn: what the message that waits needs, once.

use super::Session;
use crate::error::ErrorInfo;
use crate::log::{AtomKind, Event, Log, Seq};
use crate::look::{Look, look};
use crate::message::{Message, Part};
use crate::skipped::Skipped;
use crate::turn::{Turn, render};

/// A message that is being answered.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Its atom; `None` when it was only told to [`Session::tell`].
    pub(super) atom: Option<Seq>,
    pub(super) text: String,
    pub(super) skipped: Skipped,
    pub(super) degraded: Vec<ErrorInfo>,
}

impl Session {
    /// Keeps the log under its cap and answers from what is known here.
    pub(super) fn finish(&mut self, skipped: Skipped) -> Turn {
        match self.open(skipped) {
            Ok(open) => {
                let look = look(&open.text, self.view(open.atom));
                self.conclude(open, look)
            }
            Err(turn) => *turn,
        }
    }

    /// The message that waits; the turn itself when none does, or when it was answered before.
    pub(super) fn open(&mut self, mut skipped: Skipped) -> Result<Open, Box<Turn>> {
        let forgotten = self.forget();
        skipped.add("forgotten", forgotten);
        let Some(current) = self.waiting() else {
            let crunch = self.unreported.take();
            return Err(Box::new(Turn { id: self.log.turn(), crunch, skipped, ..Turn::default() }));
        };
        match &self.answered {
            Some((seq, turn)) if *seq == current && self.unreported.is_none() => {
                let mut turn = turn.clone();
                // The host has put the block where it belongs: it is not handed out again.
                if self.ledger.sees_fence(turn.id) {
                    turn.inject.clear();
                }
                if forgotten > 0 {
                    turn.skipped = skipped;
                }
                Err(Box::new(turn))
            }
            _ => {
                let text = self.log.atom(current).map(|atom| said(&atom.message)).unwrap_or_default();
                Ok(Open { atom: Some(current), text, skipped, degraded: Vec::new() })
            }
        }
    }

    /// Forgets the oldest texts outside the window when the log is over its cap; says how many.
    fn forget(&mut self) -> u32 {
        let seqs = self.log.to_forget(self.ledger.config().log_bytes);
        let count = u32::try_from(seqs.len()).unwrap_or(u32::MAX);
        if count > 0 {
            for seq in &seqs {
                self.search.remove(seq.0);
            }
            self.record(Event::Forget { seqs });
        }
        count
    }

    /// Records the fills and makes the turn.
    pub(super) fn conclude(&mut self, open: Open, look: Look) -> Turn {
        let Look { gaps, fills, unknown } = look;
        let id = self.log.turn();
        for (gap, fill) in gaps.iter().zip(&fills) {
            let Some(fill) = fill else { continue };
            self.record(Event::Inject {
                entry: gap.entry,
                concept: fill.concept.clone(),
                text: fill.text.clone(),
                source: fill.source.kind.word().into(),
                score: gap.evidence.score,
                // What is told outside the messages is never found in them again.
                fence: open.atom.map(|_| id),
                seqs: fill.source.seqs.clone(),
            });
        }
        let fills: Vec<_> = fills.into_iter().flatten().collect();
        let inject = render(self.ledger.session_id(), id, &fills, &self.log);
        let Open { atom, skipped, degraded, .. } = open;
        let crunch = self.unreported.take();
        let turn = Turn { id, crunch, gaps, unknown, fills, inject, degraded, skipped };
        match atom {
            Some(seq) => self.answered = Some((seq, turn.clone())),
            None => self.record(Event::Advance),
        }
        turn
    }
}

/// The last user atom of the window, when nothing but software spoke after it.
pub(super) fn waiting(log: &Log) -> Option<Seq> {
    let atoms = log.view().iter().rev().filter_map(|seq| log.atom(*seq));
    let last = atoms.into_iter().find(|atom| !matches!(atom.kind, AtomKind::Synthetic | AtomKind::System))?;
    (last.kind == AtomKind::User).then_some(last.seq)
}

/// The text parts of a message.
pub(super) fn said(message: &Message) -> String {
    let text = |part: &Part| if let Part::Text { text } = part { Some(text.clone()) } else { None };
    message.parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}
