//! What a document is, by its first bytes and its name.

use std::borrow::Cow;
use std::error::Error;
use std::{fmt, io};

use encoding_rs::UTF_8;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::html::elements::is_known;
use super::message::{is_message, is_response};
use super::namespace::Namespace;
use super::types::MediaType::{self, Css, Html, Message, Xml};
use super::types::{ByName, Start, TYPES, Type, UNNAMED, ending_of};
use super::values::Options;
use super::xml::Xml as XmlReader;
use super::xml::attributes::is_name;
use crate::escaped::Escaped;
use crate::limits::{MAX_NAME, MAX_PROLOG, MAX_QUOTED, TEXT_START};
use crate::refuse::{JSON_STRINGS, Packed, UTF_16, is_json, is_utf_16, nul, packed};
use crate::strip::without_bom;

/// Why a file is no document that can be read, or rewritten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotADocument {
    /// It has no text.
    Empty,
    Packed(&'static Packed),
    /// It has a NUL near its start; the number of that byte, from 1.
    Binary(usize),
    /// It is a message in UTF-16.
    Utf16,
    Json,
    /// Nothing shows what it is, and it may be Markdown.
    Unknown,
    /// Nothing shows what it is.
    Unrecognized,
    /// The tag of its root element, which has this name, ends after the bytes that are looked at.
    LongRoot(String),
    /// It has a root element that is not read, with this name, and in this namespace if that is not empty.
    Root(String, String),
    /// It is a message, and was to be rewritten.
    Message,
    /// It is XML with this root element, which is read elsewhere, and its links were to become relative.
    Data(String),
}

impl NotADocument {
    /// Why a text is refused that has no root element. Only some names may be those of Markdown.
    fn unknown(text: &str, name: &[u8]) -> Self {
        let name = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        match &*ending_of(name) {
            _ if is_json(text.as_bytes()) => NotADocument::Json,
            _ if name.eq_ignore_ascii_case(b"robots.txt") => NotADocument::Unrecognized,
            "" | "mdown" | "mdx" | "mkd" | "qmd" | "rmd" | "txt" => NotADocument::Unknown,
            _ => NotADocument::Unrecognized,
        }
    }

    /// Why a file was refused; `None` if it could not be read for another reason.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// What such a file is, in words, without how to fix that.
    pub fn what(&self) -> String {
        self.to_string().split(';').next().unwrap_or_default().to_owned()
    }

    /// What such files are where they are counted; `None` for what their names end in.
    pub fn noun(&self) -> Option<&'static str> {
        match self {
            NotADocument::Empty => Some("empty"),
            NotADocument::Packed(Packed { what, .. }) => Some(what),
            NotADocument::Binary(_) => Some("binary data"),
            NotADocument::Data(_) => Some("in need of absolute URLs"),
            _ => None,
        }
    }
}

impl fmt::Display for NotADocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotADocument::Empty => f.write_str("empty"),
            NotADocument::Packed(Packed { what, fix, .. }) => write!(f, "{what}; {fix}"),
            NotADocument::Binary(at) => write!(f, "binary data (NUL at byte {at})"),
            NotADocument::Utf16 => f.write_str(UTF_16),
            NotADocument::Json => write!(f, "JSON, not a document; {JSON_STRINGS}"),
            NotADocument::Unknown => {
                f.write_str("type not recognized; for Markdown add --media-type text/markdown, for a list omit --links")
            }
            NotADocument::Unrecognized => f.write_str("type not recognized"),
            NotADocument::LongRoot(name) => {
                let (name, limit) = (Escaped(name.as_bytes()), MAX_PROLOG / 1024);
                write!(
                    f,
                    "the root tag <{name}> is longer than the {limit} KiB that are looked at; add --media-type application/xml"
                )
            }
            NotADocument::Root(name, namespace) => {
                write!(f, "XML with the root <{}>", Escaped(name.as_bytes()))?;
                if !namespace.is_empty() {
                    write!(f, " in the namespace \"{}\"", Escaped(namespace.as_bytes()))?;
                }
                f.write_str(", which is not read; --media-type application/xml reads xml:base, XLink, href and src")
            }
            NotADocument::Message => f.write_str(
                "emails and HTTP responses cannot be rewritten; pass only the HTML in them (curl: without -i)",
            ),
            NotADocument::Data(name) => {
                write!(f, "XML with the root <{}> needs absolute URLs; omit --relative", Escaped(name.as_bytes()))
            }
        }
    }
}

impl Error for NotADocument {}

impl From<NotADocument> for io::Error {
    fn from(why: NotADocument) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, why)
    }
}

