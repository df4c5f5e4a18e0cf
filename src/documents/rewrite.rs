//! A document with its links resolved, on standard output.

use std::cell::Cell;
use std::io;

use super::links::Links;
use super::{CountedReader, Documents, Done, Reading};
use crate::document::{Document, Fault, survey};
use crate::input::{DocumentText, Unreadable};
use crate::output::Writer;
use crate::source::Source;
use crate::spec::Spec;
use crate::task::Task;
use crate::task::rewrite::Rewrite;

/// Prints a document with its links resolved by a standard.
pub fn rewrite(documents: &Documents<'_>, standard: Spec, out: &mut Writer) -> io::Result<()> {
    let [source, ..] = documents.sources[..] else { return Ok(()) };
    let unreadable = |error| Unreadable { source, answered: None, error };
    let text = match DocumentText::open(source) {
        Ok(text) => text,
        Err(error) => {
            out.error(unreadable(error));
            return Ok(());
        }
    };
    let (error, is_begun) = rewrite_text(&text, source, documents.reading.url, &documents.reading, standard, out)?;
    let ((Some(error), _) | (None, Err(error))) = (error, text.check_unchanged()) else { return Ok(()) };
    let rest = if is_begun { "; the output is incomplete" } else { "" };
    out.error(format_args!("{}{rest}", unreadable(error)));
    Ok(())
}

/// Prints a text with its links resolved, as far as it can be read. Returns why that ended early, if it did, and
/// whether anything was printed.
pub fn rewrite_text(
    text: &DocumentText,
    source: Source<'_>,
    url: &[u8],
    reading: &Reading<'_>,
    standard: Spec,
    out: &mut Writer,
) -> io::Result<(Option<io::Error>, bool)> {
    let (mut task, read) = (Rewrite::new(standard, text.reader()), Cell::new(0));
    let mut options = reading.options(source);
    let document = survey(|| text.reader(), &options).and_then(|base| {
        (options.rewrites, options.base) = (true, base);
        Document::new(CountedReader { reader: text.reader(), read: &read }, options)
    });
    let document = match document {
        Ok(document) => document,
        Err(error) => return Ok((Some(error), false)),
    };
    let done = Links::new(reading, false, &mut task).of_open_document(document, source, url, &read, out)?;
    let error = if let Done::Failed(Unreadable { error, .. }) = done {
        // all before a fault of XML is known to be well-formed
        if let Some(fault) = error.get_ref().and_then(|error| error.downcast_ref::<Fault>()) {
            task.copy(fault.offset, out)?;
        }
        Some(error)
    } else {
        task.finish(out)?;
        task.error.take()
    };
    Ok((error, task.offset > 0))
}
