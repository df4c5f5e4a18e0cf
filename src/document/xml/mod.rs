//! XML documents: their links by a table, and their `xml:base` attributes, which are rule 3.1.
//!
//! quick-xml finds the tokens. What it does not check is checked here: that each element is closed, that there is one
//! root and no text outside it, names, attributes and references. Nothing external is read.

mod attributes;
mod entities;
mod event;
mod input;
mod names;
mod reader;
mod table;
mod tag;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::rc::Rc;

use encoding_rs::UTF_8;
use memchr::memmem;
use quick_xml::Reader;
use quick_xml::errors::{IllFormedError, SyntaxError};
use quick_xml::events::Event as Token;

use super::decoding::Decoding;
use super::html::attributes::Holds;
use super::problem::Problem;
use crate::limits::{MAX_ATTRIBUTES, MAX_DEPTH_XML, MAX_NAME, MAX_RECORD};
use attributes::is_name;
use entities::{Entities, Unresolved};
use event::{Found, XmlLink};
use input::{Input, Lines};
use names::Names;
pub use reader::{charset, first_charset};
use table::Has;
pub use table::Namespace;
use tag::{StartTag, TagAttribute, Wanted};
use text::Piece;

/// Why an XML document cannot be read on: it is not well-formed, or too large.
#[derive(Debug)]
pub struct Fault {
    /// The line.
    pub line: u64,
    /// The column there, in bytes from 1.
    pub column: u64,
    /// The offset in the file.
    pub offset: u64,
    /// What is wrong.
    what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Error for Fault {}

/// Where a document is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before its root.
    Before,
    /// In its root.
    Inside,
    /// After its root.
    After,
}

/// An XML document that is being read.
pub struct Xml<'a> {
    /// quick-xml's reader.
    reader: Reader<Input<'a>>,
    /// The current token, as quick-xml has it.
    token: Vec<u8>,
    /// The lines.
    lines: Lines,
    /// The number of bytes before the text: those of a BOM.
    shift: u64,
    /// How its bytes are decoded.
    decoding: Decoding,
    /// Whether links are wanted, and not only the base.
    wants_links: bool,
    /// Whether each `xml:base` is a link, too.
    rewrites: bool,
    /// The number of bases that have been handed out and have not ended.
    level: usize,
    /// The current link.
    current: Option<XmlLink>,
    /// Where that, or what is skipped, starts.
    at: (u64, u64),
    /// The open elements.
    names: Names,
    /// The entities.
    entities: Entities,
    /// Where the document is.
    phase: Phase,
    /// The namespace and the local name of its root, once that is known.
    root: Option<(Namespace, Vec<u8>)>,
    /// Whether that is the one of RSS.
    is_rss: bool,
    /// The element whose text is wanted.
    wanted: Option<Wanted>,
    /// What comes next.
    events: VecDeque<Found>,
    /// Whether that waits for a BASE, because the HEAD of XHTML has not ended.
    is_held: bool,
    /// Why the document cannot be read on.
    fault: Option<Fault>,
}

/// What is wrong at an offset of the document.
type Wrong = (u64, String);

/// That a document is not well-formed at an offset.
fn malformed(offset: u64, what: impl fmt::Display) -> Wrong {
    (offset, format!("the XML is not well-formed: {what}"))
}

/// What is wrong with markup that is not closed.
fn not_closed(error: SyntaxError) -> &'static str {
    match error {
        SyntaxError::UnclosedComment => "a comment is not closed",
        SyntaxError::UnclosedDoctype => "a DOCTYPE is not closed",
        SyntaxError::UnclosedCData => "a CDATA section is not closed",
        SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => "a processing instruction is not closed",
        SyntaxError::InvalidBangMarkup => "what starts with <! is no comment, CDATA section or DOCTYPE",
        _ => "a tag is not closed",
    }
}

