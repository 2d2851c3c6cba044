//! The address of a server: what is accepted, how a path is added, how it is shown.

use diffledger_core::error::{Error, ErrorKind, shown};

/// The base address without its trailing slashes.
///
/// Stricter than the platform's own parser, which mends what it is given: `http:\\user@host` would
/// pass there.
///
/// # Errors
/// [`ErrorKind::InvalidOption`]: no http or https, credentials, a query or fragment, no host, a port
/// out of range, or characters that no address has.
pub(super) fn checked(url: &str) -> Result<String, Error> {
    let refuse = |why: &str| Err(Error::new(ErrorKind::InvalidOption, format!("the url `{}` {why}", safe(url))));
    let Some(Parts { scheme, authority, path }) = parts(url) else {
        return refuse("is no address: it begins with `http://` or `https://`");
    };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return refuse("is neither http nor https");
    }
    if authority.contains('@') {
        return refuse("has credentials in it: give the key as `key`");
    }
    if url.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        return refuse("has a space, a control character or a backslash in it");
    }
    if path.contains(['?', '#']) {
        return refuse("has a query or a fragment: only the address of the server is asked for");
    }
    let (host, port) = host_and_port(authority);
    if host.is_empty() {
        return refuse("names no host");
    }
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return refuse("has a port that is none");
    }
    Ok(url.trim_end_matches('/').to_owned())
}

/// The address of `path`, which begins with a slash, on the server at `base`, which ends without one.
pub(super) fn join(base: &str, path: &str) -> String {
    format!("{base}{path}")
}

/// The scheme, host and port of a checked address.
pub(super) fn origin(url: &str) -> String {
    parts(url).map(|parts| format!("{}://{}", parts.scheme, parts.authority).to_ascii_lowercase()).unwrap_or_default()
}

/// Whether a checked address is one that a page loaded over https may never ask: plain http to
/// another machine.
pub(super) fn is_mixed(url: &str) -> bool {
    parts(url).is_some_and(|parts| {
        let host = host_and_port(parts.authority).0.to_ascii_lowercase();
        let is_loopback =
            host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "[::1]";
        parts.scheme.eq_ignore_ascii_case("http") && !is_loopback
    })
}

struct Parts<'a> {
    scheme: &'a str,
    authority: &'a str,
    path: &'a str,
}

fn parts(url: &str) -> Option<Parts<'_>> {
    let (scheme, rest) = url.split_once("://")?;
    let (authority, path) = rest.split_at_checked(rest.find(['/', '?', '#']).unwrap_or(rest.len()))?;
    Some(Parts { scheme, authority, path })
}

/// The colons of an IPv6 address stand in brackets.
fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

/// `url` for a message: without what stands before an `@`, and without its query, where keys are.
fn safe(url: &str) -> String {
    let public = url.split(['?', '#']).next().unwrap_or_default();
    match (public.split_once("://"), public.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => shown(&format!("{scheme}://{host}")),
        (None, Some((_, host))) => shown(host),
        (_, None) => shown(public),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_of_a_server_is_refused_with_the_reason() {
        for (url, why) in [
            ("", "is no address"),
            ("localhost:11434", "is no address"),
            ("/recall", "is no address"),
            ("ftp://host", "neither http nor https"),
            ("javascript://host", "neither http nor https"),
            ("http://", "names no host"),
            ("http://:80", "names no host"),
            ("http:///path", "names no host"),
            ("http://host:65536", "has a port"),
            ("http://host:x", "has a port"),
            ("http://host:", "has a port"),
            ("http://ho st", "has a space"),
            ("http://host/a\nb", "has a space"),
            ("http:\\\\host", "is no address"),
            ("http://host\\path", "has a space"),
            ("http://host?top=1", "has a query"),
            ("http://host/#x", "has a query"),
        ] {
            let error = checked(url).unwrap_err();
            assert_eq!(error.kind, ErrorKind::InvalidOption);
            assert!(error.message.contains(why), "{url}: {}", error.message);
        }
    }

    #[test]
    fn no_message_shows_credentials_or_a_query() {
        for url in [
            "http://me:sesame@host:1/",
            "http://sesame@host",
            "http://a@sesame@host",
            "ftp://me:sesame@host",
            "me:sesame@host",
            "http://me:ses/sesame@host",
            "http://host/?key=sesame",
            "http://host#sesame",
        ] {
            let message = checked(url).map(|_| String::new()).unwrap_or_else(|error| error.message);
            assert!(!message.contains("sesame"), "{url}: {message}");
        }
        assert!(checked("http://me:sesame@host:1/").unwrap_err().message.contains("`http://host:1/`"));
    }

    #[test]
    fn a_path_is_added_with_one_slash() {
        for (base, joined) in [
            ("http://127.0.0.1:11434", "http://127.0.0.1:11434/api/tags"),
            ("http://127.0.0.1:11434//", "http://127.0.0.1:11434/api/tags"),
            ("HTTPS://host/ollama/", "HTTPS://host/ollama/api/tags"),
            ("http://[::1]:80", "http://[::1]:80/api/tags"),
            ("http://[::1]", "http://[::1]/api/tags"),
        ] {
            assert_eq!(join(&checked(base).unwrap(), "/api/tags"), joined);
        }
        assert_eq!(origin("HTTP://Host:80/a/b"), "http://host:80");
    }

    #[test]
    fn plain_http_is_mixed_content_except_on_this_machine() {
        for url in ["http://example.org", "http://10.0.0.1:80/x", "HTTP://nolocalhost"] {
            assert!(is_mixed(url), "{url}");
        }
        for url in
            ["https://example.org", "http://localhost:1", "http://a.localhost", "http://127.0.0.1", "http://[::1]:2"]
        {
            assert!(!is_mixed(url), "{url}");
        }
    }
}
