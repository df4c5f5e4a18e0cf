//! The validation errors of hosts. Domains are those of the idna crate, IPv6 addresses those of url.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::{ControlFlow, Range};

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};
use url::Host;

use super::{Finder, is_escape};
use crate::spec::url_error::UrlErrorKind as Kind;

/// The forbidden host code points, but for TAB, LF and CR, which are not in a host any more.
const FORBIDDEN: &[u8] = b"\0 #/:<>?@[\\]^|";

impl Finder<'_, '_> {
    /// The host parser, of a host that is not empty.
    pub fn host(&mut self, place: Range<usize>, is_special: bool) -> ControlFlow<()> {
        let host = &self.url[place.clone()];
        if host.starts_with(b"[") {
            return if host.ends_with(b"]") { self.ipv6(place) } else { self.report(Kind::Ipv6Unclosed, place, true) };
        } else if is_special {
            return self.domain(place);
        }
        match host.iter().position(|byte| FORBIDDEN.contains(byte)) {
            Some(length) => {
                let at = place.start + length;
                self.report(Kind::HostInvalidCodePoint, at..at + 1, true)
            }
            None => self.units(place, false),
        }
    }

    /// The IPv6 parser, of an address in brackets.
    fn ipv6(&mut self, place: Range<usize>) -> ControlFlow<()> {
        let address = &self.url[place.clone()];
        if !str::from_utf8(address).is_ok_and(|address| Host::parse(address).is_ok()) {
            return self.report(Kind::Ipv6Invalid, place, true);
        }
        let mut at = place.start + 1;
        for piece in address[1..address.len() - 1].split(|byte| *byte == b':') {
            if piece.len() > 1 && piece[0] == b'0' {
                self.report(Kind::Ipv6PieceLeadingZero, at..at + piece.len(), false)?;
            }
            at += piece.len() + 1;
        }
        ControlFlow::Continue(())
    }

    /// A host of a special scheme that is not in brackets. Where the domain is not written as it is, its errors are
    /// about all of the host.
    fn domain(&mut self, place: Range<usize>) -> ControlFlow<()> {
        let host = &self.url[place.clone()];
        let mut domain = Cow::from(percent_encoding::percent_decode(host));
        let escape = host.windows(3).position(is_escape);
        if str::from_utf8(host).is_err() {
            // such a byte is U+FFFD, and makes no character with one that is percent-encoded
            domain = Cow::Borrowed(b"\xFF");
        }
        let uts46 = Uts46::new();
        let strict = uts46.to_ascii(&domain, AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify);
        // as url has it; newer versions of the standard accept more of what begins with xn--
        let ascii = uts46.to_ascii(&domain, AsciiDenyList::URL, Hyphens::Allow, DnsLength::Ignore);
        let ascii = ascii.ok().filter(|ascii| !ascii.is_empty());
        let is_written = host.is_ascii() && escape.is_none();
        let number = ascii.as_ref().filter(|ascii| ends_in_a_number(ascii));
        if strict.is_err() {
            // the domain fails for the bytes that are forbidden in it, not for others
            let is_wrong = |byte: &u8| match ascii {
                None => byte.is_ascii_control() || *byte == b'%' || FORBIDDEN.contains(byte),
                Some(_) => !byte.is_ascii_alphanumeric() && !b"-.".contains(byte),
            };
            let wrong = host.iter().position(is_wrong).filter(|_| is_written && number.is_none());
            let wrong = wrong.map_or(place.clone(), |length| place.start + length..place.start + length + 1);
            self.report(Kind::DomainToAscii, wrong, ascii.is_none())?;
        }
        if let Some(ascii) = number {
            if !domain.is_ascii() {
                self.report(Kind::Ipv4NonAsciiInput, place.clone(), false)?;
            }
            self.ipv4(ascii, &place, is_written)?;
        }
        match escape.map(|length| place.start + length) {
            Some(at) => self.report(Kind::DomainPercentEncoded, at..at + 3, false),
            None => ControlFlow::Continue(()),
        }
    }

    /// The IPv4 parser. `is_written`: the address is at `place` as it is.
    fn ipv4(&mut self, ascii: &str, place: &Range<usize>, is_written: bool) -> ControlFlow<()> {
        let parts = ascii.strip_suffix('.').unwrap_or(ascii);
        let part_place = |start: usize, length: usize| {
            if is_written { place.start + start..place.start + start + length } else { place.clone() }
        };
        let count = parts.split('.').count();
        match count.cmp(&4) {
            Ordering::Less => self.report(Kind::Ipv4TooFewParts, part_place(0, parts.len()), false)?,
            Ordering::Greater => self.report(Kind::Ipv4TooManyParts, part_place(0, parts.len()), true)?,
            Ordering::Equal => {}
        }
        if count <= 4 {
            let numbers: Vec<_> = parts.split('.').map_while(ipv4_number).map(|(number, _)| number).collect();
            let (last, others) = numbers.split_last().unwrap_or((&0, &[]));
            let is_failure = others.iter().any(|number| *number > 255) || last >> (8 * (5 - count)) > 0;
            let mut large = numbers.iter().position(|number| *number > 255).filter(|_| numbers.len() == count);
            let mut start = 0;
            for (index, part) in parts.split('.').enumerate().take(numbers.len() + 1) {
                let place = part_place(start, part.len());
                match ipv4_number(part) {
                    None => self.report(Kind::Ipv4NonNumericPart, place.clone(), true)?,
                    Some((_, 10)) => {}
                    Some(_) => self.report(Kind::Ipv4NonDecimalPart, place.clone(), false)?,
                }
                if large.take_if(|large| *large == index).is_some() {
                    self.report(Kind::Ipv4OutOfRangePart, place, is_failure)?;
                }
                start += part.len() + 1;
            }
        }
        if parts.len() < ascii.len() {
            self.report(Kind::Ipv4EmptyPart, part_place(parts.len(), 1), false)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The ends in a number checker, of a domain in lower case.
fn ends_in_a_number(domain: &str) -> bool {
    let last = domain.strip_suffix('.').unwrap_or(domain).rsplit('.').next().unwrap_or_default();
    !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) || ipv4_number(last).is_some()
}

/// The IPv4 number parser: the number, and its radix. A number that is too large for any address stays too large.
fn ipv4_number(part: &str) -> Option<(u64, u32)> {
    let (digits, radix) = match (part.strip_prefix("0x"), part.strip_prefix('0')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) if !digits.is_empty() => (digits, 8),
        _ => (part, 10),
    };
    if part.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let number = if digits.is_empty() { 0 } else { u64::from_str_radix(digits, radix).unwrap_or(u64::MAX) };
    Some((number, radix))
}
