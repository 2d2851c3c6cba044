//! Courtesy: greetings, thanks, praise, apologies and farewells, alone or before something else.
//!
//! "Thanks, that's it" refers to nothing, and in "Thanks! Now write a haiku" only the second sentence
//! is about anything. Told by words that greet, thank or praise, of which each such sentence has one,
//! and by those that may stand beside them.

use super::question::Word;
use crate::text;

/// Words that acknowledge: one of them must be there, and nothing but them and [`FILLING`].
const THANKING: &str = "ok okay k kk yes yep yeah yup no nope nah sure thanks thank thx ty great good nice cool perfect awesome fine \
    alright right got excellent amazing brilliant lgtm ack understood sense sounds wow see exactly correct agreed agree hi hello hey bye \
    interesting wonderful fantastic helpful cheers done ahead please love sorry haha lol danke gracias merci спасибо ок да нет хорошо \
    谢谢 谢谢你 谢谢您 多谢 好的 好 嗯 ありがとう ありがとうございます はい 네 감사합니다 شكرا";

/// Words that stand beside them and say nothing more: "do it" and "it is" alone acknowledge nothing.
const FILLING: &str = "you it that's thats that is all for now so much very a lot go well works looks makes do and the job work hmm oh i super \
    this was am not really welcome there one what meant morning afternoon evening night day have has to leave talk later tomorrow soon";

fn is_among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// Whether a sentence only greets, thanks, praises or the like.
pub(super) fn is_courtesy(sentence: &str, words: &[Word]) -> bool {
    if sentence.contains(['?', '？', '؟']) {
        return is_among(THANKING, bare(sentence));
    }
    // "thanks for the command": what the thanks are for has been had.
    let thanks = words.iter().position(|word| matches!(word.lower.as_str(), "thanks" | "thank" | "thx"));
    let owed =
        thanks.and_then(|at| words.iter().skip(at).take(3).position(|word| word.lower == "for").map(|to| at + to));
    let said = words.get(..owed.unwrap_or(words.len())).unwrap_or(words);
    is_among(THANKING, bare(sentence))
        || said.iter().all(|word| is_among(THANKING, &word.lower) || is_among(FILLING, &word.lower))
            && said.iter().any(|word| is_among(THANKING, &word.lower))
}

fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The sentences of a text, each with the places of its words.
pub(super) fn sentences<'a>(text: &'a str, words: &[Word]) -> Vec<(&'a str, std::ops::Range<usize>)> {
    let mut from = 0;
    let spans = text::sentences(text).into_iter().filter_map(|range| {
        let length = words.iter().skip(from).take_while(|word| (word.span.0 as usize) < range.end).count();
        let places = from..from + length;
        from += length;
        (length > 0).then(|| Some((text.get(range)?, places))).flatten()
    });
    spans.collect()
}

/// Whether every sentence of a message is one.
pub(super) fn is_all_courtesy(text: &str, words: &[Word]) -> bool {
    if is_courtesy(text, words) {
        return true;
    }
    let all = sentences(text, words);
    !all.is_empty() && all.into_iter().all(|(one, places)| is_courtesy(one, words.get(places).unwrap_or_default()))
}

/// Words of the courtesies that a message begins with; none when nothing else follows.
pub(super) fn leading(text: &str, words: &[Word]) -> usize {
    let rest = sentences(text, words)
        .into_iter()
        .find(|(one, places)| !is_courtesy(one, words.get(places.clone()).unwrap_or_default()));
    // "Thanks. I will ask a doctor" still answers what was said.
    let tells = |at: usize| words.get(at).is_some_and(|word| matches!(word.lower.as_str(), "i" | "we"));
    rest.map_or(0, |(_, places)| if tells(places.start) { 0 } else { places.start })
}

/// Words of what a message says before it asks "which build …": such a question has its own noun.
pub(super) fn before_question(text: &str, words: &[Word]) -> usize {
    let all = sentences(text, words);
    let asks = |one: &str| one.trim_end().ends_with(['?', '？', '؟']);
    let Some((_, places)) = all.last().filter(|(one, _)| asks(one)) else { return 0 };
    let word = |step: usize| words.get(places.start + step).map_or("", |word| word.lower.as_str());
    let has_noun = matches!(word(0), "which" | "whose") && !text::is_stop_word(word(1)) && word(1) != "one";
    if has_noun { places.start } else { 0 }
}
