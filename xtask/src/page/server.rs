//! The page on this machine, for the one who started it.
//!
//! A private transcript may be served along with it. So it listens on the loopback interface only,
//! and answers only to its own names: a foreign page whose name leads here (DNS rebinding) gets nothing.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{process, thread};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rouille::{Request, Response, Server};

/// The port that is tried first, and how many after it.
const PORT: u16 = 8080;
const PORTS: u16 = 100;

/// Where the page finds the transcript that it was opened for.
const TRANSCRIPT: &str = "/transcript";

/// What is handed out: what is not listed here is not there, whatever the path looks like.
pub(super) struct Site {
    /// The path, the type and the bytes of each file.
    files: Vec<(String, &'static str, Vec<u8>)>,
    transcript: Option<PathBuf>,
    crunch_from: Option<u32>,
}

impl Site {
    /// The files in `folder`, and the transcript if there is one.
    pub(super) fn of(folder: &Path, transcript: Option<PathBuf>, crunch_from: Option<u32>) -> Result<Self, String> {
        let failed = |error: io::Error| format!("{}: {error}\n", folder.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
            files.push((path, content_type(&name), fs::read(entry.path()).map_err(failed)?));
        }
        Ok(Self { files, transcript, crunch_from })
    }

    /// Serves until the program ends; the address is told on standard error.
    pub(super) fn serve(self) -> Result<(), String> {
        let fragment = self.fragment();
        let (port, server) = self.listen(PORT)?;
        eprintln!("The page: http://127.0.0.1:{port}/{fragment} (stop with Ctrl-C)");
        server.run();
        Ok(())
    }

    /// What follows the address, so that the page opens with the transcript, crunched as asked.
    fn fragment(&self) -> String {
        let name = self.transcript.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
        let name = name.map(|name| format!("transcript={}", utf8_percent_encode(&name, NON_ALPHANUMERIC)));
        let crunch = self.crunch_from.map(|from| format!("crunch-from={from}"));
        let parts: Vec<String> = name.into_iter().chain(crunch).collect();
        if parts.is_empty() { String::new() } else { format!("#{}", parts.join("&")) }
    }

    /// A server on the first free port from `first` on.
    fn listen(self, first: u16) -> Result<(u16, Server<impl Fn(&Request) -> Response>), String> {
        let site = Arc::new(self);
        for port in first..first.saturating_add(PORTS) {
            let site = site.clone();
            match Server::new(("127.0.0.1", port), move |request| site.answer(request, port)) {
                Ok(server) => return Ok((port, server)),
                Err(error) if is_taken(error.as_ref()) => {}
                Err(error) => return Err(format!("port {port} of 127.0.0.1: {error}")),
            }
        }
        Err(format!("no free port on 127.0.0.1 from {first} on: stop a program that listens there"))
    }

    fn answer(&self, request: &Request, port: u16) -> Response {
        self.find(request, port)
            .with_additional_header("Cache-Control", "no-store")
            .with_additional_header("X-Content-Type-Options", "nosniff")
            .with_additional_header("Cross-Origin-Resource-Policy", "same-origin")
    }

    fn find(&self, request: &Request, port: u16) -> Response {
        let is_ours = |host: &str| ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{port}"));
        if !request.header("Host").is_some_and(is_ours) {
            return Response::text(format!("ask for http://127.0.0.1:{port}/\n")).with_status_code(421);
        }
        if !["GET", "HEAD"].contains(&request.method()) {
            let refusal = Response::text("only GET and HEAD\n").with_status_code(405);
            return refusal.with_additional_header("Allow", "GET, HEAD");
        }
        let path = request.url();
        if path == TRANSCRIPT {
            return self.transcript();
        }
        match self.files.iter().find(|(name, ..)| *name == path) {
            Some((_, kind, bytes)) => Response::from_data(*kind, bytes.clone()),
            None => Response::text("not found\n").with_status_code(404),
        }
    }

    /// Read anew each time: a session that goes on is seen after a reload.
    fn transcript(&self) -> Response {
        match &self.transcript {
            None => Response::text("no transcript was named\n").with_status_code(404),
            Some(path) => match File::open(path) {
                Ok(file) => Response::from_file("text/plain; charset=utf-8", file),
                Err(error) => Response::text(format!("`{}`: {error}\n", path.display())).with_status_code(404),
            },
        }
    }
}

/// Ends the program when standard input ends: whoever started it with a pipe is gone then.
pub(super) fn end_with_parent() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        process::exit(0);
    });
}

fn is_taken(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::AddrInUse)
}

