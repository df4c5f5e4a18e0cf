//! Messages (§3.1) and the entities that they consist of (§3.2): RFC 822, MIME, and HTTP's headers.
//!
//! mail-parser reads Content-Type fields and transfer encodings. Where parts start is decided here,
//! line by line: a boundary is a whole line (RFC 2046 §5.1.1), and nothing is recursive.

mod decode;
mod header;
mod tree;
mod url;
mod walk;

pub use header::Coding;
use header::{field, line_at};
use memchr::{memchr_iter, memmem};
pub use tree::{Kind, Tree};

/// Whether a document starts as a message does: with a status line of HTTP, an mbox `From ` line
/// before a header field, or a header field.
pub fn looks_like_message(start: &[u8]) -> bool {
    let start = without_bom(start);
    let is_field = |line: &[u8]| field(line).is_some();
    match line_at(start, 0) {
        (line, next) if line.starts_with(b"From ") => is_field(line_at(start, next).0),
        (line, _) => is_status(line) || is_field(line),
    }
}

/// Whether more bytes would not change what [`looks_like_message`] returns: the lines that it reads are
/// complete, or the first byte starts HTML.
pub fn can_decide(start: &[u8]) -> bool {
    let start = without_bom(start);
    let before = usize::from(start.starts_with(b"From "));
    start.starts_with(b"<") || memchr_iter(b'\n', start).nth(before).is_some()
}

/// A text without the BOM that it may start with.
fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Whether a line is a status line of HTTP: version, space, three digits, and nothing or a space
/// after them.
fn is_status(line: &[u8]) -> bool {
    let mut words = line.split(|byte| *byte == b' ');
    let is_version = match words.next().and_then(|word| word.strip_prefix(b"HTTP/")) {
        Some([major] | [major, b'.', b'0'..=b'9']) => major.is_ascii_digit(),
        _ => false,
    };
    is_version && words.next().is_some_and(|code| code.len() == 3 && code.iter().all(u8::is_ascii_digit))
}

/// Where the header of a message starts, after BOM, mbox line, status line and earlier headers with a
/// status line, and whether it has a status line itself.
fn header_start(text: &[u8]) -> (usize, bool) {
    let mut at = text.len() - without_bom(text).len();
    if line_at(text, at).0.starts_with(b"From ") {
        at = line_at(text, at).1;
    }
    let is_http = is_status(line_at(text, at).0);
    let mut next = at;
    while is_status(line_at(text, next).0) {
        at = line_at(text, next).1;
        next = at;
        while let (line, after) = line_at(text, next)
            && next < text.len()
        {
            next = after;
            if line.is_empty() {
                break;
            }
        }
    }
    (at, is_http)
}

/// Where the first message of an mbox ends, or a text that is not an mbox: the next message starts
/// after an empty line with a `From ` line and a header field.
fn first_of_mbox(text: &[u8]) -> usize {
    if !without_bom(text).starts_with(b"From ") {
        return text.len();
    }
    let starts_next = |at: &usize| {
        let before = text[..*at].strip_suffix(b"\r").unwrap_or(&text[..*at]);
        before.ends_with(b"\n") && looks_like_message(&text[at + 1..])
    };
    memmem::find_iter(text, b"\nFrom ").find(starts_next).map_or(text.len(), |at| at + 1)
}
