//! The replay on paper: what each crunch took, and for each message the gaps, the rule that found
//! each, what else was considered, and the fills.

use std::io::{self, Write};

use diffledger_core::crunch::Crunch;
use diffledger_core::gap::{EvidenceRule, Gap, Status};
use diffledger_core::log::Seq;
use diffledger_core::replay::Frame;
use diffledger_core::session::Session;
use diffledger_core::transcript::Transcript;
use serde_json::{Value, json};

/// Concepts of a crunch that are listed: those that were told most often.
const LISTED: usize = 16;

/// Characters of a message that are shown.
const SHOWN: usize = 400;

/// One line of JSON a frame: its turn, with the `seq` of its message. What followed the last message
/// has `id: null`.
pub(crate) fn json(frames: &[Frame], out: &mut impl Write) -> io::Result<()> {
    for frame in frames {
        let mut line = serde_json::to_value(&frame.turn)?;
        if let Value::Object(fields) = &mut line {
            fields.insert("seq".into(), json!(frame.seq));
            if frame.seq.is_none() {
                fields.insert("id".into(), Value::Null);
            }
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The replay for people.
pub(crate) fn text(
    name: &str,
    transcript: &Transcript,
    session: &Session,
    frames: &[Frame],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{name}: {} messages, {} compactions on record",
        transcript.messages.len(),
        transcript.markers.len()
    )?;
    for (kind, count) in transcript.skipped.iter() {
        writeln!(out, "  not read: {count} x {kind}")?;
    }
    for frame in frames {
        writeln!(out)?;
        if let Some(crunch) = &frame.turn.crunch {
            write_crunch(crunch, frame.window, session, out)?;
        }
        if let Some(seq) = frame.seq {
            write_message(seq, frame, session, out)?;
        }
    }
    let gaps: usize = frames.iter().map(|frame| frame.turn.gaps.len()).sum();
    let fills: usize = frames.iter().map(|frame| frame.turn.fills.len()).sum();
    let tokens: u32 = frames.iter().flat_map(|frame| &frame.turn.fills).map(|fill| fill.tokens).sum();
    let crunches = frames.iter().filter(|frame| frame.turn.crunch.is_some()).count();
    let summary = session.ledger().summary();
    writeln!(
        out,
        "\n{crunches} crunches, {gaps} gaps, {fills} fills of {tokens} tokens in all; the ledger: {} live, {} stale of {}",
        summary.live, summary.stale, summary.total
    )
}

fn write_crunch(
    crunch: &Crunch,
    window: Option<(u32, u32)>,
    session: &Session,
    out: &mut impl Write,
) -> io::Result<()> {
    let (before, after) = window.unwrap_or_default();
    writeln!(
        out,
        "== CRUNCH ({}) {} messages left the window: about {before} -> {after} tokens",
        word(&crunch.kind),
        crunch.dropped.len()
    )?;
    let count = |name: &str, kind| {
        session
            .ledger()
            .entries()
            .iter()
            .find(|entry| entry.concept == name && entry.kind == kind)
            .map_or(0, |entry| entry.reference_count)
    };
    let mut lost: Vec<_> =
        crunch.lost.iter().zip(&crunch.lost_kinds).map(|(name, kind)| (count(name, *kind), name, *kind)).collect();
    lost.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    writeln!(out, "   lost {} concepts, {} survived. Lost, most told first:", lost.len(), crunch.survived.len())?;
    for (_, name, kind) in lost.iter().take(LISTED) {
        writeln!(out, "     {:<10} {}", kind.word(), line(name, 100))?;
    }
    if lost.len() > LISTED {
        writeln!(out, "     … and {} more", lost.len() - LISTED)?;
    }
    Ok(())
}

fn write_message(seq: Seq, frame: &Frame, session: &Session, out: &mut impl Write) -> io::Result<()> {
    let turn = &frame.turn;
    writeln!(out, "-- turn {} (seq {})", turn.id, seq.0)?;
    let said = session.log().atom(seq).map(|atom| atom.message.visible()).unwrap_or_default();
    for text in line_by_line(&said, SHOWN) {
        writeln!(out, "   {text}")?;
    }
    let mut fills = turn.fills.iter();
    for gap in &turn.gaps {
        write_gap(gap, out)?;
        if gap.status == Status::Filled
            && let Some(fill) = fills.next()
        {
            let seqs: Vec<String> = fill.source.seqs.iter().map(|seq| seq.0.to_string()).collect();
            writeln!(
                out,
                "   FILL {} tokens from seq {}{}",
                fill.tokens,
                seqs.join(", "),
                if fill.cut { ", part of a longer text" } else { "" }
            )?;
            for text in line_by_line(&fill.text, usize::MAX) {
                writeln!(out, "      > {text}")?;
            }
        }
    }
    Ok(())
}

fn write_gap(gap: &Gap, out: &mut impl Write) -> io::Result<()> {
    let evidence = &gap.evidence;
    writeln!(
        out,
        "   GAP  “{}” ({}, {}) by {} at {}: {}",
        line(&gap.concept, 80),
        gap.kind.word(),
        gap.state.word(),
        rule(evidence.rule),
        evidence.score,
        evidence.note
    )?;
    if !gap.runners_up.is_empty() {
        let others: Vec<String> =
            gap.runners_up.iter().map(|other| format!("“{}” {}", line(&other.concept, 40), other.score)).collect();
        writeln!(out, "        runners-up: {}", others.join(", "))?;
    }
    if let Some(error) = &gap.error {
        writeln!(out, "        open: {}", error.message)?;
    }
    Ok(())
}

fn rule(rule: EvidenceRule) -> String {
    word(&rule)
}

/// The word that a value has in JSON.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// A text on one line, at most `limit` characters; control characters would move the reader's cursor.
fn line(text: &str, limit: usize) -> String {
    let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if flat.chars().count() <= limit { flat } else { flat.chars().take(limit).chain(['…']).collect() }
}

fn line_by_line(text: &str, limit: usize) -> Vec<String> {
    let cut: String = text.chars().take(limit).collect();
    let mut lines: Vec<String> = cut.trim().lines().take(12).map(|text| line(text, 160)).collect();
    if cut.len() < text.len() || text.trim().lines().count() > lines.len() {
        lines.push("…".into());
    }
    lines
}
