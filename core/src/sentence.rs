//! What a sentence does: ask or state; decide, forbid, plan or report a failure.
//!
//! The difference decides who *carries* a concept: a question mentions it, a statement says
//! something about it. Both tests look at the shape of the sentence (its end, its first word, a cue
//! phrase), never at its topic.

use serde::{Deserialize, Serialize};

use crate::json::words;

/// What a fact is. Shown on the ledger's entries; "what did we decide" asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Something was chosen.
    Decision,
    /// Something must or must not be.
    Constraint,
    /// Something is still to do.
    Task,
    /// Something went wrong.
    Failure,
}

words!(
    Mark,
    Decision => "decision",
    Constraint => "constraint",
    Task => "task",
    Failure => "failure",
);

const CUES: &[(Mark, &[&str])] = &[
    (
        Mark::Decision,
        &[
            "we decided",
            "i decided",
            "decided to",
            "decision",
            "let's go with",
            "lets go with",
            "we'll go with",
            "we will go with",
            "going with",
            "went with",
            "we agreed",
            "agreed to",
            "settled on",
            "we chose",
            "we'll use",
            "we will use",
            "from now on",
            "let's use",
            "lets use",
            "i'd rather",
            "we keep",
            "let's keep",
            "instead of",
            "我们决定",
            "决定",
            "採用",
            "に決め",
            "решили",
            "decidimos",
            "wir haben entschieden",
            "nous avons décidé",
        ],
    ),
    (
        Mark::Constraint,
        &[
            "don't",
            "do not",
            "must",
            "never",
            "always",
            "not allowed",
            "only ever",
            "no longer",
            "make sure",
            "under no circumstances",
            "hands off",
            "off limits",
            "不要",
            "必须",
            "禁止",
            "してはいけない",
            "нельзя",
            "никогда",
            "nunca",
            "niemals",
            "jamais",
        ],
    ),
    (
        Mark::Task,
        &[
            "todo",
            "to-do",
            "next step",
            "next up",
            "remaining",
            "still need",
            "still to do",
            "left to do",
            "follow-up",
            "follow up",
            "not done yet",
            "later we",
            "next we",
            "next:",
            "open:",
            "待办",
            "下一步",
            "осталось",
            "pendiente",
            "noch zu tun",
        ],
    ),
    (
        Mark::Failure,
        &[
            "failed",
            "fails",
            "failing",
            "doesn't work",
            "does not work",
            "didn't work",
            "did not work",
            "crash",
            "panicked",
            "timed out",
            "broken",
            "error:",
            "error[",
            "regression",
            "flaky",
            "失败",
            "報錯",
            "エラー",
            "не работает",
            "falló",
            "schlägt fehl",
            "échoue",
        ],
    ),
];

/// What the sentence is about doing, in the order of [`Mark`].
#[must_use]
pub fn marks(sentence: &str) -> Vec<Mark> {
    let lower = sentence.to_lowercase().replace('’', "'");
    let has = |cue: &&str| {
        if cue.is_ascii() { crate::text::contains_whole(&lower, cue).is_some() } else { lower.contains(*cue) }
    };
    CUES.iter().filter(|(_, cues)| cues.iter().any(has)).map(|(mark, _)| *mark).collect()
}

/// Words that begin a question even without a question mark.
const ASKING: &[&str] = &[
    "what",
    "what's",
    "whats",
    "how",
    "how's",
    "why",
    "why's",
    "when",
    "where",
    "where's",
    "who",
    "who's",
    "which",
    "whose",
    "whom",
    "remind",
    "qué",
    "cómo",
    "por",
    "warum",
    "wie",
    "wo",
    "wann",
    "welche",
    "welcher",
    "welches",
    "was",
    "pourquoi",
    "comment",
    "что",
    "как",
    "почему",
    "где",
    "когда",
    "какой",
    "какая",
];

/// Whether the sentence asks: by its end (`?`, `？`, 吗, 呢, か, 까), or by its first word.
#[must_use]
pub fn is_question(sentence: &str) -> bool {
    let end = sentence.trim_end_matches(|c: char| c.is_whitespace() || "\"'”’»)]*_`。.!…~".contains(c));
    if end.ends_with(['?', '？', '؟', '吗', '呢', 'か', '까']) {
        return true;
    }
    let start = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut words =
        start.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).map(str::to_lowercase);
    let mut first = words.next().unwrap_or_default();
    while matches!(first.as_str(), "and" | "but" | "so" | "ok" | "okay" | "also" | "then" | "hey" | "hmm" | "wait") {
        first = words.next().unwrap_or_default();
    }
    let second = words.next().unwrap_or_default();
    // "what we need is …", "was" in English and "por" alone are no questions.
    match first.as_str() {
        "was" => matches!(second.as_str(), "ist" | "war" | "sind" | "haben" | "hat"),
        "por" => second.starts_with("qu"),
        "remind" => second == "me",
        "what" | "when" | "where" | "how" => {
            !matches!(second.as_str(), "we" | "i" | "you" | "they") || sentence.len() < 80
        }
        _ => ASKING.contains(&first.replace('’', "'").as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_by_end_and_start() {
        for text in [
            "How does it work?",
            "which port was staging on",
            "数据库连接好了吗",
            "これは何ですか。",
            "ok so what was the exact command",
            "\"really?\"",
        ] {
            assert!(is_question(text), "{text}");
        }
        for text in
            ["The port is 8443.", "I wonder how it works, it is fine.", "was fixed yesterday", "fix the retry queue"]
        {
            assert!(!is_question(text), "{text}");
        }
    }

    #[test]
    fn marks_are_told_by_cue() {
        assert_eq!(marks("We decided to keep Postgres."), [Mark::Decision]);
        assert_eq!(marks("Don’t touch src/legacy/."), [Mark::Constraint]);
        assert_eq!(marks("The migration failed; still to do: the index."), [Mark::Task, Mark::Failure]);
        assert_eq!(marks("The queue has two workers."), []);
    }
}
