//! The seed functions: the API of the Python package, in JavaScript's idiom.

use diffledger_core::concept;
use diffledger_core::config::Config;
use diffledger_core::error::{ErrorInfo, ErrorKind};
use diffledger_core::fill::{self, Fill};
use diffledger_core::gap::Gap;
use diffledger_core::json::ToJson;
use diffledger_core::ledger::Ledger as CoreLedger;
use diffledger_core::look;
use diffledger_core::prompt::Answer;
use diffledger_core::replay;
use diffledger_core::resolve::model::Asked;
use diffledger_core::text::canonical;
use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::convert::{Fields, Handed, described, is_array, items, name, out, text};
use super::failure::Failure;
use super::ledger::{self, Inner};
use super::outside::{Model, Texts};
use super::{host, later};
use crate::shape::{CrunchShape, gaps};

/// The form under which a concept is compared.
///
/// # Errors
/// `invalidInput`, `tooLarge`.
#[wasm_bindgen]
pub fn normalize(concept: &JsValue) -> Result<String, Failure> {
    Ok(canonical(&text(concept, "the concept")?))
}

/// What a message names, in order of first mention.
///
/// # Errors
/// `invalidInput`, `tooLarge`.
#[wasm_bindgen(js_name = extractConcepts)]
pub fn extract_concepts(message: &JsValue) -> Result<JsValue, Failure> {
    let message = text(message, "the message")?;
    let concepts: Vec<String> = concept::extract(&message).into_iter().map(|concept| concept.surface).collect();
    out(&concepts)
}

/// A compaction that a transcript records and the ledger does not know yet.
///
/// # Errors
/// `invalidInput`, `fileUnreadable`, and what a transcript can be refused for.
#[wasm_bindgen(js_name = detectCrunch)]
pub fn detect_crunch(source: &JsValue, known: &JsValue) -> Result<JsValue, Failure> {
    let path = path_of(source)?;
    let is_named = !source.is_null() && !source.is_undefined();
    let handed =
        if is_named && path.is_none() { Some(Handed::take(source)?) } else { host::transcript(path.as_deref())? };
    let ledger = if known.is_null() || known.is_undefined() { None } else { Some(ledger::taken(known)?) };
    let Some(handed) = handed else { return Ok(JsValue::NULL) };
    let transcript = handed.read()?;
    let found = match ledger {
        Some(ledger) => ledger.with(|ledger| replay::detect_crunch(&transcript, Some(ledger)))?,
        None => replay::detect_crunch(&transcript, None),
    };
    found.as_ref().map_or(Ok(JsValue::NULL), |crunch| out(&CrunchShape(crunch)))
}

/// The path of `{ path }`; `None` for any other value.
fn path_of(source: &JsValue) -> Result<Option<String>, Failure> {
    if !source.is_object() || is_array(source) {
        return Ok(None);
    }
    let path = Reflect::get(source, &"path".into()).map_err(|cause| {
        Failure::because(ErrorKind::InvalidInput, "`path` cannot be read: its own code threw", cause)
    })?;
    if path.is_undefined() { Ok(None) } else { text(&path, "`path`").map(Some) }
}

/// What a message refers to and the ledger does not hold as known.
#[wasm_bindgen(js_name = detectGaps)]
pub fn detect_gaps(message: &JsValue, ledger: &JsValue, options: &JsValue) -> Promise {
    let prepared = (|| -> Result<_, Failure> {
        Ok((text(message, "the message")?, ledger::taken(ledger)?, Asking::read(options)?))
    })();
    later(async move {
        let (message, ledger, asking) = prepared?;
        let asked = if asking.model.is_some() { ledger.with(|ledger| look::ask(&message, ledger))? } else { None };
        let mut degraded = Vec::new();
        let found = asking
            .gaps(asked.as_ref(), &mut degraded, |answer| ledger.with(|ledger| gaps_by(&message, ledger, answer)))
            .await?;
        list(&gaps(&found, &message), &degraded)
    })
}

/// Texts for gaps, which are added to the ledger.
#[wasm_bindgen(js_name = fillGaps)]
pub fn fill_gaps(wanted: &JsValue, ledger: &JsValue, options: &JsValue) -> Promise {
    let prepared = (|| -> Result<_, Failure> {
        let fields = Fields::read(options, "the options of fillGaps", &["recall", "signal"])?;
        let texts = Texts::read(fields.get("recall")?.as_ref())?;
        Ok((concepts_of(wanted)?, ledger::taken(ledger)?, texts, fields.signal()?))
    })();
    later(async move {
        let (concepts, ledger, texts, signal) = prepared?;
        let (mut fills, mut degraded): (Vec<Fill>, Vec<ErrorInfo>) = (Vec::new(), Vec::new());
        for concept in concepts {
            let found = fill_for(&concept, &ledger, texts.as_ref(), signal.as_ref(), &mut degraded).await?;
            if let Some(fill) = found {
                ledger.with(|ledger| ledger.add(&concept, &fill.text, "gap", 1000))?;
                fills.push(fill);
            }
        }
        list(&fills, &degraded)
    })
}

