//! The one place that touches the network: a request goes out, its answer comes back as text.
//!
//! The rule in one sentence: **every request settles within its time limit, as an answer or as an
//! [`Error`] that says what to do next**. The limit covers the body too; a caller's `AbortSignal`
//! ends it earlier. In a page a second request may follow a failed one, to find out whether the
//! browser was in the way ([`ErrorKind::Blocked`]); it takes at most a second more.
//!
//! Runs wherever there is a global `fetch`: Node, pages, workers, workerd. gloo-net builds the
//! requests; the call itself is our own, since gloo-net's panics on a rejection that is no `Error`,
//! and makes a string of all others. No header is sent but `Accept`, `Content-Type` and
//! `Authorization`: each further one would have to be allowed by the server for browsers.
//!
//! Redirects are not followed: what a person wrote goes to the address that the host has named, and
//! to no other.

mod address;
mod body;
mod page;
pub(crate) mod watch;

use std::fmt;

use diffledger_core::error::{Error, ErrorKind, shown};
use gloo_net::http::Request;
use js_sys::Reflect;
use serde_json::{Map, Value};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};
use web_sys::{AbortSignal, RequestRedirect, Response};

use self::body::Broken;
use self::watch::{Stop, Watch, promised};

/// The longest time limit: what a timer can count. A longer one would ring at once.
const MOST_MS: u32 = i32::MAX as u32;

/// A kind of server: its defaults, and what to tell a person when it does not answer.
#[derive(Debug)]
pub struct Service {
    /// Its name in messages.
    pub name: &'static str,
    /// Where it is by default.
    pub url: &'static str,
    /// How long it may take by default, in milliseconds.
    pub timeout_ms: u32,
    /// What to do when nothing answers.
    pub when_unreachable: &'static str,
    /// What to do when the browser is in the way.
    pub when_blocked: &'static str,
}

/// A server to ask: where it is, with which key, and how long it may take.
#[derive(Clone)]
pub struct Endpoint {
    service: &'static Service,
    url: String,
    key: Option<String>,
    timeout_ms: u32,
}

/// Without the key, so that it gets into no log.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Endpoint");
        out.field("url", &self.url).field("timeout_ms", &self.timeout_ms).finish_non_exhaustive()
    }
}

impl Endpoint {
    /// The service where it is by default, without a key.
    #[must_use]
    pub fn of(service: &'static Service) -> Self {
        Self { service, url: service.url.to_owned(), key: None, timeout_ms: service.timeout_ms }
    }

