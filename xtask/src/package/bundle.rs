//! esbuild makes each published JavaScript file out of the entries in `pkg/js`.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::{SOURCE, WASM, json, write};
use crate::{command, npm};

/// How an entry comes to its wasm, and what else it has around it.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Fetched: the URL beside the module, which bundlers follow.
    Web,
    /// Imported as a module.
    Workerd,
    /// Written into the JavaScript.
    Inline,
    /// Read from the disk.
    Node,
    /// A program that uses the entry for Node, and is no entry itself.
    Program,
}

struct Bundle {
    source: &'static str,
    file: &'static str,
    place: Place,
}

/// All published files of JavaScript but `node.mjs`.
const BUNDLES: &[Bundle] = &[
    Bundle { source: "diffledger.js", file: "diffledger.js", place: Place::Web },
    Bundle { source: "embedded.js", file: "workerd.js", place: Place::Workerd },
    Bundle { source: "embedded.js", file: "inline.js", place: Place::Inline },
    Bundle { source: "node.js", file: "node.cjs", place: Place::Node },
    Bundle { source: "cli.js", file: "cli.js", place: Place::Program },
];

/// Class names stay, since people read them. Comments go: they would name the folders of this machine.
const ALWAYS: &str = "--bundle --minify --keep-names --target=es2022 --log-level=warning";

/// Writes all files into `folder`, and gives the npm packages whose code is in them.
pub(super) fn run(glue: &Path, folder: &Path, version: &str) -> Result<BTreeSet<String>, String> {
    let mut packages = BTreeSet::new();
    let mut names = None;
    for bundle in BUNDLES {
        let metafile = folder.with_file_name(format!("{}.json", bundle.file));
        let mut command = npm::tool(SOURCE, "esbuild", ALWAYS);
        command.args(bundle.place.arguments());
        command.arg(format!("pkg/js/{}", bundle.source));
        command.arg(format!("--alias:glue={}", glue.display()));
        if bundle.place == Place::Inline {
            command.arg(format!("--alias:wasm={}", folder.join(WASM).display()));
        }
        command.arg(format!("--define:VERSION=\"{version}\""));
        command.arg(format!("--metafile={}", metafile.display()));
        command.arg(format!("--outfile={}", folder.join(bundle.file).display()));
        command::run(command)?;

        let metadata = json(&metafile)?;
        packages.extend(packages_in(&metadata));
        if bundle.place == Place::Web {
            names = Some(exports(&metadata));
        }
    }
    let names = names.ok_or("no entry for browsers among the bundles\n")?;
    write(&folder.join("node.mjs"), &hand_on(&names))?;
    Ok(packages)
}

const WEB: [&str; 2] = ["--format=esm", "--alias:file-store=./pkg/js/no_file_store.js"];

impl Place {
    fn arguments(self) -> Vec<&'static str> {
        match self {
            Self::Web => WEB.to_vec(),
            Self::Workerd => {
                [&WEB[..], &["--alias:wasm=./diffledger_bg.wasm", "--external:./diffledger_bg.wasm"]].concat()
            }
            Self::Inline => [&WEB[..], &["--loader:.wasm=binary"]].concat(),
            Self::Node => vec!["--format=cjs", "--platform=node", "--alias:file-store=./pkg/js/stores/file.js"],
            // The parser of arguments is CommonJS and asks for `require`.
            Self::Program => vec![
                "--format=esm",
                "--platform=node",
                "--alias:diffledger=./node.mjs",
                "--external:./node.mjs",
                "--banner:js=import { createRequire } from \"node:module\"; const require = createRequire(import.meta.url);",
            ],
        }
    }
}

/// The npm packages of esbuild's inputs, `node_modules/NAME/…` or `node_modules/@SCOPE/NAME/…`.
fn packages_in(metadata: &Value) -> BTreeSet<String> {
    let inputs = metadata.get("inputs").and_then(Value::as_object).into_iter().flatten();
    inputs.filter_map(|(path, _)| package_of(path)).collect()
}

fn package_of(path: &str) -> Option<String> {
    let (_, inner) = path.rsplit_once("node_modules/")?;
    let parts = if inner.starts_with('@') { 2 } else { 1 };
    Some(inner.split('/').take(parts).collect::<Vec<_>>().join("/"))
}

/// What a bundled module exports by name.
fn exports(metadata: &Value) -> Vec<String> {
    let outputs = metadata.get("outputs").and_then(Value::as_object).into_iter().flatten();
    let names = outputs.filter_map(|(_, output)| output.get("exports")?.as_array());
    names.flatten().filter_map(Value::as_str).filter(|name| *name != "default").map(str::to_owned).collect()
}

/// The module that hands on what the CommonJS entry exports: `export *` would depend on what each
/// runtime guesses about it.
fn hand_on(names: &[String]) -> String {
    format!(
        "import entry from \"./node.cjs\";\nexport default entry.default;\nexport const {{ {} }} = entry;\n",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_the_innermost_package() {
        let names = |path| package_of(path).unwrap_or_default();
        assert_eq!(names("pkg/js/api.js"), "");
        assert_eq!(names("pkg/node_modules/idb/build/index.js"), "idb");
        assert_eq!(names("pkg/node_modules/a/node_modules/@b/c/index.js"), "@b/c");
    }

    #[test]
    fn every_name_but_the_default_is_handed_on() {
        let metadata = serde_json::json!({ "outputs": { "x.js": { "exports": ["Ledger", "default", "version"] } } });
        assert!(hand_on(&exports(&metadata)).ends_with("export const { Ledger, version } = entry;\n"));
    }
}
