//! diffledger for JavaScript. Thin for now: one function that shows the way in; the package follows.

#[cfg(feature = "bindings")]
pub mod bindings {
    //! The npm exports.

    use wasm_bindgen::prelude::wasm_bindgen;

    /// The form under which a concept is compared: case, accents, width and articles folded.
    #[wasm_bindgen]
    #[must_use]
    pub fn normalize(concept: &str) -> String {
        diffledger_core::text::canonical(concept)
    }
}

pub mod http;
pub mod ollama;
pub mod recall;
