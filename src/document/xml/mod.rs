//! XML documents: their links by a table, and their `xml:base` attributes, which are rule 3.1.
//!
//! quick-xml finds the tokens. What it does not check is checked here: that each element is closed, that there is one
//! root and no text outside it, the ASCII of names, attributes and references. Nothing external is read.

pub mod attributes;
mod element_stack;
mod entities;
mod event;
mod input;
pub mod reader;
pub mod table;
mod tag;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::io::{BufReader, Read};
use std::ops::Range;
use std::rc::Rc;

use encoding_rs::UTF_8;
use memchr::memchr_iter;
use quick_xml::Reader;
use quick_xml::errors::{Error as TokenError, IllFormedError, SyntaxError};
use quick_xml::events::Event as Token;

use super::holds::Holds;
use super::namespace::Namespace;
use super::place::decoding::Decoding;
use super::problem::Problem;
use super::types::MediaType;
use super::values::Options;
use crate::limits::{MAX_ATTRIBUTES, MAX_DEPTH_XML, MAX_NAME, MAX_RECORD, SNIFF_LEN};
use attributes::{Attribute, is_name};
use element_stack::{ElementStack, split_prefix};
use entities::{Entities, EntityError};
pub use event::XmlError;
use event::{Located, XmlEvent, XmlValue};
use input::XmlBytes;
use tag::StartTag;
use text::{Piece, Text};

/// An XML document that is being read.
pub struct Xml<'a> {
    /// The tokens not yet read.
    tokens: Reader<BufReader<XmlBytes<'a>>>,
    /// The current token, as quick-xml has it.
    token: Vec<u8>,
    /// How its bytes are decoded.
    decoding: Decoding,
    /// Whether links are wanted, and not only the base.
    wants_links: bool,
    /// How it is read.
    options: Rc<Options>,
    /// The number of bases that have been returned and have not ended.
    level: usize,
    current: Option<XmlValue>,
    /// Where that, or what is skipped, starts.
    location: (u64, u64),
    elements: ElementStack,
    entities: Entities,
    /// The namespace and the local name of the root.
    root: Option<(Namespace, Vec<u8>)>,
    /// Whether it is XML with any other root, of which more attributes are read.
    is_other: bool,
    /// The text that is wanted.
    text: Option<Text>,
    events: VecDeque<Located>,
    head: Head,
}

/// The HEAD of XHTML, which may have a BASE for all that is around it.
#[derive(Default)]
struct Head {
    /// Whether it may still have one: the events wait for it.
    may_have_base: bool,
    /// Whether it had one.
    has_base: bool,
    /// Where that starts, once it has been returned.
    base: Option<(u64, u64)>,
    /// The number of elements around the outermost TEMPLATE in it. A BASE in that does not apply.
    template: Option<usize>,
}

/// What is wrong at an offset of the document.
type Wrong = (u64, String);

/// That a document is not well-formed at an offset.
fn malformed(offset: u64, what: impl fmt::Display) -> Wrong {
    (offset, format!("the XML is not well-formed: {what}"))
}

/// What is wrong with markup at an offset.
fn malformed_markup(offset: u64, error: &TokenError) -> Wrong {
    let what = match error {
        TokenError::IllFormed(IllFormedError::UnclosedReference) => entities::NO_REFERENCE,
        TokenError::IllFormed(IllFormedError::DoubleHyphenInComment) => "a comment contains --",
        TokenError::Syntax(SyntaxError::UnclosedComment) => "a comment is not closed",
        TokenError::Syntax(SyntaxError::UnclosedDoctype) => "a DOCTYPE is not closed",
        TokenError::Syntax(SyntaxError::UnclosedCData) => "a CDATA section is not closed",
        TokenError::Syntax(SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl) => {
            "a processing instruction is not closed"
        }
        TokenError::Syntax(SyntaxError::InvalidBangMarkup) => {
            "what starts with <! is no comment, CDATA section or DOCTYPE"
        }
        TokenError::Syntax(_) => "a tag is not closed",
        error => return malformed(offset, error),
    };
    malformed(offset, what)
}

/// Opens an element that starts at an offset.
fn open_element(elements: &mut ElementStack, name: &[u8], start: u64) -> Result<(), Wrong> {
    if !is_name(name) {
        return Err(malformed(start, "a tag has no valid name"));
    } else if elements.open.len() == MAX_DEPTH_XML {
        return Err((start, "elements are nested more than 10,000 levels deep".into()));
    } else if elements.cost() > MAX_RECORD {
        return Err((start, "the names of the open elements are longer than 16 MiB".into()));
    }
    elements.push(name);
    Ok(())
}

