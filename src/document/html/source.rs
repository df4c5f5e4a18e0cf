//! The bytes of a text, as html5gum reads them.

use std::cell::{Cell, RefCell};
use std::fmt::Error as Pause;
use std::io::{self, Read};
use std::rc::Rc;

use html5gum::{Readable, Reader};
use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::attributes::{KnownAttribute, known_attribute, suspected_attribute};
use super::comment::{CONDITION, html_start, is_conditional, is_hidden, text_end};
use super::elements::{OpenElements, raw_name, text_state};
use super::lines::LineCounter;
use super::reading::Reading;
use crate::document::problem::Problem;
use crate::document::values::Options;
use crate::limits::MAX_RECORD;

/// The bytes that html5gum searches text with character references for, such as that of P or TITLE.
const TEXT: &[u8] = b"&<\0\r";

/// The first of the bytes that html5gum searches names with.
const NAME: &[u8] = b"\t\n\x0C />";

/// The bytes that html5gum searches a value in double quotes with.
const DOUBLE_QUOTED: &[u8] = b"\"&\0\r";

/// The number of searches in values between two pauses.
const SEARCHES: u8 = 31;

/// What the reader and the emitter of a tokenizer share with the page, as none of them can see the others.
#[derive(Default)]
pub struct Notes {
    pub lines: RefCell<LineCounter>,
    /// The error that ended the text, so that what was read before is used first.
    pub error: RefCell<Option<io::Error>>,
    /// What is wrong with the text, once all of it is read, and where.
    pub wrong: Cell<Option<(Problem, (u64, u64))>>,
    /// The byte that was last read by itself and is no white space and no `>`: the quote before an attribute's value,
    /// or `=`. html5gum has no event for them.
    pub last: Cell<u8>,
    pub open: RefCell<OpenElements>,
    pub reading: Reading,
    pub options: Rc<Options>,
    /// What is done with the text that comes next.
    pub next_text: Cell<TextReading>,
    /// The element whose raw text that is.
    pub raw_name: Cell<&'static [u8]>,
    /// That text, if it has markup; more than [`MAX_RECORD`] bytes of it if it is too long.
    pub raw_text: Cell<Option<Vec<u8>>>,
    /// The CDATA section that starts, from its first `>` on: where that is, and itself; `None` if it is too long.
    pub cdata: Cell<Option<(u64, Option<Vec<u8>>)>>,
    /// If the comment that starts has HTML for Outlook: the number of bytes before that, and itself; `None` if it is
    /// too long.
    pub comment: Cell<Option<(u64, Option<Vec<u8>>)>>,
    /// Whether html5gum has come to the end of the text.
    pub is_at_end: Cell<bool>,
    /// The number of bytes that were skipped since the emitter asked.
    pub skipped: Cell<u64>,
}

impl Notes {
    /// The notes on a text before its first byte.
    pub fn new(reading: Reading, options: &Rc<Options>, lines: LineCounter) -> Self {
        Notes { lines: lines.into(), reading, options: Rc::clone(options), ..Notes::default() }
    }

    /// Whether the HREF of each BASE is a link.
    pub fn has_base_links(&self) -> bool {
        self.reading == Reading::Fragment || self.options.wary
    }

    /// Whether it is a text in another one that ends in the middle of a tag, a comment or raw text where it goes on for
    /// others.
    pub fn is_closed(&self) -> bool {
        matches!(self.reading, Reading::Srcdoc | Reading::Fragment | Reading::RawText(_)) && self.options.wary
    }

    /// The known attribute of an element whose tag comes next.
    #[inline]
    pub fn attribute_of(&self, open: &OpenElements, element: &[u8], name: &[u8]) -> Option<&'static KnownAttribute> {
        let known = known_attribute(open.language_of(element), element, name);
        if known.is_none() && self.options.wary { suspected_attribute(element, name) } else { known }
    }
}

/// What is done with the text that comes next.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum TextReading {
    #[default]
    Read,
    /// Nobody needs the text between tags, and only the open elements need tags without known attributes.
    Skip,
    /// It is raw, and noted as a whole if it has markup.
    Note,
}

/// A text that html5gum reads in blocks, or skips.
pub struct PageBytes<'a> {
    text: Box<dyn Read + 'a>,
    /// The bytes read at once.
    block: Vec<u8>,
    /// The number of them that have been taken.
    taken: usize,
    /// The number of them that have been read.
    read: usize,
    /// The number of searches in values since the last pause.
    searches: u8,
    /// Shared with the emitter.
    notes: Rc<Notes>,
}

impl<'a> PageBytes<'a> {
    /// Starts to read a text, `block` bytes at once, and counts its lines.
    pub fn new(text: Box<dyn Read + 'a>, block: usize, notes: Rc<Notes>) -> Self {
        PageBytes { text, block: vec![0; block], taken: 0, read: 0, searches: 0, notes }
    }

