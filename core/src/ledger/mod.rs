//! The ledger: what the agent has been told, concept by concept, and whether it still knows it.
//!
//! A fold over the log's events: atoms that join the window make entries and keep them live, atoms
//! that leave make them weakened or stale, injections keep them live for a while. The same ledger
//! serves the seed API, which sees no messages: then injections are all there is.
//!
//! Learning an atom is linear in its text. A change of the window costs the entries of the atoms that
//! moved; a new host summary is compared with all of them, once. The idea is the published package diffledger's; carriers, and with
//! them knowing instead of guessing what a crunch took, are ours.
//!
//! ```
//! use diffledger_core::config::Config;
//! use diffledger_core::ledger::Ledger;
//! let mut ledger = Ledger::new("demo", Config::default()).unwrap();
//! ledger.add("retry queue", "The retry queue holds failed posts for an hour.", "gap", 1000);
//! assert!(ledger.is_known("the retry queue"));
//! ledger.mark_all_stale(None);
//! assert!(!ledger.is_known("the retry queue"));
//! assert_eq!(ledger.stale_entries().len(), 1);
//! ```

mod entry;
pub(crate) mod saved;
mod seed;
mod window;

use std::collections::{HashMap, HashSet};

pub use entry::{Entry, Injection, State, Why};
pub(crate) use saved::SavedLedger;
pub use seed::Summary;

use crate::concept::{Concept, ConceptKind};
use crate::config::Config;
use crate::error::{Error, ErrorKind, shown};
use crate::log::{Event, Log, Seq};
use crate::matching::{Index, Match};
use crate::order::{self, Set};
use crate::sentence::Mark;

/// Texts put up that are looked back at: no window holds more of them.
const SHOWN: usize = 256;

/// Concept → carriers, for one session.
#[derive(Clone, Debug)]
pub struct Ledger {
    session: String,
    config: Config,
    turn: u32,
    entries: Vec<Entry>,
    by_name: HashMap<(bool, String), u32>,
    /// For each kind, by its number, the entries in order of first mention.
    by_kind: Vec<Vec<u32>>,
    /// Phrases by the stem of their last word, quantities by the stem of each of their words.
    by_stem: HashMap<String, Vec<u32>>,
    /// Entries that a text was put up for, oldest first.
    filled: Vec<u32>,
    index: Index,
    /// For each atom the entries it tells about, and whether it states them.
    told: Vec<Vec<(u32, bool)>>,
    /// For each atom what its facts are.
    marks: Vec<Vec<Mark>>,
    /// What the user's messages were the first to name, with the atoms.
    topics: Vec<(u32, Seq)>,
    visible: Set<Seq>,
    fences: Set<u32>,
    summaries: Vec<Seq>,
    summarised: Vec<u32>,
    /// The summary that `summarised` was made from, and how many entries were compared with it.
    compared: (Option<Seq>, usize),
    crunches: HashSet<String>,
    /// How many events the log had that the saved form stood on, for a ledger that is loaded without it.
    stands_on: Option<u32>,
    /// Whether it was reset since: the log that it stood on is no longer its own.
    is_anew: bool,
}

impl Ledger {
    /// An empty ledger.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidSessionId`] and [`ErrorKind::InvalidOption`].
    pub fn new(session_id: &str, config: Config) -> Result<Self, Error> {
        check_session_id(session_id)?;
        config.check()?;
        Ok(Self {
            session: session_id.to_owned(),
            index: Index::new(&config),
            config,
            turn: 0,
            entries: Vec::new(),
            by_name: HashMap::new(),
            told: Vec::new(),
            marks: Vec::new(),
            topics: Vec::new(),
            visible: Set::default(),
            by_kind: Vec::new(),
            by_stem: HashMap::new(),
            filled: Vec::new(),
            fences: Set::default(),
            summaries: Vec::new(),
            summarised: Vec::new(),
            compared: (None, 0),
            crunches: HashSet::new(),
            stands_on: None,
            is_anew: false,
        })
    }

    /// The ledger that a log makes: state is a pure fold over its events.
    ///
    /// # Errors
    /// As [`Ledger::new`].
    pub fn fold(session_id: &str, config: Config, log: &Log) -> Result<Self, Error> {
        let mut ledger = Self::new(session_id, config)?;
        for event in log.events() {
            ledger.apply(event, log);
        }
        Ok(ledger)
    }

    /// The session's id.
    #[must_use]
    pub fn session_id(&self) -> &str {
        &self.session
    }

    /// The thresholds in force.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The present turn.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// All entries, in order of first mention.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry with this id.
    #[must_use]
    pub fn entry(&self, id: u32) -> Option<&Entry> {
        self.entries.get(id as usize)
    }

