//! The page as a folder of files with relative addresses, which any web server can hand out.

mod html;
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use lexopt::prelude::*;

use crate::package::{self, Limits, Sizes};
use crate::{command, npm, wasm};

/// The package, and the name of its JavaScript.
const NAME: &str = "diffledger-web";
const WASM: &str = "diffledger-web_bg.wasm";

/// The script that the page loads.
const START: &str = "import start from \"./diffledger-web.js\";\nawait start();\n";

/// The most that the page weighs in all, in bytes after brotli: what was reached, which may only go down
/// until the aim is met.
const LIMITS: Limits = Limits { most: &[(Sizes::TOTAL, 316_000)], aim: (Sizes::TOTAL, 280_000) };

/// Builds the page, and prints its sizes and, as the last line, its folder.
pub(crate) fn run() -> Result<(), String> {
    let page = build()?;
    page.sizes.check()?;
    print!("{}", page.sizes.table());
    println!("{}", page.folder.display());
    Ok(())
}

/// A page that is built; whether it is within its limit is another question.
pub(crate) struct Page {
    /// What a server hands out.
    pub(crate) folder: PathBuf,
    sizes: Sizes,
}

impl Page {
    /// What the page weighs, in a few words; an error when it is too much.
    pub(crate) fn check(&self) -> Result<String, String> {
        self.sizes.check().map(|()| self.sizes.remark())
    }
}

/// The page, built once for all who ask.
pub(crate) fn built() -> Result<&'static Page, String> {
    static BUILT: OnceLock<Result<Page, String>> = OnceLock::new();
    BUILT.get_or_init(build).as_ref().map_err(Clone::clone)
}

fn build() -> Result<Page, String> {
    npm::install(package::SOURCE)?;
    let glue = wasm::build(NAME, "wasm-release", "web")?;
    let target = wasm::target_folder()?;
    let folder = empty(target.join("page"))?;
    package::shrink(&glue.join(WASM), &target.join(WASM), &folder.join(WASM))?;
    html(&folder)?;
    let mut minify = npm::tool(package::SOURCE, "esbuild", "--minify --target=es2022 --format=esm --log-level=warning");
    minify.arg(script(&glue)).arg("web/page.css").arg("--entry-names=[name]");
    minify.arg(format!("--outdir={}", folder.display()));
    command::run(minify)?;
    let sizes = Sizes::measure(&folder, LIMITS)?.with_total();
    Ok(Page { folder, sizes })
}

/// The page for somebody who waits for it: nothing is made small, and neither npm nor Node is needed.
fn quick() -> Result<PathBuf, String> {
    let glue = wasm::build(NAME, "quick", "web")?;
    let folder = empty(wasm::target_folder()?.join("page-quick"))?;
    html(&folder)?;
    copy(&glue.join(WASM), &folder.join(WASM))?;
    copy(&script(&glue), &script(&folder))?;
    copy(&command::workspace().join("web/page.css"), &folder.join("page.css"))?;
    Ok(folder)
}

fn script(folder: &Path) -> PathBuf {
    folder.join(NAME).with_extension("js")
}

/// Writes what is the same in both.
fn html(folder: &Path) -> Result<(), String> {
    let source = command::workspace().join("index.html");
    let source = fs::read_to_string(&source).map_err(|error| format!("{}: {error}\n", source.display()))?;
    write(&folder.join("index.html"), &html::served(&source)?)?;
    write(&folder.join("start.js"), START)
}

/// What `cargo xtask serve` was asked for.
pub(crate) struct ServeOptions {
    /// The transcript that the page opens with.
    transcript: Option<PathBuf>,
    /// The user message from which on a crunch is simulated before each.
    crunch_from: Option<u32>,
    /// Whether to end when standard input does.
    with_parent: bool,
}

impl ServeOptions {
    /// Reads what stands after `serve`.
    pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut options = Self { transcript: None, crunch_from: None, with_parent: false };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("crunch-from") => {
                    options.crunch_from = Some(parser.value()?.parse_with(crate::demo::message_number)?)
                }
                Long("with-parent") => options.with_parent = true,
                Value(file) if options.transcript.is_none() => options.transcript = Some(file.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }
}

/// Builds the page quickly and serves it.
pub(crate) fn serve(options: ServeOptions) -> Result<(), String> {
    if options.with_parent {
        server::end_with_parent();
    }
    server::Site::of(&quick()?, options.transcript, options.crunch_from)?.serve()
}

/// The folder, with nothing in it.
fn empty(folder: PathBuf) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("{}: {error}\n", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}\n", from.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}\n", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_transcript_is_served_whatever_its_name_looks_like() {
        let parse = |words: &[&str]| ServeOptions::parse(lexopt::Parser::from_args(words));
        assert!(parse(&["--crunch-from", "0"]).is_err() && parse(&["--crunch-from", "2"]).is_ok());
        assert!(parse(&["a.md", "b.md"]).is_err() && parse(&["--port"]).is_err());
        let options = parse(&["--with-parent", "--", "--with-parent"]).unwrap();
        assert_eq!((options.with_parent, options.transcript), (true, Some("--with-parent".into())));
        assert_eq!(parse(&["--"]).unwrap().transcript, None);
    }
}
