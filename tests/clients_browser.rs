//! The clients in a page.
#![cfg(target_arch = "wasm32")]

mod clients;
#[path = "clients/page.rs"]
mod page;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
