//! Checks each record by another standard than RFC 1808: by the grammar of a `URI-reference` in RFC 3986, or for
//! validation errors of the URL Standard.

use std::{io, slice};

use super::findings::{Checked, Findings};
use super::report::Report;
use crate::fast::sieve::{Law, Sieve};
use crate::input::Block;
use crate::output::Writer;
use crate::record::{BaseId, Bases, Record, StandardBase};
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;
use crate::spec::rfc3986::divide;
use crate::strip::{after_blanks, without_breaks};
use crate::task::format::{Format, InputFormat};
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
    /// The base of references by the URL Standard.
    base: (Option<BaseId>, PreparedBase),
    /// Whether that is not the base of the records, which cannot be used.
    is_any_base: bool,
    /// No base, that of bases.
    no_base: PreparedBase,
}

impl CheckBySpec {
    /// A task that checks records by `spec`.
    pub fn new(spec: Spec, format: Format, records: InputFormat) -> Self {
        let InputFormat { terminator, pairs } = records;
        let sieve = (!format.is_json()).then(|| Sieve::new(Law::LegalByAll, terminator, pairs, false));
        let [base, no_base] = [ANY_BASE, b""].map(|text| PreparedBase::new(spec, text));
        let report = Report::new(spec, format);
        CheckBySpec { spec, report, sieve, is_sieved: true, base: (None, base), is_any_base: false, no_base }
    }

    /// Parses the base of the next references.
    fn set_base(&mut self, bases: &Bases<'_>) {
        if self.spec == Spec::Whatwg && self.base.0 != Some(bases.id) {
            let text = bases.of(self.spec).text;
            let own = PreparedBase::new(self.spec, text);
            self.is_any_base = text.is_empty() || !own.is_usable();
            self.base = (Some(bases.id), if self.is_any_base { PreparedBase::new(self.spec, ANY_BASE) } else { own });
        }
    }

    fn add<'a>(&self, checked: &Checked<'a>, base: &PreparedBase, findings: &mut Findings<'a>) {
        match self.spec {
            Spec::Whatwg => findings.add_url_errors(checked, base),
            _ => findings.add_flaws(checked),
        }
    }

    /// The base of a reference by the URL Standard. A scheme is not that of a base that is not there.
    fn around(&self, reference: &[u8]) -> &PreparedBase {
        if self.is_any_base && has_scheme(reference) { &self.no_base } else { &self.base.1 }
    }

    /// What is found about a base.
    fn of_base<'a>(&self, text: &'a [u8]) -> Findings<'a> {
        let mut findings = Findings::default();
        if !text.is_empty() {
            self.add(&Checked::base(text, false), &self.no_base, &mut findings);
        }
        findings
    }

    /// Checks a base that the user gave. One that a document has in its text is checked as it is written there.
    fn check_given(&mut self, bases: &Bases<'_>, out: &mut Writer) {
        let base = bases.of(self.spec);
        if base.place().is_none() && self.report.is_new_base(bases.id) {
            let findings = self.of_base(base.text);
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

    fn base(&mut self, bases: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        self.set_base(bases);
        // a base whose path is opaque has an error in each relative reference
        self.is_sieved = self.base.1.resolve(b"x", &mut Vec::new()).is_ok();
        self.check_given(bases, out);
        Ok(())
    }

    fn written_base(&mut self, base: &StandardBase<'_>, around: &Bases<'_>, out: &mut Writer) {
        if !has_scheme(base.text) {
            self.check_given(around, out);
        }
        self.set_base(around);
        let mut findings = Findings::default();
        self.add(&Checked::written_base(base.text), self.around(base.text), &mut findings);
        self.report.base(&findings, base, out);
    }

    fn block(&mut self, block: &mut Block<'_>, out: &mut Writer) -> io::Result<()> {
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
        self.set_base(bases);
        let mut findings = if start > 0 { self.of_base(base.text) } else { Findings::default() };
        self.add(&Checked::reference(record.reference, start, false), self.around(record.reference), &mut findings);
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
