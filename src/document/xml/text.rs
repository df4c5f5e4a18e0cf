//! Values and texts of XML, decoded, with the place of each piece.

use std::ops::Range;

use memchr::memchr3;

use super::attributes::Attribute;
use super::entities::{Entities, NO_REFERENCE, Unresolved};
use crate::document::layer::{Escape, Layer, Replaced};
use crate::limits::MAX_RECORD;

/// A value or a text.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its bytes: those of the document, and UTF-8 where there were references.
    pub bytes: Vec<u8>,
    /// Where they are in the document.
    pub layer: Layer,
}

impl Value {
    /// The bytes without white space around them.
    pub fn trimmed(&self) -> Range<usize> {
        let start = self.bytes.len() - self.bytes.trim_ascii_start().len();
        start..start + self.bytes.trim_ascii().len()
    }
}

/// Reads the value of an attribute that starts at an offset of the document.
pub fn value_of(attribute: &Attribute<'_>, start: u64, entities: &mut Entities) -> Result<Value, Unresolved> {
    let raw = attribute.value;
    let (mut bytes, mut replaced, mut at) = (Vec::with_capacity(raw.len()), Vec::new(), 0);
    while let Some(next) = raw[at..].iter().position(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r')) {
        bytes.extend_from_slice(&raw[at..at + next]);
        at += next;
        let (raw_len, text) = match &raw[at..] {
            [b'&', rest @ ..] => {
                let name = reference(rest)?;
                (name.len() + 2, entities.resolve(name, start)?)
            }
            [b'\r', b'\n', ..] => (2, b" "[..].into()),
            _ => (1, b" "[..].into()),
        };
        if raw_len > 1 {
            replaced.push(Replaced { at: bytes.len(), len: text.len(), raw_at: at, raw_len });
        }
        bytes.extend_from_slice(&text);
        at += raw_len;
    }
    bytes.extend_from_slice(&raw[at..]);
    Ok(Value { bytes, layer: Layer { start, replaced, escape: Escape::XmlAttribute(attribute.quote) } })
}

/// The name of the reference in a value after its `&`.
fn reference(rest: &[u8]) -> Result<&[u8], Unresolved> {
    match memchr3(b';', b'&', b'<', rest) {
        Some(end) if rest[end] == b';' => Ok(&rest[..end]),
        _ => Err(Unresolved::Fault(NO_REFERENCE)),
    }
}

/// The kind of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Text as it is.
    Text,
    /// What a reference means.
    Reference,
    /// The text of a CDATA section.
    Cdata,
}

/// A text that is read piece by piece.
#[derive(Default)]
pub struct Text {
    /// The bytes so far; without white space before them.
    bytes: Vec<u8>,
    /// Where its pieces are, from the start.
    replaced: Vec<Replaced>,
    /// Where it starts in the document, once that is known.
    start: Option<u64>,
    /// Where the last piece ends in the document.
    end: u64,
    /// Whether there is something outside CDATA.
    has_plain: bool,
    /// Whether there is something in CDATA.
    has_cdata: bool,
    /// Whether it is too long.
    is_too_long: bool,
}

impl Text {
    /// Adds a piece. Returns where the text starts if this is the first one.
    pub fn add(&mut self, piece: Piece, mut text: &[u8], mut raw: Range<u64>) -> Option<u64> {
        let is_first = self.start.is_none();
        if is_first && piece != Piece::Reference {
            raw.start += (text.len() - text.trim_ascii_start().len()) as u64;
            text = text.trim_ascii_start();
            if text.is_empty() {
                return None;
            }
        }
        self.is_too_long |= self.bytes.len() + text.len() > MAX_RECORD;
        if self.is_too_long {
            self.bytes.clear();
            self.replaced.clear();
            return None;
        }
        let start = *self.start.get_or_insert(raw.start);
        let is_blank = text.trim_ascii().is_empty();
        self.has_cdata |= piece == Piece::Cdata && !is_blank;
        self.has_plain |= piece != Piece::Cdata && !is_blank;
        if !is_first && raw.start > self.end {
            self.replace(0, self.end - start..raw.start - start);
        }
        if piece == Piece::Reference {
            self.replace(text.len(), raw.start - start..raw.end - start);
        }
        self.bytes.extend_from_slice(text);
        self.end = raw.end;
        is_first.then_some(start)
    }

    /// Adds a piece that is written differently in the document.
    fn replace(&mut self, len: usize, raw: Range<u64>) {
        let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let (raw_at, raw_len) = (place(raw.start), place(raw.end - raw.start));
        self.replaced.push(Replaced { at: self.bytes.len(), len, raw_at, raw_len });
    }

    /// The text; `None` if it is too long.
    pub fn into_value(self) -> Option<Value> {
        let escape = Escape::of_text(self.has_plain, self.has_cdata);
        let layer = Layer { start: self.start.unwrap_or_default(), replaced: self.replaced, escape };
        (!self.is_too_long).then_some(Value { bytes: self.bytes, layer })
    }
}
