//! The tags of HTML, as html5gum's tokenizer reads them, and what matters for URLs in them.

use std::mem;
use std::ops::Range;
use std::rc::Rc;

use html5gum::{Emitter, Error, State};

use super::attributes::{CANONICAL, KnownAttribute, charset_in, is_canonical, known_attribute, push_name};
use super::elements::Language;
use super::hint::MarkdownHint;
use super::pending::{PendingLinks, ValueStart};
use super::source::Notes;
use super::style::StyleText;
use crate::document::css::may_have_urls;
use crate::document::holds::Holds;
use crate::document::place::{layer::Replaced, pieces::length};
use crate::document::problem::Problem;
use crate::limits::{MAX_PENDING_BYTES, MAX_RECORD};

/// What a page has that matters for URLs.
pub enum PageToken {
    /// The first BASE element with an HREF: the base of all links, also of those before it.
    Base(BaseHref),
    /// The next links: after the first BASE or at the end of the page.
    Links(PendingLinks),
    /// The charset that a META names.
    Charset(Vec<u8>),
}

pub struct BaseHref {
    /// Its value; `None` if it is too long.
    pub value: Option<Vec<u8>>,
    /// What was replaced in it.
    pub replaced: Vec<Replaced>,
    pub value_start: ValueStart,
    /// Whether BODY has begun.
    pub is_in_body: bool,
}

/// What is wanted of a text.
#[derive(Clone, Copy, Default)]
pub struct Wants {
    pub links: bool,
    /// All that was replaced in their values, for rewriting, and the HREF of the BASE as a link.
    pub all_replaced: bool,
    /// Its BASE, before its links.
    pub base: bool,
    /// The HREF of each BASE as a link.
    pub base_is_link: bool,
    /// Its tags also in text that is no markup, as the HTML Standard looks for a charset.
    pub tags_in_text: bool,
    /// Whether its text looks like Markdown.
    pub markdown: bool,
}

/// A known attribute in the tag being read.
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

/// Reads tags and makes tokens of them.
#[derive(Default)]
pub struct TagReader {
    /// Shared with the reader of the text and the page.
    notes: Rc<Notes>,
    wants: Wants,
    /// Whether the first BASE has been read.
    has_base: bool,
    /// The links not yet returned.
    pending: PendingLinks,
    /// The token not yet taken.
    token: Option<PageToken>,
    /// The number of bytes of the text that have been taken.
    offset: u64,
    /// The offset before the last move.
    before: u64,
    /// Whether the tag is a start tag.
    is_start: bool,
    name: Vec<u8>,
    /// Whether it ends in `/>`.
    is_self_closing: bool,
    /// The known attributes in it.
    attributes: Vec<TagAttribute>,
    values: Vec<u8>,
    /// The name of the attribute being read.
    attribute_name: Vec<u8>,
    /// The line and column where it starts, and the offset where it ends: where its value would be.
    attribute_start: ValueStart,
    /// The offset where the last piece of the value being read ends, if it is that of the last known attribute.
    value_end: Option<u64>,
    /// The element whose content is only text, while that is read.
    text_of: Vec<u8>,
    /// Whether the attributes of a start tag are being read.
    is_in_tag: bool,
    /// Whether a comment is being read.
    is_in_comment: bool,
    /// The line and the column where the text of the comment or the element starts.
    text_start: (u64, u64),
    /// Whether that has the start of an end tag.
    has_end_tag: bool,
    /// Whether the last piece of it is `<`.
    is_after_less_than: bool,
    /// The STYLE whose text is being read.
    style: Option<StyleText>,
    /// If Markdown is looked for.
    hint: Option<MarkdownHint>,
}

impl TagReader {
    /// A reader before the first tag of a text whose lines are counted.
    pub fn new(notes: Rc<Notes>, offset: u64, wants: Wants) -> Self {
        let hint = (wants.markdown && wants.links).then(MarkdownHint::default);
        TagReader { notes, wants, offset, hint, ..TagReader::default() }
    }

    fn start_tag(&mut self, is_start: bool) {
        self.is_start = is_start;
        self.name.clear();
        self.is_self_closing = false;
        self.attributes.clear();
        self.values.clear();
        self.attribute_name.clear();
        self.value_end = None;
    }

    /// Where a value is that starts at an offset.
    fn locate_value(&self, start: u64, before: Option<u8>) -> ValueStart {
        let (line, column) = self.notes.lines.borrow_mut().locate(start);
        ValueStart { line, column, start, before }
    }

