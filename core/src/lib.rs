//! diffledger's core: pure, no I/O. (Under construction.)

pub mod config;
pub mod concept;
pub mod error;
pub mod message;
pub mod prompt;
pub mod transcript;
