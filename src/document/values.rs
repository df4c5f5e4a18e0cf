//! The values that documents give: bases, links, and where they are. Plain values.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use super::base_source::BaseSource;
use super::holds::Holds;
use super::place::decoding::Decoding;
use super::place::layer::{Layer, Replaced};
use super::problem::Problem;
use super::types::{MediaType, Type};

/// The rule of §3 that gives a base URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// It is embedded in the document's content.
    Embedded,
    /// It is that of an entity around the document.
    Encapsulating,
    /// It is the URL the document was retrieved from.
    Retrieval,
    /// There is no base URL.
    Undefined,
}

impl Rule {
    /// The rule's section in RFC 1808.
    pub fn section(self) -> &'static str {
        match self {
            Rule::Embedded => "3.1",
            Rule::Encapsulating => "3.2",
            Rule::Retrieval => "3.3",
            Rule::Undefined => "3.4",
        }
    }
}

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its number, such as `2.1`; empty for the body of the message itself.
    pub number: String,
    /// Whether its text had to be decoded, so that it has lines of its own.
    pub is_decoded: bool,
}

/// A place in a document.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The part of a message; `None` outside all parts.
    pub part: Option<&'a Part>,
    /// The line, from 1: of the document, or of the part's own text if that had to be decoded.
    pub line: u64,
    /// The column there, in bytes from 1.
    pub column: u64,
}

/// Why a base URL applies.
#[derive(Clone, Copy, Debug)]
pub struct BaseReason<'a> {
    /// The rule of §3.
    pub rule: Rule,
    /// What has it in the document; `None` for rules 3.3 and 3.4.
    pub by: Option<BaseSource>,
    /// Whether it is a BASE with a relative URL, which §10 does not have.
    pub is_relative: bool,
    /// Whether it is a BASE in BODY, which §10 does not have.
    pub is_in_body: bool,
    /// Where that is; `None` for rules 3.3 and 3.4.
    pub place: Option<Place<'a>>,
}

impl BaseReason<'_> {
    /// The URL that the document was retrieved from, or no base if that is empty.
    pub fn retrieval(url: &[u8]) -> Self {
        let rule = if url.is_empty() { Rule::Undefined } else { Rule::Retrieval };
        BaseReason { rule, by: None, is_relative: false, is_in_body: false, place: None } // §3.3, §3.4
    }
}

/// What may be a base URL.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The rule of §3 by which it applies.
    pub rule: Rule,
    pub by: BaseSource,
    /// The URLs before it that lead to it, each relative to the one before, with their lines: those of redirects.
    pub before: Vec<(Vec<u8>, u64)>,
    /// The URL as RFC 1808 reads it, perhaps a relative one, or why there is no URL.
    pub url: Result<Vec<u8>, Problem>,
    /// The URL as other standards read it.
    pub decoded: Vec<u8>,
    /// The charset that browsers encode its query in.
    pub encoding: &'static Encoding,
    /// Whether it is a BASE in BODY.
    pub is_in_body: bool,
    /// Whether the header of an HTTP response embeds it: by WHATWG it is then no base.
    pub is_of_http: bool,
    /// The line where it is.
    pub line: u64,
    /// The column there, in bytes from 1.
    pub column: u64,
    /// The offset there, in the text that has it.
    pub start: u64,
}

impl Candidate {
    /// A candidate in a line of a header.
    pub fn in_header(rule: Rule, by: BaseSource, url: Result<Vec<u8>, Problem>, line: u64) -> Self {
        let decoded = url.as_ref().cloned().unwrap_or_default();
        let (before, encoding, is_in_body, is_of_http) = (Vec::new(), UTF_8, false, false);
        Candidate { rule, by, before, url, decoded, encoding, is_in_body, is_of_http, line, column: 1, start: 0 }
    }
}