/// Finds out what a document is that starts so and has a name, or why it is none; `None` if more bytes are needed.
///
/// It is one positive rule, in the steps of the table in this folder's README: what no step finds is refused. There is
/// no list of what is not read, because such a list never ends. The table of types says which beginnings outrank which
/// names, as names are often wrong in one way: a page is saved as `feed.xml`, and a feed as `index.html`. `report.md`
/// that begins with `<div>` is Markdown, and `logo.svg` is SVG in any namespace, because these names are right more
/// often than that.
///
/// The limits: a root after [`MAX_PROLOG`] bytes of comments is not found, and of a text without a byte order mark only
/// what is ASCII matters.
///
/// In a wary run: servers name HTML and CSS by the ending alone, so that decides, whatever they begin with; and XML by
/// its name is read with any root.
pub fn sniff(start: &[u8], is_end: bool, options: &Options) -> Option<Result<MediaType, NotADocument>> {
    let Options { name, wary, .. } = options;
    let is_enough = is_end || start.len() >= MAX_PROLOG;
    let decoded = decode_start(start);
    let text = decoded.trim_ascii_start();
    if text.len() < TEXT_START && !is_enough {
        return None;
    } else if let Some(packed) = packed(start) {
        return Some(Err(NotADocument::Packed(packed)));
    }
    let row = options.type_by_name();
    let starts = row.map_or(UNNAMED, |row| row.outranked_by);
    let lines = decoded.trim_start_matches(['\r', '\n']).as_bytes();
    let is_message = is_response(text.as_bytes()) || starts.contains(&Start::Email) && is_message(lines, is_end)?;
    let begins_tag = matches!(text.as_bytes(), [b'<', next, ..] if *next != 0);
    if let (false, Some(at)) = (is_message || begins_tag, nul(start)) {
        return Some(Err(NotADocument::Binary(at)));
    }
    if let Some(served) = row.filter(|row| *wary && matches!(row.read_as, Html | Css)) {
        return Some(Ok(served.read_as));
    }
    let root = Root::find(text, is_enough, row.is_some_and(Type::is_xml))?;
    let is_empty = text.is_empty() && is_end;
    let by_start = || starts.iter().find_map(|start| root.decides(*start, name));
    let by_name = || {
        let is_right = |row: &&Type| match row.by_name {
            ByName::Always => true,
            ByName::WithoutTag => !text.starts_with('<'),
            ByName::WithoutRoot => root.name.is_empty() && !is_empty,
            ByName::Never => false,
        };
        row.filter(is_right).map(|row| row.read_as)
    };
    Some(match is_message.then_some(Message).or_else(by_start).or_else(by_name) {
        Some(Message) if is_utf_16(start) => Err(NotADocument::Utf16),
        Some(media_type) => Ok(media_type),
        None if row.is_some_and(|row| row.read_as == Message) && is_utf_16(start) => Err(NotADocument::Utf16),
        None if is_empty => Err(NotADocument::Empty),
        None if root.name.is_empty() => Err(NotADocument::unknown(text, name)),
        // browsers read the XHTML and the SVG in it
        None if *wary && row.is_some_and(Type::is_xml) => Ok(Xml),
        None if root.is_long && !is_end => Err(NotADocument::LongRoot(root.name)),
        None => Err(NotADocument::Root(root.name, root.uri)),
    })
}

/// Whether a document that starts so is an email or MHTML in the name of HTML, which programs may read as either;
/// `None` if more bytes are needed.
pub fn is_misnamed(start: &[u8], is_end: bool, options: &Options) -> Option<bool> {
    let is_html = options.media_type.is_none() && options.type_by_name().is_some_and(|row| row.read_as == Html);
    let text = without_bom(start);
    let lines = &text[text.iter().position(|byte| !b"\r\n".contains(byte)).unwrap_or(text.len())..];
    if is_html { is_message(lines, is_end) } else { Some(false) }
}

/// What comes first in a document that may be HTML or XML.
#[derive(Default, Debug)]
pub struct Root {
    /// The name of the first element, as it stands; empty if there is none.
    name: String,
    namespace: Namespace,
    /// The name of that as the element declares it; empty if it does not.
    uri: String,
    /// The name in the DOCTYPE.
    doctype: String,
    /// Whether there is an XML declaration.
    is_declared: bool,
    /// Whether a root may come after the bytes that are looked at.
    is_cut: bool,
    /// Whether its tag ends after them, if there are more.
    is_long: bool,
}

