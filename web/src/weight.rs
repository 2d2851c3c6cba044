//! What the context window weighs: estimated tokens by who wrote them.

use diffledger_core::log::{Atom, AtomKind};
use diffledger_core::message::Synthetic;

/// Who wrote a part of the window; the order of the bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// System and developer messages.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// Tools.
    Tool,
    /// The summary that a compaction left.
    Summary,
    /// Other text that software wrote.
    Notes,
    /// What was put back.
    Fills,
}

impl Class {
    /// All of them, in order.
    pub const ALL: [Self; 7] =
        [Self::System, Self::User, Self::Assistant, Self::Tool, Self::Summary, Self::Notes, Self::Fills];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::Summary => "summary",
            Self::Notes => "notes",
            Self::Fills => "fills",
        }
    }

    /// That of an atom.
    #[must_use]
    pub fn of(atom: &Atom) -> Self {
        match atom.kind {
            AtomKind::System => Self::System,
            AtomKind::User => Self::User,
            AtomKind::Assistant => Self::Assistant,
            AtomKind::ToolResult => Self::Tool,
            AtomKind::Synthetic => match atom.message.synthetic {
                Some(Synthetic::Summary) => Self::Summary,
                Some(Synthetic::Fill) => Self::Fills,
                _ => Self::Notes,
            },
        }
    }
}

/// Tokens by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights([u32; Class::ALL.len()]);

impl Weights {
    /// Those of some atoms.
    #[must_use]
    pub fn of<'a>(atoms: impl Iterator<Item = &'a Atom>) -> Self {
        let mut weights = Self::default();
        for atom in atoms {
            weights.add(Class::of(atom), atom.tokens);
        }
        weights
    }

    /// More of one class.
    pub fn add(&mut self, class: Class, tokens: u32) {
        if let Some(weight) = self.0.get_mut(class as usize) {
            *weight = weight.saturating_add(tokens);
        }
    }

    /// Tokens of one class.
    #[must_use]
    pub fn get(&self, class: Class) -> u32 {
        self.0.get(class as usize).copied().unwrap_or(0)
    }

    /// All tokens.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().copied().fold(0, u32::saturating_add)
    }

    /// The classes that weigh anything, with the place and the length of each on a bar on which
    /// `scale` tokens are 1000.
    #[must_use]
    pub fn bars(&self, scale: u32) -> Vec<(Class, u32, u32)> {
        let mut from = 0;
        let bar = |class: Class| {
            let length = u32::try_from(u64::from(self.get(class)) * 1000 / u64::from(scale.max(1))).unwrap_or(1000);
            let start = from;
            from += length;
            (length > 0).then_some((class, start, length))
        };
        Class::ALL.into_iter().filter_map(bar).collect()
    }
}

/// Thousands with a thin break, as in `12 345`.
#[must_use]
pub fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_one_after_the_other() {
        let mut weights = Weights::default();
        weights.add(Class::Tool, 50);
        weights.add(Class::User, 25);
        assert_eq!(weights.total(), 75);
        assert_eq!(weights.bars(100), [(Class::User, 0, 250), (Class::Tool, 250, 500)]);
        assert_eq!(Weights::default().bars(0), []);
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1\u{202F}234");
        assert_eq!(grouped(1_234_567), "1\u{202F}234\u{202F}567");
    }
}
