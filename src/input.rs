//! Records from arguments, files and standard input, in blocks of whole records.

mod open_source;

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;

use memchr::{memchr, memrchr};

use crate::limits::{BLOCK, MAX_RECORD, TEXT_START};
use crate::record::Failure;
use crate::refuse::{check_list, is_bracket};
use crate::resolver::parse;
use crate::source::Source;
use crate::strip::{BOM, without_bom};
pub use open_source::{OpenSource, OutputFile, bytes_read, open_found, size};

/// The bytes after the records of a block that the fast way may look at, so that it can answer the last one, too.
const AFTER: usize = 128;

/// The most bytes kept of a record: a byte order mark, `MAX_RECORD` bytes, a CR, and one byte more, which shows that
/// the record is too long.
const MAX_KEPT: usize = BOM.len() + MAX_RECORD + 2;

/// A source that cannot be opened, or not be read to its end.
pub struct SourceError<'a> {
    pub source: Source<'a>,
    /// The number of records answered before, and the word for one; `None` if no message needs it.
    pub answered: Option<(u64, &'static str)>,
    /// What the system reports.
    pub error: io::Error,
}

/// All records of some sources, one source after the other.
pub struct Input<'a> {
    /// The sources not yet begun.
    sources: std::vec::IntoIter<Source<'a>>,
    source: Source<'a>,
    /// The current source, if it is open and not at its end.
    reader: Option<OpenSource>,
    /// What ends a record: LF or NUL.
    terminator: u8,
    /// The bytes read, then space for more.
    buffer: Vec<u8>,
    /// The number of bytes read that are in the buffer.
    filled: usize,
    /// The number of them that the last block had.
    done: usize,
    /// The number of records returned from the current source.
    records: u64,
}

impl<'a> Input<'a> {
    /// The records of `sources`. A record ends at `terminator`, LF or NUL; with LF one CR before it is
    /// dropped, and a BOM at the start of a file or of standard input.
    pub fn new(sources: Vec<Source<'a>>, terminator: u8) -> Self {
        Input {
            sources: sources.into_iter(),
            source: Source::Arguments(&[]),
            reader: None,
            terminator,
            buffer: Vec::new(),
            filled: 0,
            done: 0,
            records: 0,
        }
    }

    /// Reads the next block; false at the end of the last source. After a source that cannot be read
    /// further, the next call goes on with the next one.
    pub fn advance(&mut self) -> Result<bool, SourceError<'a>> {
        if self.reader.is_none() {
            let Some(source) = self.sources.next() else { return Ok(false) };
            self.source = source;
            (self.records, self.filled, self.done) = (0, 0, 0);
            if let Source::Arguments(_) = source {
                return Ok(true);
            }
        }
        match self.fill().and_then(|()| self.check_start()) {
            Ok(()) => Ok(true),
            Err(mut error) => {
                if error.kind() == io::ErrorKind::IsADirectory {
                    error = io::Error::new(error.kind(), "a directory, not a list; --links reads its documents");
                }
                let word = if self.terminator == b'\n' { "line" } else { "record" };
                let answered = (self.records > 0).then_some((self.records, word));
                Err(SourceError { source: self.source, answered, error })
            }
        }
    }

    /// Refuses a source that is no list, once there is enough of it, and before its first record is returned.
    fn check_start(&mut self) -> io::Result<()> {
        if self.records > 0 {
            return Ok(());
        }
        let (start, is_whole) = (&self.buffer[..self.filled], self.reader.is_none() || self.filled >= TEXT_START);
        if !is_whole && is_bracket(start) {
            self.done = 0; // no record yet, even if there is a whole line
        }
        if self.done == 0 && !is_whole {
            return Ok(());
        }
        check_list(start, self.terminator).inspect_err(|_| self.reader = None)
    }

    /// The current block: the whole records that one read returned, perhaps no record.
    pub fn block(&mut self) -> Block<'_> {
        let Input { source, terminator, .. } = *self;
        // a last record without its terminator has nothing after it
        let after = if self.buffer[..self.done].ends_with(&[terminator]) { AFTER } else { 0 };
        let (mut text, mut arguments) = (&self.buffer[..self.done + after], [].iter());
        if let Source::Arguments(all) = source {
            arguments = all.iter();
        } else if self.records == 0 && terminator == b'\n' {
            text = without_bom(text); // silent: reading 18
        }
        Block { text, after, arguments, source, terminator, records: &mut self.records }
    }

    /// Opens the source if it is not open, and reads once; `done` is then the length of the whole records in the
    /// buffer, at the end of the source of all that is left. Of a record that is too long only the beginning is kept.
    fn fill(&mut self) -> io::Result<()> {
        // before:        | last block | start of a record | space, at least AFTER |
        //                0            done                filled
        // after a read:  | start of a record | rest, records | start of one | space, at least AFTER |
        //                0                   searched        done           filled
        self.buffer.copy_within(self.done..self.filled, 0);
        self.filled -= std::mem::take(&mut self.done);
        self.filled = self.filled.min(MAX_KEPT); // what is left is one record without its end
        if self.buffer.len() - self.filled < BLOCK / 2 {
            self.buffer.resize((2 * self.filled).min(MAX_KEPT) + BLOCK + AFTER, 0);
        } else if self.filled == 0 && self.buffer.len() > 4 * BLOCK {
            self.buffer.truncate(BLOCK + AFTER);
            self.buffer.shrink_to_fit();
        }
        let mut reader = match self.reader.take() {
            Some(reader) => reader,
            None => OpenSource::new(self.source)?,
        };
        let length = loop {
            let space = self.filled..self.buffer.len() - AFTER;
            match reader.read(&mut self.buffer[space]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        let searched = self.filled;
        self.filled += length;
        if length == 0 {
            self.done = self.filled;
            return Ok(());
        }
        self.reader = Some(reader);
        let end = memrchr(self.terminator, &self.buffer[searched..self.filled]);
        self.done = end.map_or(0, |end| searched + end + 1);
        Ok(())
    }
}

/// Whole records of one source.
pub struct Block<'a> {
    /// The records not yet taken, each with its terminator but perhaps the last, then more bytes.
    text: &'a [u8],
    /// The number of these bytes.
    after: usize,
    /// The arguments not yet taken.
    arguments: std::slice::Iter<'a, OsString>,
    pub source: Source<'a>,
    terminator: u8,
    /// The number of records taken from the source.
    records: &'a mut u64,
}

