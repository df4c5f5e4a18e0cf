//! Whole records at once, for those whose answer is certain to be the start of the base and the rest
//! of the reference.
//!
//! What is inherited is always a prefix (law 4). So nearly every answer is `base[..base_len]`, then
//! `reference[skip..]`, and these two numbers, a [`Splice`], depend only on the kind of the
//! reference: its first bytes. There are few kinds. Their splices are set once for a base
//! ([`base::SplicedBase`]) and looked up for each reference ([`kind::Kinds::of`]).
//!
//! A few patterns of one or two bytes make an answer different: a colon that may end a scheme, a
//! dot segment in mid-path, a delimiter that nothing follows. 64 bytes are compared at once with the
//! bytes that matter, which gives a bit mask for each ([`Masks`]); shifted and combined, the masks
//! find every such pattern. A reference that contains one is left to the general way,
//! [`crate::resolver::resolve`], unless it has a scheme: then it is the answer, whatever follows. The
//! patterns are wider than necessary, because only certain answers may be written here. Each rule is
//! one of `resolve`'s.
//!
//! For example, the base `http://a/b/c/d;p?q` and the records `../g?y` and `h/./i`. The masks, with the
//! first byte on the left:
//!
//! ```text
//! bytes       . . / g ? y LF   h / . / i LF
//! slash       0 0 1 0 0 0 0    0 1 0 1 0 0    `/`
//! dot         1 1 0 0 0 0 0    0 0 1 0 0 0    `.`
//! special     0 0 0 0 1 0 0    0 0 0 0 0 0    `#`, `?`, `;` and `:`
//! end         0 0 0 0 0 0 1    0 0 0 0 0 1    the terminator
//! ```
//!
//! The first record begins with `../`: the kind with one `..`, whose splice is 11 bytes of the base and
//! all but 3 of the reference. Its end is the first bit of `end`. After these 3 bytes, no dot follows a
//! slash (`dot & slash << 1`), and neither a special byte nor the end follows a special byte
//! (`special << 1 & (special | end)`), so the splice is the answer:
//!
//! ```text
//! http://a/b/c/d;p?q...    64 bytes of the base are copied
//!            g?y LF h/...  64 bytes of the records, over the byte 11 and those after it
//! http://a/b/g?y LF        15 bytes of answer: the next one is copied over the rest
//! ```
//!
//! In the second record a dot follows a slash: it is left to [`crate::resolver::resolve`].
//!
//! Which records are surely legal, or have surely the same answer by other standards, is the task of
//! [`sieve`].
//!
//! The speed comes from having hardly any branch that the processor can guess wrong, and from
//! copying 64 bytes at a time, usually too many: the next copy overwrites the surplus.

#![allow(clippy::inline_always, reason = "measured: these are one loop, and half as fast in pieces")]

mod base;
mod kind;
mod masks;
pub mod sieve;
pub mod stays;

use memchr::memchr;

use crate::resolver::Base;
use crate::resolver::parts::is_scheme_byte;
use base::{Splice, SplicedBase};
use kind::{DOT, Kinds, PATTERNS, Pattern, parents};
use masks::{CHUNK, Masks, SLACK};

/// Copies of more bytes than this are left to the standard library.
const MAX_COPY: usize = 4 * CHUNK;

/// Answers records whose answers are certain, many at once.
pub struct Shortcut {
    base: SplicedBase,
    kinds: Kinds,
    /// The end of a record: LF or NUL.
    terminator: u8,
    /// Whether each record has its own base, and a TAB after it.
    pairs: bool,
    /// Whether each answer has its record before it, trimmed, and a TAB.
    keep: bool,
}

/// The first records of a block, which a shortcut or a sieve has done with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// The length of the records, with their terminators.
    pub read: usize,
    /// The length of their answers, with their terminators.
    pub written: usize,
    /// The number of records.
    pub records: u64,
}

