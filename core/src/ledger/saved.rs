//! The saved form of a ledger: a file of the published Python package, and beside it, under one key
//! that the package keeps and does not read, what only this ledger knows.
//!
//! Both programs may work on the same file in turns. So Python's part says what *is* (which concepts,
//! how often, since when, stale or not), and ours adds what Python has no place for: kinds, the order
//! of first mention, marks, earlier injections, compactions. What Python added comes last; what it
//! removed is removed.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Entry, Injection, Ledger};
use crate::concept::{self, Concept};
use crate::config::Config;
use crate::error::{Error, ErrorKind, shown};
use crate::fill;
use crate::hear::passages;
use crate::json::{self, FromJson};
use crate::log::{Log, Seq};
use crate::text::published;

mod file;

pub(crate) use file::Record;
use file::{File, More, Ours, Share};

/// The version of our part. A higher one is refused: what it means is not known yet.
const SCHEMA: u32 = 1;

/// Characters of a text in Python's part.
const TEXT_CHARS: usize = 300;

/// Turns of a file that are believed. A higher number is damage, and counting up to it would take for ever.
const MOST_TURNS: u32 = 1_000_000;

/// A ledger's file, read and checked.
#[derive(Debug)]
pub(crate) struct SavedLedger(File);

impl SavedLedger {
    /// Reads a file; one of the Python package alone will do.
    pub(crate) fn read(id: &str, text: &str) -> Result<Self, Error> {
        let damaged = |why: String| Error::new(ErrorKind::Damaged, format!("the saved ledger of `{id}` {why}"));
        let unreadable = |why: String| damaged(format!("does not read: {why}"));
        let value: Value = json::parse(text).map_err(unreadable)?;
        // Before all else: a newer form need not have the shape of this one.
        let schema = value.pointer("/diffledger/schema").and_then(Value::as_u64);
        if let Some(schema) = schema.filter(|schema| *schema > u64::from(SCHEMA)) {
            let message = format!(
                "the saved ledger of `{id}` has schema `{schema}`, this version reads up to {SCHEMA}: update diffledger"
            );
            return Err(Error::new(ErrorKind::NewerVersion, message));
        }
        let mut file = File::from_json(&value).map_err(|wrong| unreadable(wrong.said()))?;
        if file.session_id != id {
            return Err(damaged(format!("belongs to the session `{}`", shown(&file.session_id))));
        }
        let turns = file.entries.iter().map(|record| record.turn_injected).chain([file.turn]);
        if let Some(turn) = turns.max().filter(|turn| *turn > MOST_TURNS) {
            return Err(damaged(format!("says turn `{turn}`")));
        }
        for record in &mut file.entries {
            if record.canonical.is_empty() {
                record.canonical = published::normalize(&record.concept);
            }
        }
        Ok(Self(file))
    }

    pub(crate) fn turn(&self) -> u32 {
        self.0.turn
    }

    pub(crate) fn records(&self) -> &[Record] {
        &self.0.entries
    }

    /// How many events the log had that the file was written with.
    pub(crate) fn log(&self) -> Option<u32> {
        self.0.diffledger.as_ref()?.log
    }

    pub(crate) fn crunches(&self) -> &[String] {
        // Whoever reset it without knowing our part left there what is no longer so.
        let ours = self.0.diffledger.as_ref().filter(|ours| ours.reset || !self.was_reset());
        ours.map_or(&[], |ours| &ours.crunches)
    }

    /// Whether it was reset: it says so, or, for a program that does not know our part, nothing of what
    /// that remembers is left.
    pub(crate) fn was_reset(&self) -> bool {
        let Some(ours) = &self.0.diffledger else { return false };
        let left: HashSet<&str> = self.0.entries.iter().map(|record| record.canonical.as_str()).collect();
        let is_gone = |more: &More| !left.contains(more.canonical.as_str());
        ours.reset || !ours.entries.is_empty() && ours.entries.iter().all(is_gone)
    }
}

impl Ledger {
    /// The ledger in its saved form. With the log that it stands on, entries that were only talked
    /// about have the words of their newest source as text.
    #[must_use]
    pub fn saved(&self, log: Option<&Log>) -> String {
        let told: Vec<&Entry> = self.entries().iter().filter(|entry| entry.is_told()).collect();
        let mut quotations = log.map(Quotations::new);
        let mut text = |entry: &Entry| quotations.as_mut().map(|all| all.of(entry)).unwrap_or_default();
        let entries = told.iter().map(|entry| self.record(entry, &mut text)).collect();
        let more = told.iter().map(|entry| More {
            canonical: published::normalize(&entry.concept),
            kind: entry.kind,
            first_turn: entry.first_turn,
            last_turn: entry.last_turn,
            marks: entry.marks.clone(),
            injections: entry.injections.clone(),
        });
        let ours = Ours {
            schema: SCHEMA,
            log: log.map_or(self.stands_on, |log| u32::try_from(log.events().len()).ok()),
            reset: log.is_none() && self.is_anew,
            crunches: self.crunches(),
            entries: more.collect(),
        };
        let file = File { session_id: self.session.clone(), turn: self.turn, entries, diffledger: Some(ours) };
        json::pretty(&file)
    }

    /// All entries as the Python package would write them.
    pub(crate) fn records(&self) -> Vec<Record> {
        self.entries()
            .iter()
            .filter(|entry| entry.is_told())
            .map(|entry| self.record(entry, |_| String::new()))
            .collect()
    }

