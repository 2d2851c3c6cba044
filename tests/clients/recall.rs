//! The recall store, and what its server may answer.

use diffledger::http::Endpoint;
use diffledger::recall::{Recall, SERVICE};
use diffledger_core::error::ErrorKind;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{address, check};

async fn recall_at(behaviour: &str) -> Recall {
    let endpoint = Endpoint::of(&SERVICE).with_url(&address(behaviour, "recall").await).unwrap();
    Recall::at(endpoint.with_timeout(1_500).unwrap())
}

#[wasm_bindgen_test]
async fn a_store_that_fails_is_an_error_and_not_nothing() {
    for (behaviour, kind, says) in [
        ("null", ErrorKind::BadBody, "no list of `results`"),
        ("badjson", ErrorKind::BadBody, "no JSON object"),
        ("truncated", ErrorKind::BadBody, "broke its answer off"),
        ("error200", ErrorKind::BadBody, "llama runner has ended"),
        ("broken", ErrorKind::BadStatus, "`500`"),
        ("silent", ErrorKind::Timeout, "`1500` ms"),
    ] {
        check(recall_at(behaviour).await.recall("port", None).await, kind, &[says, "the recall store at"]);
    }
    let nowhere = Endpoint::of(&SERVICE).with_url("http://127.0.0.1:18631").unwrap();
    check(Recall::at(nowhere).recall("port", None).await, ErrorKind::Unreachable, &["is it running"]);
}

/// Hyphae sends up to twice as many as it is asked for, and older versions send no `id`.
#[wasm_bindgen_test]
async fn no_more_comes_back_than_was_asked_for() {
    let found = recall_at("ok").await.recall("which port", None).await.unwrap();
    let ids: Vec<Option<&str>> = found.iter().map(|one| one.id.as_deref()).collect();
    assert_eq!(ids, [Some("id-0"), Some("1"), None]);
    assert_eq!((found[0].text.as_str(), found[0].score), ("which port: text 0", Some(0.9)));
    let five = recall_at("ok").await.with_top_k(5).unwrap().recall("", None).await.unwrap();
    assert_eq!(five.len(), 5);
}
