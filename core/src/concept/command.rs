//! Commands in running text: "run cargo test -p feed --release, then …".
//!
//! A known program name begins one; flags, paths, names and at most two plain words belong to it.
//! Names that are English words as well ("make", "go", "find") begin one only before something that
//! no sentence would go on with.

use super::name;

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

/// The byte length of the command that begins `text`, if one does.
pub(super) fn length(text: &str) -> Option<usize> {
    let mut words = pieces(text);
    let (first, mut end) = words.next()?;
    let name = first.rsplit('/').next().unwrap_or(first);
    let known = PROGRAMS.binary_search(&name).is_ok();
    let ambiguous = WORDS_TOO.contains(&name);
    let script = first.starts_with("./") && first.len() > 2;
    if !known && !ambiguous && !script {
        return None;
    }
    let (mut plain, mut special, mut after_short_flag) = (0, script, false);
    for (word, to) in words {
        let telling = is_telling(word);
        let subcommand = plain < 2 && !special && SUBCOMMANDS.contains(&word);
        let value = after_short_flag && is_value(word);
        let script_name = plain == 1 && !special && known && is_value(word);
        if telling || subcommand || value || script_name {
            plain += u32::from(!telling && !value);
            special |= telling || (ambiguous && name == "go" && subcommand);
            after_short_flag = word.starts_with('-') && !word.starts_with("--")
                || word == "--bin"
                || word == "--test"
                || word == "--package";
            end = to;
            if text[..to].ends_with([';', '|', '&']) || text[to..].starts_with([',', ';', ')']) {
                break;
            }
        } else {
            break;
        }
    }
    let argued = if ambiguous { special } else { special || plain > 0 };
    argued.then_some(end)
}

/// Whether the whole of `text` reads as a command. `shell` says that it stands in backticks or on a
/// shell line, where a program's name is one even if it is a word as well.
pub(super) fn is_whole(text: &str, shell: bool) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    let assignment = first.split_once('=').is_some_and(|(key, _)| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
    });
    if assignment {
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
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = text.get(start..)?;
        let end = start + rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = text.get(start..end)?;
        let trimmed = word.trim_end_matches([',', ';', ')', '.', ':', '!', '?']);
        // `./...` and `.` are arguments, not the end of a sentence.
        let kept = if trimmed.is_empty() || trimmed.ends_with('/') || word.ends_with("...") { word } else { trimmed };
        at = if kept.len() == word.len() { end } else { text.len() };
        Some((kept, start + kept.len()))
    })
}

fn is_telling(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1 && word.chars().nth(1).is_some_and(|c| c.is_ascii_alphabetic() || c == '-')
        || word.starts_with("./")
        || word.contains('=')
        || word.starts_with(['"', '\'', '$', '@'])
        || word == "&&"
        || word == "|"
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
