//! The known concepts, so that one can be looked up without comparing with all.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::search::Search;
use super::term::{Profile, RARE, is_number};
use super::{Match, Rule, judge, name, overlap};
use crate::concept::ConceptKind;
use crate::config::{Config, Matching};
use crate::order;
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
    pub(super) config: Config,
    pub(super) entries: Vec<Entry>,
    forms: Map<Box<str>, Vec<u32>>,
    numbers: Map<Box<str>, Vec<u32>>,
    folders: Map<Box<str>, Vec<u32>>,
    tails: Map<Box<str>, Vec<u32>>,
    tokens: Map<Box<str>, u32>,
    pub(super) by_token: Vec<Vec<u32>>,
    is_number: Vec<bool>,
    pub(super) trigrams: Map<u64, Vec<u32>>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: u32,
    kind: ConceptKind,
    pub(super) text: Box<str>,
    pub(super) tokens: Box<[u32]>,
    pub(super) numbers: u32,
    pub(super) weight: u32,
    pub(super) short: bool,
    pub(super) trigrams: u32,
}

/// What a text is looked up by. Made in the same way for entries and queries.
struct Keys {
    forms: Vec<String>,
    number: Option<String>,
    /// Tokens and trigrams are for what matches fuzzily.
    fuzzy: Option<Fuzzy>,
}

pub(super) struct Fuzzy {
    /// The tokens that some entry has, and one number for each other: sorted.
    pub(super) ids: Vec<u32>,
    pub(super) profile: Profile,
    pub(super) trigrams: Vec<u64>,
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
        if let Some(Fuzzy { profile, trigrams, .. }) = keys.fuzzy {
            let mut tokens: Vec<u32> = profile.tokens.iter().map(|token| self.intern(token, slot)).collect();
            order::numbers(&mut tokens);
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
        let mut search = Search::new(self);
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
            search.by_tokens(fuzzy);
            search.by_trigrams(fuzzy);
        }
        let mut found = search.found;
        order::by_key(&mut found, best_first);
        found.dedup_by_key(|(id, _)| *id);
        order::by_key(&mut found, |(id, found)| (Reverse(found.score), *id));
        found
    }

    fn keys(&self, kind: ConceptKind, text: &str) -> Keys {
        if self.config.matching == Matching::Published {
            let canonical = published::normalize(text);
            let tokens = published::tokens(&canonical).into_iter().map(str::to_owned).collect();
            let trigrams = text::trigrams(&canonical);
            let profile = Profile::of_tokens(canonical.clone(), tokens);
            return Keys { forms: vec![canonical], number: None, fuzzy: Some(self.fuzzy(profile, trigrams)) };
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
                fuzzy = Some(self.fuzzy(profile, trigrams));
            }
            ConceptKind::Path => forms.push(path_form(&name::components(&text::canonical_exact(text)).join("/"))),
            kind if name::is_loose(kind) => forms.extend(forms.first().map(|exact| text::fold(exact))),
            _ => {}
        }
        let counted = matches!(kind, ConceptKind::Term | ConceptKind::Quantity);
        let number = counted.then(|| name::quantity(&bare)).flatten().map(|quantity| quantity.number);
        order::sort(&mut forms);
        forms.dedup();
        forms.retain(|form| !form.is_empty());
        Keys { forms, number, fuzzy }
    }

    fn fuzzy(&self, profile: Profile, trigrams: Vec<u64>) -> Fuzzy {
        let known = profile.tokens.iter().filter_map(|token| self.tokens.get(token.as_str()).copied());
        let mut ids: Vec<u32> = known.collect();
        order::numbers(&mut ids);
        let strange = u32::try_from(profile.tokens.len() - ids.len()).unwrap_or_default();
        ids.extend((0..strange).map(|n| u32::MAX - strange + n));
        Fuzzy { ids, profile, trigrams }
    }

    /// What can be said of [`super::term::is_spelling`] without reading the entry: the same numbers,
    /// and on both sides a word that the other has not.
    pub(super) fn may_be_spelling(&self, query: &Fuzzy, entry: &Entry) -> bool {
        let is_number = |id: &&u32| self.is_number.get(to_usize(**id)).is_some_and(|number| *number);
        let shared = overlap(&query.ids, &entry.tokens);
        let numbers = query.profile.numbers();
        shared < query.ids.len().min(entry.tokens.len())
            && to_usize(entry.numbers) == numbers
            && (numbers == 0 || query.ids.iter().filter(is_number).eq(entry.tokens.iter().filter(is_number)))
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
                self.is_number.push(is_number(token));
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

/// By id, then best first: of equal scores the earlier rule, then the smaller counts.
fn best_first((id, found): &(u32, Match)) -> (u32, Reverse<u32>, Rule, u32, u32) {
    (*id, Reverse(found.score), found.rule, found.shared, found.total)
}

/// A path's form has a mark of its own: `a/b` and `./a/b` are one folder and two strings.
fn path_form(joined: &str) -> String {
    format!("\0{joined}")
}

pub(super) fn to_usize(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

#[cfg(test)]
impl Index {
    /// What `lookup` must equal: every entry compared.
    pub(super) fn scan(&self, kind: ConceptKind, text: &str) -> Vec<(u32, Match)> {
        let judged = |e: &Entry| judge(kind, text, e.kind, &e.text, &self.config, &|t| self.is_common(t));
        let mut found: Vec<(u32, Match)> = self.entries.iter().filter_map(|e| Some((e.id, judged(e)?))).collect();
        order::by_key(&mut found, best_first);
        found.dedup_by_key(|(id, _)| *id);
        order::by_key(&mut found, |(id, found)| (Reverse(found.score), *id));
        found
    }
}
