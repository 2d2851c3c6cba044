//! Numbers with what they measure: "port 8443", "30 s", "python 3.11", "issue #266".
//!
//! A number alone is not much to refer to. The word before it ("port", "timeout of") or after it
//! ("seconds", "workers") belongs to it, and the whole is compared exactly.

use crate::text;

use super::term::is_light;
use super::verb::{is_participle, is_third_person};
use super::word::Word;
use super::{ConceptKind, name};

const UNITS: &[&str] = &[
    "%",
    "b",
    "bytes",
    "cents",
    "characters",
    "chars",
    "cm",
    "columns",
    "cores",
    "d",
    "day",
    "days",
    "degrees",
    "dollar",
    "dollars",
    "errors",
    "eur",
    "euro",
    "euros",
    "files",
    "fps",
    "g",
    "gb",
    "ghz",
    "gib",
    "grams",
    "h",
    "hour",
    "hours",
    "hz",
    "inches",
    "items",
    "k",
    "kb",
    "kg",
    "khz",
    "kib",
    "kilometers",
    "kilometres",
    "km",
    "l",
    "lines",
    "liter",
    "liters",
    "litre",
    "litres",
    "m",
    "mb",
    "messages",
    "mg",
    "mhz",
    "mib",
    "miles",
    "min",
    "mins",
    "minute",
    "minutes",
    "ml",
    "mm",
    "month",
    "months",
    "ms",
    "ns",
    "pages",
    "percent",
    "pounds",
    "px",
    "records",
    "rem",
    "replicas",
    "requests",
    "retries",
    "rows",
    "s",
    "sec",
    "second",
    "seconds",
    "secs",
    "steps",
    "tb",
    "tests",
    "threads",
    "tib",
    "times",
    "tokens",
    "turns",
    "us",
    "usd",
    "users",
    "week",
    "weeks",
    "workers",
    "year",
    "years",
    "°c",
    "°f",
    "µs",
];

/// Words that may stand between the noun and its number.
const CONNECTORS: &[&str] = &["is", "was", "of", "to", "at", "=", ":", "are", "be", "now", "number"];

/// General words that are labels all the same when their number follows: "issue #91".
const COUNTED: &[&str] = &["case", "issue", "item", "line", "part", "point", "question", "step"];

pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word.to_lowercase().as_str())
}

