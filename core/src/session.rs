//! The session: one façade over all of it.
//!
//! A host hands over its messages every turn; the session aligns them with the log, learns what is
//! new, notices what a compaction took, looks at the message that waits for an answer, and returns
//! what it needs. It does no I/O, and no panic is reachable.
//!
//! ```
//! use diffledger_core::message::{Message, Role};
//! use diffledger_core::session::Session;
//! let mut session = Session::new("demo", Default::default()).unwrap();
//! session.extend([
//!     Message::text(Role::User, "How does the retry queue work?"),
//!     Message::text(Role::Assistant, "The retry queue waits 30 s and doubles after each failure."),
//! ]);
//! session.crunch_all();
//! let turn = session.extend([Message::text(Role::User, "how does it work again")]);
//! assert!(turn.inject.contains("> The retry queue waits 30 s and doubles after each failure."));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::align::{Alignment, Verdict, align};
use crate::config::Config;
use crate::crunch::{self, Crunch, CrunchKind};
use crate::error::Error;
use crate::fence;
use crate::ledger::{Ledger, passages};
use crate::log::{AtomKind, Cause, Event, Log, Seq};
use crate::look::{Look, look};
use crate::message::{Message, Part, Role, Synthetic};
use crate::recall::Search;
use crate::resolve::View;
use crate::transcript::{Marker, Transcript, opens_summary};
use crate::turn::{Turn, fence_id, render, turn_of_fence};

/// One conversation with an agent: its log, its ledger, and the search over them.
#[derive(Debug)]
pub struct Session {
    log: Log,
    ledger: Ledger,
    search: Search,
    /// The user atom that was looked at last, with the answer: the same array gives the same turn.
    answered: Option<(Seq, Turn)>,
    /// Turns whose fills the host says it put elsewhere, for this user turn.
    confirmed: BTreeSet<u32>,
}

impl Session {
    /// An empty session.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::InvalidSessionId`] and [`crate::error::ErrorKind::InvalidOption`].
    pub fn new(id: &str, config: Config) -> Result<Self, Error> {
        let ledger = Ledger::new(id, config)?;
        Ok(Self { log: Log::default(), ledger, search: Search::new(), answered: None, confirmed: BTreeSet::new() })
    }

    /// The ledger.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// One turn with the whole conversation as the host has it now.
    ///
    /// Compactions on record before the newest one already known are skipped with all that stands
    /// before them; of several new ones the last is reported.
    pub fn turn(&mut self, transcript: &Transcript) -> Turn {
        let before = self.log.events().len();
        let known = transcript.markers.iter().rposition(|marker| self.ledger.has_crunch(&marker.id));
        let mut start = known.and_then(|at| transcript.markers.get(at)).map_or(0, |marker| marker.at);
        let mut kept: Vec<Message> = known.map_or_else(Vec::new, |at| staying(transcript, transcript.markers.get(at)));
        let mut crunch = None;
        for marker in transcript.markers.iter().skip(known.map_or(0, |at| at + 1)) {
            let history = transcript.messages.get(start..marker.at).unwrap_or_default();
            self.learn_only(kept.iter().chain(history));
            kept = staying(transcript, Some(marker));
            crunch = Some(self.cross(transcript, marker));
            start = marker.at;
        }
        let present = kept.iter().chain(transcript.messages.get(start..).unwrap_or_default());
        let found = self.take(cut(present));
        let changed = self.log.events().len() > before;
        self.finish(found.or(crunch), changed, transcript.skipped.clone())
    }

    /// One turn with only the messages that are new since the last.
    pub fn extend(&mut self, messages: impl IntoIterator<Item = Message>) -> Turn {
        let messages: Vec<Message> = messages.into_iter().collect();
        for message in cut(&messages) {
            self.append(message);
        }
        let visible = self.visible_fences();
        self.see(visible);
        self.finish(None, true, BTreeMap::new())
    }

