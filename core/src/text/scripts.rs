//! Which script a character belongs to, as far as the tokenizer cares.

use unicode_segmentation::UnicodeSegmentation;

/// What a letter's script means for words and folding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    /// Latin: accents fold away.
    Latin,
    /// Greek: accents fold away.
    Greek,
    /// Cyrillic: only stress marks fold away.
    Cyrillic,
    /// Han and Bopomofo: about two characters a word, no spaces.
    Han,
    /// Hiragana: no spaces.
    Hiragana,
    /// Katakana: no spaces; a run is a word.
    Katakana,
    /// Hangul: spaces, but particles grow on to the words.
    Hangul,
    /// Thai, Lao, Khmer, Burmese, Tibetan: no spaces.
    Unspaced,
    /// Everything else.
    Other,
}

/// The script of a character, by block.
pub(crate) const fn script(c: char) -> Script {
    match c {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        '\0'..='\u{BF}' => Script::Other,
        '\u{C0}'..='\u{2AF}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Script::Greek,
        '\u{400}'..='\u{52F}' => Script::Cyrillic,
        '\u{E00}'..='\u{FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => Script::Unspaced,
        '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7FF}' => Script::Hangul,
        '\u{3005}' | '\u{3007}' | '\u{3105}'..='\u{312F}' | '\u{3400}'..='\u{4DBF}' => Script::Han,
        '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}' => Script::Han,
        '\u{3041}'..='\u{309F}' => Script::Hiragana,
        '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' => Script::Katakana,
        '\u{FF66}'..='\u{FF9F}' => Script::Katakana,
        _ => Script::Other,
    }
}

/// Whether the character's script is written without spaces, so that a run of it has no word
/// boundaries inside: Han, Kana, Thai and its neighbours.
#[must_use]
pub const fn is_run_script(c: char) -> bool {
    matches!(script(c), Script::Han | Script::Hiragana | Script::Katakana | Script::Unspaced)
}

/// Whether the character is a mark on the one before it: what no word begins with (UAX #29).
pub(crate) fn is_mark(c: char) -> bool {
    // The marks begin at U+0300.
    c >= '\u{300}' && String::from_iter(['!', c]).split_word_bounds().nth(1).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::char::is_combining_mark;

    #[test]
    fn marks_of_every_sort_are_marks() {
        for c in ['\u{301}', '\u{5B7}', '\u{64E}', '\u{93F}', '\u{E31}', '\u{3099}', '\u{FE0F}', '\u{20DD}'] {
            assert!(is_mark(c), "{c:?}");
        }
    }

    #[test]
    fn no_letter_no_digit_and_no_white_space_is_a_mark() {
        for c in '\0'..=char::MAX {
            // The half-width sound marks of Japanese are both.
            let letter = c.is_alphanumeric() && !is_combining_mark(c) && !matches!(c, '\u{FF9E}' | '\u{FF9F}');
            assert!(!is_mark(c) || !letter && !c.is_whitespace() && !c.is_ascii(), "{c:?}");
        }
    }
}
