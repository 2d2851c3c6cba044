//! What may be asked outside: a model, and stores of texts; each a client of ours or the caller's own
//! function.

use diffledger_core::error::{Error, ErrorKind};
use diffledger_core::prompt::{Answer, Request, read_answer, read_envelope};
use diffledger_core::session::Recalled;
use js_sys::{Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::convert::{Fields, described, items, out, said, text};
use super::failure::Failure;
use crate::http::watch::{Stop, Watch, promised};
use crate::http::{Endpoint, Service};
use crate::ollama::{self, Ollama};
use crate::recall::{self, Recall};

/// What reads a message for the built-in rules.
#[derive(Clone)]
pub(crate) enum Model {
    Ollama(Ollama),
    Own(Function),
}

/// What has texts that the log does not have.
#[derive(Clone)]
pub(crate) enum Texts {
    Recall(Recall),
    Own(Function),
}

impl Model {
    /// From an options object or a function; `None` for nothing at all.
    pub(crate) fn read(value: Option<&JsValue>) -> Result<Option<Self>, Failure> {
        let Some(value) = value else { return Ok(None) };
        if let Some(own) = value.dyn_ref::<Function>() {
            return Ok(Some(Self::Own(own.clone())));
        }
        ollama(value).map(|ollama| Some(Self::Ollama(ollama)))
    }

    /// What it chooses. The outer failure ends the call, the inner error leaves the built-in answer.
    pub(crate) async fn ask(
        &self,
        request: &Request,
        choices: u32,
        signal: Option<&AbortSignal>,
    ) -> Result<Result<Answer, Error>, Failure> {
        let answer = match self {
            Self::Ollama(ollama) => {
                ollama.generate(request, signal).await.and_then(|body| read_envelope(&body, choices))
            }
            Self::Own(own) => {
                let question = out(request)?;
                let answer = call(own, &question, None, ollama::SERVICE.timeout_ms, signal).await;
                answer.and_then(|value| {
                    let text = text(&value, "the answer").map_err(|_| foreign("model", "a string", &value))?;
                    read_answer(&text, choices)
                })
            }
        };
        unless_aborted(answer)
    }
}

impl Texts {
    /// From an options object or a function; `None` for nothing at all.
    pub(crate) fn read(value: Option<&JsValue>) -> Result<Option<Self>, Failure> {
        let Some(value) = value else { return Ok(None) };
        if let Some(own) = value.dyn_ref::<Function>() {
            return Ok(Some(Self::Own(own.clone())));
        }
        let fields = Fields::read(value, "the option `recall`", &["url", "key", "topK", "timeout"])?;
        let mut recall = Recall::at(endpoint(&recall::SERVICE, &fields)?);
        if let Some(top_k) = fields.count("topK")? {
            recall = recall.with_top_k(top_k)?;
        }
        Ok(Some(Self::Recall(recall)))
    }

    /// What it finds for a query.
    pub(crate) async fn search(
        &self,
        query: &str,
        signal: Option<&AbortSignal>,
    ) -> Result<Result<Vec<Recalled>, Error>, Failure> {
        let found = match self {
            Self::Recall(recall) => recall
                .recall(query, signal)
                .await
                .map(|found| found.into_iter().map(|one| Recalled { text: one.text, id: one.id }).collect()),
            Self::Own(own) => {
                let top_k = Some(("topK", recall::TOP_K));
                let found = call(own, &query.into(), top_k, recall::SERVICE.timeout_ms, signal).await;
                found.and_then(|value| recalled(&value))
            }
        };
        unless_aborted(found)
    }
}

/// Ollama, from its options.
pub(crate) fn ollama(value: &JsValue) -> Result<Ollama, Failure> {
    let fields = Fields::read(value, "the options of the model", &["url", "name", "key", "timeout"])?;
    let ollama = Ollama::at(endpoint(&ollama::SERVICE, &fields)?);
    Ok(match fields.text("name")? {
        Some(name) => ollama.with_model(&name)?,
        None => ollama,
    })
}

fn endpoint(service: &'static Service, fields: &Fields<'_>) -> Result<Endpoint, Failure> {
    let mut endpoint = Endpoint::of(service);
    if let Some(url) = fields.text("url")? {
        endpoint = endpoint.with_url(&url)?;
    }
    if let Some(key) = fields.text("key")? {
        endpoint = endpoint.with_key(&key)?;
    }
    if let Some(timeout) = fields.count("timeout")? {
        endpoint = endpoint.with_timeout(timeout)?;
    }
    Ok(endpoint)
}

fn unless_aborted<T>(result: Result<T, Error>) -> Result<Result<T, Error>, Failure> {
    match result {
        Err(error) if error.kind == ErrorKind::Aborted => Err(error.into()),
        other => Ok(other),
    }
}

/// Calls a function of the caller, within a time limit.
async fn call(
    own: &Function,
    argument: &JsValue,
    more: Option<(&str, u32)>,
    timeout_ms: u32,
    signal: Option<&AbortSignal>,
) -> Result<JsValue, Error> {
    let failed = |message: String| Error::new(ErrorKind::CallbackFailed, message);
    let watch = Watch::new(timeout_ms, signal).map_err(|_| failed("there are no timers here".into()))?;
    let options = Object::new();
    let _ = Reflect::set(&options, &"signal".into(), &watch.signal());
    if let Some((name, value)) = more {
        let _ = Reflect::set(&options, &name.into(), &value.into());
    }
    let threw =
        |cause: JsValue| failed(format!("the given function threw `{}`", diffledger_core::error::shown(&said(&cause))));
    let answer = own.call2(&JsValue::UNDEFINED, argument, &options).map_err(threw)?;
    match watch.race(promised(&answer)).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(cause)) => Err(threw(cause)),
        Err(Stop::Aborted) => Err(Error::new(ErrorKind::Aborted, "the call was called off")),
        Err(Stop::Timeout) => {
            Err(Error::new(ErrorKind::Timeout, format!("the given function gave no answer within `{timeout_ms}` ms")))
        }
    }
}

fn recalled(value: &JsValue) -> Result<Vec<Recalled>, Error> {
    let wrong = || foreign("recall", "an array of `{ text, id? }`", value);
    let found = items(value, "the answer").map_err(|_| wrong())?;
    let one = |item: &JsValue| {
        let field = |name: &str| Reflect::get(item, &name.into()).ok();
        let text = text(&field("text")?, "a text").ok()?;
        Some(Recalled { text, id: field("id").and_then(|id| id.as_string()) })
    };
    found.iter().map(|item| one(item).ok_or_else(wrong)).collect()
}

fn foreign(name: &str, wanted: &str, value: &JsValue) -> Error {
    Error::new(ErrorKind::CallbackFailed, format!("the function `{name}` must give {wanted}, not {}", described(value)))
}
