//! Where ledgers and sessions are kept: any object with `load` and `save`, its own or the caller's.

use std::cell::RefCell;

use diffledger_core::error::ErrorKind;
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;

use super::convert::{described, said, text};
use super::failure::Failure;
use crate::http::watch::{Watch, promised};

/// How long a store may take, in milliseconds. A file waits for its lock; longer, and somebody's store
/// never answers.
const MOST_MS: u32 = 60_000;

/// The longest saved form that is read, in UTF-16 units.
const MOST_SAVED: u32 = 256 << 20;

/// One saved form in a store, with the revision at which it was loaded.
pub(crate) struct Slot {
    store: JsValue,
    name: String,
    revision: RefCell<Option<String>>,
}

impl Slot {
    /// The form `name` in `store`.
    pub(crate) fn new(store: &JsValue, name: String) -> Result<Self, Failure> {
        for method in ["load", "save"] {
            if !Reflect::get(store, &method.into()).is_ok_and(|value| value.is_function()) {
                let message = format!("the store has no method `{method}`: it is {}", described(store));
                return Err(Failure::new(ErrorKind::InvalidInput, message));
            }
        }
        Ok(Self { store: store.clone(), name, revision: RefCell::new(None) })
    }

    /// What is stored, from a store that answers at once.
    pub(crate) fn load_now(&self) -> Result<Option<String>, Failure> {
        let answer = self.call("load", &[])?;
        if is_promise(&answer) {
            // Nobody waits for it: a rejection must not end the process.
            let answer = promised(&answer);
            spawn_local(async move {
                let _ = answer.await;
            });
            let message = "the store answers later: use `await Ledger.open(id, { store })`";
            return Err(Failure::new(ErrorKind::StoreMissing, message));
        }
        self.taken(&answer)
    }

    /// What is stored.
    pub(crate) async fn load(&self) -> Result<Option<String>, Failure> {
        let answer = self.call("load", &[])?;
        let answer = self.settled("load", &answer).await?;
        self.taken(&answer)
    }

    fn taken(&self, answer: &JsValue) -> Result<Option<String>, Failure> {
        if answer.is_null() || answer.is_undefined() {
            *self.revision.borrow_mut() = None;
            return Ok(None);
        }
        let field = |name: &str, most: u32| {
            let value = Reflect::get(answer, &name.into()).ok()?;
            let text = value.dyn_ref::<js_sys::JsString>()?;
            (text.length() <= most).then(|| String::from(text))
        };
        let (Some(revision), Some(data)) = (field("revision", 4096), field("data", MOST_SAVED)) else {
            let message = format!("the store gave no `{{revision, data}}` for `{}`: {}", self.name, described(answer));
            return Err(Failure::new(ErrorKind::StoreFailed, message));
        };
        *self.revision.borrow_mut() = Some(revision);
        Ok(Some(data))
    }

    /// Stores the form, if nobody else did in the meantime.
    pub(crate) async fn save(&self, data: &str) -> Result<(), Failure> {
        let expected = self.revision.borrow().as_deref().map_or(JsValue::NULL, JsValue::from);
        let answer = self.call("save", &[data.into(), expected])?;
        let revision = self.settled("save", &answer).await?;
        let Ok(revision) = text(&revision, "the new revision") else {
            let message =
                format!("the store gave no revision for `{}` after saving: {}", self.name, described(&revision));
            return Err(Failure::new(ErrorKind::StoreFailed, message));
        };
        *self.revision.borrow_mut() = Some(revision);
        Ok(())
    }

    /// Deletes the form; a store that cannot gets `empty` in its place.
    pub(crate) async fn remove(&self, empty: &str) -> Result<(), Failure> {
        if !Reflect::get(&self.store, &"remove".into()).is_ok_and(|value| value.is_function()) {
            self.load().await?;
            return self.save(empty).await;
        }
        let answer = self.call("remove", &[])?;
        self.settled("remove", &answer).await?;
        *self.revision.borrow_mut() = None;
        Ok(())
    }

    fn call(&self, method: &str, more: &[JsValue]) -> Result<JsValue, Failure> {
        let function: Function = Reflect::get(&self.store, &method.into())
            .ok()
            .and_then(|value| value.dyn_into().ok())
            .ok_or_else(|| Failure::new(ErrorKind::StoreFailed, format!("the store lost its method `{method}`")))?;
        let arguments = Array::of1(&self.name.as_str().into());
        more.iter().for_each(|value| {
            arguments.push(value);
        });
        function.apply(&self.store, &arguments).map_err(|cause| self.failed(method, cause))
    }

    async fn settled(&self, method: &str, answer: &JsValue) -> Result<JsValue, Failure> {
        let watch = Watch::new(MOST_MS, None)
            .map_err(|cause| Failure::because(ErrorKind::StoreFailed, "there are no timers here", cause))?;
        match watch.race(promised(answer)).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(cause)) => Err(self.failed(method, cause)),
            Err(_) => {
                let message = format!("the store did not {method} `{}` within `{MOST_MS}` ms: is it stuck?", self.name);
                Err(Failure::new(ErrorKind::StoreFailed, message))
            }
        }
    }

    /// An error with one of our codes keeps it; any other is the cause of a failed store.
    fn failed(&self, method: &str, cause: JsValue) -> Failure {
        let code = Reflect::get(&cause, &"code".into()).ok().and_then(|code| code.as_string()).unwrap_or_default();
        let said = said(&cause);
        match ErrorKind::ALL.iter().copied().find(|kind| kind.code() == code) {
            Some(kind) => Failure::because(kind, said, cause),
            None => {
                let said = diffledger_core::error::shown(&said);
                let message = format!("the store could not {method} `{}`: `{said}`", self.name);
                Failure::because(ErrorKind::StoreFailed, message, cause)
            }
        }
    }
}

fn is_promise(value: &JsValue) -> bool {
    value.is_object() && Reflect::get(value, &"then".into()).is_ok_and(|then| then.is_function())
}
