//! Which base URL applies to a document, and why (§3), and the document's links.
//!
//! | § | where |
//! |---|---|
//! | 3.1 in HTML, 10 | [`html`] |
//! | 3.1 in messages, the entities of 3.2 | [`message`] |
//! | the precedence of 3 | here |

mod html;
mod message;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read};

use encoding_rs::Encoding;
use html::{Attribute, Event, attributes, scan, split};
use message::Tree;

use crate::resolver::{Base, Unresolvable, parse, resolve};

/// The most bytes that are looked at to tell what a document is.
const LOOK: usize = 4096;

/// How many bytes more are looked at if those before do not tell.
const LINE: u64 = 256;

/// The most bytes of a base URL that is made of a relative one: each level of a message can make
/// its own longer than that around it.
const LONGEST: usize = 8192;

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
    /// There is none.
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

/// A place in a document.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The part of a message; `None` for what is no part.
    pub part: Option<Part<'a>>,
    /// The line, from 1: of the document, or of the part's own text if that had to be decoded.
    pub line: u64,
    /// The column there, in bytes from 1.
    pub column: u64,
}

/// A part of a message.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// The message.
    tree: &'a Tree,
    /// Which of its entities.
    entity: usize,
    /// Whether its text had to be decoded, so that it has lines of its own.
    pub is_decoded: bool,
}

impl Part<'_> {
    /// Whether it is the whole message.
    pub fn is_whole(self) -> bool {
        self.entity == 0
    }
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut dot = "";
        self.tree
            .number(self.entity)
            .iter()
            .rev()
            .try_for_each(|number| write!(f, "{}{number}", std::mem::replace(&mut dot, ".")))
    }
}

/// A base URL, and why it is the one.
#[derive(Clone)]
pub struct Found<'a> {
    /// The URL; empty if there is none.
    pub url: Cow<'a, [u8]>,
    /// The rule of §3.
    pub rule: Rule,
    /// What has it in the document: `BASE`, or the name of a header field.
    pub by: &'static str,
    /// Where that is; `None` for rules 3.3 and 3.4.
    pub place: Option<Place<'a>>,
}

/// A base URL, parsed once for all links that have it, as it may be long.
pub type Parsed<'a> = Result<Base<'a>, Unresolvable>;

/// A link of a document.
#[derive(Clone, Copy)]
pub struct Link<'a> {
    /// The reference, without white space around it, TAB, CR and LF.
    pub reference: &'a [u8],
    /// The element's name, in lower case.
    pub element: &'a [u8],
    /// The attribute's name, in lower case.
    pub attribute: &'static str,
    /// Where the attribute's value begins.
    pub place: Place<'a>,
}

/// What in a document is passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A BASE whose HREF is relative, and nothing it can be relative to.
    RelativeBase,
    /// A relative URL, in a BASE or a header field, that makes a very long base.
    LongBase,
    /// A relative URL in a header field of a message whose bases made of such are very long together.
    LongBases,
    /// A BASE that the HTML Standard does not let be one.
    ForbiddenBase,
    /// A header field without a usable URL.
    NoUrl(&'static str),
    /// A header field with a relative URL, and nothing it can be relative to.
    RelativeField(&'static str),
    /// A Content-Type field of which not all is looked at.
    LongType,
    /// A message in a transfer encoding in one in one ...
    TooDeep,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::RelativeBase => f.write_str(
                "the BASE has a relative URL that cannot be made absolute and is passed over; \
                 write it whole, or give the URL of the document with --base",
            ),
            Problem::LongBase => f.write_str(
                "a relative base URL that is longer than 8192 bytes together with that around it is passed over; \
                 write it whole",
            ),
            Problem::LongBases => f.write_str(
                "the relative base URLs of this message, made whole, are longer than 1 MiB and four times the message, \
                 and this one is passed over; write it whole",
            ),
            Problem::ForbiddenBase => {
                f.write_str("a BASE with a data: or javascript: URL is passed over; name the document's own URL there")
            }
            Problem::NoUrl(field) => {
                let example = if *field == "Base" { "<URL:http://host/path>" } else { "http://host/path" };
                write!(f, "the {field} field has no absolute URL and is passed over; write {field}: {example}")
            }
            Problem::RelativeField(field) => write!(
                f,
                "the {field} field has a relative URL that cannot be made absolute and is passed over; \
                 write it whole, or give the URL of the document with --base"
            ),
            Problem::LongType => f.write_str(
                "the Content-Type field of this header has more than 16 KiB, and what is behind them is passed over; \
                 shorten it",
            ),
            Problem::TooDeep => {
                f.write_str("a message encoded more than 3 times over is not looked into; decode it, and give that")
            }
        }
    }
}

