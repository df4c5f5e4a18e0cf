//! Which base URL applies to a document, and why (§3), and the document's links.
//!
//! | § | where |
//! |---|---|
//! | 3.1 in HTML, 10 | [`html`] |
//! | 3.1 in messages, the entities of 3.2 | [`message`] |
//! | the precedence of 3 | here: a document yields candidates, the outermost first |
//!
//! Nothing is resolved here: the standard that resolves the links also resolves the candidates.

mod html;
mod message;
mod problem;
mod refuse;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::{fmt, vec};

use encoding_rs::Encoding;
use html::{Page, PageLink};
use message::{Coding, Kind, Tree};
pub use problem::Problem;
use refuse::{TagSearch, check_first_bytes};

use crate::limits::{SNIFF_LEN, SNIFF_STEP};

/// What a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MediaType {
    /// HTML.
    Html,
    /// A message: RFC 822, MIME or HTTP.
    Message,
}

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
    /// Its number.
    number: String,
    /// Whether its text had to be decoded, so that it has lines of its own.
    pub is_decoded: bool,
}

impl Part {
    /// Its number, such as `2.1`; empty for the body of the message itself.
    pub fn number(&self) -> &str {
        &self.number
    }

    /// Whether it is the body of the message itself.
    pub fn is_whole(&self) -> bool {
        self.number.is_empty()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.number)
    }
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
pub struct Found<'a> {
    /// The rule of §3.
    pub rule: Rule,
    /// What has it in the document: `BASE`, or the name of a header field.
    pub by: &'static str,
    /// Whether it is a BASE with a relative URL, which §10 does not have.
    pub is_relative: bool,
    /// Whether it is a BASE in BODY, which §10 does not have.
    pub is_in_body: bool,
    /// Where that is; `None` for rules 3.3 and 3.4.
    pub place: Option<Place<'a>>,
}

impl Found<'_> {
    /// The URL that the document was retrieved from, or no base if that is empty.
    pub fn retrieval(url: &[u8]) -> Self {
        let rule = if url.is_empty() { Rule::Undefined } else { Rule::Retrieval };
        Found { rule, by: "", is_relative: false, is_in_body: false, place: None } // §3.3, §3.4
    }
}

/// What may be a base URL.
#[derive(Debug)]
pub struct Candidate {
    /// What has it: `BASE`, or the name of a header field.
    pub by: &'static str,
    /// The URL, perhaps a relative one, or why there is no URL.
    pub url: Result<Vec<u8>, Problem>,
    /// Whether it is a BASE in BODY.
    pub is_in_body: bool,
    /// The line where it is.
    pub line: u64,
    /// The column there, in bytes from 1.
    pub column: u64,
}

/// A link of a document.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// Its bytes, without character references and without white space around them; `None` if it is longer
    /// than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    pub bytes: Option<&'a [u8]>,
    /// The element's name, in lower case.
    pub element: &'a [u8],
    /// The attribute's name, in lower case.
    pub attribute: &'static str,
    /// Where the attribute's value starts.
    pub place: Place<'a>,
    /// The index of its base: see [`Item::Base`].
    pub base: usize,
}

impl<'a> Link<'a> {
    /// The reference: the bytes without TAB, CR and LF; empty if they are too long.
    pub fn text(&self) -> Cow<'a, [u8]> {
        without_breaks(self.bytes.unwrap_or_default())
    }
}

/// A URL in an attribute, without TAB, CR and LF.
fn without_breaks(url: &[u8]) -> Cow<'_, [u8]> {
    let is_break = |byte: &u8| matches!(byte, b'\t' | b'\r' | b'\n');
    if url.iter().any(is_break) {
        Cow::Owned(url.iter().copied().filter(|byte| !is_break(byte)).collect())
    } else {
        Cow::Borrowed(url)
    }
}

/// What a document has, as far as URLs are concerned.
#[derive(Debug)]
pub enum Item<'a> {
    /// Something is skipped.
    Problem(Place<'a>, Problem),
    /// A place that may give a base. Bases are a stack: the URL that the document was retrieved from has
    /// index 0, this one has index `outer + 1`, and all bases above that have ended.
    Base {
        /// The index of the base that candidates are relative to, and that applies if no candidate can be used.
        outer: usize,
        /// The part that has it.
        part: Option<&'a Part>,
        /// The candidates, of which the first that can be used applies.
        candidates: Vec<Candidate>,
    },
    /// A link. All bases above its own have ended.
    Link(Link<'a>),
}

/// A document.
pub struct Document<'a> {
    /// What it has.
    content: Content<'a>,
    /// Whether the charset that it names is decoded, as other standards than RFC 1808 need it.
    decodes: bool,
}

