//! The four steps from a word of the message to the text that was put back: referred to, matched,
//! recalled, filled. What the core found, in sentences.

use std::collections::BTreeSet;

use diffledger_core::concept::Concept;
use diffledger_core::fill::{Fill, SourceKind};
use diffledger_core::gap::{EvidenceRule, Gap, Status};
use diffledger_core::ledger::State;
use diffledger_core::log::Log;
use diffledger_core::message::{Part, Role};
use diffledger_core::text;

use crate::recording::Recording;

/// A gap of a frame, explained.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Explained {
    /// The concept.
    pub concept: String,
    /// Its entry.
    pub entry: Option<u32>,
    /// Whether it was closed.
    pub is_filled: bool,
    /// The words of the message; `None` when all of it refers.
    pub words: Option<String>,
    /// What matched: kind, state, the core's own clause.
    pub matched: String,
    /// The rule.
    pub chip: Chip,
    /// How certain, 0 to 1000.
    pub score: u32,
    /// What lost, with its score.
    pub runners_up: Vec<(String, u32)>,
    /// Where the text was found.
    pub recalled: String,
    /// The text that was put back.
    pub text: Option<String>,
    /// What came of it.
    pub outcome: String,
}

/// The rule that found a concept, and the two sets that it compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chip {
    /// Its sign.
    pub sign: String,
    /// Its name.
    pub name: &'static str,
    /// What the message's words and the entry are made of, for the rules that compare.
    pub sets: Option<Sets>,
}

/// Two sets, side by side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sets {
    /// What is in them: words or trigrams.
    pub of: &'static str,
    /// In both.
    pub shared: Vec<String>,
    /// Only in the message.
    pub message: Vec<String>,
    /// Only in the entry.
    pub entry: Vec<String>,
}

/// The gaps of a frame.
#[must_use]
pub fn explain(recording: &Recording, frame: usize) -> Vec<Explained> {
    let Some(shown) = recording.frames().get(frame) else { return Vec::new() };
    let turn = &shown.frame.turn;
    let message = message(recording, frame).unwrap_or_default();
    // Fills stand in the order of the gaps that they close.
    let mut fills = turn.fills.iter();
    turn.gaps
        .iter()
        .map(|gap| {
            let fill = (gap.status == Status::Filled).then(|| fills.next()).flatten();
            one(gap, fill, &message, recording.session().log())
        })
        .collect()
}

/// The text of the message that a frame looks at; `None` for what followed the last one.
#[must_use]
pub fn message(recording: &Recording, frame: usize) -> Option<String> {
    let atom = recording.session().log().atom(recording.frames().get(frame)?.frame.seq?)?;
    let text = atom.message.parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        _ => None,
    });
    Some(text.collect::<Vec<_>>().join("\n"))
}

fn one(gap: &Gap, fill: Option<&Fill>, message: &str, log: &Log) -> Explained {
    let span = gap.evidence.span.and_then(|(from, to)| message.get(from as usize..to as usize));
    Explained {
        concept: gap.concept.clone(),
        entry: gap.entry,
        is_filled: gap.status == Status::Filled,
        words: span.map(str::to_owned),
        matched: format!("{}, {}: {}", gap.kind.word(), standing(gap.state), gap.evidence.note),
        chip: chip(gap, span.unwrap_or(message)),
        score: gap.evidence.score,
        runners_up: gap.runners_up.iter().map(|other| (other.concept.clone(), other.score)).collect(),
        recalled: recalled(fill, log),
        text: fill.map(|fill| fill.text.clone()),
        outcome: match (fill, &gap.error) {
            (Some(fill), _) if fill.cut => format!("{} tokens, part of a longer text", fill.tokens),
            (Some(fill), _) => format!("{} tokens, word for word", fill.tokens),
            (None, Some(error)) => format!("left open: {}", error.message),
            (None, None) => "left open".into(),
        },
    }
}

/// What a state means for the message.
fn standing(state: State) -> &'static str {
    match state {
        State::Live => "in the window",
        State::Weakened => "partly gone from the window",
        State::Stale => "no longer in the window",
        State::Expired => "put back too long ago",
        State::Unknown => "never told",
    }
}

