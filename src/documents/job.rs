//! What a run does with documents: which they are, how they are read, and how the work with one ended.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use crate::document::{Document, MediaType, Options, may_have_base};
use crate::input::{OpenSource, SourceError, open_found};
use crate::moves::MovePlan;
use crate::output::Writer;
use crate::record::{Complaint, Record, StandardBase};
use crate::source::Source;
use crate::spec::Spec;
use crate::task::leaves::own_host;
use crate::task::standards::refusal;

/// The bytes of a page after which its links are worth a search for its BASE.
const LONG_PAGE: u64 = 4 * 1024 * 1024;

/// The documents of a run.
pub struct Documents<'a> {
    /// The documents themselves and directories of them, or lists of records BASE TAB DOCUMENT.
    pub sources: Vec<Source<'a>>,
    /// The directory of `--root`.
    pub root: Option<&'a Path>,
    /// The URL of each source in the directory of `--root`; empty without that.
    pub urls: Vec<Vec<u8>>,
    /// What ends a record of these lists, LF or NUL; `None` if the sources are documents.
    pub pairs: Option<u8>,
    /// How the documents are read.
    pub reading: ReadOptions<'a>,
    /// The standard that resolves their links, or their bases: of several, the first.
    pub standard: Spec,
    /// The standard that writes their names as URLs.
    pub names: Spec,
    /// Whether rewriting makes links relative.
    pub relative: bool,
    /// What moves, if rewriting makes links follow it.
    pub moves: Option<MovePlan>,
    /// Whether it is reported what is wrong with a base, so that it is read with each.
    pub checks: bool,
}

impl Documents<'_> {
    /// The URL that a source was retrieved from, by its index; of a directory, its own URL.
    pub fn url(&self, index: usize) -> &[u8] {
        self.urls.get(index).map_or(self.reading.url, Vec::as_slice)
    }

    /// Why no document can have been retrieved from a base, if its links are to be resolved, or to stay on its host.
    pub fn refusal(&self, base: &StandardBase<'_>) -> Option<Complaint> {
        let refused = if self.checks { None } else { refusal(self.standard, base.text) };
        refused.or_else(|| if self.reading.options.wary { own_host(base.text, base).err() } else { None })
    }
}

/// How documents are read.
pub struct ReadOptions<'a> {
    /// The URL that they were retrieved from; empty if it is not known.
    pub url: &'a [u8],
    /// The choices of the run, without the name of a document.
    pub options: Options,
    /// The number of the part whose base is wanted; empty for the document itself.
    pub part: &'a [u32],
}

impl ReadOptions<'_> {
    /// How a document is read.
    pub fn options(&self, source: Source<'_>) -> Options {
        Options { name: source.name().to_vec(), ..self.options.clone() }
    }

    /// Opens a document, which may have been found in a directory, perhaps by a symbolic link.
    pub fn open(&self, source: Source<'_>, is_found: bool) -> io::Result<Document<'static>> {
        Document::new(open_source(source, is_found)?, self.options(source))
    }

    /// Opens a document for its links. A long page is searched for a BASE first, because they would all wait for it.
    pub fn open_for_links(&self, source: Source<'_>, is_found: bool) -> io::Result<Document<'static>> {
        let (text, mut options) = (open_source(source, is_found)?, self.options(source));
        let media_type = options.media_type.or_else(|| Some(options.type_by_name()?.read_as));
        if media_type == Some(MediaType::Html)
            && let Some(mut file) = text.file()
            && file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > LONG_PAGE)
        {
            let start = file.stream_position()?;
            options.has_no_base = may_have_base(file).is_ok_and(|may| !may);
            file.seek(SeekFrom::Start(start))?;
        }
        Document::new(text, options)
    }
}

/// Opens a source, which may have been found in a directory.
fn open_source(source: Source<'_>, is_found: bool) -> io::Result<OpenSource> {
    let (Source::File(path), true) = (source, is_found) else { return OpenSource::new(source) };
    let file = open_found(path, File::options().read(true), true)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file any more"));
    }
    Ok(OpenSource::File(file))
}

/// What is done with each document of a run.
pub trait Job {
    /// Does it with a document that was retrieved from `url`, which is empty if that is not known. `is_found`: it is a
    /// file that was found in a directory.
    fn run<'s>(&mut self, source: Source<'s>, is_found: bool, url: &[u8], out: &mut Writer) -> io::Result<Done<'s>>;

    /// Reports that a record BASE TAB DOCUMENT fails as its base does. Returns whether the run goes on.
    fn fail(&mut self, record: &Record<'_>, base: StandardBase<'_>, out: &mut Writer) -> io::Result<bool>;

    /// Counts a document that could not be read to its end. Returns whether the run goes on.
    fn unread(&mut self, _source: Source<'_>, _out: &Writer) -> bool {
        true
    }

    /// Whether it is to know of each file of a directory that may have links and is not read.
    fn wants_unread(&self) -> bool {
        false
    }

    /// Reports such a file, which has a URL. `what` it is. Returns whether the run goes on.
    fn not_read(&mut self, _file: Source<'_>, _url: &[u8], _what: &str, _out: &mut Writer) -> io::Result<bool> {
        Ok(true)
    }

    /// Notes how many documents of a directory were read.
    fn note_read(&mut self, note: String, out: &mut Writer) {
        out.note(note);
    }

    /// Why a file of a directory is skipped, in a word or two for the summary; `None` if it is read.
    fn skips(&self, _file: &Path) -> Option<&'static str> {
        None
    }
}

/// How the work with a document ended.
pub enum Done<'a> {
    /// The run goes on.
    GoOn,
    /// The run ends: a record failed.
    Stop,
    /// The document could not be read to its end. The run goes on once that is reported.
    Failed(SourceError<'a>),
}
