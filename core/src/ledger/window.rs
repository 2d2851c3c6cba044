//! How atoms come into the window and leave it, and what that does to the entries they tell about.

use std::collections::HashSet;

use super::{Entry, Ledger};
use crate::concept::{self, ConceptKind};
use crate::hear::{hear, passages};
use crate::log::{AtomKind, Cause, Log, Seq};
use crate::matching::Rule;
use crate::message::Synthetic;
use crate::order::Set;
use crate::sentence::Mark;
use crate::text;
use crate::topic;

impl Ledger {
    pub(super) fn append(&mut self, seq: Seq, log: &Log) {
        let Some(atom) = log.atom(seq) else { return };
        self.turn += u32::from(atom.kind == AtomKind::User);
        self.told.resize_with(seq.index(), Vec::new);
        self.marks.resize_with(seq.index(), Vec::new);
        let (mut told, mut marks) = (Vec::new(), Vec::new());
        let known = self.entries.len();
        let all = atom.heard.clone().unwrap_or_else(|| hear(&atom.message));
        for heard in all {
            let id = self.entry_for(&heard.concept);
            let turn = self.turn;
            let Some(entry) = self.entries.get_mut(id as usize) else { continue };
            entry.last_turn = turn;
            entry.reference_count += 1;
            if heard.said && !entry.is_said {
                entry.is_said = true;
                entry.concept = heard.concept.surface;
            }
            for mark in heard.marks {
                add_mark(&mut entry.marks, mark);
                add_mark(&mut marks, mark);
            }
            let list = if heard.stated { &mut entry.carriers } else { &mut entry.mentions };
            // Two concepts of one atom may be the same entry ("the npcflag" after `npcflag`).
            if list.last() != Some(&seq) {
                list.push(seq);
                told.push((id, heard.stated));
            }
        }
        if atom.kind == AtomKind::User {
            let entries: Vec<&Entry> = told.iter().filter_map(|(id, _)| self.entry(*id)).collect();
            let found = topic::topics(&atom.message.visible(), &entries, |entry| entry.id as usize >= known);
            self.topics.extend(found.into_iter().map(|id| (id, seq)));
        }
        self.told.push(told);
        self.marks.push(marks);
        if self.visible.insert(seq) {
            self.enter(&[seq]);
        }
        if atom.message.synthetic == Some(Synthetic::Summary) {
            self.summaries.push(seq);
            self.restate(log);
        }
    }

    /// The window becomes `view`.
    pub(super) fn show(&mut self, cause: &Cause, view: &[Seq], log: &Log) {
        let wanted: Set<Seq> = view.iter().copied().collect();
        let gone: Vec<Seq> = self.visible.as_slice().iter().filter(|seq| !wanted.contains(seq)).copied().collect();
        let back: Vec<Seq> = wanted.as_slice().iter().filter(|seq| !self.visible.contains(seq)).copied().collect();
        self.leave(&gone);
        match cause {
            Cause::Rewind | Cause::Edit => self.withdraw(&gone),
            Cause::Crunch { id } => {
                self.crunches.insert(id.clone());
            }
            Cause::Restore => {}
        }
        self.enter(&back);
        self.visible = wanted;
        self.restate(log);
    }

    /// What atoms tell that were not in the window is in it now.
    fn enter(&mut self, seqs: &[Seq]) {
        for seq in seqs {
            for (id, stated) in self.told.get(seq.index()).into_iter().flatten() {
                let Some(entry) = self.entries.get_mut(*id as usize) else { continue };
                let (list, live) = parts(entry, *stated);
                // A withdrawn atom that comes back tells again.
                if let Err(place) = list.binary_search(seq) {
                    list.insert(place, *seq);
                }
                *live += 1;
            }
        }
    }

    /// What atoms tell that were in the window is not in it any more.
    pub(super) fn leave(&mut self, seqs: &[Seq]) {
        for seq in seqs {
            for (id, stated) in self.told.get(seq.index()).into_iter().flatten() {
                let Some(entry) = self.entries.get_mut(*id as usize) else { continue };
                let (_, live) = parts(entry, *stated);
                *live = live.saturating_sub(1);
            }
        }
    }

    /// What was taken back carries nothing: it never was said.
    fn withdraw(&mut self, seqs: &[Seq]) {
        for seq in seqs {
            for (id, stated) in self.told.get(seq.index()).into_iter().flatten() {
                let Some(entry) = self.entries.get_mut(*id as usize) else { continue };
                let (list, _) = parts(entry, *stated);
                if let Ok(place) = list.binary_search(seq) {
                    list.remove(place);
                }
            }
        }
    }

    pub(super) fn clear_summary(&mut self) {
        self.compared = (None, 0);
        for id in std::mem::take(&mut self.summarised) {
            if let Some(entry) = self.entries.get_mut(id as usize) {
                entry.summarised = false;
            }
        }
    }

    /// Marks the entries that the newest visible host summary states: names verbatim, terms by matching.
    fn restate(&mut self, log: &Log) {
        let newest = self.summaries.iter().rev().copied().find(|seq| self.is_visible(*seq));
        if self.compared == (newest, self.entries.len()) {
            return;
        }
        self.clear_summary();
        self.compared = (newest, self.entries.len());
        let Some(atom) = newest.and_then(|seq| log.atom(seq)) else { return };
        let stated: String = passages(&atom.message).join("\n");
        let ids: Set<u32> = self.matching(&stated).into_iter().chain(self.names_in(&stated)).collect();
        for id in ids.as_slice() {
            if let Some(entry) = self.entries.get_mut(*id as usize) {
                entry.summarised = true;
                self.summarised.push(*id);
            }
        }
    }

    /// The entries that the concepts of a text match: terms whole, names exactly.
    fn matching(&self, stated: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        for concept in concept::extract(stated) {
            for (id, found) in self.index.lookup(concept.kind, &concept.canonical) {
                // "the queue" in a summary does not state the whole of "retry queue design".
                let is_whole =
                    |entry: &Entry| entry.kind != ConceptKind::Term || entry.canonical.len() <= concept.canonical.len();
                let whole = concept.kind == ConceptKind::Term && self.entry(id).is_some_and(is_whole);
                if found.rule == Rule::Exact || whole {
                    ids.push(id);
                }
            }
        }
        ids
    }

    /// The names that stand in a text verbatim. Only those whose first word it has are looked for.
    fn names_in(&self, stated: &str) -> Vec<u32> {
        let first =
            |name: &str| name.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).map(str::to_owned);
        let words: HashSet<&str> = stated.split(|c: char| !c.is_alphanumeric()).collect();
        let names = self.entries.iter().filter(|entry| entry.kind != ConceptKind::Term);
        let there = names.filter(|entry| first(&entry.concept).is_some_and(|word| words.contains(word.as_str())));
        there.filter(|entry| text::contains_whole(stated, &entry.concept).is_some()).map(|entry| entry.id).collect()
    }
}

fn add_mark(marks: &mut Vec<Mark>, mark: Mark) {
    if let Err(place) = marks.binary_search(&mark) {
        marks.insert(place, mark);
    }
}

fn parts(entry: &mut Entry, stated: bool) -> (&mut Vec<Seq>, &mut u32) {
    if stated {
        (&mut entry.carriers, &mut entry.live_carriers)
    } else {
        (&mut entry.mentions, &mut entry.live_mentions)
    }
}
