//! What is left out of a text or a URL where it is read, by all who read one.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr3;

use crate::escaped::Escaped;
use crate::limits::MAX_QUOTED;

/// The byte order mark that a text in UTF-8 may begin with.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A text without the byte order mark that it may begin with.
pub fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// What the URL Standard removes from a URL, wherever it is in it: TAB, LF and CR.
pub const BREAKS: [u8; 3] = *b"\t\n\r";

/// A URL without its [`BREAKS`].
pub fn without_breaks(url: &[u8]) -> Cow<'_, [u8]> {
    let [tab, lf, cr] = BREAKS;
    match memchr3(tab, lf, cr, url) {
        Some(_) => Cow::Owned(url.iter().copied().filter(|byte| !BREAKS.contains(byte)).collect()),
        None => Cow::Borrowed(url),
    }
}

/// A URL without the white space and controls before it, which the URL Standard removes.
pub fn after_blanks(url: &[u8]) -> &[u8] {
    &url[url.iter().position(|byte| *byte > b' ').unwrap_or(url.len())..]
}

/// Where the URL in `<URL:` and `>` is, perhaps with white space around them; `None` if a text is not in these. It
/// looks at a few bytes only.
pub fn wrapped(text: &[u8]) -> Option<Range<usize>> {
    let length = text.len().min(MAX_QUOTED);
    let start = length - text[..length].trim_ascii_start().len();
    let end = text.len() - length + text[text.len() - length..].trim_ascii_end().len();
    let (wrapper, url) = text.get(start..end)?.split_at_checked(5)?;
    let is_wrapped = wrapper.eq_ignore_ascii_case(b"<URL:") && url.ends_with(b">");
    is_wrapped.then(|| start + 5..start + 4 + url.len())
}

/// How to fix a byte of the `<URL:` or the `>` around a URL; `None` if it is none of these.
pub fn unwrapping(text: &[u8], at: usize) -> Option<String> {
    let Range { start, end } = wrapped(text)?;
    let wrapper = start - 5..start;
    (wrapper.contains(&at) || at == end).then(|| format!("remove \"{}\" and \">\"", Escaped(&text[wrapper])))
}
