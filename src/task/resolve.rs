//! Resolves each record by RFC 1808.

use std::io;

use super::compare::Comparer;
use super::format::{Format, InputFormat, LineFormat};
use super::{Task, answer_block};
use crate::fast;
use crate::input::Block;
use crate::output::Writer;
use crate::output::buffer::Buffer;
use crate::output::explain::{self, Note, Outcome, Removals};
use crate::output::json;
use crate::record::{Bases, Failure, Record};
use crate::resolver::grammar::repeated_scheme;
use crate::resolver::{parse, resolve};
use crate::spec::Spec;

/// Resolves each record by RFC 1808.
pub struct Resolve {
    format: Format,
    /// Whether each record has its own base.
    pairs: bool,
    /// The fast way, for plain answers.
    fast: Option<fast::Resolver>,
    /// Scratch space for the path of step 6.
    path: Vec<u8>,
    /// Scratch space for the removals of step 6.
    removals: Removals,
    /// Scratch space for a URL that is explained.
    url: Buffer,
    /// The other standards, which an explanation compares with.
    comparer: Comparer,
}

impl Resolve {
    /// A task that writes answers in a format.
    pub fn new(format: Format, records: InputFormat) -> Self {
        Resolve {
            format,
            pairs: records.pairs,
            fast: format.fast(records.pairs),
            path: Vec::new(),
            removals: Removals::default(),
            url: Buffer::default(),
            comparer: Comparer::new(b'\0', false),
        }
    }

    fn line(&mut self, lines: LineFormat, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> bool {
        lines.begin(record, &mut out.answers);
        let outcome = bases.of(Spec::Rfc1808).parsed.and_then(|base| {
            let resolved = resolve(&base, record.reference, &mut self.path, |_| ()).map_err(Failure::Unresolvable)?;
            out.answers.add_url(&resolved);
            Ok(())
        });
        lines.end(&mut out.answers);
        if let Err(failure) = outcome {
            out.fail(record, &failure.describe(record, self.pairs));
        }
        outcome.is_ok()
    }

    /// Writes an explanation or an object.
    fn explain(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> bool {
        let base = bases.of(Spec::Rfc1808);
        let explains = self.format.explains();
        self.removals.clear();
        let result = base.parsed.and_then(|base| {
            let removed = |removed: crate::resolver::Removed<'_>| {
                if explains {
                    self.removals.add(&removed);
                }
            };
            resolve(&base, record.reference, &mut self.path, removed).map_err(Failure::Unresolvable)
        });
        self.url.clear();
        if let Ok(resolved) = &result {
            self.url.add_url(resolved);
        }
        let mut notes = Vec::new();
        // an object without steps needs neither the removals nor the other standards
        if explains {
            notes = self.comparer.notes(Spec::Rfc1808, bases, record, result.as_ref().err().copied());
            let parts = base.parsed.unwrap_or_default().parts;
            if let Some(scheme) = repeated_scheme(&parse(record.reference), &parts) {
                let text = super::check::note_of_repeated_scheme(scheme).into();
                notes.insert(0, Note { text, differs: false });
            }
        }
        let result = result.map_err(|failure| failure.describe(record, self.pairs));
        let outcome = Outcome {
            record,
            base,
            result: &result,
            url: self.url.bytes(),
            removals: self.removals.sorted(),
            pairs: self.pairs,
            notes: &notes,
        };
        match self.format {
            Format::Explain(screen) => {
                out.begin_block();
                explain::write(&outcome, screen, &mut out.answers);
            }
            Format::Json { .. } | Format::Lines(_) => json::write_outcome(&outcome, explains, &mut out.answers),
        }
        if let Err(complaint) = &result {
            out.fail(record, complaint);
        }
        result.is_ok()
    }
}

impl Task for Resolve {
    fn names_whatwg(&self) -> bool {
        self.format.explains()
    }

    fn base(&mut self, bases: &Bases<'_>, _: &mut Writer) -> io::Result<()> {
        if let (Some(fast), Ok(base)) = (&mut self.fast, &bases.of(Spec::Rfc1808).parsed) {
            fast.set_base(base);
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        let format = self.format;
        Ok(match format {
            Format::Lines(lines) => self.line(lines, record, bases, out),
            Format::Json { .. } | Format::Explain(_) => self.explain(record, bases, out),
        })
    }

    fn block(&mut self, block: &mut Block<'_>, out: &mut Writer) -> io::Result<()> {
        let Some(fast) = &mut self.fast else { return Ok(()) };
        answer_block(block, out, fast.base_len(), |text, length, out| fast.answer(text, length, out))
    }
}
