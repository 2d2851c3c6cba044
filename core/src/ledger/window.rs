//! How atoms come into the window and leave it, and what that does to the entries they tell about.

use std::collections::BTreeSet;

use super::{Entry, Ledger, hear, passages};
use crate::concept::{self, ConceptKind};
use crate::log::{AtomKind, Cause, Log, Seq};
use crate::message::Synthetic;
use crate::text;

impl Ledger {
    pub(super) fn append(&mut self, seq: Seq, log: &Log) {
        let Some(atom) = log.atom(seq) else { return };
        self.turn += u32::from(atom.kind == AtomKind::User);
        self.told.resize_with(seq.index(), Vec::new);
        self.visible.resize(seq.index(), false);
        let mut told = Vec::new();
        for heard in hear(&atom.message) {
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
                if !entry.marks.contains(&mark) {
                    entry.marks.push(mark);
                    entry.marks.sort_unstable();
                }
            }
            let list = if heard.stated { &mut entry.carriers } else { &mut entry.mentions };
            // Two concepts of one atom may be the same entry ("the npcflag" after `npcflag`).
            if list.last() != Some(&seq) {
                list.push(seq);
                told.push((id, heard.stated));
            }
        }
        self.told.push(told);
        self.visible.push(false);
        self.enter(&[seq]);
        if atom.message.synthetic == Some(Synthetic::Summary) {
            self.summaries.push(seq);
            self.restate(log);
        }
    }

    /// The window becomes `view`.
    pub(super) fn show(&mut self, cause: &Cause, view: &[Seq], log: &Log) {
        let wanted: BTreeSet<Seq> = view.iter().copied().collect();
        let present: Vec<Seq> = (0u32..).zip(&self.visible).filter(|(_, v)| **v).map(|(seq, _)| Seq(seq)).collect();
        let gone: Vec<Seq> = present.iter().copied().filter(|seq| !wanted.contains(seq)).collect();
        let back: Vec<Seq> = wanted.iter().copied().filter(|seq| !self.is_visible(*seq)).collect();
        self.leave(&gone);
        match cause {
            Cause::Rewind | Cause::Edit => self.withdraw(&gone),
            Cause::Crunch { id } => {
                self.crunches.insert(id.clone());
            }
            Cause::Restore => {}
        }
        self.enter(&back);
        self.restate(log);
    }

    fn enter(&mut self, seqs: &[Seq]) {
        for seq in seqs {
            let Some(flag) = self.visible.get_mut(seq.index()) else { continue };
            if std::mem::replace(flag, true) {
                continue;
            }
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

    pub(super) fn leave(&mut self, seqs: &[Seq]) {
        for seq in seqs {
            let Some(flag) = self.visible.get_mut(seq.index()) else { continue };
            if !std::mem::replace(flag, false) {
                continue;
            }
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
        for id in std::mem::take(&mut self.summarised) {
            if let Some(entry) = self.entries.get_mut(id as usize) {
                entry.summarised = false;
            }
        }
    }

    /// Marks the entries that the newest visible host summary states: names verbatim, terms by matching.
    fn restate(&mut self, log: &Log) {
        let newest = self.summaries.iter().rev().copied().find(|seq| self.is_visible(*seq));
        if newest.is_none() && self.summarised.is_empty() {
            return;
        }
        self.clear_summary();
        let Some(atom) = newest.and_then(|seq| log.atom(seq)) else { return };
        let stated: String = passages(&atom.message).join("\n");
        let mut ids: BTreeSet<u32> = BTreeSet::new();
        for concept in concept::extract(&stated) {
            for (id, found) in self.index.lookup(concept.kind, &concept.canonical) {
                // "the queue" in a summary does not state the whole of "retry queue design".
                let whole = self.entry(id).is_some_and(|entry| {
                    entry.kind != ConceptKind::Term || entry.canonical.len() <= concept.canonical.len()
                });
                if found.rule == crate::matching::Rule::Exact || (whole && concept.kind == ConceptKind::Term) {
                    ids.insert(id);
                }
            }
        }
        let names = self.entries.iter().filter(|entry| entry.kind != ConceptKind::Term && !ids.contains(&entry.id));
        let verbatim: Vec<u32> = names
            .filter(|entry| text::contains_whole(&stated, &entry.concept).is_some())
            .map(|entry| entry.id)
            .collect();
        ids.extend(verbatim);
        for id in ids {
            if let Some(entry) = self.entries.get_mut(id as usize) {
                entry.summarised = true;
                self.summarised.push(id);
            }
        }
    }
}

fn parts(entry: &mut Entry, stated: bool) -> (&mut Vec<Seq>, &mut u32) {
    if stated {
        (&mut entry.carriers, &mut entry.live_carriers)
    } else {
        (&mut entry.mentions, &mut entry.live_mentions)
    }
}
