//! Every request settles, within its time, and leaves nothing behind.

use diffledger::http::Endpoint;
use diffledger::ollama::{Ollama, SERVICE};
use diffledger_core::error::ErrorKind;
use js_sys::{Date, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{AbortController, AbortSignal};

use super::globals::{COUNTED_MS, Replaced, Timers, count_listeners, listeners};
use super::{address, check, ollama_at, seen};

async fn ollama_within(milliseconds: u32, behaviour: &str, tag: &str) -> Ollama {
    let endpoint = Endpoint::of(&SERVICE).with_url(&address(behaviour, tag).await).unwrap();
    Ollama::at(endpoint.with_timeout(milliseconds).unwrap())
}

/// A signal that is aborted after 100 ms, with a reason that is no error.
fn aborted_soon() -> AbortSignal {
    let controller = AbortController::new().unwrap();
    let abort = Function::new_with_args("controller", "setTimeout(() => controller.abort('enough'), 100)");
    abort.call1(&JsValue::NULL, &controller).unwrap();
    controller.signal()
}

/// A server closes its side a moment after we have closed ours.
async fn comes_to(tag: &str, expected: &str) {
    let start = Date::now();
    while seen(tag).await != expected {
        assert!(Date::now() - start < 5_000.0, "{tag}: {}", seen(tag).await);
    }
}

#[wasm_bindgen_test]
async fn a_silent_server_and_a_stalled_body_end_at_the_time_limit() {
    for behaviour in ["silent", "stall"] {
        let tag = format!("limit-{behaviour}");
        let start = Date::now();
        let result = ollama_within(250, behaviour, &tag).await.version(None).await;
        let took = Date::now() - start;
        check(result, ErrorKind::Timeout, &["`250` ms", "raise `timeout`"]);
        assert!((200.0..3_000.0).contains(&took), "{behaviour}: {took} ms");
        comes_to(&tag, "came 1, open 0").await;
    }
}

#[wasm_bindgen_test]
async fn a_caller_can_call_it_off_at_any_time() {
    for behaviour in ["silent", "stall"] {
        let tag = format!("abort-{behaviour}");
        let start = Date::now();
        let result = ollama_within(20_000, behaviour, &tag).await.version(Some(&aborted_soon())).await;
        check(result, ErrorKind::Aborted, &["called off"]);
        assert!(Date::now() - start < 5_000.0);
        comes_to(&tag, "came 1, open 0").await;
    }
}

#[wasm_bindgen_test]
async fn what_is_called_off_beforehand_is_never_sent() {
    let controller = AbortController::new().unwrap();
    controller.abort_with_reason(&"enough".into());
    let result = ollama_at("ok", "beforehand").await.version(Some(&controller.signal())).await;
    check(result, ErrorKind::Aborted, &[]);
    assert_eq!(seen("beforehand").await, "came 0, open 0");
}

#[wasm_bindgen_test]
async fn an_endless_body_is_given_up_at_the_size_limit() {
    let result = ollama_within(60_000, "endless", "endless").await.version(None).await;
    check(result, ErrorKind::BadBody, &["more than 8 MB"]);
    comes_to("endless", "came 1, open 0").await;
}

/// gloo-net's own `send` never settled for the second to fourth of these, and panicked on the fifth.
#[wasm_bindgen_test]
async fn a_fetch_that_breaks_its_promises_is_an_error_all_the_same() {
    let ollama = ollama_within(250, "ok", "fetch").await;
    for (fetch, kind) in [
        ("return new Promise(() => {})", ErrorKind::Timeout),
        ("throw 'at once'", ErrorKind::Unreachable),
        ("return Promise.reject('no error')", ErrorKind::Unreachable),
        ("return Promise.reject(undefined)", ErrorKind::Unreachable),
        ("return Promise.reject({ get message() { throw 1 }, get cause() { throw 2 } })", ErrorKind::Unreachable),
        ("return { then() { throw new Error('no') } }", ErrorKind::Unreachable),
        ("return Promise.resolve({ ok: true, status: 200 })", ErrorKind::BadBody),
        ("return undefined", ErrorKind::BadBody),
        (
            "const response = new Response('{}'); response.body.getReader(); return Promise.resolve(response)",
            ErrorKind::BadBody,
        ),
        (
            "return Promise.resolve(new Response(new ReadableStream({ start(c) { c.enqueue('text') } })))",
            ErrorKind::BadBody,
        ),
        ("return Promise.resolve(new Response(new ReadableStream({})))", ErrorKind::Timeout),
        (
            "return Promise.resolve(new Response(new ReadableStream({ start(c) { c.error(null) } })))",
            ErrorKind::BadBody,
        ),
    ] {
        let _fetch = Replaced::new("fetch", "request", fetch);
        check(ollama.version(None).await, kind, &[]);
    }
}

#[wasm_bindgen_test]
async fn neither_timer_nor_listener_is_left_however_it_ends() {
    let timers = Timers::counted();
    for (behaviour, kind) in [
        ("ok", None),
        ("broken", Some(ErrorKind::BadStatus)),
        ("truncated", Some(ErrorKind::BadBody)),
        ("endless", Some(ErrorKind::BadBody)),
        ("silent", Some(ErrorKind::Aborted)),
        ("stall", Some(ErrorKind::Aborted)),
    ] {
        let signal =
            if kind == Some(ErrorKind::Aborted) { aborted_soon() } else { AbortController::new().unwrap().signal() };
        count_listeners(&signal);
        let ollama = ollama_within(COUNTED_MS, behaviour, "left").await;
        let mut version = Box::pin(ollama.version(Some(&signal)));
        let first = std::future::poll_fn(|context| std::task::Poll::Ready(version.as_mut().poll(context))).await;
        assert!(first.is_pending() && timers.running() == 1 && listeners(&signal) == 1, "{behaviour}");
        assert_eq!(version.await.err().map(|error| error.kind), kind, "{behaviour}");
        assert_eq!((timers.running(), listeners(&signal)), (0, 0), "{behaviour}");
    }
}

#[wasm_bindgen_test]
async fn a_request_that_nobody_waits_for_is_given_up() {
    let timers = Timers::counted();
    let ollama = ollama_within(COUNTED_MS, "silent", "dropped").await;
    let mut version = Box::pin(ollama.version(None));
    let _ = std::future::poll_fn(|context| std::task::Poll::Ready(version.as_mut().poll(context))).await;
    comes_to("dropped", "came 1, open 1").await;
    drop(version);
    comes_to("dropped", "came 1, open 0").await;
    assert_eq!(timers.running(), 0);
}
