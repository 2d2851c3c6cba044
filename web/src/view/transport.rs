//! First, back, play, next, last; the scrubber with its ticks.

use std::time::Duration;

use leptos::prelude::*;

use super::element::{button, change, click, part, sign, text};
use super::page::page;
use crate::timeline;

/// Milliseconds for which a frame stands while playing, at normal speed.
const FRAME: u64 = 1600;

#[component]
pub(super) fn Transport() -> impl IntoView {
    let page = page();
    let speed = RwSignal::new(2_u64);
    let last = move || page.recording.with(|recording| recording.frames().len().saturating_sub(1));
    let spoken = text(move || page.recording.with(|recording| timeline::spoken(recording, page.cursor.get())));
    Effect::new(move |before: Option<Option<IntervalHandle>>| {
        if let Some(Some(handle)) = before {
            handle.clear();
        }
        let pause = Duration::from_millis(FRAME * 2 / speed.get().max(1));
        page.is_playing.get().then(|| set_interval_with_handle(move || page.play_on(), pause).ok()).flatten()
    });
    let play = move || {
        if !page.is_playing.get() && page.cursor.get() >= last() {
            page.go(0);
        }
        page.is_playing.update(|is_playing| *is_playing = !*is_playing);
    };
    let play_sign = text(move || if page.is_playing.get() { "Pause" } else { "Play" }.to_owned());
    view! {
        <section class="transport" aria-label="Replay">
            <div class="controls">
                <div class="buttons">
                    {button("far", "First", sign("|◀"), click(move || page.go(0)))}
                    {button("", "Back", sign("◀"), click(move || page.step(false)))}
                    {button("play", "", play_sign, click(play))}
                    {button("", "Next", sign("▶"), click(move || page.step(true)))}
                    {button("far", "Last", sign("▶|"), click(move || page.go(usize::MAX)))}
                </div>
                <div class="scrubber">
                    <input
                        type="range"
                        min="0"
                        max=text(move || last().to_string())
                        aria-label="Turn"
                        aria-valuetext=spoken.clone()
                        prop:value=text(move || page.cursor.get().to_string())
                        on:input=change(move |frame| page.go(frame.parse().unwrap_or(0)))
                    />
                    <svg class="ticks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                        {part(ticks)}
                    </svg>
                </div>
            </div>
            <output class="place">{spoken}</output>
            <label>
                "Speed "
                <select on:change=change(move |factor| speed.set(factor.parse().unwrap_or(2)))>
                    <option value="1">"½"</option>
                    <option value="2" selected>"1"</option>
                    <option value="4">"2"</option>
                </select>
            </label>
            <super::acts::CrunchButton />
            <p class="status" role="status">{text(move || page.status.get())}</p>
        </section>
    }
}

/// Where the crunches and the gaps are.
fn ticks() -> AnyView {
    page().recording.with(|recording| {
        let last = recording.frames().len().saturating_sub(1).max(1);
        let tick = |tick: timeline::Tick| {
            let x = (tick.frame * 1000 / last).to_string();
            let class = if tick.is_crunch { "tick crunch" } else { "tick gap" };
            view! { <line class=class x1=x.clone() x2=x y1="0" y2="10" /> }
        };
        timeline::ticks(recording).into_iter().map(tick).collect_view().into_any()
    })
}
