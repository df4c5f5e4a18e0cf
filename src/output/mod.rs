//! Answers on standard output, messages on standard error, and the exit status.

mod check;
mod explain;
mod json;
mod progress;
mod sink;
#[cfg(feature = "spec")]
mod spec;

use std::fmt;
use std::io::{self, Write};

pub use explain::Colors;

use crate::base::{self, Found, Link, Problem};
use crate::input::{Block, Source, Unreadable};
use crate::resolver::quick::Quick;
use crate::resolver::{Base, Removed, Resolved, Unresolvable, resolve};
#[cfg(feature = "spec")]
use crate::spec::Spec;
use progress::Progress;
use sink::Sink;

/// How many bytes are kept back before they are written.
const LARGE: usize = 64 * 1024;

/// What is written of a record.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// The URL.
    #[default]
    Plain,
    /// The record, TAB and the URL.
    KeepInput,
    /// The steps of §4 and the URL, for a person.
    Explain(Colors),
    /// A JSON object.
    Json {
        /// Whether it has the steps of §4.
        steps: bool,
    },
}

/// What is done with a record.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Task {
    /// Resolve it by RFC 1808.
    #[default]
    Resolve,
    /// Judge it by RFC 1808's grammar.
    Check,
    /// Resolve it by another standard.
    #[cfg(feature = "spec")]
    Spec(Spec),
    /// Resolve it by all of them, and write it if they do not agree.
    #[cfg(feature = "spec")]
    Compare {
        /// Whether they agree where only a normalisation parts them.
        meaning: bool,
    },
}

/// How all records of a run are written.
#[derive(Clone, Copy, Default)]
pub struct Settings {
    /// What is done with a record.
    pub task: Task,
    /// What is written of a record.
    pub format: Format,
    /// What ends an answer: LF or NUL.
    pub terminator: u8,
    /// Whether each record brings its own base.
    pub pairs: bool,
    /// Whether nothing is said of single records.
    pub quiet: bool,
}

/// A record as it was read.
pub struct Record<'a> {
    /// What it comes from.
    pub source: Source<'a>,
    /// Its number in there, from 1.
    pub number: u64,
    /// All of it, trimmed.
    pub text: &'a [u8],
    /// The base URL's text; empty if there is none.
    pub base: &'a [u8],
    /// The reference.
    pub reference: &'a [u8],
    /// Why that base applies, if there was a question.
    pub origin: Option<Origin<'a>>,
    /// The link that the record is, if it is one.
    pub link: Option<&'a Link<'a>>,
}

/// Where a base URL comes from.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// The document that was looked into for it.
    pub document: Option<Source<'a>>,
    /// What was found.
    pub found: &'a Found<'a>,
}

/// Why a record has no answer.
#[derive(Clone, Copy)]
pub enum Failure {
    /// No TAB parts it into base and reference.
    NoTab,
    /// No TAB parts it into base and file.
    NoFile,
    /// RFC 1808 has none.
    Unresolvable(Unresolvable),
}

impl Failure {
    /// The code of JSON's `error`, what is wrong, and how to mend it.
    pub fn describe(self, pairs: bool) -> (&'static str, &'static str, &'static str) {
        match (self, pairs) {
            (Failure::NoTab, _) => ("no-tab", "no TAB in the record", "write BASE TAB REFERENCE"),
            (Failure::NoFile, _) => ("no-tab", "no TAB in the record", "write BASE TAB FILE"),
            (Failure::Unresolvable(Unresolvable::NoBase), false) => (
                "no-base",
                "the reference has no scheme and there is no base URL (§3.4)",
                "give the URL of its document with --base",
            ),
            (Failure::Unresolvable(Unresolvable::NoBase), true) => (
                "no-base",
                "the reference has no scheme and its base is empty (§3.4)",
                "write the URL of its document before the TAB",
            ),
            (Failure::Unresolvable(Unresolvable::UnsuitableBase), _) => (
                "unsuitable-base",
                "relative URLs are never used with the base's scheme (§2.3)",
                "write the reference with its scheme",
            ),
            (Failure::Unresolvable(Unresolvable::BaseWithoutScheme), _) => (
                "base-without-scheme",
                "the base URL has no scheme (§2.2)",
                "write all of it, such as http://host/path",
            ),
        }
    }
}

