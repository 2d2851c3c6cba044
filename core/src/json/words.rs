//! Enums that are one word each.

/// Gives an enum its words, one table for both ways: as a `&str`, to JSON and from it.
macro_rules! words {
    ($type:ident, $($variant:ident => $word:literal),+ $(,)?) => {
        impl $type {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it, in saved forms and results.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl $crate::json::ToJson for $type {
            fn to_json(&self, to: &mut $crate::json::Writer) {
                to.text(self.word());
            }
        }

        impl $crate::json::FromJson for $type {
            fn from_json(value: &serde_json::Value) -> Result<Self, $crate::json::Wrong> {
                $crate::json::one_of(value, Self::ALL, Self::word)
            }
        }
    };
}

pub(crate) use words;
