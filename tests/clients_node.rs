//! The clients in Node.
#![cfg(target_arch = "wasm32")]

mod clients;

use wasm_bindgen_test::wasm_bindgen_test;

/// Whoever is not a page needs nobody's permission.
#[wasm_bindgen_test]
async fn a_server_that_allows_no_page_answers_all_the_same() {
    let version = clients::ollama_at("nocors", "node").await.version(None).await;
    assert_eq!(version.unwrap(), "0.0.0-stand-in");
}
