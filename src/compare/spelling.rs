//! What differs between two answers in spelling only, component by component.

use super::reason::{Effect, Reason, Reasons};
use crate::resolver::grammar::escape;
use crate::rfc1738::login::Login;
use crate::spec::rfc3986::{Uri, divide};

/// Adds how WHATWG spells what RFC 1808 answers. More than spelling is left only where WHATWG sees
/// a file.
pub fn find(own: &[u8], other: &[u8], reasons: &mut Reasons) {
    let (own, other) = (divide(own), divide(other));
    let unknown = if other.scheme == Some(b"file") { Reason::File } else { Reason::Other };
    if own.scheme != other.scheme {
        let [own, other] = [own.scheme, other.scheme].map(Option::unwrap_or_default);
        if own.eq_ignore_ascii_case(other) {
            reasons.add(Reason::Case, Effect::Spelling);
        } else {
            reasons.add(unknown, Effect::Host);
        }
    }
    if own.authority != other.authority {
        authority(&own, &other, reasons);
    }
    let [own, other] = [own, other].map(|uri| [Some(uri.path), uri.query, uri.fragment]);
    for (index, effect) in [Effect::Path, Effect::Query, Effect::Fragment].into_iter().enumerate() {
        match (own[index], other[index]) {
            (own, other) if own == other => {}
            (Some(b""), Some(b"/")) => reasons.add(Reason::SlashAfterHost, Effect::Spelling),
            (None, Some(b"")) => reasons.add(Reason::LoneDelimiter, effect), // where no edit can remove it
            (Some(own), Some(other)) if encodes(own, other) => reasons.add(Reason::PercentEncoding, Effect::Spelling),
            _ => reasons.add(unknown, effect),
        }
    }
}

/// Adds how WHATWG spells another authority.
fn authority(own: &Uri<'_>, other: &Uri<'_>, reasons: &mut Reasons) {
    let [own, other] = [own, other].map(|uri| Login::divide(uri.authority.unwrap_or_default()));
    let names = [(own.user, other.user), (own.password, other.password)];
    if names.iter().any(|(own, other)| own != other) {
        let is_encoded = |(own, other): &(Option<&[u8]>, Option<&[u8]>)| match (own, other) {
            (Some(own), Some(other)) => encodes(own, other),
            (own, other) => own == other,
        };
        let reason = if names.iter().all(is_encoded) { Reason::PercentEncoding } else { Reason::HostSpelling };
        reasons.add(reason, Effect::Spelling);
    }
    if own.host != other.host {
        let is_number = str::from_utf8(other.host).is_ok_and(|host| host.parse::<std::net::Ipv4Addr>().is_ok());
        match () {
            () if own.host.eq_ignore_ascii_case(other.host) => reasons.add(Reason::Case, Effect::Spelling),
            () if other.host.is_empty() => reasons.add(Reason::File, Effect::Host),
            () if is_number => reasons.add(Reason::HostNumber, Effect::Host),
            () => reasons.add(Reason::HostSpelling, Effect::Spelling),
        }
    }
    // a file without a host has no port either
    if own.port != other.port && (own.host.is_empty() || !other.host.is_empty()) {
        reasons.add(Reason::DefaultPort, Effect::Spelling);
    }
}

/// Whether `other` is `own` with some bytes percent-encoded.
fn encodes(own: &[u8], other: &[u8]) -> bool {
    let mut rest = other;
    for byte in String::from_utf8_lossy(own).bytes() {
        match rest.strip_prefix(&[byte]).or_else(|| rest.strip_prefix(&escape(byte))) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}
