//! Which host a reference surely reaches, for `--check=host`.
//!
//! A reference leaves scheme and host of its base only by a scheme, which ends in `:`, or by a net_loc, which begins
//! with `//` or, in browsers, with a backslash in place of a slash. Browsers also remove spaces and control characters,
//! and may find one of them then. So with a base of http or https a reference without all these bytes, and without `//`
//! at its start, inherits both by every standard, and WHATWG has an answer. If it begins with `http://`, `https://` or
//! `//`, a plain host and a slash, it reaches that host, whatever follows. All else takes the general way.

use memchr::memchr;

use super::sieve::is_normal_host;
use super::{Stretch, each_record};
use crate::limits::{MAX_AUTHORITY, MAX_RECORD};

/// Finds references that surely reach a host.
pub struct Stays {
    /// What ends a record: LF or NUL.
    terminator: u8,
    /// The host of the base, as WHATWG writes it.
    host: Vec<u8>,
}

impl Stays {
    /// Finds references to a base of http or https with this host, in records that end at `terminator`.
    pub fn new(terminator: u8, host: &[u8]) -> Self {
        Stays { terminator, host: host.to_vec() }
    }

    /// Skips the first of the records in `text[..length]` that surely stay and are UTF-8: other bytes have a note.
    pub fn pass(&self, text: &[u8], length: usize) -> Stretch {
        each_record(text, length, &mut [], |rest, _| {
            let end = memchr(self.terminator, rest).filter(|end| *end <= MAX_RECORD)?;
            let record = &rest[..end];
            let is_crlf = self.terminator == b'\n' && record.ends_with(b"\r");
            let stays = self.certain_host(&record[..end - usize::from(is_crlf)])? == self.host;
            (stays && (record.is_ascii() || str::from_utf8(record).is_ok())).then_some((end + 1, 0))
        })
    }

    /// The host that a reference reaches by every standard that has an answer, of which WHATWG is one; `None` if that
    /// is not certain. It is the same in every charset: without ESC, each of them reads bytes of ASCII as ASCII where a
    /// character begins, and makes no other byte one of those that are looked for.
    pub fn certain_host<'a>(&'a self, reference: &'a [u8]) -> Option<&'a [u8]> {
        let starts = [&b"https://"[..], b"http://", b"//"];
        if let Some(rest) = starts.iter().find_map(|start| reference.strip_prefix(*start)) {
            let host = &rest[..memchr(b'/', rest)?];
            // after a longer one WHATWG may have no answer
            let is_certain = host.len() <= MAX_AUTHORITY && (host == self.host || is_normal_host(rest));
            return is_certain.then_some(host);
        }
        let is_loud = |byte: &u8| *byte <= b' ' || matches!(byte, b':' | b'\\');
        // without an early end the compiler compares many bytes at once
        (!reference.iter().fold(false, |is_any, byte| is_any | is_loud(byte))).then_some(&self.host)
    }
}
