//! What was found so far, and how it is written.

use std::collections::BTreeSet;
use std::mem;

use super::findings::{Findings, LocatedFinding, MAX_NAMED};
use crate::escaped::noun;
use crate::output::Writer;
use crate::output::json::{self, Object};
use crate::output::location::{Location, Shortened};
use crate::output::words::counted;
use crate::record::{BaseId, Failure, Record, StandardBase};
use crate::spec::Spec;
use crate::task::format::Format;

/// What was found so far, and how it is written.
pub struct Report {
    /// The standard that judges.
    spec: Spec,
    format: Format,
    /// The bases that have been checked.
    checked: BTreeSet<BaseId>,
    /// Whether the findings about the base of the command line have been written.
    has_named_base: bool,
    /// The records, those included that failed.
    pub records: u64,
    failed: u64,
    /// The records with violations.
    illegal: u64,
    /// The bases with violations that are not part of a record.
    bases: u64,
    violations: u64,
    /// The records and bases with violations that RFC 3986 allows as they are.
    allowed: u64,
}

impl Report {
    /// Nothing found yet.
    pub fn new(spec: Spec, format: Format) -> Self {
        Report {
            spec,
            format,
            checked: BTreeSet::new(),
            has_named_base: false,
            records: 0,
            failed: 0,
            illegal: 0,
            bases: 0,
            violations: 0,
            allowed: 0,
        }
    }

    /// Whether a base is checked for the first time.
    pub fn is_new_base(&mut self, id: BaseId) -> bool {
        self.checked.insert(id)
    }

    /// Counts a record, and reports it if it cannot be checked. Returns where its reference starts in it.
    pub fn begin(&mut self, record: &Record<'_>, base: &StandardBase<'_>, out: &mut Writer) -> Option<usize> {
        self.records += 1;
        if let Err(failure) = base.parsed
            && !matches!(failure, Failure::Unresolvable(_))
        {
            self.failed += 1;
            self.format.fail(record, Some(self.spec), base, &failure.describe(record, base), out);
            return None;
        }
        Some(if base.in_record && record.link.is_none() { base.text.len() + 1 } else { 0 })
    }

    /// Writes the findings about a record. Returns whether it is legal.
    pub fn record(
        &mut self,
        findings: &Findings<'_>,
        record: &Record<'_>,
        base: &StandardBase<'_>,
        out: &mut Writer,
    ) -> bool {
        self.illegal += u64::from(findings.count > 0);
        self.count(findings, out);
        if self.format.is_json() {
            let fields = |object: &mut Object<'_>| findings.write_json(object);
            json::write_record(record, Some(self.spec), base, b"", &mut out.answers, fields);
        } else {
            write(findings, Location::of(record), out);
        }
        findings.count == 0
    }

    /// Writes the findings about a base that is not part of a record.
    pub fn base(&mut self, findings: &Findings<'_>, base: &StandardBase<'_>, out: &mut Writer) {
        let place = base.place();
        // the URL of a directory has what is found in those of its files
        let is_named = place.is_none() && !base.in_record;
        if findings.is_empty() || is_named && mem::replace(&mut self.has_named_base, true) {
            return;
        }
        self.bases += u64::from(findings.count > 0);
        self.count(findings, out);
        let origin = base.origin.filter(|_| !is_named);
        if self.format.is_json() {
            let source = origin.map_or(&b"base"[..], |origin| origin.document.name());
            let fields = |object: &mut Object<'_>| findings.write_json(object);
            json::write_base(source, self.spec, &StandardBase { origin, ..*base }, &mut out.answers, fields);
            return;
        }
        let location = match (origin, place) {
            (Some(origin), Some(place)) => Location::Document(origin.document, place),
            (origin, _) => Location::Base(origin.map(|origin| origin.document)),
        };
        write(findings, location, out);
    }

    /// Counts findings.
    fn count(&mut self, findings: &Findings<'_>, out: &mut Writer) {
        if findings.count > 0 {
            out.set_found();
        }
        self.violations += findings.count as u64;
        self.allowed += findings.allowed as u64;
    }

    /// Writes the summary, and how many texts that are illegal by RFC 1808 alone RFC 3986 allows. `by_scheme`: RFC 1738
    /// has been asked, too, and that is left out.
    pub fn finish(&self, by_scheme: bool, out: &mut Writer) {
        let Report { records, failed, illegal, bases, violations, allowed, .. } = *self;
        let unread = out.unread();
        let what = counted(violations, "violation");
        let searched = if by_scheme { "violations" } else { "illegal characters" };
        let all = out.counted(records);
        let summary = match (violations, records, bases) {
            _ if out.is_quiet() || violations + records == 0 && !unread.is_empty() => return,
            (0, 0, _) => format!("{all} to check"),
            (0, ..) => format!("no {searched} in {all}"),
            (_, 1, 0) => format!("{what} in {all}"),
            (.., 0) => format!("{what} in {illegal} of {all}"),
            _ if illegal == 0 => format!("{what} in {}", counted(bases, "base URL")),
            _ => format!("{what} in {illegal} of {all} and in {}", counted(bases, "base URL")),
        };
        out.summary(summary, failed, unread);
        if !by_scheme && allowed > 0 && !self.format.is_json() {
            let are = if allowed == 1 { "is" } else { "are" };
            out.note(format_args!("{allowed} of these {are} legal by RFC 3986; -s rfc3986 checks by it"));
        }
    }
}

/// Writes a line for the first violation and one for each note, unless findings are left out.
fn write(findings: &Findings<'_>, location: Location<'_>, out: &mut Writer) {
    if out.is_quiet() {
        return;
    }
    let first = findings.violations.first().map(|located| ("", located));
    let more = match (findings.count, &findings.characters[..]) {
        (0 | 1, _) => String::new(),
        (count, all @ [_, others @ ..]) if (2..=MAX_NAMED).contains(&all.len()) && !all.contains(&&b""[..]) => {
            let others: Vec<_> = others.iter().map(|character| noun(character)).collect();
            format!(", and {} more ({})", count - 1, others.join(", "))
        }
        (count, _) => format!(", and {} more", count - 1),
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
