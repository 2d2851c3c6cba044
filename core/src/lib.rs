//! diffledger's core: pure, no I/O. (Under construction.)

pub mod concept;
pub mod config;
pub mod error;
pub mod matching;
pub mod message;
pub mod recall;
pub mod text;
pub mod transcript;
