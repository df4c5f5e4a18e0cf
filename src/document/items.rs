//! What a document has, one thing after the other.
//!
//! Bases are a stack, of which only the indices are known here; `documents/bases.rs` has the URLs. A message was
//! retrieved from U, its header has `Base: <URL:http://b/>`, and its one part is a page with a srcdoc:
//!
//! ```text
//! Base: <URL:http://b/>                       Base, outer 0    stack: U, http://b/
//! <a href=1><base href=/p/>                   Base, outer 1    stack: U, http://b/, /p/
//!                                             link 1, base 2
//! <iframe srcdoc='<base href=q/><a href=2>'>  Base, outer 2    stack: U, http://b/, /p/, q/
//!                                             link 2, base 3
//! <a href=3>                                  link 3, base 2: the base of the srcdoc has ended
//! ```
//!
//! No item says that a base has ended: the next item on a lower base shows it.

mod content;
mod messages;
mod upcoming;

use std::collections::HashSet;
use std::io::{self, Read};
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use memchr::memchr_iter;

use super::holds::Holds;
use super::message::{Mailbox, Walker};
use super::open::{open, open_nested};
use super::place::layer::Layer;
use super::problem::Problem;
use super::reader::{Event, Opening, Reader, Value};
use super::types::MediaType;
use super::values::{Candidate, Item, Link, Options, Place};
use crate::limits::MAX_NESTING;
use messages::MessageItems;
pub use messages::Unsearched;
use upcoming::{Next, NextText, Upcoming};

/// What a document has.
pub enum Content<'a> {
    /// HTML, CSS, XML or Markdown, to be read.
    Text {
        media_type: MediaType,
        /// Whether nothing but its first element shows that it is HTML.
        may_be_markdown: bool,
        /// Whether it is HTML by its name, and an email by its beginning.
        is_misnamed: bool,
        text: Box<dyn Read + 'a>,
    },
    /// A message or several, and what is not yet read of them.
    Messages(Box<Mailbox>, Box<dyn Read + 'a>),
}

/// A text that is being read.
struct OpenText<'a> {
    reader: Box<dyn Reader + 'a>,
    /// The index of its base.
    base: usize,
    /// The indices of the bases that browsers have before its own one, and then.
    browser_bases: [usize; 2],
    /// Where the current URL is in its current value.
    url: Range<usize>,
    /// Where the next one is searched from, if there may be one.
    rest: Option<usize>,
}

impl OpenText<'_> {
    /// The index of the base with which browsers fetch a value.
    fn fetched_with(&self, value: &Value<'_>) -> usize {
        self.browser_bases[usize::from(!value.is_early)]
    }

    /// Changes the index of its base.
    fn set_base(&mut self, base: usize) {
        (self.base, self.browser_bases[1]) = (base, base);
    }

    /// Goes to the next URL of the current value. Returns whether there is one.
    fn next_url(&mut self) -> bool {
        let Some(rest) = self.rest.take() else { return false };
        let value = self.reader.value();
        let next = value.text.and_then(|text| value.holds.next_url(text, rest));
        let has_next = next.is_some();
        (self.url, self.rest) = next.unwrap_or_default();
        has_next
    }
}

/// Where the lines of a nested text are in the file.
#[derive(Default)]
struct NestedLines {
    /// The line where it starts.
    line: u64,
    column: u64,
    /// Where other lines start in it, in the file.
    starts: Vec<u64>,
}

/// What a document has, in its order.
pub struct Items<'a> {
    /// Whether all links are wanted, or a base.
    wants_links: bool,
    /// How the document is read.
    options: &'a Rc<Options>,
    messages: MessageItems<'a>,
    next: Upcoming<'a>,
    /// The texts that are being read, each nested in the one before it.
    open: Vec<OpenText<'a>>,
    /// Whether the first of them is a page that is a part of a message.
    is_in_page: bool,
    /// For each open text, the layer of its current value.
    layers: Vec<Layer>,
    /// The lines of the first nested text.
    lines: NestedLines,
    /// In a wary run, the places and texts of the links in the nested texts that one value has been read as.
    returned: HashSet<(u64, u64, Vec<u8>)>,
}