/// One removal of step 6, for those who tell of it later.
struct Removal {
    /// Its rule: `a`, `b`, `c` or `d`.
    rule: char,
    /// How many bytes long the parent is.
    parent: usize,
    /// Where its dots are in the text that step 6 starts from.
    dots: std::ops::Range<usize>,
}

impl From<Removed<'_>> for Removal {
    fn from(removed: Removed<'_>) -> Self {
        let rule = match removed.dots {
            b"./" => 'a',
            b"." => 'b',
            b"../" => 'c',
            _ => 'd',
        };
        let end = removed.at.saturating_add(removed.dots.len());
        Removal { rule, parent: removed.parent.len(), dots: removed.at..end }
    }
}

/// All that is known of a record once it is resolved: what JSON and explanations are made of.
struct Facts<'a> {
    /// The record.
    record: &'a Record<'a>,
    /// Its base, if it has a usable one or none at all.
    base: Option<&'a Base<'a>>,
    /// What came of it.
    outcome: &'a Result<Resolved<'a>, Failure>,
    /// The URL, if that is one.
    url: &'a [u8],
    /// What step 6 removed, in the order of the text.
    removals: &'a [Removal],
    /// Whether each record brings its own base.
    pairs: bool,
    /// What other standards say, if that is something else: a line each.
    others: &'a [String],
}

/// Standard output and standard error, both in large pieces, and the exit status.
#[derive(Default)]
pub struct Output {
    /// How records are written.
    settings: Settings,
    /// Answers not yet written.
    answers: Buffer,
    /// Where they go.
    stdout: Sink,
    /// Messages not yet written.
    messages: Buffer,
    /// Where they go.
    stderr: Sink,
    /// The exit status so far.
    status: u8,
    /// How many records have been answered.
    records: u64,
    /// How many of them failed.
    failures: u64,
    /// What shows how far the run is.
    progress: Option<Box<Progress>>,
    /// Whether a record has been explained before.
    explained: bool,
    /// Room for the path of step 6.
    path: Vec<u8>,
    /// Room for a URL that is told of.
    url: Buffer,
    /// Room for the removals of step 6.
    removals: Vec<Removal>,
    /// The bases that have been judged.
    judged: check::Bases,
    /// The other standards, and what came of comparing.
    #[cfg(feature = "spec")]
    specs: spec::Comparison,
}

impl Output {
    /// Nothing written yet, status 0.
    pub fn new(settings: Settings) -> Self {
        Output { settings, ..Output::default() }
    }

    /// Does what comes before all records: `base` is the text of their base, if they have one, and
    /// `origin` says where that comes from, if there was a question.
    ///
    /// # Errors
    /// Standard output cannot be written, or there is no memory.
    pub fn begin(&mut self, base: &[u8], origin: Option<Origin<'_>>) -> io::Result<()> {
        if self.settings.task == Task::Check { self.check_base(base, origin) } else { Ok(()) }
    }

