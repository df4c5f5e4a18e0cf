//! An XML document as one of the texts of [`Items`](crate::document::Items): its charset, and what it has next.

use std::io::{self, Read};
use std::mem;
use std::rc::Rc;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::Xml;
use super::event::{Located, XmlError, XmlEvent, XmlValue};
use crate::document::base_source::BaseSource;
use crate::document::place::decoding::Decoding;
use crate::document::place::layer::Layer;
use crate::document::place::lines::Lines;
use crate::document::reader::{Event, Opening, Reader, Value};
use crate::document::values::{Candidate, Rule};
use crate::limits::SNIFF_LEN;

/// The bytes of XML that are read at once.
const XML_BLOCK: usize = 64 * 1024;

impl<'a> Xml<'a> {
    /// Starts to read a document of which `start` has been read. If no links are wanted, only the base of its root is
    /// read.
    pub fn open(start: Vec<u8>, text: impl Read + 'a, how: &Opening<'_>) -> Self {
        let Opening { charset, line, wants_links, options, .. } = *how;
        let (text, decoding, shift) = Decoding::new(charset.unwrap_or(UTF_8)).open(start, text);
        let block = if wants_links { XML_BLOCK } else { SNIFF_LEN }; // the root is often all that is wanted
        let mut xml = Xml { decoding, wants_links, options: Rc::clone(options), ..Xml::new(text, block) };
        let input = xml.tokens.get_mut().get_mut();
        input.lines.set(Lines::starting_in(line));
        input.shift = shift;
        xml
    }

    /// The candidate for a base. For rewriting, it is a link, too.
    fn start_base(&mut self, base: XmlValue) -> Option<Candidate> {
        let value = base.value.as_ref()?;
        let (range, _) = base.holds.next_url(&value.bytes, 0)?;
        let url = Ok(self.decoding.keep(&value.bytes, range.clone(), &value.layer.replaced).into_owned());
        let decoded = self.decoding.decode(&value.bytes, range, &value.layer.replaced).into_owned();
        let start = value.layer.start + self.input().shift;
        let is_of_page = *base.attribute == *b"href";
        let by = if is_of_page { BaseSource::Element } else { BaseSource::XmlBase };
        self.head.base = self.head.base.or(is_of_page.then_some(self.location));
        if self.options.rewrites {
            // the base applies to links before it, too
            let before = self.events.iter().take_while(|located| located.location < self.location).count();
            self.events
                .insert(before, Located { location: self.location, base: self.level, event: XmlEvent::Value(base) });
        }
        let (line, column) = self.location;
        let (rule, before, encoding) = (Rule::Embedded, Vec::new(), self.decoding.document);
        let (is_in_body, is_of_http) = (false, false);
        Some(Candidate { rule, by, before, url, decoded, encoding, is_in_body, is_of_http, line, column, start })
    }

    /// Reads on. Returns false at the end of the document, or of what is wanted of it.
    fn read(&mut self) -> io::Result<bool> {
        let is_enough = !self.wants_links && self.root.is_some() && !self.head.may_have_base;
        let step = if is_enough { Ok(false) } else { self.step() };
        if let Some(error) = self.tokens.get_mut().get_mut().error.take() {
            return Err(error);
        }
        let Err((offset, what)) = step else {
            self.head.may_have_base &= step == Ok(true);
            return Ok(step == Ok(true) || !self.events.is_empty());
        };
        self.head.may_have_base = false;
        let location @ (line, column) = self.input().locate(offset);
        let event = XmlEvent::Error(XmlError { line, column, offset: offset + self.input().shift, what });
        self.events.push_back(Located { location, base: self.elements.base(), event });
        Ok(true)
    }
}

impl Reader for Xml<'_> {
    fn advance(&mut self) -> io::Result<Option<Event>> {
        loop {
            let located = if self.head.may_have_base { None } else { self.events.pop_front() };
            let Some(located) = located else {
                if self.read()? {
                    continue;
                }
                return Ok(None);
            };
            if let ended @ 1.. = self.level - located.base {
                self.level = located.base;
                self.events.push_front(located);
                return Ok(Some(Event::EndBases(ended)));
            }
            self.location = located.location;
            match located.event {
                XmlEvent::Error(fault) => return Err(io::Error::other(fault)),
                XmlEvent::Problem(problem) => return Ok(Some(Event::Problem(problem))),
                XmlEvent::Base(link) => {
                    self.level += 1;
                    return Ok(self.start_base(link).map(Event::Base));
                }
                XmlEvent::Value(value) => {
                    let shift = self.input().shift;
                    let value = self.current.insert(value);
                    let layer = value.value.as_mut().map(|value| mem::take(&mut value.layer)).unwrap_or_default();
                    return Ok(Some(Event::Value(Layer { start: layer.start + shift, ..layer })));
                }
            }
        }
    }

    fn value(&self) -> Value<'_> {
        let (line, column) = self.location;
        let Some(current) = &self.current else { return Value { line, column, ..Value::default() } };
        Value {
            text: current.value.as_ref().map(|value| &*value.bytes),
            holds: current.holds,
            element: &current.element,
            attribute: &current.attribute,
            line,
            column,
            is_early: current.holds.is_fetched() && self.head.base.is_some_and(|base| self.location < base),
        }
    }

    fn rel(&self) -> Option<&[u8]> {
        self.current.as_ref()?.rel.as_deref()
    }

    fn decoding(&self) -> Decoding {
        self.decoding
    }

    fn has_one_base(&self) -> bool {
        false
    }

    fn is_other(&self) -> bool {
        self.is_other
    }
}

/// The charset that the first bytes of a document show, and the length of its BOM.
pub fn first_charset(start: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(start).or(match start {
        [0, b'<', 0, b'?', ..] => Some((UTF_16BE, 0)),
        [b'<', 0, b'?', 0, ..] => Some((UTF_16LE, 0)),
        _ => None,
    })
}
