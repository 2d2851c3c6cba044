use super::{Format, Transcript, reading::Reading};
use serde_json::Value;
pub(super) fn recognises(_value: &Value) -> bool {
    false
}
pub(super) fn read(_items: &[(u32, &Value)], reading: Reading) -> Transcript {
    reading.finish(Format::ClaudeCode)
}
