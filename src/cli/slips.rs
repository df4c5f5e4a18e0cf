//! Slips: values that can be used, but surely mean something else.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::PossibleValue;
use clap::{CommandFactory, ValueEnum};

use super::Cli;
use crate::document::types::Type;
use crate::output::location::{Quoted, ShellWord, Shortened};
use crate::resolver::parse;

/// Returns a note about a base URL that can be used, but surely is not what was meant.
pub fn base(base: &OsStr) -> Option<String> {
    let bytes = base.as_encoded_bytes();
    let shown = Shortened(bytes);
    let scheme = parse(bytes).scheme?;
    let rest = &bytes[scheme.len() + 1..];
    let what = match (bytes, scheme) {
        _ if bytes.iter().any(u8::is_ascii_control) => "contains a control character".into(),
        ([.., b' '], _) => "ends with a space".into(),
        _ if bytes.contains(&b' ') => "contains a space".into(),
        ([.., quote @ (b'"' | b'>')], _) => format!("ends with {}", char::from(*quote)),
        (_, [b'A'..=b'Z' | b'c']) if rest.starts_with(b"/") && !rest.starts_with(b"//") => {
            format!("has the scheme {}; did you mean file:///{shown}?", Shortened(scheme))
        }
        (_, [_]) if rest.starts_with(b"\\") => {
            format!("is not a URL; did you mean file:///{}?", shown.to_string().replace('\\', "/"))
        }
        _ if rest.starts_with(b"/") && !rest.starts_with(b"//") && is_web(scheme) => {
            let (scheme, path) = (Shortened(scheme), Shortened(rest));
            format!("has one slash before its host; did you mean {scheme}:/{path}?")
        }
        _ if is_host(scheme) && is_port(rest) => {
            format!("has the scheme {}; did you mean http://{shown}?", Shortened(scheme))
        }
        _ if Path::new(base).is_file() => "is a file; to use its base URL, pass it with --document".into(),
        _ => return None,
    };
    Some(format!("--base: {} {what}", Quoted(bytes)))
}

/// Returns notes about arguments that can be resolved, but surely are not what was meant.
pub fn arguments(cli: &Cli) -> Vec<String> {
    let are_references = !cli.reads_documents() && !cli.pairs;
    let dash = cli.references.iter().position(|text| are_references && text == "-").map(|index| {
        format!("argument {}: - is read as a reference; standard input is read without arguments", index + 1)
    });
    checked_file(cli).into_iter().chain(dash).chain(typeset_option(cli)).collect()
}

/// Returns a note about an option whose hyphen a word processor or a web page has made a dash.
fn typeset_option(cli: &Cli) -> Option<String> {
    const DASHES: [char; 3] = ['\u{2013}', '\u{2014}', '\u{2212}'];
    let texts = cli.references.iter().enumerate().filter_map(|(index, text)| Some((index, text.to_str()?)));
    let (index, text) = texts.into_iter().find(|(_, text)| text.starts_with(DASHES))?;
    let letters = text.trim_start_matches(DASHES).trim_start_matches('-');
    let (command, long) = (Cli::command(), letters.split('=').next().unwrap_or_default());
    let hyphens = if command.get_arguments().any(|flag| flag.get_long() == Some(long)) {
        "--"
    } else if letters
        .chars()
        .next()
        .is_some_and(|letter| command.get_arguments().any(|flag| flag.get_short() == Some(letter)))
    {
        "-"
    } else {
        return None;
    };
    let (index, text) = (index + 1, Shortened(text.as_bytes()));
    Some(format!("argument {index}: {text} begins with a dash, not with a hyphen; did you mean {hyphens}{letters}?"))
}

/// Refuses `--check` and `--compare` of nothing but names of documents, without `--links`: no fault would be found.
pub fn names_of_documents(cli: &Cli) -> Option<String> {
    let value = |name: Option<PossibleValue>| name.map_or(String::new(), |name| format!("={}", name.get_name()));
    let flag = match (cli.check, cli.compare) {
        _ if cli.reads_documents() || cli.pairs => return None,
        (Some(which), _) => format!("--check{}", value(which.and_then(|which| which.to_possible_value()))),
        (_, Some(which)) => format!("--compare{}", value(which.and_then(|which| which.to_possible_value()))),
        (None, None) => return None,
    };
    let has_base = cli.base.is_some() || cli.document.is_some();
    let kind = |name: &OsString| {
        let (path, bytes) = (Path::new(name), name.as_encoded_bytes());
        let is_document = Type::of_name(bytes).is_some();
        if bytes.iter().all(|byte| b"./".contains(byte)) {
            None // always a reference
        } else if path.is_dir() {
            Some("a directory")
        } else if is_document && !has_base && path.is_file() {
            Some("a file")
        } else if is_document && bytes.contains(&b'*') && !bytes.iter().any(|byte| b":?".contains(byte)) {
            Some("a pattern of file names")
        } else {
            None
        }
    };
    let kinds: Vec<_> = cli.references.iter().map_while(kind).collect();
    let what = kinds.first().filter(|_| kinds.len() == cli.references.len())?;
    let word = |name: &OsString| match name.as_encoded_bytes() {
        pattern if pattern.contains(&b'*') => format!(" {}", Shortened(pattern)),
        name => format!(" {}", ShellWord(name)),
    };
    let names: String = cli.references.iter().take(3).map(word).collect();
    let name = Shortened(cli.references.first()?.as_encoded_bytes());
    Some(format!(
        "argument 1: {name} is {what}: absurl --links {flag}{names}; to check these names as references, pass them on standard input"
    ))
}

/// Returns a note about the name of a file that is checked as a reference.
fn checked_file(cli: &Cli) -> Option<String> {
    let name = cli.references.first().filter(|name| cli.check.is_some() && !cli.links && Path::new(name).is_file())?;
    let name = ShellWord(name.as_encoded_bytes());
    Some(format!("argument 1: checking the file's name; to check its links: absurl --links --check {name}"))
}

/// Returns the message about a base URL without a scheme.
pub fn without_scheme(base: &OsStr) -> String {
    let bytes = base.as_encoded_bytes();
    let text = Shortened(bytes).to_string();
    let url = text.trim_matches([' ', '"', '\'', '<', '>']);
    let url = url.strip_prefix("URL:").unwrap_or(url);
    let host = url.split(['/', '?', '#']).next().unwrap_or_default();
    let is_letter = |drive: &str| matches!(drive.as_bytes(), [letter] if letter.is_ascii_alphabetic());
    let fix = if Path::new(base).is_file() {
        "it is a file: pass it with --document, or write its file: URL".into()
    } else if let Some((drive, path)) = url.split_once('|').filter(|(drive, _)| is_letter(drive)) {
        format!("did you mean file:///{drive}:{}?", path.replace('\\', "/"))
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
