//! The parts of the page, where not all of them fit.

use leptos::prelude::*;

use super::element::{click, text};
use super::page::page;
use crate::address::Tab;

#[component]
pub(super) fn Tabs() -> impl IntoView {
    let page = page();
    let title = move |tab: Tab| match (tab, page.frame(|shown| shown.gaps()).unwrap_or(0)) {
        (Tab::Missing, gaps @ 1..) => format!("{} ({gaps})", tab.title()),
        _ => tab.title().to_owned(),
    };
    let button = move |tab: Tab| {
        let is_pressed = text(move || (page.tab.get() == tab).to_string());
        view! {
            <button type="button" aria-pressed=is_pressed on:click=click(move || page.tab.set(tab))>
                {text(move || title(tab))}
            </button>
        }
    };
    view! { <nav class="tabs" aria-label="Parts">{Tab::ALL.into_iter().map(button).collect_view()}</nav> }
}