impl<'a> Xml<'a> {
    /// Starts to read a document in UTF-8.
    pub fn new(text: impl Read + 'a) -> Self {
        let mut reader = Reader::from_reader(Input::new(Box::new(text)));
        let config = reader.config_mut();
        config.check_end_names = false; // the names are compared as they are
        config.allow_unmatched_ends = true;
        config.check_comments = true;
        Xml {
            reader,
            token: Vec::new(),
            lines: Lines::new(),
            shift: 0,
            decoding: Decoding::new(UTF_8),
            wants_links: true,
            rewrites: false,
            level: 0,
            current: None,
            at: (1, 1),
            names: Names::default(),
            entities: Entities::default(),
            phase: Phase::Before,
            root: None,
            is_rss: false,
            wanted: None,
            events: VecDeque::new(),
            is_held: false,
            fault: None,
        }
    }

    /// The namespace and the local name of the root; those of HTML if the DOCTYPE names it.
    ///
    /// # Errors
    /// There is no root, or it does not start before the text ends: true.
    pub fn root(mut self) -> Result<(Namespace, Vec<u8>), bool> {
        let is_read = loop {
            match self.step() {
                Ok(true) if self.root.is_none() => {}
                step => break step.is_ok(),
            }
        };
        let is_at_end = !is_read && self.reader.get_ref().is_at_end();
        self.root.ok_or(is_at_end)
    }

    /// Goes to what is found next; `None` at the end of the document.
    fn find(&mut self) -> io::Result<Option<Found>> {
        loop {
            if !self.is_held
                && let Some(found) = self.events.pop_front()
            {
                return Ok(Some(found));
            }
            if let Some(fault) = self.fault.take() {
                return Err(io::Error::other(fault));
            }
            let is_enough = !self.wants_links && self.root.is_some() && !self.is_held;
            match if is_enough { Ok(false) } else { self.step() } {
                Ok(true) => {}
                Ok(false) if self.events.is_empty() => return Ok(None),
                Ok(false) => self.is_held = false,
                Err((offset, what)) => {
                    self.is_held = false;
                    if let Some(error) = self.reader.get_mut().take_error() {
                        return Err(error);
                    }
                    let (line, column) = self.lines.locate(self.reader.get_ref(), offset);
                    self.fault = Some(Fault { line, column, offset: offset + self.shift, what });
                }
            }
        }
    }

