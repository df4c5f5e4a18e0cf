//! Why it is not certain that a reference stays on the host of a URL.
//!
//! For example, with the URL `https://example.com/docs/`:
//!
//! | reference | answers | departures |
//! |---|---|---|
//! | `//user@EXAMPLE.com:8080` | the host `example.com` by all standards | |
//! | `/\evil.com` | `example.com` by RFC 1808, no answer by RFC 3986, `evil.com` by WHATWG | [`Target::Host`] |
//! | `javascript://example.com/%0aalert(1)` | the host is decoration | [`Target::Scheme`] |
//! | `/\evil.com:x` | WHATWG has none; what other programs do is not known | [`Target::Unknown`] |
//! | `///example.com\@evil.com` | `example.com`, none by RFC 3986, but see [`hosts_if_trimmed`] | [`Target::Host`] |

use std::iter;

use memchr::memchr;

use super::host::{reach, spell};
use crate::resolver::parts::cut;
use crate::rfc1738::login::Login;
use crate::spec::prepared::{PreparedBase, spell_host};
use crate::spec::{NoAnswer, Spec};
use crate::strip::without_breaks;

/// The schemes that a reference may change to: those of the web, in all of which the host is a host.
pub const WEB: &[&[u8]] = &[b"http", b"https", b"ws", b"wss", b"ftp"];

/// The scheme and the host that references stay on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnHost {
    /// In lower case.
    pub scheme: Vec<u8>,
    /// As the URL Standard writes it.
    pub host: Vec<u8>,
}

/// Why a URL has no host that references can stay on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOwnHost {
    /// There is no URL.
    NoUrl,
    /// The URL Standard cannot parse it.
    NoAnswer(NoAnswer),
    /// It has no host.
    NoHost,
    /// The hosts that the standards read in it, in the order of [`Spec::ALL`].
    Ambiguous([Option<Vec<u8>>; 3]),
}

impl OwnHost {
    /// The host of a URL.
    ///
    /// # Errors
    /// It has none, or not the same by all standards.
    pub fn of(url: &[u8]) -> Result<Self, NoOwnHost> {
        if url.is_empty() {
            return Err(NoOwnHost::NoUrl);
        }
        let answers = Spec::ALL.map(|spec| {
            let (base, mut answer) = (PreparedBase::new(spec, url), Vec::new());
            base.resolve(b"", &mut answer).map(|()| answer)
        });
        let reached = Spec::ALL.map(|spec| answers[spec as usize].as_ref().ok().map(|url| reach(spec, url)));
        let mut read = reached.iter().flatten();
        let Some((scheme, host)) = read.next() else { return Err(NoOwnHost::NoHost) };
        if read.any(|other| other.1 != *host) {
            return Err(NoOwnHost::Ambiguous(reached.map(|read| read.and_then(|(_, host)| host))));
        }
        match (host, &answers[2]) {
            (None, _) => Err(NoOwnHost::NoHost),
            (_, Err(why)) => Err(NoOwnHost::NoAnswer(*why)),
            (Some(host), Ok(_)) => Ok(OwnHost { scheme: scheme.clone(), host: host.clone() }),
        }
    }

    /// Why it is not certain that a reference with these answers, in the order of [`Spec::ALL`], stays or reaches what
    /// is allowed; nothing if it is. Where the standards disagree, nothing is allowed. `references`: it as it is in a
    /// document and decoded.
    pub fn departures(
        &self,
        references: [&[u8]; 2],
        answers: [Option<&[u8]>; 3],
        allowed: &[Allowed],
    ) -> Vec<Departure> {
        let mut departures: Vec<Departure> = Vec::new();
        for (spec, answer) in Spec::ALL.iter().zip(answers) {
            let Some((scheme, host)) = answer.map(|url| reach(*spec, url)) else { continue };
            let what = match host {
                _ if scheme != self.scheme && !WEB.contains(&&*scheme) => Target::Scheme(scheme),
                Some(host) if host == self.host => continue,
                host => Target::Host(host),
            };
            match departures.iter_mut().find(|departure| departure.to == what) {
                Some(departure) => departure.standards.push(*spec),
                None => departures.push(Departure { to: what, standards: vec![*spec], is_agreed: false }),
            }
        }
        if answers[2].is_none() {
            departures.push(Departure { to: Target::Unknown, standards: vec![Spec::Whatwg], is_agreed: false });
        }
        if let [only] = &mut departures[..] {
            only.is_agreed = only.standards.len() == answers.iter().flatten().count();
        }
        let is_foreign = |departure: &Departure| !allowed.iter().any(|allowed| allowed.admits(&departure.to));
        if departures.iter().any(is_foreign) || departures.iter().all(|departure| departure.is_agreed) {
            departures.retain(is_foreign);
        }
        let [reference, decoded] = references;
        let texts = iter::once(reference).chain((decoded != reference).then_some(decoded));
        for host in texts.flat_map(|text| hosts_if_trimmed(&self.scheme, text)) {
            let is_own = host == self.host;
            let departure = Departure { to: Target::Host(Some(host)), standards: Vec::new(), is_agreed: false };
            if !is_own && is_foreign(&departure) && departures.iter().all(|known| known.to != departure.to) {
                departures.push(departure);
            }
        }
        departures
    }
}

