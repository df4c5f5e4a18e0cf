//! Answers on standard output, messages on standard error, and the exit status.

mod explain;
mod json;

use std::fmt;
use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::event::PollFlags;
use rustix::io::Errno;

pub use explain::Colors;

use crate::input::{Block, Source, Unreadable, is_ready};
use crate::resolver::quick::Quick;
use crate::resolver::{Base, Removed, Resolved, Unresolvable, resolve};

/// How many bytes are kept back before they are written.
const LARGE: usize = 64 * 1024;

/// How many bytes a pipe holds that much is written to.
#[cfg(target_os = "linux")]
const PIPE: usize = 1024 * 1024;

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

/// How all records of a run are written.
#[derive(Clone, Copy, Default)]
pub struct Settings {
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
}

/// Why a record has no answer.
#[derive(Clone, Copy)]
pub enum Failure {
    /// No TAB parts it into base and reference.
    NoTab,
    /// RFC 1808 has none.
    Unresolvable(Unresolvable),
}

impl Failure {
    /// The code of JSON's `error`, what is wrong, and how to mend it.
    pub fn describe(self, pairs: bool) -> (&'static str, &'static str, &'static str) {
        match (self, pairs) {
            (Failure::NoTab, _) => ("no-tab", "no TAB in the record", "write BASE TAB REFERENCE"),
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
}

/// Standard output and standard error, both in large pieces, and the exit status.
#[derive(Default)]
pub struct Output {
    /// How records are written.
    settings: Settings,
    /// Answers not yet written.
    answers: Buffer,
    /// Messages not yet written.
    messages: Buffer,
    /// The exit status so far.
    status: u8,
    /// Whether a record has been explained before.
    explained: bool,
    /// Whether standard output has been widened, if it is a pipe.
    #[cfg(target_os = "linux")]
    widened: bool,
    /// Room for the path of step 6.
    path: Vec<u8>,
    /// Room for a URL that is told of.
    url: Buffer,
    /// Room for the removals of step 6.
    removals: Vec<Removal>,
}

impl Output {
    /// Nothing written yet, status 0.
    pub fn new(settings: Settings) -> Self {
        Output { settings, ..Output::default() }
    }

    /// Resolves a record and writes its answer, an empty one if it fails; false if it fails.
    ///
    /// # Errors
    /// Standard output cannot be written, or the answer is too long for memory: then none of it is
    /// written.
    pub fn answer(&mut self, record: &Record<'_>, base: Result<&Base<'_>, Failure>) -> io::Result<bool> {
        let start = self.answers.length;
        let done = self.write(record, base).map_err(|_| {
            self.answers.truncate(start); // memory is all that can fail there
            let place = Place(record.source, record.number);
            let what = format!("{place}: no memory for the answer; split the record, or give more memory");
            io::Error::new(io::ErrorKind::OutOfMemory, what)
        });
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
            let (outcome, url, removals) = (&outcome, self.url.bytes(), &self.removals);
            let facts = Facts { record, base: base.ok(), outcome, url, removals, pairs };
            if let Format::Explain(colors) = format {
                if std::mem::replace(&mut self.explained, true) {
                    self.answers.write_all(b"\n")?;
                }
                explain::write(&facts, colors, &mut self.answers)?;
            } else {
                json::write(&facts, format == Format::Json { steps: true }, &mut self.answers)?;
            }
        }
        match outcome {
            Ok(_) => Ok(true),
            Err(failure) => {
                self.status = self.status.max(1);
                if !self.settings.quiet {
                    let place = Place(record.source, record.number);
                    let (_, what, remedy) = failure.describe(pairs);
                    self.say(format_args!("{place}: {what}; {remedy}"));
                }
                Ok(false)
            }
        }
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

    /// Tells of a source that cannot be read: status 2.
    pub fn unreadable(&mut self, unreadable: &Unreadable<'_>) {
        let Unreadable { source, record, error } = unreadable;
        self.status = 2;
        match error.kind() {
            io::ErrorKind::OutOfMemory => {
                let place = Place(*source, *record);
                self.say(format_args!("{place}: no memory for so long a record; split it, or give more memory"));
            }
            _ => {
                let (name, what) = (Shown(source.name()), system(error));
                match record {
                    1 => self.say(format_args!("{name}: {what}; give a file that can be read")),
                    _ => self.say(format_args!("{name}: {what}; its records from {record} on are not answered")),
                }
            }
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

    /// Writes all that is ready.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if self.answers.length >= LARGE && !std::mem::replace(&mut self.widened, true) {
            // a wider pipe needs fewer turns between writer and reader; if not, then not
            let _ = rustix::pipe::fcntl_setpipe_size(io::stdout(), PIPE);
        }
        let written = write_all(&io::stdout(), self.answers.bytes());
        self.answers.truncate(0);
        self.flush_messages();
        written
    }

    /// Writes the messages. Where they cannot be written there is nobody to tell, and the exit
    /// status stays.
    fn flush_messages(&mut self) {
        let _ = write_all(&io::stderr(), self.messages.bytes());
        self.messages.truncate(0);
    }

    /// The exit status: 0 all resolved, 1 a record failed, 2 input or output failed.
    pub fn status(&self) -> u8 {
        self.status
    }
}

/// Writes all of `bytes`, waiting where a non-blocking file is full.
fn write_all(file: &impl AsFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.split_at(written).1,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                is_ready(file, PollFlags::OUT, None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
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
        self.length = length;
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
