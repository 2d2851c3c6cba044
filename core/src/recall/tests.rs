//! Claims about the search.

use proptest::prelude::*;

use super::*;

fn search(docs: &[&str]) -> Search {
    let mut search = Search::new();
    for (doc, text) in (0..).zip(docs) {
        search.add(doc, text);
    }
    search
}

fn check(docs: &[&str], query: &str, expected: &[u32]) {
    let hits = search(docs).query(query, 10, |_| true);
    assert_eq!(hits.iter().map(|hit| hit.doc).collect::<Vec<_>>(), expected, "{query:?}: {hits:?}");
}

#[test]
fn the_rarer_word_decides_and_function_words_do_not_count() {
    let docs = ["the queue is full", "the queue uses port 8443", "the queue of the worker", "where is what"];
    check(&docs, "what is the port of the queue?", &[1, 0, 2]);
    check(&docs, "where is it?", &[]);
    check(&docs, "", &[]);
}

#[test]
fn equal_scores_give_the_lower_document_first() {
    check(&["retry queue", "queue retry", "retry the queue"], "retry queues", &[0, 1, 2]);
}

#[test]
fn names_are_found_whole_and_by_their_parts() {
    let docs = ["see WatchAgents in src/server/Entities.cpp", "run it on k8s", "NPC_FLAG_VENDOR is 128", "python 3.11"];
    check(&docs, "entities", &[0]);
    check(&docs, "Entities.cpp", &[0]);
    check(&docs, "agents that watch", &[0]);
    check(&docs, "vendor", &[2]);
    check(&docs, "k8s", &[1]);
    check(&docs, "3.11", &[3]);
    check(&docs, "3.12", &[]);
}

#[test]
fn misspellings_are_found_when_nothing_has_the_word() {
    let docs = ["the deployment pipeline", "the retry queue", "kubernetes"];
    check(&docs, "deploymnet", &[0]);
    check(&docs, "kuberntes", &[2]);
    check(&docs, "zzzz", &[]);
}

#[test]
fn scripts_without_spaces_are_searched_by_pairs_and_single_characters() {
    let docs = ["数据库连接池在8443端口", "ステージング環境です", "재시도 큐는 비었다"];
    check(&docs, "数据库", &[0]);
    check(&docs, "池", &[0]);
    check(&docs, "環境", &[1]);
    check(&docs, "재시도", &[2]);
}

#[test]
fn weights_and_filter_count() {
    let search = search(&["apples", "pears"]);
    let hits = search.query_weighted(&[("apple", 200), ("pear", 1000)], 10, |_| true);
    assert_eq!(hits.iter().map(|hit| hit.doc).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(hits[0].matched, ["pear"]);
    assert_eq!(search.query("apples pears", 10, |doc| doc == 0).len(), 1);
    assert_eq!(search.query("apples pears", 1, |_| true)[0].doc, 0);
    assert_eq!(search.query("apples pears", 0, |_| true), []);
    assert_eq!(search.query_weighted(&[("apple", 0)], 10, |_| true), []);
}

#[test]
fn in_a_conversation_the_turn_beside_the_question_is_found() {
    let mut search = Search::conversation();
    for (doc, text) in
        (0..).zip(["hello", "how does the retry queue work?", "it keeps jobs for an hour", "lunch", "noon", "bread"])
    {
        search.add(doc, text);
    }
    let docs = |filter: &dyn Fn(u32) -> bool| -> Vec<u32> {
        search.query("retry queue", 10, filter).iter().map(|hit| hit.doc).collect()
    };
    assert_eq!(docs(&|_| true), [1, 0, 2, 3]);
    assert_eq!(docs(&|doc| doc != 1), Vec::<u32>::new(), "what the filter refuses has no influence");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_removed_document_leaves_no_trace(docs in prop::collection::vec("[abc]{1,4}( [abc]{1,4}){0,5}", 1..12), query in "[abc ]{0,12}") {
        let (mut with, mut without) = (Search::new(), Search::new());
        for (doc, text) in (0..).zip(&docs) {
            with.add(doc, text);
            if doc % 3 != 1 {
                without.add(doc, text);
            }
        }
        for doc in (0..).take(docs.len()).filter(|doc| doc % 3 == 1) {
            prop_assert!(with.remove(doc) && !with.remove(doc));
        }
        let (one, two) = (with.query(&query, 5, |_| true), without.query(&query, 5, |_| true));
        let seen = |hits: &[Hit]| hits.iter().map(|hit| (hit.doc, hit.score)).collect::<Vec<_>>();
        prop_assert_eq!(seen(&one), seen(&two));
        prop_assert_eq!(with.len(), without.len());
    }

    #[test]
    fn the_best_few_are_the_start_of_all(texts in prop::collection::vec("[ab]{1,2}( [ab]{1,2}){0,6}", 1..40), query in "[ab]{1,2} [ab]{1,2}", talk in any::<bool>()) {
        let mut search = if talk { Search::conversation() } else { Search::new() };
        for (doc, text) in (0..).zip(&texts) {
            search.add(doc, text);
        }
        let all = search.query(&query, 100, |_| true);
        prop_assert!(all.is_sorted_by_key(|hit| (Reverse(hit.score), hit.doc)));
        prop_assert_eq!(&search.query(&query, 3, |_| true), &all[..all.len().min(3)]);
    }

    #[test]
    fn any_text_can_be_added_and_asked_for(texts in prop::collection::vec(any::<String>(), 1..6)) {
        let mut search = Search::conversation();
        for (doc, text) in (0..).zip(&texts) {
            search.add(doc, text);
            search.query(text, 3, |_| true);
        }
    }
}

#[test]
#[ignore = "a timing, for `cargo test --release -- --ignored --nocapture`"]
fn timing_of_a_query_at_100_000() {
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    // Cubed, so that low numbers are frequent, as words are.
    let mut word = || {
        let n = next(20_000);
        format!("w{}", char::from(b'a' + u8::try_from(n % 26).unwrap())) + &format!("{}", n * n / 20_000 * n / 20_000)
    };
    let texts: Vec<String> =
        (0..100_000).map(|at| (0..20 + at % 80).map(|_| word()).collect::<Vec<_>>().join(" ")).collect();
    let mut queries: Vec<String> =
        (0..500).map(|at| (0..3 + at % 8).map(|_| word()).collect::<Vec<_>>().join(" ")).collect();
    queries.push("wa0 wb0 wc0 wa1".to_owned());
    for (talk, size) in [(false, 10_000), (false, 100_000), (true, 10_000), (true, 100_000)] {
        let start = std::time::Instant::now();
        let mut search = if talk { Search::conversation() } else { Search::new() };
        for (doc, text) in (0..size).zip(&texts) {
            search.add(doc, text);
        }
        let built = start.elapsed();
        let mut times: Vec<u128> = queries
            .iter()
            .map(|query| {
                let start = std::time::Instant::now();
                search.query(query, 10, |_| true);
                start.elapsed().as_nanos() / 1000
            })
            .collect();
        times.sort_unstable();
        println!(
            "{size} docs, conversation {talk}: built in {built:?}; query µs: p50 {}, p95 {}, max {}",
            times[250], times[475], times[500]
        );
    }
}
