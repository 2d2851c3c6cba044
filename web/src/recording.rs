//! A replay, recorded: all frames of a chat, and what every message and every entry was at each.
//!
//! The core computes each frame once; the page only moves a cursor over them. What the visitor adds
//! (a crunch, a message) is an [`Act`] at a place of the chat: at its end it is one more frame, in the
//! middle the chat is replayed with it. Cost: a frame costs what the core takes for its messages, and
//! a look at every entry that may have changed.

use diffledger_core::config::Config;
use diffledger_core::error::Error;
use diffledger_core::ledger::{Entry, State, Why};
use diffledger_core::log::{Atom, Cause, Event, Log, Seq};
use diffledger_core::message::{Message, Synthetic};
use diffledger_core::replay::{Frame, Options, Replay};
use diffledger_core::session::Session;
use diffledger_core::transcript::Transcript;
use diffledger_core::{fence, turn};

use crate::history::History;
use crate::weight::{Class, Weights};

/// What the visitor does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A compaction of everything; with the summary that stays in its place, where one is given.
    Crunch(Option<String>),
    /// A message.
    Say(String),
}

/// An act, and the message of the transcript before which it happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Index of the message; their number for the end.
    pub before: usize,
    /// What happens.
    pub act: Act,
}

/// A chat and what the visitor did in it: all that a recording is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// What it is called on the page.
    pub name: String,
    /// The chat.
    pub transcript: Transcript,
    /// What the visitor did, in order.
    pub acts: Vec<Placed>,
    /// Simulates a crunch of everything before each user message from this one on, counted from 1.
    pub crunch_from: Option<u32>,
}

impl Script {
    /// A chat in which nothing was done yet.
    #[must_use]
    pub fn new(name: &str, transcript: Transcript) -> Self {
        Self { name: name.to_owned(), transcript, acts: Vec::new(), crunch_from: None }
    }
}

/// An entry at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Its state.
    pub state: State,
    /// What keeps it live.
    pub why: Why,
    /// How often it was mentioned.
    pub references: u32,
    /// The turn of the last mention.
    pub last_turn: u32,
}

/// How many entries are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Live.
    pub live: u32,
    /// Weakened.
    pub weakened: u32,
    /// Stale.
    pub stale: u32,
    /// Expired.
    pub expired: u32,
}

impl Counts {
    /// How many are in a state.
    #[must_use]
    pub fn of(mut self, state: State) -> u32 {
        self.slot(state).map_or(0, |slot| *slot)
    }

    fn slot(&mut self, state: State) -> Option<&mut u32> {
        match state {
            State::Live => Some(&mut self.live),
            State::Weakened => Some(&mut self.weakened),
            State::Stale => Some(&mut self.stale),
            State::Expired => Some(&mut self.expired),
            State::Unknown => None,
        }
    }
}

/// A frame, with what the page shows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What the core computed.
    pub frame: Frame,
    /// Atoms in the log at its end.
    pub atoms: usize,
    /// Its user turn.
    pub turn: u32,
    /// The window before its crunch, where it has one.
    pub before: Option<Weights>,
    /// The window at its end, with the fills.
    pub window: Weights,
    /// The entries by state.
    pub counts: Counts,
    /// Whether the visitor did it.
    pub is_act: bool,
}

impl Shown {
    /// How many gaps it has.
    #[must_use]
    pub fn gaps(&self) -> usize {
        self.frame.turn.gaps.len()
    }
}

/// All frames of a script.
#[derive(Debug)]
pub struct Recording {
    script: Script,
    /// How many acts are done.
    acted: usize,
    replay: Replay,
    /// Whether the chat itself is done, with what stands after its last user message.
    is_closed: bool,
    frames: Vec<Shown>,
    /// Whether each atom is in the window.
    visible: Vec<History<bool>>,
    in_window: Vec<bool>,
    /// What each entry is.
    standings: Vec<History<Standing>>,
    counts: Counts,
}

