//! Claims about pairs.

use super::*;
use ConceptKind::{Command, Identifier, Path, Quantity, Quote, Term, Url};

fn check(a: &str, b: &str, expected: Option<Rule>) {
    let config = Config::default();
    for (a, b) in [(a, b), (b, a)] {
        assert_eq!(compare(a, b, &config).map(|found| found.rule), expected, "{a:?} {b:?}");
    }
}

fn check_kinds(kind_a: ConceptKind, a: &str, kind_b: ConceptKind, b: &str, expected: Option<Rule>) {
    let config = Config::default();
    assert_eq!(covers(kind_a, a, kind_b, b, &config).map(|found| found.rule), expected, "{a:?} {b:?}");
    assert_eq!(covers(kind_b, b, kind_a, a, &config).map(|found| found.rule), expected, "{b:?} {a:?}");
}

const SAME: Option<Rule> = Some(Rule::Exact);
const SUBSET: Option<Rule> = Some(Rule::TokenSubset);
const SPELT: Option<Rule> = Some(Rule::Jaccard);
const BELOW: Option<Rule> = Some(Rule::Prefix);

#[test]
fn dress_does_not_matter() {
    check("the Retry Queue", "retry queue.", SAME);
    check("Café crème", "cafe creme", SAME);
    check("ＤＬＱ", "dlq", SAME);
    check("数据库。", "数据库", SAME);
    check("?", "!", None);
}

#[test]
fn forms_of_a_word_and_word_order_do_not_matter() {
    check("retry queues", "the retry queue", SUBSET);
    check("token refresh", "refresh token", SUBSET);
    check("dead-letter queue", "dead letter queue", SUBSET);
    check("tests", "testing", SUBSET);
}

#[test]
fn digits_must_agree() {
    check("port 8443", "port 8444", None);
    check("port 8443", "port 84431", None);
    check("staging port 8443", "port 8443", SUBSET);
    check("staging port", "staging port 8443", SUBSET);
    check("python 3.11", "python 3.12", None);
    check("python 3", "python 3.11", None);
    check("exit code 137", "exit code 1", None);
    check("error E0433", "error E0432", None);
    check("E0433", "error E0433", SUBSET);
    check("retry queue worker 1 of 2", "retry queue worker 1", None);
}

#[test]
fn a_part_stands_for_the_whole_only_when_it_is_half_of_it() {
    check("ledger", "context ledger", SUBSET);
    check("test", "test harness for the flux capacitor", None);
    check("test harness", "test harness for the flux capacitor", SUBSET);
    check("retry queue", "retry policy", None);
}

#[test]
fn short_names_are_only_themselves() {
    check("C", "C++", None);
    check("C", "C#", None);
    check("Go", "Go compiler", None);
    check("go", "goo", None);
    check("Go", "go", SAME);
    check("R", "R package", None);
    check("k8s", "K8s cluster", None);
    check("K8s", "k8s", SAME);
    check("Rust", "Rustc", None);
    check("JWT", "JWT expiry", SUBSET);
}

#[test]
fn different_words_are_not_spellings_of_one() {
    check("test", "text", None);
    check("test plan", "test plane", None);
    check("install script", "uninstall script", None);
    check("message encoding", "message decoding", None);
    check("connected client", "disconnected client", None);
    check("custom id", "customer id", None);
    check("upload handler", "download handler", None);
    check("npcflag", "npcflags column", SUBSET);
}

#[test]
fn spellings_of_one_word_meet() {
    check("WebAssembly", "web assembly", SPELT);
    check("postgres", "PostgreSQL", SPELT);
    check("deployment pipeline", "deploymnet pipeline", SPELT);
    check("очередь задач", "очереди задач", SPELT);
}

#[test]
fn scripts_without_spaces_have_the_half_rule_too() {
    check("数据库", "数据库连接池", SUBSET);
    check("連接", "数据库", None);
    check("環境", "ステージング環境", SUBSET);
    check("库", "数据库", None);
    check("재시도", "재시도 큐", SUBSET);
}

