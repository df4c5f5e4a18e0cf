//! The loop over the records of arguments, files and standard input.

use std::io;

use crate::cli::Cli;
use crate::input::{self, Block, Input, Source, TooLong};
use crate::output::Writer;
use crate::record::{BaseId, Bases, Failure, KnownBase, Record};
use crate::settings::terminator;
use crate::spec::Spec;
use crate::task::{Task, answer};

/// Has the task answer all records. `given` is the base of those that have none of their own.
pub fn run(cli: &Cli, given: &Bases<'_>, task: &mut dyn Task, out: &mut Writer) -> anyhow::Result<()> {
    if !cli.pairs {
        task.base(given, out)?;
    }
    let mut input = Input::new(input::sources(&cli.references, &cli.files), terminator(cli));
    let mut id = given.id;
    // an answer with LF in it would be two lines
    let is_split = |text: &[u8]| cli.answers_are_lines() && text.contains(&b'\n');
    while let Some(mut block) = next_block(&mut input, out)? {
        let mut own: Option<Bases<'_>> = None; // the base of the last pair
        loop {
            task.block(&mut block, out)?;
            let Some((number, text)) = block.next_record() else { break };
            let (base, text, reference) = match text {
                Err(TooLong) => (Err(Failure::TooLong), &b""[..], &b""[..]),
                Ok(text) if is_split(text) && matches!(block.source, Source::Arguments(_)) => {
                    (Err(Failure::Newline), &b""[..], &b""[..])
                }
                Ok(text) if !cli.pairs => (Ok(&b""[..]), text, text),
                Ok(text) => match input::pair(text) {
                    None => (Err(Failure::NoTab("write BASE TAB REFERENCE")), text, text),
                    Some((base, reference)) => (Ok(base), text, reference),
                },
            };
            let is_same = |own: &Bases<'_>| own.of(Spec::Rfc1808).parsed.is_ok_and(|known| base == Ok(known.text));
            if base.is_err() || cli.pairs && !own.as_ref().is_some_and(is_same) {
                id = BaseId(id.0 + 1);
                own = Some(Bases::same(id, base.map_or_else(KnownBase::failed, |base| KnownBase::new(base, None))));
            } else if !cli.pairs {
                own = None;
            }
            let record = Record { source: block.source, number, text, reference, link: None };
            if !answer(task, &record, own.as_ref().unwrap_or(given), out)? && cli.fail_fast {
                return Ok(task.finish(out)?);
            }
        }
    }
    Ok(task.finish(out)?)
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
    if let Some(encoding) = block.utf16() {
        out.note_utf16(block.source, encoding);
    }
    if block.is_page() {
        let source = block.source;
        out.note(format_args!("{source}: looks like a document, not a list; for its links, use --links"));
    }
    Ok(Some(block))
}
