//! Messages (§3.1) and the entities that they consist of (§3.2): RFC 822, MIME, and HTTP's headers.
//!
//! mail-parser reads Content-Type fields and transfer encodings. Where parts start is decided here,
//! line by line: a boundary is a whole line (RFC 2046 §5.1.1), and nothing is recursive.

mod decode;
mod header;
mod http;
mod mailbox;
mod tree;
mod url;
mod walk;

pub use decode::Decoded;
pub use header::Coding;
use header::{field, line_at};
pub use http::Redirects;
use http::is_status;
pub use mailbox::Mailbox;
use memchr::memchr_iter;
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
