//! The project's own commands: `cargo demo`, `cargo verify`, `cargo xtask`.
//!
//! What needs wasm-bindgen's tools stands behind the feature `tooling`: they take minutes to build,
//! and the demo's terminal part must not wait for them.

mod demo;
mod print;

#[cfg(feature = "tooling")]
mod browser;
#[cfg(feature = "tooling")]
mod command;
#[cfg(feature = "tooling")]
mod npm;
#[cfg(feature = "tooling")]
mod package;
#[cfg(feature = "tooling")]
mod page;
#[cfg(feature = "tooling")]
mod stand_in;
#[cfg(feature = "tooling")]
mod toolchain;
#[cfg(feature = "tooling")]
mod verify;
#[cfg(feature = "tooling")]
mod wasm;

use std::env;
use std::process::ExitCode;

use lexopt::Arg;

const USAGE: &str = "usage: cargo demo [FILE] [--json] [--crunch-from N] [--no-serve]
       cargo verify [--list] [PART OF A STEP'S NAME]...
       cargo xtask package [--sizes]
       cargo xtask page
       cargo xtask serve [FILE] [--crunch-from N]
       cargo xtask bench-wasm";

fn main() -> ExitCode {
    if env::args_os().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    dispatch(lexopt::Parser::from_env()).unwrap_or_else(|error| {
        eprintln!("{error}\n{USAGE}");
        ExitCode::from(2)
    })
}

/// Runs the command that the first argument names; an error is one of usage.
fn dispatch(mut parser: lexopt::Parser) -> Result<ExitCode, lexopt::Error> {
    let name = match parser.next()? {
        Some(Arg::Value(name)) => name,
        Some(other) => return Err(other.unexpected()),
        None => return Err("no command".into()),
    };
    match name.to_str() {
        Some("demo") => Ok(report(demo::run(&demo::DemoOptions::parse(parser)?))),
        #[cfg(feature = "tooling")]
        Some("verify") => verify::run(&verify::VerifyOptions::parse(parser)?),
        #[cfg(feature = "tooling")]
        Some("package") => Ok(report(package::run(&package::PackageOptions::parse(parser)?))),
        #[cfg(feature = "tooling")]
        Some("page") => Ok(report(page::run())),
        #[cfg(feature = "tooling")]
        Some("serve") => Ok(report(page::serve(page::ServeOptions::parse(parser)?))),
        #[cfg(feature = "tooling")]
        Some("bench-wasm") => Ok(report(wasm::bench())),
        // What cargo calls for each test file of `verify`'s wasm steps.
        #[cfg(feature = "tooling")]
        Some("runner") => Ok(report(wasm::run_tests(parser.raw_args()?))),
        _ => Err(format!("no command `{}` in this build", name.display()).into()),
    }
}

fn report(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