    /// A compaction by hand: of the window only the last `keep` messages stay, and the system text.
    /// A tool result that stays takes its call with it.
    pub fn crunch_to(&mut self, keep: usize) -> Crunch {
        let view = self.log.view().to_vec();
        let kind = |seq: &Seq| self.log.atom(*seq).map(|atom| atom.kind);
        let mut from = view.len().saturating_sub(keep);
        while from > 0 && from < view.len() && view.get(from).and_then(kind) == Some(AtomKind::ToolResult) {
            from -= 1;
        }
        let stays = |(at, seq): &(usize, Seq)| *at >= from || kind(seq) == Some(AtomKind::System);
        let kept: Vec<Seq> = view.iter().copied().enumerate().filter(stays).map(|(_, seq)| seq).collect();
        self.drop_to(kept, CrunchKind::Manual, None)
    }

    /// A compaction by hand that leaves nothing but the system text.
    pub fn crunch_all(&mut self) -> Crunch {
        self.crunch_to(0)
    }

    /// A compaction by hand with the summary that replaces what leaves: what it states stays live.
    pub fn crunch_with_summary(&mut self, keep: usize, summary: &str) -> Crunch {
        let mut message = Message::text(Role::User, summary);
        message.synthetic = Some(Synthetic::Summary);
        let seq = self.append(message);
        let mut kept: Vec<Seq> = vec![seq];
        let view: Vec<Seq> = self.log.view().iter().copied().filter(|other| *other != seq).collect();
        let from = view.len().saturating_sub(keep);
        let kind = |seq: &Seq| self.log.atom(*seq).map(|atom| atom.kind);
        kept.extend(
            view.iter()
                .copied()
                .enumerate()
                .filter(|(at, seq)| *at >= from || kind(seq) == Some(AtomKind::System))
                .map(|(_, seq)| seq),
        );
        self.drop_to(kept, CrunchKind::Summary, None)
    }

    /// Says that the fills of a turn were put where the messages do not show them: they count as seen
    /// until the next user message.
    pub fn injected(&mut self, turn: u32) {
        self.confirmed.insert(turn);
        let visible = self.visible_fences();
        self.see(visible);
    }

    /// Estimated tokens of the window.
    #[must_use]
    pub fn window_tokens(&self) -> u32 {
        self.log
            .view()
            .iter()
            .filter_map(|seq| self.log.atom(*seq))
            .map(|atom| atom.tokens)
            .fold(0, u32::saturating_add)
    }

    /// What a message would need now, without recording anything.
    #[must_use]
    pub fn look(&self, text: &str) -> Look {
        look(text, self.view(None))
    }

