//! What stands in a ledger's file: Python's part, and ours beside it.

use serde_json::Value;

use crate::concept::ConceptKind;
use crate::json::{Fields, FromJson, ToJson, Writer, Wrong, fields};
use crate::ledger::Injection;
use crate::sentence::Mark;

/// An entry as the Python package writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) concept: String,
    pub(crate) canonical: String,
    pub(crate) text: String,
    pub(crate) source: String,
    pub(crate) turn_injected: u32,
    pub(crate) score: Share,
    pub(crate) reference_count: u32,
    pub(crate) stale: bool,
}

fields!(Record { concept, canonical = String::new(), text = String::new(), source = "gap".into(), turn_injected = 0, score = Share(1000), reference_count = 1, stale = false });

/// A score, which Python has from 0.0 to 1.0, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share(pub(crate) u32);

impl ToJson for Share {
    fn to_json(&self, to: &mut Writer) {
        // By hand: what formats any float weighs more than this whole file.
        let digits = format!("{:03}", self.0 % 1000);
        let digits = digits.trim_end_matches('0');
        let digits = if digits.is_empty() { "0" } else { digits };
        to.literal(&format!("{}.{digits}", self.0 / 1000));
    }
}

impl FromJson for Share {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let share = value.as_f64().ok_or_else(|| Wrong::new(value, "a number"))?;
        Ok(Self((share.clamp(0.0, 1.0) * 1000.0).round() as u32))
    }
}

impl Record {
    pub(super) fn injection(&self) -> Injection {
        Injection {
            turn: self.turn_injected,
            text: self.text.clone(),
            source: self.source.clone(),
            score: self.score.0,
            fence: None,
            seqs: Vec::new(),
            ended: self.stale,
        }
    }
}

/// What Python has no place for, about one entry.
#[derive(Clone, Debug)]
pub(super) struct More {
    pub(super) canonical: String,
    pub(super) kind: ConceptKind,
    pub(super) first_turn: u32,
    pub(super) last_turn: u32,
    pub(super) marks: Vec<Mark>,
    pub(super) injections: Vec<Injection>,
}

impl ToJson for More {
    fn to_json(&self, to: &mut Writer) {
        to.object()
            .field("canonical", &self.canonical)
            .field("kind", &self.kind)
            .field("first_turn", &self.first_turn)
            .field("last_turn", &self.last_turn)
            .given("marks", &Some(&self.marks).filter(|marks| !marks.is_empty()))
            .given("injections", &Some(&self.injections).filter(|injections| !injections.is_empty()))
            .end();
    }
}

impl FromJson for More {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let fields = Fields::of(value)?;
        Ok(Self {
            canonical: fields.get("canonical")?,
            kind: fields.get("kind")?,
            first_turn: fields.get("first_turn")?,
            last_turn: fields.get("last_turn")?,
            marks: fields.or("marks", Vec::new())?,
            injections: fields.or("injections", Vec::new())?,
        })
    }
}

#[derive(Debug)]
pub(super) struct Ours {
    pub(super) schema: u32,
    /// How many events the session's log had; `None` where there is no log.
    pub(super) log: Option<u32>,
    /// Whether the ledger was reset without its log: a session begins anew with it.
    pub(super) reset: bool,
    pub(super) crunches: Vec<String>,
    pub(super) entries: Vec<More>,
}

impl ToJson for Ours {
    fn to_json(&self, to: &mut Writer) {
        to.object()
            .field("schema", &self.schema)
            .field("log", &self.log)
            .given("reset", &self.reset.then_some(true))
            .field("crunches", &self.crunches)
            .field("entries", &self.entries)
            .end();
    }
}

impl FromJson for Ours {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let fields = Fields::of(value)?;
        Ok(Self {
            schema: fields.get("schema")?,
            log: fields.or("log", None)?,
            reset: fields.or("reset", false)?,
            crunches: fields.or("crunches", Vec::new())?,
            entries: fields.or("entries", Vec::new())?,
        })
    }
}

#[derive(Debug)]
pub(super) struct File {
    pub(super) session_id: String,
    pub(super) turn: u32,
    pub(super) entries: Vec<Record>,
    pub(super) diffledger: Option<Ours>,
}

impl ToJson for File {
    fn to_json(&self, to: &mut Writer) {
        to.object()
            .field("session_id", &self.session_id)
            .field("turn", &self.turn)
            .field("entries", &self.entries)
            .given("diffledger", &self.diffledger)
            .end();
    }
}

impl FromJson for File {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let fields = Fields::of(value)?;
        Ok(Self {
            session_id: fields.get("session_id")?,
            turn: fields.or("turn", 0)?,
            entries: fields.or("entries", Vec::new())?,
            diffledger: fields.or("diffledger", None)?,
        })
    }
}
