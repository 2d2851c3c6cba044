//! The saved form of a ledger: a file of the published Python package, and beside it, under one key
//! that the package keeps and does not read, what only this ledger knows.
//!
//! Both programs may work on the same file in turns. So Python's part says what *is* (which concepts,
//! how often, since when, stale or not), and ours adds what Python has no place for: kinds, the order
//! of first mention, marks, earlier injections, compactions. What Python added comes last; what it
//! removed is removed.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Entry, Injection, Ledger, State};
use crate::concept::{self, Concept, ConceptKind};
use crate::config::Config;
use crate::error::{Error, ErrorKind, shown};
use crate::hear::passages;
use crate::log::Log;
use crate::sentence::Mark;
use crate::text::published;

/// The version of our part. A higher one is refused: what it means is not known yet.
const SCHEMA: u32 = 1;

/// Characters of a text in Python's part.
const TEXT_CHARS: usize = 300;

/// Turns of a file that are believed. A higher number is damage, and counting up to it would take for ever.
const MOST_TURNS: u32 = 1_000_000;

/// An entry as the Python package writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) concept: String,
    #[serde(default)]
    pub(crate) canonical: String,
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default = "gap")]
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) turn_injected: u32,
    #[serde(default = "one")]
    pub(crate) score: f64,
    #[serde(default = "once")]
    pub(crate) reference_count: u32,
    #[serde(default)]
    pub(crate) stale: bool,
}

fn gap() -> String {
    "gap".into()
}

fn one() -> f64 {
    1.0
}

fn once() -> u32 {
    1
}

impl Record {
    /// From 0.0 to 1.0 in thousandths.
    pub(crate) fn thousandths(&self) -> u32 {
        (self.score.clamp(0.0, 1.0) * 1000.0).round() as u32
    }

    fn injection(&self) -> Injection {
        Injection {
            turn: self.turn_injected,
            text: self.text.clone(),
            source: self.source.clone(),
            score: self.thousandths(),
            fence: None,
            seqs: Vec::new(),
            ended: self.stale,
        }
    }
}

/// What Python has no place for, about one entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct More {
    canonical: String,
    kind: ConceptKind,
    first_turn: u32,
    last_turn: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Mark>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    injections: Vec<Injection>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Ours {
    schema: u32,
    /// How many events the session's log had; `None` where there is no log.
    #[serde(default)]
    log: Option<u32>,
    /// Whether the ledger was reset without its log: a session begins anew with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reset: bool,
    #[serde(default)]
    crunches: Vec<String>,
    #[serde(default)]
    entries: Vec<More>,
}

#[derive(Debug, Serialize, Deserialize)]
struct File {
    session_id: String,
    #[serde(default)]
    turn: u32,
    #[serde(default)]
    entries: Vec<Record>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    diffledger: Option<Ours>,
}

/// A ledger's file, read and checked.
#[derive(Debug)]
pub(crate) struct SavedLedger(File);

