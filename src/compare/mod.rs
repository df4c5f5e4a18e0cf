//! Why another standard answers differently, in the terms of RFC 1808.
//!
//! What the other standard does to a text before it resolves it (white space, backslashes, slashes
//! that may be missing, ...) is a rewrite of base and reference, after which RFC 1808 can be asked
//! again: see [`rewrites`]. What is left are differences of the answers, component by component:
//! see [`difference`].

mod case;
mod difference;
mod rewrites;

pub use self::case::Parsed;
use self::case::{Case, Texts};
use self::rewrites::{REWRITES, Rewrite};
use crate::limits::MAX_EXPLAINED_BASE;
use crate::resolver::Unresolvable;
use crate::spec::{NoAnswer, Spec};

/// A reason why answers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::missing_docs_in_private_items, reason = "REASONS describes them")]
pub enum Reason {
    RawSpace,
    RawNonAscii,
    RawCharacter,
    BadPercent,
    ColonSegment,
    BadAuthority,
    OpaqueBase,
    BadBase,
    BadHost,
    BadPort,
    NotUtf8,
    Base,
    Charset,
    UnsuitableBase,
    LoneDelimiter,
    SchemeName,
    NetLocQuestion,
    ParamsFirstSemicolon,
    FragmentInherited,
    SameScheme,
    SchemeSlashes,
    DotsInAbsolute,
    EmptyNetLoc,
    DotsAfterNetLoc,
    DotsAfterSlash,
    BaseDots,
    ParamsReplaced,
    SurplusDots,
    EncodedDots,
    RootlessBase,
    SlashPutIn,
    File,
    HostNumber,
    LongBase,
    Other,
    SlashAfterHost,
    Case,
    PercentEncoding,
    DefaultPort,
    HostSpelling,
    Backslash,
    WhiteSpace,
}

/// All reasons in their order, that of RFC 1808: code and text. The last ones, from `slash-after-host`
/// on, are about spelling: the answers mean the same, and WHATWG writes its own another way.
pub const REASONS: [(Reason, &str, &str); 42] = [
    (Reason::RawSpace, "raw-space", "RFC 3986 does not allow spaces"),
    (Reason::RawNonAscii, "raw-non-ascii", "RFC 3986 allows only ASCII"),
    (
        Reason::RawCharacter,
        "raw-character",
        "RFC 3986 does not allow control characters, \"<>\\^`{|}, or [, ] and # everywhere",
    ),
    (Reason::BadPercent, "bad-percent", "RFC 3986 requires two hex digits after \"%\""),
    (Reason::ColonSegment, "colon-segment", "RFC 3986 does not allow \":\" in the first segment of a relative path"),
    (Reason::BadAuthority, "bad-authority", "RFC 3986 does not accept the host or the port"),
    (
        Reason::OpaqueBase,
        "opaque-base",
        "WHATWG resolves nothing relative to a base whose path does not start with \"/\"",
    ),
    (Reason::BadBase, "bad-base", "WHATWG does not accept the base's host or port"),
    (Reason::BadHost, "bad-host", "WHATWG does not accept the host"),
    (Reason::BadPort, "bad-port", "WHATWG does not accept the port"),
    (Reason::NotUtf8, "not-utf-8", "WHATWG reads only UTF-8"),
    (Reason::Base, "base", "the standards find different base URLs in the document"),
    (
        Reason::Charset,
        "charset",
        "RFC 1808 keeps the bytes of Latin-1, and WHATWG encodes a query in the document's charset",
    ),
    (Reason::UnsuitableBase, "unsuitable-base", "RFC 1808 never uses relative URLs with the base's scheme (§2.3)"),
    (Reason::LoneDelimiter, "lone-delimiter", "RFC 1808 drops a lone \"?\", \"#\" or \";\" (§2.4)"),
    (Reason::SchemeName, "scheme-name", "RFC 1808 lets a scheme begin with a digit, \"+\", \"-\" or \".\" (§2.4.2)"),
    (
        Reason::NetLocQuestion,
        "net-loc-question",
        "RFC 1808 ends a net_loc at the next \"/\" only, not at a \"?\" (§2.4.3)",
    ),
    (
        Reason::ParamsFirstSemicolon,
        "params-first-semicolon",
        "RFC 1808 starts params at the first \";\", and they are not part of the path (§2.4.5)",
    ),
    (
        Reason::FragmentInherited,
        "fragment-inherited",
        "RFC 1808 has an empty reference inherit the base's fragment (step 2a)",
    ),
    (Reason::SameScheme, "same-scheme", "RFC 1808 takes a reference with the base's scheme as absolute (step 2b)"),
    (
        Reason::SchemeSlashes,
        "scheme-slashes",
        "RFC 1808 leaves the slashes after a scheme as they are, two or not (step 2b)",
    ),
    (Reason::DotsInAbsolute, "dots-in-absolute", "RFC 1808 keeps the dots of an absolute URL (step 2b)"),
    (Reason::EmptyNetLoc, "empty-net-loc", "RFC 1808 has a \"//\" with an empty net_loc inherit the base's (step 3)"),
    (Reason::DotsAfterNetLoc, "dots-after-net-loc", "RFC 1808 keeps dots after a net_loc (step 3)"),
    (Reason::DotsAfterSlash, "dots-after-slash", "RFC 1808 keeps dots after a leading slash (step 4)"),
    (Reason::BaseDots, "base-dots", "RFC 1808 keeps dots of the base that it inherits (step 5)"),
    (Reason::ParamsReplaced, "params-replaced", "RFC 1808 replaces the base's params and keeps its path (step 5a)"),
    (Reason::SurplusDots, "surplus-dots", "RFC 1808 keeps surplus \"..\" (step 6)"),
    (Reason::EncodedDots, "encoded-dots", "WHATWG takes \"%2e\" for a dot, RFC 1808 does not (step 6)"),
    (
        Reason::RootlessBase,
        "rootless-base",
        "RFC 1808 merges with a base path that has no leading slash as text (step 6)",
    ),
    (Reason::SlashPutIn, "slash-put-in", "RFC 1808 separates a net_loc from what follows with a slash (§2.2 net_path)"),
    (Reason::File, "file", "WHATWG has its own rules for file URLs: hosts and drive letters"),
    (Reason::HostNumber, "host-number", "WHATWG takes a host of numbers as an IPv4 address"),
    (Reason::LongBase, "long-base", "the base is longer than 8 KiB, too long to search for reasons"),
    (Reason::Other, "other", "unknown reason; please report it"),
    (Reason::SlashAfterHost, "slash-after-host", "WHATWG adds a slash after the host"),
    (Reason::Case, "case", "WHATWG changes scheme and host to lower case"),
    (Reason::PercentEncoding, "percent-encoding", "WHATWG percent-encodes more"),
    (Reason::DefaultPort, "default-port", "WHATWG omits a default port, and leading zeros"),
    (Reason::HostSpelling, "host-spelling", "WHATWG writes the host or the user another way"),
    (Reason::Backslash, "backslash", "WHATWG takes a backslash as a slash"),
    (Reason::WhiteSpace, "white-space", "WHATWG removes white space and control characters"),
];

