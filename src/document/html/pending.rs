//! Links that have been read and not yet handed out.

use std::ops::Range;
use std::{mem, vec};

use memchr::memchr;

use super::attributes::{Attribute, Holds, next_url};
use crate::document::Problem;
use crate::document::layer::{Escape, Layer, Replaced};
use crate::document::reader::{Event, Value};
use crate::limits::{MAX_PENDING_BYTES, MAX_PENDING_LINKS};

/// Attributes whose links wait: for the first BASE, or until they are enough to be handed out.
#[derive(Default)]
pub struct PendingLinks {
    /// For each attribute its element's name, a space and its value; without both if it is too long.
    bytes: Vec<u8>,
    /// The attributes.
    attributes: Vec<PendingAttribute>,
}

/// Where the value of an attribute is.
#[derive(Clone, Copy, Default)]
pub struct Spot {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
    /// The offset in the text.
    pub start: u64,
    /// The byte before it, perhaps a quote; `None` if there is no value.
    pub before: Option<u8>,
}

impl Spot {
    /// Makes a layer that of the value, which is `len` bytes long.
    pub fn set(self, layer: &mut Layer, len: usize, replaced: Vec<Replaced>) {
        layer.start = self.start;
        layer.escape = match self.before {
            None => Escape::HtmlMissing,
            Some(quote @ (b'"' | b'\'')) => Escape::Html(quote),
            Some(_) => Escape::HtmlUnquoted { len },
        };
        layer.replaced = replaced;
    }
}

/// An attribute whose links wait.
struct PendingAttribute {
    /// Which one it is.
    attribute: &'static Attribute,
    /// Where its value starts.
    spot: Spot,
    /// What was replaced in its value.
    replaced: Box<[Replaced]>,
    /// Where its value ends in the bytes.
    end: usize,
}

impl PendingLinks {
    /// Adds an attribute of an element. `value` is `None` if it is too long.
    pub fn push(
        &mut self,
        element: &[u8],
        attribute: &'static Attribute,
        value: Option<&[u8]>,
        spot: Spot,
        replaced: Vec<Replaced>,
    ) {
        self.bytes.extend_from_slice(element);
        if let Some(value) = value {
            self.bytes.push(b' ');
            self.bytes.extend_from_slice(value);
        }
        let replaced = replaced.into_boxed_slice();
        self.attributes.push(PendingAttribute { attribute, spot, replaced, end: self.bytes.len() });
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// Whether they are enough to be handed out.
    pub fn is_full(&self) -> bool {
        self.attributes.len() >= MAX_PENDING_LINKS || self.bytes.len() >= MAX_PENDING_BYTES
    }
}

/// Hands out pending links.
#[derive(Default)]
pub struct LinkReader {
    /// The bytes of [`PendingLinks`].
    bytes: Vec<u8>,
    /// The attributes not yet begun.
    attributes: vec::IntoIter<PendingAttribute>,
    /// The current attribute.
    current: Option<PendingAttribute>,
    /// Where the name of its element is.
    element: Range<usize>,
    /// Where its value is; `None` if it is too long.
    value: Option<Range<usize>>,
    /// Where the current link is in the value.
    link: Range<usize>,
    /// Where the attribute's next link is searched from, if it may have one.
    rest: Option<usize>,
}

impl LinkReader {
    /// Starts before the first link.
    pub fn new(links: PendingLinks) -> Self {
        LinkReader { bytes: links.bytes, attributes: links.attributes.into_iter(), ..LinkReader::default() }
    }

    /// Goes to the next link or nested text, in whose value `layer` then is; `None` if there are no more.
    pub fn advance(&mut self, layer: &mut Layer) -> Option<Event> {
        loop {
            if let (Some(current), Some(value), Some(rest)) = (&self.current, self.value.clone(), self.rest.take())
                && let Some(found) = next_url(current.attribute.1, &self.bytes[value], rest)
            {
                (self.link, self.rest) = found;
                return Some(Event::Link);
            }
            let start = self.current.as_ref().map_or(0, |current| current.end);
            let current = self.current.insert(self.attributes.next()?);
            let name = memchr(b' ', &self.bytes[start..current.end]).map(|length| start + length);
            self.element = start..name.unwrap_or(current.end);
            self.value = name.map(|name| name + 1..current.end);
            let len = self.value.as_ref().map_or(0, Range::len);
            self.link = 0..len;
            current.spot.set(layer, len, mem::take(&mut current.replaced).into_vec());
            let holds = current.attribute.1;
            if let Holds::Style(escape) = holds {
                layer.escape = escape;
            }
            match (&self.value, holds.nested()) {
                (None, Some(_)) if matches!(holds, Holds::Style(_)) => return Some(Event::Problem(Problem::LongStyle)),
                (None, _) => return Some(Event::Link),
                (Some(_), Some(nested)) => return Some(Event::Nested(nested)),
                (Some(_), None) => self.rest = Some(0),
            }
        }
    }

    /// The current value.
    pub fn value(&self) -> Value<'_> {
        let Some(PendingAttribute { attribute, spot, .. }) = &self.current else { return Value::default() };
        Value {
            text: self.value.clone().map(|value| &self.bytes[value]),
            range: self.link.clone(),
            element: &self.bytes[self.element.clone()],
            attribute: attribute.0,
            line: spot.line,
            column: spot.column,
            is_base: attribute.1 == Holds::Base,
            is_of_svg: attribute.1 == Holds::SvgUrl,
        }
    }
}
