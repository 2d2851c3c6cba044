//! Writing: a value says what it consists of, and the writer lays it out.

use std::fmt::{Display, Write};

use serde_json::Value;

/// What can be written as JSON.
pub trait ToJson {
    /// Writes exactly one value.
    fn to_json(&self, to: &mut Writer);
}

/// A value on one line.
#[must_use]
pub fn line(value: &dyn ToJson) -> String {
    written(value, None)
}

/// A value over as many lines as it has parts, as Python's `json` module lays it out with an indent of 2.
#[must_use]
pub fn pretty(value: &dyn ToJson) -> String {
    written(value, Some(0))
}

fn written(value: &dyn ToJson, depth: Option<usize>) -> String {
    let mut to = Writer { text: String::new(), depth };
    value.to_json(&mut to);
    to.text
}

/// Where a value is written to.
pub struct Writer {
    text: String,
    /// How deep it is inside of objects and lists; `None` where all goes on one line.
    depth: Option<usize>,
}

impl Writer {
    /// Begins an object.
    pub fn object(&mut self) -> Open<'_> {
        self.open('{', '}')
    }

    /// Begins the fields of a variant of an enum; one without fields is a text.
    pub fn variant(&mut self, name: &str) -> Open<'_> {
        self.object().name(name);
        Open { is_variant: true, ..self.object() }
    }

    /// Begins a list.
    pub fn list(&mut self) -> Open<'_> {
        self.open('[', ']')
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.text.push('"');
        for piece in text.split_inclusive(is_escaped) {
            let mut chars = piece.chars();
            match chars.next_back().filter(|last| is_escaped(*last)) {
                Some(last) => {
                    self.text.push_str(chars.as_str());
                    self.escape(last);
                }
                None => self.text.push_str(piece),
            }
        }
        self.text.push('"');
    }

    /// Writes what looks in JSON as it is displayed: a number, `true`, `null`.
    pub(crate) fn literal(&mut self, value: &dyn Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{value}");
    }

    fn escape(&mut self, character: char) {
        let short = match character {
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '"' | '\\' => character,
            other => {
                let _ = write!(self.text, "\\u{:04x}", u32::from(other));
                return;
            }
        };
        self.text.push('\\');
        self.text.push(short);
    }

    fn open(&mut self, start: char, end: char) -> Open<'_> {
        self.text.push(start);
        self.depth = self.depth.map(|depth| depth + 1);
        Open { to: self, end, is_empty: true, is_variant: false }
    }

    fn close(&mut self, end: char, is_empty: bool) {
        self.depth = self.depth.map(|depth| depth.saturating_sub(1));
        if !is_empty {
            self.new_line();
        }
        self.text.push(end);
    }

    fn new_line(&mut self) {
        if let Some(depth) = self.depth {
            self.text.push('\n');
            (0..depth).for_each(|_| self.text.push_str("  "));
        }
    }
}

/// JSON escapes no more than it must.
fn is_escaped(character: char) -> bool {
    character < ' ' || character == '"' || character == '\\'
}

/// An object or a list that is being written.
pub struct Open<'a> {
    to: &'a mut Writer,
    end: char,
    is_empty: bool,
    /// Whether it stands in an object of its own, under the variant's name.
    is_variant: bool,
}

impl Open<'_> {
    /// Writes a field of an object.
    pub fn field(&mut self, name: &str, value: &dyn ToJson) -> &mut Self {
        self.name(name);
        value.to_json(self.to);
        self
    }

    /// Writes a field of an object when there is a value for it; `None` leaves it out.
    pub fn given<T: ToJson>(&mut self, name: &str, value: &Option<T>) -> &mut Self {
        if let Some(value) = value {
            self.field(name, value);
        }
        self
    }

    /// Writes an element of a list.
    pub fn item(&mut self, value: &dyn ToJson) -> &mut Self {
        self.next();
        value.to_json(self.to);
        self
    }

    /// Closes the object or list.
    pub fn end(&mut self) {
        self.to.close(self.end, self.is_empty);
        if self.is_variant {
            self.to.close('}', false);
        }
    }

    fn name(&mut self, name: &str) {
        self.next();
        self.to.text(name);
        self.to.text.push_str(if self.to.depth.is_some() { ": " } else { ":" });
    }

    fn next(&mut self) {
        if !self.is_empty {
            self.to.text.push(',');
        }
        self.is_empty = false;
        self.to.new_line();
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn to_json(&self, to: &mut Writer) {
        (**self).to_json(to);
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self, to: &mut Writer) {
        match self {
            Some(value) => value.to_json(to),
            None => to.literal(&"null"),
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    fn to_json(&self, to: &mut Writer) {
        let mut list = to.list();
        for item in self {
            list.item(item);
        }
        list.end();
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self, to: &mut Writer) {
        self.as_slice().to_json(to);
    }
}

impl ToJson for str {
    fn to_json(&self, to: &mut Writer) {
        to.text(self);
    }
}

impl ToJson for String {
    fn to_json(&self, to: &mut Writer) {
        to.text(self);
    }
}

impl ToJson for bool {
    fn to_json(&self, to: &mut Writer) {
        to.literal(self);
    }
}

impl ToJson for u32 {
    fn to_json(&self, to: &mut Writer) {
        to.literal(self);
    }
}

impl ToJson for u64 {
    fn to_json(&self, to: &mut Writer) {
        to.literal(self);
    }
}

impl ToJson for usize {
    fn to_json(&self, to: &mut Writer) {
        to.literal(self);
    }
}

/// As short as it comes back the same; `null` for what is no number.
impl ToJson for f64 {
    fn to_json(&self, to: &mut Writer) {
        serde_json::Number::from_f64(*self).map_or(Value::Null, Value::Number).to_json(to);
    }
}

impl ToJson for (u32, u32) {
    fn to_json(&self, to: &mut Writer) {
        to.list().item(&self.0).item(&self.1).end();
    }
}

impl ToJson for Value {
    fn to_json(&self, to: &mut Writer) {
        match self {
            Self::Null => to.literal(&"null"),
            Self::Bool(flag) => to.literal(flag),
            Self::Number(number) => to.literal(number),
            Self::String(text) => to.text(text),
            Self::Array(items) => items.to_json(to),
            Self::Object(fields) => {
                let mut object = to.object();
                for (name, value) in fields {
                    object.field(name, value);
                }
                object.end();
            }
        }
    }
}
