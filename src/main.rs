//! absurl: takes a base, takes references, resolves each by RFC 1808 §4, writes the answers.

#![forbid(unsafe_code)]

mod cli;
mod compare;
mod document;
mod documents;
mod fast;
mod input;
mod limits;
mod output;
mod record;
mod records;
mod resolver;
mod settings;
mod spec;
mod task;

use std::process::ExitCode;

use anyhow::bail;

use cli::{Cli, Exit};
use input::{OutputFile, Source};
use output::{Writer, location::Quoted};
use record::{BaseId, Bases, KnownBase};
use spec::{PreparedBase, Spec};

fn main() -> ExitCode {
    let mut out = Writer::default();
    let mut done = match Cli::from_command_line() {
        Ok(cli) => {
            out = Writer::new(cli.quiet);
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
    let text = cli.base.as_deref().unwrap_or_default();
    let given = KnownBase::new(text.as_encoded_bytes(), None);
    if given.parsed.is_err() {
        bail!(cli::base::without_scheme(text));
    }
    // --check reports these bytes itself
    if let (None, Some(note)) = (cli.check, cli::base::note(text)) {
        out.note(note);
    }
    let (mut task, url) = (settings::task(cli), text.as_encoded_bytes());
    let spec = task.standards()[0];
    if spec != Spec::Rfc1808
        && let Some(why) = task::spec::refusal(&PreparedBase::new(spec, url))
    {
        bail!("--base: {}: {why}", Quoted(url));
    }
    let sources = settings::sources(cli);
    let output = OutputFile::new();
    if let Some(source) = sources.iter().find(|source| output.is(**source)) {
        out.error(format_args!("{source}: the input file is the output file; write to another file"));
        return Ok(());
    }
    if cli.progress {
        let sizes: Option<u64> = sources.iter().map(|source| source.size()).sum();
        out.show_progress(sizes.filter(|size| *size > 0 && !(cli.links && cli.pairs)), task.failed());
    }
    if let Some(what) = settings::awaited(cli) {
        out.note(format_args!("reading {what}; Ctrl-D ends (absurl -h: help)"));
        out.flush()?;
    }
    match &cli.document {
        _ if cli.links => Ok(documents::links(cli, url, &mut *task, out)?),
        _ if cli.print_base => Ok(documents::print_bases(cli, url, task.standards(), out)?),
        None => records::run(cli, &Bases::same(BaseId::default(), given), &mut *task, out),
        Some(path) => match documents::find_base(Source::of(path), cli, url, task.standards(), out) {
            Some(base) => records::run(cli, &base.bases(), &mut *task, out),
            None => Ok(()),
        },
    }
}
