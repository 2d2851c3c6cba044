//! The README against the project: its commands exist, its map is whole, its dependencies are
//! explained. Its Rust runs as doctests of this package's library.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const README: &str = include_str!("../README.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines of all blocks in `language`, without shell comments.
fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}");
    let mut inside = false;
    let mut found = Vec::new();
    for line in README.lines() {
        if line.starts_with("```") {
            inside = line == open;
        } else if inside {
            found.push(line.split(" #").next().unwrap_or(line).trim_end());
        }
    }
    found
}

/// The row of a table whose first cell is `name`.
fn row(name: &str) -> Option<&'static str> {
    README.lines().find(|line| line.starts_with(&format!("| `{name}` |")))
}

/// The entries of a folder of the core, sorted: names, and whether they are folders.
fn entries(folder: &Path) -> Vec<(String, bool)> {
    let found = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<(String, bool)> = found
        .map(|entry| entry.expect("a folder of the project can be read"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path().is_dir()))
        .collect();
    found.sort();
    found
}

#[test]
fn every_command_is_one_of_the_project() {
    let (aliases, usage) = (text(".cargo/config.toml"), text("xtask/src/main.rs"));
    let (bins, steps) = (text("tests/Cargo.toml"), text("xtask/src/verify.rs"));
    let lines = blocks("sh");
    assert!(lines.len() > 5, "{lines:?}");
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["cargo", "run", "-q", "--release", "-p", "diffledger-tests", "--bin", bin, "--", ..] => {
                assert!(bins.contains(&format!("name = \"{bin}\"")), "{line}");
            }
            ["cargo", alias @ ("demo" | "verify"), arguments @ ..] => {
                assert!(aliases.contains(&format!("\n{alias} = ")), "{line}");
                for word in arguments.iter().filter(|word| word.starts_with("--")) {
                    assert!(usage.contains(&format!("[{word}")), "{line}: no option {word}");
                }
                for word in arguments.iter().filter(|word| *alias == "verify" && !word.starts_with("--")) {
                    assert!(steps.contains(&format!("name: \"{word}")), "{line}: no step {word}");
                }
            }
            ["cargo", "bench", "-p", "diffledger-tests"] => assert!(bins.contains("[[bench]]"), "{line}"),
            ["cargo", "xtask", command] => {
                assert!(aliases.contains("\nxtask = ") && usage.contains(&format!("\"{command}\"")), "{line}");
            }
            _ => panic!("not a command of the project: {line}"),
        }
    }
}

#[test]
fn the_map_names_every_file_of_the_core() {
    let core = root().join("core/src");
    let files = entries(&core);
    for (name, is_folder) in &files {
        let parent = if *is_folder { format!("{name}.rs") } else { name.clone() };
        let row_name =
            if *is_folder && !files.contains(&(parent.clone(), false)) { format!("{name}/") } else { parent };
        let row = row(&row_name).unwrap_or_else(|| panic!("no row for `{row_name}`"));
        if !is_folder {
            continue;
        }
        for (inner, is_folder) in entries(&core.join(name)) {
            let stem = inner.strip_suffix(".rs").unwrap_or("mod");
            let told = is_folder || matches!(stem, "mod" | "tests") || row.contains(&format!("`{stem}`"));
            assert!(told, "`{name}/{inner}` is not on the map");
        }
    }
}

#[test]
fn the_map_names_no_file_that_is_gone() {
    let map = README.split("## Code map").nth(1).and_then(|rest| rest.split("What always holds").next());
    let rows = map.expect("the code map is there").lines().filter_map(|line| line.strip_prefix("| `"));
    for name in rows.filter_map(|row| row.split('`').next()) {
        let found = root().join("core/src").join(name).exists() || root().join(name).exists();
        assert!(found, "`{name}` is on the map");
    }
}

#[test]
fn every_direct_dependency_is_explained() {
    let section = README.split("## Dependencies").nth(1).and_then(|rest| rest.split("\n## ").next());
    let section = section.expect("the section is there");
    let mut names = BTreeSet::new();
    for package in ["core", "pkg", "web", "tests", "xtask"] {
        let mut inside = false;
        for line in text(&format!("{package}/Cargo.toml")).lines() {
            if line.starts_with('[') {
                inside = line.trim_end_matches(']').ends_with("dependencies");
            } else if inside
                && !line.starts_with('#')
                && let Some((name, _)) = line.split_once(['.', ' '])
            {
                names.insert(name.to_owned());
            }
        }
    }
    assert!(names.contains("serde") && names.contains("lexopt"), "{names:?}");
    for name in names.iter().filter(|name| !name.starts_with("diffledger")) {
        assert!(section.contains(&format!("`{name}`")), "`{name}` is a dependency, and the README says not why");
    }
}

#[test]
fn in_the_core_only_replay_and_tests_import_the_session() {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for (name, is_folder) in entries(folder) {
            let path = folder.join(&name);
            if is_folder {
                walk(&path, found);
            } else if name != "tests.rs"
                && fs::read_to_string(&path).is_ok_and(|text| text.contains("use crate::session"))
            {
                found.push(path);
            }
        }
    }
    let core = root().join("core/src");
    let mut found = Vec::new();
    walk(&core, &mut found);
    let found: Vec<&Path> = found.iter().filter_map(|path| path.strip_prefix(&core).ok()).collect();
    assert_eq!(found, [Path::new("replay.rs")]);
}