    /// Does what comes after all records.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        #[cfg(feature = "spec")]
        if let Task::Compare { .. } = self.settings.task {
            self.tell_counts();
        }
        self.flush()
    }

    /// Resolves a record and writes its answer, an empty one if it fails; false if it fails.
    ///
    /// # Errors
    /// Standard output cannot be written, or the answer is too long for memory: then none of it is
    /// written.
    #[inline]
    pub fn answer(&mut self, record: &Record<'_>, base: Result<&Base<'_>, Failure>) -> io::Result<bool> {
        let start = self.answers.length;
        let done = match self.settings.task {
            Task::Resolve => self.write(record, base),
            Task::Check => self.check(record, base.err()),
            #[cfg(feature = "spec")]
            Task::Spec(spec) => self.resolve_by(spec, record, base),
            #[cfg(feature = "spec")]
            Task::Compare { meaning } => self.compare(meaning, record, base),
        };
        let done = match done {
            Err(error) => {
                self.answers.truncate(start);
                match error.kind() {
                    // as which serde tells that
                    io::ErrorKind::OutOfMemory | io::ErrorKind::InvalidData => {
                        self.no_memory(record.source, record.number, "the answer")
                    }
                    _ => Err(error),
                }
            }
            done => done,
        };
        self.records = self.records.saturating_add(1);
        if let Ok(false) = done {
            self.failures = self.failures.saturating_add(1);
        }
        if self.answers.length >= LARGE {
            self.flush()?;
        }
        done
    }

    /// Answers the first records of a block, as many as `quick` can.
    ///
    /// # Errors
    /// Standard output cannot be written, or there is no memory.
    pub fn quick_answers(&mut self, block: &mut Block<'_>, quick: &mut Quick) -> io::Result<()> {
        if block.rest().is_empty() {
            return Ok(());
        }
        let room = self.answers.room((2 * LARGE).saturating_sub(self.answers.length))?;
        let done = quick.answer(block.rest(), room);
        block.take(done.records, done.read);
        self.records = self.records.saturating_add(done.records);
        self.answers.length += done.written;
        if self.answers.length >= LARGE { self.flush() } else { Ok(()) }
    }

    /// [`Output::answer`], into memory. After an error, which is always that there is no more of it,
    /// the last record there is not whole.
    fn write(&mut self, record: &Record<'_>, base: Result<&Base<'_>, Failure>) -> io::Result<bool> {
        let Settings { format, terminator, pairs, .. } = self.settings;
        let length = record.base.len().saturating_add(record.reference.len()).saturating_add(2);
        self.path.clear();
        self.path.try_reserve(length)?;
        self.removals.clear();
        let tells = matches!(format, Format::Explain(_) | Format::Json { steps: true });
        let mut full = false;
        let outcome = base.and_then(|base| {
            let tell = |removed: Removed<'_>| {
                if tells {
                    match self.removals.try_reserve(1) {
                        Ok(()) => self.removals.push(removed.into()),
                        Err(_) => full = true,
                    }
                }
            };
            resolve(base, record.reference, &mut self.path, tell).map_err(Failure::Unresolvable)
        });
        if full {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        if let Format::Plain | Format::KeepInput = format {
            if format == Format::KeepInput {
                self.answers.write_all(record.text)?;
                self.answers.write_all(b"\t")?;
            }
            if let Ok(resolved) = &outcome {
                self.answers.put(resolved, length)?;
            }
            self.answers.write_all(&[terminator])?;
        } else {
            self.url.truncate(0);
            if let Ok(resolved) = &outcome {
                self.url.put(resolved, length)?;
            }
            #[cfg(feature = "spec")]
            if let (true, Ok(base)) = (tells, base) {
                self.specs.ask_others(base, record.reference)?;
            }
            #[cfg(feature = "spec")]
            let others = if base.is_ok() { self.specs.others() } else { &[] };
            #[cfg(not(feature = "spec"))]
            let others = &[];
            let (outcome, url, removals) = (&outcome, self.url.bytes(), &self.removals);
            let facts = Facts { record, base: base.ok(), outcome, url, removals, pairs, others };
            tell(&facts, format, &mut self.explained, &mut self.answers)?;
        }
        match outcome {
            Ok(_) => Ok(true),
            Err(failure) => {
                self.tell_failure(record, failure.describe(pairs));
                Ok(false)
            }
        }
    }

    /// Writes a base URL and the rule of §3 that gives it; status 1 if there is none.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn base(&mut self, origin: Origin<'_>) -> io::Result<()> {
        let Settings { format, terminator, .. } = self.settings;
        let Found { url, rule, .. } = origin.found;
        match format {
            Format::Json { .. } => json::write_base(origin, &mut self.answers)?,
            Format::Explain(colors) => explain::write_base(origin, colors, &mut self.answers)?,
            Format::Plain | Format::KeepInput => {
                self.answers.write_all(url)?;
                write!(self.answers, "\t{}", rule.section())?;
                self.answers.write_all(&[terminator])?;
            }
        }
        if url.is_empty() {
            self.status = self.status.max(1);
        }
        self.flush()
    }

    /// Tells that something in a document is passed over: status 1 if that may have had links.
    pub fn passed_over(&mut self, source: Source<'_>, place: base::Place<'_>, problem: Problem) {
        if let Problem::TooDeep | Problem::LongType = problem {
            self.status = self.status.max(1);
        }
        if !self.settings.quiet {
            self.say(format_args!("{}: {problem}", Spot(source, place)));
        }
    }

    /// Tells that a document has no such part, but those of `parts`: status 2.
    pub fn no_part(&mut self, source: Source<'_>, parts: &str) {
        self.status = 2;
        let name = Shown(source.name());
        match parts {
            "" => self.say(format_args!("{name}: there is no such part, it has none; leave --part out")),
            _ => self.say(format_args!("{name}: there is no such part; give --part one of {parts}")),
        }
    }

    /// Tells that a record fails, and why, in the words of [`Failure::describe`]: status 1.
    #[cold]
    fn tell_failure(&mut self, record: &Record<'_>, (_, what, remedy): (&str, &str, &str)) {
        self.status = self.status.max(1);
        if !self.settings.quiet {
            self.say(format_args!("{}: {what}; {remedy}", Whereabouts(record)));
        }
    }

    /// Tells that a record fails, where that is no empty answer; in JSON it is an object all the
    /// same. Always false.
    fn fail(&mut self, record: &Record<'_>, failure: Failure) -> io::Result<bool> {
        self.tell_failure(record, failure.describe(self.settings.pairs));
        if self.is_json() {
            let outcome = &Err(failure);
            let pairs = self.settings.pairs;
            let facts = Facts { record, base: None, outcome, url: b"", removals: &[], pairs, others: &[] };
            json::write(&facts, false, &mut self.answers)?;
        }
        Ok(false)
    }

    /// Whether records are written as JSON.
    fn is_json(&self) -> bool {
        matches!(self.settings.format, Format::Json { .. })
    }

    /// Tells of wrong usage: status 2.
    pub fn wrong_usage(&mut self, text: &str) {
        for line in text.split_inclusive('\n') {
            let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
            let _ = write!(self.messages, "{}{end}", Shown(line.as_bytes()));
        }
        self.flush_messages();
        self.status = 2;
    }

    /// Writes text that answers no record.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn text(&mut self, text: &[u8]) -> io::Result<()> {
        self.answers.write_all(text)?;
        self.flush()
    }

    /// Answers a record for which there is no memory, with an empty record as all that fail: status
    /// 2, and always false.
    fn no_memory(&mut self, source: Source<'_>, number: u64, what: &str) -> io::Result<bool> {
        let place = Place(source, number);
        self.status = 2;
        let message = format_args!("no memory for {what}; split the record, or give more memory");
        self.say(format_args!("{place}: {message}"));
        match (self.settings.task, self.settings.format) {
            (Task::Resolve, Format::Plain | Format::KeepInput) => {
                self.answers.write_all(&[self.settings.terminator])?;
            }
            (Task::Resolve, Format::Explain(_)) => {
                if std::mem::replace(&mut self.explained, true) {
                    self.answers.write_all(b"\n")?;
                }
                writeln!(self.answers, "Step 1  error: {message}")?;
            }
            (_, Format::Json { .. }) => json::write_no_memory(source, number, message, &mut self.answers)?,
            _ => {}
        }
        Ok(false)
    }

    /// Tells of a source that cannot be read, or of one record of it that is too long for memory:
    /// status 2. False if it is a record, which then has its empty answer.
    ///
    /// # Errors
    /// There is no memory.
    pub fn unreadable(&mut self, unreadable: &Unreadable<'_>) -> io::Result<bool> {
        let Unreadable { source, record, error } = unreadable;
        if error.kind() == io::ErrorKind::OutOfMemory {
            (self.records, self.failures) = (self.records.saturating_add(1), self.failures.saturating_add(1));
            return self.no_memory(*source, *record, "so long a record");
        }
        self.status = 2;
        let (name, what) = (Shown(source.name()), system(error));
        match record {
            1 => self.say(format_args!("{name}: {what}; give a file that can be read")),
            _ => self.say(format_args!("{name}: {what}; its records from {record} on are not answered")),
        }
        Ok(true)
    }

    /// Tells of a document that cannot be read, or not from a link on, and that a record of `list`
    /// names: status 2.
    pub fn unreadable_document(&mut self, (list, number): (Source<'_>, u64), unreadable: &Unreadable<'_>) {
        let Unreadable { source, record, error } = unreadable;
        self.status = 2;
        let (place, name, what) = (Place(list, number), Shown(source.name()), system(error));
        match record {
            _ if source.name().is_empty() => self.say(format_args!("{place}: FILE is empty; write BASE TAB FILE")),
            1 => self.say(format_args!("{place}: {name}: {what}; give a file that can be read")),
            _ => self.say(format_args!("{place}: {name}: {what}; its links from {record} on are not answered")),
        }
    }

    /// Tells why the run ends here: status 2. A closed pipe is no error and nothing is said.
    pub fn fatal(&mut self, error: &anyhow::Error) {
        let error = match error.downcast_ref::<io::Error>() {
            None => error.to_string(),
            Some(io) => match io.kind() {
                io::ErrorKind::BrokenPipe => return,
                io::ErrorKind::OutOfMemory => io.to_string(),
                _ => format!("standard output: {}; the answers from here on are lost", system(io)),
            },
        };
        self.say(format_args!("{error}"));
        self.status = 2;
        // what was ready before is still owed; where that is not possible it has just been said
        let _ = self.flush();
    }

    /// Adds a message.
    fn say(&mut self, message: fmt::Arguments<'_>) {
        // a message that finds no memory is lost, the exit status tells
        let _ = writeln!(self.messages, "absurl: {message}");
        if self.messages.length >= LARGE {
            self.flush_messages();
        }
    }

    /// Writes all that is ready, whole records.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        let end: &[u8] = match (self.settings.task, self.settings.format) {
            (_, Format::Json { .. }) | (Task::Check, _) => b"\n",
            #[cfg(feature = "spec")]
            (Task::Compare { .. }, _) => b"\n\n",
            (_, Format::Explain(_)) => b"\n\n",
            (_, Format::Plain | Format::KeepInput) => &[self.settings.terminator],
        };
        let written = self.stdout.write(&io::stdout(), self.answers.bytes(), end);
        self.answers.truncate(0);
        self.flush_messages();
        written
    }

    /// Writes the messages. Where they cannot be written there is nobody to tell, and the exit
    /// status stays.
    fn flush_messages(&mut self) {
        if let (Some(progress), 1..) = (&mut self.progress, self.messages.length) {
            progress.clear();
        }
        let _ = self.stderr.write(&io::stderr(), self.messages.bytes(), b"\n");
        self.messages.truncate(0);
    }

    /// Shows from now on how far the run is, where somebody sees it; `total`: how many bytes there are
    /// to read, if that is known.
    pub fn show_progress(&mut self, total: Option<u64>) {
        let failed = match self.settings.task {
            Task::Check => "illegal",
            #[cfg(feature = "spec")]
            Task::Compare { .. } => "differing",
            _ => "failed",
        };
        self.progress = Progress::begin(total, failed).map(Box::new);
    }

    /// So many more bytes have been read.
    pub fn advance(&mut self, read: usize) {
        if let Some(progress) = &mut self.progress {
            progress.advance(read, self.records, self.failures);
        }
    }

    /// Ends the run, and the bar if there is one. The exit status: 0 all resolved, 1 a record failed, 2 input or
    /// output failed.
    pub fn end(&mut self) -> u8 {
        if let Some(progress) = self.progress.take() {
            progress.finish(self.records, self.failures);
        }
        self.status
    }
}

