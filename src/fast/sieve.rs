//! The sieve: records that certainly need no second look.
//!
//! By the first two laws they match §2.2. By the last one RFC 3986 and the URL Standard answer them as
//! RFC 1808 does. The conditions are stricter than necessary: what is not certain takes the general
//! way, and nothing is lost but time. Each condition has its reason; the tests of the tasks compare
//! every short text with the general way.

use memchr::memmem;

use super::Resolver;
use super::kind::{ABSOLUTE, DOT, PATTERNS, ROOTED};
use super::masks::{CHUNK, Doubts, Masks};

/// What must be certain of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// It matches §2.2, and there is nothing to note.
    Legal,
    /// The same, and RFC 1738 has nothing to add if the base is an http URL in which it finds nothing.
    LegalInHttp,
    /// RFC 3986 and the URL Standard answer it as RFC 1808 does.
    Same,
}

/// What a record may not have where: bits for its first [`CHUNK`] bytes.
#[derive(Default)]
struct Forbidden {
    /// Where no segment may start with a dot.
    dots: u64,
    /// Where neither a delimiter nor the end may be.
    delimiters: u64,
    /// Where `:` may not be, in every chunk.
    colons: u64,
    /// Where no delimiter but `#` may be, in every chunk.
    special: u64,
    /// Where no delimiter may be lone, in every chunk.
    lone: u64,
}

impl Resolver {
    /// The end of the first record in `text`, if the law is certain of it.
    #[inline(never)]
    pub(super) fn certain_end(&mut self, text: &[u8]) -> Option<usize> {
        let (first, more) = text.as_chunks::<CHUNK>().0.split_first()?;
        let (mut masks, mut before) = (Masks::of(first, [self.terminator; 2]), Masks::START);
        let Forbidden { mut dots, delimiters, colons, special, lone } = match self.law? {
            Law::Legal => start_of_legal(first, &masks)?,
            Law::LegalInHttp if first.starts_with(b"//") => return None, // a net_loc
            // no scheme, and no query, which RFC 1738 may note
            Law::LegalInHttp => Forbidden { special: u64::MAX, ..Forbidden::default() },
            Law::Same => self.start_of_same(first, &masks)?,
        };
        let mut needs_general = delimiters & masks.delimiters();
        let (mut chunk, mut more, mut at, mut hashes) = (first, more.iter(), 0, 0);
        loop {
            let doubts = Doubts::of(chunk);
            let record = masks.record();
            let inside = record & !masks.end;
            let hash = doubts.hash & inside;
            needs_general |= masks.lone(&before) & lone | masks.dotted(&before) & dots | doubts.colon & colons;
            needs_general |= masks.special & !hash & special;
            // only one `#` starts the fragment, and no other production contains it
            if needs_general & record | hash & hash.wrapping_sub(1) | hash & hashes != 0 {
                return None;
            }
            let end = masks.end.trailing_zeros() as usize;
            let odd = doubts.odd & inside;
            if odd != 0 {
                let is_last = masks.end != 0 && odd << 1 == masks.end & record;
                if !is_last || self.terminator != b'\n' || text[at + end - 1] != b'\r' {
                    return None; // not only the CR of a CRLF
                }
            }
            if masks.end != 0 {
                return Some(at + end);
            }
            if hash != 0 {
                hashes = u64::MAX;
            }
            (needs_general, dots, before, at) = (0, lone, masks, at + CHUNK); // both or neither, from here on
            chunk = more.next()?;
            masks = Masks::of(chunk, [self.terminator; 2]);
        }
    }

    /// What the start of a reference has to do with [`Law::Same`]; `None` if it is not certain.
    #[inline(always)]
    fn start_of_same(&mut self, chunk: &[u8; CHUNK], masks: &Masks) -> Option<Forbidden> {
        let kind = self.kinds.of(chunk);
        if kind >= DOT {
            self.base.set_ups();
        }
        // the base has too few segments for these `../`, or the kind has answers of its own
        if self.base.same >> kind & 1 == 0 {
            return None;
        }
        let pattern = PATTERNS[kind];
        match kind {
            ABSOLUTE if chunk[4] == b':' => is_plain_host(&chunk[7..]).then_some(())?,
            ABSOLUTE => is_plain_host(&chunk[8..]).then_some(())?,
            _ if kind == ROOTED + 1 => is_plain_host(&chunk[2..]).then_some(())?,
            _ => {}
        }
        // the scheme ends at the first of these, or the first segment may not contain `:`
        let first = chunk.get(masks.delimiters().trailing_zeros() as usize)?;
        let colons = match first {
            b':' if kind != ABSOLUTE => return None,
            b';' => u64::MAX,
            _ => 0,
        };
        // RFC 1808 keeps dots after a net_loc or a slash (§4 steps 3 and 4)
        let dots = if kind > DOT { pattern.no_dot } else { u64::MAX };
        Some(Forbidden { dots, delimiters: pattern.no_delimiter, colons, special: 0, lone: u64::MAX })
    }
}

/// What the start of a reference has to do with [`Law::Legal`]; `None` if it is not certain.
#[inline(always)]
fn start_of_legal(chunk: &[u8; CHUNK], masks: &Masks) -> Option<Forbidden> {
    let first = masks.delimiters().trailing_zeros() as usize;
    if *chunk.get(first)? == b':' && masks.slash >> first & 0b111 != 0b110 {
        return None; // perhaps a scheme to note (§5.2, §5.3), as there is no net_loc
    }
    if chunk.starts_with(b"//") {
        let net_loc = masks.slash & masks.record() & !0b11;
        let end = net_loc & net_loc.wrapping_neg();
        if end << 1 & !masks.slash == 0 {
            return None; // perhaps an empty fsegment after the net_loc
        }
    }
    Some(Forbidden::default())
}

/// Whether a text begins with a host that every standard leaves as it is, and a slash: lower case,
/// no port, no user, no address, nothing for IDNA, and no slash to add.
fn is_plain_host(text: &[u8]) -> bool {
    let (mut before, mut is_name) = (b'.', false);
    for &byte in text {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' if before == b'.' => is_name = byte.is_ascii_lowercase(),
            b'a'..=b'z' | b'0'..=b'9' => {}
            b'.' | b'-' if before.is_ascii_alphanumeric() => {}
            b'/' => return is_name,
            _ => return false,
        }
        before = byte;
    }
    false
}

/// Whether a base that begins with `http://` or `https://` and has a path without dot segments, lone
/// delimiters or params is left as it is by all standards. `len`: its length.
#[inline(always)]
pub fn is_normal(text: &[u8; 2 * CHUNK], len: usize) -> bool {
    let [first, second] = text.as_chunks().0 else { return false };
    let [first, second] = [first, second].map(Doubts::of);
    let both = |first, second| (u128::from(first) | u128::from(second) << CHUNK) & ((1 << len) - 1);
    let (odd, hash) = (both(first.odd, second.odd), both(first.hash, second.hash));
    let is_plain =
        odd == 0 && hash & hash.wrapping_sub(1) == 0 && is_plain_host(&text[if text[4] == b':' { 7 } else { 8 }..]);
    is_plain && memmem::find(&text[8..len.max(8)], b"//").is_none() // §2.2 fsegment
}