fn recalled(fill: Option<&Fill>, log: &Log) -> String {
    let Some(fill) = fill else { return "nothing was found".into() };
    let atom = fill.source.seqs.first().and_then(|seq| log.atom(*seq));
    match (fill.source.kind, atom) {
        (SourceKind::Log, Some(atom)) => {
            let who = match atom.message.role {
                Role::System => "the system text",
                Role::User => "the user",
                Role::Assistant => "the assistant",
                Role::Tool => "a tool",
            };
            format!("from what {who} said in turn {} (message {})", atom.turn, atom.seq.0)
        }
        (kind, _) => format!("from the {}", kind.word()),
    }
}

fn chip(gap: &Gap, words: &str) -> Chip {
    let evidence = &gap.evidence;
    let (sign, name) = match evidence.rule {
        EvidenceRule::Exact => ("=", "exact"),
        EvidenceRule::TokenSubset => ("⊂", "token subset"),
        EvidenceRule::Jaccard => ("∩", "Jaccard"),
        EvidenceRule::Prefix => ("/…", "path prefix"),
        EvidenceRule::Ordinal => ("1st", "ordinal"),
        EvidenceRule::Typed => ("that", "typed"),
        EvidenceRule::Pronoun => ("it", "pronoun"),
        EvidenceRule::Ellipsis => ("…", "ellipsis"),
        EvidenceRule::Topic => ("¶", "topic"),
        EvidenceRule::Session => ("§", "session"),
        EvidenceRule::Model => ("M", "model"),
    };
    let sign = match (evidence.rule, evidence.shared, evidence.total) {
        (EvidenceRule::Jaccard, Some(shared), Some(total)) if total > 0 => {
            let hundredths = shared * 100 / total;
            format!("∩ {shared}/{total} = {}.{:02}", hundredths / 100, hundredths % 100)
        }
        _ => sign.to_owned(),
    };
    let concept = Concept::named(words);
    let sets = match evidence.rule {
        EvidenceRule::Jaccard => Some(sets(
            "trigrams",
            trigrams(&concept.canonical),
            trigrams(&diffledger_core::concept::canonical(gap.kind, &gap.concept)),
        )),
        EvidenceRule::Exact | EvidenceRule::TokenSubset => Some(sets(
            "words",
            text::tokens(&concept.canonical).into_iter().collect(),
            text::tokens(&diffledger_core::concept::canonical(gap.kind, &gap.concept)).into_iter().collect(),
        )),
        _ => None,
    };
    Chip { sign, name, sets }
}

fn sets(of: &'static str, message: BTreeSet<String>, entry: BTreeSet<String>) -> Sets {
    Sets {
        of,
        shared: message.intersection(&entry).cloned().collect(),
        message: message.difference(&entry).cloned().collect(),
        entry: entry.difference(&message).cloned().collect(),
    }
}

/// The runs of three characters of a text.
fn trigrams(text: &str) -> BTreeSet<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(3).map(|three| three.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story;

    fn at_turn(turn: u32) -> Vec<Explained> {
        let recording = Recording::complete(story::script()).unwrap();
        let frame = recording.frames().iter().position(|shown| shown.turn == turn).unwrap();
        explain(&recording, frame)
    }

    #[test]
    fn the_opening_gap_goes_through_all_four_steps() {
        let steps = at_turn(story::OPENING_TURN);
        assert_eq!(steps.len(), 1);
        let step = &steps[0];
        assert_eq!(step.words.as_deref(), Some("which port"));
        assert_eq!(step.chip.name, "typed");
        assert!(step.is_filled && step.text.as_ref().unwrap().contains("port 8444"));
        assert!(step.recalled.starts_with("from what the assistant said in turn 2"), "{}", step.recalled);
        assert_eq!(step.runners_up.len(), 3);
    }

    #[test]
    fn the_compared_words_stand_side_by_side() {
        let sets = at_turn(29)[0].chip.sets.clone().unwrap();
        assert_eq!((sets.of, sets.message.len(), sets.entry.len()), ("words", 0, 0));
        assert!(!sets.shared.is_empty());
    }

    #[test]
    fn a_turn_without_gaps_explains_nothing() {
        assert!(at_turn(1).is_empty());
    }
}
