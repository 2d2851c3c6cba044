//! Where sentences begin and end.

use std::ops::Range;

/// Abbreviations that never end a sentence.
const INSIDE: [&str; 16] =
    ["e.g", "i.e", "cf", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "fig", "approx", "resp", "incl", "bzw", "z.b"];

/// Abbreviations that end one only when a capital follows.
const MAYBE: [&str; 9] = ["etc", "inc", "ltd", "co", "corp", "a.m", "p.m", "al", "no"];

/// The sentences of a text, in order, without the white space around them; together they hold every
/// other character.
///
/// A sentence ends with `.`, `!`, `?`, `…` before white space, with 。！？ anywhere, and with its
/// line; so list items, headings and table rows are their own. A line wrapped in mid-sentence goes
/// on. Abbreviations ("e.g."), initials, list numbers, versions and inline code do not split; a code
/// fence is one sentence, whatever is in it.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut block: Option<Range<usize>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (Some((start, open)), Some(mark)) if open == mark => {
                push(text, start..span.end, &mut found);
                fence = None;
            }
            (Some(_), _) => {}
            (None, Some(mark)) => {
                split(text, block.take(), &mut found);
                fence = Some((span.start, mark));
            }
            (None, None) => match &mut block {
                Some(open) if goes_on(text.get(open.clone()).unwrap_or_default(), line) => open.end = span.end,
                _ => {
                    split(text, block.take(), &mut found);
                    block = Some(span);
                }
            },
        }
    }
    split(text, block, &mut found);
    if let Some((start, _)) = fence {
        push(text, start..text.len(), &mut found);
    }
    found
}

/// Whether a line is the wrapped rest of the one before: that one is long and unfinished, and this
/// one starts in lower case.
fn goes_on(before: &str, line: &str) -> bool {
    const WRAPPED: usize = 50;
    let last = before.trim_end_matches(['\r', '\n']);
    let last = last.rsplit('\n').next().unwrap_or(last);
    last.len() >= WRAPPED
        && !last.trim_start().starts_with(['#', '|'])
        && !last.trim_end().ends_with(['.', '!', '?', ':', ';', '…', '。', '！', '？', '|'])
        && line.starts_with(char::is_lowercase)
}

fn push(text: &str, span: Range<usize>, found: &mut Vec<Range<usize>>) {
    let part = text.get(span.clone()).unwrap_or_default();
    let start = span.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    if start < end {
        found.push(start..end);
    }
}

/// Splits one line, or several wrapped ones, into sentences.
fn split(text: &str, block: Option<Range<usize>>, found: &mut Vec<Range<usize>>) {
    let Some(block) = block else { return };
    let part = text.get(block.clone()).unwrap_or_default();
    let balanced = part.matches('`').count() % 2 == 0;
    let (mut start, mut code) = (0, false);
    let mut chars = part.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        code ^= c == '`' && balanced;
        let wide = matches!(c, '。' | '！' | '？');
        if code || !(wide || matches!(c, '.' | '!' | '?' | '…' | '؟' | '۔' | '।')) {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((at, c)) = chars.next_if(|(_, c)| closes(*c)) {
            end = at + c.len_utf8();
        }
        let rest = part.get(end..).unwrap_or_default();
        let next = rest.trim_start();
        if next.is_empty() || !(wide || rest.starts_with(char::is_whitespace)) {
            continue;
        }
        if c == '.' && !ends(part.get(start..at).unwrap_or_default(), part.get(at..end).unwrap_or_default(), next) {
            continue;
        }
        push(text, block.start + start..block.start + end, found);
        start = end;
    }
    push(text, block.start + start..block.end, found);
}

/// What may stand between a sentence's last word and the space after it.
const fn closes(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '…'
            | '"'
            | '\''
            | ')'
            | ']'
            | '*'
            | '”'
            | '’'
            | '»'
            | '」'
            | '』'
            | '）'
            | '。'
            | '！'
            | '？'
    )
}

/// Whether a full stop after `before` (the sentence so far) ends it, with `next` to follow.
fn ends(before: &str, stop: &str, next: &str) -> bool {
    let small = next.starts_with(char::is_lowercase);
    if stop.starts_with("..") {
        return !small;
    }
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"')).next().unwrap_or(before);
    let alone = word.len() == before.trim_start().len();
    let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let initial = word.chars().count() == 1 && word.starts_with(char::is_uppercase) && !matches!(word, "I" | "C" | "R");
    let known = |list: &[&str]| list.iter().any(|short| word.eq_ignore_ascii_case(short));
    !(known(&INSIDE) || (known(&MAYBE) && small) || (alone && (is_number || word.is_empty())) || (initial && !small))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).into_iter().map(|span| &text[span]).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn full_stops_split_and_abbreviations_do_not() {
        check("It failed. so we changed it! Why? Done", &["It failed.", "so we changed it!", "Why?", "Done"]);
        check(
            "Use a store, e.g. Redis, vs. Python 3.11 on v1.2. Fine.",
            &["Use a store, e.g. Redis, vs. Python 3.11 on v1.2.", "Fine."],
        );
        check("Logs etc. are kept. J. Smith agreed.", &["Logs etc. are kept.", "J. Smith agreed."]);
        check("Well... maybe. (It is.) See `a. b` there.", &["Well... maybe.", "(It is.)", "See `a. b` there."]);
    }

    #[test]
    fn other_scripts_end_their_sentences() {
        check("队列满了。重启了！好吗？", &["队列满了。", "重启了！", "好吗？"]);
        check("「はい。」と言った。次", &["「はい。」", "と言った。", "次"]);
        check("ما هذا؟ نعم", &["ما هذا؟", "نعم"]);
    }

    #[test]
    fn lines_and_list_items_are_their_own_and_wrapped_lines_go_on() {
        check(
            "# Plan\n1. First step\n2. Second. Third\n\n- item\n",
            &["# Plan", "1. First step", "2. Second.", "Third", "- item"],
        );
        let wrapped = "The retry queue keeps every job that failed until the\nworker is back. Then it runs them.";
        check(
            wrapped,
            &["The retry queue keeps every job that failed until the\nworker is back.", "Then it runs them."],
        );
    }

    #[test]
    fn a_code_fence_is_one() {
        check("Run:\n```sh\nls. Then\n\nrm x\n```\nOk.", &["Run:", "```sh\nls. Then\n\nrm x\n```", "Ok."]);
        check("```\nnever closed.\nmore", &["```\nnever closed.\nmore"]);
    }
}