    /// At another address: of the server itself, or of what stands before it (`https://host/ollama`).
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`] when it is no http or https address, or has credentials, a query
    /// or a fragment.
    pub fn with_url(self, url: &str) -> Result<Self, Error> {
        Ok(Self { url: address::checked(url)?, ..self })
    }

    /// With a key, sent as `Authorization: Bearer …`.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`] when it is empty or cannot stand in a header; it is not shown.
    pub fn with_key(self, key: &str) -> Result<Self, Error> {
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_graphic()) {
            let message = "the key is empty, or has spaces or other characters that no header can have";
            return Err(Error::new(ErrorKind::InvalidOption, message));
        }
        Ok(Self { key: Some(key.to_owned()), ..self })
    }

    /// With another time limit, in milliseconds.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`] when it is 0 or more than 2 147 483 647.
    pub fn with_timeout(self, timeout_ms: u32) -> Result<Self, Error> {
        if timeout_ms == 0 || timeout_ms > MOST_MS {
            let message = format!("timeout `{timeout_ms}` is not between 1 and {MOST_MS} milliseconds");
            return Err(Error::new(ErrorKind::InvalidOption, message));
        }
        Ok(Self { timeout_ms, ..self })
    }

    /// An error of `kind` that says which server it is about.
    pub(crate) fn error(&self, kind: ErrorKind, what: impl fmt::Display) -> Error {
        Error::new(kind, format!("{} at `{}` {what}", self.service.name, shown(&self.url)))
    }

    /// The answer is not what the interface promises.
    pub(crate) fn bad_body(&self, what: impl fmt::Display) -> Error {
        self.error(ErrorKind::BadBody, what)
    }

    /// The fields of an answer that is a JSON object. An error under a status of success is one too.
    pub(crate) fn fields(&self, text: &str) -> Result<Map<String, Value>, Error> {
        let Ok(Value::Object(fields)) = serde_json::from_str(text) else {
            let what = format!("sent no JSON object: `{}`", body::said(text.trim(), self.key.as_deref()));
            return Err(self.bad_body(what));
        };
        match fields.get("error") {
            None | Some(Value::Null) => Ok(fields),
            Some(_) => {
                let said = body::said(&body::complaint(text), self.key.as_deref());
                Err(self.bad_body(format!("says `{said}` under a status of success")))
            }
        }
    }

    fn stopped(&self, stop: Stop) -> Error {
        match stop {
            Stop::Aborted => {
                Error::new(ErrorKind::Aborted, format!("the request to {} was called off", self.service.name))
            }
            Stop::Timeout => {
                let what =
                    format!("gave no full answer within `{}` ms: raise `timeout` if it needs longer", self.timeout_ms);
                self.error(ErrorKind::Timeout, what)
            }
        }
    }

    fn broken(&self, broken: &Broken) -> Error {
        match broken {
            Broken::Stopped(stop) => self.stopped(*stop),
            // Not `Unreachable`: the server was there, and began to answer.
            Broken::Cut(bytes) => self.bad_body(format!("broke its answer off after `{bytes}` bytes: try again")),
            Broken::TooLong => {
                let most = body::MOST_BYTES / 1024 / 1024;
                self.bad_body(format!("sends more than {most} MB: ask for less at once"))
            }
            Broken::Foreign => self.bad_body("was asked through a `fetch` whose answer is no stream of bytes"),
        }
    }

    /// The fetch itself failed: nobody is there, or the browser was in the way.
    async fn failed(&self, url: &str, reason: &JsValue, signal: Option<&AbortSignal>) -> Error {
        let Service { when_unreachable, when_blocked, .. } = self.service;
        let page = page::origin();
        if let Some(page) = &page {
            match page::blocks(page, url, signal).await {
                Ok(false) => {}
                Ok(true) => {
                    let what = format!("may not be asked by this page (`{}`): {when_blocked}", shown(page));
                    return self.error(ErrorKind::Blocked, what);
                }
                Err(stop) => return self.stopped(stop),
            }
        }
        let why = body::said(&reason_of(reason), self.key.as_deref());
        let in_page = if page.is_some() {
            "; if so, this page may be kept from it by its headers (`connect-src`, cross-origin isolation), or by a \
             refused permission for the local network"
        } else {
            ""
        };
        self.error(ErrorKind::Unreachable, format!("cannot be reached (`{why}`): {when_unreachable}{in_page}"))
    }
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Reply {
    /// What the server says went wrong: its `error`, or all of the body.
    pub(crate) fn complaint(&self) -> String {
        body::complaint(&self.body)
    }

    /// The body of a success.
    pub(crate) fn success(self, endpoint: &Endpoint) -> Result<String, Error> {
        let advice = match self.status {
            200..=299 => return Ok(self.body),
            // A browser hides which one it was: status 0.
            0 | 300..=399 => ": it redirects, give the final address as `url`",
            401 | 403 => ": is the `key` right, and this origin allowed?",
            404 => ": is the `url` right?",
            429 | 503 => ": it is busy, try again later",
            _ => "",
        };
        let said = body::said(&self.complaint(), endpoint.key.as_deref());
        let said = if said.is_empty() { said } else { format!(" and says `{said}`") };
        Err(endpoint.error(ErrorKind::BadStatus, format!("answers with status `{}`{said}{advice}", self.status)))
    }
}

/// Sends `body`, which is JSON, as a POST, or a GET without one, and reads the answer, whatever its status.
pub(crate) async fn send(
    endpoint: &Endpoint,
    path: &str,
    body: Option<String>,
    signal: Option<&AbortSignal>,
) -> Result<Reply, Error> {
    let url = address::join(&endpoint.url, path);
    // gloo-net panics where the platform's parser throws something that is no `Error` of this realm.
    web_sys::Url::new(&url).map_err(|_| {
        Error::new(ErrorKind::InvalidOption, format!("the url `{}` is no valid address", shown(&endpoint.url)))
    })?;
    let watch = Watch::new(endpoint.timeout_ms, signal).map_err(|reason| {
        let why = body::said(&reason_of(&reason), None);
        Error::new(ErrorKind::InvalidInput, format!("no request can be started here, or the signal is none: `{why}`"))
    })?;
    let request = request(endpoint, &url, body, &watch)?;
    let answer = match watch.race(fetch(&request)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(reason)) => {
            drop(watch);
            return Err(endpoint.failed(&url, &reason, signal).await);
        }
        Err(stop) => return Err(endpoint.stopped(stop)),
    };
    let response: Response = answer.dyn_into().map_err(|_| endpoint.broken(&Broken::Foreign))?;
    let status = response.status();
    let is_success = (200..=299).contains(&status);
    let bytes = match body::read(&response, &watch).await {
        Ok(bytes) => bytes,
        // The status says more than the broken text behind it.
        Err(Broken::Cut(_) | Broken::TooLong) if !is_success => Vec::new(),
        Err(broken) => return Err(endpoint.broken(&broken)),
    };
    // Mending would change what is quoted later; an error message may be mended.
    let body = match String::from_utf8(bytes) {
        Ok(body) => body,
        Err(error) if !is_success => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        Err(_) => return Err(endpoint.bad_body("sent bytes that are not UTF-8")),
    };
    Ok(Reply { status, body })
}

