//! The links of documents, each a record for a task.

use std::borrow::Cow;
use std::cell::Cell;
use std::io;
use std::path::Path;

use super::bases::BaseStack;
use super::{Documents, Done, Reading, note_start};
use crate::document::{Document, Item, Link};
use crate::input::{Block, Input, OutputFile, Unreadable};
use crate::limits::MAX_MESSAGES;
use crate::output::Writer;
use crate::record::{BaseId, Bases, Complaint, Failure, KnownBase, Record};
use crate::records::next_block;
use crate::source::Source;
use crate::spec::Spec;
use crate::task::spec::refusal;
use crate::task::{Task, answer};

/// Has the task answer the links of all documents.
pub fn links(documents: &Documents<'_>, task: &mut dyn Task, out: &mut Writer) -> io::Result<()> {
    let mut links = Links::new(&documents.reading, documents.fail_fast, task, out);
    if let Some(terminator) = documents.pairs {
        links.of_pairs(Input::new(documents.sources.clone(), terminator))?;
    } else {
        for &source in &documents.sources {
            match links.of_document(source, documents.reading.url)? {
                Done::GoOn => {}
                Done::Stop => break,
                Done::Failed(unreadable) => links.out.error(unreadable),
            }
            links.out.flush()?;
        }
    }
    if let more @ 1.. = links.without_html.saturating_sub(MAX_MESSAGES) {
        links.out.note(format_args!("{more} more messages have no HTML part"));
    }
    links.task.finish(links.out)
}

/// Has a task answer links.
pub struct Links<'a> {
    reading: &'a Reading<'a>,
    /// Whether the first failure ends the run.
    fail_fast: bool,
    /// The bases of the current document.
    bases: BaseStack,
    task: &'a mut dyn Task,
    /// The base that the task got last.
    base: Option<BaseId>,
    /// Whether a record has named standard input.
    has_read_stdin: bool,
    /// The number of messages without HTML, each a document of its own.
    without_html: u64,
    out: &'a mut Writer,
}

impl<'a> Links<'a> {
    pub fn new(reading: &'a Reading<'a>, fail_fast: bool, task: &'a mut dyn Task, out: &'a mut Writer) -> Self {
        let bases = BaseStack::new(task.standards());
        Links { reading, fail_fast, bases, task, base: None, has_read_stdin: false, without_html: 0, out }
    }

