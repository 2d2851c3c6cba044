//! Ollama's interfaces, and what its server may answer.

use diffledger::http::Endpoint;
use diffledger::ollama::{Ollama, SERVICE};
use diffledger_core::error::ErrorKind;
use diffledger_core::prompt::{Request, read_envelope};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use super::{address, check, ollama_at, seen};

fn question() -> Request {
    Request { system: "Choose.".into(), prompt: "1. \"a\" é".into(), schema: json!({ "type": "object" }) }
}

#[wasm_bindgen_test]
async fn a_server_that_is_not_there_is_unreachable_and_says_what_to_start() {
    let ollama = Ollama::at(Endpoint::of(&SERVICE).with_url("http://127.0.0.1:18631").unwrap());
    check(ollama.version(None).await, ErrorKind::Unreachable, &["`http://127.0.0.1:18631`", "`ollama serve`"]);
    check(ollama.generate(&question(), None).await, ErrorKind::Unreachable, &["Ollama at"]);
}

#[wasm_bindgen_test]
async fn an_address_that_only_the_platform_refuses_is_an_invalid_option() {
    for url in ["http://1.2.3.999", "http://[::1", "http://a%zz", "http://a<b"] {
        let ollama = Ollama::at(Endpoint::of(&SERVICE).with_url(url).unwrap());
        check(ollama.version(None).await, ErrorKind::InvalidOption, &[url]);
    }
}

#[wasm_bindgen_test]
async fn a_model_that_is_missing_comes_with_the_line_that_gets_it() {
    for model in ["absent:1b", "absent:old"] {
        let ollama = ollama_at("ok", "missing").await.with_model(model).unwrap();
        let line = format!("`ollama pull {model}`");
        check(ollama.generate(&question(), None).await, ErrorKind::ModelMissing, &[&line]);
    }
    let wrong = ollama_at("nowhere", "missing").await;
    check(wrong.generate(&question(), None).await, ErrorKind::BadStatus, &["`404`", "is the `url` right?"]);
}

#[wasm_bindgen_test]
async fn a_status_of_failure_carries_a_short_piece_of_what_the_server_says() {
    let ollama = ollama_at("broken", "status").await;
    let result = ollama.generate(&question(), None).await;
    assert!(result.as_ref().unwrap_err().message.chars().count() < 320);
    check(result, ErrorKind::BadStatus, &["`500`", "no memory left!!!", "…"]);
    let ollama = ollama_at("brokentruncated", "status").await;
    check(ollama.models(None).await, ErrorKind::BadStatus, &["`500`"]);
}

#[wasm_bindgen_test]
async fn a_key_is_sent_and_never_shown() {
    let endpoint = Endpoint::of(&SERVICE).with_url(&address("refuse", "key").await).unwrap();
    let result = Ollama::at(endpoint.with_key("sesame").unwrap()).version(None).await;
    assert!(!result.as_ref().unwrap_err().message.contains("sesame"));
    check(result, ErrorKind::BadStatus, &["`401`", "bad Bearer (key)"]);
}

#[wasm_bindgen_test]
async fn a_redirect_is_an_error_and_nothing_is_sent_on() {
    let ollama = ollama_at("redirect", "redirected").await;
    check(ollama.generate(&question(), None).await, ErrorKind::BadStatus, &["it redirects"]);
    assert_eq!(seen("redirected").await, "came 1, open 0");
}

#[wasm_bindgen_test]
async fn a_body_that_is_no_answer_is_a_bad_body() {
    for (behaviour, says) in [
        ("badjson", "no JSON object: `{\"version\":`"),
        ("html", "no JSON object: `<!doctype html>"),
        ("latin1", "not UTF-8"),
        ("error200", "says `llama runner has ended`"),
        ("truncated", "broke its answer off"),
        ("null", "no `version`"),
    ] {
        let ollama = ollama_at(behaviour, "body").await;
        check(ollama.version(None).await, ErrorKind::BadBody, &[says]);
        check(ollama.models(None).await, ErrorKind::BadBody, &[]);
        check(ollama.embed(&["a".into()], None).await, ErrorKind::BadBody, &[]);
    }
    let body = ollama_at("error200", "body").await.generate(&question(), None).await.unwrap();
    assert!(read_envelope(&body, 1).unwrap_err().message.contains("llama runner has ended"));
}

#[wasm_bindgen_test]
async fn a_server_that_forgets_a_text_gives_no_embeddings() {
    let ollama = ollama_at("ok", "embed").await.with_model("forgetful:1b").unwrap();
    let texts = ["a".to_owned(), "bc".to_owned()];
    check(ollama.embed(&texts, None).await, ErrorKind::BadBody, &["`1` embeddings for `2` texts"]);
    let ollama = ollama_at("ok", "embed").await;
    assert_eq!(ollama.embed(&texts, None).await.unwrap(), [[1.0, 0.5, -0.001], [2.0, 0.5, -0.001]]);
    assert!(ollama_at("broken", "embed").await.embed(&[], None).await.unwrap().is_empty());
}

#[wasm_bindgen_test]
async fn a_model_that_cannot_think_is_asked_once_more_without() {
    let ollama = ollama_at("ok", "think").await.with_model("thoughtless:1b").unwrap();
    let body = ollama.generate(&question(), None).await.unwrap();
    assert_eq!(read_envelope(&body, 1).unwrap().references, [1]);
    assert_eq!(seen("think").await, "came 2, open 0");
}

#[wasm_bindgen_test]
async fn the_question_arrives_as_it_was_asked() {
    let body = ollama_at("echo", "question").await.generate(&question(), None).await.unwrap();
    let envelope: Value = serde_json::from_str(&body).unwrap();
    let arrived: Value = serde_json::from_str(envelope["response"].as_str().unwrap()).unwrap();
    let options = arrived["options"].clone();
    assert!(options["num_predict"].as_u64().is_some_and(|tokens| tokens >= 128));
    assert_eq!(
        arrived,
        json!({ "model": "qwen3:1.7b", "system": "Choose.", "prompt": "1. \"a\" é", "format": { "type": "object" },
                "think": false, "stream": false,
                "options": { "temperature": 0, "num_predict": options["num_predict"] } })
    );
}

#[wasm_bindgen_test]
async fn a_server_says_its_version_and_its_models() {
    let ollama = ollama_at("ok", "tags").await;
    assert_eq!(ollama.version(None).await.unwrap(), "0.0.0-stand-in");
    assert_eq!(ollama.models(None).await.unwrap(), ["qwen3:1.7b", "thoughtless:1b"]);
}
