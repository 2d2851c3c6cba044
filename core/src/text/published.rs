//! What the published package (diffledger 0.1.1) does with a concept, bit for bit.
//!
//! **Rule:** lower-case, trim, drop one leading article with its plain space; words are runs of
//! three or more letters a to z; trigrams are over characters. Digits, short names and every other
//! script do not count, which is what [`crate::config::Matching::Refined`] puts right. Held to
//! `reference/matching.json`, made by running the package.
//!
//! ```
//! use diffledger_core::text::published;
//! assert_eq!(published::normalize("The staging port 8443"), "staging port 8443");
//! assert_eq!(published::tokens("staging port 8443"), ["port", "staging"]);
//! ```

use crate::order;

/// The articles that the package drops, one at most. A tab after one does not count.
const ARTICLES: [&str; 8] = ["the ", "a ", "an ", "that ", "this ", "our ", "their ", "its "];

/// Python's idea of white space: Unicode's, and the four separators U+001C to U+001F.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}')
}

/// The package's canonical form.
#[must_use]
pub fn normalize(text: &str) -> String {
    let lower = text.to_lowercase();
    let trimmed = lower.trim_matches(is_space);
    let rest = ARTICLES.iter().find_map(|article| trimmed.strip_prefix(article));
    rest.map_or(trimmed, |rest| rest.trim_matches(is_space)).to_owned()
}

/// The package's content words of a canonical form: sorted, each once.
#[must_use]
pub fn tokens(canonical: &str) -> Vec<&str> {
    let runs = canonical.split(|c: char| !c.is_ascii_lowercase());
    let mut found: Vec<&str> = runs.filter(|run| run.len() >= 3).collect();
    order::sort(&mut found);
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_article_goes_and_only_with_a_plain_space() {
        assert_eq!(normalize("The The cat"), "the cat");
        assert_eq!(normalize("the\tport"), "the\tport");
        assert_eq!(normalize("the"), "the");
        assert_eq!(normalize("a  port"), "port");
    }

    #[test]
    fn digits_short_names_and_other_scripts_are_no_tokens() {
        assert!(tokens("k8s 8443 数据库 go").is_empty());
    }
}
