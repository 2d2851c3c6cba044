//! What may end a request before its answer is there: the time limit, and the caller.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::{Closure, JsCast, JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal};

#[wasm_bindgen]
extern "C" {
    // Not `window.setTimeout`: workers, Node and workerd have no window. The timer is a number in
    // browsers and an object in Node.
    #[wasm_bindgen(js_name = setTimeout, catch)]
    fn set_timeout(callback: &Function, milliseconds: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = clearTimeout, catch)]
    fn clear_timeout(timer: &JsValue) -> Result<(), JsValue>;
}

/// What a value of somebody else comes to. A promise of our own, not `Promise.resolve`: that hands back
/// a foreign promise as it is, and one whose `then` throws would leave its caller waiting for ever.
pub(crate) fn promised(value: &JsValue) -> JsFuture {
    JsFuture::from(Promise::new(&mut |resolve, _| {
        // Resolving never throws: it rejects.
        let _ = resolve.call1(&JsValue::UNDEFINED, value);
    }))
}

/// Why a request ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Timeout,
    Aborted,
}

/// Watches one request. The fetch gets a signal of our own, never the caller's: a signal aborted with
/// a foreign reason would reject the fetch with that reason.
///
/// Dropping it gives the request up, whatever became of it, and leaves neither timer nor listener: a
/// timer would keep Node alive, and a listener everything that it holds.
pub(crate) struct Watch {
    state: Rc<State>,
    timer: Result<JsValue, JsValue>,
    signal: Option<AbortSignal>,
    on_abort: Closure<dyn FnMut()>,
    // Called by the timer, which is cleared before this goes.
    _on_timeout: Closure<dyn FnMut()>,
}

struct State {
    stop: Cell<Option<Stop>>,
    waker: RefCell<Option<Waker>>,
    controller: AbortController,
}

impl State {
    fn end(&self, stop: Stop) {
        if self.stop.get().is_none() {
            self.stop.set(Some(stop));
            self.controller.abort();
            if let Some(waker) = self.waker.take() {
                waker.wake();
            }
        }
    }
}

impl Watch {
    /// Starts the clock. An error is what the platform threw: it has no timers here, or the caller's
    /// signal is none.
    pub(crate) fn new(milliseconds: u32, signal: Option<&AbortSignal>) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let state = Rc::new(State { stop: Cell::new(None), waker: RefCell::new(None), controller });
        let ends_with = |stop| {
            let state = Rc::clone(&state);
            Closure::<dyn FnMut()>::new(move || state.end(stop))
        };
        let (on_timeout, on_abort) = (ends_with(Stop::Timeout), ends_with(Stop::Aborted));
        if let Some(signal) = signal {
            if Reflect::get(signal, &"aborted".into())?.is_truthy() {
                state.end(Stop::Aborted);
            }
            signal.add_event_listener_with_callback("abort", on_abort.as_ref().unchecked_ref())?;
        }
        let timer = set_timeout(on_timeout.as_ref().unchecked_ref(), milliseconds);
        let watch = Self { state, timer, signal: signal.cloned(), on_abort, _on_timeout: on_timeout };
        match &watch.timer {
            Err(reason) => Err(reason.clone()),
            Ok(_) => Ok(watch),
        }
    }

    /// The signal for the fetch.
    pub(crate) fn signal(&self) -> AbortSignal {
        self.state.controller.signal()
    }

    /// What `future` gives, or why it was ended. Not left to the fetch alone: one that ignores its
    /// signal must not keep the caller waiting. A future that is ended beforehand never begins.
    pub(crate) async fn race<T>(&self, future: impl Future<Output = T>) -> Result<T, Stop> {
        let mut future = pin!(future);
        poll_fn(|context| {
            if let Some(stop) = self.state.stop.get() {
                return Poll::Ready(Err(stop));
            }
            self.state.waker.replace(Some(context.waker().clone()));
            future.as_mut().poll(context).map(Ok)
        })
        .await
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Ok(timer) = &self.timer {
            let _ = clear_timeout(timer);
        }
        if let Some(signal) = &self.signal {
            let _ = signal.remove_event_listener_with_callback("abort", self.on_abort.as_ref().unchecked_ref());
        }
        self.state.controller.abort();
    }
}
