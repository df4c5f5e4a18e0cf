//! A document with its links made absolute, or relative, on standard output.

use std::io::{self, Read};

use super::job::{Documents, Done};
use super::links::Links;
use crate::document::{Document, Options, XmlError, rewritable};
use crate::input::{OpenSource, SourceError, size};
use crate::limits::MAX_REWRITTEN;
use crate::moves::MovePlan;
use crate::output::Writer;
use crate::source::Source;
use crate::task::rewrite::Rewrite;

/// Prints a document with its links resolved.
pub fn rewrite(documents: &Documents<'_>, out: &mut Writer) -> io::Result<()> {
    let [source, ..] = documents.sources[..] else { return Ok(()) };
    let unreadable = |error| SourceError { source, answered: None, error };
    let text = match OpenSource::new(source).and_then(|document| read_text(document, size(source).unwrap_or(0))) {
        Ok(text) => text,
        Err(error) => {
            out.error(unreadable(error));
            return Ok(());
        }
    };
    let mut task = Rewrite::new(documents.standard, documents.relative, &text, None);
    let error = rewrite_text(source, documents.url(0), documents, &mut task, out)?;
    let end = match &error {
        None => text.len() as u64,
        // all before a fault of XML is known to be well-formed
        Some(error) => {
            error.get_ref().and_then(|error| error.downcast_ref::<XmlError>()).map_or(0, |fault| fault.offset)
        }
    };
    task.copy(end, out)?;
    note_slip(documents.moves.as_ref().and_then(MovePlan::unused), out);
    if let Some(error) = error {
        let rest = if task.done > 0 { "; the output is incomplete" } else { "" };
        out.error(format_args!("{}{rest}", unreadable(error)));
    }
    Ok(())
}

/// Notes what is wrong with OLD and NEW, if anything is.
pub fn note_slip(slip: Option<String>, out: &mut Writer) {
    if let Some(slip) = slip {
        out.set_found();
        out.note(slip);
    }
}

/// Reads all of a document, which has about `size` bytes, or 0 if that is not known.
///
/// # Errors
/// It cannot be read, or it is too long.
pub fn read_text(document: OpenSource, size: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    text.try_reserve_exact(usize::try_from(size.min(MAX_REWRITTEN)).unwrap_or(0) + 1)?;
    document.take(MAX_REWRITTEN + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_REWRITTEN {
        return Err(io::Error::other("the document is longer than 256 MiB, which is too long for --rewrite; split it"));
    }
    Ok(text)
}

/// Has a task print its text with its links resolved, up to the last one. Returns why that ended early, if it did.
pub fn rewrite_text<'a>(
    source: Source<'_>,
    url: &[u8],
    documents: &'a Documents<'_>,
    task: &mut Rewrite<'a>,
    out: &mut Writer,
) -> io::Result<Option<io::Error>> {
    let options = Options { rewrites: true, ..documents.reading.options(source) };
    let document = Document::new(task.text, options)
        .and_then(|document| rewritable::check(&document, task.text, task.is_relative).map(|()| document));
    let document = match document {
        Ok(document) => document,
        Err(error) => return Ok(Some(error)),
    };
    let was = documents.moves.as_ref().map(|moves| task.follow(moves, url));
    let url = was.as_deref().unwrap_or(url);
    let done = Links::new(documents, task).of_open_document(document, source, url, out)?;
    Ok(if let Done::Failed(unreadable) = done { Some(unreadable.error) } else { None })
}
