//! Noun phrases: what stands between function words, light words and punctuation.
//!
//! Without a tagger, the words that are never the name of a thing do the work: function words (in
//! [`crate::text`]) and *light* words, the verbs, adjectives and general nouns that any talk is full
//! of. A run of other words, at most [`LONGEST`], is a phrase.

use super::language::Language;
use super::verb;
use super::word::Word;
use crate::order;
use crate::text;

/// Longest phrase in words. Longer runs are headings or lists without commas: their last words count.
pub(super) const LONGEST: usize = 4;

/// Two-letter words that name things whatever their case.
const SHORT: &[&str] =
    &["ai", "cd", "ci", "cv", "db", "dc", "io", "ip", "js", "ml", "os", "qa", "tv", "ui", "ux", "vm"];

const LIGHT: &str = include_str!("light.txt");

/// Words that a noun phrase begins with: what stands right before one is a verb as a rule.
const DETERMINERS: &[&str] = &[
    "a", "an", "das", "dem", "den", "der", "die", "ein", "eine", "einen", "el", "her", "his", "its", "la", "las", "le",
    "les", "los", "my", "our", "the", "their", "un", "una", "une", "your",
];

/// What an order may be followed by besides: "bump it".
const OBJECTS: &[&str] = &["it", "me", "them", "these", "this", "those", "us"];

/// Actions that `re` makes verbs of; without those that it makes a noun of ("reset", "retry", "report").
const ACTIONS: &[&str] = &[
    "arrange",
    "assemble",
    "assign",
    "attach",
    "build",
    "calculate",
    "compile",
    "configure",
    "connect",
    "create",
    "deploy",
    "draw",
    "generate",
    "install",
    "learn",
    "name",
    "open",
    "organise",
    "organize",
    "paint",
    "schedule",
    "test",
    "think",
    "use",
    "validate",
    "wire",
    "write",
];

/// Whether a word (lower case) is too general to name anything, or no noun at all.
pub(crate) fn is_light(word: &str) -> bool {
    use std::sync::OnceLock;
    static WORDS: OnceLock<std::collections::HashSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| verb::set(LIGHT)).contains(word) || verb::is_verb(word)
}

/// Whether a word (lower case) is a function word or a light one.
pub(super) fn is_function(word: &str) -> bool {
    text::is_stop_word(word) || is_light(word)
}

/// The byte ranges of the phrases in a line's words. `named` says of each word whether its shape
/// made it a name of its own: such a word joins a phrase ("GitHub Actions") but is none alone.
/// In a heading a verb's form is a plural: "Emergency exits".
pub(super) fn phrases(words: &[Word<'_>], named: &[bool], skip: &[bool], heading: bool) -> Vec<(usize, usize)> {
    let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let line = Line { words, lower: &lower, named, language: Language::of(&lower) };
    let mut found = Vec::new();
    let mut run: Vec<usize> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let is_named = named.get(index).copied().unwrap_or(false);
        let taken = skip.get(index).copied().unwrap_or(false);
        let plural = heading && !run.is_empty() && line.lower(index).len() > 4 && word.text.ends_with('s');
        let eligible = !taken
            && (is_named && word.text.chars().all(char::is_alphanumeric)
                || is_eligible(word, line.lower(index), plural) && !line.is_function(index)
                || !run.is_empty() && line.joins(index));
        if !eligible || word.opens {
            line.finish(&mut run, &mut found);
        }
        if eligible {
            run.push(index);
            // Too short to be found inside a phrase: it stands for itself as well.
            if is_short_name(word) && words.len() > 1 {
                found.push((word.from, word.to));
            }
        }
        if word.closes {
            line.finish(&mut run, &mut found);
        }
    }
    line.finish(&mut run, &mut found);
    order::sort(&mut found);
    found.dedup();
    found
}

/// The words of a line with what is known about them.
struct Line<'a> {
    words: &'a [Word<'a>],
    lower: &'a [String],
    named: &'a [bool],
    language: Option<Language>,
}

