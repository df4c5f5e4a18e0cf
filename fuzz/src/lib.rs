//! What the targets share: the sources under test, what they are measured against, and how.
//!
//! A target's input is nothing but the text under test. Whatever else has to be chosen, such as the
//! sizes of the pieces that a document is read in, is drawn from [`Chance`], which the input itself
//! begins: the same input always gives the same run.

#![forbid(unsafe_code)]

#[allow(clippy::len_without_is_empty, reason = "a grammar is never empty")]
#[path = "../../tests/it/bnf.rs"]
pub mod bnf;
#[path = "../../src/compare/mod.rs"]
pub mod compare;
#[allow(clippy::should_implement_trait, reason = "an item borrows from the iterator: it cannot be `Iterator`")]
#[path = "../../src/document/mod.rs"]
pub mod document;
#[path = "../../src/fast/mod.rs"]
pub mod fast;
#[path = "../../tests/it/generate.rs"]
pub mod generate;
#[path = "../../src/limits.rs"]
pub mod limits;
#[path = "../../tests/it/oracle.rs"]
pub mod oracle;
pub mod reading;
#[path = "../../src/resolver/mod.rs"]
pub mod resolver;
#[path = "../../src/spec/mod.rs"]
pub mod spec;

use peak_alloc::PeakAlloc;

/// Counts the bytes that are in use.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The base of RFC 1808 section 5.
pub const BASE: &[u8] = b"http://a/b/c/d;p?q#f";

/// Does some work and asserts that it never had more than `limit` bytes of memory at once, beside
/// those that were in use before.
pub fn within<T>(limit: usize, work: impl FnOnce() -> T) -> T {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let done = work();
    let used = MEMORY.peak_usage().saturating_sub(before);
    assert!(used <= limit, "{used} bytes of memory, and not {limit} at the most");
    done
}

/// A base and a reference, which the first LF parts; without one all is a reference to [`BASE`].
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

/// Numbers by chance, the same ones for the same input: the generator SplitMix64.
pub struct Chance(u64);

impl Chance {
    /// Chance that begins with the FNV-1a hash of `data`.
    pub fn of(data: &[u8]) -> Self {
        let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        Chance(data.iter().fold(0xCBF2_9CE4_8422_2325, hash))
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    /// One of some things.
    pub fn of_all<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }
}
