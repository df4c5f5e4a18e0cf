//! What differs between two answers in spelling only, component by component.

use super::{Reason, Reasons};
use crate::spec::rfc3986::{Uri, divide};

/// Adds how WHATWG spells what RFC 1808 answers. More than spelling is left only where WHATWG, or
/// the url crate, sees a file or a drive letter.
pub fn find(own: &[u8], other: &[u8], reasons: &mut Reasons) {
    let (own, other) = (divide(own), divide(other));
    let is_drive = |segment: &[u8]| matches!(segment, [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    let is_file = other.scheme == Some(b"file") || other.path.split(|&byte| byte == b'/').any(is_drive);
    let unknown = if is_file { Reason::File } else { Reason::Other };
    if own.scheme != other.scheme {
        let [own, other] = [own.scheme, other.scheme].map(Option::unwrap_or_default);
        reasons.add(if own.eq_ignore_ascii_case(other) { Reason::Case } else { unknown });
    }
    if own.authority != other.authority {
        authority(&own, &other, reasons);
    }
    let [own, other] = [own, other].map(|uri| [Some(uri.path), uri.query, uri.fragment]);
    for (own, other) in own.into_iter().zip(other).filter(|(own, other)| own != other) {
        reasons.add(match (own, other) {
            (Some(b""), Some(b"/")) => Reason::SlashAfterHost,
            (None, Some(b"")) => Reason::LoneDelimiter, // where no rewrite can remove it
            (Some(own), Some(other)) if encodes(own, other) => Reason::PercentEncoding,
            _ => unknown,
        });
    }
}

/// Adds how WHATWG spells another authority.
fn authority(own: &Uri<'_>, other: &Uri<'_>, reasons: &mut Reasons) {
    let [own, other] = [own, other].map(|uri| split_login(uri.authority.unwrap_or_default()));
    if own.0 != other.0 {
        let encoded = matches!((own.0, other.0), (Some(own), Some(other)) if encodes(own, other));
        reasons.add(if encoded { Reason::PercentEncoding } else { Reason::HostSpelling });
    }
    if own.1 != other.1 {
        let is_number = other.1.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
        reasons.add(match () {
            () if own.1.eq_ignore_ascii_case(other.1) => Reason::Case,
            () if other.1.is_empty() => Reason::File,
            () if is_number => Reason::HostNumber,
            () => Reason::HostSpelling,
        });
    }
    if own.2 != other.2 {
        reasons.add(Reason::DefaultPort);
    }
}

/// User, host and port of an authority; each without its delimiter.
fn split_login(authority: &[u8]) -> (Option<&[u8]>, &[u8], Option<&[u8]>) {
    let (user, rest) = match authority.iter().rposition(|&byte| byte == b'@') {
        Some(at) => {
            let (user, rest) = authority.split_at(at);
            (Some(user), rest.split_at(1).1)
        }
        None => (None, authority),
    };
    let host = rest.iter().rposition(|&byte| matches!(byte, b':' | b']')).filter(|&at| rest.get(at) == Some(&b':'));
    match host {
        Some(at) => {
            let (host, port) = rest.split_at(at);
            (user, host, Some(port.split_at(1).1))
        }
        None => (user, rest, None),
    }
}

/// Whether `other` is `own` with some bytes percent-encoded.
fn encodes(own: &[u8], other: &[u8]) -> bool {
    let mut rest = other;
    for byte in own {
        rest = match rest {
            [same, rest @ ..] if same == byte => rest,
            [b'%', high, low, rest @ ..] if [*high, *low] == hex(*byte) => rest,
            _ => return false,
        };
    }
    rest.is_empty()
}

/// A byte as two hex digits, in upper case.
fn hex(byte: u8) -> [u8; 2] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'A' + value - 10 };
    [digit(byte >> 4), digit(byte & 15)]
}
