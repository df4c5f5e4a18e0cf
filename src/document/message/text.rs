//! One message: where its header starts, and the redirects that led to it.

use std::rc::Rc;

use memchr::memchr_iter;

use super::fields::LinkField;
use super::header::line_at;
use super::http::{LastResponse, Redirects, last_response};
use super::walk::{Arrived, Walker};
use crate::document::base_source::BaseSource;
use crate::document::problem::Problem;
use crate::document::values::{Candidate, Options, Rule};
use crate::limits::MAX_LISTED_PARTS;
use crate::strip::without_bom;

/// The text of a message.
#[derive(Default)]
pub struct MessageText {
    text: Rc<Vec<u8>>,
    /// Where its header starts.
    start: usize,
    /// The number of lines of the file before that.
    line: u64,
    /// Its number in a mailbox of several messages.
    number: Option<u32>,
    /// Whether it is an HTTP response.
    is_http: bool,
    /// What is skipped at its end, with the line: the response of another transfer, or what was not received.
    pub skipped: Option<(u64, Problem)>,
    /// The redirects that led to it.
    pub redirects: Redirects,
    /// The Link fields of the early hints before it.
    hints: Vec<LinkField>,
}

impl MessageText {
    /// Finds the header of a message, before which the file has `lines` lines. `number` is that in a mailbox of several
    /// messages.
    pub fn new(mut text: Vec<u8>, lines: u64, number: Option<u32>) -> Self {
        let mut start = text.len() - without_bom(&text).len();
        while let (b"", next) = line_at(&text, start)
            && start < text.len()
        {
            start = next; // of a file that a program has made
        }
        if line_at(&text, start).0.starts_with(b"From ") {
            start = line_at(&text, start).1;
        }
        let lines_before = |start| lines + memchr_iter(b'\n', &text[..start]).count() as u64;
        let response = last_response(&text, start, lines_before(start));
        let is_http = response.is_some();
        let whole = || LastResponse { start, end: text.len(), ..LastResponse::default() };
        let LastResponse { start, end, skipped, redirects, hints } = response.unwrap_or_else(whole);
        let line = lines_before(start);
        text.truncate(end);
        MessageText { text: Rc::new(text), start, line, number, is_http, skipped, redirects, hints }
    }

    /// Starts to go through its entities.
    pub fn walk(&self, options: &Rc<Options>) -> Walker {
        let walker = Walker::new(Rc::clone(&self.text), self.start, self.line, self.number).with(options);
        let bases = usize::from(!self.redirects.followed.is_empty());
        if self.is_http { walker.of_response(bases, self.hints.clone()) } else { walker }
    }

    /// The numbers of its parts, or of the first of them; empty if it has none.
    pub fn list(&self) -> String {
        let (mut walker, mut listed, mut count) = (self.walk(&Rc::default()), Vec::new(), 0_usize);
        while let Some(step) = walker.advance() {
            let index = walker.path().len().saturating_sub(1);
            if matches!(step, Arrived::Entity) && index > 0 {
                count += 1;
                if listed.len() < MAX_LISTED_PARTS && index < MAX_LISTED_PARTS {
                    listed.push(walker.number(index));
                }
            }
        }
        let (list, more) = (listed.join(", "), count - listed.len());
        if more > 0 { format!("{list} and {more} more") } else { list }
    }

    /// The URL that it was retrieved from after redirects (§3.3).
    pub fn location(&self) -> Option<Candidate> {
        let mut before = self.redirects.followed.clone();
        let (location, line) = before.pop()?;
        Some(Candidate { before, ..Candidate::in_header(Rule::Retrieval, BaseSource::Location, Ok(location), line) })
    }

    /// Its bytes, to read the next message into them: those that nothing else owns.
    pub fn into_buffer(self) -> Vec<u8> {
        let mut buffer = Rc::into_inner(self.text).unwrap_or_default();
        buffer.clear();
        buffer
    }
}
