//! Resolves each record by all three standards and writes the records on which they differ.

use std::io;

use super::format::{Format, RecordFormat};
use super::spec::{CachedBase, complaint, set_base};
use super::{Task, pass_block};
use crate::compare::{Parsed, Reason, Reasons, reasons};
use crate::fast::sieve::{Law, Sieve};
use crate::input::Block;
use crate::output::Writer;
use crate::output::buffer::Buffer;
use crate::output::explain::{Note, unbroken};
use crate::output::json;
use crate::output::location::{Escaped, Location};
use crate::record::{BaseId, Bases, Complaint, Failure, KnownBase, Record};
use crate::resolver::{Unresolvable, resolve};
use crate::spec::{NoAnswer, Spec};

/// The standards other than RFC 1808, each with its base and its last answer.
pub struct Others {
    /// What finds references that they answer as RFC 1808 does.
    sieve: Sieve,
    /// Which base it has.
    base: Option<BaseId>,
    /// RFC 3986 and the URL Standard.
    standards: [Other; 2],
}

/// A standard other than RFC 1808.
struct Other {
    /// The base.
    base: CachedBase,
    /// The bases that a search for reasons has parsed.
    parsed: Parsed,
    /// The last answer.
    url: Vec<u8>,
}

/// What another standard answers.
struct OtherAnswer<'a> {
    /// The standard.
    spec: Spec,
    /// Its answer.
    answer: Result<&'a [u8], NoAnswer>,
    /// Why it is not RFC 1808's; empty if it is the same, or if neither has one.
    reasons: Reasons,
}

impl Others {
    /// No answers yet, to records that end at `terminator`. `pairs`: each has its own base.
    pub fn new(terminator: u8, pairs: bool) -> Self {
        let sieve = Sieve::new(Law::Same, terminator, pairs, false);
        let other = |spec| Other { base: CachedBase::default(), parsed: Parsed::new(spec), url: Vec::new() };
        Others { sieve, base: None, standards: [Spec::Rfc3986, Spec::Whatwg].map(other) }
    }

    /// Sets the base of the sieve.
    fn set_base(&mut self, bases: &Bases<'_>) {
        if self.base.replace(bases.id) != Some(bases.id) {
            set_base(&mut self.sieve, bases);
        }
    }

    /// Whether it is certain that they answer as RFC 1808 does.
    fn agree(&mut self, bases: &Bases<'_>, reference: &[u8]) -> bool {
        self.set_base(bases);
        self.sieve.is_certain(reference)
    }

    /// The answers of the other standards.
    fn ask(
        &mut self,
        bases: &Bases<'_>,
        record: &Record<'_>,
        own: Result<&[u8], Unresolvable>,
    ) -> [OtherAnswer<'_>; 2] {
        let decoded = record.decoded();
        self.standards.each_mut().map(|Other { base, parsed, url }| {
            url.clear();
            let (spec, known) = (parsed.spec, bases.of(parsed.spec));
            let answered = base.of(spec, bases.id, known).resolve_in(record.encoding(), &decoded, url);
            let answer = answered.map(|()| &**url);
            let texts = [bases.of(Spec::Rfc1808).text, known.text];
            OtherAnswer { spec, answer, reasons: reasons(parsed, texts, [record.reference, &decoded], own, answer) }
        })
    }

