//! Checks each record by another standard than RFC 1808: by the grammar of a `URI-reference` in RFC 3986, or for
//! validation errors of the URL Standard.

use std::{io, slice};

use super::findings::{Checked, Findings};
use super::report::Report;
use crate::fast::sieve::{Law, Sieve};
use crate::input::Block;
use crate::output::Writer;
use crate::record::{Bases, Record, StandardBase};
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;
use crate::spec::rfc3986::divide;
use crate::strip::{after_blanks, without_breaks};
use crate::task::format::{Format, InputFormat};
use crate::task::standards::OneStandard;
use crate::task::{Task, pass_block};

/// The base of relative references without one that can be used: that no base is there is no violation of theirs.
const ANY_BASE: &[u8] = b"https://x/";

/// Checks each record by another standard than RFC 1808.
pub struct CheckBySpec {
    spec: Spec,
    report: Report,
    /// What skips legal records, of which nothing is written.
    sieve: Option<Sieve>,
    /// Whether the sieve may be used with the base.
    is_sieved: bool,
    /// Parses the base of references.
    resolver: OneStandard,
    /// What is in place of one that is missing or cannot be used.
    any_base: PreparedBase,
    /// No base, that of bases.
    no_base: PreparedBase,
}

impl CheckBySpec {
    /// A task that checks records by `spec`.
    pub fn new(spec: Spec, format: Format, records: InputFormat) -> Self {
        let InputFormat { terminator, pairs } = records;
        let sieve = (!format.is_json()).then(|| Sieve::new(Law::LegalByAll, terminator, pairs, false));
        let [any_base, no_base] = [ANY_BASE, b""].map(|text| PreparedBase::new(spec, text));
        let (report, resolver) = (Report::new(spec, format), OneStandard::new(spec));
        CheckBySpec { spec, report, sieve, is_sieved: true, resolver, any_base, no_base }
    }

    /// Adds what is found in a text with some bases, or with no base.
    fn add<'a>(&mut self, checked: &Checked<'a>, bases: Option<&Bases<'_>>, findings: &mut Findings<'a>) {
        match (self.spec, bases) {
            (Spec::Whatwg, Some(bases)) => findings.add_url_errors(checked, self.around(bases, checked.text)),
            (Spec::Whatwg, None) => findings.add_url_errors(checked, &self.no_base),
            _ => findings.add_flaws(checked),
        }
    }

    /// The base of a reference by the URL Standard. A scheme is not that of a base that is not there.
    fn around<'a>(&'a mut self, bases: &Bases<'a>, reference: &[u8]) -> &'a PreparedBase {
        match self.resolver.base(bases) {
            base if base.is_usable() && !bases.of(self.spec).text.is_empty() => base,
            _ if has_scheme(reference) => &self.no_base,
            _ => &self.any_base,
        }
    }

    /// Adds what is found about a base.
    fn add_base<'a>(&mut self, text: &'a [u8], findings: &mut Findings<'a>) {
        if !text.is_empty() {
            self.add(&Checked::base(text, false), None, findings);
        }
    }

    /// Checks a base that the user gave. One that a document has in its text is checked as it is written there.
    fn check_given(&mut self, bases: &Bases<'_>, out: &mut Writer) {
        let base = bases.of(self.spec);
        if base.place().is_none() && self.report.is_new_base(bases.id) {
            let mut findings = Findings::default();
            self.add_base(base.text, &mut findings);
            self.report.base(&findings, base, out);
        }
    }
}

/// Whether a text has a scheme by the URL Standard, which ignores white space before it and breaks in it.
fn has_scheme(text: &[u8]) -> bool {
    divide(&without_breaks(after_blanks(text))).scheme.is_some()
}

impl Task for CheckBySpec {
    fn standards(&self) -> &[Spec] {
        slice::from_ref(&self.spec)
    }

    fn base(&mut self, bases: &Bases<'_>, out: &mut Writer) {
        // a base whose path is opaque has an error in each relative reference
        self.is_sieved = self.spec != Spec::Whatwg || self.around(bases, b"").resolve(b"//x", &mut Vec::new()).is_ok();
        self.check_given(bases, out);
    }

    fn written_base(&mut self, base: &StandardBase<'_>, around: &Bases<'_>, out: &mut Writer) {
        if !has_scheme(base.text) {
            self.check_given(around, out);
        }
        let mut findings = Findings::default();
        self.add(&Checked::written_base(base.text), Some(around), &mut findings);
        self.report.base(&findings, base, out);
    }

    fn block(&mut self, block: &mut Block<'_>, _: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        let sieve = self.sieve.as_mut().filter(|_| self.is_sieved);
        self.report.records += sieve.map_or(0, |sieve| pass_block(sieve, block, out));
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        let base = bases.of(self.spec);
        let Some(start) = self.report.begin(record, base, out) else { return Ok(false) };
        let sieve = self.sieve.as_mut().filter(|_| self.is_sieved && record.link.is_some());
        if sieve.is_some_and(|sieve| sieve.skips(record.reference)) {
            return Ok(true);
        }
        let mut findings = Findings::default();
        if start > 0 {
            self.add_base(base.text, &mut findings);
        }
        self.add(&Checked::reference(record.reference, start, false), Some(bases), &mut findings);
        Ok(self.report.record(&findings, record, base, out))
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        self.report.finish(false, out);
        Ok(())
    }

    fn failed(&self) -> &'static str {
        "illegal"
    }
}
