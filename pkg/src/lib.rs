//! diffledger for JavaScript: the bindings, and the clients of what may be asked outside. The clients
//! are there without the bindings as well, for programs in Rust that run as WebAssembly.

#[cfg(feature = "bindings")]
pub mod bindings;
pub mod http;
pub mod ollama;
pub mod recall;
