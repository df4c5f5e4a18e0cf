//! RFC 3986: its grammar, and the strict algorithm of §5.2. Here `§` means RFC 3986.

use std::ops::Range;

use memchr::{memchr, memchr2, memrchr};

use super::{Flaw, NoAnswer, Production};
use crate::resolver::Unresolvable;
use crate::resolver::parts::{self, cut};

/// The five components of a URI (§3), each without its delimiter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uri<'a> {
    /// Before the first `:`, if it begins with a letter.
    pub scheme: Option<&'a [u8]>,
    /// After `//`, up to the next `/`, `?` or `#`.
    pub authority: Option<&'a [u8]>,
    /// All that is left.
    pub path: &'a [u8],
    pub query: Option<&'a [u8]>,
    pub fragment: Option<&'a [u8]>,
}

impl<'a> Uri<'a> {
    /// The path without its last segment, to which the path of a reference is appended (§5.2.3).
    pub fn directory(self) -> &'a [u8] {
        match memrchr(b'/', self.path) {
            Some(slash) => &self.path[..=slash],
            None if self.authority.is_some() => b"/",
            None => b"",
        }
    }
}

/// Divides any text as appendix B does, except that a scheme has the form of §3.1.
pub fn divide(text: &[u8]) -> Uri<'_> {
    let (rest, fragment) = cut(text, b'#');
    let (rest, query) = cut(rest, b'?');
    let (rest, scheme) = match parts::parse_scheme(rest) {
        (rest, Some(name)) if name[0].is_ascii_alphabetic() => (rest, Some(name)),
        _ => (rest, None),
    };
    let (path, authority) = parts::parse_net_loc(rest);
    Uri { scheme, authority, path, query, fragment }
}

/// Divides a `URI-reference` (§4.1), or a base, which must have a scheme.
///
/// # Errors
/// It is not one: its first flaw.
pub fn parse(text: &[u8], is_base: bool) -> Result<Uri<'_>, Flaw> {
    let uri = divide(text);
    let missing = missing_scheme(text, &uri, is_base);
    // most have no byte that only some pieces allow
    let rest = &text[uri.scheme.map_or(0, |scheme| scheme.len() + 1)..];
    if missing.is_none() && rest.iter().all(|byte| CLASSES[usize::from(*byte)] & (PLAIN | DIGIT | SLASH) != 0) {
        return Ok(uri);
    }
    let first = || pieces(text, &uri).into_iter().find_map(|piece| flaws_in(text, piece).next());
    missing.or_else(first).map_or(Ok(uri), Err)
}

/// All flaws of a `URI-reference` (§4.1), or of a base, which must have a scheme, in the order of the text: without
/// one, it is legal. Linear time, no allocation. A host in brackets that is no address is one flaw, and so is what
/// follows an address, the first colon of a segment that may not have it, and each byte of a character that is not
/// ASCII.
pub fn flaws(text: &[u8], is_base: bool) -> impl Iterator<Item = Flaw> {
    let uri = divide(text);
    let flaws = pieces(text, &uri).into_iter().flat_map(|piece| flaws_in(text, piece));
    missing_scheme(text, &uri, is_base).into_iter().chain(flaws)
}

/// The flaw of a base without a scheme.
fn missing_scheme(text: &[u8], uri: &Uri<'_>, is_base: bool) -> Option<Flaw> {
    let byte = text.first().copied().unwrap_or_default();
    (is_base && uri.scheme.is_none()).then_some(Flaw { production: Production::Scheme, at: 0, byte })
}

/// The flaws of a piece of a text.
fn flaws_in(text: &[u8], (production, range): (Production, Range<usize>)) -> impl Iterator<Item = Flaw> {
    let (piece, allowed) = (&text[range.clone()], allowed(production));
    let doubtful = (0..piece.len()).filter(move |at| CLASSES[usize::from(piece[*at])] & allowed == 0);
    let refused = doubtful.filter_map(move |at| Some((at, refusal(production, piece, at)?)));
    refused.map(move |(at, production)| Flaw { production, at: range.start + at, byte: piece[at] })
}

/// The production that does not allow a byte of a piece that is in no class that its production allows.
fn refusal(production: Production, piece: &[u8], at: usize) -> Option<Production> {
    match (production, piece[at]) {
        (Production::IpLiteral, _) => (at == 0).then_some(production),
        (Production::SegmentNzNc | Production::Port, _) => Some(production),
        (_, b'%') => (!is_hex(&piece[at + 1..])).then_some(Production::PctEncoded),
        _ => Some(production),
    }
}

