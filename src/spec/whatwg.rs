//! The URL Standard of the WHATWG, by the url crate.

mod authority;
pub mod errors;

use std::borrow::Cow;
use std::io::Write;

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use memchr::{memchr2, memchr2_iter};
use url::{Host, ParseError, Position, Url};

use self::authority::authority_and_path;
use super::rfc3986::divide;
use super::{NoAnswer, is_special};
use crate::limits::MAX_AUTHORITY;
use crate::resolver::Unresolvable;
use crate::strip::BREAKS;

/// Parses a base URL: `None` if it is empty, which is no base.
pub fn parse_base(text: &[u8]) -> Result<Option<Url>, NoAnswer> {
    if text.is_empty() {
        return Ok(None);
    }
    match parse(clean(&String::from_utf8_lossy(text)), None, UTF_8) {
        Ok(url) => Ok(Some(url)),
        Err(NoAnswer::TooLong) => Err(NoAnswer::TooLong),
        Err(_) => Err(NoAnswer::BaseNotUrl),
    }
}

/// Resolves a reference as `new URL(reference, base)` does; the answer is its `href`. A base
/// that cannot be parsed is an error for every reference.
pub fn resolve(
    base: Result<&Option<Url>, &NoAnswer>,
    encoding: &'static Encoding,
    reference: &[u8],
    url: &mut Vec<u8>,
) -> Result<(), NoAnswer> {
    let base = base.map_err(|error| *error)?.as_ref();
    // as a browser decodes a page
    let reference = String::from_utf8_lossy(reference);
    let answer = parse(clean(&reference), base, encoding)?;
    url.extend_from_slice(answer[..Position::BeforePath].as_bytes());
    let mut rest = Cow::Borrowed(&answer[Position::BeforePath..]);
    if !answer.cannot_be_a_base() && answer.path().contains('^') {
        // whatwg/url#846, which url 2.5.8 lacks: servo/rust-url#1140
        rest = (answer.path().replace('^', "%5E") + &answer[Position::AfterPath..]).into();
    }
    let has_drives = memchr2_iter(b':', b'|', rest.as_bytes()).any(|at| rest.as_bytes().get(at + 1) == Some(&b'%'));
    if has_drives && answer.scheme() != "file" {
        rest = with_drives(&rest, |drive, rest| [drive, rest.strip_prefix('%').unwrap_or(rest)].concat()).into();
    }
    url.extend_from_slice(rest.as_bytes());
    Ok(())
}

/// A host as the URL Standard writes it, or `None` if it does not accept it: in lower case and IDNA, without
/// percent-encoding, with IP addresses in their shortest form. In a file URL `localhost` is empty.
pub fn spell_host(scheme: &[u8], host: &[u8]) -> Option<String> {
    let host = str::from_utf8(host).ok()?;
    let host = if is_special(scheme) { Host::parse(host) } else { Host::parse_opaque(host) };
    let host = host.ok()?.to_string();
    Some(if host == "localhost" && scheme.eq_ignore_ascii_case(b"file") { String::new() } else { host })
}

/// A text without what the URL Standard removes: white space around it, and TAB, CR and LF.
fn clean(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim_matches(|char: char| char <= ' ');
    let breaks = BREAKS.map(char::from);
    if trimmed.contains(breaks) { trimmed.replace(breaks, "").into() } else { trimmed.into() }
}

