//! The loop over the records of arguments, files and standard input.

use std::io;

use crate::escaped::Escaped;
use crate::input::{Block, Input, bytes_read};
use crate::output::{Writer, location::Location};
use crate::record::{Bases, Failure, Record, StandardBase};
use crate::source::Source;
use crate::spec::Spec;
use crate::task::{Task, answer};

/// Lists of records, one after the other, and how they are read.
pub struct List<'a> {
    /// Where the records come from.
    pub sources: Vec<Source<'a>>,
    /// What ends a record: LF or NUL.
    pub terminator: u8,
    /// Whether each record is BASE TAB REFERENCE.
    pub pairs: bool,
    /// Whether each answer is a line, so that a record with LF in it would have two.
    pub answers_are_lines: bool,
}

/// Has the task answer all records. `base` is the base of the records without one of their own.
///
/// The task sees a block before each of its records. It may answer many of them at once there, and leaves those that
/// need more: one of them is read here, and the task sees the rest of the block. A task without a fast way leaves all.
///
/// Of pairs, each record has a base. Lists are often sorted by it, so the last one is kept for as long as the next
/// record has the same text before its TAB. Another text gets another [`BaseId`](crate::record::BaseId), by which the
/// task knows that what it has prepared for the base is stale. A base is kept no longer than its block, whose bytes it
/// borrows. A record without a TAB has a base that is an error, and no other record can have the same.
pub fn run(list: &List<'_>, base: &Bases<'_>, task: &mut dyn Task, out: &mut Writer) -> io::Result<()> {
    if !list.pairs {
        task.base(base, out);
    }
    let mut input = Input::new(list.sources.clone(), list.terminator);
    let mut id = base.id;
    let is_decoded = task.standards().iter().any(|spec| *spec != Spec::Rfc1808);
    // RFC 3986 has no answer to it
    let becomes = if task.standards().contains(&Spec::Whatwg) { " and becomes U+FFFD" } else { "" };
    let mut is_looked_at = false; // until a record of the source has such bytes
    while let Some(mut block) = next_block(&mut input, out)? {
        // only an argument can have LF where LF ends a record
        let is_line = list.answers_are_lines && matches!(block.source, Source::Arguments(_));
        let mut own: Option<Bases<'_>> = None; // the base of the last pair
        is_looked_at |= is_decoded && block.is_first();
        if let Some(index) = (!list.pairs && block.is_first()).then(|| block.find_pair()).flatten() {
            let location = Location::Record(block.source, index as u64 + 1);
            let what = "a TAB after a URL; for BASE TAB REFERENCE use --pairs";
            out.note_of(block.source, "pair", format_args!("{location}: {what}"));
        }
        loop {
            task.block(&mut block, base, out)?;
            let Some((number, text)) = block.next_record() else { break };
            if is_looked_at && !text.is_ok_and(<[u8]>::is_ascii) {
                is_looked_at = !note_undecodable(block.source, number, text.unwrap_or_default(), becomes, out);
            }
            let (url, text, reference) = match text {
                Err(failure) => (Err(failure), &b""[..], &b""[..]),
                Ok(text) if is_line && text.contains(&b'\n') => (Err(Failure::Newline), &b""[..], &b""[..]),
                Ok(text) if !list.pairs => (Ok(&b""[..]), text, text),
                Ok(text) => match block.pair(text, "REFERENCE") {
                    Err(failure) => (Err(failure), text, text),
                    Ok((url, reference)) => (Ok(url), text, reference),
                },
            };
            let bases = if list.pairs || url.is_err() {
                own.take_if(|own| !own.of(Spec::Rfc1808).parsed.is_ok_and(|base| url == Ok(base.text)));
                own.get_or_insert_with(|| {
                    id.0 += 1;
                    let base = url.map_or_else(StandardBase::failed, |url| StandardBase::new(url, None));
                    Bases::same(id, StandardBase { in_record: list.pairs, ..base })
                })
            } else {
                base
            };
            let record = Record { source: block.source, number, text, reference, link: None };
            if !answer(task, &record, bases, out)? && out.fail_fast {
                return task.finish(out);
            }
        }
    }
    task.finish(out)
}

/// Notes that a record has bytes that are not UTF-8, where they are decoded. Returns whether it has.
fn note_undecodable(source: Source<'_>, number: u64, text: &[u8], becomes: &str, out: &mut Writer) -> bool {
    let Some(bytes) = Escaped::not_utf_8(text) else { return false };
    let fix = match source {
        Source::Arguments(_) => "write it in UTF-8",
        Source::Stdin | Source::File(_) => "convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE",
    };
    let location = Location::Record(source, number);
    out.note_of(source, "not-utf-8", format_args!("{location}: {bytes} is not UTF-8{becomes}; {fix}"));
    true
}

/// Writes what is pending and reads the next block; `None` at the end. Sources that cannot be read are
/// reported.
pub fn next_block<'i>(input: &'i mut Input<'_>, out: &mut Writer) -> io::Result<Option<Block<'i>>> {
    loop {
        out.flush()?;
        out.advance(bytes_read());
        match input.advance() {
            Ok(true) => break,
            Ok(false) => return Ok(None),
            Err(unreadable) => out.error(unreadable),
        }
    }
    Ok(Some(input.block()))
}
