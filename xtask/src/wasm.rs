//! Building for wasm with wasm-bindgen's own tools as libraries: nothing is installed, and their
//! version is the lock file's.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;
use wasm_bindgen_cli::{wasm_bindgen, wasm_bindgen_test_runner};

use crate::browser::Browser;
use crate::command::{self, cargo};
use crate::toolchain::{WASM_TARGET, wasm_target};

/// Builds `package` by itself, so that it has the features that it ships with, in this profile of
/// cargo, and gives its wasm the JS glue for `glue` (`web`, `nodejs`). The result is the folder of both.
pub(crate) fn build(package: &str, profile: &str, glue: &str) -> Result<PathBuf, String> {
    wasm_target()?;
    let line = format!("build --profile {profile} --target {WASM_TARGET} --package {package}");
    let mut command = cargo(&line);
    command.arg("--config").arg(format!("target.{WASM_TARGET}.rustflags={}", json!(remap()?)));
    command::run(command)?;
    let target = target_folder()?;
    // Cargo writes `-` as `_` in the name of a library only.
    let built = target.join(WASM_TARGET).join(profile);
    let names = [format!("{}.wasm", package.replace('-', "_")), format!("{package}.wasm")];
    let file = names.iter().map(|name| built.join(name)).find(|path| path.is_file());
    let file = file.ok_or_else(|| format!("`{package}` left no wasm in {}\n", built.display()))?;
    let out = target.join("wasm-bindgen").join(package).join(glue);
    let words = ["wasm-bindgen", "--no-typescript", "--target", glue, "--out-dir"].map(OsString::from);
    let arguments = words.into_iter().chain([out.clone().into(), file.into()]);
    wasm_bindgen::run_cli_with_args(arguments).map_err(|error| format!("wasm-bindgen {package}: {error:#}\n"))?;
    Ok(out)
}

/// The cargo call that runs the wasm tests in `file` of the tests' package, with this program as
/// the runner.
pub(crate) fn test(file: &str) -> Result<Command, String> {
    wasm_target()?;
    let program = env::current_exe().map_err(|error| format!("this program's path: {error}\n"))?;
    // A list, since cargo would split a plain value at the spaces of the path.
    let runner = json!([program.to_string_lossy(), "runner"]);
    let mut command = cargo(&format!("test --target {WASM_TARGET} --package diffledger-tests --test {file}"));
    command.args(["--config", &format!("target.{WASM_TARGET}.runner={runner}")]);
    for (name, _) in env::vars_os() {
        if changes_the_runner(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    // The defaults, 20 s and 5 s, are too short for a busy machine.
    command.env("WASM_BINDGEN_TEST_TIMEOUT", "300").env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    Ok(command)
}

/// Measures the core as wasm in Node and prints the medians.
pub(crate) fn bench() -> Result<(), String> {
    let mut command = test("wasm_bench")?;
    command.args(["--profile", "wasm-release", "--", "--nocapture"]);
    print!("{}", command::run(command)?);
    Ok(())
}

/// Has the tests of `command` run in `browser`.
pub(crate) fn use_browser(command: &mut Command, browser: &Browser) -> Result<(), String> {
    let file = target_folder()?.join("webdriver.json");
    fs::write(&file, browser.capabilities()).map_err(|error| format!("{}: {error}\n", file.display()))?;
    command.env("CHROMEDRIVER", &browser.driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
    Ok(())
}

/// The runner itself, called by cargo with the test's wasm file and the arguments after `--`.
pub(crate) fn run_tests(arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let arguments = std::iter::once(OsString::from("wasm-bindgen-test-runner")).chain(arguments);
    wasm_bindgen_test_runner::run_cli_with_args(arguments).map_err(|error| format!("{error:#}"))
}

/// Whether a variable of the surroundings would make the runner skip tests, wait for a person, or
/// take another browser.
fn changes_the_runner(name: &str) -> bool {
    let driver = name.strip_suffix("_REMOTE").or_else(|| name.strip_suffix("_ARGS")).unwrap_or(name);
    name == "NO_HEADLESS"
        || name.starts_with("WASM_BINDGEN_")
        || ["GECKODRIVER", "SAFARIDRIVER", "CHROMEDRIVER", "MSEDGEDRIVER"].contains(&driver)
}

/// The flags that keep the folders of this machine out of the texts of panics: the wasm is
/// published, and has the same bytes wherever it is built.
fn remap() -> Result<Vec<String>, String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let sources = home.join("registry/src");
    let failed = |error: std::io::Error| format!("{}: {error}\n", sources.display());
    let mut flags = Vec::new();
    for registry in fs::read_dir(&sources).map_err(failed)? {
        flags.push(format!("--remap-path-prefix={}=crates", registry.map_err(failed)?.path().display()));
    }
    flags.sort();
    Ok(flags)
}

/// Where cargo builds.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    let output = command::run(cargo("metadata --no-deps --format-version 1"))?;
    // Warnings of cargo may stand before the one line of JSON.
    let line = output.lines().find(|line| line.starts_with('{')).unwrap_or_default();
    let metadata: serde_json::Value =
        serde_json::from_str(line).map_err(|error| format!("cargo metadata: {error}\n"))?;
    let folder = metadata.get("target_directory").and_then(serde_json::Value::as_str);
    folder.map(PathBuf::from).ok_or_else(|| "cargo metadata names no target folder\n".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_steers_the_runner_is_taken_away() {
        for name in ["NO_HEADLESS", "WASM_BINDGEN_TEST_ONLY_NODE", "GECKODRIVER", "CHROMEDRIVER_REMOTE"] {
            assert!(changes_the_runner(name), "{name}");
        }
        for name in ["PATH", "CHROME", "NODE_PATH", "DRIVER_ARGS"] {
            assert!(!changes_the_runner(name), "{name}");
        }
    }

    #[test]
    fn trunk_takes_the_wasm_bindgen_of_the_lock() {
        let read = |name| fs::read_to_string(command::workspace().join(name)).unwrap();
        let lock = read("Cargo.lock");
        let (_, locked) = lock.split_once("name = \"wasm-bindgen\"\nversion = ").unwrap();
        let line = format!("\nwasm_bindgen = {}\n", locked.lines().next().unwrap());
        assert!(read("Trunk.toml").contains(&line), "Trunk.toml needs{line}");
    }
}
