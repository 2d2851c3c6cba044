//! Ollama, a server for local models: asking, embedding, and what it has.
//!
//! The interface is described in Ollama's `docs/api.md`. Its quirks, as they are met here:
//!
//! | Quirk | What is done |
//! |---|---|
//! | a thinking model thinks unless told not to, and has nothing left for the answer | `think` is sent as `false` |
//! | some versions answer `does not support thinking` (400) even to that | asked once more without `think` |
//! | a model that is not there is a 404 with one of two sentences | [`ErrorKind::ModelMissing`], with the line that gets it |
//! | an error may come under status 200 | read as an error |
//!
//! ```
//! use diffledger::ollama::Ollama;
//!
//! let ollama = Ollama::default();
//! assert_eq!(ollama.model(), "qwen3:1.7b");
//! assert!(ollama.with_model(" ").is_err());
//! ```

use diffledger_core::error::{Error, ErrorKind, shown};
use diffledger_core::json::{self, ToJson, Writer};
use diffledger_core::prompt::Request;
use serde_json::{Map, Value};
use web_sys::AbortSignal;

use crate::http::{Endpoint, Reply, Service, send};

/// Ollama's defaults. 15 s are enough for a small model on a CPU, also when it has to be loaded
/// first; shorter, and the first call of a day fails.
pub static SERVICE: Service = Service {
    name: "Ollama",
    url: "http://127.0.0.1:11434",
    timeout_ms: 15_000,
    when_unreachable: "is Ollama running? `ollama serve` starts it",
    when_blocked: "start Ollama with this origin in the variable `OLLAMA_ORIGINS`",
};

/// The model that is asked by default.
pub const MODEL: &str = "qwen3:1.7b";

/// Tokens of an answer. The longest that is accepted (32 numbers, and some concepts) fits; a model
/// in a loop ends here instead of at the time limit.
const ANSWER_TOKENS: u32 = 512;

/// An Ollama server and one of its models.
#[derive(Clone, Debug)]
pub struct Ollama {
    endpoint: Endpoint,
    model: String,
}

impl Default for Ollama {
    fn default() -> Self {
        Self::at(Endpoint::of(&SERVICE))
    }
}

impl Ollama {
    /// The server at `endpoint`, made with [`SERVICE`], and the default model.
    #[must_use]
    pub fn at(endpoint: Endpoint) -> Self {
        Self { endpoint, model: MODEL.to_owned() }
    }

    /// Another model, named as `ollama list` does.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`] when the name is empty.
    pub fn with_model(self, model: &str) -> Result<Self, Error> {
        match model.trim() {
            "" => Err(Error::new(ErrorKind::InvalidOption, "the name of the model is empty")),
            model => Ok(Self { model: model.to_owned(), ..self }),
        }
    }

    /// The model's name.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Asks the model, and gives the body of the answer as it came:
    /// [`read_envelope`](diffledger_core::prompt::read_envelope) reads it.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMissing`], and all that can go wrong on the way: `Unreachable`, `Blocked`,
    /// `Timeout`, `Aborted`, `BadStatus`, `BadBody`.
    pub async fn generate(&self, request: &Request, signal: Option<&AbortSignal>) -> Result<String, Error> {
        let mut question = Question { model: &self.model, request, think: Some(false) };
        let mut reply = self.ask("/api/generate", Some(&question), signal).await?;
        if reply.status == 400 && reply.complaint().contains("does not support thinking") {
            question.think = None;
            reply = self.ask("/api/generate", Some(&question), signal).await?;
        }
        reply.success(&self.endpoint)
    }

    /// The server's version.
    ///
    /// # Errors
    /// As for [`Ollama::generate`].
    pub async fn version(&self, signal: Option<&AbortSignal>) -> Result<String, Error> {
        let fields = self.fields(self.ask("/api/version", None, signal).await?)?;
        let version = fields.get("version").and_then(Value::as_str);
        version.map(str::to_owned).ok_or_else(|| self.endpoint.bad_body("sent no `version`"))
    }

    /// The names of the models that the server has, in its order.
    ///
    /// # Errors
    /// As for [`Ollama::generate`].
    pub async fn models(&self, signal: Option<&AbortSignal>) -> Result<Vec<String>, Error> {
        let fields = self.fields(self.ask("/api/tags", None, signal).await?)?;
        names(&fields).ok_or_else(|| self.endpoint.bad_body("sent no list of `models` with a `name` each"))
    }

    /// A vector for each of `texts`, in their order, all of one length. No text, no request.
    ///
    /// # Errors
    /// As for [`Ollama::generate`]; [`ErrorKind::BadBody`] also for another number of vectors, and for
    /// vectors that differ in length, are empty, or hold anything but numbers.
    pub async fn embed(&self, texts: &[String], signal: Option<&AbortSignal>) -> Result<Vec<Vec<f64>>, Error> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let body = Texts { model: &self.model, input: texts };
        let fields = self.fields(self.ask("/api/embed", Some(&body), signal).await?)?;
        vectors(&fields, texts.len()).map_err(|why| self.endpoint.bad_body(why))
    }

    async fn ask(&self, path: &str, body: Option<&dyn ToJson>, signal: Option<&AbortSignal>) -> Result<Reply, Error> {
        let reply = send(&self.endpoint, path, body.map(json::line), signal).await?;
        if reply.status == 404 && is_model_missing(&reply.complaint()) {
            let what = format!("does not have the model: `ollama pull {}` gets it", shown(&self.model));
            return Err(self.endpoint.error(ErrorKind::ModelMissing, what));
        }
        Ok(reply)
    }

    fn fields(&self, reply: Reply) -> Result<Map<String, Value>, Error> {
        self.endpoint.fields(&reply.success(&self.endpoint)?)
    }
}

