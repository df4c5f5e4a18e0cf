//! What a standard answers to a reference. RFC 1808 is in `resolver`; each other one has a file
//! here.

pub mod prepared;
pub mod rfc3986;
pub mod url_error;
mod whatwg;

use std::borrow::Cow;

use crate::resolver::Unresolvable;
use crate::resolver::grammar::escape;

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
    NotUri(UriError),
    /// RFC 3986: the base without its fragment is not an `absolute-URI`.
    BaseNotUri(UriError),
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

impl NoAnswer {
    /// The code of the error in JSON, what is wrong, and how to fix it.
    pub fn describe(self) -> (&'static str, Cow<'static, str>, Cow<'static, str>) {
        let (code, what, fix) = match self {
            NoAnswer::NotUri(flaw) => {
                return ("not-a-uri-reference", flaw.what("not a valid URI reference").into(), flaw.fix());
            }
            NoAnswer::BaseNotUri(flaw) => {
                return ("base-not-a-uri", flaw.what("the base is not a valid URI").into(), flaw.fix());
            }
            NoAnswer::Rfc1808(unresolvable) => unresolvable.describe(),
            NoAnswer::BaseNotUrl => {
                ("base-not-a-url", "the base is not a valid URL (URL Standard)", "fix its host or port")
            }
            NoAnswer::OpaqueBase => (
                "opaque-base",
                "the base's path does not start with \"/\", so nothing is relative to it",
                "write the reference with its scheme",
            ),
            NoAnswer::NoHost => ("no-host", "the host is missing (URL Standard)", "write it after \"//\""),
            NoAnswer::BadHost => {
                ("bad-host", "not a valid host (URL Standard)", "write a domain name or an IP address")
            }
            NoAnswer::BadAddress => (
                "bad-address",
                "not a valid IP address (URL Standard)",
                "write four numbers, IPv6 in brackets, or a domain name",
            ),
            NoAnswer::BadPort => {
                ("bad-port", "not a valid port (URL Standard)", "write a number up to 65535 or omit it")
            }
            NoAnswer::TooLong => ("too-long", "user, host and port are longer than 2 KiB", ""),
        };
        (code, what.into(), fix.into())
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

/// The first character of a text that RFC 3986 does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UriError {
    /// The production that does not allow it.
    pub production: Production,
    /// Its column, in bytes from 1.
    pub column: usize,
    pub character: char,
}

impl UriError {
    /// What is wrong: `text` says it of all, the rest of one character, with the production that does not allow it.
    fn what(self, text: &str) -> String {
        let UriError { production, column, character } = self;
        let text = format!("{text} (RFC 3986 {})", production.name());
        let shown = match character {
            _ if production == Production::Scheme => return format!("{text}: it has no scheme"),
            ' ' => "space".into(),
            '!'..='~' => format!("\"{character}\""),
            _ if character.is_ascii() => "control character".into(),
            _ => "character that is not ASCII".into(),
        };
        format!("{text}: {shown} at byte {column}")
    }

    fn fix(self) -> Cow<'static, str> {
        match (self.production, self.character) {
            (Production::Scheme, _) => "write all of it, such as http://host/path".into(),
            (Production::IpLiteral, _) => "write an IPv6 address in brackets, or no brackets".into(),
            (Production::Port, _) => "write digits".into(),
            (Production::SegmentNzNc, ':') => "write \"./\" at its start".into(),
            (Production::RegName, '@') => "write the first \"@\" as %40".into(), // the last one ends the user name
            (_, char::REPLACEMENT_CHARACTER) => "percent-encode it".into(),      // perhaps not the byte itself
            (_, character) => {
                let escaped: String = character.to_string().bytes().flat_map(escape).map(char::from).collect();
                format!("write {escaped}").into()
            }
        }
    }
}
