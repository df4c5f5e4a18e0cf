//! constant: prints an answer and ends; what a Rust program with no parser needs to start.
use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(b"http://a/b/g\n")
}
