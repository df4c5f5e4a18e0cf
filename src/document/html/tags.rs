//! The tags of HTML, as html5gum's tokenizer reads them, and what matters for URLs in them.

use std::io::Read;
use std::mem;
use std::rc::Rc;

use html5gum::{Emitter, Error, State, Tokenizer};

use super::attributes::{CDATA, COMMENT, push_name};
use super::elements::{Language, raw_name};
use super::hint::MarkdownHint;
use super::pending::{PendingLinks, ValueStart};
use super::raw_text::RawText;
use super::reading::Reading;
use super::source::{Notes, PageBytes, TextReading};
use super::style::StyleText;
use super::tag::{BaseHref, Tag};
use crate::document::place::layer::{Escape, Layer};
use crate::document::problem::Problem;
use crate::limits::MAX_RECORD;

/// html5gum's tokenizer over a text whose lines are counted.
pub type Tags<'a> = Tokenizer<PageBytes<'a>, TagReader>;

/// What a page has that matters for URLs.
pub enum PageToken {
    /// The first BASE element with an HREF: the base of all links, also of those before it.
    Base(BaseHref),
    /// The next links: after the first BASE or at the end of the page.
    Links(PendingLinks),
    /// The charset that a META names.
    Charset(Vec<u8>),
    /// A tag after which no META counts.
    HeadEnd,
}

/// Whether a META after this tag names no charset for browsers, if the page is longer than what they look at first.
fn ends_head(tag: &Tag) -> bool {
    match &*tag.name {
        b"base" | b"link" | b"meta" | b"noscript" | b"object" | b"script" | b"style" | b"title" => false,
        b"html" | b"head" => !tag.is_start,
        _ => true,
    }
}

/// Reads tags and makes tokens of them.
#[derive(Default)]
pub struct TagReader {
    /// Shared with the reader of the text and the page.
    notes: Rc<Notes>,
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
    tag: Tag,
    /// The line and column of the tag that has not ended.
    tag_place: Option<(u64, u64)>,
    text: RawText,
    /// Where the text starts that is raw for some readers, and markup for others.
    raw_start: Option<ValueStart>,
    /// The STYLE whose text is being read.
    style: Option<StyleText>,
    /// Where the HTML of the comment is that is being read, and that HTML; `None` if it is too long.
    comment: Option<(ValueStart, Option<Vec<u8>>)>,
    /// If Markdown is looked for.
    hint: Option<MarkdownHint>,
}

/// The tags of a text in UTF-8 or another charset that has ASCII's bytes, and the notes on it. It starts at an offset.
pub fn tokenize(text: Box<dyn Read + '_>, block: usize, notes: Notes, offset: u64) -> (Tags<'_>, Rc<Notes>) {
    let notes = Rc::new(notes);
    let source = PageBytes::new(text, block, Rc::clone(&notes));
    let tags = TagReader::new(Rc::clone(&notes), offset);
    (Tokenizer::new_with_emitter(source, tags), notes)
}

impl TagReader {
    /// A reader before the first tag of a text whose lines are counted.
    pub fn new(notes: Rc<Notes>, offset: u64) -> Self {
        let hint = (notes.reading == Reading::MaybePage).then(MarkdownHint::default);
        let is_style = notes.reading == Reading::RawText(b"style");
        let mut reader = TagReader { notes, offset, hint, ..TagReader::default() };
        if is_style {
            reader.start_style(true, 0);
        }
        reader
    }

    /// Where a value is that starts at an offset.
    fn locate_value(&self, start: u64, before: Option<u8>) -> ValueStart {
        let (line, column) = self.notes.lines.borrow_mut().locate(start);
        ValueStart { line, column, start, before }
    }

    /// The line and column of what comes next.
    fn locate(&self) -> (u64, u64) {
        self.notes.lines.borrow_mut().locate(self.offset)
    }

    /// Makes a token of a META or BASE, if it has what matters.
    fn read_head(&self) -> Option<PageToken> {
        match &*self.tag.name {
            b"base" if !self.has_base && self.notes.open.borrow().can_have_base() => {
                let is_in_body = self.notes.open.borrow().is_in_body;
                Some(PageToken::Base(self.tag.base_href(is_in_body)?))
            }
            b"meta" => self.tag.charset().map(|label| PageToken::Charset(label.to_vec())),
            _ => None,
        }
    }

    /// Where the text, or the last attribute of the tag, starts that the page ends in, if that seems to hide some of
    /// it.
    fn unclosed(&self) -> Option<(u64, u64)> {
        if self.notes.is_closed() {
            // Markdown has a tag of an element without its text
            return self.tag_place.or_else(|| self.text.place(self.notes.reading != Reading::Fragment));
        }
        let Some(ValueStart { line, column, .. }) = self.tag.open_attribute() else { return self.text.hides_markup() };
        let (last_line, _) = self.notes.lines.borrow_mut().locate(self.offset);
        (line < last_line).then_some((line, column))
    }

