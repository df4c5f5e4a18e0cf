//! What an XML document has, as far as URLs are concerned.

use super::Fault;
use super::text::Value;
use crate::document::holds::Holds;
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
    Base(XmlValue),
    /// A value.
    Value(XmlValue),
    /// Something is skipped.
    Problem(Problem),
    /// The document cannot be read on.
    Fault(Fault),
}

/// A value in an XML document.
pub struct XmlValue {
    /// The name of its element.
    pub element: Vec<u8>,
    /// The name of its attribute; empty if it is a text.
    pub attribute: &'static str,
    /// The value; `None` if that is too long.
    pub value: Option<Value>,
    /// How that holds URLs.
    pub holds: Holds,
}

impl XmlValue {
    /// A value of an element.
    pub fn new(element: &[u8], attribute: &'static str, value: Option<Value>, holds: Holds) -> Self {
        let value = value.filter(|value| value.bytes.len() <= MAX_RECORD);
        XmlValue { element: element.to_vec(), attribute, value, holds }
    }
}
