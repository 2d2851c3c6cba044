//! Korean: words without their particle. A particle ends the phrase, and a verb is none of it.

use super::line::push;
use super::term;
use super::word::Word;
use super::{Concept, ConceptKind};

/// The phrases of a line in Korean.
pub(super) fn read(line: &str, words: &[Word<'_>], at: usize, found: &mut Vec<Concept>) {
    const PARTICLES: &[&str] = &[
        "에서는",
        "으로는",
        "에서",
        "으로",
        "에게",
        "까지",
        "부터",
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "에",
        "의",
        "로",
        "와",
        "과",
    ];
    const VERB_ENDS: &[char] = &['다', '요', '줘', '까', '니', '해', '죠', '자', '고', '면', '서', '지'];
    let mut run: Option<(usize, usize)> = None;
    for word in words.iter().chain(std::iter::once(&Word { text: "", from: 0, to: 0, opens: true, closes: true })) {
        let is_noun = term::is_hangul(word.text) && !word.text.ends_with(VERB_ENDS) && word.text.chars().count() <= 12;
        let mut flush = |run: &mut Option<(usize, usize)>| {
            if let Some((from, to)) = run.take()
                && line.get(from..to).is_some_and(|s| s.chars().count() > 1)
            {
                push(ConceptKind::Term, line, from, to, at, found);
            }
        };
        if !is_noun || word.opens {
            flush(&mut run);
        }
        if !is_noun {
            continue;
        }
        let stem =
            PARTICLES.iter().find_map(|particle| word.text.strip_suffix(particle)).filter(|stem| !stem.is_empty());
        let to = word.from + stem.unwrap_or(word.text).len();
        run = Some((run.map_or(word.from, |(from, _)| from), to));
        if stem.is_some() || word.closes {
            flush(&mut run);
        }
    }
}
