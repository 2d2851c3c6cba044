//! What draws: each pane a view of the frame at the cursor.

// The macro for components makes a public type for the properties of each.
#![allow(unreachable_pub)]

mod acts;
mod answer;
mod chat;
mod element;
mod header;
mod ledger;
mod missing;
mod page;
mod tabs;
mod transport;
mod window;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use self::element::text;
use self::page::Page;
use crate::address::Address;
use crate::recording::{Recording, Script};
use crate::story;

/// Takes over from the static page: its place becomes the live one.
pub fn mount() {
    let Some(place) = document().get_element_by_id("page").and_then(|place| place.dyn_into().ok()) else { return };
    let place: HtmlElement = place;
    // The story is built in and a test reads it; without it there is nothing to take over with.
    let script = Script { crunch_from: address().crunch_from, ..story::script() };
    let Ok(recording) = Recording::complete(script) else { return };
    show(place, recording);
}

/// What the page's address says.
fn address() -> Address {
    Address::parse(&window().location().hash().unwrap_or_default())
}

/// Shows a recording in an element, in place of what is there, for as long as the document lives.
pub fn show(place: HtmlElement, recording: Recording) {
    place.set_inner_html("");
    mount_to(place, move || view! { <App recording /> }).forget();
}

/// The whole page.
#[component]
fn App(
    /// What is shown at first.
    recording: Recording,
) -> impl IntoView {
    let page = Page::new(recording, address());
    provide_context(page);
    page.keep_address();
    page.fetch_transcript();
    view! {
        <header::Header />
        <main on:keydown=move |event| page.key(&event) data-tab=text(move || page.tab.get().word().to_owned()) class=text(move || if page.has_moved.get() { "moved" } else { "" }.to_owned())>
            <transport::Transport />
            <tabs::Tabs />
            <div class="panes">
                <chat::Chat />
                <window::Window />
                <missing::Missing />
            </div>
            <ledger::LedgerTable />
            <answer::Answer />
        </main>
    }
}
