//! Whole records at once, for those whose answer is the beginning of the base and the rest of the
//! reference.
//!
//! What is inherited is always a prefix (law 4). So nearly every answer is `base[..taken]`, then
//! `reference[dropped..]`, and the two numbers depend on the reference's first bytes alone. There
//! are few such beginnings: they are worked out once a base ([`Quick::set_base`]) and looked up for
//! each reference ([`Quick::beginning`]).
//!
//! What makes an answer different are a few patterns of one or two bytes: a colon that may end a
//! scheme, a dot segment in mid-path, a delimiter that nothing follows. 64 bytes are compared at
//! once with the bytes that matter, which gives a bit mask for each ([`Masks`]); shifting and
//! combining the masks finds every such pattern ([`Masks::troubles`]). A reference with a trouble in
//! it is left to [`super::resolve`], unless it has a scheme: then it is the answer, whatever follows.
//! The patterns are wider than need be: nothing is decided here that is not certain, and every rule
//! is one of `resolve`'s.
//!
//! It is fast because there are hardly any branches that the processor could guess wrong, and
//! because bytes are copied 64 at a time, most often too many: the next copy overwrites the surplus.

#![allow(clippy::inline_always, reason = "measured: these are one loop, and half as fast in pieces")]
#![allow(clippy::cast_possible_truncation, reason = "places and cuts are small: no base or reference beyond LONGEST")]

use memchr::memchr2;
use wide::u8x16;

use super::merge::{directory, parent};
use super::parts::is_scheme_byte;
use super::{Base, is_unsuitable};

/// The bytes of a piece: those that one mask tells of.
const PIECE: usize = 64;

/// The longest base and reference that are looked at, in bytes.
const LONGEST: usize = 4096;

/// What `out` must have room for behind an answer: the surplus of the last copy.
const SURPLUS: usize = PIECE;

/// The first bytes of a reference that goes up and up.
const UPS: &[u8; 32] = b"../../../../../../../../../../..";

/// How many `../` are counted; that many or more are not looked at.
const TOO_MANY: usize = 10;

/// Where a trouble counts in a reference with a certain beginning: bits for its first 64 bytes.
#[derive(Clone, Copy)]
struct Rule {
    /// Where a dot behind a slash makes a dot segment.
    dots: u64,
    /// Where neither a delimiter nor the end may be.
    solid: u64,
    /// Where any trouble counts: everywhere or nowhere.
    heeded: u64,
}

/// What the answer to a reference with a certain beginning is made of.
#[derive(Clone, Copy, Default)]
struct Cut {
    /// How many of the base's bytes it begins with.
    taken: u32,
    /// How many of the reference's bytes are not in it.
    dropped: u32,
}

/// Where a base's components end, in bytes from its start, each with the delimiters before it.
#[derive(Clone, Copy)]
struct Ends {
    /// Of the scheme, with its colon.
    scheme: usize,
    /// Of the net_loc.
    net_loc: usize,
    /// Of the path's last slash.
    directory: usize,
    /// Of the path.
    path: usize,
    /// Of the params.
    params: usize,
    /// Of the query.
    query: usize,
    /// Of the fragment.
    whole: usize,
}

/// The places of beginnings in [`RULES`] and [`Quick::cuts`], all even: the next one is for the same
/// first byte and a slash. A path, neither rooted nor with a dot at its start.
const PATH: u8 = 0;
/// `/`, and `//` next.
const ROOTED: u8 = 2;
/// `#`
const FRAGMENT: u8 = 4;
/// `?`
const QUERY: u8 = 6;
/// `;`
const PARAMS: u8 = 8;
/// The end.
const EMPTY: u8 = 10;
/// `http://` or `https://`
const ABSOLUTE: u8 = 12;
/// `.`, and `./` next; the places of one `../` and more follow.
const DOT: u8 = 14;
/// How many places there are.
const PLACES: usize = DOT as usize + 2 * TOO_MANY;

/// The rules of all beginnings.
#[allow(clippy::indexing_slicing, reason = "a constant: what fails, fails when it is compiled")]
const RULES: [Rule; PLACES] = {
    let verbatim = Rule { dots: 0, solid: 0, heeded: u64::MAX };
    let merged = Rule { dots: u64::MAX, ..verbatim };
    let mut rules = [verbatim; PLACES];
    rules[PATH as usize] = merged;
    rules[PATH as usize + 1] = merged;
    rules[ROOTED as usize + 1] = Rule { solid: 1 << 2, ..verbatim };
    rules[ABSOLUTE as usize] = Rule { heeded: 0, ..verbatim };
    rules[DOT as usize] = merged;
    rules[DOT as usize + 1] = Rule { dots: u64::MAX << 2, solid: 1 << 2, ..merged };
    let mut ups = 1;
    while ups < TOO_MANY {
        rules[DOT as usize + 2 * ups] = Rule { dots: u64::MAX << (3 * ups), solid: 1 << (3 * ups), ..merged };
        ups += 1;
    }
    rules
};

