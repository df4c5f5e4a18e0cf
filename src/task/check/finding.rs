//! What `--check` finds, in words.

use super::scheme;
use crate::escaped::{self, Escaped, character_at, quoted};
use crate::resolver::Unresolvable;
use crate::resolver::grammar::{Component, Violation, ViolationKind, violations};
use crate::rfc1738::login::host_range;
use crate::rfc1738::production::SchemeProduction;
use crate::rfc1738::schemes::SchemeFinding;
use crate::spec::repair::{Repair, escaped, is_slip, removal, repaired};
use crate::spec::url_error::UrlError;
use crate::spec::{Flaw, flaw};

/// A finding about a record or a base.
#[derive(Clone, Copy)]
pub enum Finding<'a> {
    /// The text does not match §2.2.
    Violation(Violation),
    /// The URL does not match RFC 1738, or there is a note about it.
    Scheme(SchemeFinding),
    /// The text is not a `URI-reference` (RFC 3986 §4.1), or as a base no URI.
    Flaw(Flaw),
    /// The URL Standard has a validation error.
    UrlError(UrlError),
    /// The base has a scheme that is never used with relative URLs (§2.3).
    UnsuitableBase(&'a [u8]),
    /// The base of a pair has no scheme (§2.2): the name of that by the standard that judges, and where it is missing.
    BaseWithoutScheme(&'static str, usize),
    /// Not a violation: what is parsed as a scheme may be meant as a path (§5.3).
    DoubtfulScheme(&'a [u8]),
    /// Not a violation: some parsers ignore the scheme (§5.2).
    RepeatedScheme(&'a [u8]),
    /// Not a violation: a gopher-type, and its offset in the base (§2.3).
    GopherType(usize),
    /// Not a violation: the base is a BASE with a relative URL (§10).
    RelativeBase,
    /// Not a violation: the base is a BASE that is not in HEAD (§10).
    BaseInBody,
    /// Not a violation: the reference is in `<URL:...>`, which belongs to the Base field (reading 19). Its `<URL:`.
    Wrapper(&'a [u8]),
}

impl Finding<'_> {
    /// Whether it makes the record illegal.
    pub fn is_violation(&self) -> bool {
        match self {
            Finding::Violation(_)
            | Finding::Flaw(_)
            | Finding::UrlError(_)
            | Finding::UnsuitableBase(_)
            | Finding::BaseWithoutScheme(..) => true,
            Finding::Scheme(finding) => !finding.rule.is_note(),
            _ => false,
        }
    }

    /// The production that the text does not match, or the name of an error. For §2.3 it is the scheme that does not
    /// suit.
    pub fn production(&self) -> Option<&'static str> {
        match self {
            Finding::Violation(violation) => Some(violation.production()),
            Finding::Scheme(finding) => finding.production.map(SchemeProduction::name),
            Finding::Flaw(flaw) => Some(flaw.production.name()),
            Finding::UrlError(error) => Some(error.kind.name()),
            Finding::BaseWithoutScheme(name, _) => Some(name),
            Finding::UnsuitableBase(_) => Some("scheme"),
            _ => None,
        }
    }

    /// Its offset in its text, in bytes from 0.
    pub fn at(&self) -> usize {
        match *self {
            Finding::Violation(violation) => violation.at,
            Finding::Scheme(finding) => finding.at,
            Finding::Flaw(flaw) => flaw.at,
            Finding::UrlError(error) => error.at,
            Finding::BaseWithoutScheme(_, at) | Finding::GopherType(at) => at,
            _ => 0,
        }
    }

    /// What to write instead of the byte there, where that surely keeps the meaning.
    pub fn escape(&self, text: &[u8]) -> Option<String> {
        let repair = match *self {
            // one byte is replaced
            Finding::UrlError(error) => return error.escape(text).filter(|_| error.length == 1),
            Finding::Violation(violation) => repair(violation, text),
            Finding::Flaw(flaw) => flaw::repair(flaw, text),
            _ => None,
        };
        match repair? {
            Repair::Escape(at) => Some(format!("%{:02X}", text[at])),
            Repair::Dot => None,
        }
    }

    /// The UTF-8 character that is not allowed; empty if it is not about a character.
    pub fn character<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        match self {
            Finding::Violation(Violation { kind: ViolationKind::Character, at, .. })
            | Finding::Flaw(Flaw { at, .. })
                if *at < text.len() =>
            {
                character_at(text, *at)
            }
            _ => b"",
        }
    }

    /// The problem in a sentence, and how to fix it; empty if there is no sure way. `text` is what the
    /// finding is about.
    pub fn describe(&self, text: &[u8]) -> (String, String) {
        let (what, fix) = match *self {
            Finding::Violation(violation) => return describe(violation, text),
            Finding::Scheme(finding) => return scheme::describe(&finding, text),
            Finding::UrlError(error) => return error.describe(text),
            Finding::UnsuitableBase(scheme) => (
                format!("relative URLs are never used with a base of scheme \"{}\"", Escaped(scheme)),
                "write the references with their schemes",
            ),
            Finding::BaseWithoutScheme(..) => return Unresolvable::BaseWithoutScheme.words(),
            Finding::Flaw(flaw) => return flaw::describe(flaw, text),
            Finding::DoubtfulScheme(scheme) => (
                format!("\"{}\" is parsed as a scheme", Escaped(scheme)),
                "for a relative path, write \"./\" before it",
            ),
            Finding::RepeatedScheme(scheme) => {
                (format!("some parsers ignore \"{}:\", because it is the base's scheme", Escaped(scheme)), "omit it")
            }
            Finding::GopherType(at) => {
                let shown = quoted(character_at(text, at));
                (format!("gopher type {shown}: relative paths reach this type only"), "")
            }
            Finding::RelativeBase => ("BASE has a relative URL".into(), "write the absolute one"),
            Finding::BaseInBody => ("BASE is not in HEAD".into(), "move it there"),
            Finding::Wrapper(wrapper) => (format!("\"{}\" and \">\" are part of it", Escaped(wrapper)), "remove them"),
        };
        (what, fix.into())
    }

    /// The problem and how to fix it.
    pub fn sentence(&self, text: &[u8]) -> String {
        let (what, fix) = self.describe(text);
        if fix.is_empty() { what } else { format!("{what}; {fix}") }
    }
}

/// A violation of §2.2 in a sentence, and how to fix it.
fn describe(violation: Violation, text: &[u8]) -> (String, String) {
    let Violation { at, byte, component, kind } = violation;
    let noun = noun_of(component);
    let what = match kind {
        ViolationKind::Character => format!("{} is not allowed in {noun}", escaped::noun(character_at(text, at))),
        ViolationKind::Escape => format!("\"%\" in {noun} is not followed by two hex digits"),
        ViolationKind::EmptyFirstSegment => "the path begins with \"//\"".into(),
        ViolationKind::NotGeneric => "the path begins with \"//\", so relative URLs cannot be used with it".into(),
    };
    if let Some(fix) = removal(text, at) {
        return (what, fix);
    }
    let fix = match (kind, component, byte) {
        (ViolationKind::EmptyFirstSegment | ViolationKind::NotGeneric, ..) => "write one \"/\"",
        (_, Component::NetLoc, b'[' | b']') if host_range(text).contains(&at) => "RFC 1808 has no IPv6 addresses",
        // once for a character
        (_, Component::NetLoc, 0xC0..) if host_range(text).contains(&at) => "write the host in its xn-- form",
        (_, Component::NetLoc, _) => "",
        _ => {
            let repairs = violations(text, false).filter_map(|violation| repair(violation, text));
            let legal = repaired(text, repairs, |text| violations(text, true).next().is_none());
            &format!("write {}", Escaped(&legal.unwrap_or_else(|| escaped(text, at))))
        }
    };
    (what, fix.into())
}

/// What makes a violation legal, where that surely keeps the meaning. In a net_loc an escape would be another host, a
/// backslash may be meant as a slash, and a slip is removed.
fn repair(violation: Violation, text: &[u8]) -> Option<Repair> {
    let Violation { at, byte, component, kind } = violation;
    let is_sure = matches!(kind, ViolationKind::Character | ViolationKind::Escape)
        && component != Component::NetLoc
        && byte != b'\\'
        && !is_slip(text, at);
    is_sure.then_some(Repair::Escape(at))
}

/// A component in the middle of a sentence.
fn noun_of(component: Component) -> &'static str {
    match component {
        Component::NetLoc => "a host (net_loc)",
        Component::Path => "a path",
        Component::Params => "params",
        Component::Query => "a query",
        Component::Fragment => "a fragment",
    }
}