    /// Follows a start tag. Returns how the text after it is tokenized, if not as HTML.
    fn end_start_tag(&mut self) -> Option<State> {
        let Notes { reading, options, .. } = &*self.notes;
        let Tag { name, is_self_closing, .. } = &self.tag;
        let is_css =
            name == b"style" && reading.wants_links() && self.style.is_none() && (options.wary || self.tag.is_css());
        let style = is_css.then(|| self.notes.open.borrow().language_of(name));
        let style = style.filter(|language| options.wary || *language != Language::Math);
        let state = self.notes.open.borrow_mut().start(name, *is_self_closing, |name| self.tag.value_of(name));
        let mut state = state.filter(|_| *reading != Reading::Prescan);
        let is_markup = state.is_none();
        if options.wary {
            state = self.start_raw(state);
        }
        let Notes { reading, options, .. } = &*self.notes;
        let Tag { name, .. } = &self.tag;
        match state {
            Some(_) => self.text.start(name, self.locate(), is_markup),
            None => self.text.end(),
        }
        if matches!(&**name, b"base" | b"meta") {
            self.token = self.read_head();
        }
        let is_base = matches!(self.token, Some(PageToken::Base(_)));
        self.has_base = self.has_base || is_base;
        if is_base && !reading.wants_base() {
            self.token = None;
        }
        if reading.wants_links() && !(*reading == Reading::Comment && matches!(&**name, b"base" | b"meta")) {
            let with_base = self.notes.has_base_links() || is_base && options.rewrites;
            self.tag.move_links(&mut self.pending, with_base, options);
        }
        self.tag.release();
        self.return_links();
        let depth = self.notes.open.borrow().depth();
        match style {
            Some(_) if state.is_some() => self.start_style(false, depth),
            Some(Language::Svg | Language::Math) if !self.tag.is_self_closing => self.start_style(true, depth),
            _ => {}
        }
        state
    }

    /// How the text after a start tag is tokenized where it is read in each way: the text of an element that is raw for
    /// some readers is read as that, and noted, so that it is read as markup, too.
    #[cold]
    fn start_raw(&mut self, state: Option<State>) -> Option<State> {
        let inside = if let Reading::RawText(name) = self.notes.reading { name } else { b"" };
        // raw text that is markup is perhaps in SVG, where that of SCRIPT is markup, too
        let is_script = self.tag.name == b"script" && state.is_some() && inside.is_empty();
        match raw_name(&self.tag.name) {
            Some(name) if name != inside && !is_script => {
                self.notes.raw_name.set(name);
                self.raw_start = Some(self.locate_value(self.offset, None));
                Some(State::RawText)
            }
            _ => state.filter(|_| self.tag.name != inside && self.tag.name != b"plaintext"),
        }
    }

    /// Adds the raw text that has been noted to the links, as HTML.
    fn end_raw(&mut self) {
        if let Some((start, html)) = self.raw_start.take().zip(self.notes.raw_text.take()) {
            let html = Some(&*html).filter(|html| html.len() <= MAX_RECORD);
            self.push_html(self.notes.raw_name.get(), html, start);
        }
    }

    /// Adds a text of HTML to the links, which starts there; `None` if it is too long. `element`: the one that has it.
    fn push_html(&mut self, element: &[u8], html: Option<&[u8]>, start: ValueStart) {
        if self.notes.reading.wants_links() {
            let layer = Layer { start: start.start, replaced: Vec::new(), escape: Escape::Verbatim };
            self.pending.push((element, &CDATA), html, start, layer);
        }
    }

    /// Makes a token of the links that have been read, if they are enough and their base is known.
    fn return_links(&mut self) {
        if (self.has_base || !self.notes.reading.wants_base()) && self.token.is_none() && self.pending.is_full() {
            self.token = Some(PageToken::Links(mem::take(&mut self.pending)));
        }
    }

    /// What is done with the text after a tag. `is_markup`: it is HTML.
    #[inline]
    fn next_text(&self, is_markup: bool) -> TextReading {
        let is_wanted = self.notes.reading == Reading::Head
            || self.style.is_some()
            || self.hint.as_ref().is_some_and(MarkdownHint::wants_text);
        match &self.raw_start {
            Some(_) => TextReading::Note,
            None if is_markup && !is_wanted && self.notes.open.borrow().ignores_text() => TextReading::Skip,
            None => TextReading::Read,
        }
    }

    /// Starts with a tag, of whose name the first letter has been read.
    fn start_tag(&mut self) {
        if self.notes.options.wary {
            let start = self.offset - if self.tag.is_start { 2 } else { 3 };
            self.tag_place = self.notes.is_closed().then(|| self.notes.lines.borrow_mut().locate(start));
        }
    }

    /// Starts with the text of a STYLE.
    fn start_style(&mut self, is_svg: bool, depth: usize) {
        self.style = Some(StyleText::new(is_svg, depth, self.locate_value(self.offset, None)));
    }

    /// Ends a piece of the text of a STYLE, where there is a tag or a comment in SVG. The next one may follow.
    fn split_style(&mut self) {
        if let Some(style) = self.style.take_if(|style| style.is_svg && !self.notes.options.wary) {
            self.start_style(true, style.depth);
            style.end(&mut self.pending, &self.notes.options);
        }
    }

