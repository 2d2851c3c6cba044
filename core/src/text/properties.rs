//! Claims about any text at all.

use proptest::prelude::*;

use super::*;

fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "the ",
        "The\t",
        "a ",
        "C++",
        "C#",
        ".NET",
        "`",
        "```\n",
        "~~~",
        "\n",
        "\n\n",
        " ",
        "。",
        "!",
        "? ",
        ". ",
        "...",
        "e.g. ",
        "数据库",
        "ステージング",
        "環境",
        "한국",
        "ｶﾞ",
        "ﾞ",
        "e\u{301}",
        "\u{301}",
        "\u{3099}",
        "ß",
        "İ",
        "Σ",
        "8443",
        "3.11",
        "-",
        "--json",
        "_",
        "snake_case",
        "camelCase",
        "HTTPServer",
        "src/game/x.cpp",
        ":",
        "'",
        "’s",
        "(",
        ")",
        "[",
        "]",
        "「",
        "」",
        "\u{200B}",
        "\u{AD}",
        "🎉",
        "queues",
        "caching",
        "ied",
        "ing",
        "ed",
        "es",
        "\u{640}",
        "ฐาน",
        "\u{FE0F}",
        "ẞ",
        "ŉ",
        "ǅ",
    ]);
    prop_oneof![
        any::<String>(),
        prop::collection::vec(prop_oneof![pieces.prop_map(str::to_owned), ".{0,3}"], 0..20)
            .prop_map(|parts| parts.concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonical_forms_do_not_change_again(text in any_text()) {
        let once = canonical(&text);
        prop_assert_eq!(canonical(&once), once.clone());
        let exact = canonical_exact(&text);
        prop_assert_eq!(canonical_exact(&exact), exact);
        let folded = fold(&text);
        prop_assert_eq!(fold(&folded), folded);
        let bared = bare(&text);
        prop_assert_eq!(bare(&bared), bared);
    }

    #[test]
    fn spans_are_in_order_and_on_boundaries(text in any_text()) {
        let mut end = 0;
        for word in words(&text) {
            prop_assert!(word.start >= end);
            prop_assert_eq!(text.get(word.span()), Some(word.text));
            end = word.span().end;
        }
    }

    #[test]
    fn sentences_hold_every_character_but_white_space(text in any_text()) {
        let mut end = 0;
        for span in sentences(&text) {
            prop_assert!(span.start >= end && span.start < span.end);
            prop_assert_eq!(text[end..span.start].trim(), "");
            let sentence = &text[span.clone()];
            prop_assert_eq!(sentence.trim(), sentence);
            end = span.end;
        }
        prop_assert_eq!(text[end..].trim(), "");
    }

    #[test]
    fn every_function_is_total(text in any_text(), other in any_text()) {
        let _ = (tokens(&text), trigrams(&text), parts(&text), stem(&text), published::normalize(&text));
        let size = estimate_tokens(&text);
        prop_assert_eq!(size == 0, text.is_empty());
        prop_assert!(search_tokens(&text).len() >= tokens(&text).len());
        if let Some(at) = contains_whole(&text, &other) {
            prop_assert!(text[at..].starts_with(&other));
        }
    }
}
