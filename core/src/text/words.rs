//! Unicode words, with the names that programmers use kept whole.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::scripts::{Script, is_mark, is_run_script, script};

/// A word and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// As it stands in the text.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
}

impl Word<'_> {
    /// Its byte range in the text.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The words of a text in order (UAX #29), without what has no letter or digit.
///
/// Kept whole: `C++`, `C#`, `.NET`, `k8s`, `3.11`, `v1.2.3`, `127.0.0.1`, `snake_case`,
/// `config.toml`, `don't`. Split: hyphens, slashes, colons. A run of Han and Kana (or Thai and its
/// neighbours) is one word, since its inner boundaries are unknown.
#[must_use]
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut found: Vec<Word<'_>> = Vec::with_capacity(text.len() / 6);
    for (at, piece) in text.unicode_word_indices() {
        let mut start = at;
        for part in piece.split(':') {
            let mut inner = start;
            for name in by_hangul(part) {
                if name.contains(char::is_alphanumeric) {
                    push(text, widened(text, inner, name), &mut found);
                }
                inner += name.len();
            }
            start += part.len() + 1;
        }
    }
    found
}

/// Adds a word, or lengthens the run that it goes on.
fn push<'a>(text: &'a str, word: Word<'a>, found: &mut Vec<Word<'a>>) {
    match found.last_mut() {
        // A mark after `C++` makes UAX #29 begin a word inside it: the sign belongs to the name.
        Some(last) if word.start < last.span().end => {
            let start = last.span().end;
            let rest = text.get(start..word.span().end).unwrap_or_default();
            if rest.contains(char::is_alphanumeric) {
                found.push(Word { text: rest, start });
            }
        }
        Some(last) if joins(last, &word) => {
            last.text = text.get(last.start..word.span().end).unwrap_or(last.text);
        }
        _ => found.push(word),
    }
}

/// Korean particles grow on to foreign words ("API를"): parts them.
fn by_hangul(piece: &str) -> impl Iterator<Item = &str> {
    let is_hangul = |c: char| script(c) == Script::Hangul;
    let mut rest = Some(piece);
    std::iter::from_fn(move || {
        let now = rest.take()?;
        let inside = now.starts_with(is_hangul);
        let cut = now.find(|c: char| is_hangul(c) != inside && (!inside || c.is_alphanumeric()));
        let (part, after) = now.split_at_checked(cut.unwrap_or(now.len())).unwrap_or((now, ""));
        rest = (!after.is_empty()).then_some(after);
        Some(part)
    })
}

/// Whether two words are one run of a script without spaces.
fn joins(one: &Word<'_>, two: &Word<'_>) -> bool {
    one.span().end == two.start
        && one.text.chars().next_back().is_some_and(|c| is_run_script(c) || is_mark(c))
        && one.text.chars().next().is_some_and(is_run_script)
        && two.text.chars().next().is_some_and(is_run_script)
}

/// Takes in the `++` of `C++`, the `#` of `C#` and the dot of `.NET`.
fn widened<'a>(text: &'a str, start: usize, word: &'a str) -> Word<'a> {
    let end = start + word.len();
    let after = text.get(end..).unwrap_or_default();
    let next_is_letter = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '+' | '#' | '_'));
    let mark = match word {
        "C" | "c" | "G" | "g" if after.strip_prefix("++").is_some_and(|rest| !next_is_letter(rest)) => 2,
        "C" | "c" | "F" | "f" | "J"
            if after.strip_prefix('#').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)) =>
        {
            1
        }
        _ => 0,
    };
    let before = text.get(..start).and_then(|before| before.strip_suffix('.'));
    let dotted = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && before.is_some_and(|before| {
            before
                .chars()
                .next_back()
                .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '\'' | '`' | '/'))
        });
    let start = start - usize::from(dotted);
    Word { text: text.get(start..end + mark).unwrap_or(word), start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = words(text);
        assert_eq!(found.iter().map(|w| w.text).collect::<Vec<_>>(), expected, "{text:?}");
        assert!(found.iter().all(|w| &text[w.span()] == w.text));
    }

    #[test]
    fn names_of_programmers_stay_whole() {
        check("C++, C# and F#; g++.", &["C++", "C#", "and", "F#", "g++"]);
        check("C++\u{fe0f}\u{ff9e}", &["C++", "\u{fe0f}\u{ff9e}"]);
        check("C++17 i++", &["C++", "17", "i"]);
        check("use .NET or ASP.NET, see .env", &["use", ".NET", "or", "ASP.NET", "see", ".env"]);
        check("k8s v1.2.3 on 127.0.0.1:8443", &["k8s", "v1.2.3", "on", "127.0.0.1", "8443"]);
        check("python 3.11.", &["python", "3.11"]);
        check("NPC_FLAG in src/game/x.cpp", &["NPC_FLAG", "in", "src", "game", "x.cpp"]);
    }

    #[test]
    fn hyphens_slashes_and_colons_split() {
        check("dead-letter queue: retry/again --json", &["dead", "letter", "queue", "retry", "again", "json"]);
        check("qwen3:1.7b key:value", &["qwen3", "1.7b", "key", "value"]);
    }

    #[test]
    fn scripts_without_spaces_give_runs() {
        check("数据库connection 连接池。", &["数据库", "connection", "连接池"]);
        check("ステージング環境です", &["ステージング環境です"]);
        check("재시도 큐", &["재시도", "큐"]);
        check("API를 8443번", &["API", "를", "8443", "번"]);
        check("ฐานข้อมูล", &["ฐานข้อมูล"]);
    }
}