    /// Ends the text of a STYLE that is not open any more.
    fn end_style(&mut self) {
        let is_end = self.notes.options.wary && !self.tag.is_start && self.tag.name == b"style";
        if let Some(style) = self.style.take_if(|style| is_end || self.notes.open.borrow().depth() < style.depth) {
            style.end(&mut self.pending, &self.notes.options);
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
            (self.style, self.raw_start) = (None, None); // their text is cut
            if self.notes.reading.wants_base() && !self.has_base {
                self.pending = PendingLinks::default(); // the rest of the page may have their BASE
            }
        } else if self.notes.reading.wants_links() {
            let markdown = self.hint.as_ref().and_then(MarkdownHint::found).map(|place| (Problem::MARKDOWN, place));
            let wrong = markdown.or_else(|| Some((Problem::UNCLOSED, self.unclosed()?)));
            // a fragment may go on in the text after it
            let matters = self.notes.reading != Reading::Fragment || self.notes.options.wary;
            self.notes.wrong.set(wrong.filter(|_| matters));
        }
        if let Some(style) = self.style.take() {
            style.end(&mut self.pending, &self.notes.options);
        }
        self.end_raw();
        if !self.pending.is_empty() {
            self.token = Some(PageToken::Links(mem::take(&mut self.pending)));
        }
    }

    fn start_open_tag(&mut self) {
        self.offset += self.notes.skipped.take();
    }

    fn init_start_tag(&mut self) {
        self.tag.start(true);
        self.start_tag();
    }

    fn init_end_tag(&mut self) {
        self.tag.start(false);
        self.start_tag();
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        push_name(&mut self.tag.name, name);
    }

    fn set_self_closing(&mut self) {
        self.tag.is_self_closing = true;
    }

    fn init_attribute(&mut self) {
        if self.tag.is_start {
            let name_start = self.locate_value(self.offset - 1, None);
            self.tag.start_attribute(&self.notes, name_start);
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        if self.tag.is_start {
            self.tag.push_attribute_name(name, self.offset);
            self.notes.last.set(0);
        }
    }

    fn init_attribute_value(&mut self) {
        if self.tag.is_start {
            let value_start = self.locate_value(self.offset, Some(self.notes.last.get()));
            self.tag.start_value(&self.notes, value_start);
        }
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.tag.push_value(value, self.before, self.offset, &self.notes.options);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let mut state = None;
        self.split_style();
        // the tag itself changes which are open
        if self.tag.is_start {
            // there is no event for an empty value between `=` and `>`
            let empty_value = (self.notes.last.get() == b'=').then(|| self.locate_value(self.offset - 1, Some(b'=')));
            self.tag.end_attributes(&self.notes, empty_value);
            state = self.end_start_tag();
        } else {
            self.text.end();
            self.notes.open.borrow_mut().end(&self.tag.name);
        }
        // what follows asks which are open now
        self.end_style();
        if !self.tag.is_start {
            self.end_raw();
        }
        self.tag_place = None;
        self.hint.iter_mut().for_each(|hint| hint.tag(&self.tag.name, self.tag.is_start));
        if self.notes.reading == Reading::Head && ends_head(&self.tag) {
            self.token = Some(PageToken::HeadEnd);
        }
        // all of this may want the text that comes next
        self.notes.next_text.set(self.next_text(state.is_none()));
        state
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.tag.is_start && self.text.is_of(&self.tag.name)
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        // this is asked after `<![CDATA[`
        if let Some(style) =
            self.style.as_mut().filter(|style| style.is_svg && style.depth == self.notes.open.borrow().depth())
        {
            style.start_cdata(self.offset);
        }
        if let Some((start, html)) = self.notes.cdata.take() {
            self.push_html(b"", html.as_deref(), self.locate_value(self.offset + start, None));
        }
        self.notes.options.wary || self.notes.open.borrow().is_in_foreign()
    }

    fn emit_string(&mut self, text: &[u8]) {
        if let Some(style) = self.style.as_mut().filter(|style| style.depth == self.notes.open.borrow().depth()) {
            style.add(text, self.before, self.offset);
        }
        if self.text.is_markup() {
            self.notes.open.borrow_mut().text(text);
            self.hint.iter_mut().for_each(|hint| hint.text(text, self.offset, &self.notes.lines));
        } else {
            self.text.push(text);
        }
    }

    fn init_comment(&mut self) {
        self.text.start_comment(self.locate());
        if let Some((start, html)) = self.notes.comment.take().filter(|_| self.notes.reading.wants_links()) {
            self.comment = Some((self.locate_value(self.offset + start, None), html));
        }
    }

    fn push_comment(&mut self, text: &[u8]) {
        self.text.push(text);
    }

    fn emit_current_comment(&mut self) {
        self.text.is_comment = self.notes.is_at_end.get();
        self.split_style();
        if let Some((start, html)) = self.comment.take() {
            let layer = Layer { start: start.start, replaced: Vec::new(), escape: Escape::Comment };
            self.pending.push((b"", &COMMENT), html.as_deref(), start, layer);
            self.return_links();
        }
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
