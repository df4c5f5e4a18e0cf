//! Turns the flags into a task with its format.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};

use crate::cli::{Cli, Differences, Grammar, When};
use crate::input::{self, Source};
use crate::output::explain::Colors;
use crate::spec::Spec;
use crate::task::{
    Lines, Task,
    check::Check,
    compare::Compare,
    resolve::{Format, Resolve},
    spec,
};

/// The task that the flags select, with its format.
pub fn task(cli: &Cli) -> Box<dyn Task> {
    let lines = Lines { terminator: terminator(cli), pairs: cli.pairs, keep_input: cli.keep_input };
    if let Some(which) = cli.check() {
        return Box::new(Check::new(which == Grammar::Scheme, cli.json, lines));
    }
    if let Some(which) = cli.compare() {
        return Box::new(Compare::new(which == Differences::Meaning, cli.json, lines));
    }
    let format = match (cli.json, cli.explain) {
        (true, steps) => Format::Json { steps },
        (false, true) => Format::Explain(Colors::new(is_colored(cli))),
        (false, false) => Format::Plain(lines),
    };
    match cli.spec {
        Some(spec @ (Spec::Rfc3986 | Spec::Whatwg)) if !cli.explain => {
            Box::new(spec::Resolve::new(spec, cli.json, lines))
        }
        _ => Box::new(Resolve::new(format, cli.pairs)),
    }
}

/// All sources that the command line names, or standard input.
pub fn sources(cli: &Cli) -> Vec<Source<'_>> {
    let mut sources: Vec<_> = cli.document.as_deref().into_iter().chain(cli.documents()).map(Source::of).collect();
    if !cli.links && !cli.print_base || cli.pairs {
        sources.extend(input::sources(&cli.references, &cli.files));
    } else if sources.is_empty() {
        sources.push(Source::Stdin);
    }
    sources
}

/// What somebody may not know that absurl waits for, because they passed nothing: input from a terminal.
pub fn awaited(cli: &Cli) -> Option<&'static str> {
    let is_given = !cli.references.is_empty() || !cli.files.is_empty() || cli.print_base && cli.document.is_some();
    match (cli.pairs, cli.links || cli.print_base) {
        _ if is_given || !io::stdin().is_terminal() => None,
        (false, false) if cli.null => Some("references from the terminal, each ends in NUL"),
        (true, false) if cli.null => Some("BASE TAB REFERENCE from the terminal, each pair ends in NUL"),
        (true, true) if cli.null => Some("BASE TAB DOCUMENT from the terminal, each pair ends in NUL"),
        (false, false) => Some("references from the terminal, one per line"),
        (true, false) => Some("BASE TAB REFERENCE from the terminal, one pair per line"),
        (true, true) => Some("BASE TAB DOCUMENT from the terminal, one pair per line"),
        (false, true) => Some("a document from the terminal"),
    }
}

/// What ends a record: LF or NUL.
pub fn terminator(cli: &Cli) -> u8 {
    if cli.null { b'\0' } else { b'\n' }
}

/// Whether explanations are colored.
pub fn is_colored(cli: &Cli) -> bool {
    match cli.color {
        None | Some(When::Auto) => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        Some(when) => when == When::Always,
    }
}
