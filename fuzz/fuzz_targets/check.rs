//! The grammar of section 2.2 as the program checks it, against the matcher that is made of the RFC's
//! own text. Input: the text to check.
#![no_main]

use std::sync::OnceLock;

use absurl_fuzz::bnf::Grammar;
use absurl_fuzz::resolver::grammar::{Component, Violation, ViolationKind, violations};
use absurl_fuzz::resolver::parse;
use absurl_fuzz::rfc1738::notes::notes;
use absurl_fuzz::rfc1738::schemes::{self, doubtful_scheme};
use absurl_fuzz::{BASE, oracle};
use libfuzzer_sys::fuzz_target;

/// The longest text that the matcher takes, in bytes.
const LONGEST: usize = 127;

/// The matcher, made once.
static GRAMMAR: OnceLock<Grammar> = OnceLock::new();

fuzz_target!(|text: &[u8]| {
    let grammar = GRAMMAR.get_or_init(Grammar::rfc_1808);
    let found: Vec<Violation> = violations(text, false).collect();
    let legal = found.is_empty();

    // they are in the text's order, each at its own byte
    assert!(found.windows(2).all(|pair| pair[0].at < pair[1].at));
    for violation in &found {
        assert_eq!(text[violation.at], violation.byte);
        assert!(!violation.production().is_empty());
        // "/" is reserved
        let is_allowed = ["uchar", "reserved"].iter().any(|production| grammar.matches(production, &[violation.byte]));
        assert_eq!(is_allowed, violation.kind == ViolationKind::EmptyFirstSegment);
    }

    // a scheme in doubt is the text's own, and neither the base's nor before a net_loc
    if let Some(scheme) = doubtful_scheme(&parse(text), &parse(BASE)) {
        let parts = oracle::parse(text);
        assert_eq!(parts.scheme.as_deref(), Some(scheme));
        assert!(parts.net_loc.is_none() && !scheme.eq_ignore_ascii_case(b"http"));
        assert!(doubtful_scheme(&parse(text), &parse(&[scheme, b":"].concat())).is_none());
    }

    // what is found by RFC 1738 is in the text, in its order
    let places = schemes::violations(text, &parse(text)).into_iter().flatten().map(|found| (found.at, found.length));
    let places: Vec<_> = places.collect();
    assert!(places.is_sorted() && places.iter().all(|(at, length)| at + length <= text.len()), "{places:?}");
    assert!(notes(text, &parse(text)).iter().flatten().all(|note| note.at + note.length <= text.len()));

    if text.len() > LONGEST {
        return;
    }
    assert_eq!(legal, grammar.matches("URL", text), "{found:?}");

    // each component by its own production
    let parts = oracle::parse(text);
    let none_in = |component| !found.iter().any(|violation| violation.component == component);
    for (component, production, bytes) in [
        (Component::NetLoc, "net_loc", parts.net_loc.as_deref().unwrap_or_default()),
        (Component::Params, "params", &parts.params),
        (Component::Query, "query", &parts.query),
        (Component::Fragment, "fragment", &parts.fragment),
    ] {
        assert_eq!(none_in(component), grammar.matches(production, bytes), "{component:?}");
    }
    let in_segments = found.iter().filter(|violation| {
        violation.component == Component::Path && violation.kind != ViolationKind::EmptyFirstSegment
    });
    let segments = parts.path.split(|&byte| byte == b'/');
    assert_eq!(in_segments.count() == 0, segments.into_iter().all(|segment| grammar.matches("segment", segment)));

    // a text with all fixes applied is legal
    let mut fixed = Vec::new();
    for (at, &byte) in text.iter().enumerate() {
        match found.iter().find(|violation| violation.at == at) {
            None => fixed.push(byte),
            Some(Violation { kind: ViolationKind::EmptyFirstSegment, .. }) => fixed.extend_from_slice(b"./"),
            Some(_) => fixed.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    if fixed.len() <= LONGEST {
        assert!(grammar.matches("URL", &fixed), "{}", fixed.escape_ascii());
    }
    assert_eq!(violations(&fixed, false).next(), None);
    assert_eq!(parse(&fixed).scheme, parts.scheme.as_deref());
});
