//! How many tokens a model would count, without its tokenizer.

use super::scripts::{Script, script};

/// About how many tokens a model counts for the text: an estimate by script, for budgets.
///
/// In hundredths of a token a character: Latin letters 25 and a space 15, so that English prose
/// comes to about four characters a token; digits 40 and punctuation 60, which tokenizers keep in
/// short pieces; accented Latin 45, Greek, Cyrillic, Arabic, Hebrew 40; Han 90, Kana 75, Hangul 70;
/// other letters 60; symbols and emoji 200. White space after white space (indentation) 5. Rounded
/// up; only an empty text has none. Too low and fills overrun the budget; too high and they are cut
/// early.
#[must_use]
pub fn estimate_tokens(text: &str) -> u32 {
    let mut hundredths: u64 = 0;
    let mut spaced = false;
    for c in text.chars() {
        let space = c.is_whitespace();
        hundredths += if space && spaced { 5 } else { weight(c) };
        spaced = space;
    }
    u32::try_from(hundredths.div_ceil(100)).unwrap_or(u32::MAX)
}

fn weight(c: char) -> u64 {
    match c {
        'a'..='z' | 'A'..='Z' => 25,
        ' ' => 15,
        '0'..='9' => 40,
        '\n' | '\r' | '\t' => 30,
        '\0'..='\x7F' => 60,
        _ => match script(c) {
            Script::Latin => 45,
            Script::Greek | Script::Cyrillic => 40,
            Script::Han => 90,
            Script::Hiragana | Script::Katakana => 75,
            Script::Hangul => 70,
            Script::Unspaced => 60,
            Script::Other if matches!(c, '\u{590}'..='\u{6FF}' | '\u{300}'..='\u{36F}') => 40,
            Script::Other if c.is_alphanumeric() => 60,
            Script::Other if c.is_whitespace() => 30,
            Script::Other
                if u32::from(c) < 0x2100 || matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}') =>
            {
                80
            }
            Script::Other => 200,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, from: u32, to: u32) {
        let found = estimate_tokens(text);
        assert!((from..=to).contains(&found), "{text:?}: {found}");
    }

    #[test]
    fn each_script_has_its_own_density() {
        check("", 0, 0);
        check("x", 1, 1);
        check("The retry queue holds failed jobs until the worker comes back online again.", 16, 21);
        check("重试队列保存失败的任务直到工作进程恢复", 15, 20);
        check("Очередь повторов хранит неудачные задания", 13, 20);
        check("8443 11434", 3, 6);
        check("        deep\n            indent\n", 3, 6);
        check("🎉🎉", 3, 6);
    }
}
