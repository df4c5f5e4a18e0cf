//! The documents of a command line: the base of one, or the links of many.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::event::{PollFlags, Timespec};
use rustix::io::Errno;

use crate::base::{Document, Found, Link, Listener, MediaType, NoPart, Parsed, Place, Problem, Stop, by_retrieval};
use crate::cli::{self, Cli};
use crate::input::{self, Input, Source, Unreadable, is_ready};
use crate::output::{Failure, Origin, Output, Record};
use crate::resolver::Base;

/// Finds the base of the document, or else the one `given` is, and prints it or has `answer` answer
/// the records with it.
///
/// # Errors
/// Standard output cannot be written, or an answer is too long for memory.
pub fn with_base(
    cli: &Cli,
    given: &[u8],
    output: &mut Output,
    answer: impl FnOnce(Base<'_>, Origin<'_>, &mut Output) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(path) = cli.documents.first() else {
        let found = by_retrieval(given);
        return Ok(output.base(Origin { document: None, found: &found })?);
    };
    let source = Source::of(path);
    let shared = RefCell::new(output);
    let unreadable = |error| {
        let mut output = shared.borrow_mut();
        output.unreadable(&whole(source, 1, error))?;
        Ok(output.flush()?)
    };
    let opened = open(source, &shared).and_then(|text| Document::new(text, given, media_type(cli)));
    let mut document = match opened {
        Err(error) => return unreadable(error),
        Ok(document) => document,
    };
    let entity = match document.find(cli.part.as_ref().map_or(&[][..], |part| &part.0)) {
        Ok(entity) => entity,
        Err(NoPart { parts }) => {
            let mut output = shared.borrow_mut();
            output.no_part(source, &parts);
            return Ok(output.flush()?);
        }
    };
    match document.base(entity, &mut Answers::new(&shared, source, cli.fail_fast)) {
        Err(error) => unreadable(error),
        Ok(found) => {
            let origin = Origin { document: Some(source), found: &found };
            let output = &mut shared.borrow_mut();
            match Base::new(&found.url) {
                Ok(base) if !cli.print_base => answer(base, origin, output),
                _ => Ok(output.base(origin)?),
            }
        }
    }
}

/// Answers the links of all documents.
///
/// # Errors
/// Standard output cannot be written, or an answer is too long for memory.
pub fn links(cli: &Cli, given: &[u8], output: &mut Output) -> anyhow::Result<()> {
    let shared = RefCell::new(output);
    if cli.pairs {
        links_of_pairs(cli, &shared)?;
    } else {
        for path in &cli.documents {
            if !links_of(cli, Source::of(path), None, given, &shared)? {
                break;
            }
        }
    }
    Ok(shared.into_inner().finish()?)
}

/// Answers the links of the documents that records BASE TAB FILE name.
///
/// # Errors
/// As for [`links`].
fn links_of_pairs(cli: &Cli, output: &RefCell<&mut Output>) -> io::Result<()> {
    let mut input = Input::new(&[], &cli.files, if cli.null { b'\0' } else { b'\n' });
    loop {
        output.borrow_mut().advance(input.take_read());
        if input.would_wait() {
            output.borrow_mut().flush()?;
        }
        let mut block = match input.next_block() {
            None => return Ok(()),
            Some(Err(unreadable)) => {
                if !output.borrow_mut().unreadable(&unreadable)? && cli.fail_fast {
                    return Ok(());
                }
                continue;
            }
            Some(Ok(block)) => block,
        };
        while let Some((number, text)) = block.next_record() {
            let (base, file) = input::pair(text).unwrap_or((b"", text));
            let failure = match (input::pair(text), Base::new(base)) {
                (None, _) => Failure::NoFile,
                (_, Err(why)) => Failure::Unresolvable(why),
                (Some(_), Ok(_)) => {
                    let file = Source::of(Path::new(OsStr::from_bytes(file)));
                    if !links_of(cli, file, Some((block.source, number)), base, output)? {
                        return Ok(());
                    }
                    continue;
                }
            };
            let record = Record { source: block.source, number, text, base, reference: file, origin: None, link: None };
            output.borrow_mut().answer(&record, Err(failure))?;
            if cli.fail_fast {
                return Ok(());
            }
        }
    }
}

