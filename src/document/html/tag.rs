//! The tag of HTML that is being read, and its known attributes.

use std::mem;
use std::ops::Range;

use super::attributes::{ANIMATED_CSS, KnownAttribute, REL, charset_in, decided, is_http_equiv, push_name};
use super::pending::{MAX_PENDING_BYTES, PendingLinks, ValueStart};
use super::source::Notes;
use crate::document::css::may_have_urls;
use crate::document::holds::Holds;
use crate::document::place::layer::{Layer, Replaced};
use crate::document::place::pieces::length;
use crate::document::values::Options;
use crate::limits::MAX_RECORD;

pub struct BaseHref {
    /// Its value; `None` if it is too long.
    pub value: Option<Vec<u8>>,
    /// What was replaced in it.
    pub replaced: Vec<Replaced>,
    pub value_start: ValueStart,
    /// Whether BODY has begun.
    pub is_in_body: bool,
}

/// A known attribute in the tag.
struct TagAttribute {
    /// Its row of the tables.
    row: &'static KnownAttribute,
    /// Where its value is in the values; `None` if it is too long.
    value: Option<Range<usize>>,
    /// Where the value starts.
    value_start: ValueStart,
    /// The pieces that were replaced in the value.
    replaced: Vec<Replaced>,
}

/// The tag that is being read.
#[derive(Default)]
pub struct Tag {
    pub is_start: bool,
    pub name: Vec<u8>,
    /// Whether it ends in `/>`.
    pub is_self_closing: bool,
    /// The known attributes in it.
    attributes: Vec<TagAttribute>,
    /// Whether it is one of them.
    has_rel: bool,
    values: Vec<u8>,
    /// The name of the attribute being read.
    attribute_name: Vec<u8>,
    /// The line and column where it starts, and the offset where it ends: where its value would be.
    attribute_start: ValueStart,
    /// Whether the attributes of a start tag are being read.
    is_in_attributes: bool,
    /// The offset where the last piece of the value being read ends, if it is that of the last known attribute.
    value_end: Option<u64>,
}

impl Tag {
    /// Starts with another tag.
    pub fn start(&mut self, is_start: bool) {
        self.is_start = is_start;
        self.name.clear();
        self.is_self_closing = false;
        self.attributes.clear();
        self.has_rel = false;
        self.values.clear();
        self.attribute_name.clear();
        self.value_end = None;
    }

    /// Starts with an attribute, whose name starts there.
    pub fn start_attribute(&mut self, notes: &Notes, name_start: ValueStart) {
        self.end_attribute(notes);
        (self.attribute_start, self.is_in_attributes) = (name_start, true);
    }

    /// Adds a piece, which ends at an offset, to the name of the attribute.
    pub fn push_attribute_name(&mut self, name: &[u8], offset: u64) {
        push_name(&mut self.attribute_name, name);
        self.attribute_start.start = offset;
    }

    /// Starts with the value of the attribute.
    pub fn start_value(&mut self, notes: &Notes, value_start: ValueStart) {
        self.value_end = self.add_attribute(notes, value_start).then_some(value_start.start);
    }

    /// Ends the last attribute. `empty_value`: where its value is, if that is empty and has no quotes.
    pub fn end_attributes(&mut self, notes: &Notes, empty_value: Option<ValueStart>) {
        if let (Some(value_start), false) = (empty_value, self.attribute_name.is_empty()) {
            self.add_attribute(notes, value_start);
        }
        self.end_attribute(notes);
        self.is_in_attributes = false;
    }

    /// The last attribute, if the tag has not ended.
    pub fn open_attribute(&self) -> Option<ValueStart> {
        self.is_in_attributes.then_some(self.attribute_start)
    }

    /// Ends the attribute being read, if its name has not been used yet: it has no value.
    fn end_attribute(&mut self, notes: &Notes) {
        if !self.attribute_name.is_empty() {
            self.add_attribute(notes, self.attribute_start);
        }
    }

    /// Adds the attribute whose name has been read and whose value starts at `value_start`, if it is known and the
    /// first of its name. Returns whether it is. A browser that looks ahead takes a second one if the first is empty.
    fn add_attribute(&mut self, notes: &Notes, value_start: ValueStart) -> bool {
        let is_new = |new: &&KnownAttribute| {
            notes.options.wary || self.attributes.iter().all(|attribute| attribute.row.0 != new.0)
        };
        // of most elements, REL says nothing else than what the relation of a link is
        let is_wanted = |row: &&KnownAttribute| row.0 != REL.0 || notes.options.relations || self.name == b"link";
        let known = notes.attribute_of(&notes.open.borrow(), &self.name, &self.attribute_name);
        let new = known.filter(is_wanted).filter(is_new);
        if let Some(row) = new {
            let value = Some(self.values.len()..self.values.len());
            self.has_rel |= row.0 == REL.0;
            self.attributes.push(TagAttribute { row, value, value_start, replaced: Vec::new() });
        }
        self.attribute_name.clear();
        new.is_some()
    }

