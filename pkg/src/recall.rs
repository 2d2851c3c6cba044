//! A store of texts outside the session: `POST {url}/recall {query, top_k}` answers with
//! `{"results": [{"text", "id"?, "score"?}]}`.
//!
//! Hyphae's server speaks it, and so can a few lines in front of any other store. The rule in one
//! sentence: **what a result lacks is left out, what the answer lacks is an error**, so that a store
//! that is down or is another one never looks like a store that knows nothing.
//!
//! | Answer | Read as |
//! |---|---|
//! | more results than asked for (Hyphae sends up to twice as many) | the first `top_k` |
//! | `id` a string, a number, or missing (older Hyphae) | text, text, none |
//! | `score` no number | none. Whatever it measures, it is the store's own, and compared with nothing |
//! | further fields | ignored |
//! | a result whose `text` is empty | left out |
//! | results, and none of them has a `text` | an error: this is another interface |
//! | `results` missing or no list | an error |

use diffledger_core::error::{Error, ErrorKind};
use diffledger_core::json::{self, ToJson, Writer};
use serde_json::{Map, Value};
use web_sys::AbortSignal;

use crate::http::{Endpoint, Service, send};

/// The defaults of a store on this machine. It is asked while a person waits: 5 s and no more.
pub static SERVICE: Service = Service {
    name: "the recall store",
    url: "http://127.0.0.1:8100",
    timeout_ms: 5_000,
    when_unreachable: "is it running, and is the `url` right?",
    when_blocked: "have it allow this origin (CORS), or put a proxy before it on the page's own origin",
};

/// How many results are asked for by default: a turn has two fills, and one result may be of no use.
pub const TOP_K: u32 = 3;

/// The most results that can be asked for. More is a copy of the store, not a recall.
pub const MOST_RESULTS: u32 = 100;

/// One text that the store found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// The text, as the store has it; never blank.
    pub text: String,
    /// The store's name for it.
    pub id: Option<String>,
    /// How well it fits, in the store's own measure; finite.
    pub score: Option<f64>,
}

/// A store, and how many results it is asked for.
#[derive(Clone, Debug)]
pub struct Recall {
    endpoint: Endpoint,
    top_k: u32,
}

impl Default for Recall {
    fn default() -> Self {
        Self::at(Endpoint::of(&SERVICE))
    }
}

impl Recall {
    /// The store at `endpoint`, made with [`SERVICE`].
    #[must_use]
    pub fn at(endpoint: Endpoint) -> Self {
        Self { endpoint, top_k: TOP_K }
    }

    /// With another number of results.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`] when it is 0 or more than [`MOST_RESULTS`].
    pub fn with_top_k(self, top_k: u32) -> Result<Self, Error> {
        if top_k == 0 || top_k > MOST_RESULTS {
            let message = format!("topK `{top_k}` is not between 1 and {MOST_RESULTS}");
            return Err(Error::new(ErrorKind::InvalidOption, message));
        }
        Ok(Self { top_k, ..self })
    }

    /// What the store finds for `query`, in its order, at most as many as asked for.
    ///
    /// # Errors
    /// [`ErrorKind::BadBody`] for an answer of another shape, and all that can go wrong on the way:
    /// `Unreachable`, `Blocked`, `Timeout`, `Aborted`, `BadStatus`.
    pub async fn recall(&self, query: &str, signal: Option<&AbortSignal>) -> Result<Vec<Recalled>, Error> {
        let question = json::line(&Question { query, top_k: self.top_k });
        let reply = send(&self.endpoint, "/recall", Some(question), signal).await?;
        let fields = self.endpoint.fields(&reply.success(&self.endpoint)?)?;
        let mut found = results(&fields).map_err(|why| self.endpoint.bad_body(why))?;
        found.truncate(self.top_k as usize);
        Ok(found)
    }
}

/// What `/recall` is asked.
struct Question<'a> {
    query: &'a str,
    top_k: u32,
}

impl ToJson for Question<'_> {
    fn to_json(&self, to: &mut Writer) {
        to.object().field("query", &self.query).field("top_k", &self.top_k).end();
    }
}

fn results(fields: &Map<String, Value>) -> Result<Vec<Recalled>, String> {
    let results = fields.get("results").and_then(Value::as_array).ok_or("sent no list of `results`")?;
    let texts: Vec<(&Value, &str)> =
        results.iter().filter_map(|result| Some((result, result.get("text")?.as_str()?))).collect();
    if texts.is_empty() && !results.is_empty() {
        return Err(format!("sent `{}` results, none of which has a `text`", results.len()));
    }
    let with_text = texts.into_iter().filter(|(_, text)| !text.trim().is_empty());
    Ok(with_text.map(|(result, text)| recalled(result, text)).collect())
}

fn recalled(result: &Value, text: &str) -> Recalled {
    let id = match result.get("id") {
        Some(Value::String(id)) => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    };
    let score = result.get("score").and_then(Value::as_f64).filter(|score| score.is_finite());
    Recalled { text: text.to_owned(), id, score }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Result<Vec<Recalled>, String> {
        results(value.as_object().unwrap())
    }

    #[test]
    fn an_answer_of_another_shape_is_an_error_and_not_nothing() {
        for (answer, why) in [
            (json!({}), "no list"),
            (json!({ "results": null }), "no list"),
            (json!({ "results": {} }), "no list"),
            (json!({ "documents": [] }), "no list"),
            (json!({ "results": [{ "content": "x" }, { "content": "y" }] }), "`2` results, none"),
            (json!({ "results": ["x"] }), "`1` results, none"),
            (json!({ "results": [{ "text": 5 }] }), "`1` results, none"),
        ] {
            let error = read(answer).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_result_without_text_is_left_out() {
        let found =
            read(json!({ "results": [{ "text": "" }, { "text": " \n" }, null, { "text": 1 }, { "text": "x" }] }));
        assert_eq!(found.unwrap().len(), 1);
        assert_eq!(read(json!({ "results": [{ "text": "" }] })).unwrap(), []);
        assert_eq!(read(json!({ "results": [] })).unwrap(), []);
    }

    #[test]
    fn id_and_score_are_what_the_store_says_or_none() {
        let found = read(json!({ "results": [
            { "text": "a", "id": "f00", "score": 0.25, "cluster_id": 7, "tags": {} },
            { "text": "b", "id": 12, "score": "high" },
            { "text": "c", "id": {}, "score": null },
        ] }));
        let brief: Vec<(Option<String>, Option<f64>)> = found.unwrap().into_iter().map(|r| (r.id, r.score)).collect();
        assert_eq!(brief, [(Some("f00".to_owned()), Some(0.25)), (Some("12".to_owned()), None), (None, None)]);
    }

    #[test]
    fn a_number_of_results_out_of_range_is_refused() {
        for top_k in [0, MOST_RESULTS + 1, u32::MAX] {
            let error = Recall::default().with_top_k(top_k).unwrap_err();
            assert_eq!(error.kind, ErrorKind::InvalidOption);
        }
        assert_eq!(Recall::default().with_top_k(MOST_RESULTS).unwrap().top_k, MOST_RESULTS);
    }
}