/// Writes an explanation or an object; `explained`: whether there has been an explanation before.
///
/// # Errors
/// There is no memory.
#[cold]
#[inline(never)]
fn tell(facts: &Facts<'_>, format: Format, explained: &mut bool, answers: &mut Buffer) -> io::Result<()> {
    if let Format::Explain(colors) = format {
        if std::mem::replace(explained, true) {
            answers.write_all(b"\n")?;
        }
        explain::write(facts, colors, answers)
    } else {
        json::write(facts, format == Format::Json { steps: true }, answers)
    }
}

/// Bytes to be written; asks for memory and does not abort where there is none.
#[derive(Default)]
struct Buffer {
    /// The bytes, then room for more.
    bytes: Vec<u8>,
    /// How many bytes there are.
    length: usize,
}

impl Buffer {
    /// The bytes.
    fn bytes(&self) -> &[u8] {
        self.bytes.split_at(self.length).0
    }

    /// Room for at least `length` more bytes.
    #[inline]
    fn room(&mut self, length: usize) -> io::Result<&mut [u8]> {
        let wanted = self.length.saturating_add(length);
        if wanted > self.bytes.len() {
            self.bytes.try_reserve(wanted - self.bytes.len())?;
            self.bytes.resize(self.bytes.capacity(), 0);
        }
        Ok(self.bytes.split_at_mut(self.length).1)
    }