/// Whether a word is a number: digits with separators, a leading sign, `v` or `#`, a unit at the end.
pub(super) fn is_number(word: &str) -> bool {
    let body = word.trim_start_matches(['~', '<', '>', '≤', '≥', '$', '€', '£', '#', '+', '-', '±', '≈']);
    let body =
        body.strip_prefix(['v', 'V']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(body);
    let digits = body.find(|c: char| !(c.is_ascii_digit() || ".,:_-/".contains(c))).unwrap_or(body.len());
    let (number, unit) = body.split_at(digits);
    is_prerelease(number, unit)
        || number.starts_with(|c: char| c.is_ascii_digit())
            && number.ends_with(|c: char| c.is_ascii_digit())
            && (unit.is_empty() || unit == "x" || is_unit(unit))
}

/// `4.0.0-rc.2`: three numbers, a hyphen and a word.
fn is_prerelease(number: &str, rest: &str) -> bool {
    let version = number.strip_suffix('-').unwrap_or_default();
    version.split('.').count() == 3
        && version.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        && rest.starts_with(|c: char| c.is_ascii_lowercase())
        && rest.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+'))
}

/// The byte range of the quantity whose number is word `at`, with the noun before or the unit after.
pub(super) fn around(words: &[Word<'_>], at: usize) -> Option<(usize, usize)> {
    let number = words.get(at)?;
    let mut range = (number.from, number.to);
    let mut complete = number.text.ends_with(|c: char| c.is_alphabetic() || c == '%');
    if !number.closes
        && let Some(next) = words.get(at + 1)
        && !next.opens
        && is_unit(next.text)
    {
        range.1 = next.to;
        complete = true;
    }
    if let Some(from) = noun_before(words, at) {
        return Some((from, range.1));
    }
    if !complete
        && !number.closes
        && let Some(next) = words.get(at + 1)
        && !next.opens
        && !next.text.starts_with('-')
        && is_noun(next.text)
    {
        return Some((range.0, next.to));
    }
    // A single digit alone is a list marker or a count in passing.
    let digits = number.text.chars().filter(char::is_ascii_digit).count();
    (complete || digits > 1 || number.text.starts_with('#')).then_some(range)
}

fn noun_before(words: &[Word<'_>], at: usize) -> Option<usize> {
    let number = words.get(at)?;
    let mut index = at.checked_sub(1)?;
    let mut word = words.get(index)?;
    let colon = word.closes && word.text.chars().all(char::is_alphabetic) && number.from - word.to <= 2;
    if number.opens || (word.closes && !colon) {
        return None;
    }
    let connected = CONNECTORS.contains(&word.text.to_lowercase().as_str());
    if connected {
        index = index.checked_sub(1)?;
        word = words.get(index)?;
        if word.closes {
            return None;
        }
        // "timeout to be 30": one more connector at most.
        if CONNECTORS.contains(&word.text.to_lowercase().as_str()) {
            index = index.checked_sub(1)?;
            word = words.get(index)?;
        }
    }
    // "p95 is 240ms", "max_retries is 5": a name is a label where a word says so.
    let named = connected && !word.closes && name::classify(word.text) == Some(ConceptKind::Identifier);
    let counted = !connected && COUNTED.contains(&word.text.to_lowercase().as_str());
    if !(is_noun(word.text) || named || counted) || is_participle(word.text) {
        return None;
    }
    // "from 1.4 MB to 380 kB": the unit of the number before is no label.
    if is_unit(word.text) && index.checked_sub(1).and_then(|i| words.get(i)).is_some_and(|first| is_number(first.text))
    {
        return None;
    }
    // "the saddle costs 85": behind its noun, a word in -s is the verb.
    let subject = index.checked_sub(1).and_then(|i| words.get(i)).is_some_and(|w| !w.closes && is_noun(w.text));
    if subject && is_third_person(word.text) && !is_unit(word.text) {
        return None;
    }
    // "exit code 137": the noun in front of a bare "code" or "version" says which.
    let before = index.checked_sub(1).and_then(|i| words.get(i));
    match before {
        Some(first)
            if matches!(word.text, "code" | "status" | "limit" | "size") && !first.closes && is_noun(first.text) =>
        {
            Some(first.from)
        }
        _ => Some(word.from),
    }
}

fn is_noun(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.chars().count() > 1
        && word.chars().all(|c| c.is_alphabetic() || c == '-')
        && !text::is_stop_word(&lower)
        && !is_light(&lower)
}

/// "port is 8443", "port: 8443" and "Port 8443" compare as "port 8443".
pub(super) fn canonical(surface: &str) -> String {
    let exact = text::canonical_exact(surface);
    let words = exact.split(|c: char| c.is_whitespace() || c == '=' || c == ':' && !exact.contains("::"));
    let mut kept: Vec<String> = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        if CONNECTORS.contains(&lower.as_str()) && !kept.is_empty() {
            continue;
        }
        // A label is folded; what follows the number is a unit, and MB is not Mb.
        let unit = kept.last().is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
        let folded = !unit && word.chars().all(|c| c.is_alphabetic() || c == '-');
        kept.push(if folded { lower } else { word.to_owned() });
    }
    // Times ("14:21") keep their colon.
    if kept.len() > 1 && kept.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
        return exact;
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_names() {
        for word in [
            "8443",
            "3.11",
            "30s",
            "v1.2.3",
            "#266",
            "4GB",
            "12°C",
            "42%",
            "2026-02-10",
            "14:21",
            "~200",
            "1,000",
            "v4.0.0-rc.2",
        ] {
            assert!(is_number(word), "{word}");
        }
        for word in ["k8s", "E0433", "v", "#", "x1", "qwen3", "-", "1.", "first", "16-alpine"] {
            assert!(!is_number(word), "{word}");
        }
    }

    fn check(line: &str, expected: &[&str]) {
        let words = super::super::word::words(line);
        let numbers = (0..words.len()).filter(|at| is_number(words[*at].text));
        let found: Vec<_> = numbers.filter_map(|at| around(&words, at)).map(|(from, to)| &line[from..to]).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn a_label_is_a_noun_or_a_name_and_no_verb() {
        check("The saddle costs 85 euros and the hut lies 14 km off.", &["85 euros", "14 km"]);
        check("It is issue #91, the fix is in PR #94.", &["issue #91", "PR #94"]);
        check(
            "p95 is 240ms, max_retries is 5 and pages 12-14 are out",
            &["p95 is 240ms", "max_retries is 5", "pages 12-14"],
        );
        check("booked for us, 18:45 sharp", &["18:45"]);
        check("seed --rows 5000 --lang pt", &["--rows 5000"]);
    }

    #[test]
    fn the_connecting_word_does_not_count() {
        for surface in ["port 8443", "port is 8443", "port: 8443", "port=8443", "Port 8443"] {
            assert_eq!(canonical(surface), "port 8443", "{surface}");
        }
        assert_eq!(canonical("14:21"), "14:21");
        assert_eq!(canonical("5 MB"), "5 MB");
    }
}
