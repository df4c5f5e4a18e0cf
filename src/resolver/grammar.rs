//! §2.2: where a text leaves the BNF.
//!
//! The grammar looks ambiguous and is not. The first `#` parts off the fragment, for no other
//! production has that byte. A text that begins with a scheme name and a colon needs nothing more
//! than bytes of `uchar` and `reserved`: that is the second alternative of `absoluteURL`, and
//! contains the first, as well as all of `relativeURL` that begins so. What is left, `relativeURL`
//! without a scheme, falls apart where §2.4 cuts it. So each byte can be judged by itself, with the
//! two after a `%`, and one rule is left for the whole: `fsegment` is not empty.

use super::parts::parse;

/// One place where a text leaves the BNF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offence {
    /// Where the byte stands in the text: bytes from 0.
    pub at: usize,
    /// The byte that should not stand there.
    pub byte: u8,
    /// The component that it stands in.
    pub component: Component,
    /// What is wrong with it.
    pub wrong: Wrong,
}

/// The components that a bad byte can stand in: all but the scheme, which §2.4.2 takes only if it
/// is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// §2.2 `net_loc`
    NetLoc,
    /// §2.2 `path`
    Path,
    /// §2.2 `params`
    Params,
    /// §2.2 `query`
    Query,
    /// §2.2 `fragment`
    Fragment,
}

/// What is wrong with a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is neither `uchar` nor `reserved`, and must be written as an `escape`.
    Character,
    /// It is a `%` without two hex digits behind it: no `escape`.
    Escape,
    /// It is a `/` where `fsegment` must be: the path of an `abs_path` has an empty first segment.
    EmptyFirstSegment,
}

impl Offence {
    /// The production of §2.2 that has no such byte there.
    pub fn production(&self) -> &'static str {
        match (self.wrong, self.component) {
            (Wrong::Escape, _) => "escape",
            (Wrong::EmptyFirstSegment, _) => "fsegment",
            (Wrong::Character, Component::NetLoc) => "net_loc",
            (Wrong::Character, Component::Path) => "pchar",
            (Wrong::Character, Component::Params) => "param",
            (Wrong::Character, Component::Query) => "query",
            (Wrong::Character, Component::Fragment) => "fragment",
        }
    }
}

/// All offences of a text against §2.2 `URL`, in its order; none: it is legal. Linear time, no
/// memory.
pub fn offences(text: &[u8]) -> impl Iterator<Item = Offence> {
    let parts = parse(text);
    let no_scheme = parts.scheme.is_none();
    [
        (Component::NetLoc, parts.net_loc.unwrap_or_default()),
        (Component::Path, parts.path),
        (Component::Params, parts.params),
        (Component::Query, parts.query),
        (Component::Fragment, parts.fragment),
    ]
    .into_iter()
    .flat_map(move |(component, bytes)| {
        // an empty component may lie anywhere, but it has no offences
        let start = bytes.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
        let empty = component == Component::Path && no_scheme && bytes.starts_with(b"//"); // §2.2 fsegment
        let first = empty.then_some((1, b'/', Wrong::EmptyFirstSegment));
        first.into_iter().chain(wrong_bytes(bytes)).map(move |(at, byte, wrong)| Offence {
            at: start.wrapping_add(at),
            byte,
            component,
            wrong,
        })
    })
}

/// The bytes of a component that no component may have: where they stand in it, and what is wrong.
///
/// That a component has only those of `reserved` which its production has is §2.4's work: it was
/// cut at the others.
fn wrong_bytes(bytes: &[u8]) -> impl Iterator<Item = (usize, u8, Wrong)> {
    bytes.iter().enumerate().filter_map(|(at, &byte)| match byte {
        b'%' => {
            let hex = bytes.get(at..).unwrap_or_default().iter().skip(1).take(2);
            let digits = hex.filter(|byte| byte.is_ascii_hexdigit()).count();
            (digits < 2).then_some((at, byte, Wrong::Escape)) // §2.2 escape
        }
        _ if is_unreserved(byte) || is_reserved(byte) => None,
        _ => Some((at, byte, Wrong::Character)),
    })
}

/// §2.2 `unreserved = alpha | digit | safe | extra`
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'$' | b'-' | b'_' | b'.' | b'+') // §2.2 safe
        || matches!(byte, b'!' | b'*' | b'\'' | b'(' | b')' | b',') // §2.2 extra
}

/// §2.2 `reserved`
fn is_reserved(byte: u8) -> bool {
    matches!(byte, b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=')
}

/// §2.2 `national`
pub fn is_national(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b'|' | b'\\' | b'^' | b'~' | b'[' | b']' | b'`')
}

/// §2.2 `punctuation`
pub fn is_punctuation(byte: u8) -> bool {
    matches!(byte, b'<' | b'>' | b'#' | b'%' | b'"')
}

/// The scheme of a reference that may have been meant as a path whose first segment has a colon
/// (§5.3): it is neither one of RFC 1738's nor the base's, and no `//` follows it.
pub fn doubtful_scheme<'a>(reference: &'a [u8], base: &[u8]) -> Option<&'a [u8]> {
    const KNOWN: [&[u8]; 10] =
        [b"ftp", b"http", b"gopher", b"mailto", b"news", b"nntp", b"telnet", b"wais", b"file", b"prospero"];
    let url = parse(reference);
    let scheme = url.scheme?;
    let base = parse(base).scheme;
    let known = KNOWN.into_iter().chain(base).any(|known| known.eq_ignore_ascii_case(scheme));
    (!known && url.net_loc.is_none()).then_some(scheme)
}
