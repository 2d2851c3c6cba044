//! What a browser does not let a page or a worker do.

use diffledger_core::error::ErrorKind;
use diffledger_core::prompt::Request;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::clients::{check, ollama_at, seen};

#[wasm_bindgen_test]
async fn a_server_that_allows_no_page_is_blocked_and_not_unreachable() {
    let ollama = ollama_at("nocors", "page").await;
    let says = ["may not be asked by this page (`http://", "`OLLAMA_ORIGINS`"];
    check(ollama.version(None).await, ErrorKind::Blocked, &says);
    let request = Request { system: String::new(), prompt: String::new(), schema: serde_json::json!({}) };
    check(ollama.generate(&request, None).await, ErrorKind::Blocked, &says);
    // The answer to the GET could not be read; the POST was not even sent.
    assert_eq!(seen("page").await, "came 1, open 0");
}
