//! Reads the links in the header of a message, as those of a text of its own.

use std::io;
use std::mem;
use std::rc::Rc;

use encoding_rs::{UTF_8, WINDOWS_1252};
use memchr::{memchr_iter, memrchr};

use super::fields::LinkField;
use crate::document::holds::Holds;
use crate::document::place::decoding::Decoding;
use crate::document::place::layer::Layer;
use crate::document::reader::{Event, Reader, Value};
use crate::limits::MAX_RECORD;

/// The links in the header of a message.
pub struct HeaderLinks {
    /// The text that has the header.
    text: Rc<Vec<u8>>,
    /// The fields that are not yet read, the last first.
    fields: Vec<LinkField>,
    field: Option<OpenField>,
    current: HeaderLink,
    /// Whether the current link is not yet returned.
    is_ahead: bool,
    is_http: bool,
}

/// A field that is being read.
struct OpenField {
    field: LinkField,
    /// What its value means.
    value: Vec<u8>,
    /// Where all its links are in the text, if the value is encoded.
    encoded_at: Option<usize>,
    /// Where the next link is searched from in it.
    next: usize,
    /// A place in the text that is not after the next link, its line, and where that line starts.
    passed: usize,
    line: u64,
    line_start: usize,
}

/// A link in a field.
#[derive(Default)]
struct HeaderLink {
    field: &'static str,
    url: Vec<u8>,
    holds: Holds,
    rel: Option<Vec<u8>>,
    /// Where it is in the text.
    at: usize,
    line: u64,
    column: u64,
}

impl HeaderLinks {
    /// The links of some fields of a text; `None` if they have none.
    pub fn open(text: Rc<Vec<u8>>, mut fields: Vec<LinkField>, is_http: bool) -> Option<Self> {
        fields.reverse();
        let (field, current) = (None, HeaderLink::default());
        let mut links = HeaderLinks { text, fields, field, current, is_ahead: true, is_http };
        links.go_on().then_some(links)
    }

    /// Goes to the next link. Returns whether there is one.
    fn go_on(&mut self) -> bool {
        loop {
            if let Some(link) = self.field.as_mut().and_then(|field| field.next_link(&self.text)) {
                self.current = link;
                return true;
            }
            let Some(field) = self.fields.pop() else { return false };
            self.field = Some(OpenField::new(field, &self.text));
        }
    }
}

impl OpenField {
    fn new(field: LinkField, text: &[u8]) -> Self {
        let value = text[field.value.clone()].trim_ascii_end();
        let spaces = value.len() - value.trim_ascii_start().len();
        let decoded = field.grammar.decoded(value);
        let encoded_at = decoded.as_ref().map(|_| field.value.start + spaces);
        let value = decoded.unwrap_or_else(|| value.to_vec());
        let (passed, line) = (field.value.start, field.line);
        let line_start = memrchr(b'\n', &text[..passed]).map_or(0, |end| end + 1);
        OpenField { field, value, encoded_at, next: 0, passed, line, line_start }
    }

    fn next_link(&mut self, text: &[u8]) -> Option<HeaderLink> {
        let &LinkField { name, grammar, ref value, .. } = &self.field;
        let link = grammar.next_link(&self.value, self.next)?;
        self.next = link.next;
        let at = self.encoded_at.unwrap_or(value.start + link.url.start);
        let passed = self.passed;
        for end in memchr_iter(b'\n', &text[passed..at]) {
            (self.line, self.line_start) = (self.line + 1, passed + end + 1);
        }
        self.passed = at;
        let (url, holds) = (grammar.unfolded(&self.value[link.url]), grammar.holds());
        let column = (at - self.line_start) as u64 + 1;
        Some(HeaderLink { field: name, url, holds, rel: link.rel, at, line: self.line, column })
    }
}

impl Reader for HeaderLinks {
    fn advance(&mut self) -> io::Result<Option<Event>> {
        let has_link = mem::take(&mut self.is_ahead) || self.go_on();
        Ok(has_link.then(|| Event::Value(Layer { start: self.current.at as u64, ..Layer::default() })))
    }

    fn value(&self) -> Value<'_> {
        let HeaderLink { field, url, holds, line, column, .. } = &self.current;
        Value {
            text: (url.len() <= MAX_RECORD).then_some(url),
            holds: *holds,
            element: b"field",
            attribute: field.as_bytes(),
            line: *line,
            column: *column,
            is_early: false,
        }
    }

    fn rel(&self) -> Option<&[u8]> {
        self.current.rel.as_deref()
    }

    /// Nothing says which charset a field is in. Browsers take each byte of HTTP for a character (Fetch Standard).
    fn decoding(&self) -> Decoding {
        Decoding::new(if self.is_http { WINDOWS_1252 } else { UTF_8 }).of_attribute()
    }
}
