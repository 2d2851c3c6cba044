//! Limits, as an options object names them.

use diffledger_core::config::{Config, Matching};
use diffledger_core::error::{ErrorKind, shown};

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
    config.check()?;
    Ok(config)
}
