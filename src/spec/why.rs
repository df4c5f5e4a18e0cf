//! Why another standard answers otherwise, in the terms of RFC 1808.
//!
//! What the URL Standard does to a text before it parses it (white space, backslashes, optional
//! slashes ...) is done here to base and reference too, one after the other: a reason is one of
//! them if it changes what RFC 1808 answers. What is left is a difference of resolution, which the
//! component that differs and the step of §4 tell, or of spelling, which the bytes tell. Nothing is
//! resolved a second way.

use super::{NoAnswer, Spec, whatwg};
use crate::resolver::merge::directory;
use crate::resolver::parts::lone_delimiters;
use crate::resolver::{Base, Parts, Step, Unresolvable, parse, resolve};

/// A reason why answers differ. The order is that of RFC 1808, then what WHATWG only normalises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The other standard has no answer.
    Error(Spec),
    /// §2.3
    UnsuitableBase,
    /// §2.4
    LoneDelimiter,
    /// §2.4.2
    SchemeName,
    /// §2.4.3
    NetLocQuestion,
    /// §2.4.5
    ParamsFirstSemicolon,
    /// §4 step 2a
    FragmentInherited,
    /// §4 step 2b
    SameScheme,
    /// §4 step 2b
    SchemeSlashes,
    /// §4 step 2b
    DotsInAbsolute,
    /// §4 step 3
    EmptyNetLoc,
    /// §4 step 3
    DotsAfterNetLoc,
    /// §4 step 4
    DotsAfterSlash,
    /// §4 step 5
    BaseDots,
    /// §4 step 5a
    ParamsReplaced,
    /// §4 step 6
    SurplusDots,
    /// §4 step 6
    EncodedDots,
    /// §4 step 6
    RootlessBase,
    /// §4 step 7
    SlashPutIn,
    /// The URL Standard's own rules for `file`.
    File,
    /// WHATWG reads numbers of any form as an IPv4 address: that is another host.
    HostNumber,
    /// None of these; no input is known that has it.
    Other,
    /// WHATWG only normalises.
    SlashAfterHost,
    /// WHATWG only normalises.
    Case,
    /// WHATWG only normalises.
    PercentEncoding,
    /// WHATWG only normalises.
    DefaultPort,
    /// WHATWG only normalises.
    HostSpelling,
    /// WHATWG only normalises.
    Backslash,
    /// WHATWG only normalises.
    WhiteSpace,
}

impl Why {
    /// All of them, in order.
    pub const ALL: [Why; 30] = [
        Why::Error(Spec::Rfc3986),
        Why::Error(Spec::Whatwg),
        Why::UnsuitableBase,
        Why::LoneDelimiter,
        Why::SchemeName,
        Why::NetLocQuestion,
        Why::ParamsFirstSemicolon,
        Why::FragmentInherited,
        Why::SameScheme,
        Why::SchemeSlashes,
        Why::DotsInAbsolute,
        Why::EmptyNetLoc,
        Why::DotsAfterNetLoc,
        Why::DotsAfterSlash,
        Why::BaseDots,
        Why::ParamsReplaced,
        Why::SurplusDots,
        Why::EncodedDots,
        Why::RootlessBase,
        Why::SlashPutIn,
        Why::File,
        Why::HostNumber,
        Why::Other,
        Why::SlashAfterHost,
        Why::Case,
        Why::PercentEncoding,
        Why::DefaultPort,
        Why::HostSpelling,
        Why::Backslash,
        Why::WhiteSpace,
    ];

