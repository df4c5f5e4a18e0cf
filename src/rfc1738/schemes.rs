//! RFC 1738 §3.1, §3.3 and §5: where an absolute URL does not follow the syntax of its scheme.
//!
//! A URL must match §2.2 and the production of its scheme. Where §2.2 is wider it applies, because
//! RFC 1808 updates RFC 1738: the search of http and wais is a `query`, ftp, file and nntp URLs may
//! have a query, and file and nntp URLs params (§2.3). [`notes`](super::notes) has a note about each.
//! At most one violation is found in each part of a URL. A byte that §2.2 allows nowhere may be found
//! here too.

use memchr::{memchr, memchr2};

use super::login::Login;
use super::production::SchemeProduction;
use crate::resolver::Parts;
use crate::resolver::grammar::is_reserved;

/// A place in a URL that violates the syntax of its scheme, or that there is a note about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeFinding {
    /// Its offset in the URL.
    pub at: usize,
    /// Its length; 0 if something is missing.
    pub length: usize,
    /// The production of RFC 1738 §5 that does not allow it, if there is one.
    pub production: Option<SchemeProduction>,
    pub rule: SchemeRule,
}

/// What is wrong with a URL by RFC 1738, or legal but perhaps not wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeRule {
    /// No `//` after the colon.
    NoSlashes,
    /// No `//` after the colon of the base's scheme, which can be omitted (§5.2).
    RepeatedScheme,
    /// A `//` after `news:`.
    Slashes,
    /// A user name, perhaps with a password, where the scheme has none.
    Login,
    /// A `:` or `@` in a user name or a password.
    Delimiter,
    /// A port, where the scheme has none.
    Port,
    /// A path, where the scheme has none.
    Path,
    /// Nothing where the production needs at least one byte.
    Empty,
    /// A byte that the production does not contain.
    Byte,
    /// A byte that the production does not begin with.
    Begin,
    /// A byte that the production does not end with.
    End,
    /// Digits and dots, but not four numbers.
    HostNumber,
    NoSlash,
    /// A `;` without `type=`.
    NoType,
    /// A type other than those of ftp.
    Type,
    /// A field without `=`.
    NoEquals,
    /// Note: a user name that is empty, not absent (RFC 1738 §3.1).
    EmptyUser,
    /// Note: a user name or a password (§6).
    Secret,
    /// Note: an ftp directory (§5.3).
    Directory,
    /// Note: a `?` in an ftp or file URL (§2.3).
    QuestionMark,
    /// Note: params or a query that RFC 1738 does not have in the production.
    Wider,
    /// Note: a byte in a query that RFC 1738 does not have in a search.
    Search,
}

impl SchemeFinding {
    /// A finding in a part of a URL.
    fn new(at: usize, length: usize, production: SchemeProduction, rule: SchemeRule) -> Self {
        SchemeFinding { at, length, production: Some(production), rule }
    }

    /// The finding in a text that has `start` bytes more before it.
    fn after(self, start: usize) -> Self {
        SchemeFinding { at: start + self.at, ..self }
    }
}

impl SchemeRule {
    /// Whether it is no violation.
    pub fn is_note(self) -> bool {
        use SchemeRule::{Directory, EmptyUser, QuestionMark, Search, Secret, Wider};
        matches!(self, EmptyUser | Secret | Directory | QuestionMark | Wider | Search)
    }
}

/// What follows the colon of a scheme, up to the path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NetLoc {
    /// RFC 1738 §5 `"//" login`
    Login,
    /// RFC 1738 §5 `"//" hostport`
    HostPort,
    /// RFC 1738 §5 `"//" [ host | "localhost" ]`
    Host,
    Absent,
}

/// The syntax of a scheme.
pub(super) struct Scheme {
    name: &'static [u8],
    /// Its production in RFC 1738 §5.
    pub(super) production: SchemeProduction,
    /// What follows its colon.
    pub(super) net_loc: NetLoc,
    /// Finds the first violation in what follows the net_loc, up to the fragment.
    rest: fn(&[u8]) -> Option<SchemeFinding>,
}

