//! What comes next in a document.

use std::collections::VecDeque;
use std::io::Read;

use encoding_rs::Encoding;

use crate::document::message::HeaderLinks;
use crate::document::problem::Problem;
use crate::document::types::MediaType;
use crate::document::values::{Candidate, Options, Part};

/// A text that is not yet begun.
pub struct NextText<'a> {
    pub media_type: MediaType,
    pub text: Box<dyn Read + 'a>,
    /// The charset that its header names.
    pub charset: Option<&'static Encoding>,
    /// The number of its first line.
    pub line: u64,
    /// Whether nothing but its first element shows that it is HTML.
    pub may_be_markdown: bool,
    /// The part of the message that it is.
    pub part: Option<Part>,
    /// The index of the base around it.
    pub base: usize,
}

impl<'a> NextText<'a> {
    /// A document that is no message.
    pub fn document(media_type: MediaType, may_be_markdown: bool, text: impl Read + 'a, options: &Options) -> Self {
        let (text, charset) = (Box::new(text), options.charset);
        NextText { media_type, text, charset, line: 1, may_be_markdown, part: None, base: 0 }
    }
}

/// What a document has next.
pub enum Next {
    /// What is skipped, with its line and column.
    Problem(u64, u64, Problem),
    /// Candidates, and the index of the base around them.
    Base(usize, Vec<Candidate>),
    /// The current link of the innermost text.
    Link,
    /// The end of a page, with the index of its base.
    PageEnd(usize),
}

/// What comes next in a document, up to the start of a text.
#[derive(Default)]
pub struct Upcoming<'a> {
    /// What the header of the current entity has next.
    pub queue: VecDeque<Next>,
    /// The links of its header, which come after that, and the index of their base.
    pub header: Option<(HeaderLinks, usize)>,
    /// The text that comes after that.
    pub text: Option<NextText<'a>>,
    /// The part that has the page or the header.
    pub part: Option<Part>,
}
