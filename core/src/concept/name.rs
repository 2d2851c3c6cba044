//! Single names: what a word without spaces is, by its shape.

use super::ConceptKind;

/// File endings that make a dotted word a file: without the list every sentence glued by a full
/// stop ("done.Next") would be one.
const ENDINGS: &[&str] = &[
    "bash", "bat", "bin", "c", "cc", "cfg", "cjs", "conf", "cpp", "cs", "css", "csv", "cts", "db", "diff", "env", "ex",
    "exs", "gif", "go", "gradle", "graphql", "gz", "h", "hpp", "hs", "html", "ini", "ipynb", "java", "jpeg", "jpg",
    "js", "json", "json5", "jsonl", "jsx", "kt", "less", "lock", "log", "lua", "m", "map", "md", "mdx", "mjs", "mod",
    "mts", "nix", "patch", "pdf", "php", "pl", "plist", "png", "proto", "ps1", "py", "pyi", "r", "rb", "rs", "sass",
    "scala", "scss", "sh", "sql", "sqlite", "sum", "svelte", "svg", "swift", "tar", "tf", "toml", "ts", "tsx", "txt",
    "vue", "wasm", "webp", "xml", "yaml", "yml", "zig", "zip", "zsh",
];

/// First components that make `a/b` a path although both are plain words.
const FOLDERS: &[&str] = &[
    "bin",
    "cmd",
    "config",
    "crates",
    "dist",
    "docs",
    "etc",
    "examples",
    "infra",
    "internal",
    "lib",
    "libs",
    "migrations",
    "node_modules",
    "ops",
    "packages",
    "pkg",
    "public",
    "scripts",
    "src",
    "usr",
    "var",
];

/// First components of branches: `feature/tile-cache` is no folder.
const BRANCHES: &[&str] = &["bugfix", "chore", "feat", "feature", "fix", "hotfix", "origin", "refs", "upstream"];

/// What a word is, when its shape tells: an address, a path or an identifier.
pub(super) fn classify(word: &str) -> Option<ConceptKind> {
    if word.len() > 400 {
        return None;
    }
    if is_url(word) {
        return Some(ConceptKind::Url);
    }
    if is_path(word) {
        return Some(if is_branch(word) { ConceptKind::Identifier } else { ConceptKind::Path });
    }
    if is_identifier(word) {
        return Some(ConceptKind::Identifier);
    }
    None
}

/// Whether code is one name: no space outside its brackets, as in `Result<Vec<Hit>, Error>`.
pub(super) fn is_one(code: &str) -> bool {
    let mut depth = 0u32;
    let spaced = code.chars().any(|c| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    });
    !spaced && (depth == 0 && !code.starts_with('(') || !code.contains(char::is_whitespace))
}

fn is_url(word: &str) -> bool {
    if let Some((scheme, rest)) = word.split_once("://") {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '+' || c == '-' || c == '.';
        return scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(plain) && rest.len() > 1;
    }
    let lower = word.get(..10).unwrap_or(word).to_ascii_lowercase();
    (lower.starts_with("www.") && word.len() > 7) || (lower.starts_with("localhost:") && word.len() > 10)
}

fn is_path(word: &str) -> bool {
    if word.contains("//") || word.chars().any(|c| "<>|\"'`=;,()[]{}→".contains(c)) {
        return false;
    }
    if word.contains('\\') {
        // Elsewhere a backslash escapes something: `text\nmore`.
        return word.get(1..3) == Some(":\\") && word.len() > 3;
    }
    if !word.contains('/') {
        return is_file(word);
    }
    let rooted = ["/", "./", "../", "~/"].iter().any(|start| word.starts_with(start));
    let mut parts = word.split('/').filter(|part| !part.is_empty() && *part != "." && *part != ".." && *part != "~");
    let count = parts.clone().count();
    if count == 0 || !parts.clone().all(is_component) {
        return false;
    }
    // `/` alone in running text joins alternatives ("and/or", "client/server"): something must say "file".
    let telling = |part: &str| part.contains(['.', '_', '*']) || (part.contains('-') && count > 1);
    rooted
        || count >= 2 && word.ends_with('/')
        || count >= 3 && parts.clone().all(|part| !part.starts_with(|c: char| c.is_ascii_digit()))
        || parts.clone().any(|part| telling(part) && part.chars().any(char::is_alphabetic))
        || parts.next().is_some_and(|first| FOLDERS.contains(&first))
}

fn is_branch(path: &str) -> bool {
    let first = path.split_once('/').filter(|(_, rest)| !rest.is_empty());
    first.is_some_and(|(first, _)| BRANCHES.contains(&first)) && !path.ends_with('/') && !is_file_name(path)
}

fn is_component(part: &str) -> bool {
    matches!(part, "*" | "**")
        || part.chars().any(char::is_alphanumeric)
            && part.chars().all(|c| c.is_alphanumeric() || "._-+@*$~%#:".contains(c))
}

/// Whether the last component of a path has the ending of a file.
pub(super) fn is_file_name(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(is_file)
}

fn is_file(word: &str) -> bool {
    let Some((stem, ending)) = word.rsplit_once('.') else { return false };
    if stem.is_empty() {
        return matches!(
            ending,
            "gitignore" | "env" | "dockerignore" | "npmrc" | "editorconfig" | "bashrc" | "zshrc" | "eslintrc"
        );
    }
    let known = ENDINGS.binary_search(&ending.to_ascii_lowercase().as_str()).is_ok();
    let named =
        stem.chars().all(|c| c.is_alphanumeric() || "._-+@*".contains(c)) && stem.chars().any(char::is_alphanumeric);
    // `e.g`, `U.S` and `x.m` are no files; `a.c` in running text hardly is one either.
    known && named && (ending.len() > 1 || stem.chars().count() > 2)
}

