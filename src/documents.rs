//! The loop over documents: their links, or their bases.

mod bases;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::io::{self, Read};
use std::path::Path;

use crate::cli::Cli;
use crate::document::{Document, Fault, Item, MediaType, Options, survey};
use crate::input::{self, OutputFile, Text, Unreadable};
use crate::limits::MAX_MESSAGES;
use crate::output::Writer;
use crate::output::explain;
use crate::output::json::Object;
use crate::record::{BaseId, Bases, Complaint, Failure, KnownBase, Record};
use crate::records::next_block;
use crate::settings::{format, records, sources};
use crate::source::Source;
use crate::spec::Spec;
use crate::task::format::Format;
use crate::task::rewrite::Rewrite;
use crate::task::spec::refusal;
use crate::task::{Task, answer};
use bases::{BaseStack, Level};

/// Has the task answer the links of all documents. `given` is the URL that they were retrieved from.
pub fn links(cli: &Cli, given: &[u8], task: &mut dyn Task, out: &mut Writer) -> io::Result<()> {
    let mut links = Links::new(cli, task, out);
    if cli.pairs {
        links.of_pairs()?;
    } else {
        for source in sources(cli) {
            match links.of_document(source, given)? {
                Ok(true) => {}
                Ok(false) => break,
                Err(unreadable) => links.out.error(unreadable),
            }
            links.out.flush()?;
        }
    }
    if let more @ 1.. = links.without_html.saturating_sub(MAX_MESSAGES) {
        links.out.note(format_args!("{more} more messages have no HTML part"));
    }
    links.task.finish(links.out)
}

/// Prints a document with its links resolved by a standard. `given` is the URL that it was retrieved from.
pub fn rewrite(cli: &Cli, given: &[u8], spec: Spec, out: &mut Writer) -> io::Result<()> {
    let [source, ..] = sources(cli)[..] else { return Ok(()) };
    let unreadable = |error| Unreadable { source, answered: None, error };
    let text = match Text::open(source) {
        Ok(text) => text,
        Err(error) => {
            out.error(unreadable(error));
            return Ok(());
        }
    };
    let (mut task, read) = (Rewrite::new(spec, text.reader()), Cell::new(0));
    let mut options = options(source, cli, &[spec]);
    let document = survey(|| text.reader(), &options).and_then(|base| {
        (options.rewrites, options.base) = (true, base);
        Document::new(CountedReader { reader: text.reader(), read: &read }, options)
    });
    let done = match document {
        Ok(document) => Links::new(cli, &mut task, out).of_open_document(document, source, given, &read)?,
        Err(error) => Err(unreadable(error)),
    };
    let error = match done {
        Ok(_) => {
            task.finish(out)?;
            task.error.take()
        }
        Err(Unreadable { error, .. }) => {
            if let Some(fault) = error.get_ref().and_then(|error| error.downcast_ref::<Fault>()) {
                task.copy(fault.offset, out)?;
            }
            Some(error)
        }
    };
    let error = match (error, text.has_changed()) {
        (Some(error), _) | (None, Err(error)) => error,
        (None, Ok(true)) => io::Error::other("the file was changed while it was read"),
        (None, Ok(false)) => return Ok(()),
    };
    let rest = if task.offset > 0 { "; the output is incomplete" } else { "" };
    out.error(format_args!("{}{rest}", unreadable(error)));
    Ok(())
}

/// Answers links.
struct Links<'a> {
    /// The flags.
    cli: &'a Cli,
    /// The bases of the current document.
    bases: BaseStack,
    /// The task.
    task: &'a mut dyn Task,
    /// The base that the task got last.
    base: Option<BaseId>,
    /// The number of messages without HTML, each a document of its own.
    without_html: u64,
    /// The output.
    out: &'a mut Writer,
}

/// Whether the run goes on after a document, or why it could not be read to its end.
type Done<'a> = Result<bool, Unreadable<'a>>;

impl<'a> Links<'a> {
    /// No links answered yet.
    fn new(cli: &'a Cli, task: &'a mut dyn Task, out: &'a mut Writer) -> Self {
        Links { cli, bases: BaseStack::new(task.standards()), task, base: None, without_html: 0, out }
    }

