//! Where a session is kept, and how it is loaded and saved beside others.

use diffledger_core::error::ErrorKind;
use diffledger_core::session::{self as core, Saved};
use js_sys::Math;
use wasm_bindgen::JsValue;

use super::Inner;
use crate::bindings::failure::Failure;
use crate::bindings::ledger::{BETWEEN_READINGS, READINGS, may_be_torn, no_store};
use crate::bindings::store::Slot;
use crate::bindings::wait;

/// How often a ledger that others change is saved anew; past that they do nothing else.
const TRIES: u32 = 100;

/// Milliseconds until a ledger is saved anew, at most. Those who save at once must not do it again at once.
const PAUSE: f64 = 50.0;

/// A session's two forms: its log, and its ledger as a file of its own.
pub(super) struct Slots {
    log: Slot,
    ledger: Slot,
}

impl Slots {
    /// Those of the session `id` in `store`.
    pub(super) fn new(store: &JsValue, id: &str) -> Result<Self, Failure> {
        Ok(Self {
            log: Slot::new(store, format!("session_{id}.jsonl"))?,
            ledger: Slot::new(store, format!("ledger_{id}.json"))?,
        })
    }
}

impl Inner {
    /// Loads what the store holds, once.
    pub(super) async fn loaded(&self) -> Result<(), Failure> {
        if self.is_loaded.get() { Ok(()) } else { self.load().await }
    }

    pub(super) async fn load(&self) -> Result<(), Failure> {
        self.with(|_| ())?;
        let Some(slots) = &self.slots else {
            self.is_loaded.set(true);
            return Ok(());
        };
        let mut readings = READINGS;
        let session = loop {
            let (log, ledger) = (slots.log.load().await?, slots.ledger.load().await?);
            readings -= 1;
            let loaded = core::Session::load(&self.id, self.config.clone(), log.as_deref(), ledger.as_deref());
            match loaded.map_err(Failure::from) {
                Err(failure) if may_be_torn(&failure) && readings > 0 => wait(BETWEEN_READINGS).await,
                loaded => break loaded?,
            }
        };
        self.with(|present| *present = session)?;
        self.is_loaded.set(true);
        Ok(())
    }

    /// The log goes first: with it saved nothing can be lost, and no conflict is told any more, or the
    /// caller would do its turn twice. Where somebody else has changed the ledger's file meanwhile,
    /// loading takes that over as events, and both are saved again.
    pub(super) async fn save(&self) -> Result<(), Failure> {
        let Some(slots) = &self.slots else { return Err(no_store()) };
        self.loaded().await?;
        let mut saved = self.with(|session| session.saved())?;
        slots.log.save(&saved.session).await?;
        let mut is_log_saved = true;
        for _ in 0..TRIES {
            if is_log_saved && !is_conflict(slots.ledger.save(&saved.ledger).await)? {
                return Ok(());
            }
            // Below 2^32 milliseconds by far.
            wait((Math::random() * PAUSE) as u32).await;
            self.load().await?;
            saved = self.with(|session| session.saved())?;
            is_log_saved = !is_conflict(slots.log.save(&saved.session).await)?;
        }
        let message = format!("the ledger of `{}` is written by others all the time; the log is saved", self.id);
        Err(Failure::new(ErrorKind::StoreFailed, message))
    }

    /// The ledger goes first: it can be made from the log, and not the other way round.
    pub(super) async fn purge(&self) -> Result<(), Failure> {
        let empty = core::Session::new(&self.id, self.config.clone())?;
        let Saved { session, ledger } = empty.saved();
        if let Some(slots) = &self.slots {
            slots.ledger.remove(&ledger).await?;
            slots.log.remove(&session).await?;
        }
        self.is_loaded.set(true);
        self.with(|present| *present = empty)
    }
}

/// Whether somebody else was faster; any other failure stays one.
fn is_conflict(saved: Result<(), Failure>) -> Result<bool, Failure> {
    match saved {
        Ok(()) => Ok(false),
        Err(failure) if failure.error.kind == ErrorKind::Conflict => Ok(true),
        Err(failure) => Err(failure),
    }
}
