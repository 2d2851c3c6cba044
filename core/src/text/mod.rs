//! How text is read for comparing: canonical forms, words, tokens, sentences, sizes.
//!
//! **Rule:** every reading of raw text goes through here, so that matching and search
//! always see the same words. (What *concepts* are made of is read in [`crate::concept`], which keeps
//! punctuation in mind.) Every function is total: any `&str` gives an answer, and every byte
//! range lies on character boundaries.
//!
//! - [`canonical`] and [`canonical_exact`]: the form under which a concept is compared
//! - [`words`]: Unicode words (UAX #29), with `C++`, `.NET`, `k8s`, `3.11` kept whole
//! - [`tokens`] for matching and [`search_tokens`] for search: folded, stemmed, without stop words
//! - [`trigrams`], [`sentences`], [`contains_whole`], [`estimate_tokens`]
//! - [`published`]: what the published package does, for comparison
//!
//! **Complexity:** linear in the text (sorting trigrams: n log n).
//! **Source:** UAX #15 and #29; the stemmer takes two ideas from Porter (1980), see [`stem`].
//!
//! ```
//! use diffledger_core::text::{canonical, tokens};
//! assert_eq!(canonical("the  Café's queue!"), "cafe's queue");
//! assert_eq!(tokens("How do the retry queues work on k8s?"), ["retry", "queue", "work", "k8s"]);
//! assert_eq!(tokens("数据库"), ["数据", "据库"]);
//! ```

mod canonical;
mod composed;
pub mod published;
mod scripts;
mod sentences;
mod size;
mod stem;
mod stop;
mod tokens;
mod whole;
mod words;

pub use canonical::{bare, canonical, canonical_exact, fold};
pub use scripts::is_run_script;
pub(crate) use scripts::{Script, script};
pub use sentences::sentences;
pub use size::estimate_tokens;
pub use stem::stem;
pub use stop::is_stop_word;
pub use tokens::{parts, search_tokens, tokens, trigrams, word_tokens};
pub use whole::contains_whole;
pub use words::{Word, words};

#[cfg(test)]
mod properties;
