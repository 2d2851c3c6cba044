//! One line of text, read for every kind, most certain first.

use super::word::{Word, trimmed, words};
use super::{Concept, ConceptKind, canonical, command, error_text, hangul, name, quantity, term, unspaced};

/// What a fenced block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Shell lines: each is a command.
    Shell,
    /// Anything else: names only.
    Code,
}

/// What is longer than this, in bytes, without a place to cut is data (base64, packed code), not
/// language. Longer, and a pasted file fills the ledger; shorter, and a long address is lost.
const LONGEST_LINE: usize = 4000;

/// A line longer than this is data whatever is in it: nobody wrote it.
const LONGEST_TEXT: usize = 200_000;

/// A line in pieces of at most [`LONGEST_LINE`], with their places: cut after a full stop, else at a
/// space. What cannot be cut stays whole.
pub(super) fn pieces(line: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut from = 0;
    while line.len() - from > LONGEST_LINE && line.len() <= LONGEST_TEXT {
        let rest = line.get(from..).unwrap_or_default();
        let window = rest.get(..rest.floor_char_boundary(LONGEST_LINE)).unwrap_or_default();
        let stop = window.rfind(". ").map(|at| at + 2).or_else(|| window.rfind('。').map(|at| at + '。'.len_utf8()));
        let cut = stop.filter(|at| *at > LONGEST_LINE / 2).or_else(|| window.rfind(' ').map(|at| at + 1));
        let beyond = || rest.char_indices().find(|(_, c)| [' ', '。'].contains(c)).map(|(at, c)| at + c.len_utf8());
        let Some(cut) = cut.or_else(beyond) else { break };
        out.push((from, rest.get(..cut).unwrap_or_default()));
        from += cut;
    }
    out.push((from, line.get(from..).unwrap_or_default()));
    out
}

/// The block that a fence line opens (or closes).
pub(super) fn fence(line: &str) -> Option<Block> {
    let trimmed = line.trim_start();
    let language = trimmed.strip_prefix("```").or_else(|| trimmed.strip_prefix("~~~"))?.trim();
    let shell =
        matches!(language.to_ascii_lowercase().as_str(), "bash" | "sh" | "shell" | "zsh" | "console" | "terminal");
    // A one-line block (```x```) opens nothing.
    (!language.contains("```")).then_some(if shell { Block::Shell } else { Block::Code })
}

/// The kind that the shape of a whole string tells; `shell` as for [`command::is_whole`].
pub(super) fn shape(text: &str, shell: bool) -> Option<ConceptKind> {
    if text.contains('\n') {
        return None;
    }
    if command::is_whole(text, shell) {
        return Some(ConceptKind::Command);
    }
    if let Some(kind) = name::classify(text) {
        return Some(kind);
    }
    if error_text::find(text) == Some((0, text.len())) {
        return Some(ConceptKind::ErrorText);
    }
    let words = words(text);
    let number = words.iter().position(|word| quantity::is_number(word.text))?;
    let (from, to) = quantity::around(&words, number)?;
    let covers = words.first().is_some_and(|w| w.from >= from) && words.last().is_some_and(|w| w.to <= to);
    covers.then_some(ConceptKind::Quantity)
}

/// A line inside a shell block: the line is the command.
pub(super) fn read_shell(line: &str, at: usize, found: &mut Vec<Concept>) {
    let body = line.trim();
    let stripped = body.strip_prefix("$ ").or_else(|| body.strip_prefix("> ")).unwrap_or(body);
    let prompted = stripped.len() != body.len();
    if stripped.is_empty() || stripped.starts_with('#') || stripped.len() > 400 {
        return;
    }
    if prompted || command::length(stripped).is_some() || command::is_whole(stripped, true) {
        let from = line.len() - line.trim_start().len() + (body.len() - stripped.len());
        push(ConceptKind::Command, line, from, from + stripped.len(), at, found);
    }
    read_code(line, at, found);
}

/// A line of code: its names.
pub(super) fn read_code(line: &str, at: usize, found: &mut Vec<Concept>) {
    if line.len() > LONGEST_LINE {
        return;
    }
    if let Some((from, to)) = error_text::find(line) {
        push(ConceptKind::ErrorText, line, from, to, at, found);
    }
    let mut start = 0;
    let inside = |c: char| c.is_alphanumeric() || "_./:@~$-+\\".contains(c);
    let mut pieces = Vec::new();
    for (index, c) in line.char_indices() {
        if !inside(c) {
            pieces.push((start, index));
            start = index + c.len_utf8();
        }
    }
    pieces.push((start, line.len()));
    for (from, to) in pieces {
        let Some((from, to)) = trimmed(line, from, to) else { continue };
        let piece = line.get(from..to).unwrap_or_default();
        if let Some(kind) = name::classify(piece) {
            let (from, to) = without_position(line, from, to, kind);
            push(kind, line, from, to, at, found);
        }
    }
}

