//! What a standard answers to a reference. RFC 1808 is in `resolver`; each other one has a file
//! here.

pub mod flaw;
pub mod prepared;
pub mod repair;
pub mod rfc3986;
pub mod url_error;
mod whatwg;

use crate::resolver::Unresolvable;

/// A standard that resolves references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spec {
    /// RFC 1808, Relative Uniform Resource Locators.
    #[default]
    Rfc1808,
    /// RFC 3986, Uniform Resource Identifier: Generic Syntax.
    Rfc3986,
    /// The URL Standard of the WHATWG, which browsers follow.
    Whatwg,
}

impl Spec {
    /// All of them, in order.
    pub const ALL: [Spec; 3] = [Spec::Rfc1808, Spec::Rfc3986, Spec::Whatwg];

    /// Its name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Spec::Rfc1808 => "rfc1808",
            Spec::Rfc3986 => "rfc3986",
            Spec::Whatwg => "whatwg",
        }
    }

    /// Its name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Spec::Rfc1808 => "RFC 1808",
            Spec::Rfc3986 => "RFC 3986",
            Spec::Whatwg => "WHATWG",
        }
    }
}

/// Whether a scheme is one of the URL Standard's "special schemes".
pub fn is_special(scheme: &[u8]) -> bool {
    ["http", "https", "ws", "wss", "ftp", "file"].iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
}

/// The dot segment that a segment is by the URL Standard, in which `%2e` is a dot, if it is one.
pub fn dot_segment(segment: &[u8]) -> Option<&'static [u8]> {
    if !matches!(segment, [b'.' | b'%', ..]) {
        return None;
    }
    let is_one_of = |names: &[&str]| names.iter().any(|name| segment.eq_ignore_ascii_case(name.as_bytes()));
    if is_one_of(&[".", "%2e"]) {
        return Some(b".");
    }
    is_one_of(&["..", ".%2e", "%2e.", "%2e%2e"]).then_some(b"..")
}

/// Why a standard has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// What RFC 1808 has no answer to, either.
    Rfc1808(Unresolvable),
    /// RFC 3986: the reference is not a `URI-reference`.
    NotUri(Flaw),
    /// RFC 3986: the base without its fragment is not an `absolute-URI`.
    BaseNotUri(Flaw),
    /// WHATWG: the base cannot be parsed.
    BaseNotUrl,
    /// WHATWG: the base has an opaque path, such as that of `mailto:a`.
    OpaqueBase,
    /// WHATWG: the scheme needs a host, and it is missing.
    NoHost,
    /// WHATWG: the host has a forbidden character or is not a domain name.
    BadHost,
    /// WHATWG: the host looks like an IP address and is not one.
    BadAddress,
    /// WHATWG: the port is not a number up to 65535.
    BadPort,
    /// WHATWG: a user, host and port longer than [`MAX_AUTHORITY`](crate::limits::MAX_AUTHORITY).
    TooLong,
}

impl From<Unresolvable> for NoAnswer {
    fn from(unresolvable: Unresolvable) -> Self {
        NoAnswer::Rfc1808(unresolvable)
    }
}

named! {
    /// A production of RFC 3986 that may not allow a character.
    pub enum Production {
        Scheme "scheme",
        Userinfo "userinfo",
        IpLiteral "IP-literal",
        RegName "reg-name",
        Port "port",
        SegmentNzNc "segment-nz-nc",
        Pchar "pchar",
        PctEncoded "pct-encoded",
        Query "query",
        Fragment "fragment",
    }
}

/// A byte of a text that RFC 3986 does not allow where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The production that does not allow it.
    pub production: Production,
    /// Its offset in the text.
    pub at: usize,
    pub byte: u8,
}
