//! Noun phrases: what stands between function words, light words and punctuation.
//!
//! Without a tagger, the words that are never the name of a thing do the work: function words (in
//! [`crate::text`]) and *light* words, the verbs, adjectives and general nouns that any talk is full
//! of. A run of other words, at most [`LONGEST`], is a phrase.

use super::word::Word;
use crate::order;
use crate::text;

/// Longest phrase in words. Longer runs are headings or lists without commas: their last words count.
pub(super) const LONGEST: usize = 4;

/// Two-letter words that name things whatever their case.
const SHORT: &[&str] =
    &["ai", "cd", "ci", "cv", "db", "dc", "io", "ip", "js", "ml", "os", "qa", "tv", "ui", "ux", "vm"];

const LIGHT: &str = include_str!("light.txt");

/// Whether a word (lower case) is too general to name anything.
pub(crate) fn is_light(word: &str) -> bool {
    use std::sync::OnceLock;
    static WORDS: OnceLock<std::collections::HashSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| LIGHT.split_whitespace().collect()).contains(word)
}

/// The byte ranges of the phrases in a line's words. `named` says of each word whether its shape
/// made it a name of its own: such a word joins a phrase ("GitHub Actions") but is none alone.
pub(super) fn phrases(words: &[Word<'_>], named: &[bool], skip: &[bool]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let is_named = named.get(index).copied().unwrap_or(false);
        let taken = skip.get(index).copied().unwrap_or(false);
        let eligible = !taken && (is_named && word.text.chars().all(char::is_alphanumeric) || is_eligible(word));
        if !eligible || word.opens {
            finish(&mut run, words, named, &mut found);
        }
        if eligible {
            run.push(index);
            // Too short to be found inside a phrase: it stands for itself as well.
            if is_short_name(word) && words.len() > 1 {
                found.push((word.from, word.to));
            }
        }
        if word.closes {
            finish(&mut run, words, named, &mut found);
        }
    }
    finish(&mut run, words, named, &mut found);
    order::sort(&mut found);
    found.dedup();
    found
}

fn finish(run: &mut Vec<usize>, words: &[Word<'_>], named: &[bool], found: &mut Vec<(usize, usize)>) {
    let kept = run.get(run.len().saturating_sub(LONGEST)..).unwrap_or_default();
    let is_named = |index: &usize| named.get(*index).copied().unwrap_or(false);
    if kept.iter().any(|index| !is_named(index))
        && let (Some(first), Some(last)) =
            (kept.first().and_then(|i| words.get(*i)), kept.last().and_then(|i| words.get(*i)))
    {
        found.push((first.from, last.to));
    }
    run.clear();
}

/// Whether a word is Korean: its phrases are told by particles, not by function words.
pub(super) fn is_hangul(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| text::script(c) == text::Script::Hangul)
}

/// `C++` and the like; and names that are words too, where they are written as names: "in Go", not "Go on".
fn is_short_name(word: &Word<'_>) -> bool {
    matches!(word.text, "C++" | "c++" | "C#" | "c#" | "F#" | "f#" | ".NET" | ".net")
        || !word.opens && matches!(word.text, "Go" | "R" | "C")
}

fn is_eligible(word: &Word<'_>) -> bool {
    let text = word.text;
    // Russian verbs that end in -тся join no phrase.
    if is_hangul(text) || text.ends_with("тся") || text.ends_with("ться") {
        return false;
    }
    let lower = text.to_lowercase();
    if !text.chars().any(char::is_alphabetic) || text::is_stop_word(&lower) || is_light(&lower) {
        return is_short_name(word);
    }
    if is_short_name(word) {
        return true;
    }
    if text.contains('\'') || text.contains('’') || !text.chars().all(|c| c.is_alphanumeric() || c == '-') {
        return false;
    }
    match text.chars().count() {
        1 => false,
        2 => text.chars().all(char::is_uppercase) || !text.is_ascii() || SHORT.contains(&lower.as_str()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::is_light;

    #[test]
    fn light_words_name_nothing() {
        for word in ["make", "thing", "really", "working"] {
            assert!(is_light(word), "{word}");
        }
        for word in ["queue", "database", "retry"] {
            assert!(!is_light(word), "{word}");
        }
    }
}
