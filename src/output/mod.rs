//! Answers on standard output, messages on standard error, the counts and the exit status.

pub mod buffer;
pub mod explain;
pub mod json;
pub mod location;
mod messages;
mod progress;
mod stdout;
pub mod words;

use std::fmt;
use std::process::ExitCode;
use std::{io, mem};

use crate::document::{Place, Problem, Weight};
use crate::record::{Complaint, Record};
use crate::source::Source;
use buffer::{Buffer, MAX_PENDING};
use location::Location;
use messages::Messages;
use progress::Progress;
use words::{counted, system};

/// The bytes a pipe can hold after it is widened: the most that Linux allows without privileges.
/// Measured: with the default of 64 KiB the reader of the pipe waits up to twice as long.
#[cfg(target_os = "linux")]
const PIPE_SIZE: usize = 1024 * 1024;

/// How a run ends. The worst that happened decides.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Every record was resolved; `--check` and `--compare` found nothing.
    #[default]
    Resolved = 0,
    /// A record failed, or something was found.
    Found = 1,
    /// Usage, input or output failed.
    Failed = 2,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// Standard output and standard error, the counts and the exit status.
#[derive(Default)]
pub struct Writer {
    /// Answers not yet written.
    pub answers: Buffer,
    /// Messages not yet written.
    messages: Messages,
    /// Whether messages about single records are left out.
    quiet: bool,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// The word for a record: a link of a document, or a reference, which is a line or an argument.
    word: &'static str,
    status: Status,
    /// Whether there has been an explanation before.
    has_block: bool,
    /// Whether something was not read that may have had records.
    is_incomplete: bool,
    /// The number of records answered.
    records: u64,
    /// The number of them that failed.
    failures: u64,
    /// The progress bar, if one is shown.
    progress: Option<Progress>,
    /// Where answers go instead of standard output.
    destination: Option<Box<dyn io::Write>>,
    /// Whether standard output has been widened, in case it is a pipe.
    #[cfg(target_os = "linux")]
    is_wide: bool,
}

impl Writer {
    /// Nothing written yet, status 0. `quiet`: without messages about single records. `word`: for a record.
    pub fn new(quiet: bool, fail_fast: bool, word: &'static str) -> Self {
        Writer { quiet, fail_fast, word, ..Writer::default() }
    }

    /// A number of records in words, such as `no links`.
    pub fn counted(&self, records: u64) -> String {
        if records == 0 { format!("no {}s", self.word) } else { counted(records, self.word) }
    }

    /// Whether messages and findings about single records are left out.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Begins an explanation: an empty line separates it from the one before.
    pub fn begin_block(&mut self) {
        if mem::replace(&mut self.has_block, true) {
            self.answers.add([b"\n"]);
        }
    }

    /// Counts records that have been answered.
    pub fn count(&mut self, records: u64, failures: u64) {
        self.records += records;
        self.failures += failures;
    }

    /// Notes that something was found, or that a record failed: status 1.
    pub fn set_found(&mut self) {
        self.status = self.status.max(Status::Found);
    }

    /// Notes that something was found that was not read: status 1.
    pub fn set_unread(&mut self) {
        self.set_found();
        self.is_incomplete = true;
    }

    /// Reports that a record fails: status 1.
    #[cold]
    pub fn fail(&mut self, record: &Record<'_>, complaint: &Complaint) {
        self.set_found();
        if !self.quiet {
            let message = format_args!("{}: {complaint}", Location::of(record));
            self.messages.say_of(record.source, complaint.code, message);
        }
    }

    /// Reports that a document has no base.
    pub fn without_base(&mut self, source: Source<'_>) {
        if !self.quiet {
            self.messages.say_of(source, "no-base", format_args!("{source}: no base URL; use --base URL"));
        }
    }

    /// Reports that something in a document is skipped: status 1 if that may have had links, 2 if it had to be read.
    pub fn skipped(&mut self, source: Source<'_>, place: Place<'_>, problem: &Problem) {
        let message = format_args!("{}: {problem}", Location::Document(source, place));
        match problem.weight {
            Weight::Note => {}
            Weight::Skipped => self.set_unread(),
            Weight::Error => return self.error(message),
        }
        if !self.quiet {
            self.messages.say_of(source, problem.kind, message);
        }
    }

    /// Reports wrong usage, or an error about a source: status 2.
    pub fn error(&mut self, what: impl fmt::Display) {
        self.status = Status::Failed;
        self.is_incomplete = true;
        self.messages.say(what);
    }

    /// Reports the error that ends the run: status 2. A closed pipe is not an error.
    pub fn fatal(&mut self, error: &anyhow::Error) {
        match error.downcast_ref::<io::Error>() {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Some(error) => self.error(format_args!("standard output: {}", system(error))),
            None => self.error(error),
        }
    }

    /// Adds a note: a message that leaves the exit status.
    pub fn note(&mut self, note: impl fmt::Display) {
        self.messages.say(note);
    }

    /// Adds a note about a document, unless there have been enough of its kind.
    pub fn note_of(&mut self, source: Source<'_>, kind: &'static str, note: impl fmt::Display) {
        if !self.quiet {
            self.messages.say_of(source, kind, note);
        }
    }

    /// Whether usage, input or output has failed.
    pub fn has_failed(&self) -> bool {
        self.status == Status::Failed
    }

    /// What a summary ends with: nothing, or that not everything was read.
    pub fn unread(&self) -> &'static str {
        match self.status {
            _ if self.is_incomplete => "; not everything was read",
            Status::Found if self.fail_fast => "; stopped there",
            _ => "",
        }
    }

    /// Adds the summary of a run in which some records failed, after all other messages. `unread`: its end.
    pub fn summary(&mut self, summary: impl fmt::Display, failed: u64, unread: &str) {
        self.messages.end();
        match failed {
            0 => self.note(format_args!("{summary}{unread}")),
            _ => self.note(format_args!("{summary}, {failed} failed{unread}")),
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
            if self.destination.is_none() && !self.is_wide && self.answers.len() >= MAX_PENDING {
                self.is_wide = true;
                // anything but a pipe refuses, which changes nothing
                let _ = rustix::pipe::fcntl_setpipe_size(io::stdout(), PIPE_SIZE);
            }
            written = match &mut self.destination {
                Some(destination) => destination.write_all(self.answers.bytes()),
                None => stdout::write(self.answers.bytes()),
            };
            self.answers.clear();
        }
        self.flush_messages();
        written
    }

    /// Writes everything that is pending. From then on answers go to another destination, or to standard output again.
    pub fn divert(&mut self, destination: Option<Box<dyn io::Write>>) -> io::Result<()> {
        let written = self.flush();
        self.destination = destination;
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
    /// word for those that fail.
    pub fn show_progress(&mut self, total: Option<u64>, failed: &'static str) {
        self.progress = Progress::begin(total, [self.word, failed]);
    }

    /// Notes how many bytes have been read so far.
    pub fn advance(&mut self, read: u64) {
        if let Some(progress) = &mut self.progress {
            progress.advance(read, self.records, self.failures);
        }
    }

    /// Ends the run and returns the exit status.
    pub fn finish(mut self) -> Status {
        self.messages.end();
        self.flush_messages();
        if let Some(progress) = self.progress.take() {
            progress.finish(self.records, self.failures);
        }
        self.status
    }
}
