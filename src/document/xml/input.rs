//! The bytes of an XML document, as quick-xml reads them.
//!
//! quick-xml accepts UTF-8 only, and its decoding reader loses the offsets. All that matters for markup is ASCII, so it
//! gets an `x` for each other byte, and what it finds is cut out of the bytes as they are.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use memchr::memchr2_iter;

use crate::limits::{MAX_RECORD, SNIFF_LEN, XML_BLOCK};

/// The bytes of a document, of which those of the current token are kept.
pub struct Input<'a> {
    /// The bytes not yet read.
    text: Box<dyn Read + 'a>,
    /// The bytes kept.
    kept: Vec<u8>,
    /// The offset of the first of them.
    start: u64,
    /// The number of them that are not needed any more.
    released: usize,
    /// The bytes read last, as quick-xml gets them.
    masked: Vec<u8>,
    /// The number of those that it has taken.
    taken: usize,
    /// Whether the text has ended.
    is_at_end: bool,
    /// The error that ended it.
    error: Option<io::Error>,
}

impl<'a> Input<'a> {
    /// The bytes of a text.
    pub fn new(text: Box<dyn Read + 'a>) -> Self {
        Input {
            text,
            kept: Vec::new(),
            start: 0,
            released: 0,
            masked: Vec::new(),
            taken: 0,
            is_at_end: false,
            error: None,
        }
    }

    /// The bytes between two offsets, as they are.
    pub fn bytes(&self, range: Range<u64>) -> &[u8] {
        let offset = |at: u64| usize::try_from(at - self.start).unwrap_or(usize::MAX);
        self.kept.get(offset(range.start)..offset(range.end)).unwrap_or_default()
    }

    /// The bytes before an offset are not needed any more.
    pub fn release(&mut self, offset: u64) {
        self.released = usize::try_from(offset - self.start).unwrap_or_default();
    }

    /// The error that ended the text; `None` if a token is too long.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Whether the text has ended.
    pub fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Reads the next bytes.
    fn read_block(&mut self) -> io::Result<()> {
        self.kept.drain(..self.released);
        self.start += self.released as u64;
        self.released = 0;
        let old = self.kept.len();
        if old > MAX_RECORD {
            return Err(io::Error::other("a token is too long"));
        }
        // the root is often all that is wanted
        let block = if self.start + old as u64 == 0 { SNIFF_LEN } else { XML_BLOCK };
        self.kept.resize(old + block, 0);
        let read = self.text.read(&mut self.kept[old..]);
        self.kept.truncate(old + *read.as_ref().unwrap_or(&0));
        self.is_at_end = self.kept.len() == old;
        self.taken = 0;
        self.masked.clear();
        self.masked.extend(self.kept[old..].iter().map(|byte| if byte.is_ascii() { *byte } else { b'x' }));
        match read {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let kind = error.kind();
                self.error = Some(error);
                Err(kind.into())
            }
            read => read.map(drop),
        }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(bytes)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.masked.len() {
            self.read_block()?;
        }
        Ok(&self.masked[self.taken..])
    }

    fn consume(&mut self, length: usize) {
        self.taken += length;
    }
}

/// The lines that have been counted.
#[derive(Clone)]
pub struct Lines {
    /// The current line, from 1.
    line: u64,
    /// The offset where it starts.
    start: u64,
    /// The offset up to which lines have been counted.
    counted: u64,
    /// Whether the byte before that is a CR.
    is_after_cr: bool,
}

impl Lines {
    /// The first line.
    pub fn new() -> Self {
        Lines { line: 1, start: 0, counted: 0, is_after_cr: false }
    }

    /// The line and column, both from 1, of an offset that is not before an earlier one. What lies between
    /// them is still kept.
    pub fn locate(&mut self, input: &Input<'_>, offset: u64) -> (u64, u64) {
        let offset = offset.max(self.counted);
        let bytes = input.bytes(self.counted..offset);
        for end in memchr2_iter(b'\n', b'\r', bytes) {
            let is_after_cr = if end == 0 { self.is_after_cr } else { bytes[end - 1] == b'\r' };
            if bytes[end] == b'\r' || !is_after_cr {
                self.line += 1;
            }
            self.start = self.counted + end as u64 + 1;
        }
        self.is_after_cr = bytes.last().map_or(self.is_after_cr, |last| *last == b'\r');
        self.counted = offset;
        (self.line, offset - self.start + 1)
    }
}
