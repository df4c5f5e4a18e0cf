//! Resolves each record by a standard.

use std::ops::ControlFlow;
use std::{io, slice};

use super::compare::Comparer;
use super::format::{Format, InputFormat, LineFormat};
use super::standards::{Alike, OneStandard, complaint_of};
use super::{Task, answer_block};
use crate::compare::Differences;
use crate::fast::Shortcut;
use crate::input::Block;
use crate::limits::MAX_VIOLATIONS;
use crate::output::Writer;
use crate::output::buffer::Buffer;
use crate::output::explain::explained::Explained;
use crate::output::explain::uri::{Moves, UriOutcome};
use crate::output::explain::url::UrlOutcome;
use crate::output::explain::{Note, Outcome, Removals, has_steps};
use crate::output::json::{self, Answer};
use crate::record::{BaseId, Bases, Complaint, Failure, Record};
use crate::resolver::grammar::repeated_scheme;
use crate::resolver::{Removed, parse, resolve};
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;
use crate::spec::rfc3986::{divide, path_to_clean, remove_dots};
use crate::spec::url_error::UrlError;

/// Resolves each record by a standard.
pub struct Absolute {
    spec: Spec,
    format: Format,
    /// The fast way to lines by RFC 1808, and which base it has.
    fast: Option<(Shortcut, Option<BaseId>)>,
    resolver: OneStandard,
    /// The other standards, which an explanation compares with.
    comparer: Comparer,
    /// Scratch space for the path of step 6.
    path: Vec<u8>,
    /// Scratch space for an answer by RFC 1808.
    own_url: Buffer,
    /// Scratch space for an answer by another standard.
    url: Vec<u8>,
}

/// The bytes of an unusually long answer, whose space is given back.
const LARGE: usize = 256 * 1024;

impl Absolute {
    /// A task that resolves by `spec` and writes answers in a format.
    pub fn new(spec: Spec, format: Format, records: InputFormat) -> Self {
        let pairs = records.pairs;
        let (mut fast, comparer) = (None, Comparer::new(b'\0', false));
        let mut resolver = if pairs { OneStandard::new(spec) } else { OneStandard::with_sieve(spec) };
        if let Format::Lines(LineFormat { with_place: false, terminator, keep_input }) = format {
            if spec == Spec::Rfc1808 {
                fast = Some((Shortcut::new(terminator, pairs, keep_input), None));
            } else {
                resolver.alike = Some(Alike::new(terminator, pairs, keep_input));
            }
        }
        Absolute {
            spec,
            format,
            fast,
            resolver,
            comparer,
            path: Vec::new(),
            own_url: Buffer::default(),
            url: Vec::new(),
        }
    }

    /// Writes an explanation, or an object with it if it is to have one.
    fn write(format: Format, spec: Spec, answer: &Answer<'_>, explained: Option<&Explained<'_>>, out: &mut Writer) {
        match (format, explained) {
            (Format::Explain(screen), Some(explained)) => {
                out.begin_block();
                explained.write(screen, &mut out.answers);
            }
            _ => json::write_answer(answer, spec, explained, &mut out.answers),
        }
    }

