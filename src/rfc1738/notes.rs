//! What is legal in a URL, but advised against by RFC 1808 or unknown to RFC 1738.

use memchr::{memchr_iter, memchr2};

use super::login::Login;
use super::production::SchemeProduction;
use super::schemes::{NetLoc, SchemeFinding, SchemeRule, find_scheme};
use crate::resolver::Parts;

/// The notes about a URL, in the order of the text, but for the last one. `url` has the components of `text`.
pub fn notes(text: &[u8], url: &Parts<'_>) -> [Option<SchemeFinding>; 5] {
    let [_, net_loc, path, params, query, _] = url.ends(text);
    let scheme = find_scheme(url);
    let production = scheme.map(|scheme| scheme.production);
    let note = |at, length, production, rule| SchemeFinding { at, length, production, rule };

    // where the scheme has no login, it is a violation
    let may_have_login = scheme.is_none_or(|scheme| scheme.net_loc == NetLoc::Login);
    let bytes = url.net_loc.filter(|_| may_have_login).unwrap_or_default();
    let Login { user, password, host, port } = Login::divide(bytes);
    let length = bytes.len() - host.len() - port.map_or(0, |port| port.len() + 1);
    let login = |production, rule| note(net_loc - bytes.len(), length, production, rule);
    let is_secret = [user, password].into_iter().flatten().any(|part| !part.is_empty());

    let has_params = text.get(path) == Some(&b';');
    let has_query = text.get(params) == Some(&b'?');
    [
        (user == Some(b"") && scheme.is_some()).then(|| login(Some(SchemeProduction::User), SchemeRule::EmptyUser)),
        is_secret.then(|| login(None, SchemeRule::Secret)),
        match production {
            Some(SchemeProduction::FtpUrl) if matches!(url.params, b"type=d" | b"type=D") => {
                Some(note(path, params - path, None, SchemeRule::Directory))
            }
            Some(SchemeProduction::FileUrl | SchemeProduction::NntpUrl) if has_params => {
                Some(note(path, params - path, production, SchemeRule::Wider))
            }
            _ => None,
        },
        match production {
            Some(SchemeProduction::FtpUrl | SchemeProduction::FileUrl) if has_query => {
                Some(note(params, 1, None, SchemeRule::QuestionMark))
            }
            Some(SchemeProduction::NntpUrl) if has_query => {
                Some(note(params, query - params, production, SchemeRule::Wider))
            }
            Some(SchemeProduction::HttpUrl | SchemeProduction::WaisUrl) => memchr2(b'/', b'?', url.query)
                .map(|at| note(query - url.query.len() + at, 1, Some(SchemeProduction::Search), SchemeRule::Search)),
            _ => None,
        },
        match production {
            Some(
                SchemeProduction::FtpUrl
                | SchemeProduction::GopherUrl
                | SchemeProduction::MailtoUrl
                | SchemeProduction::TelnetUrl,
            ) => {
                let is_mailto = production == Some(SchemeProduction::MailtoUrl);
                let find = if is_mailto { line_ends_of_mailto } else { encoded_line_ends };
                find(&text[..query]).map(|(at, length)| note(at, length, None, SchemeRule::LineEnd))
            }
            _ => None,
        },
    ]
}

/// The offset and the length of the first CR and LF that are written as escapes (RFC 1738 §6), one after the other.
fn encoded_line_ends(text: &[u8]) -> Option<(usize, usize)> {
    let is_line_end = |escape: &[u8]| matches!(escape, [b'%', b'0', b'A' | b'a' | b'D' | b'd', ..]);
    let first = memchr_iter(b'%', text).find(|at| is_line_end(&text[*at..]))?;
    Some((first, 3 * text[first..].chunks(3).take_while(|escape| is_line_end(escape)).count()))
}

/// The offset and the length of the first escaped CR and LF of a mailto URL, but for its field `body`, where lines end
/// so (RFC 6068 §5).
fn line_ends_of_mailto(text: &[u8]) -> Option<(usize, usize)> {
    let mut start = 0;
    text.split_inclusive(|byte| matches!(byte, b'?' | b'&')).find_map(|field| {
        let offset = start;
        start += field.len();
        let is_body = offset > 0 && field.len() > 4 && field[..5].eq_ignore_ascii_case(b"body=");
        let (at, length) = encoded_line_ends(field).filter(|_| !is_body)?;
        Some((offset + at, length))
    })
}

/// The offset of the gopher-type in a base URL, which limits relative paths to it (§2.3).
pub fn gopher_type(text: &[u8], url: &Parts<'_>) -> Option<usize> {
    let [_, net_loc, ..] = url.ends(text);
    let is_gopher = url.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"gopher"));
    (is_gopher && url.path.len() > 1).then_some(net_loc + 1)
}
