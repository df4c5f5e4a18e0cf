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
use crate::resolver::grammar::is_reserved;
use crate::resolver::{Parts, parts::cut};

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
    /// Note: CR and LF as escapes, where the protocol has lines (RFC 1738 §6).
    LineEnd,
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
        use SchemeRule::{Directory, EmptyUser, LineEnd, QuestionMark, Search, Secret, Wider};
        matches!(self, EmptyUser | Secret | Directory | QuestionMark | Wider | Search | LineEnd)
    }
}

/// The first violation in a part of a URL, if there is one.
type Verdict = Result<(), SchemeFinding>;

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
    /// Checks what follows the net_loc, up to the fragment. All that §2.2 allows is
    /// RFC 1738 §5 `hpath`, `search` and `gopherurl`.
    rest: fn(&[u8]) -> Verdict,
}

/// The schemes of RFC 1738.
const SCHEMES: &[Scheme] = &[
    Scheme { name: b"http", production: SchemeProduction::HttpUrl, net_loc: NetLoc::HostPort, rest: |_| Ok(()) },
    // RFC 2818 §2.4
    Scheme { name: b"https", production: SchemeProduction::HttpUrl, net_loc: NetLoc::HostPort, rest: |_| Ok(()) },
    Scheme { name: b"ftp", production: SchemeProduction::FtpUrl, net_loc: NetLoc::Login, rest: ftp },
    Scheme { name: b"file", production: SchemeProduction::FileUrl, net_loc: NetLoc::Host, rest: file },
    Scheme { name: b"gopher", production: SchemeProduction::GopherUrl, net_loc: NetLoc::HostPort, rest: |_| Ok(()) },
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
pub fn is_common(scheme: &[u8]) -> bool {
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
    let rest = |start| (scheme.rest)(&text[start..end]).map_err(|violation| violation.after(start));
    let checked = match url.net_loc {
        _ if scheme.net_loc == NetLoc::Absent => [Ok(()), Ok(()), Ok(()), rest(colon)],
        None => [missing(colon, scheme.production, SchemeRule::NoSlashes), Ok(()), Ok(()), Ok(())],
        Some(net_loc) => {
            let after = |violation: SchemeFinding| violation.after(start - net_loc.len());
            let [login, host, port] = scheme.check_net_loc(net_loc).map(|checked| checked.map_err(after));
            [login, host, port, rest(start)]
        }
    };
    checked.map(Result::err)
}

impl Scheme {
    /// Checks each part of a net_loc: login, host and port.
    fn check_net_loc(&self, net_loc: &[u8]) -> [Verdict; 3] {
        let Login { user, password, host, port } = Login::divide(net_loc);
        let host_end = net_loc.len() - port.map_or(0, |port| port.len() + 1);
        let start = host_end - host.len();
        let login = match user {
            None => Ok(()),
            Some(user) if self.net_loc == NetLoc::Login => no_delimiter(user, 0, SchemeProduction::User)
                // RFC 1738 §3.1
                .and_then(|()| no_delimiter(password.unwrap_or_default(), user.len() + 1, SchemeProduction::Password)),
            Some(_) => Err(SchemeFinding::new(0, start, self.production, SchemeRule::Login)), // RFC 1738 §3.3
        };
        let checked_host = match host {
            b"" if self.net_loc == NetLoc::Host => Ok(()),
            _ => hostname(host).map_err(|violation| violation.after(start)),
        };
        let port = match port {
            None => Ok(()),
            Some(port) if self.net_loc == NetLoc::Host => {
                Err(SchemeFinding::new(host_end, port.len() + 1, self.production, SchemeRule::Port))
            }
            // "If the port is omitted, the colon is as well" (RFC 1738 §3.1)
            Some(port) => digits(port, host_end + 1, SchemeProduction::Port),
        };
        [login, checked_host, port]
    }
}

/// Checks the bytes of a part. `start` is the offset of the part.
fn check_bytes(part: &[u8], start: usize, production: SchemeProduction, is_wrong: impl Fn(u8) -> bool) -> Verdict {
    match part.iter().position(|&byte| is_wrong(byte)) {
        Some(at) => Err(SchemeFinding::new(start + at, 1, production, SchemeRule::Byte)),
        None => Ok(()),
    }
}

/// Checks that a user name or a password has no byte that must be an escape.
fn no_delimiter(part: &[u8], start: usize, production: SchemeProduction) -> Verdict {
    check_bytes(part, start, production, |byte| matches!(byte, b':' | b'@'))
        .map_err(|violation| SchemeFinding { rule: SchemeRule::Delimiter, ..violation })
}

/// RFC 1738 §5 `digits`
fn digits(part: &[u8], start: usize, production: SchemeProduction) -> Verdict {
    match part {
        [] => missing(start, production, SchemeRule::Empty),
        _ => check_bytes(part, start, production, |byte| !byte.is_ascii_digit()),
    }
}

/// The violation of something that is missing.
fn missing(at: usize, production: SchemeProduction, rule: SchemeRule) -> Verdict {
    Err(SchemeFinding::new(at, 0, production, rule))
}

/// RFC 1738 §5 `host`: labels of which the last does not begin with a digit, or four numbers.
fn hostname(host: &[u8]) -> Verdict {
    if host.is_empty() {
        return missing(0, SchemeProduction::HostPort, SchemeRule::Empty);
    }
    let (mut start, mut labels, mut last) = (0, 0, host);
    for label in host.split(|&byte| byte == b'.') {
        let is_last = start + label.len() == host.len();
        let production = if is_last { SchemeProduction::TopLabel } else { SchemeProduction::DomainLabel };
        match label {
            [] => return missing(start, production, SchemeRule::Empty),
            [b'-', ..] => return Err(SchemeFinding::new(start, 1, production, SchemeRule::Begin)),
            _ => check_bytes(label, start, SchemeProduction::DomainLabel, |byte| {
                !(byte.is_ascii_alphanumeric() || byte == b'-')
            })?,
        }
        if label.ends_with(b"-") {
            return Err(SchemeFinding::new(start + label.len() - 1, 1, production, SchemeRule::End));
        }
        (start, labels, last) = (start + label.len() + 1, labels + 1, label);
    }
    let is_number = host.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.'));
    match last {
        _ if is_number && labels == 4 => Ok(()),
        _ if is_number => Err(SchemeFinding::new(0, host.len(), SchemeProduction::HostNumber, SchemeRule::HostNumber)),
        [b'0'..=b'9', ..] => {
            let start = host.len() - last.len();
            Err(SchemeFinding::new(start, 1, SchemeProduction::TopLabel, SchemeRule::Begin)) // RFC 1738 §3.1
        }
        _ => Ok(()),
    }
}

/// RFC 1738 §5 `[ "/" fpath [ ";type=" ftptype ]]`
fn ftp(rest: &[u8]) -> Verdict {
    let rest = cut(rest, b'?').0;
    let Some(params) = cut(rest, b';').1 else { return Ok(()) };
    let start = rest.len() - params.len();
    match params.strip_prefix(b"type=") {
        None => Err(SchemeFinding::new(start, params.len(), SchemeProduction::FtpUrl, SchemeRule::NoType)),
        Some([]) => missing(rest.len(), SchemeProduction::FtpType, SchemeRule::Empty),
        Some([b'A' | b'I' | b'D' | b'a' | b'i' | b'd']) => Ok(()),
        Some(name) => Err(SchemeFinding::new(start + 5, name.len(), SchemeProduction::FtpType, SchemeRule::Type)),
    }
}

/// RFC 1738 §5 `"/" fpath`
fn file(rest: &[u8]) -> Verdict {
    if rest.is_empty() { missing(0, SchemeProduction::FileUrl, SchemeRule::NoSlash) } else { Ok(()) }
}

/// RFC 1738 §5 `encoded822addr`
fn mailto(rest: &[u8]) -> Verdict {
    if rest.is_empty() { missing(0, SchemeProduction::Address, SchemeRule::Empty) } else { Ok(()) }
}

/// RFC 1738 §5 `[ "/" ]`
fn telnet(rest: &[u8]) -> Verdict {
    match rest {
        [] | [_] => Ok(()),
        [_, path @ ..] => Err(SchemeFinding::new(1, path.len(), SchemeProduction::TelnetUrl, SchemeRule::Path)),
    }
}

/// RFC 1738 §5 `grouppart`
fn news(rest: &[u8]) -> Verdict {
    match (rest, memchr(b'@', rest)) {
        (b"*", _) => Ok(()),
        (b"", _) => missing(0, SchemeProduction::GroupPart, SchemeRule::Empty),
        (_, Some(0)) => missing(0, SchemeProduction::Article, SchemeRule::Empty),
        (_, Some(at)) => hostname(&rest[at + 1..]).map_err(|violation| violation.after(at + 1)),
        ([b'/', b'/', ..], None) => Err(SchemeFinding::new(0, 2, SchemeProduction::NewsUrl, SchemeRule::Slashes)),
        ([b'*', _, ..], None) => Err(SchemeFinding::new(1, 1, SchemeProduction::GroupPart, SchemeRule::Byte)),
        (_, None) => group(rest, 0),
    }
}

/// RFC 1738 §5 `group`
fn group(text: &[u8], start: usize) -> Verdict {
    let is_wrong = |byte: u8| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+' | b'_'));
    match text {
        [] => missing(start, SchemeProduction::Group, SchemeRule::Empty),
        [first, ..] if !first.is_ascii_alphabetic() => {
            Err(SchemeFinding::new(start, 1, SchemeProduction::Group, SchemeRule::Begin))
        }
        _ => check_bytes(text, start, SchemeProduction::Group, is_wrong),
    }
}

/// RFC 1738 §5 `"/" group [ "/" digits ]`
fn nntp(rest: &[u8]) -> Verdict {
    let rest = cut(cut(rest, b'?').0, b';').0;
    let [b'/', text @ ..] = rest else { return missing(0, SchemeProduction::NntpUrl, SchemeRule::NoSlash) };
    let (name, number) = cut(text, b'/');
    group(name, 1)?;
    number.map_or(Ok(()), |number| digits(number, rest.len() - number.len(), SchemeProduction::Digits))
}

/// RFC 1738 §5 `waisdatabase`, `waisindex` and `waisdoc`, after the host
fn wais(rest: &[u8]) -> Verdict {
    let [b'/', text @ ..] = rest else { return missing(0, SchemeProduction::WaisUrl, SchemeRule::NoSlash) };
    let end = 1 + memchr2(b'/', b'?', text).unwrap_or(text.len());
    check_bytes(&rest[1..end], 1, SchemeProduction::Database, is_reserved)?;
    let [b'/', document @ ..] = &rest[end..] else { return Ok(()) };
    let (name, path) = cut(document, b'/');
    check_bytes(name, end + 1, SchemeProduction::WaisType, is_reserved)?;
    match path {
        None => missing(rest.len(), SchemeProduction::WaisDoc, SchemeRule::NoSlash),
        Some(path) => check_bytes(path, rest.len() - path.len(), SchemeProduction::WaisPath, is_reserved),
    }
}

/// RFC 1738 §5 `"/" ppath *[ fieldspec ]`
fn prospero(rest: &[u8]) -> Verdict {
    if rest.is_empty() {
        return missing(0, SchemeProduction::ProsperoUrl, SchemeRule::NoSlash);
    }
    let (path, mut fields) = cut(rest, b';');
    let mut start = path.len() + 1;
    while let Some(rest) = fields {
        let (field, next) = cut(rest, b';');
        let (name, value) = cut(field, b'=');
        check_bytes(name, start, SchemeProduction::FieldName, |byte| byte == b'/')?;
        let Some(value) = value else {
            return missing(start + name.len(), SchemeProduction::FieldSpec, SchemeRule::NoEquals);
        };
        check_bytes(value, start + name.len() + 1, SchemeProduction::FieldValue, |byte| matches!(byte, b'/' | b'='))?;
        (start, fields) = (start + field.len() + 1, next);
    }
    Ok(())
}
