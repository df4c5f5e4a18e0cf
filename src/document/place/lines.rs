//! Lines and columns.

use memchr::memchr2_iter;

/// The lines of a text, as far as it has been passed.
#[derive(Clone, Copy, Default)]
pub struct Lines {
    /// The number of lines that have ended.
    ended: u64,
    /// The offset where the current one starts.
    start: u64,
    /// The number of bytes that have been passed.
    pub passed: u64,
    /// Whether the last of them is a CR.
    is_after_cr: bool,
}

impl Lines {
    /// The lines of a text that starts in a line, from 1, before its first byte.
    pub fn starting_in(line: u64) -> Self {
        Lines { ended: line - 1, ..Lines::default() }
    }

    /// Passes the next bytes.
    pub fn pass(&mut self, bytes: &[u8]) {
        for end in memchr2_iter(b'\n', b'\r', bytes) {
            let is_after_cr = if end == 0 { self.is_after_cr } else { bytes[end - 1] == b'\r' };
            if bytes[end] == b'\r' || !is_after_cr {
                self.ended += 1;
            }
            self.start = self.passed + end as u64 + 1;
        }
        self.is_after_cr = bytes.last().map_or(self.is_after_cr, |last| *last == b'\r');
        self.passed += bytes.len() as u64;
    }

    /// The line and column, both from 1, of the next byte.
    pub fn location(&self) -> (u64, u64) {
        (self.ended + 1, self.passed - self.start + 1)
    }
}
