//! The validation errors of the URL Standard: their names, and words for people.

use super::is_special;
use crate::escaped::{Escaped, noun, quoted};
use crate::limits::MAX_QUOTED;
use crate::resolver::grammar::escape;
use crate::resolver::parts::cut;
use crate::spec::rfc3986::divide;
use crate::strip::{BREAKS, unwrapping, without_breaks};

/// A validation error in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlError {
    pub kind: UrlErrorKind,
    /// The offset in the text of what it is about, in bytes from 0.
    pub at: usize,
    /// The length of that, in bytes; 0 if something is missing there.
    pub length: usize,
    /// Whether the text is no URL because of it.
    pub is_failure: bool,
    /// Whether it is in a URL of the scheme file, in which `|` may be the colon of a drive letter.
    pub in_file: bool,
}

named! {
    /// What an error is about: a row of the standard's table, but for [`Ipv6Invalid`](UrlErrorKind::Ipv6Invalid).
    pub enum UrlErrorKind {
        DomainToAscii "domain-to-ASCII",
        DomainPercentEncoded "domain-percent-encoded",
        HostInvalidCodePoint "host-invalid-code-point",
        Ipv4EmptyPart "IPv4-empty-part",
        Ipv4TooFewParts "IPv4-too-few-parts",
        Ipv4TooManyParts "IPv4-too-many-parts",
        Ipv4NonNumericPart "IPv4-non-numeric-part",
        Ipv4NonDecimalPart "IPv4-non-decimal-part",
        Ipv4OutOfRangePart "IPv4-out-of-range-part",
        Ipv4NonAsciiInput "IPv4-non-ASCII-input",
        Ipv6Unclosed "IPv6-unclosed",
        /// Any of the nine others of an IPv6 address that fails.
        Ipv6Invalid "IPv6-invalid",
        Ipv6PieceLeadingZero "IPv6-piece-leading-zero",
        InvalidUrlUnit "invalid-URL-unit",
        SpecialSchemeMissingFollowingSolidus "special-scheme-missing-following-solidus",
        MissingSchemeNonRelativeUrl "missing-scheme-non-relative-URL",
        InvalidReverseSolidus "invalid-reverse-solidus",
        InvalidCredentials "invalid-credentials",
        HostMissing "host-missing",
        PortOutOfRange "port-out-of-range",
        PortInvalid "port-invalid",
        FileInvalidWindowsDriveLetter "file-invalid-Windows-drive-letter",
        FileInvalidWindowsDriveLetterHost "file-invalid-Windows-drive-letter-host",
    }
}

impl UrlError {
    /// The problem in a sentence, and how to fix it; empty if there is no sure way. `text` is what has the error.
    pub fn describe(&self, text: &[u8]) -> (String, String) {
        let (before, piece, after) = self.around(text);
        let shown = quoted(piece);
        let (what, fix) = match self.kind {
            UrlErrorKind::InvalidUrlUnit => return self.describe_unit(text),
            UrlErrorKind::SpecialSchemeMissingFollowingSolidus => return describe_slashes(before, piece, after),
            UrlErrorKind::MissingSchemeNonRelativeUrl => {
                ("no scheme, so it needs a base whose path starts with \"/\"".into(), "write the URL with its scheme")
            }
            UrlErrorKind::InvalidReverseSolidus => ("\"\\\" counts as \"/\"".into(), "write \"/\""),
            UrlErrorKind::InvalidCredentials => return describe_login(piece),
            UrlErrorKind::HostMissing if before.ends_with(b"@") => {
                ("the host is missing".into(), "write it after \"@\"")
            }
            UrlErrorKind::HostMissing => ("the host is missing".into(), "write it after \"//\""),
            UrlErrorKind::PortOutOfRange => {
                (format!("port {shown} is greater than 65535"), "write a smaller one or omit it")
            }
            UrlErrorKind::PortInvalid => (format!("{} is not allowed in a port", noun(piece)), "write digits"),
            UrlErrorKind::FileInvalidWindowsDriveLetter => (format!("{shown} is a drive letter in a relative URL"), ""),
            UrlErrorKind::FileInvalidWindowsDriveLetterHost => {
                let fix = format!("write \"/{}:\"", Escaped(piece.get(..1).unwrap_or_default()));
                return (format!("{shown} is a drive letter, not a host"), fix);
            }
            _ => return self.describe_host(piece, after),
        };
        (what, fix.into())
    }

