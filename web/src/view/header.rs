//! The name, where the chat comes from and goes to, and the theme.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, DragEvent, File, HtmlAnchorElement, HtmlInputElement, Url};

use super::element::{button, change, click, part, sign, text};
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
    let restart = click(move || page.load(story::script(), story::opening));
    let name = text(move || page.recording.with(|recording| recording.script().name.clone()));
    let summary = text(move || page.recording.with(timeline::summary));
    let theme = change(move |theme| {
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-theme", &theme);
        }
    });
    view! {
        <header>
            <h1>"diffledger"</h1>
            <p class="lead">"What a crunch (a compaction of its context window) takes away from an agent, and how exactly that is put back."</p>
            <div class="buttons">
                {button("", "", sign("Sample story"), restart)}
                <label class="button">"Import…"<input type="file" on:change=choose /></label>
                {button("", "", sign("Export"), click(move || export(page)))}
                <label>
                    <span>"Theme "</span>
                    <select on:change=theme>
                        <option value="auto">"auto"</option>
                        <option value="light">"light"</option>
                        <option value="dark">"dark"</option>
                    </select>
                </label>
            </div>
            <p class="about"><b>{name}</b>": "{summary}". Everything stays in this tab."</p>
            {part(skipped)}
            {part(progress)}
            <div role="alert">{part(problem)}</div>
        </header>
    }
}

/// What of the chat was not understood or left out, counted.
fn skipped() -> AnyView {
    let counts = page().recording.with(|recording| {
        let skipped = &recording.script().transcript.skipped;
        skipped.iter().map(|(kind, count)| format!("{kind} {count}×")).collect::<Vec<_>>().join(", ")
    });
    (!counts.is_empty()).then(|| view! { <p class="skipped">"Not understood or left out: "{counts}</p> }).into_any()
}

/// How far a replay is, and the way out of it.
fn progress() -> AnyView {
    let page = page();
    let bar = |(done, all): (usize, usize)| {
        view! {
            <p class="progress">
                <progress max=all.to_string() value=done.to_string() aria-label="Replaying"></progress>
                {format!(" {done} of {all} messages ")}
                {button("", "", sign("Cancel"), click(move || page.cancel()))}
            </p>
        }
    };
    page.progress.get().map(bar).into_any()
}

fn problem() -> AnyView {
    page().problem.get().map(|problem| view! { <p class="problem">{problem}</p> }).into_any()
}

/// Reads a chat from a file.
fn import(page: Page, chosen: File) {
    leptos::task::spawn_local(async move {
        let name = chosen.name();
        let bytes = match JsFuture::from(chosen.array_buffer()).await {
            Ok(buffer) => js_sys::Uint8Array::new(&buffer).to_vec(),
            Err(_) => return page.problem.set(Some(format!("`{name}` cannot be read by the browser"))),
        };
        page.import(&name, &bytes, None);
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