    /// Ends the attribute being read, if its name has not been used yet: it has no value.
    fn end_attribute(&mut self) {
        if !self.attribute_name.is_empty() {
            self.add_attribute(self.attribute_start);
        }
    }

    /// Adds the attribute whose name has been read and whose value starts at `value_start`, if it is known and the first of
    /// its name. Returns whether it is.
    fn add_attribute(&mut self, value_start: ValueStart) -> bool {
        let is_new = |new: &&KnownAttribute| self.attributes.iter().all(|attribute| attribute.row.0 != new.0);
        let language = self.notes.open.borrow().language_of(&self.name);
        let new = known_attribute(language, &self.name, &self.attribute_name).filter(is_new);
        if let Some(row) = new {
            let value = Some(self.values.len()..self.values.len());
            self.attributes.push(TagAttribute { row, value, value_start, replaced: Vec::new() });
        }
        self.attribute_name.clear();
        new.is_some()
    }

    /// The value of an attribute of the tag.
    fn value_of(&self, name: &str) -> Option<&[u8]> {
        let attribute = self.attributes.iter().find(|attribute| attribute.row.0 == name)?;
        Some(&self.values[attribute.value.clone()?])
    }

    /// Makes a token of a META or BASE, if it has what matters.
    fn read_head(&self) -> Option<PageToken> {
        match &*self.name {
            b"base" if !self.has_base && self.notes.open.borrow().can_have_base() => {
                let attribute = self.attributes.iter().find(|attribute| attribute.row.0 == "href")?;
                let value = attribute.value.clone().map(|value| self.values[value].to_vec());
                let (replaced, value_start) = (attribute.replaced.clone(), attribute.value_start);
                let is_in_body = self.notes.open.borrow().is_in_body;
                Some(PageToken::Base(BaseHref { value, replaced, value_start, is_in_body }))
            }
            b"meta" => {
                let content = || self.value_of("content").filter(|_| self.is_http_equiv(b"content-type"));
                let label = self.value_of("charset").or_else(|| charset_in(content()?))?;
                Some(PageToken::Charset(label.to_vec()))
            }
            _ => None,
        }
    }

