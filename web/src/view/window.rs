//! What the context window weighs, before the last crunch and now.

use leptos::prelude::*;

use super::page::page;
use crate::weight::{Class, Weights, grouped};

#[component]
pub(super) fn Window() -> impl IntoView {
    let page = page();
    let before = Memo::new(move |_| {
        let cursor = page.cursor.get();
        page.recording.with(|recording| recording.frames().iter().take(cursor + 1).rev().find_map(|shown| shown.before))
    });
    let now = Memo::new(move |_| page.frame(|shown| shown.window).unwrap_or_default());
    let scale = move || before.get().unwrap_or_default().total().max(now.get().total());
    view! {
        <section class="pane window" aria-labelledby="window-title">
            <h2 id="window-title">"Context window"</h2>
            {move || before.get().map(|weights| bar("Before the crunch", weights, scale()))}
            {move || bar("Now", now.get(), scale())}
            <ul class="legend">
                {move || {
                    let one = |class: Class| {
                        let (then, now) = (before.get().unwrap_or_default().get(class), now.get().get(class));
                        (then + now > 0).then(|| view! {
                            <li>
                                <svg viewBox="0 0 10 10" aria-hidden="true"><rect class=class.word() width="10" height="10" /></svg>
                                {class.word()}" "<b>{grouped(now)}</b>
                            </li>
                        })
                    };
                    Class::ALL.into_iter().filter_map(one).collect_view()
                }}
            </ul>
            <Crunched />
        </section>
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
#[component]
fn Crunched() -> impl IntoView {
    let page = page();
    let crunch = Memo::new(move |_| page.frame(|shown| shown.frame.turn.crunch.clone()).flatten());
    move || {
        crunch.get().map(|crunch| {
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
        })
    }
}
