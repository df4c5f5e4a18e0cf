//! 64 bytes at once: where those bytes are that matter.

use wide::u8x16;

/// The number of bytes in a chunk: one for each bit of a mask.
pub const CHUNK: usize = 64;

/// The free bytes that `out` needs after an answer: the surplus of the last copy.
pub const SLACK: usize = CHUNK;

/// Where in a chunk certain bytes are. The lowest bit is the first byte.
#[derive(Clone, Copy, Default)]
pub struct Masks {
    pub end: u64,
    /// `/`
    pub slash: u64,
    /// `.`
    pub dot: u64,
    /// `#`, `?`, `;` and `:`; also `>`, which costs nothing.
    pub special: u64,
}

impl Masks {
    /// The masks before a reference: a dot at its start begins a segment, as after a slash.
    pub const START: Masks = Masks { end: 0, slash: 1 << 63, dot: 0, special: 0 };

    /// Compares all bytes of a chunk; each of `ends` is an end.
    #[inline(always)]
    pub fn of(chunk: &[u8; CHUNK], ends: [u8; 2]) -> Self {
        let mut masks = Masks { end: 0, slash: 0, dot: 0, special: 0 };
        for (number, bytes) in chunk.as_chunks::<16>().0.iter().enumerate() {
            let bytes = u8x16::new(*bytes);
            let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
            let mask = |equal: u8x16| u64::from(equal.to_bitmask()) << (16 * number);
            masks.end |= mask(is(ends[0]) | is(ends[1]));
            masks.slash |= mask(is(b'/'));
            masks.dot |= mask(is(b'.'));
            // `:`, `;`, `>` and `?` differ in the bits of 1 and 4
            masks.special |= mask(is(b'#') | (bytes | u8x16::splat(5)).simd_eq(u8x16::splat(b'?')));
        }
        masks
    }

    /// The delimiters of components and segments, and the end.
    #[inline(always)]
    pub fn delimiters(&self) -> u64 {
        self.slash | self.special | self.end
    }

    /// Everything up to the end, inclusive.
    #[inline(always)]
    pub fn record(&self) -> u64 {
        self.end ^ self.end.wrapping_sub(1)
    }

    /// Delimiters that nothing follows (§2.4.1, §2.4.4, §2.4.5), located where they end. `before` is
    /// the chunk before.
    #[inline(always)]
    pub fn lone(&self, before: &Masks) -> u64 {
        after(self.special, before.special) & (self.special | self.end)
    }

    /// Dots that begin a segment (§4 step 6). `before` is the chunk before.
    #[inline(always)]
    pub fn dotted(&self, before: &Masks) -> u64 {
        self.dot & after(self.slash, before.slash)
    }
}

/// How many chunks at the start have neither `end` nor a dot nor a special byte: a third of the work
/// for the middle of a long reference.
#[inline(never)]
pub fn quiet(chunks: &[[u8; CHUNK]], end: u8) -> usize {
    let is_loud = |chunk: &[u8; CHUNK]| {
        let mut loud = u8x16::ZERO;
        for bytes in chunk.as_chunks::<16>().0 {
            let bytes = u8x16::new(*bytes);
            let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
            loud |= is(end) | is(b'.') | is(b'#') | (bytes | u8x16::splat(5)).simd_eq(u8x16::splat(b'?'));
        }
        loud.to_bitmask() != 0
    };
    chunks.iter().position(is_loud).unwrap_or(chunks.len())
}

/// The places after those of a mask; `before` is the mask of the chunk before.
#[inline(always)]
fn after(mask: u64, before: u64) -> u64 {
    mask << 1 | before >> 63
}
