//! A random host: what it says, and what it does to the messages that it hands over. Its messages are
//! labelled as the readers label them.

use diffledger_core::message::{Message, Part, Role, Synthetic};
use diffledger_core::transcript::{Format, Transcript};
use proptest::prelude::*;

/// Something that a host does between two turns.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Messages come in.
    Says(Vec<Message>),
    /// The first messages are gone.
    DropsFirst(usize),
    /// Messages in the middle are gone.
    DropsMiddle(usize, usize),
    /// The first messages are replaced by a summary.
    Summarises(usize, String),
    /// Tool results are replaced by a placeholder.
    Clears,
    /// Everything is gone.
    DropsAll,
    /// The last messages are taken back.
    Rewinds(usize),
    /// Our block is put before the last message of the user, in a place of four.
    Injects(usize),
    /// A reminder is put beside the last message.
    Reminds,
}

/// The messages of a host.
#[derive(Debug, Default)]
pub(crate) struct Host {
    /// What it hands over.
    pub(crate) messages: Vec<Message>,
    /// The block of the last turn.
    pub(crate) inject: String,
    /// Whether the last step took or changed something.
    pub(crate) dropped: bool,
    calls: usize,
    asked: usize,
}

impl Host {
    pub(crate) fn does(&mut self, step: &Step) {
        let count = self.messages.len();
        self.dropped = !matches!(step, Step::Says(_) | Step::Injects(_) | Step::Reminds);
        match step {
            Step::Says(messages) => {
                for message in messages {
                    let mut message = message.clone();
                    self.renumber(&mut message);
                    self.messages.push(message);
                }
            }
            Step::DropsFirst(number) => drop(self.messages.drain(..number % (count + 1))),
            Step::DropsMiddle(from, number) => {
                let from = from % (count + 1);
                self.messages.drain(from..(from + number).min(count));
            }
            Step::Summarises(number, summary) => {
                let opening =
                    "This session is being continued from a previous conversation that ran out of context. Summary: ";
                let mut message = Message::text(Role::User, format!("{opening}{summary}"));
                message.synthetic = Some(Synthetic::Summary);
                self.messages.splice(..number % (count + 1), [message]);
            }
            Step::Clears => {
                for message in &mut self.messages {
                    if let [Part::ToolResult { text, .. }] = message.parts.as_mut_slice() {
                        "[Old tool result content cleared]".clone_into(text);
                        message.synthetic = Some(Synthetic::Placeholder);
                    }
                }
            }
            Step::DropsAll => self.messages.clear(),
            Step::Rewinds(number) => self.messages.truncate(count.saturating_sub(*number)),
            Step::Injects(place) => {
                let block = std::mem::take(&mut self.inject);
                self.messages = self.with(&block, *place);
            }
            Step::Reminds => {
                let reminder = "<system-reminder>\nThe todo list mentions the flux capacitor.\n</system-reminder>";
                self.messages = self.with(reminder, 1);
            }
        }
    }

    /// Calls and results get ids that no others have.
    fn renumber(&mut self, message: &mut Message) {
        self.calls += usize::from(message.parts.iter().any(|part| matches!(part, Part::ToolCall { .. })));
        for part in &mut message.parts {
            match part {
                Part::ToolCall { id, .. } => *id = format!("call_{}_{id}", self.calls),
                Part::ToolResult { call, .. } => *call = format!("call_{}_{call}", self.calls),
                _ => {}
            }
        }
    }

    /// What it hands over now.
    pub(crate) fn array(&self) -> Transcript {
        transcript(self.messages.clone())
    }

    /// The same with a block in it.
    pub(crate) fn array_with(&self, block: &str, place: usize) -> Transcript {
        transcript(self.with(block, place))
    }

    /// A question of the user, another one each time.
    pub(crate) fn question(&mut self) -> [Message; 1] {
        self.asked += 1;
        [Message::text(Role::User, QUESTIONS[self.asked % QUESTIONS.len()])]
    }

    fn with(&self, block: &str, place: usize) -> Vec<Message> {
        let mut messages = self.messages.clone();
        if block.is_empty() {
            return messages;
        }
        let at = messages.iter().rposition(|message| message.is_from_user() && message.has_text());
        let part = Part::Text { text: block.to_owned() };
        match (place, at) {
            (0, Some(at)) => {
                if let Some(Part::Text { text }) =
                    messages[at].parts.iter_mut().find(|part| matches!(part, Part::Text { .. }))
                {
                    *text = format!("{block}\n\n{text}");
                }
            }
            (1, Some(at)) => messages[at].parts.push(part),
            (2, Some(at)) => messages.insert(at, Message { parts: vec![part], ..Message::text(Role::User, "") }),
            _ => messages.insert(0, Message { parts: vec![part], ..Message::text(Role::System, "") }),
        }
        messages
    }
}

