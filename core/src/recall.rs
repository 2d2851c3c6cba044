//! stub
#![allow(missing_docs)]
use std::collections::BTreeMap;
#[derive(Debug, Default)]
pub struct Search { docs: BTreeMap<u32, Vec<String>> }
#[derive(Debug)]
pub struct Hit { pub doc: u32, pub score: u32 }
impl Search {
    pub fn new() -> Self { Self::default() }
    pub fn add(&mut self, doc: u32, text: &str) { self.docs.insert(doc, crate::text::search_tokens(text)); }
    pub fn remove(&mut self, doc: u32) { self.docs.remove(&doc); }
    pub fn query_weighted(&self, tokens: &[(String, u32)], limit: usize, filter: impl Fn(u32) -> bool) -> Vec<Hit> {
        let mut hits: Vec<Hit> = self.docs.iter().filter(|(d, _)| filter(**d)).map(|(d, t)| Hit { doc: *d, score: tokens.iter().filter(|(x, _)| t.contains(x)).count() as u32 * 1000 }).filter(|h| h.score > 0).collect();
        hits.sort_by_key(|h| (std::cmp::Reverse(h.score), h.doc)); hits.truncate(limit); hits
    }
}
