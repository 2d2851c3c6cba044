//! The log: every message ever handed over, in order, and what happened to the window.
//!
//! Append-only. A compaction takes atoms out of the window and never out of the log; the ledger is
//! a fold over these events ([`crate::ledger::Ledger::fold`]), so replaying them gives the same
//! ledger. The one exception is the size cap: the texts of the oldest atoms outside the window are
//! forgotten, which is an event as well; what they told is kept.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hear::{Heard, hear};
use crate::json::{FromJson, ToJson, Writer, Wrong};
use crate::message::{Message, Part, Role, Synthetic};
use crate::order::Set;
use crate::text;

mod event;

pub use event::{Cause, Event};

/// An atom's position in the log; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u32);

impl Seq {
    /// The position as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl ToJson for Seq {
    fn to_json(&self, to: &mut Writer) {
        self.0.to_json(to);
    }
}

impl FromJson for Seq {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        u32::from_json(value).map(Self)
    }
}

/// What sort of message an atom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AtomKind {
    /// System and developer messages.
    System,
    /// The person.
    User,
    /// The model, with its tool calls.
    Assistant,
    /// A tool's answer.
    ToolResult,
    /// Written by software: summaries, reminders, placeholders, our own fills.
    Synthetic,
}

/// Estimated tokens of an image, a file or another opaque part: its text is not ours to count.
pub const OPAQUE_TOKENS: u32 = 1000;

/// A message in the log: the smallest thing that is kept or dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Atom {
    /// Position in the log.
    pub seq: Seq,
    /// What sort of message it is.
    pub kind: AtomKind,
    /// The user turn it belongs to: 0 before the first user message.
    pub turn: u32,
    /// Estimated tokens of all its parts.
    pub tokens: u32,
    /// Digest of role and content, white space folded: equal content, equal digest.
    pub digest: u64,
    /// What was handed over, verbatim.
    pub message: Message,
    /// What its text told, kept when the text was forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<Vec<Heard>>,
}

/// All atoms and events of one session, with the present window.
#[derive(Clone, Debug, Default)]
pub struct Log {
    atoms: Vec<Atom>,
    events: Vec<Event>,
    view: Vec<Seq>,
    turn: u32,
    bytes: u64,
    by_digest: HashMap<u64, Vec<Seq>>,
    forgotten: usize,
}

impl Log {
    /// All atoms, by seq.
    #[must_use]
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The atom at `seq`.
    #[must_use]
    pub fn atom(&self, seq: Seq) -> Option<&Atom> {
        self.atoms.get(seq.index())
    }

    /// All events, oldest first.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The visible atoms, in the host's order.
    #[must_use]
    pub fn view(&self) -> &[Seq] {
        &self.view
    }

    /// The number of user atoms so far.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Atoms whose content has this digest, oldest first.
    #[must_use]
    pub fn with_digest(&self, digest: u64) -> &[Seq] {
        self.by_digest.get(&digest).map_or(&[], Vec::as_slice)
    }

    /// Adds a message at the end of the window.
    pub fn append(&mut self, message: Message) -> Seq {
        self.append_saved(message, None)
    }

    /// Adds a message that was saved: with its tokens, its digest and what it told, when its text was
    /// forgotten before.
    pub(crate) fn append_saved(&mut self, message: Message, forgotten: Option<(u32, u64, Vec<Heard>)>) -> Seq {
        let kind = kind_of(&message);
        self.turn += u32::from(kind == AtomKind::User);
        let seq = Seq(u32::try_from(self.atoms.len()).unwrap_or(u32::MAX));
        let (tokens, digest, heard) = match forgotten {
            Some((tokens, digest, heard)) => (tokens, digest, Some(heard)),
            None => (tokens(&message), digest(&message), None),
        };
        self.bytes += size(&message);
        self.by_digest.entry(digest).or_default().push(seq);
        self.atoms.push(Atom { seq, kind, turn: self.turn, tokens, digest, message, heard });
        self.events.push(Event::Append { seq });
        self.view.push(seq);
        seq
    }

    /// Records any other event; a [`Event::Window`] replaces the window.
    pub fn record(&mut self, event: Event) {
        match &event {
            Event::Window { view, .. } => self.view.clone_from(view),
            Event::Forget { seqs } => {
                for seq in seqs {
                    // A saved atom comes back without its text, and its `Forget` after it.
                    if let Some(atom) = self.atoms.get_mut(seq.index()).filter(|atom| atom.heard.is_none()) {
                        self.bytes = self.bytes.saturating_sub(size(&atom.message));
                        atom.heard = Some(hear(&atom.message));
                        atom.message.parts.clear();
                    }
                }
            }
            _ => {}
        }
        self.events.push(event);
    }

    /// The oldest atoms outside the window whose texts must go for the log to fit into `cap` bytes.
    /// Each atom is looked at once over the life of the log, unless it was visible at the time.
    #[must_use]
    pub fn to_forget(&mut self, cap: u64) -> Vec<Seq> {
        if self.bytes <= cap {
            return Vec::new();
        }
        let visible: Set<Seq> = self.view.iter().copied().collect();
        let (mut left, mut gone, mut contiguous) = (self.bytes, Vec::new(), true);
        for (index, atom) in self.atoms.iter().enumerate().skip(self.forgotten) {
            if left <= cap {
                break;
            }
            if visible.contains(&atom.seq) {
                contiguous = false;
                continue;
            }
            if contiguous {
                self.forgotten = index + 1;
            }
            if !atom.message.parts.is_empty() {
                left = left.saturating_sub(size(&atom.message));
                gone.push(atom.seq);
            }
        }
        gone
    }

