//! diffledger for JavaScript: the bindings, and the clients of what may be asked outside. The clients
//! and the shapes of the results are there without the bindings as well, for programs in Rust that run as
//! WebAssembly.

#[cfg(feature = "bindings")]
pub mod bindings;
pub mod http;
pub mod ollama;
pub mod recall;
pub mod shape;
