//! Values and texts of XML, decoded, with the place of each piece.

use std::ops::Range;

use memchr::memchr2;

use super::attributes::Attribute;
use super::entities::{Entities, EntityError, NO_REFERENCE};
use super::event::{DecodedValue, XmlEvent, XmlValue};
use crate::document::holds::Holds;
use crate::document::place::layer::{Escape, Layer};
use crate::document::place::pieces::Pieces;
use crate::document::problem::Problem;

/// Reads the value of an attribute that starts at an offset of the document.
pub fn value_of(attribute: &Attribute<'_>, start: u64, entities: &mut Entities) -> Result<DecodedValue, EntityError> {
    let (raw, mut at) = (attribute.raw, 0);
    let layer = Layer { start, replaced: Vec::new(), escape: Escape::XmlAttribute(attribute.quote) };
    let mut value = DecodedValue { bytes: Vec::with_capacity(raw.len()), layer };
    while let Some(next) = raw[at..].iter().position(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r')) {
        value.bytes.extend_from_slice(&raw[at..at + next]);
        at += next;
        at += match &raw[at..] {
            [b'&', rest @ ..] => {
                let end = memchr2(b';', b'&', rest).filter(|end| rest[*end] == b';');
                let end = end.ok_or(EntityError::Malformed(NO_REFERENCE))?;
                value.replace(&entities.resolve(&rest[..end], start)?, at..at + end + 2);
                end + 2
            }
            [b'\r', b'\n', ..] => {
                value.replace(b" ", at..at + 2);
                2
            }
            _ => {
                value.bytes.push(b' ');
                1
            }
        };
    }
    value.bytes.extend_from_slice(&raw[at..]);
    Ok(value)
}

/// The kind of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is.
    Text,
    /// What a reference means.
    Reference,
    /// The text of a CDATA section.
    Cdata,
    /// A processing instruction, which has no text.
    Instruction,
}

/// The text of an element that is wanted, read piece by piece.
pub struct Text {
    /// The name of the element.
    element: Vec<u8>,
    /// How the text holds URLs.
    pub holds: Holds,
    /// The number of open elements with it. The text of elements in a STYLE is not its own.
    pub depth: usize,
    /// The line and the column where the text starts.
    pub location: (u64, u64),
    /// Whether it cannot be known, because of an entity.
    is_unknown: bool,
    /// Whether that is reported already, at the place where the text starts.
    is_reported: bool,
    /// The text so far, without white space before it; `None` before that.
    pieces: Option<Pieces>,
}

impl Text {
    /// The text of an element that starts. `depth`: the number of open elements with it.
    pub fn new(element: &[u8], holds: Holds, depth: usize) -> Self {
        let element = element.to_vec();
        Text { element, holds, depth, location: (1, 1), is_unknown: false, is_reported: false, pieces: None }
    }

    /// Notes that it cannot be known, because of an entity at its end so far. `is_reported`: the entity is reported.
    pub fn set_unknown(&mut self, is_reported: bool) {
        self.is_unknown = true;
        self.is_reported |= is_reported && self.pieces.is_none();
    }

    /// Adds a piece. Returns where the text starts if this is the first one.
    pub fn add(&mut self, piece: Piece, mut text: &[u8], mut raw: Range<u64>) -> Option<u64> {
        let is_first = self.pieces.is_none();
        if is_first && matches!(piece, Piece::Text | Piece::Cdata) {
            raw.start += (text.len() - text.trim_ascii_start().len()) as u64;
            text = text.trim_ascii_start();
            if text.is_empty() {
                return None;
            }
        }
        let pieces = self.pieces.get_or_insert_with(|| Pieces::new(raw.start));
        pieces.skip_to(raw.start);
        let is_replaced = matches!(piece, Piece::Reference | Piece::Instruction);
        pieces.add(text, raw.end, is_replaced, piece == Piece::Cdata);
        is_first.then_some(raw.start)
    }

    /// What the text has; `None` if it is empty.
    pub fn into_event(self) -> Option<XmlEvent> {
        let (bytes, layer) = self.pieces?.finish();
        let has_to_be_known = match self.holds {
            Holds::Url | Holds::Style => true,
            Holds::Suspected => bytes.as_ref().is_some_and(|bytes| bytes.starts_with(b"&")),
            _ => false,
        };
        match self.holds {
            _ if bytes.as_ref().is_some_and(Vec::is_empty) => None,
            _ if self.is_unknown && has_to_be_known => {
                (!self.is_reported).then_some(XmlEvent::Problem(Problem::ENTITY))
            }
            holds => {
                let value = bytes.map(|bytes| DecodedValue { bytes, layer });
                Some(XmlEvent::Value(XmlValue::new(&self.element, b"".into(), value, holds)))
            }
        }
    }
}
