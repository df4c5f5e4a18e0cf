//! Bytes to be written.

#![allow(clippy::inline_always, reason = "measured: most lengths are then constants")]

use std::fmt;

/// The bytes of answers that are kept before they are written.
pub const MAX_PENDING: usize = 64 * 1024;

/// The bytes of space that are never given back.
const LARGE: usize = 4 * MAX_PENDING;

/// Bytes to be written. Writing to it never fails.
#[derive(Default)]
pub struct Buffer {
    /// The bytes, then space for more, zeroed once.
    bytes: Vec<u8>,
    /// The number of bytes in use.
    length: usize,
}

impl Buffer {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// Space for at least `length` more bytes; [`Buffer::grow`] takes it into use.
    #[inline(always)]
    pub fn space(&mut self, length: usize) -> &mut [u8] {
        if self.bytes.len() - self.length < length {
            self.reserve(length);
        }
        &mut self.bytes[self.length..]
    }

    /// Makes space for `length` more bytes.
    #[cold]
    fn reserve(&mut self, length: usize) {
        let wanted = self.length + length;
        // twice the length of a long record, for its line end, would be too much
        self.bytes.reserve_exact(wanted - self.bytes.len() + wanted / 8 + wanted.min(MAX_PENDING));
        self.bytes.resize(self.bytes.capacity(), 0);
    }

    /// Takes `length` bytes of the space into use.
    pub fn grow(&mut self, length: usize) {
        self.length += length;
    }

    #[inline(always)]
    pub fn add<const N: usize>(&mut self, pieces: [&[u8]; N]) {
        let length = pieces.iter().map(|piece| piece.len()).sum();
        let mut space = self.space(length);
        for piece in pieces {
            let (to, rest) = space.split_at_mut(piece.len());
            to.copy_from_slice(piece);
            space = rest;
        }
        self.length += length;
    }

    /// Adds a number in digits.
    pub fn add_number(&mut self, mut number: u64) {
        let (mut digits, mut start) = ([0; 20], 20);
        loop {
            start -= 1;
            digits[start] = b'0' + (number % 10).to_le_bytes()[0];
            number /= 10;
            if number == 0 {
                return self.add([&digits[start..]]);
            }
        }
    }

    /// Adds formatted text, for `write!`.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        let _ = fmt::write(self, text); // writing to memory cannot fail
    }

    pub fn fill(&mut self, length: usize) {
        self.space(length)[..length].fill(b' ');
        self.length += length;
    }

    /// Takes the bytes from `start` on out again.
    pub fn split_off(&mut self, start: usize) -> Vec<u8> {
        let rest = self.bytes[start..self.length].to_vec();
        self.length = start;
        rest
    }

    /// Writes another byte for each one like it, from `start` on.
    pub fn replace(&mut self, start: usize, from: u8, to: u8) {
        for byte in &mut self.bytes[start..self.length] {
            *byte = if *byte == from { to } else { *byte };
        }
    }

    /// Drops all bytes, and the space of an unusually long record, unless this one needed it, too.
    pub fn clear(&mut self) {
        if self.bytes.len() > LARGE && self.length < self.bytes.len() / 4 {
            self.bytes.truncate(LARGE);
            self.bytes.shrink_to_fit();
        }
        self.length = 0;
    }
}

impl fmt::Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add([text.as_bytes()]);
        Ok(())
    }
}
