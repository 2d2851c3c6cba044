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
use crate::message::{Message, Synthetic};
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
    let mut session = Session::new("replay", config)?;
    let mut frames = Vec::new();
    let mut markers = transcript.markers.iter().peekable();
    let (mut from, mut users) = (0, 0);
    let mut pending: Option<(Crunch, u32)> = None;
    for (at, message) in transcript.messages.iter().enumerate() {
        let mut learnt = false;
        while let Some(marker) = markers.next_if(|marker| marker.at <= at) {
            let before = session.window_tokens();
            pending = Some((session.cross(transcript, marker), before));
            learnt |= message.synthetic == Some(Synthetic::Summary);
        }
        let user = fence::cut(message.clone()).iter().any(Message::is_from_user);
        users += u32::from(user);
        if user && options.crunch_from.is_some_and(|first| users >= first) {
            let before = session.window_tokens();
            pending = Some((session.crunch_all(), before));
        }
        let mut turn = session.extend((!learnt).then(|| message.clone()));
        let last = at + 1 == transcript.messages.len();
        if !(user || last && pending.is_some()) {
            continue;
        }
        let window = pending.as_ref().map(|(_, before)| (*before, session.window_tokens()));
        turn.crunch = pending.take().map(|(crunch, _)| crunch);
        turn.skipped = if frames.is_empty() { transcript.skipped.clone() } else { turn.skipped };
        frames.push(Frame { seq: session.waiting().filter(|_| user), messages: from..at + 1, turn, window });
        from = at + 1;
    }
    // A compaction after the last message stands alone.
    for marker in markers {
        let before = session.window_tokens();
        let crunch = session.cross(transcript, marker);
        let turn = Turn { crunch: Some(crunch), ..Turn::default() };
        frames.push(Frame {
            seq: None,
            messages: from..transcript.messages.len(),
            turn,
            window: Some((before, session.window_tokens())),
        });
    }
    Ok((session, frames))
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
