//! What the visitor can do to the chat: crunch it, and say something.

use leptos::html::{Dialog, Textarea};
use leptos::prelude::*;

use super::element::{button, change, click, part, sign, submit, text};
use super::page::page;
use crate::recording::Act;

#[component]
pub(super) fn CrunchButton() -> impl IntoView {
    let page = page();
    let dialog = NodeRef::<Dialog>::new();
    let summary = NodeRef::<Textarea>::new();
    Effect::new(move || {
        if page.asks_to_crunch.get()
            && let Some(dialog) = dialog.get()
        {
            page.asks_to_crunch.set(false);
            // Refused where it is open already.
            let _ = dialog.show_modal();
        }
    });
    let close = move || {
        if let Some(dialog) = dialog.get() {
            dialog.close();
        }
    };
    let crunch = move || {
        close();
        let text = summary.get().map(|field| field.value()).unwrap_or_default();
        page.act(Act::Crunch(Some(text).filter(|text| !text.trim().is_empty())));
    };
    let has_acts = Memo::new(move |_| page.recording.with(|recording| !recording.script().acts.is_empty()));
    let undo = part(move || match has_acts.get() {
        true => button("", "", sign("Undo mine"), click(move || page.undo())).into_any(),
        false => ().into_any(),
    });
    view! {
        <div class="buttons">
            {button("crunch", "", sign("Crunch here…"), click(move || page.asks_to_crunch.set(true)))} {undo}
        </div>
        <dialog node_ref=dialog aria-labelledby="crunch-title">
            <form on:submit=submit(crunch)>
                <h2 id="crunch-title">"Crunch the window here"</h2>
                <p>"Every message leaves the window; system text stays. The chat then goes on as it did."</p>
                <label>
                    "A summary that stays in their place (empty: nothing stays)"
                    <textarea node_ref=summary rows="4"></textarea>
                </label>
                <p class="buttons">
                    <button type="submit">"Crunch"</button>
                    {button("", "", sign("Cancel"), click(close))}
                </p>
            </form>
        </dialog>
    }
}

#[component]
pub(super) fn Compose() -> impl IntoView {
    let page = page();
    let said = RwSignal::new(String::new());
    let send = move || {
        let said = std::mem::take(&mut *said.write());
        if !said.trim().is_empty() {
            page.act(Act::Say(said));
        }
    };
    view! {
        <form class="compose" on:submit=submit(send)>
            <label>
                <span>"Say something here, for instance “how does it work again”"</span>
                <input
                    type="text"
                    autocomplete="off"
                    prop:value=text(move || said.get())
                    on:input=change(move |text| said.set(text))
                />
            </label>
            <button type="submit">"Send"</button>
        </form>
    }
}
