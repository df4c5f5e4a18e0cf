//! The records of arguments, files and standard input, each answered in its turn.

use crate::cli::Cli;
use crate::input::{self, Input, Source};
use crate::output::{Failure, Format, Origin, Output, Record, Settings, Task};
use crate::resolver::Base;
use crate::resolver::quick::Quick;

/// How many bytes there are to read, documents included, if that is known.
pub fn size(cli: &Cli) -> Option<u64> {
    if cli.links && cli.pairs {
        return None; // the records name documents
    }
    let documents = cli.documents.iter().map(|path| Source::of(path));
    let references = if cli.print_base || cli.links { Vec::new() } else { input::sources(&cli.references, &cli.files) };
    let sizes = documents.chain(references).map(Source::size);
    sizes.sum::<Option<u64>>().filter(|size| *size > 0)
}

/// Answers all records of the command line.
///
/// # Errors
/// Standard output cannot be written, or an answer is too long for memory.
pub fn answer(
    cli: &Cli,
    settings: Settings,
    no_pair: Base<'_>,
    origin: Option<Origin<'_>>,
    output: &mut Output,
) -> anyhow::Result<()> {
    output.begin(no_pair.text, origin)?;
    let mut input = Input::new(&cli.references, &cli.files, settings.terminator);
    let plain = matches!(settings.format, Format::Plain | Format::KeepInput) && settings.task == Task::Resolve;
    let mut quick = plain.then(|| {
        let mut quick = Quick::new(settings.terminator, settings.pairs, settings.format == Format::KeepInput);
        quick.set_base(&no_pair);
        quick
    });
    loop {
        output.advance(input.take_read());
        if input.would_wait() {
            output.flush()?;
        }
        let mut block = match input.next_block() {
            None => return Ok(output.finish()?),
            Some(Err(unreadable)) => {
                if !output.unreadable(&unreadable)? && cli.fail_fast {
                    return Ok(output.finish()?);
                }
                continue;
            }
            Some(Ok(block)) => block,
        };
        let mut base = Ok(no_pair);
        let mut base_text = no_pair.text;
        loop {
            if let Some(quick) = &mut quick {
                output.quick_answers(&mut block, quick)?;
            }
            let Some((number, text)) = block.next_record() else { break };
            let mut reference = text;
            if cli.pairs {
                match input::pair(text) {
                    None => (base, base_text) = (Err(Failure::NoTab), b""),
                    Some((next, rest)) => {
                        reference = rest;
                        if next != base_text || base.is_err() {
                            (base, base_text) = (Base::new(next).map_err(Failure::Unresolvable), next);
                        }
                    }
                }
            }
            let record = Record { source: block.source, number, text, base: base_text, reference, origin, link: None };
            if !output.answer(&record, base.as_ref().map_err(|failure| *failure))? && cli.fail_fast {
                return Ok(output.finish()?);
            }
        }
    }
}
