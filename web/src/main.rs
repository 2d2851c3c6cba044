//! The page's entry.

fn main() {
    #[cfg(target_arch = "wasm32")]
    diffledger_web::view::mount();
}
