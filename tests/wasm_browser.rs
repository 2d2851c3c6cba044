//! The golden story, as wasm in a browser.
#![cfg(target_arch = "wasm32")]

use diffledger_tests::difference;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn the_story_comes_out_as_natively() {
    if let Some(difference) = difference(include_str!("golden/story.json")) {
        panic!("{difference}");
    }
}