fn is_identifier(word: &str) -> bool {
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return false };
    if let Some(flag) = word.strip_prefix("--") {
        return flag.starts_with(|c: char| c.is_ascii_alphabetic())
            && flag.chars().all(|c| c.is_ascii_alphanumeric() || "-_=.".contains(c));
    }
    if first == '$' {
        return word.len() > 2
            && chars.all(|c| c.is_ascii_alphanumeric() || "_{}".contains(c))
            && word.contains(|c: char| c.is_ascii_alphabetic());
    }
    if word.ends_with("()") || word.contains("::") {
        let allowed = |c: char| c.is_alphanumeric() || "_:<>.()!&*".contains(c);
        return word.len() > 3 && word.contains(|c: char| c.is_ascii_alphabetic()) && word.chars().all(allowed);
    }
    if is_mail(word) {
        return true;
    }
    if !word.chars().all(|c| c.is_alphanumeric() || "_.-@".contains(c)) || !word.is_ascii() {
        return false;
    }
    let core = word.trim_matches(['.', '-', '@']);
    has_inner_underscore(core) || has_humps(core) || is_dotted(core) || mixes_digits(core) || is_contraction(core)
}

fn is_mail(word: &str) -> bool {
    word.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && word.chars().all(|c| c.is_alphanumeric() || "._-+@".contains(c))
    })
}

fn has_inner_underscore(word: &str) -> bool {
    word.trim_matches('_').contains('_') && word.chars().filter(|c| c.is_ascii_alphanumeric()).count() > 2
        || (word.starts_with('_') && word.len() > 3 && word.contains(|c: char| c.is_ascii_alphabetic()))
}

/// `camelCase`, `WatchAgents`: a small letter followed by a capital, in a word without hyphens.
fn has_humps(word: &str) -> bool {
    !word.contains('-')
        && !super::quantity::is_unit(word)
        && word
            .as_bytes()
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
}

/// `session.turn`, `Queue.drain`: parts of two and more letters, none of them a capitalised word after
/// a full stop ("done.Next").
fn is_dotted(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    parts.len() > 1
        && parts
            .iter()
            .all(|part| part.len() > 1 && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'))
        && parts.iter().skip(1).all(|part| part.starts_with(|c: char| c.is_ascii_lowercase()))
        && parts.first().is_some_and(|part| part.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// `k8s`, `E0433`, `qwen3`, `a91f03c`: letters and digits in one word that is no number with a unit.
fn mixes_digits(word: &str) -> bool {
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    if letters == 0 || digits == 0 || word.contains('@') || super::quantity::is_number(word) {
        return false;
    }
    let leading = word.chars().take_while(char::is_ascii_digit).count();
    let rest: String = word.chars().skip(leading).collect::<String>().to_ascii_lowercase();
    let unit =
        leading > 0 && (super::quantity::is_unit(&rest) || matches!(rest.as_str(), "st" | "nd" | "rd" | "th" | "x"));
    let version = word.starts_with(['v', 'V']) && word.chars().skip(1).all(|c| c.is_ascii_digit() || c == '.');
    let date = word.chars().all(|c| c.is_ascii_digit() || "-.TZ".contains(c));
    let counted = word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('-');
    !unit && !version && !date && !counted
}

/// `npcflag`, `dbconn`…: a word that begins with four consonants is no English word but a name.
fn is_contraction(word: &str) -> bool {
    let vowel = |c: char| "aeiouy".contains(c);
    let onset = word.chars().take_while(|c| c.is_ascii_lowercase() && !vowel(*c)).count();
    onset >= 4
        && word.len() > 4
        && word.chars().all(|c| c.is_ascii_lowercase())
        && !word.starts_with("schm")
        && !word.starts_with("schw")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConceptKind::{Identifier, Path, Url};

    fn check(kind: Option<ConceptKind>, words: &[&str]) {
        for word in words {
            assert_eq!(classify(word), kind, "{word}");
        }
    }

    #[test]
    fn the_endings_are_sorted() {
        assert!(ENDINGS.is_sorted());
    }

    #[test]
    fn paths_are_told_from_alternatives() {
        check(
            Some(Path),
            &[
                "src/a.rs",
                "./run",
                "~/.config/x",
                "/etc/hosts",
                "main.rs",
                "39.json",
                "Cargo.toml",
                "src/core",
                "a/b/c",
                "docs/",
                "vendor/zlib/",
                "src/**/*.gen.ts",
                ".gitignore",
                "C:\\x\\y",
            ],
        );
        check(None, &["and/or", "client/server", "e.g", "24/7", "w/o", "1/2", "done.Next", "U.S", "a\\nb.rs"]);
    }

    #[test]
    fn addresses_are_whole() {
        check(
            Some(Url),
            &["https://a.b/c?d=e", "http://127.0.0.1:8443", "www.example.org", "localhost:8080", "postgres://u@h/db"],
        );
    }

    #[test]
    fn identifiers_have_a_shape_that_words_do_not_have() {
        check(
            Some(Identifier),
            &[
                "npcflag",
                "NPC_FLAG",
                "camelCase",
                "WatchAgents",
                "k8s",
                "E0433",
                "--json",
                "foo::bar",
                "run()",
                "$HOME",
                "session.turn",
                "Queue.drain",
                "a91f03c",
                "me@host.org",
                "feature/tile-cache",
                "origin/fix-12",
            ],
        );
        check(
            None,
            &[
                "word",
                "kB",
                "Word",
                "JWT",
                "30s",
                "4GB",
                "v1.2.3",
                "v4.0.0-rc.2",
                "3rd",
                "dead-letter",
                "don't",
                "1-based",
                "strength",
                "school",
            ],
        );
    }
}
