//! Aligning an array with the window: what stayed, what is new, and what the difference means.
//!
//! Hosts hand over the whole array every turn and say nothing about what they did to it. Messages are
//! paired by id where both sides have one and the content agrees, else by content in order (longest
//! common subsequence by Myers' algorithm, from the `similar` crate; equal texts at different places
//! are different atoms). What is left over is then read:
//!
//! - system text that changed is an *edit*;
//! - a tail that was only removed, or replaced in its last exchange, or streamed on, is a *rewind*;
//! - anything missing before a later message, or replaced by a placeholder or a summary, is a
//!   *crunch*, and so is everything gone.
//!
//! Reminders, notices and fills come and go and are left out. Cost: linear for an array that only
//! grew, O((n + m)·d) for d differences among messages that both sides have.

use std::collections::HashMap;
use std::convert::Infallible;

use similar::algorithms::{DiffHook, myers};

use crate::crunch::CrunchKind;
use crate::log::{Atom, AtomKind, Log, Seq, digest};
use crate::message::{Message, Role, Synthetic};
use crate::order::Set;
use crate::text;
use crate::transcript::{is_placeholder, opens_summary};

/// What a difference means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The window only grew, or nothing changed.
    Grown,
    /// The tail was taken back.
    Rewind,
    /// Only system text was rewritten.
    Edit,
    /// A compaction.
    Crunch(CrunchKind),
}

/// An array, aligned.
#[derive(Debug)]
pub(crate) struct Alignment {
    /// For each message of the array the atom that it is, or `None` when it is new.
    pub(crate) atoms: Vec<Option<Seq>>,
    /// Atoms of the window that the array does not have, synthetic ones left out.
    pub(crate) gone: Vec<Seq>,
    /// What it means.
    pub(crate) verdict: Verdict,
}

/// Whether a message takes part in the alignment.
fn is_solid(synthetic: Option<Synthetic>) -> bool {
    matches!(synthetic, None | Some(Synthetic::Summary | Synthetic::Placeholder))
}

/// Aligns `array` with the atoms that `window` lists.
pub(crate) fn align(log: &Log, window: &[Seq], array: &[Message]) -> Alignment {
    let digests: Vec<u64> = array.iter().map(digest).collect();
    let mut atoms: Vec<Option<Seq>> = vec![None; array.len()];
    let solid: Vec<&Atom> =
        window.iter().filter_map(|seq| log.atom(*seq)).filter(|atom| is_solid(atom.message.synthetic)).collect();

    pair_solid(&solid, array, &digests, &mut atoms);
    pair_loose(log, window, array, &digests, &mut atoms);

    let kept: Set<Seq> = atoms.iter().flatten().copied().collect();
    let gone: Vec<Seq> = solid.iter().map(|atom| atom.seq).filter(|seq| !kept.contains(seq)).collect();
    let restored = restore(log, array, &digests, &kept, &mut atoms);
    let verdict = if gone.is_empty() { Verdict::Grown } else { judge(&solid, &kept, array, &atoms, restored) };
    Alignment { atoms, gone, verdict }
}

/// Pairs by id and content, then the rest by content in order.
fn pair_solid(solid: &[&Atom], array: &[Message], digests: &[u64], atoms: &mut [Option<Seq>]) {
    let ids: HashMap<(&str, u64), usize> = solid
        .iter()
        .enumerate()
        .filter_map(|(place, atom)| Some(((atom.message.id.as_deref()?, atom.digest), place)))
        .collect();
    // Keys above 32 bits are contents; a pair found by id gets a small key of its own.
    let mut window_keys: Vec<u64> = solid.iter().map(|atom| atom.digest | 1 << 63).collect();
    let mut array_keys: Vec<(usize, u64)> = Vec::new();
    for (place, message) in array.iter().enumerate().filter(|(_, message)| is_solid(message.synthetic)) {
        let Some(digest) = digests.get(place) else { continue };
        let by_id = message.id.as_deref().and_then(|id| ids.get(&(id, *digest)).copied());
        let key = match by_id {
            Some(at) => {
                let key = u64::try_from(at).unwrap_or(0);
                if let Some(slot) = window_keys.get_mut(at) {
                    *slot = key;
                }
                key
            }
            None => digest | 1 << 63,
        };
        array_keys.push((place, key));
    }
    for (old, new) in common(&window_keys, &array_keys) {
        if let (Some(atom), Some(slot)) = (solid.get(old), atoms.get_mut(new)) {
            *slot = Some(atom.seq);
        }
    }
}

