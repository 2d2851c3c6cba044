//! What a browser does not let a page do, and how to tell it from a server that is not there.
//!
//! To a page both are the same `TypeError`. A second request in the mode `no-cors`, whose answer
//! nobody can read, succeeds when something answers at the address. A page that is cross-origin
//! isolated may not even do that: there a server that does not allow it passes for one that is not
//! there, and the message says that it may be so.

use gloo_net::http::Request;
use js_sys::Reflect;
use web_sys::{AbortSignal, RequestCredentials, RequestMode};

use super::watch::{Stop, Watch};
use super::{address, fetch};

/// How long it may take to find out. The caller waits for it after a request that failed already;
/// shorter, and a server in another country passes for none.
const PROBE_MS: u32 = 1_000;

/// The origin of the page or worker that we run in; `None` outside browsers.
pub(super) fn origin() -> Option<String> {
    Reflect::get(&js_sys::global(), &"origin".into()).ok()?.as_string()
}

/// Whether the browser kept the page of origin `page` from asking `url`, or from reading the answer.
pub(super) async fn blocks(page: &str, url: &str, signal: Option<&AbortSignal>) -> Result<bool, Stop> {
    let target = address::origin(url);
    if page == target {
        return Ok(false);
    }
    if page.starts_with("https:") && address::is_mixed(url) {
        return Ok(true);
    }
    let Ok(watch) = Watch::new(PROBE_MS, signal) else { return Ok(false) };
    let request = Request::get(&target)
        .mode(RequestMode::NoCors)
        .credentials(RequestCredentials::Omit)
        .abort_signal(Some(&watch.signal()))
        .build();
    let Ok(request) = request else { return Ok(false) };
    match watch.race(fetch(&request.into())).await {
        Ok(answer) => Ok(answer.is_ok()),
        Err(Stop::Timeout) => Ok(false),
        Err(Stop::Aborted) => Err(Stop::Aborted),
    }
}