/// Parses a clean text with the url crate, and works around its departures from the URL Standard.
fn parse(mut clean: Cow<'_, str>, base: Option<&Url>, encoding: &'static Encoding) -> Result<Url, NoAnswer> {
    if let Some(base) = base {
        clean = with_two_slashes(clean, base);
    }
    // the crate accepts a backslash in an opaque host, and a user without one
    let uri = divide(clean.as_bytes());
    let scheme = uri.scheme.or(base.map(|base| base.scheme().as_bytes())).unwrap_or_default();
    let authority = uri.authority.filter(|_| !is_special(scheme)).unwrap_or_default();
    match authority.rsplit(|&byte| byte == b'@').next() {
        Some(host) if host.contains(&b'\\') => return Err(NoAnswer::BadHost),
        Some([]) if !authority.is_empty() => return Err(NoAnswer::NoHost),
        _ => {}
    }
    let after_scheme = uri.scheme.map_or(0, |scheme| scheme.len() + 1);
    let has_drives = memchr2(b':', b'|', &clean.as_bytes()[after_scheme..]).is_some();
    if clean.len() > MAX_AUTHORITY && authority_and_path(&clean, base.map(Url::scheme)).0 > MAX_AUTHORITY {
        return Err(NoAnswer::TooLong);
    }
    if has_drives && !scheme.eq_ignore_ascii_case(b"file") {
        let (before, after) = clean.split_at(authority_and_path(&clean, base.map(Url::scheme)).1);
        clean = [before, &with_drives(after, |drive, rest| [drive, "%", rest].concat())].concat().into();
    }
    let in_encoding: &dyn Fn(&str) -> Cow<'_, [u8]> = &|query| encode(query, encoding);
    let query_encoding = (encoding != UTF_8).then_some(in_encoding);
    Url::options().base_url(base).encoding_override(query_encoding).parse(&clean).map_err(|error| match error {
        ParseError::RelativeUrlWithoutBase => NoAnswer::Rfc1808(Unresolvable::NoBase),
        ParseError::RelativeUrlWithCannotBeABaseBase => NoAnswer::OpaqueBase,
        ParseError::EmptyHost => NoAnswer::NoHost,
        ParseError::InvalidPort => NoAnswer::BadPort,
        ParseError::InvalidIpv4Address | ParseError::InvalidIpv6Address => NoAnswer::BadAddress,
        _ => NoAnswer::BadHost,
    })
}

/// A query in a charset. What that does not have is `&#N;`, percent-encoded: the crate's own way leaves the `&`.
fn encode<'q>(query: &'q str, encoding: &'static Encoding) -> Cow<'q, [u8]> {
    if query.is_ascii() {
        return Cow::Borrowed(query.as_bytes());
    }
    let (mut state, mut bytes, mut rest) = (encoding.new_encoder(), Vec::new(), query);
    loop {
        bytes.reserve(rest.len() + 16);
        let (result, read) = state.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = rest.get(read..).unwrap_or_default();
        match result {
            EncoderResult::InputEmpty => return Cow::Owned(bytes),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(char) => {
                let _ = write!(bytes, "%26%23{}%3B", u32::from(char)); // a Vec cannot fail
            }
        }
    }
}

/// A reference that begins with slashes, as the url crate has to see it. With a special base all
/// slashes before a host are one `//`; with another one a backslash is not a slash
/// (servo/rust-url#1136, web-platform-tests/wpt#58840).
fn with_two_slashes<'a>(text: Cow<'a, str>, base: &Url) -> Cow<'a, str> {
    let host = text.trim_start_matches(['/', '\\']);
    match text.as_bytes() {
        _ if base.scheme() == "file" => text,
        _ if is_special(base.scheme().as_bytes()) && text.len() - host.len() > 2 => format!("//{host}").into(),
        _ if is_special(base.scheme().as_bytes()) => text,
        [b'\\', ..] => format!("./{text}").into(),
        [b'/', b'\\', ..] => format!("/.{text}").into(),
        _ => text,
    }
}

/// A text with each segment changed that is like `c:`, `c|`, or one of them and some `%`. The crate takes the first two
/// for drive letters in every scheme (servo/rust-url#1130), so all of them have a `%` more while it sees them.
fn with_drives(text: &str, change: fn(&str, &str) -> String) -> String {
    let segments = text.split_inclusive(['/', '\\', '?', '#']).map(|segment| match segment.as_bytes() {
        [letter, b':' | b'|', rest @ ..]
            if letter.is_ascii_alphabetic() && rest.iter().all(|byte| b"%/\\?#".contains(byte)) =>
        {
            let (drive, rest) = segment.split_at(2);
            change(drive, rest)
        }
        _ => segment.to_owned(),
    });
    segments.collect()
}
