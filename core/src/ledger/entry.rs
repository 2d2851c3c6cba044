//! The ledger's record of one concept.

use serde::{Deserialize, Serialize};

use crate::concept::ConceptKind;
use crate::json::{fields, words};
use crate::log::Seq;
use crate::sentence::Mark;
use crate::text;

/// Whether the agent still knows a concept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Something in the window states it.
    Live,
    /// Some of what stated it is in the window, some is gone.
    Weakened,
    /// It was live, and nothing keeps it live any more.
    Stale,
    /// Only an injection kept it live, and that is too old.
    Expired,
    /// Never told in this session.
    Unknown,
}

words!(
    State,
    Live => "live",
    Weakened => "weakened",
    Stale => "stale",
    Expired => "expired",
    Unknown => "unknown",
);

impl State {
    /// Whether nothing in the window states it any more.
    #[must_use]
    pub const fn is_lost(self) -> bool {
        matches!(self, Self::Stale | Self::Expired)
    }
}

/// What keeps an entry live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// An atom in the window that tells about it.
    Carrier,
    /// A text that was put in front of the agent for it.
    Injection,
    /// The newest host summary in the window.
    Summary,
    /// Nothing does.
    Nothing,
}

/// Text that was put in front of the agent for a concept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Injection {
    /// The turn of the ledger at which it happened.
    pub turn: u32,
    /// The text, verbatim.
    pub text: String,
    /// Where it came from.
    pub source: String,
    /// How well it fits, 0 to 1000.
    pub score: u32,
    /// The turn whose fence holds it, in a session.
    pub fence: Option<u32>,
    /// The atoms that it quotes.
    pub seqs: Vec<Seq>,
    /// Whether a crunch (or `mark_all_stale`) ended it.
    pub ended: bool,
}

fields!(Injection { turn, text, source, score, fence = None, seqs, ended });

/// The ledger's record of one concept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Position in the ledger: the order of first mention; never reused.
    pub id: u32,
    /// The kind.
    pub kind: ConceptKind,
    /// The form that is compared.
    pub canonical: String,
    /// As it was first written in the conversation, or by a tool where nobody wrote it.
    pub concept: String,
    /// Turn of the first mention.
    pub first_turn: u32,
    /// Turn of the last mention or injection.
    pub last_turn: u32,
    /// How many atoms and injections mention it.
    pub reference_count: u32,
    /// Atoms whose own text states something about it, oldest first.
    pub carriers: Vec<Seq>,
    /// Atoms that only ask about it. Where nothing states a concept they stand in for carriers: what
    /// was asked is then all that was ever said.
    pub mentions: Vec<Seq>,
    /// What was put in front of the agent for it, oldest first.
    pub injections: Vec<Injection>,
    /// What its facts are.
    pub marks: Vec<Mark>,
    /// Whether `concept` is how a person or the model wrote it; a tool's spelling gives way to theirs.
    #[serde(skip)]
    pub(crate) is_said: bool,
    #[serde(skip)]
    pub(crate) live_carriers: u32,
    #[serde(skip)]
    pub(crate) live_mentions: u32,
    /// Whether the newest host summary in the window states it.
    #[serde(skip)]
    pub(crate) summarised: bool,
}

impl Entry {
    /// The atoms that tell about it: its carriers, else the questions that name it.
    #[must_use]
    pub fn sources(&self) -> &[Seq] {
        if self.carriers.is_empty() { &self.mentions } else { &self.carriers }
    }

    /// Whether anything was ever told about it that still counts.
    #[must_use]
    pub fn is_told(&self) -> bool {
        !self.sources().is_empty() || !self.injections.is_empty()
    }

    /// Where a text writes about it: as it was first written, in another case, or, for a number, by the
    /// number alone.
    #[must_use]
    pub fn find_in(&self, text: &str) -> Option<usize> {
        if let Some(at) = text::contains_whole(text, &self.concept) {
            return Some(at);
        }
        match self.kind {
            ConceptKind::Term => {
                // Lower case may be longer than the original; then its places are not the text's.
                let lower = text.to_lowercase();
                text::contains_whole(&lower, &self.canonical)
                    .filter(|at| lower.len() == text.len() && text.is_char_boundary(*at))
            }
            ConceptKind::Quantity => {
                let number = self.canonical.split(' ').find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
                text::contains_whole(text, number)
            }
            _ => None,
        }
    }

    pub(crate) fn live_sources(&self) -> u32 {
        if self.carriers.is_empty() { self.live_mentions } else { self.live_carriers }
    }
}
