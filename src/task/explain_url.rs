//! Explains what the URL Standard answers to each record, and how RFC 1808 answers.

use std::io;
use std::ops::ControlFlow;

use super::Task;
use super::compare::{Answers, Comparer};
use super::format::{Format, InputFormat};
use super::standards::{CachedBase, complaint_of};
use crate::compare::Differences;
use crate::limits::MAX_VIOLATIONS;
use crate::output::explain::has_steps;
use crate::output::explain::url::{self, UrlOutcome};
use crate::output::{Writer, json};
use crate::record::{Bases, Complaint, Record};
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;
use crate::spec::url_error::UrlError;

/// Explains what the URL Standard answers to each record.
pub struct ExplainUrl {
    format: Format,
    /// Whether each record has its own base.
    pairs: bool,
    /// What asks all standards, and finds why they differ.
    comparer: Comparer,
    base: CachedBase,
}

impl ExplainUrl {
    /// A task that writes explanations, or objects with them.
    pub fn new(format: Format, records: InputFormat) -> Self {
        let comparer = Comparer::new(b'\0', false);
        ExplainUrl { format, pairs: records.pairs, comparer, base: CachedBase::default() }
    }

    /// Resolves a record, and finds what there is to explain.
    ///
    /// # Errors
    /// The record has no base and no reference.
    fn outcome<'a>(&'a mut self, record: &'a Record<'a>, bases: &'a Bases<'a>) -> Result<UrlOutcome<'a>, Complaint> {
        let (base, pairs) = (bases.of(Spec::Whatwg), self.pairs);
        let unusable = base.parsed.err().map(|failure| failure.describe(record, pairs));
        if let Some(complaint) = &unusable
            && !has_steps(base)
        {
            return Err(complaint.clone());
        }
        let (mut base_url, no_base) = (Vec::new(), PreparedBase::new(Spec::Whatwg, b""));
        let in_base = !base.text.is_empty() && no_base.resolve(base.text, &mut base_url).is_err();
        if in_base {
            base_url.extend_from_slice(base.text);
        }
        let (mut errors, mut more_errors) = (Vec::new(), 0);
        let mut each = |error: UrlError| {
            if errors.len() < MAX_VIOLATIONS {
                errors.push(error);
            } else {
                more_errors += 1;
            }
            if error.is_failure { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let _ = if in_base {
            no_base.url_errors(base.text, &mut each)
        } else {
            self.base.of(Spec::Whatwg, bases.id, base).url_errors(record.reference, &mut each)
        };
        let Answers { urls, reasons: [_, reasons], hosts } = self.comparer.ask(bases, record, Differences::All);
        let [rfc1808, _, answer] = urls.map(|url| url.map_err(|why| complaint_of(why, record, pairs)));
        let [rfc1808, answer] = [rfc1808, answer].map(|url| unusable.clone().map_or(url, Err));
        let [own, _, other] = hosts.reached;
        let hosts = [own, other];
        Ok(UrlOutcome {
            reference: record.reference,
            base,
            base_url,
            answer,
            errors,
            in_base,
            more_errors,
            rfc1808,
            hosts,
            reasons,
        })
    }
}

impl Task for ExplainUrl {
    fn standards(&self) -> &[Spec] {
        &[Spec::Whatwg, Spec::Rfc1808]
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        let format = self.format;
        let outcome = self.outcome(record, bases);
        match format {
            Format::Explain(screen) => {
                out.begin_block();
                url::write(&outcome, record, screen, &mut out.answers);
            }
            Format::Json { .. } | Format::Lines(_) => {
                let base = bases.of(Spec::Whatwg);
                json::write_url_outcome(&outcome, record, base, &mut out.answers);
            }
        }
        Ok(match outcome.as_ref().map(|outcome| outcome.answer.as_ref()) {
            Ok(Ok(_)) => true,
            Ok(Err(complaint)) | Err(complaint) => {
                out.fail(record, complaint);
                false
            }
        })
    }
}
