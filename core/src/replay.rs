//! A replay: a transcript turned into frames, one for each user message.
//!
//! The demo prints them and the page scrubs through them; both show what the core computed and
//! compute nothing themselves. Cost: one pass over the transcript.

use std::ops::Range;

use crate::config::Config;
use crate::crunch::Crunch;
use crate::error::Error;
use crate::fence;
use crate::ledger::Ledger;
use crate::log::Seq;
use crate::message::{Message, Role, Synthetic};
use crate::session::Session;
use crate::skipped::Skipped;
use crate::transcript::{Marker, Transcript};
use crate::turn::Turn;

/// What happened at one user message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The user message; `None` for what followed the last one.
    pub seq: Option<Seq>,
    /// The messages of the transcript that this frame adds, the user message last.
    pub messages: Range<usize>,
    /// The answer; its `crunch` is the one on record since the last frame.
    pub turn: Turn,
    /// Tokens in the window before the crunch, and after it.
    pub window: Option<(u32, u32)>,
}

/// How to replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Simulate a compaction of everything before each user message from this one on (1 = the first).
    pub crunch_from: Option<u32>,
}

/// Replays a transcript in a fresh session, which is returned with the frames.
///
/// # Errors
/// As [`Session::new`].
pub fn replay(transcript: &Transcript, config: Config, options: Options) -> Result<(Session, Vec<Frame>), Error> {
    let mut replay = Replay::new("replay", config, options)?;
    let mut frames = Vec::new();
    while !replay.is_done(transcript) {
        frames.extend(replay.step(transcript));
    }
    frames.extend(replay.rest(transcript));
    Ok((replay.session, frames))
}

/// A replay that is under way, a message a step: for callers that let others run, or stop, in between,
/// and for those who do something of their own between two messages.
#[derive(Debug)]
pub struct Replay {
    session: Session,
    options: Options,
    /// The message that comes next, and the marker.
    at: usize,
    marker: usize,
    /// Where the frame began that is being filled.
    from: usize,
    users: u32,
    /// What was compacted since the last frame, with the tokens in the window before.
    pending: Option<(Crunch, u32)>,
    is_first: bool,
}

impl Replay {
    /// A replay that has seen nothing yet.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn new(id: &str, config: Config, options: Options) -> Result<Self, Error> {
        let session = Session::new(id, config)?;
        Ok(Self { session, options, at: 0, marker: 0, from: 0, users: 0, pending: None, is_first: true })
    }

    /// The session as it is after the steps so far.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// How many messages were taken.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether all messages of the transcript were taken.
    #[must_use]
    pub fn is_done(&self, transcript: &Transcript) -> bool {
        self.at >= transcript.messages.len()
    }

    /// Takes the next message, and what is recorded before it. The frame that it completes: it is a
    /// user message, or the last one after a compaction.
    pub fn step(&mut self, transcript: &Transcript) -> Option<Frame> {
        let message = transcript.messages.get(self.at)?;
        let mut is_learnt = false;
        while let Some(marker) = transcript.markers.get(self.marker).filter(|marker| marker.at <= self.at) {
            self.cross(transcript, marker);
            is_learnt |= message.synthetic == Some(Synthetic::Summary);
        }
        let is_user = fence::cut(message.clone()).iter().any(Message::is_from_user);
        self.users += u32::from(is_user);
        if is_user && self.options.crunch_from.is_some_and(|first| self.users >= first) {
            let before = self.session.window_tokens();
            self.pending = Some((self.session.crunch_all(), before));
        }
        let turn = self.session.extend((!is_learnt).then(|| message.clone()));
        self.at += 1;
        let closes = is_user || self.is_done(transcript) && self.pending.is_some();
        closes.then(|| self.frame(turn, is_user, transcript))
    }

    /// A compaction by hand, now: nothing but the system text stays, and the summary where one is given.
    pub fn crunch(&mut self, summary: Option<&str>, transcript: &Transcript) -> Frame {
        let before = self.session.window_tokens();
        let crunch = match summary {
            Some(summary) => self.session.crunch_with_summary(0, summary),
            None => self.session.crunch_all(),
        };
        let before = self.pending.take().map_or(before, |(_, before)| before);
        self.pending = Some((crunch, before));
        self.frame(Turn { id: self.session.log().turn(), ..Turn::default() }, false, transcript)
    }

    /// A user message that the transcript does not have, now.
    pub fn say(&mut self, text: &str, transcript: &Transcript) -> Frame {
        let turn = self.session.extend([Message::text(Role::User, text)]);
        self.frame(turn, true, transcript)
    }

    /// What is left after the last message: the compactions there, each a frame.
    pub fn rest(&mut self, transcript: &Transcript) -> Vec<Frame> {
        let mut frames = Vec::new();
        while let Some(marker) = transcript.markers.get(self.marker) {
            self.cross(transcript, marker);
            frames.push(self.frame(Turn::default(), false, transcript));
        }
        frames
    }

    fn cross(&mut self, transcript: &Transcript, marker: &Marker) {
        let before = self.session.window_tokens();
        self.pending = Some((self.session.cross(transcript, marker), before));
        self.marker += 1;
    }

    fn frame(&mut self, mut turn: Turn, is_user: bool, transcript: &Transcript) -> Frame {
        let window = self.pending.as_ref().map(|(_, before)| (*before, self.session.window_tokens()));
        turn.crunch = self.pending.take().map(|(crunch, _)| crunch);
        if std::mem::take(&mut self.is_first) {
            turn.skipped.clone_from(&transcript.skipped);
        }
        let messages = std::mem::replace(&mut self.from, self.at)..self.at;
        Frame { seq: self.session.waiting().filter(|_| is_user), messages, turn, window }
    }
}

/// The newest compaction that a transcript records and `ledger` does not know yet, with what it took.
/// Cost: that of learning the transcript.
#[must_use]
pub fn detect_crunch(transcript: &Transcript, ledger: Option<&Ledger>) -> Option<Crunch> {
    let is_new = |marker: &&Marker| ledger.is_none_or(|ledger| !ledger.has_crunch(&marker.id));
    let newest = transcript.markers.last().filter(is_new)?;
    // The summary after it is learnt as well: what it states is not lost.
    let end = (newest.at + 1).min(transcript.messages.len());
    let until = Transcript {
        format: transcript.format,
        messages: transcript.messages.get(..end)?.to_vec(),
        markers: transcript.markers.clone(),
        skipped: Skipped::default(),
    };
    Session::new("detect", Config::default()).ok()?.turn(&until).crunch
}
