//! The bindings in a page.
#![cfg(target_arch = "wasm32")]

mod bindings;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
