//! The tags of HTML, as html5gum's tokenizer reads them, and what matters for URLs in them.

use std::cell::RefCell;
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use html5gum::{Emitter, Error, State};
use memchr::memchr;

use super::attributes::{Attribute, Holds, attribute};
use super::elements::OpenElements;
use super::lines::LineCounter;
use super::pending::PendingLinks;
use crate::limits::{MAX_NAME, MAX_PENDING_LINKS, MAX_RECORD};

/// The elements that can be in HEAD or before it.
const HEAD: &str = "html head base basefont bgsound link meta noframes noscript script style template title";

/// What a page has that matters for URLs.
pub enum Token {
    /// The first BASE element with an HREF: the base of all links, also of those before it.
    Base {
        /// The value of the HREF; `None` if it is too long.
        href: Option<Vec<u8>>,
        /// Where the value starts.
        at: (u64, u64),
        /// Whether BODY has begun.
        is_in_body: bool,
    },
    /// The next links: after the first BASE or at the end of the page.
    Links(PendingLinks),
    /// The charset that a META names.
    Charset(Vec<u8>),
}

/// A known attribute in the tag being read.
struct Found {
    /// Which one it is.
    attribute: &'static Attribute,
    /// Where its value is in the values; `None` if it is too long.
    value: Option<Range<usize>>,
    /// The line and column where the value starts.
    at: (u64, u64),
}

/// Reads tags and makes tokens of them.
#[derive(Default)]
pub struct TagReader {
    /// The lines of the text.
    lines: Rc<RefCell<LineCounter>>,
    /// Whether links are wanted.
    wants_links: bool,
    /// Whether the first BASE has been read.
    is_base_known: bool,
    /// Whether BODY has begun, by a tag that cannot be in HEAD.
    is_in_body: bool,
    /// The links not yet handed out.
    pending: PendingLinks,
    /// The token not yet taken.
    token: Option<Token>,
    /// The number of bytes of the text that have been taken.
    offset: u64,
    /// Whether the tag is a start tag.
    is_start: bool,
    /// Its name.
    name: Vec<u8>,
    /// Whether it ends in `/>`.
    is_self_closing: bool,
    /// The known attributes in it.
    found: Vec<Found>,
    /// Their values.
    values: Vec<u8>,
    /// The name of the attribute being read.
    attribute: Vec<u8>,
    /// The line and column where it starts.
    attribute_at: (u64, u64),
    /// Whether the value being read is that of the last attribute found.
    is_value_kept: bool,
    /// The element whose content is only text, while that is read.
    text_of: Vec<u8>,
    /// The open elements.
    open: OpenElements,
}

impl TagReader {
    /// A reader before the first tag of a text whose lines are counted.
    pub fn new(lines: Rc<RefCell<LineCounter>>, wants_links: bool) -> Self {
        TagReader { lines, wants_links, ..TagReader::default() }
    }

    /// Starts a tag.
    fn start_tag(&mut self, is_start: bool) {
        self.is_start = is_start;
        self.name.clear();
        self.is_self_closing = false;
        self.found.clear();
        self.values.clear();
        self.attribute.clear();
        self.is_value_kept = false;
    }

    /// Ends the attribute being read, if its name has not been used yet: it has no value.
    fn end_attribute(&mut self) {
        if !self.attribute.is_empty() {
            self.add_attribute(self.attribute_at);
        }
    }

    /// Adds the attribute whose name has been read, if it is known and the first of its name. Returns
    /// whether it is.
    fn add_attribute(&mut self, at: (u64, u64)) -> bool {
        let is_new = |new: &&Attribute| self.found.iter().all(|found| found.attribute.0 != new.0);
        let new = attribute(self.open.language_of(&self.name), &self.name, &self.attribute).filter(is_new);
        let value = Some(self.values.len()..self.values.len());
        self.found.extend(new.map(|attribute| Found { attribute, value, at }));
        self.attribute.clear();
        new.is_some()
    }

    /// The value of an attribute of the tag.
    fn value_of(&self, name: &str) -> Option<&[u8]> {
        let found = self.found.iter().find(|found| found.attribute.0 == name)?;
        Some(&self.values[found.value.clone()?])
    }

    /// Makes a token of a META or BASE, if it has what matters.
    fn read_head(&self) -> Option<Token> {
        match &*self.name {
            b"base" if !self.is_base_known && self.open.can_have_base() => {
                let found = self.found.iter().find(|found| found.attribute.0 == "href")?;
                let href = found.value.clone().map(|value| self.values[value].to_vec());
                Some(Token::Base { href, at: found.at, is_in_body: self.is_in_body })
            }
            b"meta" => {
                let content = || self.value_of("content").filter(|_| self.is_http_equiv(b"content-type"));
                let label = self.value_of("charset").or_else(|| charset_in(content()?))?;
                Some(Token::Charset(label.to_vec()))
            }
            _ => None,
        }
    }

