//! The built-in search: documents that say what a query asks, best first.
//!
//! **Rule:** BM25 over [`text::search_tokens`]. In a conversation (see [`Search::conversation`])
//! what stands beside an answer counts too. A word that no document has is looked for under similar
//! spellings (by its trigrams), and so is a single character of a script without spaces.
//!
//! On the development file of the recall yardstick (a question must find its reply among 331) the
//! hit rates at 1, 5 and 10 are 34.7, 75.2 and 83.4; without neighbours 33.5, 71.6 and 77.3. The
//! constants were chosen on that file; those around them give 73 to 76 and 82 to 84. Tried and left
//! out: a bonus for words that stand together (lowers hit@1), the share of the query that is found
//! (lowers hit@10 without neighbours), less weight for words of asking such as "tell" and "find"
//! (a point at most without neighbours, nothing with them).
//!
//! **Complexity:** a query costs the postings of its tokens; adding, the document's tokens; removing,
//! the postings of its tokens. Logarithms come from `libm` and sums are in order of the query, so
//! scores are the same on every target. Results are integers, thousandths.
//! **Source:** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
//! (2009).
//!
//! ```
//! use diffledger_core::recall::Search;
//! let mut search = Search::new();
//! search.add(0, "The retry queue runs on port 8443.");
//! search.add(1, "Lunch is at noon.");
//! let hits = search.query("which port do the retry queues use?", 5, |_| true);
//! assert_eq!(hits.len(), 1);
//! assert_eq!((hits[0].doc, hits[0].matched.join(" ")), (0, "port retry queue".to_owned()));
//! assert_eq!(search.query("retrry", 5, |_| true)[0].doc, 0);
//! ```

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};

use serde::{Deserialize, Serialize};

use crate::order::{self, Set};
use crate::text;

/// A map without randomness; it is only looked into, never walked.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;

/// How soon more of the same word stops counting. Higher and long lists of one word win.
const K1: f64 = 1.6;

/// How much a document's length counts, 0 to 1. Higher and short remarks win over explanations.
const B: f64 = 0.75;

/// In a conversation, what the score of the next document but n adds to a document's, either way.
/// Higher and the topic's best answer drowns in its surroundings; lower and an answer that does not
/// repeat its question's words is not found.
const BESIDE: [f64; 2] = [0.3, 0.2];

/// Least similarity of trigrams, in thousandths, for a spelling. Lower and strangers answer.
const SIMILAR: usize = 400;

/// How many spellings stand in for a word that no document has.
const SPELLINGS: usize = 3;

/// A document found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// The document.
    pub doc: u32,
    /// How well it answers, in thousandths; only to be compared within one query's hits.
    pub score: u32,
    /// The tokens by which it was found, in the query's order (see [`text::search_tokens`]); none
    /// when it only stands beside what was found.
    pub matched: Vec<String>,
}

/// What a token that occurs so often adds to the score of a document of that length (1 = average).
fn gain(worth: f64, times: u32, length: f64) -> f64 {
    let times = f64::from(times);
    worth * times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * length))
}

/// Documents and where their words are.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// By slot; a removed document's slot stays empty.
    docs: Vec<Option<Doc>>,
    slots: Map<u32, u32>,
    conversation: bool,
    count: u32,
    /// Of all documents together.
    length: u64,
    ids: Map<Box<str>, u32>,
    vocabulary: Vec<Token>,
    spellings: Map<u64, Vec<u32>>,
}

#[derive(Clone, Debug)]
struct Doc {
    id: u32,
    /// How many tokens it has.
    length: u32,
    /// Which, sorted, each once.
    tokens: Box<[u32]>,
}

#[derive(Clone, Debug)]
struct Token {
    text: Box<str>,
    /// Slot and how often, by slot.
    postings: Vec<(u32, u32)>,
    trigrams: u32,
}

/// A token of the query: its number, its weight and what finding it is worth.
struct Wanted {
    token: u32,
    worth: f64,
}

impl Search {
    /// No documents.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No documents. They will be turns of one conversation, added in order: an answer often says
    /// little of its question's words, but the turns around it do. A document that is removed, or
    /// that the filter refuses, keeps its place and counts nothing.
    #[must_use]
    pub fn conversation() -> Self {
        Self { conversation: true, ..Self::default() }
    }

