//! The npm exports. They only convert: values in, the core, values out.

mod convert;
mod failure;
mod host;
mod ledger;
mod ollama;
mod options;
mod outside;
mod queue;
mod seed;
mod session;
mod store;

use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

pub use failure::Failure;
pub use host::set_host;
pub use ledger::Ledger;
pub use ollama::Ollama;
pub use seed::{detect_crunch, detect_gaps, extract_concepts, fill_gaps, normalize, resolve_references};
pub use session::Session;

/// A promise of what some work gives.
fn later(work: impl Future<Output = Result<JsValue, Failure>> + 'static) -> Promise {
    // Boxed: what makes a promise of a future is compiled anew for each type of it.
    promise(Box::pin(work))
}

fn promise(work: Pin<Box<dyn Future<Output = Result<JsValue, Failure>>>>) -> Promise {
    future_to_promise(async move { work.await.map_err(JsValue::from) })
}

/// Lets some time pass.
async fn wait(milliseconds: u32) {
    if let Ok(watch) = crate::http::watch::Watch::new(milliseconds, None) {
        let never = Promise::new(&mut |_, _| ());
        let _ = watch.race(JsFuture::from(never)).await;
    }
}
