//! What is left out of a text or a URL where it is read, by all who read one.

use std::borrow::Cow;

use memchr::memchr3;

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