    /// Nothing here depends on a limit: whoever reads the file has limits of its own.
    fn record(&self, entry: &Entry, text: impl FnOnce(&Entry) -> String) -> Record {
        let newest = entry.injections.last();
        let is_in_window = entry.live_sources() > 0 || entry.summarised;
        let is_put_up = entry.injections.iter().any(|injection| !injection.ended && self.is_shown(injection));
        // Python takes an entry for known for so many turns: what the window holds is shown now.
        let shown_at = match newest {
            Some(injection) if entry.sources().is_empty() => injection.turn,
            _ if is_in_window => self.turn,
            _ => entry.last_turn,
        };
        Record {
            concept: entry.concept.clone(),
            canonical: published::normalize(&entry.concept),
            text: newest.map_or_else(|| text(entry), |injection| injection.text.chars().take(TEXT_CHARS).collect()),
            source: newest.map_or_else(|| "log".into(), |injection| injection.source.clone()),
            turn_injected: shown_at,
            score: Share(newest.map_or(1000, |injection| injection.score)),
            reference_count: entry.reference_count,
            stale: !is_in_window && !is_put_up,
        }
    }

    /// The ledger that a saved form describes.
    ///
    /// # Errors
    /// As [`Ledger::new`]; [`ErrorKind::Damaged`] and [`ErrorKind::NewerVersion`].
    pub fn load(id: &str, config: Config, text: &str) -> Result<Self, Error> {
        let mut ledger = Self::new(id, config)?;
        let saved = SavedLedger::read(id, text)?;
        let was_reset = saved.was_reset();
        let file = saved.0;
        ledger.turn = file.turn;
        let mut records: HashMap<String, Vec<Record>> = HashMap::new();
        let mut order: Vec<String> = Vec::new();
        for record in file.entries {
            order.push(record.canonical.clone());
            records.entry(record.canonical.clone()).or_default().push(record);
        }
        if let Some(ours) = file.diffledger.filter(|ours| !was_reset || ours.reset) {
            (ledger.stands_on, ledger.is_anew) = (ours.log, ours.reset);
            ledger.crunches.extend(ours.crunches);
            ledger.take_more(ours.entries, &mut records);
        } else {
            ledger.is_anew = was_reset;
        }
        for canonical in order {
            let Some(same) = records.get_mut(&canonical) else { continue };
            if !same.is_empty() {
                let record = same.remove(0);
                ledger.restore(Some(record), None);
            }
        }
        Ok(ledger)
    }

    fn take_more(&mut self, all: Vec<More>, records: &mut HashMap<String, Vec<Record>>) {
        for more in all {
            let Some(same) = records.get_mut(&more.canonical) else { continue };
            // Two entries of ours may be one to Python; when it writes that one, the others stay as they were.
            let record = (!same.is_empty()).then(|| same.remove(0));
            self.restore(record, Some(more));
        }
    }

    fn restore(&mut self, record: Option<Record>, more: Option<More>) {
        let name = record.as_ref().map(|record| record.concept.clone());
        let name = name.or_else(|| more.as_ref().map(|more| more.canonical.clone())).unwrap_or_default();
        let mut concept = Concept::named(&name);
        if let Some(more) = &more {
            concept.kind = more.kind;
            concept.canonical = concept::canonical(more.kind, &concept.surface);
        }
        let id = self.entry_for(&concept);
        let turn = self.turn;
        let Some(entry) = self.entries.get_mut(id as usize) else { return };
        if let Some(more) = more {
            (entry.first_turn, entry.last_turn) = (more.first_turn, more.last_turn);
            entry.marks = more.marks;
            entry.injections = more.injections;
        } else {
            entry.first_turn = record.as_ref().map_or(turn, |record| record.turn_injected);
            entry.last_turn = entry.first_turn;
        }
        for injection in &mut entry.injections {
            // Without messages there are no fences: what was shown counts until it is too old.
            injection.fence = None;
        }
        let Some(record) = record else { return };
        entry.reference_count = record.reference_count;
        if record.stale {
            entry.injections.iter_mut().for_each(|injection| injection.ended = true);
        }
        let same = |injection: &Injection| {
            injection.turn == record.turn_injected && injection.text.chars().take(TEXT_CHARS).eq(record.text.chars())
        };
        match entry.injections.last_mut() {
            Some(last) if same(last) => last.ended = record.stale,
            _ => {
                entry.last_turn = entry.last_turn.max(record.turn_injected);
                entry.injections.push(record.injection());
            }
        }
    }
}

/// The words of the newest atoms that tell about entries.
struct Quotations<'a> {
    log: &'a Log,
    /// Many entries are told by one atom: its passages are taken out once.
    passages: HashMap<Seq, Vec<Cow<'a, str>>>,
}

impl<'a> Quotations<'a> {
    fn new(log: &'a Log) -> Self {
        Self { log, passages: HashMap::new() }
    }

    fn of(&mut self, entry: &Entry) -> String {
        for seq in entry.sources().iter().rev().take(4) {
            let Some(atom) = self.log.atom(*seq) else { continue };
            let passages = self.passages.entry(*seq).or_insert_with(|| passages(&atom.message));
            let found = passages.iter().find_map(|passage| Some((passage, entry.find_in(passage)?)));
            if let Some((passage, at)) = found {
                return passage.get(fill::around(passage, at, TEXT_CHARS)).unwrap_or_default().to_owned();
            }
        }
        String::new()
    }
}

#[cfg(test)]
mod tests;