/// The longest common subsequence, as pairs of places. An array that only grew is its own prefix. Else
/// the comparison runs from the end, and takes what it finds as early as each side has it: compactions
/// take from the front, so of two equal texts the later one stayed. Keys that one side lacks can pair
/// with nothing; without them a rewritten array costs nothing.
fn common(window: &[u64], array: &[(usize, u64)]) -> Vec<(usize, usize)> {
    let prefix = window.iter().zip(array).take_while(|(a, (_, b))| *a == b).count();
    if prefix == window.len() {
        return array.iter().take(prefix).enumerate().map(|(old, (new, _))| (old, *new)).collect();
    }
    let in_window: Set<u64> = window.iter().copied().collect();
    let new: Vec<(usize, u64)> = array.iter().rev().copied().filter(|(_, key)| in_window.contains(key)).collect();
    let in_array: Set<u64> = new.iter().map(|(_, key)| *key).collect();
    let old: Vec<(usize, u64)> =
        window.iter().copied().enumerate().rev().filter(|(_, key)| in_array.contains(key)).collect();
    let keys = |side: &[(usize, u64)]| side.iter().map(|(_, key)| *key).collect::<Vec<u64>>();
    let (old_keys, new_keys) = (keys(&old), keys(&new));
    let mut shared = Shared { old: &old_keys, keys: Vec::new() };
    let Ok(()) = myers::diff(&mut shared, old_keys.as_slice(), 0..old.len(), new_keys.as_slice(), 0..new.len());
    earliest(&old, &shared.keys).zip(earliest(&new, &shared.keys)).collect()
}

/// Takes from a comparison the keys that both sides share, in order.
struct Shared<'a> {
    old: &'a [u64],
    keys: Vec<u64>,
}

impl DiffHook for Shared<'_> {
    type Error = Infallible;

    fn equal(&mut self, old: usize, _: usize, count: usize) -> Result<(), Infallible> {
        self.keys.extend(self.old.iter().skip(old).take(count));
        Ok(())
    }
}

/// The first places where a side has these keys one after the other.
fn earliest<'s>(side: &'s [(usize, u64)], keys: &'s [u64]) -> impl Iterator<Item = usize> + 's {
    let mut rest = side.iter();
    keys.iter().filter_map(move |key| rest.find(|(_, other)| other == key).map(|(place, _)| *place))
}

/// Pairs reminders, notices and fills by content, wherever they stand.
fn pair_loose(log: &Log, window: &[Seq], array: &[Message], digests: &[u64], atoms: &mut [Option<Seq>]) {
    let mut loose: HashMap<u64, Vec<Seq>> = HashMap::new();
    for atom in window.iter().rev().filter_map(|seq| log.atom(*seq)).filter(|atom| !is_solid(atom.message.synthetic)) {
        loose.entry(atom.digest).or_default().push(atom.seq);
    }
    if loose.is_empty() {
        return;
    }
    for (place, _) in array.iter().enumerate().filter(|(_, message)| !is_solid(message.synthetic)) {
        let found = digests.get(place).and_then(|digest| loose.get_mut(digest)).and_then(Vec::pop);
        if let Some(slot) = atoms.get_mut(place) {
            *slot = found;
        }
    }
}

/// Messages that left earlier and stand again before what stayed are the old atoms, not new ones;
/// after it, a repeated text is a new message. Where nothing stayed, the array's beginning counts.
fn restore(log: &Log, array: &[Message], digests: &[u64], kept: &Set<Seq>, atoms: &mut [Option<Seq>]) -> usize {
    let last_kept = atoms.iter().rposition(Option::is_some);
    let mut last = Seq(0);
    let mut count = 0;
    for (place, message) in array.iter().enumerate() {
        if let Some(Some(seq)) = atoms.get(place) {
            last = last.max(*seq);
            continue;
        }
        let before_kept = last_kept.is_none_or(|kept| place < kept);
        let candidates = digests.get(place).map_or(&[] as &[Seq], |digest| log.with_digest(*digest));
        let same_id =
            |seq: &Seq| message.id.is_some() && log.atom(*seq).is_some_and(|atom| atom.message.id == message.id);
        let found =
            candidates.iter().copied().find(|seq| !kept.contains(seq) && (same_id(seq) || before_kept && *seq >= last));
        if let (Some(seq), true) = (found, is_solid(message.synthetic)) {
            last = last.max(Seq(seq.0 + 1));
            count += 1;
            if let Some(slot) = atoms.get_mut(place) {
                *slot = Some(seq);
            }
        } else if last_kept.is_none() {
            break;
        }
    }
    count
}

