//! Panics become bare traps: in wasm nobody sees their messages, and what formats them is a tenth of
//! the code.
//!
//! A panic ends in a trap as it is. Here the functions that a panic begins with trap at once, so that
//! wasm-opt finds nothing that calls the rest. It goes by names: the wasm must still have them.

use std::path::Path;

use walrus::{FunctionBuilder, FunctionId, FunctionKind, Module};

use super::places;

/// What never returns, in the standard library outside of `core::panicking`.
const NEVER_RETURN: [&str; 14] = [
    "assert_failed",
    "capacity_overflow",
    "expect_failed",
    "handle_alloc_error",
    "handle_error",
    "panic_access_error",
    "panic_already_borrowed",
    "panic_already_mutably_borrowed",
    "panic_on_ord_violation",
    "panic_poisoned",
    "panic_with_hook",
    "slice_error_fail",
    "slice_index_fail",
    "unwrap_failed",
];

/// Writes the wasm at `from` to `to`, its panics being traps.
pub(super) fn silence(from: &Path, to: &Path) -> Result<(), String> {
    let mut module = Module::from_file(from).map_err(|error| format!("{}: {error:#}\n", from.display()))?;
    if trap(&mut module) == 0 {
        return Err(format!("{}: no panic is found by its name\n", from.display()));
    }
    if places::blank(&mut module) == 0 {
        return Err(format!("{}: no place of a panic is found by its form\n", from.display()));
    }
    module.emit_wasm_file(to).map_err(|error| format!("{}: {error:#}\n", to.display()))
}

/// Replaces the body of each function that begins a panic. How many there are.
fn trap(module: &mut Module) -> usize {
    let is_one = |function: &&walrus::Function| {
        matches!(function.kind, FunctionKind::Local(_)) && function.name.as_deref().is_some_and(is_panic)
    };
    let found: Vec<FunctionId> = module.funcs.iter().filter(is_one).map(walrus::Function::id).collect();
    let mut count = 0;
    for id in found {
        let of = module.types.get(module.funcs.get(id).ty());
        let (parameters, results) = (of.params().to_vec(), of.results().to_vec());
        // A function that gives something may be one that returns.
        if !results.is_empty() {
            continue;
        }
        let mut body = FunctionBuilder::new(&mut module.types, &parameters, &[]);
        body.func_body().unreachable();
        let arguments = parameters.iter().map(|kind| module.locals.add(*kind)).collect();
        module.funcs.get_mut(id).kind = FunctionKind::Local(body.local_func(arguments));
        count += 1;
    }
    count
}

/// Whether a function of this name never returns: `core[c593…]::option::unwrap_failed::h1cab…`.
fn is_panic(name: &str) -> bool {
    let path: String = name.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect();
    let path = path.trim_start_matches('<');
    let path = path.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16).map_or(path, |(path, _)| path);
    let of_std = ["core::", "alloc::", "std::"].iter().any(|name| path.starts_with(name));
    let last = path.rsplit("::").next().unwrap_or_default();
    path.starts_with("core::panicking::") || of_std && NEVER_RETURN.contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::ValType;
    use walrus::ir::Instr;

    /// A module with one function of this name, and how many are trapped in it.
    fn trapped(name: &str, results: &[ValType]) -> (usize, bool) {
        let mut module = Module::default();
        let mut body = FunctionBuilder::new(&mut module.types, &[ValType::I32], results);
        body.name(name.into()).func_body().i32_const(7);
        if results.is_empty() {
            body.func_body().drop();
        }
        let argument = module.locals.add(ValType::I32);
        let id = body.finish(vec![argument], &mut module.funcs);
        let count = trap(&mut module);
        let function = module.funcs.get(id).kind.unwrap_local();
        let first = function.block(function.entry_block()).instrs.first();
        (count, matches!(first, Some((Instr::Unreachable(_), _))))
    }

    #[test]
    fn a_panic_traps_at_once_and_nothing_else_does() {
        assert_eq!(trapped("core::option::unwrap_failed", &[]), (1, true));
        assert_eq!(trapped("core::option::unwrap_failed", &[ValType::I32]), (0, false));
        assert_eq!(trapped("core::option::is_some", &[]), (0, false));
    }

    #[test]
    fn what_returns_is_no_panic() {
        for name in ["std::panicking::panic_count::increase", "my::unwrap_failed", "core::option::Option<T>::unwrap_or"]
        {
            assert!(!is_panic(name), "{name}");
        }
    }

    #[test]
    fn a_panic_is_known_by_its_name_with_and_without_hashes() {
        for name in [
            "core[c5930c85a12de822]::panicking::panic_fmt",
            "core::panicking::panic_const::panic_const_div_by_zero",
            "core::option::unwrap_failed::h1cabb8de2387e733",
            "<alloc[3ca501edff3f0c7c]::vec::Vec<_, _>>::remove::assert_failed",
        ] {
            assert!(is_panic(name), "{name}");
        }
    }
}