/// What a document has.
enum Content<'a> {
    /// HTML, to be read.
    Html {
        /// The text.
        text: Box<dyn Read + 'a>,
    },
    /// A message.
    Message(Tree),
}

/// There is no such part.
pub struct NoPart {
    /// The numbers of the parts, or of the first of them.
    pub parts: String,
}

impl<'a> Document<'a> {
    /// Starts to read a document: HTML up to where it can be distinguished from a message, a message to
    /// its end. `decodes`: Latin-1 and UTF-8 are decoded where the document names them.
    ///
    /// # Errors
    /// It cannot be read, or it is surely not a document.
    pub fn new(mut text: impl Read + 'a, media_type: Option<MediaType>, decodes: bool) -> io::Result<Self> {
        let mut start = Vec::new();
        let is_enough = |start: &[u8]| match media_type {
            Some(_) => !start.is_empty(),
            None => message::can_decide(start) || start.len() >= SNIFF_LEN,
        };
        while !is_enough(&start) && text.by_ref().take(SNIFF_STEP).read_to_end(&mut start)? > 0 {}
        check_first_bytes(&start)?;
        let looks_like = if message::looks_like_message(&start) { MediaType::Message } else { MediaType::Html };
        let media_type = media_type.unwrap_or(looks_like);
        let content = match media_type {
            MediaType::Html => Content::Html { text: Box::new(io::Cursor::new(start).chain(text)) },
            MediaType::Message => {
                text.read_to_end(&mut start)?;
                Content::Message(Tree::new(start))
            }
        };
        Ok(Document { content, decodes })
    }

    /// The entity that is the document itself, or its part `number`, for [`Document::bases`].
    ///
    /// # Errors
    /// There is no such part.
    pub fn find(&self, number: &[u32]) -> Result<usize, NoPart> {
        match &self.content {
            Content::Html { .. } if number.is_empty() => Ok(0),
            Content::Html { .. } => Err(NoPart { parts: String::new() }),
            Content::Message(tree) => tree.find(number).ok_or_else(|| NoPart { parts: tree.list() }),
        }
    }

    /// The numbers of its parts, or of the first of them; empty if it has no parts.
    pub fn parts(&self) -> String {
        match &self.content {
            Content::Html { .. } => String::new(),
            Content::Message(tree) => tree.list(),
        }
    }

    /// Whether it is HTML, or a message that may have HTML in it.
    pub fn may_have_html(&self) -> bool {
        match &self.content {
            Content::Html { .. } => true,
            Content::Message(tree) => tree.may_have_html(),
        }
    }

    /// What gives the base of an entity: that of the last [`Item::Base`].
    pub fn bases(&mut self, entity: usize) -> Items<'_> {
        self.items(Some(entity))
    }

    /// All links, those of HTML or of the HTML parts of a message, and their bases. A text without a tag
    /// ends in an error.
    pub fn links(&mut self) -> Items<'_> {
        self.items(None)
    }

    /// What gives the base of an entity, or all links.
    fn items(&mut self, wanted: Option<usize>) -> Items<'_> {
        let (tree, entities, next) = match &mut self.content {
            Content::Html { text } => {
                let text: Box<dyn Read> = match wanted {
                    None => Box::new(TagSearch::new(&mut **text)),
                    Some(_) => Box::new(&mut **text),
                };
                (None, Vec::new(), Some(NextPage { text, charset: None, line: 1, part: None, base: 0 }))
            }
            Content::Message(tree) => {
                (Some(&*tree), wanted.map_or_else(|| tree.in_order(), |entity| tree.path_to(entity)), None)
            }
        };
        let (entities, events) = (entities.into_iter(), VecDeque::new());
        Items { tree, entities, wanted, decodes: self.decodes, events, part: None, next, page: None, base: 0 }
    }
}

/// A page that is not yet begun.
struct NextPage<'a> {
    /// Its text.
    text: Box<dyn Read + 'a>,
    /// The charset that its header names.
    charset: Option<&'static Encoding>,
    /// The number of its first line.
    line: u64,
    /// The part that it is.
    part: Option<Part>,
    /// The index of the base around it.
    base: usize,
}