impl Line<'_> {
    fn lower(&self, index: usize) -> &str {
        self.lower.get(index).map_or("", String::as_str)
    }

    /// Whether a word is none of a phrase for what stands beside it, or for the line's language.
    fn is_function(&self, index: usize) -> bool {
        let lower = self.lower(index);
        let opens = self.words.get(index).is_some_and(|word| word.opens);
        self.is_behind_noun(index)
            || opens && verb::is_arabic_past(lower)
            || self.language.is_some_and(|language| language.is_function(lower) || language.is_verb(lower))
    }

    /// Whether a word joins the one before it with the one after it: "máquina de coser".
    fn joins(&self, index: usize) -> bool {
        let next = self.words.get(index + 1);
        self.language.is_some_and(|language| language.joins(self.lower(index)))
            && next.is_some_and(|word| !word.opens && is_eligible(word, self.lower(index + 1), false))
            && !self.is_function(index + 1)
    }

    fn is_capital(&self, index: usize) -> bool {
        self.words.get(index).is_some_and(|word| word.text.starts_with(char::is_uppercase))
    }

    /// German writes its nouns with a capital: behind one, a small letter is a verb or an adverb.
    fn is_behind_noun(&self, index: usize) -> bool {
        self.language == Some(Language::German)
            && !self.is_capital(index)
            && index
                .checked_sub(1)
                .is_some_and(|before| self.is_capital(before) && !Language::German.is_function(self.lower(before)))
            && self.words.get(index).is_some_and(|word| !word.opens)
    }

    fn finish(&self, run: &mut Vec<usize>, found: &mut Vec<(usize, usize)>) {
        self.leave_verbs(run);
        let mut kept = run.get(run.len().saturating_sub(LONGEST)..).unwrap_or_default();
        while let Some((first, rest)) = kept.split_first()
            && self.lower(*first) == "de"
        {
            kept = rest;
        }
        let is_named = |index: &usize| self.named.get(*index).copied().unwrap_or(false);
        if kept.iter().any(|index| !is_named(index))
            && let (Some(first), Some(last)) =
                (kept.first().and_then(|i| self.words.get(*i)), kept.last().and_then(|i| self.words.get(*i)))
        {
            found.push((first.from, last.to));
        }
        run.clear();
    }

    /// Takes from a run the verb that its place tells: before an article ("signs the contract"), a
    /// participle at its end ("harvest festival cancelled"; of two words it may be half the name: "skip
    /// locked"), an order at the start of a sentence.
    fn leave_verbs(&self, run: &mut Vec<usize>) {
        while let (Some(last), true) = (run.last(), run.len() > 2)
            && verb::is_participle(self.words.get(*last).map_or("", |word| word.text))
        {
            run.pop();
        }
        let (Some(first), Some(last)) = (run.first().copied(), run.last().copied()) else { return };
        let next = self.words.get(last + 1).filter(|next| !next.opens).map_or("", |_| self.lower(last + 1));
        let opens = self.words.get(first).is_some_and(|word| word.opens);
        let determined = DETERMINERS.contains(&next);
        if run.len() == 1 {
            let written = self.words.get(first).map_or("", |word| word.text);
            let plain = written.chars().skip(1).all(char::is_lowercase);
            if opens && plain && (determined || OBJECTS.contains(&next)) {
                run.clear();
            }
            return;
        }
        let counted = next.starts_with(|c: char| c.is_ascii_digit());
        if (determined || counted) && verb::is_third_person(self.words.get(last).map_or("", |word| word.text)) {
            run.pop();
        }
        if run.len() > 2
            && opens
            && self.lower(first).strip_prefix("re").is_some_and(|action| ACTIONS.contains(&action))
        {
            run.remove(0);
        }
    }
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

/// `plural` says that a light word is one here that names something.
fn is_eligible(word: &Word<'_>, lower: &str, plural: bool) -> bool {
    let text = word.text;
    if is_hangul(text) {
        return false;
    }
    if !text.chars().any(char::is_alphabetic) || text::is_stop_word(lower) || !plural && is_light(lower) {
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
        2 => text.chars().all(char::is_uppercase) || !text.is_ascii() || SHORT.contains(&lower),
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
