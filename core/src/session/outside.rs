//! A turn for which something outside is asked: a model, stores of texts.
//!
//! The core fetches nothing. A step either is the turn, or says what is to be asked; the caller asks,
//! hands in the answers, and gets the next step. Nothing is borrowed in between. When the outside
//! fails, the built-in answer stands and the turn says why; a caller that gives up drops the call,
//! and the next turn begins anew with nothing lost.

use super::Session;
use super::answer::Open;
use crate::error::{Error, ErrorInfo, ErrorKind};
use crate::fill;
use crate::gap::Status;
use crate::look::{Look, look, look_at};
use crate::prompt::{Answer, Request};
use crate::resolve::Question;
use crate::resolve::model::{self, Asked};
use crate::skipped::Skipped;
use crate::transcript::Transcript;
use crate::turn::Turn;

/// What a session may ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// A model, which lost things a message means.
    pub model: bool,
    /// Stores, for texts that the log does not have.
    pub stores: bool,
}

/// What comes next in a turn.
#[derive(Debug)]
pub enum Step {
    /// Nothing: this is the turn.
    Done(Box<Turn>),
    /// A model is asked, then [`Session::model_answered`].
    Model(ModelCall),
    /// Stores are asked, then [`Session::stores_answered`].
    Stores(StoresCall),
}

/// A question for a model.
#[derive(Debug)]
pub struct ModelCall {
    asked: Asked,
    open: Open,
    outside: Outside,
}

impl ModelCall {
    /// What is sent.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.asked.request
    }

    /// How many entries the list has: what the answer is read against.
    #[must_use]
    pub fn choices(&self) -> u32 {
        self.asked.choices()
    }
}

/// Questions for stores.
#[derive(Debug)]
pub struct StoresCall {
    look: Look,
    /// The gaps that are asked about.
    places: Vec<usize>,
    open: Open,
}

impl StoresCall {
    /// What is searched for, a query each.
    #[must_use]
    pub fn queries(&self) -> Vec<&str> {
        self.places.iter().filter_map(|at| self.look.gaps.get(*at)).map(|gap| gap.concept.as_str()).collect()
    }
}

/// A text that a store found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// The text, verbatim.
    pub text: String,
    /// The store's id of it.
    pub id: Option<String>,
}

/// What one query brought, best first.
pub type Answered = Result<Vec<Recalled>, Error>;

impl Session {
    /// One turn, as [`Session::turn`], for which something outside may be asked.
    pub fn begin(&mut self, transcript: &Transcript, outside: Outside) -> Step {
        self.hear(transcript);
        match self.open(transcript.skipped.clone()) {
            Ok(open) => self.ask(open, outside),
            Err(turn) => Step::Done(turn),
        }
    }

    /// What a message needs that stands in no array: fills are recorded as put in front of the agent,
    /// and the turn advances. For hosts that hand over one message at a time.
    pub fn tell(&mut self, message: &str, outside: Outside) -> Step {
        let open = Open { atom: None, text: message.to_owned(), skipped: Skipped::default(), degraded: Vec::new() };
        self.ask(open, outside)
    }

    fn ask(&mut self, open: Open, outside: Outside) -> Step {
        let view = self.view(open.atom);
        let question = Question::new(&open.text);
        let asked = if outside.model { model::ask(&question, view) } else { None };
        match asked {
            Some(asked) => Step::Model(ModelCall { asked, open, outside }),
            None => {
                let look = look(&open.text, view);
                self.search_stores(open, look, outside)
            }
        }
    }

    /// Goes on with a model's answer, or without it.
    pub fn model_answered(&mut self, call: ModelCall, answer: Result<Answer, Error>) -> Step {
        let ModelCall { asked, mut open, outside } = call;
        let view = self.view(open.atom);
        let look = match answer {
            Ok(answer) => {
                let question = Question::new(&open.text);
                look_at(model::chosen(&question, view, &asked, &answer), &question, view)
            }
            Err(error) => {
                open.degraded.push(error.info());
                look(&open.text, view)
            }
        };
        self.search_stores(open, look, outside)
    }

