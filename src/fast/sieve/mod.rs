//! The sieve: skips records that certainly need no second look, for `--check`, `--compare` and
//! `--spec`.
//!
//! By the first three laws they match §2.2. By the last one RFC 3986 and the URL Standard answer them as
//! RFC 1808 does. The conditions are stricter than necessary: what is not certain takes the general
//! way, and nothing is lost but time. Each condition has its reason; the tests of the tasks compare
//! every short text with the general way.
//!
//! For example, with the base `http://a/b/c`:
//!
//! | record | [`Law::Legal`] | [`Law::Same`] | why |
//! |---|---|---|---|
//! | `g/h?y` | passes | passes | a path without dots or odd bytes, with a query |
//! | `../g` | passes | passes | the base has a parent for the one `..` |
//! | `../../../g` | passes | no | RFC 1808 keeps the `..` that the base has no parent for |
//! | `g h` | no | no | the space is odd: §2.2 forbids it, and browsers encode it |
//! | `g#` | passes | no | nothing follows the `#`: only RFC 1808 drops it |
//! | `x:g` | no | no | `x` may be meant as a path (§5.3), and browsers may know the scheme |
//! | `;x` | passes | no | it replaces other params by RFC 1808 (§4 step 5a) |
//!
//! The masks are those of the fast way, and two more for `#` and for the odd bytes, which may only be the
//! CR of a CRLF: in `g h LF`, `odd` is 010 and the record does not pass.

mod doubts;

use super::base::Change;
use super::kind::{ABSOLUTE, DOT, FRAGMENT, MAX_PARENTS, PATH, PATTERNS, QUERY, ROOTED, parents};
use super::masks::{CHUNK, Masks};
use super::{Shortcut, Stretch, each_record};
use crate::resolver::Base;
pub use doubts::is_normal_host;
use doubts::{Doubts, is_normal_http};

/// What must be certain of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// It matches §2.2, and there is nothing to note.
    Legal,
    /// It is legal, and RFC 1738 has nothing to add if the base is an http URL in which it finds nothing.
    LegalInHttp,
    /// It matches the grammars of §2.2 and of RFC 3986, and is a valid URL string by the URL Standard, unless the path
    /// of its base is opaque.
    LegalByAll,
    /// RFC 3986 and the URL Standard answer it as RFC 1808 does.
    Same,
}

/// The kinds that all standards answer alike, apart from those of `../`. Not those that are empty,
/// which inherit the fragment (§4 step 2a), or start with params, which replace others (§4 step 5a).
const SAME: u64 = 0b11 << PATH | 0b11 << ROOTED | 0b11 << FRAGMENT | 0b11 << QUERY | 1 << ABSOLUTE | 1 << (DOT + 1);

/// Of these, the kinds that inherit the path: if that is empty, RFC 3986 inserts no `/`.
const INHERITING: u64 = 0b11 << FRAGMENT | 0b11 << QUERY;

/// Skips records of which a law is certain.
pub struct Sieve {
    /// The base and the kinds of references.
    fast: Shortcut,
    /// What must be certain.
    law: Law,
    /// The kinds of references that other standards answer alike, one bit each: no bit unless all
    /// standards have the base as it is.
    same: u64,
    /// Scratch space for a reference that is not in a block.
    reference: Vec<u8>,
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
    /// Whether a query may have neither `/` nor `?`.
    queries: bool,
    /// Where no delimiter may be lone, in every chunk.
    lone: u64,
}

impl Sieve {
    /// A sieve without a base; the other values are those of [`Shortcut::new`].
    pub fn new(law: Law, terminator: u8, pairs: bool, keep: bool) -> Self {
        Sieve { fast: Shortcut::new(terminator, pairs, keep), law, same: 0, reference: Vec::new() }
    }

    /// Sets the base of all records. `is_normal`: without its fragment, and with the `/` of an empty
    /// path, it is what both other standards answer to the empty reference.
    pub fn set_base(&mut self, base: &Base<'_>, is_normal: bool) {
        self.fast.base.set(base);
        let is_http = matches!(base.parts.scheme, Some(b"http" | b"https"));
        self.same = match base.parts.path {
            // the other standards have a path `b;p/c` where the params are `p/c`
            _ if !is_normal || !is_http || !self.fast.base.usable || base.parts.params.contains(&b'/') => 0,
            b"" => SAME & !INHERITING,
            _ => SAME,
        };
        self.add_ups();
    }

