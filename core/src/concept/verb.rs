//! Verbs and adverbs: words that stand beside a noun phrase and are none of it.
//!
//! There is no tagger. A table holds verbs that are hardly ever nouns, in their base form; endings tell
//! the rest (English adverbs, Russian and Arabic verbs). What only its place tells ("signs the
//! contract") is up to [`super::term`].

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::text::{Script, script};

const VERBS: &str = include_str!("verbs.txt");

/// Endings of adverbs; "-ly" alone would take "family", "supply" and "nightly" as well.
const ADVERBS: &[&str] = &[
    "ably", "ally", "arly", "atly", "ctly", "edly", "ently", "antly", "etely", "ibly", "ily", "ingly", "ively",
    "ously", "rely", "sely", "ssly", "ately", "ully",
];

/// Third persons and past forms of Russian verbs that no noun ends in, and the reflexive ones.
const RUSSIAN: &[&str] = &[
    "ает", "яет", "еет", "ует", "ают", "яют", "еют", "уют", "тся", "ться", "лся", "лась", "лось", "лись", "ывал",
    "овал",
];

/// Whether a word (lower case) is a verb or an adverb.
pub(super) fn is_verb(word: &str) -> bool {
    if !word.is_ascii() {
        return is_foreign(word);
    }
    let known = |base: &str| table().contains(base);
    let ends = |end: &str| word.strip_suffix(end).is_some_and(known);
    known(word)
        || match word.as_bytes().last() {
            // "modifies" is `modifi` with its ending: such stems are in the table.
            Some(b's') => ends("s") || ends("es"),
            Some(b'd') => ends("d") || ends("ed"),
            Some(b'y') => is_adverb(word),
            _ => false,
        }
}

fn is_adverb(word: &str) -> bool {
    word.len() > 6 && word.ends_with("ly") && ADVERBS.iter().any(|end| word.ends_with(end))
}

/// A past participle by its ending: "cancelled", but not "speed" or "shed".
pub(super) fn is_participle(word: &str) -> bool {
    word.len() > 5
        && word.ends_with("ed")
        && !word.ends_with("eed")
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && word != "hundred"
}

/// The third person by its ending, where the place says that it may be one: "costs 85".
pub(super) fn is_third_person(word: &str) -> bool {
    word.len() > 3
        && word.bytes().all(|b| b.is_ascii_lowercase())
        && word.ends_with('s')
        && !["ss", "us", "is"].iter().any(|end| word.ends_with(end))
}

/// Russian by its ending; Arabic by the prefix of the present ("يعمل"), which few nouns begin with.
fn is_foreign(word: &str) -> bool {
    match word.chars().next().map(script) {
        Some(Script::Cyrillic) => RUSSIAN.iter().any(|end| word.ends_with(end)),
        _ => word.starts_with('ي') && word.chars().count() == 4,
    }
}

/// An Arabic past form with a woman or a thing as its subject: the verb comes first, and nouns end
/// in another t ("ة", "ات").
pub(super) fn is_arabic_past(word: &str) -> bool {
    word.ends_with('ت') && !["ات", "يت", "وت"].iter().any(|end| word.ends_with(end)) && word.chars().count() > 3
}

fn table() -> &'static HashSet<&'static str> {
    static TABLE: OnceLock<HashSet<&'static str>> = OnceLock::new();
    TABLE.get_or_init(|| set(VERBS))
}

/// The words of a list. Written once: a copy of it in each table would be a kilobyte of WebAssembly.
#[inline(never)]
pub(super) fn set(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_known_in_their_forms_and_nouns_are_left() {
        for word in ["starves", "weighed", "sell", "modifies", "unfortunately", "heavily", "протекает", "يعمل"]
        {
            assert!(is_verb(word), "{word}");
        }
        for word in ["family", "assembly", "supply", "nightly", "pool", "settings", "speed", "очередь", "خادم"]
        {
            assert!(!is_verb(word), "{word}");
        }
    }

    #[test]
    fn endings_tell_what_may_be_a_verb() {
        assert!(is_participle("cancelled") && !is_participle("hundred") && !is_participle("speed"));
        assert!(is_third_person("costs") && !is_third_person("status") && !is_third_person("class"));
        assert!(is_arabic_past("تعطلت") && !is_arabic_past("ملفات"));
    }
}
