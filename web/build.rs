//! The built-in story, short enough for the page: what no reader looks at is left out, and the long ids
//! become numbers. They are random, and would be a twentieth of all that a visitor loads.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs, io};

use serde_json::Value;

const STORY: &str = "story.jsonl";

/// What no reader of the story looks at.
const UNREAD: [&str; 5] = ["timestamp", "sessionId", "isSidechain", "model", "stop_reason"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={STORY}");
    let mut ids = BTreeMap::new();
    let mut short = String::new();
    for line in fs::read_to_string(STORY)?.lines() {
        let mut value: Value = serde_json::from_str(line)?;
        shorten(&mut value, &mut ids);
        short.push_str(&value.to_string());
        short.push('\n');
    }
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(folder.join(STORY), short)
}

fn shorten(value: &mut Value, ids: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !UNREAD.contains(&name.as_str()));
            fields.values_mut().for_each(|value| shorten(value, ids));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, ids)),
        Value::String(text) if is_id(text) => {
            let number = ids.len().to_string();
            *text = ids.entry(std::mem::take(text)).or_insert(number).clone();
        }
        _ => {}
    }
}

/// A UUID, or an id of a message or of a call.
fn is_id(text: &str) -> bool {
    let is_uuid = text.len() == 36 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    is_uuid || text.starts_with("msg_") || text.starts_with("toolu_")
}