    /// A host, a part of it or a character in it.
    fn describe_host(&self, piece: &[u8], after: &[u8]) -> (String, String) {
        let shown = quoted(piece);
        let (what, fix) = match self.kind {
            UrlErrorKind::DomainPercentEncoded => {
                (format!("{shown} in a domain name is percent-encoded"), &*decoded(piece, after))
            }
            UrlErrorKind::HostInvalidCodePoint => (format!("{} is not allowed in a host", noun(piece)), ""),
            UrlErrorKind::Ipv4EmptyPart => ("an IPv4 address ends with \".\"".into(), "remove it"),
            UrlErrorKind::Ipv4TooFewParts if piece.iter().any(|byte| !byte.is_ascii_digit() && *byte != b'.') => {
                (format!("{shown} has fewer parts than an IPv4 address"), "")
            }
            UrlErrorKind::Ipv4TooFewParts => (format!("{shown} has fewer parts than an IPv4 address"), "write four"),
            UrlErrorKind::Ipv4TooManyParts => (format!("{shown} has more parts than an IPv4 address"), "write four"),
            UrlErrorKind::Ipv4NonNumericPart if piece.is_empty() => {
                ("a part is empty, and the host ends in a number, like an IPv4 address".into(), "")
            }
            UrlErrorKind::Ipv4NonNumericPart => {
                (format!("{shown} is not a number, and the host ends in one, like an IPv4 address"), "")
            }
            UrlErrorKind::Ipv4NonDecimalPart => {
                (format!("{shown} in an IPv4 address is not decimal"), &*decimal(piece))
            }
            UrlErrorKind::Ipv4OutOfRangePart => {
                (format!("{shown} in an IPv4 address is too large"), "write four numbers up to 255")
            }
            UrlErrorKind::Ipv4NonAsciiInput => {
                (format!("{shown} is an IPv4 address that is not ASCII"), "write the digits 0 to 9")
            }
            UrlErrorKind::Ipv6Unclosed => ("the host begins with \"[\", but does not end with \"]\"".into(), ""),
            UrlErrorKind::Ipv6Invalid => (format!("{shown} is not a valid IPv6 address"), ""),
            UrlErrorKind::Ipv6PieceLeadingZero => {
                let zeros = piece.iter().take_while(|byte| **byte == b'0').count().min(piece.len().saturating_sub(1));
                let fix = format!("write {}", Escaped(&piece[zeros..]));
                return (format!("{shown} in an IPv6 address begins with 0"), fix);
            }
            _ if matches!(piece, [byte] if !byte.is_ascii_alphanumeric() && !b"-.".contains(byte)) => {
                (format!("{} is not allowed in a domain name", noun(piece)), "")
            }
            // the domain fails for another reason than these
            _ if self.is_failure => (format!("{shown} is not a valid domain name"), ""),
            _ => (format!("{shown} is not a valid domain name{}", why_not(piece)), ""),
        };
        (what, fix.into())
    }

    /// A character that is not allowed, or white space that is removed.
    fn describe_unit(&self, text: &[u8]) -> (String, String) {
        let (before, piece, after) = self.around(text);
        if is_removed(before, piece, after) {
            let place = match (before, after) {
                ([], _) => "before the URL",
                (_, []) => "after the URL",
                _ => "in a URL",
            };
            let noun = match piece {
                b"\t" => "a TAB",
                b"\n" | b"\r" => "a line break",
                _ if piece.iter().all(u8::is_ascii_whitespace) => "white space",
                _ => "a control character",
            };
            return (format!("{noun} {place} is ignored"), "remove it".into());
        }
        let escape = self.escape(text).map(|escape| format!("write {escape}"));
        let fix = escape.or_else(|| unwrapping(text, self.at)).unwrap_or_default();
        let what = match piece {
            b"%" => return ("\"%\" is not followed by two hex digits".into(), fix),
            b"#" => "a second \"#\"".into(),
            _ => noun(piece),
        };
        (format!("{what} is not allowed in a URL"), fix)
    }

    /// What to write instead of what it is about, where that is surely an escape.
    pub fn escape(&self, text: &[u8]) -> Option<String> {
        let (before, piece, after) = self.around(text);
        let is_doubtful = self.kind != UrlErrorKind::InvalidUrlUnit
            || is_removed(before, piece, after)
            || is_in_host(before)
            || piece == b"|" && self.in_file && may_be_drive(before, after)
            || unwrapping(text, self.at).is_some();
        (!is_doubtful).then(|| piece.iter().flat_map(|byte| escape(*byte)).map(char::from).collect())
    }

    /// What is before it in its text, what it is about, and what is after that.
    fn around<'a>(&self, text: &'a [u8]) -> (&'a [u8], &'a [u8], &'a [u8]) {
        let (before, rest) = text.split_at(self.at.min(text.len()));
        let (piece, after) = rest.split_at(self.length.min(rest.len()));
        (before, piece, after)
    }
}

/// Whether what is no URL unit is removed: white space around a text, or a break in it.
fn is_removed(before: &[u8], piece: &[u8], after: &[u8]) -> bool {
    let is_white = piece.first().is_some_and(|byte| *byte <= b' ');
    is_white && (before.is_empty() || after.is_empty() || BREAKS.iter().any(|byte| piece == [*byte]))
}

