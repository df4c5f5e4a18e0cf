//! The validation errors of the URL Standard in a text, each with its place.
//!
//! The url crate has no places and misses some errors, so this goes through the states of the standard's basic URL
//! parser and looks for nothing but errors.

mod host;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr2, memrchr};

use url::Url;

use crate::escaped::character_at;
use crate::resolver::grammar::{is_reserved, is_unreserved};
use crate::spec::is_special;
use crate::spec::rfc3986::{divide, is_hex};
use crate::spec::url_error::{UrlError, UrlErrorKind as Kind};
use crate::strip::BREAKS;

/// What the errors of a reference depend on in its base.
#[derive(Clone, Copy)]
pub struct BaseKind<'a> {
    pub scheme: &'a [u8],
    /// Whether nothing but a fragment is relative to it.
    pub is_opaque: bool,
}

impl<'a> BaseKind<'a> {
    /// What they depend on in a base that is parsed.
    pub fn of(base: &'a Url) -> Self {
        BaseKind { scheme: base.scheme().as_bytes(), is_opaque: base.cannot_be_a_base() }
    }

    /// Whether it has the scheme, in any case.
    fn has(self, scheme: &[u8]) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }
}

/// Hands each validation error of a text to `each`, in the order of the text, until that breaks. Linear time; memory
/// for a copy of the text. Unlike the standard's parser it goes on after a failure, unless the scheme is missing. It
/// has one error for a user with "@", for a run of slashes, and for white space at each end.
pub fn errors(
    text: &[u8],
    base: Option<BaseKind<'_>>,
    each: &mut dyn FnMut(UrlError) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let start = text.iter().position(|&byte| byte > b' ').unwrap_or(text.len());
    let end = text.iter().rposition(|&byte| byte > b' ').map_or(start, |last| last + 1);
    let white_space = |range: Range<usize>, each: &mut dyn FnMut(UrlError) -> ControlFlow<()>| match range.len() {
        0 => ControlFlow::Continue(()),
        length => {
            each(UrlError { kind: Kind::InvalidUrlUnit, at: range.start, length, is_failure: false, in_file: false })
        }
    };
    white_space(0..start, each)?;
    let url = without_breaks(&text[start..end]);
    let mut finder = Finder { text: &text[..end], at: start, url: &url, passed: 0, in_file: false, each };
    finder.url(base)?;
    finder.pass(url.len())?;
    white_space(end..text.len(), each)
}

/// A text without its [`BREAKS`]. Bytes that a break separates make no character together.
fn without_breaks(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.iter().any(|byte| BREAKS.contains(byte)) {
        return text.into();
    }
    let mut url = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        url.extend(chunk.valid().bytes().filter(|byte| !BREAKS.contains(byte)));
        url.resize(url.len() + chunk.invalid().len(), 0xFF); // no byte of UTF-8
    }
    url.into()
}

/// Finds errors. The methods get places in `url`, in ascending order.
struct Finder<'a, 'e> {
    /// The text without the white space at its end.
    text: &'a [u8],
    /// How much of it is passed.
    at: usize,
    /// The text without white space and breaks.
    url: &'a [u8],
    /// How much of that is passed.
    passed: usize,
    /// Whether the scheme is file, its own or the base's.
    in_file: bool,
    each: &'e mut dyn FnMut(UrlError) -> ControlFlow<()>,
}

impl Finder<'_, '_> {
    /// Goes to a place in the text, and reports the breaks on the way.
    fn pass(&mut self, to: usize) -> ControlFlow<()> {
        while let Some(byte) = self.text.get(self.at) {
            if BREAKS.contains(byte) {
                (self.each)(UrlError {
                    kind: Kind::InvalidUrlUnit,
                    at: self.at,
                    length: 1,
                    is_failure: false,
                    in_file: false,
                })?;
            } else if self.passed < to {
                self.passed += 1;
            } else {
                break;
            }
            self.at += 1;
        }
        ControlFlow::Continue(())
    }

