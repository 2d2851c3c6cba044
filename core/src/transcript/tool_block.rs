//! A tool block of SpecStory's markdown: where it ends, and what in it was asked and answered.
//!
//! *The rule*: a block ends at the close that belongs to its own open line. Its output may quote
//! whole transcripts, blocks and fences included: quoted blocks are paired among themselves, and
//! fences of more than three marks (the exporter makes a fence longer than any in the text) are
//! passed over whole.
//!
//! *Complexity*: one pass finds all ends (two, when a long fence is never closed).

use super::specstory::unpadded;
use crate::order;

const OPEN: &str = "<tool-use data-tool-type=\"";
const NAME: &str = "data-tool-name=\"";
const CLOSE: &str = "</details></tool-use>";

/// What a block shows.
pub(super) struct ToolBlock {
    pub(super) name: String,
    /// The arguments, as they are shown.
    pub(super) input: String,
    pub(super) result: String,
    pub(super) error: bool,
}

/// The ends of all blocks of a file.
pub(super) struct Blocks {
    /// The open lines, in order, each with the close that belongs to it.
    paired: Vec<(usize, usize)>,
    closes: Vec<usize>,
}

/// Whether a line opens a block.
pub(super) fn opens(line: &str) -> bool {
    line.starts_with(OPEN)
}

impl Blocks {
    /// Pairs the lines of a file.
    pub(super) fn find(lines: &[&str]) -> Self {
        Self::pair(lines, true).unwrap_or_else(|| Self::pair(lines, false).unwrap_or(Self::empty()))
    }

    fn empty() -> Self {
        Self { paired: Vec::new(), closes: Vec::new() }
    }

    /// `None` when a long fence is never closed and would hide the rest.
    fn pair(lines: &[&str], fences: bool) -> Option<Self> {
        let mut found = Self::empty();
        let mut open: Vec<usize> = Vec::new();
        let mut fence: Option<usize> = None;
        for (at, line) in lines.iter().enumerate() {
            if let Some(length) = fence {
                let mark = line.trim_end();
                if mark.len() >= length && mark.bytes().all(|byte| byte == b'`') {
                    fence = None;
                }
            } else if opens(line) {
                open.push(at);
            } else if line.trim_end() == CLOSE {
                found.closes.push(at);
                if let Some(from) = open.pop() {
                    found.paired.push((from, at));
                }
            } else if fences && !open.is_empty() {
                let length = line.bytes().take_while(|byte| *byte == b'`').count();
                fence = (length > 3).then_some(length);
            }
        }
        order::sort(&mut found.paired);
        fence.is_none().then_some(found)
    }

    /// The line that closes the block which opens at line `at`. When quoted text left pairs uneven,
    /// the next close there is.
    pub(super) fn end(&self, at: usize) -> Option<usize> {
        let next = || self.closes.get(self.closes.partition_point(|close| *close < at)).copied();
        let paired = self.paired.binary_search_by_key(&at, |(open, _)| *open).ok();
        paired.and_then(|place| self.paired.get(place)).map(|(_, close)| *close).or_else(next)
    }
}

/// Reads the lines of a block, the closing one left out.
pub(super) fn parse(lines: &[&str]) -> ToolBlock {
    let (first, rest) = lines.split_first().map_or(("", lines), |(first, rest)| (*first, rest));
    let name = first.split_once(NAME).and_then(|(_, rest)| rest.split_once('"')).map_or("", |(name, _)| name);
    let (summary, body) = without_summary(rest, name);
    let split = result_at(body);
    let (input, output) = (body.get(..split).unwrap_or_default(), body.get(split..).unwrap_or_default());
    let output = unpadded(output);
    let (label, output) = match output.split_first() {
        Some((label @ (&"**Result:**" | &"**Error:**"), rest)) => (*label, unpadded(rest)),
        _ => ("", output),
    };
    let result = unfenced(output).join("\n");
    let input: Vec<&str> = summary.into_iter().chain(unpadded(input).iter().copied()).collect();
    let error = label == "**Error:**" || result.starts_with("<tool_use_error>");
    ToolBlock { name: name.to_owned(), input: input.join("\n").trim().to_owned(), result, error }
}