    /// What an explanation says of the other standards: a line for each answer that differs.
    /// Nothing if there is no base to resolve with.
    pub fn notes(&mut self, bases: &Bases<'_>, record: &Record<'_>, own: Result<&[u8], Failure<'_>>) -> Vec<Note> {
        let own = match own {
            Ok(url) => Ok(url),
            Err(Failure::Unresolvable(why)) if why != Unresolvable::BaseWithoutScheme => Err(why),
            Err(_) => return Vec::new(),
        };
        let both = format!("{} and {}", Spec::Rfc3986.title(), Spec::Whatwg.title());
        let same = |verb| vec![Note { text: format!("{both} {verb}"), differs: false }];
        if self.agree(bases, record.reference) {
            return same("give the same");
        }
        let [first, second] = self.ask(bases, record, own);
        if first.reasons.is_empty() && second.reasons.is_empty() {
            return same(if own.is_ok() { "give the same" } else { "have no answer either" });
        }
        let note = |who: &str, (gives, has): (&str, &str), other: &OtherAnswer<'_>, reasons: Reasons| {
            let text = match other.answer {
                Ok(url) => {
                    let notes: Vec<_> = reasons.iter().map(Reason::note).collect();
                    format!("{who} {gives} {}: {}", unbroken(url), notes.join("; "))
                }
                Err(error) => format!("{who} {has} no answer: {}", error.describe().1),
            };
            Note { text, differs: true }
        };
        if first.answer == second.answer && !first.reasons.is_empty() {
            return vec![note(&both, ("give", "have"), &first, first.reasons.and(second.reasons))];
        }
        let differing = [&first, &second].into_iter().filter(|other| !other.reasons.is_empty());
        differing.map(|other| note(other.spec.title(), ("gives", "has"), other, other.reasons)).collect()
    }
}

/// Resolves each record by all three standards and writes the records on which they differ.
pub struct Compare {
    /// Whether normalization alone is not a difference.
    meaning: bool,
    /// How differences are written.
    format: Format,
    /// Whether each record has its own base.
    pairs: bool,
    /// The other standards. Their sieve also passes over the records of a block that do not differ.
    others: Others,
    /// The number of records, those included that failed.
    records: u64,
    /// The number of them that differ.
    differing: u64,
    /// The number of those for each reason, in the order of [`Reason::ALL`].
    counts: Vec<u64>,
    /// Scratch space for the path of step 6.
    path: Vec<u8>,
    /// Scratch space for RFC 1808's answer.
    url: Buffer,
}

impl Compare {
    /// A task that writes differences. `meaning`: normalization alone is not one.
    pub fn new(meaning: bool, format: Format, records: RecordFormat) -> Self {
        let RecordFormat { terminator, pairs } = records;
        Compare {
            meaning,
            format,
            pairs,
            others: Others::new(terminator, pairs),
            records: 0,
            differing: 0,
            counts: vec![0; Reason::ALL.len()],
            path: Vec::new(),
            url: Buffer::default(),
        }
    }

    /// Resolves a record by all standards; `None` if they agree.
    ///
    /// # Errors
    /// No standard has an answer: why RFC 1808 has none.
    fn compare(&mut self, record: &Record<'_>, bases: &Bases<'_>) -> Result<Option<Difference>, Complaint> {
        let pairs = self.pairs;
        let base = bases.of(Spec::Rfc1808).parsed.map_err(|failure| failure.describe(record, pairs))?;
        self.url.clear();
        let resolved = resolve(&base, record.reference, &mut self.path, |_| ());
        let own = resolved.map(|resolved| self.url.add_url(&resolved)).map(|()| self.url.bytes());
        let others = self.others.ask(bases, record, own);
        let answer = own.map_err(|error| Failure::Unresolvable(error).describe(record, pairs));
        if let (Err(complaint), true) = (&answer, others.iter().all(|other| other.answer.is_err())) {
            return Err(complaint.clone());
        }
        let mut reasons = Reasons::default();
        for other in &others {
            reasons = reasons.and(other.reasons);
            // also if RFC 1808 has no answer: one of the three has one
            if let (Err(_), Err(error)) = (own, other.answer) {
                reasons.add(Reason::of_error(other.spec, error));
            }
        }
        if self.meaning {
            reasons = reasons.of_meaning();
        }
        if reasons.is_empty() {
            return Ok(None);
        }
        let [rfc3986, whatwg] = others.map(|other| other.answer.map_err(|why| complaint(why, record, pairs)));
        let answers = [answer, rfc3986, whatwg].map(|answer| answer.map(<[u8]>::to_vec));
        Ok(Some(Difference { answers, reasons }))
    }
}

