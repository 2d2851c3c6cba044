//! Uptake: the words by which a message takes up what was just said.
//!
//! Only words that are about something count: no numbers, no parts of a path, no words of one or two
//! letters. In a script without spaces every two characters are a token, and endings are shared by
//! all sentences; there a run of one sort of character counts, and only when it was said as a whole.

use super::View;
use super::question::Word;
use crate::concept;
use crate::log::Atom;
use crate::text;

/// The words of a message that may have been said before, each as the search tokens that must all be there.
pub(super) fn words(text: &str, words: &[Word]) -> Vec<Vec<String>> {
    let counts =
        |word: &&Word| !text::is_stop_word(&word.lower) && !concept::is_light(&word.lower) && !is_in_path(text, word);
    let runs = words.iter().filter(counts).flat_map(|word| runs(&word.lower));
    let mut out: Vec<Vec<String>> = runs.map(|run| text::word_tokens(&run)).filter(|run| !run.is_empty()).collect();
    out.dedup();
    out
}

/// How many of the words one of the atoms holds.
pub(super) fn shared(words: &[Vec<String>], atoms: &[&Atom], view: View<'_>) -> usize {
    let said =
        |word: &&Vec<String>| atoms.iter().any(|atom| word.iter().all(|token| view.search.has(token, atom.seq.0)));
    words.iter().filter(said).count()
}

/// Whether a word is written without spaces between its parts, so that its length counts words.
pub(super) fn is_unspaced(word: &str) -> bool {
    word.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'))
}

fn is_in_path(text: &str, word: &Word) -> bool {
    let beside = |at: Option<&str>, end: fn(&str) -> Option<char>| at.and_then(end).is_some_and(|c| "/\\_".contains(c));
    beside(text.get(..word.span.0 as usize), |before| before.chars().next_back())
        || beside(text.get(word.span.1 as usize..), |after| after.chars().next())
}

/// A word's runs of characters of one sort, without those that carry endings or count.
fn runs(word: &str) -> Vec<String> {
    let mut out: Vec<(Sort, String)> = Vec::new();
    for c in word.chars() {
        let sort = Sort::of(c);
        match out.last_mut() {
            Some((last, run)) if *last == sort => run.push(c),
            _ => out.push((sort, c.into())),
        }
    }
    let counts = |(sort, run): &(Sort, String)| match sort {
        Sort::Ending => false,
        Sort::Sign => run.chars().count() >= 2,
        Sort::Letter => run.chars().count() >= 3 && !run.starts_with(|c: char| c.is_ascii_digit()),
    };
    out.into_iter().filter(counts).map(|(_, run)| run).collect()
}

/// Characters of Chinese that stand between words and are about nothing.
const FUNCTION: &str = "的是了吗呢吧在有和与我你他她它们这那哪几什么多少怎为就都也还会用来把被从到对之前后请";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Mostly endings and particles.
    Ending,
    /// A character that is a syllable or a word by itself.
    Sign,
    /// A letter of an alphabet, or a digit.
    Letter,
}

impl Sort {
    fn of(c: char) -> Self {
        match c {
            '\u{3041}'..='\u{309f}' => Self::Ending,
            c if FUNCTION.contains(c) => Self::Ending,
            '\u{30a0}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' => Self::Sign,
            _ => Self::Letter,
        }
    }
}