    /// Bytes of text that the log holds.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

fn kind_of(message: &Message) -> AtomKind {
    match (message.synthetic, message.role) {
        (Some(_), _) => AtomKind::Synthetic,
        (None, Role::System) => AtomKind::System,
        (None, Role::User) => AtomKind::User,
        (None, Role::Assistant) => AtomKind::Assistant,
        (None, Role::Tool) => AtomKind::ToolResult,
    }
}

fn size(message: &Message) -> u64 {
    let part = |part: &Part| match part {
        Part::Text { text } | Part::Reasoning { text } | Part::ToolResult { text, .. } => text.len(),
        Part::ToolCall { name, input, .. } => name.len() + input.len(),
        Part::Opaque { raw, .. } => raw.len(),
    };
    message.parts.iter().map(part).sum::<usize>() as u64
}

/// Estimated tokens of a message, 4 of them for its frame.
#[must_use]
pub fn tokens(message: &Message) -> u32 {
    let part = |part: &Part| match part {
        Part::Text { text } | Part::Reasoning { text } | Part::ToolResult { text, .. } => text::estimate_tokens(text),
        Part::ToolCall { name, input, .. } => text::estimate_tokens(name) + text::estimate_tokens(input) + 8,
        Part::Opaque { .. } => OPAQUE_TOKENS,
    };
    message.parts.iter().map(part).fold(4, u32::saturating_add)
}

/// A digest after FNV-1a over role and content. White space is folded: hosts trim and wrap, and that is no edit.
#[must_use]
pub fn digest(message: &Message) -> u64 {
    let mut hash = Fnv::default();
    hash.write(&[message.role as u8, u8::from(message.synthetic == Some(Synthetic::Placeholder))]);
    for part in &message.parts {
        match part {
            Part::Text { text } => hash.words(1, text),
            Part::ToolResult { call, text, .. } => {
                hash.words(2, call);
                hash.words(2, text);
            }
            Part::ToolCall { id, name, input } => {
                hash.words(3, id);
                hash.words(3, name);
                hash.words(3, input);
            }
            Part::Opaque { kind, raw } => {
                hash.words(4, kind);
                hash.words(4, raw);
            }
            // Hosts drop reasoning from earlier turns as a matter of course.
            Part::Reasoning { .. } => {}
        }
    }
    hash.0
}

/// A digest of a string, for identities.
#[must_use]
pub fn digest_text(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.words(0, text);
    hash.0
}

struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Eight bytes at a time: the whole array is digested every turn.
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut eight = [0u8; 8];
            for (slot, byte) in eight.iter_mut().zip(chunk) {
                *slot = *byte;
            }
            self.0 = (self.0 ^ u64::from_le_bytes(eight)).wrapping_mul(0x0100_0000_01b3);
            // A product moves bits upwards only; the rotation brings the high ones back.
            self.0 = self.0.rotate_left(29) ^ chunk.len() as u64;
        }
    }

    fn words(&mut self, tag: u8, text: &str) {
        self.write(&[0xff, tag]);
        for word in text.split_whitespace() {
            self.write(word.as_bytes());
            self.write(b" ");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seq_is_a_position_and_a_turn_counts_user_atoms() {
        let mut log = Log::default();
        for (role, text) in [(Role::System, "s"), (Role::User, "a"), (Role::Assistant, "b"), (Role::User, "c")] {
            log.append(Message::text(role, text));
        }
        let turns: Vec<u32> = log.atoms().iter().map(|atom| atom.turn).collect();
        assert_eq!(turns, [0, 1, 1, 2]);
        assert_eq!(log.view(), [Seq(0), Seq(1), Seq(2), Seq(3)]);
    }

    #[test]
    fn white_space_and_reasoning_do_not_change_a_digest_and_roles_and_calls_do() {
        let a = Message::text(Role::User, "one  two\n");
        let mut b = Message::text(Role::User, " one two");
        b.parts.push(Part::Reasoning { text: "hm".into() });
        assert_eq!(digest(&a), digest(&b));
        assert_ne!(digest(&a), digest(&Message::text(Role::Assistant, "one two")));
        assert_ne!(digest(&a), digest(&Message::text(Role::User, "onetwo")));
        let result = |call: &str| Message {
            parts: vec![Part::ToolResult { call: call.into(), text: "ok".into(), error: false }],
            ..Message::text(Role::Tool, "")
        };
        assert_ne!(digest(&result("1")), digest(&result("2")));
    }

    #[test]
    fn over_its_cap_the_log_forgets_the_oldest_texts_outside_the_window_only() {
        let mut log = Log::default();
        for index in 0..4 {
            log.append(Message::text(Role::User, format!("{index}").repeat(100)));
        }
        log.record(Event::Window { cause: Cause::Crunch { id: "x".into() }, view: vec![Seq(0), Seq(3)] });
        assert_eq!(log.to_forget(1000), []);
        let gone = log.to_forget(250);
        assert_eq!(gone, [Seq(1), Seq(2)]);
        log.record(Event::Forget { seqs: gone });
        assert_eq!(log.bytes(), 200);
        assert_eq!(log.to_forget(250), []);
    }
}
