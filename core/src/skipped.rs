//! What was not understood or not taken, counted by kind, in the order of the kinds' names.
//!
//! Kinds are few, so they stand in a sorted list. Cost: that of a search for each count, and of moving
//! the kinds behind it for each new one.
//!
//! ```
//! use diffledger_core::skipped::Skipped;
//! let mut skipped = Skipped::default();
//! skipped.add("sidechain", 2);
//! skipped.add("brokenLine", 1);
//! skipped.add("sidechain", 1);
//! assert_eq!(skipped.iter().collect::<Vec<_>>(), [("brokenLine", 1), ("sidechain", 3)]);
//! ```

use serde::{Serialize, Serializer};

use crate::json::{ToJson, Writer};

/// Kinds of things with how many of each were skipped; one that is not here was not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped(Vec<(String, u32)>);

impl Skipped {
    /// Counts `count` things of a kind; none at all is no kind.
    pub fn add(&mut self, kind: &str, count: u32) {
        if count == 0 {
            return;
        }
        match self.place(kind) {
            Ok(at) => {
                if let Some((_, known)) = self.0.get_mut(at) {
                    *known = known.saturating_add(count);
                }
            }
            Err(at) => self.0.insert(at, (kind.to_owned(), count)),
        }
    }

    /// How many of a kind were skipped.
    #[must_use]
    pub fn get(&self, kind: &str) -> u32 {
        self.place(kind).ok().and_then(|at| self.0.get(at)).map_or(0, |(_, count)| *count)
    }

    /// How many kinds there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was skipped.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kinds with their counts, in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> {
        self.0.iter().map(|(kind, count)| (kind.as_str(), *count))
    }

    fn place(&self, kind: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(kind))
    }
}

/// As an object, in the order of the kinds' names.
impl Serialize for Skipped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl ToJson for Skipped {
    fn to_json(&self, to: &mut Writer) {
        let mut object = to.object();
        for (kind, count) in self.iter() {
            object.field(kind, &count);
        }
        object.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_no_kind_and_too_much_stays_at_the_most() {
        let mut skipped = Skipped::default();
        skipped.add("b", 0);
        assert!(skipped.is_empty());
        skipped.add("b", u32::MAX);
        skipped.add("b", 1);
        assert_eq!((skipped.len(), skipped.get("b"), skipped.get("a")), (1, u32::MAX, 0));
    }

    #[test]
    fn json_has_the_kinds_in_the_order_of_their_names() {
        let mut skipped = Skipped::default();
        for kind in ["b", "a", "c"] {
            skipped.add(kind, 1);
        }
        assert_eq!(serde_json::to_string(&skipped).unwrap(), r#"{"a":1,"b":1,"c":1}"#);
    }
}
