//! HTML documents (§10): where their BASE is, and their links, by the HTML Standard.
//!
//! html5gum reads the tokens. Which elements are open decides how it reads on and whether a BASE
//! counts, so those that matter are remembered.

mod attributes;
mod elements;
mod lines;
mod pending;
mod tags;

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use encoding_rs_io::DecodeReaderBytesBuilder;
use html5gum::{IoReader, Tokenizer};
use memchr::{memchr, memmem};

use crate::limits::{HTML_BLOCK, PRESCAN};
use lines::{LineCounter, LineReader};
use pending::LinkReader;
pub use pending::PageLink;
use tags::{TagReader, Token};

/// html5gum's tokenizer over a text whose lines are counted.
type Tags<'a> = Tokenizer<IoReader<LineReader<'a>>, TagReader>;

/// What a page has next.
pub enum Event {
    /// The first BASE with an HREF.
    Base {
        /// The value of the HREF; `None` if it is too long.
        href: Option<Vec<u8>>,
        /// The line and the column where the value starts.
        at: (u64, u64),
        /// Whether it is in BODY.
        is_in_body: bool,
    },
    /// A link: [`Page::link`]. All links come after the BASE, because it counts for all of them.
    Link,
}

/// An HTML document that is being read. It needs memory for the links before its BASE and for the
/// open elements of SVG, MATH and TEMPLATE.
pub struct Page<'a> {
    /// The tags not yet read.
    tags: Tags<'a>,
    /// The lines of the text.
    lines: Rc<RefCell<LineCounter>>,
    /// The links that have been read.
    links: LinkReader,
}

impl<'a> Page<'a> {
    /// Starts to read a page. `charset` is the one that its transport names; a BOM overrides it, a META
    /// in the first KiB does not. The first line gets the number `line`. Bytes that are not ASCII stay as they are
    /// in UTF-8 and Latin-1, unless `decodes` is set and the charset is known.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn new(
        mut text: impl Read + 'a,
        charset: Option<&'static Encoding>,
        line: u64,
        wants_links: bool,
        decodes: bool,
    ) -> io::Result<Self> {
        let mut start = Vec::new();
        text.by_ref().take(PRESCAN as u64).read_to_end(&mut start)?;
        let charset = match Encoding::for_bom(&start) {
            Some((charset, _)) => Some(charset),
            None => charset.or_else(|| named_charset(&start)),
        };
        let charset = charset.filter(|charset| {
            *charset != REPLACEMENT && (decodes || ![UTF_8, WINDOWS_1252, X_USER_DEFINED].contains(charset))
        });
        let text = DecodeReaderBytesBuilder::new()
            .encoding(charset)
            .bom_override(true)
            .strip_bom(true)
            .utf8_passthru(!decodes)
            .build(io::Cursor::new(start).chain(text));
        let (tags, lines) = tokenize::<HTML_BLOCK>(Box::new(text), line, wants_links);
        Ok(Page { tags, lines, links: LinkReader::default() })
    }

    /// Goes to what the page has next; `None` at its end.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn advance(&mut self) -> io::Result<Option<Event>> {
        while !self.links.advance() {
            match self.tags.next().transpose()? {
                Some(Token::Base { href, at, is_in_body }) => return Ok(Some(Event::Base { href, at, is_in_body })),
                Some(Token::Links(links)) => self.links = LinkReader::new(links),
                Some(Token::Charset(_)) => {}
                None => return self.lines.borrow_mut().take_error().map_or(Ok(None), Err),
            }
        }
        Ok(Some(Event::Link))
    }

    /// The current link.
    pub fn link(&self) -> Option<PageLink<'_>> {
        self.links.link()
    }
}

/// The tags of a text in UTF-8 or another charset that has ASCII's bytes, and its lines.
fn tokenize<const BLOCK: usize>(
    text: Box<dyn Read + '_>,
    line: u64,
    wants_links: bool,
) -> (Tags<'_>, Rc<RefCell<LineCounter>>) {
    let lines = Rc::new(RefCell::new(LineCounter::new(line)));
    let reader = LineReader { text, buffer: BLOCK, lines: Rc::clone(&lines) };
    let tags = TagReader::new(Rc::clone(&lines), wants_links);
    (Tokenizer::new_with_emitter(IoReader::new_with_buffer_size::<BLOCK>(reader), tags), lines)
}

/// The charset that a META in the first bytes of a page names, or else its XML declaration. UTF-16 there
/// means UTF-8: otherwise it could not have been read.
fn named_charset(start: &[u8]) -> Option<&'static Encoding> {
    let (tags, _) = tokenize::<PRESCAN>(Box::new(start), 1, false);
    let by_meta = tags.flatten().find_map(|token| match token {
        Token::Charset(label) => Encoding::for_label(&label),
        _ => None,
    });
    let named = by_meta.or_else(|| Encoding::for_label(xml_encoding(start)?))?;
    Some(if named == UTF_16BE || named == UTF_16LE { UTF_8 } else { named })
}

/// The encoding in the XML declaration that a page starts with.
fn xml_encoding(start: &[u8]) -> Option<&[u8]> {
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let value = &declaration[memmem::find(declaration, b"encoding")? + 8..];
    match value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start() {
        [quote @ (b'"' | b'\''), rest @ ..] => Some(&rest[..memchr(*quote, rest)?]),
        _ => None,
    }
}