/// What `/api/generate` is asked.
struct Question<'a> {
    model: &'a str,
    request: &'a Request,
    think: Option<bool>,
}

impl ToJson for Question<'_> {
    fn to_json(&self, to: &mut Writer) {
        let Request { system, prompt, schema } = self.request;
        to.object()
            .field("model", &self.model)
            .field("system", system)
            .field("prompt", prompt)
            .field("format", schema)
            .given("think", &self.think)
            .field("stream", &false)
            .field("options", &Options)
            .end();
    }
}

/// The same question gets the same answer.
struct Options;

impl ToJson for Options {
    fn to_json(&self, to: &mut Writer) {
        to.object().field("temperature", &0_u32).field("num_predict", &ANSWER_TOKENS).end();
    }
}

/// What `/api/embed` is asked.
struct Texts<'a> {
    model: &'a str,
    input: &'a [String],
}

impl ToJson for Texts<'_> {
    fn to_json(&self, to: &mut Writer) {
        to.object().field("model", &self.model).field("input", &self.input).end();
    }
}

/// `model 'X' not found` and `model "X" not found, try pulling it first`: unlike the `404 page not
/// found` of a wrong address.
fn is_model_missing(complaint: &str) -> bool {
    complaint.starts_with("model ") && complaint.contains("not found")
}

/// Older servers without a model say `null`.
fn names(fields: &Map<String, Value>) -> Option<Vec<String>> {
    match fields.get("models")? {
        Value::Null => Some(Vec::new()),
        Value::Array(models) => models.iter().map(|model| Some(model.get("name")?.as_str()?.to_owned())).collect(),
        _ => None,
    }
}

fn vectors(fields: &Map<String, Value>, asked: usize) -> Result<Vec<Vec<f64>>, String> {
    let rows = fields.get("embeddings").and_then(Value::as_array).ok_or("sent no list of `embeddings`")?;
    if rows.len() != asked {
        return Err(format!("sent `{}` embeddings for `{asked}` texts", rows.len()));
    }
    let vector = |row: &Value| -> Option<Vec<f64>> {
        row.as_array()?.iter().map(|value| value.as_f64().filter(|value| value.is_finite())).collect()
    };
    let vectors: Option<Vec<Vec<f64>>> = rows.iter().map(vector).collect();
    let vectors = vectors.ok_or("sent an embedding that is no list of numbers")?;
    let length = vectors.first().map_or(0, Vec::len);
    if length == 0 || vectors.iter().any(|vector| vector.len() != length) {
        return Err("sent embeddings that are empty or differ in length".to_owned());
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn embeddings_that_are_not_what_was_asked_for_are_refused() {
        for (embeddings, why) in [
            (json!(null), "no list"),
            (json!({}), "no list"),
            (json!([]), "`0` embeddings for `2`"),
            (json!([[1.0]]), "`1` embeddings for `2`"),
            (json!([[1.0], [1.0], [1.0]]), "`3` embeddings for `2`"),
            (json!([[1.0], null]), "no list of numbers"),
            (json!([[1.0], ["1"]]), "no list of numbers"),
            (json!([[1.0], [null]]), "no list of numbers"),
            (json!([[1.0], [1.0, 2.0]]), "differ in length"),
            (json!([[], []]), "empty"),
        ] {
            let error = vectors(&fields(json!({ "embeddings": embeddings })), 2).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        assert!(vectors(&Map::new(), 2).is_err());
        assert_eq!(vectors(&fields(json!({ "embeddings": [[1, 0.5]] })), 1).unwrap(), [[1.0, 0.5]]);
    }

    #[test]
    fn a_list_of_models_is_read_whole_or_not_at_all() {
        assert_eq!(names(&Map::new()), None);
        assert_eq!(names(&fields(json!({ "models": {} }))), None);
        assert_eq!(names(&fields(json!({ "models": [{ "name": "a" }, { "model": "b" }] }))), None);
        assert_eq!(names(&fields(json!({ "models": null }))), Some(vec![]));
        assert_eq!(names(&fields(json!({ "models": [{ "name": "a:1b", "size": 1 }] }))), Some(vec!["a:1b".to_owned()]));
    }

    #[test]
    fn a_wrong_address_is_no_missing_model() {
        assert!(!is_model_missing("404 page not found"));
        assert!(!is_model_missing("model 'x' failed to load"));
        assert!(is_model_missing("model 'x' not found"));
        assert!(is_model_missing("model \"x\" not found, try pulling it first"));
    }
}
