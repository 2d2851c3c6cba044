//! What the context window weighs, before the last crunch and now.

use diffledger_core::crunch::Crunch;
use leptos::prelude::*;

use super::element::part;
use super::page::page;
use crate::weight::{Class, Weights, grouped};

#[component]
pub(super) fn Window() -> impl IntoView {
    let page = page();
    let bars = part(move || {
        let cursor = page.cursor.get();
        page.recording.with(|recording| {
            let before = recording.frames().iter().take(cursor + 1).rev().find_map(|shown| shown.before);
            let now = recording.frames().get(cursor).map(|shown| shown.window).unwrap_or_default();
            let scale = before.unwrap_or_default().total().max(now.total());
            let then = before.map(|before| bar("Before the crunch", before, scale));
            let named =
                Class::ALL.into_iter().filter(|class| before.unwrap_or_default().get(*class) + now.get(*class) > 0);
            view! {
                {then}
                {bar("Now", now, scale)}
                <ul class="legend">{named.map(|class| legend(class, now.get(class))).collect_view()}</ul>
            }
            .into_any()
        })
    });
    let crunch = part(move || page.frame(|shown| shown.frame.turn.crunch.as_ref().map(crunched)).into_any());
    view! {
        <section class="pane window" aria-labelledby="window-title">
            <h2 id="window-title">"Context window"</h2>
            {bars}
            {crunch}
        </section>
    }
}

fn legend(class: Class, tokens: u32) -> impl IntoView {
    view! {
        <li>
            <svg viewBox="0 0 10 10" aria-hidden="true"><rect class=class.word() width="10" height="10" /></svg>
            {class.word()}" "<b>{grouped(tokens)}</b>
        </li>
    }
}

fn bar(label: &'static str, weights: Weights, scale: u32) -> impl IntoView {
    let part = |(class, x, width): (Class, u32, u32)| {
        view! { <rect class=class.word() x=x width=width height="24" /> }
    };
    view! {
        <div class="bar">
            <p>{label}" "<b>{format!("≈ {} tokens", grouped(weights.total()))}</b></p>
            <svg viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
                {weights.bars(scale).into_iter().map(part).collect_view()}
            </svg>
        </div>
    }
}

/// Concepts that are named of those that a crunch took.
const NAMED: usize = 24;

/// What the crunch of this frame took.
fn crunched(crunch: &Crunch) -> impl IntoView + use<> {
    let (named, more) = (crunch.lost.len().min(NAMED), crunch.lost.len().saturating_sub(NAMED));
    let names = crunch.lost.iter().take(named).map(|name| view! { <li>{name.clone()}</li> }).collect_view();
    view! {
        <div class="crunched">
            <h3>"This crunch"</h3>
            <p>
                <b>{crunch.dropped.len()}</b>" messages left, "<b>{crunch.lost.len()}</b>" concepts were lost, "
                <b>{crunch.survived.len()}</b>" survived. Lost, in order of first mention:"
            </p>
            <ul class="names">{names}</ul>
            {(more > 0).then(|| view! { <p>{format!("and {more} more")}</p> })}
        </div>
    }
}