    /// Its code for programs, and what it says to people.
    pub fn describe(self) -> (&'static str, &'static str) {
        match self {
            Why::Error(Spec::Rfc3986) => ("error-rfc3986", "RFC 3986 has no answer"),
            Why::Error(Spec::Whatwg) => ("error-whatwg", "WHATWG has no answer"),
            Why::UnsuitableBase => {
                ("unsuitable-base", "RFC 1808 never uses relative URLs with the base's scheme (§2.3)")
            }
            Why::LoneDelimiter => ("lone-delimiter", "RFC 1808 drops a lone \"?\", \"#\" or \";\" (§2.4)"),
            Why::SchemeName => {
                ("scheme-name", "RFC 1808 lets a scheme begin with a digit, \"+\", \"-\" or \".\" (§2.4.2)")
            }
            Why::NetLocQuestion => {
                ("net-loc-question", "RFC 1808 ends a net_loc at the next \"/\" only, not at a \"?\" (§2.4.3)")
            }
            Why::ParamsFirstSemicolon => (
                "params-first-semicolon",
                "RFC 1808 has params start at the first \";\", and they are no part of the path (§2.4.5)",
            ),
            Why::FragmentInherited => {
                ("fragment-inherited", "RFC 1808 has an empty reference inherit the base's fragment (step 2a)")
            }
            Why::SameScheme => {
                ("same-scheme", "RFC 1808 takes a reference with the base's scheme for absolute (step 2b)")
            }
            Why::SchemeSlashes => {
                ("scheme-slashes", "RFC 1808 leaves the slashes after a scheme as they are, two or not (step 2b)")
            }
            Why::DotsInAbsolute => ("dots-in-absolute", "RFC 1808 keeps the dots of an absolute URL (step 2b)"),
            Why::EmptyNetLoc => {
                ("empty-net-loc", "RFC 1808 has a \"//\" with an empty net_loc inherit the base's (step 3)")
            }
            Why::DotsAfterNetLoc => ("dots-after-net-loc", "RFC 1808 keeps dots after a net_loc (step 3)"),
            Why::DotsAfterSlash => ("dots-after-slash", "RFC 1808 keeps dots after a leading slash (step 4)"),
            Why::BaseDots => ("base-dots", "RFC 1808 keeps dots of the base that it inherits (step 5)"),
            Why::ParamsReplaced => {
                ("params-replaced", "RFC 1808 replaces the base's params and keeps its path (step 5a)")
            }
            Why::SurplusDots => ("surplus-dots", "RFC 1808 keeps surplus \"..\" (step 6)"),
            Why::EncodedDots => ("encoded-dots", "WHATWG takes \"%2e\" for a dot, RFC 1808 does not (step 6)"),
            Why::RootlessBase => {
                ("rootless-base", "RFC 1808 merges with a base path that has no leading slash as text (step 6)")
            }
            Why::SlashPutIn => {
                ("slash-put-in", "RFC 1808 parts a net_loc from what follows by a slash (§2.2 net_path)")
            }
            Why::File => ("file", "WHATWG has rules of its own for file URLs: hosts and drive letters"),
            Why::HostNumber => ("host-number", "WHATWG takes a host of numbers for an IPv4 address"),
            Why::Other => ("other", "absurl does not know why"),
            Why::SlashAfterHost => ("slash-after-host", "WHATWG puts a slash after the host"),
            Why::Case => ("case", "WHATWG puts scheme and host in lower case"),
            Why::PercentEncoding => ("percent-encoding", "WHATWG percent-encodes more"),
            Why::DefaultPort => ("default-port", "WHATWG leaves out a default port, and leading zeros"),
            Why::HostSpelling => ("host-spelling", "WHATWG spells the host or the user another way"),
            Why::Backslash => ("backslash", "WHATWG takes a backslash for a slash"),
            Why::WhiteSpace => ("white-space", "WHATWG removes white space and control characters"),
        }
    }

    /// Whether the answers mean the same, and only WHATWG spells its own otherwise.
    pub fn is_normalisation(self) -> bool {
        matches!(
            self,
            Why::SlashAfterHost
                | Why::Case
                | Why::PercentEncoding
                | Why::DefaultPort
                | Why::HostSpelling
                | Why::Backslash
                | Why::WhiteSpace
        )
    }
}

/// A set of reasons: a bit for each, by its place in [`Why::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whys(u32);

impl Whys {
    /// Puts a reason in.
    pub fn add(&mut self, why: Why) {
        let bits = Why::ALL.iter().zip(0u32..);
        self.0 |= bits.filter(|(other, _)| **other == why).fold(0, |bits, (_, bit)| bits | 1 << bit);
    }

    /// Puts a reason in, if it holds.
    fn add_if(&mut self, holds: bool, why: Why) {
        if holds {
            self.add(why);
        }
    }

    /// The reasons of both.
    pub fn and(self, other: Whys) -> Whys {
        Whys(self.0 | other.0)
    }

    /// Those that are no normalisation.
    pub fn of_meaning(self) -> Whys {
        self.filter(|why| !why.is_normalisation())
    }

    /// Those for which something holds.
    fn filter(self, holds: impl Fn(Why) -> bool) -> Whys {
        let mut whys = Whys::default();
        self.iter().filter(|why| holds(*why)).for_each(|why| whys.add(why));
        whys
    }

