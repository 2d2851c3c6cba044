//! What holds for the clients on every platform that has `fetch`, against the stand-in server.

mod globals;
mod ollama;
mod recall;
mod settles;

use std::cell::Cell;
use std::fmt::Debug;

use diffledger::http::Endpoint;
use diffledger::ollama::{Ollama, SERVICE};
use diffledger_core::error::{Error, ErrorKind};

/// Where the stand-in listens: `cargo verify` starts it and says so; by hand it is on its own port.
const STAND_IN: &str = match option_env!("DIFFLEDGER_STAND_IN") {
    Some(address) => address,
    None => "http://127.0.0.1:8631",
};

/// The address at which the stand-in behaves as `behaviour` says. `tag` tells the tests apart.
pub(crate) async fn address(behaviour: &str, tag: &str) -> String {
    // A stand-in that was started by hand has seen earlier runs.
    thread_local!(static RUN: Cell<Option<f64>> = const { Cell::new(None) });
    let run = if let Some(run) = RUN.get() {
        run
    } else {
        let endpoint = Endpoint::of(&SERVICE).with_url(STAND_IN).unwrap().with_timeout(3_000).unwrap();
        let version = Ollama::at(endpoint).version(None).await.unwrap_or_else(|error| error.message);
        assert_eq!(
            version, "0.0.0-stand-in",
            "the stand-in does not answer at {STAND_IN}: start it with `node tests/stand_in/server.mjs`"
        );
        let run = js_sys::Date::now();
        RUN.set(Some(run));
        run
    };
    format!("{STAND_IN}/{behaviour}/{run}/{tag}")
}

/// A client of the stand-in with a short time limit.
pub(crate) async fn ollama_at(behaviour: &str, tag: &str) -> Ollama {
    let endpoint = Endpoint::of(&SERVICE).with_url(&address(behaviour, tag).await).unwrap();
    Ollama::at(endpoint.with_timeout(1_500).unwrap())
}

/// What the stand-in saw of the requests with this tag.
pub(crate) async fn seen(tag: &str) -> String {
    ollama_at("seen", tag).await.version(None).await.unwrap()
}

/// The error has this kind, and its message says all of `parts`.
pub(crate) fn check<T: Debug>(result: Result<T, Error>, kind: ErrorKind, parts: &[&str]) {
    let error = result.unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    for part in parts {
        assert!(error.message.contains(part), "no `{part}` in: {error}");
    }
    assert!(!error.message.ends_with('.') && error.message.len() < 500, "{error}");
}
