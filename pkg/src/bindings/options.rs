//! Limits, as an options object names them.

use diffledger_core::config::{Config, Matching};
use diffledger_core::error::{Error, ErrorKind, shown};

use super::convert::Fields;
use super::failure::Failure;

/// The names of all limits.
pub(crate) const LIMITS: [&str; 7] =
    ["matching", "jaccard", "staleTurns", "gapMax", "fillChars", "fillTokens", "logBytes"];

/// The defaults, with what the object says otherwise.
pub(crate) fn limits(fields: &Fields<'_>) -> Result<Config, Failure> {
    let mut config = Config::default();
    match fields.text("matching")?.as_deref() {
        None | Some("refined") => {}
        Some("published") => config.matching = Matching::Published,
        Some(other) => {
            let message = format!("{} is `{}`: refined or published", fields.place("matching"), shown(other));
            return Err(Failure::new(ErrorKind::InvalidOption, message));
        }
    }
    let counts: [(&str, &mut u32); 5] = [
        ("jaccard", &mut config.jaccard),
        ("staleTurns", &mut config.stale_turns),
        ("gapMax", &mut config.gap_max),
        ("fillChars", &mut config.fill_chars),
        ("fillTokens", &mut config.fill_tokens),
    ];
    for (name, slot) in counts {
        if let Some(value) = fields.count(name)? {
            *slot = value;
        }
    }
    if let Some(value) = fields.whole("logBytes")? {
        config.log_bytes = value;
    }
    config.check().map_err(|error| Error { message: as_options(&error.message), ..error })?;
    Ok(config)
}

/// A message of the core, which has names of its own for the limits.
fn as_options(message: &str) -> String {
    let names = [
        ("stale_turns", "staleTurns"),
        ("gap_max", "gapMax"),
        ("fill_chars", "fillChars"),
        ("fill_tokens", "fillTokens"),
        ("log_bytes", "logBytes"),
    ];
    names.iter().fold(message.to_owned(), |message, (own, option)| message.replace(own, option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_option_that_was_given() {
        for config in [
            Config { stale_turns: 0, ..Config::default() },
            Config { gap_max: 101, ..Config::default() },
            Config { fill_chars: 0, ..Config::default() },
            Config { fill_tokens: 0, ..Config::default() },
            Config { log_bytes: 0, ..Config::default() },
        ] {
            let message = as_options(&config.check().unwrap_err().message);
            assert!(LIMITS.iter().any(|name| message.contains(&format!("`{name}`"))), "{message}");
        }
    }
}