/// One base, ready for many references.
pub struct Quick {
    /// The base's text, a TAB, and what is left of longer ones.
    text: Vec<u8>,
    /// How many bytes the base's text has.
    length: usize,
    /// What answers are made of, by the place of the reference's beginning.
    cuts: [Cut; PLACES],
    /// The place of a beginning by its first byte.
    firsts: [u8; 256],
    /// What ends a record: LF or NUL.
    terminator: u8,
    /// Whether each record brings its own base, and a TAB behind it.
    pairs: bool,
    /// Whether each answer has its record before it, trimmed, and a TAB.
    keep: bool,
    /// Whether references to this base have quick answers.
    usable: bool,
    /// The slashes of the base's path, if it is a [`Quick::common_base`]: bits for its first bytes.
    slashes: u128,
    /// For how many `../` the cut is not worked out yet: a bit each.
    unknown: u32,
}

/// How far [`Quick::answer`] came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The bytes of the records that are answered, terminators included.
    pub read: usize,
    /// The bytes of their answers, terminators included.
    pub written: usize,
    /// How many records that are.
    pub records: u64,
}

impl Quick {
    /// No base yet; records end at `terminator`, LF or NUL, bring their own base with `pairs`, and
    /// stand before their answer with `keep`.
    pub fn new(terminator: u8, pairs: bool, keep: bool) -> Self {
        let mut firsts = [PATH; 256];
        let places =
            [(b'/', ROOTED), (b'#', FRAGMENT), (b'?', QUERY), (b';', PARAMS), (b'.', DOT), (terminator, EMPTY)];
        for (byte, place) in places {
            if let Some(first) = firsts.get_mut(usize::from(byte)) {
                *first = place;
            }
        }
        let (text, cuts) = (vec![0; LONGEST + SURPLUS], [Cut::default(); PLACES]);
        Quick { text, length: 0, cuts, firsts, terminator, pairs, keep, usable: false, slashes: 0, unknown: 0 }
    }

    /// Works out the cuts for a base. There are quick answers if they begin with its text as it
    /// stands: not if it is empty, unsuitable or very long, has a lone delimiter, a path that does
    /// not begin with a slash, or dot segments.
    pub fn set_base(&mut self, base: &Base<'_>) {
        self.usable = self.try_base(base).is_some();
    }

    /// [`Quick::set_base`]; `None` if there are no quick answers.
    fn try_base(&mut self, base: &Base<'_>) -> Option<()> {
        let Base { text, parts } = *base;
        let length = |part: &[u8]| if part.is_empty() { 0 } else { 1 + part.len() };
        let above = directory(parts.path);
        let scheme = 1 + parts.scheme?.len();
        let net_loc = scheme + parts.net_loc.map_or(0, |net_loc| 2 + net_loc.len());
        let path = net_loc + parts.path.len();
        let params = path + length(parts.params);
        let query = params + length(parts.query);
        let lone = !matches!(text.get(query), None | Some(b'#'));
        let dots = above.split(|&byte| byte == b'/').any(|segment| matches!(segment, b"." | b".."));
        if lone || dots || !above.starts_with(b"/") || text.len() >= LONGEST || parts.scheme.is_some_and(is_unsuitable)
        {
            return None;
        }
        self.text.get_mut(..text.len())?.copy_from_slice(text);
        let ends = Ends { scheme, net_loc, directory: net_loc + above.len(), path, params, query, whole: text.len() };
        self.set_cuts(ends);
        let (mut taken, mut dropped) = (ends.directory, 0);
        for ups in 1..TOO_MANY {
            if let Some(above) = parent(text.get(net_loc..taken)?) {
                (taken, dropped) = (net_loc + above, 3 * ups);
            }
            self.set_cut(DOT + 2 * ups as u8, taken, dropped); // §4 step 6c
        }
        self.unknown = 0;
        Some(())
    }

    /// Sets a cut.
    #[inline(always)]
    fn set_cut(&mut self, place: u8, taken: usize, dropped: usize) {
        if let Some(cut) = self.cuts.get_mut(usize::from(place)) {
            *cut = Cut { taken: taken as u32, dropped: dropped as u32 };
        }
    }

