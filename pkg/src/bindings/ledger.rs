//! `Ledger`: the API of the Python package, in JavaScript's idiom.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use diffledger_core::config::Config;
use diffledger_core::error::ErrorKind;
use diffledger_core::ledger::{self as core, check_session_id};
use js_sys::{Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{self, Fields, described, out, text};
use super::failure::Failure;
use super::options::{LIMITS, limits};
use super::queue::Queue;
use super::store::Slot;
use super::{host, later, wait};
use crate::shape::{SummaryShape, entries};

/// How often a form that does not parse is read again: the Python package writes in place, and may be
/// in the middle of it.
pub(super) const READINGS: u32 = 4;

/// Milliseconds between two readings.
pub(super) const BETWEEN_READINGS: u32 = 40;

/// A ledger and where it is kept.
pub(crate) struct Inner {
    ledger: RefCell<Option<core::Ledger>>,
    slot: Option<Slot>,
    queue: Queue,
}

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(1) };
    /// All ledgers with their handles, for the functions that take one as an argument: what JavaScript
    /// hands over may be anything.
    static LEDGERS: RefCell<Vec<(u32, Weak<Inner>)>> = const { RefCell::new(Vec::new()) };
}

/// What the agent was told, concept by concept. See the package's README.
#[wasm_bindgen]
pub struct Ledger {
    inner: Rc<Inner>,
    handle: u32,
}

impl Drop for Ledger {
    fn drop(&mut self) {
        LEDGERS.with(|all| {
            let place = place(&all.borrow(), self.handle);
            place.map(|place| all.borrow_mut().remove(place));
        });
    }
}

impl Inner {
    pub(crate) fn with<T>(&self, use_it: impl FnOnce(&mut core::Ledger) -> T) -> Result<T, Failure> {
        match self.ledger.borrow_mut().as_mut() {
            Some(ledger) => Ok(use_it(ledger)),
            None => Err(Failure::new(ErrorKind::Disposed, "the ledger was disposed of")),
        }
    }
}

/// Where the ledger with a handle is: handles only grow.
fn place(all: &[(u32, Weak<Inner>)], handle: u32) -> Option<usize> {
    all.binary_search_by_key(&handle, |(known, _)| *known).ok()
}

/// The ledger that a value is.
pub(crate) fn taken(value: &JsValue) -> Result<Rc<Inner>, Failure> {
    let handle = if value.is_object() { Reflect::get(value, &"handle".into()).ok() } else { None };
    let handle = handle.and_then(|handle| handle.as_f64()).unwrap_or(0.0);
    let found = LEDGERS.with(|all| {
        let all = all.borrow();
        place(&all, handle as u32).and_then(|place| all.get(place)).and_then(|(_, ledger)| ledger.upgrade())
    });
    found.ok_or_else(|| {
        Failure::new(ErrorKind::InvalidInput, format!("`ledger` must be a Ledger in use, not {}", described(value)))
    })
}

/// What a ledger is made from.
struct Plan {
    id: String,
    config: Config,
    slot: Option<Slot>,
}

impl Plan {
    fn read(session_id: &JsValue, options: &JsValue) -> Result<Self, Failure> {
        let id = text(session_id, "the session id")?;
        check_session_id(&id)?;
        let mut known = LIMITS.to_vec();
        known.push("store");
        let fields = Fields::read(options, "the options of Ledger", &known)?;
        let config = limits(&fields)?;
        let given = fields.get("store")?;
        let store = given.or_else(host::store);
        let slot = store.map(|store| Slot::new(&store, format!("ledger_{id}.json"))).transpose()?;
        Ok(Self { id, config, slot })
    }

    fn parse(&self, data: Option<&str>) -> Result<core::Ledger, Failure> {
        Ok(match data {
            Some(data) => core::Ledger::load(&self.id, self.config.clone(), data)?,
            None => core::Ledger::new(&self.id, self.config.clone())?,
        })
    }

