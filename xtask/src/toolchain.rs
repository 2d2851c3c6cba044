//! What rustup must have installed: the wasm target, rustfmt, clippy.

use std::path::Path;
use std::process::Command;

use crate::command::{self, cargo};

/// The one wasm target of the project.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Installs the wasm target where it is missing.
pub(crate) fn wasm_target() -> Result<(), String> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", WASM_TARGET]);
    let folder = command::run(rustc)?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    rustup(["target", "add", WASM_TARGET])
}

/// Installs the rustup component that brings `cargo NAME`, where it is missing.
pub(crate) fn component(name: &str, component: &str) -> Result<(), String> {
    match command::run(cargo(&format!("{name} --version"))) {
        Ok(_) => Ok(()),
        Err(_) => rustup(["component", "add", component]),
    }
}

fn rustup(arguments: [&str; 3]) -> Result<(), String> {
    let [what, _, name] = arguments;
    let Some(rustup) = command::find(&["rustup"]) else {
        return Err(format!(
            "the {what} {name} of Rust is missing, and so is rustup to install it: get it the way Rust was installed\n"
        ));
    };
    println!("        installing the {what} {name}");
    let mut command = Command::new(rustup);
    command.args(arguments);
    command::run(command).map(drop)
}
