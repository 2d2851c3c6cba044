//! Calls on one object, one after the other, in the order in which they came.

use std::cell::RefCell;

use diffledger_core::error::ErrorKind;
use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use super::failure::Failure;
use crate::http::watch::{Stop, Watch};

/// The longest wait for one's turn, in milliseconds: whoever stands before has time limits of its own,
/// so that this only ends what would be stuck for ever.
const MOST_MS: u32 = 10 * 60 * 1000;

/// The end of the line: settles when the last call is through.
pub(crate) struct Queue(RefCell<Promise>);

impl Default for Queue {
    fn default() -> Self {
        Self(RefCell::new(Promise::resolve(&JsValue::UNDEFINED)))
    }
}

/// A place in the line. Dropping it lets the next one go on.
pub(crate) struct Place {
    before: Promise,
    leave: Option<Function>,
    is_up: bool,
}

impl Queue {
    /// Takes the next place, at once.
    pub(crate) fn place(&self) -> Place {
        let mut leave = None;
        let mine = Promise::new(&mut |resolve, _| leave = Some(resolve.unchecked_into()));
        Place { before: self.0.replace(mine), leave, is_up: false }
    }
}

impl Place {
    /// Waits until all before are through, or the caller gives up.
    pub(crate) async fn wait(&mut self, signal: Option<&AbortSignal>) -> Result<(), Failure> {
        let watch = Watch::new(MOST_MS, signal)
            .map_err(|cause| Failure::because(ErrorKind::InvalidInput, "the signal cannot be listened to", cause))?;
        match watch.race(JsFuture::from(self.before.clone())).await {
            Ok(_) => {
                self.is_up = true;
                Ok(())
            }
            Err(Stop::Aborted) => Err(Failure::new(ErrorKind::Aborted, "the call was called off while it waited")),
            Err(Stop::Timeout) => Err(Failure::new(ErrorKind::Timeout, "the calls before this one did not end")),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Who gives up early must not let the next one overtake those before.
        let after = if self.is_up { JsValue::UNDEFINED } else { self.before.clone().into() };
        if let Some(leave) = &self.leave {
            let _ = leave.call1(&JsValue::UNDEFINED, &after);
        }
    }
}
