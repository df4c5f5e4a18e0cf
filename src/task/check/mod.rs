//! Checks each record against the grammar of §2.2, and against that of RFC 1738.

mod character;
mod finding;
mod findings;
mod scheme;

use std::collections::BTreeSet;
use std::io;
use std::mem;

use self::finding::Finding;
use self::findings::{Answer, Checked, Findings, LocatedFinding};
use super::format::{Format, InputFormat};
use super::{Task, pass_block};
use crate::fast::sieve::{Law, Sieve};
use crate::input::Block;
use crate::output::Writer;
use crate::output::json::{self, Object};
use crate::output::location::{Location, Shortened};
use crate::record::{BaseId, Bases, Failure, Record, StandardBase};
use crate::resolver::{Base, Step, resolve};
use crate::spec::Spec;

/// The note about a reference with the scheme of its base (§5.2), which an explanation has too.
pub fn note_of_repeated_scheme(scheme: &[u8]) -> String {
    let (what, fix) = Finding::RepeatedScheme(scheme).describe(b"");
    format!("{what} (§5.2); {fix}")
}

/// A number and what it counts.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Checks each record against the grammar of §2.2.
pub struct Check {
    /// Whether URLs are also checked against RFC 1738.
    schemes: bool,
    /// How findings are written.
    format: Format,
    /// Whether each record has its own base.
    pairs: bool,
    /// What skips legal records, of which nothing is written.
    sieve: Option<Sieve>,
    /// Whether the sieve may be used with the base.
    is_sieved: bool,
    /// The bases that have been checked.
    checked: BTreeSet<BaseId>,
    /// Whether the findings about the base of the command line have been written.
    has_named_base: bool,
    /// What was counted so far.
    counts: Counts,
    /// Scratch space for the path of step 6.
    path: Vec<u8>,
    /// Scratch space for the URL that a reference is resolved to.
    url: Vec<u8>,
}

/// What was counted so far.
#[derive(Default)]
struct Counts {
    /// The records, those included that failed.
    records: u64,
    failed: u64,
    /// The records with violations.
    illegal: u64,
    /// The bases with violations that are not part of a record.
    bases: u64,
    violations: u64,
}

impl Check {
    /// A task that checks records. `schemes`: also against RFC 1738.
    pub fn new(schemes: bool, format: Format, records: InputFormat) -> Self {
        let InputFormat { terminator, pairs } = records;
        let law = if schemes { Law::LegalInHttp } else { Law::Legal };
        let has_no_sieve = format.is_json() || schemes && pairs;
        let sieve = (!has_no_sieve).then(|| Sieve::new(law, terminator, pairs, false));
        let (checked, counts) = (BTreeSet::new(), Counts::default());
        let (path, url) = (Vec::new(), Vec::new());
        Check { schemes, format, pairs, sieve, is_sieved: true, checked, has_named_base: false, counts, path, url }
    }

    /// Resolves a reference whose answer is checked too: one without a scheme that is not empty.
    fn resolve(&mut self, base: Base<'_>, reference: &Checked<'_>) -> Option<Step> {
        if !self.schemes || reference.text.is_empty() || reference.parts.scheme.is_some() {
            return None;
        }
        let resolved = resolve(&base, reference.text, &mut self.path, |_| ()).ok()?;
        self.url.clear();
        resolved.write(|piece| self.url.extend_from_slice(piece));
        Some(resolved.step)
    }

    /// Writes a line for the first violation and one for each note, unless findings are left out.
    fn write(findings: &Findings<'_>, location: Location<'_>, out: &mut Writer) {
        if out.is_quiet() {
            return;
        }
        let first = findings.violations.first().map(|located| ("", located));
        let more = match findings.count {
            0 | 1 => String::new(),
            count => format!(", and {} more", count - 1),
        };
        for (note, LocatedFinding { text, shown, column, finding, .. }) in
            first.into_iter().chain(findings.notes.iter().map(|located| ("note: ", located)))
        {
            match location {
                Location::Document(..) => write!(out.answers, "{location}:"),
                Location::Record(..) | Location::Base(_) => write!(out.answers, "{location}:{column}:"),
            }
            let (what, fix) = finding.describe(text);
            let more = if note.is_empty() { &*more } else { "" };
            let separator = if fix.is_empty() { "" } else { "; " };
            writeln!(out.answers, " {note}{}: {what}{more}{separator}{fix}", Shortened(shown));
        }
    }