fn judge(solid: &[&Atom], kept: &Set<Seq>, array: &[Message], atoms: &[Option<Seq>], restored: usize) -> Verdict {
    let is_gone = |atom: &&&Atom| !kept.contains(&atom.seq);
    if solid.iter().filter(is_gone).all(|atom| atom.kind == AtomKind::System) {
        return Verdict::Edit;
    }
    let is_new = |(message, seq): &(&Message, &Option<Seq>)| seq.is_none() && is_solid(message.synthetic);
    let new: Vec<&Message> = array.iter().zip(atoms).filter(is_new).map(|(message, _)| message).collect();
    let kinds = [CrunchKind::Summary, CrunchKind::Placeholder];
    if let Some(kind) = kinds.into_iter().find(|kind| new.iter().any(|message| replaces(message, *kind))) {
        return Verdict::Crunch(kind);
    }
    let kind = CrunchKind::Vanished;
    let last_kept = solid.iter().rposition(|atom| kept.contains(&atom.seq));
    let tail_only =
        solid.iter().take(last_kept.map_or(0, |at| at + 1)).filter(is_gone).all(|atom| atom.kind == AtomKind::System);
    if !tail_only {
        return Verdict::Crunch(kind);
    }
    if restored > 0 && last_kept.is_none() {
        return Verdict::Rewind;
    }
    let tail: Vec<&Atom> = solid.iter().filter(is_gone).copied().filter(|atom| atom.kind != AtomKind::System).collect();
    let something_stays = solid.iter().any(|atom| kept.contains(&atom.seq) && atom.kind != AtomKind::System);
    if is_rewind(&tail, &new, something_stays) { Verdict::Rewind } else { Verdict::Crunch(kind) }
}

/// Whether a new message is what a compaction of this kind leaves in place of what it took.
pub(crate) fn replaces(message: &Message, kind: CrunchKind) -> bool {
    let is_tool = message.role == Role::Tool;
    match kind {
        CrunchKind::Summary => {
            message.synthetic == Some(Synthetic::Summary) || !is_tool && opens_summary(&message.visible())
        }
        CrunchKind::Placeholder => {
            message.synthetic == Some(Synthetic::Placeholder) || is_tool && is_placeholder(&message.visible())
        }
        _ => false,
    }
}

/// A tail is taken back when nothing replaces it, when it is no more than the last exchange, or when
/// its first message is an earlier writing of what stands there now. More than that, replaced by
/// something else, is a window that slid on: what slid out is lost.
fn is_rewind(tail: &[&Atom], new: &[&Message], something_stays: bool) -> bool {
    let (Some(old), Some(now)) = (tail.first(), new.first()) else { return something_stays };
    let edited = old.message.role == now.role && is_rewrite(&old.message.visible(), &now.visible());
    let users = tail.iter().filter(|atom| atom.kind == AtomKind::User).count();
    let rounds = tail.iter().filter(|atom| atom.kind == AtomKind::Assistant).count();
    let last_exchange = users <= 1 && rounds <= 1 && old.message.role == now.role;
    edited || (something_stays && last_exchange)
}

/// Whether `now` is `old` written on or edited: one begins the other, or half of their trigrams agree.
fn is_rewrite(old: &str, now: &str) -> bool {
    if old.is_empty() || now.is_empty() {
        return false;
    }
    if now.starts_with(old.trim_end()) || old.starts_with(now.trim_end()) {
        return true;
    }
    let (a, b) = (text::trigrams(old), text::trigrams(now));
    let shared = a.iter().filter(|gram| b.binary_search(gram).is_ok()).count();
    let total = a.len() + b.len() - shared;
    total > 0 && shared * 2 >= total
}

#[cfg(test)]
mod tests;
