//! The ledger at the cursor, as a table with a filter.

use diffledger_core::ledger::State;
use leptos::prelude::*;

use super::page::page;
use crate::roster::{self, Row};

/// Rows that are shown at once, and as many more for each press.
const SHOWN: usize = 25;

/// The states that the filter offers, with the sign of each.
const STATES: [State; 4] = [State::Live, State::Weakened, State::Stale, State::Expired];

fn sign(state: State) -> &'static str {
    match state {
        State::Live => "●",
        State::Weakened => "◑",
        State::Stale => "◐",
        State::Expired | State::Unknown => "○",
    }
}

#[component]
pub(super) fn LedgerTable() -> impl IntoView {
    let page = page();
    let limit = RwSignal::new(SHOWN);
    let rows = Memo::new(move |_| {
        let (cursor, limit) = (page.cursor.get(), limit.get());
        let filter = page.filter.get();
        page.recording.with(|recording| roster::rows(recording, cursor, &filter, limit))
    });
    let counts = move || page.frame(|shown| shown.counts).unwrap_or_default();
    let count = move |state: State| match state {
        State::Live => counts().live,
        State::Weakened => counts().weakened,
        State::Stale => counts().stale,
        State::Expired | State::Unknown => counts().expired,
    };
    let choose = move |event| {
        let word = event_target_value(&event);
        page.filter.update(|filter| filter.state = STATES.into_iter().find(|state| state.word() == word));
    };
    view! {
        <section class="pane ledger" aria-labelledby="ledger-title">
            <h2 id="ledger-title">"Ledger"</h2>
            <div class="filter">
                <label>
                    "State "
                    <select on:change=choose>
                        <option value="">"all"</option>
                        {STATES
                            .into_iter()
                            .map(|state| view! {
                                <option value=state.word()>{move || format!("{} {} ({})", sign(state), state.word(), count(state))}</option>
                            })
                            .collect_view()}
                    </select>
                </label>
                <label>
                    "Contains "
                    <input
                        type="search"
                        on:input=move |event| page.filter.update(|filter| filter.text = event_target_value(&event))
                    />
                </label>
                <output>{move || rows.with(|(count, rows)| format!("{} of {count}", rows.len()))}</output>
            </div>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Concept"</th>
                        <th scope="col">"Kind"</th>
                        <th scope="col">"State"</th>
                        <th scope="col">"Why"</th>
                        <th scope="col">"Said"</th>
                        <th scope="col">"Turns"</th>
                    </tr>
                </thead>
                <tbody><For each=move || rows.get().1 key=Clone::clone children=entry /></tbody>
            </table>
            <Show when=move || rows.with(|(count, rows)| rows.len() < *count)>
                <button type="button" class="more" on:click=move |_| limit.update(|limit| *limit += 4 * SHOWN)>"Show more"</button>
            </Show>
        </section>
    }
}

fn entry(row: Row) -> impl IntoView {
    let page = page();
    let id = row.entry;
    let state = row.standing.state;
    let is_selected = move || page.selected.get() == Some(id);
    let select = move |_| page.selected.update(|selected| *selected = (*selected != Some(id)).then_some(id));
    let turns = match row.standing.last_turn {
        last if last == row.first_turn => last.to_string(),
        last => format!("{} to {last}", row.first_turn),
    };
    view! {
        <tr class:selected=is_selected>
            <th scope="row">
                <button type="button" aria-pressed=move || is_selected().to_string() on:click=select>{row.concept}</button>
            </th>
            <td data-label="Kind">{row.kind.word()}</td>
            <td data-label="State"><span class=format!("state {}", state.word())>{sign(state)}" "{state.word()}</span></td>
            <td data-label="Why">{roster::why(&row.standing)}</td>
            <td data-label="Said">{row.standing.references}"×"</td>
            <td data-label="Turns">{turns}</td>
        </tr>
    }
}