/// Answers the links of a document whose retrieval URL is `given` and that a record of `list` names,
/// if there is a list; false if the run ends with it.
///
/// # Errors
/// As for [`links`].
fn links_of(
    cli: &Cli,
    source: Source<'_>,
    list: Option<(Source<'_>, u64)>,
    given: &[u8],
    output: &RefCell<&mut Output>,
) -> io::Result<bool> {
    let mut answers = Answers::new(output, source, cli.fail_fast);
    let opened = match (source, list) {
        (Source::Stdin, Some((Source::Stdin, _))) => Err(io::Error::other("standard input is the list itself")),
        _ => open(source, output),
    };
    let opened = opened.and_then(|text| Document::new(text, given, media_type(cli)));
    let done = match opened {
        Err(error) => Err(Stop::Unreadable(error)),
        Ok(mut document) => document.links(&mut answers),
    };
    match done {
        Ok(()) => Ok(true),
        Err(Stop::Enough) => Ok(false),
        Err(Stop::Output(error)) => Err(error),
        Err(Stop::Unreadable(error)) => {
            let record = answers.number.saturating_add(1);
            let unreadable = whole(source, record, error);
            match list {
                Some(list) => output.borrow_mut().unreadable_document(list, &unreadable),
                None => {
                    output.borrow_mut().unreadable(&unreadable)?;
                }
            }
            Ok(true)
        }
    }
}

/// A document that cannot be read from `record` on: for want of memory too, it is no record.
fn whole(source: Source<'_>, record: u64, error: io::Error) -> Unreadable<'_> {
    let error = match error.kind() {
        io::ErrorKind::OutOfMemory => io::Error::other("no memory for the document"),
        _ => error,
    };
    Unreadable { source, record, error }
}

/// What the documents are said to be.
fn media_type(cli: &Cli) -> Option<MediaType> {
    cli.media_type.map(|media_type| match media_type {
        cli::MediaType::Html => MediaType::Html,
        cli::MediaType::Message => MediaType::Message,
    })
}

/// Opens a document. Before it is waited for, what is ready is written to `output`.
///
/// # Errors
/// What the system says.
fn open<'a, 'o>(source: Source<'_>, output: &'a RefCell<&'o mut Output>) -> io::Result<Text<'a, 'o>> {
    let file = match source {
        Source::File(path) => File::open(path)?,
        Source::Stdin | Source::Arguments(_) => io::stdin().as_fd().try_clone_to_owned()?.into(),
    };
    Ok(Text { file, output })
}

/// The bytes of a document.
struct Text<'a, 'o> {
    /// The file.
    file: File,
    /// What is written before the file is waited for.
    output: &'a RefCell<&'o mut Output>,
}

impl Read for Text<'_, '_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if !is_ready(&self.file, PollFlags::IN, Some(&Timespec::default())) {
            // an error comes up again where the answers are written
            let _ = self.output.borrow_mut().flush();
        }
        loop {
            match rustix::io::read(&self.file, &mut *bytes) {
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    is_ready(&self.file, PollFlags::IN, None);
                }
                read => {
                    let read = read?;
                    self.output.borrow_mut().advance(read);
                    return Ok(read);
                }
            }
        }
    }
}

/// The answers to the links of a document.
struct Answers<'a, 'o> {
    /// Where they go.
    output: &'a RefCell<&'o mut Output>,
    /// The document.
    source: Source<'a>,
    /// How many links there have been.
    number: u64,
    /// Whether the first link that fails is the last one.
    fail_fast: bool,
}

impl<'a, 'o> Answers<'a, 'o> {
    /// No answers yet.
    fn new(output: &'a RefCell<&'o mut Output>, source: Source<'a>, fail_fast: bool) -> Self {
        Answers { output, source, number: 0, fail_fast }
    }
}

impl Listener for Answers<'_, '_> {
    fn passed_over(&mut self, place: Place<'_>, problem: Problem) {
        self.output.borrow_mut().passed_over(self.source, place, problem);
    }

    fn link(&mut self, found: &Found<'_>, base: Parsed<'_>, link: &Link<'_>) -> Result<(), Stop> {
        self.number = self.number.saturating_add(1);
        let (source, number, text) = (self.source, self.number, link.reference);
        let origin = Some(Origin { document: Some(source), found });
        let record = Record { source, number, text, base: &found.url, reference: text, origin, link: Some(link) };
        let base = base.as_ref().map_err(|why| Failure::Unresolvable(*why));
        match self.output.borrow_mut().answer(&record, base) {
            Ok(false) if self.fail_fast => Err(Stop::Enough),
            Ok(_) => Ok(()),
            Err(error) => Err(Stop::Output(error)),
        }
    }
}