    /// Reads a token. Returns false at the end of the document.
    fn step(&mut self) -> Result<bool, Wrong> {
        let start = self.reader.buffer_position();
        self.lines.locate(self.reader.get_ref(), start);
        self.reader.get_mut().release(start);
        self.token.clear();
        let token = match self.reader.read_event_into(&mut self.token) {
            Ok(token) => token,
            Err(quick_xml::Error::Io(_)) => {
                return Err((start, "a tag, a comment or a text is longer than 16 MiB".into()));
            }
            Err(quick_xml::Error::IllFormed(IllFormedError::UnclosedReference)) => {
                return Err(malformed(start, entities::NO_REFERENCE));
            }
            Err(quick_xml::Error::IllFormed(IllFormedError::DoubleHyphenInComment)) => {
                return Err(malformed(self.reader.error_position(), "a comment contains --"));
            }
            Err(quick_xml::Error::Syntax(error)) => return Err(malformed(start, not_closed(error))),
            Err(error) => return Err(malformed(self.reader.error_position(), error)),
        };
        let range = start..self.reader.buffer_position();
        match token {
            Token::Start(_) => self.start(range, false)?,
            Token::Empty(_) => self.start(range, true)?,
            Token::End(_) => self.end(range)?,
            Token::Text(_) => self.text(Piece::Text, range)?,
            Token::CData(_) => self.text(Piece::Cdata, range)?,
            Token::GeneralRef(_) => self.text(Piece::Reference, range)?,
            Token::DocType(_) if self.phase == Phase::Before => {
                let doctype = self.reader.get_ref().bytes(range.clone());
                if doctype[9..].trim_ascii_start().get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"html")) {
                    self.root = Some((Namespace::None, b"html".to_vec()));
                }
                self.entities.declare(doctype, range.end);
            }
            Token::DocType(_) => return Err(malformed(start, "a DOCTYPE is not before the root element")),
            Token::Comment(_) | Token::PI(_) | Token::Decl(_) => {}
            Token::Eof => return self.eof(start),
        }
        Ok(true)
    }

    /// Checks that the document may end.
    fn eof(&self, offset: u64) -> Result<bool, Wrong> {
        match self.phase {
            Phase::Before => Err(malformed(offset, "it has no element")),
            Phase::Inside => Err(malformed(offset, "it ends before its elements do")),
            Phase::After => Ok(false),
        }
    }

    /// Reads a start tag.
    fn start(&mut self, range: Range<u64>, is_empty: bool) -> Result<(), Wrong> {
        let Xml { reader, lines, names, entities, events, .. } = self;
        let (start, tag) = (range.start, reader.get_ref().bytes(range));
        let tag = &tag[..tag.len() - if is_empty { 2 } else { 1 }];
        let name = &tag[1..tag.iter().position(u8::is_ascii_whitespace).unwrap_or(tag.len())];
        let depth = names.open.len();
        if self.phase == Phase::After {
            return Err(malformed(start, "it has a second root element"));
        } else if !is_name(name) {
            return Err(malformed(start, "a tag has no valid name"));
        } else if depth == MAX_DEPTH_XML {
            return Err((start, "elements are nested more than 10,000 levels deep".into()));
        } else if names.cost() > MAX_RECORD {
            return Err((start, "the names of the open elements are longer than 16 MiB".into()));
        }
        if self.phase == Phase::Before && name.eq_ignore_ascii_case(b"html") {
            self.root = Some((Namespace::None, b"html".to_vec())); // even if it is not XML
        }
        let attributes =
            attributes::read(tag, 1 + name.len()).map_err(|(at, what)| malformed(start + at as u64, what))?;
        if attributes.len() > MAX_ATTRIBUTES {
            return Err((start, "an element has more than 10,000 attributes".into()));
        }
        let mut lines = lines.clone();
        let mut found = Vec::with_capacity(attributes.len());
        for attribute in &attributes {
            let offset = start + attribute.at as u64;
            let at = lines.locate(reader.get_ref(), offset);
            let is_declaration = attribute.name == b"xmlns" || attribute.name.starts_with(b"xmlns:");
            let value = match text::value_of(attribute, offset + self.shift, entities) {
                Ok(value) => Some(Rc::new(value)),
                Err(Unresolved::Fault(what)) => return Err(malformed(offset, what)),
                Err(_) => None,
            };
            match value {
                Some(value) if is_declaration => {
                    let prefix = attribute.name.strip_prefix(b"xmlns:").unwrap_or_default();
                    names.declare(prefix, Namespace::of(&value.bytes));
                }
                value => found.push(TagAttribute { name: attribute.name, value, at }),
            }
        }
        let (namespace, local) = names.of_element(name);
        if self.phase == Phase::Before {
            self.phase = Phase::Inside;
            self.is_held = namespace == Namespace::Xhtml && local == b"html";
            self.is_rss = namespace == Namespace::None && local == b"rss";
            self.root.get_or_insert_with(|| (namespace, local.to_vec()));
        } else if depth == 1 && local != b"head" {
            self.is_held = false;
        }
        let mut element = StartTag {
            shown: name[..name.len().min(MAX_NAME)].into(),
            namespace,
            local,
            has: table::of_element(namespace, local, self.is_rss).collect(),
            base: names.open.last().map_or(0, |parent| parent.base),
            attributes: found,
        };
        if !element.add_base(events) {
            return Err((start, "elements with xml:base are nested more than 100 levels deep".into()));
        }
        if self.is_held && element.add_page_base(names, events) {
            self.is_held = false;
        }
        element.add_links(names, events);
        if self.wanted.as_ref().is_none_or(|wanted| wanted.has != Has::Style) {
            self.wanted = element.wanted(depth + 1);
        }
        names.push(name, element.base);
        if is_empty {
            let name = name.to_vec();
            self.close(start, &name)?;
        }
        Ok(())
    }

    /// Reads an end tag.
    fn end(&mut self, range: Range<u64>) -> Result<(), Wrong> {
        let (start, tag) = (range.start, self.reader.get_ref().bytes(range));
        let name = tag[2..tag.len() - 1].trim_ascii_end().to_vec();
        self.close(start, &name)
    }

    /// Closes an element, whose end is at an offset.
    fn close(&mut self, offset: u64, name: &[u8]) -> Result<(), Wrong> {
        let base = self.names.open.last().map_or(0, |element| element.base);
        if !self.names.pop(name) {
            return Err(malformed(offset, "an end tag does not match its start tag"));
        }
        match self.names.open.len() {
            0 => self.phase = Phase::After,
            1 => self.is_held = false,
            _ => {}
        }
        let depth = self.names.open.len();
        let Some(wanted) = self.wanted.take_if(|wanted| wanted.depth > depth) else { return Ok(()) };
        let Wanted { has, element, text, at, is_unknown, .. } = wanted;
        let holds = has.holds();
        let event = match text.into_value() {
            Some(value) if value.bytes.is_empty() => return Ok(()),
            None if has == Has::Style => Found::Problem(at, Problem::LongStyle),
            None if holds != Holds::Url => Found::Problem(at, Problem::LongText),
            _ if is_unknown && holds != Holds::Html => Found::Problem(at, Problem::Entity),
            value => {
                let range = 0..value.as_ref().map_or(0, |value| value.bytes.len());
                let (value, attribute) = (value.map(Rc::new), "");
                Found::Link(XmlLink { element, attribute, value, holds, range, at, base, is_base: false })
            }
        };
        self.events.push_back(event);
        Ok(())
    }

    /// Reads a piece of text.
    fn text(&mut self, piece: Piece, range: Range<u64>) -> Result<(), Wrong> {
        let Xml { reader, lines, names, entities, .. } = self;
        let mut wanted = self.wanted.as_mut().filter(|wanted| wanted.depth == names.open.len());
        let raw = reader.get_ref().bytes(range.clone());
        if self.phase != Phase::Inside {
            let is_blank = piece == Piece::Text && raw.trim_ascii().is_empty();
            return if is_blank {
                Ok(())
            } else {
                Err(malformed(range.start, "there is text outside the root element"))
            };
        }
        let (piece, text, raw_text) = match piece {
            Piece::Text => match memmem::find(raw, b"]]>") {
                Some(at) => return Err(malformed(range.start + at as u64, "a text contains ]]>")),
                None => (piece, Cow::Borrowed(raw), range),
            },
            Piece::Cdata => (piece, Cow::Borrowed(&raw[9..raw.len() - 3]), range.start + 9..range.end - 3),
            Piece::Reference => match entities.resolve(&raw[1..raw.len() - 1], range.start) {
                Ok(text) => (piece, text, range),
                Err(Unresolved::Fault(what)) => return Err(malformed(range.start, what)),
                Err(unresolved) => {
                    if unresolved == Unresolved::Unusable {
                        let at = lines.clone().locate(reader.get_ref(), range.start);
                        self.events.push_back(Found::Problem(at, Problem::Entity));
                    }
                    if let Some(wanted) = &mut wanted {
                        wanted.is_unknown = true;
                    }
                    (Piece::Text, Cow::Borrowed(raw), range) // HTML may know it
                }
            },
        };
        let place = raw_text.start + self.shift..raw_text.end + self.shift;
        if let Some(wanted) = wanted
            && let Some(start) = wanted.text.add(piece, &text, place)
        {
            wanted.at = lines.clone().locate(reader.get_ref(), start - self.shift);
        }
        Ok(())
    }
}
