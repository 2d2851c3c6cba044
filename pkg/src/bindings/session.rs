//! `Session`: one call a turn, for a host that holds its messages in an array.

mod kept;

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;

use diffledger_core::config::Config;
use diffledger_core::crunch::Crunch;
use diffledger_core::error::ErrorKind;
use diffledger_core::json::{ToJson, Writer};
use diffledger_core::session::{self as core, Outside, Step};
use diffledger_core::skipped::Skipped;
use diffledger_core::transcript::Transcript;
use diffledger_core::turn::Turn;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use self::kept::Slots;
use super::convert::{Fields, Handed, out, text};
use super::failure::Failure;
use super::ledger::crunch_id;
use super::options::{LIMITS, limits};
use super::outside::{Model, Texts};
use super::queue::Queue;
use super::{later, wait};
use crate::shape::{CrunchShape, LookShape, SummaryShape, TurnShape, entries};

/// Messages that are learnt at a stretch: some ten milliseconds, so that a page stays alive.
const PART: usize = 64;

struct Inner {
    id: String,
    config: Config,
    session: RefCell<Option<core::Session>>,
    slots: Option<Slots>,
    is_loaded: Cell<bool>,
    model: Option<Model>,
    texts: Option<Texts>,
    queue: Queue,
}

/// One conversation with an agent. See the package's README.
#[wasm_bindgen]
pub struct Session {
    inner: Rc<Inner>,
}

/// What a call does when its turn has come.
type Work = dyn FnOnce(Rc<Inner>, Call) -> Pin<Box<dyn Future<Output = Result<JsValue, Failure>>>>;

/// How a call is made.
#[derive(Default)]
struct Call {
    signal: Option<AbortSignal>,
    on_progress: Option<Function>,
}

impl Call {
    fn read(options: &JsValue) -> Result<Self, Failure> {
        let fields = Fields::read(options, "the options of the call", &["signal", "onProgress"])?;
        Ok(Self { signal: fields.signal()?, on_progress: fields.function("onProgress")? })
    }

    fn progress(&self, stage: &str, done: usize, total: usize) -> Result<(), Failure> {
        let Some(listener) = &self.on_progress else { return Ok(()) };
        let report = Object::new();
        let fields: [(&str, JsValue); 3] =
            [("stage", stage.into()), ("done", (done as f64).into()), ("total", (total as f64).into())];
        for (name, value) in fields {
            let _ = Reflect::set(&report, &name.into(), &value);
        }
        listener
            .call1(&JsValue::UNDEFINED, &report)
            .map(drop)
            .map_err(|cause| Failure::because(ErrorKind::CallbackFailed, "the listener `onProgress` threw", cause))
    }
}

/// What a conversation taught, without an answer.
struct Learnt<'a> {
    /// How many messages were new.
    messages: usize,
    crunch: Option<&'a Crunch>,
    skipped: &'a Skipped,
}

impl ToJson for Learnt<'_> {
    fn to_json(&self, to: &mut Writer) {
        to.object()
            .field("messages", &self.messages)
            .field("crunch", &self.crunch.map(CrunchShape))
            .field("skipped", self.skipped)
            .end();
    }
}

impl Inner {
    fn with<T>(&self, use_it: impl FnOnce(&mut core::Session) -> T) -> Result<T, Failure> {
        match self.session.borrow_mut().as_mut() {
            Some(session) => Ok(use_it(session)),
            None => Err(Failure::new(ErrorKind::Disposed, "the session was disposed of")),
        }
    }

    fn outside(&self) -> Outside {
        Outside { model: self.model.is_some(), stores: self.texts.is_some() }
    }

    /// Learns a long conversation that is new here piece by piece, so that others can run, and stop it.
    /// What was learnt until then stays, and is not learnt twice.
    async fn learn_parts(&self, transcript: &Transcript, call: &Call) -> Result<(), Failure> {
        let total = transcript.messages.len();
        call.progress("learning", 0, total)?;
        let is_new = self.with(|session| session.log().atoms().is_empty())?;
        if !is_new || total <= PART {
            return Ok(());
        }
        for from in (0..total).step_by(PART) {
            let end = total.min(from + PART);
            self.with(|session| session.learn_part(transcript, from..end))?;
            call.progress("learning", end, total)?;
            wait(0).await;
            if call.signal.as_ref().is_some_and(AbortSignal::aborted) {
                return Err(Failure::new(ErrorKind::Aborted, "the call was called off while it learnt"));
            }
        }
        Ok(())
    }

