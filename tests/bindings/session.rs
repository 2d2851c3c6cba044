//! Sessions.

use diffledger_core::session::Session as Core;
use diffledger_core::transcript;
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use super::{ASK, NONE, TALK, code, crunched, field, given, js, json as as_json, refused, session, settled};

/// Names as JavaScript writes them, and without what is left out there when there is none.
fn camel(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(camel).collect(),
        Value::Object(fields) => {
            let is_there = |name: &str, value: &Value| !(value.is_null() && ["shared", "total"].contains(&name));
            let named = fields.into_iter().filter(|(name, value)| is_there(name, value));
            Value::Object(named.map(|(name, value)| (camel_name(&name), camel(value))).collect())
        }
        other => other,
    }
}

fn camel_name(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

#[wasm_bindgen_test]
async fn a_turn_is_what_the_core_gives_all_of_it() {
    let read = |source: &str| transcript::read(as_json(&js(source)).to_string().as_bytes()).unwrap();
    let mut core = Core::new("whole", Default::default()).unwrap();
    let session = session(r#"{ id: "whole" }"#);
    let kept = r#"[{ role: "user", content: "Good. Now the parser." }, { role: "assistant", content: "It is done." }]"#;
    let before = format!("{TALK}.concat({kept})");
    let after = format!(r#"{kept}.concat([{{ role: "critic", content: "?" }}], {ASK})"#);
    for array in [before, after.clone()] {
        let expected = camel(serde_json::to_value(core.turn(&read(&array))).unwrap());
        let found = given(session.turn(&js(&array), &NONE)).await;
        assert_eq!(found, expected);
    }
    let turn = given(session.turn(&js(&after), &NONE)).await;
    assert_eq!((turn["crunch"]["kind"].as_str(), turn["fills"].as_array().map(Vec::len)), (Some("vanished"), Some(1)));
    assert_eq!(turn["skipped"], json!({ "role:critic": 1 }));
}

#[wasm_bindgen_test]
async fn nothing_is_null_and_what_is_left_out_is_undefined() {
    let session = crunched(r#"{ id: "nothing" }"#).await;
    let turn = settled(session.turn(&js(ASK), &NONE)).await.unwrap();
    assert!(field(&turn, "crunch").is_null());
    let gap = field(&field(&turn, "gaps"), "0");
    assert!(field(&gap, "error").is_null());
    assert!(field(&field(&gap, "evidence"), "shared").is_undefined());
    assert!(field(&field(&field(&field(&turn, "fills"), "0"), "source"), "id").is_null());
    assert!(settled(session.mark_all_stale(&NONE)).await.unwrap().is_undefined());
}

#[wasm_bindgen_test]
async fn the_same_array_twice_gives_the_same_turn() {
    let session = crunched(r#"{ id: "twice" }"#).await;
    let first = given(session.turn(&js(ASK), &NONE)).await;
    let entries = as_json(&session.entries().unwrap());
    assert_eq!(given(session.turn(&js(ASK), &NONE)).await, first);
    assert_eq!(as_json(&session.entries().unwrap()), entries);
}

#[wasm_bindgen_test]
async fn calls_are_answered_in_the_order_in_which_they_came() {
    let slow =
        "async () => { await new Promise((resolve) => setTimeout(resolve, 100)); return '{\"references\": []}'; }";
    let session = crunched(&format!(r#"{{ id: "queue", model: {slow} }}"#)).await;
    let calls = [session.turn(&js(ASK), &NONE), session.learn(&js(TALK), &NONE), session.crunch(&NONE), session.save()];
    let list = js_sys::Array::new();
    for call in &calls {
        list.push(call);
    }
    let order = js(
        "async (calls) => { const order = []; await Promise.all(calls.map((call, at) => call.then(() => order.push(at), (error) => order.push(error.code)))); return order; }",
    );
    let order = js_sys::Function::from(order).call1(&NONE, &list).unwrap();
    assert_eq!(given(order.into()).await, json!([0, 1, 2, "storeMissing"]));
}

#[wasm_bindgen_test]
async fn what_is_called_off_beforehand_learns_nothing() {
    let session = session(r#"{ id: "before" }"#);
    let aborted = js("{ signal: AbortSignal.abort('enough') }");
    assert_eq!(refused(session.turn(&js(TALK), &aborted)).await, "aborted");
    assert_eq!(refused(session.tell(&"why?".into(), &aborted)).await, "aborted");
    assert_eq!(as_json(&session.entries().unwrap()), json!([]));
}

/// A model that answers only when the global `answer` is called.
const HELD: &str = "() => new Promise((resolve) => { globalThis.answer = () => resolve('{\"references\": []}'); })";

#[wasm_bindgen_test]
async fn what_waits_can_be_called_off_and_nobody_overtakes() {
    let session = crunched(&format!(r#"{{ id: "waits", model: {HELD} }}"#)).await;
    let first = session.turn(&js(ASK), &NONE);
    let soon = js("{ signal: AbortSignal.timeout(50) }");
    let second = session.learn(&js(TALK), &soon);
    let third = session.crunch(&NONE);
    assert_eq!(refused(second).await, "aborted");
    let early = js(
        "async (third) => Promise.race([third.then(() => 'third'), new Promise((resolve) => setTimeout(resolve, 50, 'nobody'))])",
    );
    let early = js_sys::Function::from(early).call1(&NONE, &third).unwrap();
    assert_eq!(given(early.into()).await, json!("nobody"));
    js("globalThis.answer()");
    assert_eq!(given(first).await["degraded"], json!([]));
    assert_eq!(given(third).await["kind"], "manual");
}

#[wasm_bindgen_test]
async fn a_call_that_waits_for_a_model_can_be_called_off_and_the_next_one_answers() {
    let options = r#"{ id: "asked", model: (request, { signal }) => globalThis.silent ? new Promise(() => {
        signal.addEventListener("abort", () => { globalThis.told = true; });
        globalThis.controller.abort(new Map());
    }) : "no answer" }"#;
    let session = crunched(options).await;
    js("globalThis.controller = new AbortController(), globalThis.silent = true");
    assert_eq!(refused(session.turn(&js(ASK), &js("{ signal: controller.signal }"))).await, "aborted");
    assert!(js("globalThis.told").is_truthy(), "the model was not told");
    js("globalThis.silent = false");
    let turn = given(session.turn(&js(ASK), &NONE)).await;
    assert_eq!(turn["degraded"][0]["code"], "invalidAnswer");
    assert_eq!(turn["fills"][0]["text"], "The retry queue waits 30 s and doubles after each failure.");
}

#[wasm_bindgen_test]
async fn a_model_that_fails_in_any_way_leaves_the_built_in_answer_and_says_why() {
    let _hurried = super::Hurried::new();
    for (model, expected) in [
        ("() => { throw new Error('no') }", "callbackFailed"),
        ("async () => { throw undefined }", "callbackFailed"),
        ("() => 5", "callbackFailed"),
        ("() => '{}'", "invalidAnswer"),
        ("() => '{\"references\": [99]}'", "invalidAnswer"),
        ("() => new Promise(() => {})", "timeout"),
        ("() => Object.defineProperty(Promise.resolve(''), 'then', { value() { throw 1 } })", "callbackFailed"),
    ] {
        let session = crunched(&format!(r#"{{ id: "fails", model: {model} }}"#)).await;
        let turn = given(session.turn(&js(ASK), &NONE)).await;
        assert_eq!(
            (&turn["degraded"][0]["code"], turn["fills"].as_array().unwrap().len()),
            (&json!(expected), 1),
            "{model}"
        );
    }
}

#[wasm_bindgen_test]
async fn a_model_and_a_search_of_the_caller_are_asked_with_what_they_need() {
    let options = r#"{ id: "own",
        model: (request, options) => { globalThis.request = { ...request, signal: options.signal instanceof AbortSignal }; return '{"references": [], "concepts": ["flux capacitor"]}'; },
        recall: async (query, { topK, signal }) => [{ text: `The ${query} needs ${topK} gigawatts.`, id: "a1" }] }"#;
    let session = crunched(options).await;
    let array = r#"[{ role: "user", content: "what does the flux capacitor need?" }]"#;
    let turn = given(session.turn(&js(array), &NONE)).await;
    let request = as_json(&js("globalThis.request"));
    assert_eq!(request["signal"], true);
    for name in ["system", "prompt"] {
        assert!(request[name].as_str().is_some_and(|text| !text.is_empty()), "{request}");
    }
    assert!(request["schema"].is_object(), "{request}");
    assert_eq!(turn["fills"][0]["text"], "The flux capacitor needs 3 gigawatts.");
    assert_eq!(turn["fills"][0]["source"], json!({ "kind": "remote", "seqs": [], "id": "a1" }));
}

#[wasm_bindgen_test]
async fn a_search_that_fails_leaves_the_gap_open_and_says_why() {
    for (recall, expected) in
        [("() => { throw 1 }", "callbackFailed"), ("() => [{}]", "callbackFailed"), ("() => []", "")]
    {
        let session = session(&format!(r#"{{ id: "open", recall: {recall} }}"#));
        let array = r#"[{ role: "user", content: "what does the flux capacitor need?" }]"#;
        let turn = given(session.turn(&js(array), &NONE)).await;
        assert_eq!(turn["gaps"][0]["status"], "open", "{recall}: {turn}");
        assert_eq!(turn["degraded"][0]["code"].as_str().unwrap_or_default(), expected, "{recall}");
    }
}

#[wasm_bindgen_test]
async fn progress_is_reported_and_a_listener_that_throws_ends_the_call() {
    let session = crunched(r#"{ id: "progress", model: () => "" }"#).await;
    js("globalThis.heard = []");
    given(session.turn(&js(ASK), &js("{ onProgress: (one) => heard.push([one.stage, one.done, one.total]) }"))).await;
    assert_eq!(
        as_json(&js("heard")),
        json!([["learning", 0, 1], ["learning", 1, 1], ["model", 0, 1], ["model", 1, 1]])
    );
    let throws = js("{ onProgress: () => { throw new RangeError('mine') } }");
    let error = settled(session.turn(&js(TALK), &throws)).await.unwrap_err();
    assert_eq!(code(&error), "callbackFailed");
    assert_eq!(field(&field(&error, "cause"), "message").as_string().as_deref(), Some("mine"));
}

#[wasm_bindgen_test]
async fn a_session_that_was_disposed_of_says_so_at_every_call() {
    let session = crunched(r#"{ id: "disposed", store: { load: () => null, save: () => "1" } }"#).await;
    session.dispose();
    session.dispose();
    for call in [
        session.turn(&js(TALK), &NONE),
        session.learn(&js(TALK), &NONE),
        session.tell(&"why?".into(), &NONE),
        session.crunch(&NONE),
        session.mark_all_stale(&NONE),
        session.load(),
        session.save(),
        session.purge(),
    ] {
        assert_eq!(refused(call).await, "disposed");
    }
    for thrown in [session.entries(), session.summary(), session.look(&"why?".into())] {
        assert_eq!(code(&thrown.unwrap_err().into()), "disposed");
    }
    assert_eq!(code(&session.injected(&1.into()).unwrap_err().into()), "disposed");
    assert_eq!(session.id(), "disposed");
}

#[wasm_bindgen_test]
async fn spans_are_places_in_the_string_that_was_told() {
    let session = crunched(r#"{ id: "span" }"#).await;
    let message = "añ🙂 how does the retry queue work?";
    let look = as_json(&session.look(&message.into()).unwrap());
    let span = &look["gaps"][0]["evidence"]["span"];
    let units: Vec<u16> = message.encode_utf16().collect();
    let range = span[0].as_u64().unwrap() as usize..span[1].as_u64().unwrap() as usize;
    assert_eq!(String::from_utf16_lossy(&units[range]), "retry queue", "{look}");
}