impl<'a> Items<'a> {
    /// The bases of a text, or of a part of a message and the entities around it.
    pub(super) fn bases(content: &'a mut Content<'_>, selected: Option<Walker>, options: &'a Rc<Options>) -> Self {
        Items::new(content, options, false, |mailbox, _, next| MessageItems::of_part(selected, mailbox, next))
    }

    /// All links, and the bases for them.
    pub(super) fn links(content: &'a mut Content<'_>, options: &'a Rc<Options>) -> Self {
        Items::new(content, options, true, |mailbox, rest, next| MessageItems::all(mailbox, rest, options, next))
    }

    /// What a document has. `start` starts with its messages.
    fn new(
        content: &'a mut Content<'_>,
        options: &'a Rc<Options>,
        wants_links: bool,
        start: impl FnOnce(&'a mut Mailbox, &'a mut (dyn Read + 'a), &mut Upcoming<'a>) -> MessageItems<'a>,
    ) -> Self {
        let mut next = Upcoming::default();
        let messages = match content {
            Content::Text { media_type, may_be_markdown, is_misnamed, text } => {
                let weigh = |problem: Problem| if options.wary { problem } else { problem.noted() };
                let problem = is_misnamed.then(|| weigh(Problem::MISNAMED));
                next.queue.extend(problem.map(|problem| Next::Problem(1, 1, problem)));
                next.text = Some(NextText::document(*media_type, *may_be_markdown, text, options));
                MessageItems::default()
            }
            Content::Messages(mailbox, rest) => start(mailbox, rest, &mut next),
        };
        let (open, is_in_page, layers, lines, returned) = Default::default();
        Items { wants_links, options, messages, next, open, is_in_page, layers, lines, returned }
    }

    /// What comes next; `None` at the end of the document.
    ///
    /// # Errors
    /// The document cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Item<'_>>> {
        let Some(next) = self.advance()? else { return Ok(None) };
        let part = self.next.part.as_ref();
        Ok(match next {
            Next::Problem(line, column, problem) => Some(Item::Problem(Place { part, line, column }, problem)),
            Next::Base(outer, candidates) => Some(Item::Base { outer, part, candidates }),
            Next::PageEnd(base) => Some(Item::PageEnd(base)),
            Next::Link => self.open.last().map(|open| {
                let value = open.reader.value();
                let (line, column) = self.location(value.line, value.column);
                Item::Link(Link {
                    value: value.text,
                    range: open.url.clone(),
                    holds: value.holds,
                    layers: &self.layers,
                    decoding: open.reader.decoding(),
                    element: value.element,
                    attribute: value.attribute,
                    rel: if self.options.relations { open.reader.rel() } else { None },
                    place: Place { part, line, column },
                    base: open.base,
                    fetched_with: open.fetched_with(&value),
                })
            }),
        })
    }

    /// What was not searched in the texts that have ended.
    pub fn unsearched(&self) -> Unsearched {
        self.messages.unsearched
    }

    /// The number of the part that had the last item; empty for the document itself.
    pub fn number(&self) -> &str {
        self.next.part.as_ref().map_or("", |part| &part.number)
    }

