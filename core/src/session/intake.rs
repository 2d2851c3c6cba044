//! Messages come in: cut, aligned with the window, learnt; and what a difference did is recorded.

use super::Session;
use crate::align::{Alignment, Verdict, align, replaces};
use crate::crunch::{self, Crunch, CrunchKind};
use crate::fence;
use crate::hear::passages;
use crate::log::{Atom, AtomKind, Cause, Event, Seq};
use crate::message::{Message, Part, Role, Synthetic};
use crate::order::Set;
use crate::transcript::{Marker, Transcript, is_placeholder};
use crate::turn::turn_of_fence;

impl Session {
    pub(super) fn record(&mut self, event: Event) {
        self.log.record(event);
        if let Some(event) = self.log.events().last() {
            self.ledger.apply(event, &self.log);
        }
    }

    pub(super) fn append(&mut self, message: Message) -> Seq {
        if message.is_from_user() {
            self.confirmed.clear();
        }
        let seq = self.log.append(message);
        self.learn_atom(seq);
        seq
    }

    /// Takes what an atom of the log tells into the search and the ledger.
    pub(super) fn learn_atom(&mut self, seq: Seq) {
        if let Some(atom) = self.log.atom(seq) {
            if atom.kind != AtomKind::Synthetic {
                self.search.add(seq.0, &passages(&atom.message).join("\n"));
            }
            if atom.message.synthetic == Some(Synthetic::Fill) {
                self.blocks.push(seq);
            }
            self.ledger.apply(&Event::Append { seq }, &self.log);
        }
    }

    /// Appends messages at the end of the window.
    pub(super) fn grow(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages.into_iter().flat_map(labelled) {
            self.append(message);
        }
        self.see();
    }

