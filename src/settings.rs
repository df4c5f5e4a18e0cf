//! Turns the flags into a task with its format.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use anyhow::bail;

use crate::cli::{Cli, Differences, Grammar, When, slips};
use crate::input::Input;
use crate::output::{Writer, explain::Colors, location::Quoted};
use crate::record::KnownBase;
use crate::source::Source;
use crate::spec::Spec;
use crate::task::{
    Task,
    check::Check,
    compare::Compare,
    format::{Format, LineFormat, RecordFormat},
    resolve::Resolve,
    spec,
};

/// The task that the flags select, with its format.
pub fn task(cli: &Cli) -> Box<dyn Task> {
    let (format, records) = (format(cli), RecordFormat { terminator: terminator(cli), pairs: cli.pairs });
    if let Some(which) = cli.check() {
        return Box::new(Check::new(which == Grammar::Scheme, format, records));
    }
    if let Some(which) = cli.compare() {
        return Box::new(Compare::new(which == Differences::Meaning, format, records));
    }
    match cli.spec {
        Some(spec @ (Spec::Rfc3986 | Spec::Whatwg)) if !cli.explain => {
            Box::new(spec::Resolve::new(spec, format, records))
        }
        _ => Box::new(Resolve::new(format, records)),
    }
}

/// How answers are written.
pub fn format(cli: &Cli) -> Format {
    match (cli.json, cli.explain) {
        (true, steps) => Format::Json { steps },
        (false, true) => Format::Explain(colors(cli)),
        (false, false) => Format::Lines(LineFormat { terminator: terminator(cli), keep_input: cli.keep_input }),
    }
}

/// All sources that the command line names, or standard input.
pub fn sources(cli: &Cli) -> Vec<Source<'_>> {
    let mut sources: Vec<_> = cli.document.as_deref().into_iter().chain(cli.documents()).map(Source::of).collect();
    if !cli.reads_documents() || cli.pairs {
        sources.extend(record_sources(cli));
    } else if sources.is_empty() {
        sources.push(Source::Stdin);
    }
    sources
}

/// The arguments, then the files; standard input if there are neither.
fn record_sources(cli: &Cli) -> Vec<Source<'_>> {
    let arguments = (!cli.references.is_empty()).then_some(Source::Arguments(&cli.references));
    let mut sources: Vec<_> = arguments.into_iter().chain(cli.files.iter().map(|file| Source::of(file))).collect();
    if sources.is_empty() {
        sources.push(Source::Stdin);
    }
    sources
}

/// All records of the command line and of what it names.
pub fn records(cli: &Cli) -> Input<'_> {
    Input::new(record_sources(cli), terminator(cli))
}

/// The base URL of the command line, which the standard must be able to use.
pub fn base<'a>(cli: &'a Cli, spec: Spec, out: &mut Writer) -> anyhow::Result<KnownBase<'a>> {
    let text = cli.base.as_deref().unwrap_or_default();
    let base = KnownBase::new(text.as_encoded_bytes(), None);
    if base.parsed.is_err() {
        bail!(slips::without_scheme(text));
    }
    // --check reports these bytes itself
    if let (None, Some(note)) = (cli.check, slips::base(text)) {
        out.note(note);
    }
    if let Some(why) = spec::refusal(spec, base.text) {
        bail!("--base: {}: {why}", Quoted(base.text));
    }
    Ok(base)
}

/// What somebody may not know that absurl waits for: input from a terminal.
pub fn awaited(cli: &Cli, sources: &[Source<'_>]) -> Option<String> {
    let is_stdin = |source: &Source<'_>| matches!(source, Source::Stdin);
    if !sources.iter().any(is_stdin) || !io::stdin().is_terminal() {
        return None;
    }
    let what = match (cli.pairs, cli.links) {
        (true, true) => "BASE TAB DOCUMENT",
        (true, false) => "BASE TAB REFERENCE",
        _ if cli.reads_documents() || cli.document.as_deref().map(Source::of).as_ref().is_some_and(is_stdin) => {
            return Some("a document from the terminal".into());
        }
        _ => "references",
    };
    Some(format!("{what} from the terminal, {}", if cli.null { "each ends in NUL" } else { "one per line" }))
}

/// What ends a record: LF or NUL.
fn terminator(cli: &Cli) -> u8 {
    if cli.null { b'\0' } else { b'\n' }
}

/// The colors of explanations.
fn colors(cli: &Cli) -> Colors {
    Colors::new(match cli.color {
        None | Some(When::Auto) => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        Some(when) => when == When::Always,
    })
}
