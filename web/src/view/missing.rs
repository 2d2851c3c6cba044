//! What the message at the cursor refers to and is lost, step by step until it is back.

use leptos::prelude::*;

use super::element::{button, click, part, text};
use super::page::page;
use crate::recording::Recording;
use crate::steps::{self, Explained, Sets};

#[component]
pub(super) fn Missing() -> impl IntoView {
    let page = page();
    let shown = part(move || {
        let cursor = page.cursor.get();
        page.recording.with(|recording| draw(recording, cursor))
    });
    view! {
        <section class="pane missing" aria-labelledby="missing-title">
            <h2 id="missing-title">"What is missing"</h2>
            {shown}
        </section>
    }
}

/// All that is said of a frame.
fn draw(recording: &Recording, frame: usize) -> AnyView {
    let Some(shown) = recording.frames().get(frame) else { return ().into_any() };
    let turn = &shown.frame.turn;
    let asked = steps::message(recording, frame).map(|said| view! { <p class="asked">{cut(&said)}</p> });
    let nothing = turn.gaps.is_empty().then(|| {
        let was_crunched = recording.frames().iter().any(|shown| shown.frame.turn.crunch.is_some());
        let why = match (was_crunched, asked.is_some()) {
            (false, _) => "Nothing: this chat was never crunched. Crunch it here, and then ask about something in it.",
            (true, true) => "Nothing: the message refers to nothing that was lost, so nothing is put back.",
            (true, false) => "No message is asked at this point. Step on, or ask something.",
        };
        view! { <p class="nothing">{why}</p> }
    });
    let block = (!turn.inject.is_empty()).then(|| {
        view! {
            <details class="inject">
                <summary>"The block that goes before the message"</summary>
                <pre tabindex="0">{turn.inject.clone()}</pre>
            </details>
        }
    });
    let unknown = turn.unknown.join(", ");
    let unknown = (!unknown.is_empty()).then(|| view! { <p class="unknown">"Never told here: "{unknown}</p> });
    let gaps: Vec<_> = steps::explain(recording, frame).into_iter().map(gap).collect();
    view! { {asked} {nothing} {gaps} {block} {unknown} }.into_any()
}

/// Characters of the message that are repeated above its gaps.
const ASKED: usize = 240;

fn cut(text: &str) -> String {
    match text.char_indices().nth(ASKED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

fn gap(gap: Explained) -> impl IntoView {
    let page = page();
    let entry = gap.entry;
    let name = text(move || gap.concept.clone());
    let words = gap.words.map_or_else(|| "the message as a whole".to_owned(), |words| format!("“{words}”"));
    let others = gap.runners_up.into_iter().map(|(name, score)| view! { <li>{name}" "<b>{score / 10}" %"</b></li> });
    let others: Vec<_> = others.collect();
    view! {
        <article class=if gap.is_filled { "step-list filled" } else { "step-list open" }>
            <h3>
                {button("", "", name, click(move || page.selected.set(entry)))}
            </h3>
            <ol>
                <li><b>"Referred to"</b>" by "{words}</li>
                <li>
                    <b>"Matched"</b>" "{gap.matched}" "<span class="chip">{gap.chip.sign}" "{gap.chip.name}", certainty "{gap.score / 10}" %"</span>
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
