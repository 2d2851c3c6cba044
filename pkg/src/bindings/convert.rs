//! What JavaScript hands over, checked and converted. Anything may come: wrong types, getters that
//! throw, proxies, cycles, texts of any size.

use diffledger_core::error::{ErrorKind, shown};
use diffledger_core::json::{self, ToJson};
use diffledger_core::transcript::{self, Transcript};
use js_sys::{ArrayBuffer, Function, JSON, JsString, Number, Reflect, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::failure::Failure;

/// The longest text that is taken, in UTF-16 units, but for transcripts: no message of a person is
/// longer, and looking at one costs time with every character.
pub(crate) const MOST_TEXT: u32 = 4 << 20;

/// The longest transcript, in UTF-16 units: read, it takes several times its size, and there are 4 GB.
pub(crate) const MOST_TRANSCRIPT: u32 = 64 << 20;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn array_is_array(value: &JsValue) -> Result<bool, JsValue>;

    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;
    #[wasm_bindgen(catch, constructor, js_class = "Uint8Array")]
    fn copied(from: &JsValue) -> Result<Bytes, JsValue>;
}

/// Whether a value is an array; asking a revoked proxy throws.
pub(crate) fn is_array(value: &JsValue) -> bool {
    array_is_array(value).unwrap_or(false)
}

/// The longest text of others that stands in a message of ours, in UTF-16 units.
const MOST_SAID: u32 = 300;

/// What something thrown says of itself.
pub(crate) fn said(cause: &JsValue) -> String {
    let message = Reflect::get(cause, &"message".into()).ok().filter(JsValue::is_string);
    let message = message.unwrap_or_else(|| cause.clone());
    message.dyn_ref::<JsString>().map_or_else(|| described(cause), |text| text.slice(0, MOST_SAID).into())
}

/// A value as it stands in a message: its type, and for short ones what it is.
pub(crate) fn described(value: &JsValue) -> String {
    if let Some(text) = value.dyn_ref::<JsString>() {
        return format!("the string `{}`", shown(&String::from(text.slice(0, 61))));
    }
    if let Some(number) = value.dyn_ref::<Number>() {
        // As JavaScript writes it; what formats numbers in Rust weighs more than it is worth here.
        let written = number.to_string_with_radix(10).map(String::from).unwrap_or_default();
        return format!("the number `{written}`");
    }
    match (value.is_null(), value.is_undefined(), value.as_bool()) {
        (true, ..) => return "`null`".into(),
        (_, true, _) => return "`undefined`".into(),
        (.., Some(flag)) => return format!("`{flag}`"),
        _ => {}
    }
    if is_array(value) {
        return "an array".into();
    }
    let kind = value.js_typeof().as_string().unwrap_or_default();
    if kind == "object" { "an object".into() } else { format!("a value of type `{kind}`") }
}

fn wrong(what: &str, wanted: &str, value: &JsValue) -> Failure {
    Failure::new(ErrorKind::InvalidInput, format!("{what} must be {wanted}, not {}", described(value)))
}

/// A text of at most [`MOST_TEXT`].
pub(crate) fn text(value: &JsValue, what: &str) -> Result<String, Failure> {
    bounded(value, what, MOST_TEXT)
}

fn bounded(value: &JsValue, what: &str, most: u32) -> Result<String, Failure> {
    let Some(text) = value.dyn_ref::<JsString>() else { return Err(wrong(what, "a string", value)) };
    if text.length() > most {
        let message = format!("{what} has `{}` characters, the limit is {most}", text.length());
        return Err(Failure::new(ErrorKind::TooLarge, message));
    }
    Ok(text.into())
}

/// The longest name of a concept, in UTF-16 units: a longer one is a text.
const MOST_NAME: u32 = 2000;

/// The name of a concept.
pub(crate) fn name(value: &JsValue, what: &str) -> Result<String, Failure> {
    bounded(value, what, MOST_NAME)
}

