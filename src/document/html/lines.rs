//! The lines and columns of a text, counted while it is read.

use memchr::memchr2_iter;

/// The line ends in what has been read and not yet passed.
#[derive(Default)]
pub struct LineCounter {
    ends: Vec<u64>,
    /// The number of them that have been passed.
    passed: usize,
    /// The number of bytes that have been read.
    read: u64,
    /// Whether the last of them is a CR, which ends a line unless LF follows.
    is_after_cr: bool,
    /// The line after the last passed end.
    line: u64,
    /// The offset where that line starts.
    start: u64,
}

impl LineCounter {
    /// A counter before a line with a number and an offset.
    pub fn new(line: u64, offset: u64) -> Self {
        LineCounter { line, read: offset, start: offset, ..LineCounter::default() }
    }

    /// Adds the bytes read next. The `unread` bytes before them are not yet taken; line ends before those are
    /// passed.
    pub fn add(&mut self, bytes: &[u8], unread: usize) {
        self.locate(self.read - unread as u64);
        self.ends.drain(..self.passed);
        self.passed = 0;
        if self.is_after_cr && !matches!(bytes, [] | [b'\n', ..]) {
            self.ends.push(self.read - 1);
        }
        let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1).is_some_and(|next| *next != b'\n');
        self.ends.extend(memchr2_iter(b'\n', b'\r', bytes).filter(is_end).map(|at| self.read + at as u64));
        self.read += bytes.len() as u64;
        self.is_after_cr = bytes.last().map_or(self.is_after_cr, |last| *last == b'\r');
    }

    /// The line and column, both from 1, of an offset that is not before an earlier one.
    pub fn locate(&mut self, offset: u64) -> (u64, u64) {
        while let Some(&end) = self.ends.get(self.passed)
            && end < offset
        {
            self.passed += 1;
            self.line += 1;
            self.start = end + 1;
        }
        (self.line, offset - self.start + 1)
    }
}