    /// How many documents there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        to_usize(self.count)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a document, in place of the one that had this number.
    pub fn add(&mut self, doc: u32, text: &str) {
        self.remove(doc);
        let Ok(slot) = u32::try_from(self.docs.len()) else { return };
        let mut tokens: Vec<u32> = text::search_tokens(text).iter().map(|token| self.intern(token)).collect();
        let length = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
        order::numbers(&mut tokens);
        for same in tokens.chunk_by(|one, two| one == two) {
            let token = same.first().and_then(|token| self.vocabulary.get_mut(to_usize(*token)));
            let times = u32::try_from(same.len()).unwrap_or(u32::MAX);
            token.into_iter().for_each(|token| token.postings.push((slot, times)));
        }
        tokens.dedup();
        self.length += u64::from(length);
        self.count += 1;
        self.slots.insert(doc, slot);
        self.docs.push(Some(Doc { id: doc, length, tokens: tokens.into() }));
    }

    /// Forgets a document. Says whether there was one.
    pub fn remove(&mut self, doc: u32) -> bool {
        let Some(slot) = self.slots.remove(&doc) else { return false };
        let Some(old) = self.docs.get_mut(to_usize(slot)).and_then(Option::take) else { return false };
        self.length -= u64::from(old.length);
        self.count -= 1;
        for token in old.tokens {
            let Some(token) = self.vocabulary.get_mut(to_usize(token)) else { continue };
            if let Ok(at) = token.postings.binary_search_by_key(&slot, |(slot, _)| *slot) {
                token.postings.remove(at);
            }
        }
        true
    }

    /// How many documents have this token (see [`text::search_tokens`]).
    #[must_use]
    pub fn frequency(&self, token: &str) -> usize {
        self.ids.get(token).map_or(0, |id| self.postings(*id).len())
    }

    /// Whether a document has this token (see [`text::search_tokens`]).
    #[must_use]
    pub fn has(&self, token: &str, doc: u32) -> bool {
        let (Some(token), Some(slot)) = (self.ids.get(token), self.slots.get(&doc)) else { return false };
        self.postings(*token).binary_search_by_key(slot, |(slot, _)| *slot).is_ok()
    }

    /// The documents that pass the filter and answer the text, at most `limit`: highest score first,
    /// then lower number.
    pub fn query(&self, text: &str, limit: usize, filter: impl Fn(u32) -> bool) -> Vec<Hit> {
        let tokens = text::search_tokens(text);
        let weighted: Vec<(&str, u32)> = tokens.iter().map(|token| (token.as_str(), 1000)).collect();
        self.query_weighted(&weighted, limit, filter)
    }

    /// [`Search::query`] for tokens (see [`text::search_tokens`]) with weights in thousandths, so that
    /// context can count less than the message. A token that comes twice has both weights.
    pub fn query_weighted(&self, tokens: &[(&str, u32)], limit: usize, filter: impl Fn(u32) -> bool) -> Vec<Hit> {
        let wanted = self.wanted(tokens);
        let (mut scores, mut found) = self.own_scores(&wanted, &filter);
        if self.conversation {
            self.add_neighbours(&mut scores, &mut found, &filter);
        }
        let score_of = |slot: u32| scores.get(to_usize(slot)).map_or(0, |score| thousandths(*score));
        // The worst is on top, where the next better one takes its place.
        let mut best: BinaryHeap<(Reverse<u32>, u32, u32)> = BinaryHeap::new();
        for slot in found {
            let Some(doc) = self.doc(slot) else { continue };
            let hit = (Reverse(score_of(slot)), doc.id, slot);
            if best.len() < limit {
                best.push(hit);
            } else if let Some(mut worst) = best.peek_mut().filter(|worst| hit < **worst) {
                *worst = hit;
            }
        }
        let hits = best.into_sorted_vec().into_iter();
        hits.map(|(score, doc, slot)| Hit { doc, score: score.0, matched: self.matched(&wanted, slot) }).collect()
    }

