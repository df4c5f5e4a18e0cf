//! Answers on standard output, messages on standard error, the counts and the exit status.

pub mod buffer;
pub mod explain;
pub mod json;
pub mod location;
mod messages;
mod progress;
mod stdout;

use std::fmt;
use std::io;

use crate::document::{Fault, Place, Problem};
use crate::input::Unreadable;
use crate::limits::MAX_PENDING;
use crate::record::{Complaint, Record};
use crate::source::Source;
use buffer::Buffer;
use location::{Location, Quoted};
use messages::Messages;
use progress::Progress;

/// Standard output and standard error, the counts and the exit status.
#[derive(Default)]
pub struct Writer {
    /// Answers not yet written.
    pub answers: Buffer,
    /// Messages not yet written.
    messages: Messages,
    /// Whether messages about single records are left out.
    quiet: bool,
    /// The exit status so far.
    status: u8,
    /// The number of records answered.
    records: u64,
    /// The number of them that failed.
    failures: u64,
    /// The progress bar, if one is shown.
    progress: Option<Progress>,
    /// Whether standard output has been widened, in case it is a pipe.
    #[cfg(target_os = "linux")]
    is_wide: bool,
}

impl Writer {
    /// Nothing written yet, status 0. `quiet`: without messages about single records.
    pub fn new(quiet: bool) -> Self {
        Writer { quiet, ..Writer::default() }
    }

    /// Whether messages and findings about single records are left out.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Counts records that have been answered.
    pub fn count(&mut self, records: u64, failures: u64) {
        self.records += records;
        self.failures += failures;
    }

    /// Notes that something was found, or that a record failed: status 1.
    pub fn set_found(&mut self) {
        self.status = self.status.max(1);
    }

    /// Reports that a record fails: status 1.
    pub fn fail(&mut self, record: &Record<'_>, complaint: &Complaint) {
        self.fail_here(record, complaint, "; --json lists each");
    }

    /// The same. `fix`: what shows such failures if they are many.
    #[cold]
    pub fn fail_here(&mut self, record: &Record<'_>, complaint: &Complaint, fix: &'static str) {
        self.set_found();
        if !self.quiet {
            let message = format_args!("{}: {complaint}", Location::of(record));
            self.messages.say_of(record.source, complaint.code, message, fix);
        }
    }

    /// Reports that something in a document is skipped: status 1 if that may have had links, 2 if it had to be read.
    pub fn skipped(&mut self, source: Source<'_>, place: Place<'_>, problem: &Problem) {
        let message = format_args!("{}: {problem}", Location::Document(source, place));
        match problem {
            Problem::LongStyle => return self.error(message),
            Problem::Base { .. } => {}
            _ => self.set_found(),
        }
        if !self.quiet {
            self.messages.say_of(source, problem.kind(), message, "");
        }
    }

    /// Reports wrong usage, or an error about a source: status 2.
    pub fn error(&mut self, what: impl fmt::Display) {
        self.status = 2;
        self.messages.say(what);
    }

