//! Conversations of any length to measure with.