#[test]
fn names_match_exactly() {
    check_kinds(Identifier, "npcflag", Identifier, "npcflags", None);
    check_kinds(Identifier, "npcflag", Identifier, "NpcFlag", None);
    check_kinds(Identifier, "cafe\u{301}", Identifier, "caf\u{e9}", SAME);
    check_kinds(Identifier, "foo", Quote, "foo", SAME);
    check_kinds(Command, "cargo test", Command, "cargo test --workspace", None);
    check_kinds(Url, "http://127.0.0.1:8443", Url, "http://127.0.0.1:8444", None);
    check_kinds(Identifier, "", Quote, " ", None);
}

#[test]
fn a_term_is_a_name_but_for_article_and_case_left_low() {
    check_kinds(Term, "the npcflag", Identifier, "npcflag", SAME);
    check_kinds(Term, "npcflag", Identifier, "NPCFlag", SAME);
    check_kinds(Term, "NPCflag", Identifier, "npcFlag", None);
    check_kinds(Term, "npcflags", Identifier, "npcflag", None);
    check_kinds(Term, "cargo test", Command, "Cargo Test", None);
    check_kinds(Term, "the retry queue", Quote, "Retry Queue", SAME);
}

#[test]
fn a_folder_covers_the_paths_below_it() {
    check_kinds(Path, "src/server/game", Path, "src/server/game/x.cpp", BELOW);
    check_kinds(Path, "src/server/game/", Path, "./src/server/game", BELOW);
    check_kinds(Path, "src/server/gam", Path, "src/server/game/x.cpp", None);
    check_kinds(Path, "Entities.cpp", Path, "src/server/game/Entities.cpp", BELOW);
    check_kinds(Path, "game/Entities.cpp", Path, "/src/server/game/Entities.cpp", BELOW);
    check_kinds(Path, "game", Path, "src/server/game", None);
    check_kinds(Path, "Makefile", Path, "core/Makefile", BELOW);
    check_kinds(Path, "/src/x.rs", Path, "/core/src/x.rs", None);
    check_kinds(Path, "/", Path, "/core", None);
    let found = covers(Path, "src", Path, "src/a/b.rs", &Config::default()).unwrap();
    assert_eq!((found.shared, found.total, found.score), (1, 3, 650));
}

#[test]
fn a_bare_number_is_the_quantity_that_has_it() {
    check_kinds(Quantity, "port 8443", Quantity, "8443", SAME);
    check_kinds(Quantity, "port 8443", Quantity, "port: 8443", SAME);
    check_kinds(Quantity, "port 8443", Term, "8443", SAME);
    check_kinds(Term, "Port 8443", Quantity, "port 8443", SAME);
    check_kinds(Quantity, "port 8443", Quantity, "8444", None);
    check_kinds(Quantity, "port 8443", Quantity, "line 8443", None);
    check_kinds(Quantity, "30 s", Quantity, "30s", SAME);
    check_kinds(Quantity, "30 MB", Quantity, "30 Mb", None);
    check_kinds(Quantity, "python 3.11", Quantity, "3.1", None);
    check_kinds(Quantity, "-5", Quantity, "5", None);
    check_kinds(Quantity, "5 of 8443", Quantity, "8443", None);
}

#[test]
fn rules_have_their_names_in_json() {
    let found = serde_json::to_string(&Match::new(Rule::TokenSubset, 1, 2)).unwrap();
    assert_eq!(found, r#"{"rule":"tokenSubset","shared":1,"total":2,"score":725}"#);
}

/// The published package's answers, made by running it.
#[test]
fn the_published_rules_give_the_reference_vectors() {
    let shared = std::env::var("DIFFLEDGER_SHARED").map_or_else(
        |_| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        std::path::PathBuf::from,
    );
    let path = shared.join("reference/matching.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = |name: &str| vectors[name].as_array().unwrap().clone();
    for row in rows("normalize") {
        let text = row["in"].as_str().unwrap();
        assert_eq!(published::normalize(text), row["out"].as_str().unwrap(), "{text:?}");
    }
    let config = Config::reference();
    for row in rows("match") {
        let (a, b) = (row["a"].as_str().unwrap(), row["b"].as_str().unwrap());
        let (exact, subset, shared, total) = compare_published(&published::normalize(a), &published::normalize(b));
        let found = serde_json::json!({
            "a": a, "b": b, "exact": exact, "token_subset": subset, "shared": shared, "total": total,
            "jaccard": row["jaccard"], "covered": compare(a, b, &config).is_some(),
        });
        assert_eq!(found, row);
    }
    assert_eq!((rows("normalize").len(), rows("match").len()), (137, 888));
}