impl Root {
    /// Looks for the first element after white space, comments, an XML declaration, other processing instructions after
    /// that or where the text is XML by its name, and a DOCTYPE; `None` if it may come after this start of a text, and
    /// that is not `enough`.
    pub fn find(text: &str, is_enough: bool, is_xml: bool) -> Option<Self> {
        let (mut root, mut tokens) = (Root::default(), Reader::from_str(text));
        tokens.config_mut().allow_unmatched_ends = true;
        let (rest, tag) = loop {
            let rest = usize::try_from(tokens.buffer_position()).ok().and_then(|at| text.get(at..)).unwrap_or_default();
            if let Some((_, name)) =
                rest.get(..9).filter(|start| start.eq_ignore_ascii_case("<!doctype")).zip(rest.get(9..))
            {
                root.doctype = name.trim_ascii_start().chars().take_while(|c| is_of_name(*c)).take(MAX_NAME).collect();
            }
            match tokens.read_event() {
                Ok(Event::Decl(_)) => root.is_declared = true,
                Ok(Event::PI(what)) if is_xml || root.is_declared || what.starts_with("xml-stylesheet") => {}
                Ok(Event::Text(what)) if what.trim_ascii().is_empty() => {}
                Ok(Event::Comment(_) | Event::DocType(_)) => {}
                Ok(Event::Start(tag) | Event::Empty(tag)) => break (rest, Some(tag)),
                Ok(Event::Eof) | Err(_) if !is_enough => return None,
                Err(_) => {
                    root.is_cut = true;
                    break (rest, None);
                }
                Ok(_) => return Some(root),
            }
        };
        let name = rest
            .strip_prefix('<')
            .unwrap_or_default()
            .split(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))
            .next()
            .unwrap_or_default();
        if is_name(name.as_bytes()) && !name.ends_with(':') {
            let by_prefix = if name.contains(':') { Namespace::Other } else { Namespace::None };
            // HTML need not be well-formed
            root.namespace = XmlReader::root(text.as_bytes()).map_or(by_prefix, |(namespace, _)| namespace);
            (root.name, root.is_cut, root.is_long) = (name.chars().take(MAX_NAME).collect(), false, tag.is_none());
            let declaration = name.split_once(':').map_or("xmlns".into(), |(prefix, _)| format!("xmlns:{prefix}"));
            if let Some(Ok(Some(uri))) = tag.as_ref().map(|tag| tag.try_get_attribute(&declaration)) {
                root.uri = uri.value.chars().take(MAX_QUOTED).collect();
            }
        }
        Some(root)
    }

    /// How a document is read that begins with this root, if that is what it may begin with.
    fn decides(&self, start: Start, name: &[u8]) -> Option<MediaType> {
        match start {
            Start::Email => None, // it has no root
            Start::Root if self.is_html() => Some(Html),
            Start::Root => self.media_type().or_else(|| self.is_page().then_some(Html)),
            Start::Page => self.is_page().then_some(Html),
            Start::Element => self.begins_html().then_some(Html),
            Start::Svg => (self.local() == "svg" || self.is_cut).then_some(Xml),
            Start::Xhtml => (self.is_page() || self.is_of_html() || self.is_cut).then_some(Xml),
            Start::XhtmlInXml => {
                let is_xhtml = self.is_page() && self.namespace == Namespace::Xhtml;
                (is_xhtml && ending_of(name) == "xml").then_some(Xml)
            }
        }
    }

    /// Its name without the prefix.
    fn local(&self) -> &str {
        self.name.split_once(':').map_or(&*self.name, |(_, local)| local)
    }

    /// Whether it is the root of HTML, in any case and namespace.
    fn is_html(&self) -> bool {
        self.name.eq_ignore_ascii_case("html")
    }

    /// Whether it, or the DOCTYPE, is that of HTML.
    fn is_page(&self) -> bool {
        self.is_html() || self.doctype.eq_ignore_ascii_case("html")
    }

    /// Whether it is an element of HTML, SVG or MathML.
    fn is_of_html(&self) -> bool {
        self.is_of_page() && is_known(self.local().to_ascii_lowercase().as_bytes())
    }

    /// Whether its namespace can be that of an element of a page.
    fn is_of_page(&self) -> bool {
        matches!(self.namespace, Namespace::None | Namespace::Xhtml | Namespace::Svg | Namespace::Math)
    }

    /// Whether it is that of a feed, a sitemap or RDF, which HTML never is.
    pub fn is_feed(&self) -> bool {
        !self.is_page() && self.media_type().is_some() && self.local() != "svg"
    }

    /// Whether it is that of XML that is not read.
    pub fn is_unread(&self, options: &Options) -> bool {
        !options.wary && !self.name.is_empty() && !self.is_page() && self.media_type().is_none() && !self.is_of_html()
    }

    /// Whether a text that begins so is HTML although nothing names it.
    pub fn begins_html(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        let is_element = is_known(name.as_bytes()) || self.name.contains('-') || NEW_ELEMENTS.contains(&&*name);
        let has_own_doctype = self.doctype.eq_ignore_ascii_case(&self.name);
        is_element && self.is_of_page() && !self.is_declared && !has_own_doctype
    }

    /// How a document is read that has this root element, by the table of types.
    pub fn media_type(&self) -> Option<MediaType> {
        let is_its = |row: &&Type| row.roots.contains(&(self.namespace, self.local()));
        TYPES.iter().find(is_its).map(|row| row.read_as)
    }
}

/// Elements that browsers begin to have. In other XML their names mean other things.
const NEW_ELEMENTS: [&str; 4] = ["permission", "geolocation", "model", "fencedframe"];

/// Whether a character can be in the name of an element.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "-._:".contains(c)
}

/// The start of a document as text: in UTF-16 by its mark, otherwise only what is ASCII matters.
pub fn decode_start(start: &[u8]) -> Cow<'_, str> {
    UTF_8.decode(start).0
}
