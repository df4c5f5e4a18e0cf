//! What an XML document has, as far as URLs are concerned.

use std::ops::Range;

use super::Fault;
use super::text::Value;
use crate::document::html::attributes::{Holds, next_url};
use crate::document::problem::Problem;
use crate::limits::MAX_RECORD;

/// Something found in an XML document.
pub struct Found {
    /// The line and the column where it starts.
    pub at: (u64, u64),
    /// The index of its base, or of the one around it if it is a base.
    pub base: usize,
    /// What it is.
    pub what: What,
}

/// What is found in an XML document.
pub enum What {
    /// What may be a base, until its element ends: `xml:base`, or the HREF of a BASE in XHTML.
    Base(XmlLink),
    /// A value with links, or a nested text.
    Link(XmlLink),
    /// Something is skipped.
    Problem(Problem),
    /// The document cannot be read on.
    Fault(Fault),
}

/// A value with links in an XML document, and one of the links.
pub struct XmlLink {
    /// The name of its element.
    pub element: Vec<u8>,
    /// The name of its attribute; empty if it is a text.
    pub attribute: &'static str,
    /// The value; `None` if that is too long.
    pub value: Option<Value>,
    /// How that holds URLs.
    pub holds: Holds,
    /// Where the link is in it.
    pub range: Range<usize>,
    /// Where the next link is searched from, if there may be one.
    rest: Option<usize>,
}

impl XmlLink {
    /// A value before its first link.
    pub fn new(element: &[u8], attribute: &'static str, value: Option<Value>, holds: Holds) -> Self {
        let value = value.filter(|value| value.bytes.len() <= MAX_RECORD);
        XmlLink { element: element.to_vec(), attribute, value, holds, range: 0..0, rest: Some(0) }
    }

    /// Goes to the next link of the value. Returns whether there is one.
    pub fn next(&mut self) -> bool {
        let (Some(value), Some(rest)) = (&self.value, self.rest.take()) else { return false };
        let Some(found) = next_url(self.holds, &value.bytes, rest) else { return false };
        (self.range, self.rest) = found;
        true
    }
}
