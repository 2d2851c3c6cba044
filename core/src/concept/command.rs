//! Commands in running text: "run cargo test -p feed --release, then …".
//!
//! A known program name begins one; flags, paths, names and at most two plain words belong to it.
//! Names that are English words as well ("make", "go", "find") begin one only before something that
//! no sentence would go on with.

use super::{name, term};

const PROGRAMS: &[&str] = &[
    "ansible",
    "apt",
    "apt-get",
    "aws",
    "az",
    "bash",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "chmod",
    "cmake",
    "composer",
    "conda",
    "cp",
    "curl",
    "deno",
    "diff",
    "docker",
    "docker-compose",
    "dotnet",
    "eslint",
    "ffmpeg",
    "gcc",
    "gcloud",
    "gem",
    "gh",
    "git",
    "gradle",
    "grep",
    "helm",
    "jest",
    "jq",
    "k6",
    "kill",
    "kubectl",
    "ls",
    "mkdir",
    "mv",
    "mvn",
    "mysql",
    "node",
    "npm",
    "npx",
    "nx",
    "openssl",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "prettier",
    "psql",
    "pulumi",
    "pytest",
    "python",
    "python3",
    "redis-cli",
    "rg",
    "rm",
    "rsync",
    "ruff",
    "rustc",
    "rustup",
    "scp",
    "sed",
    "sh",
    "sqlite3",
    "ssh",
    "sudo",
    "systemctl",
    "tail",
    "tar",
    "terraform",
    "touch",
    "tsc",
    "uv",
    "uvicorn",
    "vite",
    "vitest",
    "wget",
    "yarn",
];

/// Programs whose names are words: only with an argument that no sentence has.
const WORDS_TOO: &[&str] = &[
    "cat", "cd", "cut", "echo", "env", "export", "find", "go", "make", "sort", "source", "test", "time", "watch",
    "which",
];

const SUBCOMMANDS: &[&str] = &[
    "add", "apply", "audit", "bench", "build", "check", "checkout", "ci", "clean", "clippy", "clone", "commit",
    "compose", "create", "deploy", "dev", "diff", "doc", "down", "env", "exec", "fetch", "fmt", "generate", "get",
    "init", "install", "lint", "list", "log", "login", "logs", "merge", "migrate", "mod", "pull", "push", "rebase",
    "release", "reset", "restart", "run", "serve", "start", "stash", "status", "stop", "sync", "test", "tidy", "tool",
    "up", "update", "upgrade", "vet", "watch",
];

/// Long flags with a value behind a space.
const VALUED: &[&str] = &[
    "--bin",
    "--branch",
    "--config",
    "--env",
    "--features",
    "--file",
    "--filter",
    "--format",
    "--host",
    "--name",
    "--namespace",
    "--output",
    "--package",
    "--port",
    "--target",
    "--test",
    "--user",
];

/// The byte length of the command that begins `text`, if one does.
pub(super) fn length(text: &str) -> Option<usize> {
    read(text, false)
}

/// `follows` says that an operator of the shell stands before it: then any name is a program's.
fn read(text: &str, follows: bool) -> Option<usize> {
    let mut words = pieces(text).skip_while(|(word, _)| is_assignment(word));
    let (first, mut end) = words.next()?;
    let name = first.rsplit('/').next().unwrap_or(first);
    let known = PROGRAMS.binary_search(&name).is_ok() || follows && is_program_name(name);
    let ambiguous = WORDS_TOO.contains(&name) && !follows;
    let script = first.starts_with("./") && first.len() > 2;
    if !known && !ambiguous && !script {
        return None;
    }
    let (mut plain, mut special, mut flag) = (0, script, "");
    let mut chained = None;
    let mut words = words.peekable();
    while let Some((word, to)) = words.next() {
        if matches!(word, "&&" | "||" | "|") {
            let rest = text.get(to..).unwrap_or_default();
            let next = rest.trim_start();
            chained = read(next, true).map(|length| to + rest.len() - next.len() + length);
            break;
        }
        let telling = is_telling(word);
        let subcommand = plain < 2 && !special && SUBCOMMANDS.contains(&word);
        let next = words.peek().map_or("", |(next, _)| *next);
        let value = is_value(word) && takes(flag, word, next);
        let script_name = plain == 1 && !special && known && is_value(word);
        // `cargo nextest run -p feed`: what is unknown is a subcommand when arguments follow.
        let unknown = plain == 0 && !special && known && is_value(word) && {
            let rest = text.get(to..).unwrap_or_default();
            let after = pieces(rest).find(|(word, _)| !SUBCOMMANDS.contains(word)).map_or("", |(word, _)| word);
            is_flag(after)
        };
        if telling || subcommand || value || script_name || unknown {
            plain += u32::from(!telling && !value);
            special |= telling || (ambiguous && name == "go" && subcommand);
            flag = if is_flag(word) { word } else { "" };
            end = to;
            if text[..to].ends_with(';') || text[to..].starts_with([',', ';', ')']) {
                break;
            }
        } else {
            break;
        }
    }
    let argued = if ambiguous { special } else { special || plain > 0 || follows };
    chained.or(argued.then_some(end))
}

/// Whether `flag` takes `word` as its value. A short one does; a long one when it is known to, when the
/// word is a number or too short for a word, or when another flag follows; else the sentence goes on.
fn takes(flag: &str, word: &str, next: &str) -> bool {
    match flag.strip_prefix("--") {
        None => !flag.is_empty(),
        Some("") => false,
        Some(_) => {
            VALUED.contains(&flag)
                || word.starts_with(|c: char| c.is_ascii_digit())
                || is_flag(next)
                || word.len() < 4 && !term::is_function(word)
        }
    }
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1 && word.chars().nth(1).is_some_and(|c| c.is_ascii_alphabetic() || c == '-')
}

