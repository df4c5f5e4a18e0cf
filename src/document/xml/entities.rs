//! References to characters and to entities, and the entities that a document declares.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::{memchr, memchr2, memmem};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::BytesRef;

use super::attributes::is_name;
use super::element_stack::split_prefix;
use crate::document::holds::Holds;
use crate::document::html::attributes::known_attribute;
use crate::document::html::elements::Language;
use crate::document::values::Options;
use crate::limits::MAX_EXPANDED;

/// What is wrong with an `&`.
pub const NO_REFERENCE: &str = "an & does not start a reference";

/// Why a reference has no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntityError {
    /// The document is not well-formed.
    Malformed(&'static str),
    /// The entity is external, has markup or expands to too much.
    Unusable,
    /// The entity may be declared in a file that is not read.
    Unknown,
}

use EntityError::{Malformed, Unknown, Unusable};

/// The entities that a document declares.
#[derive(Default)]
pub struct Entities {
    /// The text of each, its own references resolved; `None` if it cannot be used.
    declared: HashMap<Vec<u8>, Option<Vec<u8>>>,
    /// Whether more may be declared in files that are not read.
    may_have_more: bool,
    /// Whether attributes have default values that may be bases or links.
    pub has_defaults: bool,
    /// The number of bytes that they have expanded to.
    expanded: u64,
}

impl Entities {
    /// What a reference to `name`, at an offset of the document, means.
    pub fn resolve(&mut self, name: &[u8], offset: u64) -> Result<Cow<'_, [u8]>, EntityError> {
        if name.starts_with(b"#") {
            let char = character(name).ok_or(Malformed("a character reference is invalid"))?;
            return Ok(Cow::Owned(char.to_string().into_bytes()));
        }
        if let Some(text) = str::from_utf8(name).ok().and_then(resolve_xml_entity) {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        match self.declared.get(name) {
            Some(Some(text)) => {
                self.expanded += text.len() as u64;
                let is_within = self.expanded <= MAX_EXPANDED + 10 * offset;
                if is_within { Ok(Cow::Borrowed(text)) } else { Err(Unusable) }
            }
            Some(None) => Err(Unusable),
            None if !is_name(name) => Err(Malformed(NO_REFERENCE)),
            None if self.may_have_more => Err(Unknown),
            None => Err(Malformed("an entity is not declared")),
        }
    }

    /// Reads the declarations in a DOCTYPE, which ends at an offset of the document.
    /// In a wary run any default value matters, also one that a parameter entity may declare.
    pub fn declare(&mut self, doctype: &[u8], offset: u64, options: &Options) {
        let subset = doctype.iter().position(|byte| *byte == b'[').unwrap_or(doctype.len());
        let (name, subset) = doctype.split_at(subset);
        self.may_have_more = [&b"SYSTEM"[..], b"PUBLIC"].iter().any(|key| memmem::find(name, key).is_some());
        let mut rest = subset;
        while let Some(start) = rest.iter().position(|byte| matches!(byte, b'<' | b'%')) {
            self.may_have_more |= rest[start] == b'%';
            self.has_defaults |= options.wary && rest[start] == b'%';
            rest = &rest[start + 1..];
            let end = match rest {
                [b'!', b'-', b'-', ..] => memmem::find(rest, b"-->"),
                [b'?', ..] => memmem::find(rest, b"?>"),
                [b'!', ..] => {
                    let end = end_of_declaration(rest);
                    if let Some(entity) = rest[..end].strip_prefix(b"!ENTITY") {
                        self.declare_entity(entity.trim_ascii(), offset);
                    }
                    let is_default = |list| has_default(list) || options.wary && memchr2(b'"', b'\'', list).is_some();
                    self.has_defaults |= rest.starts_with(b"!ATTLIST") && is_default(&rest[..end]);
                    Some(end)
                }
                _ => Some(0),
            };
            rest = &rest[end.unwrap_or(rest.len())..];
        }
    }

    /// Reads the declaration of an entity: its name, then its text in quotes. The first one applies.
    fn declare_entity(&mut self, declaration: &[u8], offset: u64) {
        let name = declaration.iter().position(u8::is_ascii_whitespace).unwrap_or(declaration.len());
        let (name, text) = declaration.split_at(name);
        if name == b"%" || self.declared.contains_key(name) {
            return;
        }
        let text = match text.trim_ascii_start() {
            [quote @ (b'"' | b'\''), text @ ..] => {
                memchr(*quote, text).and_then(|end| self.expand(&text[..end], offset))
            }
            _ => None,
        };
        self.declared.insert(name.to_vec(), text);
    }

    /// The text of an entity, its references resolved; `None` if it cannot be used. `&#38;` is markup there,
    /// because it is resolved before the entity is.
    fn expand(&mut self, text: &[u8], offset: u64) -> Option<Vec<u8>> {
        let mut expanded = Vec::new();
        let mut rest = text;
        while let Some(start) = memchr(b'&', rest) {
            let (before, reference) = rest.split_at(start);
            let name = &reference[1..memchr(b';', reference)?];
            let text = self.resolve(name, offset).ok()?;
            if name.starts_with(b"#") && matches!(*text, [b'&' | b'<']) {
                return None;
            }
            expanded.extend_from_slice(before);
            expanded.extend_from_slice(&text);
            rest = &reference[name.len() + 2..];
        }
        expanded.extend_from_slice(rest);
        memchr(b'<', text).is_none().then_some(expanded)
    }
}

/// Whether a declaration of attributes has a default value for one that may have a base or a link.
fn has_default(declaration: &[u8]) -> bool {
    let mut words = declaration.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let (_, element) = split_prefix(words.nth(1).unwrap_or_default());
    let is_default = |at: usize| {
        let (name, value) = (declaration[..at].trim_ascii_end(), declaration[at + 5..].trim_ascii_start());
        let value = value.strip_prefix(b"#FIXED").unwrap_or(value).trim_ascii_start();
        let name = name.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        let is_url = [&b"xml:base"[..], b"href", b"src", b"url"].iter().any(|url| name.ends_with(url))
            || name == b"http-equiv"
            || known_attribute(Language::Html, element, name).is_some_and(|(_, holds)| *holds != Holds::Nothing);
        is_url && value.first().is_some_and(|quote| matches!(quote, b'"' | b'\''))
    };
    memmem::find_iter(declaration, b"CDATA").any(is_default)
}

/// Where a declaration ends: at the first `>` outside quotes.
fn end_of_declaration(text: &[u8]) -> usize {
    let mut quote = None;
    let is_end = |byte: &u8| {
        match quote {
            Some(open) if open == *byte => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
            _ => {}
        }
        quote.is_none() && *byte == b'>'
    };
    text.iter().position(is_end).unwrap_or(text.len())
}

/// The character of a reference, by its number after `#`.
fn character(number: &[u8]) -> Option<char> {
    let char = BytesRef::new(str::from_utf8(number).ok()?).resolve_char_ref().ok()??;
    let is_allowed = !matches!(char, '\x01'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}');
    is_allowed.then_some(char)
}
