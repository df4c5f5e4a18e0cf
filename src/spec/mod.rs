//! What a standard answers to a reference. RFC 1808 is in `resolver`; each other one has a file
//! here.

pub mod rfc3986;
#[cfg(feature = "spec")]
mod whatwg;

#[cfg(feature = "spec")]
pub use whatwg::spell_host;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
#[cfg(feature = "spec")]
use url::Url;

use crate::resolver::grammar::escape;
use crate::resolver::{Base, Unresolvable, parse, resolve};

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
    pub const ALL: &[Spec] = &[Spec::Rfc1808, Spec::Rfc3986, Spec::Whatwg];

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

    /// The scheme of an answer, and its net_loc or authority, as the standard reads it.
    pub fn scheme_and_authority(self, url: &[u8]) -> (Option<&[u8]>, Option<&[u8]>) {
        match self {
            Spec::Rfc1808 => {
                let url = parse(url);
                (url.scheme, url.net_loc)
            }
            Spec::Rfc3986 | Spec::Whatwg => {
                let url = rfc3986::divide(url);
                (url.scheme, url.authority)
            }
        }
    }
}

/// A base URL as a standard parsed it, or why it cannot be used.
pub enum PreparedBase {
    /// By RFC 1808: its text.
    Rfc1808(Vec<u8>),
    Rfc3986(Result<rfc3986::BaseUri, NoAnswer>),
    /// By the URL Standard; `None` if it is empty.
    #[cfg(feature = "spec")]
    Whatwg(Result<Option<Url>, NoAnswer>),
}

impl PreparedBase {
    /// Parses a base URL, an empty one if there is none. Linear in `text`.
    pub fn new(spec: Spec, text: &[u8]) -> Self {
        match spec {
            Spec::Rfc3986 => PreparedBase::Rfc3986(rfc3986::BaseUri::new(text)),
            #[cfg(feature = "spec")]
            Spec::Whatwg => PreparedBase::Whatwg(whatwg::parse_base(text)),
            _ => PreparedBase::Rfc1808(text.to_vec()), // without the feature no flag asks for another one
        }
    }

    /// Resolves a reference and appends the answer to `url`. Linear in the reference and the
    /// answer, but for a few copies of the base's path.
    ///
    /// # Errors
    /// The standard has no answer. Nothing is appended then.
    pub fn resolve(&self, reference: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
        self.resolve_in(UTF_8, reference, url)
    }

    /// The same for a reference in a document, in whose charset browsers encode its query.
    ///
    /// # Errors
    /// The standard has no answer. Nothing is appended then.
    #[cfg_attr(not(feature = "spec"), expect(unused_variables, reason = "only WHATWG has an encoding"))]
    pub fn resolve_in(&self, encoding: &'static Encoding, reference: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
        match self {
            PreparedBase::Rfc1808(base) => {
                let mut path = Vec::new();
                resolve(&Base::new(base)?, reference, &mut path, |_| ())?.write(|piece| url.extend_from_slice(piece));
                Ok(())
            }
            PreparedBase::Rfc3986(base) => rfc3986::resolve(base.as_ref(), reference, url),
            #[cfg(feature = "spec")]
            PreparedBase::Whatwg(base) => whatwg::resolve(base.as_ref(), encoding, reference, url),
        }
    }
}

/// Whether the other standards have a base as it is: without its fragment, and with the `/` of an
/// empty path, it is their answer to the empty reference.
pub fn is_normal(base: &Base<'_>) -> bool {
    let [.., path, _, query, _] = base.parts.ends(base.text);
    let slash: &[u8] = if base.parts.path.is_empty() { b"/" } else { b"" };
    let text = [&base.text[..path], slash, &base.text[path..]].concat();
    let normal = &text[..slash.len() + query];
    [Spec::Rfc3986, Spec::Whatwg].iter().all(|spec| {
        let mut url = Vec::new();
        PreparedBase::new(*spec, &text).resolve(b"", &mut url).is_ok() && url == normal
    })
}

/// Without the URL Standard no host has its spelling.
#[cfg(not(feature = "spec"))]
pub fn spell_host(_: &[u8], _: &[u8]) -> Option<String> {
    None
}

/// Whether a scheme is one of the URL Standard's "special schemes".
pub fn is_special(scheme: &[u8]) -> bool {
    ["http", "https", "ws", "wss", "ftp", "file"].iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
}

/// Why a standard has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "spec"), expect(dead_code, reason = "only WHATWG has some of them"))]
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
                let what = format!("not a valid URI reference ({}", flaw.what());
                return ("not-a-uri-reference", what.into(), flaw.fix());
            }
            NoAnswer::BaseNotUri(flaw) => {
                let what = format!("the base is not a valid URI ({}", flaw.what());
                return ("base-not-a-uri", what.into(), flaw.fix());
            }
            NoAnswer::Rfc1808(unresolvable) => unresolvable.describe(),
            NoAnswer::BaseNotUrl => {
                ("base-not-a-url", "the base is not a valid URL (URL Standard)", "fix its host or port")
            }
            NoAnswer::OpaqueBase => (
                "opaque-base",
                "the base's path does not start with \"/\", so nothing is relative to it (URL Standard)",
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
        };
        (code, what.into(), fix.into())
    }
}

/// A production of RFC 3986 that may not allow a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Production {
    Scheme,
    Userinfo,
    IpLiteral,
    RegName,
    Port,
    SegmentNzNc,
    Pchar,
    PctEncoded,
    Query,
    Fragment,
}

impl Production {
    /// Its name in RFC 3986.
    fn name(self) -> &'static str {
        match self {
            Production::Scheme => "scheme",
            Production::Userinfo => "userinfo",
            Production::IpLiteral => "IP-literal",
            Production::RegName => "reg-name",
            Production::Port => "port",
            Production::SegmentNzNc => "segment-nz-nc",
            Production::Pchar => "pchar",
            Production::PctEncoded => "pct-encoded",
            Production::Query => "query",
            Production::Fragment => "fragment",
        }
    }
}

/// The first character of a text that RFC 3986 does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The production that does not allow it.
    pub production: Production,
    /// Its column, in bytes from 1.
    pub column: usize,
    pub character: char,
}

impl Flaw {
    /// What is wrong, and where.
    fn what(self) -> String {
        let Flaw { production, column, character } = self;
        let shown = match character {
            _ if production == Production::Scheme => return "RFC 3986 scheme): it has no scheme".to_owned(),
            ' ' => "space".into(),
            '!'..='~' => format!("\"{character}\""),
            _ if character.is_ascii() => "control character".into(),
            _ => "character that is not ASCII".into(),
        };
        format!("RFC 3986 {}): {shown} at byte {column}", production.name())
    }

    fn fix(self) -> Cow<'static, str> {
        match (self.production, self.character) {
            (Production::Scheme, _) => "write all of it, such as http://host/path".into(),
            (Production::IpLiteral, _) => "write an IPv6 address in brackets, or no brackets".into(),
            (Production::Port, _) => "write digits".into(),
            (Production::SegmentNzNc, ':') => "write \"./\" at its start".into(),
            (_, char::REPLACEMENT_CHARACTER) => "percent-encode it".into(), // perhaps not the byte itself
            (_, character) => {
                let escaped: String = character.to_string().bytes().flat_map(escape).map(char::from).collect();
                format!("write {escaped}").into()
            }
        }
    }
}