    /// Appends what a stretch of history has and the log lacks; what it lacks means nothing.
    pub(super) fn learn_history<'m>(&mut self, history: impl Iterator<Item = &'m Message>) {
        let array = cut(history);
        let alignment = align(&self.log, self.log.view(), &array);
        for (message, seq) in array.into_iter().zip(alignment.atoms) {
            if seq.is_none() {
                self.append(message);
            }
        }
    }

    /// The atoms of the window that some messages are, and the system text.
    pub(super) fn found(&self, messages: &[Message]) -> Vec<Seq> {
        let alignment = align(&self.log, self.log.view(), &cut(messages));
        let found: Set<Seq> = alignment.atoms.into_iter().flatten().collect();
        let stays =
            |seq: &Seq| found.contains(seq) || self.log.atom(*seq).is_some_and(|atom| atom.kind == AtomKind::System);
        self.log.view().iter().copied().filter(stays).collect()
    }

    /// The last `keep` atoms of the window, grown to whole groups of call and results, and the system text.
    pub(super) fn last(&self, keep: usize) -> Vec<Seq> {
        let view = self.log.view();
        let from = self.whole_groups(view, view.len().saturating_sub(keep));
        let is_system = |seq: &Seq| self.log.atom(*seq).is_some_and(|atom| atom.kind == AtomKind::System);
        let stays = |(at, seq): &(usize, Seq)| *at >= from || is_system(seq);
        view.iter().copied().enumerate().filter(stays).map(|(_, seq)| seq).collect()
    }

    /// The place from which on no result stands without its call: results are paired by the id of the
    /// call, or, where a format has none, with the last call before them.
    fn whole_groups(&self, view: &[Seq], from: usize) -> usize {
        let mut from = from.min(view.len());
        let mut at = view.len();
        while at > 0 {
            at -= 1;
            let Some(atom) = view.get(at).and_then(|seq| self.log.atom(*seq)).filter(|_| at >= from) else { continue };
            let call = |id: &str| {
                let earlier = view
                    .get(..at)
                    .unwrap_or_default()
                    .iter()
                    .rposition(|seq| self.log.atom(*seq).is_some_and(|atom| calls(atom, id)));
                earlier.unwrap_or(at)
            };
            from = answered(atom).into_iter().map(call).min().map_or(from, |call| call.min(from));
        }
        from
    }

    /// The window becomes `kept`; the report says what that took.
    pub(super) fn drop_to(&mut self, kept: Vec<Seq>, kind: CrunchKind, id: Option<String>) -> Crunch {
        let stays: Set<Seq> = kept.iter().copied().collect();
        let label = |atom: &Atom| {
            matches!(atom.message.synthetic, Some(Synthetic::Fill | Synthetic::Reminder | Synthetic::Notice))
        };
        let is_said = |seq: &Seq| self.log.atom(*seq).is_some_and(|atom| !label(atom));
        let dropped: Vec<Seq> =
            self.log.view().iter().copied().filter(|seq| !stays.contains(seq) && is_said(seq)).collect();
        // The log only grows: its length tells two compactions of the same atoms apart.
        let id = id.unwrap_or_else(|| format!("{}-{}", kind.word(), self.log.events().len()));
        let states = crunch::before(&self.ledger, &dropped);
        self.record(Event::Window { cause: Cause::Crunch { id: id.clone() }, view: kept });
        self.see();
        crunch::report(id, kind, dropped, &states, &self.ledger)
    }

    /// Aligns the present array with the window, and records the difference.
    pub(super) fn take<'m>(&mut self, present: impl Iterator<Item = &'m Message>) -> Option<Crunch> {
        let array = cut(present);
        let Alignment { mut atoms, gone, verdict } = align(&self.log, self.log.view(), &array);
        let mut array: Vec<Option<Message>> = array.into_iter().map(Some).collect();
        let crunch = if let Verdict::Crunch(kind) = verdict {
            Some(self.lose(kind, &gone, &mut array, &mut atoms))
        } else {
            None
        };
        for (slot, place) in array.into_iter().zip(atoms.iter_mut()) {
            if let (None, Some(message)) = (&place, slot) {
                *place = Some(self.append(message));
            }
        }
        let view: Vec<Seq> = atoms.into_iter().flatten().collect();
        if view != self.log.view() || view.iter().any(|seq| !self.ledger.is_visible(*seq)) {
            let cause = match verdict {
                Verdict::Rewind => Cause::Rewind,
                Verdict::Edit => Cause::Edit,
                Verdict::Grown | Verdict::Crunch(_) => Cause::Restore,
            };
            self.record(Event::Window { cause, view });
        }
        self.see();
        crunch
    }

    /// A compaction found in an array. What replaces the dropped is learnt before they leave, so that a
    /// summary keeps live what it states; what is new otherwise comes after the report.
    fn lose(
        &mut self,
        kind: CrunchKind,
        gone: &[Seq],
        array: &mut [Option<Message>],
        atoms: &mut [Option<Seq>],
    ) -> Crunch {
        for (slot, place) in array.iter_mut().zip(atoms.iter_mut()) {
            if place.is_some() {
                continue;
            }
            if let Some(mut message) = slot.take_if(|message| replaces(message, kind)) {
                let by = if message.role == Role::Tool { Synthetic::Placeholder } else { Synthetic::Summary };
                message.synthetic.get_or_insert(by);
                *place = Some(self.append(message));
            }
        }
        let left: Set<Seq> = gone.iter().copied().collect();
        let view: Vec<Seq> = self.log.view().iter().copied().filter(|seq| !left.contains(seq)).collect();
        self.drop_to(view, kind, None)
    }

    /// Records which of our fences stand in the window, or were confirmed for this user turn.
    pub(super) fn see(&mut self) {
        let shown =
            self.blocks.iter().filter(|seq| self.ledger.is_visible(**seq)).filter_map(|seq| self.log.atom(*seq));
        let turns = shown.filter_map(|atom| turn_of_fence(self.ledger.session_id(), atom.message.id.as_deref()?));
        let visible: Set<u32> = turns.chain(self.confirmed.iter().copied()).collect();
        if !self.ledger.sees(visible.as_slice()) {
            self.record(Event::Fences { visible: visible.as_slice().to_vec() });
        }
    }
}

/// The calls that an atom answers, by their ids.
fn answered(atom: &Atom) -> Vec<&str> {
    atom.message
        .parts
        .iter()
        .filter_map(|part| if let Part::ToolResult { call, .. } = part { Some(call.as_str()) } else { None })
        .collect()
}

/// Whether an atom makes the call; an empty id means any.
fn calls(atom: &Atom, id: &str) -> bool {
    atom.message.parts.iter().any(|part| matches!(part, Part::ToolCall { id: own, .. } if id.is_empty() || own == id))
}

fn cut<'m>(messages: impl IntoIterator<Item = &'m Message>) -> Vec<Message> {
    messages.into_iter().cloned().flat_map(labelled).collect()
}

/// A message without its synthetic spans, and labelled where its whole text is a host's placeholder:
/// the label is part of what it is compared by, so that it must not depend on who read it.
fn labelled(mut message: Message) -> Vec<Message> {
    if message.role == Role::Tool && message.synthetic.is_none() && is_placeholder(&message.visible()) {
        message.synthetic = Some(Synthetic::Placeholder);
    }
    fence::cut(message)
}

/// The messages before a compaction that stay in the window: system text, and what it lists.
pub(super) fn staying(transcript: &Transcript, marker: &Marker) -> Vec<Message> {
    let stays = |(at, message): &(usize, &Message)| {
        marker.kept.contains(at) || message.role == Role::System && message.synthetic.is_none()
    };
    let before = transcript.messages.iter().enumerate().take(marker.at);
    before.filter(stays).map(|(_, message)| message.clone()).collect()
}