    /// Asks outside what the steps want to know, until the turn is there.
    async fn finish(&self, mut step: Step, call: &Call) -> Result<Turn, Failure> {
        loop {
            step = match step {
                Step::Done(turn) => return Ok(*turn),
                Step::Model(question) => {
                    call.progress("model", 0, 1)?;
                    let Some(model) = &self.model else { return Err(no_outside()) };
                    let answer = model.ask(question.request(), question.choices(), call.signal.as_ref()).await?;
                    call.progress("model", 1, 1)?;
                    self.with(|session| session.model_answered(question, answer))?
                }
                Step::Stores(question) => {
                    let Some(texts) = &self.texts else { return Err(no_outside()) };
                    let queries: Vec<String> = question.queries().into_iter().map(str::to_owned).collect();
                    let mut answers = Vec::with_capacity(queries.len());
                    for (at, query) in queries.iter().enumerate() {
                        call.progress("recall", at, queries.len())?;
                        answers.push(texts.search(query, call.signal.as_ref()).await?);
                    }
                    call.progress("recall", queries.len(), queries.len())?;
                    return self.with(|session| session.stores_answered(question, answers));
                }
            };
        }
    }
}

fn no_outside() -> Failure {
    Failure::new(ErrorKind::InvalidInput, "the turn asks for what was not given")
}

impl Session {
    /// Runs `work` when all calls before it are through.
    fn queued<F>(&self, call: Result<Call, Failure>, work: impl FnOnce(Rc<Inner>, Call) -> F + 'static) -> Promise
    where
        F: Future<Output = Result<JsValue, Failure>> + 'static,
    {
        self.enqueue(call, Box::new(|inner, call| Box::pin(work(inner, call))))
    }

    /// Boxed, so that the waiting is compiled once.
    fn enqueue(&self, call: Result<Call, Failure>, work: Box<Work>) -> Promise {
        let inner = Rc::clone(&self.inner);
        let mut place = inner.queue.place();
        later(async move {
            let call = call?;
            place.wait(call.signal.as_ref()).await?;
            work(inner, call).await
        })
    }
}

#[wasm_bindgen]
impl Session {
    /// An empty session, or what its store holds once it is first used.
    ///
    /// # Errors
    /// `invalidSessionId`, `invalidOption`, `invalidInput`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Session, Failure> {
        let mut known = LIMITS.to_vec();
        known.extend(["id", "store", "model", "recall"]);
        let fields = Fields::read(options, "the options of Session", &known)?;
        let id = fields.text("id")?.ok_or_else(|| {
            Failure::new(ErrorKind::InvalidSessionId, "the session has no id: `new Session({ id: \"my-session\" })`")
        })?;
        let mut config = limits(&fields)?;
        let model = Model::read(fields.get("model")?.as_ref())?;
        let texts = Texts::read(fields.get("recall")?.as_ref())?;
        config.external = texts.is_some();
        let session = core::Session::new(&id, config.clone())?;
        let slots = fields.get("store")?.map(|store| Slots::new(&store, &id)).transpose()?;
        let session = RefCell::new(Some(session));
        let (is_loaded, queue) = (Cell::new(false), Queue::default());
        Ok(Self { inner: Rc::new(Inner { id, config, session, slots, is_loaded, model, texts, queue }) })
    }