/// The schemes of RFC 1738.
const SCHEMES: &[Scheme] = &[
    Scheme { name: b"http", production: SchemeProduction::HttpUrl, net_loc: NetLoc::HostPort, rest: anything },
    Scheme { name: b"https", production: SchemeProduction::HttpUrl, net_loc: NetLoc::HostPort, rest: anything }, // RFC 2818 §2.4
    Scheme { name: b"ftp", production: SchemeProduction::FtpUrl, net_loc: NetLoc::Login, rest: ftp },
    Scheme { name: b"file", production: SchemeProduction::FileUrl, net_loc: NetLoc::Host, rest: file },
    Scheme { name: b"gopher", production: SchemeProduction::GopherUrl, net_loc: NetLoc::HostPort, rest: anything },
    Scheme { name: b"mailto", production: SchemeProduction::MailtoUrl, net_loc: NetLoc::Absent, rest: mailto },
    Scheme { name: b"news", production: SchemeProduction::NewsUrl, net_loc: NetLoc::Absent, rest: news },
    Scheme { name: b"nntp", production: SchemeProduction::NntpUrl, net_loc: NetLoc::HostPort, rest: nntp },
    Scheme { name: b"telnet", production: SchemeProduction::TelnetUrl, net_loc: NetLoc::Login, rest: telnet },
    Scheme { name: b"wais", production: SchemeProduction::WaisUrl, net_loc: NetLoc::HostPort, rest: wais },
    Scheme { name: b"prospero", production: SchemeProduction::ProsperoUrl, net_loc: NetLoc::HostPort, rest: prospero },
];

/// Schemes that readers know: those that browsers handle themselves or hand to a program, and the
/// common ones of IANA's registry (<https://www.iana.org/assignments/uri-schemes>).
const COMMON: &str = "\
    about acct bitcoin blob callto chrome cid coap data dav dns facetime feed filesystem geo git imap ipp irc ircs \
    javascript ldap ldaps magnet mid nfs pop rsync rtmp rtsp sftp sip sips skype sms snews ssh svn tel tftp urn \
    view-source vnc webcal whatsapp ws wss xmpp";

/// Whether a scheme is so common that nobody means a path by it.
fn is_common(scheme: &[u8]) -> bool {
    let common = COMMON.split(' ').map(str::as_bytes);
    SCHEMES.iter().map(|row| row.name).chain(common).any(|name| name.eq_ignore_ascii_case(scheme))
}

/// The scheme of a reference that was perhaps meant as a path with a colon in its first segment
/// (§5.3): it is not the base's, not a common one, and not followed by `//`.
pub fn doubtful_scheme<'a>(reference: &Parts<'a>, base: &Parts<'_>) -> Option<&'a [u8]> {
    let scheme = reference.scheme?;
    let is_known = is_common(scheme) || base.scheme.is_some_and(|base| base.eq_ignore_ascii_case(scheme));
    (!is_known && reference.net_loc.is_none()).then_some(scheme)
}