/// Reads the attributes of the innermost element, whose tag starts at an offset, and declares their namespaces.
fn read_attributes<'t>(
    tag: &'t [u8],
    start: u64,
    elements: &mut ElementStack,
    entities: &mut Entities,
) -> Result<Vec<Attribute<'t>>, Wrong> {
    let name = tag.iter().position(u8::is_ascii_whitespace).unwrap_or(tag.len());
    let mut attributes = attributes::read(tag, name).map_err(|(at, what)| malformed(start + at as u64, what))?;
    if attributes.len() > MAX_ATTRIBUTES {
        return Err((start, "an element has more than 10,000 attributes".into()));
    }
    for attribute in &mut attributes {
        let offset = start + attribute.at as u64;
        match text::value_of(attribute, offset, entities) {
            Ok(value) => attribute.value = Some(value),
            Err(EntityError::Malformed(what)) => return Err(malformed(offset, what)),
            Err(_) => {} // an entity that is not known: only a link with it is skipped
        }
        match (attribute.name.strip_prefix(b"xmlns"), &attribute.value) {
            (Some([]), Some(value)) => elements.declare(b"", Namespace::of(&value.bytes)),
            (Some([b':', prefix @ ..]), Some(value)) => elements.declare(prefix, Namespace::of(&value.bytes)),
            _ => {}
        }
    }
    Ok(attributes)
}

/// Whether a root is that of XHTML.
fn is_page(root: Option<&(Namespace, Vec<u8>)>) -> bool {
    root.is_some_and(|(namespace, name)| *namespace == Namespace::Xhtml && name == b"html")
}

