//! The page's entry.

// Brings in what wasm-bindgen's tool expects to find in every module.
use wasm_bindgen as _;

fn main() {}