    /// The length of the base: no answer has more bytes of it.
    pub fn base_len(&self) -> usize {
        self.fast.base_len()
    }

    /// Skips the first of the records in `text[..length]`: those before the first of which the law is
    /// not certain, or that is close to the end of `text`.
    pub fn pass(&mut self, text: &[u8], length: usize) -> Stretch {
        each_record(text, length, &mut [], |record, _| {
            let (start, end, _) = self.certain(record)?;
            self.fast.trimmed(&record[start..], end)?;
            Some((start + end + 1, 0))
        })
    }

    /// Answers the first of the records in `text[..length]` into `out` as [`Shortcut::fill`] does, if [`Law::Same`]
    /// is certain of them.
    pub fn fill(&mut self, text: &[u8], length: usize, out: &mut [u8]) -> Stretch {
        if self.fast.keep { self.run::<true>(text, length, out) } else { self.run::<false>(text, length, out) }
    }

    /// [`Sieve::fill`], with or without the record in each answer.
    fn run<const KEEP: bool>(&mut self, text: &[u8], length: usize, out: &mut [u8]) -> Stretch {
        each_record(text, length, out, |record, out| {
            let (start, end, kind) = self.certain(record)?;
            let splice = *self.fast.base.splices.get(kind)?;
            self.fast.write::<KEEP>(record, start, end, splice, out)
        })
    }

    /// Whether the law is certain of a reference.
    pub fn skips(&mut self, reference: &[u8]) -> bool {
        let mut text = std::mem::take(&mut self.reference);
        text.clear();
        text.extend_from_slice(reference);
        text.resize(reference.len() + 2 * CHUNK, self.fast.terminator);
        let end = self.certain_end(&text).and_then(|(end, _)| self.fast.trimmed(&text, end));
        self.reference = text;
        end == Some(reference.len())
    }

    /// Where the reference of the first record starts, its length, and its kind, if the law is certain
    /// of it.
    #[inline(always)]
    fn certain(&mut self, record: &[u8]) -> Option<(usize, usize, usize)> {
        let start = if self.fast.pairs { self.base_of(record)? + 1 } else { 0 };
        let (end, kind) = self.certain_end(&record[start..])?;
        Some((start, end, kind))
    }

    /// Sets the base that a record has before its first TAB; returns its length, if it is legal and all
    /// standards have it as it is.
    #[inline(always)]
    fn base_of(&mut self, record: &[u8]) -> Option<usize> {
        let (len, change) = self.fast.base.set_from(record, self.fast.terminator)?;
        match change {
            Change::None => {}
            Change::Common(start) => self.same = if is_normal_http(start, len) { SAME } else { 0 },
            Change::Other => self.same = 0,
        }
        (self.same != 0).then_some(len)
    }

    /// Prepares the base for `../`, unless it is.
    fn add_ups(&mut self) {
        let base = &mut self.fast.base;
        if base.set_ups() && self.same != 0 {
            let has_parent = |count: &usize| base.splices[parents(*count)].skip == 3 * count;
            self.same |= (1..=MAX_PARENTS).filter(has_parent).fold(0, |same, count| same | 1 << parents(count));
        }
    }

