//! What a value was at each frame, kept as its changes: the page can stand at any frame at the cost
//! of a binary search.

/// The changes of one value, by frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<T>(Vec<(u32, T)>);

impl<T> Default for History<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> History<T> {
    /// Says what the value is from `frame` on; frames come in order.
    pub fn set(&mut self, frame: usize, value: T) {
        if self.0.last().is_none_or(|(_, last)| *last != value) {
            self.0.push((u32::try_from(frame).unwrap_or(u32::MAX), value));
        }
    }

    /// The value at `frame`, and the frame since which it is so; `None` before the first.
    #[must_use]
    pub fn at(&self, frame: usize) -> Option<(usize, &T)> {
        let next = self.0.partition_point(|(since, _)| *since as usize <= frame);
        self.0.get(next.checked_sub(1)?).map(|(since, value)| (*since as usize, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_holds_from_its_change_to_the_next() {
        let mut history = History::default();
        history.set(2, 'a');
        history.set(3, 'a');
        history.set(5, 'b');
        assert_eq!(history.at(1), None);
        assert_eq!(history.at(2), Some((2, &'a')));
        assert_eq!(history.at(4), Some((2, &'a')));
        assert_eq!(history.at(5), Some((5, &'b')));
        assert_eq!(history.at(9), Some((5, &'b')));
    }
}
