//! What an XML document has, as far as URLs are concerned.

use std::ops::Range;
use std::rc::Rc;

use super::text::Value;
use crate::document::html::attributes::{Holds, next_url};
use crate::document::problem::Problem;

/// What is found in an XML document.
#[derive(Debug)]
pub enum Found {
    /// What may be a base, until its element ends.
    Base {
        /// What has it: `xml:base`, or `BASE` in XHTML.
        by: &'static str,
        /// The index of the base around it; its own is one more.
        outer: usize,
        /// Its value.
        value: Rc<Value>,
        /// The line and the column where that starts.
        at: (u64, u64),
    },
    /// A value with links, or a nested text.
    Link(XmlLink),
    /// Something is skipped, at a line and column.
    Problem((u64, u64), Problem),
}

impl Found {
    /// The line and the column where it starts.
    pub fn at(&self) -> (u64, u64) {
        match self {
            Found::Base { at, .. } | Found::Problem(at, _) | Found::Link(XmlLink { at, .. }) => *at,
        }
    }
}

/// A value with links in an XML document, or one of the links.
#[derive(Clone, Debug)]
pub struct XmlLink {
    /// The name of its element.
    pub element: Rc<[u8]>,
    /// The name of its attribute; empty if it is a text.
    pub attribute: &'static str,
    /// The value that it is in; `None` if that is too long.
    pub value: Option<Rc<Value>>,
    /// How that holds URLs.
    pub holds: Holds,
    /// Where it is in that value; before it is known, where it is searched.
    pub range: Range<usize>,
    /// The line and the column where the value starts.
    pub at: (u64, u64),
    /// The index of its base.
    pub base: usize,
    /// Whether it is the `xml:base` or BASE that gives this base.
    pub is_base: bool,
}

impl XmlLink {
    /// Whether another link has the same value.
    pub fn has_value_of(&self, other: &XmlLink) -> bool {
        matches!((&self.value, &other.value), (Some(value), Some(other)) if Rc::ptr_eq(value, other))
    }

    /// The link where it is searched, and where the next one of the value is searched, if there may be one.
    pub fn find(mut self) -> Option<(Self, Option<Range<usize>>)> {
        let Some(value) = &self.value else { return Some((self, None)) };
        let text = &value.bytes[self.range.clone()];
        let (url, more) = next_url(self.holds, text)?;
        let start = self.range.start + (url.as_ptr().addr() - text.as_ptr().addr());
        let rest = more.map(|more| self.range.end - more.len()..self.range.end);
        self.range = start..start + url.len();
        Some((self, rest))
    }
}
