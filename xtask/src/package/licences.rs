//! The licences of what the package carries with it: the npm packages in its JavaScript and the
//! crates in its wasm.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{NAME, SOURCE, json};
use crate::command::{self, cargo};
use crate::toolchain::WASM_TARGET;

/// One part of the package that others wrote.
struct Part {
    name: String,
    version: String,
    licence: String,
    folder: PathBuf,
}

/// The texts, one after the other; `packages` are those of npm.
pub(super) fn text(packages: &BTreeSet<String>) -> Result<String, String> {
    let mut parts = Vec::new();
    for name in packages {
        let folder = command::workspace().join(SOURCE).join("node_modules").join(name);
        parts.push(part(&json(&folder.join("package.json"))?, folder)?);
    }
    parts.extend(crates()?);
    let mut text = String::from("This package contains the following works of others.\n");
    for part in &parts {
        let rule = "=".repeat(72);
        text.push_str(&format!("\n{rule}\n{} {}, {}\n\n", part.name, part.version, part.licence));
        text.push_str(part.text()?.trim());
        text.push('\n');
    }
    Ok(text)
}

/// The crates whose code ends up in the wasm: what runs only while compiling is not among them.
fn crates() -> Result<Vec<Part>, String> {
    let line = format!("tree --locked --package {NAME} --target {WASM_TARGET} --edges normal,no-proc-macro");
    let mut tree = cargo(&line);
    tree.args(["--prefix", "none", "--no-dedupe", "--format", "{p}"]);
    let tree = command::run(tree)?;
    // `name vX.Y.Z`, and for our own crates the path after it.
    let used: BTreeSet<(&str, &str)> =
        tree.lines().filter(|line| !line.contains('(')).filter_map(|line| line.split_once(" v")).collect();
    let metadata =
        command::run(cargo(&format!("metadata --locked --format-version 1 --filter-platform {WASM_TARGET}")))?;
    let metadata = metadata.lines().find(|line| line.starts_with('{')).unwrap_or_default();
    let metadata: Value = serde_json::from_str(metadata).map_err(|error| format!("cargo metadata: {error}\n"))?;
    let mut parts = Vec::new();
    for package in metadata.get("packages").and_then(Value::as_array).into_iter().flatten() {
        let field = |name| package.get(name).and_then(Value::as_str).unwrap_or_default();
        if used.contains(&(field("name"), field("version"))) {
            let folder = Path::new(field("manifest_path")).parent().unwrap_or(Path::new("")).to_owned();
            parts.push(part(package, folder)?);
        }
    }
    if parts.len() == used.len() {
        Ok(parts)
    } else {
        Err("cargo tree and cargo metadata name different crates\n".into())
    }
}

/// A part out of its manifest; npm and cargo call these fields the same.
fn part(manifest: &Value, folder: PathBuf) -> Result<Part, String> {
    let field = |name: &str| manifest.get(name).and_then(Value::as_str).map(str::to_owned);
    let missing = |name: &str| format!("{}: no `{name}` in the manifest\n", folder.display());
    Ok(Part {
        name: field("name").ok_or_else(|| missing("name"))?,
        version: field("version").ok_or_else(|| missing("version"))?,
        licence: field("license").ok_or_else(|| missing("license"))?,
        folder,
    })
}

impl Part {
    /// The texts of its licences. Where MIT is a choice it is taken, since it is the shortest; what
    /// holds beside it (Unicode's, for tables) stays.
    fn text(&self) -> Result<String, String> {
        let failed = |error: std::io::Error| format!("{}: {error}\n", self.folder.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
        }
        let names = chosen(names);
        if !names.is_empty() {
            let texts: std::io::Result<Vec<String>> =
                names.iter().map(|name| fs::read_to_string(self.folder.join(name))).collect();
            return Ok(texts.map_err(failed)?.join("\n"));
        }
        // The text of this one is the same for every work, and the package has it for itself.
        if self.licence.split([' ', '/']).any(|word| word == "Apache-2.0") {
            Ok("Apache-2.0: the text is in LICENSE-APACHE.".into())
        } else {
            Err(format!("{}: no file with the licence {}\n", self.folder.display(), self.licence))
        }
    }
}

/// Those of the file names that are licences and have to be told.
fn chosen(mut names: Vec<String>) -> Vec<String> {
    names.retain(|name| ["LICENSE", "LICENCE"].iter().any(|word| name.to_uppercase().starts_with(word)));
    names.sort();
    if names.iter().any(|name| name.contains("MIT")) {
        names.retain(|name| name.contains("MIT") || name.contains("UNICODE"));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_choice_one_licence_is_told_and_of_a_sum_both() {
        let chosen = |names: &[&str]| chosen(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(chosen(&["LICENSE-MIT", "LICENSE-APACHE", "src"]), ["LICENSE-MIT"]);
        assert_eq!(chosen(&["LICENSE-UNICODE", "COPYRIGHT", "LICENSE-MIT"]), ["LICENSE-MIT", "LICENSE-UNICODE"]);
        assert_eq!(chosen(&["license.md", "README.md"]), ["license.md"]);
    }
}
