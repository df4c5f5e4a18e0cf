//! Resolves each record by another standard than RFC 1808.

use std::{io, slice};

use super::format::{Format, InputFormat};
use super::standards::{SpecResolver, set_base};
use super::{Task, answer_block};
use crate::fast::sieve::Sieve;
use crate::input::Block;
use crate::output::{Writer, json};
use crate::record::{Bases, Record};
use crate::spec::Spec;

/// Resolves each record by another standard than RFC 1808.
pub struct ResolveBySpec {
    spec: Spec,
    format: Format,
    /// Whether each record has its own base.
    pairs: bool,
    /// The fast way, for lines that all standards answer alike.
    sieve: Option<Sieve>,
    resolver: SpecResolver,
    url: Vec<u8>,
}

impl ResolveBySpec {
    /// A task that resolves by `spec`.
    pub fn new(spec: Spec, format: Format, records: InputFormat) -> Self {
        let (pairs, sieve) = (records.pairs, format.sieve(records.pairs));
        ResolveBySpec { spec, format, pairs, sieve, resolver: SpecResolver::new(spec), url: Vec::new() }
    }
}

impl Task for ResolveBySpec {
    fn standards(&self) -> &[Spec] {
        slice::from_ref(&self.spec)
    }

    fn base(&mut self, bases: &Bases<'_>, _: &mut Writer) -> io::Result<()> {
        if let Some(sieve) = &mut self.sieve {
            set_base(sieve, bases);
        }
        Ok(())
    }

    fn block(&mut self, block: &mut Block<'_>, out: &mut Writer) -> io::Result<()> {
        let Some(sieve) = &mut self.sieve else { return Ok(()) };
        answer_block(block, out, sieve.base_len(), |text, length, out| sieve.answer(text, length, out))
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        let spec = self.spec;
        let base = bases.of(spec);
        self.url.clear();
        let answer = self.resolver.answer(record, bases, self.pairs, &mut self.url);
        let answers = &mut out.answers;
        match self.format {
            Format::Lines(lines) => {
                lines.begin(record, answers);
                answers.add([&self.url]);
                lines.end(answers);
            }
            // explanations are those of RFC 1808, a task of its own
            Format::Json { .. } | Format::Explain(_) => {
                json::write_record(record, Some(spec), base, &self.url, answers, |object| {
                    object.answer(answer.as_ref().map(|()| &*self.url));
                    if answer.is_ok() {
                        object.components_of(spec, &self.url);
                    }
                });
            }
        }
        if let Err(complaint) = &answer {
            out.fail(record, complaint);
        }
        Ok(answer.is_ok())
    }
}
