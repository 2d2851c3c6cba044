//! Ledgers alone, and the functions of the Python package.

use diffledger::bindings::{
    Ledger, detect_crunch, detect_gaps, extract_concepts, fill_gaps, normalize, resolve_references,
};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{NONE, code, field, given, js, json as as_json, refused, settled};

/// A ledger that has lost where staging listens.
fn stale() -> Ledger {
    let ledger = Ledger::new(&"seed".into(), &NONE).map_err(JsValue::from).unwrap();
    ledger.add(&"staging port".into(), &"Staging listens on port 8444.".into(), &NONE).map_err(JsValue::from).unwrap();
    ledger.mark_all_stale(&NONE).map_err(JsValue::from).unwrap();
    ledger
}

fn thrown<T>(result: Result<T, diffledger::bindings::Failure>) -> String {
    code(&JsValue::from(result.map(drop).unwrap_err()))
}

#[wasm_bindgen_test]
fn an_argument_of_another_type_is_refused_with_a_code() {
    for value in ["5", "null", "undefined", "[]", "{}", "Symbol('s')", "10n", "() => 1", "new String('a')"] {
        assert_eq!(thrown(normalize(&js(value))), "invalidInput", "{value}");
        assert_eq!(thrown(extract_concepts(&js(value))), "invalidInput", "{value}");
        assert_eq!(thrown(stale().add(&js(value), &"a".into(), &NONE)), "invalidInput", "{value}");
        assert_eq!(thrown(stale().is_known(&js(value))), "invalidInput", "{value}");
    }
    for (options, expected) in [
        ("{ jaccard: 1001 }", "invalidOption"),
        ("{ jacard: 500 }", "invalidOption"),
        ("{ matching: 'fuzzy' }", "invalidOption"),
        ("{ gapMax: -1 }", "invalidInput"),
        ("{ gapMax: NaN }", "invalidInput"),
        ("{ fillChars: '300' }", "invalidInput"),
        ("{ get jaccard() { throw 1 } }", "invalidInput"),
        ("{ store: {} }", "invalidInput"),
        ("[]", "invalidInput"),
        ("(({ proxy, revoke }) => (revoke(), proxy))(Proxy.revocable([], {}))", "invalidInput"),
    ] {
        assert_eq!(thrown(Ledger::new(&"seed".into(), &js(options))), expected, "{options}");
    }
}

#[wasm_bindgen_test]
fn bytes_that_lie_about_their_length_are_read_as_they_are() {
    let source = r#"new (class extends Uint8Array { get length() { return 3; } })(new TextEncoder().encode('[{"role":"user","content":"a"}]'))"#;
    assert!(detect_crunch(&js(source), &NONE).map_err(JsValue::from).unwrap().is_null());
}

#[wasm_bindgen_test]
async fn a_ledger_has_the_entries_that_were_added_all_of_them() {
    let ledger = stale();
    let entries = as_json(&ledger.entries().unwrap());
    assert_eq!(
        entries,
        json!([{
            "id": entries[0]["id"], "concept": "staging port", "canonical": "staging port", "kind": "term",
            "state": "stale", "firstTurn": 0, "lastTurn": 0, "referenceCount": 1, "carriers": [], "marks": [],
            "injections": [{ "turn": 0, "text": "Staging listens on port 8444.", "source": "gap", "score": 1000 }],
        }])
    );
    assert_eq!(
        as_json(&ledger.summary().unwrap()),
        json!({ "sessionId": "seed", "turn": 0, "live": 0, "stale": 1, "expired": 0, "total": 1 })
    );
    assert_eq!(as_json(&ledger.stale_entries().unwrap()), entries);
    assert_eq!(as_json(&ledger.live_canonicals().unwrap()), json!([]));
}

