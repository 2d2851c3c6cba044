//! Leaning: how much a message rests on what was said before it.
//!
//! "Why?" says nothing alone, "What licences are needed?" leaves out for what, "Tell me about lavender
//! plants" stands by itself. Signs of both are added up on one scale: pronouns, reactions to a reply,
//! openings that go on, definite nouns that nothing explains, comparisons with what is not named, and
//! few words of its own; names speak against. All signs are function words and counts, so that what
//! the message is about does not matter. Cost is linear in the first [`READ`] words.

use super::question::{Word, is_name};
use super::score::leaning as points;
use super::{courtesy, ordinal, uptake};
use crate::concept;
use crate::gap::EvidenceRule;
use crate::sentence;
use crate::text;

/// Words that are read: a longer message has said what it is about by then.
const READ: usize = 60;

/// How much a message leans, and on which of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaning {
    /// The sum of the signs; negative when it names things of its own.
    pub(super) points: i32,
    /// A word of it leans, and not only its brevity.
    pub(super) explicit: bool,
    /// It compares with something that it does not name ("instead").
    pub(super) compares: bool,
    /// Pronoun or ellipsis.
    pub(super) rule: EvidenceRule,
    /// The words that lean, first and last.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Its words that name something, as search tokens.
    pub(super) named: Vec<String>,
    /// Those of them by which it may take up what was just said.
    pub(super) taken: Vec<Vec<String>>,
}

impl Leaning {
    /// Whether it goes on with something.
    pub(super) const fn leans(&self) -> bool {
        self.points >= points::LEANS
    }

    /// Reads a message.
    pub(super) fn of(text: &str, all: &[Word]) -> Self {
        let skipped = courtesy::before_question(text, all).max(courtesy::leading(text, all));
        let words = all.get(skipped..).unwrap_or(all);
        let taken = uptake::words(text, words);
        let message = Words { text, words: words.get(..words.len().min(READ)).unwrap_or(words) };
        let asks = sentence::is_question(text);
        let all = 0..message.words.len();
        let pronoun = all.clone().find(|at| message.is_pronoun(*at));
        let opening = message.opening();
        let definite = all.clone().filter(|_| asks).find(|at| message.is_bare_definite(*at));
        let compares = all.clone().find(|at| is_among(COMPARING, message.word(*at)));
        let reacts = message.reacts();
        let content = message.content();
        // "the page gets a dark theme, add it": a message that tells brings what its pronoun means.
        let brings = !asks && pronoun.is_some_and(|at| message.names_before(at));
        let signs = [
            (pronoun.is_some() && !brings, points::PRONOUN),
            (reacts, points::REACTS),
            (opening.is_some(), points::OPENING),
            (definite.is_some(), points::DEFINITE),
            (compares.is_some(), points::COMPARES),
            (content.words <= 2, points::BRIEF),
            (content.named.len() <= 1, points::VAGUE),
            (content.proper >= 2, points::NAMES),
            (message.defines(), points::DEFINES),
        ];
        let last = message.words.len().saturating_sub(1);
        let (rule, (from, to)) = match pronoun {
            Some(at) => (EvidenceRule::Pronoun, (at, at)),
            None => {
                let at = definite.or(compares).map(|at| (at, at));
                (EvidenceRule::Ellipsis, opening.or(at).unwrap_or((0, last)))
            }
        };
        let points = signs.iter().filter(|(there, _)| *there).map(|(_, points)| points).sum();
        let explicit = opening.is_some() || reacts || pronoun.is_some() && !brings;
        Self {
            points,
            explicit,
            compares: compares.is_some(),
            rule,
            from: from + skipped,
            to: to + skipped,
            named: content.named,
            taken,
        }
    }
}

