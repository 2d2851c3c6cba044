//! The suites of `understanding/`: their form, and the reader for it.
//!
//! A case is a claim at the margin and indented lines under it, each a word that says what the line is
//! and its text. `#` begins a comment, `|` another line of the same text.
//!
//! ```text
//! the second of three that were listed
//!   told     garden
//!   user     We need three things: a login form, an export and a rate limiter.
//!   agent    Noted.
//!   crunch
//!   message  what was the second one?
//!   fills    an export
//! ```

mod dialogue;
mod extraction;

use std::path::PathBuf;

pub(crate) use dialogue::{Dialogue, Talks};
pub(crate) use extraction::Extraction;

/// A claim with what stands under it.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) lines: Vec<(String, String)>,
}

impl Block {
    /// The texts of the lines of one sort.
    pub(crate) fn all(&self, key: &str) -> Vec<String> {
        self.lines.iter().filter(|(own, _)| own == key).map(|(_, text)| text.clone()).collect()
    }
}

/// Something that is claimed and can be tried.
pub(crate) trait Case {
    fn name(&self) -> &str;
    /// Whether it says that something is found.
    fn is_positive(&self) -> bool;
    /// Whether it says that something is not.
    fn is_negative(&self) -> bool;
    /// What is wrong, one line each; nothing when the claim holds.
    fn try_out(&self) -> Vec<String>;
}

/// The folder of the suites.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("understanding")
}

/// The text of a file of the folder.
pub(crate) fn text_of(file: &str) -> String {
    std::fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("`{file}`: {error}"))
}

/// The blocks of a file of the folder.
pub(crate) fn blocks(file: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for (line, number) in text_of(file).lines().zip(1..) {
        let body = line.trim();
        if body.is_empty() || line.starts_with('#') {
            continue;
        }
        if !line.starts_with(' ') {
            out.push(Block { name: body.to_owned(), lines: Vec::new() });
            continue;
        }
        let block = out.last_mut().unwrap_or_else(|| panic!("{file}:{number}: a line before any claim"));
        let (key, text) = body.split_once(' ').unwrap_or((body, ""));
        if key == "|" {
            let (_, before) = block.lines.last_mut().unwrap_or_else(|| panic!("{file}:{number}: nothing goes on here"));
            before.push('\n');
            before.push_str(text);
        } else {
            block.lines.push((key.to_owned(), text.trim().to_owned()));
        }
    }
    out
}

/// The cases of a suite: the file of its name.
pub(crate) fn cases(suite: &str, talks: &Talks) -> Vec<Box<dyn Case>> {
    let blocks = blocks(&format!("{suite}.txt"));
    if suite.starts_with("extraction") {
        blocks.into_iter().map(|block| Box::new(Extraction::new(&block)) as Box<dyn Case>).collect()
    } else {
        blocks.into_iter().map(|block| Box::new(Dialogue::new(&block, talks)) as Box<dyn Case>).collect()
    }
}