    /// Answers the links of the documents that records BASE TAB DOCUMENT name.
    fn of_pairs(&mut self) -> io::Result<()> {
        let (mut input, output) = (records(self.cli), OutputFile::new()?);
        while let Some(mut block) = next_block(&mut input, self.out)? {
            while let Some((number, text)) = block.next_record() {
                let pair = text.and_then(|text| block.pair(text, "DOCUMENT"));
                let (text, (base, name)) = (text.unwrap_or_default(), pair.unwrap_or_default());
                let refusal = refusal(self.task.standards()[0], base);
                let reference = match pair {
                    _ if refusal.is_some() => b"", // nobody looks at the name
                    Ok(_) => name,
                    Err(_) => text,
                };
                let (path, complaint) = (path(name), OnceCell::new());
                let mut known = pair.map_or_else(KnownBase::failed, |_| KnownBase::new(base, None));
                if known.parsed.is_ok() {
                    let done = match refusal {
                        None => self.of_named_document(block.source, Source::of(&path), &output, base)?,
                        Some(why) => Err(why),
                    };
                    match done {
                        Ok(true) => continue,
                        Ok(false) => return Ok(()),
                        Err(why) => known.parsed = Err(Failure::Document(complaint.get_or_init(|| why))),
                    }
                }
                let record = Record { source: block.source, number, text, reference, link: None };
                let bases = Bases::same(BaseId(u64::MAX), known);
                if !answer(self.task, &record, &bases, self.out)? && self.cli.fail_fast {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Answers the links of a document that a record of a list names. Returns false if the run ends with
    /// it, or why the record fails.
    fn of_named_document(
        &mut self,
        list: Source<'_>,
        document: Source<'_>,
        output: &OutputFile,
        url: &[u8],
    ) -> io::Result<Result<bool, Complaint>> {
        let (code, what) = if matches!((list, document), (Source::Stdin, Source::Stdin)) {
            ("unreadable", format!("{document}: standard input is already used for the list of documents"))
        } else if document.name().is_empty() {
            ("unreadable", "the document's name is empty; write BASE TAB DOCUMENT".into())
        } else if output.is(document) {
            ("same-file", format!("{document}: the document is also the output"))
        } else {
            let done = self.of_document(document, url)?;
            self.out.flush()?;
            match done {
                Ok(goes_on) => return Ok(Ok(goes_on)),
                Err(unreadable) if unreadable.error.kind() == io::ErrorKind::InvalidData => {
                    ("not-a-document", unreadable.to_string())
                }
                Err(unreadable) => ("unreadable", unreadable.to_string()),
            }
        };
        Ok(Err(Complaint { code, what: what.into(), fix: "".into() }))
    }

    /// Answers the links of a document that was retrieved from `url`.
    fn of_document<'s>(&mut self, source: Source<'s>, url: &[u8]) -> io::Result<Done<'s>> {
        let read = Cell::new(0);
        let done = match open(source, self.cli, self.task.standards(), &read) {
            Ok(document) => self.of_open_document(document, source, url, &read),
            Err(error) => Ok(Err(Unreadable { source, answered: None, error })),
        };
        self.out.advance(read.take());
        done
    }

    /// Answers the links of an open document and counts them.
    fn of_open_document<'s>(
        &mut self,
        mut document: Document<'_>,
        source: Source<'s>,
        url: &[u8],
        read: &Cell<usize>,
    ) -> io::Result<Done<'s>> {
        let too_long = Bases::same(BaseId(u64::MAX), KnownBase::failed(Failure::TooLong));
        self.out.note_utf16(source, document.utf16);
        if !document.may_have_html() && !self.out.is_quiet() {
            self.without_html += 1;
            if self.without_html <= MAX_MESSAGES {
                self.out.note(format_args!(
                    "{source}: the message has no HTML part, so no links; if it is a page, use --media-type text/html"
                ));
            }
        }
        self.bases.start(url);
        let (mut items, mut number) = (document.links(), 0);
        let mut next = items.next();
        loop {
            let item = match next {
                Ok(Some(item)) => item,
                Ok(None) => return Ok(Ok(true)),
                Err(error) => {
                    // links may have waited for their base
                    let answered = (number > 0 || error.raw_os_error().is_some()).then_some(number);
                    return Ok(Err(Unreadable { source, answered, error }));
                }
            };
            let Some(mut link) = self.bases.link(item, source, self.out) else {
                next = items.next();
                continue;
            };
            // the base is made once for all links that follow and have it
            let base = link.base;
            let bases = self.bases.level(base).bases(source, link.place.part.map_or("", |part| &part.number));
            if self.base.replace(bases.id) != Some(bases.id) {
                self.task.base(&bases, self.out)?;
            }
            loop {
                number += 1;
                self.out.advance(read.take());
                let text = if self.task.standards()[0] == Spec::Rfc1808 { link.kept() } else { link.decoded() };
                let record = Record { source, number, text: &text, reference: &text, link: Some(&link) };
                let bases = if link.value.is_some() { &bases } else { &too_long };
                if !answer(self.task, &record, bases, self.out)? && self.cli.fail_fast {
                    return Ok(Ok(false));
                }
                next = items.next();
                match next {
                    Ok(Some(Item::Link(following))) if following.base == base => link = following,
                    _ => break,
                }
            }
        }
    }
}

/// The base of a document, or of a part of it.
pub struct DocumentBase<'a> {
    /// The document.
    source: Source<'a>,
    /// The number of the part; empty for the document itself.
    part: String,
    /// The base.
    level: Level,
}

impl DocumentBase<'_> {
    /// The base, parsed.
    pub fn bases(&self) -> Bases<'_> {
        self.level.bases(self.source, &self.part)
    }
}

