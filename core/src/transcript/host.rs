//! What hosts write into conversations by themselves, told from what people write.
//!
//! *The rule*: a text is the host's when it *begins* as the host begins it and goes on as the host
//! goes on. A person who quotes a marker writes something before it (a quotation mark, a backtick, a
//! `>`), or goes on differently; such a text stays the person's.
//!
//! The sentences are the hosts' own, from their sources and public session files. Each test looks at
//! a bounded beginning of the text, besides trimming.

use crate::message::Synthetic;

/// How Claude Code opens the message that stands for what was compacted.
const CONTINUED: &str = "This session is being continued from a previous conversation";
/// How that sentence ends.
const RAN_OUT: &str = " that ran out of context";
/// How the summary is announced, in lower case.
const ANNOUNCEMENTS: [&str; 11] = [
    "summary below",
    "summarized below",
    "summarised below",
    "is summarized",
    "following summary",
    "here is a summary",
    "here is the summary",
    "here's a summary",
    "summary:",
    "analysis:",
    "<summary>",
];
/// Characters of the beginning in which the summary must be announced.
const OPENING: usize = 300;
/// A remark about the sentence is shorter than this; a summary is longer.
const REMARK: usize = 200;

/// Whole texts in place of tool results.
const PLACEHOLDERS: [&str; 4] = [
    "[Old tool result content cleared]",
    "[cleared]",
    "[Output removed to save context - information superseded or no longer needed]",
    "[input removed due to failed tool call]",
];
/// Beginnings of one-line placeholders whose rest varies.
const PLACEHOLDER_OPENINGS: [&str; 3] = [
    "[Tool output truncated for compaction: omitted ",
    "[[NOTE] This file read has been removed",
    "[NOTE] Some previous conversation history with the user has been removed",
];

/// How other hosts open their summaries.
const SUMMARIES: [&str; 9] = [
    "Here is a summary of the conversation to date:",
    "Summary of the conversation so far:",
    "The conversation history before this point was compacted into the following summary:",
    "Another language model started to solve this problem",
    "Context summary:",
    "## Conversation Summary",
    "[Compressed conversation section]",
    "<compacted-summary>",
    "<SYSTEM_NOTICE>\nEarlier context was compacted.",
];

/// Elements that Claude Code writes for slash commands and their output.
const COMMANDS: [&str; 6] = [
    "command-name",
    "command-message",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "task-notification",
];
/// Elements that hosts put beside what the person wrote.
const REMINDERS: [&str; 3] = ["system-reminder", "ide_opened_file", "user-prompt-submit-hook"];

/// Whether a user's text is the message in which Claude Code continues a compacted session: it
/// begins with the sentence and goes on as the host does, by saying that the context ran out or by
/// announcing the summary within the first 300 characters. A quotation is none, nor is a short
/// question about the sentence.
#[must_use]
pub fn is_continuation(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix(CONTINUED) else { return false };
    let opening: String = rest.chars().take(OPENING).collect::<String>().to_lowercase();
    if ANNOUNCEMENTS.iter().any(|announcement| opening.contains(announcement)) {
        return true;
    }
    let Some(rest) = rest.strip_prefix(RAN_OUT) else { return false };
    let ends = rest.chars().next().is_none_or(|c| c == '.' || c == ':' || c == '\n' || c == '\r');
    let remark = rest.chars().nth(REMARK).is_none() && rest.contains('?');
    ends && !remark
}

/// Whether a tool's result is what a host left in place of one that it removed.
#[must_use]
pub fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let one_line = || text.ends_with(']') && !text.contains('\n');
    PLACEHOLDERS.contains(&text) || PLACEHOLDER_OPENINGS.iter().any(|opening| text.starts_with(opening) && one_line())
}

/// Whether a text begins as hosts begin a summary of what they removed. A person may begin so too:
/// this is evidence for one who sees what became of the other messages, and no reader decides by it.
#[must_use]
pub fn opens_summary(text: &str) -> bool {
    let text = text.trim_start();
    SUMMARIES.iter().any(|summary| text.starts_with(summary)) || is_continuation(text) || is_alert(text)
}

/// Letta's note, JSON in a text: `{"type": "system_alert", "message": "Note: … hidden from view …"}`.
fn is_alert(text: &str) -> bool {
    if !text.starts_with('{') {
        return false;
    }
    let opening: String = text.chars().take(2 * OPENING).collect();
    opening.contains("\"system_alert\"") && opening.contains("hidden from view")
}

