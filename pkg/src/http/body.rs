//! The body of an answer: read within a limit, decoded, and searched for what a server says went
//! wrong.

use diffledger_core::json;
use js_sys::{Reflect, Uint8Array};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

use super::watch::{Stop, Watch};

/// Bytes of an answer. A few hundred embeddings are some megabytes; without a limit, a server that
/// never ends its answer takes all the memory there is.
pub(super) const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Characters of what a server says that go into a message: its errors are a sentence or two, and a
/// page of HTML is no message.
const SAID_CHARS: usize = 200;

/// Why a body was not read to its end.
pub(super) enum Broken {
    Stopped(Stop),
    /// The connection ended after so many bytes, before the body did.
    Cut(usize),
    TooLong,
    /// What answered is no stream of bytes: somebody else's `fetch`.
    Foreign,
}

/// All bytes of the body.
pub(super) async fn read(response: &Response, watch: &Watch) -> Result<Vec<u8>, Broken> {
    let mut bytes = Vec::new();
    let Some(stream) = response.body() else { return Ok(bytes) };
    let reader = ReadableStreamDefaultReader::new(&stream).map_err(|_| Broken::Foreign)?;
    loop {
        let step = watch.race(JsFuture::from(reader.read())).await.map_err(Broken::Stopped)?;
        let step = step.map_err(|_| Broken::Cut(bytes.len()))?;
        let field = |name: &str| Reflect::get(&step, &JsValue::from(name)).map_err(|_| Broken::Foreign);
        if field("done")?.is_truthy() {
            return Ok(bytes);
        }
        let chunk: Uint8Array = field("value")?.dyn_into().map_err(|_| Broken::Foreign)?;
        if bytes.len().saturating_add(chunk.length() as usize) > MOST_BYTES {
            return Err(Broken::TooLong);
        }
        bytes.append(&mut chunk.to_vec());
    }
}

/// What an error answer says: `error` (Ollama), `error.message`, `detail` (FastAPI), or all of it.
pub(super) fn complaint(body: &str) -> String {
    let text = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(json::line(other)),
    };
    let answer: Value = serde_json::from_str(body).unwrap_or_default();
    let places = ["/error/message", "/error", "/detail"];
    places.iter().find_map(|place| answer.pointer(place).and_then(text)).unwrap_or_else(|| body.trim().to_owned())
}

/// At most 200 characters of `text` for a message, on one line and without `key`: some servers
/// repeat the key that they refuse.
pub(super) fn said(text: &str, key: Option<&str>) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| text.replace(key, "(key)"));
    let mut out: String = text.chars().take(SAID_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SAID_CHARS).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_found_where_servers_say_it() {
        for (body, complaint_is) in [
            (r#"{"error": "model 'x' not found"}"#, "model 'x' not found"),
            (r#"{"error": {"message": "no"}}"#, "no"),
            (r#"{"error": {"why": "no"}}"#, r#"{"why":"no"}"#),
            (r#"{"error": null, "detail": "no"}"#, "no"),
            (r#"{"detail": [{"msg": "field required"}]}"#, r#"[{"msg":"field required"}]"#),
            (" <h1>Bad gateway</h1>\n", "<h1>Bad gateway</h1>"),
            ("", ""),
            ("[1]", "[1]"),
        ] {
            assert_eq!(complaint(body), complaint_is);
        }
    }

    #[test]
    fn a_message_holds_a_line_of_it_and_never_the_key() {
        let text = said(&format!("{}\nbad key sesame", "é".repeat(180)), Some("sesame"));
        assert!(text.ends_with(" bad key (key)"), "{text}");
        // The key stands where the text is cut: no part of it may stay.
        let text = said(&format!("{}sesame and more", "é".repeat(197)), Some("sesame"));
        assert!(!text.contains("ses") && text.chars().count() == 201, "{text}");
    }
}
