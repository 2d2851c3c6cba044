//! The page. (Thin: it follows.)

fn main() {}