    /// Asks the stores for gaps that nothing here can fill, as many as the turn has room for.
    fn search_stores(&mut self, open: Open, look: Look, outside: Outside) -> Step {
        let filled = look.fills.iter().flatten().count();
        let room = (self.ledger.config().gap_max as usize).saturating_sub(filled);
        let has_no_text = |error: &Option<ErrorInfo>| {
            error.as_ref().is_some_and(|info| matches!(info.code, ErrorKind::NothingFound | ErrorKind::Forgotten))
        };
        let open_gaps = look.gaps.iter().enumerate().filter(|(_, gap)| has_no_text(&gap.error));
        let places: Vec<usize> = open_gaps.map(|(at, _)| at).take(room).collect();
        if !outside.stores || places.is_empty() {
            return Step::Done(Box::new(self.conclude(open, look)));
        }
        Step::Stores(StoresCall { look, places, open })
    }

    /// Goes on with what the stores answered, query by query; a query without an answer counts as one
    /// that found nothing.
    pub fn stores_answered(&mut self, call: StoresCall, answers: Vec<Answered>) -> Turn {
        let StoresCall { mut look, places, mut open } = call;
        let config = self.ledger.config();
        let (limit, budget) = (config.fill_chars as usize, config.fill_tokens);
        let mut tokens: u32 = look.fills.iter().flatten().map(|fill| fill.tokens).sum();
        for (place, answer) in places.into_iter().zip(answers) {
            let (Some(gap), Some(slot)) = (look.gaps.get_mut(place), look.fills.get_mut(place)) else { continue };
            match answer {
                Ok(found) => {
                    let fills =
                        found.into_iter().filter_map(|one| fill::remote(&gap.concept, &one.text, one.id, limit));
                    let Some(fill) = fills.into_iter().find(|fill| tokens + fill.tokens <= budget) else { continue };
                    tokens += fill.tokens;
                    (gap.status, gap.error) = (Status::Filled, None);
                    *slot = Some(fill);
                }
                Err(error) => {
                    gap.error = Some(error.info());
                    if !open.degraded.contains(&error.info()) {
                        open.degraded.push(error.info());
                    }
                }
            }
        }
        self.conclude(open, look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::gap::EvidenceRule;
    use crate::message::{Message, Role};

    const BOTH: Outside = Outside { model: true, stores: true };

    fn session() -> Session {
        let mut session = Session::new("outside", Config { external: true, ..Config::default() }).unwrap();
        session.extend([
            Message::text(Role::User, "Set up the retry queue and the rate limiter."),
            Message::text(Role::Assistant, "The retry queue waits 30 s. The rate limiter allows 80 requests."),
        ]);
        session.crunch_all();
        session
    }

    fn failed(kind: ErrorKind) -> Error {
        Error::new(kind, "it is down")
    }

    fn model(step: Step) -> ModelCall {
        match step {
            Step::Model(call) => call,
            other => panic!("no question for a model: {other:?}"),
        }
    }

    fn stores(step: Step) -> StoresCall {
        match step {
            Step::Stores(call) => call,
            other => panic!("no question for stores: {other:?}"),
        }
    }

    fn done(step: Step) -> Turn {
        match step {
            Step::Done(turn) => *turn,
            other => panic!("not done: {other:?}"),
        }
    }

    #[test]
    fn a_model_that_is_down_leaves_the_built_in_answer_and_a_reason() {
        let built_in = done(session().tell("how does the retry queue work?", Outside::default()));
        let mut session = session();
        let call = model(session.tell("how does the retry queue work?", Outside { model: true, stores: false }));
        let turn = done(session.model_answered(call, Err(failed(ErrorKind::Unreachable))));
        assert_eq!(turn.fills, built_in.fills);
        assert!(!turn.fills.is_empty() && built_in.degraded.is_empty());
        assert_eq!(turn.degraded[0].code, ErrorKind::Unreachable);
    }

    #[test]
    fn a_model_chooses_from_what_was_lost() {
        let mut session = session();
        let call = model(session.tell("does it hold under load?", Outside { model: true, stores: false }));
        let at = call.request().prompt.lines().find(|line| line.contains("\"rate limiter\"")).unwrap();
        let number: u32 = at.split('.').next().unwrap().parse().unwrap();
        let answer = Answer { references: vec![number], concepts: vec![] };
        let turn = done(session.model_answered(call, Ok(answer)));
        assert_eq!((turn.gaps[0].concept.as_str(), turn.gaps[0].evidence.rule), ("rate limiter", EvidenceRule::Model));
        assert!(turn.fills[0].text.contains("80 requests"), "{turn:?}");
    }

    #[test]
    fn a_model_that_chooses_nothing_makes_silence() {
        let mut session = session();
        let call = model(session.tell("why?", Outside { model: true, stores: false }));
        assert_eq!(done(session.model_answered(call, Ok(Answer::default()))).gaps, []);
    }

    #[test]
    fn thanks_ask_no_model_and_no_store() {
        assert_eq!(done(session().tell("ok, thanks", BOTH)).gaps, []);
    }

    #[test]
    fn what_was_never_told_is_asked_of_the_stores_and_comes_back_bounded() {
        let mut session = session();
        let call = stores(session.tell("what is the flux capacitor?", Outside { model: false, stores: true }));
        assert_eq!(call.queries(), ["flux capacitor"]);
        let text = format!("The flux capacitor needs 1.21 gigawatts. {}", "More words follow here. ".repeat(50));
        let turn = session.stores_answered(call, vec![Ok(vec![Recalled { text, id: Some("a1".into()) }])]);
        assert_eq!(turn.gaps[0].status, Status::Filled);
        assert!(turn.fills[0].text.starts_with("The flux capacitor needs 1.21 gigawatts."));
        assert!(turn.fills[0].cut && turn.fills[0].text.chars().count() <= 300);
        assert_eq!(turn.fills[0].source.id.as_deref(), Some("a1"));
        assert!(session.ledger().is_known("flux capacitor"));
    }

    #[test]
    fn a_store_that_is_down_is_a_gap_with_the_error_and_not_silence() {
        let mut session = session();
        let call = stores(session.tell("what is the flux capacitor?", Outside { model: false, stores: true }));
        let turn = session.stores_answered(call, vec![Err(failed(ErrorKind::Timeout))]);
        assert_eq!(
            (turn.gaps[0].status, turn.gaps[0].error.as_ref().unwrap().code),
            (Status::Open, ErrorKind::Timeout)
        );
        assert_eq!(turn.degraded.len(), 1);
    }

    #[test]
    fn what_was_told_is_not_told_again_for_another_word_of_it() {
        let mut session = session();
        let first = done(session.tell("how long does the retry queue wait?", Outside::default()));
        assert!(first.fills[0].text.contains("The retry queue waits 30 s."));
        let second = done(session.tell("what was it with the 30 s?", Outside::default()));
        assert!(second.fills.is_empty(), "{second:?}");
    }

    #[test]
    fn a_call_that_is_given_up_loses_no_crunch() {
        let read = |text: &str| crate::transcript::read(text.as_bytes()).unwrap();
        let mut session = Session::new("outside", Config::default()).unwrap();
        session.turn(&read(r#"[{"role":"user","content":"The retry queue waits 30 s."},{"role":"assistant","content":"Noted."},{"role":"user","content":"The parser is next."},{"role":"assistant","content":"The parser reads lines."}]"#));
        let after = read(
            r#"[{"role":"user","content":"The parser is next."},{"role":"assistant","content":"The parser reads lines."},{"role":"user","content":"how does the retry queue work?"}]"#,
        );
        drop(model(session.begin(&after, BOTH)));
        let turn = session.turn(&after);
        assert!(turn.crunch.is_some() && !turn.fills.is_empty(), "{turn:?}");
        assert_eq!(session.turn(&after), turn);
    }
}
