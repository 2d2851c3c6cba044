//! The message that is looked at, read once.

use std::collections::HashSet;

use super::courtesy;
use crate::concept::{self, Concept};
use crate::text;

/// A word of the message: lower case, with its byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) lower: String,
    pub(crate) span: (u32, u32),
}

/// The message that is looked at, with what all resolvers need of it.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The text.
    pub text: &'a str,
    /// Its concepts.
    pub concepts: Vec<Concept>,
    /// Its content tokens, for search: each once, at most 256.
    pub tokens: Vec<String>,
    pub(crate) words: Vec<Word>,
}

/// Content tokens of a message that count: a pasted log has thousands, and they ask for nothing.
const TOKENS: usize = 256;

fn distinct(tokens: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    tokens.into_iter().filter(|token| seen.insert(token.clone())).take(TOKENS).collect()
}

/// The words of a text.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = |range: std::ops::Range<usize>| (place(range.start), place(range.end));
    let read =
        |word: text::Word<'_>| Word { lower: word.text.to_lowercase().replace('’', "'"), span: span(word.span()) };
    text::words(text).into_iter().map(read).collect()
}

/// Whether a word of a text is written as a name: a capital or a digit that does not begin a sentence.
pub(crate) fn is_name(text: &str, word: Option<&Word>) -> bool {
    let (from, to) = word.map_or((0, 0), |word| (word.span.0 as usize, word.span.1 as usize));
    let before = text.get(..from).unwrap_or_default().trim_end();
    let written = text.get(from..to).unwrap_or_default();
    !before.is_empty()
        && !before.ends_with(['.', '!', '?', ':'])
        && (written.starts_with(char::is_uppercase) || written.contains(|c: char| c.is_ascii_digit()))
}

impl<'a> Question<'a> {
    /// Reads a message.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, concepts: concept::extract(text), tokens: distinct(text::search_tokens(text)), words: words(text) }
    }

    /// Whether the message only acknowledges: "ok", "thanks, that's it", "好的".
    #[must_use]
    pub fn is_acknowledgement(&self) -> bool {
        self.words.is_empty() || courtesy::is_all_courtesy(self.text, &self.words)
    }

    /// The word at place `at`, lower case; empty past the end.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// Whether a phrase of whole words occurs; its place in words.
    pub(crate) fn find(&self, phrase: &str) -> Option<usize> {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        (0..self.words.len()).find(|at| wanted.iter().enumerate().all(|(step, word)| self.word(at + step) == *word))
    }

    /// Whether a word is written as a name: a capital or a digit that does not begin a sentence.
    pub(crate) fn is_name(&self, at: usize) -> bool {
        is_name(self.text, self.words.get(at))
    }

    /// The span of the words `from..=to`.
    pub(crate) fn span(&self, from: usize, to: usize) -> Option<(u32, u32)> {
        Some((self.words.get(from)?.span.0, self.words.get(to.min(self.words.len().saturating_sub(1)))?.span.1))
    }

    /// The content tokens outside the words `from..=to`: what narrows a reference down.
    pub(crate) fn tokens_outside(&self, from: usize, to: usize) -> Vec<String> {
        let outside = self.words.iter().enumerate().filter(|(at, _)| *at < from || *at > to);
        outside
            .filter(|(_, word)| !text::is_stop_word(&word.lower))
            .flat_map(|(_, word)| text::tokens(&word.lower))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acknowledgements_are_silent_and_requests_are_not() {
        for text in [
            "ok",
            "thanks",
            "thanks, that's it",
            "yes please",
            "好的",
            "Perfect!",
            "ok great, looks good",
            "👍",
            "",
            "sounds good, go ahead",
            "Good morning!",
            "perfect, thanks for the command!",
            "Sorry, I have to leave now. Talk to you tomorrow!",
        ] {
            assert!(Question::new(text).is_acknowledgement(), "{text}");
        }
        for text in
            ["fix it", "why?", "again", "do it", "ok, run the command", "it", "thanks? for what", "what was that"]
        {
            assert!(!Question::new(text).is_acknowledgement(), "{text}");
        }
    }
}
