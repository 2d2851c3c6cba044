//! The core as wasm in Node.
#![cfg(target_arch = "wasm32")]

use diffledger_core::config::Config;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn the_defaults_are_in_range() {
    assert_eq!(Config::default().check(), Ok(()));
}
