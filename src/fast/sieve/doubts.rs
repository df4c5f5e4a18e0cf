//! Which bytes a sieve doubts, and which hosts it does not.

use memchr::memmem;
use wide::u8x16;

use crate::fast::masks::CHUNK;

/// Where in a chunk the bytes are that a sieve doubts. The lowest bit is the first byte.
#[derive(Clone, Copy)]
pub struct Doubts {
    /// Bytes that some standard forbids, encodes or removes. Also `!` and `'`, which costs less.
    pub odd: u64,
    /// `#`
    pub hash: u64,
    /// `:`
    pub colon: u64,
}

impl Doubts {
    /// Compares all bytes of a chunk.
    #[inline(always)]
    pub fn of(chunk: &[u8; CHUNK]) -> Self {
        let mut doubts = Doubts { odd: 0, hash: 0, colon: 0 };
        for (number, bytes) in chunk.as_chunks::<16>().0.iter().enumerate() {
            let bytes = u8x16::new(*bytes);
            let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
            let is_between =
                |first: u8, last: u8| bytes.max(u8x16::splat(first)).min(u8x16::splat(last)).simd_eq(bytes);
            let is_either = |both: u8| (bytes | u8x16::splat(2)).simd_eq(u8x16::splat(both));
            let mask = |equal: u8x16| u64::from(equal.to_bitmask()) << (16 * number);
            let odd = !is_between(b'#', b'z') | is_between(b'[', b'^') | is(b'`');
            doubts.odd |= mask(odd | is_either(b'\'') | is_either(b'>')); // also `%` and `<`
            doubts.hash |= mask(is(b'#'));
            doubts.colon |= mask(is(b':'));
        }
        doubts
    }
}

/// Whether a text begins with a host that every standard leaves as it is and RFC 1738 allows, and a
/// slash: lower case, no port, no user, no address, nothing for IDNA, and no slash to add.
pub fn is_normal_host(text: &[u8]) -> bool {
    let (mut before, mut is_name) = (b'.', false);
    for &byte in text {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' if before == b'.' => is_name = byte.is_ascii_lowercase(),
            b'a'..=b'z' | b'0'..=b'9' => {}
            b'.' | b'-' if before.is_ascii_alphanumeric() => {}
            b'/' => return is_name && before.is_ascii_alphanumeric(),
            _ => return false,
        }
        before = byte;
    }
    false
}

/// Whether a base that begins with `http://` or `https://` and has a path without dot segments, lone
/// delimiters or params is left as it is by all standards. `len`: its length.
#[inline(always)]
pub fn is_normal_http(text: &[u8; 2 * CHUNK], len: usize) -> bool {
    let [first, second] = text.as_chunks().0 else { return false };
    let [first, second] = [first, second].map(Doubts::of);
    let both = |first, second| (u128::from(first) | u128::from(second) << CHUNK) & ((1 << len) - 1);
    let (odd, hash) = (both(first.odd, second.odd), both(first.hash, second.hash));
    odd == 0
        && hash & hash.wrapping_sub(1) == 0
        && is_normal_host(&text[if text[4] == b':' { 7 } else { 8 }..])
        && memmem::find(&text[8..len.max(8)], b"//").is_none() // §2.2 fsegment
}