    /// Whether the tag is a META that replaces a header field of HTTP.
    fn is_http_equiv(&self, field: &[u8]) -> bool {
        self.value_of("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case(field))
    }

    /// Adds the links of the tag to the pending ones.
    fn add_links(&mut self) {
        for found in &self.found {
            let has_links = match found.attribute.1 {
                Holds::Nothing => false,
                Holds::Refresh => self.is_http_equiv(b"refresh"),
                _ => found.attribute.0 != "xlink:href" || self.value_of("href").is_none(),
            };
            if has_links {
                let value = found.value.clone().map(|value| &self.values[value]);
                self.pending.push(&self.name, found.attribute, value, found.at);
            }
        }
    }

    /// Follows a start tag. Returns how the text after it is tokenized, if not as HTML.
    fn end_start_tag(&mut self) -> Option<State> {
        let is_html = |encoding: &[u8]| {
            [&b"text/html"[..], b"application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
        };
        let has_html = self.value_of("encoding").is_some_and(is_html);
        let is_old_font = ["color", "face", "size"].iter().any(|name| self.value_of(name).is_some());
        if self.name == b"frameset" && !self.is_in_body {
            self.open.start_frames();
        }
        let is_head = || self.open.is_in_template() || HEAD.split(' ').any(|name| name.as_bytes() == self.name);
        self.is_in_body = self.is_in_body || !is_head();
        self.token = self.read_head();
        if let Some(Token::Base { .. }) = self.token {
            self.is_base_known = true;
        }
        if self.wants_links {
            self.add_links();
        }
        if self.is_base_known && self.token.is_none() && self.pending.len() >= MAX_PENDING_LINKS {
            self.token = Some(Token::Links(mem::take(&mut self.pending)));
        }
        let state = self.open.start(&self.name, self.is_self_closing, is_old_font, has_html);
        if state.is_some() {
            self.text_of.clone_from(&self.name);
        }
        state
    }
}

/// Adds bytes of a name, as far as they are kept.
fn push_name(name: &mut Vec<u8>, bytes: &[u8]) {
    name.extend_from_slice(&bytes[..bytes.len().min(MAX_NAME - name.len())]);
}

/// The label after `charset=` in the content of a META; `None` if its quote is not closed.
fn charset_in(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        let start = rest.windows(7).position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = &rest[start + 7..];
        if let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") {
            return match value.trim_ascii_start() {
                [quote @ (b'"' | b'\''), rest @ ..] => Some(&rest[..memchr(*quote, rest)?]),
                rest => rest.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next(),
            };
        }
    }
}

impl Emitter for TagReader {
    type Token = Token;

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.offset = self.offset.wrapping_add_signed(offset as i64);
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Token> {
        self.token.take()
    }

    fn emit_eof(&mut self) {
        if self.pending.len() > 0 {
            self.token = Some(Token::Links(mem::take(&mut self.pending)));
        }
    }

    fn init_start_tag(&mut self) {
        self.start_tag(true);
    }

    fn init_end_tag(&mut self) {
        self.start_tag(false);
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        push_name(&mut self.name, name);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn init_attribute(&mut self) {
        if self.is_start {
            self.end_attribute();
            self.attribute_at = self.lines.borrow_mut().locate(self.offset - 1);
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        if self.is_start {
            push_name(&mut self.attribute, name);
        }
    }

    fn init_attribute_value(&mut self) {
        if self.is_start {
            let at = self.lines.borrow_mut().locate(self.offset);
            self.is_value_kept = self.add_attribute(at);
        }
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        let (true, Some(found)) = (self.is_value_kept, self.found.last_mut()) else { return };
        let Some(range) = &mut found.value else { return };
        range.end += value.len();
        if range.len() > MAX_RECORD {
            self.values.truncate(range.start);
            found.value = None;
        } else {
            self.values.extend_from_slice(value);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        if self.is_start {
            self.end_attribute();
            self.end_start_tag()
        } else {
            self.open.end(&self.name);
            None
        }
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && !self.text_of.is_empty() && self.name == self.text_of
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.open.is_in_foreign()
    }

    fn emit_string(&mut self, text: &[u8]) {
        let is_content = || self.is_start && self.name == self.text_of || self.open.is_in_template();
        if !self.is_in_body && !text.trim_ascii().is_empty() && !is_content() {
            self.is_in_body = true;
        }
    }

    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn emit_error(&mut self, _: Error) {}
    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
