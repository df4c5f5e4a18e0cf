//! What an XML document has, as far as URLs are concerned.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::document::holds::Holds;
use crate::document::place::layer::{Layer, Replaced};
use crate::document::problem::Problem;
use crate::limits::MAX_RECORD;

/// Something found in an XML document.
pub struct Located {
    /// The line and the column where it starts.
    pub location: (u64, u64),
    /// The index of its base, or of the one around it if it is a base. The URL of retrieval has 0, a base one more than
    /// the base around it:
    ///
    /// ```text
    /// <feed xml:base='a/'>       a/: 0
    ///   <entry xml:base='b/'>    b/: 1
    ///     <link href='x'/>       x:  2
    ///   </entry>
    ///   <link href='y'/>         y:  1, so one base has ended before it
    /// ```
    ///
    /// A BASE in the HEAD of XHTML applies to what is before it, too. So all that is found in HEAD waits for its end,
    /// and a BASE goes before it and raises it by one:
    ///
    /// ```text
    /// <head>                     before BASE is read    after
    ///   <link href='x'/>         x: 0                   z/: 0
    ///   <base href='z/'/>                               x:  1
    /// ```
    pub base: usize,
    pub event: XmlEvent,
}

/// What is found in an XML document.
pub enum XmlEvent {
    /// What may be a base, until its element ends: `xml:base`, or the HREF of a BASE in XHTML.
    Base(XmlValue),
    Value(XmlValue),
    Problem(Problem),
    /// The document cannot be read on.
    Error(XmlError),
}

/// A value in an XML document.
pub struct XmlValue {
    /// The name of its element.
    pub element: Vec<u8>,
    /// The name of its attribute; empty if it is a text.
    pub attribute: Cow<'static, [u8]>,
    /// What its element says of the relation of the link.
    pub rel: Option<Vec<u8>>,
    /// The value; `None` if that is too long.
    pub value: Option<DecodedValue>,
    /// How that holds URLs.
    pub holds: Holds,
}

impl XmlValue {
    /// A value of an element.
    pub fn new(element: &[u8], attribute: Cow<'static, [u8]>, value: Option<DecodedValue>, holds: Holds) -> Self {
        let value = value.filter(|value| value.bytes.len() <= MAX_RECORD);
        XmlValue { element: element.to_vec(), attribute, rel: None, value, holds }
    }
}

/// A value or a text.
#[derive(Clone)]
pub struct DecodedValue {
    /// Its bytes: those of the document, and UTF-8 where there were references.
    pub bytes: Vec<u8>,
    /// Where they are in the document.
    pub layer: Layer,
}

impl DecodedValue {
    /// Adds text that is written differently in the document. `raw`: where, counted from the start of the value.
    pub fn replace(&mut self, text: &[u8], raw: Range<usize>) {
        let at = self.bytes.len();
        self.layer.replaced.push(Replaced::new(at..at + text.len(), raw));
        self.bytes.extend_from_slice(text);
    }
}

/// Why an XML document cannot be read on: it is not well-formed, or too large.
#[derive(Debug)]
pub struct XmlError {
    pub line: u64,
    /// The column there, in bytes from 1.
    pub column: u64,
    /// The offset in the file.
    pub offset: u64,
    pub what: String,
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Error for XmlError {}