    /// Whether a reason is one of them.
    pub fn has(self, why: Why) -> bool {
        self.iter().any(|other| other == why)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Why> {
        Why::ALL.into_iter().zip(0u32..).filter(move |(_, bit)| self.0 >> bit & 1 == 1).map(|(why, _)| why)
    }
}

/// Why `spec` says `theirs` of a reference; none if RFC 1808 says the same. At least one if not.
pub fn why(spec: Spec, base: &Base<'_>, reference: &[u8], theirs: Result<&[u8], NoAnswer>) -> Whys {
    let mut whys = Whys::default();
    let mut texts = Texts { base: base.text.to_vec(), reference: reference.to_vec() };
    let mut own = texts.own();
    whys.add_if(own == Err(Unresolvable::UnsuitableBase) && theirs.is_ok(), Why::UnsuitableBase);
    match (&own, theirs) {
        (Ok(own), Ok(theirs)) if own.url == theirs => return whys,
        (Err(_), Err(_)) => return whys,
        (_, Err(_)) => {
            whys.add(Why::Error(spec));
            whys.add_if(has_odd_scheme(reference), Why::SchemeName);
            return whys;
        }
        _ => {}
    }
    let quirks: &[(Why, Quirk)] = match spec {
        Spec::Rfc3986 => &[(Why::NetLocQuestion, Texts::with_ended_net_loc)],
        Spec::Whatwg => &[
            (Why::WhiteSpace, Texts::without_white_space),
            (Why::SchemeName, Texts::without_odd_scheme),
            (Why::Backslash, Texts::without_backslashes),
            (Why::SameScheme, Texts::without_same_scheme),
            (Why::SchemeSlashes, Texts::with_two_slashes),
            (Why::EmptyNetLoc, Texts::without_empty_net_loc),
            (Why::NetLocQuestion, Texts::with_ended_net_loc),
            (Why::EncodedDots, Texts::without_encoded_dots),
        ],
    };
    let (record, first) = (texts.clone(), own.clone());
    let mut changing = Whys::default();
    for (why, quirk) in quirks {
        let next = quirk(&texts);
        let next_own = next.own();
        whys.add_if(next_own != own, *why);
        changing.add_if(next != texts, *why);
        (texts, own) = (next, next_own);
    }
    if let (Ok(own), Ok(theirs)) = (own, theirs)
        && own.url != theirs
    {
        Pair { spec, texts: &texts, own: &own, theirs }.differences(&mut whys);
    }
    let holds = |why| record.has(why, first.as_ref().ok());
    let mut whys = whys.filter(holds);
    if whys.is_empty() {
        whys = changing.filter(holds); // what is found is true only of what they have changed
    }
    whys.add_if(whys.is_empty(), Why::Other);
    whys
}

/// Something that another standard does to base and reference, so that RFC 1808 can be asked after
/// it is done.
type Quirk = fn(&Texts) -> Texts;

/// What RFC 1808 answers.
#[derive(Clone, PartialEq, Eq)]
struct Own {
    /// The URL.
    url: Vec<u8>,
    /// The step that decided what is inherited.
    step: Step,
    /// The path of the answer.
    path: Vec<u8>,
    /// What was put in before it: `/`, `/.` or nothing.
    put_in: &'static [u8],
}

/// A base and a reference.
#[derive(Clone, PartialEq, Eq)]
struct Texts {
    /// The base; empty if there is none.
    base: Vec<u8>,
    /// The reference.
    reference: Vec<u8>,
}

impl Texts {
    /// What RFC 1808 answers.
    fn own(&self) -> Result<Own, Unresolvable> {
        let base = Base::new(&self.base)?;
        let mut path = Vec::new();
        let resolved = resolve(&base, &self.reference, &mut path, |_| ())?;
        let mut url = Vec::new();
        resolved.write(|piece| url.extend_from_slice(piece));
        let put_in = resolved.parts.put_in();
        Ok(Own { url, step: resolved.step, path: resolved.parts.path.to_vec(), put_in })
    }

