//! The project's own commands. (Under construction.)

fn main() {}