    fn ledger(self, ledger: core::Ledger) -> Ledger {
        let inner = Rc::new(Inner { ledger: RefCell::new(Some(ledger)), slot: self.slot, queue: Queue::default() });
        let handle = NEXT.with(|next| next.replace(next.get().wrapping_add(1)));
        LEDGERS.with(|all| all.borrow_mut().push((handle, Rc::downgrade(&inner))));
        Ledger { inner, handle }
    }
}

/// Whether reading again may help.
pub(super) fn may_be_torn(failure: &Failure) -> bool {
    failure.error.kind == ErrorKind::Damaged
}

#[wasm_bindgen]
impl Ledger {
    /// Loads what a synchronous store holds.
    ///
    /// # Errors
    /// `invalidSessionId`, `invalidOption`, `damaged`, `newerVersion`, and what the store throws.
    #[wasm_bindgen(constructor)]
    pub fn new(session_id: &JsValue, options: &JsValue) -> Result<Ledger, Failure> {
        let plan = Plan::read(session_id, options)?;
        let Some(slot) = &plan.slot else {
            let ledger = plan.parse(None)?;
            return Ok(plan.ledger(ledger));
        };
        let mut parsed = plan.parse(slot.load_now()?.as_deref());
        for _ in 1..READINGS {
            if !parsed.as_ref().is_err_and(may_be_torn) {
                break;
            }
            host::pause(BETWEEN_READINGS);
            parsed = plan.parse(slot.load_now()?.as_deref());
        }
        parsed.map(|ledger| plan.ledger(ledger))
    }

    /// Loads what any store holds.
    pub fn open(session_id: &JsValue, options: &JsValue) -> Promise {
        let plan = Plan::read(session_id, options);
        later(async move {
            let plan = plan?;
            let mut readings = READINGS;
            let ledger = loop {
                let data = match &plan.slot {
                    Some(slot) => slot.load().await?,
                    None => None,
                };
                readings -= 1;
                match plan.parse(data.as_deref()) {
                    Err(failure) if may_be_torn(&failure) && readings > 0 => wait(BETWEEN_READINGS).await,
                    parsed => break parsed?,
                }
            };
            Ok(plan.ledger(ledger).into())
        })
    }