/// Whether what follows a text is in its host, as far as its last bytes show.
fn is_in_host(before: &[u8]) -> bool {
    let last = &before[before.len().saturating_sub(MAX_QUOTED)..];
    let sign = last.iter().rposition(|byte| b"/?#".contains(byte));
    sign.is_some_and(|sign| last[..=sign].ends_with(b"://") || last[..=sign] == *b"//")
}

/// Whether `|` between two texts may be the colon of a drive letter.
fn may_be_drive(before: &[u8], after: &[u8]) -> bool {
    let is_end = |byte: &u8| b"/\\?#".contains(byte);
    match before {
        [start @ .., letter] if letter.is_ascii_alphabetic() => {
            start.last().is_none_or(|byte| is_end(byte) || *byte == b':') && after.first().is_none_or(is_end)
        }
        _ => false,
    }
}

/// A scheme without `//`, or slashes after that.
fn describe_slashes(before: &[u8], piece: &[u8], after: &[u8]) -> (String, String) {
    if let [scheme @ .., b':'] = piece {
        let what = format!("{} without \"//\" is ignored, because it is the base's scheme", quoted(piece));
        let is_sure = is_special(scheme) && divide(after).scheme.is_none();
        return (what, if is_sure { "omit it".into() } else { String::new() });
    }
    let (before, piece) = (without_breaks(before), without_breaks(piece));
    let Some(before) = before.strip_suffix(b":") else {
        return ("too many slashes before the host".into(), format!("remove {}", quoted(&piece)));
    };
    let start = before.iter().rposition(|byte| *byte <= b' ').map_or(0, |white| white + 1);
    let scheme = &before[start..];
    // a path of a file may be relative to the base
    let is_sure = is_special(scheme) && !scheme.eq_ignore_ascii_case(b"file");
    let fix = match piece.len() {
        _ if !is_sure => String::new(),
        0 => format!("write {}://", Escaped(scheme)),
        _ => format!("write {}:// instead of {}", Escaped(scheme), quoted(&[scheme, b":", &piece].concat())),
    };
    (if piece.len() == 1 { "one slash after the scheme" } else { "no \"//\" after the scheme" }.into(), fix)
}

/// User name and password with the `@` after them.
fn describe_login(piece: &[u8]) -> (String, String) {
    let login = without_breaks(piece);
    let (user, password) = cut(login.strip_suffix(b"@").unwrap_or(&login), b':');
    let what = match (user, password) {
        (b"", None | Some(b"")) => "empty user name in a URL",
        (b"", Some(_)) => "password in a URL",
        (_, None | Some(b"")) => "user name in a URL",
        (_, Some(_)) => return ("user name and password in a URL".into(), "remove them".into()),
    };
    (what.into(), format!("remove {}", quoted(piece)))
}

/// Why a domain name is not valid, where that is easy to see.
fn why_not(domain: &[u8]) -> &'static str {
    let has = |is_wrong: fn(&[u8]) -> bool| domain.split(|byte| *byte == b'.').any(is_wrong);
    match () {
        () if domain.ends_with(b".") => ": it ends with \".\"",
        () if has(<[u8]>::is_empty) => ": a part is empty",
        () if has(|part| part.starts_with(b"-") || part.ends_with(b"-")) => ": a part begins or ends with \"-\"",
        () if has(|part| part.get(2..4) == Some(b"--") && !part.to_ascii_lowercase().starts_with(b"xn")) => {
            ": a part has \"--\" after two characters"
        }
        () if has(|part| part.len() > 63) => ": a part is longer than 63 bytes",
        () if domain.len() > 253 => ": it is longer than 253 bytes",
        () => "",
    }
}

/// What to write instead of a percent-encoded byte in a domain name, if it begins a character that may be there.
fn decoded(escaped: &[u8], after: &[u8]) -> String {
    let after = without_breaks(after);
    let triples = escaped.chunks(3).chain(after.chunks(3).take(3));
    let decoded = triples.map_while(|triple| match triple {
        [b'%', digits @ ..] => u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok(),
        _ => None,
    });
    let bytes: Vec<_> = decoded.collect();
    match bytes.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
        Some(char) if char.is_ascii_alphanumeric() || "-.".contains(char) => format!("write {char}"),
        Some(char) if !char.is_ascii() && char.is_alphanumeric() => "write the character".into(),
        _ => String::new(),
    }
}

/// What to write instead of a part of an IPv4 address that is octal or hexadecimal.
fn decimal(part: &[u8]) -> String {
    let digits = part.get(1..).and_then(|digits| str::from_utf8(digits).ok()).unwrap_or_default();
    let number = match digits.strip_prefix(['x', 'X']) {
        Some("") => Ok(0),
        Some(digits) => u8::from_str_radix(digits, 16),
        None => u8::from_str_radix(digits, 8),
    };
    number.map_or_else(|_| "write decimal numbers".into(), |number| format!("write {number}"))
}
