//! absurl: take a base, take references, resolve each by RFC 1808 §4, write the answers.

#![forbid(unsafe_code)]

mod base;
mod cli;
mod documents;
mod input;
mod output;
mod resolver;
#[cfg(feature = "spec")]
mod spec;

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anyhow::anyhow;

use cli::{Cli, Told, When};
#[cfg(feature = "spec")]
use cli::{Differences, Standard};
use input::Input;
use output::{Colors, Failure, Format, Origin, Output, Record, Settings, Shown, Task};
use resolver::Base;
use resolver::quick::Quick;
#[cfg(feature = "spec")]
use spec::Spec;

fn main() -> ExitCode {
    let mut output = Output::default();
    let done = match Cli::from_command_line(|argument| Shown(argument.as_bytes()).to_string()) {
        Ok(cli) => {
            let settings = settings(&cli);
            output = Output::new(settings);
            run(&cli, settings, &mut output)
        }
        Err(Told::Text(text)) => output.text(&text).map_err(anyhow::Error::from),
        Err(Told::Wrong(text)) => {
            output.wrong_usage(&text);
            Ok(())
        }
    };
    if let Err(error) = done {
        output.fatal(&error);
    }
    output.status().into()
}

/// Does what the command line asks for.
///
/// # Errors
/// The base is none, standard output cannot be written, or an answer is too long for memory.
fn run(cli: &Cli, settings: Settings, output: &mut Output) -> anyhow::Result<()> {
    let given = cli.base.as_deref().map_or(&b""[..], OsStr::as_bytes);
    let base = Base::new(given).map_err(|why| {
        let (_, what, remedy) = Failure::Unresolvable(why).describe(cli.pairs);
        anyhow!("--base: {what}; {remedy}")
    })?;
    if cli.links {
        documents::links(cli, given, output)
    } else if cli.print_base || !cli.documents.is_empty() {
        documents::with_base(cli, given, output, |base, origin, output| {
            answer(cli, settings, base, Some(origin), output)
        })
    } else {
        answer(cli, settings, base, None, output)
    }
}

/// Answers all records of the command line.
///
/// # Errors
/// Standard output cannot be written, or an answer is too long for memory.
fn answer(
    cli: &Cli,
    settings: Settings,
    no_pair: Base<'_>,
    origin: Option<Origin<'_>>,
    output: &mut Output,
) -> anyhow::Result<()> {
    output.begin(no_pair.text)?;
    let mut input = Input::new(&cli.references, &cli.files, settings.terminator);
    let mut quick = Quick::new(settings.terminator, settings.pairs, cli.keep_input);
    quick.set_base(&no_pair);
    loop {
        if input.would_wait() {
            output.flush()?;
        }
        let mut block = match input.next_block() {
            None => return Ok(output.finish()?),
            Some(Err(unreadable)) => {
                output.unreadable(&unreadable);
                continue;
            }
            Some(Ok(block)) => block,
        };
        let mut base = Ok(no_pair);
        let mut base_text = no_pair.text;
        loop {
            if matches!(settings.format, Format::Plain | Format::KeepInput) && settings.task == Task::Resolve {
                output.quick_answers(&mut block, &mut quick)?;
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

/// How a command line wants its answers.
fn settings(cli: &Cli) -> Settings {
    let colored = match cli.color {
        When::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        when => when == When::Always,
    };
    let format = match (cli.json, cli.explain) {
        (true, steps) => Format::Json { steps },
        (false, true) => Format::Explain(Colors::new(colored)),
        (false, false) if cli.keep_input => Format::KeepInput,
        (false, false) => Format::Plain,
    };
    let terminator = if cli.null { b'\0' } else { b'\n' };
    Settings { task: task(cli), format, terminator, pairs: cli.pairs, quiet: cli.quiet }
}

/// What a command line wants done.
fn task(cli: &Cli) -> Task {
    #[cfg(feature = "spec")]
    match (cli.compare, cli.spec) {
        (Some(which), _) => return Task::Compare { meaning: which == Differences::Meaning },
        (None, Standard::Rfc3986) => return Task::Spec(Spec::Rfc3986),
        (None, Standard::Whatwg) => return Task::Spec(Spec::Whatwg),
        (None, Standard::Rfc1808) => {}
    }
    if cli.check { Task::Check } else { Task::Resolve }
}
