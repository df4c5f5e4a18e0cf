//! Edits of base and reference, one for each cause of a difference.
//!
//! An edit removes its cause: it writes the texts so that both standards read them alike. One of
//! the two reads them as before, and what the other one makes of them changes. Only an edit of
//! something that is an error in one standard may change both answers.

use std::ops::Range;

use super::case::{Case, Fillers, Texts};
use super::reason::Reason;
use crate::resolver::grammar::escape;
use crate::resolver::merge::{directory, has_dot_segments, has_segment, parent};
use crate::resolver::parts::parse_scheme;
use crate::resolver::{Step, Unresolvable, parse};
use crate::spec::Spec::{self, Rfc3986, Whatwg};
use crate::spec::rfc3986::{self, remove_dots};
use crate::spec::{dot_segment, is_special};
use crate::strip::without_breaks;

/// Writes the texts of a case another way; `None` or the same texts if there is nothing to do.
pub type CaseEdit = fn(&Case) -> Option<Texts>;

/// All edits, each with the standard that it concerns if that is only one. An edit may need
/// one that is before it. Examples are written `<base> <reference> -> <base> <reference>`, with the
/// fillers `*` and `$`.
pub const EDITS: &[(Option<Spec>, Reason, CaseEdit)] = &[
    (None, Reason::SchemeName, with_scheme_of_letters),
    (Some(Rfc3986), Reason::RawNonAscii, |case| with_escapes(case, |byte, _, _| !byte.is_ascii())),
    (Some(Rfc3986), Reason::RawSpace, |case| with_escapes(case, |byte, _, _| byte == b' ')),
    (Some(Rfc3986), Reason::RawCharacter, |case| with_escapes(case, is_forbidden)),
    (Some(Rfc3986), Reason::BadPercent, |case| {
        with_escapes(case, |byte, after, _| byte == b'%' && !rfc3986::is_hex(after))
    }),
    (Some(Rfc3986), Reason::BadAuthority, with_plain_authorities),
    (Some(Whatwg), Reason::WhiteSpace, |case| case.texts.map(without_white_space)),
    (Some(Rfc3986), Reason::ColonSegment, without_colon),
    (Some(Whatwg), Reason::Backslash, without_backslashes),
    (Some(Whatwg), Reason::SameScheme, without_same_scheme),
    (Some(Whatwg), Reason::SchemeSlashes, |case| case.texts.map(with_two_slashes)),
    (None, Reason::UnsuitableBase, with_suitable_base),
    (None, Reason::FragmentInherited, without_inherited_fragment),
    (None, Reason::NetLocQuestion, without_question),
    (None, Reason::ParamsReplaced, with_dot_before_params),
    (None, Reason::DotsKept, without_kept_dots),
    (Some(Whatwg), Reason::EncodedDots, |case| case.texts.map(without_encoded_dots)),
    (None, Reason::LoneDelimiter, without_lone_delimiters),
    (None, Reason::EmptyNetLoc, without_empty_net_loc),
    (None, Reason::ParamsFirstSemicolon, without_params),
    (Some(Rfc3986), Reason::RootlessBase, with_rooted_base),
    (None, Reason::SurplusDots, without_surplus_dots),
    (None, Reason::SlashPutIn, with_slash_after_net_loc),
];