    /// Answers the links of the documents that records BASE TAB DOCUMENT name.
    fn of_pairs(&mut self, mut lists: Input<'_>) -> io::Result<()> {
        let output = OutputFile::new()?;
        while let Some(mut block) = next_block(&mut lists, self.out)? {
            while let Some((number, text)) = block.next_record() {
                if !self.of_pair(&block, number, text, &output)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Answers the links of the document that a record of a list names. Returns whether the run goes on.
    fn of_pair(
        &mut self,
        list: &Block<'_>,
        number: u64,
        text: Result<&[u8], Failure<'_>>,
        output: &OutputFile,
    ) -> io::Result<bool> {
        let source = list.source;
        let record = |text, reference| Record { source, number, text, reference, link: None };
        let text = match text {
            Ok(text) => text,
            Err(failure) => return self.fail(&record(b"", b""), KnownBase::failed(failure)),
        };
        let (url, name) = match list.pair(text, "DOCUMENT") {
            Ok(pair) => pair,
            Err(failure) => return self.fail(&record(text, text), KnownBase::failed(failure)),
        };
        let mut base = KnownBase::new(url, None);
        let refusal = refusal(self.task.standards()[0], url);
        let reference = if refusal.is_some() { b"" } else { name }; // nobody looks at the name
        let path = path(name);
        if base.parsed.is_err() {
            return self.fail(&record(text, reference), base);
        }
        let complaint = match refusal {
            Some(complaint) => complaint,
            None => match self.of_named_document(source, Source::of(&path), output, url)? {
                Ok(goes_on) => return Ok(goes_on),
                Err(complaint) => complaint,
            },
        };
        base.parsed = Err(Failure::Document(&complaint));
        self.fail(&record(text, reference), base)
    }

    /// Has the task report a record that fails as its base does. Returns whether the run goes on.
    fn fail(&mut self, record: &Record<'_>, base: KnownBase<'_>) -> io::Result<bool> {
        let bases = Bases::same(BaseId(u64::MAX), base);
        Ok(answer(self.task, record, &bases, self.out)? || !self.fail_fast)
    }

    /// Answers the links of a document that a list names. Returns whether the run goes on, or why the record fails.
    fn of_named_document(
        &mut self,
        list: Source<'_>,
        document: Source<'_>,
        output: &OutputFile,
        url: &[u8],
    ) -> io::Result<Result<bool, Complaint>> {
        let is_stdin = |source| matches!(source, Source::Stdin);
        let (code, what) = if is_stdin(document) && is_stdin(list) {
            ("unreadable", format!("{document}: standard input is already used for the list of documents"))
        } else if is_stdin(document) && std::mem::replace(&mut self.has_read_stdin, true) {
            ("unreadable", format!("{document}: standard input can be read only once"))
        } else if document.name().is_empty() {
            ("unreadable", "the document's name is empty; write BASE TAB DOCUMENT".into())
        } else if output.is(document) {
            ("same-file", format!("{document}: the document is also the output"))
        } else {
            let done = self.of_document(document, url)?;
            self.out.flush()?;
            match done {
                Done::GoOn => return Ok(Ok(true)),
                Done::Stop => return Ok(Ok(false)),
                Done::Failed(unreadable) => {
                    let is_document = unreadable.error.kind() != io::ErrorKind::InvalidData;
                    (if is_document { "unreadable" } else { "not-a-document" }, unreadable.to_string())
                }
            }
        };
        Ok(Err(Complaint { code, what: what.into(), fix: "".into() }))
    }

    /// Answers the links of a document that was retrieved from `url`.
    fn of_document<'s>(&mut self, source: Source<'s>, url: &[u8]) -> io::Result<Done<'s>> {
        let read = Cell::new(0);
        let done = match self.reading.open(source, &read) {
            Ok(document) => self.of_open_document(document, source, url, &read),
            Err(error) => Ok(Done::Failed(Unreadable { source, answered: None, error })),
        };
        self.out.advance(read.take());
        done
    }

    /// Answers the links of an open document and counts them.
    pub fn of_open_document<'s>(
        &mut self,
        mut document: Document<'_>,
        source: Source<'s>,
        url: &[u8],
        read: &Cell<usize>,
    ) -> io::Result<Done<'s>> {
        note_start(&document, source, url, self.out);
        self.note_without_html(&document, source);
        self.bases.start(url);
        let (mut items, mut number) = (document.links(), 0);
        let mut next = items.next();
        loop {
            let mut link = match next {
                Ok(Some(Item::Link(link))) => link,
                Ok(Some(item)) => {
                    self.bases.add(item, source, self.out);
                    next = items.next();
                    continue;
                }
                Ok(None) => return Ok(Done::GoOn),
                Err(error) => {
                    // links may have waited for their base
                    let answered = (number > 0 || error.raw_os_error().is_some()).then_some(number);
                    return Ok(Done::Failed(Unreadable { source, answered, error }));
                }
            };
            // to make the bases takes a while; the links that follow mostly have the same
            let base = link.base;
            let bases = self.bases.level(base).bases(source, link.place.part.map_or("", |part| &part.number));
            if self.base.replace(bases.id) != Some(bases.id) {
                self.task.base(&bases, self.out)?;
            }
            next = loop {
                number += 1;
                self.out.advance(read.take());
                if !answer_link(self.task, &link, &bases, source, number, self.out)? && self.fail_fast {
                    return Ok(Done::Stop);
                }
                match items.next() {
                    Ok(Some(Item::Link(following))) if following.base == base => link = following,
                    next => break next,
                }
            };
        }
    }

    /// Notes that a message has no links.
    fn note_without_html(&mut self, document: &Document<'_>, source: Source<'_>) {
        if !document.may_have_links() && !self.out.is_quiet() {
            self.without_html += 1;
            if self.without_html <= MAX_MESSAGES {
                self.out.note(format_args!(
                    "{source}: the message has no HTML part, so no links; if it is a page, use --media-type text/html"
                ));
            }
        }
    }
}

/// Has a task answer a link, which has a number in its document. Returns whether that worked.
fn answer_link(
    task: &mut dyn Task,
    link: &Link<'_>,
    bases: &Bases<'_>,
    source: Source<'_>,
    number: u64,
    out: &mut Writer,
) -> io::Result<bool> {
    let text = if task.standards()[0] == Spec::Rfc1808 { link.kept() } else { link.decoded() };
    let record = Record { source, number, text: &text, reference: &text, link: Some(link) };
    if link.value.is_none() {
        let bases = Bases::same(BaseId(u64::MAX), KnownBase::failed(Failure::TooLong));
        return answer(task, &record, &bases, out);
    }
    answer(task, &record, bases, out)
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
