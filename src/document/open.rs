//! How a text of each type is opened: the one place that knows all readers.

use std::io::{self, Cursor, Read};
use std::rc::Rc;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT};

use super::css::{self, Sheet};
use super::holds::Holds;
use super::html::Page;
use super::html::charset::{has_charset_in_doubt, named_charset, xml_encoding};
use super::markdown::Markdown as MarkdownReader;
use super::place::decoding::{Decoding, of_named};
use super::problem::Problem;
use super::reader::{Opening, Reader, Value};
use super::types::MediaType::{self, Css, Html, Markdown, Message, Xml};
use super::values::Options;
use super::xml::Xml as XmlReader;
use super::xml::reader::first_charset;
use crate::limits::PRESCAN;

/// The reader of a text, or what is skipped.
type Opened<'t> = Result<Box<dyn Reader + 't>, Option<Problem>>;

/// Opens a text. Returns a problem if it cannot be searched, and no problem if nothing in it is wanted. A message is no
/// text: its parts are, each of another type.
///
/// # Errors
/// The text cannot be read.
pub fn open<'t>(media_type: MediaType, mut text: impl Read + 't, how: &Opening<'_>) -> io::Result<Opened<'t>> {
    let mut start = Vec::with_capacity(PRESCAN);
    text.by_ref().take(PRESCAN as u64).read_to_end(&mut start)?;
    let charset = charset(media_type, &mut start, &mut text, how.charset)?;
    if let Some(problem) = charset.and_then(|charset| undecodable(charset, &start)) {
        return Ok(Err(Some(problem)));
    }
    if media_type == Html && how.options.wary && how.charset.is_none() && has_charset_in_doubt(&start, charset) {
        return Ok(Err(Some(Problem::CHARSET_IN_DOUBT)));
    }
    let (known, transport) = (Opening { charset, ..*how }, how.charset);
    Ok(Ok(match media_type {
        Html | Message => Box::new(Page::new(start, text, &known)?),
        Css if how.wants_links => {
            let sheet = Sheet::new(Cursor::new(start).chain(text), &known)?;
            if how.options.wary && charset.is_none() && sheet.depends_on_charset() {
                return Ok(Err(Some(Problem::CHARSET_IN_DOUBT)));
            }
            Box::new(sheet)
        }
        Markdown if how.wants_links => Box::new(MarkdownReader::open(Cursor::new(start).chain(text), transport, how)?),
        Css | Markdown => return Ok(Err(None)),
        Xml => Box::new(XmlReader::open(start, text, &known)),
    }))
}

/// Opens a text that is a value of another one, which has a `decoding`: HTML, or else CSS.
pub fn open_nested(text: Vec<u8>, value: &Value<'_>, decoding: Decoding, options: &Rc<Options>) -> Box<dyn Reader> {
    let decoding = match value.holds {
        Holds::Html | Holds::Fragment | Holds::Css => decoding.of_attribute(),
        _ => decoding,
    };
    if matches!(value.holds, Holds::Html | Holds::Fragment | Holds::Comment) {
        Box::new(Page::nested(text, value, decoding, options))
    } else {
        Box::new(Sheet::nested(text, value, decoding, options))
    }
}

/// The charset of a document of which `start` has been read: that of its BOM, or the one that its transport names, or
/// else the one that it names itself; `None` if there is none of these. What is read for that is added to `start`.
///
/// # Errors
/// The text cannot be read.
pub fn charset(
    media_type: MediaType,
    start: &mut Vec<u8>,
    text: &mut impl Read,
    transport: Option<&'static Encoding>,
) -> io::Result<Option<&'static Encoding>> {
    let by_bom = Encoding::for_bom(start).map(|(charset, _)| charset);
    let first = if media_type == Xml { first_charset(start).map(|(charset, _)| charset) } else { None };
    let outer = by_bom.or(first).or(transport);
    let named = match media_type {
        Markdown => return Ok(None), // UTF-8, or it is refused
        _ if outer.is_some() => return Ok(outer),
        Html | Message => named_charset(start, text)?,
        Css => css::named_charset(start),
        Xml => xml_encoding(start).and_then(Encoding::for_label),
    };
    Ok(named.map(of_named))
}

/// Why a text that starts so cannot be decoded from a charset. Browsers take one in the replacement encoding for a
/// single U+FFFD, because its charset, such as ISO-2022-KR, may hide markup (Encoding Standard). Markup in UTF-16 has
/// NULs.
fn undecodable(charset: &'static Encoding, start: &[u8]) -> Option<Problem> {
    if charset == REPLACEMENT {
        return Some(Problem::CHARSET);
    }
    let is_wide = !charset.is_ascii_compatible() && charset != ISO_2022_JP;
    (is_wide && !start.is_empty() && !start.contains(&0))
        .then(|| Problem::content("charset", format_args!("is not in {}; name its own charset", charset.name())))
}
