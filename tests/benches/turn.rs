//! What a turn costs against a long log, what learning costs, and what reading the array costs.
//!
//! `cargo bench -p diffledger-tests`; the same in wasm: `cargo xtask bench-wasm`.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::hint::black_box;
    use std::time::{Duration, Instant};

    use criterion::{BenchmarkId, Criterion, criterion_group};
    use diffledger_core::message::{Message, Role};
    use diffledger_core::transcript;
    use diffledger_tests::workload::{Asks, LongSession, array_json, thousand};

    fn one_turn(criterion: &mut Criterion) {
        for atoms in [1_000, 10_000, 100_000] {
            let mut long = LongSession::new(atoms);
            let mut number = 0;
            let mut group = criterion.benchmark_group("turn");
            for asks in Asks::ALL {
                group.bench_function(BenchmarkId::new(format!("{asks:?}"), atoms), |bencher| {
                    bencher.iter_custom(|times| {
                        let mut spent = Duration::ZERO;
                        for _ in 0..times {
                            number += 1;
                            let array = long.array(&asks.text(number));
                            let start = Instant::now();
                            black_box(long.turn(&array));
                            spent += start.elapsed();
                            long.take_back();
                        }
                        spent
                    });
                });
            }
            group.finish();
            let mut group = criterion.benchmark_group("look");
            for asks in Asks::ALL {
                group.bench_function(BenchmarkId::new(format!("{asks:?}"), atoms), |bencher| {
                    bencher.iter(|| {
                        number += 1;
                        black_box(long.session.look(&asks.text(number)))
                    });
                });
            }
            group.finish();
            criterion.bench_function(&format!("learn 1000 characters/{atoms}"), |bencher| {
                bencher.iter_custom(|times| {
                    let texts: Vec<String> = (0..times).map(|at| thousand(at as u32 + 1_000_000 + number)).collect();
                    number += texts.len() as u32;
                    let start = Instant::now();
                    for text in texts {
                        long.session.extend([Message::text(Role::Assistant, text)]);
                    }
                    let spent = start.elapsed();
                    long.take_back();
                    spent
                });
            });
        }
    }

    fn a_whole_session(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group("learn a session");
        for atoms in [1_000, 10_000] {
            group.bench_function(BenchmarkId::from_parameter(atoms), |bencher| {
                bencher.iter(|| black_box(LongSession::new(atoms)));
            });
        }
        group.finish();
    }

    fn the_array(criterion: &mut Criterion) {
        let json = array_json();
        criterion.bench_function("read an array of 200", |bencher| {
            bencher.iter(|| black_box(transcript::read(json.as_bytes())));
        });
    }

    fn brief() -> Criterion {
        let criterion = Criterion::default().sample_size(10);
        criterion.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(800))
    }

    criterion_group! {
        name = benches;
        config = brief();
        targets = the_array, a_whole_session, one_turn
    }
}

#[cfg(not(target_arch = "wasm32"))]
criterion::criterion_main!(native::benches);

#[cfg(target_arch = "wasm32")]
fn main() {}
