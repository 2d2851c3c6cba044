//! `Ollama`: what a host may want to know of its model's server.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{Fields, out, texts};
use super::failure::Failure;
use super::later;
use crate::ollama as client;

/// An Ollama server and one of its models.
#[wasm_bindgen]
pub struct Ollama {
    client: client::Ollama,
}

#[wasm_bindgen]
impl Ollama {
    /// The server that the options name.
    ///
    /// # Errors
    /// `invalidOption`, `invalidInput`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Ollama, Failure> {
        Ok(Self { client: super::outside::ollama(options)? })
    }

    /// The server's version.
    pub fn version(&self, options: &JsValue) -> Promise {
        let (client, signal) = (self.client.clone(), signal(options));
        later(async move { Ok(client.version(signal?.as_ref()).await?.into()) })
    }

    /// The names of its models.
    pub fn models(&self, options: &JsValue) -> Promise {
        let (client, signal) = (self.client.clone(), signal(options));
        later(async move { out(&client.models(signal?.as_ref()).await?) })
    }

    /// A vector for each text.
    pub fn embed(&self, given: &JsValue, options: &JsValue) -> Promise {
        let (client, given, signal) = (self.client.clone(), texts(given, "the texts"), signal(options));
        later(async move {
            let vectors = client.embed(&given?, signal?.as_ref()).await?;
            out(&vectors)
        })
    }
}

fn signal(options: &JsValue) -> Result<Option<web_sys::AbortSignal>, Failure> {
    Fields::read(options, "the options of the call", &["signal"])?.signal()
}