    /// How well these few documents answer the tokens: [`Search::query`] without spellings and
    /// neighbours, at a cost that grows with the documents asked for and not with those there are.
    #[must_use]
    pub fn query_among(&self, tokens: &[String], docs: &[u32]) -> Vec<Hit> {
        let known: Set<u32> = tokens.iter().filter_map(|token| self.ids.get(token.as_str()).copied()).collect();
        let wanted: Vec<Wanted> = known
            .as_slice()
            .iter()
            .map(|&token| Wanted { token, worth: self.rarity(token) })
            .filter(|want| want.worth > 0.0)
            .collect();
        let average = self.average_length();
        let score = |slot: u32| -> f64 {
            let Some(doc) = self.doc(slot) else { return 0.0 };
            let times = |token: u32| {
                let postings = self.postings(token);
                postings
                    .binary_search_by_key(&slot, |(slot, _)| *slot)
                    .ok()
                    .and_then(|at| postings.get(at))
                    .map_or(0, |(_, times)| *times)
            };
            wanted.iter().map(|want| gain(want.worth, times(want.token), f64::from(doc.length) / average)).sum()
        };
        let slots = docs.iter().filter_map(|doc| self.slots.get(doc).map(|slot| (*doc, *slot)));
        let scored = slots.map(|(doc, slot)| (thousandths(score(slot)), doc, slot)).filter(|(score, ..)| *score > 0);
        let mut hits: Vec<Hit> =
            scored.map(|(score, doc, slot)| Hit { doc, score, matched: self.matched(&wanted, slot) }).collect();
        order::by_key(&mut hits, |hit| (Reverse(hit.score), hit.doc));
        hits
    }

    fn average_length(&self) -> f64 {
        to_f64(self.length) / f64::from(self.count.max(1))
    }

    /// BM25 by slot, and the slots that have a score.
    fn own_scores(&self, wanted: &[Wanted], filter: impl Fn(u32) -> bool) -> (Vec<f64>, Vec<u32>) {
        let mut scores = vec![0.0_f64; self.docs.len()];
        let mut found = Vec::new();
        let average = self.average_length();
        for want in wanted.iter().filter(|want| want.worth > 0.0) {
            for (slot, times) in self.postings(want.token) {
                let (Some(score), Some(doc)) = (scores.get_mut(to_usize(*slot)), self.doc(*slot)) else { continue };
                if *score == 0.0 {
                    if !filter(doc.id) {
                        continue;
                    }
                    found.push(*slot);
                }
                *score += gain(want.worth, *times, f64::from(doc.length) / average);
            }
        }
        (scores, found)
    }

    /// Adds to every document's score those beside it, and to the slots found those around.
    fn add_neighbours(&self, scores: &mut [f64], found: &mut Vec<u32>, filter: impl Fn(u32) -> bool) {
        let own = scores.to_owned();
        let mut seen = vec![false; own.len()];
        let centres = std::mem::take(found);
        for slot in centres.into_iter().flat_map(|slot| slot.saturating_sub(2)..=slot.saturating_add(2)) {
            let at = to_usize(slot);
            let (Some(seen), Some(score), Some(doc)) = (seen.get_mut(at), scores.get_mut(at), self.doc(slot)) else {
                continue;
            };
            if std::mem::replace(seen, true) || (*score == 0.0 && !filter(doc.id)) {
                continue;
            }
            let of = |at: Option<usize>| at.and_then(|at| own.get(at)).copied().unwrap_or_default();
            for (share, distance) in BESIDE.into_iter().zip(1..) {
                *score += share * (of(at.checked_sub(distance)) + of(at.checked_add(distance)));
            }
            found.push(slot);
        }
    }