/// Which of some concepts, oldest first, a message refers to.
#[wasm_bindgen(js_name = resolveReferences)]
pub fn resolve_references(message: &JsValue, concepts: &JsValue, options: &JsValue) -> Promise {
    let prepared = (|| -> Result<_, Failure> {
        let message = text(message, "the message")?;
        let concepts = items(concepts, "the concepts")?;
        let concepts: Vec<String> = concepts.iter().map(|one| name(one, "a concept")).collect::<Result<_, _>>()?;
        let mut lost = CoreLedger::new("references", Config { gap_max: 100, ..Config::default() })?;
        for concept in concepts.iter().filter(|concept| !concept.trim().is_empty()) {
            lost.add(concept, concept, "given", 1000);
        }
        lost.mark_all_stale(None);
        Ok((message, lost, Asking::read(options)?))
    })();
    later(async move {
        let (message, lost, asking) = prepared?;
        let asked = if asking.model.is_some() { look::ask(&message, &lost) } else { None };
        let mut degraded = Vec::new();
        let found = asking.gaps(asked.as_ref(), &mut degraded, |answer| Ok(gaps_by(&message, &lost, answer))).await?;
        let names: Vec<&str> = found.iter().map(|gap| gap.concept.as_str()).collect();
        list(&names, &degraded)
    })
}

/// Whom a message is shown to.
struct Asking {
    model: Option<Model>,
    signal: Option<AbortSignal>,
}

impl Asking {
    fn read(options: &JsValue) -> Result<Self, Failure> {
        let fields = Fields::read(options, "the options", &["model", "signal"])?;
        Ok(Self { model: Model::read(fields.get("model")?.as_ref())?, signal: fields.signal()? })
    }

    /// Asks the model what was `asked`; when it fails, the built-in gaps, and the reason.
    async fn gaps(
        &self,
        asked: Option<&Asked>,
        degraded: &mut Vec<ErrorInfo>,
        find: impl FnOnce(Option<(&Asked, &Answer)>) -> Result<Vec<Gap>, Failure>,
    ) -> Result<Vec<Gap>, Failure> {
        let (Some(model), Some(asked)) = (&self.model, asked) else { return find(None) };
        match model.ask(&asked.request, asked.choices(), self.signal.as_ref()).await? {
            Ok(answer) => find(Some((asked, &answer))),
            Err(error) => {
                degraded.push(error.info());
                find(None)
            }
        }
    }
}

/// The gaps of a message: by a model's choice, where there is one.
fn gaps_by(message: &str, ledger: &CoreLedger, chosen: Option<(&Asked, &Answer)>) -> Vec<Gap> {
    match chosen {
        Some((asked, answer)) => look::detect_gaps_chosen(message, ledger, asked, answer),
        None => look::detect_gaps(message, ledger),
    }
}

/// An array that says, as `degraded`, what worked worse than asked for.
fn list(values: &dyn ToJson, degraded: &[ErrorInfo]) -> Result<JsValue, Failure> {
    let list = out(values)?;
    // Not enumerable: to whoever prints or compares it, it is an array like any other.
    let field = js_sys::Object::new();
    let _ = Reflect::set(&field, &"value".into(), &out(&degraded)?);
    let _ = Reflect::define_property(list.unchecked_ref::<js_sys::Object>(), &"degraded".into(), &field);
    Ok(list)
}

/// The concepts of gaps, or of plain names.
fn concepts_of(wanted: &JsValue) -> Result<Vec<String>, Failure> {
    let concept = |item: JsValue| {
        if item.is_string() {
            return name(&item, "a gap");
        }
        let concept = if item.is_object() { Reflect::get(&item, &"concept".into()).ok() } else { None };
        match concept.filter(JsValue::is_string) {
            Some(concept) => name(&concept, "the concept of a gap"),
            None => Err(Failure::new(ErrorKind::InvalidInput, format!("a gap was expected, not {}", described(&item)))),
        }
    };
    items(wanted, "the gaps")?.into_iter().map(concept).collect()
}

/// What the ledger's own texts say, else the best that a store finds.
async fn fill_for(
    concept: &str,
    ledger: &Inner,
    texts: Option<&Texts>,
    signal: Option<&AbortSignal>,
    degraded: &mut Vec<ErrorInfo>,
) -> Result<Option<Fill>, Failure> {
    if let Some(fill) = ledger.with(|ledger| fill::added_for(concept, ledger))? {
        return Ok(Some(fill));
    }
    let Some(texts) = texts else { return Ok(None) };
    let limit = ledger.with(|ledger| ledger.config().fill_chars as usize)?;
    match texts.search(concept, signal).await? {
        Ok(found) => Ok(found.into_iter().find_map(|one| fill::remote(concept, &one.text, one.id, limit))),
        Err(error) => {
            if !degraded.contains(&error.info()) {
                degraded.push(error.info());
            }
            Ok(None)
        }
    }
}