impl Reason {
    /// Why a standard other than RFC 1808 has no answer.
    pub fn of_error(spec: Spec, error: NoAnswer) -> Self {
        match error {
            NoAnswer::NotUri(flaw) | NoAnswer::BaseNotUri(flaw) => match (flaw.production, flaw.found) {
                ("pct-encoded", _) => Reason::BadPercent,
                ("segment-nz-nc", _) => Reason::ColonSegment,
                ("IP-literal" | "port", _) | ("reg-name" | "userinfo", ':' | '@' | '[' | ']') => Reason::BadAuthority,
                (_, ' ') => Reason::RawSpace,
                (_, found) if found.is_ascii() => Reason::RawCharacter,
                _ => Reason::RawNonAscii,
            },
            NoAnswer::NotUtf8 if spec == Spec::Rfc3986 => Reason::RawNonAscii,
            NoAnswer::NotUtf8 => Reason::NotUtf8,
            NoAnswer::OpaqueBase => Reason::OpaqueBase,
            NoAnswer::BaseNotUrl => Reason::BadBase,
            NoAnswer::NoHost | NoAnswer::BadHost | NoAnswer::BadAddress => Reason::BadHost,
            NoAnswer::BadPort => Reason::BadPort,
            NoAnswer::UnsuitableBase => Reason::UnsuitableBase,
            NoAnswer::NoBase | NoAnswer::BaseWithoutScheme => Reason::Other,
        }
    }

    /// Its code for programs.
    pub fn code(self) -> &'static str {
        REASONS[self as usize].1
    }

    /// What it says to people.
    pub fn text(self) -> &'static str {
        REASONS[self as usize].2
    }
}

/// A set of reasons: a bit for each, by its index in [`REASONS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasons(u64);

impl Reasons {
    /// Adds a reason.
    pub fn add(&mut self, reason: Reason) {
        self.0 |= 1 << reason as usize;
    }

    /// The reasons of both.
    pub fn and(self, other: Reasons) -> Reasons {
        Reasons(self.0 | other.0)
    }

    /// Those that are about meaning.
    pub fn of_meaning(self) -> Reasons {
        Reasons(self.0 & ((1 << Reason::SlashAfterHost as u64) - 1))
    }

    /// Whether there are no reasons.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        REASONS.iter().map(|row| row.0).filter(move |&reason| self.0 >> reason as usize & 1 == 1)
    }
}

