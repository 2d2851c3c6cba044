//! A light English stemmer.

use std::borrow::Cow;

/// Words that end in s without being plurals, and in -ed without being past.
const WHOLE: [&str; 24] = [
    "alias",
    "always",
    "atlas",
    "axios",
    "bias",
    "canvas",
    "chaos",
    "cors",
    "embed",
    "evening",
    "https",
    "ios",
    "jenkins",
    "kubernetes",
    "lens",
    "macos",
    "morning",
    "nats",
    "news",
    "pandas",
    "perhaps",
    "postgres",
    "series",
    "species",
];

/// Plurals that no rule reaches.
const IRREGULAR: [(&str, &str); 12] = [
    ("apis", "api"),
    ("children", "child"),
    ("clis", "cli"),
    ("cpus", "cpu"),
    ("gpus", "gpu"),
    ("guis", "gui"),
    ("indices", "index"),
    ("matrices", "matrix"),
    ("menus", "menu"),
    ("tpus", "tpu"),
    ("uris", "uri"),
    ("vertices", "vertex"),
];

/// Joins an English word's plural, -ing and -ed forms; anything else comes back as it is.
///
/// The result is a key, not a word ("cache" and "caching" are "cach"). After Porter (1980) it takes
/// the measure and the consonant-vowel-consonant test that tell "planing" (plane) from "planning"
/// (plan) and keep "plan", "plane", "mode", "mod" apart. Words with anything but a to z, and words
/// of up to three letters, are names: left alone.
#[must_use]
pub fn stem(word: &str) -> String {
    let plain = word.len() >= 4 && word.bytes().all(|b| b.is_ascii_lowercase());
    if !plain || (word.ends_with(['s', 'd', 'g']) && WHOLE.contains(&word)) {
        return word.to_owned();
    }
    if word.ends_with(['s', 'n'])
        && let Some((_, single)) = IRREGULAR.iter().find(|(plural, _)| *plural == word)
    {
        return (*single).to_owned();
    }
    let mut stem = past(singular(word)).into_owned();
    if let Some(base) = stem.strip_suffix('e')
        && stem.len() > 3
        && (measure(base) > 1 || (measure(base) == 1 && !ends_short(base)))
    {
        stem.truncate(stem.len() - 1);
    }
    if stem.len() > 3 && ends_double(&stem) && (!stem.ends_with('l') || measure(&stem) > 1) {
        stem.truncate(stem.len() - 1);
    }
    stem
}

fn singular(word: &str) -> Cow<'_, str> {
    if let Some(base) = word.strip_suffix("ies").or_else(|| word.strip_suffix("ie"))
        && word.len() > 4
    {
        return format!("{base}y").into();
    }
    match word.strip_suffix('s') {
        Some(base) if base.ends_with(['s', 'u', 'i']) => word.into(),
        Some(base) => match base.strip_suffix('e') {
            Some(short) if short.ends_with("ss") || short.ends_with("sh") || short.ends_with('x') => short.into(),
            _ => base.into(),
        },
        None => word.into(),
    }
}

fn past(word: Cow<'_, str>) -> Cow<'_, str> {
    if !(word.ends_with("ed") || word.ends_with("ing")) || WHOLE.contains(&&*word) {
        return word;
    }
    if let Some(base) = word.strip_suffix("ied")
        && base.len() >= 2
    {
        return format!("{base}y").into();
    }
    if let Some(base) = word.strip_suffix("eed") {
        return if measure(base) > 0 { format!("{base}ee").into() } else { word };
    }
    let Some(base) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) else {
        return word;
    };
    if base.len() < 3 || !(0..base.len()).any(|at| is_vowel(base.as_bytes(), at)) {
        return word;
    }
    let silent_e =
        ["at", "bl", "iz", "u"].iter().any(|end| base.ends_with(end)) || (measure(base) == 1 && ends_short(base));
    if silent_e { format!("{base}e").into() } else { base.to_owned().into() }
}

/// a, e, i, o, u, and y after a consonant.
fn is_vowel(word: &[u8], at: usize) -> bool {
    match word.get(at) {
        Some(b'a' | b'e' | b'i' | b'o' | b'u') => true,
        Some(b'y') => at.checked_sub(1).is_some_and(|before| !is_vowel(word, before)),
        _ => false,
    }
}

/// How often a vowel is followed by a consonant: a rough count of syllables.
fn measure(word: &str) -> usize {
    let bytes = word.as_bytes();
    let (mut count, mut vowel) = (0, false);
    for (at, byte) in bytes.iter().enumerate() {
        let now = matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u') || (*byte == b'y' && at > 0 && !vowel);
        count += usize::from(vowel && !now);
        vowel = now;
    }
    count
}

/// Whether it ends consonant, vowel, consonant (not w, x, y): "plan", "fil", not "cach".
fn ends_short(word: &str) -> bool {
    let bytes = word.as_bytes();
    let Some(last) = bytes.len().checked_sub(1) else { return false };
    last >= 2
        && !matches!(bytes.last(), Some(b'w' | b'x' | b'y'))
        && !is_vowel(bytes, last)
        && is_vowel(bytes, last - 1)
        && !is_vowel(bytes, last - 2)
}

/// Whether it ends in a doubled consonant that a suffix may have doubled ("logg"; not "pass").
fn ends_double(word: &str) -> bool {
    let mut ends = word.bytes().rev();
    match (ends.next(), ends.next()) {
        (Some(one), Some(two)) => one == two && !matches!(one, b's' | b'z' | b'a' | b'e' | b'i' | b'o' | b'u'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_meet() {
        for group in [
            "queue queues queued",
            "retry retries retried retrying",
            "cache caches cached caching",
            "log logs logged logging",
            "file files filed filing",
            "process processes processed processing",
            "movie movies",
            "box boxes",
            "update updates updated updating",
            "route routes routed routing",
            "stage stages staged",
            "add adds added adding",
            "install installs installed installing",
            "test tests tested testing",
            "plan plans planned planning",
            "index indexes indices",
            "query queries queried querying",
            "diff diffs diffed diffing",
            "embed embeds embedding",
            "control controls controlled controlling",
            "value values valued",
            "change changes changed changing",
            "class classes",
            "status statuses",
            "alias aliases",
            "agree agrees agreed",
            "type types typed typing",
            "cookie cookies",
            "merge merges merging",
            "database databases",
            "error errors",
            "cpu cpus",
            "write writes writing",
        ] {
            let stems: Vec<String> = group.split(' ').map(stem).collect();
            assert!(stems.iter().all(|s| *s == stems[0]), "{group}: {stems:?}");
        }
    }

    #[test]
    fn different_words_stay_apart() {
        for pair in [
            "plan plane",
            "mod mode",
            "core cors",
            "http https",
            "string str",
            "need ne",
            "thing th",
            "nat nats",
            "use us",
            "speed spe",
        ] {
            let (one, two) = pair.split_once(' ').unwrap();
            assert_ne!(stem(one), stem(two), "{pair}");
        }
    }

    #[test]
    fn names_are_left_alone() {
        for word in ["k8s", "aws", "3.11", "npc_flags", "redis", "очереди", "", "s", "ios"] {
            assert_eq!(stem(word), word);
        }
    }
}
