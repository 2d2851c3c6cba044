//! The known concepts, so that one can be looked up without comparing with all.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::term::{Profile, RARE, Side, judge_profiles, subset};
use super::{Match, Rule, judge, judge_published, name};
use crate::concept::ConceptKind;
use crate::config::{Config, Matching};
use crate::text::{self, published};

/// A map without randomness; it is only looked into, never walked.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;

/// An inverted index over known concepts. [`Index::lookup`] gives just what [`super::covers`] would
/// over all entries, with word rarity counted over the index.
///
/// A lookup reads the postings of the query's forms, tokens, rarest trigrams, number and path
/// components, and compares the texts of the few entries that are left.
#[derive(Clone, Debug, Default)]
pub struct Index {
    config: Config,
    entries: Vec<Entry>,
    forms: Map<Box<str>, Vec<u32>>,
    numbers: Map<Box<str>, Vec<u32>>,
    folders: Map<Box<str>, Vec<u32>>,
    tails: Map<Box<str>, Vec<u32>>,
    tokens: Map<Box<str>, u32>,
    by_token: Vec<Vec<u32>>,
    trigrams: Map<u64, Vec<u32>>,
}

#[derive(Clone, Debug)]
struct Entry {
    id: u32,
    kind: ConceptKind,
    text: Box<str>,
    tokens: Box<[u32]>,
    numbers: u32,
    weight: u32,
    short: bool,
    trigrams: u32,
}

/// What a text is looked up by. Made in the same way for entries and queries.
struct Keys {
    forms: Vec<String>,
    number: Option<String>,
    /// Tokens and trigrams are for what matches fuzzily.
    fuzzy: Option<Fuzzy>,
}

struct Fuzzy {
    profile: Profile,
    trigrams: Vec<u64>,
}

