//! `cargo xtask package`: the npm package from its sources, as a tarball that can be published.
//!
//! There is one wasm and one glue for it; the entries of `pkg/js` differ in how they get the wasm.
//! Everything is built anew in `target/npm/package`, which is what is packed, and the same sources
//! give the same bytes.

mod bundle;
mod licences;
mod panics;
mod parts;
mod places;
mod size;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lexopt::prelude::*;

use crate::{command, npm, wasm};
pub(crate) use size::{Limits, Sizes};

/// Where the sources are.
pub(crate) const SOURCE: &str = "pkg";
/// The package's name, and that of its wasm and its entry for browsers.
const NAME: &str = "diffledger";
const WASM: &str = "diffledger_bg.wasm";

/// What is copied as it is, and under which name.
const COPIES: &[(&str, &str)] = &[
    ("pkg/package.json", "package.json"),
    ("pkg/README.md", "README.md"),
    ("pkg/src/types.d.ts", "index.d.ts"),
    ("pkg/src/types.d.ts", "index.d.cts"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
];

/// What `cargo xtask package` was asked for.
pub(crate) struct PackageOptions {
    /// Whether the parts of the wasm are listed.
    sizes: bool,
}

impl PackageOptions {
    /// Reads what stands after `package`.
    pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut options = Self { sizes: false };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("sizes") => options.sizes = true,
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }
}

/// Builds the package, and prints its sizes and, as the last line, the tarball's path. One over a
/// limit is there and can be tried, but is an error.
pub(crate) fn run(options: &PackageOptions) -> Result<(), String> {
    if options.sizes {
        // First, since it is what one wants to know when the package is over a limit.
        npm::install(SOURCE)?;
        let silent = wasm::target_folder()?.join(WASM);
        panics::silence(&wasm::build(NAME, "wasm-release", "web")?.join(WASM), &silent)?;
        print!("{}", parts::table(&silent)?);
    }
    let built = build()?;
    built.sizes.check()?;
    print!("{}", built.sizes.table());
    println!("{}", built.sizes.remark().trim_start_matches(", "));
    println!("{}", built.tarball.display());
    Ok(())
}

/// A package that is built; whether it is within its limits is another question.
pub(crate) struct Package {
    /// What `npm install` takes.
    pub(crate) tarball: PathBuf,
    sizes: Sizes,
}

impl Package {
    /// What a page loads, in a few words; an error when it is too much.
    pub(crate) fn check(&self) -> Result<String, String> {
        self.sizes.check().map(|()| self.sizes.remark())
    }
}

/// The package, built once for all who ask.
pub(crate) fn built() -> Result<&'static Package, String> {
    static BUILT: OnceLock<Result<Package, String>> = OnceLock::new();
    BUILT.get_or_init(build).as_ref().map_err(Clone::clone)
}

fn build() -> Result<Package, String> {
    npm::install(SOURCE)?;
    let version = version()?;
    let output = wasm::target_folder()?.join("npm");
    let folder = output.join("package");
    if output.exists() {
        fs::remove_dir_all(&output).map_err(|error| format!("{}: {error}\n", output.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}\n", folder.display()))?;

    let glue = wasm::build(NAME, "wasm-release", "web")?;
    shrink(&glue.join(WASM), &output.join(WASM), &folder.join(WASM))?;

    let bundled = bundle::run(&glue.join(NAME).with_extension("js"), &folder, &version)?;
    for (from, to) in COPIES {
        let from = command::workspace().join(from);
        fs::copy(&from, folder.join(to)).map_err(|error| format!("{}: {error}\n", from.display()))?;
    }
    write(&folder.join("THIRD-PARTY.txt"), &licences::text(&bundled)?)?;
    // Whoever installs the package needs nothing else.
    let mut publish = npm::npm("pkg delete devDependencies --prefix")?;
    publish.arg(&folder);
    command::run(publish)?;

    let sizes = Sizes::measure(&folder, size::PACKAGE)?;
    let mut pack = npm::npm("pack --pack-destination")?;
    pack.arg(&output).arg(&folder);
    command::run(pack)?;
    let tarball = output.join(format!("{NAME}-{version}.tgz"));
    if tarball.is_file() { Ok(Package { tarball, sizes }) } else { Err(format!("npm left no {}\n", tarball.display())) }
}

/// Writes the wasm at `from` to `to`, as small as it gets; `silent` is the step between.
pub(crate) fn shrink(from: &Path, silent: &Path, to: &Path) -> Result<(), String> {
    panics::silence(from, silent)?;
    // The file says itself which features it uses, and these every runtime has. `--all-features`
    // would add what Node, Deno and Bun refuse.
    let mut optimise = npm::tool(SOURCE, "wasm-opt", "-Oz");
    optimise.arg(silent).arg("-o").arg(to);
    command::run(optimise).map(drop)
}

/// The version of the manifest, which must be that of the workspace.
fn version() -> Result<String, String> {
    let (manifest, cargo) = (json(&command::workspace().join(SOURCE).join("package.json"))?, env!("CARGO_PKG_VERSION"));
    let version = manifest.get("version").and_then(serde_json::Value::as_str).unwrap_or_default();
    if version == cargo {
        Ok(version.to_owned())
    } else {
        Err(format!("pkg/package.json is of version `{version}`, and Cargo.toml of `{cargo}`: make them equal\n"))
    }
}

fn json(path: &Path) -> Result<serde_json::Value, String> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}\n", path.display()))?;
    serde_json::from_slice(&text).map_err(|error| format!("{}: {error}\n", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}\n", path.display()))
}
