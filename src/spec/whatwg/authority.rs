//! Where user, host and port of a text are, as the URL Standard finds them.
//!
//! For each dot segment of a path, url 2.5.8 goes back through all of them (`last_slash_can_be_removed`), so with long ones
//! it would take time that grows with the square of the input.

use crate::spec::rfc3986::divide;
use crate::spec::{dot_segment, is_special};

/// What references may inherit of a base that is too long for dot segments.
#[derive(Clone, Copy)]
pub struct Inherited {
    /// The length of its user, host and port, as they are written.
    pub authority: usize,
    /// Whether it has its path: not if resolving that is slow.
    pub has_path: bool,
    /// Whether its path may begin with a drive letter.
    pub may_have_drive: bool,
}

/// A text divided where its path starts.
pub struct Division<'a> {
    text: &'a [u8],
    is_special: bool,
    is_file: bool,
    /// Whether it inherits what it does not have: it has no scheme, or that of a base with a special scheme.
    is_relative: bool,
    /// User, host and port, unless it has none and may inherit them.
    pub authority: Option<&'a [u8]>,
    /// Where the path starts.
    pub path: usize,
}

impl<'a> Division<'a> {
    /// Divides a text. White space is removed before.
    pub fn of(text: &'a str, base_scheme: Option<&'a str>) -> Self {
        let text = text.as_bytes();
        let (own, base) = (divide(text).scheme, base_scheme.map(str::as_bytes));
        let scheme = own.or(base).unwrap_or_default();
        let (is_special, is_file) = (is_special(scheme), scheme.eq_ignore_ascii_case(b"file"));
        let is_relative = own.is_none_or(|own| is_special && base.is_some_and(|base| own.eq_ignore_ascii_case(base)));
        let after_scheme = own.map_or(0, |own| own.len() + 1);
        let is_slash = |byte: &u8| *byte == b'/' || is_special && *byte == b'\\';
        let slashes = text[after_scheme..].iter().take_while(|byte| is_slash(byte)).count();
        if slashes < 2 && (is_relative || is_file || !is_special) {
            return Division { text, is_special, is_file, is_relative, authority: None, path: after_scheme };
        }
        let start = after_scheme + if is_special && !is_file { slashes } else { 2 };
        let length = text[start..].iter().take_while(|byte| !is_slash(byte) && !b"?#".contains(byte)).count();
        let (authority, path) = (Some(&text[start..start + length]), start + length);
        Division { text, is_special, is_file, is_relative, authority, path }
    }

    /// The path and what follows it.
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.path..]
    }

    /// Whether the path has dot segments and is resolved after more than `limit` bytes of user, host and port.
    pub fn is_slow(&self, base: Option<Inherited>, limit: usize) -> bool {
        let base = base.filter(|_| self.authority.is_none() && self.is_relative);
        let length = self.authority.map_or(base.map_or(0, |base| base.authority), <[u8]>::len);
        if length <= limit {
            return false;
        }
        let is_slash = |byte: &u8| *byte == b'/' || self.is_special && *byte == b'\\';
        let rest = self.rest();
        let path = &rest[..rest.iter().position(|byte| b"?#".contains(byte)).unwrap_or(rest.len())];
        let mut segments = path.split(is_slash);
        if let (Some(base), Some(first)) = (base, segments.clone().next()) {
            if self.is_file && matches!(first, [letter, b':' | b'|'] if letter.is_ascii_alphabetic()) {
                return false; // a drive letter has no host before it
            }
            // an absolute path of a file inherits the drive letter
            let inherits = !path.first().is_some_and(is_slash) || self.is_file && base.may_have_drive;
            if inherits && !base.has_path {
                return true;
            }
        }
        segments.any(|segment| dot_segment(segment).is_some())
    }
}
