//! What built files weigh, raw and as a server sends them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command;

/// The most that a page loads, in bytes after brotli. The wasm's is what was reached: it may only go
/// down, until [`AIM`] is met.
const LIMITS: &[(&str, u64)] = &[("diffledger_bg.wasm", 280_000), ("diffledger.js", 12_000)];

/// What the wasm is to weigh, in bytes after brotli; each build says how far that is.
const AIM: (&str, u64) = ("diffledger_bg.wasm", 200_000);

/// The package's limits.
pub(super) const PACKAGE: Limits = Limits { most: LIMITS, aim: AIM };

/// What built files may weigh: each a name and bytes after brotli.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// More is an error.
    pub(crate) most: &'static [(&'static str, u64)],
    /// More is remarked on.
    pub(crate) aim: (&'static str, u64),
}

/// Brotli at quality 11, which is Node's default.
const MEASURE: &str = "for (const path of process.argv.slice(1)) {
  const bytes = fs.readFileSync(path);
  console.log(bytes.length, zlib.brotliCompressSync(bytes).length);
}";

/// What the files in a folder weigh, and may weigh.
pub(crate) struct Sizes {
    sizes: Vec<Size>,
    limits: Limits,
}

struct Size {
    name: String,
    raw: u64,
    brotli: u64,
}

impl Sizes {
    /// The name that limits have for all files together.
    pub(crate) const TOTAL: &str = "in all";

    /// Weighs every file in `folder`.
    pub(crate) fn measure(folder: &Path, limits: Limits) -> Result<Self, String> {
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
        let sizes: Option<Vec<Size>> = sizes.collect();
        Ok(Self { sizes: sizes.ok_or_else(|| format!("no sizes from Node:\n{output}"))?, limits })
    }

    /// Adds what all files weigh together.
    pub(crate) fn with_total(mut self) -> Self {
        let sum = |of: fn(&Size) -> u64| self.sizes.iter().map(of).sum();
        let total = Size { name: Self::TOTAL.into(), raw: sum(|size| size.raw), brotli: sum(|size| size.brotli) };
        self.sizes.push(total);
        self
    }

    /// An error that names every file over its limit.
    pub(crate) fn check(&self) -> Result<(), String> {
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
    pub(crate) fn table(&self) -> String {
        let head = format!("{:22}{:>10}{:>10}\n", "bytes", "raw", "brotli");
        let lines = self.sizes.iter().map(|size| format!("{:22}{:>10}{:>10}\n", size.name, size.raw, size.brotli));
        std::iter::once(head).chain(lines).collect()
    }

    /// The files with a limit, in a few words.
    pub(crate) fn remark(&self) -> String {
        let kilobytes = |bytes: u64| bytes as f64 / 1000.0;
        let (aimed, most) = self.limits.aim;
        let part = |(size, _): (&Size, u64)| {
            let missed = aimed == size.name && size.brotli > most;
            let aim = if missed { format!(" (aim {} kB: missed)", kilobytes(most)) } else { String::new() };
            format!(", {} {:.1} kB{aim}", size.name, kilobytes(size.brotli))
        };
        self.limited().map(part).collect()
    }

    fn limited(&self) -> impl Iterator<Item = (&Size, u64)> {
        self.sizes.iter().filter_map(|size| {
            let (_, limit) = self.limits.most.iter().find(|(name, _)| *name == size.name)?;
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
        let sizes = vec![size("diffledger.js", 12_001), size("diffledger_bg.wasm", 280_000), size("a.js", 999_999)];
        let error = Sizes { sizes, limits: PACKAGE }.check().unwrap_err();
        assert!(
            error.ends_with("\ndiffledger.js is 12001 bytes after brotli, and at most 12000 are allowed\n"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 5, "{error}");
    }

    #[test]
    fn files_that_are_light_alone_may_be_too_heavy_in_all() {
        const IN_ALL: Limits = Limits { most: &[(Sizes::TOTAL, 5_000)], aim: (Sizes::TOTAL, 4_000) };
        let of = |brotli| {
            let file = |name: &str, brotli| Size { name: name.into(), raw: brotli * 3, brotli };
            Sizes { sizes: vec![file("a.css", 1_000), file("b.js", brotli)], limits: IN_ALL }.with_total()
        };
        let error = of(4_001).check().unwrap_err();
        assert!(error.ends_with("\nin all is 5001 bytes after brotli, and at most 5000 are allowed\n"), "{error}");
        assert_eq!(of(4_000).check(), Ok(()));
        assert_eq!(of(4_000).remark(), ", in all 5.0 kB (aim 4 kB: missed)");
        assert_eq!(of(3_000).remark(), ", in all 4.0 kB");
    }
}
