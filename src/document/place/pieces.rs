//! The text of an element, which is read piece by piece.

use super::layer::{Escape, Layer, Replaced};
use crate::limits::MAX_RECORD;

/// The bytes and the replaced pieces that there is room for at first: most texts have no more.
const ROOM: usize = 256;
const ROOM_REPLACED: usize = 16;

/// A text that is read piece by piece.
pub struct Pieces {
    /// Its bytes so far; `None` if they are too long.
    bytes: Option<Vec<u8>>,
    /// Where they are in the text around it.
    layer: Layer,
    /// Where the last piece ends there.
    pub end: u64,
    /// Whether there is something outside CDATA.
    has_plain: bool,
    /// Whether there is something in CDATA.
    has_cdata: bool,
}

impl Pieces {
    /// A text that starts at an offset of the text around it.
    pub fn new(start: u64) -> Self {
        let layer = Layer { start, replaced: Vec::new(), escape: Escape::XmlText };
        Pieces { bytes: Some(Vec::with_capacity(ROOM)), layer, end: start, has_plain: false, has_cdata: false }
    }

    /// Skips what is not text, up to an offset of the text around it. A single byte after LF is the LF of CRLF.
    pub fn skip_to(&mut self, offset: u64) {
        if offset == self.end + 1
            && let Some([rest @ .., b'\n']) = self.bytes.as_deref()
        {
            let raw_end = length(self.layer.start, offset);
            self.layer.replaced.push(Replaced::new(rest.len()..rest.len() + 1, raw_end - 2..raw_end));
            self.end = offset;
        } else if offset > self.end {
            self.add(b"", offset, true, false);
        }
    }

    /// Adds a piece that ends at an offset of the text around it. `is_replaced`: it is written differently there.
    pub fn add(&mut self, piece: &[u8], end: u64, is_replaced: bool, is_cdata: bool) {
        let Some(bytes) = &mut self.bytes else { return };
        let raw_end = length(self.layer.start, end);
        if (bytes.len() + piece.len()).max(raw_end) > MAX_RECORD {
            (self.bytes, self.layer.replaced) = (None, Vec::new());
            return;
        }
        if !piece.trim_ascii().is_empty() {
            self.has_cdata |= is_cdata;
            self.has_plain |= !is_cdata;
        }
        if is_replaced {
            if self.layer.replaced.is_empty() {
                self.layer.replaced.reserve(ROOM_REPLACED);
            }
            let raw = length(self.layer.start, self.end)..raw_end;
            self.layer.replaced.push(Replaced::new(bytes.len()..bytes.len() + piece.len(), raw));
        }
        bytes.extend_from_slice(piece);
        self.end = end;
    }

    /// The bytes, `None` if they are too long, and where they are in the text around.
    pub fn finish(mut self) -> (Option<Vec<u8>>, Layer) {
        self.layer.escape = match (self.has_plain, self.has_cdata) {
            (_, false) => Escape::XmlText,
            (false, true) => Escape::XmlCdata,
            (true, true) => Escape::XmlMixed,
        };
        (self.bytes, self.layer)
    }
}

/// The length between two offsets.
pub fn length(start: u64, end: u64) -> usize {
    usize::try_from(end - start).unwrap_or(usize::MAX)
}
