//! Links to the own host that do not become relative by one of the RFCs, but by WHATWG: it gives `https://a` and
//! `http://A/b` a path and the host of the base, and removes the dots of `/b/../c`.

use super::inverse::{Inverse, ReferenceForm};
use crate::record::{BaseId, Bases, Record, StandardBase};
use crate::spec::Spec;

/// Counts such links.
pub struct OwnLinks {
    inverse: Inverse,
    /// The own host, if WHATWG writes it as it is, and the base that has it.
    host: Option<(BaseId, Option<Vec<u8>>)>,
    url: Vec<u8>,
    pub count: u64,
}

impl Default for OwnLinks {
    fn default() -> Self {
        OwnLinks { inverse: Inverse::new(Spec::Whatwg), host: None, url: Vec::new(), count: 0 }
    }
}

impl OwnLinks {
    /// Counts a link with an absolute URL or path if WHATWG makes it relative to the URL of its document. `first`: no
    /// form is shorter.
    pub fn add(&mut self, record: &Record<'_>, bases: &Bases<'_>, first: ReferenceForm) {
        let host_of = |url| Spec::Rfc1808.scheme_and_authority(url).1.filter(|host| is_plain(host));
        self.host.take_if(|(id, _)| *id != bases.id);
        let (_, own) = self.host.get_or_insert_with(|| (bases.id, host_of(bases.given).map(<[u8]>::to_vec)));
        if let (Some(own), Some(host)) = (own, host_of(record.reference))
            && host != *own
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