    /// Reads on if fewer than `wanted` bytes are left.
    #[inline]
    fn fill(&mut self, wanted: usize) {
        if self.read - self.taken < wanted {
            self.read_block(wanted);
        }
    }

    /// Reads on until `wanted` bytes are left, if there are as many.
    #[cold]
    fn read_block(&mut self, wanted: usize) {
        self.block.copy_within(self.taken..self.read, 0);
        (self.taken, self.read) = (0, self.read - self.taken);
        let (mut lines, mut ended) = (self.notes.lines.borrow_mut(), self.notes.error.borrow_mut());
        while self.read < wanted && ended.is_none() {
            let free = &mut self.block[self.read..];
            match self.text.read(free) {
                Ok(0) => break,
                Ok(length) => {
                    lines.add(&free[..length], self.read);
                    self.read += length;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => *ended = Some(error),
            }
        }
    }

    /// Notes the HTML for Outlook in the comment that starts here. It stays unread: html5gum reads the comment, too.
    fn look_into_comment(&mut self) {
        self.fill(3);
        if is_conditional(&self.block[self.taken..self.read]) {
            let html = self.html_in_comment();
            self.notes.comment.set(html);
        }
    }

    /// The HTML for Outlook in the conditional comment that starts here.
    #[cold]
    fn html_in_comment(&mut self) -> Option<(u64, Option<Vec<u8>>)> {
        self.fill(CONDITION);
        let start = html_start(&self.block[self.taken..self.read])?;
        let Some(end) = self.look_ahead(text_end) else {
            return (self.read - self.taken > MAX_RECORD).then_some((start as u64, None));
        };
        let html = self.block[self.taken..self.taken + end].get(start..).filter(|html| is_hidden(html))?;
        Some((start as u64, (html.len() <= MAX_RECORD).then(|| html.to_vec())))
    }

    /// What `find` finds in the text that comes next; `None` if it is not there, or not in [`MAX_RECORD`] bytes. The
    /// text stays unread.
    fn look_ahead(&mut self, find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        loop {
            let text = &self.block[self.taken..self.read];
            let length = text.len();
            let found = find(text);
            if found.is_some() || length > MAX_RECORD {
                return found;
            }
            let wanted = (length * 2).max(CONDITION);
            self.block.resize(self.block.len().max(wanted), 0);
            self.fill(wanted);
            if self.read - self.taken == length {
                return None; // it is the end of the text
            }
        }
    }

    /// Notes the raw text of an element that starts here, if it has what is markup for others.
    #[cold]
    fn look_into_raw_text(&mut self) {
        let name = self.notes.raw_name.get();
        self.notes.next_text.set(TextReading::Read);
        let end = self.look_ahead(|text| raw_text_end(text, name));
        let text = &self.block[self.taken..self.read];
        let text = &text[..end.unwrap_or(text.len())];
        // a reference in STYLE means itself, or what it names
        let has_markup = memchr2(b'<', if name == b"style" { b'&' } else { b'<' }, text).is_some();
        self.notes.raw_text.set(has_markup.then(|| text.to_vec()));
    }

    /// Notes what is markup in the CDATA section that starts here for those who do not know it, if it is one.
    #[cold]
    fn look_into_cdata(&mut self) {
        let end = self.look_ahead(|text| memmem::find(text, b"]]>"));
        let text = &self.block[self.taken..self.read];
        // `]]>` is text after it
        let text = &text[..end.map_or(text.len(), |end| end + 3)];
        if let Some(start) = memchr(b'>', text).filter(|start| *start + 1 < text.len()) {
            let html = text[start + 1..].to_vec();
            self.notes.cdata.set(Some((start as u64 + 1, (html.len() <= MAX_RECORD).then_some(html))));
        }
    }

    /// Skips text and the tags in it that hold no URL, and takes the `<` after it; `None` at the end.
    fn skip_text(&mut self) -> Option<&'static [u8]> {
        loop {
            self.fill(1);
            let left = &self.block[self.taken..self.read];
            let text = memchr(b'<', left).unwrap_or(left.len());
            let tag = skip_tag(&left[text..], &self.notes);
            let is_needed = tag.is_none() && text < left.len();
            let length = text + tag.unwrap_or(0);
            self.notes.skipped.update(|skipped| skipped + length as u64);
            self.taken += length;
            if is_needed {
                self.taken += 1;
                return Some(b"<");
            }
            if length == 0 {
                return None;
            }
        }
    }
}