    fn view(&self, current: Option<Seq>) -> View<'_> {
        View { ledger: &self.ledger, log: &self.log, search: &self.search, current }
    }

    fn record(&mut self, event: Event) {
        self.log.record(event);
        if let Some(event) = self.log.events().last() {
            self.ledger.apply(event, &self.log);
        }
    }

    fn append(&mut self, message: Message) -> Seq {
        if message.is_from_user() {
            self.confirmed.clear();
        }
        let seq = self.log.append(message);
        if let Some(atom) = self.log.atom(seq) {
            if atom.kind != AtomKind::Synthetic {
                self.search.add(seq.0, &passages(&atom.message).join("\n"));
            }
            self.ledger.apply(&Event::Append { seq }, &self.log);
        }
        seq
    }

    /// Appends what a stretch of history has and the log lacks; what it lacks means nothing.
    fn learn_only<'m>(&mut self, history: impl Iterator<Item = &'m Message>) {
        let array = cut(history);
        let alignment = align(&self.log, self.log.view(), &array);
        for (message, seq) in array.into_iter().zip(alignment.atoms) {
            if seq.is_none() {
                self.append(message);
            }
        }
    }

    /// Passes a compaction that the transcript records: system text and what it kept stay. The summary
    /// that follows the marker is learnt with it, so that what it states counts as known.
    pub fn cross(&mut self, transcript: &Transcript, marker: &Marker) -> Crunch {
        let kept = staying(transcript, Some(marker));
        let alignment = align(&self.log, self.log.view(), &cut(&kept));
        let staying: BTreeSet<Seq> = alignment.atoms.into_iter().flatten().collect();
        let is_system = |seq: &Seq| self.log.atom(*seq).is_some_and(|atom| atom.kind == AtomKind::System);
        let mut view: Vec<Seq> =
            self.log.view().iter().copied().filter(|seq| staying.contains(seq) || is_system(seq)).collect();
        if let Some(summary) =
            transcript.messages.get(marker.at).filter(|message| message.synthetic == Some(Synthetic::Summary))
        {
            view.push(self.append(summary.clone()));
        }
        self.drop_to(view, CrunchKind::Marker, Some(marker.id.clone()))
    }

    /// The window becomes `kept`; the report says what that took.
    fn drop_to(&mut self, kept: Vec<Seq>, kind: CrunchKind, id: Option<String>) -> Crunch {
        let stays: BTreeSet<Seq> = kept.iter().copied().collect();
        let is_conversation = |seq: &Seq| {
            self.log.atom(*seq).is_some_and(|atom| {
                !matches!(atom.message.synthetic, Some(Synthetic::Fill | Synthetic::Reminder | Synthetic::Notice))
            })
        };
        let dropped: Vec<Seq> =
            self.log.view().iter().copied().filter(|seq| !stays.contains(seq) && is_conversation(seq)).collect();
        let id = id.unwrap_or_else(|| {
            format!(
                "{}-{}",
                serde_json::to_string(&kind).unwrap_or_default().trim_matches('"'),
                self.log.events().len()
            )
        });
        let states = crunch::before(&self.ledger, &dropped);
        self.record(Event::Window { cause: Cause::Crunch { id: id.clone() }, view: kept });
        let visible = self.visible_fences();
        self.see(visible);
        crunch::report(id, kind, dropped, &states, &self.ledger)
    }

    /// Aligns the present array with the window, and records the difference.
    fn take(&mut self, array: Vec<Message>) -> Option<Crunch> {
        let Alignment { mut atoms, gone, verdict } = align(&self.log, self.log.view(), &array);
        let mut crunch = None;
        let mut array: Vec<Option<Message>> = array.into_iter().map(Some).collect();
        if let Verdict::Crunch(kind) = verdict {
            // What replaces the dropped is there before they leave: a summary keeps live what it states.
            for (slot, place) in array.iter_mut().zip(atoms.iter_mut()) {
                let replaces = slot.as_ref().is_some_and(|message| place.is_none() && replaces(message, kind));
                if let (true, Some(mut message)) = (replaces, slot.take_if(|_| replaces)) {
                    if message.synthetic.is_none() {
                        message.synthetic =
                            Some(if message.role == Role::Tool { Synthetic::Placeholder } else { Synthetic::Summary });
                    }
                    *place = Some(self.append(message));
                }
            }
            let left: BTreeSet<Seq> = gone.iter().copied().collect();
            let view: Vec<Seq> = self.log.view().iter().copied().filter(|seq| !left.contains(seq)).collect();
            crunch = Some(self.drop_to(view, kind, None));
        }
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
        let visible = self.visible_fences();
        self.see(visible);
        crunch
    }

    /// The turns whose fences stand in the window, or were confirmed for this user turn.
    fn visible_fences(&self) -> BTreeSet<u32> {
        let atoms = self.log.view().iter().filter_map(|seq| self.log.atom(*seq));
        let fences = atoms.filter(|atom| atom.message.synthetic == Some(Synthetic::Fill));
        let turns = fences.filter_map(|atom| turn_of_fence(self.ledger.session_id(), atom.message.id.as_deref()?));
        turns.chain(self.confirmed.iter().copied()).collect()
    }

    fn see(&mut self, visible: BTreeSet<u32>) {
        if !self.ledger.sees(&visible) {
            self.record(Event::Fences { visible: visible.into_iter().collect() });
        }
    }

    /// Keeps the log under its cap, looks at the message that waits for an answer, and answers.
    fn finish(&mut self, crunch: Option<Crunch>, changed: bool, mut skipped: BTreeMap<String, u32>) -> Turn {
        let forgotten = self.log.over(self.ledger.config().log_bytes);
        if !forgotten.is_empty() {
            skipped.insert("forgotten".into(), u32::try_from(forgotten.len()).unwrap_or(u32::MAX));
            for seq in &forgotten {
                self.search.remove(seq.0);
            }
            self.record(Event::Forget { seqs: forgotten });
        }
        let Some(current) = self.waiting() else {
            return Turn { id: self.log.turn(), crunch, skipped, ..Turn::default() };
        };
        if let Some((seq, turn)) = &self.answered
            && *seq == current
            && crunch.is_none()
        {
            // The host has put the block where it belongs: it is not handed out again.
            let placed = changed && self.ledger.sees_fence(turn.id);
            let mut turn = turn.clone();
            if placed {
                turn.inject.clear();
            }
            return turn;
        }
        let text = self.log.atom(current).map(|atom| said(&atom.message)).unwrap_or_default();
        let Look { gaps, fills, unknown } = look(&text, self.view(Some(current)));
        let id = self.log.turn();
        for (gap, fill) in gaps.iter().zip(&fills) {
            let Some(fill) = fill else { continue };
            self.record(Event::Inject {
                entry: gap.entry,
                concept: fill.concept.clone(),
                text: fill.text.clone(),
                source: "log".into(),
                score: gap.evidence.score,
                fence: Some(id),
                seqs: fill.source.seqs.clone(),
            });
        }
        let fills: Vec<_> = fills.into_iter().flatten().collect();
        let inject = render(self.ledger.session_id(), id, &fills, &self.log);
        let turn = Turn { id, crunch, gaps, unknown, fills, inject, degraded: Vec::new(), skipped };
        self.answered = Some((current, turn.clone()));
        turn
    }

    /// The last user message, when nothing has answered it yet.
    #[must_use]
    pub fn waiting(&self) -> Option<Seq> {
        let atoms = self.log.view().iter().rev().filter_map(|seq| self.log.atom(*seq));
        let last = atoms
            .filter(|atom| !matches!(atom.kind, AtomKind::Synthetic | AtomKind::System))
            .map(|atom| (atom.seq, atom.kind))
            .next()?;
        (last.1 == AtomKind::User).then_some(last.0)
    }

    /// The id that the fence of a turn carries.
    #[must_use]
    pub fn fence_id(&self, turn: u32) -> String {
        fence_id(self.ledger.session_id(), turn)
    }
}