/// The row of a URL's scheme. "interpreters should use case-ignore" (RFC 1738 §5).
pub(super) fn find_scheme(url: &Parts<'_>) -> Option<&'static Scheme> {
    url.scheme.and_then(|scheme| SCHEMES.iter().find(|row| row.name.eq_ignore_ascii_case(scheme)))
}

/// The violations of a scheme's syntax, in the order of the text: at most one in each part of the
/// net_loc, and one after it. `url` has the components of `text`. A URL of another scheme has none.
pub fn violations(text: &[u8], url: &Parts<'_>) -> [Option<SchemeFinding>; 4] {
    let Some(scheme) = find_scheme(url) else { return [None; 4] };
    let [colon, start, _, _, end, _] = url.ends(text);
    let rest = |start| (scheme.rest)(&text[start..end]).map(|violation| violation.after(start));
    match url.net_loc {
        _ if scheme.net_loc == NetLoc::Absent => [None, None, None, rest(colon)],
        None => [Some(SchemeFinding::new(colon, 0, scheme.production, SchemeRule::NoSlashes)), None, None, None],
        Some(net_loc) => {
            let after = |violation: SchemeFinding| violation.after(start - net_loc.len());
            let [login, host, port] = scheme.net_loc(net_loc).map(|violation| violation.map(after));
            [login, host, port, rest(start)]
        }
    }
}

impl Scheme {
    /// The violations in a net_loc.
    fn net_loc(&self, net_loc: &[u8]) -> [Option<SchemeFinding>; 3] {
        let Login { user, password, host, port } = Login::divide(net_loc);
        let host_end = net_loc.len() - port.map_or(0, |port| port.len() + 1);
        let start = host_end - host.len();
        let login = user.and_then(|user| match self.net_loc {
            NetLoc::Login => delimiter(user, 0, SchemeProduction::User)
                .or_else(|| delimiter(password?, user.len() + 1, SchemeProduction::Password)), // RFC 1738 §3.1
            _ => Some(SchemeFinding::new(0, start, self.production, SchemeRule::Login)), // RFC 1738 §3.3
        });
        let host = match host {
            b"" if self.net_loc == NetLoc::Host => None,
            _ => hostname(host).map(|violation| violation.after(start)),
        };
        let port = port.and_then(|port| match port {
            _ if self.net_loc == NetLoc::Host => {
                Some(SchemeFinding::new(host_end, port.len() + 1, self.production, SchemeRule::Port))
            }
            // "If the port is omitted, the colon is as well" (RFC 1738 §3.1)
            b"" => Some(empty(host_end + 1, SchemeProduction::Port)),
            _ => wrong_byte(port, host_end + 1, SchemeProduction::Port, |byte| !byte.is_ascii_digit()),
        });
        [login, host, port]
    }
}

/// The first byte of a part that is wrong. `start` is the offset of the part.
fn wrong_byte(
    part: &[u8],
    start: usize,
    production: SchemeProduction,
    is_wrong: impl Fn(u8) -> bool,
) -> Option<SchemeFinding> {
    let at = part.iter().position(|&byte| is_wrong(byte))?;
    Some(SchemeFinding::new(start + at, 1, production, SchemeRule::Byte))
}

/// The first byte in a user name or a password that must be an escape.
fn delimiter(part: &[u8], start: usize, production: SchemeProduction) -> Option<SchemeFinding> {
    let finding = wrong_byte(part, start, production, |byte| matches!(byte, b':' | b'@'))?;
    Some(SchemeFinding { rule: SchemeRule::Delimiter, ..finding })
}

/// The violation of something empty.
fn empty(at: usize, production: SchemeProduction) -> SchemeFinding {
    SchemeFinding::new(at, 0, production, SchemeRule::Empty)
}

/// The violation of a `/` that is missing.
fn no_slash(at: usize, production: SchemeProduction) -> SchemeFinding {
    SchemeFinding::new(at, 0, production, SchemeRule::NoSlash)
}

/// RFC 1738 §5 `host`: labels of which the last does not begin with a digit, or four numbers.
fn hostname(host: &[u8]) -> Option<SchemeFinding> {
    if host.is_empty() {
        return Some(empty(0, SchemeProduction::HostPort));
    }
    let mut end = 0;
    for label in host.split(|&byte| byte == b'.') {
        let start = end;
        end += label.len() + 1;
        let is_last = end > host.len();
        let production = if is_last { SchemeProduction::TopLabel } else { SchemeProduction::DomainLabel };
        let wrong = match label {
            [] => return Some(empty(start, production)),
            [b'-', ..] => Some((start, SchemeRule::Begin)),
            [.., b'-'] => Some((end - 2, SchemeRule::End)),
            _ => None,
        };
        let not_allowed = wrong_byte(label, start, SchemeProduction::DomainLabel, |byte| {
            !(byte.is_ascii_alphanumeric() || byte == b'-')
        });
        let wrong = wrong.map(|(at, rule)| SchemeFinding::new(at, 1, production, rule));
        if let Some(first) = not_allowed.into_iter().chain(wrong).min_by_key(|violation| violation.at) {
            return Some(first);
        }
        if is_last && host.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.')) {
            let numbers = host.split(|&byte| byte == b'.').count();
            return (numbers != 4).then_some(SchemeFinding::new(
                0,
                host.len(),
                SchemeProduction::HostNumber,
                SchemeRule::HostNumber,
            ));
        }
        if is_last && label[0].is_ascii_digit() {
            return Some(SchemeFinding::new(start, 1, production, SchemeRule::Begin)); // RFC 1738 §3.1
        }
    }
    None
}

/// RFC 1738 §5 `hpath`, `search` and `gopherurl` with all that follows the host: what §2.2 allows.
fn anything(_: &[u8]) -> Option<SchemeFinding> {
    None
}

/// The text before its first `?`: what §2.4.4 does not take for the query.
fn without_query(rest: &[u8]) -> &[u8] {
    &rest[..memchr(b'?', rest).unwrap_or(rest.len())]
}

/// RFC 1738 §5 `[ "/" fpath [ ";type=" ftptype ]]`
fn ftp(rest: &[u8]) -> Option<SchemeFinding> {
    let rest = without_query(rest);
    let start = memchr(b';', rest)? + 1;
    match rest[start..].strip_prefix(b"type=") {
        None => Some(SchemeFinding::new(start, rest.len() - start, SchemeProduction::FtpUrl, SchemeRule::NoType)),
        Some([]) => Some(empty(rest.len(), SchemeProduction::FtpType)),
        Some([b'A' | b'I' | b'D' | b'a' | b'i' | b'd']) => None,
        Some(name) => Some(SchemeFinding::new(start + 5, name.len(), SchemeProduction::FtpType, SchemeRule::Type)),
    }
}

/// RFC 1738 §5 `"/" fpath`
fn file(rest: &[u8]) -> Option<SchemeFinding> {
    if rest.is_empty() { Some(no_slash(0, SchemeProduction::FileUrl)) } else { None }
}