/// The hosts of a reference for programs that trim it, take slashes of either kind at its beginning for two, however
/// many, and a later backslash for a part of a user. Some look for the user up to a `?` or `#`, others beyond it. The
/// scheme is that of the base.
///
/// | reference | hosts |
/// |---|---|
/// | `///own.example\@evil.test/` | `evil.test` |
/// | ` /`, TAB, `\evil.test:80 ` | `evil.test` |
/// | `HTTP:/own.example?@evil.test/` | `own.example` and `evil.test` |
/// | `//own.example/@evil.test` | `own.example` |
/// | `//own.example:80\[::1]` | `own.example:80\[::1]`, as that is no port |
/// | `/own.example` | |
pub fn hosts_if_trimmed(scheme: &[u8], reference: &[u8]) -> Vec<Vec<u8>> {
    let text = without_breaks(reference);
    let is_text = |byte: &u8| *byte > b' ';
    let end = text.iter().rposition(is_text).map_or(0, |last| last + 1);
    let text = &text[text.iter().position(is_text).unwrap_or(end)..end];
    let (scheme, rest, least) = match cut(text, b':') {
        (name, Some(rest)) if WEB.iter().any(|web| name.eq_ignore_ascii_case(web)) => (name, rest, 1),
        _ => (scheme, text, 2),
    };
    let slashes = rest.iter().take_while(|byte| matches!(byte, b'/' | b'\\')).count();
    if slashes < least {
        return Vec::new();
    }
    let [short, long] = [&b"/?#"[..], b"/"].map(|ends| until(&rest[slashes..], ends));
    let host = |net_loc: &[u8]| {
        let hostport = until(net_loc.rsplit(|byte| *byte == b'@').next()?, b"?#");
        let Login { host, port, .. } = Login::divide(hostport);
        let is_port = memchr(b'\\', port.unwrap_or_default()).is_none();
        spell(Some((scheme, if is_port { host } else { hostport })))
    };
    iter::once(short).chain((long != short).then_some(long)).filter_map(host).collect()
}

/// A text up to the first of these bytes.
fn until<'a>(text: &'a [u8], ends: &[u8]) -> &'a [u8] {
    &text[..text.iter().position(|byte| ends.contains(byte)).unwrap_or(text.len())]
}

/// What references may reach besides the host of their base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// A host, as the URL Standard writes it.
    Host(String),
    /// Every host below this domain, at any depth, but not the domain itself.
    Below(String),
    /// A scheme in lower case, whatever follows it. It is none of [`WEB`], and where it is the base's, it has no
    /// effect.
    Scheme(String),
}

impl Allowed {
    /// Whether references may lead there.
    pub fn admits(&self, to: &Target) -> bool {
        match (self, to) {
            (Allowed::Host(own), Target::Host(Some(host))) => own.as_bytes() == host,
            (Allowed::Below(domain), Target::Host(Some(host))) => {
                let below = host.strip_suffix(domain.as_bytes()).and_then(|below| below.strip_suffix(b"."));
                // one that WHATWG refuses is no domain, whatever its end
                below.is_some_and(|below| below.split(|byte| *byte == b'.').all(|label| !label.is_empty()))
                    && spell_host(b"http", host).is_some_and(|spelled| spelled.as_bytes() == host)
            }
            (Allowed::Scheme(own), Target::Scheme(scheme)) => own.as_bytes() == scheme,
            _ => false,
        }
    }
}

/// Where a reference may lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Another host, or none.
    Host(Option<Vec<u8>>),
    /// A scheme that is neither the URL's own nor one of the web. Its host, if any, may mean nothing.
    Scheme(Vec<u8>),
    /// The standard has no answer.
    Unknown,
}

impl Target {
    /// Its code in JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Target::Host(_) => "host",
            Target::Scheme(_) => "scheme",
            Target::Unknown => "no-answer",
        }
    }
}

/// Why it is not certain that a reference stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    pub to: Target,
    /// The standards that say so. If it has none and is not agreed, only programs that trim references say so.
    pub standards: Vec<Spec>,
    /// Whether every standard with an answer says so.
    pub is_agreed: bool,
}

#[cfg(test)]
mod tests;
