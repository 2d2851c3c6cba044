//! Which language a line in Latin letters is in, as far as its function words tell.
//!
//! The same short words are function words in one language and names or words in another ("war",
//! "son", "as", "die"), so a list counts only in a line that is in its language: one with more words of
//! the list than English function words, and than of any other list.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::verb::set;
use crate::text;

/// A line of function words each, in the order of [`LANGUAGES`].
const WORDS: &str = include_str!("languages.txt");

const LANGUAGES: [Language; 3] = [Language::German, Language::Spanish, Language::French];

/// A language other than English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    German,
    Spanish,
    French,
}

impl Language {
    /// The language of a line by its words (lower case); `None` is English, or unknown.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        let mut counts = [0; LANGUAGES.len()];
        let english = words.iter().filter(|word| text::is_stop_word(word)).count();
        // No other language has so many words in common with English.
        if english * 3 > words.len() {
            return None;
        }
        for word in words {
            for (count, list) in counts.iter_mut().zip(table()) {
                *count += usize::from(list.contains(word.as_str()));
            }
        }
        let most = counts.iter().copied().max().filter(|most| *most > english)?;
        LANGUAGES.into_iter().zip(counts).find(|(_, count)| *count == most).map(|(language, _)| language)
    }

    /// Whether a word (lower case) says how a sentence of this language is built.
    pub(super) fn is_function(self, word: &str) -> bool {
        table().get(self as usize).is_some_and(|list| list.contains(word))
    }

    /// Whether its form makes it a verb: "pintaron".
    pub(super) fn is_verb(self, word: &str) -> bool {
        self == Self::Spanish && (word.ends_with("aron") || word.ends_with("ieron"))
    }

    /// Whether "de" joins two nouns: "máquina de coser".
    pub(super) fn joins(self, word: &str) -> bool {
        word == "de" && self != Self::German
    }
}

/// The words of each language.
fn table() -> &'static [HashSet<&'static str>] {
    static TABLE: OnceLock<Vec<HashSet<&'static str>>> = OnceLock::new();
    TABLE.get_or_init(|| WORDS.lines().map(set).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<Language>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        assert_eq!(Language::of(&words), expected, "{line}");
    }

    #[test]
    fn function_words_tell_the_language() {
        check("Der Heizungsmonteur kommt am Dienstag", Some(Language::German));
        check("La máquina de coser está en el armario", Some(Language::Spanish));
        check("Le facteur a laissé un colis chez la voisine", Some(Language::French));
        check("the war in the east made the nodes die", None);
        check("retry queue", None);
    }
}
