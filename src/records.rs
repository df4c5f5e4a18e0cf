//! The loop over the records of arguments, files and standard input.

use std::io;

use crate::cli::Cli;
use crate::input::{Block, Input};
use crate::output::Writer;
use crate::record::{Bases, Failure, KnownBase, Record};
use crate::settings::records;
use crate::source::Source;
use crate::spec::Spec;
use crate::task::{Task, answer};

/// Has the task answer all records. `given` is the base of those that have none of their own.
pub fn run(cli: &Cli, given: &Bases<'_>, task: &mut dyn Task, out: &mut Writer) -> io::Result<()> {
    if !cli.pairs {
        task.base(given, out)?;
    }
    let mut input = records(cli);
    let mut id = given.id;
    while let Some(mut block) = next_block(&mut input, out)? {
        // an answer with LF in it would be two lines
        let is_line = cli.answers_are_lines() && matches!(block.source, Source::Arguments(_));
        let mut own: Option<Bases<'_>> = None; // the base of the last pair
        loop {
            task.block(&mut block, out)?;
            let Some((number, text)) = block.next_record() else { break };
            let (base, text, reference) = match text {
                Err(failure) => (Err(failure), &b""[..], &b""[..]),
                Ok(text) if is_line && text.contains(&b'\n') => (Err(Failure::Newline), &b""[..], &b""[..]),
                Ok(text) if !cli.pairs => (Ok(&b""[..]), text, text),
                Ok(text) => match block.pair(text, "REFERENCE") {
                    Err(failure) => (Err(failure), text, text),
                    Ok((base, reference)) => (Ok(base), text, reference),
                },
            };
            let bases = if cli.pairs || base.is_err() {
                own.take_if(|own| !own.of(Spec::Rfc1808).parsed.is_ok_and(|known| base == Ok(known.text)));
                own.get_or_insert_with(|| {
                    id.0 += 1;
                    Bases::same(id, base.map_or_else(KnownBase::failed, |base| KnownBase::new(base, None)))
                })
            } else {
                given
            };
            let record = Record { source: block.source, number, text, reference, link: None };
            if !answer(task, &record, bases, out)? && cli.fail_fast {
                return task.finish(out);
            }
        }
    }
    task.finish(out)
}

/// Writes what is pending and reads the next block; `None` at the end. Sources that cannot be read are
/// reported.
pub fn next_block<'i>(input: &'i mut Input<'_>, out: &mut Writer) -> io::Result<Option<Block<'i>>> {
    loop {
        out.flush()?;
        out.advance(input.take_read());
        match input.advance() {
            Ok(true) => break,
            Ok(false) => return Ok(None),
            Err(unreadable) => out.error(unreadable),
        }
    }
    let block = input.block();
    out.note_utf16(block.source, block.utf16());
    if block.is_page() {
        let source = block.source;
        out.note(format_args!("{source}: looks like a document, not a list; for its links, use --links"));
    }
    Ok(Some(block))
}
