//! The bytes of an XML document, as quick-xml reads them.
//!
//! quick-xml accepts UTF-8 only, and its decoding reader loses the offsets. All that matters for markup is ASCII, so it
//! gets an `x` for each other byte, and what it finds is cut out of the bytes as they are.

use std::io::{self, Read};
use std::ops::Range;

use memchr::memchr2_iter;

use crate::limits::MAX_RECORD;

/// The bytes of a document, of which those from the current token on are kept.
pub struct Input<'a> {
    /// The bytes not yet read.
    text: Box<dyn Read + 'a>,
    /// The bytes kept.
    kept: Vec<u8>,
    /// The offset of the first of them.
    start: u64,
    /// The number of them before the current token.
    passed: usize,
    /// The lines before that.
    pub lines: Lines,
    /// Whether the text has ended.
    pub is_at_end: bool,
    /// The error that ended it.
    pub error: Option<io::Error>,
}

impl<'a> Input<'a> {
    /// The bytes of a text.
    pub fn new(text: impl Read + 'a) -> Self {
        let lines = Lines { line: 1, start: 0, counted: 0, is_after_cr: false };
        Input { text: Box::new(text), kept: Vec::new(), start: 0, passed: 0, lines, is_at_end: false, error: None }
    }

    /// Starts a token. The bytes before it are not needed any more.
    pub fn start_token(&mut self, offset: u64) {
        let mut lines = self.lines;
        lines.locate(self, offset);
        (self.lines, self.passed) = (lines, self.index(offset));
    }

    /// Where an offset is in the bytes kept.
    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset - self.start).unwrap_or(usize::MAX)
    }

    /// The bytes between two offsets, as they are.
    pub fn bytes(&self, range: Range<u64>) -> &[u8] {
        &self.kept[self.index(range.start)..self.index(range.end)]
    }

    /// The line and column, both from 1, of an offset in the current token.
    pub fn locate(&self, offset: u64) -> (u64, u64) {
        let mut lines = self.lines;
        lines.locate(self, offset)
    }
}

impl Read for Input<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        self.kept.drain(..self.passed);
        self.start += self.passed as u64;
        self.passed = 0;
        if self.kept.len() > MAX_RECORD {
            return Err(io::Error::other("a token is too long"));
        }
        let length = match self.text.read(block) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.error = Some(error);
                0
            }
            read => read?,
        };
        self.is_at_end = length == 0;
        self.kept.extend_from_slice(&block[..length]);
        block[..length].iter_mut().for_each(|byte| *byte = if byte.is_ascii() { *byte } else { b'x' });
        Ok(length)
    }
}

/// The lines that have been counted.
#[derive(Clone, Copy)]
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