impl Shortcut {
    /// A shortcut without a base, for records that end at `terminator`, LF or NUL. With `pairs`, each
    /// record has its own base; with `keep`, each answer has its record before it.
    pub fn new(terminator: u8, pairs: bool, keep: bool) -> Self {
        let (base, kinds) = (SplicedBase::new(), Kinds::new(terminator));
        Shortcut { base, kinds, terminator, pairs, keep }
    }

    /// Sets the base of all records.
    pub fn set_base(&mut self, base: &Base<'_>) {
        self.base.set(base);
        if self.base.usable {
            self.base.set_ups();
        }
    }

    /// The length of the base: no answer has more bytes of it.
    pub fn base_len(&self) -> usize {
        self.base.len
    }

    /// Answers the first of some records into `out`: those before the first that is not certain, that is
    /// close to the end of `text`, or that `out` has no ample room for. The records, each with its
    /// terminator, are the first `length` bytes of `text`; what follows is read, but changes nothing.
    pub fn fill(&mut self, text: &[u8], length: usize, out: &mut [u8]) -> Stretch {
        match (self.pairs, self.keep) {
            (false, _) if !self.base.usable => Stretch::default(),
            (false, false) => self.run::<false, false>(text, length, out),
            (false, true) => self.run::<false, true>(text, length, out),
            (true, false) => self.run::<true, false>(text, length, out),
            (true, true) => self.run::<true, true>(text, length, out),
        }
    }

    /// [`Shortcut::fill`], with or without a base in each record, and the record in each answer.
    fn run<const PAIRS: bool, const KEEP: bool>(&mut self, text: &[u8], length: usize, out: &mut [u8]) -> Stretch {
        each_record(text, length, out, |record, out| {
            let start = if PAIRS { self.base.set_from(record, self.terminator)?.0 + 1 } else { 0 };
            let (splice, end) = self.splice::<PAIRS>(&record[start..])?;
            self.write::<KEEP>(record, start, end, splice, out)
        })
    }

    /// Writes the answer to the first record, whose reference has the length `end` and begins at `start`;
    /// returns the lengths of both with their terminators. `None` if it is not answered.
    #[inline(always)]
    fn write<const KEEP: bool>(
        &self,
        record: &[u8],
        start: usize,
        end: usize,
        Splice { base_len, skip }: Splice,
        out: &mut [u8],
    ) -> Option<(usize, usize)> {
        let reference = &record[start..];
        let len = self.trimmed(reference, end)?;
        let rest = len - skip;
        let before = if KEEP { start + len + 1 } else { 0 };
        let out = out.get_mut(..before + base_len + rest + SLACK)?;
        if KEEP {
            copy(record, out, before)?;
            out[before - 1] = b'\t';
        }
        copy(&self.base.text, &mut out[before..], base_len)?;
        copy(&reference[skip..], &mut out[before + base_len..], rest)?;
        out[before + base_len + rest] = self.terminator;
        Some((start + end + 1, before + base_len + rest + 1))
    }

    /// The splice of the first reference in `text`, and where the reference ends. `None` if it needs
    /// the general way.
    #[inline(always)]
    fn splice<const PAIRS: bool>(&mut self, text: &[u8]) -> Option<(Splice, usize)> {
        let chunk = text.first_chunk()?;
        let kind = self.kinds.of(chunk);
        let Pattern { no_dot, no_delimiter, mut checked } = *PATTERNS.get(kind)?;
        if PAIRS && kind >= parents(1) {
            self.base.set_ups();
        }
        let mut splice = *self.base.splices.get(kind)?;

        let masks = Masks::of(chunk, [self.terminator; 2]);
        let delimiters = masks.delimiters();
        let first = delimiters.trailing_zeros() as usize;
        let scheme = u64::from(*text.get(first)? == b':');
        let dots = masks.dotted(&Masks::START) & no_dot;
        let needs_general = masks.lone(&Masks::START) | scheme | dots | no_delimiter & delimiters;
        if needs_general & checked & masks.record() != 0 {
            if let Some((splice, end)) = self.dots(text, kind, masks) {
                return Some((splice, end));
            }
            if scheme == 0 || first == 0 || !text[..first].iter().all(|&byte| is_scheme_byte(byte)) {
                return None;
            }
            (checked, splice) = (0, Splice::default()); // §4 step 2b
        }
        let end = match masks.end {
            0 => self.long_end(text, masks, no_dot != 0, checked != 0)?,
            end => end.trailing_zeros() as usize,
        };
        Some((splice, end))
    }

