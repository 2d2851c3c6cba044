//! Putting things in order: one stable merge sort for all types.
//!
//! The sorts of the standard library are compiled anew for each type and comparison, several
//! kilobytes a time, and came to a tenth of the wasm. Here the sort works on positions, once, and only
//! the moving of the items is per type. Plain numbers keep the standard sort, which is faster.
//! Cost: n log n comparisons, a position twice for each item.

/// Sorts by the items' own order.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    let order = positions(items.len(), &|a, b| items.get(a) < items.get(b));
    arrange(items, order);
}

/// Sorts by a key that is cheap to compute; equal keys stay in their order.
pub(crate) fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let order = positions(items.len(), &|a, b| items.get(a).map(&key) < items.get(b).map(&key));
    arrange(items, order);
}

/// [`by_key`] for a key that is not cheap: computed once for each item.
pub(crate) fn by_cached_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = items.iter().map(key).collect();
    arrange(items, positions(keys.len(), &|a, b| keys.get(a) < keys.get(b)));
}

/// Sorts numbers, or what is a number inside.
pub(crate) fn numbers<T: Ord + Copy>(items: &mut [T]) {
    items.sort_unstable();
}

/// The positions in the order in which the items there belong.
fn positions(count: usize, is_before: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = Vec::with_capacity(count);
    let mut width = 1;
    while width < count {
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            while let ([first, others @ ..], [second, rest @ ..]) = (left, right) {
                if is_before(*second, *first) {
                    merged.push(*second);
                    right = rest;
                } else {
                    merged.push(*first);
                    left = others;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        width *= 2;
    }
    order
}

/// Moves each item to its place, along the cycles of the permutation.
fn arrange<T>(items: &mut [T], mut order: Vec<usize>) {
    for start in 0..items.len() {
        let mut at = start;
        while let Some(slot) = order.get_mut(at) {
            let from = std::mem::replace(slot, at);
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Distinct numbers, in order: a set that is made once, or grows at its end, and is asked.
#[derive(Clone, Debug)]
pub(crate) struct Set<T>(Vec<T>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ord + Copy> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items: Vec<T> = items.into_iter().collect();
        numbers(&mut items);
        items.dedup();
        Self(items)
    }
}

impl<T: Ord + Copy> Set<T> {
    pub(crate) fn contains(&self, item: &T) -> bool {
        self.0.binary_search(item).is_ok()
    }

    /// Adds one; whether it is new. Those after it move, so it is cheap at the end and in short sets.
    pub(crate) fn insert(&mut self, item: T) -> bool {
        match self.0.binary_search(&item) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, item);
                true
            }
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.0
    }
}

/// Which of the ids that are given out from 0 on are in: a flag for each up to the highest.
#[derive(Debug, Default)]
pub(crate) struct Ids(Vec<bool>);

impl Ids {
    /// Adds one; whether it is new.
    pub(crate) fn insert(&mut self, id: usize) -> bool {
        self.0.resize(self.0.len().max(id.saturating_add(1)), false);
        self.0.get_mut(id).is_some_and(|is_in| !std::mem::replace(is_in, true))
    }

    pub(crate) fn contains(&self, id: usize) -> bool {
        self.0.get(id).copied() == Some(true)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_the_stable_standard_sort(items: Vec<(u8, u16)>) {
            let (mut ours, mut theirs) = (items.clone(), items.clone());
            by_key(&mut ours, |item| item.0 / 8);
            theirs.sort_by_key(|item| item.0 / 8);
            prop_assert_eq!(&ours, &theirs);
            let mut cached = items;
            by_cached_key(&mut cached, |item| item.0 / 8);
            prop_assert_eq!(&cached, &theirs);
            sort(&mut ours);
            theirs.sort();
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn a_set_holds_each_once_in_order(items: Vec<u8>) {
            let set: Set<u8> = items.iter().copied().collect();
            prop_assert!(set.as_slice().is_sorted_by(|one, two| one < two));
            prop_assert!((0..=u8::MAX).all(|item| set.contains(&item) == items.contains(&item)));
            let mut grown = Set::default();
            let new = items.iter().filter(|item| grown.insert(**item)).count();
            prop_assert_eq!((grown.as_slice(), new), (set.as_slice(), set.as_slice().len()));
        }

        #[test]
        fn an_id_is_in_once_it_was_added(items: Vec<u8>) {
            let mut ids = Ids::default();
            for (at, item) in items.iter().enumerate() {
                prop_assert_eq!(ids.insert((*item).into()), !items[..at].contains(item));
            }
            prop_assert!((0..=u8::MAX).all(|item| ids.contains(item.into()) == items.contains(&item)));
            prop_assert_eq!(ids.is_empty(), items.is_empty());
        }
    }
}