    /// The length of the first record in `text` without its terminator, and by [`Law::Same`] its kind, if
    /// the law is certain of it.
    #[inline(never)]
    fn certain_end(&mut self, text: &[u8]) -> Option<(usize, usize)> {
        let terminator = self.fast.terminator;
        let (first, more) = text.as_chunks::<CHUNK>().0.split_first()?;
        let (mut masks, mut before) = (Masks::of(first, [terminator; 2]), Masks::START);
        let (kind, forbidden) = match self.law {
            Law::Legal if !is_legal_start(first, &masks) => return None,
            Law::Legal => (0, Forbidden::default()),
            // `:80`, `1a:b`, `http:g`, `//u@h/` and `//1.2/` are not legal by all
            Law::LegalByAll if first.starts_with(b"//") => return None,
            Law::LegalByAll => (0, Forbidden { colons: u64::MAX, ..Forbidden::default() }),
            Law::LegalInHttp if !is_legal_start_in_http(first, &masks) => return None,
            Law::LegalInHttp => (0, Forbidden { queries: true, ..Forbidden::default() }),
            Law::Same => self.start_of_same(first, &masks)?,
        };
        let Forbidden { mut dots, delimiters, colons, queries, lone } = forbidden;
        let mut needs_general = delimiters & masks.delimiters();
        let (mut chunk, mut more, mut at, mut hashes, mut in_query) = (first, more.iter(), 0, 0, 0);
        loop {
            let doubts = Doubts::of(chunk);
            let record = masks.record();
            let inside = record & !masks.end;
            let hash = doubts.hash & inside;
            needs_general |= masks.lone(&before) & lone | masks.dotted(&before) & dots | doubts.colon & colons;
            if queries {
                // a `;` may be in place of the `?`
                let query = masks.special & !hash & !doubts.colon & inside;
                needs_general |= (in_query | after_first(query)) & (query | masks.slash);
                in_query |= if query == 0 { 0 } else { u64::MAX };
            }
            // only one `#` starts the fragment, and no other production contains it
            if needs_general & record | hash & hash.wrapping_sub(1) | hash & hashes != 0 {
                return None;
            }
            let end = masks.end.trailing_zeros() as usize;
            let odd = doubts.odd & inside;
            if odd != 0 {
                let is_last = masks.end != 0 && odd << 1 == masks.end & record;
                if !is_last || terminator != b'\n' || text[at + end - 1] != b'\r' {
                    return None; // not only the CR of a CRLF
                }
            }
            if masks.end != 0 {
                return Some((at + end, kind));
            }
            hashes |= if hash == 0 { 0 } else { u64::MAX };
            (needs_general, dots, before, at) = (0, lone, masks, at + CHUNK); // both or neither, from here on
            chunk = more.next()?;
            masks = Masks::of(chunk, [terminator; 2]);
        }
    }

    /// The kind of a reference, and what its start has to do with [`Law::Same`]; `None` if it is not
    /// certain.
    #[inline(always)]
    fn start_of_same(&mut self, chunk: &[u8; CHUNK], masks: &Masks) -> Option<(usize, Forbidden)> {
        let kind = self.fast.kinds.of(chunk);
        if kind >= DOT {
            self.add_ups();
        }
        // the base has too few segments for these `../`, or the kind has answers of its own
        if self.same >> kind & 1 == 0 {
            return None;
        }
        let pattern = PATTERNS[kind];
        match kind {
            ABSOLUTE if chunk[4] == b':' => is_normal_host(&chunk[7..]).then_some(())?,
            ABSOLUTE => is_normal_host(&chunk[8..]).then_some(())?,
            _ if kind == ROOTED + 1 => is_normal_host(&chunk[2..]).then_some(())?,
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
        Some((kind, Forbidden { dots, delimiters: pattern.no_delimiter, colons, queries: false, lone: u64::MAX }))
    }
}

/// Whether the start of a reference is surely legal by [`Law::Legal`].
#[inline(always)]
fn is_legal_start(chunk: &[u8; CHUNK], masks: &Masks) -> bool {
    let first = masks.delimiters().trailing_zeros() as usize;
    let Some(delimiter) = chunk.get(first) else { return false };
    if *delimiter == b':' && masks.slash >> first & 0b111 != 0b110 {
        return false; // perhaps a scheme to note (§5.2, §5.3), as there is no net_loc
    }
    // perhaps an empty fsegment after the net_loc
    let slashes = masks.slash & masks.record() & !0b11;
    !chunk.starts_with(b"//") || first_of(slashes) << 1 & !masks.slash != 0
}

/// Whether the start of a reference is surely legal by [`Law::LegalInHttp`]: without a net_loc, or with
/// one that is a plain host, and of no scheme but http.
#[inline(always)]
fn is_legal_start_in_http(chunk: &[u8; CHUNK], masks: &Masks) -> bool {
    let first = masks.delimiters().trailing_zeros() as usize;
    let host = match chunk {
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => &chunk[7..],
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => &chunk[8..],
        [b'/', b'/', ..] if !is_legal_start(chunk, masks) => return false,
        [b'/', b'/', ..] => &chunk[2..],
        _ => return chunk.get(first).is_some_and(|delimiter| *delimiter != b':'),
    };
    is_normal_host(host)
}

/// The first bit of a mask.
fn first_of(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// The bits after the first bit of a mask.
fn after_first(mask: u64) -> u64 {
    !(mask ^ mask.wrapping_sub(1))
}