/// A link of a document.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// The value of the attribute, without character references; `None` if it is longer than
    /// [`MAX_RECORD`](crate::limits::MAX_RECORD).
    pub value: Option<&'a [u8]>,
    /// Where the URL is in it, without white space around it.
    pub range: Range<usize>,
    /// How the value holds it: [`Holds::Base`] if it gives its own base.
    pub holds: Holds,
    /// The texts that the value is in, the outermost first, and the value itself. The first one starts in the file,
    /// or in what was decoded of it.
    pub layers: &'a [Layer],
    /// How the value's bytes are decoded.
    pub decoding: Decoding,
    /// The element's name, in lower case.
    pub element: &'a [u8],
    /// The attribute's name, in lower case; empty if the link is in the text of the element.
    pub attribute: &'a [u8],
    /// The text of the attribute `rel` of its element; `None` if it has no such attribute,
    /// or that is not wanted.
    pub rel: Option<&'a [u8]>,
    /// Where the attribute's value starts.
    pub place: Place<'a>,
    /// The index of its base: see [`Item::Base`].
    pub base: usize,
    /// The index of the base with which browsers fetch it: another one if they do so before they read the BASE of its
    /// page.
    pub fetched_with: usize,
}

impl<'a> Link<'a> {
    /// The reference as RFC 1808 reads it: without TAB, CR and LF; empty if it is too long. It has the bytes of the
    /// document, if they are in UTF-8, Latin-1 or an unknown charset.
    pub fn kept(&self) -> Cow<'a, [u8]> {
        self.value.map_or(Cow::Borrowed(b""), |value| self.decoding.keep(value, self.range.clone(), self.replaced()))
    }

    /// The URL as other standards than RFC 1808 read it: in UTF-8.
    pub fn decoded(&self) -> Cow<'a, [u8]> {
        self.value.map_or(Cow::Borrowed(b""), |value| self.decoding.decode(value, self.range.clone(), self.replaced()))
    }

    /// What was replaced in the value.
    fn replaced(&self) -> &[Replaced] {
        self.layers.last().map_or(&[], |layer| &layer.replaced)
    }
}

/// What a document has, as far as URLs are concerned.
#[derive(Debug)]
pub enum Item<'a> {
    Problem(Place<'a>, Problem),
    /// A place that may give a base. Bases are a stack: the URL that the document was retrieved from has
    /// index 0, this one has index `outer + 1`, and all bases above that have ended.
    Base {
        /// The index of the base that candidates are relative to, and that applies if no candidate can be used.
        outer: usize,
        /// The part that has it.
        part: Option<&'a Part>,
        /// The candidates, of which the first that can be used applies. If it has none, the base of the last page
        /// applies.
        candidates: Vec<Candidate>,
    },
    /// The end of a page that is a part of a message, and the index of its base.
    PageEnd(usize),
    /// A link. All bases above its own have ended.
    Link(Link<'a>),
}

/// How a document is read.
#[derive(Clone, Default)]
pub struct Options {
    /// What it is; otherwise its name or its content decides.
    pub media_type: Option<MediaType>,
    /// The name of its file; empty if it has none.
    pub name: Vec<u8>,
    /// The charset of a text, if its transport names it.
    pub charset: Option<&'static Encoding>,
    /// Whether the charset is guessed if none is named: [`Link::decoded`] needs it.
    pub guesses: bool,
    /// Whether it is rewritten: [`Link::layers`] have all that was replaced, and the HREF of a BASE is a link, too.
    pub rewrites: bool,
    /// Whether [`Link::rel`] is wanted.
    pub relations: bool,
    /// Whether it is read in every way that something may read it.
    pub wary: bool,
    /// Whether no byte of a page begins the tag of a BASE, unless its charset has other bytes for that.
    pub has_no_base: bool,
}

impl Options {
    /// The type that its name ends in; in a wary run, the one that a server may give such a name.
    pub fn type_by_name(&self) -> Option<&'static Type> {
        if self.wary { Type::of_served(&self.name) } else { Type::of_name(&self.name) }
    }
}
