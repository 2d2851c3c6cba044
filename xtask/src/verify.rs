//! `cargo verify`: every check there is, one after the other. A step that fails shows its whole
//! output, and the later ones still run.

use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::time::Instant;

use lexopt::prelude::*;

use crate::command::{self, cargo};
use crate::stand_in::StandIn;
use crate::{browser, npm, package, page, toolchain, wasm};

struct Step {
    name: &'static str,
    /// Gives what is to be added to the step's line, or all that is to be said about the failure.
    run: fn() -> Result<String, String>,
}

// No step may build the package `xtask` without `tooling` in the dev profile: that would replace
// this program, which is the runner of the wasm tests.
const STEPS: &[Step] = &[
    Step {
        name: "format",
        run: || {
            toolchain::component("fmt", "rustfmt")?;
            silent(cargo("fmt --all --check -- --color never"))
        },
    },
    Step { name: "clippy native", run: || clippy("--workspace --features xtask/tooling --all-targets") },
    // The unit tests of the core stay native: proptest's source of randomness has no wasm32 build.
    Step { name: "clippy wasm32 core", run: || wasm_clippy("diffledger-core --lib") },
    Step { name: "clippy wasm32 pkg", run: || wasm_clippy("diffledger --all-targets") },
    Step { name: "clippy wasm32 web", run: || wasm_clippy("diffledger-web --all-targets") },
    Step { name: "clippy wasm32 tests", run: || wasm_clippy("diffledger-tests --all-targets") },
    Step { name: "tests native", run: || tests(cargo("test --no-fail-fast --lib --bins --tests --examples")) },
    Step { name: "tests xtask", run: || tests(cargo("test --package xtask --features tooling")) },
    Step { name: "doctests", run: || command::run(cargo("test --no-fail-fast --doc")).map(|output| count(&output)) },
    Step {
        name: "documentation",
        run: || {
            let mut command = cargo("doc --no-deps");
            command.env("RUSTDOCFLAGS", "-D warnings");
            silent(command)
        },
    },
    Step { name: "build wasm pkg", run: || wasm::build("diffledger", "wasm-release", "web").map(|_| String::new()) },
    Step { name: "tests wasm Node", run: || tests(in_node("wasm_node")?) },
    Step { name: "tests wasm Chromium", run: || tests(in_browser("wasm_browser")?) },
    Step { name: "tests bindings Node", run: || tests(in_node("bindings_node")?) },
    Step { name: "tests bindings Chromium", run: || tests(in_browser("bindings_browser")?) },
    Step { name: "tests page Chromium", run: || tests(in_browser("page_browser")?) },
    Step { name: "tests bindings worker", run: || tests(in_browser("bindings_worker")?) },
    Step { name: "tests clients Node", run: || with_stand_in(in_node("clients_node")?) },
    Step {
        name: "tests clients Chromium",
        run: || {
            let mut command = in_browser("clients_browser")?;
            // An isolated page may not find out whether a server is there; the worker stays isolated.
            command.env("WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION", "1");
            with_stand_in(command)
        },
    },
    Step { name: "tests clients worker", run: || with_stand_in(in_browser("clients_worker")?) },
    Step { name: "package", run: || package::built()?.check() },
    Step {
        name: "tests npm",
        run: || {
            let package = package::built()?;
            let mut command = npm::test(&["tests/npm", "tests/stores", "tests/cli"])?;
            command.env("DIFFLEDGER_TARBALL", &package.tarball).env("CHROME", browser::find()?.chrome);
            tests(command)
        },
    },
    Step { name: "page", run: || page::built()?.check() },
    Step {
        name: "tests page",
        run: || {
            // What drives the browser is installed there.
            npm::install("tests/npm")?;
            let mut command = npm::test(&["tests/page"])?;
            command.env("DIFFLEDGER_PAGE", &page::built()?.folder).env("CHROME", browser::find()?.chrome);
            tests(command)
        },
    },
];

/// What `cargo verify` was asked for.
pub(crate) struct VerifyOptions {
    list: bool,
    /// A step runs when its name contains one of them; all run when there is none.
    parts: Vec<String>,
}

impl VerifyOptions {
    /// Reads what stands after `verify`.
    pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut options = Self { list: false, parts: Vec::new() };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("list") => options.list = true,
                Value(part) => options.parts.push(part.string()?.to_lowercase()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }

