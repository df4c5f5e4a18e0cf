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

use super::host::reach;
use crate::spec::prepared::{PreparedBase, spell_host};
use crate::spec::{NoAnswer, Spec};

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
    /// is allowed; nothing if it is. Where the standards disagree, nothing is allowed.
    pub fn departures(&self, answers: [Option<&[u8]>; 3], allowed: &[Allowed]) -> Vec<Departure> {
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
        departures
    }
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
    /// The standards that say so.
    pub standards: Vec<Spec>,
    /// Whether every standard with an answer says so.
    pub is_agreed: bool,
}