    /// The entries that an atom tells about, and whether it states something about them.
    #[must_use]
    pub fn told_by(&self, seq: Seq) -> &[(u32, bool)] {
        self.told.get(seq.index()).map_or(&[], Vec::as_slice)
    }

    /// What the user's messages were the first to name, one thing a message or one for each item that
    /// it lists, with the atoms.
    #[must_use]
    pub fn topics(&self) -> &[(u32, Seq)] {
        &self.topics
    }

    /// What the facts of an atom are.
    #[must_use]
    pub fn marks_of(&self, seq: Seq) -> &[Mark] {
        self.marks.get(seq.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether an atom is in the window.
    #[must_use]
    pub fn is_visible(&self, seq: Seq) -> bool {
        self.visible.contains(&seq)
    }

    /// The state of an entry.
    #[must_use]
    pub fn state(&self, entry: &Entry) -> State {
        self.state_without(entry, None)
    }

    /// The state of an entry if one atom had never been said: what a message refers to is not known
    /// because the message names it.
    #[must_use]
    pub fn state_without(&self, entry: &Entry, seq: Option<Seq>) -> State {
        let tells = |list: &[Seq]| usize::from(seq.is_some_and(|seq| list.binary_search(&seq).is_ok()));
        let shown = usize::from(seq.is_some_and(|seq| self.is_visible(seq)));
        let (stated, asked) = (tells(&entry.carriers), tells(&entry.mentions));
        let carriers = entry.carriers.len() - stated;
        let (all, live) = if carriers > 0 {
            (carriers, (entry.live_carriers as usize).saturating_sub(stated * shown))
        } else {
            (entry.mentions.len() - asked, (entry.live_mentions as usize).saturating_sub(asked * shown))
        };
        if all == 0 && entry.injections.is_empty() {
            return State::Unknown;
        }
        let kept_otherwise = entry.summarised || self.has_live_injection(entry);
        if kept_otherwise || (live > 0 && live == all) {
            return State::Live;
        }
        if live > 0 {
            return State::Weakened;
        }
        let too_old = |injection: &Injection| !injection.ended && self.is_shown(injection) && !self.is_young(injection);
        if all == 0 && entry.injections.iter().any(too_old) { State::Expired } else { State::Stale }
    }

    /// What keeps an entry live.
    #[must_use]
    pub fn why(&self, entry: &Entry) -> Why {
        let all = u32::try_from(entry.sources().len()).unwrap_or(u32::MAX);
        if self.has_live_injection(entry) {
            Why::Injection
        } else if entry.live_sources() == all && all > 0 {
            Why::Carrier
        } else if entry.summarised {
            Why::Summary
        } else if entry.live_sources() > 0 {
            Why::Carrier
        } else {
            Why::Nothing
        }
    }

    fn has_live_injection(&self, entry: &Entry) -> bool {
        entry.injections.iter().any(|injection| self.is_live(injection))
    }

    /// Whether an injection still stands in front of the agent.
    #[must_use]
    pub fn is_live(&self, injection: &Injection) -> bool {
        !injection.ended && self.is_shown(injection) && self.is_young(injection)
    }

    fn is_young(&self, injection: &Injection) -> bool {
        self.turn.saturating_sub(injection.turn) < self.config.stale_turns
    }

    /// A fill is shown while its fence is visible; until the next user message the host may still be
    /// about to place it.
    fn is_shown(&self, injection: &Injection) -> bool {
        injection.fence.is_none_or(|fence| self.fences.contains(&fence) || injection.turn == self.turn)
    }

    /// The entries of a kind, in order of first mention.
    #[must_use]
    pub fn of_kind(&self, kind: ConceptKind) -> &[u32] {
        self.by_kind.get(kind as usize).map_or(&[], Vec::as_slice)
    }

    /// The phrases whose last word, and the quantities one of whose words, has this stem.
    #[must_use]
    pub fn with_stem(&self, stem: &str) -> &[u32] {
        self.by_stem.get(stem).map_or(&[], Vec::as_slice)
    }

    /// What stands in front of the agent now: the last [`SHOWN`] texts that were put up and are live.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Injection> {
        let entries = self.filled.iter().rev().take(SHOWN).filter_map(|id| self.entry(*id));
        entries.flat_map(|entry| &entry.injections).filter(|injection| self.is_live(injection))
    }

    /// The entries that cover a concept, best first.
    #[must_use]
    pub fn lookup(&self, kind: ConceptKind, canonical: &str) -> Vec<(u32, Match)> {
        let mut hits = self.index.lookup(kind, canonical);
        hits.retain(|(id, _)| self.entry(*id).is_some_and(Entry::is_told));
        hits
    }

    /// Whether a compaction of this identity was recorded.
    #[must_use]
    pub fn has_crunch(&self, id: &str) -> bool {
        self.crunches.contains(id)
    }

    /// The identities of the compactions on record, sorted.
    fn crunches(&self) -> Vec<String> {
        let mut crunches: Vec<String> = self.crunches.iter().cloned().collect();
        order::sort(&mut crunches);
        crunches
    }

    /// Whether these, in order, are the fences that are visible now.
    #[must_use]
    pub fn sees(&self, fences: &[u32]) -> bool {
        self.fences.as_slice() == fences
    }

    /// Whether the fence of a turn is visible now.
    #[must_use]
    pub fn sees_fence(&self, turn: u32) -> bool {
        self.fences.contains(&turn)
    }

    /// Applies one event of the log.
    pub fn apply(&mut self, event: &Event, log: &Log) {
        match event {
            Event::Append { seq } => self.append(*seq, log),
            Event::Window { cause, view } => self.show(cause, view, log),
            Event::Inject { entry, concept, text, source, score, fence, seqs } => {
                let injection = Injection {
                    turn: self.turn,
                    text: text.clone(),
                    source: source.clone(),
                    score: *score,
                    fence: *fence,
                    seqs: seqs.clone(),
                    ended: false,
                };
                let id = entry.unwrap_or_else(|| self.entry_for(&Concept::named(concept)));
                self.inject(id, injection);
            }
            Event::Fences { visible } => self.fences = visible.iter().copied().collect(),
            Event::MarkStale { crunch } => self.mark_all_stale(crunch.as_deref()),
            Event::Advance => self.advance_turn(),
            Event::Forget { .. } => {}
        }
    }

    fn inject(&mut self, id: u32, injection: Injection) {
        let turn = self.turn;
        if let Some(entry) = self.entries.get_mut(id as usize) {
            entry.reference_count += 1;
            entry.last_turn = turn;
            self.filled.push(id);
            entry.injections.push(injection);
        }
    }

    /// The id of the entry for exactly this concept; made when there is none.
    fn entry_for(&mut self, concept: &Concept) -> u32 {
        let is_term = concept.kind == ConceptKind::Term;
        let find = |term: bool| self.by_name.get(&(term, concept.canonical.clone())).copied();
        // A plain word that is known as a name is that name: "the npcflag column" after `npcflag`.
        if let Some(id) = find(is_term).or_else(|| if is_term { find(false) } else { None }) {
            return id;
        }
        let id = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.by_name.insert((is_term, concept.canonical.clone()), id);
        self.index.insert(id, concept.kind, &concept.canonical);
        let kind = concept.kind as usize;
        self.by_kind.resize_with(self.by_kind.len().max(kind + 1), Vec::new);
        if let Some(alike) = self.by_kind.get_mut(kind) {
            alike.push(id);
        }
        for stem in stems(concept) {
            self.by_stem.entry(stem).or_default().push(id);
        }
        self.entries.push(Entry {
            id,
            kind: concept.kind,
            canonical: concept.canonical.clone(),
            concept: concept.surface.clone(),
            first_turn: self.turn,
            last_turn: self.turn,
            reference_count: 0,
            carriers: Vec::new(),
            mentions: Vec::new(),
            injections: Vec::new(),
            marks: Vec::new(),
            is_said: false,
            live_carriers: 0,
            live_mentions: 0,
            summarised: false,
        });
        id
    }
}

/// The words by which "the port" or "the recipe" finds a concept.
fn stems(concept: &Concept) -> Vec<String> {
    let words: Vec<&str> = match concept.kind {
        ConceptKind::Quantity if concept.canonical.contains(|c: char| c.is_ascii_digit()) => {
            concept.canonical.split(' ').filter(|word| word.chars().all(char::is_alphabetic)).collect()
        }
        ConceptKind::Term if concept.canonical.contains(' ') => concept.canonical.rsplit(' ').take(1).collect(),
        _ => Vec::new(),
    };
    let mut stems: Vec<String> = words.into_iter().map(crate::text::stem).collect();
    stems.dedup();
    stems
}

/// Session ids become file names: letters, digits, `.`, `_`, `-`, at most 128 of them, no dot first.
///
/// # Errors
/// [`ErrorKind::InvalidSessionId`].
pub fn check_session_id(id: &str) -> Result<(), Error> {
    let allowed = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let reason = if id.is_empty() {
        "it is empty"
    } else if id.chars().count() > 128 {
        "it is longer than 128 characters"
    } else if id.starts_with('.') {
        "it begins with a dot"
    } else if !id.chars().all(allowed) {
        "only letters, digits, `.`, `_` and `-` may stand in it"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidSessionId, format!("session id `{}` is refused: {reason}", shown(id))))
}

#[cfg(test)]
mod tests;
