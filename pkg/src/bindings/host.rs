//! What the place where the package runs offers: set once by the entry that was imported.

use std::cell::RefCell;

use diffledger_core::error::ErrorKind;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::convert::{Handed, said};
use super::failure::Failure;

thread_local! {
    static HOST: RefCell<JsValue> = const { RefCell::new(JsValue::UNDEFINED) };
}

/// Takes `{ store, readTranscript(path?), pause(ms) }`, each of which may be missing. For the entries
/// of the package; callers give their own store to each object.
#[wasm_bindgen(js_name = setHost)]
pub fn set_host(host: JsValue) {
    HOST.with(|slot| *slot.borrow_mut() = host);
}

fn offered(name: &str) -> JsValue {
    HOST.with(|host| Reflect::get(&host.borrow(), &name.into()).unwrap_or(JsValue::UNDEFINED))
}

/// The store that is used when none is given.
pub(crate) fn store() -> Option<JsValue> {
    Some(offered("store")).filter(|store| store.is_object())
}

/// Waits a little, where that can be done without letting others run.
pub(crate) fn pause(milliseconds: u32) {
    if let Some(pause) = offered("pause").dyn_ref::<Function>() {
        let _ = pause.call1(&JsValue::UNDEFINED, &milliseconds.into());
    }
}

/// The transcript at a path, or that which the environment names; `None` when it names none.
pub(crate) fn transcript(path: Option<&str>) -> Result<Option<Handed>, Failure> {
    let Some(read) = offered("readTranscript").dyn_ref::<Function>().cloned() else {
        let message = "there are no files here: hand over the messages or the text";
        return Err(Failure::new(ErrorKind::FileUnreadable, message));
    };
    let path = path.map_or(JsValue::UNDEFINED, JsValue::from);
    let bytes = read.call1(&JsValue::UNDEFINED, &path).map_err(|cause| {
        Failure::because(ErrorKind::FileUnreadable, format!("the transcript cannot be read: {}", said(&cause)), cause)
    })?;
    if bytes.is_null() || bytes.is_undefined() { Ok(None) } else { Handed::take(&bytes).map(Some) }
}
