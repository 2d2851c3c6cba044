//! Reading: what a type takes from a parsed value, and what is said when it is not there.

use serde_json::{Map, Value};

use super::line;
use crate::error::shown;

/// What can be read from JSON.
pub(crate) trait FromJson: Sized {
    /// Takes what it needs from a value.
    fn from_json(value: &Value) -> Result<Self, Wrong>;
}

/// Why a value does not read. Boxed, since every field of every type hands it on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong(Box<Matter>);

#[derive(Debug, PartialEq, Eq)]
struct Matter {
    /// Where it is, such as `entries[3].turn`; empty for the value itself.
    place: String,
    /// What is the matter there.
    why: String,
}

impl Wrong {
    /// `value` should have been `wanted`.
    pub(crate) fn new(value: &Value, wanted: &str) -> Self {
        Self::because(format!("is `{}`, not {wanted}", shown(&line(value))))
    }

    fn because(why: String) -> Self {
        Self(Box::new(Matter { place: String::new(), why }))
    }

    /// Seen from the value that has it at `place`.
    fn under(mut self, place: &str) -> Self {
        let inner = &self.0.place;
        let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
        self.0.place = format!("{place}{dot}{inner}");
        self
    }

    /// In one clause.
    pub(crate) fn said(&self) -> String {
        let Matter { place, why } = &*self.0;
        if place.is_empty() { format!("it {why}") } else { format!("`{place}` {why}") }
    }
}

/// The value that a text is, or what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// What a text describes, or what is wrong with it.
pub(crate) fn read<T: FromJson>(text: &str) -> Result<T, String> {
    T::from_json(&parse(text)?).map_err(|wrong| wrong.said())
}

/// The fields of an object.
pub(crate) struct Fields<'a> {
    all: Option<&'a Map<String, Value>>,
    /// The name of the variant whose fields they are.
    of: &'a str,
}

impl<'a> Fields<'a> {
    /// Those of a value that must be an object.
    pub(crate) fn of(value: &'a Value) -> Result<Self, Wrong> {
        let all = value.as_object().ok_or_else(|| Wrong::new(value, "an object"))?;
        Ok(Self { all: Some(all), of: "" })
    }

    /// A field that must be there.
    pub(crate) fn get<T: FromJson>(&self, name: &str) -> Result<T, Wrong> {
        let value = self.find(name).ok_or_else(|| self.misses(name))?;
        T::from_json(value).map_err(|wrong| self.wrong(name, wrong))
    }

    /// A field that may be missing, and is `other` then.
    pub(crate) fn or<T: FromJson>(&self, name: &str, other: T) -> Result<T, Wrong> {
        let Some(value) = self.find(name) else { return Ok(other) };
        T::from_json(value).map_err(|wrong| self.wrong(name, wrong))
    }

    fn find(&self, name: &str) -> Option<&'a Value> {
        self.all?.get(name)
    }

    fn misses(&self, name: &str) -> Wrong {
        self.wrong(name, Wrong::because("is missing".into()))
    }

    fn wrong(&self, name: &str, wrong: Wrong) -> Wrong {
        let wrong = wrong.under(name);
        if self.of.is_empty() { wrong } else { wrong.under(self.of) }
    }
}

/// A variant of an enum: its name with its fields, as in `{"window": {…}}`, or its name alone.
pub(crate) fn variant(value: &Value) -> Result<(&str, Fields<'_>), Wrong> {
    if let Value::String(name) = value {
        return Ok((name, Fields { all: None, of: name }));
    }
    let one = value.as_object().filter(|object| object.len() == 1).and_then(|object| object.iter().next());
    match one {
        Some((name, Value::Object(fields))) => Ok((name, Fields { all: Some(fields), of: name })),
        _ => Err(Wrong::new(value, "one name with its fields")),
    }
}

/// The one of `all` whose word a value is.
pub(crate) fn one_of<T: Copy>(value: &Value, all: &[T], word: fn(T) -> &'static str) -> Result<T, Wrong> {
    let found = all.iter().copied().find(|one| value.as_str() == Some(word(*one)));
    found.ok_or_else(|| {
        let words: Vec<&str> = all.iter().map(|one| word(*one)).collect();
        Wrong::new(value, &format!("one of {}", words.join(", ")))
    })
}

impl FromJson for String {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        value.as_str().map(str::to_owned).ok_or_else(|| Wrong::new(value, "a text"))
    }
}

impl FromJson for bool {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        value.as_bool().ok_or_else(|| Wrong::new(value, "`true` or `false`"))
    }
}

impl FromJson for u64 {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        value.as_u64().ok_or_else(|| Wrong::new(value, "a whole number from 0"))
    }
}

impl FromJson for u32 {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let number = value.as_u64().and_then(|number| Self::try_from(number).ok());
        number.ok_or_else(|| Wrong::new(value, "a whole number from 0 to 4294967295"))
    }
}

impl FromJson for (u32, u32) {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        match Vec::from_json(value)?.as_slice() {
            [from, to] => Ok((*from, *to)),
            _ => Err(Wrong::new(value, "two numbers")),
        }
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        if value.is_null() { Ok(None) } else { T::from_json(value).map(Some) }
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &Value) -> Result<Self, Wrong> {
        let items = value.as_array().ok_or_else(|| Wrong::new(value, "a list"))?;
        let read = |(at, item)| T::from_json(item).map_err(|wrong| wrong.under(&format!("[{at}]")));
        items.iter().enumerate().map(read).collect()
    }
}