/// Whether a word sets a variable for the command after it: `RUST_LOG=debug`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(key, _)| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
    })
}

fn is_program_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && !crate::text::is_stop_word(word)
}

/// Whether the whole of `text` reads as a command. `shell` says that it stands in backticks or on a
/// shell line, where a program's name is one even if it is a word as well.
pub(super) fn is_whole(text: &str, shell: bool) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    if is_assignment(first) {
        return text.split_whitespace().nth(1).is_some();
    }
    if !text.contains(char::is_whitespace) {
        return false;
    }
    let name = first.rsplit('/').next().unwrap_or(first);
    PROGRAMS.binary_search(&name).is_ok()
        || shell && WORDS_TOO.contains(&name)
        || length(text) == Some(text.len())
        || first.starts_with("./")
        || text.split_whitespace().skip(1).any(|word| word.starts_with("--") && word.len() > 3)
            && first.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c))
}

fn pieces(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || piece(text, &mut at))
}

/// The next argument from `at` on with its end, without the punctuation of the sentence. Never copied
/// into its callers: it is long.
#[inline(never)]
fn piece<'a>(text: &'a str, at: &mut usize) -> Option<(&'a str, usize)> {
    let rest = text.get(*at..)?;
    let start = *at + rest.find(|c: char| !c.is_whitespace())?;
    let rest = text.get(start..)?;
    let end = start + argument(rest);
    let word = text.get(start..end)?;
    let trimmed = word.trim_end_matches([',', ';', ')', '.', ':', '!', '?']);
    // `./...` and `.` are arguments, not the end of a sentence.
    let kept = if trimmed.is_empty() || trimmed.ends_with('/') || word.ends_with("...") { word } else { trimmed };
    *at = if kept.len() == word.len() { end } else { text.len() };
    Some((kept, start + kept.len()))
}

/// The length of the argument that `text` begins with: what stands in quotation marks is one.
fn argument(text: &str) -> usize {
    let to_space = |from: usize| text.get(from..).and_then(|s| s.find(char::is_whitespace)).map(|at| from + at);
    let plain = to_space(0).unwrap_or(text.len());
    let word = text.get(..plain).unwrap_or_default();
    let opens = word.find(['"', '\'']).filter(|at| *at == 0 || word.get(..*at).is_some_and(|s| s.ends_with('=')));
    let closes = opens.and_then(|at| {
        let mark = word.get(at..)?.chars().next()?;
        text.get(at + 1..)?.find(mark).map(|length| at + 1 + length + 1)
    });
    closes.filter(|at| *at > plain).map_or(plain, |at| to_space(at).unwrap_or(text.len()))
}

fn is_telling(word: &str) -> bool {
    is_flag(word)
        || word.starts_with("./")
        || word.contains('=')
        || word.starts_with(['"', '\'', '$', '@'])
        || name::classify(word).is_some()
        || word.contains(':') && word.len() > 3
}

fn is_value(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/@".contains(c))
        && !crate::text::is_stop_word(&word.to_lowercase())
        && !matches!(
            word,
            "again" | "first" | "here" | "now" | "fails" | "passes" | "works" | "please" | "and" | "then"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(length(text).map(|end| &text[..end]), expected, "{text}");
    }

    #[test]
    fn a_command_ends_where_the_sentence_goes_on() {
        check("cargo test -p feed --release, then stop", Some("cargo test -p feed --release"));
        check("npm run build and look", Some("npm run build"));
        check("go test ./... passes now", Some("go test ./..."));
        check("docker compose up -d", Some("docker compose up -d"));
        check("git push", Some("git push"));
        check(
            "cargo nextest run -p ingest --no-fail-fast and send it",
            Some("cargo nextest run -p ingest --no-fail-fast"),
        );
        check("./seed.sh --rows 5000 --lang pt first", Some("./seed.sh --rows 5000 --lang pt"));
        check("cargo test --release passes", Some("cargo test --release"));
        check("docker run --name web -p 80:80 nginx", Some("docker run --name web -p 80:80"));
        check(
            "git fetch origin && git rebase origin/main, then push",
            Some("git fetch origin && git rebase origin/main"),
        );
        check("psql -f a.sql | sort | uniq -c and then", Some("psql -f a.sql | sort | uniq -c"));
        check("cargo test && then we go home", Some("cargo test"));
        check(
            "RUST_LOG=debug ./target/release/feedd --once is it",
            Some("RUST_LOG=debug ./target/release/feedd --once"),
        );
        check(r#"git commit -m "Drop the old parser" is fine"#, Some(r#"git commit -m "Drop the old parser""#));
        check("curl -H 'Accept: text/csv' localhost:9000/x", Some("curl -H 'Accept: text/csv' localhost:9000/x"));
        check(r#"git commit -m "never closed"#, Some(r#"git commit -m "never"#));
        check("psql -h localhost -p 5433 feed", Some("psql -h localhost -p 5433"));
    }

    #[test]
    fn english_words_begin_no_command() {
        for text in [
            "make sure it works",
            "go to the store",
            "find the bug",
            "test the feed API",
            "time is short",
            "git is nice",
            "node dies",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn the_programs_are_sorted() {
        assert!(PROGRAMS.is_sorted());
    }
}
