//! Links that have been read and not yet returned.

use std::ops::Range;
use std::{mem, ptr};

use memchr::memchr;

use super::attributes::{KnownAttribute, REL};
use crate::document::place::layer::{Escape, Layer, Replaced};
use crate::document::reader::Value;

/// The number of attributes with links that are returned at once: few enough to stay in the cache,
/// many enough to pay for the buffers.
const MAX_PENDING_LINKS: usize = 256;

/// The bytes of attributes and style sheets in HTML after which they are returned, even if they are fewer.
pub const MAX_PENDING_BYTES: usize = 1024 * 1024;

/// Attributes whose links wait: for the first BASE, or until they are enough to be returned, one by one.
#[derive(Default)]
pub struct PendingLinks {
    /// For each attribute its element's name, a space and its value; without both if it is too long.
    bytes: Vec<u8>,
    attributes: Vec<PendingAttribute>,
    /// The number of attributes that have been returned. The last of them is the current one.
    returned: usize,
    /// Where the name of its element is.
    element: Range<usize>,
    /// Where its value is; `None` if it is too long.
    value: Option<Range<usize>>,
    /// Where the REL of its element is, if that has one.
    rel: Option<Range<usize>>,
}

/// The name of an element, and the row of one of its attributes.
type OwnAttribute<'e> = (&'e [u8], &'static KnownAttribute);

/// Where the value of an attribute is.
#[derive(Clone, Copy, Default)]
pub struct ValueStart {
    pub line: u64,
    pub column: u64,
    /// The offset in the text.
    pub start: u64,
    /// The byte before it, perhaps a quote; `None` if there is no value.
    pub before: Option<u8>,
}

impl ValueStart {
    /// How the value is written, which is `len` bytes long.
    pub fn escape(self, len: usize) -> Escape {
        match self.before {
            None => Escape::HtmlMissing,
            Some(quote @ (b'"' | b'\'')) => Escape::Html(quote),
            Some(_) => Escape::HtmlUnquoted { len: u32::try_from(len).unwrap_or(u32::MAX) },
        }
    }
}

/// An attribute whose links wait.
struct PendingAttribute {
    /// Its row of the tables.
    row: &'static KnownAttribute,
    /// The line where its value starts.
    line: u64,
    column: u64,
    start: u64,
    /// How it is written.
    escape: Escape,
    /// What was replaced in it.
    replaced: Box<[Replaced]>,
    /// Where it ends in the bytes.
    end: usize,
}

impl PendingLinks {
    /// Adds an attribute of an element. `value` is `None` if it is too long.
    pub fn push(&mut self, (element, row): OwnAttribute<'_>, value: Option<&[u8]>, at: ValueStart, layer: Layer) {
        self.bytes.extend_from_slice(element);
        if let Some(value) = value {
            self.bytes.push(b' ');
            self.bytes.extend_from_slice(value);
        }
        let (Layer { start, replaced, escape }, ValueStart { line, column, .. }) = (layer, at);
        let (replaced, end) = (replaced.into_boxed_slice(), self.bytes.len());
        self.attributes.push(PendingAttribute { row, line, column, start, escape, replaced, end });
    }

    /// Adds the REL that the element of the next attribute may have.
    pub fn push_rel(&mut self, rel: Option<&[u8]>) {
        if rel.is_some() {
            self.push((b"", &REL), rel, ValueStart::default(), Layer::default());
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// Whether they are enough to be returned.
    pub fn is_full(&self) -> bool {
        self.attributes.len() >= MAX_PENDING_LINKS || self.bytes.len() >= MAX_PENDING_BYTES
    }

    /// Goes to the next value. Returns where it is; `None` if there are no more.
    pub fn advance(&mut self) -> Option<Layer> {
        let mut start = self.current().map_or(0, |current| current.end);
        self.rel = None;
        if let Some(rel) = self.attributes.get(self.returned).filter(|next| ptr::eq(next.row, &raw const REL)) {
            self.rel = Some(start + 1..rel.end);
            (start, self.returned) = (rel.end, self.returned + 1);
        }
        let current = self.attributes.get_mut(self.returned)?;
        self.returned += 1;
        let name = memchr(b' ', &self.bytes[start..current.end]).map(|length| start + length);
        self.element = start..name.unwrap_or(current.end);
        self.value = name.map(|name| name + 1..current.end);
        let replaced = mem::take(&mut current.replaced).into_vec();
        Some(Layer { start: current.start, replaced, escape: current.escape })
    }

    /// The REL of the element of the current value.
    pub fn rel(&self) -> Option<&[u8]> {
        Some(&self.bytes[self.rel.clone()?])
    }

    fn current(&self) -> Option<&PendingAttribute> {
        self.attributes.get(self.returned.checked_sub(1)?)
    }

    /// The current value, in a page that has its BASE at an offset.
    pub fn value(&self, base: Option<u64>) -> Value<'_> {
        let Some(current) = self.current() else { return Value::default() };
        let PendingAttribute { row, line, column, start, .. } = current;
        Value {
            text: self.value.clone().map(|value| &self.bytes[value]),
            holds: row.1,
            element: &self.bytes[self.element.clone()],
            attribute: row.0.as_bytes(),
            is_early: base.is_some_and(|base| *start < base) && row.1.is_fetched(),
            line: *line,
            column: *column,
        }
    }
}
