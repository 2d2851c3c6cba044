//! The page's entry.

// Brings in what wasm-bindgen's tool expects to find in every module.
use wasm_bindgen as _;

use diffledger_core::config::Config;
use diffledger_core::replay::{Options, replay};
use diffledger_core::transcript;
use leptos::prelude::*;

const STORY: &[u8] = include_bytes!("../story.jsonl");

fn main() {
    mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let frames = transcript::read(STORY)
        .and_then(|transcript| replay(&transcript, Config::default(), Options::default()))
        .map(|(_, frames)| frames.len());
    let cursor = RwSignal::new(0);
    view! {
        <p>{frames.map(|count| format!("{count} frames")).map_err(|error| error.to_string())}</p>
        <button on:click=move |_| cursor.update(|at| *at += 1)>"Next: " {cursor}</button>
    }
}
