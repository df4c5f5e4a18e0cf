//! Records from arguments, files and standard input, in blocks of whole records, as the bytes that
//! came.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use memchr::{memchr, memrchr};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// How much is read at once, in bytes, and the first size of the buffer.
const BLOCK: usize = 128 * 1024;

/// What a UTF-8 file may begin with.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What records come from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The command line: each argument is a record.
    Arguments(&'a [OsString]),
    /// Standard input.
    Stdin,
    /// A file.
    File(&'a Path),
}

impl<'a> Source<'a> {
    /// What a name stands for: `-` for standard input.
    pub fn of(path: &'a Path) -> Self {
        if path.as_os_str() == "-" { Source::Stdin } else { Source::File(path) }
    }

    /// How many bytes there are to read, if it is a file that has a size; 0 if it cannot be read.
    pub fn size(self) -> Option<u64> {
        let (status, done) = match self {
            Source::Arguments(_) => return Some(0),
            Source::File(path) => (fs::metadata(path), 0),
            Source::Stdin => {
                let stdin = io::stdin().as_fd().try_clone_to_owned().map(File::from);
                let done = stdin.as_ref().map_or(Ok(0), |mut file| file.stream_position());
                (stdin.and_then(|file| file.metadata()), done.unwrap_or(0))
            }
        };
        match status {
            Ok(status) => status.is_file().then(|| status.len().saturating_sub(done)),
            Err(_) => Some(0),
        }
    }

    /// Its name in messages and JSON: `argument`, `-` or the path's bytes.
    pub fn name(self) -> &'a [u8] {
        match self {
            Source::Arguments(_) => b"argument",
            Source::Stdin => b"-",
            Source::File(path) => path.as_os_str().as_bytes(),
        }
    }
}

/// All records of some sources, one source after the other.
pub struct Input<'a> {
    /// The sources still to come.
    sources: std::vec::IntoIter<Source<'a>>,
    /// The one being read.
    source: Source<'a>,
    /// Its arguments still to come.
    arguments: std::slice::Iter<'a, OsString>,
    /// It, open, until its end.
    file: Option<File>,
    /// What ends a record: LF or NUL.
    terminator: u8,
    /// What has been read of it and is not done.
    buffer: Vec<u8>,
    /// How many bytes of `buffer` the last block had.
    given: usize,
    /// How many records of it have been given out.
    records: u64,
    /// How many bytes have been read that have not been told of.
    read: usize,
    /// Whether the beginning of the next record has been thrown away, for want of memory.
    lost: bool,
}

/// The arguments, then the files, of which `-` is standard input; where there are neither, standard
/// input.
pub fn sources<'a>(arguments: &'a [OsString], files: &'a [PathBuf]) -> Vec<Source<'a>> {
    let mut sources: Vec<_> = (!arguments.is_empty()).then_some(Source::Arguments(arguments)).into_iter().collect();
    sources.extend(files.iter().map(|file| Source::of(file)));
    if sources.is_empty() {
        sources.push(Source::Stdin);
    }
    sources
}

/// A source that cannot be opened or read on, or one record of it that is too long for memory:
/// [`io::ErrorKind::OutOfMemory`].
pub struct Unreadable<'a> {
    /// Which one.
    pub source: Source<'a>,
    /// The record that could not be read, from 1.
    pub record: u64,
    /// What the system says.
    pub error: io::Error,
}

impl<'a> Input<'a> {
    /// The records of these [`sources`]. A record ends at `terminator`, LF or NUL; with LF one CR before
    /// it is dropped, and a BOM at the start of a file or of standard input.
    pub fn new(arguments: &'a [OsString], files: &'a [PathBuf], terminator: u8) -> Self {
        Input {
            sources: sources(arguments, files).into_iter(),
            source: Source::Arguments(&[]),
            arguments: [].iter(),
            file: None,
            terminator,
            buffer: Vec::new(),
            given: 0,
            records: 0,
            read: 0,
            lost: false,
        }
    }

    /// Whether the next block may have to be waited for, so that whatever is ready to be written
    /// should be written now.
    pub fn would_wait(&self) -> bool {
        match &self.file {
            Some(file) => !is_ready(file, PollFlags::IN, Some(&Timespec::default())),
            None => self.arguments.len() == 0,
        }
    }

    /// How many bytes have been read since this was asked for last.
    pub fn take_read(&mut self) -> usize {
        std::mem::take(&mut self.read)
    }

    /// The next whole records, or none yet where more has to be read first; `None` at the end of the
    /// last source.
    ///
    /// # Errors
    /// A source that cannot be read: its later records are lost, those of other sources still come. A
    /// record that is too long for memory: it alone is lost.
    pub fn next_block(&mut self) -> Option<Result<Block<'_>, Unreadable<'a>>> {
        loop {
            if let Some(argument) = self.arguments.next() {
                let bytes = argument.as_bytes();
                return Some(Ok(Block { bytes, source: self.source, terminator: None, records: &mut self.records }));
            }
            if self.file.is_some() {
                match self.fill() {
                    Ok(()) => break,
                    Err(error) if error.kind() == io::ErrorKind::OutOfMemory => return Some(Err(self.too_long(error))),
                    Err(error) => return Some(Err(self.unreadable(error))),
                }
            }
            let next = self.sources.next()?;
            if let Err(error) = self.open(next) {
                return Some(Err(self.unreadable(error)));
            }
        }
        let mut bytes = self.buffer.split_at(self.given).0;
        if self.records == 0 && self.terminator == b'\n' {
            bytes = bytes.strip_prefix(BOM).unwrap_or(bytes); // silent: reading 18
        }
        let terminator = Some(self.terminator);
        Some(Ok(Block { bytes, source: self.source, terminator, records: &mut self.records }))
    }

