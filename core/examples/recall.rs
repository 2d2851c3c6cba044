//! Answers a recall file (`{"docs": [{"id", "text"}], "queries": [{"id", "text"}]}`), one line a query.
//! The documents are taken as turns of conversations, in order.

use std::error::Error;

use diffledger_core::recall::Search;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: recall FILE.json")?;
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let rows = |name: &str| file.get(name).and_then(Value::as_array).cloned().ok_or(format!("no `{name}`"));
    let text = |row: &Value| row.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    let docs = rows("docs")?;
    let mut search = Search::conversation();
    for (doc, row) in (0..).zip(&docs) {
        search.add(doc, &text(row));
    }
    for query in rows("queries")? {
        let hits = search.query(&text(&query), 10, |_| true);
        let ids: Vec<_> =
            hits.iter().filter_map(|hit| docs.get(usize::try_from(hit.doc).ok()?)?.get("id").cloned()).collect();
        println!("{}", json!({"id": query.get("id"), "hits": ids}));
    }
    Ok(())
}
