//! Documents with their links resolved, written back to their files.

use std::cell::{Cell, OnceCell};
use std::error::Error;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempfile::{Builder, NamedTempFile};

use super::rewrite::rewrite_text;
use super::{Documents, Done, Job, Reading, each};
use crate::document::Unfit;
use crate::input::{DocumentText, Unreadable};
use crate::output::Writer;
use crate::output::words::system;
use crate::record::{KnownBase, Record};
use crate::source::Source;
use crate::spec::Spec;

/// Writes documents back with their links resolved by a standard, and notes how many have changed.
pub fn rewrite_in_place(documents: &Documents<'_>, standard: Spec, out: &mut Writer) -> io::Result<()> {
    let mut job = InPlace { reading: &documents.reading, standard, documents: 0, changed: 0, failed: 0 };
    each(documents, &mut job, out)?;
    if !out.is_quiet() {
        let word = if job.documents == 1 { "document" } else { "documents" };
        out.sum(format_args!("{} of {} {word} changed", job.changed, job.documents), job.failed);
    }
    Ok(())
}

struct InPlace<'a> {
    reading: &'a Reading<'a>,
    standard: Spec,
    /// The number of documents so far.
    documents: u64,
    /// The number of them that have changed.
    changed: u64,
    /// The number of them that could not be read or written.
    failed: u64,
}

impl Job for InPlace<'_> {
    fn standard(&self) -> Spec {
        self.standard
    }

    fn document<'s>(&mut self, source: Source<'s>, url: &[u8], out: &mut Writer) -> io::Result<Done<'s>> {
        let done = match source {
            Source::File(path) => self.rewrite(path, url, out),
            Source::Stdin | Source::Arguments(_) => {
                Err(io::Error::other("standard input has no file to write to; omit --in-place"))
            }
        };
        match done {
            Ok(has_changed) => self.changed += u64::from(has_changed),
            Err(error) => {
                self.documents += u64::from(!is_skipped(&error));
                return Ok(Done::Failed(Unreadable { source, answered: None, error }));
            }
        }
        self.documents += 1;
        Ok(Done::GoOn)
    }

    fn fail(&mut self, record: &Record<'_>, base: KnownBase<'_>, out: &mut Writer) -> io::Result<bool> {
        if let Err(failure) = base.parsed {
            out.fail_here(record, &failure.describe(record, true), "");
        }
        Ok(true)
    }

    fn failed(&mut self, error: &io::Error) {
        self.documents += u64::from(is_skipped(error));
        self.failed += 1;
    }

    fn skips(&self, file: &Path) -> Option<&'static str> {
        let metadata = fs::symlink_metadata(file).ok()?;
        if metadata.is_symlink() {
            return Some("linked");
        }
        has_other_names(&metadata).then_some("with several names")
    }
}

/// Whether a walk skips a document with such an error.
fn is_skipped(error: &io::Error) -> bool {
    matches!(Unfit::of(error), Some(Unfit::Message | Unfit::UnreadXml(_)))
}

impl InPlace<'_> {
    /// Writes a document back. Returns whether it has changed.
    ///
    /// # Errors
    /// It cannot be read or written, and has stayed as it was.
    fn rewrite(&self, path: &Path, url: &[u8], out: &mut Writer) -> io::Result<bool> {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is not a regular file; omit --in-place"));
        }
        let target = fs::canonicalize(path)?; // a symbolic link stays one
        let new = NewText(Rc::new(Draft {
            old: DocumentText::open(Source::File(path))?,
            target,
            same: Cell::new(0),
            file: OnceCell::new(),
        }));
        out.divert(Some(Box::new(new.clone())))?;
        let done = rewrite_text(&new.0.old, Source::File(path), url, self.reading, self.standard, out);
        let written = out.divert(None);
        let unwritten = |error| io::Error::other(Unwritten(error));
        match (done, written) {
            (Err(error), _) | (Ok(_), Err(error)) => return Err(unwritten(error)),
            (Ok((Some(error), _)), Ok(())) => return Err(error),
            (Ok((None, _)), Ok(())) => {}
        }
        new.0.old.check_unchanged()?;
        new.finish().map_err(unwritten)
    }
}

/// Why a document that was read was not written.
#[derive(Debug)]
pub struct Unwritten(io::Error);

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the document was not written: {}", system(&self.0))
    }
}

impl Error for Unwritten {}

/// Whether a file has several names.
#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

/// Whether a file has several names: std does not say.
#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// The new text of a document. It is that of a file as long as it is the same, and from the first difference on that of
/// a hidden file beside it, which takes its name in the end.
#[derive(Clone)]
struct NewText(Rc<Draft>);

/// A new text, as far as it is written.
struct Draft {
    old: DocumentText,
    /// The path of the old text, without symbolic links.
    target: PathBuf,
    /// The number of bytes that are the same, up to the first difference.
    same: Cell<u64>,
    file: OnceCell<NamedTempFile>,
}

impl NewText {
    /// Starts the file with all that is the same.
    ///
    /// # Errors
    /// The old one may not be written, or there can be none beside it.
    fn start(&self) -> io::Result<&File> {
        // root may write it all the same
        if fs::metadata(&self.0.target)?.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        File::options().write(true).open(&self.0.target)?;
        let directory = self.0.target.parent().unwrap_or(Path::new("."));
        let mut file = Builder::new().prefix(".absurl-").rand_bytes(4).tempfile_in(directory)?;
        io::copy(&mut self.0.old.reader().take(self.0.same.get()), &mut file)?;
        Ok(self.0.file.get_or_init(|| file).as_file())
    }

    /// Gives the file the permissions and the name of the old one. Returns whether there was a difference.
    fn finish(self) -> io::Result<bool> {
        if self.0.file.get().is_none() {
            // the new text may be shorter
            if self.0.old.reader_at(self.0.same.get()).read(&mut [0])? == 0 {
                return Ok(false);
            }
            self.start()?;
        }
        let Some(Draft { old, target, file, .. }) = Rc::into_inner(self.0) else { return Ok(false) };
        let Some(file) = file.into_inner() else { return Ok(false) };
        drop(old); // Windows does not replace an open file
        file.as_file().set_permissions(fs::metadata(&target)?.permissions())?;
        file.persist(target)?;
        Ok(true)
    }
}

impl Write for NewText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = self.0.file.get() {
            return file.as_file().write(bytes);
        }
        let mut old = Vec::with_capacity(bytes.len());
        self.0.old.reader_at(self.0.same.get()).take(bytes.len() as u64).read_to_end(&mut old)?;
        if old == bytes {
            self.0.same.update(|same| same + bytes.len() as u64);
            return Ok(bytes.len());
        }
        self.start()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
