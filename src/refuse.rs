//! What a file surely is not, by its first bytes: neither a document nor a list.

use std::io;

use crate::limits::TEXT_START;
use crate::strip::without_bom;

/// A kind of file that is neither a document nor a list.
#[derive(PartialEq, Eq, Debug)]
pub struct Packed {
    /// What such files begin with, where `?` is a digit.
    start: &'static [u8],
    pub what: &'static str,
    /// How to get a document or a list out of it.
    pub fix: &'static str,
}

/// The kinds that have a name.
#[rustfmt::skip]
static PACKED: &[Packed] = &[
    Packed { start: b"\x1F\x8B", what: "gzip data", fix: "zcat FILE prints its text" },
    Packed { start: b"BZh?1AY&SY", what: "bzip2 data", fix: "bzcat FILE prints its text" },
    Packed { start: b"\xFD7zXZ\0", what: "xz data", fix: "xzcat FILE prints its text" },
    Packed { start: b"\x28\xB5\x2F\xFD", what: "zstd data", fix: "zstdcat FILE prints its text" },
    Packed { start: b"PK\x03\x04", what: "a zip archive", fix: "unzip it, then pass its directory to --links" },
    Packed { start: b"%PDF-", what: "a PDF", fix: "pdftohtml -stdout FILE prints its text" },
    Packed { start: b"WARC/?.?", what: "a WARC", fix: "warcio extract --payload FILE OFFSET prints a page" },
];

/// What is said about text in UTF-16 that is not decoded.
pub const UTF_16: &str = "UTF-16; convert it: iconv -f UTF-16 -t UTF-8 FILE";

/// What pages, feeds, emails and HTTP responses begin with beside a tag, and no reference does.
const DOCUMENT_STARTS: &[&[u8]] = &[
    b"<!doctype ",
    b"<?xml ",
    b"http/1.",
    b"http/2 ",
    b"http/3 ",
    b"return-path: ",
    b"received: ",
    b"delivered-to: ",
    b"message-id: ",
    b"mime-version: ",
];

/// The kind of a file that begins so, if it is none of text.
pub fn packed(start: &[u8]) -> Option<&'static Packed> {
    let is_its = |(own, byte): (&u8, &u8)| own == byte || *own == b'?' && byte.is_ascii_digit();
    PACKED.iter().find(|row| start.len() >= row.start.len() && row.start.iter().zip(start).all(is_its))
}

/// The first NUL of a file that begins so, as the number of a byte, from 1. Text has none.
pub fn nul(start: &[u8]) -> Option<usize> {
    let start = &start[..start.len().min(TEXT_START)];
    let index = if is_utf_16(start) {
        start.chunks_exact(2).position(|pair| pair == [0, 0]).map(|pair| 2 * pair)
    } else {
        start.iter().position(|byte| *byte == 0)
    };
    index.map(|index| index + 1)
}

/// Whether a file begins with a byte order mark of UTF-16.
pub fn is_utf_16(start: &[u8]) -> bool {
    start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF")
}

/// How to get references out of JSON.
pub const JSON_STRINGS: &str = "jq -r '.. | strings' prints its strings";

/// Whether a text begins as JSON with strings does.
pub fn is_json(text: &[u8]) -> bool {
    let Some((bracket, inside)) = text.split_first() else { return false };
    match inside.trim_ascii_start().first() {
        Some(b'"') => matches!(bracket, b'{' | b'['),
        Some(b'{') => *bracket == b'[',
        _ => false,
    }
}

/// Whether a text is only a bracket, perhaps the start of JSON.
pub fn is_bracket(text: &[u8]) -> bool {
    matches!(without_bom(text).trim_ascii(), b"{" | b"[")
}

/// Whether a text begins with a tag or a comment, as the rest of a page does: `<p>`, `<a href`, not `<http://a/>`.
fn begins_tag(text: &[u8]) -> bool {
    let Some(inside) = text.strip_prefix(b"</").or(text.strip_prefix(b"<")) else { return false };
    let name = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_end = |after: &u8| after.is_ascii_whitespace() || matches!(after, b'>' | b'/');
    inside.starts_with(b"!--") || name > 0 && inside.get(name).is_some_and(is_end)
}

/// Refuses what is not a list of records, by its start.
///
/// # Errors
/// It is a document, JSON, or no text.
pub fn check_list(start: &[u8], terminator: u8) -> io::Result<()> {
    let text = without_bom(start).trim_ascii_start();
    let is = |first: &&[u8]| text.get(..first.len()).is_some_and(|text| text.eq_ignore_ascii_case(first));
    let what = match packed(start) {
        Some(Packed { what, fix, .. }) => format!("{what}; {fix}"),
        None if is_utf_16(start) && nul(start).is_none() => UTF_16.into(), // UTF-32 begins so, too
        None if DOCUMENT_STARTS.iter().any(is) || begins_tag(text) => "a document, not a list; use --links".into(),
        None if is_json(text) => format!("JSON, not a list; {JSON_STRINGS}"),
        None if is(&&b"#extm3u"[..]) && text.get(7).is_none_or(u8::is_ascii_whitespace) => {
            "a playlist; grep -v '^#' prints its URLs".into()
        }
        None if terminator != 0 && nul(start).is_some() => {
            "binary data, not lines; use --null if NUL ends them".into() // silent: reading 20
        }
        None => return Ok(()),
    };
    Err(io::Error::new(io::ErrorKind::InvalidData, what))
}