    /// Whether a reason is true of RFC 1808's resolution of these, `own`, if it speaks of that: it
    /// may have been found only after something that another standard does.
    fn has(&self, why: Why, own: Option<&Own>) -> bool {
        let (base, reference) = (parse(&self.base), parse(&self.reference));
        let step = own.map(|own| own.step);
        let absolute = matches!(step, Some(Step::Absolute | Step::Scheme));
        let whole = absolute || matches!(step, None | Some(Step::Empty));
        let own_dots = own.is_some_and(|own| has_dots(split(&own.url).path));
        match why {
            Why::LoneDelimiter => !whole && is_lone(&self.base) | is_lone(&self.reference),
            Why::SchemeName => has_odd_scheme(&self.reference),
            Why::NetLocQuestion => base.net_loc.is_some_and(|net_loc| net_loc.contains(&b'?')),
            Why::ParamsFirstSemicolon => {
                !whole && [&self.base, &self.reference].iter().any(|text| text.contains(&b';'))
            }
            Why::FragmentInherited => step == Some(Step::Empty),
            Why::SameScheme => absolute,
            Why::SchemeSlashes => {
                let next = self.with_two_slashes();
                next.base != self.base || next.reference != self.reference
            }
            Why::DotsInAbsolute => absolute && own_dots,
            Why::EmptyNetLoc => !whole && reference.net_loc == Some(b""),
            Why::DotsAfterNetLoc => step == Some(Step::NetLoc) && own_dots,
            Why::DotsAfterSlash => step == Some(Step::Rooted) && own_dots,
            Why::BaseDots => match step {
                Some(Step::Empty | Step::Params | Step::Query | Step::Inherited) => has_dots(split(&self.base).path),
                Some(Step::Merged) => split(&self.base).path.ends_with(b"."),
                _ => false,
            },
            Why::ParamsReplaced => step == Some(Step::Params),
            Why::SurplusDots => step == Some(Step::Merged) && own.is_some_and(|own| has_segment(&own.path, b"..")),
            Why::RootlessBase => step == Some(Step::Merged) && !base.path.starts_with(b"/"),
            Why::SlashPutIn => own.is_some_and(|own| own.put_in == b"/"),
            _ => true,
        }
    }

    /// Both, changed each by itself.
    fn map(&self, change: impl Fn(&[u8]) -> Vec<u8>) -> Self {
        Texts { base: change(&self.base), reference: change(&self.reference) }
    }

    /// Only the reference, changed.
    fn map_reference(&self, change: impl FnOnce(&[u8]) -> Vec<u8>) -> Self {
        Texts { base: self.base.clone(), reference: change(&self.reference) }
    }

    /// The scheme that a text will have, as §2.4.2 finds it.
    fn scheme<'t>(&'t self, text: &'t [u8]) -> &'t [u8] {
        parse(text).scheme.or(parse(&self.base).scheme).unwrap_or_default()
    }

    /// WHATWG: no control characters or spaces at the ends, no tabs and line ends anywhere.
    fn without_white_space(&self) -> Self {
        self.map(|text| {
            let mut text = text;
            while let [0..=b' ', rest @ ..] | [rest @ .., 0..=b' '] = text {
                text = rest;
            }
            text.iter().copied().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')).collect()
        })
    }

    /// WHATWG: with a special scheme a backslash before query and fragment is a slash.
    fn without_backslashes(&self) -> Self {
        self.map(|text| {
            let special = is_special(self.scheme(text));
            let (before, after) = text.split_at(path_end(text));
            let slash = |&byte: &u8| if special && byte == b'\\' { b'/' } else { byte };
            before.iter().map(slash).chain(after.iter().copied()).collect()
        })
    }

    /// WHATWG: what does not begin with a letter is no scheme, but the first segment.
    fn without_odd_scheme(&self) -> Self {
        self.map_reference(
            |reference| {
                if has_odd_scheme(reference) { [b"./", reference].concat() } else { reference.to_vec() }
            },
        )
    }

    /// WHATWG: without `//` behind it, the base's own special scheme is passed over.
    fn without_same_scheme(&self) -> Self {
        let base = parse(&self.base).scheme.unwrap_or_default();
        self.map_reference(|reference| {
            let url = parse(reference);
            let scheme = url.scheme.unwrap_or_default();
            let same = is_special(scheme) && scheme.eq_ignore_ascii_case(base) && url.net_loc.is_none();
            match reference.get(scheme.len().saturating_add(1)..).filter(|_| same) {
                Some(rest) if parse(rest).scheme.is_some() => [b"./", rest].concat(),
                Some(rest) => rest.to_vec(),
                None => reference.to_vec(),
            }
        })
    }

