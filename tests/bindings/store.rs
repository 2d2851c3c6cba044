//! Sessions and ledgers that are kept.

use diffledger::bindings::Ledger;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{ASK, Hurried, NONE, TALK, code, given, js, json as as_json, refused, session, settled};

/// A store in memory with revisions that count, as the global `kept`.
const KEPT: &str = r#"globalThis.kept = { forms: new Map(), count: 0,
    load(name) { return this.forms.get(name) ?? null; },
    save(name, data, expected) {
        if ((this.forms.get(name)?.revision ?? null) !== expected) throw Object.assign(new Error("changed"), { code: "conflict" });
        const revision = String(this.count += 1);
        this.forms.set(name, { revision, data });
        return revision;
    } }"#;

#[wasm_bindgen_test]
async fn what_is_saved_is_loaded_and_goes_on_as_if_nothing_had_been() {
    js(KEPT);
    let first = session(r#"{ id: "kept", store: kept }"#);
    given(first.turn(&js(TALK), &NONE)).await;
    given(first.crunch(&NONE)).await;
    settled(first.save()).await.unwrap();
    let second = session(r#"{ id: "kept", store: kept }"#);
    settled(second.load()).await.unwrap();
    assert_eq!(as_json(&second.entries().unwrap()), as_json(&first.entries().unwrap()));
    assert_eq!(given(second.turn(&js(ASK), &NONE)).await, given(first.turn(&js(ASK), &NONE)).await);
    assert_eq!(as_json(&js("[...kept.forms.keys()]")), json!(["session_kept.jsonl", "ledger_kept.json"]));
}

#[wasm_bindgen_test]
async fn who_saves_after_somebody_else_did_is_told_and_can_begin_anew() {
    js(KEPT);
    let (first, second) = (session(r#"{ id: "two", store: kept }"#), session(r#"{ id: "two", store: kept }"#));
    for each in [&first, &second] {
        given(each.learn(&js(TALK), &NONE)).await;
    }
    settled(first.save()).await.unwrap();
    assert_eq!(refused(second.save()).await, "conflict");
    settled(second.load()).await.unwrap();
    given(second.turn(&js(ASK), &NONE)).await;
    settled(second.save()).await.unwrap();
    assert_eq!(refused(first.save()).await, "conflict");
}

#[wasm_bindgen_test]
async fn what_is_purged_is_gone_here_and_in_the_store() {
    js(KEPT);
    let first = session(r#"{ id: "purged", store: kept }"#);
    given(first.learn(&js(TALK), &NONE)).await;
    settled(first.save()).await.unwrap();
    settled(first.purge()).await.unwrap();
    assert_eq!(as_json(&first.entries().unwrap()), json!([]));
    let second = session(r#"{ id: "purged", store: kept }"#);
    settled(second.load()).await.unwrap();
    assert_eq!(as_json(&second.entries().unwrap()), json!([]));
    assert!(!js("JSON.stringify([...kept.forms])").as_string().unwrap().contains("retry"));
}

/// Methods that break every promise, and what comes of it.
const BROKEN: [(&str, &str); 9] = [
    ("() => new Promise(() => {})", "storeFailed"),
    ("() => { throw new Error('full') }", "storeFailed"),
    ("() => { throw undefined }", "storeFailed"),
    ("async () => { throw Symbol('s') }", "storeFailed"),
    ("() => Promise.reject(Object.assign(new Error('gone'), { code: 'storeMissing' }))", "storeMissing"),
    ("() => 5", "storeFailed"),
    ("() => ({ then() { throw new Error('then') } })", "storeFailed"),
    (
        "() => Object.defineProperty(Promise.resolve(null), 'then', { value() { throw new Error('then') } })",
        "storeFailed",
    ),
    ("() => ({ then(resolve, reject) { reject(new Error('first')); resolve('second'); } })", "storeFailed"),
];

#[wasm_bindgen_test]
async fn a_store_that_breaks_its_promises_is_an_error_and_never_a_wait_without_an_end() {
    let _hurried = Hurried::new();
    for (method, expected) in BROKEN {
        let loads = session(&format!(r#"{{ id: "broken", store: {{ load: {method}, save: () => "1" }} }}"#));
        assert_eq!(refused(loads.turn(&js(TALK), &NONE)).await, expected, "load: {method}");
        let saves = session(&format!(r#"{{ id: "broken", store: {{ load: () => null, save: {method} }} }}"#));
        given(saves.turn(&js(TALK), &NONE)).await;
        assert_eq!(refused(saves.save()).await, expected, "save: {method}");
        given(saves.crunch(&NONE)).await;
        assert_eq!(given(saves.turn(&js(ASK), &NONE)).await["fills"].as_array().unwrap().len(), 1, "{method}");
    }
}

#[wasm_bindgen_test]
async fn a_damaged_form_is_an_error_and_stays_where_it_is() {
    js(KEPT);
    js(r#"kept.forms.set("session_bad.jsonl", { revision: "1", data: "{" })"#);
    js(r#"kept.forms.set("ledger_bad.json", { revision: "2", data: "{" })"#);
    assert_eq!(refused(session(r#"{ id: "bad", store: kept }"#).turn(&js(TALK), &NONE)).await, "damaged");
    let opened = Ledger::open(&"bad".into(), &js("{ store: kept }"));
    assert_eq!(refused(opened).await, "damaged");
    let made = Ledger::new(&"bad".into(), &js("{ store: kept }")).map(drop);
    assert_eq!(code(&JsValue::from(made.unwrap_err())), "damaged");
    assert_eq!(js(r#"kept.forms.get("ledger_bad.json").data"#).as_string().as_deref(), Some("{"));
}

#[wasm_bindgen_test]
async fn a_ledger_whose_store_answers_later_is_opened_and_not_made() {
    js(KEPT);
    js("globalThis.later = { load: async (name) => kept.load(name), save: async (...all) => kept.save(...all) }");
    let made = Ledger::new(&"later".into(), &js("{ store: later }")).map(drop);
    assert_eq!(code(&JsValue::from(made.unwrap_err())), "storeMissing");
    let ledger = settled(Ledger::open(&"later".into(), &js("{ store: later }"))).await.unwrap();
    super::field(&ledger, "entries");
    js(r#"kept.save("ledger_later.json", "{}", null)"#);
    assert_eq!(refused(Ledger::open(&"../up".into(), &NONE)).await, "invalidSessionId");
}

#[wasm_bindgen_test]
async fn without_a_store_there_is_nowhere_to_save_to() {
    assert_eq!(refused(session(r#"{ id: "none" }"#).save()).await, "storeMissing");
    let ledger = Ledger::new(&"none".into(), &NONE).map_err(JsValue::from).unwrap();
    assert_eq!(refused(ledger.save()).await, "storeMissing");
}
