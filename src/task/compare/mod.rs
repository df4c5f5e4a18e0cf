//! Resolves each record by all three standards and writes the records on which they differ.

mod comparer;
mod difference;

use std::cmp::Reverse;
use std::io;

pub use self::comparer::Comparer;
use self::difference::Difference;
use super::format::{Format, InputFormat};
use super::standards::{OneStandard, complaint_of};
use super::{Task, pass_block};
use crate::compare::{Differences, Effect, Reason, Reasons};
use crate::input::Block;
use crate::limits::MAX_BLOCKS;
use crate::output::Writer;
use crate::output::buffer::Buffer;
use crate::output::explain::Colors;
use crate::record::{Bases, Complaint, Record, StandardBase};
use crate::spec::Spec;

/// Resolves each record by all three standards and writes the records on which they differ.
pub struct Compare {
    /// Which differences are reported.
    which: Differences,
    format: Format,
    /// The colors of those that are not objects.
    colors: Colors,
    /// The other standards. Their sieve also skips the records of a block that do not differ.
    comparer: Comparer,
    /// Keeps the base for what WHATWG refuses.
    url_standard: OneStandard,
    /// The number of records, those included that failed.
    records: u64,
    /// The number of them that no standard resolves.
    failed: u64,
    /// The number of them that differ.
    differing: u64,
    /// The number of those for each reason, in the order of [`Reason::ALL`].
    counts: Vec<u64>,
    /// All reasons that were found.
    reasons: Reasons,
    /// The number of those for each first reason, in the same order.
    first_counts: Vec<u64>,
    /// Whether the last difference was written as a block.
    has_block: bool,
}

impl Compare {
    /// A task that writes differences.
    pub fn new(which: Differences, format: Format, colors: Colors, records: InputFormat) -> Self {
        Compare {
            which,
            format,
            colors,
            comparer: Comparer::new(records.terminator, records.pairs),
            url_standard: OneStandard::new(Spec::Whatwg),
            records: 0,
            failed: 0,
            differing: 0,
            counts: vec![0; Reason::ALL.len()],
            reasons: Reasons::default(),
            first_counts: vec![0; Reason::ALL.len()],
            has_block: false,
        }
    }

    /// Resolves a record by all standards; `None` if there is no difference to report.
    ///
    /// # Errors
    /// No standard has an answer: why RFC 1808 has none.
    fn compare(&mut self, record: &Record<'_>, bases: &Bases<'_>) -> Result<Option<Difference>, Complaint> {
        let (which, base) = (self.which, bases.of(Spec::Rfc1808));
        base.parsed.map_err(|failure| failure.describe(record, base))?;
        let (urls, [first, second], hosts) = self.comparer.compare(record, bases, which);
        let mut complaint = |why| complaint_of(why, record, bases, &mut self.url_standard);
        if let [Err(why), Err(_), Err(_)] = urls {
            return Err(complaint(why));
        }
        let mut reasons = first.union(second);
        if urls[0].is_err() {
            // one of the others has an answer
            let errors = urls[1..].iter().filter_map(|url| url.err());
            errors.for_each(|error| reasons.add(Reason::of_error(error), Effect::Answer));
        }
        if which == Differences::Meaning {
            reasons = reasons.of_meaning();
        }
        if reasons.is_empty() || which == Differences::Host && !hosts.differ {
            return Ok(None);
        }
        let answers = urls.map(|url| url.map(<[u8]>::to_vec).map_err(&mut complaint));
        Ok(Some(Difference { answers, hosts, reasons }))
    }

    /// Writes a difference for people: as a block, or as a line after [`MAX_BLOCKS`] with the same first reason.
    fn write(&mut self, difference: &Difference, record: &Record<'_>, base: &StandardBase<'_>, out: &mut Buffer) {
        let first = difference.reasons.iter().next().unwrap_or(Reason::Other);
        let count = &mut self.first_counts[first as usize];
        *count += 1;
        let is_block = *count <= MAX_BLOCKS;
        if self.differing > 1 && (is_block || self.has_block) {
            writeln!(out);
        }
        self.has_block = is_block;
        if is_block {
            difference.write_block(record, base, self.colors, out);
        } else {
            Difference::write_line(record, first, self.colors, out);
        }
    }
}

impl Task for Compare {
    fn standards(&self) -> &[Spec] {
        &Spec::ALL
    }

    fn block(&mut self, block: &mut Block<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        self.records += pass_block(self.comparer.alike.of_list(bases), block, out);
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.records += 1;
        if self.comparer.alike.is_certain(bases, record.reference) {
            return Ok(true);
        }
        let base = bases.of(Spec::Rfc1808);
        let difference = match self.compare(record, bases) {
            Ok(Some(difference)) => difference,
            Ok(None) => return Ok(true),
            Err(complaint) => {
                self.failed += 1;
                self.format.fail(record, None, base, &complaint, out);
                return Ok(false);
            }
        };
        out.set_found();
        self.differing += 1;
        difference.reasons.iter().for_each(|reason| self.counts[reason as usize] += 1);
        self.reasons = self.reasons.union(difference.reasons);
        if self.format.is_json() {
            difference.write_json(record, base, &mut out.answers);
        } else if !out.is_quiet() {
            self.write(&difference, record, base, &mut out.answers);
        }
        Ok(false)
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        let Compare { which, records, failed, differing, ref counts, .. } = *self;
        let is_host = which == Differences::Host;
        let (one, many) = if is_host { ("has different hosts", "have different hosts") } else { ("differs", "differ") };
        let unread = out.unread();
        let of = out.counted(records);
        let summary = match (differing, records) {
            _ if out.is_quiet() || records == 0 && !unread.is_empty() => return Ok(()),
            (_, 0) => format!("{of} to compare"),
            (0, _) => format!("no {} in {of}", if is_host { "different hosts" } else { "differences" }),
            (1, 1) => format!("{of} {one}"),
            _ => format!("{differing} of {of} {}", if differing == 1 { one } else { many }),
        };
        out.summary(summary, failed, unread);
        // those with equal counts stay in the order of what they change
        let mut rows: Vec<_> = self.reasons.iter().map(|reason| (counts[reason as usize], reason)).collect();
        rows.sort_by_key(|(count, _)| Reverse(*count));
        for (count, reason) in rows {
            out.row(format_args!("{count:>8}  {:22}  {}", reason.code(), reason.text()));
        }
        Ok(())
    }

    fn failed(&self) -> &'static str {
        "differing"
    }
}