/// The type by the ending; with `nosniff` a wrong one is refused by browsers.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    const PORT: u16 = 8123;

    fn site(transcript: Option<PathBuf>) -> Site {
        let file = |path: &str, name| (path.to_owned(), content_type(name), format!("the {name}").into_bytes());
        Site { files: vec![file("/", "index.html"), file("/a_bg.wasm", "a_bg.wasm")], transcript, crunch_from: None }
    }

    /// The status, and the type and text of what is sent.
    fn ask(site: &Site, method: &str, path: &str, host: Option<&str>) -> (u16, String, String) {
        let headers = host.map(|host| ("Host".to_owned(), host.to_owned())).into_iter().collect();
        let response = site.answer(&Request::fake_http(method, path, headers, Vec::new()), PORT);
        for (name, value) in [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")] {
            assert!(response.headers.iter().any(|header| header.0 == name && header.1 == value), "{name}");
        }
        let kind = response.headers.iter().find(|(name, _)| name == "Content-Type").unwrap().1.to_string();
        let mut text = String::new();
        response.data.into_reader_and_size().0.read_to_string(&mut text).unwrap();
        (response.status_code, kind, text)
    }

    fn get(site: &Site, path: &str) -> (u16, String, String) {
        ask(site, "GET", path, Some("127.0.0.1:8123"))
    }

    /// This very file stands for a private transcript.
    fn private() -> Site {
        site(Some(crate::command::workspace().join("xtask/src/page/server.rs")))
    }

    #[test]
    fn a_foreign_name_gets_nothing() {
        for host in [
            None,
            Some(""),
            Some("127.0.0.1"),
            Some("localhost:80"),
            Some("127.0.0.1:8124"),
            Some("attacker.example:8123"),
            Some("127.0.0.1:8123.attacker.example"),
            Some("localhost.attacker.example:8123"),
        ] {
            for path in ["/", "/transcript"] {
                let (status, _, text) = ask(&private(), "GET", path, host);
                assert_eq!((status, text.as_str()), (421, "ask for http://127.0.0.1:8123/\n"), "{host:?} {path}");
            }
        }
        assert_eq!(ask(&private(), "GET", "/", Some("localhost:8123")).0, 200);
    }

    #[test]
    fn what_is_not_listed_is_not_found() {
        for path in
            ["/index.htm", "//", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/etc/passwd", "/transcript/", "/a_bg.wasm/"]
        {
            assert_eq!(get(&private(), path).0, 404, "{path}");
        }
        assert_eq!(get(&site(None), "/transcript").0, 404);
        assert_eq!(get(&site(Some("no such file".into())), "/transcript").0, 404);
    }

    #[test]
    fn nothing_can_be_written() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
            assert_eq!(ask(&private(), method, "/", Some("127.0.0.1:8123")).0, 405, "{method}");
        }
    }

    #[test]
    fn files_have_their_types_and_bytes_whatever_the_query_says() {
        let file = |kind: &str, text: &str| (200, kind.to_owned(), text.to_owned());
        assert_eq!(get(&site(None), "/"), file("text/html; charset=utf-8", "the index.html"));
        assert_eq!(get(&site(None), "/?a=b"), get(&site(None), "/"));
        assert_eq!(get(&site(None), "/a_bg.wasm"), file("application/wasm", "the a_bg.wasm"));
        let source = include_str!("server.rs");
        assert_eq!(get(&private(), "/transcript"), file("text/plain; charset=utf-8", source));
    }

    #[test]
    fn the_address_names_the_transcript_without_its_folder() {
        assert_eq!(site(None).fragment(), "");
        let named = |path: &str| site(Some(path.into())).fragment();
        assert_eq!(named("/home/me/a chat&b.md"), "#transcript=a%20chat%26b%2Emd");
        assert_eq!(Site { crunch_from: Some(10), ..site(None) }.fragment(), "#crunch-from=10");
        assert_eq!(Site { crunch_from: Some(1), ..site(Some("a".into())) }.fragment(), "#transcript=a&crunch-from=1");
    }

    #[test]
    fn a_taken_port_is_passed_over_and_the_next_one_answers_head_without_a_body() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let first = taken.local_addr().unwrap().port();
        let (port, server) = site(None).listen(first).unwrap();
        assert!(port > first);
        let (running, stop) = server.stoppable();
        let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(socket, "HEAD / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200 ") && text.contains("Content-Length: 14\r\n"), "{text}");
        assert!(text.ends_with("\r\n\r\n"), "{text}");
        stop.send(()).unwrap();
        running.join().unwrap();
    }
}
