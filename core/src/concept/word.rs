//! The words of a line as concepts need them: pieces between spaces and between scripts, without
//! the punctuation around them, but with the knowledge that it was there.

use crate::text;

/// A word of a line.
#[derive(Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// Byte range in the line.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Punctuation stood before it: it begins a new phrase.
    pub(super) opens: bool,
    /// Punctuation stood after it: the phrase ends here.
    pub(super) closes: bool,
}

/// Signs that end a piece like a space does, and a phrase as well.
const SIGNS: &str = "…—–→←│|<>(){}[],;\"“”«»「」『』`、。，：；！？（）";

struct Splitter<'a> {
    line: &'a str,
    words: Vec<Word<'a>>,
    opens: bool,
}

impl<'a> Splitter<'a> {
    fn punctuation(&mut self) {
        self.opens = true;
        if let Some(last) = self.words.last_mut() {
            last.closes = true;
        }
    }

    /// The sign of "4.8 %": alone it has no letter and no digit, and the number before it needs it.
    fn percent(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let counted =
            self.words.last().is_some_and(|last| !last.closes && last.text.ends_with(|c: char| c.is_ascii_digit()));
        (counted && self.line.get(from..to)?.starts_with('%')).then_some((from, from + 1))
    }

    /// Whether a piece is the sign of "Fennimore & Tate": between two capitals.
    fn joins_names(&self, from: usize, to: usize) -> bool {
        self.line.get(from..to) == Some("&")
            && self.words.last().is_some_and(|last| !last.closes && last.text.starts_with(char::is_uppercase))
            && self.line.get(to..).is_some_and(|rest| rest.trim_start().starts_with(char::is_uppercase))
    }

    fn piece(&mut self, from: usize, to: usize) {
        let Some((start, end)) = trimmed(self.line, from, to).or_else(|| self.percent(from, to)) else {
            // A hyphen between spaces and the like; emphasis marks alone separate nothing, and "&" joins names.
            if !self.joins_names(from, to)
                && self.line.get(from..to).is_some_and(|s| !s.chars().all(|c| c == '*' || c == '_' || c == '='))
            {
                self.punctuation();
            }
            return;
        };
        let is_sign = |s: Option<&str>| s.is_some_and(|s| s.chars().any(|c| !"*_'’".contains(c)));
        if is_sign(self.line.get(from..start)) {
            self.punctuation();
        }
        let text = self.line.get(start..end).unwrap_or_default();
        let tag = text.strip_prefix('#').filter(|rest| is_tag(rest));
        let start = end - tag.unwrap_or(text).len();
        let text = tag.unwrap_or(text);
        let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        self.words.push(Word { text, from: start, to: start + text.len(), opens: self.opens, closes: false });
        self.opens = false;
        if is_sign(self.line.get(end..to)) {
            self.punctuation();
        }
    }
}

/// The words of `line`, in order.
pub(super) fn words(line: &str) -> Vec<Word<'_>> {
    let mut split = Splitter { line, words: Vec::new(), opens: true };
    let mut start: Option<usize> = None;
    for (index, c) in line.char_indices() {
        let sign = SIGNS.contains(c) && !groups_digits(line, index);
        // `port=8443`: the sign separates, and connects as "is" does; `KEY=value` stays whole.
        let equals = c == '=' && connects(line, start, index);
        if !(sign || equals || c.is_whitespace() || text::is_run_script(c)) {
            start.get_or_insert(index);
            continue;
        }
        if let Some(from) = start.take() {
            // A call keeps its parentheses: `run()`.
            if line.get(index..).is_some_and(|rest| rest.starts_with("()")) && c == '(' {
                split.piece(from, index + 2);
            } else {
                split.piece(from, index);
            }
        }
        if sign {
            split.punctuation();
        }
    }
    if let Some(from) = start {
        split.piece(from, line.len());
    }
    split.words
}

