//! What the message at the cursor refers to and is lost, step by step until it is back.

use leptos::prelude::*;

use super::page::page;
use crate::steps::{self, Explained, Sets};

#[component]
pub(super) fn Missing() -> impl IntoView {
    let page = page();
    let gaps = Memo::new(move |_| {
        let cursor = page.cursor.get();
        page.recording.with(|recording| steps::explain(recording, cursor))
    });
    let unknown = Memo::new(move |_| page.frame(|shown| shown.frame.turn.unknown.clone()).unwrap_or_default());
    let inject = Memo::new(move |_| page.frame(|shown| shown.frame.turn.inject.clone()).unwrap_or_default());
    view! {
        <section class="pane missing" aria-labelledby="missing-title">
            <h2 id="missing-title">"What is missing"</h2>
            <Show when=move || gaps.with(Vec::is_empty)>
                <p class="nothing">"Nothing: the message refers to nothing that was lost, so nothing is put back."</p>
            </Show>
            <For each=move || gaps.get() key=Clone::clone children=gap />
            <Show when=move || !inject.with(String::is_empty)>
                <details class="inject">
                    <summary>"The block that goes before the message"</summary>
                    <pre tabindex="0">{move || inject.get()}</pre>
                </details>
            </Show>
            <Show when=move || !unknown.with(Vec::is_empty)>
                <p class="unknown">"Never told here: "{move || unknown.get().join(", ")}</p>
            </Show>
        </section>
    }
}

fn gap(gap: Explained) -> impl IntoView {
    let page = page();
    let entry = gap.entry;
    let words = gap.words.map_or_else(|| "the message as a whole".to_owned(), |words| format!("“{words}”"));
    let others = gap.runners_up.into_iter().map(|(name, score)| view! { <li>{name}" "<b>{score}</b></li> });
    let others: Vec<_> = others.collect();
    view! {
        <article class=if gap.is_filled { "step-list filled" } else { "step-list open" }>
            <h3>
                <button type="button" on:click=move |_| page.selected.set(entry) title="Show it in chat and ledger">
                    {gap.concept}
                </button>
            </h3>
            <ol>
                <li><b>"Referred to"</b>" by "{words}</li>
                <li>
                    <b>"Matched"</b>" "{gap.matched}" "<span class="chip">{gap.chip.sign}" "{gap.chip.name}" "{gap.score}</span>
                    {gap.chip.sets.map(sets)}
                    {(!others.is_empty()).then(|| view! {
                        <p>"Runners-up:"</p>
                        <ul class="others">{others}</ul>
                    })}
                </li>
                <li><b>"Recalled"</b>" "{gap.recalled}</li>
                <li>
                    <b>{if gap.is_filled { "Filled ✓" } else { "Open" }}</b>" "{gap.outcome}
                    {gap.text.map(|text| view! { <blockquote>{text}</blockquote> })}
                </li>
            </ol>
        </article>
    }
}

fn sets(sets: Sets) -> impl IntoView {
    let row = |name: &'static str, items: Vec<String>| view! { <dt>{name}</dt><dd>{items.join(" · ")}</dd> };
    view! {
        <details>
            <summary>{format!("the {} side by side", sets.of)}</summary>
            <dl>
                {row("both", sets.shared)}
                {row("only the message", sets.message)}
                {row("only the entry", sets.entry)}
            </dl>
        </details>
    }
}
