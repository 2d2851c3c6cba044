//! What a message can refer to: concepts, found in text without a model.
//!
//! A line is read once, from the most certain kind to the least: what stands in backticks or
//! quotation marks, error texts, commands, then single names (addresses, paths, identifiers),
//! numbers with what they measure, and last the noun phrases between function words. A span that
//! one kind took is not read again, except that names inside commands and errors count as well.
//!
//! Code blocks and lines that look like code give names only: their words are no phrases. Cost is
//! linear in the text. Every surface is verbatim: `&text[span]`.
//!
//! ```
//! use diffledger_core::concept::{ConceptKind, extract};
//! let found = extract("The staging tunnel listens on port 8443, see `ops/tunnel.toml`.");
//! let kinds: Vec<_> = found.iter().map(|c| (c.kind, c.surface.as_str())).collect();
//! assert!(kinds.contains(&(ConceptKind::Quantity, "port 8443")));
//! assert!(kinds.contains(&(ConceptKind::Path, "ops/tunnel.toml")));
//! assert!(kinds.contains(&(ConceptKind::Term, "staging tunnel")));
//! ```

mod command;
mod error_text;
mod hangul;
mod language;
mod line;
mod name;
mod quantity;
mod term;
mod unspaced;
mod verb;
mod word;

pub(crate) use term::is_light;

use serde::{Deserialize, Serialize};

use crate::json::{fields, words};
use crate::order;
use crate::text;

/// What sort of thing a concept is. Everything but `Term` is a name: it matches exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConceptKind {
    /// A noun phrase: "retry queue", "数据库".
    Term,
    /// A name in code: `npcflag`, `WatchAgents`, `--json`.
    Identifier,
    /// A file or folder.
    Path,
    /// A command line, whole.
    Command,
    /// A web address.
    Url,
    /// A number with what it measures: "port 8443", "30 s", "python 3.11".
    Quantity,
    /// The text of an error.
    #[serde(rename = "error")]
    ErrorText,
    /// Words in quotation marks.
    Quote,
}

words!(
    ConceptKind,
    Term => "term",
    Identifier => "identifier",
    Path => "path",
    Command => "command",
    Url => "url",
    Quantity => "quantity",
    ErrorText => "error",
    Quote => "quote",
);

/// A concept found in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concept {
    /// The kind.
    pub kind: ConceptKind,
    /// The form that is compared: folded for terms, "port 8443" for "port is 8443", else as it stands.
    pub canonical: String,
    /// As it stands in the text, verbatim.
    pub surface: String,
    /// Byte range in the text.
    pub span: (u32, u32),
}

fields!(Concept { kind, canonical, surface, span });

impl Concept {
    /// The concept that a bare name stands for, with no text around it: what `ledger.add` and
    /// `isKnown` are given. The kind is read off its shape; what has none is a term.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let trimmed = name.trim();
        let kind = line::shape(trimmed, false).unwrap_or(ConceptKind::Term);
        let canonical = canonical(kind, trimmed);
        Self {
            kind,
            canonical,
            surface: trimmed.to_owned(),
            span: (0, u32::try_from(trimmed.len()).unwrap_or(u32::MAX)),
        }
    }
}

/// The compared form of `surface`: folding is for terms, other kinds compare after NFC and trimming.
#[must_use]
pub fn canonical(kind: ConceptKind, surface: &str) -> String {
    match kind {
        ConceptKind::Term => text::canonical(surface),
        ConceptKind::Quantity => quantity::canonical(surface),
        _ => text::canonical_exact(surface),
    }
}

/// The concepts of `text`, in order of their spans; each (kind, canonical form) at its first place.
#[must_use]
pub fn extract(text: &str) -> Vec<Concept> {
    let mut all = extract_all(text);
    let mut seen = std::collections::HashSet::new();
    all.retain(|concept| seen.insert((concept.kind, concept.canonical.clone())));
    all
}

