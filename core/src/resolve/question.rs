//! The message that is looked at, read once.

use std::collections::HashSet;

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

/// Words that acknowledge: one of them must be there, and nothing but them and [`FILLING`].
const THANKING: &str = "ok okay k kk yes yep yeah yup no nope nah sure thanks thank thx ty great good nice cool perfect awesome fine \
    alright right got excellent amazing brilliant lgtm ack understood sense sounds wow see exactly correct agreed agree hi hello hey bye \
    interesting wonderful fantastic helpful cheers done ahead please love danke gracias merci спасибо ок да нет хорошо 谢谢 好的 好 嗯 \
    ありがとう はい 네 감사합니다 شكرا";

/// Words that stand beside them and say nothing more: "do it" and "it is" alone acknowledge nothing.
const FILLING: &str = "you it that's thats that is all for now so much very a lot go well works looks makes do and the job work hmm oh i super \
    this was am not really welcome";

/// Content tokens of a message that count: a pasted log has thousands, and they ask for nothing.
const TOKENS: usize = 256;

fn distinct(tokens: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    tokens.into_iter().filter(|token| seen.insert(token.clone())).take(TOKENS).collect()
}

fn is_among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
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
        let bare = self.text.trim_matches(|c: char| !c.is_alphanumeric());
        if self.words.is_empty() {
            return true;
        }
        if is_among(THANKING, bare) {
            return true;
        }
        !self.text.contains(['?', '？'])
            && self.words.iter().all(|word| is_among(THANKING, &word.lower) || is_among(FILLING, &word.lower))
            && self.words.iter().any(|word| is_among(THANKING, &word.lower))
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
