//! What cannot be read as a document: XML without a known root, and HTML without a tag.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT};

use super::html::elements::is_known;
use super::problem::Problem;
use crate::limits::MAX_NAME;
use crate::refuse::{binary, encoding_advice, wide_encoding};

/// Why a file is no document that can be read, or rewritten, although its name may say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// It has no bytes.
    Empty,
    /// It is read as HTML and has no tag; which UTF-16 it is in.
    NoTag(Option<&'static str>),
    /// It is read as HTML and has tags, but none of HTML.
    OtherTags,
    /// It is XML of a type that is not read, or of an unknown one.
    UnreadXml(Option<&'static UnreadXml>),
    /// It is a message, and was to be rewritten.
    Message,
}

impl Unfit {
    /// Why a file was refused; `None` if it could not be read for another reason.
    pub fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unfit::Empty => "the document is empty",
            Unfit::NoTag(Some(encoding)) => {
                return write!(f, "the text has no HTML tag, and {}", encoding_advice(encoding));
            }
            Unfit::NoTag(None) => "the text has no HTML tag; use --media-type text/markdown for Markdown, text/css for CSS, or --file for a list",
            Unfit::OtherTags => {
                "the text has tags, but none of HTML; for XML, use xmllint --xpath '//@href' FILE | cut -d'\"' -f2"
            }
            Unfit::UnreadXml(None) => UNKNOWN_XML,
            Unfit::UnreadXml(Some(UnreadXml { what, xpath, .. })) => {
                let cut = if xpath.ends_with("text()") { "" } else { " | cut -d'\"' -f2" };
                let fix = format_args!("print its references with xmllint --xpath '{xpath}' FILE{cut}");
                return write!(f, "the file is {what}, which is not read; {fix}");
            }
            Unfit::Message => "the document is a message, which cannot be rewritten; use --links",
        })
    }
}

impl Error for Unfit {}

/// How certainly the name of a root says what a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Certainty {
    /// Always: no other text begins so.
    Sure,
    /// If it is XML.
    IfXml,
    /// If it has a namespace, because others use the name, too.
    IfNamespaced,
}

use Certainty::{IfNamespaced, IfXml, Sure};

/// XML that is not read.
#[derive(PartialEq, Eq, Debug)]
pub struct UnreadXml {
    /// The names of its root element.
    roots: &'static [&'static str],
    certainty: Certainty,
    /// What it is.
    what: &'static str,
    /// Where its references are.
    xpath: &'static str,
}

/// The types of XML that are not read and that people have.
#[rustfmt::skip]
static UNREAD_XML: &[UnreadXml] = &[
    UnreadXml { roots: &["urlset", "sitemapindex"], certainty: Sure, what: "a sitemap in an unknown namespace", xpath: "//*[local-name()=\"loc\"]/text()" },
    UnreadXml { roots: &["rss", "RSS"], certainty: Sure, what: "RSS in an unknown namespace", xpath: "//*[local-name()=\"link\"]/text()" },
    UnreadXml { roots: &["opml"], certainty: Sure, what: "OPML in an unknown namespace", xpath: "//@xmlUrl | //@htmlUrl | //@url" },
    UnreadXml { roots: &["plist"], certainty: Sure, what: "a property list", xpath: "//*[local-name()=\"key\"][.=\"URL\"]/following-sibling::*[1]/text()" },
    UnreadXml { roots: &["playlist"], certainty: IfNamespaced, what: "a playlist (XSPF)", xpath: "//*[local-name()=\"location\"]/text()" },
    UnreadXml { roots: &["package"], certainty: IfNamespaced, what: "an EPUB package", xpath: "//@href" },
    UnreadXml { roots: &["ncx"], certainty: Sure, what: "a table of contents of an EPUB", xpath: "//@src" },
    UnreadXml { roots: &["article", "book", "chapter", "refentry", "section"], certainty: IfXml, what: "DocBook", xpath: "//@url | //@*[local-name()=\"href\"]" },
    UnreadXml { roots: &["page"], certainty: IfNamespaced, what: "a page of Mallard", xpath: "//@href" },
    UnreadXml { roots: &["topic", "concept", "task", "reference", "map", "bookmap"], certainty: IfXml, what: "DITA", xpath: "//@href" },
    UnreadXml { roots: &["TEI"], certainty: Sure, what: "TEI", xpath: "//@target" },
    UnreadXml { roots: &["kml"], certainty: Sure, what: "KML", xpath: "//*[local-name()=\"href\"]/text()" },
    UnreadXml { roots: &["gpx"], certainty: Sure, what: "GPX", xpath: "//@href" },
    UnreadXml { roots: &["project"], certainty: IfNamespaced, what: "a project of Maven", xpath: "//*[local-name()=\"url\"]/text()" },
    UnreadXml { roots: &["schema", "definitions"], certainty: IfNamespaced, what: "a schema", xpath: "//@schemaLocation" },
    UnreadXml { roots: &["stylesheet", "transform"], certainty: IfNamespaced, what: "XSLT", xpath: "//@href" },
];

