//! The chat up to the cursor, and the box for a message of one's own.

use leptos::html::Ol;
use leptos::prelude::*;

use super::acts::Compose;
use super::page::page;
use crate::chat::{self, Mark, Piece, PieceKind, Row, Run};

/// Messages that are shown at once, and as many more for each press.
const SHOWN: usize = 40;

#[component]
pub(super) fn Chat() -> impl IntoView {
    let page = page();
    let limit = RwSignal::new(SHOWN);
    let list = NodeRef::<Ol>::new();
    let rows = Memo::new(move |_| {
        let (cursor, selected, limit) = (page.cursor.get(), page.selected.get(), limit.get());
        page.recording.with(|recording| chat::rows(recording, cursor, selected, limit))
    });
    Effect::new(move || {
        page.cursor.track();
        if let Some(list) = list.get() {
            list.set_scroll_top(list.scroll_height());
        }
    });
    view! {
        <section class="pane chat" aria-labelledby="chat-title">
            <h2 id="chat-title">"Chat"</h2>
            <Show when=move || { rows.with(|(hidden, _)| *hidden > 0) }>
                <button type="button" class="more" on:click=move |_| limit.update(|limit| *limit += SHOWN)>
                    {move || rows.with(|(hidden, _)| format!("{hidden} earlier messages: show more"))}
                </button>
            </Show>
            <ol class="messages" node_ref=list tabindex="0" aria-label="Messages">
                <For each=move || rows.get().1 key=Clone::clone children=message />
            </ol>
            <Compose />
        </section>
    }
}

fn message(row: Row) -> impl IntoView {
    let class = match (row.dropped, row.is_current) {
        (Some(_), _) => "message dropped",
        (None, true) => "message current",
        (None, false) => "message",
    };
    let note = match row.dropped {
        Some(turn) => format!("turn {}, dropped at turn {turn}, {} tokens", row.turn, row.tokens),
        None => format!("turn {}, {} tokens", row.turn, row.tokens),
    };
    view! {
        <li class=class>
            <p class="who"><b>{row.class.word()}</b>" "<span>{note}</span></p>
            {row.pieces.into_iter().map(piece).collect_view()}
        </li>
    }
}

fn piece(piece: Piece) -> impl IntoView {
    let class = match piece.kind {
        PieceKind::Said => "said",
        PieceKind::Call => "call",
        PieceKind::Result => "result",
        PieceKind::Thought => "thought",
        PieceKind::Opaque => "opaque",
    };
    let rest = (!piece.rest.is_empty()).then(|| {
        view! {
            <details>
                <summary>{format!("{} more characters", piece.rest.chars().count())}</summary>
                <div class=class>{piece.rest}</div>
            </details>
        }
    });
    view! {
        <div class=class>{piece.runs.into_iter().map(run).collect_view()}</div>
        {rest}
    }
}

fn run(run: Run) -> impl IntoView {
    let class = match run.mark {
        None => return run.text.into_any(),
        Some(Mark::Concept) => "concept",
        Some(Mark::Selected) => "concept selected",
        Some(Mark::Source) => "source",
        Some(Mark::Gap) => "gap",
    };
    view! { <mark class=class>{run.text}</mark> }.into_any()
}
