//! `cargo demo`: a chat replayed in the terminal, and then on the page. Standard output is the replay
//! and nothing else.

use std::env;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use diffledger_core::config::Config;
use diffledger_core::transcript;
use lexopt::prelude::*;

use crate::print;

/// What `cargo demo` was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct DemoOptions {
    /// The transcript to replay; the built-in story without one.
    pub(crate) file: Option<PathBuf>,
    /// One line of JSON per user message instead of text.
    pub(crate) json: bool,
    /// Simulates a crunch of everything before each user message from this one on, counted from 1.
    pub(crate) crunch_from: Option<u32>,
    /// Whether the page is served after the replay. `--json` and `--no-serve` turn it off.
    pub(crate) serve: bool,
}

impl DemoOptions {
    /// Reads what stands after `demo`.
    pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut options = Self { serve: true, ..Self::default() };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("json") => {
                    options.json = true;
                    options.serve = false;
                }
                Long("no-serve") => options.serve = false,
                Long("crunch-from") => options.crunch_from = Some(parser.value()?.parse_with(message_number)?),
                Value(file) if options.file.is_none() => options.file = Some(file.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }
}

/// A number of a user message.
pub(crate) fn message_number(text: &str) -> Result<u32, &'static str> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("user messages are counted from 1"),
    }
}

/// Replays, and then serves the page where that was asked for.
pub(crate) fn run(options: &DemoOptions) -> Result<(), String> {
    let mut out = BufWriter::new(io::stdout().lock());
    replay(options, &mut out)?;
    match out.flush() {
        // The reader, `head` for instance, has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        flushed => flushed.map_err(|error| format!("standard output: {error}"))?,
    }
    if options.serve { serve(options) } else { Ok(()) }
}

/// Has the page built and served, by a build of this program that takes minutes the first time.
fn serve(options: &DemoOptions) -> Result<(), String> {
    eprintln!("\nNow the page: it takes some minutes the first time, and seconds later (`--no-serve` leaves it out).");
    let failed = |error: io::Error| format!("cargo, which builds the page: {error}");
    let mut child = server(options).spawn().map_err(failed)?;
    // Open for as long as we are there: its end is how the server learns that we are gone.
    let _pipe = child.stdin.take();
    if child.wait().map_err(failed)?.success() {
        return Ok(());
    }
    Err("the page cannot be shown, for the reason above; the replay is complete, and `--no-serve` leaves the page out"
        .into())
}

/// The call of cargo that builds and serves the page.
fn server(options: &DemoOptions) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--package", "xtask", "--features", "tooling", "--", "serve", "--with-parent"]);
    command.args(options.crunch_from.map(|from| format!("--crunch-from={from}"))).arg("--").args(&options.file);
    command.stdin(Stdio::piped()).stdout(io::stderr());
    command
}

/// The story that is built in: a coding session with two compactions.
const STORY: &str = include_str!("../../web/story.jsonl");

/// Writes the replay of the file, or of the built-in story, to `out`.
fn replay(options: &DemoOptions, out: &mut impl Write) -> Result<(), String> {
    let input = match &options.file {
        Some(file) => std::fs::read(file).map_err(|error| format!("`{}`: {error}", file.display()))?,
        None => STORY.into(),
    };
    let name = options.file.as_ref().map_or("the built-in story".into(), |file| file.display().to_string());
    let transcript = transcript::read(&input).map_err(|error| format!("{name}: {error}"))?;
    let how = diffledger_core::replay::Options { crunch_from: options.crunch_from };
    let (session, frames) = diffledger_core::replay::replay(&transcript, Config::default(), how)
        .map_err(|error| format!("{name}: {error}"))?;
    let written =
        if options.json { print::json(&frames, out) } else { print::text(&name, &transcript, &session, &frames, out) };
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| format!("standard output: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &[&str], expected: Result<DemoOptions, &str>) {
        let parser = lexopt::Parser::from_args(arguments);
        assert_eq!(DemoOptions::parse(parser).map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn json_and_no_serve_leave_out_the_page() {
        check(&[], Ok(DemoOptions { serve: true, ..DemoOptions::default() }));
        check(&["--no-serve"], Ok(DemoOptions::default()));
        check(&["--json"], Ok(DemoOptions { json: true, ..DemoOptions::default() }));
    }

    #[test]
    fn options_may_stand_before_and_after_the_file() {
        let expected = || DemoOptions {
            file: Some("a chat.md".into()),
            json: true,
            crunch_from: Some(10),
            ..DemoOptions::default()
        };
        check(&["--json", "a chat.md", "--crunch-from", "10"], Ok(expected()));
        check(&["--crunch-from=10", "--json", "--", "a chat.md"], Ok(expected()));
    }

    #[test]
    fn a_file_that_is_named_like_an_option_stays_a_file_for_the_server() {
        let last = |file: Option<&str>| {
            let options = DemoOptions { file: file.map(PathBuf::from), ..DemoOptions::default() };
            server(&options).get_args().last().map(std::ffi::OsStr::to_owned)
        };
        assert_eq!(last(Some("--json")), Some("--json".into()));
        assert_eq!(last(None), Some("--".into()));
        let crunched = server(&DemoOptions { crunch_from: Some(3), ..DemoOptions::default() });
        assert!(crunched.get_args().any(|argument| argument == "--crunch-from=3"));
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        check(&["--jason"], Err("invalid option '--jason'"));
        check(&["a.md", "b.md"], Err("unexpected argument \"b.md\""));
        let error = "cannot parse argument \"0\": user messages are counted from 1";
        check(&["--crunch-from", "0"], Err(error));
        check(&["--crunch-from"], Err("missing argument for option '--crunch-from'"));
    }
}
