//! Long conversations to measure with: the same on every run and target, and shaped like real ones.
//!
//! A topic is talked of for a dozen messages and then left; every message has words of its own topic,
//! names in code, numbers, and common words, a few of them often and most of them rarely. The window
//! is compacted as it fills, so that a long log stands behind a short window.

use diffledger_core::config::Config;
use diffledger_core::message::{Message, Part, Role};
use diffledger_core::session::Session;
use diffledger_core::transcript::{Format, Transcript};
use diffledger_core::turn::Turn;

/// Messages in the array that a host hands over.
pub const WINDOW: usize = 200;

/// Messages about one topic.
const PER_TOPIC: u32 = 12;

/// What a message refers to, by the way it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// It names a lost topic.
    Named,
    /// By the kind of thing: "which port".
    Typed,
    /// "how does it work again?"
    Pronoun,
    /// "the second thing we set up"
    Ordinal,
    /// "where were we?"
    Session,
    /// Something never talked of.
    Nothing,
    /// A pasted text of 1 000 characters.
    Long,
}

impl Asks {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Named, Self::Typed, Self::Pronoun, Self::Ordinal, Self::Session, Self::Nothing, Self::Long];

    /// The `number`th message of this sort; each number gives another text.
    #[must_use]
    pub fn text(self, number: u32) -> String {
        match self {
            Self::Named => format!("how does the {} work again? ({number})", topic(number)),
            Self::Typed => format!("which port was the {} on, for note {number}?", topic(number)),
            Self::Pronoun => format!("{} how does it work again?", "so ".repeat(number as usize % 5 + 1)),
            Self::Ordinal => format!("for wiki page {number}: what was the second thing we set up?"),
            Self::Session => format!("back after {number} minutes. where were we?"),
            Self::Nothing => format!("write a haiku about spring with {number} lines"),
            Self::Long => thousand(number),
        }
    }
}

/// A session with a long log and [`WINDOW`] messages in its window, and the array of them.
#[derive(Debug)]
pub struct LongSession {
    /// The session.
    pub session: Session,
    base: Transcript,
}

impl LongSession {
    /// A session with `atoms` messages in its log.
    ///
    /// # Panics
    /// Never: the session's id and options are fixed.
    #[must_use]
    pub fn new(atoms: u32) -> Self {
        let mut session = Session::new("workload", Config::default()).expect("fixed and valid");
        let step = WINDOW as u32;
        for from in (0..atoms).step_by(WINDOW) {
            session.extend((from..atoms.min(from + step)).map(message));
            session.crunch_to(WINDOW);
        }
        let window = session.log().view().iter().filter_map(|seq| session.log().atom(*seq));
        let base = as_transcript(window.map(|atom| atom.message.clone()).collect());
        Self { session, base }
    }

    /// The array as a host hands it over: the window, and a new message of the user.
    #[must_use]
    pub fn array(&self, text: &str) -> Transcript {
        let mut array = self.base.clone();
        array.messages.push(Message::text(Role::User, text));
        array
    }

    /// The turn with that array.
    pub fn turn(&mut self, array: &Transcript) -> Turn {
        self.session.turn(array)
    }

    /// Takes the last message back, so that the next turn finds the same window.
    pub fn take_back(&mut self) {
        self.session.turn(&self.base);
    }
}

/// The JSON of an array of [`WINDOW`] messages, as hosts hold it.
#[must_use]
pub fn array_json() -> String {
    let items = (0..WINDOW as u32).map(|at| {
        let message = message(at);
        let role = if message.role == Role::User { "user" } else { "assistant" };
        serde_json::json!({ "role": role, "content": message.visible() })
    });
    serde_json::Value::Array(items.collect()).to_string()
}

/// A message of about 1 000 characters, mostly new.
#[must_use]
pub fn thousand(number: u32) -> String {
    let mut words = Words::new(number ^ 0x5eed);
    let mut text = String::new();
    while text.len() < 1000 {
        text.push_str(&sentence(&mut words, &topic(number / PER_TOPIC)));
    }
    text.truncate(1000);
    text
}