impl Index {
    /// An empty index for the matching mode and threshold of `config`.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        Self { config: config.clone(), ..Self::default() }
    }

    /// How many forms were inserted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was inserted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many inserted terms have this token (see [`text::tokens`]).
    #[must_use]
    pub fn frequency(&self, token: &str) -> usize {
        self.postings(token).len()
    }

    /// Adds a form of concept `id`, canonical or as it stands in a text; an id may have several.
    pub fn insert(&mut self, id: u32, kind: ConceptKind, text: &str) {
        let Ok(slot) = u32::try_from(self.entries.len()) else { return };
        let keys = self.keys(kind, text);
        for form in keys.forms {
            self.forms.entry(form.into()).or_default().push(slot);
        }
        if let Some(number) = keys.number {
            self.numbers.entry(number.into()).or_default().push(slot);
        }
        let mut entry = Entry {
            id,
            kind,
            text: text.into(),
            tokens: Box::default(),
            numbers: 0,
            weight: 0,
            short: false,
            trigrams: 0,
        };
        if kind == ConceptKind::Path && self.config.matching == Matching::Refined {
            self.insert_path(slot, text);
        }
        if let Some(Fuzzy { profile, trigrams }) = keys.fuzzy {
            let mut tokens: Vec<u32> = profile.tokens.iter().map(|token| self.intern(token, slot)).collect();
            tokens.sort_unstable();
            entry.tokens = tokens.into();
            entry.numbers = u32::try_from(profile.numbers()).unwrap_or(u32::MAX);
            entry.weight = u32::try_from(profile.weight).unwrap_or(u32::MAX);
            entry.short = profile.is_short();
            entry.trigrams = u32::try_from(trigrams.len()).unwrap_or(u32::MAX);
            for trigram in trigrams {
                self.trigrams.entry(trigram).or_default().push(slot);
            }
        }
        self.entries.push(entry);
    }

    /// The concepts that cover `text`, each with its best match: highest score first, then lower id.
    #[must_use]
    pub fn lookup(&self, kind: ConceptKind, text: &str) -> Vec<(u32, Match)> {
        let keys = self.keys(kind, text);
        let mut search = Search { index: self, done: vec![false; self.entries.len()], found: Vec::new() };
        let judge_text =
            |entry: &Entry| judge(kind, text, entry.kind, &entry.text, &self.config, &|t| self.is_common(t));
        for form in &keys.forms {
            search.judge_all(self.forms.get(form.as_str()), judge_text);
        }
        if let Some(number) = &keys.number {
            search.judge_all(self.numbers.get(number.as_str()), judge_text);
        }
        if kind == ConceptKind::Path && self.config.matching == Matching::Refined {
            let exact = text::canonical_exact(text);
            let parts = name::components(&exact);
            search.judge_all(self.folders.get(parts.join("/").as_str()), judge_text);
            for depth in 1..=parts.len() {
                let folder = parts.get(..depth).unwrap_or_default().join("/");
                search.judge_all(self.forms.get(path_form(&folder).as_str()), judge_text);
            }
            if let Some(last) = parts.last() {
                search.judge_all(self.tails.get(*last), judge_text);
            }
        }
        if let Some(fuzzy) = &keys.fuzzy {
            search.by_tokens(&fuzzy.profile);
            search.by_trigrams(fuzzy);
        }
        let mut found = search.found;
        found.sort_unstable_by_key(|(id, found)| (*id, std::cmp::Reverse(found.score), found.rule));
        found.dedup_by_key(|(id, _)| *id);
        found.sort_by_key(|(id, found)| (std::cmp::Reverse(found.score), *id));
        found
    }

    fn keys(&self, kind: ConceptKind, text: &str) -> Keys {
        if self.config.matching == Matching::Published {
            let canonical = published::normalize(text);
            let tokens = published::tokens(&canonical).into_iter().map(str::to_owned).collect();
            let trigrams = text::trigrams(&canonical);
            let profile = Profile::of_tokens(canonical.clone(), tokens);
            return Keys { forms: vec![canonical], number: None, fuzzy: Some(Fuzzy { profile, trigrams }) };
        }
        let exact = text::canonical_exact(text);
        let bare = text::bare(text);
        let mut forms = vec![exact];
        let mut fuzzy = None;
        match kind {
            ConceptKind::Term => {
                let profile = Profile::new(text);
                if name::is_lower(&bare) {
                    forms.push(text::fold(&bare));
                }
                forms.push(bare.clone());
                forms.push(profile.canonical.clone());
                let trigrams = text::trigrams(&profile.canonical);
                fuzzy = Some(Fuzzy { profile, trigrams });
            }
            ConceptKind::Path => forms.push(path_form(&name::components(&text::canonical_exact(text)).join("/"))),
            kind if name::is_loose(kind) => forms.extend(forms.first().map(|exact| text::fold(exact))),
            _ => {}
        }
        let counted = matches!(kind, ConceptKind::Term | ConceptKind::Quantity);
        let number = counted.then(|| name::quantity(&bare)).flatten().map(|quantity| quantity.number);
        forms.sort_unstable();
        forms.dedup();
        forms.retain(|form| !form.is_empty());
        Keys { forms, number, fuzzy }
    }

    fn insert_path(&mut self, slot: u32, text: &str) {
        let exact = text::canonical_exact(text);
        let parts = name::components(&exact);
        for depth in 1..parts.len() {
            let folder = parts.get(..depth).unwrap_or_default().join("/");
            self.folders.entry(folder.into()).or_default().push(slot);
        }
        if let Some(last) = parts.last() {
            self.tails.entry((*last).into()).or_default().push(slot);
        }
    }

    fn intern(&mut self, token: &str, slot: u32) -> u32 {
        let fresh = u32::try_from(self.by_token.len()).unwrap_or(u32::MAX);
        let id = match self.tokens.get(token) {
            Some(id) => *id,
            None => {
                self.tokens.insert(token.into(), fresh);
                self.by_token.push(Vec::new());
                fresh
            }
        };
        if let Some(postings) = self.by_token.get_mut(to_usize(id)) {
            postings.push(slot);
        }
        id
    }

    fn postings(&self, token: &str) -> &[u32] {
        let id = self.tokens.get(token).map(|id| to_usize(*id));
        id.and_then(|id| self.by_token.get(id)).map_or(&[], Vec::as_slice)
    }

    fn is_common(&self, token: &str) -> bool {
        self.frequency(token) > RARE
    }
}

/// A path's form has a mark of its own: `a/b` and `./a/b` are one folder and two strings.
fn path_form(joined: &str) -> String {
    format!("\0{joined}")
}

fn to_usize(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// One lookup: which entries were judged, and what was found.
struct Search<'a> {
    index: &'a Index,
    done: Vec<bool>,
    found: Vec<(u32, Match)>,
}

