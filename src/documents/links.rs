//! The links of documents, each a record for a task.

use std::io;

use encoding_rs::UTF_8;

use super::bases::BaseStack;
use super::job::{Documents, Done, Job};
use super::redirects::drop_followed;
use super::run::each_document;
use crate::document::{Document, Item, Link, MediaType, Unsearched};
use crate::escaped::Escaped;
use crate::input::{SourceError, bytes_read};
use crate::limits::MAX_MESSAGES;
use crate::output::Writer;
use crate::output::location::Location;
use crate::record::{BaseId, Bases, Failure, Record, StandardBase};
use crate::source::Source;
use crate::spec::Spec;
use crate::task::{Task, answer};

/// Has the task answer the links of all documents.
pub fn links(documents: &Documents<'_>, task: &mut dyn Task, out: &mut Writer) -> io::Result<()> {
    let mut job = Links::new(documents, task);
    each_document(documents, &mut job, out)?;
    match job.without_html.saturating_sub(MAX_MESSAGES) {
        0 => {}
        1 => out.note("1 more message has no HTML part"),
        more => out.note(format_args!("{more} more messages have no HTML part")),
    }
    job.task.finish(out)
}

/// Has a task answer links.
pub struct Links<'a> {
    documents: &'a Documents<'a>,
    /// The bases of the current document.
    bases: BaseStack,
    task: &'a mut dyn Task,
    /// The base that the task got last.
    base: Option<BaseId>,
    /// The number of messages without HTML, each a document of its own.
    without_html: u64,
}

impl Job for Links<'_> {
    fn run<'s>(&mut self, source: Source<'s>, is_found: bool, url: &[u8], out: &mut Writer) -> io::Result<Done<'s>> {
        let done = match self.documents.reading.open_for_links(source, is_found) {
            Ok(document) => self.of_open_document(document, source, url, out)?,
            Err(error) => Done::Failed(SourceError { source, answered: None, error }),
        };
        out.advance(bytes_read());
        Ok(done)
    }

    fn fail(&mut self, record: &Record<'_>, base: StandardBase<'_>, out: &mut Writer) -> io::Result<bool> {
        let bases = Bases::same(BaseId(u64::MAX), base);
        Ok(answer(self.task, record, &bases, out)? || !out.fail_fast)
    }

    fn wants_unread(&self) -> bool {
        self.documents.reading.options.wary
    }

    fn not_read(&mut self, file: Source<'_>, url: &[u8], what: &str, out: &mut Writer) -> io::Result<bool> {
        self.task.not_read(file, url, what, out)?;
        Ok(!out.fail_fast)
    }
}

impl<'a> Links<'a> {
    pub fn new(documents: &'a Documents<'a>, task: &'a mut dyn Task) -> Self {
        let bases = BaseStack::new(task.standards(), documents.pairs.is_some());
        Links { documents, bases, task, base: None, without_html: 0 }
    }

