//! What a message tells: its concepts, whether it states or only asks about them, and what its facts
//! are.
//!
//! Reasoning and synthetic messages tell nothing: the one is not part of the conversation, the other
//! is a label on it. Tool output always states. In a tool call the values of the arguments count,
//! and what stands under `command` is a command, whole.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::concept::{self, Concept, ConceptKind};
use crate::json::fields;
use crate::message::{Message, Part};
use crate::sentence::{self, Mark};
use crate::text;

/// A concept as a message tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// The concept, at its first place.
    pub concept: Concept,
    /// Whether something is stated about it.
    pub stated: bool,
    /// Whether it stands in text that a person or the model wrote, not in a tool's call or output.
    pub said: bool,
    /// What the sentences about it are.
    pub marks: Vec<Mark>,
}

fields!(Heard { concept, stated, said, marks });

/// The concepts of a message, in order of first mention.
#[must_use]
pub fn hear(message: &Message) -> Vec<Heard> {
    let mut all = Collected::default();
    if message.synthetic.is_some() {
        return all.heard;
    }
    for part in &message.parts {
        match part {
            Part::Text { text } => all.prose(text),
            Part::ToolResult { text, .. } => {
                for concept in concept::extract(text) {
                    all.add(concept, true, false, &[]);
                }
            }
            Part::ToolCall { input, .. } => {
                for (key, value) in arguments(input) {
                    all.argument(&key, &value);
                }
            }
            Part::Reasoning { .. } | Part::Opaque { .. } => {}
        }
    }
    all.heard
}

/// The texts of a message that tell something, each verbatim: text, tool results, and the values of
/// a call's arguments. A fill is a part of one of them.
#[must_use]
pub fn passages(message: &Message) -> Vec<Cow<'_, str>> {
    let mut out = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text { text } | Part::ToolResult { text, .. } => out.push(Cow::Borrowed(text.as_str())),
            Part::ToolCall { input, .. } => {
                out.extend(arguments(input).into_iter().map(|(_, value)| Cow::Owned(value)))
            }
            Part::Reasoning { .. } | Part::Opaque { .. } => {}
        }
    }
    out
}

/// The string values in a call's arguments with their keys; the whole text where it is no JSON.
fn arguments(input: &str) -> Vec<(String, String)> {
    fn walk(key: &str, value: Value, out: &mut Vec<(String, String)>) {
        match value {
            Value::String(text) => out.push((key.to_owned(), text)),
            Value::Array(items) => items.into_iter().for_each(|item| walk(key, item, out)),
            Value::Object(fields) => fields.into_iter().for_each(|(key, value)| walk(&key, value, out)),
            Value::Number(number) => out.push((key.to_owned(), number.to_string())),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut out = Vec::new();
    match serde_json::from_str::<Value>(input) {
        Ok(value) => walk("", value, &mut out),
        Err(_) => out.push((String::new(), input.to_owned())),
    }
    out
}

#[derive(Default)]
struct Collected {
    heard: Vec<Heard>,
    places: HashMap<(ConceptKind, String), usize>,
}

impl Collected {
    fn add(&mut self, concept: Concept, stated: bool, said: bool, marks: &[Mark]) {
        let key = (concept.kind, concept.canonical.clone());
        let place = *self.places.entry(key).or_insert(self.heard.len());
        if place == self.heard.len() {
            self.heard.push(Heard { concept: concept.clone(), stated: false, said: false, marks: Vec::new() });
        }
        let Some(heard) = self.heard.get_mut(place) else { return };
        heard.stated |= stated;
        if said && !heard.said {
            heard.said = true;
            heard.concept = concept;
        }
        for mark in marks {
            if !heard.marks.contains(mark) {
                heard.marks.push(*mark);
            }
        }
    }

    fn prose(&mut self, text: &str) {
        let mut concepts = concept::extract_all(text).into_iter().peekable();
        for range in text::sentences(text) {
            let Some(sentence) = text.get(range.clone()) else { continue };
            let mut known: Option<(bool, Vec<Mark>)> = None;
            while let Some(concept) = concepts.next_if(|concept| (concept.span.0 as usize) < range.end) {
                let (stated, marks) =
                    known.get_or_insert_with(|| (!sentence::is_question(sentence), sentence::marks(sentence)));
                self.add(concept, *stated, true, marks);
            }
        }
        for concept in concepts {
            self.add(concept, true, true, &[]);
        }
    }

    fn argument(&mut self, key: &str, value: &str) {
        if matches!(key, "command" | "cmd") && !value.contains('\n') && value.len() <= 400 {
            let surface = value.trim().to_owned();
            let canonical = concept::canonical(ConceptKind::Command, &surface);
            if !surface.is_empty() {
                self.add(Concept { kind: ConceptKind::Command, canonical, surface, span: (0, 0) }, true, false, &[]);
            }
        }
        for concept in concept::extract(value) {
            self.add(concept, true, false, &[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Role, Synthetic};

    fn stated(heard: &[Heard], surface: &str) -> Option<bool> {
        heard.iter().find(|h| h.concept.surface == surface).map(|h| h.stated)
    }

    #[test]
    fn a_question_mentions_and_a_statement_states() {
        let heard =
            hear(&Message::text(Role::User, "How does the retry queue work? The dead letter table holds what failed."));
        assert_eq!(stated(&heard, "retry queue"), Some(false));
        assert_eq!(stated(&heard, "dead letter table"), Some(true));
    }

    #[test]
    fn the_command_of_a_call_is_whole_and_a_result_states() {
        let mut message = Message::text(Role::Assistant, "");
        message.parts = vec![
            Part::ToolCall {
                id: "1".into(),
                name: "Bash".into(),
                input: r#"{"command":"make backfill FROM=2024-01-01 | tee out.log","n":3}"#.into(),
            },
            Part::ToolResult { call: "1".into(), text: "wrote var/out.log".into(), error: false },
        ];
        let heard = hear(&message);
        assert!(heard.iter().any(|h| h.concept.kind == ConceptKind::Command
            && h.concept.surface == "make backfill FROM=2024-01-01 | tee out.log"));
        assert_eq!(stated(&heard, "var/out.log"), Some(true));
    }

    #[test]
    fn reasoning_and_synthetic_text_tell_nothing() {
        let mut message = Message::text(Role::Assistant, "");
        message.parts = vec![Part::Reasoning { text: "the secret queue".into() }];
        assert_eq!(hear(&message), []);
        let mut message = Message::text(Role::User, "the secret queue");
        message.synthetic = Some(Synthetic::Reminder);
        assert_eq!(hear(&message), []);
    }
}