/// The fields of an options object. Whoever reads it names all that may stand in it.
pub(crate) struct Fields<'a> {
    object: &'a JsValue,
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// Nothing at all will do for an object without fields; an unknown name is refused, since it is a
    /// misspelt option.
    pub(crate) fn read(object: &'a JsValue, what: &'static str, known: &[&str]) -> Result<Self, Failure> {
        if object.is_null() || object.is_undefined() {
            return Ok(Self { object, what });
        }
        if !object.is_object() || is_array(object) || object.is_function() {
            return Err(wrong(what, "an object", object));
        }
        let keys = Reflect::own_keys(object).map_err(|cause| unreadable(what, cause))?;
        for key in keys.iter().filter_map(|key| key.as_string()) {
            if !known.contains(&key.as_str()) {
                let message = format!("{what} has no `{}`, only {}", shown(&key), known.join(", "));
                return Err(Failure::new(ErrorKind::InvalidOption, message));
            }
        }
        Ok(Self { object, what })
    }

    /// The value under a name; `None` for none, `undefined` and `null`.
    pub(crate) fn get(&self, name: &str) -> Result<Option<JsValue>, Failure> {
        if !self.object.is_object() {
            return Ok(None);
        }
        let value = Reflect::get(self.object, &name.into()).map_err(|cause| unreadable(&self.place(name), cause))?;
        Ok((!value.is_null() && !value.is_undefined()).then_some(value))
    }

    pub(crate) fn place(&self, name: &str) -> String {
        format!("`{name}` of {}", self.what)
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        self.get(name)?.map(|value| text(&value, &self.place(name))).transpose()
    }

    pub(crate) fn whole(&self, name: &str) -> Result<Option<u64>, Failure> {
        self.get(name)?.map(|value| whole(&value, &self.place(name))).transpose()
    }

    /// A whole number that fits into 32 bits.
    pub(crate) fn count(&self, name: &str) -> Result<Option<u32>, Failure> {
        let Some(value) = self.whole(name)? else { return Ok(None) };
        let out_of_range =
            || Failure::new(ErrorKind::InvalidOption, format!("{} is `{value}`: that is too much", self.place(name)));
        u32::try_from(value).map(Some).map_err(|_| out_of_range())
    }

    pub(crate) fn function(&self, name: &str) -> Result<Option<Function>, Failure> {
        let Some(value) = self.get(name)? else { return Ok(None) };
        match value.dyn_into::<Function>() {
            Ok(function) => Ok(Some(function)),
            Err(value) => Err(wrong(&self.place(name), "a function", &value)),
        }
    }

    pub(crate) fn signal(&self) -> Result<Option<AbortSignal>, Failure> {
        let Some(value) = self.get("signal")? else { return Ok(None) };
        let listens = Reflect::get(&value, &"addEventListener".into()).is_ok_and(|method| method.is_function());
        let says = Reflect::get(&value, &"aborted".into()).is_ok_and(|flag| flag.as_bool().is_some());
        if !listens || !says {
            return Err(wrong(&self.place("signal"), "an AbortSignal", &value));
        }
        Ok(Some(value.unchecked_into()))
    }
}

fn unreadable(what: &str, cause: JsValue) -> Failure {
    Failure::because(ErrorKind::InvalidInput, format!("{what} cannot be read: its own code threw"), cause)
}

fn whole(value: &JsValue, what: &str) -> Result<u64, Failure> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0 && *number < 9e15);
    // A whole number below 2^53 is exact.
    number.map(|number| number as u64).ok_or_else(|| wrong(what, "a whole number from 0", value))
}

/// A text or bytes or JSON, with which a conversation was handed over: taken at once, before the
/// caller changes its array again.
pub(crate) struct Handed(Vec<u8>);

impl Handed {
    pub(crate) fn take(value: &JsValue) -> Result<Self, Failure> {
        let what = "the conversation";
        if value.is_string() {
            return bounded(value, what, MOST_TRANSCRIPT).map(|text| Self(text.into_bytes()));
        }
        // A view is never a proxy. It may be of a class of the caller's that lies about its length: only
        // a copy by the platform is surely as long as it says.
        if ArrayBuffer::is_view(value) && value.is_instance_of::<Uint8Array>() {
            let bytes = Bytes::copied(value).map_err(|cause| unreadable(what, cause))?;
            let bytes = bytes.unchecked_into::<Uint8Array>();
            if bytes.length() > MOST_TRANSCRIPT {
                let message = format!("{what} has `{}` bytes, the limit is {MOST_TRANSCRIPT}", bytes.length());
                return Err(Failure::new(ErrorKind::TooLarge, message));
            }
            return Ok(Self(bytes.to_vec()));
        }
        if !value.is_object() || value.is_function() {
            return Err(wrong(what, "an array of messages, an object with `messages`, or a text", value));
        }
        let json = JSON::stringify(value).map_err(|cause| {
            let message =
                "the conversation cannot be written as JSON (a cycle, a BigInt, or code of its own that threw)";
            Failure::because(ErrorKind::InvalidInput, message, cause)
        })?;
        // An object whose `toJSON` gives nothing.
        if !json.is_string() {
            return Err(wrong(what, "an array of messages, an object with `messages`, or a text", value));
        }
        bounded(&json, what, MOST_TRANSCRIPT).map(|text| Self(text.into_bytes()))
    }

    pub(crate) fn read(&self) -> Result<Transcript, Failure> {
        Ok(transcript::read(&self.0)?)
    }
}

/// A value for JavaScript: plain objects, `null` for nothing.
pub(crate) fn out(value: &dyn ToJson) -> Result<JsValue, Failure> {
    let unreadable = |cause| Failure::because(ErrorKind::InvalidInput, "the result cannot be handed over", cause);
    JSON::parse(&json::line(value)).map_err(unreadable)
}

/// The texts of an array.
pub(crate) fn texts(value: &JsValue, what: &str) -> Result<Vec<String>, Failure> {
    items(value, what)?.iter().map(|item| text(item, what)).collect()
}

/// The elements of an array; reading one may run code of the caller.
pub(crate) fn items(value: &JsValue, what: &str) -> Result<Vec<JsValue>, Failure> {
    if !is_array(value) {
        return Err(wrong(what, "an array", value));
    }
    let length = Reflect::get(value, &"length".into()).map_err(|cause| unreadable(what, cause))?;
    let length = length.as_f64().unwrap_or(0.0);
    if length > 100_000.0 {
        return Err(Failure::new(ErrorKind::TooLarge, format!("{what} has more than 100000 elements")));
    }
    let at = |index: u32| Reflect::get_u32(value, index).map_err(|cause| unreadable(what, cause));
    (0..length as u32).map(at).collect()
}
