//! §2.2: where a text violates the BNF.
//!
//! The grammar looks ambiguous and is not. The first `#` starts the fragment, because no other
//! production contains that byte. A text that starts with a scheme name and a colon needs only
//! bytes of `uchar` and `reserved`: that is the second alternative of `absoluteURL`, which contains
//! the first, and every `relativeURL` that starts so. What is left, `relativeURL` without a scheme,
//! falls apart where §2.4 cuts it. So each byte can be checked by itself, a `%` with the two bytes
//! after it, and the whole has only one rule more: `fsegment` is not empty. A base must match
//! `generic-RL` (§2), which has that rule after a scheme too.

use super::parts::{Parts, parse};

/// One byte of a text that violates the BNF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The byte's offset in the text.
    pub at: usize,
    pub byte: u8,
    /// The component that contains it.
    pub component: Component,
    /// What is wrong with it.
    pub kind: ViolationKind,
}

/// The components that can contain a bad byte: not the scheme, which §2.4.2 takes only if it is
/// legal.
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
pub enum ViolationKind {
    /// The byte is neither `uchar` nor `reserved`, and must be written as an `escape`.
    Character,
    /// A `%` that is not followed by two hex digits, so not an `escape`.
    Escape,
    /// A `/` where `fsegment` must be: the path of an `abs_path` has an empty first segment.
    EmptyFirstSegment,
    /// An empty first segment in a base URL, which must match `generic-RL`.
    NotGeneric,
}

impl Violation {
    /// The production of §2.2 that does not allow the byte.
    pub fn production(&self) -> &'static str {
        match (self.kind, self.component) {
            (ViolationKind::Escape, _) => "escape",
            (ViolationKind::EmptyFirstSegment, _) => "fsegment",
            (ViolationKind::NotGeneric, _) => "generic-RL",
            (ViolationKind::Character, Component::NetLoc) => "net_loc",
            (ViolationKind::Character, Component::Path) => "pchar",
            (ViolationKind::Character, Component::Params) => "param",
            (ViolationKind::Character, Component::Query) => "query",
            (ViolationKind::Character, Component::Fragment) => "fragment",
        }
    }
}

/// All violations of §2.2 `URL`, in the order of the text: without one, it is legal. Linear time, no
/// allocation. `is_base`: of `generic-RL` instead.
pub fn violations(text: &[u8], is_base: bool) -> impl Iterator<Item = Violation> {
    let parts = parse(text);
    let first_segment = match parts.scheme {
        None => Some(ViolationKind::EmptyFirstSegment),
        Some(_) => is_base.then_some(ViolationKind::NotGeneric), // §2
    };
    let [_, ends @ ..] = parts.ends(text);
    [
        (Component::NetLoc, parts.net_loc.unwrap_or_default()),
        (Component::Path, parts.path),
        (Component::Params, parts.params),
        (Component::Query, parts.query),
        (Component::Fragment, parts.fragment),
    ]
    .into_iter()
    .zip(ends)
    .flat_map(move |((component, bytes), end)| {
        let start = end - bytes.len();
        let is_empty = component == Component::Path && bytes.starts_with(b"//"); // §2.2 fsegment
        let first = first_segment.filter(|_| is_empty).map(|kind| (1, b'/', kind));
        let wrong = first.into_iter().chain(wrong_bytes(bytes));
        wrong.map(move |(at, byte, kind)| Violation { at: start + at, byte, component, kind })
    })
}

/// The bytes that no component may contain: the offset in the component, the byte, and its violation.
///
/// A component contains only those bytes of `reserved` that its production allows, because §2.4 cuts
/// at the others.
fn wrong_bytes(bytes: &[u8]) -> impl Iterator<Item = (usize, u8, ViolationKind)> {
    bytes.iter().enumerate().filter_map(|(at, &byte)| match byte {
        b'%' => {
            let digits = bytes[at + 1..].iter().take(2).filter(|byte| byte.is_ascii_hexdigit()).count();
            (digits < 2).then_some((at, byte, ViolationKind::Escape)) // §2.2 escape
        }
        _ if is_unreserved(byte) || is_reserved(byte) => None,
        _ => Some((at, byte, ViolationKind::Character)), // §2.2 national, punctuation, or in no class
    })
}

/// §2.2 `unreserved = alpha | digit | safe | extra`
pub fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'$' | b'-' | b'_' | b'.' | b'+') // §2.2 safe
        || matches!(byte, b'!' | b'*' | b'\'' | b'(' | b')' | b',') // §2.2 extra
}

/// §2.2 `reserved`
pub fn is_reserved(byte: u8) -> bool {
    matches!(byte, b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=')
}

/// A byte as §2.2 `escape`.
pub fn escape(byte: u8) -> [u8; 3] {
    let [high, low] = [byte >> 4, byte & 15].map(|digit| b"0123456789ABCDEF"[usize::from(digit)]);
    [b'%', high, low]
}

/// The scheme of a reference that some parsers take for a relative one, because its scheme is the
/// base's and has a net_loc there: the loophole of §5.2.
pub fn repeated_scheme<'a>(reference: &Parts<'a>, base: &Parts<'_>) -> Option<&'a [u8]> {
    let scheme = reference.scheme?;
    let is_same = base.scheme.is_some_and(|base| base.eq_ignore_ascii_case(scheme));
    (is_same && reference.net_loc.is_none() && base.net_loc.is_some()).then_some(scheme)
}
