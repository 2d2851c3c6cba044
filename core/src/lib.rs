//! diffledger's core: pure, no I/O. (Under construction.)

pub mod concept;
pub mod config;
pub mod error;
pub mod message;
pub mod transcript;
