//! Names match exactly: paths, quantities, and terms that stand for a name.

use super::{Match, Rule};
use crate::concept::ConceptKind;
use crate::text;

/// The rules for two concepts of which at least one is not a term.
pub(super) fn judge(kind_a: ConceptKind, a: &str, kind_b: ConceptKind, b: &str) -> Option<Match> {
    let (one, two) = (text::canonical_exact(a), text::canonical_exact(b));
    if one.is_empty() || two.is_empty() {
        return None;
    }
    if one == two {
        return Some(Match::EXACT);
    }
    match (kind_a, kind_b) {
        (ConceptKind::Path, ConceptKind::Path) => paths(&one, &two),
        (ConceptKind::Quantity, ConceptKind::Quantity) => quantities(&one, &two),
        (ConceptKind::Term, kind) => term_is_name(&one, kind, &two),
        (kind, ConceptKind::Term) => term_is_name(&two, kind, &one),
        _ => None,
    }
}

fn term_is_name(term: &str, kind: ConceptKind, name: &str) -> Option<Match> {
    let bare = text::bare(term);
    let loose = is_loose(kind) && is_lower(&bare) && text::fold(&bare) == text::fold(name);
    if bare == name || loose {
        return Some(Match::EXACT);
    }
    if kind == ConceptKind::Quantity { quantities(&bare, name) } else { None }
}

/// Whether a term without capitals means a name of this kind whatever the name's case.
pub(super) const fn is_loose(kind: ConceptKind) -> bool {
    matches!(kind, ConceptKind::Identifier | ConceptKind::Quote)
}

pub(super) fn is_lower(text: &str) -> bool {
    !text.contains(char::is_uppercase)
}

/// The components of a path: the root is an empty one, `.` and doubled slashes are none.
pub(super) fn components(path: &str) -> Vec<&str> {
    let slash = if path.contains('/') { '/' } else { '\\' };
    let root = path.starts_with(slash).then_some("");
    root.into_iter().chain(path.split(slash).filter(|part| !matches!(*part, "" | "."))).collect()
}

fn paths(a: &str, b: &str) -> Option<Match> {
    let (a, b) = (components(a), components(b));
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let last = short.last().filter(|last| !last.is_empty())?;
    let names_file = short.len() > 1 || last.contains(|c: char| c == '.' || c.is_uppercase());
    let tail = names_file && long.ends_with(&short);
    (long.starts_with(&short) || tail).then(|| Match::new(Rule::Prefix, short.len(), long.len()))
}

/// A quantity's only number, what is before it (letters and digits, lower case) and after it
/// (without white space, case kept: MB is not Mb).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) number: String,
    label: String,
    unit: String,
}

/// Reads a text with exactly one number; a version or an address is one.
pub(super) fn quantity(text: &str) -> Option<Quantity> {
    let text = text::bare(text);
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = text.split_at_checked(start)?;
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inner = matches!(c, '.' | ',') && chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !c.is_ascii_digit() && !inner {
            break;
        }
        end = at + 1;
    }
    let (number, after) = rest.split_at_checked(end)?;
    if after.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let minus = before.strip_suffix(['-', '−']).filter(|before| !before.ends_with(char::is_alphanumeric));
    Some(Quantity {
        number: format!("{}{number}", if minus.is_some() { "-" } else { "" }),
        label: before.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect(),
        unit: after.chars().filter(|c| !c.is_whitespace()).collect(),
    })
}

fn quantities(a: &str, b: &str) -> Option<Match> {
    let (a, b) = (quantity(a)?, quantity(b)?);
    if a == b {
        return Some(Match::EXACT);
    }
    let bare = |q: &Quantity| q.label.is_empty() && q.unit.is_empty();
    (a.number == b.number && (bare(&a) || bare(&b))).then_some(Match { total: 2, score: 900, ..Match::EXACT })
}