/// The pieces of a text, each with the production of its bytes, in their order. Most are empty in most texts.
fn pieces(text: &[u8], uri: &Uri<'_>) -> [(Production, Range<usize>); 9] {
    let len = |part: Option<&[u8]>| part.map_or(0, <[u8]>::len);
    let with_delimiter = |part: Option<&[u8]>| part.map_or(0, |part| part.len() + 1);
    let query_end = text.len() - with_delimiter(uri.fragment);
    let path_end = query_end - with_delimiter(uri.query);
    let path = path_end - uri.path.len();
    let (user, host) = divide_authority(uri.authority.unwrap_or_default());
    let authority = path - len(uri.authority);
    // an address in brackets has colons, and is legal or not as a whole; nothing but a port follows it
    let brackets = if host.starts_with(b"[") { memchr(b']', host).map_or(host.len(), |end| end + 1) } else { 0 };
    let colon = memchr(b':', &host[brackets..]).map_or(host.len(), |colon| brackets + colon);
    let address = if is_ip_literal(&host[..brackets]) { 0 } else { brackets };
    let name = if brackets > 0 { Production::IpLiteral } else { Production::RegName };
    // `path-noscheme`: a colon in the first segment would end a scheme
    let colon_at =
        memchr2(b':', b'/', uri.path).filter(|at| uri.path[*at] == b':' && uri.scheme.or(uri.authority).is_none());
    let (first, rest) = colon_at.map_or((path, path), |at| (path + at, path + at + 1));
    let host = path - host.len();
    [
        (Production::Userinfo, authority..authority + user.len()),
        (Production::IpLiteral, host..host + address),
        (name, host + brackets..host + colon),
        (Production::Port, path.min(host + colon + 1)..path),
        (Production::Pchar, path..first),
        (Production::SegmentNzNc, first..rest),
        (Production::Pchar, rest..path_end),
        (Production::Query, query_end - len(uri.query)..query_end),
        (Production::Fragment, text.len() - len(uri.fragment)..text.len()),
    ]
}

/// `DIGIT`
const DIGIT: u8 = 1;
/// The rest of `unreserved` and `sub-delims` (§2).
const PLAIN: u8 = 2;
const COLON: u8 = 4;
const AT: u8 = 8;
const SLASH: u8 = 16;
const QUESTION: u8 = 32;

/// The class of each byte; 0 for those that only an escape has.
const CLASSES: [u8; 256] = classes();

/// Fills the table of classes.
const fn classes() -> [u8; 256] {
    let (mut classes, mut byte) = ([0; 256], 0_u8);
    loop {
        classes[byte as usize] = match byte {
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'=' => PLAIN,
            b':' => COLON,
            b'@' => AT,
            b'/' => SLASH,
            b'?' => QUESTION,
            _ => 0,
        };
        if byte == u8::MAX {
            return classes;
        }
        byte += 1;
    }
}

/// The classes of bytes that a production allows. A host in brackets and a colon are judged as a whole.
fn allowed(production: Production) -> u8 {
    match production {
        Production::Scheme | Production::IpLiteral | Production::SegmentNzNc | Production::PctEncoded => 0,
        Production::Port => DIGIT,
        Production::RegName => DIGIT | PLAIN,
        Production::Userinfo => DIGIT | PLAIN | COLON,
        Production::Pchar => DIGIT | PLAIN | COLON | AT | SLASH,
        Production::Query | Production::Fragment => DIGIT | PLAIN | COLON | AT | SLASH | QUESTION,
    }
}

