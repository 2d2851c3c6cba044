//! The name, where the chat comes from and goes to, and the theme.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, DragEvent, File, HtmlAnchorElement, HtmlInputElement, Url};

use super::page::{Page, page};
use crate::{file, story, timeline};

#[component]
pub(super) fn Header() -> impl IntoView {
    let page = page();
    let choose = move |event| {
        let input: HtmlInputElement = event_target(&event);
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            import(page, file);
        }
        input.set_value("");
    };
    let drop = window_event_listener(leptos::ev::drop, move |event: DragEvent| {
        event.prevent_default();
        if let Some(file) = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0)) {
            import(page, file);
        }
    });
    let over = window_event_listener(leptos::ev::dragover, |event| event.prevent_default());
    on_cleanup(move || {
        drop.remove();
        over.remove();
    });
    let restart = move |_| page.load(story::script(), story::opening);
    let name = move || page.recording.with(|recording| recording.script().name.clone());
    let summary = move || page.recording.with(timeline::summary);
    let skipped = move || {
        page.recording.with(|recording| {
            let skipped = &recording.script().transcript.skipped;
            skipped.iter().map(|(kind, count)| format!("{kind} {count}×")).collect::<Vec<_>>().join(", ")
        })
    };
    let theme = move |event| {
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", &event_target_value(&event));
        }
    };
    view! {
        <header>
            <h1>"diffledger"</h1>
            <p class="lead">"What a crunch takes away from an agent, and how exactly that is put back."</p>
            <div class="buttons">
                <button type="button" on:click=restart>"Story"</button>
                <label class="button">"Import…"<input type="file" on:change=choose /></label>
                <button type="button" on:click=move |_| export(page)>"Export"</button>
                <label>
                    "Theme "
                    <select on:change=theme>
                        <option value="auto">"auto"</option>
                        <option value="light">"light"</option>
                        <option value="dark">"dark"</option>
                    </select>
                </label>
            </div>
            <p class="about"><b>{name}</b>": "{summary}". Everything stays in this tab."</p>
            <Show when=move || !skipped().is_empty()><p class="skipped">"Not understood or left out: "{skipped}</p></Show>
            <Show when=move || page.progress.get().is_some()>
                <p class="progress">
                    <progress
                        max=move || page.progress.get().map_or(1, |(_, all)| all)
                        prop:value=move || page.progress.get().map_or(0, |(done, _)| done) as f64
                        aria-label="Replaying"
                    ></progress>
                    {move || page.progress.get().map(|(done, all)| format!(" {done} of {all} messages "))}
                    <button type="button" on:click=move |_| page.cancel()>"Cancel"</button>
                </p>
            </Show>
            <div role="alert">{move || page.problem.get().map(|problem| view! { <p class="problem">{problem}</p> })}</div>
        </header>
    }
}

/// Reads a chat from a file.
fn import(page: Page, chosen: File) {
    leptos::task::spawn_local(async move {
        let name = chosen.name();
        let bytes = match JsFuture::from(chosen.array_buffer()).await {
            Ok(buffer) => js_sys::Uint8Array::new(&buffer).to_vec(),
            Err(_) => return page.problem.set(Some(format!("`{name}` cannot be read by the browser"))),
        };
        match file::read(&name, &bytes) {
            Ok(script) => page.load(script, |recording| {
                let frames = recording.frames();
                frames.iter().position(|shown| shown.gaps() > 0).unwrap_or(frames.len().saturating_sub(1))
            }),
            Err(error) => page.problem.set(Some(format!("{name}: {error}"))),
        }
    });
}

/// Offers the session as a file.
fn export(page: Page) {
    let text = page.recording.with_untracked(file::write);
    let offer = || -> Result<(), JsValue> {
        let kind = BlobPropertyBag::new();
        kind.set_type("application/jsonl");
        let blob = Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&text.into()), &kind)?;
        let url = Url::create_object_url_with_blob(&blob)?;
        let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
        link.set_href(&url);
        link.set_download("session_page.jsonl");
        link.click();
        Url::revoke_object_url(&url)
    };
    if offer().is_err() {
        page.problem.set(Some("the browser does not let the page offer a file".into()));
    }
}
