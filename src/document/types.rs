//! The types of documents: one table.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

use encoding_rs::{Encoding, WINDOWS_1252};
use memchr::memrchr;

use super::css::{self, Sheet};
use super::html::{self, Page, is_element, xml_encoding};
use super::markdown::Markdown as MarkdownReader;
use super::place::decoding::charset_of;
use super::reader::Reader;
use super::refuse::{UnreadXml, undecodable, unread_xml};
use super::xml::{self, Namespace, first_charset};
use super::{Options, Problem};
use crate::limits::PRESCAN;
use MediaType::{Css, Html, Markdown, Message, Xml};

/// How a document is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MediaType {
    Html,
    /// As a message: RFC 822, MIME or HTTP.
    Message,
    Xml,
    /// As a style sheet.
    Css,
    Markdown,
}

/// A type of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    pub name: &'static str,
    pub help: &'static str,
    /// How it is read.
    pub read_as: MediaType,
    /// Whether the name of a file decides that; otherwise its content does.
    pub is_by_name: bool,
    /// What such names end in, in lower case, without the dot.
    pub endings: &'static [&'static str],
    /// The namespaces and the names of its root elements.
    roots: &'static [(Namespace, &'static str)],
}

// What decides that a document is of a type: the name of its file, or its content.
const BY_NAME: bool = true;
const BY_CONTENT: bool = false;

/// A row of the table.
const fn row(
    name: &'static str,
    help: &'static str,
    read_as: MediaType,
    is_by_name: bool,
    endings: &'static [&'static str],
    roots: &'static [(Namespace, &'static str)],
) -> Type {
    Type { name, help, read_as, is_by_name, endings, roots }
}

/// The root elements of Atom 1.0 and 0.3.
const FEEDS: &[(Namespace, &str)] =
    &[(Namespace::Atom, "feed"), (Namespace::Atom, "entry"), (Namespace::Atom03, "feed"), (Namespace::Atom03, "entry")];

/// The root elements of vocabularies without a media type of their own.
const OTHERS: &[(Namespace, &str)] = &[
    (Namespace::Sitemap, "urlset"),
    (Namespace::Sitemap, "sitemapindex"),
    (Namespace::None, "urlset"),
    (Namespace::None, "sitemapindex"),
    (Namespace::None, "opml"),
];

#[rustfmt::skip]
pub static TYPES: &[Type] = &[
    row("text/html", "HTML", Html, BY_CONTENT, &["html", "htm"], &[(Namespace::None, "html")]),
    row("text/css", "A style sheet", Css, BY_NAME, &["css"], &[]),
    row("text/markdown", "Markdown: CommonMark, with GitHub's tables, footnotes and task lists", Markdown, BY_NAME, &["md", "markdown"], &[]),
    row("message/rfc822", "An email or another message: RFC 822, MIME or HTTP", Message, BY_CONTENT, &["eml", "mht", "mhtml", "mbox"], &[]),
    row("application/atom+xml", "An Atom feed", Xml, BY_NAME, &["atom"], FEEDS),
    row("application/rss+xml", "An RSS feed", Xml, BY_NAME, &["rss"], &[(Namespace::None, "rss"), (Namespace::Rss, "rss")]),
    row("application/rdf+xml", "RDF, such as a feed of RSS 1", Xml, BY_CONTENT, &["rdf"], &[(Namespace::Rdf, "RDF")]),
    row("image/svg+xml", "SVG", Xml, BY_NAME, &["svg"], &[(Namespace::Svg, "svg")]),
    row("application/xhtml+xml", "XHTML, read as XML", Xml, BY_NAME, &["xhtml", "xht"], &[]),
    row("application/xml", "XML: sitemaps, OPML, the types above, or any XML with xml:base or XLink", Xml, BY_CONTENT, &["xml", "opml"], OTHERS),
];

/// What the name of a file ends in, in lower case, without the dot; empty if it has no dot.
pub fn ending_of(name: &[u8]) -> String {
    let start = memrchr(b'.', name).map_or(name.len(), |dot| dot + 1);
    String::from_utf8_lossy(&name[start..]).to_ascii_lowercase()
}

impl Type {
    /// The type that the name of a file ends in.
    pub fn of_name(name: &[u8]) -> Option<&'static Self> {
        let ending = ending_of(name);
        TYPES.iter().find(|row| row.endings.contains(&&*ending))
    }

    /// Whether its documents are XML with a root element that is known.
    pub fn needs_root(&self) -> bool {
        self.read_as == Xml && !self.roots.is_empty()
    }
}

