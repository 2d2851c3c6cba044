//! Whole occurrences of one text in another.

use super::scripts::{is_mark, is_run_script};

/// The first byte where `needle` stands in `haystack` as a whole, comparing exactly.
///
/// A boundary is needed only where the needle's own end is a letter or digit: `8443` is not in
/// `84431`, `npcflag` not in `npcflags`, `3` not in `3.11`, `--json` not in `--json-lines`. Scripts
/// without spaces have no boundaries, so 数据库 is in 数据库连接池. A path's part counts:
/// `src/game` is in `src/game/x.cpp`. An empty needle is nowhere.
#[must_use]
pub fn contains_whole(haystack: &str, needle: &str) -> Option<usize> {
    let (first, last) = (needle.chars().next()?, needle.chars().next_back()?);
    let option = first == '-';
    let mut from = 0;
    while let Some(found) = haystack.get(from..).and_then(|rest| rest.find(needle)) {
        let at = from + found;
        let before = haystack.get(..at).unwrap_or_default();
        let after = haystack.get(at + needle.len()..).unwrap_or_default();
        let left = !continues(before.chars().rev(), first, false);
        let left = left && !(option && before.ends_with(|c: char| c == '-' || is_word(c)));
        if left && !continues(after.chars(), last, option) {
            return Some(at);
        }
        let rest = haystack.get(at..).unwrap_or_default();
        // A needle that starts with a letter starts where a word does: skip the rest of this one.
        let skip = |c: char| is_word(first) && !is_run_script(first) && is_word(c) && !is_run_script(c);
        let step = rest.char_indices().skip(1).find(|(_, c)| !skip(*c));
        from = at + step.map_or(rest.len(), |(step, _)| step);
    }
    None
}

/// Whether what lies outside, seen from the needle's end outwards, carries the same word on.
fn continues(mut outside: impl Iterator<Item = char>, end: char, option: bool) -> bool {
    if !is_word(end) || is_run_script(end) {
        return outside.next().is_some_and(is_mark);
    }
    match outside.next() {
        Some(c) if is_run_script(c) => false,
        Some('.' | ',') if end.is_ascii_digit() => outside.next().is_some_and(|c| c.is_ascii_digit()),
        Some('-') if option => outside.next().is_some_and(is_word),
        Some(c) => is_word(c),
        None => false,
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || is_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(haystack: &str, needle: &str, expected: Option<usize>) {
        assert_eq!(contains_whole(haystack, needle), expected, "{needle:?} in {haystack:?}");
    }

    #[test]
    fn names_and_numbers_are_whole_or_not_there() {
        check("port 84431", "8443", None);
        check("port 8443.", "8443", Some(5));
        check("npcflags npcflag", "npcflag", Some(9));
        check("python 3.11", "3", None);
        check("python 3.11", "3.1", None);
        check("python 3.11", "11", None);
        check("step 3. Then", "3", Some(5));
        check("cargo --json-lines", "--json", None);
        check("cargo --json", "--json", Some(6));
        check("a -v", "v", Some(3));
        check("x--v", "-v", None);
        check("cafe\u{301}", "cafe", None);
        check("anything", "", None);
        check("a", "ab", None);
    }

    #[test]
    fn an_overlapping_place_is_still_found() {
        check("xa a a", "a a", Some(3));
    }

    #[test]
    fn parts_of_paths_count_and_scripts_without_spaces_have_no_boundaries() {
        check("src/game/x.cpp", "src/game", Some(0));
        check("src/games/x.cpp", "src/game", None);
        check("数据库连接池", "连接池", Some(9));
        check("用k8s部署", "k8s", Some(3));
    }
}
