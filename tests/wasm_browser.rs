//! The core as wasm in a browser.
#![cfg(target_arch = "wasm32")]

use diffledger_core::config::Config;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn the_defaults_are_in_range() {
    assert_eq!(Config::default().check(), Ok(()));
}
