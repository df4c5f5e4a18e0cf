//! Slips: values that can be used, but surely mean something else.

use std::ffi::OsStr;
use std::path::Path;

use super::Cli;
use super::names::{Named, is_dots, named};
use super::usage::{one_of, optional_values};
use crate::document::types::Type;
use crate::output::location::{Quoted, Shortened};
use crate::resolver::parse;
use crate::source::Source;

/// What surrounds a URL that was copied from a text.
const QUOTES: &[char] = &['"', '\'', '<', '>', '\u{201C}', '\u{201D}', '\u{2018}', '\u{2019}'];

/// Returns a note about a base URL that can be used, but surely is not what was meant.
pub fn base_slip(base: &OsStr) -> Option<String> {
    let bytes = base.as_encoded_bytes();
    let text = str::from_utf8(bytes).unwrap_or_default();
    let what = if bytes.is_empty() {
        "is empty; is a variable not set?".into()
    } else if bytes.iter().any(u8::is_ascii_control) {
        "contains a control character; remove it".into()
    } else if text.ends_with(' ') {
        "ends in a space; remove it".into()
    } else if parse(bytes).net_loc.is_some_and(|net_loc| net_loc.contains(&b' ')) {
        "has a space in its host; remove it".into()
    } else if bytes.contains(&b' ') {
        "contains a space; write %20".into()
    } else if text.ends_with(QUOTES) {
        "ends with a quote or a bracket; remove it".into()
    } else {
        did_you_mean(text)?
    };
    Some(format!("--base: {} {what}", Quoted(bytes)))
}

/// Returns what is wrong with the beginning of a base that has a scheme, and the URL that it may stand for.
fn did_you_mean(base: &str) -> Option<String> {
    let text = base.replace('\\', "/");
    parse(base.as_bytes()).scheme?;
    let ((scheme, rest), (_, written)) = (text.split_once(':')?, base.split_once(':')?);
    let host = rest.trim_start_matches('/');
    let (what, url) = match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" | "ftp" if host.is_empty() || host.starts_with(['?', '#']) => {
            return Some(format!("has no host; write {scheme}://HOST/"));
        }
        "http" | "https" | "ftp" if written.starts_with("//") && rest.len() - host.len() == 2 => return None,
        "http" | "https" | "ftp" => ("has no host after \"//\"", format!("{scheme}://{host}")),
        "file" if rest.len() - host.len() == 2 && host.as_bytes().get(1) == Some(&b':') => {
            ("has a drive for a host", format!("file:///{host}"))
        }
        "url" if parse(rest.as_bytes()).scheme.is_some() => ("begins with URL:", rest.to_owned()),
        letter if letter.len() == 1 && (written.starts_with('\\') || rest.starts_with('/') && is_drive(scheme)) => {
            ("has a drive for a scheme", format!("file:///{text}"))
        }
        _ if is_host(scheme) && is_port(rest) => ("has a host for a scheme", format!("http://{text}")),
        _ => return None,
    };
    Some(format!("{what}; did you mean {}?", Shortened(url.as_bytes())))
}

/// Returns a note about an argument that can be resolved, but surely is not what was meant.
pub fn argument_note(cli: &Cli) -> Option<String> {
    if cli.reads_documents() || cli.pairs {
        return None;
    }
    let arguments = cli.before_hyphens();
    if let Some(index) = arguments.iter().position(|text| text == "-") {
        return Some(format!("argument {}: - is no file here; standard input is read without arguments", index + 1));
    }
    let is_checked = cli.check.is_some() || cli.compare.is_some();
    if let Some(dots) = arguments.iter().find(|text| is_checked && is_dots(text)) {
        let directory = Source::File(Path::new(dots));
        return Some(format!("{directory} is a directory here; for its documents use --links"));
    }
    let [name] = arguments else { return None };
    let (file, has_base) = (Source::File(Path::new(name)), cli.base.is_some() || cli.document.is_some());
    match named(name) {
        Some(Named::List) => return Some(format!("{file} is a file: --file reads its lines")),
        Some(Named::File) if !has_base && Type::of_name(name.as_encoded_bytes()).is_some() => {
            return Some(format!("{file} is a file: --links reads it"));
        }
        _ => {}
    }
    let is_word = |text: &&str| text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_lowercase());
    let (word, (flag, values)) = (name.to_str().filter(is_word)?, optional_values(cli)?);
    Some(format!("argument 1: {} is read as a reference; {flag}= takes {}", Quoted(word.as_bytes()), one_of(&values)))
}

/// Returns the message about a base URL without a scheme.
pub fn missing_scheme_message(base: &OsStr) -> String {
    let text = base.to_str().unwrap_or_default();
    let url = text.trim().trim_matches(QUOTES).trim_start_matches("URL:").replace('\\', "/");
    let host = url.split(['/', '?', '#']).next().unwrap_or_default();
    let fix = if Path::new(base).is_file() {
        return format!("--base: {} is a file, not a URL", Quoted(base.as_encoded_bytes()));
    } else if parse(url.as_bytes()).scheme.is_some() {
        format!("did you mean {}?", Shortened(url.as_bytes()))
    } else if url.len() > 2 && url.starts_with("//") {
        let scheme = if text.starts_with('\\') { "file" } else { "http" };
        format!("did you mean {scheme}:{}?", Shortened(url.as_bytes()))
    } else if is_host(host) {
        format!("did you mean http://{}?", Shortened(url.as_bytes()))
    } else {
        "use an absolute URL such as http://host/path".into()
    };
    format!("--base: {} has no scheme; {fix}", Quoted(base.as_encoded_bytes()))
}

/// Whether a letter is usual as the name of a drive: a lower-case one may be a scheme, but `c`.
fn is_drive(letter: &str) -> bool {
    letter == "c" || letter.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a name looks like a host: `localhost`, or labels with dots between them.
fn is_host(name: &str) -> bool {
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    name.eq_ignore_ascii_case("localhost") || name.contains('.') && name.split('.').all(is_label)
}

/// Whether what follows a colon looks like a port, with or without a path.
fn is_port(rest: &str) -> bool {
    let port = rest.split('/').next().unwrap_or_default();
    !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
