//! absurl: take a base, take references, resolve each by RFC 1808 §4, write the answers.

#![forbid(unsafe_code)]

mod base;
mod cli;
mod documents;
mod input;
mod memory;
mod output;
mod records;
mod resolver;
mod settings;
#[cfg(feature = "spec")]
mod spec;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

use anyhow::anyhow;
use nix::sys::signal::{SigSet, Signal};

use cli::{Cli, Told};
use output::{Failure, Output, Settings, Shown};
use resolver::Base;
use settings::settings;

fn main() -> ExitCode {
    // a file that may not grow is an error like a full disk, and no end without a word
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
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
    output.end().into()
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
    if cli.progress {
        output.show_progress(records::size(cli));
    }
    if cli.links {
        documents::links(cli, given, output)
    } else if cli.print_base || !cli.documents.is_empty() {
        documents::with_base(cli, given, output, |base, origin, output| {
            records::answer(cli, settings, base, Some(origin), output)
        })
    } else {
        records::answer(cli, settings, base, None, output)
    }
}
