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

/// The names that the work goes by. Above a name in the message, "rename `run_once`" brings other names
/// than what was said of it; below the last exchange, a request brings two messages without a name.
pub(super) const WORK: u32 = 950;

/// The session as a whole.
pub(super) const SESSION: u32 = 800;

/// The last exchange, for a pronoun or an ellipsis. Below a single word, "what is its importance" is
/// answered by whatever was important before.
pub(super) const LAST: u32 = 790;

/// What the topic began with.
pub(super) const TOPIC: u32 = 780;

/// What the last and the topic lose when no word of the message leans and it is only brief. Lower and
/// "open a tunnel" brings them before the tunnel.
pub(super) const ONLY_BRIEF: u32 = 300;

/// A single word: it may be passing by.
pub(super) const WORD: u32 = 750;

/// From here on a reference says by itself what it means, and a pronoun beside it is part of it.
/// Higher and "which port was it again" brings the last message too.
pub(super) const POINTED: u32 = 795;

/// By its kind alone: the last of that kind.
pub(super) const TYPED: u32 = 795;

/// What a typed reference loses when its noun stands for no kind of its own ("the recipe").
pub(super) const BY_NOUN: u32 = 200;

/// What a candidate that was not chosen is listed below the winner.
pub(super) const RUNNER_UP: u32 = 100;

/// How much a message leans on what was said: points that are added up (see [`super::leaning`]).
/// Weighed by a fit over conversations, each checked on conversations that it had not seen.
pub(super) mod leaning {
    /// From here on a message goes on with something. Lower and short questions of their own bring
    /// the last topic back; higher and "what licences are needed?" is left alone.
    pub(crate) const LEANS: i32 = 4;

    /// "it", "they", "that". Lower and a long question with a pronoun stands by itself.
    pub(crate) const PRONOUN: i32 = 8;

    /// It begins with an answer or a comment. Lower and "oh, you need an agent?" is a new question.
    pub(crate) const REACTS: i32 = 5;

    /// "what about …". Lower and its noun alone is looked for.
    pub(crate) const OPENING: i32 = 4;

    /// A definite noun that nothing explains. Higher changes nothing; lower and "who was the leader?"
    /// needs another sign.
    pub(crate) const DEFINITE: i32 = 4;

    /// A comparison with something that is not named. Higher and "the most similar species" leans.
    pub(crate) const COMPARES: i32 = 2;

    /// Two content words at most. Lower and "is it owed?"-like questions without a pronoun stand alone.
    pub(crate) const BRIEF: i32 = 4;

    /// One word at most that names something.
    pub(crate) const VAGUE: i32 = 3;

    /// Two or more words written as names. Nearer to 0 and "who leads the Electoral College?" leans.
    pub(crate) const NAMES: i32 = -2;

    /// It asks what something is. Nearer to 0 and "what is blockchain?" brings the last topic.
    pub(crate) const DEFINES: i32 = -4;

    /// It takes up a word that was just said. Higher and a new question that happens to share a word
    /// leans by that alone.
    pub(crate) const TAKES_UP: i32 = 4;
}

/// Which message began a topic: points for each of the user's messages, the highest begins it.
pub(super) mod begin {
    /// Taken off for each point by which it leans. Lower and "what about the cons?" begins a topic.
    pub(crate) const LEANS: i32 = 21;

    /// Taken off for each token that was said since. Higher and the last exchange is always the
    /// beginning; lower and an old conversation is.
    pub(crate) const SAID: i32 = 2;

    /// Taken off when it takes up a word that was just said. Lower and a step within a topic begins
    /// one; higher and two topics with a word in common are one.
    pub(crate) const TAKES_UP: i32 = 210;

    /// Added to a message that is still in the window. Lower and a topic that the window holds is put
    /// back; higher and one that began before the window is not.
    pub(crate) const WINDOW: i32 = 40;

    /// Added to the first message of the session: that began one for sure.
    pub(crate) const FIRST: i32 = 125;
}
