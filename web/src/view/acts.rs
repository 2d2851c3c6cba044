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
    let what = move || if page.frame(|shown| shown.is_act) == Some(true) { "Undo this" } else { "Undo all mine" };
    let undo = part(move || match has_acts.get() {
        true => button("undo", "", text(move || what().to_owned()), click(move || page.undo())).into_any(),
        false => ().into_any(),
    });
    view! {
        <div class="buttons">
            {button("crunch", "", sign("Crunch here…"), click(move || page.ask_to_crunch()))} {undo}
        </div>
        <dialog node_ref=dialog aria-labelledby="crunch-title">
            <form on:submit=submit(crunch)>
                <h2 id="crunch-title">"Crunch the window here"</h2>
                <p>"Every message so far leaves the window, and system text stays, as when an agent compacts its context. The rest of the chat then comes after that."</p>
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
        if page.is_busy.get_untracked() {
            return;
        }
        let said = std::mem::take(&mut *said.write());
        if !said.trim().is_empty() {
            page.act(Act::Say(said));
        }
    };
    view! {
        <form class="compose" on:submit=submit(send)>
            <label>
                <span>"Ask as the user would: “how does it work again”. No model answers; what it needs is put back."</span>
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
