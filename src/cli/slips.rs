//! Slips: values that can be used, but surely mean something else.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use super::Cli;
use super::advice::{Advice, is_pattern};
use super::usage::is_long_option;
use crate::document::types::{Type, ending_of};
use crate::output::location::{Quoted, Shortened};
use crate::resolver::parse;
use crate::source::Source;

/// Returns a note about a base URL that can be used, but surely is not what was meant.
pub fn base_slip(base: &OsStr) -> Option<String> {
    let bytes = base.as_encoded_bytes();
    let shown = Shortened(bytes).to_string();
    let scheme = parse(bytes).scheme?;
    let rest = &bytes[scheme.len() + 1..];
    let what = match (scheme, rest) {
        _ if bytes.iter().any(u8::is_ascii_control) => "contains a control character".into(),
        _ if bytes.contains(&b' ') => "contains a space".into(),
        _ if matches!(bytes, [.., b'"' | b'>']) => "ends with a quote or a bracket".into(),
        (_, [b'/', b'/', ..]) if !is_web(scheme) => return None,
        ([b'A'..=b'Z' | b'c'], [b'/', ..]) | ([_], [b'\\', ..]) => {
            format!("has the scheme {}; did you mean file:///{}?", Shortened(scheme), shown.replace('\\', "/"))
        }
        _ if scheme.eq_ignore_ascii_case(b"url") && parse(rest).scheme.is_some() => {
            format!("begins with {}:; did you mean {}?", Shortened(scheme), Shortened(rest))
        }
        _ if is_web(scheme) => misplaced_host(scheme, rest)?,
        _ if is_host(scheme) && is_port(rest) => {
            format!("has the scheme {}; did you mean http://{shown}?", Shortened(scheme))
        }
        _ => return None,
    };
    Some(format!("--base: {} {what}", Quoted(bytes)))
}

/// Returns what is wrong before the host of a URL, which has a scheme and a rest.
fn misplaced_host(scheme: &[u8], rest: &[u8]) -> Option<String> {
    let slashes = rest.iter().take_while(|byte| b"/\\".contains(byte)).count();
    let scheme = Shortened(scheme);
    match rest.split_at(slashes) {
        (_, [] | [b'?' | b'#', ..]) => Some(format!("has no host; write {scheme}://HOST/")),
        (b"//", _) => None,
        (_, from_host) => {
            let from_host = Shortened(from_host).to_string().replace('\\', "/");
            Some(format!("does not name a host after \"//\"; did you mean {scheme}://{from_host}?"))
        }
    }
}

/// Returns notes about arguments that can be resolved, but surely are not what was meant.
pub fn argument_notes(cli: &Cli) -> Vec<String> {
    let noun = if cli.pairs { "record" } else { "reference" };
    let is_one = cli.pairs || !cli.reads_documents();
    let dash = cli.references.iter().position(|text| is_one && text == "-").map(|index| {
        format!("argument {}: - is read as a {noun}; standard input is read without arguments", index + 1)
    });
    let ends_in_cr = |text: &OsString| is_one && !cli.null && text.as_encoded_bytes().ends_with(b"\r");
    let cr = cli.references.iter().position(ends_in_cr).map(|index| {
        let fix = "remove it (in bash: ${name%$'\\r'}), or pass the list on standard input";
        format!("argument {}: the {noun} ends in CR; {fix}", index + 1)
    });
    checked_name(cli).into_iter().chain(dash).chain(cr).chain(typeset_option(cli)).chain(attached_name(cli)).collect()
}

/// Returns a note about an option whose hyphen a word processor or a web page has made a dash.
fn typeset_option(cli: &Cli) -> Option<String> {
    const DASHES: &[char] = &['\u{2013}', '\u{2014}', '\u{2212}'];
    let mut texts = cli.references.iter().enumerate().filter_map(|(index, text)| Some((index, text.to_str()?)));
    let (index, text) = texts.find(|(_, text)| text.starts_with(DASHES))?;
    let letters = text.trim_start_matches(DASHES).trim_start_matches('-');
    let command = Cli::command();
    let hyphens = if is_long_option(&command, letters) {
        "--"
    } else if command.get_arguments().any(|flag| flag.get_short().is_some_and(|short| letters.starts_with(short))) {
        "-"
    } else {
        return None;
    };
    let (index, text) = (index + 1, Shortened(text.as_bytes()));
    Some(format!("argument {index}: {text} begins with a dash, not with a hyphen; did you mean {hyphens}{letters}?"))
}

/// Refuses `--check` and `--compare` of nothing but names of documents, without `--links`: no fault would be found.
pub fn names_of_documents(cli: &Cli) -> Option<String> {
    if cli.reads_documents() || cli.pairs || cli.check.is_none() && cli.compare.is_none() {
        return None;
    }
    let has_base = cli.base.is_some() || cli.document.is_some();
    let directory = cli.references.iter().position(is_directory);
    let kind = |name: &OsString| {
        let (path, bytes) = (Path::new(name), name.as_encoded_bytes());
        let is_document = Type::of_name(bytes).is_some();
        if is_directory(name) {
            Some("a directory")
        } else if is_document && (!has_base || directory.is_some()) && path.is_file() {
            Some("a file")
        } else if is_document && is_pattern(name) && !bytes.iter().any(|byte| b":?".contains(byte)) {
            Some("a pattern of file names")
        } else {
            None
        }
    };
    let kinds: Vec<_> = cli.references.iter().map_while(kind).collect();
    // --base is the URL of one directory
    let first = directory.filter(|_| cli.base.is_some()).unwrap_or_default();
    let what = kinds.get(first).filter(|_| kinds.len() == cli.references.len())?;
    let command = links_command(cli, &cli.references).filter(|_| cli.files.is_empty());
    let command = match command {
        _ if cli.base.is_some() && directory.is_some() && kinds.len() > 1 => {
            "--links takes it alone, because --base is its URL".into()
        }
        command => command.unwrap_or_else(|| "--links checks its links".into()),
    };
    let (number, name) = (first + 1, Source::of(Path::new(cli.references.get(first)?)));
    Some(format!(
        "argument {number}: {name} is {what}: {command}; to check these names as references, pass them on standard input"
    ))
}