    /// Checks a base that is not part of a record.
    fn check_base(&mut self, base: &StandardBase<'_>, out: &mut Writer) {
        let found = base.origin.map(|origin| origin.found);
        let mut findings = Findings::default();
        findings.add_base(&Checked::base(base.text, self.schemes), found.as_ref());
        let place = base.place();
        // the URL of a directory has what is found in those of its files
        let is_named = place.is_none() && !self.pairs;
        if findings.is_empty() || is_named && mem::replace(&mut self.has_named_base, true) {
            return;
        }
        if findings.count > 0 {
            out.set_found();
            self.counts.bases += 1;
            self.counts.violations += findings.count as u64;
        }
        let origin = base.origin.filter(|_| !is_named);
        if self.format.is_json() {
            let source = origin.map_or(&b"base"[..], |origin| origin.document.name());
            let fields = |object: &mut Object<'_>| findings.write_json(object);
            json::write_base(source, Spec::Rfc1808, base.text, origin, &mut out.answers, fields);
            return;
        }
        let location = match (origin, place) {
            (Some(origin), Some(place)) => Location::Document(origin.document, place),
            (origin, _) => Location::Base(origin.map(|origin| origin.document)),
        };
        Self::write(&findings, location, out);
    }
}

impl Task for Check {
    fn base(&mut self, bases: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        let base = bases.of(Spec::Rfc1808);
        self.is_sieved = !self.schemes || Checked::base(base.text, true).is_clean_http();
        if self.checked.insert(bases.id) {
            self.check_base(base, out);
        }
        Ok(())
    }

    fn block(&mut self, block: &mut Block<'_>, out: &mut Writer) -> io::Result<()> {
        let sieve = self.sieve.as_mut().filter(|_| self.is_sieved);
        self.counts.records += sieve.map_or(0, |sieve| pass_block(sieve, block, out));
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.counts.records += 1;
        let base = bases.of(Spec::Rfc1808);
        if let Err(failure) = base.parsed
            && !matches!(failure, Failure::Unresolvable(_))
        {
            self.counts.failed += 1;
            self.format.fail(record, Some(Spec::Rfc1808), base, &failure.describe(record, self.pairs), out);
            return Ok(false);
        }
        let sieve = self.sieve.as_mut().filter(|_| self.is_sieved && record.link.is_some());
        if sieve.is_some_and(|sieve| sieve.skips(record.reference)) {
            return Ok(true);
        }
        let is_pair = self.pairs && record.link.is_none();
        let reference =
            Checked::reference(record.reference, if is_pair { base.text.len() + 1 } else { 0 }, self.schemes);
        let parsed = base.parsed.unwrap_or_default();
        let step = self.resolve(parsed, &reference);
        let mut findings = Findings::default();
        if is_pair {
            findings.add_base(&Checked::base(base.text, self.schemes), None);
        }
        findings.add_reference(&reference, &parsed, step.map(|step| Answer { url: &self.url, step }));
        if findings.count > 0 {
            out.set_found();
            self.counts.illegal += 1;
            self.counts.violations += findings.count as u64;
        }
        if self.format.is_json() {
            let fields = |object: &mut Object<'_>| findings.write_json(object);
            json::write_record(record, Some(Spec::Rfc1808), base, b"", &mut out.answers, fields);
        } else {
            Self::write(&findings, Location::of(record), out);
        }
        Ok(findings.count == 0)
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        let Counts { records, failed, illegal, bases, violations } = self.counts;
        let unread = out.unread();
        let what = counted(violations, "violation");
        let all = counted(records, "record");
        let summary = match (violations, records, bases) {
            _ if out.is_quiet() || violations + records == 0 && !unread.is_empty() => return Ok(()),
            (0, 0, _) => "no records to check".into(),
            (0, ..) => format!("no violations in {all}"),
            (_, 1, 0) => format!("{what} in {all}"),
            (.., 0) => format!("{what} in {illegal} of {all}"),
            _ if illegal == 0 => format!("{what} in {}", counted(bases, "base URL")),
            _ => format!("{what} in {illegal} of {all} and in {}", counted(bases, "base URL")),
        };
        out.summary(summary, failed, unread);
        Ok(())
    }

    fn failed(&self) -> &'static str {
        "illegal"
    }
}
