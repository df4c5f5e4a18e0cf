//! absurl: take a base, take references, resolve each by RFC 1808 §4, write the answers.

#![forbid(unsafe_code)]

mod cli;
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
use anstyle::AnsiColor;

use cli::{Cli, Told, When};
#[cfg(feature = "spec")]
use cli::{Differences, Standard};
use input::{Input, Source};
use output::{Colors, Failure, Format, Output, Record, Settings, Task};
use resolver::Base;
#[cfg(feature = "spec")]
use spec::Spec;

fn main() -> ExitCode {
    let mut output = Output::default();
    let done = match Cli::from_command_line() {
        Ok(cli) => {
            output = Output::new(settings(&cli));
            // two loops, lest the plain one ask for each record what is to be done
            let done = if settings(&cli).task == Task::Resolve {
                run(&cli, &mut output, Output::answer)
            } else {
                run(&cli, &mut output, Output::judge)
            };
            done.and_then(|()| output.finish())
        }
        Err(Told::Text(text)) => output.text(&text),
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

/// Answers all records of the command line, with `each`.
///
/// # Errors
/// Standard output cannot be written, or an answer is too long for memory.
fn run(
    cli: &Cli,
    output: &mut Output,
    each: impl Fn(&mut Output, &Record<'_>, Result<&Base<'_>, Failure>) -> io::Result<bool>,
) -> io::Result<()> {
    let given = cli.base.as_deref().map_or(&b""[..], OsStr::as_bytes);
    let Ok(no_pair) = Base::new(given) else {
        output.wrong_base();
        return Ok(());
    };
    output.begin(given)?;
    let mut input = Input::new(sources(cli), settings(cli).terminator);
    loop {
        if input.would_wait() {
            output.flush()?;
        }
        let mut block = match input.next_block() {
            None => return output.flush(),
            Some(Err(unreadable)) => {
                output.unreadable(&unreadable);
                continue;
            }
            Some(Ok(block)) => block,
        };
        let mut base = Ok(no_pair);
        let mut base_text = given;
        while let Some((number, text)) = block.next_record() {
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
            let record = Record { source: block.source, number, text, base: base_text, reference };
            if !each(output, &record, base.as_ref().map_err(|failure| *failure))? && cli.fail_fast {
                return output.flush();
            }
        }
    }
}

/// Where the records of a command line come from, in their order.
fn sources(cli: &Cli) -> Vec<Source<'_>> {
    let references = (!cli.references.is_empty()).then_some(Source::Arguments(&cli.references));
    let files = cli.files.iter().map(|file| match file.as_os_str().as_bytes() {
        b"-" => Source::Stdin,
        _ => Source::File(file),
    });
    let sources: Vec<_> = references.into_iter().chain(files).collect();
    if sources.is_empty() { vec![Source::Stdin] } else { sources }
}

/// How a command line wants its answers.
fn settings(cli: &Cli) -> Settings {
    let colored = match cli.color {
        When::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        when => when == When::Always,
    };
    let colors = Colors { base: AnsiColor::Cyan.on_default(), reference: AnsiColor::Green.on_default() };
    let format = match (cli.json, cli.explain) {
        (true, steps) => Format::Json { steps },
        (false, true) => Format::Explain(if colored { colors } else { Colors::default() }),
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