    /// Works out the cut for so many `../`, for a [`Quick::common_base`].
    fn set_up(&mut self, ups: usize) {
        let mut directories = self.slashes;
        let mut dropped = 0;
        for up in 1..=ups {
            let above = directories & !(1 << directories.ilog2());
            if above != 0 {
                (directories, dropped) = (above, 3 * up);
            }
        }
        self.set_cut(DOT + 2 * ups as u8, 128 - directories.leading_zeros() as usize, dropped);
        self.unknown &= !(1 << ups);
    }

    /// Sets the cuts for the base that `text` begins with, but those of `../`.
    #[inline(always)]
    fn set_cuts(&mut self, ends: Ends) {
        let mut set = |place, taken, dropped| self.set_cut(place, taken, dropped);
        for place in [PARAMS, PARAMS + 1] {
            set(place, ends.path, 0); // §4 step 5a
        }
        for (place, taken) in
            [(QUERY, ends.params), (FRAGMENT, ends.query), (EMPTY, ends.whole), (PATH, ends.directory)]
        {
            set(place, taken, 0); // §4 steps 5b, 2a, 6
            set(place + 1, taken, 0);
        }
        set(ROOTED, ends.net_loc, 0); // §4 step 4
        set(ROOTED + 1, ends.scheme, 0); // §4 step 3
        set(DOT + 1, ends.directory, 2); // §4 step 6a
        self.length = ends.whole;
        if let Some(end) = self.text.get_mut(ends.whole) {
            *end = b'\t';
        }
    }

    /// [`Quick::set_base`] for the base that a record begins with, from its masks alone; returns how
    /// long it is. `None` if it is not one of the most common kind: `http://` or `https://`, a path,
    /// perhaps a query and a fragment, of at most two pieces.
    #[inline(always)]
    fn common_base(&mut self, record: &[u8]) -> Option<usize> {
        let text: &[u8; 2 * PIECE] = record.first_chunk()?;
        let [first, second] = text.as_chunks().0 else { return None };
        let [first, second] = [first, second].map(|piece| Masks::of::<true>(piece, self.terminator));
        let both = |first: u64, second: u64| u128::from(first) | u128::from(second) << PIECE;
        let end = both(first.end, second.end);
        let below = (end ^ end.wrapping_sub(1)) >> 1;
        let whole = end.trailing_zeros() as usize;
        let slash = both(first.slash, second.slash) & below;
        let dotted = both(first.dot, second.dot) & slash << 1;

        let http = text.starts_with(b"http://");
        if end == 0 || record.get(whole) != Some(&b'\t') || !(http || text.starts_with(b"https://")) {
            return None;
        }
        let scheme = if http { 5 } else { 6 };
        let path = slash & u128::MAX << (scheme + 2);
        let net_loc = path.trailing_zeros();
        let special = both(first.special, second.special) & below & u128::MAX << (scheme + 2);
        let behind = u128::MAX.unbounded_shl(net_loc);
        let port = special & !behind; // one colon at the most, or a fragment may begin there
        if port & port.wrapping_sub(1) != 0 || port != 0 && text.get(port.trailing_zeros() as usize) != Some(&b':') {
            return None;
        }
        let special = special & behind;
        let before = (special ^ special.wrapping_sub(1)) >> 1 & below; // all before the query or fragment
        let path = path & before;
        let lone = special << 1 & (special | end);
        if path == 0 || lone != 0 || dotted & path << 1 & before != 0 {
            return None;
        }
        let params = before.count_ones() as usize;
        let query = match text.get(params)? {
            b'?' => text.get(params..whole)?.iter().position(|&byte| byte == b'#').map_or(whole, |mark| params + mark),
            b'#' | b'\t' => params,
            _ => return None,
        };
        *self.text.first_chunk_mut()? = *text;
        let directory = 128 - path.leading_zeros() as usize;
        let ends = Ends { scheme, net_loc: net_loc as usize, directory, path: params, params, query, whole };
        self.set_cuts(ends);
        (self.slashes, self.unknown) = (path, u32::MAX);
        self.usable = true;
        Some(whole)
    }

    /// Answers the first of `records`, each with its terminator, into `out`: as many as are certain,
    /// as `out` has ample room for, and as do not stand near the end of `records`.
    pub fn answer(&mut self, records: &[u8], out: &mut [u8]) -> Done {
        match (self.pairs, self.keep) {
            (false, _) if !self.usable => Done::default(),
            (false, false) => self.run::<false, false>(records, out),
            (false, true) => self.run::<false, true>(records, out),
            (true, false) => self.run::<true, false>(records, out),
            (true, true) => self.run::<true, true>(records, out),
        }
    }