/// A record on which the standards differ.
struct Difference {
    /// What they answer, in the order of [`Spec::ALL`].
    answers: [Result<Vec<u8>, Complaint>; 3],
    /// Why.
    reasons: Reasons,
}

impl Difference {
    /// The name of each standard with its answer.
    fn named(&self) -> impl Iterator<Item = (&'static str, Result<&[u8], &Complaint>)> {
        Spec::ALL.iter().zip(&self.answers).map(|(spec, answer)| (spec.name(), answer.as_deref()))
    }

    /// Writes the difference as an object.
    fn write_json(&self, record: &Record<'_>, base: &KnownBase<'_>, out: &mut Writer) {
        json::record(record, base, b"", &mut out.answers, |object| {
            for (name, answer) in self.named() {
                object.object(name, |object| {
                    object.answer(answer);
                    object.base64("url_base64", answer.unwrap_or_default());
                });
            }
            object.array("why", |why| self.reasons.iter().for_each(|reason| why.text(reason.code())));
        });
    }

    /// Writes the difference as lines for people.
    fn write_block(&self, record: &Record<'_>, base: &KnownBase<'_>, out: &mut Writer) {
        let out = &mut out.answers;
        writeln!(out, "{}: {}", Location::of(record), Escaped(record.reference));
        if !base.text.is_empty() {
            writeln!(out, "  base     {}", Escaped(base.text));
        }
        for (name, answer) in self.named() {
            match answer {
                Ok(url) => writeln!(out, "  {name:7}  {}", Escaped(url)),
                Err(complaint) => writeln!(out, "  {name:7}  error: {complaint}"),
            }
        }
        self.reasons.iter().for_each(|reason| writeln!(out, "  why      {}", reason.text()));
    }
}

impl Task for Compare {
    fn standards(&self) -> &[Spec] {
        &Spec::ALL
    }

    fn base(&mut self, bases: &Bases<'_>, _: &mut Writer) -> io::Result<()> {
        self.others.set_base(bases);
        Ok(())
    }

    fn block(&mut self, block: &mut Block<'_>, out: &mut Writer) -> io::Result<()> {
        self.records += pass_block(&mut self.others.sieve, block, out);
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, bases: &Bases<'_>, out: &mut Writer) -> io::Result<bool> {
        self.records += 1;
        if record.link.is_some() && self.others.agree(bases, record.reference) {
            return Ok(true);
        }
        let base = bases.of(Spec::Rfc1808);
        let difference = match self.compare(record, bases) {
            Ok(Some(difference)) => difference,
            Ok(None) => return Ok(true),
            Err(complaint) => {
                self.format.fail(record, base, &complaint, out);
                return Ok(false);
            }
        };
        out.set_found();
        self.differing += 1;
        difference.reasons.iter().for_each(|reason| self.counts[reason as usize] += 1);
        if self.format.is_json() {
            difference.write_json(record, base, out);
        } else if !out.is_quiet() {
            if self.differing > 1 {
                writeln!(out.answers);
            }
            difference.write_block(record, base, out);
        }
        Ok(false)
    }

    fn finish(&mut self, out: &mut Writer) -> io::Result<()> {
        let Compare { records, differing, counts, .. } = self;
        let differ = if *records == 1 { "record differs" } else { "records differ" };
        out.note(format_args!("{differing} of {records} {differ}"));
        let mut rows: Vec<_> = counts.iter().zip(Reason::ALL).filter(|(count, _)| **count > 0).collect();
        rows.sort_by_key(|(count, _)| std::cmp::Reverse(**count));
        for (count, reason) in rows {
            out.row(format_args!("{count:>8}  {:22}  {}", reason.code(), reason.text()));
        }
        Ok(())
    }

    fn failed(&self) -> &'static str {
        "differing"
    }
}
