//! An error on its way to JavaScript: a real `Error` with a stable `code`.

use diffledger_core::error::{Error, ErrorKind};
use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// What a binding fails with.
#[derive(Debug)]
pub struct Failure {
    pub(crate) error: Error,
    /// What somebody else's code threw.
    pub(crate) cause: Option<JsValue>,
}

impl Failure {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error::new(kind, message).into()
    }

    /// `cause` is the reason.
    pub(crate) fn because(kind: ErrorKind, message: impl Into<String>, cause: JsValue) -> Self {
        Self { error: Error::new(kind, message), cause: Some(cause) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, cause: None }
    }
}

impl From<Failure> for JsValue {
    fn from(Failure { error, cause }: Failure) -> Self {
        let thrown = js_sys::Error::new(&error.message);
        thrown.set_name("DiffledgerError");
        // Setting a field of a new object cannot fail.
        let _ = Reflect::set(&thrown, &"code".into(), &error.kind.code().into());
        if let Some(cause) = cause {
            let _ = Reflect::set(&thrown, &"cause".into(), &cause);
        }
        thrown.into()
    }
}