impl Texts {
    /// Both, each rewritten by itself if there is something to do.
    fn map(&self, edit: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Self> {
        let texts = [&self.base, &self.reference];
        match texts.map(|text| edit(text)) {
            [None, None] => None,
            [base, reference] => Some(Texts {
                base: base.unwrap_or_else(|| self.base.clone()),
                reference: reference.unwrap_or_else(|| self.reference.clone()),
            }),
        }
    }

    /// The scheme that a text will have, as §2.4.2 finds it.
    fn scheme<'t>(&'t self, text: &'t [u8]) -> &'t [u8] {
        scheme_of(text).or(scheme_of(&self.base)).unwrap_or_default()
    }
}

/// The scheme that a text has by §2.4.2, without the rest of its components.
fn scheme_of(text: &[u8]) -> Option<&[u8]> {
    parse_scheme(text).1
}

/// A text up to its path, the path, and all after it, as RFC 3986 and the URL Standard divide it, but
/// with a scheme of §2.4.2.
pub fn around_path(text: &[u8]) -> [&[u8]; 3] {
    let scheme = scheme_of(text).map_or(0, |scheme| scheme.len() + 1);
    let length = |text: &[u8], ends: &[u8]| text.iter().take_while(|byte| !ends.contains(byte)).count();
    let authority = if text[scheme..].starts_with(b"//") { 2 + length(&text[scheme + 2..], b"/?#") } else { 0 };
    let start = scheme + authority;
    let end = start + length(&text[start..], b"?#");
    [&text[..start], &text[start..end], &text[end..]]
}

/// A text with another byte instead of each one like it, in a range.
fn with_replaced(text: &[u8], range: Range<usize>, from: u8, to: u8) -> Vec<u8> {
    let mut text = text.to_vec();
    text[range].iter_mut().filter(|byte| **byte == from).for_each(|byte| *byte = to);
    text
}

/// A text with the bytes percent-encoded that are at chosen offsets.
fn encode(text: &[u8], chosen: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(text.len());
    for (at, &byte) in text.iter().enumerate() {
        if chosen(at) {
            encoded.extend(escape(byte));
        } else {
            encoded.push(byte);
        }
    }
    encoded
}

/// Percent-encodes some bytes of what RFC 3986 looks at, the base without its fragment. `chosen` is
/// asked with the byte, what follows it, and whether it comes after the authority.
///
/// - raw-non-ascii: `<http://a/> <é> -> <http://a/> <%C3%A9>`
/// - raw-space: `<http://a/> <b c> -> <http://a/> <b%20c>`
/// - raw-character: `<http://a/> <b^c> -> <http://a/> <b%5Ec>`
/// - bad-percent: `<http://a/> <b%c> -> <http://a/> <b%25c>`
fn with_escapes(case: &Case, chosen: fn(u8, &[u8], bool) -> bool) -> Option<Texts> {
    if case.other.is_ok() {
        return None;
    }
    let encode_text = |text: &[u8], with_fragment: bool| {
        let authority = around_path(text)[0].len();
        let hash = text.iter().position(|&byte| byte == b'#').unwrap_or(text.len());
        let is_read = |at| at < hash || with_fragment && at > hash;
        encode(text, |at| is_read(at) && chosen(text[at], &text[at + 1..], at >= authority))
    };
    Some(Texts { base: encode_text(&case.texts.base, false), reference: encode_text(&case.texts.reference, true) })
}

/// Whether RFC 3986 has no place for a byte, spaces apart. The `#` is one after the first.
fn is_forbidden(byte: u8, _: &[u8], after_authority: bool) -> bool {
    match byte {
        b'[' | b']' => after_authority,
        b'"' | b'#' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => true,
        _ => byte.is_ascii_control(),
    }
}

/// Authorities that RFC 3986 does not allow, each as one `reg-name`.
///
/// bad-authority: `<http://a/> <//b:c> -> <http://a/> <//b%3Ac>`
fn with_plain_authorities(case: &Case) -> Option<Texts> {
    if case.other.is_ok() {
        return None;
    }
    case.texts.map(|text| {
        let [before, ..] = around_path(text);
        let authority = before[scheme_of(text).map_or(0, |scheme| scheme.len() + 1)..].strip_prefix(b"//")?;
        let alone = [b"//", authority].concat();
        if rfc3986::parse(&alone, false).is_ok() {
            return None;
        }
        let range = before.len() - authority.len()..before.len();
        Some(encode(text, |at| range.contains(&at) && b":@[]".contains(&text[at])))
    })
}

/// WHATWG: white space and control characters at the ends are removed, tabs and line ends anywhere.
///
/// white-space: `<http://a/> < b> -> <http://a/> <b>`
fn without_white_space(text: &[u8]) -> Option<Vec<u8>> {
    if text.iter().all(|byte| *byte > b' ') {
        return None;
    }
    let decoded = String::from_utf8_lossy(text); // first, or two bytes become one character
    let mut text = decoded.as_bytes();
    while let [0..=b' ', rest @ ..] | [rest @ .., 0..=b' '] = text {
        text = rest;
    }
    let kept = without_breaks(text);
    (*kept != *decoded.as_bytes()).then(|| kept.into_owned())
}

/// RFC 3986 and WHATWG: a scheme begins with a letter. What does not is the first segment.
///
/// scheme-name: `<http://a/b> <1:c> -> <http://a/b> <./1:c>`
pub fn with_scheme_of_letters(case: &Case) -> Option<Texts> {
    let is_odd = |text: &[u8]| matches!(scheme_of(text), Some([first, ..]) if !first.is_ascii_alphabetic());
    let [is_base_odd, is_reference_odd] = [&case.texts.base, &case.texts.reference].map(|text| is_odd(text));
    if !is_base_odd && !is_reference_odd {
        return None;
    }
    let mut texts = case.texts.clone();
    if is_reference_odd {
        texts.reference.splice(..0, *b"./");
    }
    if is_base_odd {
        texts.base[0] = b'x';
    }
    Some(texts)
}

/// RFC 3986: the first segment of a relative path has no colon.
///
/// colon-segment: `<http://a/> <b_:c> -> <http://a/> <b_%3Ac>`
fn without_colon(case: &Case) -> Option<Texts> {
    let reference = &case.texts.reference;
    let [b"", path, _] = around_path(reference) else { return None };
    if case.other.is_ok() {
        return None;
    }
    let first = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
    Some(case.with_reference(encode(reference, |at| at < first && reference[at] == b':')))
}

/// WHATWG: with a special scheme a backslash before query and fragment is a slash.
///
/// backslash: `<http://a/> <b\c> -> <http://a/> <b/c>`
fn without_backslashes(case: &Case) -> Option<Texts> {
    case.texts.map(|text| {
        if !text.contains(&b'\\') || !is_special(case.texts.scheme(text)) {
            return None;
        }
        let [before, path, _] = around_path(text).map(<[u8]>::len);
        Some(with_replaced(text, 0..before + path, b'\\', b'/'))
    })
}

/// WHATWG: the base's own special scheme is skipped if `//` does not follow it.
///
/// same-scheme: `<http://a/> <http:b> -> <http://a/> <b>`
fn without_same_scheme(case: &Case) -> Option<Texts> {
    let scheme = scheme_of(&case.texts.reference).filter(|scheme| is_special(scheme))?;
    let rest = &case.texts.reference[scheme.len() + 1..];
    if !scheme.eq_ignore_ascii_case(scheme_of(&case.texts.base)?) || rest.starts_with(b"//") {
        return None;
    }
    // what would be taken for another scheme, or removed, is a segment here
    let needs_dot = scheme_of(rest).is_some() || matches!(rest, [0..=b' ', ..]);
    Some(case.with_reference([if needs_dot { b"./" } else { &b""[..] }, rest].concat()))
}

/// WHATWG: after a special scheme there are always two slashes; three if it is `file` and fewer than
/// two follow it.
///
/// scheme-slashes: `<http://a/> <https:b/> -> <http://a/> <https://b/>`
fn with_two_slashes(text: &[u8]) -> Option<Vec<u8>> {
    let scheme = scheme_of(text).filter(|scheme| is_special(scheme))?;
    let rest = &text[scheme.len() + 1..];
    let slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
    match (scheme.eq_ignore_ascii_case(b"file"), slashes) {
        (false, 2) | (true, 2..) => None,
        (false, _) => Some([scheme, b"://", &rest[slashes..]].concat()),
        (true, _) => Some([scheme, b":///", &rest[slashes..]].concat()),
    }
}

/// RFC 3986 and WHATWG: relative references may be used with any scheme.
///
/// unsuitable-base: `<mailto:/a> <b> -> <xmailto:/a> <b>`
fn with_suitable_base(case: &Case) -> Option<Texts> {
    let unsuitable = case.rfc1808 == Err(Unresolvable::UnsuitableBase);
    unsuitable.then(|| case.with_base([b"x", &*case.texts.base].concat()))
}

/// The start of a text. A byte at its end that WHATWG would remove there is percent-encoded.
fn encoded_start(text: &[u8], end: usize) -> Vec<u8> {
    encode(&text[..end], |at| at + 1 == end && text[at] <= b' ')
}

/// A text without its fragment.
fn without_fragment(text: &[u8]) -> Vec<u8> {
    encoded_start(text, text.iter().position(|&byte| byte == b'#').unwrap_or(text.len()))
}

/// RFC 3986 and WHATWG: the base's fragment is never inherited.
///
/// fragment-inherited: `<http://a/#b> <> -> <http://a/> <>`
fn without_inherited_fragment(case: &Case) -> Option<Texts> {
    (case.step == Some(Step::Empty)).then(|| case.with_base(without_fragment(&case.texts.base)))
}

/// RFC 3986 and WHATWG: the base's net_loc ends at a `?` too, and the path is empty.
///
/// net-loc-question: `<http://a?b/c> <d> -> <http://a> <d>`
fn without_question(case: &Case) -> Option<Texts> {
    let question = parse(&case.texts.base).net_loc?.contains(&b'?');
    let [before, ..] = around_path(&case.texts.base);
    question.then(|| case.with_base(encoded_start(before, before.len())))
}

/// RFC 1808: a lone delimiter means nothing. A filler replaces a lone `;`; after a lone `?` or `#`, a
/// filler is added. Without the delimiter another cause could show, as in `.%2e;`.
///
/// lone-delimiter: `<http://a/> <b?> -> <http://a/> <b?$>`
fn without_lone_delimiters(case: &Case) -> Option<Texts> {
    let Fillers { for_semicolon, after_delimiter } = case.fillers;
    let without = |text: &[u8]| {
        let [_, _, path, params, query, fragment] = parse(text).ends(text);
        let mut rewritten = Vec::with_capacity(text.len() + 2);
        rewritten.extend_from_slice(&text[..path]);
        for (start, end, lone) in [
            (path, params, &[for_semicolon][..]),
            (params, query, &[b'?', after_delimiter]),
            (query, fragment, &[b'#', after_delimiter]),
        ] {
            rewritten.extend_from_slice(if end - start == 1 { lone } else { &text[start..end] });
        }
        rewritten
    };
    let step = case.step?;
    if matches!(step, Step::Absolute | Step::Scheme | Step::Empty) {
        return None;
    }
    let Texts { base, reference } = &case.texts;
    let base = if matches!(step, Step::Query | Step::Inherited) { without(base) } else { base.clone() };
    Some(Texts { base, reference: without(reference) })
}

/// RFC 3986 and WHATWG: params are the last segment.
///
/// params-replaced: `<http://a/b> <;c> -> <http://a/b> <./;c>`
fn with_dot_before_params(case: &Case) -> Option<Texts> {
    (case.step == Some(Step::Params)).then(|| case.with_reference([b"./", &*case.texts.reference].concat()))
}

/// A text without the dot segments of its path. `root` goes before a path that would become a net_loc.
/// If its params are only copied, with fillers, what is left of them must not become a lone delimiter.
fn cleaned(text: &[u8], root: &[u8], copied: Option<Fillers>) -> Vec<u8> {
    let [before, path, after] = around_path(text);
    if !has_dot_segments(path) {
        return text.to_vec();
    }
    let mut clean = Vec::new();
    remove_dots(path, &mut clean, 0, |_| ());
    if let Some(fillers) = copied.filter(|_| !parse(text).params.is_empty()) {
        clean = with_replaced(&clean, 0..clean.len(), b';', fillers.for_semicolon);
    }
    let between = if clean.starts_with(b"//") && !before.contains(&b'/') { root } else { b"" };
    [before, between, &clean, after].concat()
}

/// WHATWG: segments like `%2e.` are dot segments.
///
/// encoded-dots: `<http://a/b/> <%2e%2E/c> -> <http://a/b/> <../c>`
fn without_encoded_dots(text: &[u8]) -> Option<Vec<u8>> {
    if !text.contains(&b'%') {
        return None;
    }
    let [before, path, after] = around_path(text);
    let decode = |segment| dot_segment(segment).unwrap_or(segment);
    let segments: Vec<_> = path.split(|&byte| byte == b'/').map(decode).collect();
    Some([before, &segments.join(&b'/'), after].concat())
}

/// RFC 3986 and WHATWG: a `;` means nothing. A filler never does.
///
/// params-first-semicolon: `<http://a/> <b;/../c> -> <http://a/> <b*/../c>`
fn without_params(case: &Case) -> Option<Texts> {
    let Texts { base, reference } = &case.texts;
    if !base.contains(&b';') && !reference.contains(&b';') {
        return None;
    }
    let without = |text: &[u8], skipped: usize| {
        let [before, path, _] = around_path(text).map(<[u8]>::len);
        let path = if parse(text).params.is_empty() { 0..0 } else { before + skipped..before + path };
        with_replaced(text, path, b';', case.fillers.for_semicolon)
    };
    // params that replace the base's and another last segment are a reason of their own
    let base_path = parse(base).path_to_merge();
    let skipped = usize::from(reference.starts_with(b";") && directory(base_path) != base_path);
    let is_read = match case.step {
        Some(Step::NetLoc | Step::Rooted) => false,
        Some(Step::Merged) => parse(base).params.contains(&b'/'), // otherwise part of the last segment, which goes
        _ => true,
    };
    let base = if is_read { without(base, 0) } else { base.clone() };
    Some(Texts { base, reference: without(reference, skipped) })
}

/// RFC 3986 and WHATWG: the dots of a path that is not merged are removed, WHATWG: those of the base, too.
///
/// dots-kept: `<http://a/> </b/../c> -> <http://a/> </c>`
fn without_kept_dots(case: &Case) -> Option<Texts> {
    let Texts { base, reference } = &case.texts;
    let step = case.step?;
    if matches!(step, Step::Absolute | Step::Scheme | Step::NetLoc | Step::Rooted) {
        let is_absolute = scheme_of(reference).is_some() || parse(base).net_loc.is_none();
        let root = if is_absolute { b"/." } else { around_path(base)[0] };
        return Some(case.with_reference(cleaned(reference, root, Some(case.fillers))));
    }
    // a path that is merged is inherited up to its last segment
    let path = around_path(base)[1];
    let seen = if step == Step::Merged { &path[directory(path).len()..] } else { path };
    let has_dots = path.starts_with(b"/") && has_dot_segments(seen);
    has_dots.then(|| case.with_base(cleaned(base, b"/.", (step != Step::Merged).then_some(case.fillers))))
}

/// RFC 3986: a `..` that removes the first segment leaves a slash.
///
/// rootless-base: `<x:a/b> <../c> -> <x:/a/b> <../c>`
fn with_rooted_base(case: &Case) -> Option<Texts> {
    let [before, path, after] = around_path(&case.texts.base);
    let base = parse(&case.texts.base);
    let rootless = base.scheme.is_some() && base.net_loc.is_none() && !path.starts_with(b"/");
    rootless.then(|| case.with_base([before, b"/", path, after].concat()))
}

/// RFC 3986 and WHATWG: a `..` that finds no segment to remove is a `.`.
///
/// surplus-dots: `<http://a/b> <../c> -> <http://a/b> <./c>`
fn without_surplus_dots(case: &Case) -> Option<Texts> {
    let Texts { base, reference } = &case.texts;
    if case.step != Some(Step::Merged) {
        return None;
    }
    let (base_parts, reference_parts) = (parse(base), parse(reference));
    if ![base_parts.path, reference_parts.path].iter().any(|path| has_segment(path, b"..")) {
        return None;
    }
    // step 6 once more, not `merge`, because a surplus `..` is read as the `.` that it becomes: with `x:a`, `..//../b`
    // becomes `.//./b`
    let mut path = Vec::with_capacity(base.len() + reference.len());
    path.extend_from_slice(&base_parts.path_to_merge()[base_parts.path.len()..]);
    let mut without = |text: &[u8], [start, end]: [usize; 2]| {
        let mut rewritten = Vec::with_capacity(text.len());
        rewritten.extend_from_slice(&text[..start]);
        for segment in text[start..end].split_inclusive(|&byte| byte == b'/') {
            match (segment, parent(&path)) {
                (b"../" | b"..", Some(above)) => path.truncate(above),
                (b"../" | b"..", None) => {
                    rewritten.extend_from_slice(&segment[1..]);
                    continue;
                }
                (b"./" | b".", _) => {}
                _ => path.extend_from_slice(segment),
            }
            rewritten.extend_from_slice(segment);
        }
        rewritten.extend_from_slice(&text[end..]);
        rewritten
    };
    let start = base_parts.ends(base)[1];
    let base = without(base, [start, start + directory(base_parts.path).len()]);
    let reference = without(reference, [reference_parts.ends(reference)[1], reference_parts.ends(reference)[2]]);
    Some(Texts { base, reference })
}

/// RFC 1808: a slash is between a net_loc and a query.
///
/// slash-put-in: `<x://a> <?b> -> <x://a/> <?b>`
fn with_slash_after_net_loc(case: &Case) -> Option<Texts> {
    if case.step != Some(Step::Query) {
        return None;
    }
    let [before, path, after] = around_path(&case.texts.base);
    let needed = path.is_empty() && parse(&case.texts.base).net_loc.is_some();
    needed.then(|| case.with_base([before, b"/", after].concat()))
}

/// RFC 3986 and WHATWG: an empty net_loc is one. WHATWG: before the host of a special scheme all
/// slashes are `//`.
///
/// empty-net-loc: `<x://a/> <///b> -> <x://a/> <x:///b>`
fn without_empty_net_loc(case: &Case) -> Option<Texts> {
    let Texts { base, reference } = &case.texts;
    let scheme = scheme_of(base)?;
    let parts = parse(reference);
    if parts.scheme.is_some() || parts.net_loc != Some(b"") {
        return None;
    }
    let slashes = reference.iter().take_while(|&&byte| byte == b'/').count();
    let has_host = case.spec == Whatwg && is_special(scheme) && !scheme.eq_ignore_ascii_case(b"file");
    Some(case.with_reference(if has_host {
        [b"//", &reference[slashes..]].concat()
    } else {
        [scheme, b":", reference].concat()
    }))
}

#[cfg(test)]
mod tests;
