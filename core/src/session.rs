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

mod answer;
mod intake;
mod outside;
mod saved;

use std::ops::Range;

pub use self::outside::{Answered, ModelCall, Outside, Recalled, Step, StoresCall};
pub use self::saved::Saved;

use crate::config::Config;
use crate::crunch::{Crunch, CrunchKind};
use crate::error::Error;
use crate::ledger::Ledger;
use crate::log::{Event, Log, Seq};
use crate::look::{Look, look};
use crate::message::{Message, Role, Synthetic};
use crate::recall::Search;
use crate::resolve::View;
use crate::skipped::Skipped;
use crate::transcript::{Marker, Transcript};
use crate::turn::{Turn, fence_id};

/// One conversation with an agent: its log, its ledger, and the search over them.
#[derive(Debug)]
pub struct Session {
    log: Log,
    ledger: Ledger,
    search: Search,
    /// The user atom that was looked at last, with the answer: the same array gives the same turn.
    answered: Option<(Seq, Turn)>,
    /// Our own blocks that came back in messages.
    blocks: Vec<Seq>,
    /// Turns whose fills the host says it put elsewhere, for this user turn.
    confirmed: Vec<u32>,
    /// A compaction that was noticed and stands in no turn yet.
    unreported: Option<Crunch>,
}

impl Session {
    /// An empty session.
    ///
    /// # Errors
    /// [`crate::error::ErrorKind::InvalidSessionId`] and [`crate::error::ErrorKind::InvalidOption`].
    pub fn new(id: &str, config: Config) -> Result<Self, Error> {
        let ledger = Ledger::new(id, config)?;
        let (log, search) = (Log::default(), Search::new());
        let (blocks, confirmed) = (Vec::new(), Vec::new());
        Ok(Self { log, ledger, search, answered: None, blocks, confirmed, unreported: None })
    }

    /// One turn with the whole conversation as the host has it now.
    ///
    /// Compactions on record before the newest one already known are skipped with all that stands
    /// before them; of several new ones the last is reported.
    pub fn turn(&mut self, transcript: &Transcript) -> Turn {
        self.hear(transcript);
        self.finish(transcript.skipped.clone())
    }

    /// Learns a conversation as the host has it now, and answers nothing.
    pub fn learn(&mut self, transcript: &Transcript) -> Option<Crunch> {
        self.hear(transcript);
        self.unreported.take()
    }

    /// Learns a part of a conversation that an empty session is to learn from its beginning: for callers
    /// that let others run, or stop, in between. Parts follow each other; [`Session::turn`] comes last.
    pub fn learn_part(&mut self, transcript: &Transcript, part: Range<usize>) {
        for at in part {
            let Some(message) = transcript.messages.get(at) else { return };
            let mut is_learnt = false;
            let due = transcript.markers.partition_point(|marker| marker.at < at);
            for marker in transcript.markers.iter().skip(due).take_while(|marker| marker.at == at) {
                self.unreported = Some(self.cross(transcript, marker));
                is_learnt |= message.synthetic == Some(Synthetic::Summary);
            }
            if !is_learnt {
                self.grow([message.clone()]);
            }
        }
    }

    fn hear(&mut self, transcript: &Transcript) {
        let known = transcript.markers.iter().rposition(|marker| self.ledger.has_crunch(&marker.id));
        let last = known.and_then(|at| transcript.markers.get(at));
        let mut start = last.map_or(0, |marker| marker.at);
        let mut kept = last.map_or_else(Vec::new, |marker| intake::staying(transcript, marker));
        let mut crunch = None;
        for marker in transcript.markers.iter().skip(known.map_or(0, |at| at + 1)) {
            let history = transcript.messages.get(start..marker.at).unwrap_or_default();
            self.learn_history(kept.iter().chain(history));
            crunch = Some(self.cross(transcript, marker));
            kept = intake::staying(transcript, marker);
            start = marker.at;
        }
        let present = kept.iter().chain(transcript.messages.get(start..).unwrap_or_default());
        let found = self.take(present);
        self.unreported = found.or(crunch).or(self.unreported.take());
    }

    /// One turn with only the messages that are new since the last.
    pub fn extend(&mut self, messages: impl IntoIterator<Item = Message>) -> Turn {
        self.grow(messages);
        self.finish(Skipped::default())
    }

    /// Passes a compaction that the transcript records, after the messages before it were learnt:
    /// system text and what it kept stay. The summary that follows the marker is learnt with it, so
    /// that what it states counts as known.
    pub fn cross(&mut self, transcript: &Transcript, marker: &Marker) -> Crunch {
        let mut view = self.found(&intake::staying(transcript, marker));
        let next = transcript.messages.get(marker.at);
        if let Some(summary) = next.filter(|message| message.synthetic == Some(Synthetic::Summary)) {
            view.push(self.append(summary.clone()));
        }
        self.drop_to(view, CrunchKind::Marker, Some(marker.id.clone()))
    }

    /// A compaction by hand: of the window only the last `keep` messages stay, and the system text.
    /// A tool result that stays takes its call with it.
    pub fn crunch_to(&mut self, keep: usize) -> Crunch {
        let kept = self.last(keep);
        self.drop_to(kept, CrunchKind::Manual, None)
    }

    /// A compaction by hand that leaves nothing but the system text.
    pub fn crunch_all(&mut self) -> Crunch {
        self.crunch_to(0)
    }

    /// [`Session::crunch_to`] with the summary that replaces what leaves: what it states stays live.
    pub fn crunch_with_summary(&mut self, keep: usize, summary: &str) -> Crunch {
        let mut kept = self.last(keep);
        let mut message = Message::text(Role::User, summary);
        message.synthetic = Some(Synthetic::Summary);
        kept.insert(0, self.append(message));
        self.drop_to(kept, CrunchKind::Summary, None)
    }

    /// Declares everything lost, until the next messages bring back what they hold. `crunch` is the
    /// identity of the compaction that was the reason.
    pub fn mark_all_stale(&mut self, crunch: Option<&str>) {
        self.record(Event::MarkStale { crunch: crunch.map(str::to_owned) });
    }

    /// Says that the fills of a turn were put where the messages do not show them: they count as seen
    /// until the next user message.
    pub fn injected(&mut self, turn: u32) {
        self.confirmed.push(turn);
        self.see();
    }

    /// What a message would need now, without recording anything.
    #[must_use]
    pub fn look(&self, text: &str) -> Look {
        look(text, self.view(None))
    }

    /// The last user message, when nothing has answered it yet.
    #[must_use]
    pub fn waiting(&self) -> Option<Seq> {
        answer::waiting(&self.log)
    }

    /// Its text: what the spans of a turn's evidence are places in.
    #[must_use]
    pub fn waiting_text(&self) -> Option<String> {
        self.waiting().and_then(|seq| self.log.atom(seq)).map(|atom| answer::said(&atom.message))
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

    /// Estimated tokens of the window.
    #[must_use]
    pub fn window_tokens(&self) -> u32 {
        let atoms = self.log.view().iter().filter_map(|seq| self.log.atom(*seq));
        atoms.map(|atom| atom.tokens).fold(0, u32::saturating_add)
    }

    /// The id that the fence of a turn carries.
    #[must_use]
    pub fn fence_id(&self, turn: u32) -> String {
        fence_id(self.ledger.session_id(), turn)
    }

    fn view(&self, current: Option<Seq>) -> View<'_> {
        View { ledger: &self.ledger, log: &self.log, search: &self.search, current }
    }
}

#[cfg(test)]
mod tests;