    /// [`Quick::answer`], with or without a base in each record, and the record in each answer.
    fn run<const PAIRS: bool, const KEEP: bool>(&mut self, records: &[u8], out: &mut [u8]) -> Done {
        let length = out.len();
        let (mut rest, mut room, mut count) = (records, out, 0);
        loop {
            let base = if PAIRS { self.base(rest) } else { Some(0) };
            let Some(base) = base else { break };
            let Some((read, written)) = self.reference::<PAIRS, KEEP>(rest, base, room) else { break };
            rest = rest.split_at(read).1;
            room = std::mem::take(&mut room).split_at_mut(written).1;
            count += 1;
        }
        Done { read: records.len() - rest.len(), written: length - room.len(), records: count }
    }

    /// How long the base of a record is, with its TAB; makes it the base.
    #[inline(always)]
    fn base(&mut self, record: &[u8]) -> Option<usize> {
        let length = self.length + 1;
        if self.usable && self.text.get(..length)? == record.get(..length)? {
            return Some(length);
        }
        if let Some(length) = self.common_base(record) {
            return Some(length + 1);
        }
        let end = memchr2(b'\t', self.terminator, record)?;
        let (base, rest) = record.split_at(end);
        self.set_base(&Base::new(base).ok()?);
        (self.usable && rest.starts_with(b"\t")).then_some(end + 1)
    }

    /// Answers the first record, whose reference begins behind `base` bytes; returns how many bytes
    /// it has, and its answer, both with their terminators. `None` if it is not answered.
    #[inline(always)]
    fn reference<const PAIRS: bool, const KEEP: bool>(
        &mut self,
        record: &[u8],
        base: usize,
        out: &mut [u8],
    ) -> Option<(usize, usize)> {
        let reference = record.split_at(base).1;
        let ahead: &[u8; PIECE + UPS.len()] = reference.first_chunk()?;
        let text = ahead.first_chunk()?;
        let place = self.beginning(text);
        let Rule { dots, solid, mut heeded } = *RULES.get(place)?;
        if PAIRS && place > usize::from(DOT) + 1 {
            let ups = place / 2 - usize::from(DOT) / 2;
            if self.unknown >> ups & 1 == 1 {
                self.set_up(ups);
            }
        }
        let Cut { mut taken, mut dropped } = *self.cuts.get(place)?;
        let masks = Masks::of::<false>(text, self.terminator);
        let (patterns, dotted) = masks.troubles(&START);
        let delimiters = masks.delimiters();
        let first = delimiters.trailing_zeros() as usize;
        let scheme = u64::from(*ahead.get(first)? == b':');
        let troubles = patterns | scheme | dotted & dots | solid & delimiters;
        if troubles & heeded & (masks.end ^ masks.end.wrapping_sub(1)) != 0 {
            if scheme == 0 || first == 0 || !ahead.get(..first)?.iter().all(|&byte| is_scheme_byte(byte)) {
                return None;
            }
            (heeded, taken, dropped) = (0, 0, 0); // §4 step 2b
        }
        let mut end = masks.end.trailing_zeros();
        let mut last = *text.get(end.wrapping_sub(1) as usize % PIECE)?;
        if masks.end == 0 {
            end = self.long(reference, masks, dots != 0, heeded != 0)?;
            last = *reference.get(end as usize - 1)?;
        }
        let mut length = end;
        if last == b'\r' && self.terminator == b'\n' {
            length = end.checked_sub(1)?; // silent: reading 18
            if length < 3 || matches!(reference.get(length as usize - 1)?, b'#' | b'?' | b';') {
                return None;
            }
        }
        let (taken, rest) = (taken as usize, length.checked_sub(dropped)? as usize);
        let written = taken + rest;
        let kept = if KEEP { base + length as usize + 1 } else { 0 };
        let out = out.get_mut(..kept + written + SURPLUS)?;
        if KEEP {
            copy(record, out, kept)?;
            *out.get_mut(kept - 1)? = b'\t';
        }
        let out = out.split_at_mut(kept).1;
        *out.first_chunk_mut::<PIECE>()? = *self.text.first_chunk()?;
        if taken > PIECE {
            copy(&self.text, out, taken)?;
        }
        let (_, out) = out.split_at_mut(taken);
        *out.first_chunk_mut::<PIECE>()? = *ahead.get(dropped as usize % UPS.len()..)?.first_chunk()?;
        if masks.end == 0 {
            copy(reference.get(dropped as usize..)?, out, rest)?;
        }
        *out.get_mut(rest)? = self.terminator;
        Some((base + end as usize + 1, kept + written + 1))
    }

