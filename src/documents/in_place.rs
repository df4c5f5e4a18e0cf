//! Documents with their links resolved, written back to their files, or only what would change in them.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use percent_encoding::percent_decode;
use tempfile::{Builder, NamedTempFile, PersistError};
use walkdir::WalkDir;

use super::file;
use super::job::{Documents, Done, Job};
use super::rewrite::{note_slip, read_text, rewrite_text};
use super::run::each_document;
use super::sums::Sums;
use crate::document::types::Type;
use crate::input::{OpenSource, SourceError, open_found};
use crate::moves::{MovePlan, after};
use crate::output::Writer;
use crate::output::location::Quoted;
use crate::output::words::system;
use crate::record::{Record, StandardBase};
use crate::resolver::parts::cut;
use crate::source::Source;
use crate::task::Task;
use crate::task::format::{Format, LineFormat};
use crate::task::rewrite::{Rewrite, Tally};

/// Writes documents back with their links resolved and notes how many have changed. `preview`: prints the links that
/// would change, and writes nothing.
pub fn rewrite_in_place(documents: &Documents<'_>, preview: Option<Format>, out: &mut Writer) -> io::Result<()> {
    let urls = (documents.pairs.is_some() || preview.is_some()).then(HashMap::new);
    let mut job = InPlace { documents, preview, urls, is_search: false, sums: Sums::default() };
    let moves = documents.moves.as_ref();
    let path = |url: &[u8]| path_of(url, documents);
    if let Some(note) = moves.zip(directory(documents)).and_then(|(moves, site)| moves.repeats_name(site, path)) {
        out.note(note);
    }
    let mut slip =
        moves.and_then(|moves| moves.misplaced(|at, not, is_document| lies_at([at, not], is_document, documents)));
    if slip.is_none() && preview.is_none() && moves.and_then(MovePlan::unused).is_some() {
        let lines = LineFormat { terminator: b'\n', with_place: false, keep_input: false };
        let preview = Some(Format::Lines(lines));
        let mut search = InPlace { documents, preview, urls: None, is_search: true, sums: Sums::default() };
        let mut muted = Writer::new(true, false, "link");
        each_document(documents, &mut search, &mut muted)?;
        slip = moves.and_then(MovePlan::unused);
        if let Some(slip) = slip.as_ref().filter(|_| muted.has_failed()) {
            out.error(slip);
            return Ok(());
        }
    }
    if slip.is_none() {
        if let Some(note) = moves.and_then(|moves| moves.file_into_directory(path)) {
            out.note(note);
        }
        each_document(documents, &mut job, out)?;
        job.sums.note(moves, preview.is_some(), out);
        slip = moves.and_then(MovePlan::unused);
    }
    note_slip(slip, out);
    Ok(())
}

/// Whether a file lies at or below the first URL, but not below the second if that is below it, or a document if only
/// these count. `None` if nobody knows: it is not in the directory, or may be that of a file with another ending.
fn lies_at(urls: [&[u8]; 2], is_document: bool, documents: &Documents<'_>) -> Option<bool> {
    let [path, other] = urls.map(|url| path_of(url, documents));
    let path = path?;
    let is_apart = |file: &Path| other.as_ref().is_none_or(|other| path.starts_with(other) || !file.starts_with(other));
    let counts = |name: &[u8]| !name.starts_with(b".") && (!is_document || Type::of_name(name).is_some());
    let mut files = WalkDir::new(&path).into_iter().flatten().filter(|entry| !entry.file_type().is_dir());
    let lies = files.any(|file| is_apart(file.path()) && counts(file.file_name().as_encoded_bytes()));
    let mut others = path.parent().and_then(|parent| parent.read_dir().ok()).into_iter().flatten().flatten();
    (lies || !others.any(|other| other.path().file_stem() == path.file_stem())).then_some(lies)
}