    /// Answers the links of an open document and counts them.
    pub fn of_open_document<'s>(
        &mut self,
        mut document: Document<'_>,
        source: Source<'s>,
        url: &[u8],
        out: &mut Writer,
    ) -> io::Result<Done<'s>> {
        drop_followed(&mut document, source, url, out);
        self.bases.start(url);
        let (mut items, mut number, mut has_problem) = (document.links(), 0, false);
        let mut next = items.next();
        loop {
            let mut link = match next {
                Ok(Some(Item::Link(link))) => link,
                Ok(Some(item)) => {
                    has_problem |= matches!(item, Item::Problem(..));
                    let task = &mut *self.task;
                    self.bases.each_written(&item, source, url, |base, around| task.written_base(base, around, out));
                    self.bases.add(item, source, out);
                    next = items.next();
                    continue;
                }
                Ok(None) => {
                    let unsearched = items.unsearched();
                    self.note_unsearched(unsearched, source, out);
                    if number == 0 && !has_problem {
                        self.note_no_links(unsearched, source, out);
                    }
                    return Ok(Done::GoOn);
                }
                Err(error) => {
                    // links may have waited for their base
                    let answered = (number > 0 || error.raw_os_error().is_some()).then_some((number, "link"));
                    return Ok(Done::Failed(SourceError { source, answered, error }));
                }
            };
            // making the bases takes a while, and the next links mostly have the same
            let (base, fetched_with) = (link.base, link.fetched_with);
            let number_of_part = link.place.part.map_or("", |part| &part.number);
            self.bases.end_above(base);
            let bases_at = |index| self.bases.at(index).bases(source, number_of_part, url);
            let (mut bases, standards) = (bases_at(base), self.task.standards());
            let early = (fetched_with != base).then(|| bases.early(&bases_at(fetched_with), standards));
            match &early {
                Some(early) if self.task.names_whatwg() => bases = *early,
                early => bases.early = early.as_ref(),
            }
            if self.base.replace(bases.id) != Some(bases.id) {
                self.task.base(&bases, out);
            }
            next = loop {
                number += 1;
                out.advance(bytes_read());
                let is_rfc1808 = self.task.standards()[0] == Spec::Rfc1808;
                let text = if is_rfc1808 { link.kept() } else { link.decoded() };
                let record = Record { source, number, text: &text, reference: &text, link: Some(&link) };
                if !answer_link(self.task, &link, &record, &bases, out)? && out.fail_fast {
                    return Ok(Done::Stop);
                }
                match items.next() {
                    Ok(Some(Item::Link(following)))
                        if (following.base, following.fetched_with) == (base, fetched_with) =>
                    {
                        link = following;
                    }
                    next => break next,
                }
            };
        }
    }

    /// Notes that a document has no links, if the type that it is read as is only what the user says.
    fn note_no_links(&self, unsearched: Unsearched, source: Source<'_>, out: &mut Writer) {
        let what = match self.documents.reading.options.media_type {
            Some(MediaType::Xml) if unsearched.is_other => "; of XML like this xml:base, XLink, href and src are read",
            Some(MediaType::Html | MediaType::Markdown) => "",
            _ => return,
        };
        out.note_of(source, "no-links", format_args!("{source}: no links{what}"));
    }

    /// Notes which messages of a document have no HTML part.
    fn note_unsearched(&mut self, unsearched: Unsearched, source: Source<'_>, out: &mut Writer) {
        let Unsearched { messages, without_text, .. } = unsearched;
        if without_text == 0 || out.is_quiet() {
            return;
        }
        if messages > 1 {
            let have = if without_text == 1 { "has" } else { "have" };
            return out.note(format_args!("{source}: {without_text} of {messages} messages {have} no HTML part"));
        }
        self.without_html += 1;
        if self.without_html <= MAX_MESSAGES {
            out.note(format_args!("{source}: the message has no HTML part, and plain text is not searched"));
        }
    }
}

/// Notes that a link has bytes that are not UTF-8, where they are decoded. `kept`: its text with these.
fn note_undecodable(record: &Record<'_>, kept: &[u8], out: &mut Writer) {
    if let Some(bytes) = Escaped::not_utf_8(kept) {
        let is_field = record.link.is_some_and(|link| link.element == b"field");
        let fix = if is_field { "percent-encode it" } else { "name the charset with --media-type" };
        let location = Location::of(record);
        out.note_of(
            record.source,
            "not-utf-8",
            format_args!("{location}: {bytes} is not UTF-8 and becomes U+FFFD; {fix}"),
        );
    }
}

/// Has a task answer a link, which is a record. Returns whether that worked.
fn answer_link(
    task: &mut dyn Task,
    link: &Link<'_>,
    record: &Record<'_>,
    bases: &Bases<'_>,
    out: &mut Writer,
) -> io::Result<bool> {
    if task.standards()[0] != Spec::Rfc1808 && link.decoding.document == UTF_8 && !record.text.is_ascii() {
        note_undecodable(record, &link.kept(), out);
    }
    if link.value.is_none() {
        let bases = Bases::same(BaseId(u64::MAX), StandardBase::failed(Failure::LongLink));
        return answer(task, record, &bases, out);
    }
    answer(task, record, bases, out)
}
