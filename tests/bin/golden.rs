//! `golden`: writes `tests/golden/story.json` anew, from the story as the core replays it now.

use std::process::ExitCode;

use diffledger_tests::story;

fn main() -> ExitCode {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/story.json");
    match std::fs::write(path, story()) {
        Ok(()) => {
            println!("wrote {path}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("golden: `{path}`: {error}");
            ExitCode::FAILURE
        }
    }
}
