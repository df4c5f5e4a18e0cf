//! Records BASE TAB DOCUMENT: documents, each with the URL that it was retrieved from.

use std::borrow::Cow;
use std::path::Path;
use std::{io, mem};

use super::job::{Documents, Done, Job};
use super::walk::{document_or_directory, typed_directory};
use crate::input::{Block, Input, OutputFile};
use crate::output::Writer;
use crate::record::{Complaint, Failure, Record, StandardBase};
use crate::records::next_block;
use crate::source::Source;

/// Does a job with the documents that the records of lists name, which end in `terminator`.
pub fn each_pair(documents: &Documents<'_>, terminator: u8, job: &mut dyn Job, out: &mut Writer) -> io::Result<()> {
    let mut lists = Input::new(documents.sources.clone(), terminator);
    let mut pairs = Pairs { documents, job, output: OutputFile::new()?, has_read_stdin: false };
    while let Some(mut block) = next_block(&mut lists, out)? {
        while let Some((number, text)) = block.next_record() {
            if !pairs.record(&block, number, text, out)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Does a job with the documents that records name.
struct Pairs<'a> {
    documents: &'a Documents<'a>,
    job: &'a mut dyn Job,
    output: OutputFile,
    /// Whether a record has named standard input.
    has_read_stdin: bool,
}

impl Pairs<'_> {
    /// Does it with the document of a record. Returns whether the run goes on.
    fn record(
        &mut self,
        list: &Block<'_>,
        number: u64,
        text: Result<&[u8], Failure<'_>>,
        out: &mut Writer,
    ) -> io::Result<bool> {
        let (text, pair) = match text {
            Ok(text) => (text, list.pair(text, "DOCUMENT")),
            Err(failure) => (&b""[..], Err(failure)),
        };
        let record = |reference| Record { source: list.source, number, text, reference, link: None };
        let (url, name) = match pair {
            Ok(pair) => pair,
            Err(failure) => return self.job.fail(&record(text), StandardBase::failed(failure), out),
        };
        let mut base = StandardBase { in_record: true, ..StandardBase::new(url, None) };
        let refused = self.documents.refusal(&base);
        let reference = if refused.is_some() { b"" } else { name }; // nobody looks at the name
        if base.parsed.is_err() {
            return self.job.fail(&record(reference), base, out);
        }
        let path = path_of(name);
        let complaint = match refused {
            Some(complaint) => complaint,
            None => match self.document(list.source, Source::of(&path), url, out)? {
                Ok(goes_on) => return Ok(goes_on),
                Err(complaint) => complaint,
            },
        };
        base.parsed = Err(Failure::Document(&complaint));
        self.job.fail(&record(reference), base, out)
    }

    /// Does it with a document that a list names. Returns whether the run goes on, or why the record fails.
    fn document(
        &mut self,
        list: Source<'_>,
        document: Source<'_>,
        url: &[u8],
        out: &mut Writer,
    ) -> io::Result<Result<bool, Complaint>> {
        let is_stdin = |source| matches!(source, Source::Stdin);
        let (code, what) = if is_stdin(document) && is_stdin(list) {
            ("unreadable", format!("{document}: standard input is already used for the list of documents"))
        } else if is_stdin(document) && mem::replace(&mut self.has_read_stdin, true) {
            ("unreadable", format!("{document}: standard input can be read only once"))
        } else if document.name().is_empty() {
            ("unreadable", "the document's name is empty; write BASE TAB DOCUMENT".into())
        } else if self.documents.reading.options.media_type.is_some()
            && let Some(what) = typed_directory(document)
        {
            ("not-a-document", what)
        } else if self.output.is(document) {
            ("same-file", format!("{document}: input and output are the same file"))
        } else {
            let done = document_or_directory(document, url, self.documents.names, self.job, &self.output, out)?;
            out.flush()?;
            match done {
                Done::GoOn => return Ok(Ok(true)),
                Done::Stop => return Ok(Ok(false)),
                Done::Failed(unreadable) => {
                    self.job.unread(document, out);
                    let is_document = unreadable.error.kind() != io::ErrorKind::InvalidData;
                    (if is_document { "unreadable" } else { "not-a-document" }, unreadable.to_string())
                }
            }
        };
        Ok(Err((code, what, "").into()))
    }
}

/// The path that the bytes of a record name.
#[cfg(unix)]
fn path_of(name: &[u8]) -> Cow<'_, Path> {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(name)).into()
}

/// The path that the bytes of a record name.
#[cfg(not(unix))]
fn path_of(name: &[u8]) -> Cow<'_, Path> {
    Cow::Owned(String::from_utf8_lossy(name).into_owned().into())
}