/// What a document has next.
enum Event {
    /// Something is skipped, in a line.
    Problem(u64, Problem),
    /// Candidates, and the index of the base around them.
    Base(usize, Vec<Candidate>),
    /// The current link of the page.
    Link,
}

/// What a document has, in its order.
pub struct Items<'a> {
    /// The message, if it is one.
    tree: Option<&'a Tree>,
    /// Its entities not yet begun.
    entities: vec::IntoIter<usize>,
    /// The entity whose base is wanted; `None` if all links are.
    wanted: Option<usize>,
    /// Whether the charsets that pages name are decoded.
    decodes: bool,
    /// What its current entity has next.
    events: VecDeque<Event>,
    /// The page that comes after that.
    next: Option<NextPage<'a>>,
    /// The current page.
    page: Option<Page<'a>>,
    /// The part that has the page or the events.
    part: Option<Part>,
    /// The index of the page's base.
    base: usize,
}

impl<'a> Items<'a> {
    /// What comes next; `None` at the end of the document.
    ///
    /// # Errors
    /// The document cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Item<'_>>> {
        let Some(event) = self.advance()? else { return Ok(None) };
        let (part, base) = (self.part.as_ref(), self.base);
        Ok(match event {
            Event::Problem(line, problem) => Some(Item::Problem(Place { part, line, column: 1 }, problem)),
            Event::Base(outer, candidates) => Some(Item::Base { outer, part, candidates }),
            Event::Link => self.page.as_ref().and_then(Page::link).map(|link| {
                let PageLink { bytes, element, attribute, line, column } = link;
                Item::Link(Link { bytes, element, attribute, place: Place { part, line, column }, base })
            }),
        })
    }

    /// The number of the part that had the last item; empty for the document itself.
    pub fn number(&self) -> &str {
        self.part.as_ref().map_or("", Part::number)
    }

    /// Goes to what comes next.
    fn advance(&mut self) -> io::Result<Option<Event>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            if let Some(page) = &mut self.page {
                match page.advance()? {
                    Some(html::Event::Link) => return Ok(Some(Event::Link)),
                    Some(html::Event::Base { href, at, is_in_body }) => self.add_base(href, at, is_in_body),
                    None => self.page = None,
                }
            } else if let Some(NextPage { text, charset, line, part, base }) = self.next.take() {
                (self.part, self.base) = (part, base);
                self.page = Some(Page::new(text, charset, line, self.wanted.is_none(), self.decodes)?);
            } else if let (Some(tree), Some(entity)) = (self.tree, self.entities.next()) {
                self.start_entity(tree, entity);
            } else {
                return Ok(None);
            }
        }
    }

    /// Adds the base that a BASE may give to its page. An empty HREF is the base around it.
    fn add_base(&mut self, href: Option<Vec<u8>>, (line, column): (u64, u64), is_in_body: bool) {
        if self.wanted.is_some() {
            self.page = None;
        }
        let by = "BASE";
        let url = href.map(|href| without_breaks(href.trim_ascii()).into_owned()).ok_or(Problem::TooLong(by));
        if url.as_ref().is_ok_and(Vec::is_empty) {
            return;
        }
        self.events.push_back(Event::Base(self.base, vec![Candidate { by, url, is_in_body, line, column }]));
        self.base += 1;
    }

    /// Starts with the next entity of a message.
    fn start_entity(&mut self, tree: &'a Tree, index: usize) {
        let entity = tree.entity(index);
        let is_in_decoded = entity.text > 0;
        self.part = tree.part(index, is_in_decoded);
        // where only links are wanted, the header of an entity that has none does not matter
        let matters = self.wanted.is_some() || entity.kind != Kind::Other;
        if matters && !entity.fields.is_empty() {
            self.events.push_back(Event::Base(entity.bases - 1, tree.candidates(index)));
        }
        self.events.extend(entity.problems().map(|(line, problem)| Event::Problem(line, problem)));
        if entity.kind == Kind::Html && self.wanted.is_none_or(|wanted| wanted == index) {
            let is_encoded = entity.coding != Coding::Identity;
            self.next = Some(NextPage {
                text: Box::new(io::Cursor::new(tree.content(index))),
                charset: entity.charset,
                line: if is_encoded { 1 } else { entity.line },
                part: tree.part(index, is_in_decoded || is_encoded),
                base: entity.bases,
            });
        }
    }
}