    /// Adds bytes that come in pieces.
    #[allow(clippy::inline_always, reason = "measured: then most lengths are constants")]
    #[inline(always)]
    fn add<const N: usize>(&mut self, pieces: [&[u8]; N]) -> io::Result<()> {
        let length = pieces.iter().map(|piece| piece.len()).sum();
        let mut room = self.room(length)?;
        for piece in pieces {
            if let Some((to, rest)) = std::mem::take(&mut room).split_at_mut_checked(piece.len()) {
                to.copy_from_slice(piece);
                room = rest;
            }
        }
        self.length += length;
        Ok(())
    }

    /// Adds the URL of a record, which is at most `length` bytes long.
    fn put(&mut self, resolved: &Resolved<'_>, length: usize) -> io::Result<()> {
        let mut room = self.room(length)?;
        let before = room.len();
        resolved.write(|piece| {
            if let Some((to, rest)) = std::mem::take(&mut room).split_at_mut_checked(piece.len()) {
                to.copy_from_slice(piece);
                room = rest;
            }
        });
        self.length += before - room.len();
        Ok(())
    }

    /// Forgets all but the first bytes, and the room of an uncommonly long record.
    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        if length == 0 && self.bytes.len() > 4 * LARGE {
            self.bytes.truncate(4 * LARGE);
            self.bytes.shrink_to_fit();
        }
    }
}

