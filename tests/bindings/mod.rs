//! What holds for the bindings on every platform: values of JavaScript in, values of JavaScript out.

mod seed;
mod session;
mod store;

use js_sys::{Function, JSON, Promise, Reflect};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use diffledger::bindings::Session;

/// Two messages that a session is told first.
pub(crate) const TALK: &str = r#"[
    { role: "user", content: "How do failed pulls get another try?" },
    { role: "assistant", content: "The retry queue waits 30 s and doubles after each failure." }]"#;

/// The message that asks for what was lost.
pub(crate) const ASK: &str = r#"[{ role: "user", content: "how does the retry queue work?" }]"#;

/// A value, written as JavaScript writes it.
pub(crate) fn js(source: &str) -> JsValue {
    Function::new_no_args(&format!("return ({source})")).call0(&JsValue::NULL).unwrap()
}

/// Nothing, where an argument is left out.
pub(crate) const NONE: JsValue = JsValue::UNDEFINED;

/// What `JSON.stringify` makes of a value.
pub(crate) fn json(value: &JsValue) -> Value {
    serde_json::from_str(&String::from(JSON::stringify(value).unwrap())).unwrap()
}

/// The field of a value.
pub(crate) fn field(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap()
}

/// What a promise comes to.
pub(crate) async fn settled(promise: Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise).await
}

/// What a promise that must be fulfilled gives, as JSON.
pub(crate) async fn given(promise: Promise) -> Value {
    json(&settled(promise).await.unwrap_or_else(|error| panic!("{error:?}")))
}

/// The code of the `DiffledgerError` that a promise must be rejected with.
pub(crate) async fn refused(promise: Promise) -> String {
    code(&settled(promise).await.expect_err("it was fulfilled"))
}

/// The code of a thrown value, which must be a real `Error`.
pub(crate) fn code(error: &JsValue) -> String {
    assert!(error.is_instance_of_error(), "{error:?}");
    assert_eq!(field(error, "name").as_string().as_deref(), Some("DiffledgerError"));
    field(error, "code").as_string().unwrap()
}

trait IsError {
    fn is_instance_of_error(&self) -> bool;
}

impl IsError for JsValue {
    fn is_instance_of_error(&self) -> bool {
        wasm_bindgen::JsCast::is_instance_of::<js_sys::Error>(self)
    }
}

/// A session with options.
pub(crate) fn session(options: &str) -> Session {
    Session::new(&js(options)).map_err(JsValue::from).unwrap()
}

/// A session that was told [`TALK`] and has lost it.
pub(crate) async fn crunched(options: &str) -> Session {
    let session = session(options);
    given(session.turn(&js(TALK), &NONE)).await;
    given(session.crunch(&NONE)).await;
    session
}

/// Timers of more than 50 ms run out after 50 ms, as long as this is there.
pub(crate) struct Hurried(JsValue);

impl Hurried {
    pub(crate) fn new() -> Self {
        let original = field(&js_sys::global(), "setTimeout");
        js(
            "globalThis.setTimeout = (original => (callback, ms) => original(callback, Math.min(ms, 50)))(globalThis.setTimeout)",
        );
        Self(original)
    }
}

impl Drop for Hurried {
    fn drop(&mut self) {
        let _ = Reflect::set(&js_sys::global(), &"setTimeout".into(), &self.0);
    }
}
