//! The base of a document: to resolve other references with it, or to print it.

use std::io;

use super::bases::{BaseLevel, BaseStack};
use super::job::{Documents, Done, Job, ReadOptions};
use super::redirects::drop_followed;
use super::run::each_document;
use crate::document::{Document, Item};
use crate::input::{SourceError, bytes_read};
use crate::output::{Writer, explain, json};
use crate::record::{Bases, Record, StandardBase};
use crate::source::Source;
use crate::spec::Spec;
use crate::task::Task;
use crate::task::format::Format;

/// The base of a document, or of a part of it.
pub struct DocumentBase<'a> {
    source: Source<'a>,
    /// The URL that the document was retrieved from.
    url: &'a [u8],
    /// The number of the part; empty for the document itself.
    part: String,
    /// The base as each standard has it.
    level: BaseLevel,
    /// Whether a note says that there is none, but that parts may have one.
    is_noted: bool,
}

impl DocumentBase<'_> {
    pub fn bases(&self) -> Bases<'_> {
        self.level.bases(self.source, &self.part, self.url)
    }
}

/// Finds the base of a document, or of its part, for the standards of a task; problems are those of the first one.
/// Returns `None` if that cannot be done and is reported.
pub fn find_base<'a>(
    source: Source<'a>,
    reading: &ReadOptions<'a>,
    task: &mut dyn Task,
    out: &mut Writer,
) -> Option<DocumentBase<'a>> {
    let standards = task.standards().to_vec();
    let mut written =
        |base: &StandardBase<'_>, around: &Bases<'_>, out: &mut Writer| task.written_base(base, around, out);
    let search = BaseSearch { source, url: reading.url, reading, standards: &standards };
    let found = reading.open(source, false).and_then(|document| search.run(document, &mut written, out));
    found.unwrap_or_else(|mut error| {
        if error.kind() == io::ErrorKind::IsADirectory {
            error = io::Error::new(error.kind(), "a directory; -d takes one document");
        }
        out.error(SourceError { source, answered: None, error });
        None
    })
}

/// A search for the base of a document, or of its part, for some standards.
struct BaseSearch<'a, 'r> {
    source: Source<'a>,
    /// The URL that the document was retrieved from.
    url: &'a [u8],
    reading: &'r ReadOptions<'r>,
    standards: &'r [Spec],
}

impl<'a> BaseSearch<'a, '_> {
    /// Finds the base. Each base URL that is written in the document is passed to `written`.
    ///
    /// # Errors
    /// The document cannot be read.
    fn run(
        &self,
        mut document: Document<'_>,
        written: &mut dyn FnMut(&StandardBase<'_>, &Bases<'_>, &mut Writer),
        out: &mut Writer,
    ) -> io::Result<Option<DocumentBase<'a>>> {
        let BaseSearch { source, url, reading, standards } = *self;
        drop_followed(&mut document, source, url, out);
        if !document.select(reading.part)? {
            match &*document.parts()? {
                "" => out.error(format_args!("{source} has no parts; omit --part")),
                parts => out.error(format_args!("{source}: no such part; use --part with one of {parts}")),
            }
            return Ok(None);
        }
        let (mut bases, mut items) = (BaseStack::new(standards, false), document.bases());
        bases.start(url);
        let mut is_style = false;
        while let Some(item) = items.next()? {
            is_style = matches!(&item, Item::Base { candidates, .. } if candidates.is_empty());
            bases.each_written(&item, source, url, |base, around| written(base, around, out));
            bases.add(item, source, out);
        }
        let part = items.number().to_owned();
        drop(items);
        if is_style && !part.is_empty() {
            out.error(format_args!(
                "{source}: part {part} has the base of the page before it; --links resolves with it"
            ));
            return Ok(None);
        }
        let mut base = bases.into_innermost().map(|level| DocumentBase { source, url, part, level, is_noted: false });
        // the parts of a message have bases where the message itself may have none
        let is_missing = base.as_ref().is_some_and(|base| base.bases().of(standards[0]).text.is_empty());
        let parts = document.parts()?;
        if is_missing && !parts.is_empty() && reading.part.is_empty() && !out.is_quiet() {
            let fix = format_args!("for a part, use --document and --part with one of {parts}");
            out.note(format_args!("{source}: the message itself has no base URL; {fix}"));
            if let Some(base) = &mut base {
                base.is_noted = true;
            }
        }
        out.advance(bytes_read());
        Ok(base)
    }
}

/// Prints the base of each document, or of its part.
pub fn print_bases(documents: &Documents<'_>, format: Format, out: &mut Writer) -> io::Result<()> {
    each_document(documents, &mut BasePrinter { documents, format }, out)
}

struct BasePrinter<'a> {
    documents: &'a Documents<'a>,
    format: Format,
}

impl Job for BasePrinter<'_> {
    fn run<'s>(&mut self, source: Source<'s>, is_found: bool, url: &[u8], out: &mut Writer) -> io::Result<Done<'s>> {
        let Documents { reading, standard, .. } = self.documents;
        let search = BaseSearch { source, url, reading, standards: &[*standard] };
        let opened = reading.open(source, is_found);
        let is_known = match opened.and_then(|opened| search.run(opened, &mut |_, _, _| (), out)) {
            Ok(None) => false,
            Ok(Some(base)) => print_base(&base, *standard, self.format, out),
            Err(error) => return Ok(Done::Failed(SourceError { source, answered: None, error })),
        };
        Ok(if out.fail_fast && !is_known { Done::Stop } else { Done::GoOn })
    }

    fn fail(&mut self, _: &Record<'_>, _: StandardBase<'_>, _: &mut Writer) -> io::Result<bool> {
        Ok(true) // it takes no pairs
    }

    fn unread(&mut self, _: Source<'_>, out: &Writer) -> bool {
        !out.fail_fast
    }
}

/// Prints a base and the rule that gives it. Returns false if there is no base: status 1.
fn print_base(found: &DocumentBase<'_>, standard: Spec, format: Format, out: &mut Writer) -> bool {
    let bases = found.bases();
    let base = bases.of(standard);
    let Some(origin) = base.origin else { return false };
    let (document, name) = (origin.document, origin.document.name());
    match format {
        Format::Json { .. } => json::write_base(name, standard, base, &mut out.answers, |_| ()),
        Format::Explain(screen) => explain::base::write(standard, base, screen, &mut out.answers),
        Format::Lines(lines) => {
            // the answer would be two lines
            if lines.keep_input && lines.terminator == b'\n' && name.contains(&b'\n') {
                lines.end(&mut out.answers);
                out.set_found();
                if !out.is_quiet() {
                    out.note(format_args!("{document}: the document's name contains a newline; use --null"));
                }
                return false;
            }
            let name = [document.line_prefix(), name].concat();
            let record = Record { source: document, number: 1, text: &name, reference: &name, link: None };
            lines.begin(&record, &mut out.answers);
            out.answers.add([base.text, b"\t", origin.found.rule.section().as_bytes()]);
            lines.end(&mut out.answers);
        }
    }
    if base.text.is_empty() {
        out.set_found();
        if !found.is_noted {
            out.without_base(document);
        }
    }
    !base.text.is_empty()
}