impl Write for Buffer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.add([bytes])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where a record stands: `FILE:LINE`, or `argument 3`.
struct Place<'a>(Source<'a>, u64);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if matches!(self.0, Source::Arguments(_)) { ' ' } else { ':' };
        write!(f, "{}{between}{}", Shown(self.0.name()), self.1)
    }
}

/// Where a record stands: a link in its document, any other by its number.
struct Whereabouts<'a>(&'a Record<'a>);

impl fmt::Display for Whereabouts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Whereabouts(record) = *self;
        match record.link {
            None => Place(record.source, record.number).fmt(f),
            Some(link) => Spot(record.source, link.place).fmt(f),
        }
    }
}

/// A place in a document: `FILE:LINE:COL`, with the part between them if that has lines of its own.
struct Spot<'a>(Source<'a>, base::Place<'a>);

impl fmt::Display for Spot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spot(source, place) = self;
        write!(f, "{}:", Shown(source.name()))?;
        match place.part.filter(|part| part.is_decoded) {
            Some(part) if part.is_whole() => f.write_str("decoded body:")?,
            Some(part) => write!(f, "decoded part {part}:")?,
            None => {}
        }
        write!(f, "{}:{}", place.line, place.column)
    }
}

/// Bytes for a person's eyes: 0x20 to 0x7E as they are, all others as `\xNN`.
pub struct Shown<'a>(pub &'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in self.0.chunk_by(|a, b| is_plain(*a) == is_plain(*b)) {
            match std::str::from_utf8(run) {
                Ok(text) if run.first().copied().is_some_and(is_plain) => f.write_str(text)?,
                _ => run.iter().try_for_each(|byte| write!(f, "\\x{byte:02X}"))?,
            }
        }
        Ok(())
    }
}

/// Whether a byte may be shown as it is: 0x20 to 0x7E.
fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7E)
}

/// What the system says of an error, as a part of a sentence: lowercase, without its number.
fn system(error: &io::Error) -> String {
    let said = error.to_string();
    let said = said.split(" (os error").next().unwrap_or_default();
    let mut letters = said.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}
