//! The documents of a directory, each with its URL.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::job::{Documents, Done, Job};
use super::urls::url_below;
use crate::document::NotADocument;
use crate::document::types::Type;
use crate::escaped::Escaped;
use crate::input::{OutputFile, SourceError};
use crate::output::Writer;
use crate::output::location::Quoted;
use crate::resolver::{Parts, parse};
use crate::source::Source;
use crate::spec::Spec;

/// Files that pages load: images, fonts and scripts. They are not counted.
const BESIDE_PAGES: &[&str] = &[
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp", ".tif", ".tiff", ".woff", ".woff2", ".ttf",
    ".otf", ".eot", ".js", ".mjs", ".cjs", ".map", ".wasm",
];

/// The number of kinds of files that the summary names.
const NAMED_KINDS: usize = 3;

/// Why the sources of a run cannot be used as they are; `None` if they can. `is_one`: there has to be one document.
pub fn misuse(documents: &Documents<'_>, is_one: bool) -> Option<String> {
    let named = documents.sources.iter().filter(|_| documents.pairs.is_none());
    let directory = named.clone().find(|source| matches!(source, Source::File(path) if path.is_dir()))?;
    if is_one {
        return Some(format!("{directory} is a directory; to rewrite its documents, use --in-place"));
    }
    if documents.reading.options.media_type.is_some() {
        return typed_directory(*directory);
    }
    if !documents.reading.url.is_empty() && documents.urls.is_empty() && named.count() > 1 {
        return Some(format!("with --base, the directory {directory} must be the only DOCUMENT; or use --root DIR"));
    }
    None
}

/// Why a source cannot have a type, if it is a directory.
pub fn typed_directory(source: Source<'_>) -> Option<String> {
    let is_directory = matches!(source, Source::File(path) if path.is_dir());
    is_directory.then(|| format!("{source} is a directory, whose documents may have several types; omit --media-type"))
}

/// What is unusual about `--base`: it is the URL of several documents, or, as the URL of a directory, it has params or
/// ends like the URL of a document.
pub fn slip(documents: &Documents<'_>) -> Option<String> {
    let url = documents.reading.url;
    let directory = if documents.urls.is_empty() {
        if documents.pairs.is_none() && !url.is_empty() && documents.sources.len() > 1 {
            return Some("all documents share the URL of --base; --root DIR gives each its own".into());
        }
        let is_directory = |source: &&Source<'_>| matches!(source, Source::File(path) if path.is_dir());
        format!("the directory {}", documents.sources.iter().find(is_directory)?)
    } else {
        "the directory of --root".into()
    };
    let Parts { path, params, .. } = parse(url);
    if !params.is_empty() {
        return Some(format!("--base: {} has params, which end the path of a directory; omit them", Quoted(url)));
    }
    let is_document = |ending: &&[u8]| path.to_ascii_lowercase().ends_with(ending);
    [&b".html"[..], b".htm", b".md"].iter().any(is_document).then(|| {
        let url = Quoted(url);
        format!("--base: {url} ends like the URL of a document; here it is that of {directory}")
    })
}

/// Does a job with a document, or with all documents of a directory, which has the URL `url`, and notes how many they
/// are. Names are in the order of their bytes, and links to directories are not followed. Hidden names are for a job
/// that wants all.
pub fn document_or_directory<'s>(
    source: Source<'s>,
    url: &[u8],
    names: Spec,
    job: &mut dyn Job,
    output: &OutputFile,
    out: &mut Writer,
) -> io::Result<Done<'s>> {
    let directory = match source {
        Source::File(path) if path.is_dir() => path,
        _ => return job.run(source, false, url, out),
    };
    let root = job.wants_unread().then(|| directory.canonicalize().unwrap_or_else(|_| directory.into()));
    let mut walk = Walk { directory, url, names, root, read: 0, failed: 0, unread: 0, kinds: BTreeMap::new() };
    let shows_all = walk.root.is_some();
    let is_shown = |entry: &DirEntry| shows_all || !entry.file_name().as_encoded_bytes().starts_with(b".");
    for entry in WalkDir::new(directory).min_depth(1).sort_by_file_name().into_iter().filter_entry(is_shown) {
        match entry {
            Ok(entry) => {
                if !walk.file(&entry, job, output, out)? {
                    return Ok(Done::Stop);
                }
                out.flush()?;
            }
            Err(error) => {
                let (is_itself, path) = (error.depth() == 0, error.path().unwrap_or(directory).to_owned());
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other("the directory is in a loop"));
                if is_itself {
                    return Ok(Done::Failed(SourceError { source: Source::File(directory), answered: None, error }));
                }
                walk.failed += 1;
                out.error(SourceError { source: Source::File(&path), answered: None, error });
            }
        }
    }
    Ok(walk.end(job, out))
}

