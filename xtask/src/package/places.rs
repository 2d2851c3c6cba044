//! The places in the sources that panics would name: dead once [`super::panics`] has made traps of
//! them, and paths of the machine that built the wasm. They are blanked, and wasm-opt drops what is
//! blank.
//!
//! A place is a `core::panic::Location`: four aligned words that are a path's address and length, a
//! line and a column. The path ends in `.rs` and a zero byte, which no other string of Rust has.

use std::ops::Range;

use walrus::ir::Value;
use walrus::{ConstExpr, DataId, DataKind, Module};

const WORD: usize = 4;
/// More than the lines of any source, and than its columns; less than the address of any data.
const LINES: usize = 1 << 18;

/// Blanks every place and its path. How many there are.
pub(super) fn blank(module: &mut Module) -> usize {
    let all: Vec<DataId> = module.data.iter().map(walrus::Data::id).collect();
    let mut count = 0;
    for id in all {
        let data = module.data.get_mut(id);
        if let DataKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. } = data.kind {
            count += blank_in(&mut data.value, usize::try_from(start).unwrap_or(0));
        }
    }
    count
}

/// The same in data that begins at the address `start`.
fn blank_in(data: &mut [u8], start: usize) -> usize {
    let first = start.next_multiple_of(WORD) - start;
    let places = (first..data.len()).step_by(WORD);
    let found: Vec<_> = places.filter_map(|at| Some((at..at + 4 * WORD, path_of(data, start, at)?))).collect();
    for (place, path) in &found {
        data[place.clone()].fill(0);
        data[path.clone()].fill(0);
    }
    found.len()
}

/// Where the path lies, when a place begins at `at`.
fn path_of(data: &[u8], start: usize, at: usize) -> Option<Range<usize>> {
    let word = |number: usize| {
        let bytes = data.get(at + number * WORD..)?.first_chunk::<WORD>()?;
        usize::try_from(u32::from_le_bytes(*bytes)).ok()
    };
    let (address, length, line, column) = (word(0)?, word(1)?, word(2)?, word(3)?);
    let from = address.checked_sub(start)?;
    let path = from..from.checked_add(length)?;
    let is_path = data.get(path.clone())?.ends_with(b".rs") && data.get(path.end) == Some(&0);
    (is_path && (1..LINES).contains(&line) && (1..LINES).contains(&column)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u32 = 1 << 20;

    /// What is left of data that is a text and then these words, and how many places were in it.
    fn left(text: &str, words: [u32; 4]) -> (usize, Vec<u8>) {
        let mut module = Module::default();
        let memory = module.memories.add_local(false, false, 17, None, None);
        let offset = ConstExpr::Value(Value::I32(START.cast_signed()));
        let data = text.bytes().chain(words.into_iter().flat_map(u32::to_le_bytes)).collect();
        let id = module.data.add(DataKind::Active { memory, offset }, data);
        (blank(&mut module), module.data.get(id).value.clone())
    }

    #[test]
    fn what_is_no_place_stays_as_it_is() {
        for (text, words) in [
            ("src/a.txt\0--", [START, 9, 7, 5]),
            ("src/a.rs----", [START, 8, 7, 5]),
            ("src/a.rs\0---", [START, 8, 0, 5]),
            ("src/a.rs\0---", [START, 8, 7, 0]),
            ("src/a.rs\0---", [START, 8, START, 8]),
            ("src/a.rs\0---", [START + 100, 8, 7, 5]),
            ("src/a.rs\0---", [START - 1, 8, 7, 5]),
            ("src/a.rs\0---", [START, u32::MAX, 7, 5]),
            ("src/a.rs\0--", [START, 8, 7, 5]),
        ] {
            let (count, data) = left(text, words);
            assert_eq!(count, 0, "{text} {words:?}");
            let as_it_was: Vec<u8> = text.bytes().chain(words.into_iter().flat_map(u32::to_le_bytes)).collect();
            assert_eq!(data, as_it_was, "{text} {words:?}");
        }
    }

    #[test]
    fn a_place_is_blanked_with_its_path_and_nothing_else() {
        let (count, data) = left("src/a.rs\0---", [START, 8, 7, 5]);
        assert_eq!(count, 1);
        assert_eq!(data, [b"\0\0\0\0\0\0\0\0\0---".as_slice(), &[0; 16]].concat());
    }
}
