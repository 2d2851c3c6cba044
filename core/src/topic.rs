//! What a message is about: the things that it is the first to name.
//!
//! A message brings one topic, the first phrase or name that is new with it; a message with a numbered
//! list brings one for each item. "The second thing" and "#3" count these, over the whole session.

use crate::concept::ConceptKind;
use crate::ledger::Entry;
use crate::text;

/// The ids of the topics of a text, in order. `told` are the entries that it tells about, `is_new` says
/// which it is the first to name.
pub(crate) fn topics(text: &str, told: &[&Entry], is_new: impl Fn(&Entry) -> bool) -> Vec<u32> {
    let items = text.find("1.").map(|at| enumerated(text.get(at..).unwrap_or_default())).unwrap_or_default();
    if items.is_empty() {
        let fresh = told.iter().filter(|entry| is_new(entry) && is_nameable(entry));
        let first =
            fresh.min_by_key(|entry| (entry.kind == ConceptKind::Term && !entry.concept.contains(' '), entry.id));
        return first.map(|entry| entry.id).into_iter().collect();
    }
    let named = items.into_iter().filter_map(|item| first_in(item, told.iter().copied()));
    named.filter(|entry| is_new(entry)).map(|entry| entry.id).collect()
}

/// Whether an entry can be what a message was about: a number or a quotation alone is not.
pub(crate) fn is_nameable(entry: &Entry) -> bool {
    !matches!(entry.kind, ConceptKind::Quantity | ConceptKind::Quote)
}

/// The first entry that a piece of a text names, phrases and names before single words.
pub(crate) fn first_in<'a>(piece: &str, told: impl IntoIterator<Item = &'a Entry>) -> Option<&'a Entry> {
    let named = told.into_iter().filter(|entry| is_nameable(entry));
    let placed = named.filter_map(|entry| entry.find_in(piece).map(|at| (at, entry)));
    placed.min_by_key(|(at, entry)| (*at, std::cmp::Reverse(entry.concept.len()))).map(|(_, entry)| entry)
}

/// The items of a numbered list that begins right here ("1. … 2. …"), on one line or on several.
pub(crate) fn enumerated(text: &str) -> Vec<&str> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for number in 1..=20u32 {
        let from = starts.last().map_or(0, |(_, end)| *end);
        let found = [". ", ") "].iter().filter_map(|mark| {
            let label = format!("{number}{mark}");
            text::contains_whole(text.get(from..)?, label.trim_end()).map(|at| (from + at, from + at + label.len()))
        });
        match found.min() {
            // The list belongs to the verb when it begins within a few words of it.
            Some((at, end)) if number > 1 || at < 24 => starts.push((at, end.min(text.len()))),
            _ => break,
        }
    }
    if starts.len() < 2 {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain(std::iter::once(text.len()));
    starts.iter().zip(ends).filter_map(|((_, from), to)| text.get(*from..to)).collect()
}

#[cfg(test)]
mod tests {
    use super::enumerated;

    #[test]
    fn a_numbered_list_is_its_items_and_a_number_is_none() {
        assert_eq!(enumerated(" 1. the tunnel 2. the queue"), ["the tunnel ", "the queue"].map(|s| s.trim_start()));
        assert_eq!(enumerated("1) one\n2) two\n3) three").len(), 3);
        assert!(enumerated("version 1. Then more").is_empty());
        assert!(enumerated("no list").is_empty());
    }
}
