//! The types for JavaScript name what the core has.
#![cfg(not(target_arch = "wasm32"))]

use diffledger_core::error::ErrorKind;

const TYPES: &str = include_str!("../pkg/src/types.d.ts");

/// The texts of a union in the declarations.
fn union(name: &str) -> Vec<&'static str> {
    let (_, rest) = TYPES.split_once(&format!("export type {name} =")).unwrap();
    let (union, _) = rest.split_once(';').unwrap();
    union.split('"').skip(1).step_by(2).collect()
}

#[test]
fn the_error_codes_are_those_of_the_core_all_of_them() {
    let codes: Vec<&str> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
    assert_eq!(union("ErrorCode"), codes);
}