    /// Writes an object or an explanation by RFC 1808.
    fn by_rfc1808(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> Result<(), Complaint> {
        let (base, explains) = (bases.of(Spec::Rfc1808), self.format.explains());
        let mut removals = Removals::default();
        let result = base.parsed.and_then(|base| {
            let removed = |removed: Removed<'_>| {
                if explains {
                    removals.add(&removed);
                }
            };
            resolve(&base, record.reference, &mut self.path, removed).map_err(Failure::Unresolvable)
        });
        self.own_url.clear();
        if let Ok(resolved) = &result {
            resolved.write(|piece| self.own_url.add([piece]));
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
        let result = result.map_err(|failure| failure.describe(record, base));
        let removals = removals.sorted();
        let url = self.own_url.bytes();
        let answer = Answer { record, base, url: result.as_ref().map(|_| url), resolved: result.as_ref().ok() };
        let explained = explains
            .then(|| Explained::Rfc1808(Outcome { record, base, result: &result, url, removals, notes: &notes }));
        Self::write(self.format, self.spec, &answer, explained.as_ref(), out);
        result.map(|_| ())
    }

    /// Writes an object by another standard, or an explanation by RFC 3986.
    fn by_other(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> Result<(), Complaint> {
        let base = bases.of(self.spec);
        let answered = self.resolver.ask(record, bases, &mut self.url);
        let explains = self.format.explains();
        let path = match answered {
            Ok(()) if explains => path_to_clean(divide(base.text), divide(record.reference)),
            _ => None,
        };
        let moves = path.as_ref().map(|(path, base_len)| {
            let mut moves = Moves::new(path, *base_len);
            remove_dots(path, &mut Vec::new(), 0, |moved| moves.add(&moved));
            moves
        });
        let mut notes = Vec::new();
        if explains {
            notes = self.comparer.notes(Spec::Rfc3986, bases, record, base.parsed.err());
        }
        let (answer, moves) = (answered.as_ref().map(|()| &*self.url), moves.as_ref());
        let explained = explains.then(|| Explained::Rfc3986(UriOutcome { record, base, answer, moves, notes: &notes }));
        let answer = Answer { record, base, url: answer, resolved: None };
        Self::write(self.format, self.spec, &answer, explained.as_ref(), out);
        answered
    }

    /// Writes an explanation by the URL Standard: what it reports, and how RFC 1808 answers.
    fn by_url_standard(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> Result<(), Complaint> {
        let base = bases.of(Spec::Whatwg);
        let unusable = base.parsed.err().map(|failure| failure.describe(record, base));
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
        let _ = match base {
            base if !has_steps(base) => ControlFlow::Continue(()),
            base if in_base => no_base.url_errors(base.text, &mut each),
            _ => self.resolver.base(bases).url_errors(record.reference, &mut each),
        };
        let (urls, [_, reasons], hosts) = self.comparer.compare(record, bases, Differences::All);
        let answers = urls.map(|url| url.map_err(|why| complaint_of(why, record, bases, &mut self.resolver)));
        let [rfc1808, _, answer] = answers.map(|url| unusable.clone().map_or(url, Err));
        let [own, _, other] = hosts.reached;
        let hosts = [own, other];
        let url = answer.as_ref().copied();
        let outcome =
            UrlOutcome { record, base, base_url, answer: url, errors, in_base, more_errors, rfc1808, hosts, reasons };
        let whole = Answer { record, base, url, resolved: None };
        Self::write(self.format, self.spec, &whole, Some(&Explained::Whatwg(outcome)), out);
        answer.map(|_| ())
    }
}

impl Task for Absolute {
    fn standards(&self) -> &[Spec] {
        match self.spec {
            Spec::Whatwg if self.format.explains() => &[Spec::Whatwg, Spec::Rfc1808],
            _ => slice::from_ref(&self.spec),
        }
    }

    fn names_whatwg(&self) -> bool {
        self.spec == Spec::Whatwg || self.format.explains()
    }

    fn block(&mut self, block: &mut Block<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<()> {
        if let Some((fast, id)) = &mut self.fast {
            if id.replace(bases.id) != Some(bases.id)
                && let Ok(base) = &bases.of(Spec::Rfc1808).parsed
            {
                fast.set_base(base);
            }
            return answer_block(block, out, fast.base_len(), |text, length, out| fast.fill(text, length, out));
        }
        let Format::Lines(LineFormat { with_place: false, .. }) = self.format else { return Ok(()) };
        let Some(alike) = &mut self.resolver.alike else { return Ok(()) };
        let sieve = alike.of_list(bases);
        answer_block(block, out, sieve.base_len(), |text, length, out| sieve.fill(text, length, out))
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.url.clear();
        let answered = match (self.format, self.spec) {
            (Format::Lines(lines), Spec::Rfc1808) => {
                lines.begin(record, &mut out.answers);
                let base = bases.of(Spec::Rfc1808);
                let answered = base.parsed.and_then(|base| {
                    let resolved = resolve(&base, record.reference, &mut self.path, |_| ());
                    resolved.map_err(Failure::Unresolvable)?.write(|piece| out.answers.add([piece]));
                    Ok(())
                });
                lines.end(&mut out.answers);
                answered.map_err(|failure| failure.describe(record, base))
            }
            (Format::Lines(lines), _) => {
                let answered = self.resolver.ask(record, bases, &mut self.url);
                lines.begin(record, &mut out.answers);
                out.answers.add([&self.url]);
                lines.end(&mut out.answers);
                answered
            }
            (_, Spec::Rfc1808) => self.by_rfc1808(record, bases, out),
            (format, Spec::Whatwg) if format.explains() => self.by_url_standard(record, bases, out),
            _ => self.by_other(record, bases, out),
        };
        if let Err(complaint) = &answered {
            out.fail(record, complaint);
        }
        if self.url.len() > LARGE {
            self.url = Vec::new();
        }
        Ok(answered.is_ok())
    }
}
