//! Structs that are an object each.

/// Gives a struct its fields, one table for both ways: to JSON and from it. `field = value` says what a
/// field is where the text does not have it; the others must be there.
macro_rules! fields {
    ($type:ident { $($field:ident $(= $other:expr)?),+ $(,)? }) => {
        impl $crate::json::ToJson for $type {
            fn to_json(&self, to: &mut $crate::json::Writer) {
                to.object()$(.field(stringify!($field), &self.$field))+.end();
            }
        }

        impl $crate::json::FromJson for $type {
            fn from_json(value: &serde_json::Value) -> Result<Self, $crate::json::Wrong> {
                let fields = $crate::json::Fields::of(value)?;
                Ok(Self { $($field: $crate::json::fields!(from fields, $field $(, $other)?)),+ })
            }
        }
    };
    (from $fields:ident, $field:ident) => { $fields.get(stringify!($field))? };
    (from $fields:ident, $field:ident, $other:expr) => { $fields.or(stringify!($field), $other)? };
}

pub(crate) use fields;
