//! What is wrong with a text by RFC 3986, in words.

use super::repair::{Repair, escaped, is_slip, removal, repaired};
use super::rfc3986::{divide, flaws};
use super::{Flaw, Production, is_special};
use crate::escaped::{Escaped, character_at, noun};
use crate::resolver::Unresolvable;

/// What makes a flaw legal, where that surely keeps the meaning: a backslash may be meant as a slash, a slip is
/// removed, and with an escape a host would be another one, or a name that few resolve. Schemes that browsers do not
/// know have any host.
pub fn repair(flaw: Flaw, text: &[u8]) -> Option<Repair> {
    match flaw.production {
        Production::Scheme | Production::IpLiteral | Production::Port => None,
        Production::RegName if flaw.byte == b'@' || is_domain(text) => None,
        Production::SegmentNzNc => Some(Repair::Dot),
        _ if flaw.byte == b'\\' || is_slip(text, flaw.at) => None,
        _ => Some(Repair::Escape(flaw.at)),
    }
}

/// The problem in a sentence, and how to fix it; empty if there is no sure way.
pub fn describe(flaw: Flaw, text: &[u8]) -> (String, String) {
    let Flaw { production, at, byte } = flaw;
    let is_bracket = production == Production::IpLiteral && byte == b'[';
    let what = match production {
        Production::Scheme => return Unresolvable::BaseWithoutScheme.words(),
        Production::PctEncoded => "\"%\" is not followed by two hex digits".into(),
        _ if is_bracket => "the brackets do not hold an IP address".into(),
        _ => format!("{} is not allowed in {}", noun(character_at(text, at)), noun_of(production)),
    };
    let legal = || {
        let repairs = flaws(text, false).filter_map(|flaw| repair(flaw, text));
        repaired(text, repairs, |text| flaws(text, false).next().is_none())
    };
    if let Some(fix) = removal(text, at) {
        return (what, fix);
    }
    let fix = match production {
        _ if is_bracket => "write an IPv6 address in them, or no brackets",
        Production::IpLiteral => "",
        Production::Port => "write digits",
        // the last one ends the user name
        Production::RegName if byte == b'@' => "write the first \"@\" as %40",
        // once for a character
        Production::RegName if is_domain(text) && is_letter(character_at(text, at)) => {
            "write the host in its xn-- form"
        }
        Production::RegName if is_domain(text) => "",
        _ => match legal() {
            Some(legal) => &format!("write {}", Escaped(&legal)),
            None if production == Production::SegmentNzNc => "write \"./\" at its start",
            None => &format!("write {}", Escaped(&escaped(text, at))),
        },
    };
    (what, fix.into())
}

/// Whether the host of a text is a domain name, which has no escapes, as far as its scheme shows.
fn is_domain(text: &[u8]) -> bool {
    divide(text).scheme.is_none_or(is_special)
}

/// Whether a character is a letter or a digit that is not ASCII.
fn is_letter(character: &[u8]) -> bool {
    let mut chars = str::from_utf8(character).unwrap_or_default().chars();
    chars.next().is_some_and(|char| !char.is_ascii() && char.is_alphanumeric())
}

/// Where a production is, in the middle of a sentence.
fn noun_of(production: Production) -> &'static str {
    match production {
        Production::Userinfo => "a user name (userinfo)",
        Production::IpLiteral => "a host after an IP address in brackets",
        Production::RegName => "a host (reg-name)",
        Production::Port => "a port",
        Production::SegmentNzNc => "the first segment of a path",
        Production::Query => "a query",
        Production::Fragment => "a fragment",
        Production::Scheme | Production::Pchar | Production::PctEncoded => "a path",
    }
}
