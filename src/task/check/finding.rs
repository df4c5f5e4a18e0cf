//! What `--check` finds, in words.

use std::fmt;

use super::scheme;
use crate::limits::MAX_QUOTED;
use crate::output::location::Escaped;
use crate::resolver::grammar::{Component, Violation, ViolationKind, is_national, is_punctuation, violations};
use crate::resolver::parse;
use crate::resolver::schemes::SchemeFinding;

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
    /// Not a violation: the base is a BASE in BODY (§10).
    BaseInBody,
}

impl Finding<'_> {
    /// Whether it makes the record illegal.
    pub fn is_violation(&self) -> bool {
        match self {
            Finding::Violation(_) | Finding::UnsuitableBase(_) | Finding::BaseWithoutScheme => true,
            Finding::Scheme(found) => !found.rule.is_note(),
            _ => false,
        }
    }

    /// The production that the text does not match. For §2.3 it is the scheme that does not suit.
    pub fn production(&self) -> Option<&'static str> {
        match self {
            Finding::Violation(violation) => Some(violation.production()),
            Finding::Scheme(found) => Some(found.production).filter(|production| !production.is_empty()),
            Finding::BaseWithoutScheme => Some("absoluteURL"),
            Finding::UnsuitableBase(_) => Some("scheme"),
            _ => None,
        }
    }

    /// Whether the production is one of RFC 1738, not of §2.2.
    pub fn is_of_scheme(&self) -> bool {
        matches!(self, Finding::Scheme(_)) && self.production().is_some()
    }

    /// Its offset in its text, in bytes from 0.
    pub fn at(&self) -> usize {
        match *self {
            Finding::Violation(violation) => violation.at,
            Finding::Scheme(found) => found.at,
            Finding::GopherType(at) => at,
            _ => 0,
        }
    }

    /// What to write instead of the byte there, where that surely keeps the meaning. In a net_loc an
    /// escape would be another host, a backslash may be meant as a slash, and a slip is removed.
    pub fn escape(&self, text: &[u8]) -> Option<Escape> {
        match self {
            Finding::Violation(
                Violation { byte: b'\\', .. } | Violation { component: Component::NetLoc | Component::Host, .. },
            ) => None,
            Finding::Violation(Violation { at, .. }) if is_slip(text, *at) => None,
            Finding::Violation(Violation { kind: ViolationKind::Character | ViolationKind::Escape, byte, .. }) => {
                Some(Escape(*byte))
            }
            _ => None,
        }
    }

    /// The length of the UTF-8 character that is not allowed; 0 if it is not about a character.
    pub fn character(&self, text: &[u8]) -> usize {
        match self {
            Finding::Violation(Violation { kind: ViolationKind::Character, at, .. }) => character(text, *at).len(),
            _ => 0,
        }
    }

    /// The problem in a sentence. `text` is what the finding is about.
    pub fn what(&self, text: &[u8]) -> String {
        match self {
            Finding::Violation(violation) => {
                let Violation { byte, component, kind, .. } = *violation;
                let (component, production) = (noun(component), violation.production());
                match kind {
                    ViolationKind::Character => {
                        let (shown, class) = (quoted(character(text, violation.at)), class(byte));
                        format!("{shown} is {class}, not allowed in {component} (§2.2 {production})")
                    }
                    ViolationKind::Escape => {
                        format!("\"%\" is not followed by two hex digits, in {component} (§2.2 {production})")
                    }
                    ViolationKind::EmptyFirstSegment => {
                        format!("the first segment of the path is empty (§2.2 {production})")
                    }
                    ViolationKind::NotGeneric => format!(
                        "the first segment of the path is empty, so relative URLs cannot be used with it (§2.2 {production})"
                    ),
                }
            }
            Finding::Scheme(found) => scheme::what(found, text),
            Finding::UnsuitableBase(scheme) => {
                format!("relative URLs are never used with a base of scheme \"{}\" (§2.3)", Escaped(scheme))
            }
            Finding::BaseWithoutScheme => "the base URL has no scheme (§2.2 absoluteURL)".into(),
            Finding::DoubtfulScheme(scheme) => format!("\"{}\" is parsed as a scheme (§2.4.2)", Escaped(scheme)),
            Finding::RepeatedScheme(scheme) => {
                format!("\"{}:\" is ignored by some parsers, because it is the base's scheme (§5.2)", Escaped(scheme))
            }
            Finding::GopherType(at) => {
                let shown = quoted(character(text, *at));
                format!("gopher type {shown}: relative paths reach this type only (§2.3)")
            }
            Finding::RelativeBase => "BASE has a relative URL (§10)".into(),
            Finding::BaseInBody => "BASE is not in HEAD (§10)".into(),
        }
    }

    /// The problem and how to fix it.
    pub fn sentence(&self, text: &[u8]) -> String {
        let (what, fix) = (self.what(text), self.fix(text));
        if fix.is_empty() { what } else { format!("{what}; {fix}") }
    }

    /// How to fix it; empty if there is no sure way.
    pub fn fix(&self, text: &[u8]) -> String {
        match self {
            Finding::Violation(Violation { kind: ViolationKind::Character, at, byte, .. }) if is_slip(text, *at) => {
                match byte {
                    b' ' => "remove the space",
                    b'"' => "remove the quotes",
                    b'<' | b'>' => "remove the brackets",
                    _ => "remove it",
                }
                .into()
            }
            Finding::Violation(violation) if self.escape(text).is_some() => {
                format!("write {}", Escaped(&fixed(text, violation.at)))
            }
            Finding::Violation(Violation { component: Component::Host, byte, .. }) => match byte {
                b'[' | b']' => "IPv6 addresses came with RFC 2732".into(),
                0xC0.. => "write the host in its xn-- form".into(), // once for a character
                _ => String::new(),
            },
            Finding::Violation(Violation { component: Component::NetLoc, .. }) | Finding::GopherType(_) => {
                String::new()
            }
            Finding::Violation(Violation { kind: ViolationKind::EmptyFirstSegment, .. }) => {
                "write one \"/\", or all of the URL with its scheme".into()
            }
            Finding::Violation(Violation { kind: ViolationKind::NotGeneric, .. }) => "write one \"/\"".into(),
            Finding::Violation(_) => "write \"/\" if it separates segments, %5C if not".into(),
            Finding::Scheme(found) => scheme::fix(found, text),
            Finding::UnsuitableBase(_) => "write the references with their schemes".into(),
            Finding::BaseWithoutScheme => "write an absolute URL such as http://host/path".into(),
            Finding::DoubtfulScheme(_) => "for a relative path, write \"./\" before it (§5.3)".into(),
            Finding::RepeatedScheme(_) => "write \"//\" and a host after it, or omit it".into(),
            Finding::RelativeBase => "write the absolute one".into(),
            Finding::BaseInBody => "move it there".into(),
        }
    }
}