impl<'a> Block<'a> {
    /// The records not yet taken, as they are in the source; empty for the command line.
    pub fn rest(&self) -> &'a [u8] {
        &self.text[..self.text.len() - self.after]
    }

    /// [`Block::rest`], and some more bytes that may be looked at.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Whether no record has been taken from its source.
    pub fn is_first(&self) -> bool {
        *self.records == 0
    }

    /// The index of the first record in it that begins with the URL of a host and a TAB, as a pair does.
    pub fn find_pair(&self) -> Option<usize> {
        let begins_pair = |record: &[u8]| {
            let (url, after) = record.split_at(memchr(b'\t', record).unwrap_or(0));
            let url = parse(url);
            url.scheme.is_some() && url.net_loc.is_some() && !after.trim_ascii().is_empty()
        };
        let text = memchr(b'\t', self.rest()).map_or(&b""[..], |_| self.rest());
        let records = text.split(|byte| *byte == self.terminator);
        self.arguments.clone().map(|argument| argument.as_encoded_bytes()).chain(records).position(begins_pair)
    }

    /// Takes `records` records, which have `bytes` bytes with their terminators.
    pub fn take(&mut self, records: u64, bytes: usize) {
        self.text = &self.text[bytes..];
        *self.records += records;
    }

    /// The next record's number in its source, from 1, and its bytes, trimmed.
    pub fn next_record(&mut self) -> Option<(u64, Result<&'a [u8], Failure<'a>>)> {
        let record = if let Some(argument) = self.arguments.next() {
            argument.as_encoded_bytes()
        } else if self.rest().is_empty() {
            return None;
        } else if let Some(end) = memchr(self.terminator, self.rest()) {
            let record = &self.text[..end];
            self.text = &self.text[end + 1..];
            match self.terminator {
                b'\n' => record.strip_suffix(b"\r").unwrap_or(record), // silent: reading 18
                _ => record,
            }
        } else {
            std::mem::take(&mut self.text)
        };
        *self.records += 1;
        Some((*self.records, if record.len() > MAX_RECORD { Err(Failure::TooLong) } else { Ok(record) }))
    }

    /// Splits the last record, BASE TAB REFERENCE or BASE TAB DOCUMENT, at its first TAB; `after` is the second name.
    pub fn pair<'r>(&self, record: &'r [u8], after: &'static str) -> Result<(&'r [u8], &'r [u8]), Failure<'static>> {
        if let Some(tab) = memchr(b'\t', record) {
            return Ok((&record[..tab], &record[tab + 1..]));
        }
        let is_file = match self.source {
            Source::Arguments(all) => {
                let name = usize::try_from(*self.records).ok().and_then(|number| all.get(number - 1));
                name.is_some_and(|name| Path::new(name).is_file())
            }
            Source::Stdin | Source::File(_) => false,
        };
        Err(if is_file { Failure::FileName } else { Failure::NoTab(after) })
    }
}