    fn report(&mut self, kind: Kind, place: Range<usize>, is_failure: bool) -> ControlFlow<()> {
        debug_assert!(self.passed <= place.start, "errors are in the order of the text");
        self.pass(place.start)?;
        let (mut left, rest) = (place.len(), &self.text[self.at..]);
        let length = rest.iter().take_while(|byte| {
            let is_inside = left > 0;
            left -= usize::from(is_inside && !BREAKS.contains(byte));
            is_inside
        });
        let length = length.count();
        (self.each)(UrlError { kind, at: self.at, length, is_failure, in_file: self.in_file })
    }

    /// The scheme start state and those for what has no authority.
    fn url(&mut self, base: Option<BaseKind<'_>>) -> ControlFlow<()> {
        let Some(scheme) = divide(self.url).scheme else {
            return match base {
                Some(base) if base.is_opaque && self.url.starts_with(b"#") => self.tail(0, false),
                Some(base) if base.is_opaque => self.report(Kind::MissingSchemeNonRelativeUrl, 0..0, true),
                Some(base) if base.has(b"file") => self.file(0, true),
                Some(base) => self.relative(0, is_special(base.scheme)),
                None => self.report(Kind::MissingSchemeNonRelativeUrl, 0..0, true),
            };
        };
        let after = scheme.len() + 1;
        let slashes = self.slashes(after, true);
        let has_two = self.url[after..].starts_with(b"//");
        let is_base = base.is_some_and(|base| base.has(scheme));
        if scheme.eq_ignore_ascii_case(b"file") {
            if !has_two {
                self.report(Kind::SpecialSchemeMissingFollowingSolidus, after..after + slashes, false)?;
            }
            self.file(after, is_base)
        } else if is_special(scheme) && is_base && !has_two {
            self.report(Kind::SpecialSchemeMissingFollowingSolidus, 0..after, false)?;
            self.relative(after, true)
        } else if is_special(scheme) && !has_two {
            self.report(Kind::SpecialSchemeMissingFollowingSolidus, after..after + slashes, false)?;
            self.authority(after + slashes, true)
        } else if is_special(scheme) {
            self.special_authority(after + 2)
        } else if has_two {
            self.authority(after + 2, false)
        } else {
            self.tail(after, false)
        }
    }

    /// The number of slashes at a place.
    fn slashes(&self, at: usize, is_special: bool) -> usize {
        self.url[at..].iter().take_while(|byte| **byte == b'/' || is_special && **byte == b'\\').count()
    }

