//! The view in the page's address, `#turn=14&tab=json`: never what the chat says.

/// A part of the page. On a narrow screen one is shown at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The chat.
    Chat,
    /// The context window.
    Window,
    /// What is missing, and how it comes back.
    Missing,
    /// The ledger, and the turn as JSON.
    More,
}

impl Tab {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Chat, Self::Window, Self::Missing, Self::More];

    /// The word in the address.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Window => "window",
            Self::Missing => "missing",
            Self::More => "more",
        }
    }

    /// What stands on its button.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Chat => "Chat",
            Self::Window => "Window",
            Self::Missing => "Missing",
            Self::More => "More",
        }
    }
}

/// What an address may say; what it says wrong is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The turn to stand at.
    pub turn: Option<u32>,
    /// The concept that is selected, by its entry.
    pub entry: Option<u32>,
    /// The part that is shown where not all of them fit, or one of those below.
    pub tab: Option<Tab>,
    /// The user message from which on a crunch is simulated before each.
    pub crunch_from: Option<u32>,
    /// The name of a transcript that the page's own server offers.
    pub transcript: Option<String>,
}

impl Address {
    /// Reads what stands behind the `#`.
    #[must_use]
    pub fn parse(hash: &str) -> Self {
        let mut address = Self::default();
        for (key, value) in hash.trim_start_matches('#').split('&').filter_map(|pair| pair.split_once('=')) {
            match key {
                "turn" => address.turn = value.parse().ok(),
                "entry" => address.entry = value.parse().ok(),
                "crunch-from" => address.crunch_from = value.parse().ok(),
                "tab" => address.tab = Tab::ALL.into_iter().find(|tab| tab.word() == value),
                "transcript" if !value.is_empty() => address.transcript = Some(value.to_owned()),
                _ => {}
            }
        }
        address
    }

    /// What to write behind the `#`; a transcript stays what it was.
    #[must_use]
    pub fn write(&self) -> String {
        let turn = self.turn.map(|turn| format!("turn={turn}"));
        let entry = self.entry.map(|entry| format!("entry={entry}"));
        let crunch = self.crunch_from.map(|from| format!("crunch-from={from}"));
        let tab = self.tab.map(|tab| format!("tab={}", tab.word()));
        let transcript = self.transcript.as_ref().map(|name| format!("transcript={name}"));
        [transcript, crunch, turn, entry, tab].into_iter().flatten().collect::<Vec<_>>().join("&")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let address = Address {
            turn: Some(14),
            entry: Some(3),
            tab: Some(Tab::Missing),
            crunch_from: Some(10),
            transcript: Some("a%20b.md".into()),
        };
        assert_eq!(Address::parse(&format!("#{}", address.write())), address);
        assert_eq!(Address::parse(""), Address::default());
    }

    #[test]
    fn nonsense_is_left_out() {
        assert_eq!(Address::parse("#turn=-1&turn&x=1&entry=a&tab=nothing&&transcript="), Address::default());
    }
}