    /// The session's id.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn id(&self) -> String {
        self.inner.id.clone()
    }

    /// The ledger's entries, in order of first mention.
    ///
    /// # Errors
    /// `disposed`.
    #[wasm_bindgen(getter)]
    pub fn entries(&self) -> Result<JsValue, Failure> {
        self.inner.with(|session| out(&entries(session.ledger().entries(), session.ledger())))?
    }

    /// Counts, for a status line.
    ///
    /// # Errors
    /// `disposed`.
    pub fn summary(&self) -> Result<JsValue, Failure> {
        self.inner.with(|session| out(&SummaryShape(session.ledger().summary())))?
    }

    /// One turn with the whole conversation as it is now.
    pub fn turn(&self, messages: &JsValue, options: &JsValue) -> Promise {
        let handed = Handed::take(messages);
        self.queued(Call::read(options), |inner, call| async move {
            inner.loaded().await?;
            let transcript = handed?.read()?;
            inner.learn_parts(&transcript, &call).await?;
            let outside = inner.outside();
            let step = inner.with(|session| session.begin(&transcript, outside))?;
            call.progress("learning", transcript.messages.len(), transcript.messages.len())?;
            let turn = inner.finish(step, &call).await?;
            let message = inner.with(|session| session.waiting_text())?.unwrap_or_default();
            out(&TurnShape { turn: &turn, message: &message })
        })
    }

    /// Learns the conversation as it is now, and answers nothing.
    pub fn learn(&self, messages: &JsValue, options: &JsValue) -> Promise {
        let handed = Handed::take(messages);
        self.queued(Call::read(options), |inner, call| async move {
            inner.loaded().await?;
            let transcript = handed?.read()?;
            let known = inner.with(|session| session.log().atoms().len())?;
            inner.learn_parts(&transcript, &call).await?;
            let (messages, crunch) = inner.with(|session| {
                let crunch = session.learn(&transcript);
                (session.log().atoms().len() - known, crunch)
            })?;
            call.progress("learning", transcript.messages.len(), transcript.messages.len())?;
            out(&Learnt { messages, crunch: crunch.as_ref(), skipped: &transcript.skipped })
        })
    }

    /// One turn with a message that stands in no array.
    pub fn tell(&self, message: &JsValue, options: &JsValue) -> Promise {
        let message = text(message, "the message");
        self.queued(Call::read(options), |inner, call| async move {
            let message = message?;
            inner.loaded().await?;
            let outside = inner.outside();
            let step = inner.with(|session| session.tell(&message, outside))?;
            let turn = inner.finish(step, &call).await?;
            out(&TurnShape { turn: &turn, message: &message })
        })
    }

    /// Says that the fills of a turn were put where the messages do not show them.
    ///
    /// # Errors
    /// `invalidInput`, `disposed`.
    pub fn injected(&self, turn: &JsValue) -> Result<(), Failure> {
        let id = turn.as_f64().filter(|id| id.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(id));
        let Some(id) = id else {
            let message = format!("`injected` takes the id of a turn, not {}", super::convert::described(turn));
            return Err(Failure::new(ErrorKind::InvalidInput, message));
        };
        self.inner.with(|session| session.injected(id as u32))
    }

    /// A compaction by hand.
    pub fn crunch(&self, options: &JsValue) -> Promise {
        let asked = (|| -> Result<_, Failure> {
            let fields = Fields::read(options, "the options of crunch", &["keep", "summary"])?;
            Ok((fields.count("keep")?.unwrap_or(0), fields.text("summary")?))
        })();
        self.queued(Ok(Call::default()), |inner, _| async move {
            let (keep, summary) = asked?;
            inner.loaded().await?;
            let crunch = inner.with(|session| match &summary {
                Some(summary) => session.crunch_with_summary(keep as usize, summary),
                None => session.crunch_to(keep as usize),
            })?;
            out(&CrunchShape(&crunch))
        })
    }

    /// Declares all lost, until the next messages bring back what they hold.
    #[wasm_bindgen(js_name = markAllStale)]
    pub fn mark_all_stale(&self, crunch: &JsValue) -> Promise {
        let id = crunch_id(crunch);
        self.queued(Ok(Call::default()), |inner, _| async move {
            let id = id?;
            inner.loaded().await?;
            inner.with(|session| session.mark_all_stale(id.as_deref()))?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// What a message would need now, without recording anything.
    ///
    /// # Errors
    /// `invalidInput`, `tooLarge`, `disposed`.
    pub fn look(&self, message: &JsValue) -> Result<JsValue, Failure> {
        let message = text(message, "the message")?;
        self.inner.with(|session| out(&LookShape { look: &session.look(&message), message: &message }))?
    }

    /// Loads what the store holds, in place of what is here.
    pub fn load(&self) -> Promise {
        self.queued(Ok(Call::default()), |inner, _| async move {
            inner.load().await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Writes the session into its store.
    pub fn save(&self) -> Promise {
        self.queued(Ok(Call::default()), |inner, _| async move {
            inner.save().await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Forgets the session, log and all, in the store too.
    pub fn purge(&self) -> Promise {
        self.queued(Ok(Call::default()), |inner, _| async move {
            inner.purge().await?;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Frees the memory; every later call fails with the code `disposed`.
    pub fn dispose(&self) {
        *self.inner.session.borrow_mut() = None;
    }
}