/// Why a document is not read to its end.
#[derive(Debug)]
pub enum Stop {
    /// It cannot be read.
    Unreadable(io::Error),
    /// Its links cannot be told.
    Output(io::Error),
    /// All that is wanted is known.
    Enough,
}

/// Who is told of a document.
pub trait Listener {
    /// Something is passed over.
    fn passed_over(&mut self, place: Place<'_>, problem: Problem);

    /// A link, with the base of its part.
    ///
    /// # Errors
    /// Why no more links are wanted.
    fn link(&mut self, found: &Found<'_>, base: Parsed<'_>, link: &Link<'_>) -> Result<(), Stop>;
}

/// A document.
pub struct Document<'a> {
    /// The URL it was retrieved from; empty if there is none.
    retrieval: &'a [u8],
    /// What it has.
    content: Content<'a>,
}

/// What a document has.
enum Content<'a> {
    /// HTML, to be read.
    Html(Box<dyn Read + 'a>),
    /// A message.
    Message(Tree),
}

/// There is no such part.
pub struct NoPart {
    /// The numbers of those that are there, or of the first of them.
    pub parts: String,
}

impl<'a> Document<'a> {
    /// Begins to read a document: HTML up to where it can be told from a message, a message whole.
    /// `retrieval` is the URL it was retrieved from, empty or with a scheme.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn new(mut text: impl Read + 'a, retrieval: &'a [u8], media_type: Option<MediaType>) -> io::Result<Self> {
        let mut start = Vec::new();
        let media_type = match media_type {
            Some(media_type) => media_type,
            None => {
                // no more than is needed: the rest may come much later
                while !message::is_enough(&start) && start.len() < LOOK {
                    let before = start.len();
                    text.by_ref().take(LINE).read_to_end(&mut start)?;
                    if start.len() == before {
                        break;
                    }
                }
                if message::begins(&start) { MediaType::Message } else { MediaType::Html }
            }
        };
        let content = match media_type {
            MediaType::Html => Content::Html(Box::new(io::Cursor::new(start).chain(text))),
            MediaType::Message => {
                text.read_to_end(&mut start)?;
                Content::Message(Tree::new(start, retrieval)?)
            }
        };
        Ok(Document { retrieval, content })
    }

    /// The number of the document itself, or of its part `number`, for [`Document::base`].
    ///
    /// # Errors
    /// There is no such part.
    pub fn find(&self, number: &[u32]) -> Result<usize, NoPart> {
        match &self.content {
            Content::Html(_) if number.is_empty() => Ok(0),
            Content::Html(_) => Err(NoPart { parts: String::new() }),
            Content::Message(tree) => tree.find(number).ok_or_else(|| NoPart { parts: tree.list() }),
        }
    }