/// A line of prose.
pub(super) fn read(line: &str, at: usize, found: &mut Vec<Concept>) {
    if line.trim().is_empty() {
        return;
    }
    let line_number = numbered_prefix(line);
    if line.len() > LONGEST_LINE || line_number > 0 || looks_like_code(line) {
        let rest = line.get(line_number..).unwrap_or_default();
        read_code(rest, at + line_number, found);
        return;
    }
    let mut taken: Vec<(usize, usize)> = Vec::new();
    quoted(line, at, &mut taken, found);
    // A name in backticks may stand inside an error, but an error inside a quotation was read with it.
    if let Some((from, to)) = error_text::find(line)
        && !overlaps(&taken, from, from + 1)
    {
        push(ConceptKind::ErrorText, line, from, to, at, found);
        // The names inside an error count on their own, its other words do not.
        read_names(line, from, to, at, &mut taken, found);
        taken.push((from, to));
    }
    commands(line, at, &mut taken, found);
    unspaced::read(line, at, &taken, found);
    read_words(line, at, &taken, found);
}

fn read_words(line: &str, at: usize, taken: &[(usize, usize)], found: &mut Vec<Concept>) {
    let words: Vec<Word<'_>> = words(line).into_iter().filter(|w| !overlaps(taken, w.from, w.to)).collect();
    let mut named = vec![false; words.len()];
    let mut skip = vec![false; words.len()];
    let enumerates = |number: &str| words.iter().any(|word| word.text == number && word.closes);
    let enumerated = enumerates("1") && enumerates("2");
    for (index, word) in words.iter().enumerate() {
        if quantity::is_number(word.text) {
            if let Some(flag) = skip.get_mut(index) {
                *flag = true;
            }
            let first = line.get(..word.from).is_some_and(|s| s.trim().is_empty());
            let marker = word.closes && word.text.len() <= 2 && (enumerated || index == 0 && first);
            if !marker && let Some((from, to)) = quantity::around(&words, index) {
                push(ConceptKind::Quantity, line, from, to, at, found);
                // "30 seconds" and "5 workers" leave no phrase behind; "staging port 8443" leaves "staging port".
                let lone = |w: &Word<'_>, i: usize| {
                    w.from >= from
                        && w.to <= to
                        && (i > index
                            || i + 1 == index
                                && (i == 0 || words.get(i - 1).is_some_and(|p| p.closes || is_function(p.text))))
                };
                for (i, w) in words.iter().enumerate() {
                    if lone(w, i)
                        && let Some(flag) = skip.get_mut(i)
                    {
                        *flag = true;
                    }
                }
            }
        } else if let Some(kind) = name::classify(word.text) {
            // "the branch user/fix-grid": a branch looks like a path.
            let branch =
                index.checked_sub(1).and_then(|i| words.get(i)).is_some_and(|w| w.text == "branch" && !w.closes);
            let kind = if branch && kind == ConceptKind::Path { ConceptKind::Identifier } else { kind };
            let (from, to) = without_position(line, word.from, word.to, kind);
            push(kind, line, from, to, at, found);
            if let Some(flag) = named.get_mut(index) {
                *flag = true;
            }
        }
    }
    let heading = line.trim_start().starts_with('#');
    for (from, to) in term::phrases(&words, &named, &skip, heading) {
        push(ConceptKind::Term, line, from, to, at, found);
    }
    hangul::read(line, &words, at, found);
}

fn is_function(word: &str) -> bool {
    term::is_function(&word.to_lowercase())
}

/// `src/a.rs:42:7` and grep's `src/a.rs-42-` are the file, not the place in it.
fn without_position(line: &str, from: usize, to: usize, kind: ConceptKind) -> (usize, usize) {
    let word = line.get(from..to).unwrap_or_default();
    if kind != ConceptKind::Path {
        return (from, to);
    }
    let place = word.match_indices([':', '-']).find(|(at, _)| {
        let rest = word.get(at + 1..).unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_digit()) && name::is_file_name(word.get(..*at).unwrap_or_default())
    });
    (from, place.map_or(to, |(at, _)| from + at))
}

fn read_names(
    line: &str,
    from: usize,
    to: usize,
    at: usize,
    taken: &mut Vec<(usize, usize)>,
    found: &mut Vec<Concept>,
) {
    let Some(part) = line.get(from..to) else { return };
    read_code_names(part, at + from, found, |word| overlaps(taken, from + word.from, from + word.to));
    taken.push((from, to));
}

