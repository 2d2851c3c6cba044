//! The canonical forms of Unicode (UAX #15): marks apart from their letters, and one with them.
//!
//! Over the tables of `icu_normalizer`, character by character, and not over its iterators, which
//! bring along the compatibility tables, for what nothing here asks (superscripts, circled digits and
//! ligatures stay what they are). Cost: linear but for sorting runs of marks.

use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalCompositionBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};

use crate::order;

/// Below it no character decomposes and none is a mark.
const FIRST_COMPOSITE: char = '\u{C0}';

/// NFD, with the combining class of each character: 0 for all but marks.
pub(super) fn decomposed(text: impl Iterator<Item = char>) -> Vec<(u8, char)> {
    let mut found = Vec::with_capacity(text.size_hint().0);
    for c in text {
        decompose(c, &mut found);
    }
    for run in found.chunk_by_mut(|(one, _), (two, _)| (*one == 0) == (*two == 0)) {
        if run.len() > 1 && run.first().is_some_and(|(class, _)| *class != 0) {
            order::by_key(run, |(class, _)| *class);
        }
    }
    found
}

/// The tables give one step at a time.
fn decompose(c: char, found: &mut Vec<(u8, char)>) {
    if c < FIRST_COMPOSITE {
        found.push((0, c));
        return;
    }
    match CanonicalDecompositionBorrowed::new().decompose(c) {
        Decomposed::Default => found.push((CanonicalCombiningClassMapBorrowed::new().get_u8(c), c)),
        Decomposed::Singleton(only) => decompose(only, found),
        Decomposed::Expansion(one, two) => {
            decompose(one, found);
            decompose(two, found);
        }
    }
}

/// NFC.
pub(super) fn composed(text: &str) -> String {
    let composition = CanonicalCompositionBorrowed::new();
    let mut out: Vec<char> = Vec::with_capacity(text.len());
    let (mut starter, mut between) = (None, 0);
    for (class, c) in decomposed(text.chars()) {
        // A mark joins its letter unless one of its own class, or a higher one, stands between.
        if (between == 0 || between < class)
            && let Some(letter) = starter.and_then(|at: usize| out.get_mut(at))
            && let Some(both) = composition.compose(*letter, c)
        {
            *letter = both;
            continue;
        }
        between = class;
        if class == 0 {
            starter = Some(out.len());
        }
        out.push(c);
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    fn check(text: &str) {
        assert_eq!(composed(text), text.nfc().collect::<String>(), "{text:?}");
        let apart: String = decomposed(text.chars()).into_iter().map(|(_, c)| c).collect();
        assert_eq!(apart, text.nfd().collect::<String>(), "{text:?}");
    }

    #[test]
    fn every_character_by_itself_and_between_marks() {
        for c in '\0'..=char::MAX {
            check(&c.to_string());
        }
        for c in ('\u{C0}'..='\u{36F}').chain('\u{1E00}'..='\u{1FFF}').chain('\u{AC00}'..='\u{AC80}') {
            check(&format!("a{c}\u{301}\u{327}{c}\u{11A8}"));
        }
    }

    proptest! {
        #[test]
        fn any_text_has_the_forms_of_the_standard(text in "(\\PC|[e\u{300}-\u{345}\u{1100}-\u{11FF}\u{3099}]){0,12}") {
            check(&text);
        }
    }
}