    /// The base URL of the document or of its part, by the number that [`Document::find`] gave.
    ///
    /// # Errors
    /// The document cannot be read.
    pub fn base(&mut self, entity: usize, listener: &mut dyn Listener) -> io::Result<Found<'_>> {
        let found = match &mut self.content {
            Content::Html(text) => base_in(Html::whole(text), by_retrieval(self.retrieval), listener),
            Content::Message(tree) => {
                let tree = &*tree;
                let around: HashSet<_> = tree.around(entity).collect();
                for note in tree.notes.iter().filter(|note| around.contains(&note.entity)) {
                    listener.passed_over(tree.place(note.entity, note.line), note.problem);
                }
                let outer = tree.base(entity).unwrap_or_else(|| by_retrieval(self.retrieval));
                match &tree.html(entity)? {
                    None => Ok(outer),
                    Some(html) => base_in(html.read(), outer, listener),
                }
            }
        };
        match found {
            Ok(found) => Ok(found),
            Err(Stop::Unreadable(error) | Stop::Output(error)) => Err(error),
            Err(Stop::Enough) => Ok(by_retrieval(self.retrieval)),
        }
    }

    /// Tells of all links: those of HTML, or of the HTML parts of a message, each with the base of
    /// its document.
    ///
    /// Before the first BASE is known the links are kept, so that this needs as much memory as an
    /// HTML document has links before it, and as a message is long.
    ///
    /// # Errors
    /// The document cannot be read, or what `listener` returns.
    pub fn links(&mut self, listener: &mut dyn Listener) -> Result<(), Stop> {
        match &mut self.content {
            Content::Html(text) => {
                let parsed = Base::new(self.retrieval);
                links_in(Html::whole(text), &by_retrieval(self.retrieval), parsed, listener)
            }
            Content::Message(tree) => {
                let tree = &*tree;
                for note in tree.notes.iter().filter(|note| tree.may_have_links(note)) {
                    listener.passed_over(tree.place(note.entity, note.line), note.problem);
                }
                let mut last = (None, Base::new(self.retrieval));
                for entity in tree.entities() {
                    if let Some(html) = &tree.html(entity).map_err(Stop::Unreadable)? {
                        let outer = tree.base(entity).unwrap_or_else(|| by_retrieval(self.retrieval));
                        let (index, url) = tree.base_url(entity).unzip();
                        if last.0 != index {
                            last = (index, Base::new(url.unwrap_or(self.retrieval)));
                        }
                        links_in(html.read(), &outer, last.1, listener)?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// An HTML document, alone or in a message.
struct Html<'a, T> {
    /// Its bytes.
    text: T,
    /// The charset that its Content-Type names.
    charset: Option<&'static Encoding>,
    /// The number of its first line.
    line: u64,
    /// The part that it is.
    part: Option<Part<'a>>,
}

impl<T> Html<'_, T> {
    /// A document of its own.
    fn whole(text: T) -> Self {
        Html { text, charset: None, line: 1, part: None }
    }
}

impl<'a> Html<'a, Cow<'a, [u8]>> {
    /// The same, to be read.
    fn read(&self) -> Html<'a, &[u8]> {
        Html { text: &self.text, charset: self.charset, line: self.line, part: self.part }
    }
}

/// The base URL of an HTML document whose base would be `outer` without a BASE.
///
/// # Errors
/// It cannot be read.
fn base_in<'a>(html: Html<'a, impl Read>, outer: Found<'a>, listener: &mut dyn Listener) -> Result<Found<'a>, Stop> {
    let mut found = outer;
    let scanned = scan(html.text, html.charset, html.line, &mut |event| match event {
        Event::Base(attribute) => {
            let place = Place { part: html.part, line: attribute.line, column: attribute.column };
            match by_element(&found, attribute.value, place) {
                Ok(base) => found = base,
                Err(problem) => listener.passed_over(place, problem),
            }
            Err(Stop::Enough)
        }
        _ => Ok(()),
    });
    match scanned {
        Ok(()) | Err(Stop::Enough) => Ok(found),
        Err(stop) => Err(stop),
    }
}

/// Tells of the links of an HTML document whose base would be `outer`, parsed, without a BASE: the
/// first BASE also counts for the links before it.
///
/// # Errors
/// It cannot be read, or what `listener` returns.
fn links_in<'a>(
    html: Html<'a, impl Read>,
    outer: &Found<'a>,
    parsed: Parsed<'_>,
    listener: &mut dyn Listener,
) -> Result<(), Stop> {
    let (found, base, mut kept) = (OnceCell::new(), OnceCell::new(), Kept::default());
    let scanned = scan(html.text, html.charset, html.line, &mut |event| match (event, found.get(), base.get()) {
        (Event::Base(attribute), None, _) => {
            let place = Place { part: html.part, line: attribute.line, column: attribute.column };
            let found = found.get_or_init(|| match by_element(outer, attribute.value, place) {
                Ok(found) => found,
                Err(problem) => {
                    listener.passed_over(place, problem);
                    outer.clone()
                }
            });
            let base = *base.get_or_init(|| Base::new(&found.url));
            std::mem::take(&mut kept).each(&mut |attribute| tell(found, base, attribute, html.part, listener))
        }
        (Event::Links(attribute), Some(found), Some(base)) => tell(found, *base, attribute, html.part, listener),
        (Event::Links(attribute), ..) => kept.keep(attribute),
        _ => Ok(()),
    });
    if let Err(Stop::Output(_) | Stop::Enough) = scanned {
        return scanned;
    }
    kept.each(&mut |attribute| tell(outer, parsed, attribute, html.part, listener))?;
    scanned
}

/// Tells of the links in an attribute.
///
/// # Errors
/// What `listener` returns.
fn tell(
    found: &Found<'_>,
    base: Parsed<'_>,
    attribute: Attribute<'_>,
    part: Option<Part<'_>>,
    listener: &mut dyn Listener,
) -> Result<(), Stop> {
    let Attribute { element, index, value, line, column } = attribute;
    let Some(&(attribute, holds)) = attributes(element).get(index) else { return Ok(()) };
    split(value, holds, |url| {
        let reference = &*clean(url);
        listener.link(found, base, &Link { reference, element, attribute, place: Place { part, line, column } })
    })
}

/// Attributes that wait for their base, in fewer bytes than they have in their document, or not
/// many more.
#[derive(Default)]
struct Kept {
    /// For each attribute the numbers of [`Kept::keep`], then the element's name and the value.
    bytes: Vec<u8>,
    /// The line of the last one.
    line: u64,
}

