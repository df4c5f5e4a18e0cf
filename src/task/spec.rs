//! Resolves each record by another standard than RFC 1808.

use std::{io, slice};

use super::compare::Comparer;
use super::format::{Format, InputFormat};
use super::standards::{SpecResolver, set_base};
use super::{Task, answer_block};
use crate::fast::sieve::Sieve;
use crate::input::Block;
use crate::output::explain::uri::{self, Moves, UriOutcome};
use crate::output::{Writer, json};
use crate::record::{Bases, Complaint, Record};
use crate::spec::Spec;
use crate::spec::rfc3986::{divide, path_to_clean, remove_dots};

/// Resolves each record by another standard than RFC 1808. Explanations are those of RFC 3986.
pub struct ResolveBySpec {
    spec: Spec,
    format: Format,
    /// Whether each record has its own base.
    pairs: bool,
    /// The fast way, for lines that all standards answer alike.
    sieve: Option<Sieve>,
    resolver: SpecResolver,
    url: Vec<u8>,
    /// The other standards, which an explanation compares with.
    comparer: Comparer,
}

impl ResolveBySpec {
    /// A task that resolves by `spec`.
    pub fn new(spec: Spec, format: Format, records: InputFormat) -> Self {
        let (pairs, sieve) = (records.pairs, format.sieve(records.pairs));
        let (resolver, comparer) = (SpecResolver::new(spec), Comparer::new(b'\0', false));
        ResolveBySpec { spec, format, pairs, sieve, resolver, url: Vec::new(), comparer }
    }

    /// Writes the explanation of an answer of RFC 3986, or an object with it.
    fn explain(&mut self, record: &Record<'_>, bases: &Bases<'_>, answer: Result<(), &Complaint>, out: &mut Writer) {
        let base = bases.of(Spec::Rfc3986);
        let path = answer.ok().and_then(|()| path_to_clean(divide(base.text), divide(record.reference)));
        let moves = path.as_ref().map(|(path, base_len)| {
            let mut moves = Moves::new(path, *base_len);
            remove_dots(path, &mut Vec::new(), 0, |moved| moves.add(&moved));
            moves
        });
        let notes = self.comparer.notes(Spec::Rfc3986, bases, record, base.parsed.err());
        let answer = answer.map(|()| &*self.url);
        let outcome = UriOutcome { record, base, answer, moves: moves.as_ref(), pairs: self.pairs, notes: &notes };
        let Format::Explain(screen) = self.format else {
            return self.object(record, bases, answer, Some(&outcome), out);
        };
        out.begin_block();
        uri::write(&outcome, screen, &mut out.answers);
    }

    /// Writes the object of an answer, with its steps if they are given.
    fn object(
        &self,
        record: &Record<'_>,
        bases: &Bases<'_>,
        answer: Result<&[u8], &Complaint>,
        steps: Option<&UriOutcome<'_>>,
        out: &mut Writer,
    ) {
        json::write_record(record, Some(self.spec), bases.of(self.spec), &self.url, &mut out.answers, |object| {
            object.answer(answer);
            if answer.is_ok() {
                object.components_of(self.spec, &self.url);
            }
            if let Some(outcome) = steps {
                object.steps(|each| uri::steps(outcome, each));
            }
        });
    }
}

impl Task for ResolveBySpec {
    fn standards(&self) -> &[Spec] {
        slice::from_ref(&self.spec)
    }

    fn names_whatwg(&self) -> bool {
        self.spec == Spec::Whatwg || self.format.explains()
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
        self.url.clear();
        let answer = self.resolver.answer(record, bases, self.pairs, &mut self.url);
        match self.format {
            Format::Lines(lines) => {
                lines.begin(record, &mut out.answers);
                out.answers.add([&self.url]);
                lines.end(&mut out.answers);
            }
            Format::Json { steps: true } | Format::Explain(_) => {
                self.explain(record, bases, answer.as_ref().copied(), out);
            }
            Format::Json { steps: false } => {
                self.object(record, bases, answer.as_ref().map(|()| &*self.url), None, out);
            }
        }
        if let Err(complaint) = &answer {
            out.fail(record, complaint);
        }
        Ok(answer.is_ok())
    }
}
