//! RFC 3986: its grammar, and the strict algorithm of §5.2. Here `§` means RFC 3986.

use memchr::{memchr, memrchr};

use super::{NoAnswer, Production, UriError};
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

/// Divides a `URI-reference` (§4.1).
///
/// # Errors
/// It is not one: its first flaw.
pub fn parse(text: &str) -> Result<Uri<'_>, UriError> {
    let uri = divide(text.as_bytes());
    let flaw = |production, at: usize| {
        let character = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        UriError { production, column: at + 1, character }
    };
    // where a part that starts at `at` ends, if it has no flaw
    let find = |at, part, production, extra| match first_flaw(part, extra) {
        Some(offset) if part[offset] == b'%' => Err(flaw(Production::PctEncoded, at + offset)),
        Some(offset) => Err(flaw(production, at + offset)),
        None => Ok(at + part.len()),
    };
    let mut at = uri.scheme.map_or(0, |scheme| scheme.len() + 1);
    if let Some(authority) = uri.authority {
        at += 2;
        let (user, host) = match cut(authority, b'@') {
            (user, Some(host)) => (user, host),
            (host, None) => (&b""[..], host),
        };
        at = find(at, user, Production::Userinfo, b":")? + authority.len() - user.len() - host.len();
        // an address in brackets has colons, and is legal or not as a whole
        let port = if host.starts_with(b"[") {
            let end = memchr(b']', host).map_or(host.len(), |end| end + 1);
            if !is_ip_literal(&host[..end]) {
                return Err(flaw(Production::IpLiteral, at));
            } else if !matches!(host.get(end), None | Some(b':')) {
                return Err(flaw(Production::IpLiteral, at + end));
            }
            at += end;
            &host[end..]
        } else {
            let end = memchr(b':', host).unwrap_or(host.len());
            at = find(at, &host[..end], Production::RegName, b"")?;
            &host[end..]
        };
        if let Some(offset) = port.iter().skip(1).position(|byte| !byte.is_ascii_digit()) {
            return Err(flaw(Production::Port, at + 1 + offset));
        }
        at += port.len();
    }
    // `path-noscheme`: a colon in the first segment would end a scheme
    if uri.scheme.is_none() && uri.authority.is_none() {
        let first = &uri.path[..memchr(b'/', uri.path).unwrap_or(uri.path.len())];
        if let Some(colon) = memchr(b':', first) {
            at = find(at, &first[..colon], Production::Pchar, b"@")?;
            return Err(flaw(Production::SegmentNzNc, at));
        }
    }
    at = find(at, uri.path, Production::Pchar, b":@/")?;
    if let Some(query) = uri.query {
        at = find(at + 1, query, Production::Query, b":@/?")?;
    }
    if let Some(fragment) = uri.fragment {
        find(at + 1, fragment, Production::Fragment, b":@/?")?;
    }
    Ok(uri)
}

/// Where the first byte is that is neither `unreserved`, one of `sub-delims`, `pct-encoded` (§2)
/// nor `extra`.
fn first_flaw(part: &[u8], extra: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(byte) = part.get(at) {
        at += match byte {
            b'%' if is_hex(&part[at + 1..]) => 3,
            _ if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte) || extra.contains(byte) => 1,
            _ => return Some(at),
        };
    }
    None
}

/// Whether a text starts with two of `HEXDIG`.
pub fn is_hex(text: &[u8]) -> bool {
    matches!(text, [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Whether a host in brackets is an `IP-literal` (§3.2.2).
fn is_ip_literal(host: &[u8]) -> bool {
    match host {
        [b'[', b'v' | b'V', future @ .., b']'] => match cut(future, b'.') {
            (version @ [_, ..], Some(address @ [_, ..])) => {
                version.iter().all(u8::is_ascii_hexdigit)
                    && !address.contains(&b'%')
                    && first_flaw(address, b":").is_none()
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
        let text = &*String::from_utf8_lossy(text);
        let Some(scheme) = divide(text.as_bytes()).scheme else {
            let character = text.chars().next().unwrap_or_default();
            return Err(NoAnswer::BaseNotUri(UriError { production: Production::Scheme, column: 1, character }));
        };
        let uri = parse(text).map_err(NoAnswer::BaseNotUri)?;
        let mut directory = Vec::new();
        remove_dots(uri.directory(), &mut directory, 0, |_| ());
        Ok(BaseUri {
            scheme: [scheme, b":"].concat(),
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
    let text = String::from_utf8_lossy(reference); // what is not UTF-8 is not ASCII, so it is a flaw
    let Uri { scheme, authority, path, query, fragment } = parse(&text).map_err(NoAnswer::NotUri)?;
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

/// The path whose dot segments are removed for the answer, and how many of its first bytes are the base's (§5.2.2); `None` if
/// the base's path stays as it is.
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

/// Appends a path without its dot segments (§5.2.4); `..` removes segments of `out` from `start` on. `observe` is called after
/// each move.
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
                assert_eq!(parse(&text).map(|_| ()).ok().is_some(), is_reference, "{text}");
            }
        }
        for byte in 0..=127u8 {
            for before in ["", "/", "x:", "//", "//u@", "?", "#", "//[", "//h:", "//[v1."] {
                for after in ["", "]", "@h"] {
                    let text = format!("{before}{}{after}", char::from(byte));
                    let is_reference = <&UriReferenceStr>::try_from(&*text).is_ok();
                    assert_eq!(parse(&text).is_ok(), is_reference, "{text:?}");
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
            let flaw = parse(text).unwrap_err();
            assert_eq!((flaw.production, flaw.column), (production, column), "{text}");
        }
    }
}
