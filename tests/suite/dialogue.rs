//! A conversation that is compacted, a message after it, and what the message must bring back.
//!
//! | line | what it is |
//! |---|---|
//! | `told` | conversations of `conversations.txt` that were had at this place, by name |
//! | `user`, `agent` | a message |
//! | `runs`, `prints` | a shell command that the agent calls, and what it printed |
//! | `crunch` | what was said before leaves the window; its text, if any, is the host's summary |
//! | `message` | what is looked at |
//! | `fills` | words that some fill must contain |
//! | `concept` | a concept that must be among the gaps |
//! | `not` | words that no fill may contain |
//! | `silent` | no gap and no fill |

use std::collections::BTreeMap;

use diffledger_core::concept::Concept;
use diffledger_core::config::Config;
use diffledger_core::message::{Message, Part, Role};
use diffledger_core::session::Session;
use diffledger_core::turn::Turn;

use super::{Block, Case, blocks};

/// The conversations that cases refer to by name.
pub(crate) struct Talks(BTreeMap<String, Vec<(String, String)>>);

impl Talks {
    pub(crate) fn read() -> Self {
        Self(blocks("conversations.txt").into_iter().map(|block| (block.name, block.lines)).collect())
    }
}

/// A case of a conversation.
pub(crate) struct Dialogue {
    name: String,
    /// What was said, with a `crunch` where the window was emptied.
    history: Vec<(String, String)>,
    message: String,
    fills: Vec<String>,
    concepts: Vec<String>,
    not: Vec<String>,
    silent: bool,
}

impl Dialogue {
    pub(crate) fn new(block: &Block, talks: &Talks) -> Self {
        let mut history = Vec::new();
        for (key, text) in &block.lines {
            match key.as_str() {
                "told" => {
                    for name in text.split(',').map(str::trim) {
                        let talk = talks.0.get(name).unwrap_or_else(|| panic!("`{}`: no talk `{name}`", block.name));
                        history.extend(talk.iter().cloned());
                    }
                }
                "user" | "agent" | "runs" | "prints" | "crunch" => history.push((key.clone(), text.clone())),
                "message" | "fills" | "concept" | "not" | "silent" => {}
                other => panic!("`{}`: what is `{other}`?", block.name),
            }
        }
        let [message] = block.all("message").try_into().unwrap_or_else(|_| panic!("`{}`: one message", block.name));
        let case = Self {
            name: block.name.clone(),
            history,
            message,
            fills: block.all("fills"),
            concepts: block.all("concept"),
            not: block.all("not"),
            silent: !block.all("silent").is_empty(),
        };
        case.says_what_it_could();
        case
    }

    /// A word that nobody said can neither come back nor fail to: such a case has a slip of the pen.
    fn says_what_it_could(&self) {
        let is_called = |pair: &[(String, String)]| pair[1].0 != "prints" || pair[0].0 == "runs";
        assert!(self.history.windows(2).all(is_called), "`{}`: what prints?", self.name);
        assert!(self.silent != (self.is_positive() || !self.not.is_empty()), "`{}`: words, or silence", self.name);
        let lost = self.history.iter().rposition(|(key, _)| key == "crunch").unwrap_or(0);
        let lost = self.history.get(..lost).unwrap_or_default();
        for words in &self.fills {
            let said = lost.iter().any(|(key, text)| key != "crunch" && text.contains(words.as_str()));
            assert!(said, "`{}`: `{words}` was not lost", self.name);
        }
        for words in &self.not {
            let said = self.history.iter().any(|(_, text)| text.contains(words.as_str()));
            assert!(said, "`{}`: `{words}` was never said", self.name);
        }
    }

    /// The messages between one compaction and the next, with the summary that came before them.
    fn stretches(&self) -> Vec<(Option<&str>, Vec<Message>)> {
        let mut out = vec![(None, Vec::new())];
        for (at, (key, text)) in self.history.iter().enumerate() {
            if key == "crunch" {
                out.push((Some(text.as_str()), Vec::new()));
            } else if let Some((_, messages)) = out.last_mut() {
                messages.push(message(key, text, at));
            }
        }
        out
    }

    fn turn(&self) -> Turn {
        let mut session = Session::new("understanding", Config::default()).unwrap();
        let stretches = self.stretches();
        let last = stretches.len() - 1;
        for (at, (summary, messages)) in stretches.into_iter().enumerate() {
            // What stays was said before the last compaction and survives it.
            let keep = if at == last { messages.len() } else { 0 };
            if at == last {
                session.extend(messages.clone());
            }
            match summary {
                Some("") => drop(session.crunch_to(keep)),
                Some(summary) => drop(session.crunch_with_summary(keep, summary)),
                None => {}
            }
            if at != last {
                session.extend(messages);
            }
        }
        session.extend([Message::text(Role::User, &self.message)])
    }
}

/// The message of a line at place `at`; what is printed answers the call on the line before.
fn message(key: &str, text: &str, at: usize) -> Message {
    match key {
        "user" => Message::text(Role::User, text),
        "agent" => Message::text(Role::Assistant, text),
        "runs" => {
            let input = serde_json::json!({ "command": text }).to_string();
            let call = Part::ToolCall { id: format!("call-{at}"), name: "Bash".into(), input };
            Message { parts: vec![call], ..Message::text(Role::Assistant, "") }
        }
        _ => {
            let result = Part::ToolResult { call: format!("call-{}", at - 1), text: text.to_owned(), error: false };
            Message { parts: vec![result], ..Message::text(Role::Tool, "") }
        }
    }
}

impl Case for Dialogue {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_positive(&self) -> bool {
        !self.fills.is_empty() || !self.concepts.is_empty()
    }

    fn is_negative(&self) -> bool {
        !self.is_positive()
    }

    fn try_out(&self) -> Vec<String> {
        let turn = self.turn();
        let contain = |words: &String| turn.fills.iter().any(|fill| fill.text.contains(words.as_str()));
        let is_gap = |name: &String| {
            let own = Concept::named(name).canonical;
            turn.gaps.iter().any(|gap| Concept::named(&gap.concept).canonical == own)
        };
        let mut wrong: Vec<String> = Vec::new();
        wrong.extend(self.fills.iter().filter(|words| !contain(words)).map(|words| format!("no fill has `{words}`")));
        wrong.extend(self.not.iter().filter(|words| contain(words)).map(|words| format!("a fill has `{words}`")));
        wrong.extend(self.concepts.iter().filter(|name| !is_gap(name)).map(|name| format!("`{name}` is no gap")));
        if self.silent && !(turn.gaps.is_empty() && turn.fills.is_empty()) {
            wrong.push("not silent".into());
        }
        if !wrong.is_empty() {
            wrong.push(format!("message: {:?}", self.message));
            for gap in &turn.gaps {
                let (concept, rule, score) = (&gap.concept, gap.evidence.rule, gap.evidence.score);
                wrong.push(format!("gap: {concept:?}, {rule:?} {score}, {}", gap.evidence.note));
            }
            wrong.extend(turn.fills.iter().map(|fill| format!("fill: {:?}", fill.text)));
        }
        wrong
    }
}
