//! What reads a text of some type. It finds values, bases and problems; [`Items`](super::Items) finds the
//! URLs in the values.

use std::io::{self, Read};
use std::rc::Rc;

use encoding_rs::Encoding;

use super::holds::Holds;
use super::place::decoding::Decoding;
use super::place::layer::Layer;
use super::problem::Problem;
use super::values::{Candidate, Options};

/// How a text is opened.
#[derive(Clone, Copy)]
pub struct Opening<'a> {
    /// The charset that its transport names; for readers, the one that it has.
    pub charset: Option<&'static Encoding>,
    /// The number of its first line.
    pub line: u64,
    /// Whether nothing but its first element shows that it is HTML: it may be Markdown that begins with a tag.
    pub may_be_markdown: bool,
    /// Whether its links are wanted, and not only its base.
    pub wants_links: bool,
    /// How its document is read.
    pub options: &'a Rc<Options>,
}

/// Reads a text: a document, or what is nested in one. Nothing in it is recursive: the caller reads nested texts.
pub trait Reader {
    /// Goes to what the text has next; `None` at its end.
    ///
    /// # Errors
    /// The text cannot be read.
    fn advance(&mut self) -> io::Result<Option<Event>>;

    /// The current value; after [`Event::Problem`] at least the line and column of what is skipped.
    fn value(&self) -> Value<'_>;

    /// What its element says of the relation of the links in the current value.
    fn rel(&self) -> Option<&[u8]> {
        None
    }

    /// How its bytes are decoded.
    fn decoding(&self) -> Decoding;

    /// Whether it is known to have no other base after its first one.
    fn has_one_base(&self) -> bool {
        true
    }

    /// Whether it is XML with a root that no table has.
    fn is_other(&self) -> bool {
        false
    }
}

/// What a text has next.
pub enum Event {
    /// What may give its base.
    Base(Candidate),
    /// A value, which [`Reader::value`] returns, and where it is in the text.
    Value(Layer),
    Problem(Problem),
    /// This many of the innermost bases have ended.
    EndBases(usize),
}

/// The value of an attribute, or a text that is like one.
#[derive(Default)]
pub struct Value<'a> {
    /// The text, without character references; `None` if it is too long.
    pub text: Option<&'a [u8]>,
    /// How it holds URLs.
    pub holds: Holds,
    pub element: &'a [u8],
    /// The attribute's name; empty if the text is that of the element itself.
    pub attribute: &'a [u8],
    /// Whether browsers fetch it before they read the BASE of its page.
    pub is_early: bool,
    /// The line where it starts.
    pub line: u64,
    /// The column where it starts.
    pub column: u64,
}

/// Reads a text that is held as a whole. `what` it is goes into the error.
///
/// # Errors
/// It cannot be read, or it is longer than `max` bytes.
pub fn read_whole(text: impl Read, what: &str, max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    text.take(max as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > max {
        return Err(io::Error::other(format!("{what} is longer than {} MiB; split it", max / (1024 * 1024))));
    }
    Ok(bytes)
}