impl SavedLedger {
    /// Reads a file; one of the Python package alone will do.
    pub(crate) fn read(id: &str, text: &str) -> Result<Self, Error> {
        let damaged = |why: String| Error::new(ErrorKind::Damaged, format!("the saved ledger of `{id}` {why}"));
        let schema =
            serde_json::from_str::<Value>(text).ok().and_then(|value| value.get("diffledger")?.get("schema")?.as_u64());
        if let Some(schema) = schema.filter(|schema| *schema > u64::from(SCHEMA)) {
            let message = format!(
                "the saved ledger of `{id}` has schema `{schema}`, this version reads up to {SCHEMA}: update diffledger"
            );
            return Err(Error::new(ErrorKind::NewerVersion, message));
        }
        let mut file: File = serde_json::from_str(text).map_err(|error| damaged(format!("does not read: {error}")))?;
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
        let entries = told.iter().map(|entry| self.record(entry, log)).collect();
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
            crunches: self.crunches.iter().cloned().collect(),
            entries: more.collect(),
        };
        let file = File { session_id: self.session.clone(), turn: self.turn, entries, diffledger: Some(ours) };
        // Plain data without maps of other keys: this cannot fail.
        serde_json::to_string_pretty(&file).unwrap_or_default()
    }

    /// All entries as the Python package would write them.
    pub(crate) fn records(&self) -> Vec<Record> {
        self.entries().iter().filter(|entry| entry.is_told()).map(|entry| self.record(entry, None)).collect()
    }

    fn record(&self, entry: &Entry, log: Option<&Log>) -> Record {
        let newest = entry.injections.last();
        let state = self.state(entry);
        let is_known = matches!(state, State::Live | State::Weakened);
        // Python takes an entry for known for so many turns: what the window holds is shown now.
        let shown_at = if entry.sources().is_empty() {
            newest.map_or(0, |injection| injection.turn)
        } else if is_known {
            self.turn
        } else {
            entry.last_turn
        };
        let quoted = || log.map(|log| quotation(entry, log)).unwrap_or_default();
        Record {
            concept: entry.concept.clone(),
            canonical: published::normalize(&entry.concept),
            text: newest.map_or_else(quoted, |injection| injection.text.chars().take(TEXT_CHARS).collect()),
            source: newest.map_or_else(|| "log".into(), |injection| injection.source.clone()),
            turn_injected: shown_at,
            score: newest.map_or(1.0, |injection| f64::from(injection.score) / 1000.0),
            reference_count: entry.reference_count,
            stale: state == State::Stale,
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

/// The words of the newest atom that tells about an entry.
fn quotation(entry: &Entry, log: &Log) -> String {
    let atoms = entry.sources().iter().rev().filter_map(|seq| log.atom(*seq));
    let passages: Vec<String> = atoms
        .take(4)
        .flat_map(|atom| passages(&atom.message).into_iter().map(|passage| passage.into_owned()).collect::<Vec<_>>())
        .collect();
    let names = |passage: &&String| entry.find_in(passage).is_some();
    let Some(best) = passages.iter().find(names).or(passages.first()) else { return String::new() };
    let (range, _) = crate::fill::within(best, Some(entry), &[], TEXT_CHARS);
    best.get(range).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by the published package.
    const PYTHON: &str = r#"{
  "session_id": "demo",
  "turn": 2,
  "entries": [
    {
      "concept": "The Retry Queue",
      "canonical": "retry queue",
      "text": "The retry queue waits 30 s.",
      "source": "gap",
      "turn_injected": 0,
      "score": 1.0,
      "reference_count": 1,
      "stale": true
    },
    {
      "concept": "staging port",
      "canonical": "staging port",
      "text": "Staging listens on port 8445.",
      "source": "docs",
      "turn_injected": 2,
      "score": 0.9,
      "reference_count": 2,
      "stale": false
    }
  ]
}"#;

    fn load(text: &str) -> Result<Ledger, Error> {
        Ledger::load("demo", Config::default(), text)
    }

    fn check_refused(text: &str, kind: ErrorKind, part: &str) {
        let error = load(text).unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(part), "{error}");
    }

    #[test]
    fn what_is_no_ledger_of_this_session_is_refused_with_the_reason() {
        check_refused("", ErrorKind::Damaged, "does not read");
        check_refused(&PYTHON[..100], ErrorKind::Damaged, "line 7");
        check_refused("{\"session_id\": \"demo\", \"entries\": [1]}", ErrorKind::Damaged, "does not read");
        check_refused("{\"session_id\": \"other\"}", ErrorKind::Damaged, "`other`");
        check_refused("{\"session_id\": \"demo\", \"turn\": 4000000000}", ErrorKind::Damaged, "`4000000000`");
        check_refused(
            "{\"session_id\": \"demo\", \"diffledger\": {\"schema\": 2, \"shape\": []}}",
            ErrorKind::NewerVersion,
            "schema `2`",
        );
    }

    #[test]
    fn a_file_of_the_python_package_is_read_as_it_is() {
        let ledger = load(PYTHON).unwrap();
        assert_eq!((ledger.turn(), ledger.stale_entries().len(), ledger.entries().len()), (2, 1, 2));
        assert!(ledger.is_known("the staging port") && !ledger.is_known("retry queue"));
        assert_eq!((ledger.concept_ref_count("staging port"), ledger.entries()[1].injections[0].score), (2, 900));
    }

    #[test]
    fn what_is_saved_holds_the_python_form_unchanged() {
        let saved: Value = serde_json::from_str(&load(PYTHON).unwrap().saved(None)).unwrap();
        let python: Value = serde_json::from_str(PYTHON).unwrap();
        for key in ["session_id", "turn", "entries"] {
            assert_eq!(saved[key], python[key]);
        }
    }

    #[test]
    fn a_ledger_comes_back_whole() {
        let mut ledger = Ledger::new("demo", Config { stale_turns: 2, ..Config::default() }).unwrap();
        ledger.add("Flux Capacitor", &"It needs power. ".repeat(60), "docs", 400);
        ledger.add("npcflag", "The column.", "gap", 1000);
        ledger.advance_turn();
        ledger.mark_all_stale(Some("c1"));
        ledger.add("flux capacitor", "1.21 gigawatts.", "gap", 1000);
        ledger.advance_turn();
        let again = Ledger::load("demo", ledger.config().clone(), &ledger.saved(None)).unwrap();
        assert_eq!(again.entries(), ledger.entries());
        assert_eq!(again.summary(), ledger.summary());
        assert!(again.has_crunch("c1"));
        assert_eq!(again.saved(None), ledger.saved(None));
    }

    #[test]
    fn python_may_add_stale_and_reset_and_the_rest_stays() {
        let mut ledger = Ledger::new("demo", Config::default()).unwrap();
        ledger.add("alpha queue", "First.", "gap", 1000);
        ledger.add("beta queue", "Second.", "gap", 1000);
        let mut file: Value = serde_json::from_str(&ledger.saved(None)).unwrap();
        // What `ledger.add("alpha queue", …)` of the Python package does: out, and in again at the end.
        let mut entries = file["entries"].as_array().unwrap().clone();
        let mut alpha = entries.remove(0);
        (alpha["text"], alpha["reference_count"]) = ("Third.".into(), 2.into());
        entries.push(alpha);
        file["entries"] = entries.into();
        let again = load(&file.to_string()).unwrap();
        let names: Vec<&str> = again.entries().iter().map(|entry| entry.canonical.as_str()).collect();
        assert_eq!(names, ["alpha queue", "beta queue"]);
        let texts: Vec<&str> = again.entries()[0].injections.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, ["First.", "Third."]);
        (file["entries"], file["turn"]) = (Vec::<Value>::new().into(), 0.into());
        assert_eq!(load(&file.to_string()).unwrap().entries().len(), 0);
        file["entries"] = serde_json::json!([{ "concept": "gamma queue", "text": "Fourth." }]);
        assert_eq!(load(&file.to_string()).unwrap().entries().len(), 1);
    }

    #[test]
    fn two_names_that_are_one_to_python_stay_two() {
        let mut ledger = Ledger::new("demo", Config::default()).unwrap();
        ledger.add("`Port`", "A name.", "gap", 1000);
        ledger.add("port", "A term.", "gap", 1000);
        ledger.add("src/Main.rs", "x", "gap", 1000);
        ledger.add("src/main.rs", "y", "gap", 1000);
        let again = load(&ledger.saved(None)).unwrap();
        assert_eq!(again.entries(), ledger.entries());
    }
}
