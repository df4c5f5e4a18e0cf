//! What other standards than RFC 1808 answer. Each has a small file, and what is behind it stays
//! there.

mod rfc3986;
mod whatwg;
mod why;

pub use why::{Why, Whys, why};

use crate::resolver::Base;

/// A standard that is not RFC 1808.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    /// RFC 3986, Uniform Resource Identifier: Generic Syntax.
    Rfc3986,
    /// The URL Standard of the WHATWG, which browsers follow.
    Whatwg,
}

impl Spec {
    /// Its name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Spec::Rfc3986 => "rfc3986",
            Spec::Whatwg => "whatwg",
        }
    }

    /// Its name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Spec::Rfc3986 => "RFC 3986",
            Spec::Whatwg => "WHATWG",
        }
    }
}

/// Why a standard has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The base or the reference is not UTF-8.
    NotUtf8,
    /// The reference is relative, and there is no base.
    NoBase,
    /// RFC 3986: the reference is no `URI-reference` (§4.1 there).
    NotUri,
    /// RFC 3986: the base is no `absolute-URI` (§4.3 there), its fragment apart.
    BaseNotUri,
    /// WHATWG: the base cannot be parsed.
    BaseNotUrl,
    /// WHATWG: the base has an opaque path, such as that of `mailto:a`.
    OpaqueBase,
    /// WHATWG: the scheme needs a host, and there is none.
    NoHost,
    /// WHATWG: the host has a character that it may not have, or is no domain name.
    BadHost,
    /// WHATWG: the host looks like an IP address, and is none.
    BadAddress,
    /// WHATWG: the port is no number up to 65535.
    BadPort,
    /// WHATWG: the URL is longer than its parser can take, 4 GB.
    TooLong,
}

impl NoAnswer {
    /// The code of JSON's `error`, what is wrong, and how to mend it.
    pub fn describe(self) -> (&'static str, &'static str, &'static str) {
        match self {
            NoAnswer::NotUtf8 => (
                "not-utf-8",
                "the record or its base is not UTF-8, and only RFC 1808 reads bytes",
                "percent-encode all that is not ASCII",
            ),
            NoAnswer::NoBase => (
                "no-base",
                "the reference has no scheme and there is no base URL",
                "give the URL of its document as the base",
            ),
            NoAnswer::NotUri => (
                "not-a-uri-reference",
                "by RFC 3986 it is no URI reference",
                "percent-encode what may not stand there, and write \"./\" before a first segment with a colon",
            ),
            NoAnswer::BaseNotUri => {
                ("base-not-a-uri", "by RFC 3986 the base is no URI", "percent-encode what may not stand there")
            }
            NoAnswer::BaseNotUrl => {
                ("base-not-a-url", "by the URL Standard the base is no URL", "mend its host or its port")
            }
            NoAnswer::OpaqueBase => (
                "opaque-base",
                "by the URL Standard nothing is relative to a base whose path does not start with \"/\"",
                "write the reference with its scheme",
            ),
            NoAnswer::NoHost => ("no-host", "by the URL Standard a host is missing", "write it after \"//\""),
            NoAnswer::BadHost => {
                ("bad-host", "by the URL Standard the host is no host name", "write a domain name or an IP address")
            }
            NoAnswer::BadAddress => (
                "bad-address",
                "by the URL Standard the host is a malformed IP address",
                "write four numbers, IPv6 in brackets, or a domain name",
            ),
            NoAnswer::BadPort => {
                ("bad-port", "by the URL Standard the port is no port", "write a number up to 65535, or none")
            }
            NoAnswer::TooLong => ("too-long", "the URL is longer than 4 GB", "shorten it"),
        }
    }
}

/// The other standards; they remember the base of the record before.
#[derive(Default)]
pub struct Specs {
    /// That of WHATWG, parsed.
    base: whatwg::ParsedBase,
}

impl Specs {
    /// Resolves a reference by a standard, and appends its answer to `url`.
    ///
    /// # Errors
    /// There is none; nothing is appended.
    pub fn resolve(&mut self, spec: Spec, base: &Base<'_>, text: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
        match spec {
            Spec::Rfc3986 => rfc3986::resolve(base, text, url),
            Spec::Whatwg => whatwg::resolve(&mut self.base, base, text, url),
        }
    }
}
