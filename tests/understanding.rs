//! What a message is understood to refer to: the suites of `understanding/`, case by case.
//!
//! The cases say what a sensible user expects. Those that fail today are listed in
//! `understanding/known-failures.txt`, and the list can only shrink: a case that fails and is not listed
//! fails the test, and so does one that is listed and holds. `UNDERSTANDING=1` prints all failures in
//! full, `UNDERSTANDING=list` their names as the list has them.
#![cfg(not(target_arch = "wasm32"))]

mod suite;

use std::collections::BTreeSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use suite::{Case, Talks, cases, folder, text_of};

/// Each suite with the fewest cases that it may have.
const SUITES: &[(&str, usize)] = &[
    ("ordinals", 40),
    ("typed", 60),
    ("pronouns", 60),
    ("session", 20),
    ("returns", 20),
    ("mixed", 20),
    ("corrected", 20),
    ("reports", 16),
    ("chinese", 10),
    ("japanese", 10),
    ("korean", 10),
    ("russian", 10),
    ("arabic", 10),
    ("spanish", 10),
    ("german", 10),
    ("extraction", 90),
    ("extraction-code", 60),
];

const KNOWN: &str = "known-failures.txt";

fn known_failures() -> BTreeSet<String> {
    text_of(KNOWN).lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

fn wrong_with(case: &dyn Case) -> Vec<String> {
    catch_unwind(AssertUnwindSafe(|| case.try_out())).unwrap_or_else(|_| vec!["it panicked".into()])
}

#[test]
fn a_case_holds_unless_it_is_known_to_fail() {
    let talks = Talks::read();
    let asked = std::env::var("UNDERSTANDING").unwrap_or_default();
    let known = known_failures();
    let mut failing = BTreeSet::new();
    let (mut rates, mut report) = (Vec::new(), Vec::new());
    for (suite, _) in SUITES {
        let mut held = [(0, 0), (0, 0)];
        for case in cases(suite, &talks) {
            let (name, wrong) = (format!("{suite}/{}", case.name()), wrong_with(case.as_ref()));
            for (counts, sort) in held.iter_mut().zip([case.is_positive(), case.is_negative()]) {
                counts.0 += usize::from(sort && wrong.is_empty());
                counts.1 += usize::from(sort);
            }
            if wrong.is_empty() {
                continue;
            }
            match asked.as_str() {
                "list" => report.push(name.clone()),
                "" if known.contains(&name) => {}
                _ => report.push(format!("{name}\n    {}", wrong.join("\n    "))),
            }
            failing.insert(name);
        }
        let [found, silent] = held.map(|(held, all)| format!("{held:>3} of {all:<3}"));
        rates.push(format!("{suite:<16} positives {found} negatives {silent}"));
    }
    // Written to the stream itself: what is printed by a test that passes is not shown.
    writeln!(std::io::stderr(), "{}\n{}", rates.join("\n"), report.join("\n")).unwrap();
    let unlisted: Vec<_> = failing.difference(&known).collect();
    let held: Vec<_> = known.difference(&failing).collect();
    assert!(unlisted.is_empty(), "{} fail and are not listed: {unlisted:#?}", unlisted.len());
    assert!(held.is_empty(), "{} are listed and hold, take them off `{KNOWN}`: {held:#?}", held.len());
}

#[test]
fn a_suite_has_its_size_and_no_fewer_negatives_than_positives() {
    let talks = Talks::read();
    for (suite, size) in SUITES {
        let cases = cases(suite, &talks);
        assert!(cases.len() >= *size, "{suite} has {} cases of {size}", cases.len());
        let positives = cases.iter().filter(|case| case.is_positive()).count();
        let negatives = cases.iter().filter(|case| case.is_negative()).count();
        assert!(positives > 0 && negatives >= positives, "{suite} has {positives} positives, {negatives} negatives");
        let names: BTreeSet<&str> = cases.iter().map(|case| case.name()).collect();
        assert_eq!(names.len(), cases.len(), "two cases of {suite} have one name");
    }
}

#[test]
fn every_file_of_the_folder_is_read() {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let suites = SUITES.iter().map(|(suite, _)| format!("{suite}.txt"));
    let known: BTreeSet<String> = suites.chain([KNOWN.into(), "conversations.txt".into()]).collect();
    assert_eq!(files.collect::<BTreeSet<String>>(), known);
}
