//! From the flags to what the output has to do.

use std::io;

use anstream::{AutoStream, ColorChoice};

use crate::cli::{Cli, When};
#[cfg(feature = "spec")]
use crate::cli::{Differences, Standard};
use crate::output::{Colors, Format, Settings, Task};
#[cfg(feature = "spec")]
use crate::spec::Spec;

/// How a command line wants its answers.
pub fn settings(cli: &Cli) -> Settings {
    let colored = || match cli.color {
        None | Some(When::Auto) => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        Some(when) => when == When::Always,
    };
    let format = match (cli.json, cli.explain) {
        (true, steps) => Format::Json { steps },
        (false, true) => Format::Explain(Colors::new(colored())),
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
        (None, Some(Standard::Rfc3986)) => return Task::Spec(Spec::Rfc3986),
        (None, Some(Standard::Whatwg)) => return Task::Spec(Spec::Whatwg),
        (None, None | Some(Standard::Rfc1808)) => {}
    }
    if cli.check { Task::Check } else { Task::Resolve }
}