    /// WHATWG: after a special scheme there are always two slashes; three, if it is `file` and no
    /// host follows two.
    fn with_two_slashes(&self) -> Self {
        self.map(|text| {
            let scheme = parse(text).scheme.unwrap_or_default();
            let Some(rest) = text.get(scheme.len().saturating_add(1)..).filter(|_| is_special(scheme)) else {
                return text.to_vec();
            };
            let path = rest.iter().position(|&byte| byte != b'/').map_or(rest, |slashes| rest.split_at(slashes).1);
            let slashes = rest.len().saturating_sub(path.len());
            let (between, rest) = match (scheme.eq_ignore_ascii_case(b"file"), slashes) {
                (true, 0 | 1) => (&b":///"[..], path),
                (true, _) => (&b":"[..], rest),
                (false, _) => (&b"://"[..], path),
            };
            [scheme, between, rest].concat()
        })
    }

    /// WHATWG: with a special base, but not with `file`, a host follows all slashes, if there are
    /// two or more.
    fn without_empty_net_loc(&self) -> Self {
        let base = parse(&self.base).scheme.unwrap_or_default();
        let special = is_special(base) && !base.eq_ignore_ascii_case(b"file");
        self.map_reference(|reference| match reference.strip_prefix(b"//") {
            Some(mut rest) if special => {
                while let [b'/', after @ ..] = rest {
                    rest = after;
                }
                [b"//", rest].concat()
            }
            _ => reference.to_vec(),
        })
    }

    /// RFC 3986 and WHATWG: the base's net_loc ends at a `?` too, and an empty path follows.
    fn with_ended_net_loc(&self) -> Self {
        let parts = parse(&self.base);
        let net_loc = parts.net_loc.unwrap_or_default();
        let before = parts.scheme.unwrap_or_default().len().saturating_add(3);
        let question = net_loc.iter().position(|&byte| byte == b'?');
        let base = match question.and_then(|at| self.base.split_at_checked(before.saturating_add(at))) {
            Some((before, after)) => [before, b"/", after].concat(),
            None => self.base.clone(),
        };
        Texts { base, reference: self.reference.clone() }
    }

    /// WHATWG: segments like `%2e.` are dot segments.
    fn without_encoded_dots(&self) -> Self {
        self.map(|text| {
            let Split { path, .. } = split(text);
            let (before, after) = text.split_at(path_end(text));
            let (before, path) = before.split_at(before.len().saturating_sub(path.len()));
            let mut clean = before.to_vec();
            for segment in path.split_inclusive(|&byte| byte == b'/') {
                let (name, slash) = match segment {
                    [name @ .., slash @ b'/'] => (name, std::slice::from_ref(slash)),
                    _ => (segment, &b""[..]),
                };
                let mut dots = name.to_ascii_lowercase();
                while let Some(at) = dots.windows(3).position(|bytes| bytes == b"%2e").filter(|_| name.len() < 7) {
                    dots.splice(at..at.saturating_add(3), *b".");
                }
                clean.extend_from_slice(if matches!(&*dots, b"." | b"..") { &dots } else { name });
                clean.extend_from_slice(slash);
            }
            [&clean, after].concat()
        })
    }
}

/// Where query or fragment begin, or the end.
fn path_end(text: &[u8]) -> usize {
    text.iter().take_while(|byte| !matches!(byte, b'?' | b'#')).count()
}

/// Whether the URL Standard calls a scheme special.
fn is_special(scheme: &[u8]) -> bool {
    std::str::from_utf8(scheme).is_ok_and(|scheme| whatwg::is_special(&scheme.to_ascii_lowercase()))
}

/// Whether a URL has a `#`, `?` or `;` that nothing follows.
fn is_lone(text: &[u8]) -> bool {
    let (fragment, query, params) = lone_delimiters(text, parse(text));
    fragment || query || params
}

/// Whether what §2.4.2 takes for the scheme does not begin with a letter.
fn has_odd_scheme(text: &[u8]) -> bool {
    matches!(parse(text).scheme, Some([first, ..]) if !first.is_ascii_alphabetic())
}

/// A URL as RFC 3986 and the URL Standard divide it.
#[derive(Default)]
struct Split<'a> {
    /// As §2.4.2 finds it; empty if there is none.
    scheme: &'a [u8],
    /// From `//` to the next `/`, `?` or `#`.
    authority: Option<&'a [u8]>,
    /// What is left, params included.
    path: &'a [u8],
    /// From `?` to `#`.
    query: Option<&'a [u8]>,
    /// From `#`.
    fragment: Option<&'a [u8]>,
}