/// Finds the base of a document, or of the part of it that the flags name. `given` is the URL that it
/// was retrieved from. Returns `None` if that cannot be done and is reported.
pub fn find_base<'a>(
    source: Source<'a>,
    cli: &Cli,
    given: &[u8],
    standards: &[Spec],
    out: &mut Writer,
) -> Option<DocumentBase<'a>> {
    let read = Cell::new(0);
    let found = open(source, cli, standards, &read).and_then(|mut document| {
        out.note_utf16(source, document.utf16);
        let Some(entity) = document.find(cli.part.as_ref().map_or(&[], |part| &part.0)) else {
            match &*document.parts() {
                "" => out.error(format_args!("{source}: no such part: the document has no parts; omit --part")),
                parts => out.error(format_args!("{source}: no such part; use --part with one of {parts}")),
            }
            return Ok(None);
        };
        let (mut bases, mut items) = (BaseStack::new(standards), document.bases(entity));
        bases.start(given);
        while let Some(item) = items.next()? {
            bases.link(item, source, out);
        }
        let part = items.number().to_owned();
        drop(items);
        let base = bases.into_innermost().map(|level| DocumentBase { source, part, level });
        let is_missing = base.as_ref().is_some_and(|base| base.bases().of(standards[0]).text.is_empty());
        let parts = document.parts();
        if is_missing && !parts.is_empty() && cli.part.is_none() && !cli.quiet {
            let fix = format_args!("for a part, use --document and --part with one of {parts}");
            out.note(format_args!("{source}: the message itself has no base URL; {fix}"));
        }
        Ok(base)
    });
    out.advance(read.take());
    found.unwrap_or_else(|error| {
        out.error(Unreadable { source, answered: None, error });
        None
    })
}

/// Prints the base of each document, or of the part of it that the flags name. `standards` starts with
/// the standard that resolves relative bases.
pub fn print_bases(cli: &Cli, given: &[u8], standards: &[Spec], out: &mut Writer) -> io::Result<()> {
    for source in sources(cli) {
        let base = find_base(source, cli, given, standards, out);
        let is_known = base.is_some_and(|base| print_base(cli, base.bases().of(standards[0]), out));
        out.flush()?;
        if cli.fail_fast && !is_known {
            break;
        }
    }
    Ok(())
}

/// Prints a base and the rule that gives it. Returns false if there is no base: status 1.
fn print_base(cli: &Cli, base: &KnownBase<'_>, out: &mut Writer) -> bool {
    let Some(origin) = base.origin else { return false };
    let (document, name) = (origin.document, origin.document.name());
    match format(cli) {
        Format::Json { .. } => Object::line(&mut out.answers, |object| {
            object.text("source", name);
            object.base(base.text, Some(origin));
            object.base64("source_base64", name);
            object.base64("base_base64", base.text);
        }),
        Format::Explain(colors) => explain::write_base(base, colors, &mut out.answers),
        Format::Lines(lines) => {
            // the answer would be two lines
            if lines.keep_input && lines.terminator == b'\n' && name.contains(&b'\n') {
                lines.end(&mut out.answers);
                out.set_found();
                if !cli.quiet {
                    out.note(format_args!("{document}: the document's name contains a newline; use --null"));
                }
                return false;
            }
            let name = [document.directory(), name].concat();
            let record = Record { source: document, number: 1, text: &name, reference: &name, link: None };
            lines.begin(&record, &mut out.answers);
            out.answers.add([base.text, b"\t", origin.found.rule.section().as_bytes()]);
            lines.end(&mut out.answers);
        }
    }
    if base.text.is_empty() {
        out.set_found();
    }
    !base.text.is_empty()
}

/// Opens a document for the standards that resolve its links. The bytes read are added to `read`.
fn open<'a>(source: Source<'_>, cli: &Cli, standards: &[Spec], read: &'a Cell<usize>) -> io::Result<Document<'a>> {
    Document::new(CountedReader { reader: input::open(source)?, read }, options(source, cli, standards))
}

/// How a document is read for the standards that resolve its links.
fn options(source: Source<'_>, cli: &Cli, standards: &[Spec]) -> Options {
    let guesses = standards.iter().any(|spec| *spec != Spec::Rfc1808);
    let (media_type, charset) = cli.media_type.map(|named| (named.row.read_as, named.charset)).unzip();
    let media_type = media_type.or_else(|| MediaType::of_name(source.name()));
    Options { media_type, charset: charset.flatten(), guesses, ..Options::default() }
}

/// A reader whose bytes are counted, for the progress bar.
struct CountedReader<'a, R> {
    /// The reader.
    reader: R,
    /// The number of bytes read.
    read: &'a Cell<usize>,
}

impl<R: Read> Read for CountedReader<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(bytes)?;
        self.read.update(|read| read + length);
        Ok(length)
    }
}

/// The path that the bytes of a record name.
#[cfg(unix)]
fn path(name: &[u8]) -> Cow<'_, Path> {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(name)).into()
}

/// The path that the bytes of a record name.
#[cfg(not(unix))]
fn path(name: &[u8]) -> Cow<'_, Path> {
    match String::from_utf8_lossy(name) {
        Cow::Borrowed(name) => Cow::Borrowed(Path::new(name)),
        Cow::Owned(name) => Cow::Owned(name.into()),
    }
}