    /// Whether the tag is a META that replaces a header field of HTTP.
    fn is_http_equiv(&self, field: &[u8]) -> bool {
        self.value_of("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case(field))
    }

    /// Adds the links of the tag to the pending ones. `with_base`: its HREF is that of a BASE.
    fn add_links(&mut self, with_base: bool) {
        for index in 0..self.attributes.len() {
            let attribute = &self.attributes[index];
            let has_links = match attribute.row.1 {
                Holds::Base => with_base || self.wants.base_is_link,
                Holds::Nothing => false,
                Holds::Refresh => self.is_http_equiv(b"refresh"),
                Holds::Css => attribute.value.clone().is_none_or(|value| may_have_urls(&self.values[value])),
                _ => attribute.row.0 != "xlink:href" || self.value_of("href").is_none(),
            };
            if has_links {
                let replaced = mem::take(&mut self.attributes[index].replaced);
                let TagAttribute { row, value, value_start, .. } = &self.attributes[index];
                let is_canonical = || self.value_of("rel").is_some_and(is_canonical);
                let row = if self.name == b"link" && row.0 == "href" && is_canonical() { &CANONICAL } else { *row };
                let value = value.clone().map(|value| &self.values[value]);
                let escape = value_start.escape(value.map_or(0, <[u8]>::len));
                self.pending.push(&self.name, row, value, *value_start, escape, replaced);
            }
        }
    }

    /// Starts a text that is no markup.
    fn start_text(&mut self) {
        self.text_start = self.notes.lines.borrow_mut().locate(self.offset);
        (self.has_end_tag, self.is_after_less_than) = (false, false);
    }

    /// Adds a piece of a text that is no markup. A comment, and a SCRIPT in a SCRIPT, have `</` in two pieces.
    fn push_text(&mut self, piece: &[u8]) {
        self.has_end_tag |= piece == b"</" || self.is_after_less_than && piece.starts_with(b"/");
        self.is_after_less_than = piece == b"<";
    }

    /// Where the text, or the last attribute of the tag, starts that the page ends in, if that seems to hide some of it.
    fn unclosed(&self) -> Option<(u64, u64)> {
        if self.is_in_tag {
            let ValueStart { line, column, .. } = self.attribute_start;
            let (last_line, _) = self.notes.lines.borrow_mut().locate(self.offset);
            return (line < last_line).then_some((line, column));
        }
        let is_text = self.is_in_comment || !matches!(&*self.text_of, b"" | b"plaintext");
        (is_text && self.has_end_tag).then_some(self.text_start)
    }

    /// Follows a start tag. Returns how the text after it is tokenized, if not as HTML.
    fn end_start_tag(&mut self) -> Option<State> {
        let is_css = self.name == b"style" && self.wants.links && self.style.is_none() && self.is_css();
        let style = is_css.then(|| self.notes.open.borrow().language_of(&self.name));
        let state = self.notes.open.borrow_mut().start(&self.name, self.is_self_closing, |name| self.value_of(name));
        let state = state.filter(|_| !self.wants.tags_in_text);
        self.text_of.clear();
        if state.is_some() {
            self.text_of.clone_from(&self.name);
            self.start_text();
        }
        if matches!(&*self.name, b"base" | b"meta") {
            self.token = self.read_head();
        }
        let is_base = matches!(self.token, Some(PageToken::Base(_)));
        self.has_base = self.has_base || is_base;
        if is_base && !self.wants.base {
            self.token = None;
        }
        if self.wants.links {
            self.add_links(is_base && self.wants.all_replaced);
        }
        if self.values.capacity() > MAX_PENDING_BYTES {
            (self.values, self.attributes) = (Vec::new(), Vec::new()); // they are copied
        }
        if (self.has_base || !self.wants.base) && self.token.is_none() && self.pending.is_full() {
            self.token = Some(PageToken::Links(mem::take(&mut self.pending)));
        }
        let depth = self.notes.open.borrow().depth();
        match style {
            Some(Language::Html) if state.is_some() => self.start_style(false, depth),
            Some(Language::Svg) if !self.is_self_closing => self.start_style(true, depth),
            _ => {}
        }
        state
    }

    /// Whether the language of the STYLE that starts is CSS (HTML Standard).
    fn is_css(&self) -> bool {
        let is_css = |name: &[u8]| name.is_empty() || name.eq_ignore_ascii_case(b"text/css");
        self.value_of("type").is_none_or(is_css)
    }

    /// Starts with the text of a STYLE.
    fn start_style(&mut self, is_svg: bool, depth: usize) {
        self.style = Some(StyleText::new(is_svg, depth, self.locate_value(self.offset, None)));
    }

    /// Ends a piece of the text of a STYLE, where there is a tag or a comment in SVG. The next one may follow.
    fn split_style(&mut self) {
        if let Some(style) = self.style.take_if(|style| style.is_svg) {
            self.start_style(true, style.depth);
            style.end(&mut self.pending);
        }
    }

    /// Ends the text of a STYLE that is not open any more.
    fn end_style(&mut self) {
        if let Some(style) = self.style.take_if(|style| self.notes.open.borrow().depth() < style.depth) {
            style.end(&mut self.pending);
        }
    }
}

impl Emitter for TagReader {
    type Token = PageToken;

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.before = self.offset;
        self.offset = self.offset.wrapping_add_signed(offset as i64);
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<PageToken> {
        self.token.take()
    }

    fn emit_eof(&mut self) {
        if self.notes.error.borrow().is_some() {
            self.style = None; // its text is cut
            if self.wants.base && !self.has_base {
                self.pending = PendingLinks::default(); // the rest of the page may have their BASE
            }
        } else if self.wants.links {
            let markdown = self.hint.as_ref().and_then(MarkdownHint::found).map(|place| (Problem::MARKDOWN, place));
            self.notes.wrong.set(markdown.or_else(|| Some((Problem::UNCLOSED, self.unclosed()?))));
        }
        if let Some(style) = self.style.take() {
            style.end(&mut self.pending);
        }
        if !self.pending.is_empty() {
            self.token = Some(PageToken::Links(mem::take(&mut self.pending)));
        }
    }

    fn start_open_tag(&mut self) {
        self.offset += self.notes.skipped.take();
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
            self.is_in_tag = true;
            self.attribute_start = self.locate_value(self.offset - 1, None);
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        if self.is_start {
            push_name(&mut self.attribute_name, name);
            self.attribute_start.start = self.offset;
            self.notes.last.set(0);
        }
    }

    fn init_attribute_value(&mut self) {
        if self.is_start {
            let value_start = self.locate_value(self.offset, Some(self.notes.last.get()));
            self.value_end = self.add_attribute(value_start).then_some(self.offset);
        }
    }

