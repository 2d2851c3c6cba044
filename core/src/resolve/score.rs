//! How certain each way of referring is: one scale, 0 to 1000, in one place.
//!
//! Only the order matters, and it decides who gets the two fills of a turn. Measured by `eval refill`
//! on the development data; what goes wrong when a value moves stands beside it.

/// A name in the message equals a name that is known: nothing is surer. (Times the match's own score.)
pub(super) const NAME: u32 = 1000;

/// A phrase of several words, or a number with what it measures. Below an ordinal, "the first retry
/// queue test" would count instead of naming.
pub(super) const PHRASE: u32 = 900;

/// A model chose it. Above what the rules only read into the message, below what it names in full.
pub(super) const MODEL: u32 = 880;

/// Counted: the count is exact, what is counted is a reading. Below a typed reference, "the second
/// command" would bring the newest one.
pub(super) const ORDINAL: u32 = 860;

/// From here on the message names a thing beyond doubt, and its pronouns are about that. Lower and a
/// passing word silences every "it"; higher and a pronoun beside a name brings the last message too.
pub(super) const CERTAIN: u32 = 850;

/// By its kind, and the message's other words choose.
pub(super) const TYPED_NARROWED: u32 = 820;

/// The session as a whole.
pub(super) const SESSION: u32 = 800;

/// The last exchange, for a pronoun or an ellipsis. Below a single word, "what is its importance" is
/// answered by whatever was important before.
pub(super) const LAST: u32 = 790;

/// What the topic began with.
pub(super) const TOPIC: u32 = 780;

/// A single word: it may be passing by.
pub(super) const WORD: u32 = 750;

/// By its kind alone: the last of that kind.
pub(super) const TYPED: u32 = 640;

/// What a pronoun loses in a long message that named something before it: it is likely about that.
pub(super) const ITSELF: u32 = 190;

/// What a typed reference loses when its noun stands for no kind of its own ("the recipe").
pub(super) const BY_NOUN: u32 = 120;

/// What a candidate that was not chosen is listed below the winner.
pub(super) const RUNNER_UP: u32 = 100;
