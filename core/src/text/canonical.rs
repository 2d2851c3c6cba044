//! The form under which concepts are compared.

use std::borrow::Cow;

use super::composed::{composed, decomposed};
use super::scripts::{Script, script};

/// Words that say whose or which, never what: dropped from the front, however many.
const LEADING: [&str; 14] =
    ["the", "a", "an", "my", "your", "our", "their", "its", "his", "her", "this", "that", "these", "those"];

/// Half-width Katakana U+FF61 to U+FF9F as full-width characters, in code point order.
const HALF_WIDTH: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}";

/// The canonical form of a term: folded (see [`fold`]), inner white space one space, leading
/// articles and possessives removed, trailing punctuation and enclosing quotes removed.
///
/// `C++`, `C#`, `.NET` and `f()` keep their marks. Applying it twice changes nothing. Only an
/// article gives the article: nothing canonical is empty unless the text is blank or punctuation.
#[must_use]
pub fn canonical(text: &str) -> String {
    let folded = fold(text);
    trimmed(&one_space(&folded)).to_owned()
}

/// The canonical form of everything but terms: NFC, without white space at the ends.
#[must_use]
pub fn canonical_exact(text: &str) -> String {
    let text = text.trim();
    if text.is_ascii() { text.to_owned() } else { composed(text).trim().to_owned() }
}

/// A term as [`canonical`] has it, but with its letters as they are: for comparing it with names,
/// where case and accents count.
#[must_use]
pub fn bare(text: &str) -> String {
    let exact = canonical_exact(text);
    trimmed(&one_space(&exact)).to_owned()
}

/// Lower case; full-width forms, typographic quotes and hyphens as plain ones; accents of Latin and
/// Greek, stress marks of Cyrillic and Arabic vowel points removed. Dakuten (が is not か) and Indic
/// vowel signs are letters and stay.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut kept = String::with_capacity(text.len());
    let mut base = '\0';
    for (class, c) in decomposed(text.chars().map(width)) {
        if is_accent(base, c) {
            continue;
        }
        if class != 0 {
            kept.push(c);
            continue;
        }
        if matches!(c, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{640}') {
            continue;
        }
        for c in c.to_lowercase() {
            base = c;
            match c {
                'ß' => kept.push_str("ss"),
                'æ' => kept.push_str("ae"),
                'œ' => kept.push_str("oe"),
                _ => kept.push(letter(c)),
            }
        }
    }
    composed(&kept)
}

/// Letters without a decomposition that people leave the stroke off.
const fn letter(c: char) -> char {
    match c {
        'ø' => 'o',
        'ł' => 'l',
        'đ' => 'd',
        'ı' => 'i',
        'ς' => 'σ',
        _ => c,
    }
}

/// One width, one quote, one hyphen.
fn width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{FF61}'..='\u{FF9F}' => {
            let at = usize::try_from(u32::from(c) - 0xFF61).unwrap_or(usize::MAX);
            HALF_WIDTH.chars().nth(at).unwrap_or(c)
        }
        '\u{2018}' | '\u{2019}' | '\u{2BC}' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201E}' => '"',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        '\u{3000}' | '\u{A0}' => ' ',
        _ => c,
    }
}

/// Whether the mark on this base is one that people leave off.
const fn is_accent(base: char, mark: char) -> bool {
    match mark {
        '\u{64B}'..='\u{652}' | '\u{670}' | '\u{FE00}'..='\u{FE0F}' => true,
        '\u{300}'..='\u{36F}' => match script(base) {
            Script::Latin | Script::Greek => true,
            // г and к with an acute are letters of their own in Macedonian.
            Script::Cyrillic => matches!(mark, '\u{300}' | '\u{301}') && !matches!(base, 'г' | 'к'),
            _ => false,
        },
        _ => false,
    }
}