    /// Reports the error that ends the run: status 2. A closed pipe is not an error.
    pub fn fatal(&mut self, error: &anyhow::Error) {
        match error.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Some(error) => {
                let what = system(error);
                self.error(format_args!("standard output: {what}; the rest of the output was not written"));
            }
            None => self.error(error),
        }
    }

    /// Adds a note: a message that leaves the exit status.
    pub fn note(&mut self, note: impl fmt::Display) {
        self.messages.say(note);
    }

    /// Adds a note about a source, if it is in UTF-16.
    pub fn note_utf16(&mut self, source: Source<'_>, encoding: Option<&str>) {
        if let Some(encoding) = encoding {
            self.note(format_args!("{source}: looks like {encoding}; convert it: iconv -f {encoding} -t UTF-8"));
        }
    }

    /// Adds a line of a table to the messages.
    pub fn row(&mut self, row: impl fmt::Display) {
        self.messages.add(row);
    }

    /// Writes pending answers if they are many.
    #[inline]
    pub fn flush_if_large(&mut self) -> io::Result<()> {
        if self.answers.len() >= MAX_PENDING || self.messages.len() >= MAX_PENDING { self.flush() } else { Ok(()) }
    }

    /// Writes everything that is pending.
    pub fn flush(&mut self) -> io::Result<()> {
        let mut written = Ok(());
        if self.answers.len() > 0 {
            #[cfg(target_os = "linux")]
            if !self.is_wide && self.answers.len() >= MAX_PENDING {
                self.is_wide = true;
                // anything but a pipe refuses, which changes nothing
                let _ = rustix::pipe::fcntl_setpipe_size(io::stdout(), crate::limits::PIPE_SIZE);
            }
            written = stdout::write(self.answers.bytes());
            self.answers.clear();
        }
        self.flush_messages();
        written
    }

    /// Writes the pending messages, next to the progress bar if there is one.
    fn flush_messages(&mut self) {
        let messages = &mut self.messages;
        match &mut self.progress {
            _ if messages.len() == 0 => {}
            Some(progress) => progress.suspend(|| messages.flush()),
            None => messages.flush(),
        }
    }

    /// Shows a progress bar where somebody sees it. `total`: the bytes to read, if known; `failed`: the
    /// word for records that fail.
    pub fn show_progress(&mut self, total: Option<u64>, failed: &'static str) {
        self.progress = Progress::begin(total, failed);
    }

    /// Notes that more bytes have been read.
    pub fn advance(&mut self, read: usize) {
        if let Some(progress) = &mut self.progress {
            progress.advance(read, self.records, self.failures);
        }
    }

    /// Ends the run and returns the exit status: 0 all resolved, 1 a record failed or something was
    /// found, 2 usage, input or output failed.
    pub fn finish(mut self) -> u8 {
        self.messages.end_source();
        self.flush_messages();
        if let Some(progress) = self.progress.take() {
            progress.finish(self.records, self.failures);
        }
        self.status
    }
}

impl fmt::Display for Unreadable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.get_ref().and_then(|error| error.downcast_ref::<Fault>()) {
            Some(fault) => write!(f, "{}:{}:{}: {fault}", self.source, fault.line, fault.column)?,
            None => write!(f, "{}: {}", self.source, system(&self.error))?,
        }
        match self.answered {
            None => Ok(()),
            Some(0) => f.write_str("; no record was answered"),
            Some(answered) => write!(f, "; records from {} on were not answered", answered + 1),
        }
    }
}

/// What has a base, in a sentence.
fn subject(by: &str) -> String {
    match by {
        "BASE" | "xml:base" => format!("the {by}"),
        field => format!("the {field} field"),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Base { by, text, what, fix, .. } => {
                write!(f, "ignoring {} {}: {what}; {fix}", subject(by), Quoted(text))
            }
            Problem::TooLong(by) => write!(f, "ignoring {}: it is longer than 16 MiB; shorten it", subject(by)),
            Problem::LongType => {
                f.write_str("ignoring the end of the Content-Type field: it is longer than 16 KiB; shorten it")
            }
            Problem::Compressed(coding) => write!(
                f,
                "not searching the content, which is compressed with {coding}; fetch it with curl -i --compressed URL"
            ),
            Problem::EncodedTooOften => {
                f.write_str("not searching a message with more than 3 layers of transfer encoding; decode it first")
            }
            Problem::Entity => f.write_str(
                "ignoring an entity: it is external or circular, has markup or is too long; expand it first: xmllint --noent",
            ),
            Problem::LongText => f.write_str("not searching a text in the document that is longer than 16 MiB"),
            Problem::LongStyle => f.write_str("not searching the STYLE: it is longer than 16 MiB; split it"),
            Problem::TooDeep => f.write_str("not searching parts nested more than 100 levels deep; extract them first"),
            Problem::TextTooDeep => {
                f.write_str("not searching documents nested more than 10 levels deep; extract them first")
            }
        }
    }
}

/// An error in the system's words, as part of a sentence: lowercase, without its number.
fn system(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return "no such file or directory".to_owned(); // Windows says it in other words
    }
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().trim_end_matches('.'); // Windows writes a full stop
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}