/// The names of a part of a line, but for those that were read before.
fn read_code_names(part: &str, at: usize, found: &mut Vec<Concept>, is_read: impl Fn(&Word<'_>) -> bool) {
    for word in words(part).into_iter().filter(|word| !is_read(word)) {
        if let Some(kind) = name::classify(word.text) {
            let (from, to) = without_position(part, word.from, word.to, kind);
            push(kind, part, from, to, at, found);
        }
    }
}

/// Backticks and quotation marks.
fn quoted(line: &str, at: usize, taken: &mut Vec<(usize, usize)>, found: &mut Vec<Concept>) {
    const PAIRS: &[(char, char)] = &[('`', '`'), ('"', '"'), ('“', '”'), ('«', '»'), ('「', '」'), ('『', '』')];
    let mut rest = 0;
    while let Some((open, c)) = line
        .get(rest..)
        .and_then(|s| s.char_indices().find(|(_, c)| PAIRS.iter().any(|(o, _)| o == c)))
        .map(|(i, c)| (i + rest, c))
    {
        let inside = open + c.len_utf8();
        rest = inside;
        // Inches: 24".
        if c == '"' && line.get(..open).is_some_and(|s| s.ends_with(|c: char| c.is_ascii_digit())) {
            continue;
        }
        let close = PAIRS.iter().find(|(o, _)| *o == c).map_or(c, |(_, close)| *close);
        let Some(end) = line.get(inside..).and_then(|s| s.find(close)).map(|i| i + inside) else { continue };
        rest = end + close.len_utf8();
        let Some((from, to)) = trimmed_spaces(line, inside, end) else { continue };
        let content = line.get(from..to).unwrap_or_default();
        let length = content.chars().count();
        if !(1..=300).contains(&length) || !content.chars().any(char::is_alphanumeric) {
            continue;
        }
        let kind = match shape(content, c == '`') {
            Some(ConceptKind::Quantity) if c != '`' => ConceptKind::Quote,
            Some(kind) => kind,
            None if c == '`' && name::is_one(content) => ConceptKind::Identifier,
            None if length < 2 => continue,
            None => ConceptKind::Quote,
        };
        let (from, to) = without_position(line, from, to, kind);
        push(kind, line, from, to, at, found);
        if matches!(kind, ConceptKind::Command | ConceptKind::Quote) {
            read_code_names(content, at + from, found, |_| false);
        }
        // A quoted phrase is a phrase as well; a name is not.
        if kind != ConceptKind::Quote || c == '`' {
            taken.push((open, rest));
        }
    }
}

/// Commands in running text: at the start, or after a word.
fn commands(line: &str, at: usize, taken: &mut Vec<(usize, usize)>, found: &mut Vec<Concept>) {
    let mut from = 0;
    while from < line.len() {
        let Some(rest) = line.get(from..) else { break };
        let begins = rest.trim_start_matches(|c: char| c.is_whitespace() || "(*_:>$".contains(c));
        let start = line.len() - begins.len();
        if !begins.is_empty()
            && !overlaps(taken, start, start + 1)
            && let Some(length) = command::length(begins)
        {
            push(ConceptKind::Command, line, start, start + length, at, found);
            read_names(line, start, start + length, at, taken, found);
            from = start + length;
        } else {
            from = begins.find(char::is_whitespace).map_or(line.len(), |i| start + i);
        }
    }
}

fn trimmed_spaces(line: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let piece = line.get(from..to)?;
    let start = from + piece.len() - piece.trim_start().len();
    let length = piece.trim().len();
    (length > 0).then_some((start, start + length))
}

/// `   12→text`: how tools print a file. The byte length of the number and its arrow.
fn numbered_prefix(line: &str) -> usize {
    let digits = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let has_number = digits.len() < line.trim_start().len();
    match digits.chars().next() {
        Some(c @ ('→' | '\t')) if has_number => line.len() - digits.len() + c.len_utf8(),
        _ => 0,
    }
}

/// A line that no person would say: it ends like code, or one in six characters is a sign of code.
fn looks_like_code(line: &str) -> bool {
    let trimmed = line.trim();
    if trimmed.ends_with(['{', '}', ';'])
        || trimmed.starts_with("//")
        || trimmed.starts_with("#!")
        || trimmed.starts_with("@@")
    {
        return true;
    }
    let signs = trimmed.chars().filter(|c| "{}[]()<>=;|&^\\+".contains(*c)).count();
    signs * 6 > trimmed.chars().count() && trimmed.len() > 8 && !trimmed.starts_with('|')
}

pub(super) fn overlaps(taken: &[(usize, usize)], from: usize, to: usize) -> bool {
    taken.iter().any(|(a, b)| from < *b && *a < to)
}

pub(super) fn push(kind: ConceptKind, line: &str, from: usize, to: usize, at: usize, found: &mut Vec<Concept>) {
    let Some(surface) = line.get(from..to) else { return };
    let canonical = canonical(kind, surface);
    let (Ok(start), Ok(end)) = (u32::try_from(at + from), u32::try_from(at + to)) else { return };
    if !canonical.is_empty() {
        found.push(Concept { kind, canonical, surface: surface.to_owned(), span: (start, end) });
    }
}
