//! What the package's files weigh, raw and as a server sends them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command;

/// The most that a page loads, in bytes after brotli. The wasm's is what was reached: it may only go
/// down, until [`AIM`] is met.
const LIMITS: &[(&str, u64)] = &[("diffledger_bg.wasm", 270_000), ("diffledger.js", 12_000)];

/// What the wasm is to weigh, in bytes after brotli; each build says how far that is.
const AIM: (&str, u64) = ("diffledger_bg.wasm", 200_000);

/// Brotli at quality 11, which is Node's default.
const MEASURE: &str = "for (const path of process.argv.slice(1)) {
  const bytes = fs.readFileSync(path);
  console.log(bytes.length, zlib.brotliCompressSync(bytes).length);
}";

/// What the files of a package weigh.
pub(super) struct Sizes(Vec<Size>);

struct Size {
    name: String,
    raw: u64,
    brotli: u64,
}

impl Sizes {
    /// Weighs every file in `folder`.
    pub(super) fn measure(folder: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{}: {error}\n", folder.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        let mut measure = Command::new("node");
        measure.args(["-e", MEASURE, "--"]).args(names.iter().map(|name| folder.join(name)));
        let output = command::run(measure)?;
        let sizes = names.into_iter().zip(output.lines()).map(|(name, line)| {
            let (raw, brotli) = line.split_once(' ')?;
            Some(Size { name, raw: raw.parse().ok()?, brotli: brotli.parse().ok()? })
        });
        sizes.collect::<Option<_>>().map(Self).ok_or_else(|| format!("no sizes from Node:\n{output}"))
    }

    /// An error that names every file over its limit.
    pub(super) fn check(&self) -> Result<(), String> {
        let heavy: String = self
            .limited()
            .filter(|(size, limit)| size.brotli > *limit)
            .map(|(size, limit)| {
                format!("{} is {} bytes after brotli, and at most {limit} are allowed\n", size.name, size.brotli)
            })
            .collect();
        if heavy.is_empty() { Ok(()) } else { Err(format!("{}{heavy}", self.table())) }
    }

    /// A line for each file.
    pub(super) fn table(&self) -> String {
        let head = format!("{:22}{:>10}{:>10}\n", "bytes", "raw", "brotli");
        let lines = self.0.iter().map(|size| format!("{:22}{:>10}{:>10}\n", size.name, size.raw, size.brotli));
        std::iter::once(head).chain(lines).collect()
    }

    /// The files with a limit, in a few words.
    pub(super) fn remark(&self) -> String {
        let kilobytes = |bytes: u64| bytes as f64 / 1000.0;
        let part = |(size, _): (&Size, u64)| {
            let missed = AIM.0 == size.name && size.brotli > AIM.1;
            let aim = if missed { format!(" (aim {} kB: missed)", kilobytes(AIM.1)) } else { String::new() };
            format!(", {} {:.1} kB{aim}", size.name, kilobytes(size.brotli))
        };
        self.limited().map(part).collect()
    }

    fn limited(&self) -> impl Iterator<Item = (&Size, u64)> {
        self.0.iter().filter_map(|size| {
            let (_, limit) = LIMITS.iter().find(|(name, _)| *name == size.name)?;
            Some((size, *limit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_its_limit_is_named_with_both_figures() {
        let size = |name: &str, brotli| Size { name: name.into(), raw: 900_000, brotli };
        let sizes =
            Sizes(vec![size("diffledger.js", 12_001), size("diffledger_bg.wasm", 270_000), size("a.js", 999_999)]);
        let error = sizes.check().unwrap_err();
        assert!(
            error.ends_with("\ndiffledger.js is 12001 bytes after brotli, and at most 12000 are allowed\n"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 5, "{error}");
    }
}
