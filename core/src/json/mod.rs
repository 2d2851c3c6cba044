//! JSON by hand: what a type looks like as text, and how it comes back.
//!
//! The rule in one sentence: **text is parsed in one way only, into a [`serde_json::Value`], and a
//! small function for each type takes from it what that type needs**. serde compiles its derived
//! readers and writers anew for every type and every place, and in the wasm those were an eighth of
//! the code. They stay for Rust hosts, who do not pay for what they do not use, and a test holds that
//! both write the same bytes.
//!
//! Writing is a pass over the value without a tree in between; reading costs the tree of one line.
//!
//! ```
//! use diffledger_core::json::{ToJson, Writer, line};
//!
//! struct Port {
//!     name: String,
//!     number: u32,
//! }
//!
//! impl ToJson for Port {
//!     fn to_json(&self, to: &mut Writer) {
//!         to.object().field("name", &self.name).field("number", &self.number).end();
//!     }
//! }
//!
//! assert_eq!(line(&Port { name: "staging".into(), number: 8444 }), r#"{"name":"staging","number":8444}"#);
//! ```

mod fields;
mod reader;
mod words;
mod writer;

pub(crate) use fields::fields;
pub(crate) use reader::{Fields, FromJson, Wrong, one_of, parse, read, variant};
pub(crate) use words::words;
pub use writer::{Open, ToJson, Writer, line, pretty};

#[cfg(test)]
mod tests;