    /// Adds the piece of the value that ends at `offset`. `before`: where the tokenizer was before its last move.
    ///
    /// html5gum does not say how a piece of a value is written, but it moves by what it reads. For
    /// `<a href="a&amp;b\r\nc&#65;">`, whose value starts at 9, it pushes these pieces; the last piece before each ends
    /// at `end`:
    ///
    /// | piece | before | offset | end | written as | known by |
    /// |---|---|---|---|---|---|
    /// | `a` | 9 | 10 | 9 | itself | as many bytes as from `end` to `offset` |
    /// | `&` | 16 | 15 | 10 | `&amp;` | 5 bytes; the byte after the reference is read and given back |
    /// | `b` | 15 | 16 | 15 | itself | |
    /// | LF | 16 | 17 | 16 | its CR, so far | |
    /// | `c` | 18 | 19 | 17 | LF and itself | one byte more, but read in one move: the LF of CRLF is before it |
    /// | `A` | 23 | 24 | 19 | `&#65;` | 5 bytes |
    ///
    /// A reference may be as long as what it means, as `&caps;` is. Then it is not ASCII, and its last byte alone was
    /// read in the last move. Cargo.toml names one version of html5gum because of this; the tests in this folder try
    /// all of it.
    pub fn push_value(&mut self, piece: &[u8], before: u64, offset: u64, options: &Options) {
        let (Some(value_end), Some(attribute)) = (self.value_end, self.attributes.last_mut()) else { return };
        let Some(range) = &mut attribute.value else { return };
        // all bytes of a text are read in one move, but a character reference is not
        let is_read_at_once = before.wrapping_add(piece.len() as u64) == offset;
        let raw_len = length(value_end, offset);
        let is_wanted = options.rewrites || matches!(attribute.row.1, Holds::Html | Holds::Css) || !piece.is_ascii();
        if is_wanted && (raw_len != piece.len() || !is_read_at_once && !piece.is_ascii()) {
            let raw_at = length(attribute.value_start.start, value_end);
            // the LF of CRLF is skipped; its CR is read as LF
            let replaced = if is_read_at_once && raw_len == piece.len() + 1 {
                Replaced::new(range.len() - 1..range.len(), raw_at - 1..raw_at + 1)
            } else {
                Replaced::new(range.len()..range.len() + piece.len(), raw_at..raw_at + raw_len)
            };
            attribute.replaced.push(replaced);
        }
        self.value_end = Some(offset);
        range.end += piece.len();
        if range.len().max(length(attribute.value_start.start, offset)) > MAX_RECORD {
            self.values.truncate(range.start);
            (attribute.value, attribute.replaced) = (None, Vec::new());
        } else {
            self.values.extend_from_slice(piece);
        }
    }

    /// The value of an attribute: of several, that of the first one.
    pub fn value_of(&self, name: &str) -> Option<&[u8]> {
        self.one_of(name, false)
    }

    /// The value of the first or the last attribute of a name.
    fn one_of(&self, name: &str, is_last: bool) -> Option<&[u8]> {
        let mut own = self.attributes.iter().filter(|attribute| attribute.row.0 == name);
        let attribute = if is_last { own.next_back() } else { own.next() }?;
        Some(&self.values[attribute.value.clone()?])
    }

    /// The HREF of a BASE.
    pub fn base_href(&self, is_in_body: bool) -> Option<BaseHref> {
        let attribute = self.attributes.iter().find(|attribute| attribute.row.0 == "href")?;
        let value = attribute.value.clone().map(|value| self.values[value].to_vec());
        Some(BaseHref { value, replaced: attribute.replaced.clone(), value_start: attribute.value_start, is_in_body })
    }

    /// The charset that a META names.
    pub fn charset(&self) -> Option<&[u8]> {
        let is_type = || is_http_equiv(b"content-type", |name| self.value_of(name));
        let content = || self.value_of("content").filter(|_| is_type());
        self.value_of("charset").or_else(|| charset_in(content()?))
    }

    /// Whether the language of a STYLE is CSS (HTML Standard).
    pub fn is_css(&self) -> bool {
        let is_css = |name: &[u8]| name.is_empty() || name.eq_ignore_ascii_case(b"text/css");
        self.value_of("type").is_none_or(is_css)
    }

    /// Moves its links to the pending ones. `with_base`: the HREF of a BASE is a link.
    pub fn move_links(&mut self, pending: &mut PendingLinks, with_base: bool, options: &Options) {
        for index in 0..self.attributes.len() {
            let attribute = &self.attributes[index];
            let decide = |last| decided(&self.name, attribute.row, options.wary, |name| self.one_of(name, last));
            let Some(row) = decide(false).or_else(|| if options.wary { decide(true) } else { None }) else { continue };
            let has_links = match row.1 {
                Holds::Base => with_base,
                Holds::Css => attribute.value.clone().is_none_or(|value| may_have_urls(&self.values[value], options)),
                _ => row.0 != "xlink:href" || options.wary || self.value_of("href").is_none(),
            };
            if has_links {
                let replaced = mem::take(&mut self.attributes[index].replaced);
                let TagAttribute { value, value_start, .. } = &self.attributes[index];
                let value = value.clone().map(|value| &self.values[value]);
                let escape = value_start.escape(value.map_or(0, <[u8]>::len));
                let layer = Layer { start: value_start.start, replaced, escape };
                if self.has_rel {
                    pending.push_rel(self.value_of("rel"));
                }
                if row.1.is_animated() && value.is_some_and(|value| may_have_urls(value, options)) {
                    pending.push((&self.name, &ANIMATED_CSS), value, *value_start, layer.clone());
                }
                pending.push((&self.name, row), value, *value_start, layer);
            }
        }
    }

    /// Gives back the memory of a huge tag, which has ended.
    pub fn release(&mut self) {
        if self.values.capacity() > MAX_PENDING_BYTES {
            (self.values, self.attributes) = (Vec::new(), Vec::new());
        }
    }
}
