//! What the parts of the wasm weigh: its data, its crates, its largest functions.

use std::collections::BTreeMap;
use std::path::Path;

use super::SOURCE;
use crate::{command, npm};

/// How many functions are listed.
const FUNCTIONS: usize = 25;

/// The table for the wasm at `path`, which still has its names; raw bytes after optimising.
pub(super) fn table(path: &Path) -> Result<String, String> {
    let mut measure = npm::tool(SOURCE, "wasm-opt", "-Oz -g --func-metrics");
    measure.arg(path).arg("-o").arg(path.with_extension("measured.wasm"));
    let parts = Parts::read(&command::run(measure)?);
    if parts.functions.is_empty() { Err("wasm-opt measured no function\n".into()) } else { Ok(parts.table()) }
}

#[derive(Default)]
struct Parts {
    data: u64,
    functions: Vec<(u64, String)>,
}

impl Parts {
    /// Reads what wasm-opt prints: `func: NAME`, then a line for each measure of it.
    fn read(output: &str) -> Self {
        let mut parts = Self::default();
        let mut function = "";
        for line in output.lines() {
            if let Some(name) = line.strip_prefix("func: ") {
                function = name;
            } else if let Some(bytes) = value(line, "[memory-data]") {
                parts.data += bytes;
            } else if let Some(bytes) = value(line, "[binary-bytes]") {
                parts.functions.push((bytes, function.to_owned()));
            }
        }
        parts.functions.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        parts
    }

    fn table(&self) -> String {
        let mut crates: BTreeMap<&str, u64> = BTreeMap::new();
        for (bytes, name) in &self.functions {
            *crates.entry(crate_of(name)).or_default() += bytes;
        }
        let mut crates: Vec<(&str, u64)> = crates.into_iter().collect();
        crates.sort_by_key(|(name, bytes)| (std::cmp::Reverse(*bytes), *name));
        let crates = crates.into_iter().map(|(name, bytes)| format!("{bytes:>10} {name}\n"));
        let functions = self.functions.iter().take(FUNCTIONS).map(|(bytes, name)| format!("{bytes:>10} {name}\n"));
        let data = format!("{:>10} data: texts and tables of all crates\n", self.data);
        [data].into_iter().chain(crates).chain(["largest functions\n".to_owned()]).chain(functions).collect()
    }
}

fn value(line: &str, measure: &str) -> Option<u64> {
    line.trim().strip_prefix(measure)?.split_once(':')?.1.trim().parse().ok()
}

/// The first name in a path such as `<&a::B as c::D>::e`, which is the crate of the type that has the function.
fn crate_of(function: &str) -> &str {
    let path = function.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let path = path.strip_prefix("mut ").or_else(|| path.strip_prefix("dyn ")).unwrap_or(path);
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    path.get(..end).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_crate_are_those_of_its_functions() {
        let output = "global\n [funcs]        : 3       \n [memory-data]  : 140     \n\
                      func: <&serde_json::Value as core::fmt::Debug>::fmt\n [binary-bytes] : 30      \n [total] : 2\n\
                      func: dlmalloc[e24a]::malloc\n [binary-bytes] : 40      \n\
                      func: serde_json::read\n [binary-bytes] : 20      \n";
        let table = Parts::read(output).table();
        let lines: Vec<&str> = table.lines().map(str::trim).collect();
        assert_eq!(lines[..3], ["140 data: texts and tables of all crates", "50 serde_json", "40 dlmalloc"]);
        assert_eq!(lines[4], "40 dlmalloc[e24a]::malloc");
    }
}