fn is_among(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// Words that compare with something, or take something up again.
const COMPARING: &[&str] = &[
    "other",
    "others",
    "another",
    "else",
    "more",
    "less",
    "fewer",
    "instead",
    "again",
    "same",
    "similar",
    "alternative",
    "alternatives",
    "too",
    "then",
    "latest",
    "newest",
    "next",
    "former",
    "latter",
    "rest",
    "above",
    "both",
    "either",
    "neither",
    "remaining",
];

/// Words that answer or comment on what the other side said, at the start of a message.
const REACTING: &[&str] = &[
    "oh",
    "ok",
    "okay",
    "interesting",
    "wow",
    "great",
    "nice",
    "cool",
    "thanks",
    "thank",
    "yes",
    "yeah",
    "yup",
    "yep",
    "no",
    "nope",
    "nah",
    "hm",
    "hmm",
    "ah",
    "aha",
    "alright",
    "sure",
    "well",
    "so",
    "and",
    "but",
    "also",
    "sorry",
    "sounds",
    "good",
    "y",
];

/// Openings that go on with what was said.
const OPENINGS: &[&str] = &[
    "what about",
    "how about",
    "what else",
    "who else",
    "where else",
    "how so",
    "why not",
    "why is that",
    "tell me more",
    "more about",
    "any other",
    "any others",
    "which one",
    "which ones",
];

/// Words after which a definite noun has ended and nothing said which one.
const AFTER_NOUN: &[&str] = &[
    "", "is", "was", "are", "were", "do", "does", "did", "and", "or", "to", "that", "work", "have", "has", "can",
    "will",
];

/// Definite nouns that everybody knows.
const UNIQUE: &[&str] = &["best", "world", "internet", "most", "past", "future", "day", "morning", "way", "rest"];

/// Pronouns that begin a message in scripts without spaces: the run of characters begins with one.
const FOREIGN: &[&str] = &[
    "它", "他", "她", "这", "那", "其", "それ", "これ", "あれ", "その", "この", "あの", "彼", "그거", "그건", "그것",
    "그게", "이거", "이건", "이것", "거기",
];

fn is_foreign_pronoun(word: &str) -> bool {
    FOREIGN.iter().any(|pronoun| word.starts_with(pronoun))
}

struct Words<'a> {
    text: &'a str,
    words: &'a [Word],
}

#[derive(Default)]
struct Content {
    /// Words that are no function words.
    words: usize,
    /// Those that name something, as search tokens.
    named: Vec<String>,
    /// Those that are written as names.
    proper: usize,
}

impl Words<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    fn written(&self, at: usize) -> &str {
        let span = self.words.get(at).map_or((0, 0), |word| word.span);
        self.text.get(span.0 as usize..span.1 as usize).unwrap_or_default()
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    fn is_pronoun(&self, at: usize) -> bool {
        let (before, after) = (self.before(at), self.word(at + 1));
        match self.word(at) {
            "it" if self.asks_for_noun(at) => false,
            "it" | "its" | "they" | "them" | "their" | "theirs" | "he" | "him" | "his" | "she" | "her" | "hers"
            | "it's" | "they're" | "he's" | "she's" => true,
            // "this week" is a time, "that the …" joins clauses, "films that win" is a relative clause.
            "this" | "these" => {
                !matches!(after, "week" | "year" | "month" | "morning" | "time" | "evening" | "session")
            }
            "that" | "those" if self.says_which(at) => false,
            "that" | "those" | "that's" => {
                before.is_empty()
                    || text::is_stop_word(before)
                        && !matches!(after, "the" | "a" | "an" | "i" | "you" | "we" | "they" | "he" | "she")
            }
            "there" => {
                !matches!(before, "is" | "are" | "was" | "were" | "be")
                    && !matches!(after, "is" | "are" | "was" | "were" | "a" | "any")
            }
            "one" | "ones" => !before.is_empty() && !matches!(before, "no" | "some" | "any" | "every"),
            word => at == 0 && is_foreign_pronoun(word),
        }
    }

    /// "that thing with the wrong VAT": the noun is followed by what tells it apart.
    fn says_which(&self, at: usize) -> bool {
        let tells_apart =
            |word: &str| matches!(word, "with" | "about" | "from" | "for" | "where" | "who" | "which" | "of");
        !text::is_stop_word(self.word(at + 1)) && tells_apart(self.word(at + 2))
            || self.word(at + 1) == "thing" && tells_apart(self.word(at + 2))
    }

    /// "which invoice number was it": the pronoun is what is asked for, and the noun says what that is.
    fn asks_for_noun(&self, at: usize) -> bool {
        let asked = (0..at).rev().find(|place| matches!(self.word(*place), "which" | "what"));
        matches!(self.before(at), "was" | "is")
            && matches!(self.word(at + 1), "" | "again")
            && asked.is_some_and(|from| (from + 1..at).any(|place| self.is_naming(place)))
    }

