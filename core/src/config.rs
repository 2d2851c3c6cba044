//! Every threshold, with its meaning and its default.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};

/// Which matching rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Matching {
    /// The published behaviour, bit for bit: Latin letters only, everything fuzzy.
    Published,
    /// Ours: digits, short names and every script count; only terms are fuzzy.
    Refined,
}

/// Every threshold of the core. Times are in turns, sizes in characters or estimated tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Matching rules. Published is for comparison: it confuses `port 8443` with `port 8444`.
    pub matching: Matching,
    /// Least Jaccard similarity of character trigrams, in thousandths. Lower and unrelated terms
    /// meet ("test plan", "test plane"); higher and spelling variants are strangers.
    pub jaccard: u32,
    /// Turns for which an injection keeps its concept live. Shorter and the same text is put back
    /// again and again; longer and text that scrolled away counts as known.
    pub stale_turns: u32,
    /// Fills a turn. More and the prompt fills with guesses; fewer and a two-part question gets half.
    pub gap_max: u32,
    /// Characters of one fill. Shorter cuts facts off; longer spends the window on their surroundings.
    pub fill_chars: u32,
    /// Estimated tokens of all fills of one turn.
    pub fill_tokens: u32,
    /// Bytes of text that the log keeps. Over it the oldest texts are forgotten, and that is reported.
    pub log_bytes: u64,
    /// Whether something outside (a memory, a store) is asked about concepts never told here.
    pub external: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            matching: Matching::Refined,
            jaccard: 500,
            stale_turns: 30,
            gap_max: 2,
            fill_chars: 300,
            fill_tokens: 400,
            log_bytes: 64 * 1024 * 1024,
            external: false,
        }
    }
}

impl Config {
    /// The published package's behaviour, for comparison and for its test vectors.
    #[must_use]
    pub fn reference() -> Self {
        Self { matching: Matching::Published, ..Self::default() }
    }

    /// Refuses values that make no sense.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`], naming the option and its value.
    pub fn check(&self) -> Result<(), Error> {
        let ranges = [
            ("jaccard", u64::from(self.jaccard), 1, 1000),
            ("stale_turns", u64::from(self.stale_turns), 1, 1_000_000),
            ("gap_max", u64::from(self.gap_max), 0, 100),
            ("fill_chars", u64::from(self.fill_chars), 20, 100_000),
            ("fill_tokens", u64::from(self.fill_tokens), 10, 1_000_000),
            ("log_bytes", self.log_bytes, 1024, 1 << 40),
        ];
        for (name, value, least, most) in ranges {
            if value < least || value > most {
                let message = format!("option `{name}` is `{value}`: it must be from {least} to {most}");
                return Err(Error::new(ErrorKind::InvalidOption, message));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_in_range() {
        assert_eq!(Config::default().check(), Ok(()));
        assert_eq!(Config::reference().check(), Ok(()));
    }

    #[test]
    fn an_absurd_value_is_refused_by_name() {
        let error = Config { jaccard: 1001, ..Config::default() }.check().unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidOption);
        assert!(error.message.contains("`jaccard`") && error.message.contains("`1001`"));
    }
}
