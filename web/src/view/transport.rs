//! First, back, play, next, last; the scrubber with its ticks.

use std::time::Duration;

use leptos::prelude::*;

use super::page::page;
use crate::timeline;

/// Milliseconds for which a frame stands while playing, at normal speed.
const FRAME: u64 = 1600;

#[component]
pub(super) fn Transport() -> impl IntoView {
    let page = page();
    let speed = RwSignal::new(2_u64);
    let last = move || page.recording.with(|recording| recording.frames().len().saturating_sub(1));
    let spoken = move || page.recording.with(|recording| timeline::spoken(recording, page.cursor.get()));
    let ticks = move || page.recording.with(timeline::ticks);
    Effect::new(move |before: Option<Option<IntervalHandle>>| {
        if let Some(Some(handle)) = before {
            handle.clear();
        }
        let pause = Duration::from_millis(FRAME * 2 / speed.get().max(1));
        page.is_playing.get().then(|| set_interval_with_handle(move || page.play_on(), pause).ok()).flatten()
    });
    let play = move |_| {
        if !page.is_playing.get() && page.cursor.get() >= last() {
            page.go(0);
        }
        page.is_playing.update(|is_playing| *is_playing = !*is_playing);
    };
    view! {
        <section class="transport" aria-label="Replay">
            <div class="buttons">
                <button type="button" aria-label="First" on:click=move |_| page.go(0)>"|◀"</button>
                <button type="button" aria-label="Back" on:click=move |_| page.step(false)>"◀"</button>
                <button type="button" class="play" on:click=play>
                    {move || if page.is_playing.get() { "Pause" } else { "Play" }}
                </button>
                <button type="button" aria-label="Next" on:click=move |_| page.step(true)>"▶"</button>
                <button type="button" aria-label="Last" on:click=move |_| page.go(usize::MAX)>"▶|"</button>
            </div>
            <div class="scrubber">
                <input
                    type="range"
                    min="0"
                    max=last
                    aria-label="Turn"
                    aria-valuetext=spoken
                    prop:value=move || page.cursor.get().to_string()
                    on:input=move |event| page.go(event_target_value(&event).parse().unwrap_or(0))
                />
                <svg class="ticks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                    {move || {
                        let last = last().max(1);
                        let tick = |tick: timeline::Tick| {
                            let x = (tick.frame * 1000 / last).to_string();
                            let class = if tick.is_crunch { "tick crunch" } else { "tick gap" };
                            view! { <line class=class x1=x.clone() x2=x y1="0" y2="10" /> }
                        };
                        ticks().into_iter().map(tick).collect_view()
                    }}
                </svg>
            </div>
            <output class="place">{spoken}</output>
            <label>
                "Speed "
                <select on:change=move |event| speed.set(event_target_value(&event).parse().unwrap_or(2))>
                    <option value="1">"½"</option>
                    <option value="2" selected>"1"</option>
                    <option value="4">"2"</option>
                </select>
            </label>
            <super::acts::CrunchButton />
            <p class="status" role="status">{move || page.status.get()}</p>
        </section>
    }
}