    // html5gum does not say how a piece of a value is written, but it moves by what it reads. For `<a href="a&amp;b\r\nc&#65;">`,
    // whose value starts at 9, it pushes these pieces; the last piece before each ends at `end`:
    //
    // | piece | before | offset | end | written as | known by |
    // |---|---|---|---|---|---|
    // | `a` | 9 | 10 | 9 | itself | as many bytes as from `end` to `offset` |
    // | `&` | 16 | 15 | 10 | `&amp;` | 5 bytes; the byte after the reference is read and given back |
    // | `b` | 15 | 16 | 15 | itself | |
    // | LF | 16 | 17 | 16 | its CR, so far | |
    // | `c` | 18 | 19 | 17 | LF and itself | one byte more, but read in one move: the LF of CRLF is before it |
    // | `A` | 23 | 24 | 19 | `&#65;` | 5 bytes |
    //
    // A reference may be as long as what it means, as `&caps;` is. Then it is not ASCII, and its last byte alone was read in
    // the last move. Cargo.toml names one version of html5gum because of this; the tests in this folder try all of it.
    fn push_attribute_value(&mut self, value: &[u8]) {
        let (Some(value_end), Some(attribute)) = (self.value_end, self.attributes.last_mut()) else { return };
        let Some(range) = &mut attribute.value else { return };
        // all bytes of a text are read in one move, but a character reference is not
        let is_read_at_once = self.before.wrapping_add(value.len() as u64) == self.offset;
        let raw_len = length(value_end, self.offset);
        let is_wanted =
            self.wants.all_replaced || matches!(attribute.row.1, Holds::Html | Holds::Css) || !value.is_ascii();
        if is_wanted && (raw_len != value.len() || !is_read_at_once && !value.is_ascii()) {
            let raw_at = length(attribute.value_start.start, value_end);
            // the LF of CRLF is skipped; its CR is read as LF
            let piece = if is_read_at_once && raw_len == value.len() + 1 {
                Replaced::new(range.len() - 1..range.len(), raw_at - 1..raw_at + 1)
            } else {
                Replaced::new(range.len()..range.len() + value.len(), raw_at..raw_at + raw_len)
            };
            attribute.replaced.push(piece);
        }
        self.value_end = Some(self.offset);
        range.end += value.len();
        if range.len().max(length(attribute.value_start.start, self.offset)) > MAX_RECORD {
            self.values.truncate(range.start);
            (attribute.value, attribute.replaced) = (None, Vec::new());
        } else {
            self.values.extend_from_slice(value);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let mut state = None;
        self.is_in_tag = false;
        self.split_style();
        if self.is_start {
            if !self.attribute_name.is_empty() && self.notes.last.get() == b'=' {
                // there is no event for an empty value between `=` and `>`
                self.add_attribute(self.locate_value(self.offset - 1, Some(b'=')));
            }
            self.end_attribute();
            state = self.end_start_tag();
        } else {
            self.text_of.clear();
            self.notes.open.borrow_mut().end(&self.name);
        }
        self.end_style();
        self.hint.iter_mut().for_each(|hint| hint.tag(&self.name, self.is_start));
        let is_wanted = self.style.is_some() || self.hint.as_ref().is_some_and(MarkdownHint::wants_text);
        self.notes.skips_text.set(state.is_none() && !is_wanted && self.notes.open.borrow().ignores_text());
        state
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && !self.text_of.is_empty() && self.name == self.text_of
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        // this is asked after `<![CDATA[`
        if let Some(style) =
            self.style.as_mut().filter(|style| style.is_svg && style.depth == self.notes.open.borrow().depth())
        {
            style.start_cdata(self.offset);
        }
        self.notes.open.borrow().is_in_foreign()
    }

    fn emit_string(&mut self, text: &[u8]) {
        if let Some(style) = self.style.as_mut().filter(|style| style.depth == self.notes.open.borrow().depth()) {
            style.add(text, self.before, self.offset);
        }
        if self.text_of.is_empty() {
            self.notes.open.borrow_mut().text(text);
            self.hint.iter_mut().for_each(|hint| hint.text(text, self.offset, &self.notes.lines));
        } else {
            self.push_text(text);
        }
    }

    fn init_comment(&mut self) {
        self.is_in_comment = true;
        self.start_text();
    }

    fn push_comment(&mut self, text: &[u8]) {
        self.push_text(text);
    }

    fn emit_current_comment(&mut self) {
        self.is_in_comment = self.notes.is_at_end.get();
        self.split_style();
    }

    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn emit_error(&mut self, _: Error) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {
        self.hint = None;
    }
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}