    /// Finds this ledger when it is handed to a function.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn handle(&self) -> u32 {
        self.handle
    }

    /// The session's id.
    ///
    /// # Errors
    /// `disposed`, like all that follow.
    #[wasm_bindgen(getter, js_name = sessionId)]
    pub fn session_id(&self) -> Result<String, Failure> {
        self.inner.with(|ledger| ledger.session_id().to_owned())
    }

    /// The present turn.
    ///
    /// # Errors
    /// `disposed`.
    #[wasm_bindgen(getter)]
    pub fn turn(&self) -> Result<u32, Failure> {
        self.inner.with(|ledger| ledger.turn())
    }

    /// All entries, in order of first mention.
    ///
    /// # Errors
    /// `disposed`.
    #[wasm_bindgen(getter)]
    pub fn entries(&self) -> Result<JsValue, Failure> {
        self.inner.with(|ledger| out(&entries(ledger.entries(), ledger)))?
    }

    /// Puts a text in front of the agent for a concept.
    ///
    /// # Errors
    /// `invalidInput`, `invalidOption`, `tooLarge`, `disposed`.
    pub fn add(&self, concept: &JsValue, said: &JsValue, options: &JsValue) -> Result<(), Failure> {
        let (concept, said) = (named(concept)?, text(said, "the text")?);
        let fields = Fields::read(options, "the options of add", &["source", "score"])?;
        let source = fields.text("source")?.unwrap_or_else(|| "gap".into());
        let score = fields.count("score")?.unwrap_or(1000);
        if score > 1000 {
            let message = format!("{} is `{score}`: it must be from 0 to 1000", fields.place("score"));
            return Err(Failure::new(ErrorKind::InvalidOption, message));
        }
        self.inner.with(|ledger| ledger.add(&concept, &said, &source, score))
    }

    /// Whether a live entry covers the concept.
    ///
    /// # Errors
    /// `invalidInput`, `disposed`.
    #[wasm_bindgen(js_name = isKnown)]
    pub fn is_known(&self, concept: &JsValue) -> Result<bool, Failure> {
        let concept = named(concept)?;
        self.inner.with(|ledger| ledger.is_known(&concept))
    }

    /// The highest reference count among the entries that cover the concept.
    ///
    /// # Errors
    /// `invalidInput`, `disposed`.
    #[wasm_bindgen(js_name = conceptRefCount)]
    pub fn concept_ref_count(&self, concept: &JsValue) -> Result<u32, Failure> {
        let concept = named(concept)?;
        self.inner.with(|ledger| ledger.concept_ref_count(&concept))
    }

    /// The compared forms of all live entries.
    ///
    /// # Errors
    /// `disposed`.
    #[wasm_bindgen(js_name = liveCanonicals)]
    pub fn live_canonicals(&self) -> Result<JsValue, Failure> {
        self.inner.with(|ledger| out(&ledger.live_canonicals()))?
    }

    /// The entries that nothing keeps live.
    ///
    /// # Errors
    /// `disposed`.
    #[wasm_bindgen(js_name = staleEntries)]
    pub fn stale_entries(&self) -> Result<JsValue, Failure> {
        self.inner.with(|ledger| out(&entries(ledger.stale_entries(), ledger)))?
    }

    /// Declares all lost.
    ///
    /// # Errors
    /// `invalidInput`, `disposed`.
    #[wasm_bindgen(js_name = markAllStale)]
    pub fn mark_all_stale(&self, crunch: &JsValue) -> Result<(), Failure> {
        let id = crunch_id(crunch)?;
        self.inner.with(|ledger| ledger.mark_all_stale(id.as_deref()))
    }

    /// Moves on by one turn.
    ///
    /// # Errors
    /// `disposed`.
    #[wasm_bindgen(js_name = advanceTurn)]
    pub fn advance_turn(&self) -> Result<(), Failure> {
        self.inner.with(core::Ledger::advance_turn)
    }

    /// Counts, for a status line.
    ///
    /// # Errors
    /// `disposed`.
    pub fn summary(&self) -> Result<JsValue, Failure> {
        self.inner.with(|ledger| out(&SummaryShape(ledger.summary())))?
    }

    /// Forgets everything but the name and the limits.
    ///
    /// # Errors
    /// `disposed`.
    pub fn reset(&self) -> Result<(), Failure> {
        self.inner.with(core::Ledger::reset)
    }

    /// Writes the ledger, as it is at this moment, into its store.
    pub fn save(&self) -> Promise {
        let inner = Rc::clone(&self.inner);
        let data = inner.with(|ledger| ledger.saved(None));
        let mut place = inner.queue.place();
        later(async move {
            let data = data?;
            place.wait(None).await?;
            let slot = inner.slot.as_ref().ok_or_else(no_store)?;
            slot.save(&data).await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Frees the memory; every later call fails with the code `disposed`.
    pub fn dispose(&self) {
        *self.inner.ledger.borrow_mut() = None;
    }
}

/// A ledger or session has nowhere to be saved.
pub(super) fn no_store() -> Failure {
    Failure::new(ErrorKind::StoreMissing, "there is no store to save to: give one as the option `store`")
}

fn named(concept: &JsValue) -> Result<String, Failure> {
    let name = convert::name(concept, "the concept")?;
    if name.trim().is_empty() {
        return Err(Failure::new(ErrorKind::InvalidInput, "the concept is empty"));
    }
    Ok(name)
}

/// The identity of a crunch: of the object that was reported, or nothing.
pub(super) fn crunch_id(crunch: &JsValue) -> Result<Option<String>, Failure> {
    if crunch.is_null() || crunch.is_undefined() {
        return Ok(None);
    }
    let id = if crunch.is_object() { Reflect::get(crunch, &"id".into()).ok() } else { None };
    match id.filter(JsValue::is_string) {
        Some(id) => text(&id, "the id of the crunch").map(Some),
        None => Err(Failure::new(ErrorKind::InvalidInput, format!("a crunch was expected, not {}", described(crunch)))),
    }
}