/// How a text is opened.
#[derive(Clone, Copy)]
pub struct Opening<'a> {
    /// The charset that its transport names; for readers, the one that it has.
    pub charset: Option<&'static Encoding>,
    /// The number of its first line.
    pub line: u64,
    /// Whether its links are wanted, and not only its base.
    pub wants_links: bool,
    /// How its document is read.
    pub options: &'a Options,
}

/// The reader of a text, or what is skipped.
type Opened<'t> = Result<Box<dyn Reader + 't>, Option<Problem>>;

impl MediaType {
    /// The type of an HTTP response by its Content-Type, in lower case.
    pub fn of_content(name: &str) -> Option<Self> {
        if name == "text/xml" || name.ends_with("+xml") {
            return Some(Xml); // RFC 7303
        }
        TYPES.iter().find(|row| row.name == name).map(|row| row.read_as)
    }

    /// Opens a text. Returns a problem if it cannot be searched, and no problem if nothing in it is wanted. The text of a
    /// message is HTML.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn open<'t>(self, mut text: impl Read + 't, how: &Opening<'_>) -> io::Result<Opened<'t>> {
        let mut start = Vec::with_capacity(PRESCAN);
        text.by_ref().take(PRESCAN as u64).read_to_end(&mut start)?;
        let charset = self.charset(&start, how.charset);
        if let Some(problem) = charset.and_then(|charset| undecodable(charset, &start)) {
            return Ok(Err(Some(problem)));
        }
        let (known, transport) = (Opening { charset, ..*how }, how.charset);
        Ok(Ok(match self {
            Html | Message => Box::new(Page::new(start, text, &known)?),
            Css if how.wants_links => Box::new(Sheet::new(Cursor::new(start).chain(text), &known)?),
            Markdown if how.wants_links => {
                Box::new(MarkdownReader::open(Cursor::new(start).chain(text), transport, how.line)?)
            }
            Css | Markdown => return Ok(Err(None)),
            Xml => Box::new(xml::Xml::open(start, text, &known)),
        }))
    }

    /// The charset of a document that starts with some bytes; `None` if neither it nor its transport names one.
    pub fn charset(self, start: &[u8], transport: Option<&'static Encoding>) -> Option<&'static Encoding> {
        match self {
            Html | Message => charset_of(start, transport, html::named_charset),
            Css => charset_of(start, transport, css::named_charset),
            Markdown => None, // UTF-8, or it is refused
            Xml => {
                let first = first_charset(start).map(|(charset, _)| charset);
                charset_of(start, first.or(transport), |start| Encoding::for_label(xml_encoding(start)?))
            }
        }
    }
}

/// What the root element at the start of a document says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// It is of this type.
    Known(MediaType),
    /// It is of no type that is read.
    Unread {
        /// What the document is, if that is known.
        what: Option<&'static UnreadXml>,
        /// Whether it surely is XML; otherwise only its name may say so.
        is_xml: bool,
        /// Whether the root has a namespace, so that what is in it may have a known one.
        has_namespace: bool,
    },
    /// It is an element of HTML without a namespace. Whether namespaces are declared.
    Element(bool),
    /// It is not at the start.
    Missing,
    /// It may come later.
    Later,
}

impl Root {
    /// Looks for the root at the start of a document. HTML is HTML, whatever comes before it.
    pub fn find(start: &[u8]) -> Self {
        let text = decode_start(start);
        let text = text.trim_ascii_start();
        if !text.is_empty() && !text.starts_with('<') {
            return Root::Missing;
        }
        let (namespace, name) = match xml::Xml::root(text.as_bytes()) {
            Ok(root) => root,
            Err(true) => return Root::Later,
            Err(false) => return Root::Missing,
        };
        let is_its = |row: &&Type| row.roots.iter().any(|root| root.0 == namespace && root.1.as_bytes() == name);
        let is_html = namespace == Namespace::None && name.eq_ignore_ascii_case(b"html");
        let is_declared = text.contains("xmlns");
        if is_html || namespace == Namespace::Xhtml {
            return Root::Known(Html);
        } else if let Some(row) = TYPES.iter().find(is_its) {
            return Root::Known(row.read_as);
        } else if namespace == Namespace::None && is_element(&name) {
            return Root::Element(is_declared);
        }
        let (what, is_certain) = unread_xml(&name, namespace != Namespace::None);
        let is_xml = is_certain || text.starts_with("<?xml") || namespace == Namespace::Other && is_declared;
        Root::Unread { what, is_xml, has_namespace: namespace != Namespace::None && is_declared }
    }
}

