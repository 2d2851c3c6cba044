//! What turns cost without JavaScript: reads what `tests/npm/bench.mjs --arrays FILE` saved, and prints
//! the first turn and the median of the others, each with its JSON read and its answer written.

use std::collections::BTreeMap;
use std::time::Instant;

use diffledger_core::session::Session;
use diffledger_core::transcript;
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("name the file of arrays")?;
    let text = std::fs::read_to_string(file)?;
    let all: BTreeMap<String, Vec<Value>> = serde_json::from_str(&text)?;
    for (name, arrays) in all {
        let mut session = Session::new("bench", Default::default())?;
        let mut times = Vec::new();
        for array in &arrays {
            let json = array.to_string();
            let start = Instant::now();
            let turn = session.turn(&transcript::read(json.as_bytes())?);
            serde_json::to_string(&turn)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let first = times.remove(0);
        times.sort_by(f64::total_cmp);
        println!("{name}: first {first:.1} ms, then {:.1} ms", times[times.len() / 2]);
    }
    Ok(())
}