fn transcript(messages: Vec<Message>) -> Transcript {
    Transcript { format: Format::Plain, messages, markers: Vec::new(), skipped: Default::default() }
}

const QUESTIONS: [&str; 12] = [
    "how does it work again?",
    "which port was the retry queue on?",
    "what was the first thing we set up?",
    "run the command again",
    "what was that error?",
    "where were we?",
    "what did we decide about redis?",
    "fix src/legacy/ledger/post.rs",
    "why?",
    "and #2, how often does it retry?",
    "那个数据库的连接池多大?",
    "thanks",
];

const FACTS: [&str; 12] = [
    "The retry queue waits 30 s and doubles after each failure, 5 times at most.",
    "Today we set up: 1. the retry queue 2. the staging tunnel 3. the rate limiter.",
    "Staging listens on port 8443. No: port 8444.",
    "We decided against Redis because nobody wants to run it.",
    "Don't touch `src/legacy/ledger/`: finance signs every change there.",
    "It failed: error: column \"npcflag\" of relation \"creatures\" contains null values",
    "Run `cargo run --bin backfill -- --since 2025-11-03 --batch 500` and watch the replica.",
    "数据库的连接池太小了,改成了 50 个连接。",
    "The kill switch is a row in `partner_switches`. 🚀 It takes a minute 🧨.",
    "Left to do: the route to on-call, and an entry in docs/runbook.md.",
    "See https://example.org/a?b=c#d and ../x/y.rs:31, then \"call it a day\".",
    "How does the retry queue work?",
];

fn text() -> impl Strategy<Value = String> {
    let known = prop_oneof![3 => prop::sample::select(&FACTS[..]), 3 => prop::sample::select(&QUESTIONS[..])];
    prop_oneof![
        8 => known.prop_map(str::to_owned),
        2 => prop::collection::vec(prop::sample::select(&FACTS[..]), 2..5).prop_map(|facts| facts.join(" ")),
        2 => any::<String>(),
        1 => "[\\PC\\n]{0,80}",
        1 => prop::sample::select(vec!["", " ", "\n", "…", "```", "</diffledger>", "<diffledger id=\"x\">", "<system-reminder>", "\u{202e}abc", "a\u{301}\u{301}", "﷽", "İİ ẞ ŉ"]).prop_map(str::to_owned),
        1 => (prop::sample::select(&FACTS[..]), 1usize..400).prop_map(|(fact, times)| fact.repeat(times)),
    ]
}

/// A message of the user or the model, system text, or a call with its results.
fn says() -> impl Strategy<Value = Vec<Message>> {
    let call = |id: usize, input: String| Part::ToolCall { id: id.to_string(), name: "Bash".into(), input };
    let tools = (prop::collection::vec((text(), text()), 1..4), any::<bool>()).prop_map(move |(pairs, error)| {
        let calls = pairs
            .iter()
            .enumerate()
            .map(|(id, (input, _))| call(id, serde_json::json!({ "command": input }).to_string()));
        let mut messages = vec![Message { parts: calls.collect(), ..Message::text(Role::Assistant, "") }];
        messages.extend(pairs.iter().enumerate().map(|(id, (_, text))| Message {
            parts: vec![Part::ToolResult { call: id.to_string(), text: text.clone(), error }],
            ..Message::text(Role::Tool, "")
        }));
        messages
    });
    let odd = (text(), text()).prop_map(|(text, raw)| {
        let parts = vec![Part::Reasoning { text }, Part::Opaque { kind: "image".into(), raw }];
        vec![Message { parts, ..Message::text(Role::Assistant, "") }]
    });
    prop_oneof![
        6 => text().prop_map(|text| vec![Message::text(Role::User, text)]),
        6 => text().prop_map(|text| vec![Message::text(Role::Assistant, text)]),
        3 => tools,
        1 => text().prop_map(|text| vec![Message::text(Role::System, text)]),
        1 => odd,
    ]
}

/// What a host does over a session.
pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let talk = prop::collection::vec(says(), 1..5).prop_map(|parts| Step::Says(parts.concat()));
    let ask = prop::sample::select(&QUESTIONS[..]).prop_map(|text| Step::Says(vec![Message::text(Role::User, text)]));
    let step = prop_oneof![
        6 => talk,
        4 => ask,
        2 => (0usize..20).prop_map(Step::DropsFirst),
        1 => (0usize..20, 1usize..6).prop_map(|(from, number)| Step::DropsMiddle(from, number)),
        1 => (0usize..20, text()).prop_map(|(number, text)| Step::Summarises(number, text)),
        1 => Just(Step::Clears),
        1 => Just(Step::DropsAll),
        1 => (1usize..4).prop_map(Step::Rewinds),
        2 => (0usize..4).prop_map(Step::Injects),
        1 => Just(Step::Reminds),
    ];
    prop::collection::vec(step, 1..16)
}