    /// Goes to what comes next.
    ///
    /// Each turn of the loop takes one step, the first of these that can be taken: what is queued; the next URL of the
    /// current value; the next event of the innermost text; the links of the next header; the next text; the next
    /// entity or message. That is the order of the document, because an inner text is read to its end before the outer
    /// one goes on.
    ///
    /// A step only changes the stack or the queue, and the loop starts again from the top. So nothing is recursive,
    /// however deep texts are nested, and [`MAX_NESTING`] bounds the stack. The queue is filled when it is empty, by
    /// one event or one header, so it is never longer than what one header has. `layers` has one layer for each open
    /// text; both change only in `start_text` and `end_text`.
    ///
    /// XML that is malformed in a message ends only its part. Any other error goes to the caller.
    fn advance(&mut self) -> io::Result<Option<Next>> {
        loop {
            if let Some(next) = self.next.queue.pop_front() {
                return Ok(Some(next));
            }
            if let (Some(open), Some(layer)) = (self.open.last_mut(), self.layers.last_mut()) {
                if open.next_url() {
                    if self.is_repeated() {
                        continue;
                    }
                    return Ok(Some(Next::Link));
                }
                match open.reader.advance() {
                    Ok(Some(Event::Value(its))) => {
                        debug_assert!(its.is_ascending(), "the pieces of a value are in their order");
                        *layer = its;
                        self.start_value();
                    }
                    Ok(Some(Event::Base(candidate))) => {
                        layer.start = candidate.start;
                        self.start_base(candidate);
                    }
                    Ok(Some(Event::Problem(problem))) => self.skip(problem),
                    Ok(Some(Event::EndBases(count))) => open.set_base(open.base - count),
                    Ok(None) => self.end_text(),
                    Err(error) => {
                        self.next.queue.push_back(self.messages.skip_rest(error)?);
                        self.end_text();
                    }
                }
            } else if let Some((header, base)) = self.next.header.take() {
                self.start_text(Box::new(header), base, base);
            } else if let Some(NextText { text, media_type, charset, line, may_be_markdown, part, base }) =
                self.next.text.take()
            {
                self.next.part = part;
                let Items { wants_links, options, .. } = *self;
                match open(media_type, text, &Opening { charset, line, may_be_markdown, wants_links, options }) {
                    Ok(Ok(reader)) => {
                        self.is_in_page = wants_links && media_type == MediaType::Html && self.next.part.is_some();
                        self.start_text(reader, base, base);
                    }
                    Ok(Err(problem)) => self.next.queue.extend(problem.map(|problem| Next::Problem(line, 1, problem))),
                    Err(error) => self.next.queue.push_back(self.messages.skip_rest(error)?),
                }
            } else if !self.messages.advance(self.wants_links, &mut self.next)? {
                return Ok(None);
            }
        }
    }

    /// Starts with a text. Browsers fetch it `with` a base.
    fn start_text(&mut self, reader: Box<dyn Reader + 'a>, base: usize, with: usize) {
        self.open.push(OpenText { reader, base, browser_bases: [with; 2], url: 0..0, rest: None });
        self.layers.push(Layer::default());
    }

    /// Ends the innermost text.
    fn end_text(&mut self) {
        let ended = self.open.pop();
        self.messages.unsearched.is_other |= ended.as_ref().is_some_and(|open| open.reader.is_other());
        self.layers.pop();
        if let Some(page) = ended.filter(|_| self.open.is_empty() && mem::take(&mut self.is_in_page)) {
            self.next.queue.push_back(Next::PageEnd(page.base));
        }
    }

    /// Queues a base that the innermost text may have, and ends the text if nothing else is wanted of it.
    fn start_base(&mut self, mut candidate: Candidate) {
        (candidate.line, candidate.column) = self.location(candidate.line, candidate.column);
        debug_assert!(!self.open.is_empty(), "a text has the base");
        let Some(open) = self.open.last_mut() else { return };
        let outer = open.base;
        open.set_base(outer + 1);
        if !self.wants_links && open.reader.has_one_base() {
            self.end_text();
        }
        self.next.queue.push_back(Next::Base(outer, vec![candidate]));
    }

    /// Skips the current value of the innermost text.
    fn skip(&mut self, problem: Problem) {
        if let Some(Value { line, column, .. }) = self.open.last().map(|open| open.reader.value()) {
            let (line, column) = self.location(line, column);
            self.next.queue.push_back(Next::Problem(line, column, problem));
        }
    }

