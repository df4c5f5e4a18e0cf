//! Links that have been read and not yet handed out.

use std::vec;

use memchr::memchr;

use super::attributes::{Attribute, next_url};

/// Attributes whose links wait: for the first BASE, or until they are enough to be handed out.
#[derive(Default)]
pub struct PendingLinks {
    /// For each attribute its element's name, a space and its value; without both if it is too long.
    bytes: Vec<u8>,
    /// The attributes.
    attributes: Vec<PendingAttribute>,
}

/// An attribute whose links wait.
#[derive(Clone, Copy)]
struct PendingAttribute {
    /// Which one it is.
    attribute: &'static Attribute,
    /// The line where its value starts.
    line: u64,
    /// The column where its value starts.
    column: u64,
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
        (line, column): (u64, u64),
    ) {
        self.bytes.extend_from_slice(element);
        if let Some(value) = value {
            self.bytes.push(b' ');
            self.bytes.extend_from_slice(value);
        }
        self.attributes.push(PendingAttribute { attribute, line, column, end: self.bytes.len() });
    }

    /// The number of attributes.
    pub fn len(&self) -> usize {
        self.attributes.len()
    }
}

/// A link in a page.
#[derive(Clone, Copy)]
pub struct PageLink<'a> {
    /// Its bytes; `None` if the attribute is too long.
    pub bytes: Option<&'a [u8]>,
    /// The element's name.
    pub element: &'a [u8],
    /// The attribute's name.
    pub attribute: &'static str,
    /// The line where the attribute's value starts.
    pub line: u64,
    /// The column where the attribute's value starts.
    pub column: u64,
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
    /// Where its bytes start.
    start: usize,
    /// Where the current link is searched from.
    link: usize,
    /// Where the attribute's next link is searched from, if it may have one.
    rest: Option<usize>,
}

impl LinkReader {
    /// Starts before the first link.
    pub fn new(links: PendingLinks) -> Self {
        LinkReader { bytes: links.bytes, attributes: links.attributes.into_iter(), ..LinkReader::default() }
    }

    /// Goes to the next link; false if there are no more.
    pub fn advance(&mut self) -> bool {
        loop {
            if let (Some(current), Some(rest)) = (self.current, self.rest.take())
                && let Some((_, more)) = next_url(current.attribute.1, &self.bytes[rest..current.end])
            {
                self.link = rest;
                self.rest = more.map(|more| current.end - more.len());
                return true;
            }
            self.start = self.current.map_or(0, |current| current.end);
            self.current = self.attributes.next();
            let Some(current) = self.current else { return false };
            match memchr(b' ', &self.bytes[self.start..current.end]) {
                Some(name) => self.rest = Some(self.start + name + 1),
                None => return true,
            }
        }
    }

    /// The current link.
    pub fn link(&self) -> Option<PageLink<'_>> {
        let PendingAttribute { attribute: (attribute, holds), line, column, end } = self.current?;
        let name_and_value = &self.bytes[self.start..end];
        let (element, bytes) = match memchr(b' ', name_and_value) {
            Some(name) => (&name_and_value[..name], Some(next_url(*holds, &self.bytes[self.link..end])?.0)),
            None => (name_and_value, None),
        };
        Some(PageLink { bytes, element, attribute, line, column })
    }
}
