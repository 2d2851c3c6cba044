//! What the panes are made of. To leptos every closure is a type of its own, and it compiles the
//! drawing of each type anew; here closures are handed on as one type for each sort, which keeps
//! their drawing in the wasm once.

use std::sync::{Arc, Mutex};

use leptos::prelude::*;
use leptos::tachys::reactive_graph::SharedReactiveFunction;
use web_sys::{Event, MouseEvent, SubmitEvent};

/// A text that changes.
pub(super) type Text = SharedReactiveFunction<String>;

/// A part of the page that changes.
pub(super) type Part = SharedReactiveFunction<AnyView>;

/// What an event does.
pub(super) type Callback<E> = Box<dyn FnMut(E)>;

/// A text that is read again whenever a signal behind it changes.
pub(super) fn text(read: impl FnMut() -> String + Send + 'static) -> Text {
    Arc::new(Mutex::new(read))
}

/// A part that is drawn again whenever a signal behind it changes.
pub(super) fn part(draw: impl FnMut() -> AnyView + Send + 'static) -> Part {
    Arc::new(Mutex::new(draw))
}

/// What a press does.
pub(super) fn click(does: impl Fn() + 'static) -> Callback<MouseEvent> {
    Box::new(move |_| does())
}

/// What another value of a field does.
pub(super) fn change(does: impl Fn(String) + 'static) -> Callback<Event> {
    Box::new(move |event| does(event_target_value(&event)))
}

/// What is done instead of sending a form.
pub(super) fn submit(does: impl Fn() + 'static) -> Callback<SubmitEvent> {
    Box::new(move |event| {
        event.prevent_default();
        does();
    })
}

/// A button with a sign; `spoken` says what it does.
pub(super) fn button(
    class: &'static str,
    spoken: &'static str,
    sign: Text,
    does: Callback<MouseEvent>,
) -> impl IntoView {
    view! { <button type="button" class=class aria-label=(!spoken.is_empty()).then_some(spoken) on:click=does>{sign}</button> }
}

/// A sign that never changes.
pub(super) fn sign(sign: &'static str) -> Text {
    text(move || sign.to_owned())
}