/// Whether a text starts with two of `HEXDIG`.
pub fn is_hex(text: &[u8]) -> bool {
    matches!(text, [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// The userinfo of an authority, or nothing, and its host and port.
fn divide_authority(authority: &[u8]) -> (&[u8], &[u8]) {
    match cut(authority, b'@') {
        (user, Some(host)) => (user, host),
        (host, None) => (b"", host),
    }
}

/// Whether a host in brackets is an `IP-literal` (§3.2.2).
fn is_ip_literal(host: &[u8]) -> bool {
    match host {
        [b'[', b'v' | b'V', future @ .., b']'] => match cut(future, b'.') {
            (version @ [_, ..], Some(address @ [_, ..])) => {
                version.iter().all(u8::is_ascii_hexdigit)
                    && address.iter().all(|byte| CLASSES[usize::from(*byte)] & allowed(Production::Userinfo) != 0)
            }
            _ => false,
        },
        [b'[', address @ .., b']'] => {
            str::from_utf8(address).is_ok_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok())
        }
        _ => false,
    }
}

/// A base URI, in the pieces that references inherit.
#[derive(Default)]
pub struct BaseUri {
    /// Its scheme and `:`.
    scheme: Vec<u8>,
    authority: Option<Vec<u8>>,
    path: Vec<u8>,
    /// Its path without the last segment (§5.2.3) and without dot segments.
    directory: Vec<u8>,
    query: Option<Vec<u8>>,
}

impl BaseUri {
    /// Parses an `absolute-URI` (§4.3). A fragment is ignored (§5.1).
    pub fn new(text: &[u8]) -> Result<Self, NoAnswer> {
        let text = cut(text, b'#').0;
        if text.is_empty() {
            return Err(NoAnswer::Rfc1808(Unresolvable::NoBase));
        }
        let uri = parse(text, true).map_err(NoAnswer::BaseNotUri)?;
        let mut directory = Vec::new();
        remove_dots(uri.directory(), &mut directory, 0, |_| ());
        Ok(BaseUri {
            scheme: [uri.scheme.unwrap_or_default(), b":"].concat(),
            authority: uri.authority.map(<[u8]>::to_vec),
            path: uri.path.to_vec(),
            directory,
            query: uri.query.map(<[u8]>::to_vec),
        })
    }
}

/// Resolves a reference strictly (§5.2.2). The base does not matter here if the reference has a
/// scheme; a pair whose base has no scheme has failed before (reading 15). A path that would begin
/// with `//` where there is no authority, which §3.3 forbids, gets `/.` before it.
pub fn resolve(base: Result<&BaseUri, &NoAnswer>, reference: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
    let Uri { scheme, authority, path, query, fragment } = parse(reference, false).map_err(NoAnswer::NotUri)?;
    let base = if scheme.is_some() { &BaseUri::default() } else { base.map_err(|error| *error)? };
    url.extend_from_slice(&base.scheme);
    if let Some(scheme) = scheme {
        url.extend_from_slice(scheme);
        url.push(b':');
    }
    let is_own = scheme.is_some() || authority.is_some();
    let authority = if is_own { authority } else { base.authority.as_deref() };
    put(url, b"//", authority);
    let start = url.len();
    if is_own || path.starts_with(b"/") {
        remove_dots(path, url, start, |_| ());
    } else if path.is_empty() {
        url.extend_from_slice(&base.path);
    } else if let Some(directory) = base.directory.strip_suffix(b"/") {
        url.extend_from_slice(directory);
        remove_dots(&[b"/", path].concat(), url, start, |_| ());
    } else {
        remove_dots(path, url, start, |_| ());
    }
    if authority.is_none() && url[start..].starts_with(b"//") {
        url.splice(start..start, *b"/.");
    }
    put(url, b"?", if is_own || !path.is_empty() { query } else { query.or(base.query.as_deref()) });
    put(url, b"#", fragment);
    Ok(())
}
/// Appends a component after its delimiter, if it is there (§5.3).
fn put(url: &mut Vec<u8>, delimiter: &[u8], component: Option<&[u8]>) {
    if let Some(component) = component {
        url.extend_from_slice(delimiter);
        url.extend_from_slice(component);
    }
}

/// The path whose dot segments are removed for the answer, and how many of its first bytes are the base's (§5.2.2);
/// `None` if the base's path stays as it is.
pub fn path_to_clean(base: Uri<'_>, reference: Uri<'_>) -> Option<(Vec<u8>, usize)> {
    let Uri { scheme, authority, path, .. } = reference;
    if scheme.is_some() || authority.is_some() || path.starts_with(b"/") {
        return Some((path.to_vec(), 0));
    }
    let directory = base.directory();
    (!path.is_empty()).then(|| ([directory, path].concat(), directory.len()))
}

/// A move of §5.2.4.
pub struct Moved<'a> {
    /// Its rule: `A` to `E`.
    pub rule: &'static str,
    /// The buffers after it.
    pub output: &'a [u8],
    pub input: &'a [u8],
}

/// Appends a path without its dot segments (§5.2.4); `..` removes segments of `out` from `start` on. `observe` is
/// called after each move.
pub fn remove_dots(path: &[u8], out: &mut Vec<u8>, start: usize, mut observe: impl FnMut(Moved<'_>)) {
    let pop = |out: &mut Vec<u8>| out.truncate(start + memrchr(b'/', &out[start..]).unwrap_or(0));
    let mut input = path;
    while let [first, after @ ..] = input {
        let rule;
        (rule, input) = match input {
            [b'.', b'.', b'/', rest @ ..] | [b'.', b'/', rest @ ..] => ("A", rest),
            [b'/', b'.', b'/', ..] => ("B", &after[1..]),
            b"/." => ("B", &b"/"[..]),
            [b'/', b'.', b'.', b'/', ..] => {
                pop(out);
                ("C", &after[2..])
            }
            b"/.." => {
                pop(out);
                ("C", &b"/"[..])
            }
            b"." | b".." => ("D", &b""[..]),
            _ => {
                let (segment, rest) = after.split_at(memchr(b'/', after).unwrap_or(after.len()));
                out.push(*first);
                out.extend_from_slice(segment);
                ("E", rest)
            }
        };
        observe(Moved { rule, output: &out[start..], input });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test says no by a panic")]
mod tests {
    use iri_string::types::{UriAbsoluteStr, UriReferenceStr};

    use super::{BaseUri, Production, parse, resolve};

    /// What iri-string answers, whose own resolution is quadratic, but right for short paths.
    fn plainly(base: &str, reference: &str) -> Option<String> {
        let (base, reference): (&UriAbsoluteStr, &UriReferenceStr) =
            (base.try_into().ok()?, reference.try_into().ok()?);
        Some(reference.resolve_against(base).to_string())
    }

    /// All texts over an alphabet up to a length.
    fn every(alphabet: &[&str], longest: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut first = 0;
        for _ in 0..longest {
            let end = all.len();
            for index in first..end {
                all.extend(alphabet.iter().map(|more| format!("{}{more}", all[index])).collect::<Vec<_>>());
            }
            first = end;
        }
        all
    }

    #[test]
    fn every_short_reference_has_the_answer_of_iri_string() {
        let bases = [
            "http://a/b/c/d;p?q",
            "http://a",
            "s:b/c",
            "s:/b//c/.",
            "s:",
            "s://a/../b/..?q",
            "s:./a",
            "s:../a/../b",
            "s:a/../b/./../c",
            "s:a/../../..//b",
            "s:/../b",
        ];
        let references = every(&[":", "/", "?", "#", ".", "g"], 6);
        for base in bases {
            let prepared = BaseUri::new(base.as_bytes());
            for reference in &references {
                let mut url = Vec::new();
                let answer = resolve(prepared.as_ref(), reference.as_bytes(), &mut url).ok();
                let answer = answer.map(|()| String::from_utf8(url).unwrap());
                assert_eq!(answer, plainly(base, reference), "{base} {reference}");
            }
        }
    }

    #[test]
    fn every_short_text_is_a_reference_if_iri_string_says_so() {
        for (alphabet, longest) in [
            (&[":", "/", "?", "#", "%", "4", "g", "@", "[", "]", " ", "\u{E9}"][..], 5),
            (&["//", "x:", "[", "]", "::", ":", "1", "v", ".", "f", "@", "%41"], 6),
            (&["//[", "::", ":1", "1.2.3.4", "0", "]", ":"], 7),
        ] {
            for text in every(alphabet, longest) {
                let is_reference = <&UriReferenceStr>::try_from(&*text).is_ok();
                assert_eq!(parse(text.as_bytes(), false).map(|_| ()).ok().is_some(), is_reference, "{text}");
            }
        }
        for byte in 0..=127u8 {
            for before in ["", "/", "x:", "//", "//u@", "?", "#", "//[", "//h:", "//[v1."] {
                for after in ["", "]", "@h"] {
                    let text = format!("{before}{}{after}", char::from(byte));
                    let is_reference = <&UriReferenceStr>::try_from(&*text).is_ok();
                    assert_eq!(parse(text.as_bytes(), false).is_ok(), is_reference, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_flaw_is_where_it_begins_to_be_wrong() {
        for (text, production, column) in [
            ("g h", Production::Pchar, 2),
            (":g", Production::SegmentNzNc, 1),
            ("a_b:g", Production::SegmentNzNc, 4),
            ("a%4", Production::PctEncoded, 2),
            ("?a[", Production::Query, 3),
            ("#a#", Production::Fragment, 3),
            ("//g:8x/", Production::Port, 6),
            ("//g@h@/", Production::RegName, 6),
            ("//u:[@h", Production::Userinfo, 5),
            ("x://[::1", Production::IpLiteral, 5),
            ("x://[::1]g", Production::IpLiteral, 10),
            ("/a\u{E9}b c", Production::Pchar, 3),
        ] {
            let flaw = parse(text.as_bytes(), false).unwrap_err();
            assert_eq!((flaw.production, flaw.at + 1), (production, column), "{text}");
        }
    }
}
