//! A document that is read more than once.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};

use super::OpenSource;
use crate::limits::MAX_HELD;
use crate::source::Source;

/// A document that is read more than once: a regular file, or the bytes of anything else.
pub enum DocumentText {
    /// A file, read through one descriptor.
    File {
        file: File,
        /// Where the document starts in it.
        start: u64,
        /// What it was when it was opened.
        opened: Metadata,
    },
    /// All of a document.
    Held(Vec<u8>),
}

impl DocumentText {
    /// Opens a document, and reads it if it is no regular file.
    ///
    /// # Errors
    /// It cannot be read, or it is too long to be held.
    pub fn open(source: Source<'_>) -> io::Result<Self> {
        let mut reader = OpenSource::new(source)?;
        // Windows has no metadata of a pipe
        if let Some(file) = DocumentText::of_file(&reader, 0) {
            return Ok(file);
        }
        let mut held = Vec::new();
        reader.by_ref().take(MAX_HELD).read_to_end(&mut held)?;
        if reader.read(&mut [0])? > 0 {
            return Err(io::Error::other("the document is longer than 256 MiB and is not a file; save it to a file"));
        }
        Ok(DocumentText::Held(held))
    }

    /// The file of an open source, from where that is read next, if it is a regular one of at least `least` bytes.
    pub fn of_file(source: &OpenSource, least: u64) -> Option<Self> {
        let mut file = source.file()?;
        let opened = file.metadata().ok().filter(|opened| opened.is_file() && opened.len() >= least)?;
        Some(DocumentText::File { file: file.try_clone().ok()?, start: file.stream_position().ok()?, opened })
    }

    /// Lets `work` read the text, and goes back to where its file was read.
    ///
    /// # Errors
    /// The file has no place to go back to.
    pub fn apart<T>(&self, work: impl FnOnce() -> T) -> io::Result<T> {
        let DocumentText::File { file, .. } = self else { return Ok(work()) };
        let mut file: &File = file;
        let position = file.stream_position()?;
        let done = work();
        file.seek(SeekFrom::Start(position))?;
        Ok(done)
    }

    /// A reader of it from its start.
    pub fn reader(&self) -> TextReader<'_> {
        TextReader { text: self, offset: 0 }
    }

    /// Checks that it is still the file that was opened.
    ///
    /// # Errors
    /// It has changed, or the system does not report it.
    pub fn check_unchanged(&self) -> io::Result<()> {
        let DocumentText::File { file, .. } = self else { return Ok(()) };
        self.check_same(&file.metadata()?)
    }

    /// Checks that some file is still the one that was opened, as far as its size and time show.
    ///
    /// # Errors
    /// It has changed.
    pub fn check_same(&self, now: &Metadata) -> io::Result<()> {
        match self {
            // not every system knows when
            DocumentText::File { opened, .. }
                if now.len() != opened.len() || now.modified().ok() != opened.modified().ok() =>
            {
                Err(io::Error::other("the file was changed while it was read"))
            }
            _ => Ok(()),
        }
    }
}

/// A reader of a text. It has an offset of its own.
pub struct TextReader<'a> {
    text: &'a DocumentText,
    /// Where the next read begins.
    offset: u64,
}

impl Read for TextReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = match self.text {
            DocumentText::File { file, start, .. } => {
                let mut file: &File = file;
                file.seek(SeekFrom::Start(start + self.offset))?;
                file.read(bytes)?
            }
            DocumentText::Held(held) => (&held[usize::try_from(self.offset).unwrap_or(held.len())..]).read(bytes)?,
        };
        self.offset += length as u64;
        Ok(length)
    }
}