/// The text with every wrong character escaped; only the character at `at` if the text is too long
/// to quote or would still be wrong.
fn fixed(text: &[u8], at: usize) -> Vec<u8> {
    let escape = |byte: u8| Escape(byte).to_string().into_bytes();
    let character = || character(text, at).iter().flat_map(|byte| escape(*byte)).collect();
    if text.len() > MAX_QUOTED {
        return character();
    }
    let mut fixed = Vec::new();
    let mut start = 0;
    for violation in violations(text, false).filter(|violation| Finding::Violation(*violation).escape(text).is_some()) {
        fixed.extend(&text[start..violation.at]);
        fixed.extend(escape(violation.byte));
        start = violation.at + 1;
    }
    fixed.extend(&text[start..]);
    if violations(&fixed, true).next().is_none() { fixed } else { character() }
}

/// Whether a byte is before or after a URL by mistake: a space, a control character, a quote or an
/// angle bracket at the end of a text whose rest has a scheme or `//`. It looks at a few bytes only.
fn is_slip(text: &[u8], at: usize) -> bool {
    let is_outside = |byte: &&u8| byte.is_ascii_control() || matches!(byte, b' ' | b'"' | b'<' | b'>');
    let length = text.len().min(MAX_QUOTED);
    let before = text[..length].iter().take_while(is_outside).count();
    let after = text[text.len() - length..].iter().rev().take_while(is_outside).count();
    let rest = parse(&text[before..length]);
    (at < before || at >= text.len() - after) && (rest.scheme.is_some() || rest.net_loc.is_some())
}

/// The bytes of the UTF-8 character at an offset; the byte alone if there is none.
pub fn character(text: &[u8], at: usize) -> &[u8] {
    let most = &text[at..(at + 4).min(text.len())];
    let first = most.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    &most[..first.map_or(1, char::len_utf8).min(most.len())]
}

/// A character in quotes, or the escaped bytes of one that cannot be shown.
pub fn quoted(character: &[u8]) -> String {
    let shown = Escaped(character).to_string();
    if shown.as_bytes() == character { format!("\"{shown}\"") } else { shown }
}

/// A component in the middle of a sentence.
fn noun(component: Component) -> &'static str {
    match component {
        Component::NetLoc | Component::Host => "the net_loc",
        Component::Path => "a path segment",
        Component::Params => "the params",
        Component::Query => "the query",
        Component::Fragment => "the fragment",
    }
}

/// The class of a byte that is neither `uchar` nor `reserved`, in the terms of §2.2 where it has some.
fn class(byte: u8) -> &'static str {
    match byte {
        _ if is_national(byte) => "\"national\"",
        _ if is_punctuation(byte) => "\"punctuation\"",
        b' ' => "a space",
        0x80.. => "not ASCII",
        _ => "a control character",
    }
}

/// A byte as §2.2 `escape`.
#[derive(Clone, Copy)]
pub struct Escape(pub u8);

impl fmt::Display for Escape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{:02X}", self.0)
    }
}