fn request(endpoint: &Endpoint, url: &str, body: Option<String>, watch: &Watch) -> Result<web_sys::Request, Error> {
    let builder = if body.is_some() { Request::post(url) } else { Request::get(url) };
    let mut builder = builder
        .header("Accept", "application/json")
        .redirect(RequestRedirect::Manual)
        .abort_signal(Some(&watch.signal()));
    if let Some(key) = &endpoint.key {
        builder = builder.header("Authorization", &format!("Bearer {key}"));
    }
    let request = match body {
        Some(body) => builder.header("Content-Type", "application/json").body(body),
        None => builder.build(),
    };
    let request = request.map_err(|error| {
        let why = body::said(&error.to_string(), endpoint.key.as_deref());
        Error::new(ErrorKind::InvalidOption, format!("no request can be made for `{}`: `{why}`", shown(&endpoint.url)))
    })?;
    Ok(request.into())
}

#[wasm_bindgen]
extern "C" {
    // Not an `async` import: a `fetch` that throws at once, or answers at once, is caught like one
    // that keeps its promise.
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(request: &web_sys::Request) -> Result<JsValue, JsValue>;
}

async fn fetch(request: &web_sys::Request) -> Result<JsValue, JsValue> {
    promised(&global_fetch(request)?).await
}

/// The network's own code where there is one (`ECONNREFUSED` in Node), else the message.
fn reason_of(reason: &JsValue) -> String {
    let field = |value: &JsValue, name: &str| Reflect::get(value, &JsValue::from(name)).ok();
    let code = field(reason, "cause").and_then(|cause| field(&cause, "code")?.as_string());
    let message = || field(reason, "message").and_then(|message| message.as_string());
    code.or_else(message).or_else(|| reason.as_string()).unwrap_or_else(|| "no reason given".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    static SERVICE: Service = Service {
        name: "the store",
        url: "http://127.0.0.1:1",
        timeout_ms: 10,
        when_unreachable: "start it",
        when_blocked: "allow it",
    };

    fn endpoint() -> Endpoint {
        Endpoint::of(&SERVICE).with_key("sesame").unwrap()
    }

    #[test]
    fn a_key_that_no_header_can_have_is_refused_and_no_key_is_shown() {
        for key in ["", "a b", "a\r\nX-Other: 1", "schlüssel", "\0"] {
            let error = endpoint().with_key(key).unwrap_err();
            assert_eq!(error.kind, ErrorKind::InvalidOption);
            assert!(key.is_empty() || !error.message.contains(key), "{}", error.message);
        }
        assert!(!format!("{:?}", endpoint()).contains("sesame"));
    }

    #[test]
    fn a_time_limit_that_no_timer_can_count_is_refused() {
        for timeout in [0, MOST_MS + 1, u32::MAX] {
            assert_eq!(endpoint().with_timeout(timeout).unwrap_err().kind, ErrorKind::InvalidOption);
        }
        assert_eq!(endpoint().with_timeout(MOST_MS).unwrap().timeout_ms, MOST_MS);
    }

    #[test]
    fn a_status_that_is_no_success_is_an_error_with_what_the_server_says() {
        for (status, said) in [
            (500, "status `500` and says `bad (key)`"),
            (302, "it redirects"),
            (0, "it redirects"),
            (401, "is the `key` right"),
            (503, "try again later"),
        ] {
            let reply = Reply { status, body: r#"{"error": "bad sesame"}"#.to_owned() };
            let error = reply.success(&endpoint()).unwrap_err();
            assert_eq!(error.kind, ErrorKind::BadStatus);
            assert!(error.message.contains(said) && !error.message.contains("sesame"), "{}", error.message);
        }
        let reply = Reply { status: 204, body: String::new() };
        assert_eq!(reply.success(&endpoint()), Ok(String::new()));
    }

    #[test]
    fn only_a_json_object_without_an_error_is_an_answer() {
        for (text, why) in [
            ("bad sesame", "no JSON object: `bad (key)`"),
            ("", "no JSON object"),
            ("[]", "no JSON object"),
            ("{\"a\": ", "no JSON object"),
            ("{\"error\": \"bad sesame\"}", "says `bad (key)`"),
            ("{\"error\": 5, \"results\": []}", "says `5`"),
        ] {
            let error = endpoint().fields(text).unwrap_err();
            assert_eq!(error.kind, ErrorKind::BadBody);
            assert!(error.message.contains(why) && !error.message.contains("sesame"), "{}", error.message);
        }
        let deep = format!("{}{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
        assert_eq!(endpoint().fields(&deep).unwrap_err().kind, ErrorKind::BadBody);
        assert_eq!(endpoint().fields("{\"error\": null, \"a\": 1}").unwrap().len(), 2);
    }
}
