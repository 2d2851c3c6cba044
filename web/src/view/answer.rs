//! The turn as the npm package returns it.

use leptos::prelude::*;

use super::element::{part, text};
use super::page::page;
use crate::answer;

#[component]
pub(super) fn Answer() -> impl IntoView {
    let page = page();
    let is_open = RwSignal::new(false);
    let json = move || {
        let cursor = page.cursor.get();
        page.recording.with(|recording| answer::json(recording, cursor))
    };
    // Written out only while somebody reads it: most visitors step on without.
    let shown = part(move || match is_open.get() {
        true => view! { <pre tabindex="0" class="json">{text(json)}</pre> }.into_any(),
        false => ().into_any(),
    });
    view! {
        <details class="pane answer" on:toggle=move |_| is_open.update(|is_open| *is_open = !*is_open)>
            <summary><h2>"JSON"</h2>": what the npm package returns for this turn"</summary>
            <pre tabindex="0">{answer::PROGRAM}</pre>
            {shown}
        </details>
    }
}