#[wasm_bindgen_test]
async fn a_crunch_on_record_is_detected_until_the_ledger_knows_it() {
    let records = js(r#"[
        { type: "user", uuid: "a", parentUuid: null, message: { role: "user", content: "The retry queue waits 30 s." } },
        { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null, logicalParentUuid: "a", compactMetadata: { trigger: "auto", preTokens: 9 } },
        { type: "user", uuid: "c", parentUuid: "b", message: { role: "user", content: "go on" } }]"#);
    let crunch = detect_crunch(&records, &NONE).map_err(JsValue::from).unwrap();
    assert_eq!(
        (field(&crunch, "kind").as_string().as_deref(), as_json(&crunch)["dropped"].is_array()),
        (Some("marker"), true)
    );
    let ledger = stale();
    ledger.mark_all_stale(&crunch).map_err(JsValue::from).unwrap();
    let ledger = JsValue::from(ledger);
    assert!(detect_crunch(&records, &ledger).map_err(JsValue::from).unwrap().is_null());
    assert_eq!(thrown(detect_crunch(&records, &js("{ handle: 1e9 }"))), "invalidInput");
}

#[wasm_bindgen_test]
async fn gaps_are_found_filled_and_known_again() {
    let ledger = JsValue::from(stale());
    let gaps = settled(detect_gaps(&"what is the staging port?".into(), &ledger, &NONE)).await.unwrap();
    assert_eq!((&as_json(&gaps)[0]["concept"], &as_json(&gaps)[0]["state"]), (&json!("staging port"), &json!("stale")));
    assert_eq!(as_json(&field(&gaps, "degraded")), json!([]));
    let fills = given(fill_gaps(&gaps, &ledger, &NONE)).await;
    assert_eq!(fills[0]["text"], "Staging listens on port 8444.");
    assert_eq!(given(detect_gaps(&"what is the staging port?".into(), &ledger, &NONE)).await, json!([]));
}

#[wasm_bindgen_test]
async fn texts_come_from_a_search_and_its_failure_is_said() {
    let ledger = JsValue::from(stale());
    let found = js("{ recall: (query) => [{ text: `${query}: flows` }] }");
    let fills = given(fill_gaps(&js("['flux']"), &ledger, &found)).await;
    assert_eq!((&fills[0]["text"], &fills[0]["source"]["kind"]), (&json!("flux: flows"), &json!("remote")));
    let fails = js("{ recall: () => { throw new Error('down') } }");
    let fills = settled(fill_gaps(&js("['other']"), &ledger, &fails)).await.unwrap();
    assert_eq!(
        (as_json(&fills), &as_json(&field(&fills, "degraded"))[0]["code"]),
        (json!([]), &json!("callbackFailed"))
    );
}

#[wasm_bindgen_test]
async fn references_are_resolved_with_a_model_and_without() {
    let concepts = js("['staging tunnel', 'retry queue', 'rate limiter']");
    let resolved = |options: &str| resolve_references(&"and the second one?".into(), &concepts, &js(options));
    assert_eq!(given(resolved("undefined")).await, json!(["retry queue"]));
    let chosen: Value = given(resolved("{ model: () => '{\"references\": [3]}' }")).await;
    assert_eq!(chosen, json!(["rate limiter"]));
    let list = settled(resolved("{ model: () => 'hm' }")).await.unwrap();
    assert_eq!(as_json(&list), json!(["retry queue"]));
    assert_eq!(as_json(&field(&list, "degraded"))[0]["code"], "invalidAnswer");
    let aborted = resolved("{ model: () => new Promise(() => {}), signal: AbortSignal.timeout(50) }");
    assert_eq!(refused(aborted).await, "aborted");
}

#[wasm_bindgen_test]
fn a_disposed_ledger_says_so() {
    let ledger = stale();
    ledger.dispose();
    assert_eq!(thrown(ledger.entries()), "disposed");
    assert_eq!(thrown(ledger.turn()), "disposed");
    assert_eq!(thrown(ledger.add(&"a".into(), &"b".into(), &NONE)), "disposed");
    assert_eq!(thrown(detect_crunch(&js("[]"), &JsValue::from(ledger))), "disposed");
}