fn as_transcript(messages: Vec<Message>) -> Transcript {
    Transcript { format: Format::Plain, messages, markers: Vec::new(), skipped: Default::default() }
}

/// The message at a place of the conversation: user, assistant with a call, result, assistant.
#[must_use]
pub fn message(at: u32) -> Message {
    let mut words = Words::new(at);
    let topic = topic(at / PER_TOPIC);
    let sentences = |words: &mut Words, count| (0..count).map(|_| sentence(words, &topic)).collect::<String>();
    match at % 4 {
        0 => Message::text(Role::User, format!("let's look at the {topic}. {}", sentences(&mut words, 1))),
        1 => {
            let input =
                serde_json::json!({ "command": format!("cargo run --bin {} -- --level {}", words.name(), at % 97) });
            let call = Part::ToolCall { id: format!("call_{at}"), name: "Bash".into(), input: input.to_string() };
            let text = Part::Text { text: sentences(&mut words, 1) };
            Message { parts: vec![text, call], ..Message::text(Role::Assistant, "") }
        }
        2 => {
            let text = (0..6).map(|line| format!("src/{}.rs:{line}: let {} = {};\n", words.word(), words.name(), at));
            let result = Part::ToolResult { call: format!("call_{}", at - 1), text: text.collect(), error: false };
            Message { parts: vec![result], ..Message::text(Role::Tool, "") }
        }
        _ => Message::text(Role::Assistant, sentences(&mut words, 4)),
    }
}

/// The name of a topic: three words, mostly shared with other topics.
fn topic(number: u32) -> String {
    let mut words = Words::new(number.wrapping_mul(7919) ^ 0xbeef);
    format!(
        "{} {} {}",
        words.word(),
        words.word(),
        ["queue", "tunnel", "index", "cache", "parser"][number as usize % 5]
    )
}

fn sentence(words: &mut Words, topic: &str) -> String {
    let number = words.below(9000) + 1000;
    match words.below(4) {
        0 => format!("The {topic} listens on port {number} and keeps every {} for {} s. ", words.word(), number % 60),
        1 => format!("We decided that `{}` has to {} the {} first. ", words.name(), words.word(), words.word()),
        2 => format!("See src/{}/{}.rs for the {} of the {}. ", words.word(), words.word(), words.word(), words.word()),
        _ => format!("It failed with {number} because the {} was {} by the {topic}. ", words.word(), words.word()),
    }
}

/// A small generator of words (xorshift); the seed decides everything.
struct Words(u32);

impl Words {
    fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9) | 1)
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) % limit
    }

    /// One of 4 096 words; the first ones come up far more often.
    fn word(&mut self) -> String {
        let rank = (self.below(4096) * self.below(4096)) >> 12;
        let syllables = [
            "ba", "cor", "den", "fi", "gul", "han", "jo", "kel", "lum", "mir", "nos", "pra", "qui", "ras", "tev", "wyn",
        ];
        [8, 4, 0].iter().map(|shift| syllables[(rank >> shift) as usize & 15]).collect()
    }

    /// A name in code, often new.
    fn name(&mut self) -> String {
        format!("{}_{}{}", self.word(), self.word(), self.below(50))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_names_a_lost_topic_is_filled_and_taking_it_back_makes_room_for_the_next() {
        let mut long = LongSession::new(1000);
        assert_eq!(long.session.log().view().len(), WINDOW);
        for number in 0..3 {
            let array = long.array(&Asks::Named.text(number));
            let turn = long.turn(&array);
            assert!(turn.crunch.is_none() && !turn.fills.is_empty(), "{turn:?}");
            long.take_back();
            assert_eq!(long.session.log().view().len(), WINDOW);
        }
    }

    #[test]
    fn a_message_about_nothing_lost_gets_nothing() {
        let mut long = LongSession::new(400);
        let array = long.array(&Asks::Nothing.text(5));
        assert_eq!(long.turn(&array).inject, "");
    }
}