/// Why a standard answers `other` to a reference: no reason if RFC 1808's answer is the same or if
/// neither has one, else at least one. `bases` are RFC 1808's and that of the standard, empty if
/// there is none, and so are `references`.
pub fn reasons(
    parsed: &mut Parsed,
    bases: [&[u8]; 2],
    references: [&[u8]; 2],
    rfc1808: Result<&[u8], Unresolvable>,
    other: Result<&[u8], NoAnswer>,
) -> Reasons {
    let mut reasons = Reasons::default();
    if rfc1808.ok() == other.ok() {
        return reasons;
    } else if bases[1].len() > MAX_EXPLAINED_BASE {
        reasons.add(Reason::LongBase);
        return reasons;
    }
    let reference = references[1];
    let mut ask = |base: &[u8]| parsed.ask(Texts { base: base.to_vec(), reference: reference.to_vec() });
    let first = ask(bases[1]);
    if reference != references[0] || other.is_ok_and(|url| !first.answers(url)) {
        reasons.add(Reason::Charset);
    }
    if bases[0] != bases[1] && ask(bases[0]).rfc1808 != first.rfc1808 {
        reasons.add(Reason::Base);
    }
    if first.rfc1808 == Err(Unresolvable::UnsuitableBase) {
        reasons.add(Reason::UnsuitableBase);
    }
    let with_letters = rewrites::with_scheme_of_letters(&first).map(|texts| parsed.ask(texts));
    match with_letters.as_ref().unwrap_or(&first).other {
        Ok(_) | Err(NoAnswer::NoBase) => {}
        Err(error) => reasons.add(Reason::of_error(parsed.spec, error)),
    }
    let causes = causes(parsed, &first);
    let last = causes.last().map_or(&first, |cause| &cause.case);
    if last.other.is_ok() || last.agrees() {
        for cause in &causes {
            reasons.add(cause.reason);
        }
    }
    if let (Ok(own), Ok(other)) = (&last.rfc1808, &last.other) {
        difference::find(own, other, &mut reasons);
    }
    if reasons.is_empty() {
        reasons.add(Reason::Other);
    }
    reasons
}

/// How often all rewrites are tried: a cause may hide another one.
const MAX_ROUNDS: usize = 5;

/// A rewrite that removes a reason, and what it leads to.
struct Cause {
    /// The reason.
    reason: Reason,
    /// The rewrite.
    rewrite: Rewrite,
    /// What all rewrites up to this one lead to.
    case: Case,
}

/// Rewrites that make RFC 1808 and the other standard agree, as far as there are some. Each one of
/// them is needed: without it the answers would not be those of the last one.
fn causes(parsed: &mut Parsed, first: &Case) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let before = causes.len();
        for &(only, reason, rewrite) in &REWRITES {
            let last = causes.last().map_or(first, |cause| &cause.case);
            if last.agrees() || only.is_some_and(|only| only != parsed.spec) {
                continue;
            }
            let texts = rewrite(last).filter(|texts| *texts != last.texts);
            if let Some(case) = texts.map(|texts| parsed.ask(texts))
                && last.loses_cause(&case)
            {
                causes.push(Cause { reason, rewrite, case });
            }
        }
        if causes.len() == before {
            break;
        }
    }
    // the last ones first, as a later rewrite may only repeat what an earlier one has done
    while (0..causes.len()).rev().any(|at| remove(parsed, first, &mut causes, at)) {}
    causes
}

/// Removes a cause, unless the answers would then be others.
fn remove(parsed: &mut Parsed, first: &Case, causes: &mut Vec<Cause>, at: usize) -> bool {
    let (before, after) = causes.split_at(at);
    let before = before.last().map_or(first, |cause| &cause.case);
    let mut without: Vec<Case> = Vec::new();
    for cause in &after[1..] {
        let case = without.last().unwrap_or(before);
        without.push((cause.rewrite)(case).map_or_else(|| case.clone(), |texts| parsed.ask(texts)));
    }
    let last = without.last().unwrap_or(before);
    let is_needless = last.agrees() || after.last().is_some_and(|cause| last.answers_like(&cause.case));
    if is_needless {
        causes.remove(at);
        causes[at..].iter_mut().zip(without).for_each(|(cause, case)| cause.case = case);
    }
    is_needless
}

#[cfg(test)]
mod tests {
    use super::{Parsed, REASONS, Reason, reasons};
    use crate::spec::Spec;

    #[test]
    fn each_reason_is_in_its_place() {
        for (at, (reason, ..)) in REASONS.iter().enumerate() {
            assert_eq!(*reason as usize, at);
        }
    }
    #[test]
    fn another_base_is_a_reason_and_hides_no_other_one() {
        let mut parsed = Parsed::new(Spec::Rfc3986);
        let mut reasons =
            |bases, own, other| reasons(&mut parsed, bases, [b"../g"; 2], Ok(own), Ok(other)).iter().collect();
        let bases: [&[u8]; 2] = [b"http://a/b/c", b"http://x/y/z"];
        let found: Vec<_> = reasons(bases, b"http://a/g", b"http://x/g");
        assert_eq!(found, [Reason::Base]);
        let found: Vec<_> = reasons([bases[0], b"http://x/y"], b"http://a/g", b"http://x/g");
        assert_eq!(found, [Reason::Base, Reason::SurplusDots]);
    }
}
