//! The saved form of a session: the log's events, a line of JSON each, and the ledger's own file.
//!
//! The first line says what it is: `{"diffledger": "session", "schema": 1, "session_id": …}`. An
//! `atom` line holds a message. The ledger is not read from its file but folded from the log; the
//! file is compared with the ledger as it was when the file was written, and what differs was done by
//! another program (the Python package, the seed API) and becomes events. So both files may be saved
//! one after the other, and a stop in between loses nothing.

use std::collections::HashMap;

use serde_json::Value;

use super::Session;
use crate::config::Config;
use crate::error::{Error, ErrorKind, shown};
use crate::hear::Heard;
use crate::json::{self, Fields, FromJson, ToJson, Writer, Wrong, fields};
use crate::ledger::saved::Record;
use crate::ledger::{Entry, SavedLedger};
use crate::log::{Atom, Event, Log, Seq};
use crate::message::Message;
use crate::order;
use crate::text::published;

/// The version of the form. A higher one is refused: what it means is not known yet.
const SCHEMA: u32 = 1;

/// A session in its saved form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The log: `session_<id>.jsonl`.
    pub session: String,
    /// The ledger, readable by the Python package: `ledger_<id>.json`.
    pub ledger: String,
}

struct Header {
    diffledger: String,
    schema: u32,
    session_id: String,
}

fields!(Header { diffledger, schema, session_id });

/// A line after the first.
enum Line {
    Atom(Appended),
    Event(Event),
}

impl FromJson for Line {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let fields = Fields::of(value)?;
        Ok(match fields.or("event", None)? {
            Some(event) => Self::Event(event),
            None => Self::Atom(fields.get("atom")?),
        })
    }
}

/// An atom with its `append`.
struct Appended {
    seq: Seq,
    message: Message,
    forgotten: Option<Forgotten>,
}

impl FromJson for Appended {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let fields = Fields::of(value)?;
        Ok(Self { seq: fields.get("seq")?, message: fields.get("message")?, forgotten: fields.or("forgotten", None)? })
    }
}

/// What is computed from a message is kept only when its text was forgotten.
struct Forgotten {
    tokens: u32,
    digest: u64,
    heard: Vec<Heard>,
}

fields!(Forgotten { tokens, digest, heard });

/// The line for an atom.
struct AtomLine<'a>(&'a Atom);

impl ToJson for AtomLine<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Atom { seq, tokens, digest, message, heard, .. } = self.0;
        let forgotten = heard.clone().map(|heard| Forgotten { tokens: *tokens, digest: *digest, heard });
        to.variant("atom").field("seq", seq).field("message", message).given("forgotten", &forgotten).end();
    }
}

/// The line for any other event.
struct EventLine<'a>(&'a Event);

impl ToJson for EventLine<'_> {
    fn to_json(&self, to: &mut Writer) {
        to.object().field("event", self.0).end();
    }
}

impl Session {
    /// The session in its saved form. Cost: linear in the log.
    #[must_use]
    pub fn saved(&self) -> Saved {
        let header =
            Header { diffledger: "session".into(), schema: SCHEMA, session_id: self.ledger.session_id().to_owned() };
        let mut session = json::line(&header);
        for event in self.log.events() {
            let atom = if let Event::Append { seq } = event { self.log.atom(*seq) } else { None };
            session.push('\n');
            session.push_str(&match atom {
                Some(atom) => json::line(&AtomLine(atom)),
                None => json::line(&EventLine(event)),
            });
        }
        session.push('\n');
        Saved { session, ledger: self.ledger.saved(Some(&self.log)) }
    }

    /// The session that its saved form describes; either part may be missing.
    ///
    /// # Errors
    /// As [`Session::new`]; [`ErrorKind::Damaged`] with the line, [`ErrorKind::NewerVersion`].
    pub fn load(id: &str, config: Config, session: Option<&str>, ledger: Option<&str>) -> Result<Self, Error> {
        let mut loaded = Self::new(id, config.clone())?;
        let saved = ledger.map(|text| SavedLedger::read(id, text)).transpose()?;
        if let Some(saved) = saved.as_ref().filter(|saved| saved.was_reset()) {
            loaded.catch_up(saved, 0, &[]);
            return Ok(loaded);
        }
        let written_at = saved.as_ref().and_then(SavedLedger::log).map(|events| events as usize);
        let mut then = None;
        for (number, text) in session.into_iter().flat_map(str::lines).enumerate() {
            let damaged = |why: String| {
                let message = format!("line {} of the saved session `{id}` {why}", number + 1);
                Error::new(ErrorKind::Damaged, message)
            };
            if number == 0 {
                check_header(id, text).map_err(|(kind, why)| Error { kind, ..damaged(why) })?;
                continue;
            }
            let line = json::read(text).map_err(|why| damaged(format!("does not read: {why}")))?;
            loaded.replay(line).map_err(damaged)?;
            if written_at == Some(loaded.log.events().len()) {
                then = Some((loaded.ledger.turn(), loaded.ledger.records()));
            }
        }
        if session.is_some_and(str::is_empty) {
            return Err(Error::new(ErrorKind::Damaged, format!("the saved session `{id}` is empty")));
        }
        if let Some(saved) = saved {
            let (turn, records) = match (written_at, then) {
                (Some(0) | None, _) => (0, Vec::new()),
                (Some(_), Some(then)) => then,
                (Some(_), None) => (loaded.ledger.turn(), loaded.ledger.records()),
            };
            loaded.catch_up(&saved, turn, &records);
        }
        Ok(loaded)
    }

