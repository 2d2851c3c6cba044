//! One lookup in the index.

use super::index::{Entry, Fuzzy, Index, to_usize};
use super::term::{Profile, RARE, Side, is_spelling, subset};
use super::{Match, Rule, reaches};
use crate::config::Matching;
use crate::order;

/// One lookup: which entries were judged, and what was found.
pub(super) struct Search<'a> {
    index: &'a Index,
    done: Vec<bool>,
    pub(super) found: Vec<(u32, Match)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(index: &'a Index) -> Self {
        Self { index, done: vec![false; index.entries.len()], found: Vec::new() }
    }

    pub(super) fn judge_all(&mut self, slots: Option<&Vec<u32>>, judge: impl Fn(&Entry) -> Option<Match>) {
        for slot in slots.into_iter().flatten() {
            self.judge(*slot, &judge);
        }
    }

    fn judge(&mut self, slot: u32, judge: impl Fn(&Entry) -> Option<Match>) {
        let at = to_usize(slot);
        let (Some(entry), Some(done)) = (self.index.entries.get(at), self.done.get_mut(at)) else { return };
        if !*done && let Some(found) = judge(entry) {
            *done = true;
            self.found.push((entry.id, found));
        }
    }

    /// Rule 2: entries whose tokens are all the query's, or the other way round.
    pub(super) fn by_tokens(&mut self, query: &Fuzzy) {
        let index = self.index;
        let ids = &query.ids;
        let (hits, touched) =
            self.count(ids.iter().map(|id| index.by_token.get(to_usize(*id)).map_or(&[][..], Vec::as_slice)));
        let ours = Side {
            tokens: ids,
            numbers: query.profile.numbers(),
            weight: query.profile.weight,
            short: query.profile.is_short(),
        };
        let is_common = |id: u32| index.by_token.get(to_usize(id)).is_some_and(|postings| postings.len() > RARE);
        for slot in touched {
            let Some(entry) = index.entries.get(to_usize(slot)) else { continue };
            let sizes = (ids.len().min(entry.tokens.len()), ids.len().max(entry.tokens.len()));
            if hits.get(to_usize(slot)).is_none_or(|count| to_usize(*count) < sizes.0) {
                continue;
            }
            self.judge(slot, |entry| {
                let theirs = Side {
                    tokens: &entry.tokens,
                    numbers: to_usize(entry.numbers),
                    weight: to_usize(entry.weight),
                    short: entry.short,
                };
                let refined = index.config.matching == Matching::Refined;
                let counts = if refined { subset(ours, theirs, is_common) } else { Some(sizes) };
                counts.map(|(shared, total)| Match::new(Rule::TokenSubset, shared, total))
            });
        }
    }

    /// Rule 3, by prefix filter: to reach the threshold an entry must have one of the query's rarest
    /// few trigrams, and so many of those that the others can make up what its size asks for.
    pub(super) fn by_trigrams(&mut self, query: &Fuzzy) {
        let (index, size) = (self.index, query.trigrams.len());
        let threshold = to_usize(index.config.jaccard);
        let mut lists: Vec<&[u32]> =
            query.trigrams.iter().map(|trigram| index.trigrams.get(trigram).map_or(&[][..], Vec::as_slice)).collect();
        order::by_key(&mut lists, |list| list.len());
        let others = (threshold * size).div_ceil(1000).saturating_sub(1);
        let (rare, others) = lists.split_at_checked(size.saturating_sub(others)).unwrap_or((&lists, &[]));
        let (hits, touched) = self.count(rare.iter().copied());
        for slot in touched {
            let Some(entry) = index.entries.get(to_usize(slot)) else { continue };
            let all = size + to_usize(entry.trigrams);
            let needed = (threshold * all).div_ceil(1000 + threshold);
            let mut shared = hits.get(to_usize(slot)).map_or(0, |count| to_usize(*count));
            for (list, left) in others.iter().zip((1..=others.len()).rev()) {
                if shared + left < needed {
                    break;
                }
                shared += usize::from(list.binary_search(&slot).is_ok());
            }
            let refined = index.config.matching == Matching::Refined;
            if !reaches(shared, all - shared, index.config.jaccard) || (refined && !index.may_be_spelling(query, entry))
            {
                continue;
            }
            self.judge(slot, |entry| {
                let spelt = !refined || is_spelling(&query.profile, &Profile::new(&entry.text));
                spelt.then(|| Match::new(Rule::Jaccard, shared, all - shared))
            });
        }
    }

    /// How often each entry is in the lists, and which are.
    fn count<'l>(&self, lists: impl Iterator<Item = &'l [u32]>) -> (Vec<u32>, Vec<u32>) {
        let mut hits = vec![0_u32; self.index.entries.len()];
        let mut touched = Vec::new();
        for slot in lists.flatten() {
            if let Some(count) = hits.get_mut(to_usize(*slot)) {
                if *count == 0 {
                    touched.push(*slot);
                }
                *count += 1;
            }
        }
        (hits, touched)
    }
}