    /// The splice of `.`, `..`, `../..` and so on, and where the reference ends.
    fn dots(&mut self, text: &[u8], kind: usize, masks: Masks) -> Option<(Splice, usize)> {
        let (count, end) = (kind.checked_sub(DOT)? / 2, masks.end.trailing_zeros() as usize);
        let same = match text.get(3 * count..end)? {
            b"." if count == 0 => DOT + 1, // §4 step 6b
            b".." => parents(count + 1),   // §4 step 6d
            _ => return None,
        };
        self.base.set_ups();
        let Splice { base_len, skip } = *self.base.splices.get(same)?;
        Some((Splice { base_len, skip: skip.min(end) }, end))
    }

    /// The length of a reference without the CR of its CRLF. `None` if the CR may have hidden a
    /// pattern: a lone delimiter, or an end among the first bytes.
    #[inline(always)]
    fn trimmed(&self, text: &[u8], end: usize) -> Option<usize> {
        if self.terminator != b'\n' || !text[..end].ends_with(b"\r") {
            return Some(end);
        }
        let len = end - 1; // silent: reading 18
        (len >= 3 && !matches!(text[len - 1], b'#' | b'?' | b';')).then_some(len)
    }

    /// The end of a reference that is longer than a chunk, whose masks are `masks`; `None` if the
    /// rest of it needs the general way.
    fn long_end(&self, reference: &[u8], mut masks: Masks, is_path: bool, is_checked: bool) -> Option<usize> {
        if is_checked && masks.delimiters() == 0 {
            return None;
        }
        if !is_checked {
            return memchr(self.terminator, reference);
        }
        let (mut chunks, mut end) = (&reference.as_chunks().0[1..], CHUNK);
        loop {
            let quiet = masks::quiet(chunks, self.terminator);
            if let Some(last) = chunks[..quiet].last() {
                masks = Masks { slash: u64::from(last[CHUNK - 1] == b'/') << (CHUNK - 1), ..Masks::default() };
            }
            let before = masks;
            let (chunk, rest) = chunks[quiet..].split_first()?;
            masks = Masks::of(chunk, [self.terminator; 2]);
            let needs_general = masks.lone(&before) | if is_path { masks.dotted(&before) } else { 0 };
            if needs_general & masks.record() != 0 {
                return None;
            }
            end += quiet * CHUNK + masks.end.trailing_zeros() as usize;
            if masks.end != 0 {
                return Some(end);
            }
            chunks = rest;
        }
    }
}

/// Does `one` with the first of the records in `text[..length]`, again and again, until it returns nothing.
/// It returns how many bytes it has read, and written to the room that is left.
#[inline(always)]
fn each_record(
    text: &[u8],
    length: usize,
    out: &mut [u8],
    mut one: impl FnMut(&[u8], &mut [u8]) -> Option<(usize, usize)>,
) -> Stretch {
    let (space, after) = (out.len(), text.len() - length);
    let (mut rest, mut room, mut count) = (text, out, 0);
    while rest.len() > after
        && let Some((read, written)) = one(rest, room)
    {
        rest = &rest[read..];
        room = &mut room[written..];
        count += 1;
    }
    Stretch { read: text.len() - rest.len(), written: space - room.len(), records: count }
}

/// Copies at least `length` bytes, by the chunk.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8], length: usize) -> Option<()> {
    if length > MAX_COPY {
        to[..length].copy_from_slice(&from[..length]);
        return Some(());
    }
    *to.first_chunk_mut::<CHUNK>()? = *from.first_chunk()?;
    let mut done = CHUNK;
    while done < length {
        *to.get_mut(done..)?.first_chunk_mut::<CHUNK>()? = *from.get(done..)?.first_chunk()?;
        done += CHUNK;
    }
    Some(())
}

#[cfg(test)]
pub mod tests;