/// The directory of a run.
fn directory<'d>(documents: &Documents<'d>) -> Option<&'d Path> {
    match (documents.root, &documents.sources[..]) {
        (Some(root), _) => Some(root),
        (None, [Source::File(path)]) if path.is_dir() => Some(path),
        _ => None,
    }
}

/// The path of what has a URL, in the directory of a run.
fn path_of(url: &[u8], documents: &Documents<'_>) -> Option<PathBuf> {
    let path = after(cut(documents.reading.url, b'?').0, cut(cut(url, b'#').0, b'?').0)?;
    Some(directory(documents)?.join(percent_decode(path).decode_utf8_lossy().trim_matches('/')))
}

struct InPlace<'a> {
    documents: &'a Documents<'a>,
    /// How the links that would change are printed, if nothing is written.
    preview: Option<Format>,
    /// The documents that have been rewritten and their URLs, if two records may name one, or if one that is
    /// named twice would change only once.
    urls: Option<HashMap<PathBuf, Vec<u8>>>,
    /// Whether nothing is printed either: the links are only looked at for an OLD, until each is found.
    is_search: bool,
    sums: Sums,
}

impl Job for InPlace<'_> {
    fn run<'s>(&mut self, source: Source<'s>, is_found: bool, url: &[u8], out: &mut Writer) -> io::Result<Done<'s>> {
        if self.is_search && self.documents.moves.as_ref().and_then(MovePlan::unused).is_none() {
            return Ok(Done::Stop);
        }
        let done = match (source, self.preview) {
            (Source::File(path), _) if is_found => self.rewrite_once(source, path, url, out),
            // a symbolic link stays one
            (Source::File(path), _) => {
                fs::canonicalize(path).and_then(|target| self.rewrite_once(source, &target, url, out))
            }
            (Source::Stdin, Some(_)) => OpenSource::new(source)
                .and_then(|input| read_text(input, 0))
                .and_then(|text| self.show(&text, source, url, out)),
            _ => Err(io::Error::other("standard input has no file to write to; pass the name of a file")),
        };
        Ok(match done {
            Ok(has_changed) => {
                self.sums.documents += 1;
                self.sums.changed += u64::from(has_changed);
                Done::GoOn
            }
            Err(error) => Done::Failed(SourceError { source, answered: None, error }),
        })
    }

    fn fail(&mut self, record: &Record<'_>, base: StandardBase<'_>, out: &mut Writer) -> io::Result<bool> {
        if let Err(failure) = base.parsed {
            out.fail(record, &failure.describe(record, &base));
        }
        Ok(true)
    }

    fn unread(&mut self, source: Source<'_>, _: &Writer) -> bool {
        if !matches!(source, Source::File(path) if path.is_dir()) {
            self.sums.documents += 1;
            self.sums.failed += 1;
        }
        true
    }

    fn note_read(&mut self, note: String, out: &mut Writer) {
        match self.documents.moves {
            Some(_) if self.documents.sources.len() == 1 => self.sums.read = Some(note),
            _ => out.note(note),
        }
    }

    fn skips(&self, file: &Path) -> Option<&'static str> {
        let metadata = fs::symlink_metadata(file).ok()?;
        if metadata.is_symlink() {
            return Some("linked");
        }
        file::has_other_names(&metadata).then_some("with several names")
    }
}

