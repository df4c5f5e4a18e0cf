//! Where user, host and port of a text are, as the URL Standard finds them.

use crate::spec::is_special;
use crate::spec::rfc3986::divide;

/// The length of user, host and port of a text, and where its path starts. White space is removed before.
pub fn authority_and_path(text: &str, base_scheme: Option<&str>) -> (usize, usize) {
    let text = text.as_bytes();
    let (own, base) = (divide(text).scheme, base_scheme.map(str::as_bytes));
    let scheme = own.or(base).unwrap_or_default();
    let (is_special, is_file) = (is_special(scheme), scheme.eq_ignore_ascii_case(b"file"));
    // it inherits what it does not have
    let is_relative = own.is_none_or(|own| is_special && base.is_some_and(|base| own.eq_ignore_ascii_case(base)));
    let after_scheme = own.map_or(0, |own| own.len() + 1);
    let is_slash = |byte: &u8| *byte == b'/' || is_special && *byte == b'\\';
    let slashes = text[after_scheme..].iter().take_while(|byte| is_slash(byte)).count();
    if slashes < 2 && (is_relative || is_file || !is_special) {
        return (0, after_scheme);
    }
    let start = after_scheme + if is_special && !is_file { slashes } else { 2 };
    let length = text[start..].iter().take_while(|byte| !is_slash(byte) && !b"?#".contains(byte)).count();
    (length, start + length)
}