    /// Whether the current link of a nested text has been returned, from another reading of the same text.
    fn is_repeated(&mut self) -> bool {
        let (true, [_, .., open]) = (self.options.wary, &*self.open) else { return false };
        let Value { line, column, text, .. } = open.reader.value();
        let (line, column) = self.location(line, column);
        let url = text.map_or(Vec::new(), |text| text[open.url.clone()].to_vec());
        !self.returned.insert((line, column + open.url.start as u64, url))
    }

    /// Starts with the current value of the innermost text: with its URLs, or with the text that it is.
    fn start_value(&mut self) {
        debug_assert!(!self.open.is_empty(), "a text has the value");
        let is_outer = self.open.len() == 1;
        let Some(open) = self.open.last_mut() else { return };
        let Value { text, holds, .. } = open.reader.value();
        if is_outer && !matches!(holds, Holds::Fragment | Holds::Imports) {
            self.returned.clear();
        }
        match (text.is_some(), holds) {
            (true, Holds::Html | Holds::Fragment | Holds::Comment | Holds::Css | Holds::Style | Holds::Imports) => {
                self.start_nested();
            }
            (true, _) => open.rest = Some(0),
            (false, Holds::Imports) => {} // the same STYLE is too long
            (false, Holds::Style) => self.skip(Problem::LONG_STYLE),
            (false, Holds::Html | Holds::Fragment | Holds::Comment | Holds::Css) => self.skip(Problem::LONG_TEXT),
            (false, _) => {
                open.url = 0..0;
                self.next.queue.push_back(Next::Link);
            }
        }
    }

    /// Starts to read the current value of the innermost text as a text of its own, or skips it as a problem.
    fn start_nested(&mut self) {
        if self.open.len() > MAX_NESTING {
            return self.skip(Problem::TEXT_TOO_DEEP);
        }
        let (Some(open), Some(layer)) = (self.open.last(), self.layers.last_mut()) else { return };
        let value = open.reader.value();
        let Some(text) = value.text else { return };
        let Some((text, decoding)) = open.reader.decoding().nested(text, layer) else {
            return self.skip(Problem::LONG_TEXT);
        };
        debug_assert!(layer.is_ascending(), "the pieces of a decoded text are in their order");
        if self.open.len() == 1 {
            self.lines = NestedLines::new(&*open.reader, &text, layer);
        }
        let (base, with) = (open.base, open.fetched_with(&value));
        let reader = open_nested(text, &value, decoding, self.options);
        self.start_text(reader, base, with);
    }

    /// The line and column in the file of a value that has a line and column in the innermost text.
    fn location(&self, line: u64, column: u64) -> (u64, u64) {
        let Some((first, [nested @ .., innermost])) = self.layers.split_first() else { return (line, column) };
        let outwards = |at, layer: &Layer| layer.outer(at..at).start;
        self.lines.location(nested.iter().rev().fold(innermost.start, outwards), first)
    }
}

impl NestedLines {
    /// The lines of the current value of a reader, which is a text of its own.
    fn new(reader: &dyn Reader, text: &[u8], layer: &Layer) -> Self {
        let Value { line, column, .. } = reader.value();
        // LF of `&#10;` ends no line
        let is_reference = |at| layer.replaced_at(at).is_some_and(|piece| piece.raw().len() > 2);
        let ends = memchr_iter(b'\n', text).filter(|at| !is_reference(*at));
        let start = |end: usize| layer.outer(end as u64..end as u64 + 1).end;
        NestedLines { line, column, starts: ends.map(start).collect() }
    }

    /// The line and column of an offset in the text.
    fn location(&self, at: u64, layer: &Layer) -> (u64, u64) {
        let at = layer.outer(at..at).start;
        let passed = self.starts.partition_point(|start| *start <= at);
        let column = match self.starts[..passed].last() {
            Some(start) => at - start + 1,
            None => self.column + at - layer.start,
        };
        (self.line + passed as u64, column)
    }
}