    /// Begins with another source.
    fn open(&mut self, source: Source<'a>) -> io::Result<()> {
        self.source = source;
        self.records = 0;
        self.file = match source {
            Source::Arguments(arguments) => {
                self.arguments = arguments.iter();
                None
            }
            Source::Stdin => Some(io::stdin().as_fd().try_clone_to_owned()?.into()),
            Source::File(path) => Some(File::open(path)?),
        };
        Ok(())
    }

    /// Gives the open file up.
    fn unreadable(&mut self, error: io::Error) -> Unreadable<'a> {
        self.file = None;
        self.buffer = Vec::new();
        self.given = 0;
        Unreadable { source: self.source, record: self.records.saturating_add(1), error }
    }

    /// Passes over a record that is too long for memory.
    fn too_long(&mut self, error: io::Error) -> Unreadable<'a> {
        self.records = self.records.saturating_add(1);
        Unreadable { source: self.source, record: self.records, error }
    }

    /// Reads once. Whatever whole records the buffer then begins with are given out, at the file's
    /// end all that is left.
    ///
    /// Never twice: before a second read the caller has to ask whether that would wait.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.given);
        self.given = 0;
        let Some(file) = &self.file else { return Ok(()) };
        let searched = self.buffer.len();
        let spare = self.buffer.capacity().saturating_sub(searched);
        if spare < BLOCK / 2 && self.buffer.try_reserve(BLOCK).is_err() {
            // all that is there is the beginning of one record
            self.lost = true;
            self.buffer.clear();
            if self.buffer.capacity() == 0 {
                return Err(io::Error::other("no memory to read it"));
            }
        }
        let searched = self.buffer.len();
        let read = rustix::io::read(file, spare_capacity(&mut self.buffer));
        self.read = self.read.saturating_add(read.unwrap_or_default());
        match read {
            Ok(0) => {
                self.file = None;
                self.given = self.buffer.len();
                if std::mem::take(&mut self.lost) {
                    return Err(io::ErrorKind::OutOfMemory.into());
                }
            }
            Ok(_) if self.lost => match memchr(self.terminator, &self.buffer) {
                Some(end) => {
                    self.given = end.saturating_add(1);
                    self.lost = false;
                    return Err(io::ErrorKind::OutOfMemory.into());
                }
                None => self.buffer.clear(),
            },
            Ok(_) => {
                let last = memrchr(self.terminator, self.buffer.split_at(searched).1);
                self.given = last.map_or(0, |last| searched.saturating_add(last).saturating_add(1));
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                is_ready(file, PollFlags::IN, None);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

/// Waits until a file can be read or written, or for `timeout`; false if it cannot be by then. Also
/// true at its end and after an error, of which the next call tells.
pub fn is_ready(file: &impl AsFd, what: PollFlags, timeout: Option<&Timespec>) -> bool {
    poll(&mut [PollFd::new(file, what)], timeout).is_ok_and(|ready| ready > 0)
}

/// Whole records of one source.
pub struct Block<'a> {
    /// The records not yet taken, each with its terminator but perhaps the last.
    bytes: &'a [u8],
    /// Where they come from.
    pub source: Source<'a>,
    /// What ends a record; an argument ends by itself.
    terminator: Option<u8>,
    /// How many records of the source have been taken.
    records: &'a mut u64,
}

impl<'a> Block<'a> {
    /// The records not yet taken, as they stand in the source; none of the command line.
    pub fn rest(&self) -> &'a [u8] {
        if self.terminator.is_some() { self.bytes } else { &[] }
    }

    /// Takes `records` records at once, which are `bytes` bytes long with their terminators.
    pub fn take(&mut self, records: u64, bytes: usize) {
        self.bytes = self.bytes.split_at(bytes).1;
        *self.records = self.records.saturating_add(records);
    }

    /// The next record's number in its source, from 1, and its bytes, trimmed.
    pub fn next_record(&mut self) -> Option<(u64, &'a [u8])> {
        let record = match self.terminator {
            None => {
                self.terminator = Some(b'\n');
                std::mem::take(&mut self.bytes)
            }
            Some(_) if self.bytes.is_empty() => return None,
            Some(terminator) => match memchr(terminator, self.bytes) {
                None => std::mem::take(&mut self.bytes),
                Some(end) => {
                    let (record, rest) = self.bytes.split_at(end);
                    self.bytes = rest.split_at(1).1;
                    match terminator {
                        b'\n' => record.strip_suffix(b"\r").unwrap_or(record), // silent: reading 18
                        _ => record,
                    }
                }
            },
        };
        *self.records = self.records.saturating_add(1);
        Some((*self.records, record))
    }
}

/// The base and the reference of a record BASE TAB REFERENCE: the first TAB parts them.
pub fn pair(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let (base, rest) = record.split_at(memchr(b'\t', record)?);
    Some((base, rest.split_at(1).1))
}