    /// The end of a reference that is longer than a piece, of which `masks` tells; `None` if there
    /// is a trouble in the rest.
    fn long(&self, reference: &[u8], mut masks: Masks, path: bool, heeded: bool) -> Option<u32> {
        if heeded && masks.delimiters() == 0 {
            return None;
        }
        let mut end = PIECE as u32;
        for piece in reference.as_chunks().0.get(1..)?.iter().take(LONGEST / PIECE) {
            let before = masks;
            masks = Masks::of::<false>(piece, self.terminator);
            let (patterns, dotted) = masks.troubles(&before);
            let troubles = patterns | if path { dotted } else { 0 };
            if heeded && troubles & (masks.end ^ masks.end.wrapping_sub(1)) != 0 {
                return None;
            }
            end += masks.end.trailing_zeros();
            if masks.end != 0 {
                return Some(end);
            }
        }
        None
    }

    /// The place of a reference's beginning.
    #[inline(always)]
    fn beginning(&self, text: &[u8; PIECE]) -> usize {
        let bytes = text.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let mut same = 0;
        for (number, (bytes, ups)) in text.as_chunks::<16>().0.iter().zip(UPS.as_chunks::<16>().0).enumerate() {
            same |= u8x16::new(*bytes).simd_eq(u8x16::new(*ups)).to_bitmask() << (16 * number);
        }
        let ups = same.trailing_ones() * 43 / 128; // a third of up to 32
        let http = bytes << 8 == u64::from_le_bytes(*b"\0http://");
        let https = bytes == u64::from_le_bytes(*b"https://");
        let place = u32::from(self.firsts.get(usize::from(bytes as u8)).copied().unwrap_or_default())
            + u32::from((bytes >> 8) as u8 == b'/')
            + 2 * ups
            + u32::from(http | https) * u32::from(ABSOLUTE - PATH);
        place as usize
    }
}

/// Copies at least `length` bytes.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8], length: usize) -> Option<()> {
    *to.first_chunk_mut::<PIECE>()? = *from.first_chunk()?;
    let mut done = PIECE;
    while done < length {
        *to.get_mut(done..)?.first_chunk_mut::<PIECE>()? = *from.get(done..)?.first_chunk()?;
        done += PIECE;
    }
    Some(())
}

/// Where in a piece the bytes are that matter; the lowest bit is its first byte.
#[derive(Clone, Copy)]
struct Masks {
    /// The terminator.
    end: u64,
    /// `/`
    slash: u64,
    /// `.`
    dot: u64,
    /// `#`, `?`, `;` and `:`; also `>`, which costs nothing.
    special: u64,
}

/// What comes before a reference: behind it a dot begins a segment, as behind a slash.
const START: Masks = Masks { end: 0, slash: 1 << 63, dot: 0, special: 0 };

impl Masks {
    /// Compares all bytes of a piece; a TAB is an end too with `TAB`.
    #[inline(always)]
    fn of<const TAB: bool>(piece: &[u8; PIECE], terminator: u8) -> Self {
        let mut masks = Masks { end: 0, slash: 0, dot: 0, special: 0 };
        for (number, bytes) in piece.as_chunks::<16>().0.iter().enumerate() {
            let bytes = u8x16::new(*bytes);
            let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
            let mask = |found: u8x16| u64::from(found.to_bitmask()) << (16 * number);
            masks.end |= mask(if TAB { is(terminator) | is(b'\t') } else { is(terminator) });
            masks.slash |= mask(is(b'/'));
            masks.dot |= mask(is(b'.'));
            // `:`, `;`, `>` and `?` differ in the bits of 1 and 4
            masks.special |= mask(is(b'#') | (bytes | u8x16::splat(5)).simd_eq(u8x16::splat(b'?')));
        }
        masks
    }

    /// The delimiters of components and segments, and the end.
    #[inline(always)]
    fn delimiters(&self) -> u64 {
        self.slash | self.special | self.end
    }

    /// Where a delimiter ends that nothing follows (§2.4.1, §2.4.4, §2.4.5), and where a dot begins
    /// a segment (§4 step 6). `before` is the piece before.
    #[inline(always)]
    fn troubles(&self, before: &Masks) -> (u64, u64) {
        let behind = |now: u64, before: u64| now << 1 | before >> 63;
        let lone = behind(self.special, before.special) & (self.special | self.end);
        (lone, self.dot & behind(self.slash, before.slash))
    }
}

#[cfg(test)]
mod tests;
