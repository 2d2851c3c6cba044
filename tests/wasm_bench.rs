//! What a turn costs in wasm under Node: `cargo xtask bench-wasm`, no part of `cargo verify`.
#![cfg(target_arch = "wasm32")]

use diffledger_core::message::{Message, Role};
use diffledger_core::transcript;
use diffledger_tests::workload::{Asks, LongSession, array_json, thousand};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Prints the median and the longest of `times` runs; `run` says how long it took.
fn report(name: &str, times: u32, mut run: impl FnMut(u32) -> f64) {
    let mut all: Vec<f64> = (0..times).map(&mut run).collect();
    all.sort_by(f64::total_cmp);
    let median = all[all.len() / 2];
    console_log!("{name:<40} {median:>9.3} ms, at most {:.3} ms", all[all.len() - 1]);
}

fn timed<T>(run: impl FnOnce() -> T) -> f64 {
    let start = now();
    let result = run();
    let spent = now() - start;
    drop(result);
    spent
}

#[wasm_bindgen_test]
fn one_turn_against_a_long_log() {
    let json = array_json();
    report("read an array of 200", 21, |_| timed(|| transcript::read(json.as_bytes())));
    for atoms in [1_000, 10_000, 100_000] {
        let start = now();
        let mut long = LongSession::new(atoms);
        console_log!("{:<40} {:>9.0} ms", format!("learn a session/{atoms}"), now() - start);
        for asks in Asks::ALL {
            report(&format!("turn/{asks:?}/{atoms}"), 21, |at| {
                let array = long.array(&asks.text(at));
                let spent = timed(|| long.turn(&array));
                long.take_back();
                spent
            });
            report(&format!("look/{asks:?}/{atoms}"), 21, |at| timed(|| long.session.look(&asks.text(at))));
        }
        report(&format!("learn 1000 characters/{atoms}"), 21, |at| {
            let message = Message::text(Role::Assistant, thousand(at + 1_000_000));
            timed(|| long.session.extend([message]))
        });
    }
}
