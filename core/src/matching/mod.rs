//! Whether two concepts are the same: three rules for terms, exactness for names.
//!
//! **Rule:** names (identifiers, paths, numbers, …) match exactly; only two terms match fuzzily.
//! The first that holds is reported:
//!
//! 1. **exact**: the canonical forms are equal;
//! 2. **token subset**: the content tokens of one are all in the other;
//! 3. **Jaccard**: shared trigrams / all trigrams ≥ the threshold, as integers.
//!
//! [`Matching::Published`] has just these, for every kind. [`Matching::Refined`], the default,
//! refines them where they join strangers:
//!
//! - *Digits agree*: "port 8443" is not "port 8444", nor "python 3.11" "3.12".
//! - *The half rule*: the smaller has at least half of the larger's words, so `test` is not "test
//!   harness for the flux capacitor". In scripts without spaces two characters of Han are a word, and
//!   so is a run of Katakana.
//! - *One word* stands for a longer name only while at most [`RARE`] known terms have it.
//! - *Short names* (`Go`, `R`, `C++`, `k8s`) are only themselves.
//! - *Jaccard is for spellings*: it speaks only where neither has all words of the other, and what
//!   is not shared must be one word spelled two ways ("web assembly", "postgresql"), so that
//!   "install script" is not "uninstall script".
//!
//! Between kinds: equal strings are equal. A term is a name when it is the same but for an article
//! and punctuation, or, for identifiers and quotes, also when it has no capital and differs only in
//! case. A folder covers the paths below it, and a path's tail the path, either way round
//! ([`Rule::Prefix`]); a tail of one component must look like a file (a dot or a capital in it), or
//! `game` would be every folder of that name. A bare number is the quantity that has it.
//!
//! **Complexity:** linear in the two texts; [`Index`] is sub-linear in the entries.
//! **Source:** the published package's rules; prefix filtering of set joins (Chaudhuri et al. 2006).
//!
//! ```
//! use diffledger_core::{config::Config, matching::{Rule, compare}};
//! let config = Config::default();
//! let found = compare("the ledger", "context ledger", &config).unwrap();
//! assert_eq!((found.rule, found.shared, found.total), (Rule::TokenSubset, 1, 2));
//! assert_eq!(compare("port 8443", "port 8444", &config), None);
//! ```

use serde::{Deserialize, Serialize};

use crate::concept::ConceptKind;
use crate::config::{Config, Matching};
use crate::text::{self, published};

mod index;
mod name;
mod search;
mod term;

pub use index::Index;
pub use term::RARE;

/// Why two concepts match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Rule {
    /// The canonical forms are equal, or it is the same number.
    Exact,
    /// The content tokens of one are all in the other.
    TokenSubset,
    /// Enough character trigrams are shared.
    Jaccard,
    /// One path is the other's folder, or its tail.
    Prefix,
}

/// That two concepts match, by which rule, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// The first rule that holds.
    pub rule: Rule,
    /// What they share: tokens, trigrams or path components; 1 for [`Rule::Exact`].
    pub shared: u32,
    /// Of how many in all; 1 for [`Rule::Exact`], 2 when a bare number stands for a quantity.
    pub total: u32,
    /// 0 to 1000. Exact 1000 (a bare number 900); token subset and prefix 500 + 450 · shared / total;
    /// Jaccard 900 · shared / total.
    pub score: u32,
}

impl Match {
    const EXACT: Self = Self { rule: Rule::Exact, shared: 1, total: 1, score: 1000 };

    fn new(rule: Rule, shared: usize, total: usize) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let share = |of: usize| count(of * shared / total.max(1));
        let score = match rule {
            Rule::Exact => 1000,
            Rule::TokenSubset | Rule::Prefix => 500 + share(450),
            Rule::Jaccard => share(900),
        };
        Self { rule, shared: count(shared), total: count(total), score }
    }
}

/// Whether two terms match. Without an [`Index`] every word counts as rare.
#[must_use]
pub fn compare(a: &str, b: &str, config: &Config) -> Option<Match> {
    covers(ConceptKind::Term, a, ConceptKind::Term, b, config)
}

/// The published package's figures for two canonical forms (see [`published::normalize`]): equal,
/// token subset, shared trigrams, all trigrams. No trigrams at all where one has none.
#[must_use]
pub fn compare_published(a: &str, b: &str) -> (bool, bool, u32, u32) {
    let (ours, theirs) = (published::tokens(a), published::tokens(b));
    let shared = overlap(&ours, &theirs);
    let subset = shared > 0 && shared == ours.len().min(theirs.len());
    let (shared, total) = jaccard(&text::trigrams(a), &text::trigrams(b));
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (a == b, subset, count(shared), count(total))
}

/// Whether concept `a` is covered by concept `b` (see the module's rules); the order does not
/// matter. Without an [`Index`] every word counts as rare.
#[must_use]
pub fn covers(kind_a: ConceptKind, a: &str, kind_b: ConceptKind, b: &str, config: &Config) -> Option<Match> {
    judge(kind_a, a, kind_b, b, config, &|_| false)
}

/// [`covers`], told which tokens are too common to stand for a longer name.
fn judge(
    kind_a: ConceptKind,
    a: &str,
    kind_b: ConceptKind,
    b: &str,
    config: &Config,
    common: &dyn Fn(&str) -> bool,
) -> Option<Match> {
    if config.matching == Matching::Published {
        return judge_published(&published::normalize(a), &published::normalize(b), config.jaccard);
    }
    if kind_a == ConceptKind::Term && kind_b == ConceptKind::Term {
        term::judge(a, b, config.jaccard, common)
    } else {
        name::judge(kind_a, a, kind_b, b)
    }
}

fn judge_published(a: &str, b: &str, threshold: u32) -> Option<Match> {
    let (exact, subset, shared, total) = compare_published(a, b);
    if exact {
        return Some(Match::EXACT);
    }
    if subset {
        let (ours, theirs) = (published::tokens(a).len(), published::tokens(b).len());
        return Some(Match::new(Rule::TokenSubset, ours.min(theirs), ours.max(theirs)));
    }
    let (shared, total) = (usize::try_from(shared).ok()?, usize::try_from(total).ok()?);
    reaches(shared, total, threshold).then(|| Match::new(Rule::Jaccard, shared, total))
}

/// Whether shared / total ≥ threshold / 1000. Nothing shared reaches nothing.
fn reaches(shared: usize, total: usize, threshold: u32) -> bool {
    let wide = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    shared > 0 && wide(shared) * 1000 >= u64::from(threshold) * wide(total)
}

/// Shared and all of two sorted sets; (0, 0) where one is empty.
fn jaccard(a: &[u64], b: &[u64]) -> (usize, usize) {
    if a.is_empty() || b.is_empty() {
        return (0, 0);
    }
    let shared = overlap(a, b);
    (shared, a.len() + b.len() - shared)
}

/// How many elements two sorted sets share.
fn overlap<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut a, mut b, mut shared) = (a.iter().peekable(), b.iter().peekable(), 0);
    while let (Some(one), Some(two)) = (a.peek(), b.peek()) {
        match one.cmp(two) {
            std::cmp::Ordering::Less => a.next(),
            std::cmp::Ordering::Greater => b.next(),
            std::cmp::Ordering::Equal => {
                shared += 1;
                b.next();
                a.next()
            }
        };
    }
    shared
}

#[cfg(test)]
mod index_tests;
#[cfg(test)]
mod tests;
