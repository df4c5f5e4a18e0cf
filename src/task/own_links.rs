//! Links to the own host that do not become relative by one of the RFCs, but by WHATWG: it gives `https://a` and `http://A/b`
//! a path and the host of the base, and removes the dots of `/b/../c`.

use super::inverse::{Inverse, ReferenceForm};
use crate::record::{Bases, Record, StandardBase};
use crate::spec::Spec;

/// Counts such links.
pub struct OwnLinks {
    inverse: Inverse,
    url: Vec<u8>,
    pub count: u64,
}

impl OwnLinks {
    pub fn new() -> Self {
        OwnLinks { inverse: Inverse::new(Spec::Whatwg), url: Vec::new(), count: 0 }
    }

    /// Counts a link with an absolute URL or path if WHATWG makes it relative to the URL of its document. `first`: no form is
    /// shorter.
    pub fn add(&mut self, record: &Record<'_>, bases: &Bases<'_>, first: ReferenceForm) {
        let hosts = [record.reference, bases.given].map(|url| Spec::Rfc1808.scheme_and_authority(url).1);
        if let [Some(host), Some(own)] = hosts
            && host != own
            && is_plain(host)
            && is_plain(own)
        {
            return; // most links to other hosts
        }
        let own = Bases::same(bases.id, StandardBase::new(bases.given, None));
        let (reference, encoding) = (record.decoded(), record.encoding());
        self.url.clear();
        if self.inverse.resolver.resolve(&own, encoding, &reference, &mut self.url).is_ok() {
            let form = self.inverse.reference(&own, encoding, &self.url, first);
            self.count += u64::from(form.is_some_and(|(form, _)| form < ReferenceForm::Root));
        }
    }
}

/// Whether WHATWG writes a host as it is, but for a number.
fn is_plain(host: &[u8]) -> bool {
    host.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
}