impl Recording {
    /// A recording in which nothing has happened yet: [`Recording::advance`] goes on.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn new(script: Script) -> Result<Self, Error> {
        Ok(Self {
            replay: Replay::new("page", Config::default(), Options { crunch_from: script.crunch_from })?,
            script,
            acted: 0,
            is_closed: false,
            frames: Vec::new(),
            visible: Vec::new(),
            in_window: Vec::new(),
            standings: Vec::new(),
            counts: Counts::default(),
        })
    }

    /// All of a script at once.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn complete(script: Script) -> Result<Self, Error> {
        let mut recording = Self::new(script)?;
        while recording.advance() {}
        Ok(recording)
    }

    /// Goes on by one message or act; whether there is more to do.
    pub fn advance(&mut self) -> bool {
        let transcript = &self.script.transcript;
        let is_read = self.replay.is_done(transcript);
        if is_read && !std::mem::replace(&mut self.is_closed, true) {
            self.close();
            return true;
        }
        let position = self.replay.position();
        let frame = match self.script.acts.get(self.acted).filter(|placed| is_read || placed.before <= position) {
            Some(Placed { act, .. }) => {
                self.acted += 1;
                match act {
                    Act::Crunch(summary) => Some((self.replay.crunch(summary.as_deref(), transcript), true)),
                    Act::Say(text) => Some((self.replay.say(text, transcript), true)),
                }
            }
            None if is_read => return false,
            None => self.replay.step(transcript).map(|frame| (frame, false)),
        };
        if let Some((frame, is_act)) = frame {
            self.record(frame, is_act);
        }
        true
    }

    /// What stands after the last user message and ends no frame: compactions, and then replies.
    fn close(&mut self) {
        for frame in self.replay.rest(&self.script.transcript) {
            self.record(frame, false);
        }
        let log = self.session().log();
        if self.frames.last().map_or(0, |last| last.atoms) < log.atoms().len() {
            let end = self.script.transcript.messages.len();
            let from = self.frames.last().map_or(0, |last| last.frame.messages.end);
            let turn = turn::Turn { id: log.turn(), ..Default::default() };
            self.record(Frame { seq: None, messages: from..end, turn, window: None }, false);
        }
    }

    /// Does something at the end of the chat: one more frame.
    pub fn act(&mut self, act: Act) {
        let before = self.script.transcript.messages.len();
        self.script.acts.push(Placed { before, act });
        while self.advance() {}
    }

    fn record(&mut self, frame: Frame, is_act: bool) {
        let number = self.frames.len();
        let session = self.replay.session();
        let (log, ledger) = (session.log(), session.ledger());
        let first = self.in_window.len();
        let mut now = vec![false; log.atoms().len()];
        for seq in log.view() {
            if let Some(slot) = now.get_mut(seq.index()) {
                *slot = true;
            }
        }
        self.visible.resize_with(now.len(), History::default);
        for (at, is_visible) in now.iter().enumerate() {
            if self.in_window.get(at) != Some(is_visible)
                && let Some(history) = self.visible.get_mut(at)
            {
                history.set(number, *is_visible);
            }
        }
        self.in_window = now;
        self.standings.resize_with(ledger.entries().len(), History::default);
        for (entry, history) in ledger.entries().iter().zip(&mut self.standings) {
            let state = ledger.state(entry);
            let before = history.at(number).map(|(_, standing)| standing.state);
            if before != Some(state) {
                if let Some(slot) = before.and_then(|state| self.counts.slot(state)) {
                    *slot -= 1;
                }
                if let Some(slot) = self.counts.slot(state) {
                    *slot += 1;
                }
            }
            let (references, last_turn) = (entry.reference_count, entry.last_turn);
            history.set(number, Standing { state, why: ledger.why(entry), references, last_turn });
        }
        let visible = || log.view().iter().filter_map(|seq| log.atom(*seq));
        let mut window = Weights::of(visible());
        window.add(Class::Fills, frame.turn.fills.iter().map(|fill| fill.tokens).fold(0, u32::saturating_add));
        let before = frame.turn.crunch.as_ref().map(|crunch| {
            // What came after the compaction was not there before it, and its summary neither.
            let known = known_at(log, &crunch.id);
            let came = |atom: &Atom| {
                atom.seq.index() >= known
                    || atom.seq.index() >= first && atom.message.synthetic == Some(Synthetic::Summary)
            };
            let gone = crunch.dropped.iter().filter_map(|seq| log.atom(*seq));
            let mut weights = Weights::of(gone.chain(visible().filter(|atom| !came(atom))));
            let all = frame.window.map_or(0, |(before, _)| before);
            weights.add(Class::Notes, all.saturating_sub(weights.total()));
            weights
        });
        let (atoms, turn, counts) = (log.atoms().len(), log.turn(), self.counts);
        self.frames.push(Shown { frame, atoms, turn, before, window, counts, is_act });
    }

    /// The frames, in order.
    #[must_use]
    pub fn frames(&self) -> &[Shown] {
        &self.frames
    }

    /// What it is computed from.
    #[must_use]
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// The session at the end of the recording.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.replay.session()
    }

    /// How many messages are done, and how many there are.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.replay.position(), self.script.transcript.messages.len())
    }

    /// Whether an atom is in the window at a frame, and since which frame.
    #[must_use]
    pub fn visible(&self, seq: Seq, frame: usize) -> Option<(usize, bool)> {
        self.visible.get(seq.index())?.at(frame).map(|(since, is_visible)| (since, *is_visible))
    }

    /// What an entry is at a frame, and since which frame; `None` before its first mention.
    #[must_use]
    pub fn standing(&self, entry: &Entry, frame: usize) -> Option<(usize, Standing)> {
        let (since, standing) = self.standings.get(entry.id as usize)?.at(frame)?;
        Some((since, *standing))
    }

    /// Where an act at a frame belongs: before the next user message of the chat, so that the replies
    /// to the last one stand before it.
    #[must_use]
    pub fn place_after(&self, frame: usize) -> usize {
        let from = self.frames.get(frame).map_or(0, |shown| shown.frame.messages.end);
        let messages = &self.script.transcript.messages;
        let is_user = |message: &Message| fence::cut(message.clone()).iter().any(Message::is_from_user);
        let next = messages.iter().skip(from).position(is_user);
        next.map_or(messages.len(), |next| from + next)
    }

    /// The script with one more act after a frame, and its number among the acts. At the end of the
    /// chat [`Recording::act`] does the same without replaying it.
    #[must_use]
    pub fn with_act(&self, frame: usize, act: Act) -> (Script, usize) {
        let before = self.place_after(frame);
        let mut script = self.script.clone();
        let number = self.frames.iter().take(frame + 1).filter(|shown| shown.is_act).count().min(script.acts.len());
        script.acts.insert(number, Placed { before, act });
        (script, number)
    }

    /// The script without the act at a frame; without all of them when none is there.
    #[must_use]
    pub fn without_act(&self, frame: usize) -> Script {
        let mut script = self.script.clone();
        match self.frames.get(frame) {
            Some(shown) if shown.is_act => {
                let number = self.frames.iter().take(frame).filter(|shown| shown.is_act).count();
                script.acts.drain(number..(number + 1).min(script.acts.len()));
            }
            _ => script.acts.clear(),
        }
        script
    }

    /// The frame of an act, by its number.
    #[must_use]
    pub fn frame_of_act(&self, number: usize) -> Option<usize> {
        self.frames.iter().enumerate().filter(|(_, shown)| shown.is_act).nth(number).map(|(frame, _)| frame)
    }

    /// Whether a frame is the last.
    #[must_use]
    pub fn is_end(&self, frame: usize) -> bool {
        frame + 1 >= self.frames.len()
    }
}

/// How many atoms there were at a crunch.
fn known_at(log: &Log, crunch: &str) -> usize {
    let is_it = |event: &Event| matches!(event, Event::Window { cause: Cause::Crunch { id }, .. } if id == crunch);
    let at = log.events().iter().rposition(is_it).unwrap_or(log.events().len());
    log.events().iter().take(at).filter(|event| matches!(event, Event::Append { .. })).count()
}

#[cfg(test)]
mod tests;
