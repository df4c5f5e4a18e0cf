//! An XML document as one of the texts of [`Items`](crate::document::Items): its charset, and what it has next.

use std::io::{self, Read};
use std::rc::Rc;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::Xml;
use super::event::{Found, XmlLink};
use super::text::Value as XmlValue;
use crate::document::decoding::{self, Decoding};
use crate::document::html::attributes::Holds;
use crate::document::html::xml_encoding;
use crate::document::layer::Layer;
use crate::document::reader::{Event, Reader, Value};
use crate::document::{Candidate, Options};
use crate::limits::PRESCAN;

impl<'a> Xml<'a> {
    /// Starts to read a document. Its charset is that of a BOM or of its declaration, or UTF-8. Without `wants_links`
    /// only the base of its root is read.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn open(mut text: impl Read + 'a, wants_links: bool, options: &Options) -> io::Result<Self> {
        let mut start = Vec::new();
        text.by_ref().take(PRESCAN as u64).read_to_end(&mut start)?;
        let bom = first_charset(&start).map_or(0, |(_, length)| length);
        let charset = charset(&start, options.charset).unwrap_or(UTF_8);
        let (text, decoding, shift) = Decoding::new(charset).open(start, text, bom);
        Ok(Xml { shift, decoding, wants_links, rewrites: options.rewrites, ..Xml::new(text) })
    }

    /// The candidate for a base. For rewriting, it is a link, too.
    fn start_base(&mut self, by: &'static str, value: Rc<XmlValue>, at: (u64, u64), layer: &mut Layer) -> Candidate {
        let (text, range, replaced) = (&value.bytes, value.trimmed(), &value.layer.replaced);
        let url = Ok(self.decoding.keep(text, range.clone(), replaced).into_owned());
        let decoded = self.decoding.decode(text, range.clone(), replaced).into_owned();
        self.at = at;
        layer.clone_from(&value.layer);
        if self.rewrites {
            let (element, attribute) = (Rc::from(&b""[..]), if by == "BASE" { "href" } else { by });
            let (value, holds, base) = (Some(value), Holds::Url, self.level);
            let link = XmlLink { element, attribute, value, holds, range, at, base, is_base: true };
            // the base applies to links before it, too
            let before = self.events.iter().take_while(|found| found.at() < at).count();
            self.events.insert(before, Found::Link(link));
        }
        Candidate { by, url, decoded, encoding: self.decoding.document, is_in_body: false, line: at.0, column: at.1 }
    }
}

impl Reader for Xml<'_> {
    fn advance(&mut self, layer: &mut Layer) -> io::Result<Option<Event>> {
        loop {
            let Some(found) = self.find()? else { return Ok(None) };
            if let Found::Base { outer: base, .. } | Found::Link(XmlLink { base, .. }) = found
                && let ended @ 1.. = self.level - base
            {
                self.level = base;
                self.events.push_front(found);
                return Ok(Some(Event::EndBases(ended)));
            }
            match found {
                Found::Problem(at, problem) => {
                    self.at = at;
                    return Ok(Some(Event::Problem(problem)));
                }
                Found::Base { by, outer, value, at } => {
                    self.level = outer + 1;
                    return Ok(Some(Event::Base(self.start_base(by, value, at, layer))));
                }
                Found::Link(mut link) => {
                    let is_same = self.current.as_ref().is_some_and(|last| last.has_value_of(&link));
                    self.at = link.at;
                    if let (Some(value), false) = (&link.value, is_same) {
                        layer.clone_from(&value.layer);
                    }
                    let nested = link.holds.nested();
                    if nested.is_none() {
                        let Some((found, rest)) = link.find() else { continue };
                        if let Some(range) = rest {
                            self.events.push_front(Found::Link(XmlLink { range, ..found.clone() }));
                        }
                        link = found;
                    }
                    self.current = Some(link);
                    return Ok(Some(nested.map_or(Event::Link, Event::Nested)));
                }
            }
        }
    }

    fn value(&self) -> Value<'_> {
        let current = self.current.as_ref();
        let (line, column) = self.at;
        Value {
            text: current.and_then(|link| Some(&*link.value.as_ref()?.bytes)),
            range: current.map_or(0..0, |link| link.range.clone()),
            element: current.map_or(b"", |link| &link.element),
            attribute: current.map_or("", |link| link.attribute),
            line,
            column,
            is_base: current.is_some_and(|link| link.is_base),
        }
    }

    fn decoding(&self) -> Decoding {
        self.decoding
    }

    fn has_one_base(&self) -> bool {
        false
    }
}

/// The charset of a document that starts so. `transport` is the one that its transport names.
pub fn charset(start: &[u8], transport: Option<&'static Encoding>) -> Option<&'static Encoding> {
    let first = first_charset(start).map(|(charset, _)| charset);
    decoding::charset(start, first.or(transport), named_charset)
}

/// The charset that the first bytes of a document show, and the length of its BOM.
pub fn first_charset(start: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(start).or(match start {
        [0, b'<', 0, b'?', ..] => Some((UTF_16BE, 0)),
        [b'<', 0, b'?', 0, ..] => Some((UTF_16LE, 0)),
        _ => None,
    })
}

/// The charset that the declaration of a document names.
fn named_charset(start: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(xml_encoding(start)?).filter(|charset| *charset != REPLACEMENT)
}
