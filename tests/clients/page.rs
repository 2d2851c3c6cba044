//! What a browser does not let a page or a worker do.

use diffledger_core::error::ErrorKind;
use diffledger_core::prompt::Request;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::clients::{check, ollama_at, seen};

/// Whether the browser lets nobody here look at what has not agreed to it.
fn is_isolated() -> bool {
    js_sys::Reflect::get(&js_sys::global(), &"crossOriginIsolated".into()).is_ok_and(|isolated| isolated.is_truthy())
}

/// wasm-bindgen's test server isolates its pages unless it is told not to: `cargo verify` has the
/// page not isolated and the worker isolated.
#[wasm_bindgen_test]
async fn a_server_that_allows_no_page_is_blocked_or_at_least_said_to_be_perhaps() {
    let ollama = ollama_at("nocors", "page").await;
    let request = Request { system: String::new(), prompt: String::new(), schema: serde_json::json!({}) };
    for result in [ollama.version(None).await, ollama.generate(&request, None).await] {
        if is_isolated() {
            check(result, ErrorKind::Unreachable, &["cross-origin isolation"]);
        } else {
            check(result, ErrorKind::Blocked, &["may not be asked by this page (`http://", "`OLLAMA_ORIGINS`"]);
        }
    }
    // The answer to the GET could not be read; the POST was not even sent.
    assert_eq!(seen("page").await, "came 1, open 0");
}
