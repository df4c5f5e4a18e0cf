//! The kinds of references, by their first bytes.

use wide::u8x16;

use super::masks::CHUNK;

/// A path, neither rooted nor with a dot at its start. All kinds are even: the next number is for the
/// same first byte and a slash.
pub const PATH: usize = 0;
/// `/`, and `//` next.
pub const ROOTED: usize = 2;
/// `#`
pub const FRAGMENT: usize = 4;
/// `?`
pub const QUERY: usize = 6;
/// `;`
pub const PARAMS: usize = 8;
pub const EMPTY: usize = 10;
/// `http://` or `https://`
pub const ABSOLUTE: usize = 12;
/// `.`, and `./` next. The kinds of one `../` and more follow.
pub const DOT: usize = 14;
/// The number of kinds.
pub const KINDS: usize = parents(MAX_PARENTS) + 2;

/// The most `../` at the start of a reference that has a kind.
pub const MAX_PARENTS: usize = 9;

/// The kind of so many `../`.
pub const fn parents(count: usize) -> usize {
    DOT + 2 * count
}

/// The start of a reference that goes up and up.
const DOT_DOTS: &[u8] = b"../../../../../../../../../../..";

/// Where references of a kind need the general way: bits for their first [`CHUNK`] bytes.
#[derive(Clone, Copy)]
pub struct Pattern {
    /// Where no segment may start with a dot.
    pub no_dot: u64,
    /// Where neither a delimiter nor the end may be.
    pub no_delimiter: u64,
    /// Where anything is checked: everywhere or nowhere.
    pub checked: u64,
}

/// The patterns of all kinds.
pub const PATTERNS: &[Pattern] = &{
    let verbatim = Pattern { no_dot: 0, no_delimiter: 0, checked: u64::MAX };
    let merged = Pattern { no_dot: u64::MAX, ..verbatim };
    let mut patterns = [verbatim; KINDS];
    patterns[PATH] = merged;
    patterns[PATH + 1] = merged;
    patterns[ROOTED + 1].no_delimiter = 1 << 2; // silent: reading 4
    patterns[ABSOLUTE].checked = 0;
    patterns[DOT] = merged;
    patterns[DOT + 1] = after_dots(2);
    let mut count = 1;
    while count <= MAX_PARENTS {
        patterns[parents(count)] = after_dots(3 * count);
        count += 1;
    }
    patterns
};

/// The pattern of a path that starts with so many bytes of dot segments.
const fn after_dots(dots: usize) -> Pattern {
    let no_delimiter = 1 << dots; // silent: reading 6
    Pattern { no_dot: u64::MAX << dots, no_delimiter, checked: u64::MAX }
}

/// The kinds of references by their first byte.
pub struct Kinds([usize; 256]);

impl Kinds {
    /// The kinds of references that end at `terminator`.
    pub fn new(terminator: u8) -> Self {
        let mut firsts = [PATH; 256];
        for (byte, kind) in
            [(b'/', ROOTED), (b'#', FRAGMENT), (b'?', QUERY), (b';', PARAMS), (b'.', DOT), (terminator, EMPTY)]
        {
            firsts[usize::from(byte)] = kind;
        }
        Kinds(firsts)
    }

    /// The kind of a reference; [`KINDS`] or more if it starts with more than [`MAX_PARENTS`] `../`.
    #[inline(always)]
    pub fn of(&self, text: &[u8; CHUNK]) -> usize {
        let mut same = 0;
        for (number, (bytes, dots)) in text.as_chunks::<16>().0.iter().zip(DOT_DOTS.as_chunks::<16>().0).enumerate() {
            same |= u8x16::new(*bytes).simd_eq(u8x16::new(*dots)).to_bitmask() << (16 * number);
        }
        let count = same.trailing_ones() * 43 / 128; // a third of up to 32
        let [start, ..] = text.as_chunks().0 else { return KINDS };
        let start = u64::from_le_bytes(*start);
        let http = start << 8 == u64::from_le_bytes(*b"\0http://");
        let https = start == u64::from_le_bytes(*b"https://");
        self.0[usize::from(text[0])]
            + usize::from(text[1] == b'/')
            + 2 * count as usize
            + usize::from(http | https) * (ABSOLUTE - PATH)
    }
}