    /// "the movement", "the EU rules": a definite noun of one or two words that nothing in the message
    /// says more about; "the history of …" and "the Golden Globe" say which.
    fn is_bare_definite(&self, at: usize) -> bool {
        let is_noun = |at: usize| {
            let word = self.word(at);
            !word.is_empty() && !text::is_stop_word(word) && !is_among(UNIQUE, word)
        };
        // "in the first place" counts nothing and means nothing.
        let is_idiom = ordinal::is_counting(self.word(at + 1)) && ordinal::is_time(self.word(at + 2));
        let ends =
            |at: usize| self.written(at).starts_with(char::is_lowercase) && is_among(AFTER_NOUN, self.word(at + 1));
        self.word(at) == "the"
            && !is_idiom
            && is_noun(at + 1)
            && (ends(at + 1) || self.written(at + 1).starts_with(char::is_lowercase) && is_noun(at + 2) && ends(at + 2))
    }

    /// Whether it begins with a word that answers or comments.
    fn reacts(&self) -> bool {
        is_among(REACTING, self.word(0)) || self.word(0) == "i" && matches!(self.word(1), "see" | "mean" | "meant")
    }

    fn opening(&self) -> Option<(usize, usize)> {
        let begins = |at: &usize| *at <= 1 || self.follows_a_stop(*at);
        (0..self.words.len()).filter(begins).find_map(|at| {
            let length = |phrase: &&str| phrase.split(' ').count();
            let fits = |phrase: &&&str| phrase.split(' ').enumerate().all(|(step, word)| self.word(at + step) == word);
            OPENINGS.iter().find(fits).map(|phrase| (at, at + length(phrase) - 1))
        })
    }

    /// Whether a clause begins at a word.
    fn follows_a_stop(&self, at: usize) -> bool {
        let from = self.words.get(at).map_or(0, |word| word.span.0 as usize);
        self.text.get(..from).unwrap_or_default().trim_end().ends_with([',', '.', '!', '?', ';'])
    }

    /// Whether it asks what something is and nothing else: that needs no context.
    fn defines(&self) -> bool {
        let from = match (self.word(0), self.word(1)) {
            ("what" | "who", "is" | "are" | "was") => 2 + usize::from(matches!(self.word(2), "a" | "an")),
            ("tell", "me") if self.word(2) == "about" => 3,
            ("describe" | "define", _) => 1,
            ("explain", "what" | "how") => return true,
            _ => return false,
        };
        let says_which = |word: &str| matches!(word, "the" | "of" | "in" | "and");
        (from..self.words.len()).all(|at| !text::is_stop_word(self.word(at)) || says_which(self.word(at)))
    }

    /// "US" and "IT" are names that are spelt like function words.
    fn is_acronym(&self, at: usize) -> bool {
        let written = self.written(at);
        written.len() >= 2 && written.chars().all(|c| c.is_ascii_uppercase()) && self.text.contains(char::is_lowercase)
    }

    fn names_before(&self, at: usize) -> bool {
        (0..at).any(|before| self.is_naming(before))
    }

    fn is_naming(&self, at: usize) -> bool {
        let word = self.word(at);
        !text::is_stop_word(word) && !concept::is_light(word)
    }

    fn content(&self) -> Content {
        let mut content = Content::default();
        for at in (0..self.words.len()).filter(|at| !text::is_stop_word(self.word(*at)) || self.is_acronym(*at)) {
            // A run of a script without spaces is many words, of about two tokens each.
            let tokens = text::word_tokens(self.word(at));
            let each = if uptake::is_unspaced(self.word(at)) { 2 } else { 1 };
            content.words += tokens.len().div_ceil(each).max(1);
            content.proper += usize::from(is_name(self.text, self.words.get(at)));
            if self.is_naming(at) {
                content.named.extend(tokens);
            }
        }
        content
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::Question;

    fn check(text: &str, expected: bool) {
        let question = Question::new(text);
        let leaning = Leaning::of(text, &question.words);
        assert_eq!(leaning.leans(), expected, "{text}: {leaning:?}");
    }

    #[test]
    fn what_leaves_something_open_leans() {
        for text in [
            "why?",
            "how does it work again",
            "and the tests?",
            "what about the other one",
            "who was the leader?",
            "oh, you need an agent for that",
            "what else should I bring along for a long tour in winter?",
            "again",
            "What were popular stories?",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn what_names_its_own_things_stands_by_itself() {
        for text in [
            "write a haiku about autumn leaves",
            "what is the capital of France?",
            "Tell me about the history of lighthouses in Scotland.",
            "What is photosynthesis?",
            "Which weekend sports have the most injuries?",
            "the page gets a dark theme, add it to the settings menu",
            "数据库的连接池应该设置多大才合适",
        ] {
            check(text, false);
        }
    }
}
