//! Slips: values that can be used, but surely mean something else.

use std::ffi::OsStr;
use std::path::Path;

use super::Cli;
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
        _ if is_host(scheme) && is_port(rest) => {
            format!("has the scheme {}; did you mean http://{shown}?", Shortened(scheme))
        }
        _ if Path::new(base).is_file() => "is a file; to use its base URL, pass it with --document".into(),
        _ => return None,
    };
    Some(format!("--base: {} {what}", Quoted(bytes)))
}

/// Returns a note about the name of a file that is checked as a reference.
pub fn checked_file(cli: &Cli) -> Option<String> {
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
    } else if is_host(host.as_bytes()) {
        format!("did you mean http://{url}?")
    } else {
        "use an absolute URL such as http://host/path".into()
    };
    format!("--base: {} has no scheme (§2.2); {fix}", Quoted(bytes))
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
