//! The command line of the process: its flags, or why the program ends without a task.

use std::{env, io};

use anstream::{AutoStream, ColorChoice};
use clap::{CommandFactory, FromArgMatches};

use super::{Cli, man, usage};

/// Why the program ends without a task.
pub enum Exit {
    /// The text that was asked for.
    Print(Vec<u8>),
    /// Wrong usage, in one line without the program's name.
    Usage(String),
}

/// Parses the process's command line.
pub fn command_line() -> Result<Cli, Exit> {
    let mut command = Cli::command();
    if let Some(what) = usage::single_hyphen(&command) {
        return Err(Exit::Usage(what));
    }
    let parsed = command.try_get_matches_from_mut(env::args_os());
    // a name that is read as options is the cause of what is then wrong with them
    let refuse = |what: String| Exit::Usage(usage::hyphen_name().unwrap_or(what));
    let exit = |error: clap::Error| refuse(usage::describe(&error, &command));
    let mut cli = parsed.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches)).map_err(exit)?;
    if cli.help {
        return Err(Exit::Print(help()));
    } else if cli.version {
        return Err(Exit::Print(command.render_version().into_bytes()));
    }
    // "--" is no value of an option
    cli.after_hyphens = env::args_os().skip_while(|argument| argument != "--").skip(1).count();
    #[cfg(windows)]
    cli.expand_documents();
    match (usage::contradiction(&cli).or_else(usage::document_as_option), cli.generate) {
        (Some(what), _) => Err(refuse(what)),
        (None, Some(kind)) => Err(Exit::Print(man::generate(kind))),
        (None, None) => Ok(cli),
    }
}

/// The help for standard output, with colors if it has them.
fn help() -> Vec<u8> {
    // at each start its last paragraphs would take as long as the parsing
    let mut command = Cli::command().after_help(man::after_help()).after_long_help(man::after_long_help());
    let is_long = env::args_os().any(|argument| argument == "--help");
    let text = if is_long { command.render_long_help() } else { command.render_help() };
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => text.to_string(),
        _ => text.ansi().to_string(),
    }
    .into_bytes()
}
