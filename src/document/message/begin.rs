//! Whether a text is a message, by how it begins.

use memchr::memchr_iter;

use super::header::{is_of_name, line_at, split_field};
use super::http::status;
use crate::document::html::begins_with_tag;
use crate::limits::MAX_PROLOG;

/// The header fields of which a message has one at least, in lower case; one that ends in `-` matches all that start
/// so. Other texts start with fields, too: `Warning: ...`, `Title: ...`, `User-agent: *`.
#[rustfmt::skip]
const FIELDS: &[&str] = &[
    "arc-", "authentication-results", "base", "bcc", "cc", "content-", "delivered-to", "dkim-signature", "envelope-to",
    "from", "in-reply-to", "list-", "message-id", "mime-version", "newsgroups", "received", "received-spf", "reply-to",
    "resent-", "return-path", "sender", "subject", "to", "x-",
];

/// Whether a text begins with a status line of HTTP.
pub fn is_response(text: &[u8]) -> bool {
    status(line_at(text, 0).0).is_some()
}

/// Whether a document that starts so is a message; `None` if more bytes are needed. It starts with an mbox `From ` line
/// before a header field, or with a header: fields up to an empty line or to the end, and one of [`FIELDS`] among them.
pub fn is_message(text: &[u8], is_end: bool) -> Option<bool> {
    let is_enough = is_end || text.len() >= MAX_PROLOG;
    let (first, next) = line_at(text, 0);
    if first.starts_with(b"From ") {
        let has_next = next < text.len() || is_enough;
        return if has_next { starts_field(line_at(text, next).0, is_enough) } else { None };
    }
    is_header(text, is_end, is_enough)
}

/// Whether a line that may not be complete starts a header field; `None` if its `:` may follow.
fn starts_field(line: &[u8], is_enough: bool) -> Option<bool> {
    let name = line.iter().take_while(|byte| is_of_name(**byte)).count();
    let may_follow = line[name..].iter().all(|byte| matches!(byte, b' ' | b'\t')) && !line.is_empty() && !is_enough;
    if may_follow { None } else { Some(split_field(line).is_some()) }
}

/// Whether only a message has a header field of this name.
pub fn is_of_message(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    FIELDS.iter().any(|field| name == field.as_bytes() || field.ends_with('-') && name.starts_with(field.as_bytes()))
}

/// Whether a text starts with header fields of a message up to an empty line or to its end.
fn is_header(text: &[u8], is_end: bool, is_enough: bool) -> Option<bool> {
    let (mut at, mut is_message) = (0, false);
    while at < text.len() {
        let (line, next) = line_at(text, at);
        let is_cut = next == text.len() && !text.ends_with(b"\n") && !is_end;
        // a boundary ends a header without an empty line
        if !is_cut && (line.is_empty() || is_message && line.starts_with(b"--")) {
            return Some(is_message);
        }
        let is_folded = at > 0 && matches!(line, [b' ' | b'\t', ..]);
        // an old mailbox has such lines in headers
        if !is_folded && !line.starts_with(b">From ") {
            match starts_field(line, is_enough || !is_cut) {
                Some(true) => is_message |= split_field(line).is_some_and(|(name, _)| is_of_message(name)),
                // a header that is longer than what is looked at
                Some(false) if is_cut && is_enough && at > 0 => return Some(is_message),
                other => return other,
            }
        }
        at = next;
    }
    if is_end {
        // a page such as `Note: see <a href=g>` has no empty line either
        return Some(is_message && !memchr_iter(b'<', text).any(|tag| begins_with_tag(&text[tag..])));
    }
    is_enough.then_some(is_message)
}
