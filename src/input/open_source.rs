//! Sources as they are opened, and standard output where it is a file.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use same_file::Handle;

use crate::source::Source;

/// Whether the system says which files are open, and whether two are the same. WASI does not.
const HAS_HANDLES: bool = cfg!(any(unix, windows));

/// The bytes that have been read, of all sources.
static READ: AtomicU64 = AtomicU64::new(0);

/// The number of bytes that have been read, for the progress bar.
pub fn bytes_read() -> u64 {
    READ.load(Ordering::Relaxed)
}

/// The number of bytes that a source has; `None` if it is not known, 0 if the source cannot be read.
pub fn size(source: Source<'_>) -> Option<u64> {
    let file_size = |metadata: Metadata| metadata.is_file().then_some(metadata.len());
    match source {
        Source::Arguments(_) => Some(0),
        Source::File(path) => fs::metadata(path).map_or(Some(0), file_size),
        Source::Stdin => {
            let Ok(stdin) = OpenSource::new(source) else { return Some(0) };
            let mut file = stdin.file()?;
            let length = file.metadata().map_or(Some(0), file_size)?;
            Some(length.saturating_sub(file.stream_position().unwrap_or(0)))
        }
    }
}

/// Opens the file at a path where there was one, and may be something else by now: a FIFO is not waited for, and a
/// symbolic link is an error unless it `follows` links.
///
/// # Errors
/// It cannot be opened.
#[cfg(unix)]
pub fn open_found(path: &Path, options: &mut OpenOptions, follows: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let flags = if follows { OFlags::NONBLOCK } else { OFlags::NONBLOCK | OFlags::NOFOLLOW };
    options.custom_flags(flags.bits().cast_signed()).open(path)
}

/// Opens the file at a path.
///
/// # Errors
/// It cannot be opened.
#[cfg(not(unix))]
pub fn open_found(path: &Path, options: &mut OpenOptions, _: bool) -> io::Result<File> {
    options.open(path)
}

/// An open source, unbuffered.
pub enum OpenSource {
    File(File),
    /// Standard input: where it can be, a plain file, because std's own takes a closed descriptor for the end of the
    /// input.
    Stdin(Option<Handle>),
    /// The end was read: a terminal would wait for more. The command line is read elsewhere.
    End,
}

impl OpenSource {
    /// Opens a source; the command line reads as empty.
    pub fn new(source: Source<'_>) -> io::Result<Self> {
        Ok(match source {
            Source::Arguments(_) => OpenSource::End,
            Source::File(path) => OpenSource::File(File::open(path)?),
            Source::Stdin if HAS_HANDLES => OpenSource::Stdin(Some(Handle::stdin()?)),
            Source::Stdin => OpenSource::Stdin(None),
        })
    }

    /// The file that is read, if it is known.
    pub fn file(&self) -> Option<&File> {
        match self {
            OpenSource::File(file) => Some(file),
            OpenSource::Stdin(stdin) => stdin.as_ref().map(Handle::as_file),
            OpenSource::End => None,
        }
    }
}

impl Read for OpenSource {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = match (&*self, self.file()) {
            (OpenSource::End, _) => 0,
            // a console of Windows, read as a file, has bytes of some code page
            (_, Some(mut file)) if !cfg!(windows) || !file.is_terminal() => file.read(bytes)?,
            _ => io::stdin().read(bytes)?,
        };
        if length == 0 && !bytes.is_empty() {
            *self = OpenSource::End;
        }
        READ.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Standard output where it is a regular file. Reading that file too would never end.
pub struct OutputFile(Option<Handle>);

impl OutputFile {
    /// Looks at standard output.
    ///
    /// # Errors
    /// The system does not report what it is: on Windows it is closed. On Unix std opens /dev/null then.
    pub fn new() -> io::Result<Self> {
        let stdout = match Handle::stdout() {
            Err(_) if !HAS_HANDLES => return Ok(OutputFile(None)),
            stdout => stdout?,
        };
        let is_file = stdout.as_file().metadata().is_ok_and(|metadata| metadata.is_file());
        Ok(OutputFile(is_file.then_some(stdout)))
    }

    /// Whether a source is the same file. Only regular files are opened for that.
    pub fn is(&self, source: Source<'_>) -> bool {
        let Some(output) = self.0.as_ref().filter(|_| size(source).is_some()) else { return false };
        let source = match source {
            Source::File(path) => open_found(path, File::options().read(true), true).and_then(Handle::from_file).ok(),
            Source::Stdin => Handle::stdin().ok(),
            Source::Arguments(_) => None,
        };
        source.as_ref() == Some(output)
    }
}
