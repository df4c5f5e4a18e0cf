//! Which base URL applies to a document, and why (§3), and the document's links.
//!
//! | § | where |
//! |---|---|
//! | 3.1 in HTML, 10 | [`html`] |
//! | 3.1 in messages, the entities of 3.2 | [`message`] |
//! | the precedence of 3 | here: a document yields candidates, the outermost first |
//!
//! Nothing is resolved here: the standard that resolves the links also resolves the candidates.

mod base_source;
mod content_type;
pub mod css;
pub mod holds;
mod html;
mod items;
mod link;
pub mod markdown;
mod message;
mod namespace;
mod open;
pub mod place;
mod problem;
pub mod reader;
pub mod rewritable;
mod sniff;
pub mod types;
mod values;
mod xml;

use std::io::{self, Read};
use std::rc::Rc;

pub use base_source::BaseSource;
pub use content_type::ContentType;
pub use html::{attributes, may_have_base};
use items::Content;
pub use items::{Items, Unsearched};
use message::{Mailbox, Walker};
pub use problem::{Problem, Weight};
pub use sniff::NotADocument;
use sniff::{is_misnamed, sniff};
pub use types::MediaType;
pub use values::{BaseReason, Candidate, Item, Link, Options, Part, Place, Rule};
pub use xml::XmlError;

use crate::limits::{SNIFF_LEN, TEXT_START};
use crate::refuse::packed;

/// The bytes read at once to find out what a document is, because the rest may arrive much later. They show binary
/// data, too.
const SNIFF_STEP: u64 = TEXT_START as u64;

/// A document whose first bytes have been read.
pub struct Document<'a> {
    content: Content<'a>,
    /// How it is read.
    pub options: Rc<Options>,
    /// The way to the part of a message whose base is wanted, or to the message itself.
    selected: Option<Walker>,
}

impl<'a> Document<'a> {
    /// Starts to read a document: HTML up to where it can be distinguished from a message, a message to
    /// its end.
    ///
    /// # Errors
    /// It cannot be read, or it is surely not a document.
    pub fn new(mut text: impl Read + 'a, mut options: Options) -> io::Result<Self> {
        let mut start = Vec::with_capacity(SNIFF_LEN); // read_to_end reads 32 bytes first if there is no room
        let (media_type, is_misnamed) = loop {
            // it grows with what is read
            let step = if start.len() < SNIFF_LEN { SNIFF_STEP } else { start.len() as u64 };
            let is_end = text.by_ref().take(step).read_to_end(&mut start)? == 0;
            let by_option = || {
                options
                    .media_type
                    .map(|media_type| packed(&start).map_or(Ok(media_type), |its| Err(NotADocument::Packed(its))))
            };
            if let Some(sniffed) = by_option().or_else(|| sniff(&start, is_end, &options))
                && let Some(is_misnamed) = is_misnamed(&start, is_end, &options)
            {
                break (sniffed?, is_misnamed);
            }
        };
        let content = match media_type {
            MediaType::Html | MediaType::Css | MediaType::Xml | MediaType::Markdown => Content::Text {
                media_type,
                may_be_markdown: options.media_type.is_none() && options.type_by_name().is_none(),
                is_misnamed,
                text: Box::new(io::Cursor::new(start).chain(text)),
            },
            MediaType::Message => {
                options.has_no_base = false; // its bytes are not those of its parts
                let mut rest = Box::new(text);
                Content::Messages(Box::new(Mailbox::new(start, &mut rest)?), rest)
            }
        };
        Ok(Document { content, options: options.into(), selected: None })
    }

    /// Selects the document itself, or its part `number`, for [`Document::bases`]. Returns whether there is such a
    /// part.
    ///
    /// # Errors
    /// The messages before it cannot be read.
    pub fn select(&mut self, number: &[u32]) -> io::Result<bool> {
        self.selected = match &mut self.content {
            // several messages have no header in common
            Content::Messages(mailbox, rest) if !number.is_empty() || !mailbox.has_several() => {
                mailbox.find(number, rest)?
            }
            Content::Text { .. } | Content::Messages(..) => None,
        };
        Ok(self.selected.is_some() || number.is_empty())
    }

    /// The numbers of its parts, or of the first of them; empty if it has no parts.
    ///
    /// # Errors
    /// The rest of a mailbox cannot be read.
    pub fn parts(&mut self) -> io::Result<String> {
        match &mut self.content {
            Content::Text { .. } => Ok(String::new()),
            Content::Messages(mailbox, rest) => mailbox.parts(rest),
        }
    }

    /// The Locations that led to an HTTP response, with their lines, and give it a base; `None` in a text.
    pub fn redirects(&mut self) -> Option<&mut Vec<(Vec<u8>, u64)>> {
        let Content::Messages(mailbox, _) = &mut self.content else { return None };
        Some(&mut mailbox.message_mut().redirects.followed)
    }

    /// The bases of what was selected, the outermost first. The last [`Item::Base`] is its own.
    pub fn bases(&mut self) -> Items<'_> {
        Items::bases(&mut self.content, self.selected.take(), &self.options)
    }

    /// All links of a text, of the parts of a message or of the content of a response, and their bases.
    pub fn links(&mut self) -> Items<'_> {
        Items::links(&mut self.content, &self.options)
    }
}
