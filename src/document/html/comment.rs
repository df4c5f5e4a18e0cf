//! Conditional comments, whose HTML Outlook reads and browsers do not: `<!--[if mso]>...<![endif]-->`.

use memchr::{memchr, memchr_iter};

/// The bytes of a comment that are searched for its condition.
pub const CONDITION: usize = 256;

/// Whether a comment starts as a conditional one.
pub fn is_conditional(comment: &[u8]) -> bool {
    comment.starts_with(b"[if")
}

/// Where the HTML of a comment starts, whose condition names Outlook or the drawings that only it knows, and does not
/// exclude them.
pub fn html_start(comment: &[u8]) -> Option<usize> {
    let end = memchr(b']', comment.get(..CONDITION).unwrap_or(comment))?;
    let condition = comment[..end].to_ascii_lowercase();
    let mut words = condition.split(|byte| !byte.is_ascii_alphanumeric() && !b"!(".contains(byte));
    let is_outlook = words.any(|word| {
        let name = word.iter().position(|byte| *byte != b'(').map_or(word, |start| &word[start..]);
        matches!(name, b"mso" | b"vml")
    });
    (comment[end..].starts_with(b"]>") && is_outlook).then_some(end + 2)
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