/// RFC 1738 §5 `encoded822addr`
fn mailto(rest: &[u8]) -> Option<SchemeFinding> {
    if rest.is_empty() { Some(empty(0, SchemeProduction::Address)) } else { None }
}

/// RFC 1738 §5 `[ "/" ]`
fn telnet(rest: &[u8]) -> Option<SchemeFinding> {
    (rest.len() > 1).then(|| SchemeFinding::new(1, rest.len() - 1, SchemeProduction::TelnetUrl, SchemeRule::Path))
}

/// RFC 1738 §5 `grouppart`
fn news(rest: &[u8]) -> Option<SchemeFinding> {
    match (rest, memchr(b'@', rest)) {
        (b"*", _) => None,
        (b"", _) => Some(empty(0, SchemeProduction::GroupPart)),
        (_, Some(0)) => Some(empty(0, SchemeProduction::Article)),
        (_, Some(at)) => hostname(&rest[at + 1..]).map(|violation| violation.after(at + 1)),
        ([b'/', b'/', ..], None) => Some(SchemeFinding::new(0, 2, SchemeProduction::NewsUrl, SchemeRule::Slashes)),
        ([b'*', _, ..], None) => Some(SchemeFinding::new(1, 1, SchemeProduction::GroupPart, SchemeRule::Byte)),
        (_, None) => group(rest, 0),
    }
}

/// RFC 1738 §5 `group`
fn group(text: &[u8], start: usize) -> Option<SchemeFinding> {
    let is_wrong = |byte: u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+' | b'_'));
    match text {
        [] => Some(empty(start, SchemeProduction::Group)),
        [first, ..] if !first.is_ascii_alphabetic() => {
            Some(SchemeFinding::new(start, 1, SchemeProduction::Group, SchemeRule::Begin))
        }
        _ => wrong_byte(text, start, SchemeProduction::Group, is_wrong),
    }
}

/// RFC 1738 §5 `"/" group [ "/" digits ]`
fn nntp(rest: &[u8]) -> Option<SchemeFinding> {
    let rest = without_query(rest);
    let rest = &rest[..memchr(b';', rest).unwrap_or(rest.len())];
    let [b'/', text @ ..] = rest else { return Some(no_slash(0, SchemeProduction::NntpUrl)) };
    let Some(slash) = memchr(b'/', text) else { return group(text, 1) };
    let start = slash + 2;
    group(&text[..slash], 1).or_else(|| match &rest[start..] {
        [] => Some(empty(start, SchemeProduction::Digits)),
        digits => wrong_byte(digits, start, SchemeProduction::Digits, |byte| !byte.is_ascii_digit()),
    })
}

/// RFC 1738 §5 `waisdatabase`, `waisindex` and `waisdoc`, after the host
fn wais(rest: &[u8]) -> Option<SchemeFinding> {
    let [b'/', text @ ..] = rest else { return Some(no_slash(0, SchemeProduction::WaisUrl)) };
    let end = 1 + memchr2(b'/', b'?', text).unwrap_or(text.len());
    wrong_byte(&rest[1..end], 1, SchemeProduction::Database, is_reserved).or_else(|| {
        let [b'/', document @ ..] = &rest[end..] else { return None };
        let start = end + 1;
        let Some(slash) = memchr(b'/', document) else {
            return wrong_byte(document, start, SchemeProduction::WaisType, is_reserved)
                .or_else(|| Some(no_slash(rest.len(), SchemeProduction::WaisDoc)));
        };
        wrong_byte(&document[..slash], start, SchemeProduction::WaisType, is_reserved)
            .or_else(|| wrong_byte(&document[slash + 1..], start + slash + 1, SchemeProduction::WaisPath, is_reserved))
    })
}

/// RFC 1738 §5 `"/" ppath *[ fieldspec ]`
fn prospero(rest: &[u8]) -> Option<SchemeFinding> {
    if rest.is_empty() {
        return Some(no_slash(0, SchemeProduction::ProsperoUrl));
    }
    let mut pieces = rest.split(|&byte| byte == b';');
    let mut start = pieces.next()?.len() + 1;
    pieces.find_map(|field| {
        let at = start;
        start += field.len() + 1;
        let equals = memchr(b'=', field);
        let (name, value) = field.split_at(equals.unwrap_or(field.len()));
        let name = wrong_byte(name, at, SchemeProduction::FieldName, |byte| byte == b'/');
        name.or_else(|| match value {
            [b'=', value @ ..] => {
                wrong_byte(value, at + field.len() - value.len(), SchemeProduction::FieldValue, |byte| {
                    matches!(byte, b'/' | b'=')
                })
            }
            _ => Some(SchemeFinding::new(at + field.len(), 0, SchemeProduction::FieldSpec, SchemeRule::NoEquals)),
        })
    })
}