/// Declares the namespace that a root means, if it has another one. Returns what is wrong.
fn correct_root(name: &[u8], attributes: &[Attribute<'_>], elements: &mut ElementStack) -> Option<Problem> {
    let (prefix, local) = split_prefix(name);
    let (meant, fix) = table::meant_by_root(elements.of_element(name))?;
    let declaration = if prefix.is_empty() { b"xmlns".to_vec() } else { [b"xmlns:", prefix].concat() };
    let written = attributes.iter().find(|attribute| attribute.name == declaration)?.value.as_ref()?;
    let is_named = !written.bytes.is_empty();
    is_named.then(|| {
        elements.declare(prefix, meant);
        Problem::namespace(local, &written.bytes, fix)
    })
}

impl<'a> Xml<'a> {
    /// Starts to read a document in UTF-8, `block` bytes at once.
    fn new(text: impl Read + 'a, block: usize) -> Self {
        let mut tokens = Reader::from_reader(BufReader::with_capacity(block, XmlBytes::new(text)));
        let config = tokens.config_mut();
        config.check_end_names = false; // the names are compared as they are
        config.allow_unmatched_ends = true;
        config.check_comments = true;
        config.expand_empty_elements = true;
        Xml {
            tokens,
            token: Vec::new(),
            decoding: Decoding::new(UTF_8),
            wants_links: true,
            options: Rc::default(),
            level: 0,
            current: None,
            location: (1, 1),
            elements: ElementStack::default(),
            entities: Entities::default(),
            root: None,
            is_other: false,
            text: None,
            events: VecDeque::new(),
            head: Head::default(),
        }
    }

    /// The namespace and the local name of the root of a document; `None` if that is not well-formed up to there.
    pub fn root(text: &'a [u8]) -> Option<(Namespace, Vec<u8>)> {
        let mut xml = Xml::new(text, SNIFF_LEN);
        while xml.root.is_none() && matches!(xml.step(), Ok(true)) {}
        xml.root
    }

    /// The name of the root of a document that is no page and no image; `None` if it is, or is not well-formed up to
    /// there.
    pub fn root_of_data(text: &'a [u8]) -> Option<String> {
        let root @ (namespace, name) = &Xml::root(text)?;
        let is_page = matches!(table::namespace_of(*namespace, name, Some(root)), Namespace::Xhtml | Namespace::Svg);
        (!is_page).then(|| String::from_utf8_lossy(name).into_owned())
    }

    /// The bytes of the document.
    fn input(&self) -> &XmlBytes<'a> {
        self.tokens.get_ref().get_ref()
    }

    /// Reads a token. Returns false at the end of the document.
    fn step(&mut self) -> Result<bool, Wrong> {
        let start = self.tokens.buffer_position();
        self.tokens.get_mut().get_mut().start_token(start);
        self.token.clear();
        let token = match self.tokens.read_event_into(&mut self.token) {
            Ok(token) => token,
            Err(TokenError::Io(_)) => {
                return Err((start, "a tag, a comment or a text is longer than 16 MiB".into()));
            }
            Err(error) => return Err(malformed_markup(self.tokens.error_position(), &error)),
        };
        let range = start..self.tokens.buffer_position();
        match token {
            Token::Start(_) | Token::Empty(_) => self.start(range)?,
            Token::End(_) => self.end(range)?,
            Token::Text(_) => self.text(Piece::Text, range)?,
            Token::CData(_) => self.text(Piece::Cdata, range)?,
            Token::GeneralRef(_) => self.text(Piece::Reference, range)?,
            Token::DocType(_) if self.root.is_none() => {
                let doctype = self.tokens.get_ref().get_ref().bytes(range.clone());
                self.entities.declare(doctype, range.end, &self.options);
                if self.entities.has_defaults {
                    let (location, event) = (self.input().locate(start), XmlEvent::Problem(Problem::DEFAULT));
                    self.events.push_back(Located { location, base: 0, event });
                }
            }
            Token::DocType(_) => return Err(malformed(start, "a DOCTYPE is not before the root element")),
            Token::PI(what) if self.options.wary && what.split_ascii_whitespace().next() == Some("xml-stylesheet") => {
                self.style_sheet(range);
            }
            Token::PI(_) if !self.elements.open.is_empty() => self.text(Piece::Instruction, range)?,
            Token::Comment(_) | Token::PI(_) | Token::Decl(_) => {}
            Token::Eof if self.root.is_none() => return Err(malformed(start, "it has no root element")),
            Token::Eof if self.elements.open.is_empty() => return Ok(false),
            Token::Eof => return Err(malformed(start, "an element is not closed")),
        }
        Ok(true)
    }

    /// Reads a start tag.
    fn start(&mut self, range: Range<u64>) -> Result<(), Wrong> {
        let Xml { tokens, elements, entities, events, options, .. } = self;
        let (input, start) = (tokens.get_ref().get_ref(), range.start);
        let tag = input.bytes(range);
        let tag = tag.strip_suffix(b"/>").unwrap_or(&tag[..tag.len() - 1]);
        let name = &tag[1..tag.iter().position(u8::is_ascii_whitespace).unwrap_or(tag.len())];
        let depth = elements.open.len();
        if self.root.is_some() && depth == 0 {
            return Err(malformed(start, "it has a second root element"));
        }
        open_element(elements, name, start)?;
        let attributes = read_attributes(tag, start, elements, entities)?;
        if depth == 0 {
            let problem = correct_root(name, &attributes, elements).map(XmlEvent::Problem);
            events.extend(problem.map(|event| Located { location: input.locate(start), base: 0, event }));
            let (namespace, local) = elements.of_element(name);
            let is_wanted = options.wary || options.media_type == Some(MediaType::Xml);
            self.is_other = table::is_other(self.root.insert((namespace, local.to_vec()))) && is_wanted;
        }
        let (namespace, local) = elements.of_element(name);
        let is_rdf = table::is_rdf(namespace, self.root.as_ref());
        let namespace = table::namespace_of(namespace, local, self.root.as_ref());
        if depth == 0 {
            self.head.may_have_base = namespace == Namespace::Xhtml && local == b"html";
        } else if depth == 1 && local != b"head" {
            // BODY has begun: no BASE follows
            self.head.may_have_base = false;
        }
        let shown = &name[..name.len().min(MAX_NAME)];
        let (has, is_other) = (table::of_element(namespace, local), self.is_other);
        let mut element =
            StartTag { shown, namespace, local, is_rdf, is_other, has, attributes, start, input, options };
        if !element.add_base(elements, events) {
            return Err((start, "elements with xml:base are nested more than 100 levels deep".into()));
        }
        if self.head.may_have_base && namespace == Namespace::Xhtml && local == b"template" {
            self.head.template.get_or_insert(depth);
        }
        if self.head.may_have_base {
            self.head.has_base = self.head.template.is_none() && element.add_page_base(elements, events);
            self.head.may_have_base = !self.head.has_base;
        } else if !self.head.has_base && element.is_page_base() && is_page(self.root.as_ref()) {
            let event = XmlEvent::Problem(Problem::BASE_OUTSIDE_HEAD);
            events.push_back(Located { location: input.locate(start), base: elements.base(), event });
        }
        element.add_links(elements, events);
        // elements in a STYLE have no text of their own that matters
        if self.text.as_ref().is_none_or(|text| text.holds != Holds::Style) {
            self.text = element.text(elements);
        }
        Ok(())
    }

    /// Reads the instruction that names a style sheet, by its HREF.
    fn style_sheet(&mut self, range: Range<u64>) {
        let Xml { tokens, elements, entities, events, .. } = self;
        let (input, start) = (tokens.get_ref().get_ref(), range.start);
        let instruction = input.bytes(range);
        let instruction = instruction.strip_suffix(b"?>").unwrap_or(instruction);
        let name = instruction.iter().position(u8::is_ascii_whitespace).unwrap_or(instruction.len());
        let Ok(mut attributes) = attributes::read(instruction, name) else {
            let (location, event) = (input.locate(start), XmlEvent::Problem(Problem::STYLE_SHEET));
            return events.push_back(Located { location, base: elements.base(), event });
        };
        for attribute in attributes.iter_mut().filter(|attribute| attribute.name == b"href") {
            let offset = start + attribute.at as u64;
            let value = text::value_of(attribute, offset, entities).ok();
            let event = XmlEvent::Value(XmlValue::new(b"xml-stylesheet", b"href".into(), value, Holds::SvgUrl));
            events.push_back(Located { location: input.locate(offset), base: elements.base(), event });
        }
    }

    /// Reads an end tag; its range is empty if it is that of an empty element.
    fn end(&mut self, range: Range<u64>) -> Result<(), Wrong> {
        let (start, tag) = (range.start, self.tokens.get_ref().get_ref().bytes(range));
        let name = tag.get(2..tag.len().saturating_sub(1)).map(<[u8]>::trim_ascii_end);
        let base = self.elements.base();
        if !self.elements.pop(name) {
            return Err(malformed(start, "an end tag does not match its start tag"));
        }
        let depth = self.elements.open.len();
        self.head.may_have_base &= depth > 1;
        self.head.template.take_if(|template| *template == depth);
        if let Some(text) = self.text.take_if(|text| text.depth > depth) {
            let location = text.location;
            self.events.extend(text.into_event().map(|event| Located { location, base, event }));
        }
        Ok(())
    }

    /// Reads a piece of text.
    fn text(&mut self, piece: Piece, range: Range<u64>) -> Result<(), Wrong> {
        let Xml { tokens, elements, entities, .. } = self;
        let input = tokens.get_ref().get_ref();
        let mut wanted = self.text.as_mut().filter(|wanted| wanted.depth == elements.open.len());
        let raw = input.bytes(range.clone());
        if elements.open.is_empty() {
            let is_blank = piece == Piece::Text && raw.trim_ascii().is_empty();
            let what = "there is text outside the root element";
            return if is_blank { Ok(()) } else { Err(malformed(range.start, what)) };
        }
        let (piece, text, inner) = match piece {
            Piece::Text => match memchr_iter(b'>', raw).find(|end| raw[..*end].ends_with(b"]]")) {
                Some(end) => return Err(malformed(range.start + end as u64 - 2, "a text contains ]]>")),
                None => (piece, Cow::Borrowed(raw), range),
            },
            Piece::Instruction => (piece, Cow::Borrowed(&raw[..0]), range),
            Piece::Cdata => (piece, Cow::Borrowed(&raw[9..raw.len() - 3]), range.start + 9..range.end - 3),
            Piece::Reference => match entities.resolve(&raw[1..raw.len() - 1], range.start) {
                Ok(text) => (piece, text, range),
                Err(EntityError::Malformed(what)) => return Err(malformed(range.start, what)),
                Err(unresolved) => {
                    if unresolved == EntityError::Unusable {
                        let (location, event) = (input.locate(range.start), XmlEvent::Problem(Problem::ENTITY));
                        self.events.push_back(Located { location, base: elements.base(), event });
                    }
                    if let Some(wanted) = &mut wanted {
                        wanted.set_unknown(unresolved == EntityError::Unusable);
                    }
                    (Piece::Text, Cow::Borrowed(raw), range) // HTML may know it
                }
            },
        };
        if let Some(wanted) = wanted
            && let Some(start) = wanted.add(piece, &text, inner)
        {
            wanted.location = input.locate(start);
        }
        Ok(())
    }
}