/// Returns a note about the name of a file or a directory that is checked or compared as a reference.
fn checked_name(cli: &Cli) -> Option<String> {
    if cli.check.is_none() && cli.compare.is_none() || cli.links || cli.pairs {
        return None;
    }
    let is_name = |(_, name): &(usize, &OsString)| is_directory(name) || Path::new(name).is_file();
    let (index, name) = cli.references.iter().enumerate().find(is_name)?;
    let what = if is_directory(name) { "directory" } else { "file" };
    let (participle, verb) = if cli.check.is_some() { ("checking", "check") } else { ("comparing", "compare") };
    let (content, command, flag) = if matches!(&*ending_of(name.as_encoded_bytes()), "txt" | "lst") {
        ("lines", Advice::typed(cli).references(&[]).with("file", &[name]).command(), "--file")
    } else {
        ("links", links_command(cli, std::slice::from_ref(name)), "--links")
    };
    let command = command.unwrap_or_else(|| format!("use {flag}"));
    Some(format!("argument {}: {participle} the {what}'s name; to {verb} its {content}: {command}", index + 1))
}

/// Whether an argument is the name of a directory, and not a reference such as `..`.
fn is_directory(name: &OsString) -> bool {
    let is_reference = name == "-" || name.as_encoded_bytes().iter().all(|byte| b"./".contains(byte));
    !is_reference && Path::new(name).is_dir()
}

/// The command that checks or compares the links of documents as this one would the references.
fn links_command(cli: &Cli, names: &[OsString]) -> Option<String> {
    Advice::typed(cli).without(&["document", "part", "file"]).with("links", &[]).documents(names).command()
}

/// Returns a note about a file that does not exist where a reference begins with a hyphen: `-foo` is `--file oo`.
fn attached_name(cli: &Cli) -> Option<String> {
    let files = cli.files.iter().map(|file| ("file", file));
    let is_missing = |name: &PathBuf| name.try_exists().is_ok_and(|exists| !exists);
    let (flag, name) = files
        .chain(cli.document.iter().map(|document| ("document", document)))
        .find(|(_, name)| name.as_os_str() != "-" && is_missing(name))?;
    // the letter of the flag is before it, perhaps after others
    let attached = [&flag.as_bytes()[..1], name.as_os_str().as_encoded_bytes()].concat();
    let is_it = |argument: &OsString| {
        let bytes = argument.as_encoded_bytes();
        bytes.starts_with(b"-") && !bytes.starts_with(b"--") && bytes.ends_with(&attached)
    };
    let typed = env::args_os().skip(1).find(is_it)?;
    let references: Vec<_> = cli.references.iter().cloned().chain([typed.clone()]).collect();
    let is_alone = cli.files.len() < 2 && typed.len() == attached.len() + 1 && !cli.reads_documents();
    let command = Advice::typed(cli).without(&[flag]).references(&references).command().filter(|_| is_alone);
    let fix = command.unwrap_or_else(|| "write -- before it".into());
    let (name, typed) = (Shortened(name.as_os_str().as_encoded_bytes()), Shortened(typed.as_encoded_bytes()));
    Some(format!("{typed} is read as --{flag} {name}; if it is a reference: {fix}"))
}

/// Returns the message about a base URL without a scheme. `reads_documents`: arguments are documents.
pub fn missing_scheme_message(base: &OsStr, reads_documents: bool) -> String {
    let bytes = base.as_encoded_bytes();
    let text = Shortened(bytes).to_string();
    let url = text.trim_matches([' ', '"', '\'', '<', '>']);
    let url = url.strip_prefix("URL:").unwrap_or(url);
    let host = url.split(['/', '?', '#']).next().unwrap_or_default();
    let fix = if Path::new(base).is_file() {
        let how = if reads_documents { "as an argument" } else { "with --document" };
        format!("it is a file: pass it {how}, or write its file: URL")
    } else if parse(url.as_bytes()).scheme.is_some() {
        format!("did you mean {url}?")
    } else if url.len() > 2 && url.starts_with("//") {
        format!("did you mean http:{url}?")
    } else if text == "ase" && env::args_os().any(|argument| argument == "-base") {
        "did you mean --base?".into()
    } else if is_host(host.as_bytes()) {
        format!("did you mean http://{url}?")
    } else {
        "use an absolute URL such as http://host/path".into()
    };
    format!("--base: {} has no scheme (§2.2); {fix}", Quoted(bytes))
}

/// Whether a URL with a scheme has a host.
fn is_web(scheme: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
}

/// Whether a name looks like a host: `localhost`, or labels with dots between them.
fn is_host(name: &[u8]) -> bool {
    let is_label = |label: &[u8]| !label.is_empty() && label.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    name.eq_ignore_ascii_case(b"localhost") || name.contains(&b'.') && name.split(|b| *b == b'.').all(is_label)
}

/// Whether what follows a colon looks like a port, with or without a path.
fn is_port(rest: &[u8]) -> bool {
    let port = rest.split(|b| *b == b'/').next().unwrap_or_default();
    !port.is_empty() && port.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests;
