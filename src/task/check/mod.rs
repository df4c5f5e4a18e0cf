//! Checks each record against the grammar of §2.2, and against that of RFC 1738; `by_spec` by other standards.

pub mod by_spec;
mod finding;
mod findings;
mod report;
mod scheme;

use std::io;

use self::finding::Finding;
use self::findings::{Checked, Findings, FullUrl};
use self::report::Report;
use super::format::{Format, InputFormat};
use super::{Task, pass_block};
use crate::fast::sieve::{Law, Sieve};
use crate::input::Block;
use crate::output::Writer;
use crate::record::{Bases, Record};
use crate::resolver::{Base, Step, resolve};
use crate::spec::Spec;

/// The note about a reference with the scheme of its base (§5.2), which an explanation has too.
pub fn note_of_repeated_scheme(scheme: &[u8]) -> String {
    let (what, fix) = Finding::RepeatedScheme(scheme).describe(b"");
    format!("{what} (§5.2); {fix}")
}

/// Checks each record against the grammar of §2.2.
pub struct Check {
    /// Whether URLs are also checked against RFC 1738.
    schemes: bool,
    report: Report,
    /// What skips legal records, of which nothing is written.
    sieve: Option<Sieve>,
    /// Whether the sieve may be used with the base.
    is_sieved: bool,
    /// Scratch space for the path of step 6.
    path: Vec<u8>,
    /// Scratch space for the URL that a reference is resolved to.
    url: Vec<u8>,
}

impl Check {
    /// A task that checks records. `schemes`: also against RFC 1738.
    pub fn new(schemes: bool, format: Format, records: InputFormat) -> Self {
        let InputFormat { terminator, pairs } = records;
        let law = if schemes { Law::LegalInHttp } else { Law::Legal };
        let has_no_sieve = format.is_json() || schemes && pairs;
        let sieve = (!has_no_sieve).then(|| Sieve::new(law, terminator, pairs, false));
        let report = Report::new(Spec::Rfc1808, format);
        Check { schemes, report, sieve, is_sieved: true, path: Vec::new(), url: Vec::new() }
    }

    /// Resolves a reference whose full URL is checked too: one without a scheme that is not empty.
    fn resolve(&mut self, base: Base<'_>, reference: &Checked<'_>) -> Option<Step> {
        if !self.schemes || reference.text.is_empty() || reference.parts.scheme.is_some() {
            return None;
        }
        let resolved = resolve(&base, reference.text, &mut self.path, |_| ()).ok()?;
        self.url.clear();
        resolved.write(|piece| self.url.extend_from_slice(piece));
        Some(resolved.step)
    }
}

impl Task for Check {
    fn base(&mut self, bases: &Bases<'_>, out: &mut Writer) {
        let base = bases.of(Spec::Rfc1808);
        self.is_sieved = !self.schemes || Checked::base(base.text, true).is_clean_http();
        if self.report.is_new_base(bases.id) {
            let mut findings = Findings::default();
            let found = base.origin.map(|origin| origin.found);
            findings.add_base(&Checked::base(base.text, self.schemes), found.as_ref());
            self.report.base(&findings, base, out);
        }
    }

    fn block(&mut self, block: &mut Block<'_>, _: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        let sieve = self.sieve.as_mut().filter(|_| self.is_sieved);
        self.report.records += sieve.map_or(0, |sieve| pass_block(sieve, block, out));
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        let base = bases.of(Spec::Rfc1808);
        let Some(start) = self.report.begin(record, base, out) else { return Ok(false) };
        let sieve = self.sieve.as_mut().filter(|_| self.is_sieved && record.link.is_some());
        if sieve.is_some_and(|sieve| sieve.skips(record.reference)) {
            return Ok(true);
        }
        let reference = Checked::reference(record.reference, start, self.schemes);
        let parsed = base.parsed.unwrap_or_default();
        let step = self.resolve(parsed, &reference);
        let mut findings = Findings::default();
        if start > 0 {
            findings.add_base(&Checked::base(base.text, self.schemes), None);
        }
        findings.add_reference(&reference, &parsed, step.map(|step| FullUrl { url: &self.url, step }));
        Ok(self.report.record(&findings, record, base, out))
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        self.report.finish(self.schemes, out);
        Ok(())
    }

    fn failed(&self) -> &'static str {
        "illegal"
    }
}