/// What the summary says beyond the tool's name, and the lines after it.
fn without_summary<'a, 'b>(lines: &'b [&'a str], name: &str) -> (Option<&'a str>, &'b [&'a str]) {
    let Some((first, rest)) = lines.split_first() else { return (None, lines) };
    let Some(inner) = first.strip_prefix("<summary>").and_then(|line| line.strip_suffix("</summary>")) else {
        return (None, lines);
    };
    let said = inner.strip_prefix("Tool use: ").is_none_or(|shown| shown.trim_matches('*') != name);
    (said.then_some(inner), rest)
}

/// The line at which the result begins: a label, an answer, or the first fence of output that no
/// fence of input holds.
fn result_at(body: &[&str]) -> usize {
    let mut input_fence: Option<usize> = None;
    for (at, line) in body.iter().enumerate() {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        let info = line.get(ticks..).unwrap_or_default().trim();
        if let Some(length) = input_fence {
            if ticks >= length && info.is_empty() {
                input_fence = None;
            }
        } else if ticks >= 3 {
            if info == "text" {
                return at;
            }
            input_fence = Some(ticks);
        } else if *line == "**Result:**" || *line == "**Error:**" || line.starts_with("**Answer:** ") {
            return at;
        }
    }
    body.len()
}

/// The lines inside a fence that spans them all.
fn unfenced<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    match lines {
        [first, inner @ .., last] if first.starts_with("```") && last.starts_with("```") => inner,
        [first, inner @ ..] if first.starts_with("```") => inner,
        _ => lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, input: &str, result: &str) {
        let text = format!("<tool-use data-tool-type=\"t\" data-tool-name=\"Tool\"><details>\n{body}");
        let lines: Vec<&str> = text.lines().collect();
        let block = parse(&lines);
        assert_eq!(
            (block.name.as_str(), block.input.as_str(), block.result.as_str()),
            ("Tool", input, result),
            "{body}"
        );
    }

    #[test]
    fn what_was_asked_is_told_from_what_was_answered() {
        let summary = "<summary>Tool use: **Tool**</summary>\n";
        check(&format!("{summary} `./a.rs`\n\n```text\nfn a\n```"), "`./a.rs`", "fn a");
        check(&format!("{summary}\n```text\n\n```"), "", "");
        check(&format!("{summary}Run\n\n```bash\na\nb\n```\n\n```text\nok\n```"), "Run\n\n```bash\na\nb\n```", "ok");
        check(&format!("{summary}Ask?\n\n**Answer:** yes"), "Ask?", "**Answer:** yes");
        check(
            &format!("{summary}\n**Input:**\n\n- a: `1`\n\n**Result:**\n\n```\n2\n```"),
            "**Input:**\n\n- a: `1`",
            "2",
        );
        check("<summary>Reads a.rs</summary>", "Reads a.rs", "");
        check("", "", "");
    }

    #[test]
    fn fences_inside_the_output_stay_in_it() {
        check("```text\na\n```go\nb\n```\nc\n```", "", "a\n```go\nb\n```\nc");
    }

    #[test]
    fn a_label_or_an_element_says_that_the_tool_failed() {
        let fails = |body: &str| parse(&std::iter::once("").chain(body.lines()).collect::<Vec<_>>()).error;
        assert!(fails("**Error:**\n\n```\nno\n```") && fails("```text\n<tool_use_error>no</tool_use_error>\n```"));
        assert!(!fails("```text\nno\n```"));
    }

    #[test]
    fn uneven_quoted_blocks_fall_back_to_the_next_close() {
        let open = "<tool-use data-tool-type=\"t\" data-tool-name=\"n\"><details>";
        assert_eq!(Blocks::find(&[open, open, CLOSE, CLOSE]).end(0), Some(3));
        let uneven = Blocks::find(&[open, open, CLOSE, open, CLOSE]);
        assert_eq!((uneven.end(0), uneven.end(3)), (Some(2), Some(4)));
        assert_eq!(Blocks::find(&[open]).end(0), None);
        assert_eq!(Blocks::find(&[open, "````text", CLOSE]).end(0), Some(2));
        assert_eq!(Blocks::find(&[open, "````text", CLOSE, "````", CLOSE]).end(0), Some(4));
    }
}