    fn replay(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Atom(atom) => {
                let next = self.log.atoms().len();
                if atom.seq.index() != next {
                    return Err(format!("appends `{}` where `{next}` follows", atom.seq.0));
                }
                let forgotten = atom.forgotten.map(|was| (was.tokens, was.digest, was.heard));
                let seq = self.log.append_saved(atom.message, forgotten);
                self.learn_atom(seq);
            }
            Line::Event(Event::Append { seq }) => return Err(format!("appends `{}` without a message", seq.0)),
            Line::Event(event) => {
                if let Some(seq) = foreign(&event, &self.log) {
                    return Err(format!("names the message `{}`, which there is not", seq.0));
                }
                self.record(event);
            }
        }
        Ok(())
    }

    /// Makes events of what another program did to the ledger's file since it was written, at `turn`
    /// and with `records`.
    fn catch_up(&mut self, saved: &SavedLedger, turn: u32, records: &[Record]) {
        let passed = self.ledger.turn().saturating_sub(turn);
        let crunches: Vec<String> = saved.crunches().iter().filter(|id| !self.ledger.has_crunch(id)).cloned().collect();
        let mut before: HashMap<&str, Vec<&Record>> = HashMap::new();
        for record in records.iter().rev() {
            before.entry(&record.canonical).or_default().push(record);
        }
        let mut staled = false;
        let mut changed = Vec::new();
        for record in saved.records() {
            let was = before.get_mut(record.canonical.as_str()).and_then(Vec::pop);
            staled |= record.stale && was.is_none_or(|was| !was.stale);
            let is_same = |was: &Record| {
                (was.reference_count, was.turn_injected) == (record.reference_count, record.turn_injected)
            };
            if !was.is_some_and(is_same) {
                changed.push(record);
            }
        }
        // Only declaring all lost makes an entry stale there: what is not stale was added after that.
        order::by_key(&mut changed, |record| (!record.stale, record.turn_injected));
        let (lost, known): (Vec<&Record>, Vec<&Record>) = changed.into_iter().partition(|record| record.stale);
        let own: HashMap<String, u32> = self.ledger.entries().iter().rev().map(named).collect();
        for record in lost {
            self.take_over(record, own.get(&record.canonical).copied(), passed);
        }
        if staled && crunches.is_empty() {
            self.record(Event::MarkStale { crunch: None });
        }
        for id in crunches {
            self.record(Event::MarkStale { crunch: Some(id) });
        }
        for record in known {
            self.take_over(record, own.get(&record.canonical).copied(), passed);
        }
        self.advance_to(saved.turn() + passed);
    }

    fn take_over(&mut self, record: &Record, entry: Option<u32>, passed: u32) {
        self.advance_to(record.turn_injected + passed);
        self.record(Event::Inject {
            entry,
            concept: record.concept.clone(),
            text: record.text.clone(),
            source: record.source.clone(),
            score: record.score.0,
            fence: None,
            seqs: Vec::new(),
        });
    }

    fn advance_to(&mut self, turn: u32) {
        for _ in self.ledger.turn()..turn {
            self.record(Event::Advance);
        }
    }
}

/// An entry by the name under which the Python package knows it.
fn named(entry: &Entry) -> (String, u32) {
    (published::normalize(&entry.concept), entry.id)
}

fn check_header(id: &str, text: &str) -> Result<(), (ErrorKind, String)> {
    let damaged = |why: String| Err((ErrorKind::Damaged, why));
    let Ok(header) = json::read::<Header>(text) else {
        return damaged("is no header of a session".into());
    };
    if header.diffledger != "session" {
        return damaged(format!("says that this is a `{}`", shown(&header.diffledger)));
    }
    if header.schema > SCHEMA {
        let why = format!("has schema `{}`, this version reads up to {SCHEMA}: update diffledger", header.schema);
        return Err((ErrorKind::NewerVersion, why));
    }
    if header.session_id != id {
        return damaged(format!("belongs to the session `{}`", shown(&header.session_id)));
    }
    Ok(())
}

/// An atom that an event names and the log does not have.
fn foreign(event: &Event, log: &Log) -> Option<Seq> {
    let named = match event {
        Event::Window { view: seqs, .. } | Event::Forget { seqs } | Event::Inject { seqs, .. } => seqs.as_slice(),
        _ => &[],
    };
    named.iter().copied().find(|seq| log.atom(*seq).is_none())
}

#[cfg(test)]
mod tests;
