//! What the visitor can do to the chat: crunch it, and say something.

use leptos::html::{Dialog, Textarea};
use leptos::prelude::*;
use web_sys::SubmitEvent;

use super::page::page;
use crate::recording::Act;

#[component]
pub(super) fn CrunchButton() -> impl IntoView {
    let page = page();
    let dialog = NodeRef::<Dialog>::new();
    let summary = NodeRef::<Textarea>::new();
    let open = move |_| {
        if let Some(dialog) = dialog.get() {
            let _ = dialog.show_modal();
        }
    };
    let close = move || {
        if let Some(dialog) = dialog.get() {
            dialog.close();
        }
    };
    let crunch = move |event: SubmitEvent| {
        event.prevent_default();
        close();
        let text = summary.get().map(|field| field.value()).unwrap_or_default();
        page.act(Act::Crunch(Some(text).filter(|text| !text.trim().is_empty())));
    };
    let has_acts = move || page.recording.with(|recording| !recording.script().acts.is_empty());
    view! {
        <button type="button" class="crunch" on:click=open>"Crunch here…"</button>
        <Show when=has_acts><button type="button" on:click=move |_| page.undo()>"Undo mine"</button></Show>
        <dialog node_ref=dialog aria-labelledby="crunch-title">
            <form on:submit=crunch>
                <h2 id="crunch-title">"Crunch the window here"</h2>
                <p>"Every message leaves the window; system text stays. The chat then goes on as it did."</p>
                <label>
                    "A summary that stays in their place (empty: nothing stays)"
                    <textarea node_ref=summary rows="4"></textarea>
                </label>
                <p class="buttons">
                    <button type="submit">"Crunch"</button>
                    <button type="button" on:click=move |_| close()>"Cancel"</button>
                </p>
            </form>
        </dialog>
    }
}

#[component]
pub(super) fn Compose() -> impl IntoView {
    let page = page();
    let text = RwSignal::new(String::new());
    let send = move |event: SubmitEvent| {
        event.prevent_default();
        let said = text.get();
        if !said.trim().is_empty() {
            text.set(String::new());
            page.act(Act::Say(said));
        }
    };
    view! {
        <form class="compose" on:submit=send>
            <label>
                <span>"Say something here, for instance “how does it work again”"</span>
                <input
                    type="text"
                    autocomplete="off"
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                />
            </label>
            <button type="submit">"Send"</button>
        </form>
    }
}
