//! The platform's functions, replaced for the time of a test.

use js_sys::{Function, Reflect};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

/// A global that is put back when this is dropped, also by a test that fails.
pub(super) struct Replaced {
    name: &'static str,
    original: JsValue,
}

impl Replaced {
    /// Makes the global `name` a function of `arguments` with this body, in which `original` is what
    /// it was.
    pub(super) fn new(name: &'static str, arguments: &str, body: &str) -> Self {
        let original = Reflect::get(&js_sys::global(), &name.into()).unwrap();
        let make = Function::new_with_args("original", &format!("return ({arguments}) => {{ {body} }}"));
        let function = make.call1(&JsValue::NULL, &original).unwrap();
        Reflect::set(&js_sys::global(), &name.into(), &function).unwrap();
        Self { name, original }
    }
}

impl Drop for Replaced {
    fn drop(&mut self) {
        let _ = Reflect::set(&js_sys::global(), &self.name.into(), &self.original);
    }
}

/// Timers of this many milliseconds are counted: nobody else sets one.
pub(super) const COUNTED_MS: u32 = 43_210;

/// Counts the timers of [`COUNTED_MS`] that are running.
pub(super) struct Timers {
    _set: Replaced,
    _clear: Replaced,
}

impl Timers {
    pub(super) fn counted() -> Self {
        let set = format!(
            "const timer = original(callback, ms, ...rest); if (ms === {COUNTED_MS}) (globalThis.runningTimers ??= new Set()).add(timer); return timer;"
        );
        Self {
            _set: Replaced::new("setTimeout", "callback, ms, ...rest", &set),
            _clear: Replaced::new(
                "clearTimeout",
                "timer",
                "globalThis.runningTimers?.delete(timer); return original(timer);",
            ),
        }
    }

    pub(super) fn running(&self) -> u32 {
        number("return globalThis.runningTimers?.size ?? 0", &JsValue::NULL)
    }
}

/// Counts the listeners that `signal` has from now on.
pub(super) fn count_listeners(signal: &AbortSignal) {
    let count = "signal.listeners = 0;
        const { addEventListener: add, removeEventListener: remove } = signal;
        signal.addEventListener = (...all) => { signal.listeners += 1; add.apply(signal, all); };
        signal.removeEventListener = (...all) => { signal.listeners -= 1; remove.apply(signal, all); };";
    Function::new_with_args("signal", count).call1(&JsValue::NULL, signal).unwrap();
}

/// How many listeners it has.
pub(super) fn listeners(signal: &AbortSignal) -> u32 {
    number("return signal.listeners", signal)
}

fn number(body: &str, signal: &JsValue) -> u32 {
    let value = Function::new_with_args("signal", body).call1(&JsValue::NULL, signal).unwrap();
    value.as_f64().unwrap() as u32
}
