//! diffledger's core: what an agent was told, what a compaction took away, and how to put exactly
//! that back. Pure Rust without I/O, the same in native code and in WebAssembly.
//!
//! In reading order:
//!
//! | Module | What it is |
//! |---|---|
//! | [`error`], [`config`] | what can go wrong, and every threshold |
//! | [`text`] | how text is compared: canonical forms, words, tokens, trigrams, sentences, sizes |
//! | [`sentence`] | what a sentence does: ask or state; decide, forbid, plan, report a failure |
//! | [`concept`] | what a message can refer to, found in text |
//! | [`matching`] | the three matching rules, and the index over known concepts |
//! | [`message`], [`transcript`] | what hosts hand over, in the formats they write |
//! | [`hear`] | what a message tells: its concepts, stated or only asked about |
//! | [`log`] | the append-only list of atoms and events: the only source of truth |
//! | [`ledger`] | concept → carriers, and whether each is still known: a fold over the log |
//! | [`crunch`] | what a compaction took |
//! | [`recall`] | the search over the log |
//! | [`resolve`], [`gap`] | which lost things a message means, and the evidence |
//! | [`fill`], [`fence`], [`turn`] | the words that close a gap, and the block for the prompt |
//! | [`look`] | gaps and fills of one message, within the limits |
//! | [`prompt`] | what is asked of a model, and how its answer is read |
//! | [`session`], [`replay`] | the façade over all of it, and a transcript turned into frames |
//!
//! ```
//! use diffledger_core::session::Session;
//! use diffledger_core::transcript;
//!
//! let before = br#"[
//!   {"role": "user", "content": "How do we reach staging?"},
//!   {"role": "assistant", "content": "Through the tunnel: staging listens on port 8444."},
//!   {"role": "user", "content": "Good. Now the parser."},
//!   {"role": "assistant", "content": "The parser is done."}]"#;
//! let after = br#"[
//!   {"role": "user", "content": "Good. Now the parser."},
//!   {"role": "assistant", "content": "The parser is done."},
//!   {"role": "user", "content": "which port was staging on?"}]"#;
//!
//! let mut session = Session::new("tour", Default::default())?;
//! session.turn(&transcript::read(before)?);
//! let turn = session.turn(&transcript::read(after)?);
//!
//! let crunch = turn.crunch.expect("two messages are missing");
//! assert!(crunch.lost.contains(&"port 8444".to_owned()));
//! assert_eq!(turn.fills[0].text, "Through the tunnel: staging listens on port 8444.");
//! # Ok::<(), diffledger_core::error::Error>(())
//! ```

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod align;
pub mod concept;
pub mod config;
pub mod crunch;
pub mod error;
pub mod fence;
pub mod fill;
pub mod gap;
pub mod hear;
pub mod json;
pub mod ledger;
pub mod log;
pub mod look;
pub mod matching;
pub mod message;
mod order;
pub mod prompt;
pub mod recall;
pub mod replay;
pub mod resolve;
pub mod sentence;
pub mod session;
pub mod skipped;
pub mod text;
mod topic;
pub mod transcript;
pub mod turn;