    /// Two slashes, of which a backslash is an error.
    fn two_slashes(&mut self, at: usize) -> ControlFlow<()> {
        for at in [at, at + 1] {
            if self.url[at] == b'\\' {
                self.report(Kind::InvalidReverseSolidus, at..at + 1, false)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The relative state.
    fn relative(&mut self, at: usize, is_special: bool) -> ControlFlow<()> {
        if self.slashes(at, is_special) < 2 {
            return self.tail(at, is_special);
        }
        self.two_slashes(at)?;
        if is_special { self.special_authority(at + 2) } else { self.authority(at + 2, false) }
    }

    /// The file state.
    fn file(&mut self, at: usize, base_is_file: bool) -> ControlFlow<()> {
        self.in_file = true;
        let slashes = self.slashes(at, true);
        if slashes < 2 {
            let rest = &self.url[at..];
            let is_end = |byte: &u8| b"/\\?#".contains(byte);
            if base_is_file && rest.get(..2).is_some_and(is_drive) && rest.get(2).is_none_or(is_end) {
                self.report(Kind::FileInvalidWindowsDriveLetter, at..at + 2, false)?;
            }
            return self.tail(at, true);
        }
        self.two_slashes(at)?;
        let host = at + 2..self.authority_end(at + 2, true);
        let end = host.end;
        if is_drive(&self.url[host.clone()]) {
            self.report(Kind::FileInvalidWindowsDriveLetterHost, host, false)?;
        } else if !host.is_empty() {
            self.host(host, true)?;
        }
        self.tail(end, true)
    }

    /// The special authority ignore slashes state.
    fn special_authority(&mut self, at: usize) -> ControlFlow<()> {
        let start = at + self.slashes(at, true);
        if start > at {
            self.report(Kind::SpecialSchemeMissingFollowingSolidus, at..start, false)?;
        }
        self.authority(start, true)
    }

    /// Where user, host and port end that start at a place.
    fn authority_end(&self, at: usize, is_special: bool) -> usize {
        let is_end = |byte: &u8| b"/?#".contains(byte) || is_special && *byte == b'\\';
        self.url[at..].iter().position(is_end).map_or(self.url.len(), |length| at + length)
    }

    /// The authority state, the host state and the port state.
    fn authority(&mut self, at: usize, is_special: bool) -> ControlFlow<()> {
        let end = self.authority_end(at, is_special);
        let start = memrchr(b'@', &self.url[at..end]).map_or(at, |sign| at + sign + 1);
        if start > at {
            self.report(Kind::InvalidCredentials, at..start, false)?;
        }
        let mut is_in_brackets = false;
        let is_colon = |byte: &u8| {
            is_in_brackets = *byte == b'[' || is_in_brackets && *byte != b']';
            *byte == b':' && !is_in_brackets
        };
        let colon = self.url[start..end].iter().position(is_colon).map_or(end, |length| start + length);
        if start < colon {
            self.host(start..colon, is_special)?;
        } else if is_special || at < start || colon < end {
            self.report(Kind::HostMissing, start..start, true)?;
        }
        if colon < end {
            self.port(colon + 1..end)?;
        }
        self.tail(end, is_special)
    }

    /// A port, perhaps an empty one.
    fn port(&mut self, place: Range<usize>) -> ControlFlow<()> {
        let port = &self.url[place.clone()];
        if let Some(length) = port.iter().position(|byte| !byte.is_ascii_digit()) {
            return self.report(Kind::PortInvalid, self.character(place.start + length), true);
        }
        let number =
            port.iter().fold(0, |number: u32, digit| number.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
        if number > 65535 { self.report(Kind::PortOutOfRange, place, true) } else { ControlFlow::Continue(()) }
    }

    /// Path, query and fragment, which start at a place.
    fn tail(&mut self, at: usize, is_special: bool) -> ControlFlow<()> {
        let length = self.url.len();
        let path = memchr2(b'?', b'#', &self.url[at..]).map_or(length, |path| at + path);
        let query = memchr(b'#', &self.url[path..]).map_or(length, |query| path + query);
        self.units(at..path, is_special)?;
        self.units(path..query, false)?;
        self.units(length.min(query + 1)..length, false)
    }

    /// Characters that must be URL units. `has_slashes`: a backslash is a slash.
    fn units(&mut self, place: Range<usize>, has_slashes: bool) -> ControlFlow<()> {
        let mut at = place.start;
        while at < place.end {
            let byte = self.url[at];
            let character = if byte.is_ascii() { at..at + 1 } else { self.character(at) };
            at = character.end;
            let is_unit = match byte {
                b'\\' if has_slashes => {
                    self.report(Kind::InvalidReverseSolidus, character, false)?;
                    continue;
                }
                b'%' => is_escape(&self.url[character.start..]),
                _ if byte.is_ascii() => is_unreserved(byte) || is_reserved(byte) || byte == b'~',
                _ => {
                    !str::from_utf8(&self.url[character.clone()]).is_ok_and(|text| text.contains(is_no_url_code_point))
                }
            };
            if !is_unit {
                self.report(Kind::InvalidUrlUnit, character, false)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The character at a place, or a byte that is no UTF-8.
    fn character(&self, at: usize) -> Range<usize> {
        at..at + character_at(self.url, at).len()
    }
}

/// Whether a character that is not ASCII is none of the standard's URL code points: a control character or none at all.
fn is_no_url_code_point(char: char) -> bool {
    matches!(char, '\u{80}'..'\u{A0}' | '\u{FDD0}'..='\u{FDEF}') || u32::from(char) & 0xFFFE == 0xFFFE
}

/// Whether a text is a letter and `:` or `|`.
fn is_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Whether a text begins with a percent-encoded byte.
fn is_escape(text: &[u8]) -> bool {
    matches!(text, [b'%', rest @ ..] if is_hex(rest))
}