/// What stands before the first `delimiter`, and what after it, if it is there.
fn cut(text: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    let mut halves = text.splitn(2, |&byte| byte == delimiter);
    (halves.next().unwrap_or_default(), halves.next())
}

/// Divides a URL as RFC 3986 and the URL Standard do.
fn split(url: &[u8]) -> Split<'_> {
    let (rest, fragment) = cut(url, b'#');
    let (rest, query) = cut(rest, b'?');
    let (scheme, rest) = match parse(rest).scheme {
        Some(scheme) => (scheme, rest.get(scheme.len().saturating_add(1)..).unwrap_or_default()),
        None => (&b""[..], rest),
    };
    let (authority, path) = match rest.strip_prefix(b"//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.iter().take_while(|&&byte| byte != b'/').count());
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Split { scheme, authority, path, query, fragment }
}

/// Two answers that differ.
struct Pair<'a> {
    /// Whose the other one is.
    spec: Spec,
    /// What was resolved.
    texts: &'a Texts,
    /// RFC 1808's answer.
    own: &'a Own,
    /// The other one.
    theirs: &'a [u8],
}

impl Pair<'_> {
    /// Adds why they differ, component by component.
    fn differences(&self, whys: &mut Whys) {
        let (mut own, mut theirs) = (split(&self.own.url), split(self.theirs));
        if self.own.put_in == b"/." && !matches!(self.own.step, Step::Absolute | Step::Scheme) {
            // no dots of RFC 1808's: only what keeps a path from being taken for a net_loc
            own.path = own.path.strip_prefix(b"/.").unwrap_or(own.path);
            theirs.path = theirs.path.strip_prefix(b"/.").filter(|path| path.starts_with(b"//")).unwrap_or(theirs.path);
        }
        if own.scheme != theirs.scheme {
            whys.add_if(own.scheme.eq_ignore_ascii_case(theirs.scheme), Why::Case);
        }
        let reference = parse(&self.texts.reference);
        let empty_net_loc = reference.net_loc == Some(b"") && !matches!(self.own.step, Step::Absolute | Step::Scheme);
        if empty_net_loc && reference.path.is_empty() {
            // whatever follows is inherited on one side only
            whys.add_if(is_lone(&self.texts.reference), Why::LoneDelimiter);
            return whys.add(Why::EmptyNetLoc);
        }
        if own.authority != theirs.authority {
            if empty_net_loc {
                whys.add(Why::EmptyNetLoc);
            } else if self.spec == Spec::Whatwg {
                self.authority(&own, &theirs, whys);
            }
        }
        if own.path != theirs.path {
            self.path(&own, &theirs, reference, whys);
        }
        if own.query != theirs.query {
            let encoded = self.spelling(own.query, theirs.query, whys);
            whys.add_if(!encoded && is_lone(&self.texts.reference) | is_lone(&self.texts.base), Why::LoneDelimiter);
        }
        if own.fragment != theirs.fragment && !self.spelling(own.fragment, theirs.fragment, whys) {
            let inherited = self.own.step == Step::Empty;
            whys.add(if inherited { Why::FragmentInherited } else { Why::LoneDelimiter });
        }
    }

    /// Whether the two are one thing, and WHATWG only percent-encodes it; then that is added.
    fn spelling(&self, own: Option<&[u8]>, theirs: Option<&[u8]>, whys: &mut Whys) -> bool {
        let encoded = match (own, theirs) {
            (Some(own), Some(theirs)) => self.spec == Spec::Whatwg && encodes(own, theirs),
            _ => false,
        };
        whys.add_if(encoded, Why::PercentEncoding);
        encoded
    }

    /// Adds how WHATWG spells another authority.
    fn authority(&self, own: &Split<'_>, theirs: &Split<'_>, whys: &mut Whys) {
        let (own_user, own_host, own_port) = divide(own.authority.unwrap_or_default());
        let (user, host, port) = divide(theirs.authority.unwrap_or_default());
        if own_user != user {
            let encoded = self.spelling(own_user, user, whys);
            whys.add_if(!encoded, Why::HostSpelling);
        }
        let is_file = theirs.scheme == b"file";
        if own_host.eq_ignore_ascii_case(host) {
            whys.add_if(own_host != host, Why::Case);
        } else {
            let number = host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
            whys.add(match number {
                _ if is_file => Why::File,
                true => Why::HostNumber,
                false => Why::HostSpelling,
            });
        }
        whys.add_if(own_port != port, Why::DefaultPort);
    }

    /// Adds why the paths differ.
    fn path(&self, own: &Split<'_>, theirs: &Split<'_>, reference: Parts<'_>, whys: &mut Whys) {
        let whatwg = self.spec == Spec::Whatwg;
        if whatwg && own.path.is_empty() && theirs.path == b"/" && self.own.step != Step::Merged {
            return whys.add(Why::SlashAfterHost);
        }
        if theirs.path.is_empty() && own.path == b"/" {
            // if it was not put in by RFC 1808, it was by `Texts::with_ended_net_loc`
            return whys.add_if(self.own.put_in == b"/", Why::SlashPutIn);
        }
        if self.spelling(Some(own.path), Some(theirs.path), whys) {
            return;
        }
        let (all, mut found) = (whys, Whys::default());
        let whys = &mut found;
        let base = parse(&self.texts.base);
        let base_path = split(&self.texts.base).path;
        let reference_path = split(&self.texts.reference).path;
        match self.own.step {
            Step::Absolute | Step::Scheme => whys.add_if(has_dots(own.path), Why::DotsInAbsolute),
            Step::NetLoc => whys.add_if(has_dots(own.path), Why::DotsAfterNetLoc),
            Step::Rooted => whys.add_if(has_dots(own.path), Why::DotsAfterSlash),
            Step::Empty | Step::Query | Step::Inherited => whys.add_if(has_dots(base_path), Why::BaseDots),
            Step::Params => {
                // RFC 3986 merges the reference with the base's path, as it sees that
                whys.add_if(directory(base_path) != base.path, Why::ParamsReplaced);
                whys.add_if(has_dots(base_path), Why::BaseDots);
                whys.add_if(has_dots(reference_path), Why::ParamsFirstSemicolon);
            }
            Step::Merged => {
                let last = reference.path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                let with_params = reference_path.len() > reference.path.len();
                let differs = base.params.contains(&b'/')
                    || has_dots(reference.params)
                    || with_params && matches!(last, b"." | b"..");
                whys.add_if(differs, Why::ParamsFirstSemicolon);
                whys.add_if(has_segment(&self.own.path, b".."), Why::SurplusDots);
                whys.add_if(!base.path.starts_with(b"/"), Why::RootlessBase);
                let last = base_path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                whys.add_if(whatwg && matches!(last, b"." | b".."), Why::BaseDots);
            }
        }
        // params that are not there are a ";" of the path elsewhere
        let (_, _, own_params) = lone_delimiters(&self.texts.reference, reference);
        let (_, _, base_params) = lone_delimiters(&self.texts.base, base);
        let dropped = own_params || base_params && matches!(self.own.step, Step::Query | Step::Inherited);
        whys.add_if(dropped && !matches!(self.own.step, Step::Absolute | Step::Scheme), Why::LoneDelimiter);
        let is_drive = |segment: &[u8]| matches!(segment, [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
        let drive = theirs.path.split(|&byte| byte == b'/').any(is_drive);
        whys.add_if(whatwg && theirs.scheme == b"file" && (drive || whys.is_empty()), Why::File);
        let encodes =
            |byte: &u8| !matches!(byte, 0x21..=0x7E) || matches!(byte, b'"' | b'<' | b'>' | b'`' | b'{' | b'}');
        whys.add_if(whatwg && own.path.iter().any(encodes) && theirs.path.contains(&b'%'), Why::PercentEncoding);
        whys.add_if(whys.is_empty(), Why::Other);
        *all = all.and(found);
    }
}

/// User, host and port of an authority; each without its delimiter.
fn divide(authority: &[u8]) -> (Option<&[u8]>, &[u8], Option<&[u8]>) {
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

/// Whether `theirs` is `own` with some bytes percent-encoded.
fn encodes(own: &[u8], theirs: &[u8]) -> bool {
    let mut rest = theirs;
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

/// Whether a path has dot segments.
fn has_dots(path: &[u8]) -> bool {
    has_segment(path, b".") || has_segment(path, b"..")
}

/// Whether `segment` is one of a path's segments.
fn has_segment(path: &[u8], segment: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').any(|one| one == segment)
}
