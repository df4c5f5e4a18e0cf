//! What cannot be read as a document: XML without a known root, and HTML without a tag.

use std::error::Error;
use std::io::{self, Read};
use std::{fmt, mem};

use encoding_rs::UTF_8;

use super::place::decoding::Decoding;
use super::problem::Problem;
use super::reader::{Event, Reader, Value};
use crate::refuse::{binary, says_encoding, wide_encoding};

/// Why a file is no document that can be read, or rewritten, although its name may say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// It has no bytes.
    Empty,
    /// It is read as HTML and has no tag; which UTF-16 it is in.
    NoTag(Option<&'static str>),
    /// It is XML of a type that is not read; what to do.
    UnreadXml(&'static str),
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
                return write!(f, "the text has no HTML tag, and {}", says_encoding(encoding));
            }
            Unfit::NoTag(None) => "the text has no HTML tag; use --media-type text/css for CSS, --file for a list",
            Unfit::UnreadXml(what) => what,
            Unfit::Message => "the document is a message, which cannot be rewritten; use --links",
        })
    }
}

impl Error for Unfit {}

/// XML that is not read: the names of its root element, what it is, and how to print its references.
#[rustfmt::skip]
const UNREAD_XML: &[(&[&[u8]], &str)] = &[
    (&[b"urlset", b"sitemapindex"], "the file is a sitemap in an unknown namespace, which is not read; print its references with xmllint --xpath '//*[local-name()=\"loc\"]/text()' FILE"),
    (&[b"package"], "the file is an EPUB package, which is not read; print its references with xmllint --xpath '//@href' FILE | cut -d'\"' -f2"),
    (&[b"ncx"], "the file is a table of contents of an EPUB, which is not read; print its references with xmllint --xpath '//@src' FILE | cut -d'\"' -f2"),
    (&[b"article", b"book", b"chapter", b"refentry", b"section"], "the file is DocBook, which is not read; print its references with xmllint --xpath '//@url | //@*[local-name()=\"href\"]' FILE | cut -d'\"' -f2"),
    (&[b"page"], "the file is a page of Mallard, which is not read; print its references with xmllint --xpath '//@href' FILE | cut -d'\"' -f2"),
    (&[b"topic", b"concept", b"task", b"reference", b"map", b"bookmap"], "the file is DITA, which is not read; print its references with xmllint --xpath '//@href' FILE | cut -d'\"' -f2"),
    (&[b"TEI"], "the file is TEI, which is not read; print its references with xmllint --xpath '//@target' FILE | cut -d'\"' -f2"),
    (&[b"kml"], "the file is KML, which is not read; print its references with xmllint --xpath '//*[local-name()=\"href\"]/text()' FILE"),
    (&[b"gpx"], "the file is GPX, which is not read; print its references with xmllint --xpath '//@href' FILE | cut -d'\"' -f2"),
    (&[b"project"], "the file is a project of Maven, which is not read; print its references with xmllint --xpath '//*[local-name()=\"url\"]/text()' FILE"),
    (&[b"schema", b"definitions"], "the file is a schema, which is not read; print its references with xmllint --xpath '//@schemaLocation' FILE | cut -d'\"' -f2"),
    (&[b"stylesheet", b"transform"], "the file is XSLT, which is not read; print its references with xmllint --xpath '//@href' FILE | cut -d'\"' -f2"),
];

/// What is said about all other XML.
const UNKNOWN_XML: &str = "the file is XML of an unknown type; print its references with xmllint --xpath '//@href' FILE | cut -d'\"' -f2, \
                           or use --media-type application/xml for xml:base and XLink";

/// What XML that is not read is, by the name of its root, and how to print its references.
pub fn unread_xml(root: &[u8]) -> &'static str {
    UNREAD_XML.iter().find(|row| row.0.contains(&root)).map_or(UNKNOWN_XML, |row| row.1)
}

/// A text in the replacement encoding: browsers take it for a single U+FFFD, because its charset, such as ISO-2022-KR, may hide
/// markup (Encoding Standard).
pub struct Undecodable {
    line: u64,
    is_reported: bool,
}

impl Undecodable {
    /// A text whose first line has a number.
    pub fn new(line: u64) -> Self {
        Undecodable { line, is_reported: false }
    }
}

impl Reader for Undecodable {
    fn advance(&mut self) -> io::Result<Option<Event>> {
        let is_first = !mem::replace(&mut self.is_reported, true);
        Ok(is_first.then_some(Event::Problem(Problem::Charset)))
    }

    fn value(&self) -> Value<'_> {
        Value { line: self.line, column: 1, ..Value::default() }
    }

    fn decoding(&self) -> Decoding {
        Decoding::new(UTF_8)
    }
}

/// A text that ends in an error if it has no tag. UTF-16 is read too, because NUL bytes are ignored.
pub struct TagSearch<R> {
    text: R,
    /// The last byte that was read; `None` at the start.
    last: Option<u8>,
    /// Whether that is in the name of a tag.
    is_in_name: bool,
    /// Whether a tag was found.
    has_tag: bool,
    /// Whether it starts with bytes that no text has.
    is_binary: bool,
    /// Which UTF-16 it seems to be.
    utf16_name: Option<&'static str>,
}

impl<R> TagSearch<R> {
    /// Starts to read a text.
    pub fn new(text: R) -> Self {
        TagSearch { text, last: None, is_in_name: false, has_tag: false, is_binary: false, utf16_name: None }
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
                Some(_) => unfit(Unfit::NoTag(self.utf16_name)),
            };
        }
        if self.last.is_none() {
            let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && *byte != b'\x1B';
            self.utf16_name = wide_encoding(&bytes[..length]);
            self.is_binary = bytes[..length].iter().any(is_control) && self.utf16_name.is_none();
        }
        let mut rest = bytes[..length].iter().copied().filter(|byte| *byte != 0);
        while !self.has_tag
            && let Some(byte) = rest.next()
        {
            let is_start = self.last == Some(b'<') && (byte.is_ascii_alphabetic() || byte == b'/');
            let is_end = byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
            // not <http://a/> and <me@b>, which are links of Markdown
            self.has_tag = self.is_in_name && is_end && self.last.is_some_and(|last| last.is_ascii_alphanumeric());
            let is_name = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b':' | b'_');
            self.is_in_name = is_start || self.is_in_name && is_name;
            self.last = Some(byte);
        }
        Ok(length)
    }
}