    fn wants(&self, step: &Step) -> bool {
        let name = step.name.to_lowercase();
        self.parts.is_empty() || self.parts.iter().any(|part| name.contains(part))
    }
}

/// Runs the steps; the last line says how many passed and failed.
pub(crate) fn run(options: &VerifyOptions) -> Result<ExitCode, lexopt::Error> {
    let steps: Vec<&Step> = STEPS.iter().filter(|step| options.wants(step)).collect();
    if steps.is_empty() {
        return Err("no step has such a name: see `cargo verify --list`".into());
    }
    if options.list {
        steps.iter().for_each(|step| println!("{}", step.name));
        return Ok(ExitCode::SUCCESS);
    }
    let mut failed = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("[{:>2}/{}] {}", index + 1, steps.len(), step.name);
        let start = Instant::now();
        let result = (step.run)();
        let (verdict, text) = match &result {
            Ok(remark) => ("ok", remark.as_str()),
            Err(output) => {
                print!("{output}");
                failed.push(step.name);
                ("FAILED", "")
            }
        };
        println!("        {verdict} in {:.1} s{text}", start.elapsed().as_secs_f32());
        // Standard output is no terminal in CI, and nobody wants to wait for its buffer.
        let _ = io::stdout().flush();
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("{} passed, {} failed", steps.len() - failed.len(), failed.len());
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn silent(command: Command) -> Result<String, String> {
    command::run(command).map(|_| String::new())
}

fn clippy(what: &str) -> Result<String, String> {
    toolchain::component("clippy", "clippy")?;
    silent(cargo(&format!("clippy {what} -- -D warnings")))
}

fn wasm_clippy(package: &str) -> Result<String, String> {
    toolchain::wasm_target()?;
    clippy(&format!("--target {} --package {package}", toolchain::WASM_TARGET))
}

/// The wasm tests in `file`, which run in Node.
fn in_node(file: &str) -> Result<Command, String> {
    command::node()?;
    wasm::test(file)
}

/// The wasm tests in `file`, which run in a page or a worker.
fn in_browser(file: &str) -> Result<Command, String> {
    let browser = browser::find()?;
    let mut command = wasm::test(file)?;
    wasm::use_browser(&mut command, &browser)?;
    Ok(command)
}

/// Runs tests that ask the stand-in server. They are compiled with its address, since a page has no
/// variables; it is the same every time, unless its port is taken.
fn with_stand_in(mut command: Command) -> Result<String, String> {
    let stand_in = StandIn::start()?;
    command.env("DIFFLEDGER_STAND_IN", &stand_in.address);
    tests(command)
}

/// Runs tests and counts them. None at all is a failure: files that cargo does not know, and a
/// runner that finds nothing, would else pass for ever.
fn tests(command: Command) -> Result<String, String> {
    let output = command::run(command)?;
    if passed(&output) == 0 { Err(format!("{output}no test ran\n")) } else { Ok(count(&output)) }
}

fn count(output: &str) -> String {
    format!(", tests: {}", passed(output))
}

/// The sum of cargo's `test result: ok. 12 passed; 0 failed; …` and Node's `# pass 12`.
fn passed(output: &str) -> u32 {
    let count = |line: &str| match line.strip_prefix("# pass ") {
        Some(count) => count.parse().ok(),
        None => line.strip_prefix("test result: ok. ")?.split_once(" passed")?.0.parse::<u32>().ok(),
    };
    output.lines().filter_map(|line| count(line.trim())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_summed_over_all_files() {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored\n\
                      no\ntest result: ok. 11 passed; 0 failed\n";
        assert_eq!(passed(output), 13);
        assert_eq!(passed("ok 1 - a claim\n# tests 3\n# pass 3\n# fail 0\n"), 3);
        assert_eq!(passed("no tests to run!\n"), 0);
    }

    #[test]
    fn any_part_of_a_name_selects_a_step() {
        let chosen = |parts: &[&str]| {
            let options = VerifyOptions::parse(lexopt::Parser::from_args(parts)).unwrap();
            STEPS.iter().filter(|step| options.wants(step)).map(|step| step.name).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&["documentation", "format"]), ["format", "documentation"]);
        assert_eq!(chosen(&[]).len(), STEPS.len());
    }
}
