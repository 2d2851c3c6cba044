//! A text, and the concepts that a reader would point at in it.
//!
//! | line | what it is |
//! |---|---|
//! | `text` | the text |
//! | a kind (`term`, `path`, `command`, …) | a concept of that kind, as it stands in the text |
//! | `not` | no concept of any kind reads so |
//! | `not-term`, `not-path`, … | no concept of that kind reads so |
//! | `nothing` | there is no concept at all |

use diffledger_core::concept::{Concept, extract};
use serde_json::Value;

use super::{Block, Case};

const KINDS: &[&str] = &["term", "identifier", "path", "command", "url", "quantity", "error", "quote"];

/// A case of extraction.
pub(crate) struct Extraction {
    name: String,
    text: String,
    expected: Vec<(String, String)>,
    /// An empty kind stands for all.
    not: Vec<(String, String)>,
    nothing: bool,
}

impl Extraction {
    pub(crate) fn new(block: &Block) -> Self {
        let [text] = block.all("text").try_into().unwrap_or_else(|_| panic!("`{}`: one text", block.name));
        let mut case = Self { name: block.name.clone(), text, expected: Vec::new(), not: Vec::new(), nothing: false };
        for (key, words) in &block.lines {
            let kind = key.strip_prefix("not-").unwrap_or(key);
            assert!(key == "text" || case.text.contains(words.as_str()), "`{}`: `{words}` is not there", case.name);
            match key.as_str() {
                "text" => {}
                "nothing" => case.nothing = true,
                "not" => case.not.push((String::new(), words.clone())),
                _ if !KINDS.contains(&kind) => panic!("`{}`: what is `{key}`?", case.name),
                _ if kind == key => case.expected.push((kind.to_owned(), words.clone())),
                _ => case.not.push((kind.to_owned(), words.clone())),
            }
        }
        assert!(case.nothing == case.expected.is_empty(), "`{}`: concepts, or nothing", case.name);
        case
    }
}

fn kind_of(concept: &Concept) -> String {
    serde_json::to_value(concept.kind).ok().as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
}

impl Case for Extraction {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_positive(&self) -> bool {
        !self.expected.is_empty()
    }

    fn is_negative(&self) -> bool {
        self.nothing || !self.not.is_empty()
    }

    fn try_out(&self) -> Vec<String> {
        let found: Vec<(String, String)> =
            extract(&self.text).iter().map(|concept| (kind_of(concept), concept.surface.clone())).collect();
        let is_there = |(kind, words): &&(String, String)| {
            found.iter().any(|(own, surface)| (kind.is_empty() || own == kind) && surface == words)
        };
        let mut wrong: Vec<String> = Vec::new();
        let missing = self.expected.iter().filter(|wanted| !is_there(wanted));
        wrong.extend(missing.map(|(kind, words)| format!("no {kind} `{words}`")));
        wrong.extend(self.not.iter().filter(is_there).map(|(kind, words)| format!("there is {kind} `{words}`")));
        if self.nothing && !found.is_empty() {
            wrong.push("there is something".into());
        }
        if !wrong.is_empty() {
            wrong.push(format!("text: {:?}", self.text));
            wrong.extend(found.iter().map(|(kind, words)| format!("found: {kind} `{words}`")));
        }
        wrong
    }
}
