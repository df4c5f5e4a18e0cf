//! The bytes of an XML document, as quick-xml reads them.
//!
//! quick-xml accepts UTF-8 only, and its decoding reader loses the offsets. All that matters for markup is ASCII, so it
//! gets an `x` for each other byte, and what it finds is cut out of the bytes as they are.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::Range;

use crate::document::place::lines::Lines;
use crate::limits::MAX_RECORD;

/// The bytes of a document, of which those from the current token on are in the buffer.
pub struct XmlBytes<'a> {
    /// The bytes not yet read.
    text: Box<dyn Read + 'a>,
    /// The number of bytes before the text in the file: those of a BOM.
    pub shift: u64,
    buffer: Vec<u8>,
    /// The offset of the first of them.
    start: u64,
    /// The number of them before the current token.
    passed: usize,
    /// The lines before that, as far as they were counted.
    pub lines: Cell<Lines>,
    /// The error that ended it.
    pub error: Option<io::Error>,
}

impl<'a> XmlBytes<'a> {
    /// The bytes of a text.
    pub fn new(text: impl Read + 'a) -> Self {
        let (text, lines) = (Box::new(text), Cell::default());
        XmlBytes { text, shift: 0, buffer: Vec::new(), start: 0, passed: 0, lines, error: None }
    }

    /// Starts a token. The bytes before it are not needed any more.
    pub fn start_token(&mut self, offset: u64) {
        self.passed = self.index(offset);
    }

    /// The index of an offset in the buffer.
    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset - self.start).unwrap_or(usize::MAX)
    }

    /// The bytes between two offsets, as they are.
    pub fn bytes(&self, range: Range<u64>) -> &[u8] {
        &self.buffer[self.index(range.start)..self.index(range.end)]
    }

    /// The lines before the current token.
    pub fn lines_before(&self) -> Lines {
        let lines = self.lines_at(self.lines.get(), self.start + self.passed as u64);
        self.lines.set(lines);
        lines
    }

    /// The lines up to an offset, after some of them have been counted.
    pub fn lines_at(&self, mut lines: Lines, offset: u64) -> Lines {
        lines.pass(self.bytes(lines.passed..offset.max(lines.passed)));
        lines
    }

    /// The line and column, both from 1, of an offset in the current token.
    pub fn locate(&self, offset: u64) -> (u64, u64) {
        self.lines_at(self.lines_before(), offset).location()
    }
}

impl Read for XmlBytes<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        self.lines_before();
        self.buffer.drain(..self.passed);
        self.start += self.passed as u64;
        self.passed = 0;
        if self.buffer.len() > MAX_RECORD {
            return Err(io::Error::other("a token is too long"));
        }
        let length = match self.text.read(block) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.error = Some(error);
                0
            }
            read => read?,
        };
        self.buffer.extend_from_slice(&block[..length]);
        block[..length].iter_mut().for_each(|byte| *byte = if byte.is_ascii() { *byte } else { b'x' });
        Ok(length)
    }
}
