//! A document with its links resolved, on standard output.

use std::cell::Cell;
use std::io;

use super::links::Links;
use super::{CountedReader, Documents, Done, Reading};
use crate::document::{Document, Fault, survey};
use crate::input::{DocumentText, Unreadable};
use crate::output::Writer;
use crate::source::Source;
use crate::task::Task;
use crate::task::rewrite::Rewrite;

/// Prints a document with its links resolved.
pub fn rewrite(documents: &Documents<'_>, out: &mut Writer) -> io::Result<()> {
    let [source, ..] = documents.sources[..] else { return Ok(()) };
    let unreadable = |error| Unreadable { source, answered: None, error };
    let text = match DocumentText::open(source) {
        Ok(text) => text,
        Err(error) => {
            out.error(unreadable(error));
            return Ok(());
        }
    };
    let mut task = Rewrite::new(documents.standard, text.reader());
    let error = rewrite_text(&text, source, documents.reading.url, &documents.reading, &mut task, out)?;
    let end = match &error {
        None => u64::MAX,
        // all before a fault of XML is known to be well-formed
        Some(error) => error.get_ref().and_then(|error| error.downcast_ref::<Fault>()).map_or(0, |fault| fault.offset),
    };
    task.copy(end, out)?;
    if let Some(error) = error.or(task.error).or_else(|| text.check_unchanged().err()) {
        let rest = if task.offset > 0 { "; the output is incomplete" } else { "" };
        out.error(format_args!("{}{rest}", unreadable(error)));
    }
    Ok(())
}

/// Has a task print a text with its links resolved, up to the last one. Returns why that ended early, if it did.
pub fn rewrite_text(
    text: &DocumentText,
    source: Source<'_>,
    url: &[u8],
    reading: &Reading<'_>,
    task: &mut dyn Task,
    out: &mut Writer,
) -> io::Result<Option<io::Error>> {
    let (mut options, read) = (reading.options(source), Cell::new(0));
    let document = survey(|| text.reader(), &options).and_then(|base| {
        (options.rewrites, options.base) = (true, base);
        Document::new(CountedReader { reader: text.reader(), read: &read }, options)
    });
    let document = match document {
        Ok(document) => document,
        Err(error) => return Ok(Some(error)),
    };
    let done = Links::new(reading, false, task).of_open_document(document, source, url, &read, out)?;
    Ok(if let Done::Failed(unreadable) = done { Some(unreadable.error) } else { None })
}
