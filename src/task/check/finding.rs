//! What `--check` finds, in words.

use super::character::{character_at, quoted};
use super::scheme;
use crate::escaped::Escaped;
use crate::limits::MAX_QUOTED;
use crate::resolver::grammar::{Component, Violation, ViolationKind, escape, violations};
use crate::resolver::parse;
use crate::rfc1738::login::host_range;
use crate::rfc1738::production::SchemeProduction;
use crate::rfc1738::schemes::SchemeFinding;

/// A finding about a record or a base.
#[derive(Clone, Copy)]
pub enum Finding<'a> {
    /// The text does not match §2.2.
    Violation(Violation),
    /// The URL does not match RFC 1738, or there is a note about it.
    Scheme(SchemeFinding),
    /// The base has a scheme that is never used with relative URLs (§2.3).
    UnsuitableBase(&'a [u8]),
    /// The base of a pair has no scheme (§2.2).
    BaseWithoutScheme,
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
}

impl Finding<'_> {
    /// Whether it makes the record illegal.
    pub fn is_violation(&self) -> bool {
        match self {
            Finding::Violation(_) | Finding::UnsuitableBase(_) | Finding::BaseWithoutScheme => true,
            Finding::Scheme(finding) => !finding.rule.is_note(),
            _ => false,
        }
    }

    /// The production that the text does not match. For §2.3 it is the scheme that does not suit.
    pub fn production(&self) -> Option<&'static str> {
        match self {
            Finding::Violation(violation) => Some(violation.production()),
            Finding::Scheme(finding) => finding.production.map(SchemeProduction::name),
            Finding::BaseWithoutScheme => Some("absoluteURL"),
            Finding::UnsuitableBase(_) => Some("scheme"),
            _ => None,
        }
    }

    /// Its offset in its text, in bytes from 0.
    pub fn at(&self) -> usize {
        match *self {
            Finding::Violation(violation) => violation.at,
            Finding::Scheme(finding) => finding.at,
            Finding::GopherType(at) => at,
            _ => 0,
        }
    }

    /// What to write instead of the byte there, where that surely keeps the meaning. In a net_loc an
    /// escape would be another host, a backslash may be meant as a slash, and a slip is removed.
    pub fn escape(&self, text: &[u8]) -> Option<String> {
        let Finding::Violation(Violation { at, byte, component, kind }) = *self else { return None };
        let is_sure = matches!(kind, ViolationKind::Character | ViolationKind::Escape)
            && component != Component::NetLoc
            && byte != b'\\'
            && !is_slip(text, at);
        is_sure.then(|| format!("%{byte:02X}"))
    }

    /// The length of the UTF-8 character that is not allowed; 0 if it is not about a character.
    pub fn character(&self, text: &[u8]) -> usize {
        match self {
            Finding::Violation(Violation { kind: ViolationKind::Character, at, .. }) => character_at(text, *at).len(),
            _ => 0,
        }
    }

    /// The problem in a sentence, and how to fix it; empty if there is no sure way. `text` is what the
    /// finding is about.
    pub fn describe(&self, text: &[u8]) -> (String, String) {
        let (what, fix) = match *self {
            Finding::Violation(violation) => return describe(violation, text),
            Finding::Scheme(finding) => return scheme::describe(&finding, text),
            Finding::UnsuitableBase(scheme) => (
                format!("relative URLs are never used with a base of scheme \"{}\"", Escaped(scheme)),
                "write the references with their schemes",
            ),
            Finding::BaseWithoutScheme => {
                ("the base URL has no scheme".into(), "write an absolute URL such as http://host/path")
            }
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
        ViolationKind::Character if byte == b' ' => format!("a space is not allowed in {noun}"),
        ViolationKind::Character => format!("{} is not allowed in {noun}", quoted(character_at(text, at))),
        ViolationKind::Escape => format!("\"%\" in {noun} is not followed by two hex digits"),
        ViolationKind::EmptyFirstSegment => "the path begins with \"//\"".into(),
        ViolationKind::NotGeneric => "the path begins with \"//\", so relative URLs cannot be used with it".into(),
    };
    let fix = match (kind, component, byte) {
        (ViolationKind::Character, ..) if is_slip(text, at) => match byte {
            b' ' => "remove the space",
            b'"' => "remove the quotes",
            b'<' | b'>' => "remove the brackets",
            b'\r' => "remove the CR",
            _ => "remove it",
        },
        (ViolationKind::EmptyFirstSegment | ViolationKind::NotGeneric, ..) => "write one \"/\"",
        (_, Component::NetLoc, b'[' | b']') if host_range(text).contains(&at) => "RFC 1808 has no IPv6 addresses",
        // once for a character
        (_, Component::NetLoc, 0xC0..) if host_range(text).contains(&at) => "write the host in its xn-- form",
        (_, Component::NetLoc, _) => "",
        _ => &format!("write {}", Escaped(&repaired(text, at))),
    };
    (what, fix.into())
}

/// The text with every wrong character escaped; only the character at `at` if the text is too long
/// to quote or would still be wrong.
fn repaired(text: &[u8], at: usize) -> Vec<u8> {
    let character = || character_at(text, at).iter().flat_map(|byte| escape(*byte)).collect();
    if text.len() > MAX_QUOTED {
        return character();
    }
    let mut fixed = Vec::new();
    let mut start = 0;
    for violation in violations(text, false) {
        if let Some(escaped) = Finding::Violation(violation).escape(text) {
            fixed.extend(&text[start..violation.at]);
            fixed.extend(escaped.into_bytes());
            start = violation.at + 1;
        }
    }
    fixed.extend(&text[start..]);
    if violations(&fixed, true).next().is_none() { fixed } else { character() }
}

/// Whether a byte is before or after a URL by mistake: a space, a control character, a quote or an
/// angle bracket at the end of a text whose rest has a scheme or `//`; or a CR at the end of any text, where a line of
/// Windows ended. It looks at a few bytes only.
fn is_slip(text: &[u8], at: usize) -> bool {
    if text.get(at..) == Some(b"\r") {
        return true;
    }
    let is_outside = |byte: &&u8| byte.is_ascii_control() || matches!(byte, b' ' | b'"' | b'<' | b'>');
    let length = text.len().min(MAX_QUOTED);
    let before = text[..length].iter().take_while(is_outside).count();
    let after = text[text.len() - length..].iter().rev().take_while(is_outside).count();
    let rest = parse(&text[before..length]);
    (at < before || at >= text.len() - after) && (rest.scheme.is_some() || rest.net_loc.is_some())
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
