//! The index against comparing with all, and its speed.

use proptest::prelude::*;

use super::index::Index;
use super::{Match, RARE};
use crate::concept::ConceptKind;
use crate::config::{Config, Matching};

const KINDS: [ConceptKind; 8] = [
    ConceptKind::Term,
    ConceptKind::Identifier,
    ConceptKind::Path,
    ConceptKind::Command,
    ConceptKind::Url,
    ConceptKind::Quantity,
    ConceptKind::ErrorText,
    ConceptKind::Quote,
];

const PIECES: [&str; 40] = [
    "the",
    "a",
    "retry",
    "queue",
    "queues",
    "Queue",
    "test",
    "tests",
    "testing",
    "harness",
    "port",
    "8443",
    "8444",
    "postgres",
    "postgresql",
    "webassembly",
    "web",
    "assembly",
    "ledger",
    "context",
    "k8s",
    "Go",
    "C++",
    "C",
    "R",
    "3.11",
    "数据库",
    "连接池",
    "环境",
    "ステージング",
    "環境",
    "npcflag",
    "NPC_FLAG",
    "src",
    "game",
    "Entities.cpp",
    "8443",
    "s",
    "install",
    "uninstall",
];

fn concept() -> impl Strategy<Value = (ConceptKind, String)> {
    let words = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 1..4);
    let glue = prop::sample::select(vec![" ", " ", " ", "/", "", "-", "_"]);
    let kind = prop_oneof![3 => Just(ConceptKind::Term), 2 => prop::sample::select(KINDS.to_vec())];
    (kind, words, glue, prop::sample::select(vec!["", "", "", "./", "/", "the ", "."]))
        .prop_map(|(kind, words, glue, start)| (kind, format!("{start}{}", words.join(glue))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_lookup_finds_just_what_comparing_with_all_finds(
        known in prop::collection::vec(concept(), 0..60),
        queries in prop::collection::vec(concept(), 1..12),
        published in any::<bool>(),
        jaccard in prop_oneof![Just(500), 1..=1000_u32],
    ) {
        let matching = if published { Matching::Published } else { Matching::Refined };
        let mut index = Index::new(&Config { matching, jaccard, ..Config::default() });
        for (id, (kind, text)) in (0..).zip(&known) {
            index.insert(id / 2, *kind, text);
        }
        for (kind, text) in queries.iter().chain(&known) {
            prop_assert_eq!(index.lookup(*kind, text), index.scan(*kind, text), "{:?} {:?}", kind, text);
        }
    }

    #[test]
    fn any_text_can_be_inserted_and_found_again(text in any::<String>(), kind in prop::sample::select(KINDS.to_vec())) {
        let mut index = Index::default();
        index.insert(7, kind, &text);
        let found = index.lookup(kind, &text);
        prop_assert_eq!(found.clone(), index.scan(kind, &text));
        prop_assert!(found.is_empty() || found == [(7, Match::EXACT)]);
    }
}

#[test]
fn one_word_stands_for_a_longer_name_only_while_few_have_it() {
    let mut index = Index::default();
    for (id, first) in (0..).zip(["context", "seed", "main", "old", "new"]) {
        index.insert(id, ConceptKind::Term, &format!("{first} ledger"));
    }
    assert_eq!(index.lookup(ConceptKind::Term, "the ledger").len(), RARE);
    index.insert(9, ConceptKind::Term, "paper ledger");
    assert_eq!(index.lookup(ConceptKind::Term, "the ledger"), []);
    index.insert(10, ConceptKind::Term, "ledger");
    assert_eq!(index.lookup(ConceptKind::Term, "the ledgers").len(), 1);
    assert_eq!(index.frequency("ledger"), 7);
}

#[test]
fn an_id_with_two_forms_is_found_once_by_its_best() {
    let mut index = Index::default();
    index.insert(3, ConceptKind::Term, "retry queue");
    index.insert(3, ConceptKind::Term, "retry queue worker");
    index.insert(1, ConceptKind::Term, "the retry queue worker");
    let found = index.lookup(ConceptKind::Term, "retry queue");
    assert_eq!(found.iter().map(|(id, found)| (*id, found.score)).collect::<Vec<_>>(), [(3, 1000), (1, 800)]);
}

#[test]
#[ignore = "a timing, for `cargo test --release -- --ignored --nocapture`"]
fn timing_of_a_lookup_at_100_000() {
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut word = |common: u64| {
        // Squared, so that low numbers are frequent, as words are.
        let n = next(common) * next(common) / common;
        let syllable = |n: u64| {
            let pick = |from: &str, n: u64| from.chars().nth(usize::try_from(n).unwrap() % from.len()).unwrap();
            format!("{}{}{}", pick("bcdfglmnprst", n), pick("aeiou", n / 12), pick("nrsltkmd", n / 60))
        };
        format!("{}{}", syllable(n * 7), syllable(n / 480 + n))
    };
    let mut texts = Vec::new();
    for at in 0..100_000_u32 {
        texts.push(match at % 5 {
            0 => (ConceptKind::Path, format!("src/{}/{}/{}.rs", word(30), word(300), word(6000))),
            1 => (ConceptKind::Identifier, format!("{}_{}", word(6000), word(6000))),
            2 => (ConceptKind::Term, format!("{} {}", word(6000), word(6000))),
            3 => (ConceptKind::Term, format!("{} {} {}", word(6000), word(6000), word(6000))),
            _ => (ConceptKind::Term, format!("{} {at}", word(6000))),
        });
    }
    for matching in [Matching::Refined, Matching::Published] {
        let start = std::time::Instant::now();
        let mut index = Index::new(&Config { matching, ..Config::default() });
        for (id, (kind, text)) in (0..).zip(&texts) {
            index.insert(id, *kind, text);
        }
        let built = start.elapsed();
        let mut times: Vec<(u128, usize)> = (0..2000)
            .map(|at| {
                let (kind, text) = &texts[at * 37 % texts.len()];
                let start = std::time::Instant::now();
                let found = index.lookup(*kind, text).len();
                (start.elapsed().as_nanos() / 1000, found)
            })
            .collect();
        times.sort_unstable();
        let mean = times.iter().map(|t| t.0).sum::<u128>() / 2000;
        println!(
            "{matching:?}: built in {built:?}; lookup µs: mean {mean}, p50 {:?}, p95 {:?}, max {:?}",
            times[1000], times[1900], times[1999]
        );
    }
}
