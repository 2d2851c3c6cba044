//! The page: a replay is a list of frames, and the page is a view of one of them.
//!
//! State and logic are plain Rust, without a browser; what draws them is in `view`, and nothing in
//! here computes anything about gaps: that is the core's.
//!
//! | Module | What it is |
//! |---|---|
//! | [`recording`], [`history`] | all frames of a chat, and what everything was at each |
//! | [`story`], [`mod@file`] | where a chat comes from: built in, or from a file |
//! | [`chat`], [`roster`], [`weight`], [`steps`] | what the panes show of a frame |
//! | [`answer`] | what the npm package returns for a frame |
//! | [`timeline`], [`address`] | where the frames are, and which one is shown |
//! | `view` | the panes themselves |

pub mod address;
pub mod answer;
pub mod chat;
pub mod file;
pub mod history;
pub mod recording;
pub mod roster;
pub mod steps;
pub mod story;
pub mod timeline;
#[cfg(target_arch = "wasm32")]
pub mod view;
pub mod weight;
