//! `eval refill CASES.jsonl`: for each case what the core would put back, one line of JSON a case.
//!
//! The messages go to a fresh session with the default configuration; everything but the last `keep`
//! leaves the window; then the case's message is looked at. The line says which lost concepts it
//! refers to and the fills that were recalled from the session's own log.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use diffledger_core::config::Config;
use diffledger_core::ledger::State;
use diffledger_core::message::{Message, Role};
use diffledger_core::session::Session;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Case {
    id: String,
    messages: Vec<Said>,
    keep: usize,
    message: String,
}

#[derive(Deserialize)]
struct Said {
    role: Role,
    text: String,
}

#[derive(Serialize)]
struct Answer {
    id: String,
    concepts: Vec<String>,
    fills: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["refill", path] => refill(path),
        _ => Err("usage: eval refill CASES.jsonl".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("eval: {message}");
            ExitCode::FAILURE
        }
    }
}

fn refill(path: &str) -> Result<(), String> {
    let file = std::fs::File::open(path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (line, number) in BufReader::new(file).lines().zip(1..) {
        let line = line.map_err(|error| format!("`{path}`, line {number}: {error}"))?;
        if line.trim().is_empty() {
            continue;
        }
        let case: Case = serde_json::from_str(&line).map_err(|error| format!("`{path}`, line {number}: {error}"))?;
        let answer = answer(case).map_err(|error| format!("`{path}`, line {number}: {error}"))?;
        let json = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
        writeln!(out, "{json}").map_err(|error| error.to_string())?;
    }
    out.flush().map_err(|error| error.to_string())
}

fn answer(case: Case) -> Result<Answer, diffledger_core::error::Error> {
    let mut session = Session::new("eval", Config::default())?;
    session.extend(case.messages.into_iter().map(|said| Message::text(said.role, said.text)));
    session.crunch_to(case.keep);
    let turn = session.extend([Message::text(Role::User, case.message)]);
    let known = turn.gaps.iter().filter(|gap| gap.state != State::Unknown);
    Ok(Answer {
        id: case.id,
        concepts: known.map(|gap| gap.concept.clone()).collect(),
        fills: turn.fills.into_iter().map(|fill| fill.text).collect(),
    })
}