/// The length of the tag at the start of a text, if it is in plain form and has no known attribute that somebody needs.
/// Only the open elements are changed by it. It saves a fifth of the time of pages, and half of it where no links are
/// wanted.
fn skip_tag(text: &[u8], notes: &Notes) -> Option<usize> {
    let open = &mut *notes.open.borrow_mut();
    let (is_end, tag) = match text {
        [b'<', b'/', tag @ ..] => (true, tag),
        [b'<', tag @ ..] => (false, tag),
        _ => return None,
    };
    let (name, mut rest) = plain_name(tag)?;
    // an attribute without links matters if it is of BASE, or may end SVG or MATH
    let are_needed = notes.reading.wants_links() || name == b"base" || open.is_in_foreign();
    let (is_self_closing, rest) = loop {
        let pair = match rest {
            [b'>', after @ ..] => break (false, after),
            [b' ' | b'\n' | b'\t' | b'\r', pair @ ..] => pair.trim_ascii_start(),
            [b'/', b'>', after @ ..] => break (true, after),
            _ => return None,
        };
        let Some((attribute, value)) = plain_name(pair) else {
            rest = pair; // the end of the tag, if it is in plain form
            continue;
        };
        // most attributes are these two, and they never hold a URL
        let may_matter = are_needed && !matches!(attribute, b"class" | b"id");
        if may_matter && notes.attribute_of(open, name, attribute).is_some() {
            return None;
        }
        rest = match value {
            [b'=', quote @ (b'"' | b'\''), value @ ..] => &value[memchr(*quote, value)? + 1..],
            _ => value,
        };
    };
    if is_end {
        open.end(name);
    } else if text_state(name).is_some() || notes.options.wary && raw_name(name).is_some() {
        return None;
    } else {
        open.start(name, is_self_closing, |_| None);
    }
    Some(text.len() - rest.len())
}

/// Where the raw text of an element ends: at an end tag of its name, in any case.
fn raw_text_end(text: &[u8], name: &[u8]) -> Option<usize> {
    memchr_iter(b'<', text).find(|at| {
        let tag = text[at + 1..].strip_prefix(b"/").unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        tag.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name))
            && tag.get(name.len()).is_some_and(is_end)
    })
}

/// Divides a text after the name at its start, if that has small letters, digits and marks alone.
fn plain_name(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_part = |byte: &u8| matches!(byte, b'_'..=b'z' | b'0'..=b':' | b'-');
    let length = text.iter().position(|byte| !is_part(byte))?;
    text[0].is_ascii_lowercase().then(|| text.split_at(length))
}

#[expect(clippy::inline_always, reason = "measured: otherwise what html5gum searches for is no constant")]
impl Reader for PageBytes<'_> {
    /// A stop of html5gum before it reads on; an error of the system ends the text.
    ///
    /// It calls itself for each value in double quotes, up to the end of the tag, and would use up the stack. There is
    /// no issue about it yet (0.9.0: `inline_next_state`).
    type Error = Pause; // any error without content will do

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Pause> {
        self.fill(1);
        let byte = self.block[..self.read].get(self.taken).copied();
        if let Some(byte) = byte {
            self.taken += 1;
            if !matches!(byte, 0..=b' ' | b'>') {
                self.notes.last.set(byte);
            }
        } else {
            self.notes.is_at_end.set(true);
        }
        Ok(byte)
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Pause> {
        self.fill(text.len());
        let start = self.block[self.taken..self.read].get(..text.len());
        let is_text = start.is_some_and(|start| start == text || !case_sensitive && start.eq_ignore_ascii_case(text));
        if is_text {
            self.taken += text.len();
            if text == b"-" {
                self.look_into_comment();
            } else if text == b"CDATA[" && self.notes.options.wary {
                self.look_into_cdata();
            }
        }
        Ok(is_text)
    }

    #[inline(always)]
    fn read_until<'b>(&'b mut self, needle: &[u8], char_buf: &'b mut [u8; 4]) -> Result<Option<&'b [u8]>, Pause> {
        match self.notes.next_text.get() {
            TextReading::Skip if needle == TEXT => return Ok(self.skip_text()),
            TextReading::Note => self.look_into_raw_text(),
            _ => {}
        }
        if needle == DOUBLE_QUOTED {
            if self.searches == SEARCHES {
                self.searches = 0;
                return Err(Pause);
            }
            self.searches += 1;
        }
        self.fill(1);
        let left = &self.block[self.taken..self.read];
        let piece = if needle.starts_with(NAME) {
            // names are short, and html5gum's search takes long to start; no letter and no digit is a needle
            let length = left.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            left.get(..length.max(1))
        } else {
            let mut left_reader = left.to_reader();
            let Ok(piece) = left_reader.read_until(needle, char_buf);
            piece.map(|piece| &left[..piece.len()])
        };
        self.taken += piece.map_or(0, <[u8]>::len);
        match piece {
            None => self.notes.is_at_end.set(true),
            Some(b"=") => self.notes.last.set(b'='),
            Some(_) => {}
        }
        Ok(piece)
    }
}
