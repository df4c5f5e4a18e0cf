//! The URL in a header field.

use std::borrow::Cow;

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;
use memchr::memchr;

/// The URL in the value of a header field: `<URL:...>` with any white space in it, or a bare or quoted
/// URL that may be folded, with RFC 822 comments around it. Encoded words are decoded. `None` if there
/// is anything else.
pub fn url_in(value: &[u8]) -> Option<Vec<u8>> {
    let value = without_comments(value);
    let value = if value.starts_with(b"=?") { Cow::Owned(decode_words(value)?) } else { Cow::Borrowed(value) };
    let (url, rest) = match &*value {
        [b'<', inside @ ..] => {
            let (url, rest) = up_to(inside, b'>')?;
            let is_wrapped = url.get(..4).is_some_and(|wrapper| wrapper.eq_ignore_ascii_case(b"url:"));
            (if is_wrapped { url[4..].to_vec() } else { url }, rest)
        }
        [b'"', inside @ ..] => up_to(inside, b'"')?,
        bare => unfold(bare),
    };
    (!url.is_empty() && without_comments(rest).is_empty()).then_some(url)
}

/// The text of a value that starts with an encoded word.
pub fn decode_words(value: &[u8]) -> Option<Vec<u8>> {
    let line = [value, b"\n"].concat();
    match MessageStream::new(&line).parse_unstructured() {
        HeaderValue::Text(text) => Some(text.as_bytes().to_vec()),
        _ => None,
    }
}

/// What is before a delimiter, without white space, and what is after it.
fn up_to(text: &[u8], delimiter: u8) -> Option<(Vec<u8>, &[u8])> {
    let end = memchr(delimiter, text)?;
    let url = text[..end].iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    Some((url, &text[end + 1..]))
}

/// A bare URL without the folds in it, and what is after it: white space without a line end, or a
/// comment, ends it.
fn unfold(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let (mut url, mut rest) = (Vec::new(), text);
    loop {
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        url.extend_from_slice(&rest[..end]);
        let next = rest[end..].trim_ascii_start();
        let space = &rest[end..rest.len() - next.len()];
        if next.is_empty() || next.starts_with(b"(") || !space.contains(&b'\n') {
            return (url, &rest[end..]);
        }
        rest = next;
    }
}

/// What follows white space and comments.
pub fn without_comments(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii();
    while rest.starts_with(b"(") {
        let (mut depth, mut is_quoted) = (0_usize, false);
        let end = rest.iter().position(|&byte| {
            match byte {
                _ if is_quoted => is_quoted = false,
                b'\\' => is_quoted = true,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        rest = end.map_or(&b""[..], |end| rest[end + 1..].trim_ascii());
    }
    rest
}