impl InPlace<'_> {
    /// Rewrites a document once, with a note if another record has named it with another URL.
    fn rewrite_once(&mut self, source: Source<'_>, target: &Path, url: &[u8], out: &mut Writer) -> io::Result<bool> {
        let Some(urls) = &self.urls else { return self.rewrite(source, target, url, out) };
        let key = fs::canonicalize(target)?;
        if let Some(before) = urls.get(&key).filter(|before| *before != url) {
            let done = if self.preview.is_some() { "printed" } else { "rewritten" };
            let what =
                format_args!("{source}: already {done} with the base {}; name each document once", Quoted(before));
            out.note_of(source, "rewritten-twice", what);
        }
        if self.preview.is_some() && urls.contains_key(&key) {
            return Ok(false); // it would not change again
        }
        let has_changed = self.rewrite(source, target, url, out)?;
        if let Some(urls) = self.urls.as_mut().filter(|_| has_changed) {
            urls.entry(key).or_insert_with(|| url.to_vec());
        }
        Ok(has_changed)
    }

    /// Counts what a document has, and notes that relative links fail in one that hosts send instead of any page that
    /// is missing.
    fn end(&mut self, tally: &Tally, source: Source<'_>, out: &mut Writer) {
        self.sums.add(tally);
        let is_for_any_url =
            matches!(source, Source::File(path) if path.file_name().is_some_and(|name| name == "404.html"));
        if is_for_any_url && tally.has_relative && !tally.has_fixed_base {
            let fix = format_args!("then run absurl -s whatwg --rewrite -i -b https://HOST/PATH/ {source}");
            let note = format_args!("{source}: hosts send it for any URL, where relative links fail; {fix}");
            out.note_of(source, "any-url", note);
        }
    }

    /// Prints the links of a document that would change. Returns whether there are any.
    ///
    /// # Errors
    /// It cannot be read, and would stay as it is.
    fn show(&mut self, text: &[u8], source: Source<'_>, url: &[u8], out: &mut Writer) -> io::Result<bool> {
        let mut task = Rewrite::new(self.documents.standard, self.documents.relative, text, self.preview);
        if let Some(error) = rewrite_text(source, url, self.documents, &mut task, out)? {
            return Err(error);
        }
        self.end(&task.tally, source, out);
        task.print_preview(out);
        Ok(task.done > 0)
    }

    /// Writes a document back to the file at `target`, or reports why that cannot be done. Returns whether it has
    /// changed.
    ///
    /// # Errors
    /// It cannot be read, and has stayed as it was.
    fn rewrite(&mut self, source: Source<'_>, target: &Path, url: &[u8], out: &mut Writer) -> io::Result<bool> {
        let file = open_found(target, File::options().read(true), false)?;
        let opened = file.metadata()?;
        if !opened.is_file() {
            return Err(io::Error::other("it is not a regular file; pass it on standard input, without --in-place"));
        }
        let text = read_text(OpenSource::File(file.try_clone()?), opened.len())?;
        if self.preview.is_some() {
            return self.show(&text, source, url, out);
        }
        let new = NewText { target: target.into(), opened, file: Rc::default() };
        out.divert(Some(Box::new(new.clone())))?;
        let mut task = Rewrite::new(self.documents.standard, self.documents.relative, &text, None);
        let done = rewrite_text(source, url, self.documents, &mut task, out).and_then(|error| {
            // nothing is written before the first link that changes
            if error.is_none() && task.done > 0 {
                task.finish(out)?;
            }
            Ok(error)
        });
        let diverted = out.divert(None);
        self.end(&task.tally, source, out);
        let Unwritten { error, text } = match done.and_then(|unreadable| diverted.map(|()| unreadable)) {
            Ok(None) => match new.finish(file) {
                Ok((has_changed, lost)) => {
                    if let Some(error) = lost {
                        let what = format_args!(
                            "{source}: its owner or group was not kept: {}; check who may read it",
                            system(&error)
                        );
                        out.note_of(source, "group", what);
                    }
                    return Ok(has_changed);
                }
                Err(unwritten) => unwritten,
            },
            Ok(Some(error)) => {
                if let Some(left) = new.text().and_then(remove) {
                    out.error(format_args!("{source}: its new text was not deleted; delete {}", Source::File(&left)));
                }
                return Err(error);
            }
            Err(error) => Unwritten { error, text: new.text() },
        };
        self.sums.links -= task.tally.links;
        self.sums.failed += 1;
        let fix = text.and_then(remove).map(|left| format!("; delete {}", Source::File(&left))).unwrap_or_default();
        out.error(format_args!("{source}: the document was not written: {}{fix}", system(&error)));
        Ok(false)
    }
}

