//! Content tokens for matching and search, and character trigrams.

use super::scripts::{Script, is_run_script, script};
use super::{canonical::fold, stem::stem, stop::is_stop_word, words::words};
use crate::order;

/// The content tokens of a text for matching, in order, with repeats: words folded and stemmed, stop
/// words dropped; runs of Han, Kana, Hangul (and Thai and its neighbours) as overlapping pairs of
/// characters, a single character by itself.
#[must_use]
pub fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::with_capacity(text.len() / 6);
    for word in words(text) {
        push_word(word.text, &mut found);
    }
    found
}

/// The tokens of a text for search: those of [`tokens`], and for a name also its parts (see
/// [`parts`]), so that "watch agents" finds `WatchAgents` and "entities" finds `Entities.cpp`.
#[must_use]
pub fn search_tokens(text: &str) -> Vec<String> {
    let mut found = Vec::with_capacity(text.len() / 5);
    for word in words(text) {
        push_word(word.text, &mut found);
        for part in parts(word.text) {
            push_word(part, &mut found);
        }
    }
    found
}

/// The tokens of one word (see [`super::words`]): none for a stop word, several for a run of a
/// script without spaces.
#[must_use]
pub fn word_tokens(word: &str) -> Vec<String> {
    let mut found = Vec::with_capacity(1);
    push_word(word, &mut found);
    found
}

fn push_word(word: &str, found: &mut Vec<String>) {
    let folded = fold(word);
    if !folded.is_ascii() && folded.contains(|c| is_run_script(c) || script(c) == Script::Hangul) {
        push_pairs(&folded, found);
        return;
    }
    let base = folded.strip_suffix("'s").unwrap_or(&folded);
    let is_stop = is_stop_word(&folded) || (base.len() < folded.len() && (base.is_empty() || is_stop_word(base)));
    if !is_stop {
        found.push(stem(base));
    }
}

fn push_pairs(run: &str, found: &mut Vec<String>) {
    let mut starts = run.char_indices().map(|(at, _)| at).chain([run.len()]);
    let (Some(mut one), Some(mut two)) = (starts.next(), starts.next()) else { return };
    let mut any = false;
    for three in starts {
        found.extend(run.get(one..three).map(str::to_owned));
        (one, two, any) = (two, three, true);
    }
    if !any {
        found.extend(run.get(one..two).map(str::to_owned));
    }
}

/// The parts of a name: `snake_case`, `camelCase`, `HTTPServer`, `config.toml`. None when there is
/// nothing to part; parts are at least two characters long and start with a letter.
#[must_use]
pub fn parts(name: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let seam = |c: char| matches!(c, '_' | '.' | '$') || c.is_uppercase();
    if !name.chars().skip(1).any(seam) {
        return found;
    }
    for piece in name.split(['_', '.', '\'', '’', '$']) {
        let mut start = 0;
        let mut before = (false, false);
        let mut chars = piece.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let upper = c.is_uppercase();
            let lower_next = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
            let (was_lower, was_upper) = before;
            if at > start && upper && (was_lower || (was_upper && lower_next)) {
                found.extend(piece.get(start..at));
                start = at;
            }
            before = (c.is_lowercase() || c.is_ascii_digit(), upper);
        }
        found.extend(piece.get(start..));
    }
    if found.len() < 2 || name.contains(['\'', '’']) {
        return Vec::new();
    }
    found.retain(|part| part.len() > 1 && part.len() < name.len() && part.starts_with(char::is_alphabetic));
    found
}

/// The distinct character trigrams, sorted, each packed into one number (21 bits a character).
/// Empty for a text of fewer than three characters.
#[must_use]
pub fn trigrams(text: &str) -> Vec<u64> {
    const MASK: u64 = (1 << 63) - 1;
    let mut packed = 0;
    let mut found: Vec<u64> = Vec::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        packed = ((packed << 21) | u64::from(u32::from(c))) & MASK;
        if at >= 2 {
            found.push(packed);
        }
    }
    order::numbers(&mut found);
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_tokens_are_folded_stemmed_and_without_stop_words() {
        assert_eq!(tokens("How do the Retry Queues of Bob's API work?"), ["retry", "queue", "bob", "api", "work"]);
        assert_eq!(tokens("C++ or Go, R and k8s"), ["c++", "go", "r", "k8s"]);
        assert_eq!(tokens("dead-letter queue"), tokens("Dead letter queues"));
        assert_eq!(tokens("what's it"), Vec::<String>::new());
    }

    #[test]
    fn runs_become_pairs() {
        assert_eq!(tokens("数据库 池"), ["数据", "据库", "池"]);
        assert_eq!(tokens("재시도 큐"), ["재시", "시도", "큐"]);
    }

    #[test]
    fn names_give_their_parts_to_search() {
        assert_eq!(parts("WatchAgents"), ["Watch", "Agents"]);
        assert_eq!(parts("HTTPServer_v2"), ["HTTP", "Server", "v2"]);
        assert_eq!(parts("config.toml"), ["config", "toml"]);
        assert_eq!(parts("3.11"), Vec::<&str>::new());
        assert_eq!(parts("queue"), Vec::<&str>::new());
        assert_eq!(parts("don't"), Vec::<&str>::new());
        assert_eq!(search_tokens("src/Entities.cpp"), ["src", "entities.cpp", "entity", "cpp"]);
        assert_eq!(search_tokens("NPC_FLAG"), ["npc_flag", "npc", "flag"]);
    }

    #[test]
    fn trigrams_are_sorted_distinct_and_of_characters() {
        assert!(trigrams("ab").is_empty());
        assert_eq!(trigrams("aaaa").len(), 1);
        assert_eq!(trigrams("数据库连").len(), 2);
        assert!(trigrams("the retry queue").is_sorted());
    }
}