/// What is said about all other XML.
const UNKNOWN_XML: &str = "the file is XML of an unknown type; print its references with xmllint --xpath '//@href' FILE | cut -d'\"' -f2, \
                           or use --media-type application/xml for xml:base and XLink";

/// What XML that is not read is, by the name of its root, if that is known; and whether it surely is XML.
pub fn unread_xml(root: &[u8], has_namespace: bool) -> (Option<&'static UnreadXml>, bool) {
    let is_its = |row: &&UnreadXml| {
        row.roots.iter().any(|name| name.as_bytes() == root) && (has_namespace || row.certainty != IfNamespaced)
    };
    let row = UNREAD_XML.iter().find(is_its);
    (row, row.is_some_and(|row| row.certainty == Sure))
}

/// Why a text that starts so cannot be decoded from a charset. Browsers take one in the replacement encoding for a single
/// U+FFFD, because its charset, such as ISO-2022-KR, may hide markup (Encoding Standard). Markup in UTF-16 has NULs.
pub fn undecodable(charset: &'static Encoding, start: &[u8]) -> Option<Problem> {
    if charset == REPLACEMENT {
        return Some(Problem::CHARSET);
    }
    let is_wide = !charset.is_ascii_compatible() && charset != ISO_2022_JP;
    (is_wide && !start.is_empty() && !start.contains(&0)).then(|| {
        let why = format!("is not in {}; name its own charset", charset.name()).into();
        Problem::Content { kind: "charset", why }
    })
}

/// A text that ends in an error if it has no tag of HTML. UTF-16 is read too, because NUL bytes are ignored.
pub struct TagSearch<R> {
    text: R,
    /// The last byte that was read; `None` at the start.
    last: Option<u8>,
    /// The name so far of the tag in which that is, in lower case, but for its end; `None` outside such names.
    name: Option<Vec<u8>>,
    /// Whether a tag of HTML was found.
    has_tag: bool,
    /// Whether another one was found.
    has_other_tag: bool,
    /// Whether it starts with bytes that no text has.
    is_binary: bool,
    /// Which UTF-16 it seems to be.
    utf16_name: Option<&'static str>,
}

impl<R> TagSearch<R> {
    /// Starts to read a text.
    pub fn new(text: R) -> Self {
        let (last, name, utf16_name) = (None, None, None);
        TagSearch { text, last, name, has_tag: false, has_other_tag: false, is_binary: false, utf16_name }
    }

    /// Takes the next byte.
    fn take(&mut self, byte: u8) {
        let is_end = byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        match &mut self.name {
            // not <http://a/> and <me@b>, which are links of Markdown
            Some(name) if is_end && !name.is_empty() => {
                // the name of a custom element has a hyphen
                self.has_tag = is_known(name) || name.contains(&b'-');
                self.has_other_tag |= name.last().is_some_and(u8::is_ascii_alphanumeric);
                self.name = None;
            }
            Some(name) if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b':' | b'_') => {
                if name.len() < MAX_NAME {
                    name.push(byte.to_ascii_lowercase());
                }
            }
            _ if self.last == Some(b'<') && byte == b'/' => self.name = Some(Vec::new()),
            _ if self.last == Some(b'<') && byte.is_ascii_alphabetic() => {
                self.name = Some(vec![byte.to_ascii_lowercase()]);
            }
            _ => self.name = None,
        }
        self.last = Some(byte);
    }
}

impl<R: Read> Read for TagSearch<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.text.read(bytes)?;
        if length == 0 && !bytes.is_empty() && !self.has_tag {
            let unfit = |why| Err(io::Error::new(io::ErrorKind::InvalidData, why));
            return match self.last {
                None => unfit(Unfit::Empty),
                Some(_) if self.is_binary => Err(binary()),
                Some(_) if self.has_other_tag => unfit(Unfit::OtherTags),
                Some(_) => unfit(Unfit::NoTag(self.utf16_name)),
            };
        }
        let is_start = self.last.is_none();
        let mut rest = bytes[..length].iter().copied().filter(|byte| *byte != 0);
        while !self.has_tag
            && let Some(byte) = rest.next()
        {
            self.take(byte);
        }
        if is_start && !self.has_tag {
            let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && *byte != b'\x1B';
            self.utf16_name = wide_encoding(&bytes[..length]);
            self.is_binary = bytes[..length].iter().any(is_control) && self.utf16_name.is_none();
        }
        Ok(length)
    }
}