/// White space runs as one space.
fn one_space(text: &str) -> Cow<'_, str> {
    let mut before = ' ';
    let plain = text.chars().all(|c| {
        let fine = !c.is_whitespace() || (c == ' ' && before != ' ');
        before = c;
        fine
    });
    if plain && before != ' ' {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// Cuts articles from the front and punctuation from the ends, each cut in constant time.
fn trimmed(text: &str) -> &str {
    const PAIRS: [(char, char); 6] = [('(', ')'), ('[', ']'), ('{', '}'), ('「', '」'), ('『', '』'), ('（', '）')];
    let mut counts = PAIRS.map(|(open, close)| (text.matches(open).count(), text.matches(close).count()));
    let mut rest = text;
    loop {
        let before = rest.len();
        rest = rest.trim();
        if let Some(last) = rest.chars().next_back() {
            let pair = PAIRS.iter().zip(counts.iter_mut()).find(|((_, close), _)| *close == last);
            if let Some((_, (opened, closed))) = pair {
                if *closed > *opened {
                    *closed -= 1;
                    rest = rest.strip_suffix(last).unwrap_or(rest);
                }
            } else if is_end_mark(last) {
                rest = rest.strip_suffix(last).unwrap_or(rest);
            }
        }
        if let Some(first) = rest.chars().next() {
            let pair = PAIRS.iter().zip(counts.iter_mut()).find(|((open, _), _)| *open == first);
            if let Some(((_, close), (opened, closed))) = pair {
                if *opened > *closed {
                    *opened -= 1;
                    rest = rest.strip_prefix(first).unwrap_or(rest);
                } else if let (1, Some(inner)) = (*closed, enclosed(rest, first, *close)) {
                    (*opened, *closed) = (0, 0);
                    rest = inner;
                }
            } else if is_quote(first) {
                rest = rest.strip_prefix(first).unwrap_or(rest);
            }
        }
        if rest.len() == before {
            // Last, when the ends are bare: looking for a word costs time with all that follows.
            match without_article(rest) {
                Some(after) => rest = after,
                None => return rest,
            }
        }
    }
}

fn without_article(text: &str) -> Option<&str> {
    let (word, after) = text.split_once(' ')?;
    let is_article = LEADING.iter().any(|article| word.eq_ignore_ascii_case(article));
    (is_article && after.contains(|c: char| !c.is_whitespace() && !is_end_mark(c))).then_some(after)
}

fn enclosed(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '„' | '«' | '»' | '*')
}

const fn is_end_mark(c: char) -> bool {
    is_quote(c)
        || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '…')
        || matches!(c, '。' | '、' | '，' | '！' | '？' | '；' | '：' | '؟' | '،' | '؛' | '।' | '۔')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(canonical(text), expected, "{text:?}");
    }

    #[test]
    fn articles_and_possessives_go_however_many() {
        check("the staging port", "staging port");
        check("The The cat", "cat");
        check("all of my queue", "all of my queue");
        check("that\tthe \u{a0} port", "port");
        check("the", "the");
        check("their", "their");
        check("theory of mind", "theory of mind");
    }

    #[test]
    fn punctuation_goes_from_the_ends_but_not_from_names() {
        check("retry queue?!", "retry queue");
        check("\"retry queue\",", "retry queue");
        check("**the retry queue**:", "retry queue");
        check("(the retry queue)", "retry queue");
        check("retry queue)", "retry queue");
        check("retry()", "retry()");
        check("C++", "c++");
        check("C#.", "c#");
        check(".NET", ".net");
        check("--json", "--json");
        check("数据库。", "数据库");
    }

    // Each cut looked through all the rest for a space: minutes for a megabyte.
    #[test]
    fn what_is_nothing_but_marks_costs_no_more_than_words() {
        for mark in ["[", "]", "\"", "?", "a ?"] {
            let text = mark.repeat(1 << 20);
            assert!(canonical(&text).len() <= text.len(), "{mark}");
        }
        assert_eq!(canonical(&format!("the {}", "?".repeat(1 << 20))), "the");
    }

    #[test]
    fn accents_fold_for_latin_and_greek() {
        check("Café crème", "cafe creme");
        check("Ünïcode", "unicode");
        check("Straße", "strasse");
        check("ΣΊΣΥΦΟΣ", "σισυφοσ");
        check("ＡＢＣ　１２３", "abc 123");
        check("İstanbul", "istanbul");
        check("user’s guide", "user's guide");
    }

    #[test]
    fn marks_that_are_letters_stay() {
        check("ガ", "ガ");
        check("ｶﾞ", "ガ");
        check("の\u{3099}", "の\u{3099}");
        check("हिन्दी", "हिन्दी");
        check("й ё", "й ё");
        check("ќ", "ќ");
        check("за\u{301}мок", "замок");
        check("كِتَاب", "كتاب");
        check("한국어", "한국어");
    }

    #[test]
    fn exact_is_composed_and_trimmed_only() {
        assert_eq!(canonical_exact("  The e\u{301}  X. "), "The é  X.");
        assert_eq!(bare("the  NPC_Flag."), "NPC_Flag");
    }
}