    /// The query's tokens, each once, in order, with spellings for those that no document has.
    fn wanted(&self, tokens: &[(&str, u32)]) -> Vec<Wanted> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut places: Map<u32, usize> = Map::default();
        let mut want = |token: u32, weight: f64| {
            let worth = weight * self.rarity(token);
            match places.get(&token).and_then(|at| wanted.get_mut(*at)) {
                Some(before) => before.worth += worth,
                None => {
                    places.insert(token, wanted.len());
                    wanted.push(Wanted { token, worth });
                }
            }
        };
        for (token, weight) in tokens {
            let weight = f64::from(*weight) / 1000.0;
            match self.ids.get(*token) {
                Some(id) if !self.postings(*id).is_empty() => want(*id, weight),
                _ => {
                    for (id, similar) in self.spelt_like(token) {
                        want(id, weight * to_f64(wide(similar)) / 1000.0);
                    }
                }
            }
        }
        wanted
    }

    /// Tokens that look like this one: similarity in thousandths, best first, then by the alphabet
    /// (and not by age, so that a removed document leaves no trace).
    fn spelt_like(&self, token: &str) -> Vec<(u32, usize)> {
        let trigrams = spelling(token);
        let mut hits: Vec<u32> = trigrams.iter().filter_map(|t| self.spellings.get(t)).flatten().copied().collect();
        order::numbers(&mut hits);
        let groups = hits.chunk_by(|one, two| one == two);
        let mut found: Vec<(Reverse<usize>, &str, u32)> = groups
            .filter_map(|group| {
                let id = *group.first()?;
                let token = self.vocabulary.get(to_usize(id)).filter(|token| !token.postings.is_empty())?;
                let all = trigrams.len() + to_usize(token.trigrams) - group.len();
                let similar = group.len() * 1000 / all.max(1);
                (similar >= SIMILAR).then_some((Reverse(similar), &*token.text, id))
            })
            .collect();
        order::sort(&mut found);
        found.truncate(SPELLINGS);
        found.into_iter().map(|(similar, _, id)| (id, similar.0)).collect()
    }

    /// What finding a token is worth: the fewer documents have it, the more.
    fn rarity(&self, token: u32) -> f64 {
        let have = to_f64(wide(self.postings(token).len()));
        libm::log(1.0 + (f64::from(self.count) - have + 0.5) / (have + 0.5))
    }

    fn matched(&self, wanted: &[Wanted], slot: u32) -> Vec<String> {
        let here = |want: &&Wanted| self.postings(want.token).binary_search_by_key(&slot, |(slot, _)| *slot).is_ok();
        let tokens = wanted.iter().filter(here).filter_map(|want| self.vocabulary.get(to_usize(want.token)));
        tokens.map(|token| token.text.to_string()).collect()
    }

    fn doc(&self, slot: u32) -> Option<&Doc> {
        self.docs.get(to_usize(slot))?.as_ref()
    }

    fn postings(&self, token: u32) -> &[(u32, u32)] {
        self.vocabulary.get(to_usize(token)).map_or(&[], |token| &token.postings)
    }

    fn intern(&mut self, token: &str) -> u32 {
        if let Some(id) = self.ids.get(token) {
            return *id;
        }
        let id = u32::try_from(self.vocabulary.len()).unwrap_or(u32::MAX);
        let trigrams = spelling(token);
        self.ids.insert(token.into(), id);
        self.vocabulary.push(Token {
            text: token.into(),
            postings: Vec::new(),
            trigrams: u32::try_from(trigrams.len()).unwrap_or(u32::MAX),
        });
        for trigram in trigrams {
            self.spellings.entry(trigram).or_default().push(id);
        }
        id
    }
}

/// What a token looks like: its trigrams with its ends marked. For pairs and single characters of
/// scripts without spaces, the characters.
fn spelling(token: &str) -> Vec<u64> {
    if token.starts_with(text::is_run_script) {
        let mut characters: Vec<u64> = token.chars().map(|c| u64::from(u32::from(c))).collect();
        order::numbers(&mut characters);
        characters.dedup();
        return characters;
    }
    if token.contains(char::is_numeric) || token.chars().count() < 4 {
        return Vec::new();
    }
    text::trigrams(&format!("\u{2}{token}\u{3}"))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range first")]
fn thousandths(score: f64) -> u32 {
    (score * 1000.0 + 0.5).clamp(0.0, 4_000_000_000.0) as u32
}

/// Exact up to 2^53, which no length reaches.
#[expect(clippy::cast_precision_loss, reason = "see above")]
const fn to_f64(n: u64) -> f64 {
    n as f64
}

const fn wide(n: usize) -> u64 {
    n as u64
}

const fn to_usize(n: u32) -> usize {
    n as usize
}

#[cfg(test)]
mod tests;