/// The text parts of a message.
fn said(message: &Message) -> String {
    let texts =
        message.parts.iter().filter_map(|part| if let Part::Text { text } = part { Some(text.as_str()) } else { None });
    texts.collect::<Vec<_>>().join("\n")
}

fn cut<'m>(messages: impl IntoIterator<Item = &'m Message>) -> Vec<Message> {
    messages.into_iter().flat_map(|message| fence::cut(message.clone())).collect()
}

/// The messages before a compaction that stay in the window: system text, and what it lists.
fn staying(transcript: &Transcript, marker: Option<&Marker>) -> Vec<Message> {
    let Some(marker) = marker else { return Vec::new() };
    let before = transcript.messages.iter().enumerate().take(marker.at);
    before
        .filter(|(at, message)| marker.kept.contains(at) || message.role == Role::System && message.synthetic.is_none())
        .map(|(_, message)| message.clone())
        .collect()
}

fn replaces(message: &Message, kind: CrunchKind) -> bool {
    match message.synthetic {
        Some(Synthetic::Summary | Synthetic::Placeholder) => true,
        None => match kind {
            CrunchKind::Summary => message.role != Role::Tool && opens_summary(&message.visible()),
            CrunchKind::Placeholder => {
                message.role == Role::Tool && crate::transcript::is_placeholder(&message.visible())
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests;