impl Kept {
    /// Keeps an attribute.
    ///
    /// # Errors
    /// There is no memory for it.
    fn keep(&mut self, attribute: Attribute<'_>) -> Result<(), Stop> {
        let Attribute { element, index, value, line, column } = attribute;
        let numbers = [
            line.saturating_sub(std::mem::replace(&mut self.line, line)),
            column,
            index as u64,
            element.len() as u64,
            value.len() as u64,
        ];
        let room = element.len().saturating_add(value.len()).saturating_add(50);
        self.bytes.try_reserve(room).map_err(|error| Stop::Unreadable(error.into()))?;
        for mut number in numbers {
            loop {
                let [low, ..] = number.to_le_bytes();
                number >>= 7;
                if number == 0 {
                    self.bytes.push(low);
                    break;
                }
                self.bytes.push(low | 0x80);
            }
        }
        self.bytes.extend_from_slice(element);
        self.bytes.extend_from_slice(value);
        Ok(())
    }

    /// Gives all of them, in their order.
    ///
    /// # Errors
    /// What `tell` returns.
    fn each(self, tell: &mut dyn FnMut(Attribute<'_>) -> Result<(), Stop>) -> Result<(), Stop> {
        let (mut rest, mut line) = (&*self.bytes, 0);
        while !rest.is_empty() {
            let mut numbers = [0; 5];
            for number in &mut numbers {
                let length = rest.iter().take_while(|&&byte| byte > 0x7F).count().saturating_add(1);
                let (bytes, after) = rest.split_at(length.min(rest.len()));
                *number = bytes.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7F));
                rest = after;
            }
            let [lines, column, index, element, value] = numbers;
            line += lines;
            let length = |number| usize::try_from(number).unwrap_or(usize::MAX);
            let (element, after) = rest.split_at(length(element).min(rest.len()));
            let (value, after) = after.split_at(length(value).min(after.len()));
            rest = after;
            tell(Attribute { element, index: length(index), value, line, column })?;
        }
        Ok(())
    }
}

/// The base URL of what is in nothing: §3.3, else §3.4.
pub fn by_retrieval(url: &[u8]) -> Found<'_> {
    let rule = if url.is_empty() { Rule::Undefined } else { Rule::Retrieval };
    Found { url: Cow::Borrowed(url), rule, by: "", place: None } // §3.3, §3.4
}

/// The base URL that a BASE gives in a document whose own would be `outer`.
///
/// # Errors
/// Why the BASE is passed over.
fn by_element<'a>(outer: &Found<'a>, href: &[u8], place: Place<'a>) -> Result<Found<'a>, Problem> {
    let href = clean(href);
    if href.is_empty() {
        return Ok(outer.clone());
    }
    let url = match parse(&href).scheme {
        Some(scheme) if [&b"data"[..], b"javascript"].iter().any(|name| scheme.eq_ignore_ascii_case(name)) => {
            return Err(Problem::ForbiddenBase);
        }
        Some(_) => href.into_owned(),
        None => absolute(&outer.url, &href).map_err(|why| why.unwrap_or(Problem::RelativeBase))?,
    };
    Ok(Found { url: Cow::Owned(url), rule: Rule::Embedded, by: "BASE", place: Some(place) }) // §3.1
}

/// What a URL relative to the base `outer` is.
///
/// # Errors
/// It cannot be resolved, or could be longer than [`LONGEST`]: then with that problem.
fn absolute(outer: &[u8], reference: &[u8]) -> Result<Vec<u8>, Option<Problem>> {
    if outer.len().saturating_add(reference.len()) > LONGEST {
        return Err(Some(Problem::LongBase)); // before it is read, as there may be many of them
    }
    let base = Base::new(outer).map_err(|_| None)?;
    let (mut path, mut url) = (Vec::new(), Vec::new());
    let resolved = resolve(&base, reference, &mut path, |_| {}).map_err(|_| None)?;
    resolved.write(|piece| url.extend_from_slice(piece));
    Ok(url)
}

/// A URL as an attribute has it: without white space at its ends, and without TAB, CR and LF.
fn clean(value: &[u8]) -> Cow<'_, [u8]> {
    let value = value.trim_ascii();
    let is_dropped = |byte: &u8| matches!(byte, b'\t' | b'\r' | b'\n');
    if value.iter().any(is_dropped) {
        Cow::Owned(value.iter().filter(|byte| !is_dropped(byte)).copied().collect())
    } else {
        Cow::Borrowed(value)
    }
}
