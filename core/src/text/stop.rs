//! Function words.

/// English words that say how a sentence is built and not what it is about: articles, pronouns,
/// prepositions, conjunctions, auxiliaries, question words, politeness. Sorted.
///
/// English only: in search, rarity does the same for other languages, and in matching one article
/// more or less passes the half rule; `die`, `des`, `sin`, `con` are words or names elsewhere.
#[rustfmt::skip]
const STOP: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "ain't", "all", "also", "although", "am", "among", "an",
    "and", "another", "any", "anybody", "anyone", "anything", "anyway", "are", "aren't", "around", "as", "at",
    "be", "because", "been", "before", "being", "below", "besides", "between", "beyond", "both", "but", "by",
    "can", "can't", "cannot", "could", "couldn't", "did", "didn't", "do", "does", "doesn't", "doing", "don't",
    "done", "down", "during", "e.g", "each", "either", "else", "etc", "even", "ever", "every", "everybody",
    "everyone", "everything", "few", "for", "from", "further", "get", "gets", "getting", "got", "gotten", "had",
    "hadn't", "has", "hasn't", "have", "haven't", "having", "he", "he's", "hello", "her", "here", "hers",
    "herself", "hey", "hi", "him", "himself", "his", "how", "however", "i", "i'd", "i'll", "i'm", "i've", "i.e",
    "if", "in", "instead", "into", "is", "isn't", "it", "it'd", "it'll", "it's", "its", "itself", "just",
    "least", "let", "let's", "lets", "like", "many", "may", "maybe", "me", "might", "mine", "more", "most",
    "much", "must", "my", "myself", "neither", "no", "nobody", "none", "nor", "not", "nothing", "now", "of",
    "off", "oh", "ok", "okay", "on", "once", "one", "ones", "onto", "or", "other", "others", "otherwise",
    "ought", "our", "ours", "ourselves", "out", "over", "own", "per", "perhaps", "please", "quite", "rather",
    "really", "same", "shall", "shan't", "she", "she's", "should", "shouldn't", "since", "so", "some",
    "somebody", "someone", "something", "still", "such", "than", "thank", "thanks", "that", "that's", "the",
    "their", "theirs", "them", "themselves", "then", "there", "there's", "these", "they", "they'd", "they'll",
    "they're", "they've", "thing", "things", "this", "those", "though", "through", "to", "too", "toward",
    "towards", "under", "until", "unto", "up", "upon", "us", "very", "via", "was", "wasn't", "way", "we",
    "we'd", "we'll", "we're", "we've", "well", "were", "weren't", "what", "what's", "whatever", "when", "where",
    "whether", "which", "while", "who", "who's", "whoever", "whole", "whom", "whose", "why", "will", "with",
    "within", "without", "won't", "would", "wouldn't", "yeah", "yes", "yet", "you", "you'd", "you'll", "you're",
    "you've", "your", "yours", "yourself", "yourselves",
];

/// Bytes of the longest of them: most words need no search.
const LONGEST: usize = 10;

/// Whether a folded word (see [`super::fold`]) is an English function word.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    word.len() <= LONGEST && STOP.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_so_that_it_can_be_searched() {
        assert!(STOP.is_sorted());
        assert_eq!(STOP.iter().map(|word| word.len()).max(), Some(LONGEST));
    }

    #[test]
    fn content_words_are_not_stop_words() {
        for word in ["port", "queue", "first", "new", "error", "go", "make", "use", "die", "c", "r"] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