/// Whether the sign at `index` is the comma of "6,200": a digit before it, three after it and no more.
fn groups_digits(line: &str, index: usize) -> bool {
    let before = line.get(..index).is_some_and(|s| s.ends_with(|c: char| c.is_ascii_digit()));
    let after = line.get(index..).and_then(|s| s.strip_prefix(',')).unwrap_or_default();
    before && after.chars().take_while(char::is_ascii_digit).count() == 3
}

/// Whether the `=` at `index` stands between a plain word and a number.
fn connects(line: &str, start: Option<usize>, index: usize) -> bool {
    let before = start.and_then(|from| line.get(from..index)).unwrap_or_default();
    let number = line.get(index + 1..).is_some_and(|rest| rest.starts_with(|d: char| d.is_ascii_digit()));
    before.is_empty() || number && before.chars().all(|c| c.is_ascii_lowercase())
}

/// Whether what follows a `#` makes it the tag of a post ("#sunset"): a word, and no colour ("#fade").
fn is_tag(rest: &str) -> bool {
    rest.chars().all(char::is_alphabetic) && rest.chars().count() > 1 && !rest.chars().all(|c| c.is_ascii_hexdigit())
}

/// A range without the punctuation at its ends; `None` when nothing is left.
pub(super) fn trimmed(line: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let piece = line.get(from..to)?;
    let start = from + leading(piece)?;
    let rest = line.get(start..to)?;
    let end = start + kept_length(rest);
    let text = line.get(start..end)?;
    text.chars().any(char::is_alphanumeric).then_some((start, end))
}

/// How many bytes of punctuation a piece begins with: dots lead paths and hidden files, two hyphens a flag.
fn leading(piece: &str) -> Option<usize> {
    let head = piece.find(|c: char| c.is_alphanumeric() || "/~.$#_\\°".contains(c))?;
    let flag = head.checked_sub(2).filter(|at| piece.get(*at..).is_some_and(|s| s.starts_with("--")));
    if let Some(at) = flag {
        return Some(at);
    }
    let rest = piece.get(head..)?;
    let dotted = rest.strip_prefix('.');
    let keeps = dotted.is_none_or(|after| {
        after.starts_with(['/', '.']) && rest.starts_with("../")
            || after.starts_with('/')
            || after.starts_with(|c: char| c.is_ascii_lowercase() || c == 'N')
    });
    if keeps {
        return Some(head);
    }
    piece.find(|c: char| c.is_alphanumeric() || "/~$#_\\".contains(c))
}

/// How many bytes of `rest` are left without the punctuation at its end.
fn kept_length(rest: &str) -> usize {
    if rest.ends_with("()") || rest.ends_with("C#") || rest.ends_with("F#") {
        return rest.len();
    }
    rest.trim_end_matches(|c: char| !(c.is_alphanumeric() || "/_+%".contains(c))).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        let found: Vec<&str> = words(line).iter().map(|w| w.text).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn words_are_bare_and_names_keep_their_signs() {
        check("(see ./run.sh, --json and C++).", &["see", "./run.sh", "--json", "and", "C++"]);
        check("**bold** word's end…", &["bold", "word", "end"]);
        check("port=8443 KEY=value run() .gitignore", &["port", "8443", "KEY=value", "run()", ".gitignore"]);
        check("端口8443の値", &["8443"]);
        check("- -- ... ==", &[]);
        check("4.8 % of 190 °C, 50 %. % alone", &["4.8", "%", "of", "190", "°C", "50", "%", "alone"]);
    }

    /// "$1,450" was the number 450.
    #[test]
    fn a_comma_inside_a_number_separates_nothing() {
        check(
            "up to $1,450, 12,345,678 rows, 1,2 or 3,4567",
            &["up", "to", "$1,450", "12,345,678", "rows", "1", "2", "or", "3", "4567"],
        );
    }

    #[test]
    fn punctuation_is_remembered() {
        let line = "one, two three";
        let flags: Vec<_> = words(line).iter().map(|w| (w.opens, w.closes)).collect();
        assert_eq!(flags, [(true, true), (true, false), (false, false)]);
    }
}
