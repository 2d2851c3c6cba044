//! The chat up to the cursor, and the box for a message of one's own.

use leptos::either::Either;
use leptos::prelude::*;

use super::acts::Compose;
use super::element::{button, click, part, text};
use super::page::page;
use crate::chat::{self, Mark, Piece, PieceKind, Row, Run};

/// Messages that are shown at once, and as many more for each press.
const SHOWN: usize = 24;

#[component]
pub(super) fn Chat() -> impl IntoView {
    let page = page();
    let limit = RwSignal::new(SHOWN);
    let rows = Memo::new(move |_| {
        let (cursor, selected, limit) = (page.cursor.get(), page.selected.get(), limit.get());
        page.recording.with(|recording| chat::rows(recording, cursor, selected, limit))
    });
    // Read out message by message when stepping; while playing that would never end.
    let quiet = text(move || if page.is_playing.get() { "off" } else { "polite" }.to_owned());
    let hidden = Memo::new(move |_| rows.with(|(hidden, _)| *hidden));
    let more = part(move || match hidden.get() {
        0 => ().into_any(),
        hidden => {
            let name = text(move || format!("{hidden} earlier messages: show more"));
            button("more", "", name, click(move || limit.update(|limit| *limit += SHOWN))).into_any()
        }
    });
    view! {
        <section class="pane chat" aria-labelledby="chat-title">
            <h2 id="chat-title">"Chat"</h2>
            {more}
            <div class="messages" tabindex="0" role="log" aria-label="Messages" aria-live=quiet>
                <ol><For each=move || rows.get().1 key=Clone::clone children=message /></ol>
            </div>
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
    let class = run.mark.map(|mark| match mark {
        Mark::Concept => "concept",
        Mark::Selected => "concept selected",
        Mark::Source => "source",
        Mark::Gap => "gap",
    });
    match class {
        Some(class) => Either::Left(view! { <mark class=class>{run.text}</mark> }),
        None => Either::Right(run.text),
    }
}