/// Like [`extract`], with every occurrence.
#[must_use]
pub fn extract_all(text: &str) -> Vec<Concept> {
    let mut found = Vec::new();
    let mut block: Option<line::Block> = None;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let content = whole.trim_end_matches(['\n', '\r']);
        match (line::fence(content), &block) {
            (Some(opened), None) => block = Some(opened),
            (Some(_), Some(_)) => block = None,
            (None, block) => {
                let read = match block {
                    Some(line::Block::Shell) => line::read_shell,
                    Some(line::Block::Code) => line::read_code,
                    None => line::read,
                };
                for (from, piece) in line::pieces(content) {
                    read(piece, at + from, &mut found);
                }
            }
        }
        at += whole.len();
    }
    order::by_key(&mut found, |concept| (concept.span.0, std::cmp::Reverse(concept.span.1), concept.kind));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(ConceptKind, &str)]) {
        let found: Vec<_> = extract(text).into_iter().map(|c| (c.kind, c.surface)).collect();
        for (kind, surface) in expected {
            assert!(found.contains(&(*kind, (*surface).to_owned())), "{text:?}: no {kind:?} {surface:?} in {found:?}");
        }
    }

    use ConceptKind::{Command, ErrorText, Identifier, Path, Quantity, Quote, Term, Url};

    #[test]
    fn every_kind_is_kept_whole_and_verbatim() {
        check("run `cargo test -p feed --release` first", &[(Command, "cargo test -p feed --release")]);
        check("run cargo test -p feed --release, then stop", &[(Command, "cargo test -p feed --release")]);
        check("see https://example.org/a/b?c=1#d.", &[(Url, "https://example.org/a/b?c=1#d")]);
        check("don't touch src/legacy/ledger/ at all", &[(Path, "src/legacy/ledger/")]);
        check("the column is `npcflag`", &[(Identifier, "npcflag")]);
        check(
            "WatchAgents calls run_once and --json",
            &[(Identifier, "WatchAgents"), (Identifier, "run_once"), (Identifier, "--json")],
        );
        check(
            "it listens on port 8443 with a timeout of 30s",
            &[(Quantity, "port 8443"), (Quantity, "timeout of 30s")],
        );
        check("we need python 3.11 here", &[(Quantity, "python 3.11")]);
        // The label of the second was "MB".
        check("from 1.4 MB to 380 kB", &[(Quantity, "1.4 MB"), (Quantity, "380 kB")]);
        check("it returns `Result<Vec<Hit>, Error>` now", &[(Identifier, "Result<Vec<Hit>, Error>")]);
        check(
            "error[E0433]: failed to resolve: use of undeclared crate",
            &[(ErrorText, "error[E0433]: failed to resolve: use of undeclared crate")],
        );
        // A name in backticks inside it hid the whole error.
        check(
            "error[E0502]: cannot borrow `buf` as mutable",
            &[(ErrorText, "error[E0502]: cannot borrow `buf` as mutable"), (Identifier, "buf")],
        );
        check("it is called \"dead letter drain\" now", &[(Quote, "dead letter drain")]);
    }

    #[test]
    fn noun_phrases_stand_between_function_words() {
        check(
            "The retry queue uses a dead letter table in the database.",
            &[(Term, "retry queue"), (Term, "dead letter table"), (Term, "database")],
        );
    }

    /// Lines over 4 000 bytes were not read at all.
    #[test]
    fn a_long_line_is_read_whole_and_what_is_data_is_not() {
        let filler = "Other words follow at length, as they do in a long paragraph. ".repeat(200);
        check(
            &format!("The retry queue waits 30 s. {filler}The rate limiter is last."),
            &[(Term, "retry queue"), (Term, "rate limiter")],
        );
        let packed = "x".repeat(9000);
        check(&format!("{packed} {packed} The retry queue waits. {filler}"), &[(Term, "retry queue")]);
        let json =
            format!("{{\"file\": \"src/queue.rs\", {} \"last\": \"src/limit.rs\"}}", "\"count\": 5, ".repeat(900));
        check(&json, &[(Path, "src/queue.rs"), (Path, "src/limit.rs")]);
        check(&format!("数据库连接池太小了。{}", "我们明天再看。".repeat(400)), &[(Term, "数据库连接池")]);
        assert_eq!(extract(&"QUJD".repeat(4000)), []);
        assert_eq!(extract(&"retry queue ".repeat(40_000)), []);
    }

    #[test]
    fn short_names_and_every_script_are_concepts() {
        check("we deploy to k8s", &[(Identifier, "k8s")]);
        check("the worker is written in Go and the CLI in C++", &[(Term, "Go"), (Term, "C++")]);
        check("我们的数据库连接池太小了", &[(Term, "数据库连接池")]);
        check("ステージング環境のポートは8443です", &[(Term, "ステージング環境")]);
        check("재시도 큐를 고쳐줘", &[(Term, "재시도 큐")]);
        check("очередь повторов хранится в базе", &[(Term, "очередь повторов")]);
    }

    #[test]
    fn code_gives_names_and_no_phrases() {
        let found = extract("```rust\nlet retry_queue = Queue::new(limit);\n```\nplain retry words");
        assert!(found.iter().any(|c| c.surface == "retry_queue" && c.kind == Identifier), "{found:?}");
        assert!(!found.iter().any(|c| c.kind == Term && c.surface.contains("let")), "{found:?}");
        check("```bash\n$ npm run build -- --watch\n```", &[(Command, "npm run build -- --watch")]);
    }

    #[test]
    fn a_place_in_a_file_is_the_file() {
        for text in ["see src/a.rs:42:7 there", "src/a.rs-42-  let x", "in `src/a.rs:42`"] {
            let found = extract(text);
            assert!(found.iter().any(|c| c.surface == "src/a.rs"), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_number_canonical_leaves_the_connecting_word_out() {
        let found = extract("the port is 8443");
        assert!(found.iter().any(|c| c.canonical == "port 8443" && c.surface == "port is 8443"), "{found:?}");
    }

    #[test]
    fn a_bare_name_gets_its_kind_from_its_shape() {
        for (name, kind) in [
            ("src/server/game", Path),
            ("npcflag", Identifier),
            ("the retry queue", Term),
            ("port 8443", Quantity),
            ("http://127.0.0.1:11434", Url),
            ("cargo test --workspace", Command),
            ("k8s", Identifier),
        ] {
            assert_eq!(Concept::named(name).kind, kind, "{name}");
        }
    }

    #[test]
    fn spans_are_verbatim_whatever_the_text() {
        for text in
            ["", "\u{feff}", "```", "`", "\"", "8443 8443", "a/b/ c\\d e::f", "…—«»", "\u{1F600}/\u{1F600}.rs 端口8443"]
        {
            for concept in extract_all(text) {
                let (from, to) = (concept.span.0 as usize, concept.span.1 as usize);
                assert_eq!(&text[from..to], concept.surface);
            }
        }
    }
}