impl Search<'_> {
    fn judge_all(&mut self, slots: Option<&Vec<u32>>, judge: impl Fn(&Entry) -> Option<Match>) {
        for slot in slots.into_iter().flatten() {
            self.judge(*slot, &judge);
        }
    }

    fn judge(&mut self, slot: u32, judge: impl Fn(&Entry) -> Option<Match>) {
        let at = to_usize(slot);
        let (Some(entry), Some(done)) = (self.index.entries.get(at), self.done.get_mut(at)) else { return };
        if !*done && let Some(found) = judge(entry) {
            *done = true;
            self.found.push((entry.id, found));
        }
    }

    /// Rule 2: entries whose tokens are all the query's, or the other way round.
    fn by_tokens(&mut self, query: &Profile) {
        let index = self.index;
        let mut hits = vec![0_u16; index.entries.len()];
        let mut touched = Vec::new();
        let mut ids = Vec::new();
        let mut strange = 0;
        for token in &query.tokens {
            match index.tokens.get(token.as_str()) {
                Some(id) => ids.push(*id),
                None => strange += 1,
            }
            for slot in index.postings(token) {
                if let Some(count) = hits.get_mut(to_usize(*slot)) {
                    if *count == 0 {
                        touched.push(*slot);
                    }
                    *count = count.saturating_add(1);
                }
            }
        }
        ids.sort_unstable();
        // Tokens that no entry has: numbers that no token bears keep the count right.
        ids.extend((0..strange).map(|n: u32| u32::MAX - strange + n));
        let ours = Side { tokens: &ids, numbers: query.numbers(), weight: query.weight, short: query.is_short() };
        let is_common = |id: u32| index.by_token.get(to_usize(id)).is_some_and(|postings| postings.len() > RARE);
        let refined = index.config.matching == Matching::Refined;
        for slot in touched {
            let count = hits.get(to_usize(slot)).map_or(0, |count| usize::from(*count));
            let tokens = index.entries.get(to_usize(slot)).map_or(0, |entry| entry.tokens.len());
            if count < tokens.min(ids.len()).min(usize::from(u16::MAX)) {
                continue;
            }
            self.judge(slot, |entry| {
                let theirs = Side {
                    tokens: &entry.tokens,
                    numbers: to_usize(entry.numbers),
                    weight: to_usize(entry.weight),
                    short: entry.short,
                };
                let sizes = (ids.len().min(tokens), ids.len().max(tokens));
                let counts = if refined { subset(ours, theirs, is_common) } else { Some(sizes) };
                counts.map(|(shared, total)| Match::new(Rule::TokenSubset, shared, total))
            });
        }
    }

    /// Rule 3, by prefix filter: to reach the threshold an entry must have one of the query's rarest
    /// few trigrams, and a count of those that the others can bring up to what its size asks for.
    fn by_trigrams(&mut self, query: &Fuzzy) {
        let (index, size) = (self.index, query.trigrams.len());
        let threshold = to_usize(index.config.jaccard).max(1);
        let mut lists: Vec<&[u32]> =
            query.trigrams.iter().map(|trigram| index.trigrams.get(trigram).map_or(&[][..], Vec::as_slice)).collect();
        lists.sort_by_key(|list| list.len());
        let least = (threshold * size).div_ceil(1000);
        let skipped = least.saturating_sub(1);
        lists.truncate(size - skipped.min(size));
        let mut hits = vec![0_u16; index.entries.len()];
        let mut touched = Vec::new();
        for slot in lists.into_iter().flatten() {
            if let Some(count) = hits.get_mut(to_usize(*slot)) {
                if *count == 0 {
                    touched.push(*slot);
                }
                *count = count.saturating_add(1);
            }
        }
        for slot in touched {
            let Some(entry) = index.entries.get(to_usize(slot)) else { continue };
            let count = hits.get(to_usize(slot)).map_or(0, |count| usize::from(*count));
            let needed = (threshold * (size + to_usize(entry.trigrams))).div_ceil(1000 + threshold);
            if count + skipped < needed {
                continue;
            }
            self.judge(slot, |entry| match index.config.matching {
                Matching::Published => {
                    judge_published(&query.profile.canonical, &published::normalize(&entry.text), index.config.jaccard)
                }
                Matching::Refined => {
                    let theirs = Profile::new(&entry.text);
                    judge_profiles(&query.profile, &theirs, index.config.jaccard, &|token| index.is_common(token))
                }
            });
        }
    }
}

#[cfg(test)]
impl Index {
    /// What `lookup` must equal: every entry compared.
    fn scan(&self, kind: ConceptKind, text: &str) -> Vec<(u32, Match)> {
        let judged = |e: &Entry| judge(kind, text, e.kind, &e.text, &self.config, &|t| self.is_common(t));
        let mut found: Vec<(u32, Match)> = self.entries.iter().filter_map(|e| Some((e.id, judged(e)?))).collect();
        found.sort_by_key(|(id, found)| (*id, std::cmp::Reverse(found.score), found.rule));
        found.dedup_by_key(|(id, _)| *id);
        found.sort_by_key(|(id, found)| (std::cmp::Reverse(found.score), *id));
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        let syllables: Vec<String> =
            "re qu st or ac lo gi ne ta pi con der ma shi vel tu ran ing ex po".split(' ').map(str::to_owned).collect();
        let mut word = |common: u64| {
            // Squared, so that low numbers are frequent, as words are.
            let n = next(common) * next(common) / common;
            [n % 20, n / 20 % 20, n / 400 % 20, (n * 7) % 20]
                .iter()
                .map(|i| syllables[*i as usize].clone())
                .collect::<String>()
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
}
