//! What the targets share: the sources under test, what they are measured against, and how.
//!
//! A target's input is nothing but the text under test. Whatever else has to be chosen, such as the
//! sizes of the pieces that a document is read in, is drawn from [`random`], which the input itself
//! starts: the same input always gives the same run.

#![forbid(unsafe_code)]

#[macro_use]
#[path = "../../src/named.rs"]
mod named;

#[allow(clippy::len_without_is_empty, reason = "a grammar is never empty")]
#[path = "../../tests/it/bnf.rs"]
pub mod bnf;
#[path = "../../src/compare/mod.rs"]
pub mod compare;
#[allow(clippy::should_implement_trait, reason = "an item borrows from the iterator: it cannot be `Iterator`")]
#[path = "../../src/document/mod.rs"]
pub mod document;
#[path = "../../src/escaped.rs"]
pub mod escaped;
#[path = "../../src/fast/mod.rs"]
pub mod fast;
#[path = "../../tests/it/generate.rs"]
pub mod generate;
#[path = "../../src/limits.rs"]
pub mod limits;
#[path = "../../tests/it/oracle.rs"]
pub mod oracle;
pub mod reading;
#[path = "../../src/refuse.rs"]
pub mod refuse;
#[path = "../../src/resolver/mod.rs"]
pub mod resolver;
#[path = "../../src/rfc1738/mod.rs"]
pub mod rfc1738;
#[path = "../../src/spec/mod.rs"]
pub mod spec;
#[path = "../../src/strip.rs"]
pub mod strip;

use generate::Random;
use peak_alloc::PeakAlloc;

/// Counts the bytes that are in use.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The base of RFC 1808 section 5.
pub const BASE: &[u8] = b"http://a/b/c/d;p?q#f";

/// Does some work and asserts that it never has more than `limit` bytes of memory at once, in
/// addition to those that were in use before.
pub fn within<T>(limit: usize, work: impl FnOnce() -> T) -> T {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let done = work();
    let used = MEMORY.peak_usage().saturating_sub(before);
    assert!(used <= limit, "{used} bytes of memory, and not {limit} at the most");
    done
}

/// A base and a reference, separated by the first LF; without one, all is a reference to [`BASE`].
pub fn pair(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (BASE, data),
    }
}

/// Asserts that some bytes are those that are expected, and shows them if not.
#[track_caller]
pub fn same(got: &[u8], expected: &[u8]) {
    assert!(got == expected, "\"{}\", and not \"{}\"", got.escape_ascii(), expected.escape_ascii());
}

/// A generator that starts with the FNV-1a hash of `data`: the same numbers for the same input.
pub fn random(data: &[u8]) -> Random {
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    Random(data.iter().fold(0xCBF2_9CE4_8422_2325, hash))
}
