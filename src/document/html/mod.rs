//! HTML documents (§10): where their BASE is, and their links, by the HTML Standard.
//!
//! html5gum reads the tokens. Which elements are open decides how it reads on and whether a BASE
//! applies, so those that matter are remembered.

pub mod attributes;
pub mod charset;
mod comment;
pub mod elements;
mod hint;
mod lines;
mod pending;
mod raw_text;
mod reading;
mod source;
mod style;
mod tag;
mod tags;
#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::rc::Rc;

use encoding_rs::UTF_8;
use memchr::{memchr_iter, memmem};

use super::base_source::BaseSource;
use super::holds::Holds;
use super::place::decoding::Decoding;
use super::problem::Problem;
use super::reader::{Event, Opening, Reader, Value};
use super::values::{Candidate, Options, Rule};
use crate::strip::without_bom;
use charset::guess_charset;
use elements::raw_name;
use lines::LineCounter;
use pending::{PendingLinks, ValueStart};
use reading::Reading;
use source::Notes;
use tag::BaseHref;
use tags::{PageToken, Tags, tokenize};

/// The bytes of HTML that are read at once.
const HTML_BLOCK: usize = 32 * 1024;

/// The bytes of a nested text that are read at once.
const NESTED_BLOCK: usize = 4 * 1024;

/// An HTML document that is being read. It needs memory for the links before its BASE and for the
/// open elements of SVG, MATH and TEMPLATE.
pub struct Page<'a> {
    /// The tags not yet read.
    tags: Tags<'a>,
    notes: Rc<Notes>,
    /// How its bytes are decoded.
    decoding: Decoding,
    /// Where the HREF of its BASE starts, once it has been returned.
    base_start: Option<u64>,
    /// The links that have been read.
    links: PendingLinks,
    /// The line and column of what is wrong with it, once its links have been returned.
    wrong: Option<(u64, u64)>,
}

impl<'a> Page<'a> {
    /// Starts to read a page of which `start` has been read.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn new(mut start: Vec<u8>, mut text: impl Read + 'a, how: &Opening<'_>) -> io::Result<Self> {
        let Opening { charset, line, may_be_markdown, wants_links, options } = *how;
        let guess = if charset.is_none() && options.guesses { guess_charset(&mut start, &mut text)? } else { UTF_8 };
        let charset = charset.unwrap_or(guess);
        let (text, decoding, offset) = Decoding::new(charset).open(start, text);
        let reading = match (wants_links, may_be_markdown) {
            (false, _) => Reading::Base,
            (true, false) if options.has_no_base && charset.is_ascii_compatible() => Reading::BaselessPage,
            (true, false) => Reading::Page,
            (true, true) => Reading::MaybePage,
        };
        let notes = Notes::new(reading, options, LineCounter::new(line, offset));
        Ok(Page::start(text, HTML_BLOCK, notes, offset, decoding))
    }

    /// Starts to read HTML that is nested in another text, which `holds` it.
    pub fn nested(text: Vec<u8>, value: &Value<'_>, decoding: Decoding, options: &Rc<Options>) -> Self {
        let reading = match value.holds {
            Holds::Fragment => raw_name(value.element).map_or(Reading::Fragment, Reading::RawText),
            Holds::Comment => Reading::Comment,
            _ => Reading::Srcdoc,
        };
        // most are short, and all need room for the longest text that html5gum looks for at once
        let block = text.len().clamp(64, NESTED_BLOCK);
        let notes = Notes::new(reading, options, LineCounter::new(1, 0));
        Page::start(Box::new(io::Cursor::new(text)), block, notes, 0, decoding)
    }

    /// Starts to read a text, `block` bytes at once.
    fn start(text: Box<dyn Read + 'a>, block: usize, notes: Notes, offset: u64, decoding: Decoding) -> Self {
        let (tags, notes) = tokenize(text, block, notes, offset);
        Page { tags, notes, decoding, base_start: None, links: PendingLinks::default(), wrong: None }
    }

    /// The candidate that a BASE gives; `None` if its HREF is empty.
    fn candidate(&self, href: &BaseHref) -> Option<Candidate> {
        let BaseHref { value, replaced, value_start, is_in_body } = href;
        let (by, text) = (BaseSource::Element, value.as_deref().unwrap_or_default());
        let (range, _) = Holds::Base.next_url(text, 0)?;
        let kept = self.decoding.keep(text, range.clone(), replaced).into_owned();
        let decoded = self.decoding.decode(text, range, replaced).into_owned();
        if value.is_some() && kept.is_empty() {
            return None;
        }
        let url = if value.is_some() { Ok(kept) } else { Err(Problem::too_long(by)) };
        let (ValueStart { line, column, start, .. }, encoding) = (*value_start, self.decoding.query);
        let (rule, before, is_in_body, is_of_http) = (Rule::Embedded, Vec::new(), *is_in_body, false);
        Some(Candidate { rule, by, before, url, decoded, encoding, is_in_body, is_of_http, line, column, start })
    }
}