/// Why a document was not written, and its new text, if there is one.
struct Unwritten {
    error: io::Error,
    text: Option<NamedTempFile>,
}

/// Removes a new text that nobody needs; its path if that fails, as in a directory to which names can only be added.
fn remove(text: NamedTempFile) -> Option<PathBuf> {
    let path = text.path().to_owned();
    let is_left = text.close().is_err() && path.symlink_metadata().is_ok();
    is_left.then_some(path)
}

/// The new text of a document: a hidden file next to it, which takes its name in the end. There is none before the
/// first byte is written.
#[derive(Clone)]
struct NewText {
    /// The path of the document: no symbolic link, unless somebody puts one there.
    target: Rc<Path>,
    /// What the document was when it was opened.
    opened: Metadata,
    file: Rc<OnceCell<NamedTempFile>>,
}

impl NewText {
    /// Makes the file.
    ///
    /// # Errors
    /// The document may not be written, or there can be no file next to it.
    fn start(&self) -> io::Result<NamedTempFile> {
        // root may write it all the same
        if self.opened.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        open_found(&self.target, File::options().write(true), false)?;
        let directory = self.target.parent().unwrap_or(Path::new("."));
        Builder::new().prefix(".absurl-").rand_bytes(4).tempfile_in(directory)
    }

    /// The file, unless there is none or it is still being written.
    fn text(self) -> Option<NamedTempFile> {
        Rc::into_inner(self.file).and_then(OnceCell::into_inner)
    }

    /// Gives the file the permissions and the name of the document, which is the file `old`. Returns whether there is a
    /// file, and why it has lost the owner or the group.
    ///
    /// # Errors
    /// The document was changed or replaced meanwhile, or the file cannot take its name or is still being written.
    fn finish(self, old: File) -> Result<(bool, Option<io::Error>), Unwritten> {
        let NewText { target, opened, file } = self;
        let Some(file) = Rc::into_inner(file) else {
            let what = "its new text is still being written; please report this as a bug";
            return Err(Unwritten { error: io::Error::other(what), text: None });
        };
        let text = file.into_inner();
        let prepared = fs::symlink_metadata(&target).and_then(|now| match &text {
            _ if !file::is_unchanged(&opened, &now) => Err(io::Error::other("the file was changed while it was read")),
            Some(text) => file::copy_permissions(&old, &opened, text.as_file()),
            None => Ok(None),
        });
        drop(old); // Windows does not replace an open file
        match (prepared, text) {
            (Ok(lost), Some(text)) => match text.persist(target) {
                Ok(_) => Ok((true, lost)),
                Err(PersistError { error, file }) => Err(Unwritten { error, text: Some(file) }),
            },
            (Ok(_), None) => Ok((false, None)),
            (Err(error), text) => Err(Unwritten { error, text }),
        }
    }
}

impl Write for NewText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let file = self.start()?;
                self.file.get_or_init(|| file)
            }
        };
        file.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_still_being_written_is_no_unchanged_document() -> io::Result<()> {
        let document = NamedTempFile::new()?;
        let opened = document.as_file().metadata()?;
        let new = NewText { target: document.path().into(), opened, file: Rc::default() };
        assert!(new.clone().finish(document.reopen()?).is_err());
        assert!(new.finish(document.reopen()?).is_ok_and(|(has_changed, _)| !has_changed));
        Ok(())
    }

    // on Windows the name of an open file stays
    #[cfg(unix)]
    #[test]
    fn a_new_text_that_cannot_be_removed_is_named() -> io::Result<()> {
        assert_eq!(remove(NamedTempFile::new()?), None);
        let text = NamedTempFile::new()?;
        let path = text.path().to_owned();
        fs::remove_file(&path)?;
        fs::create_dir(&path)?; // which is not removed as a file is
        assert_eq!(remove(text).as_deref(), Some(&*path));
        fs::remove_dir(path)
    }
}
