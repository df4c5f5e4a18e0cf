//! absurl: takes a base, takes references, does one task with each of them by RFC 1808, writes the answers.

#![forbid(unsafe_code)]

#[macro_use]
mod named;

mod cli;
mod compare;
mod document;
mod documents;
mod escaped;
mod fast;
mod input;
mod limits;
mod moves;
mod output;
mod record;
mod records;
mod refuse;
mod resolver;
mod rfc1738;
mod settings;
mod site;
mod source;
mod spec;
mod strip;
#[cfg(test)]
#[path = "../tests/it/table.rs"]
#[allow(dead_code, clippy::expect_used, clippy::panic, reason = "it has more, and a test fails by a panic")]
mod table;
mod task;

use std::process::ExitCode;

use anyhow::bail;
use cli::Cli;
use cli::parse::{self, Exit};
use input::OutputFile;
use output::Writer;
use settings::Mode;

fn main() -> ExitCode {
    let mut out = Writer::default();
    let mut done = match parse::command_line() {
        Ok(cli) => {
            out = Writer::new(cli.quiet, cli.fail_fast, if cli.reads_documents() { "link" } else { "reference" });
            run(&cli, &mut out)
        }
        Err(Exit::Print(text)) => {
            out.answers.add([&text]);
            Ok(())
        }
        Err(Exit::Usage(text)) => Err(anyhow::Error::msg(text)),
    };
    done = done.and(out.flush().map_err(anyhow::Error::from));
    if let Err(error) = done {
        out.fatal(&error);
    }
    out.finish().into()
}

/// Does what the command line asks for.
fn run(cli: &Cli, out: &mut Writer) -> anyhow::Result<()> {
    let (mode, sources) = (settings::mode(cli, out)?, settings::all_sources(cli));
    let output = OutputFile::new()?;
    if let Some(source) = sources.iter().find(|source| output.is(**source)) {
        bail!("{source}: input and output are the same file");
    }
    if cli.progress {
        out.show_progress(settings::total_size(cli, &sources), mode.failed());
    }
    if let Some(note) = cli::slips::argument_note(cli) {
        out.note(note);
    }
    if let Some(what) = settings::terminal_input(cli, &sources) {
        out.note(format_args!("reading {what}; Ctrl-D ends (absurl -h: help)"));
        out.flush()?;
    }
    Ok(match mode {
        Mode::Records { list, bases, mut task } => records::run(&list, &bases, &mut *task, out),
        Mode::RecordsOf { list, document, reading, mut task } => {
            documents::find_base(document, &reading, &mut *task, out)
                .map_or(Ok(()), |base| records::run(&list, &base.bases(), &mut *task, out))
        }
        Mode::Links { documents, mut task } => documents::links(&documents, &mut *task, out),
        Mode::Rewrite(documents) => documents::rewrite(&documents, out),
        Mode::RewriteInPlace { documents, preview } => documents::rewrite_in_place(&documents, preview, out),
        Mode::PrintBase { documents, format } => documents::print_bases(&documents, format, out),
    }?)
}