/// Why a text in the user's name is the host's; `None` for what the person wrote.
pub(super) fn label(text: &str) -> Option<Synthetic> {
    let text = text.trim();
    if is_continuation(text) {
        return Some(Synthetic::Summary);
    }
    if is_made_of(text, &REMINDERS) || text.starts_with("Base directory for this skill: ") {
        return Some(Synthetic::Reminder);
    }
    let interrupted = text.starts_with("[Request interrupted by user") && text.ends_with(']') && !text.contains('\n');
    let caveat = text.starts_with("Caveat: The messages below were generated by the user while running local commands");
    if interrupted || caveat || COMMANDS.iter().any(|name| element(text, name).is_some()) {
        return Some(Synthetic::Notice);
    }
    None
}

/// Whether the text is nothing but these elements, one after the other.
fn is_made_of(text: &str, names: &[&str]) -> bool {
    let mut rest = text;
    while let Some(after) = names.iter().find_map(|name| element(rest, name)) {
        rest = after.trim_start();
    }
    rest.is_empty() && !text.is_empty()
}

/// What follows the element `name` that the text begins with.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let inner = text.strip_prefix('<')?.strip_prefix(name)?.strip_prefix('>')?;
    let close = format!("</{name}>");
    inner.find(&close).and_then(|at| inner.get(at + close.len()..))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn continuation(rest: &str) -> String {
        format!("{CONTINUED}{rest}")
    }

    #[test]
    fn a_continuation_says_that_the_context_ran_out_or_announces_the_summary() {
        for rest in [
            " that ran out of context. The conversation is summarized below:\nPorts.",
            " that ran out of context.\n\nWe had set up the mail relay.",
            " that ran out of context.",
            ". The summary below covers it.",
            " that was too long.\n<summary>mail</summary>",
        ] {
            assert!(is_continuation(&continuation(rest)), "{rest}");
            assert!(opens_summary(&continuation(rest)), "{rest}");
        }
        assert!(is_continuation(&format!("\n  {}", continuation(RAN_OUT))));
    }

    #[test]
    fn a_quotation_of_the_continuation_sentence_is_none() {
        let whole = continuation(" that ran out of context. The summary below covers it.");
        for quoted in [format!("\"{whole}\""), format!("`{whole}`"), format!("> {whole}"), format!("I saw: {whole}")] {
            assert!(!is_continuation(&quoted), "{quoted}");
            assert_eq!(label(&quoted), None);
        }
        for rest in [
            "",
            " about mail",
            " that ran out of context. What does this mean?",
            " that ran out of contextual hints and more",
            "s happen often, do they?",
        ] {
            assert!(!is_continuation(&continuation(rest)), "{rest}");
        }
    }

    #[test]
    fn a_placeholder_is_the_whole_text() {
        for text in [
            "[cleared]",
            " [Old tool result content cleared]\n",
            "[Tool output truncated for compaction: omitted 712 chars]",
            "[[NOTE] This file read has been removed to save space.]",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["", "cleared", "the log said [cleared]", "[cleared] the cache", "[Tool output truncated for"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn summaries_of_other_hosts_are_evidence_only() {
        for text in SUMMARIES {
            assert!(opens_summary(&format!("{text}\nports")), "{text}");
            assert_eq!(label(text), None, "{text}");
        }
        assert!(opens_summary(r#"{"type": "system_alert", "message": "Note: 9 messages are hidden from view"}"#));
        assert!(!opens_summary("Write a context summary: mail, ports"));
    }

    #[test]
    fn what_hosts_write_in_the_users_name_is_labelled() {
        let cases = [
            ("[Request interrupted by user]", Some(Synthetic::Notice)),
            ("[Request interrupted by user for tool use]", Some(Synthetic::Notice)),
            ("[Request interrupted by user] is what I saw", None),
            ("<command-name>/exit</command-name>\n<command-args></command-args>", Some(Synthetic::Notice)),
            ("<command-name> is a strange tag", None),
            ("<local-command-stdout>Bye</local-command-stdout>", Some(Synthetic::Notice)),
            ("<system-reminder>Mind the gap.</system-reminder>", Some(Synthetic::Reminder)),
            ("<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>", Some(Synthetic::Reminder)),
            ("<system-reminder>a</system-reminder>\nand run it again", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(label(text), expected, "{text}");
        }
    }
}