/// The start of a document as text: in UTF-16 if it looks so, otherwise only what is ASCII matters.
pub fn decode_start(start: &[u8]) -> Cow<'_, str> {
    first_charset(start).unwrap_or((WINDOWS_1252, 0)).0.decode(start).0
}

#[cfg(test)]
mod tests {
    use super::{MediaType, Root, Type, ending_of, unread_xml};

    #[test]
    fn the_root_says_what_a_document_is() {
        let (html, xml) = (Root::Known(MediaType::Html), Root::Known(MediaType::Xml));
        let unread = |name: &[u8], is_xml, has_namespace| {
            let (what, _) = unread_xml(name, has_namespace);
            Root::Unread { what, is_xml, has_namespace }
        };
        for (start, root) in [
            ("<!DOCTYPE html>", html),
            ("\u{FEFF}\n<?xml version='1.0'?>\n<!-- x --><html lang=en>", html),
            ("<!doctype HTML public>", html),
            ("<!DOCTYPE html><svg xmlns='http://www.w3.org/2000/svg'>", html),
            ("<svg xmlns='http://www.w3.org/2000/svg'>", xml),
            ("<!DOCTYPE svg [<!ENTITY s 'http://www.w3.org/2000/svg'>]><svg xmlns='&s;'>", xml),
            ("<x:feed xmlns:x='http://www.w3.org/2005/Atom'>", xml),
            ("<rss version='2.0'>", xml),
            ("<svg>", unread(b"svg", false, false)),
            ("<p>", Root::Element(false)),
            ("<urlset>", xml),
            ("<rdf:RDF>", xml),
            ("<RSS>", unread(b"RSS", true, false)),
            ("<page>", unread(b"x", false, false)),
            ("<page xmlns='http://projectmallard.org/1.0/'>", unread(b"page", true, true)),
            ("<math xmlns='http://www.w3.org/1998/Math/MathML'>", unread(b"math", false, true)),
            ("<rss xmlns='http://backend.userland.com/RSS2'>", xml),
            ("text", Root::Missing),
            ("<p", Root::Later),
            ("<!-- x", Root::Later),
            ("", Root::Later),
            ("<?xml version='1.0'?><p>", Root::Element(false)),
            ("<?xml version='1.0'?><note>", unread(b"note", true, false)),
            ("<?xml version='1.0'?><urlset xmlns='x'>", unread(b"urlset", true, true)),
            ("<urlset xmlns='x'>", unread(b"urlset", true, true)),
            ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", xml),
            ("<opml version='2.0'>", xml),
            ("<feed version='0.3' xmlns='http://purl.org/atom/ns#'>", xml),
            ("<?xml version='1.0'?><head xmlns='http://www.w3.org/1999/xhtml'>", html),
            ("<x:div xmlns:x='http://www.w3.org/1999/xhtml'>", html),
            ("<?xml version='1.0'?><p =>", Root::Missing),
        ] {
            assert_eq!(Root::find(start.as_bytes()), root, "{start}");
            let text = format!("\u{FEFF}{}", start.trim_start_matches('\u{FEFF}'));
            let utf_16: Vec<_> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert_eq!(Root::find(&utf_16), root, "{start} in UTF-16");
        }
    }

    #[test]
    fn a_name_has_one_ending() {
        for (name, ending) in [("a.RST", "rst"), ("a.b.rst", "rst"), ("rst", ""), ("a.rst.html", "html"), ("", "")] {
            assert_eq!(ending_of(name.as_bytes()), ending, "{name}");
        }
    }

    #[test]
    fn the_name_says_what_a_document_is() {
        for (path, expected) in [
            ("a/b.SVG", Some(("image/svg+xml", true))),
            ("a/b.svg.HTM", Some(("text/html", false))),
            ("vg", None),
            ("a.svg/b", None),
        ] {
            assert_eq!(Type::of_name(path.as_bytes()).map(|row| (row.name, row.is_by_name)), expected, "{path}");
        }
    }
}