impl Reader for Page<'_> {
    fn advance(&mut self) -> io::Result<Option<Event>> {
        loop {
            if let Some(layer) = self.links.advance() {
                return Ok(Some(Event::Value(layer)));
            }
            let Ok(token) = self.tags.next().transpose() else { continue };
            match token {
                Some(PageToken::Links(links)) => self.links = links,
                Some(PageToken::Charset(_) | PageToken::HeadEnd) => {}
                Some(PageToken::Base(href)) => {
                    if let Some(candidate) = self.candidate(&href) {
                        self.base_start = Some(candidate.start);
                        return Ok(Some(Event::Base(candidate)));
                    }
                }
                None => {
                    if let Some(error) = self.notes.error.take() {
                        return Err(error);
                    }
                    let Some((problem, place)) = self.notes.wrong.take() else { return Ok(None) };
                    self.wrong = Some(place);
                    return Ok(Some(Event::Problem(problem)));
                }
            }
        }
    }

    fn value(&self) -> Value<'_> {
        if let Some((line, column)) = self.wrong {
            return Value { line, column, ..Value::default() };
        }
        let value = self.links.value(self.base_start);
        if value.holds == Holds::Base && self.notes.has_base_links() {
            Value { holds: Holds::Url, ..value }
        } else {
            value
        }
    }

    fn rel(&self) -> Option<&[u8]> {
        self.links.rel()
    }

    fn decoding(&self) -> Decoding {
        self.decoding
    }
}

/// Whether a text has what begins like the tag of a BASE, wherever that is.
///
/// # Errors
/// The text cannot be read.
pub fn may_have_base(mut text: impl Read) -> io::Result<bool> {
    let (mut block, mut kept) = (vec![0; HTML_BLOCK], 0);
    loop {
        let end = kept + text.read(&mut block[kept..])?;
        let is_base = |at| block[..end].get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base"));
        let is_found = memchr_iter(b'<', &block[..end]).any(is_base);
        if is_found || end == kept {
            return Ok(is_found);
        }
        kept = end.min(4); // a tag may begin in them
        block.copy_within(end - kept..end, 0);
    }
}

/// Whether a text begins with a tag of HTML or a DOCTYPE, after white space, a byte order mark and comments.
pub fn begins_with_tag(text: &[u8]) -> bool {
    let mut text = without_bom(text).trim_ascii_start();
    while let Some(comment) = text.strip_prefix(b"<!--") {
        let Some(end) = memmem::find(comment, b"-->") else { return true };
        text = comment[end + 3..].trim_ascii_start();
    }
    let Some(tag) = text.strip_prefix(b"<") else { return false };
    let name = &tag[..tag.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'!').count()];
    let is_end = tag.get(name.len()).is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
    is_end && (name.eq_ignore_ascii_case(b"!doctype") || elements::is_known(&name.to_ascii_lowercase()))
}
