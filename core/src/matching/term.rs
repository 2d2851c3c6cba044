//! The refined rules for two terms.

use super::{Match, Rule, jaccard, overlap, reaches};
use crate::order;
use crate::text::{self, Script, script};

/// How many known terms may share a word for it to stand alone for a longer name. Higher and "the
/// test" means every test; lower and "the ledger" means nothing once there are two kinds of ledger.
pub const RARE: usize = 5;

/// Letters from which a word is long enough for one wrong letter to be a misspelling. Lower and
/// "plan" is "plane".
const TYPO_LETTERS: usize = 7;

/// What the rules need to know about a set of tokens, whatever the tokens are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a, T> {
    /// Sorted, each once.
    pub(super) tokens: &'a [T],
    /// How many of them have a digit.
    pub(super) numbers: usize,
    /// Words, times two.
    pub(super) weight: usize,
    /// Whether it is only ever itself: `Go`, `C++`, `k8s`, a single character.
    pub(super) short: bool,
}

/// Rule 2. Gives shared and total tokens.
pub(super) fn subset<T: Ord + Copy>(
    a: Side<'_, T>,
    b: Side<'_, T>,
    common: impl Fn(T) -> bool,
) -> Option<(usize, usize)> {
    let (small, large) = if a.tokens.len() <= b.tokens.len() { (a, b) } else { (b, a) };
    if small.tokens.is_empty() || overlap(small.tokens, large.tokens) < small.tokens.len() {
        return None;
    }
    let counts = (small.tokens.len(), large.tokens.len());
    if counts.0 == counts.1 {
        return Some(counts);
    }
    let digits_agree = small.numbers == 0 || small.numbers == large.numbers;
    let half = small.weight * 2 >= large.weight;
    let one_word = small.weight <= 3;
    let stands_alone = !one_word || !(small.short || small.tokens.iter().all(|token| common(*token)));
    (digits_agree && half && stands_alone).then_some(counts)
}

/// A term, read once.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    pub(super) canonical: String,
    /// In the order of the text, each once.
    pub(super) tokens: Vec<String>,
    pub(super) weight: usize,
    runs: bool,
}

impl Profile {
    pub(super) fn new(text: &str) -> Self {
        let canonical = text::canonical(text);
        let (mut found, mut weight, mut runs) = (Vec::new(), 0, false);
        for word in text::words(&canonical) {
            let before = found.len();
            found.extend(text::word_tokens(word.text));
            if found.len() > before {
                weight += word_weight(word.text);
                runs |= word.text.starts_with(text::is_run_script);
            }
        }
        let mut numbered: Vec<(String, usize)> = found.into_iter().zip(0..).collect();
        order::sort(&mut numbered);
        numbered.dedup_by(|later, first| later.0 == first.0);
        order::by_key(&mut numbered, |(_, at)| *at);
        let tokens = numbered.into_iter().map(|(token, _)| token).collect();
        Self { canonical, tokens, weight, runs }
    }

    /// A text whose tokens are known already.
    pub(super) const fn of_tokens(canonical: String, tokens: Vec<String>) -> Self {
        Self { canonical, tokens, weight: 0, runs: false }
    }

    pub(super) fn numbers(&self) -> usize {
        self.tokens.iter().filter(|token| is_number(token)).count()
    }

    pub(super) fn is_short(&self) -> bool {
        let [token] = self.tokens.as_slice() else { return false };
        let letters = token.chars().count();
        let named = token.chars().all(char::is_alphabetic);
        let number = token.chars().all(|c| c.is_ascii_digit());
        if self.weight < 2 {
            return true;
        }
        !token.starts_with(|c| text::is_run_script(c) || script(c) == Script::Hangul)
            && (letters <= 2 || (letters == 3 && !named && !number))
    }

    fn sorted(&self) -> Vec<&str> {
        let mut tokens: Vec<&str> = self.tokens.iter().map(String::as_str).collect();
        order::sort(&mut tokens);
        tokens
    }

    fn side<'a>(&self, tokens: &'a [&'a str]) -> Side<'a, &'a str> {
        Side { tokens, numbers: self.numbers(), weight: self.weight, short: self.is_short() }
    }
}

/// Whether a token has a digit, so that it must agree.
pub(super) fn is_number(token: &str) -> bool {
    token.contains(char::is_numeric)
}

/// The words in a word, times two: 2, but in a run of a script without spaces 2 for a stretch of
/// Katakana and 1 for each other character.
fn word_weight(word: &str) -> usize {
    if !word.starts_with(text::is_run_script) {
        return 2;
    }
    let (mut weight, mut before) = (0, Script::Other);
    for c in word.chars() {
        let now = script(c);
        weight += match now {
            Script::Katakana if before == Script::Katakana => 0,
            Script::Katakana => 2,
            _ => usize::from(text::is_run_script(c)),
        };
        before = now;
    }
    weight
}

/// The three rules for two terms.
pub(super) fn judge(a: &str, b: &str, threshold: u32, common: &dyn Fn(&str) -> bool) -> Option<Match> {
    let (a, b) = (&Profile::new(a), &Profile::new(b));
    if a.canonical.is_empty() || b.canonical.is_empty() {
        return None;
    }
    if a.canonical == b.canonical {
        return Some(Match::EXACT);
    }
    let (ours, theirs) = (a.sorted(), b.sorted());
    if let Some((shared, total)) = subset(a.side(&ours), b.side(&theirs), common) {
        return Some(Match::new(Rule::TokenSubset, shared, total));
    }
    let (shared, total) = jaccard(&text::trigrams(&a.canonical), &text::trigrams(&b.canonical));
    let holds = reaches(shared, total, threshold) && is_spelling(a, b);
    holds.then(|| Match::new(Rule::Jaccard, shared, total))
}

/// Whether what the terms do not share is one word spelled two ways.
pub(super) fn is_spelling(a: &Profile, b: &Profile) -> bool {
    let rest = |from: &Profile, other: &[&str]| -> Vec<String> {
        from.tokens.iter().filter(|t| other.binary_search(&t.as_str()).is_err()).cloned().collect()
    };
    let (one, two) = (rest(a, &b.sorted()), rest(b, &a.sorted()));
    if one.is_empty() || two.is_empty() || one.iter().chain(&two).any(|token| is_number(token)) {
        return false;
    }
    a.runs || b.runs || same_word(&one.concat(), &two.concat())
}

/// Whether two different strings are likely one word: they begin alike, and one goes on for a
/// little (a fifth; a quarter where there is no stemmer) or a single letter differs in a long word.
fn same_word(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let ahead = short.iter().zip(long).take_while(|(one, two)| one == two).count();
    if ahead == 0 {
        return false;
    }
    let ascii = a.iter().chain(&b).all(char::is_ascii);
    let (least, parts) = if ascii { (6, 5) } else { (4, 4) };
    if short.len() >= least && ahead * parts >= long.len() * (parts - 1) {
        return true;
    }
    let behind = short.iter().rev().zip(long.iter().rev()).take_while(|(one, two)| one == two).count();
    let behind = behind.min(short.len() - ahead);
    let swapped = short.len() == long.len() && ahead + behind + 2 == long.len() && {
        let at = |of: &[char], i: usize| of.get(i).copied();
        at(short, ahead) == at(long, ahead + 1) && at(short, ahead + 1) == at(long, ahead)
    };
    short.len() >= TYPO_LETTERS && (ahead + behind + 1 >= long.len() || swapped)
}
