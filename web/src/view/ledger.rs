//! The ledger at the cursor, as a table with a filter.

use diffledger_core::ledger::State;
use leptos::prelude::*;

use super::element::{button, change, click, part, sign, text};
use super::page::page;
use crate::roster::{self, Row};

/// Rows that are shown at once, and then.
const SHOWN: usize = 12;
const MORE: usize = 100;

/// The states that the filter offers, with the sign of each.
const STATES: [State; 4] = [State::Live, State::Weakened, State::Stale, State::Expired];

fn shape(state: State) -> &'static str {
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
    let choose = change(move |word| {
        page.filter.update(|filter| filter.state = STATES.into_iter().find(|state| state.word() == word));
    });
    let option = move |state: State| {
        let count = move || page.frame(|shown| shown.counts.of(state)).unwrap_or(0);
        let name = text(move || format!("{} {} ({})", shape(state), state.word(), count()));
        view! { <option value=state.word()>{name}</option> }
    };
    let more = part(move || match rows.with(|(count, rows)| rows.len() < *count) {
        true => button("more", "", sign("Show more"), click(move || limit.update(|limit| *limit += MORE))).into_any(),
        false => ().into_any(),
    });
    view! {
        <section class="pane ledger" aria-labelledby="ledger-title">
            <h2 id="ledger-title">"Ledger"</h2>
            <div class="filter">
                <label>
                    "State "
                    <select on:change=choose>
                        <option value="">"all"</option>
                        {STATES.map(option).to_vec()}
                    </select>
                </label>
                <label>
                    "Contains "
                    <input type="search" on:input=change(move |text| page.filter.update(|filter| filter.text = text)) />
                </label>
                <output>{text(move || rows.with(|(count, rows)| format!("{} of {count}", rows.len())))}</output>
            </div>
            <table>
                <thead>
                    <tr>{["Concept", "Kind", "State", "Why", "Said", "Turns"].map(|name| view! { <th scope="col">{name}</th> }).to_vec()}</tr>
                </thead>
                <tbody><For each=move || rows.get().1 key=Clone::clone children=entry /></tbody>
            </table>
            {more}
        </section>
    }
}

fn entry(row: Row) -> impl IntoView {
    let page = page();
    let id = row.entry;
    let state = row.standing.state;
    let is_selected = move || page.selected.get() == Some(id);
    let select = click(move || page.selected.update(|selected| *selected = (*selected != Some(id)).then_some(id)));
    let turns = match row.standing.last_turn {
        last if last == row.first_turn => last.to_string(),
        last => format!("{} to {last}", row.first_turn),
    };
    let class = text(move || if is_selected() { "selected" } else { "" }.to_owned());
    let cell = |name: &'static str, text: String| view! { <td data-label=name>{text}</td> };
    view! {
        <tr class=class>
            <th scope="row">
                <button type="button" aria-pressed=text(move || is_selected().to_string()) on:click=select>{row.concept}</button>
            </th>
            {cell("Kind", row.kind.word().to_owned())}
            <td data-label="State"><span class=format!("state {}", state.word())>{shape(state)}" "{state.word()}</span></td>
            {cell("Why", roster::why(&row.standing).to_owned())}
            {cell("Said", format!("{}×", row.standing.references))}
            {cell("Turns", turns)}
        </tr>
    }
}