/// What a walk finds by a name.
enum Found {
    Document,
    Directory,
    /// What is not read, as the summary has it.
    Skipped(String),
    /// What is not read, and may have links: what it is.
    Unread(&'static str),
}

/// How many files of a directory were read, and which were not.
struct Walk<'s, 'u> {
    directory: &'s Path,
    /// The URL of the directory.
    url: &'u [u8],
    /// The standard that writes names as URLs.
    names: Spec,
    /// Where it is, if the job is to know of all that may have links.
    root: Option<PathBuf>,
    read: u64,
    /// The number of documents and directories that could not be read.
    failed: u64,
    /// The number of files that are not read and may have links.
    unread: u64,
    /// The number of skipped files of each kind.
    kinds: BTreeMap<String, u64>,
}

impl<'s> Walk<'s, '_> {
    /// Does a job with what has a name in the directory. Returns whether the run goes on.
    fn file(&mut self, entry: &DirEntry, job: &mut dyn Job, output: &OutputFile, out: &mut Writer) -> io::Result<bool> {
        let (source, path) = (Source::File(entry.path()), entry.path());
        let url = || url_below(self.url, path.strip_prefix(self.directory).unwrap_or(path), self.names);
        let what = match self.find(entry, job) {
            Found::Directory => return Ok(true),
            Found::Skipped(kind) => {
                self.skip(kind);
                return Ok(true);
            }
            Found::Unread(what) => what.to_owned(),
            Found::Document => {
                let done = if output.is(source) {
                    let error = io::Error::other("input and output are the same file");
                    Done::Failed(SourceError { source, answered: None, error })
                } else {
                    job.run(source, true, &url(), out)?
                };
                let unreadable = match done {
                    Done::GoOn => {
                        self.read += 1;
                        return Ok(true);
                    }
                    Done::Stop => return Ok(false),
                    Done::Failed(unreadable) => unreadable,
                };
                // only a file that has been read can turn out to be no document
                match NotADocument::of(&unreadable.error) {
                    Some(unfit) if self.root.is_some() && *unfit != NotADocument::Empty => unfit.what(),
                    // nobody named it
                    Some(unfit) => {
                        self.skip(unfit.noun().map_or_else(|| ending_of(path), str::to_owned));
                        return Ok(true);
                    }
                    None => {
                        self.failed += 1;
                        out.error(unreadable);
                        return Ok(job.unread(source, out));
                    }
                }
            }
        };
        self.unread += 1;
        job.not_read(source, &url(), &what, out)
    }

    /// What an entry of the directory is.
    fn find(&self, entry: &DirEntry, job: &dyn Job) -> Found {
        let (path, is_link) = (entry.path(), entry.path_is_symlink());
        let kind =
            if is_link { path.metadata().ok().map(|led_to| led_to.file_type()) } else { Some(entry.file_type()) };
        let type_of = if self.root.is_some() { Type::of_served } else { Type::of_name };
        let has_ending = type_of(entry.file_name().as_encoded_bytes()).is_some();
        let is_read = has_ending && kind.is_none_or(|kind| !kind.is_dir());
        let leads_out = || self.root.as_deref().is_some_and(|root| leads_out(path, root));
        match kind {
            _ if is_link && !is_read && leads_out() => Found::Unread("a symbolic link"),
            Some(kind) if kind.is_dir() => Found::Directory,
            _ if !has_ending => Found::Skipped(ending_of(path)),
            // to open a FIFO would wait for its writer; a link that leads nowhere is an error
            Some(kind) if !kind.is_file() && self.root.is_some() => Found::Unread("a special file"),
            Some(kind) if !kind.is_file() => Found::Skipped("special".into()),
            _ => job.skips(path).map_or(Found::Document, |kind| Found::Skipped(kind.into())),
        }
    }

    /// Counts a file that is skipped.
    fn skip(&mut self, kind: String) {
        if !BESIDE_PAGES.contains(&&*kind) {
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    /// Notes how many files of the directory were read, or refuses one without documents.
    fn end(&self, job: &mut dyn Job, out: &mut Writer) -> Done<'s> {
        let (source, read) = (Source::File(self.directory), self.read);
        if read == 0 && self.failed == 0 && self.unread == 0 {
            let has_ending = self.kinds.keys().any(|kind| kind.starts_with('.'));
            let fix = if has_ending { "; name a file to have it read" } else { "" };
            let what = format!("no documents{}{fix}", self.skipped());
            let error = io::Error::new(io::ErrorKind::InvalidData, what);
            return Done::Failed(SourceError { source, answered: None, error });
        }
        if !out.is_quiet() {
            let documents = if read == 1 { "document" } else { "documents" };
            let number = |count, what| if count == 0 { String::new() } else { format!(", {count} {what}") };
            let (failed, unread) = (number(self.failed, "failed"), number(self.unread, "not read"));
            job.note_read(format!("{source}: {read} {documents} read{failed}{unread}{}", self.skipped()), out);
        }
        Done::GoOn
    }

    /// The end of a sentence about the skipped files; empty if there are none.
    fn skipped(&self) -> String {
        let skipped: u64 = self.kinds.values().sum();
        if skipped == 0 {
            return String::new();
        }
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        // first what an ending does not explain
        kinds.sort_by_key(|(kind, count)| (kind.starts_with('.'), Reverse(**count)));
        let named: Vec<_> = kinds.iter().take(NAMED_KINDS).map(|(kind, count)| format!("{count} {kind}")).collect();
        let rest = if kinds.len() > NAMED_KINDS { ", ..." } else { "" };
        let files = if skipped == 1 { "file" } else { "files" };
        format!(", {skipped} {files} skipped ({}{rest})", named.join(", "))
    }
}

/// Whether a symbolic link leads out of a directory to what may be documents. One that leads nowhere may do so
/// elsewhere.
fn leads_out(link: &Path, root: &Path) -> bool {
    link.canonicalize().map_or(true, |target| {
        let name = target.file_name().unwrap_or_default();
        !target.starts_with(root) && (target.is_dir() || Type::of_served(name.as_encoded_bytes()).is_some())
    })
}

/// What the name of a file ends in, for the summary.
fn ending_of(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default().as_encoded_bytes().to_ascii_lowercase();
    if ending.is_empty() { "without an ending".into() } else { format!(".{}", Escaped(&ending)) }
}
