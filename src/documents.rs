//! The loop over documents: their links, or their bases.

mod bases;

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;

use crate::cli::Cli;
use crate::document::{Document, Item, NoPart, Part};
use crate::input::{self, Input, OutputFile, Reader, Source, Unreadable};
use crate::limits::MAX_MESSAGES;
use crate::output::Writer;
use crate::output::explain::{self, Colors};
use crate::output::json::Object;
use crate::output::location::Location;
use crate::record::{BaseId, Bases, Failure, KnownBase, Record};
use crate::settings::{is_colored, sources, terminator};
use crate::spec::{PreparedBase, Spec};
use crate::task::spec::refusal;
use crate::task::{Task, answer};
use bases::{BaseStack, Level};

/// Has the task answer the links of all documents. `given` is the URL that they were retrieved from.
pub fn links(cli: &Cli, given: &[u8], task: &mut dyn Task, out: &mut Writer) -> io::Result<()> {
    let bases = BaseStack::new(task.standards());
    let mut links = Links { cli, bases, task: &mut *task, base: None, without_html: 0, out };
    if cli.pairs {
        links.of_pairs()?;
    } else {
        for source in sources(cli) {
            if !links.of_document(source, given, None)? {
                break;
            }
        }
    }
    if let more @ 1.. = links.without_html.saturating_sub(MAX_MESSAGES) {
        links.out.note(format_args!("{more} more messages have no HTML part"));
    }
    task.finish(out)
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

/// Why the links of a document are not answered to its end.
enum Stop {
    /// The document cannot be read.
    Document(io::Error),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Links<'_> {
    /// Answers the links of the documents that records BASE TAB DOCUMENT name.
    fn of_pairs(&mut self) -> io::Result<()> {
        let output = OutputFile::new();
        let mut input = Input::new(input::sources(&self.cli.references, &self.cli.files), terminator(self.cli));
        loop {
            self.out.flush()?;
            self.out.advance(input.take_read());
            let mut block = match input.next_block() {
                None => return Ok(()),
                Some(Err(unreadable)) => {
                    self.out.error(unreadable);
                    continue;
                }
                Some(Ok(block)) => block,
            };
            if block.is_utf16() {
                self.out.note_utf16(block.source);
            }
            while let Some((number, text)) = block.next_record() {
                let pair =
                    text.map_err(|_| Failure::TooLong).and_then(|text| input::pair(text).ok_or(Failure::NoDocument));
                let mut known = pair.map_or_else(KnownBase::failed, |(base, _)| KnownBase::new(base, None));
                let spec = self.task.standards()[0];
                let prepared = (spec != Spec::Rfc1808).then(|| PreparedBase::new(spec, known.text));
                known.prepared = prepared.as_ref().filter(|base| !known.text.is_empty() && refusal(base).is_some());
                let (text, (base, name)) = (text.unwrap_or_default(), pair.unwrap_or_default());
                let list = Location::Record(block.source, number);
                let goes_on = if known.parsed.is_ok() && known.prepared.is_none() && name.is_empty() {
                    self.out.error(format_args!("{list}: the document's name is empty; write BASE TAB DOCUMENT"));
                    true
                } else if known.parsed.is_ok() && known.prepared.is_none() {
                    self.of_document(Source::of(&path(name)), base, Some((list, &output)))?
                } else {
                    // a name with a colon would be an absolute URL, which needs no base
                    let reference = match pair {
                        _ if known.prepared.is_some() => b"",
                        Ok(_) => name,
                        Err(_) => text,
                    };
                    let record = Record { source: block.source, number, text, reference, link: None };
                    answer(self.task, &record, &Bases::same(BaseId(u64::MAX), known), self.out)? || !self.cli.fail_fast
                };
                if !goes_on {
                    return Ok(());
                }
            }
        }
    }

    /// Answers the links of a document that was retrieved from `url` and that a record of a list may
    /// name. Returns false if the run ends with it.
    fn of_document(
        &mut self,
        source: Source<'_>,
        url: &[u8],
        list: Option<(Location<'_>, &OutputFile)>,
    ) -> io::Result<bool> {
        let (read, mut number) = (Cell::new(0), 0);
        let opened = match list {
            Some((Location::Record(Source::Stdin, _), _)) if matches!(source, Source::Stdin) => {
                Err(io::Error::other("standard input is already used for the list of documents"))
            }
            Some((_, output)) if output.is(source) => Err(io::Error::other("the document is also the output")),
            _ => open(source, self.cli, self.task.standards(), &read),
        };
        self.bases.start(url);
        let done = match opened {
            Ok(document) => self.answer(document, source, &read, &mut number),
            Err(error) => Err(Stop::Document(error)),
        };
        self.out.advance(read.take());
        match done {
            Ok(goes_on) => {
                self.out.flush()?;
                Ok(goes_on)
            }
            Err(Stop::Output(error)) => Err(error),
            Err(Stop::Document(error)) => {
                let unreadable = Unreadable { source, record: number + 1, error };
                match list {
                    Some((list, _)) => self.out.error(format_args!("{list}: {unreadable}")),
                    None => self.out.error(unreadable),
                }
                self.out.flush()?;
                Ok(true)
            }
        }
    }

    /// Answers the links of an open document and counts them. Returns false if the run ends with it.
    fn answer(
        &mut self,
        mut document: Document<'_>,
        source: Source<'_>,
        read: &Cell<usize>,
        number: &mut u64,
    ) -> Result<bool, Stop> {
        let too_long = Bases::same(BaseId(u64::MAX), KnownBase::failed(Failure::TooLong));
        self.without_html += u64::from(!document.may_have_html() && !self.out.is_quiet());
        if !document.may_have_html() && !self.out.is_quiet() && self.without_html <= MAX_MESSAGES {
            self.out.note(format_args!(
                "{source}: the message has no HTML part, so no links; if it is a page, use --media-type text/html"
            ));
        }
        let mut items = document.links();
        let mut item = items.next().map_err(Stop::Document)?;
        while let Some(current) = item {
            let mut link = match current {
                Item::Link(link) => link,
                Item::Problem(place, problem) => {
                    self.out.skipped(source, place, problem);
                    item = items.next().map_err(Stop::Document)?;
                    continue;
                }
                Item::Base { outer, part, candidates } => {
                    self.bases.define(outer, part, &candidates, source, self.out);
                    item = items.next().map_err(Stop::Document)?;
                    continue;
                }
            };
            // the base is parsed once for all links that follow and have it
            let base = link.base;
            let level = self.bases.level(base);
            let bases = level.bases(source, link.place.part.map_or("", Part::number));
            if self.base != Some(bases.id) {
                self.base = Some(bases.id);
                self.task.base(&bases, self.out).map_err(Stop::Output)?;
            }
            loop {
                *number += 1;
                self.out.advance(read.take());
                let text = link.text();
                let record = Record { source, number: *number, text: &text, reference: &text, link: Some(&link) };
                let bases = if link.bytes.is_some() { &bases } else { &too_long };
                let is_answered = answer(self.task, &record, bases, self.out).map_err(Stop::Output)?;
                if !is_answered && self.cli.fail_fast {
                    return Ok(false);
                }
                item = items.next().map_err(Stop::Document)?;
                match item {
                    Some(Item::Link(next)) if next.base == base => link = next,
                    _ => break,
                }
            }
        }
        Ok(true)
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
    /// The numbers of the document's parts.
    parts: String,
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
        let entity = match document.find(cli.part.as_ref().map_or(&[], |part| &part.0)) {
            Ok(entity) => entity,
            Err(NoPart { parts }) => {
                match &*parts {
                    "" => out.error(format_args!("{source}: no such part: the document has no parts; omit --part")),
                    _ => out.error(format_args!("{source}: no such part; use --part with one of {parts}")),
                }
                return Ok(None);
            }
        };
        let parts = document.parts();
        let (mut bases, mut items) = (BaseStack::new(standards), document.bases(entity));
        bases.start(given);
        while let Some(item) = items.next()? {
            match item {
                Item::Problem(place, problem) => out.skipped(source, place, problem),
                Item::Base { outer, part, candidates } => bases.define(outer, part, &candidates, source, out),
                Item::Link(_) => {}
            }
        }
        let part = items.number().to_owned();
        Ok(bases.into_innermost().map(|level| DocumentBase { source, part, level, parts }))
    });
    out.advance(read.take());
    found.unwrap_or_else(|error| {
        out.error(Unreadable { source, record: 1, error });
        None
    })
}

/// Prints the base of each document, or of the part of it that the flags name. `standards` starts with
/// the standard that resolves relative bases.
pub fn print_bases(cli: &Cli, given: &[u8], standards: &[Spec], out: &mut Writer) -> io::Result<()> {
    for source in sources(cli) {
        let is_known = match find_base(source, cli, given, standards, out) {
            Some(base) => {
                let is_known = print_base(cli, base.bases().of(standards[0]), out);
                if !is_known && !base.parts.is_empty() && cli.part.is_none() && !cli.quiet {
                    let parts = &base.parts;
                    out.note(format_args!("{source}: the message itself has no base URL; for a part, use --document and --part with one of {parts}"));
                }
                is_known
            }
            None => false,
        };
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
    if cli.json {
        Object::line(&mut out.answers, |object| {
            object.text("source", origin.document.name());
            object.base(base.text, Some(origin));
            object.base64("source_base64", origin.document.name());
            object.base64("base_base64", base.text);
        });
    } else if cli.explain {
        explain::write_base(base, origin, Colors::new(is_colored(cli)), &mut out.answers);
    } else {
        if cli.keep_input {
            // the answer would be two lines
            if !cli.null && origin.document.name().contains(&b'\n') {
                out.answers.add([b"\n"]);
                out.set_found();
                if !cli.quiet {
                    let document = origin.document;
                    out.note(format_args!("{document}: the document's name contains a newline; use --null"));
                }
                return false;
            }
            out.answers.add([origin.document.name(), b"\t"]);
        }
        out.answers.add([base.text, b"\t", origin.found.rule.section().as_bytes(), &[terminator(cli)]]);
    }
    if base.text.is_empty() {
        out.set_found();
    }
    !base.text.is_empty()
}

/// Opens a document for the standards that resolve its links. The bytes read are added to `read`.
fn open<'a>(source: Source<'_>, cli: &Cli, standards: &[Spec], read: &'a Cell<usize>) -> io::Result<Document<'a>> {
    let decodes = standards[0] != Spec::Rfc1808;
    Document::new(CountedReader { reader: source.open()?, read }, cli.media_type, decodes)
}

/// A reader whose bytes are counted, for the progress bar.
struct CountedReader<'a> {
    /// The reader.
    reader: Reader,
    /// The number of bytes read.
    read: &'a Cell<usize>,
}

impl Read for CountedReader<'_> {
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
