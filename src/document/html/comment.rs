//! Conditional comments, whose HTML Outlook reads and browsers do not: `<!--[if mso]>...<![endif]-->`.

use memchr::{memchr, memchr_iter};

/// The bytes of a comment that are searched for its condition.
pub const CONDITION: usize = 256;

/// Whether a comment starts as a conditional one.
pub fn is_conditional(comment: &[u8]) -> bool {
    comment.starts_with(b"[if")
}

/// Where the HTML of a comment starts, whose condition names Outlook.
pub fn html_start(comment: &[u8]) -> Option<usize> {
    let end = memchr(b']', comment.get(..CONDITION).unwrap_or(comment))?;
    let mut words = comment[..end].split(|byte| !byte.is_ascii_alphanumeric());
    (comment[end..].starts_with(b"]>") && words.any(|word| word.eq_ignore_ascii_case(b"mso"))).then_some(end + 2)
}

/// Where a comment ends, by its text up to `-->` or `--!>`.
pub fn text_end(comment: &[u8]) -> Option<usize> {
    memchr_iter(b'>', comment).find_map(|at| {
        let before = &comment[..at];
        before.strip_suffix(b"--").or_else(|| before.strip_suffix(b"--!")).map(<[u8]>::len)
    })
}

/// Whether the text of a comment ends as a conditional one that browsers do not show.
pub fn is_hidden(text: &[u8]) -> bool {
    text.trim_ascii_end().ends_with(b"<![endif]")
}
