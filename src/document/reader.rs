//! What reads a text, and what it finds there.

use std::io;
use std::ops::Range;

use super::decoding::Decoding;
use super::layer::Layer;
use super::{Candidate, Problem};

/// Reads a text: a page, or what is nested in one. Nothing in it is recursive: whoever asks it reads nested texts.
pub trait Reader {
    /// Goes to what the text has next; `None` at its end. `layer` becomes that of the value where it is.
    ///
    /// # Errors
    /// The text cannot be read.
    fn advance(&mut self, layer: &mut Layer) -> io::Result<Option<Event>>;

    /// The value where the current link or nested text is.
    fn value(&self) -> Value<'_>;

    /// How its bytes are decoded.
    fn decoding(&self) -> Decoding;

    /// Whether it is known to have no other base after its first one.
    fn has_one_base(&self) -> bool {
        true
    }
}

/// What a text has next.
pub enum Event {
    /// What may give its base.
    Base(Candidate),
    /// A link: the range of [`Reader::value`].
    Link,
    /// Something is skipped: [`Reader::value`].
    Problem(Problem),
    /// A text of another kind: all of [`Reader::value`].
    Nested(Nested),
    /// So many of its bases have ended.
    EndBases(usize),
}

/// What a nested text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nested {
    /// HTML.
    Html,
    /// CSS.
    Css,
}

/// The value of an attribute, or a text that is like one.
#[derive(Default)]
pub struct Value<'a> {
    /// The text, without character references; `None` if it is too long.
    pub text: Option<&'a [u8]>,
    /// Where the link is in it, without white space around it.
    pub range: Range<usize>,
    /// The element's name.
    pub element: &'a [u8],
    /// The attribute's name; empty if the text is that of the element itself.
    pub attribute: &'static str,
    /// The line where it starts.
    pub line: u64,
    /// The column where it starts.
    pub column: u64,
    /// Whether the link is a BASE that counts.
    pub is_base: bool,
    /// Whether it is one of SVG that means a part of the document if it starts with `#`.
    pub is_of_svg: bool,
}
