//! Arguments that name something that lies here, and so may be no references.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::{CheckKind, Cli};
use crate::document::types::{Type, ending_of};
use crate::resolver::{Parts, parse};
use crate::source::Source;

/// What an argument may name, if it is not only a reference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// `-`
    Stdin,
    /// A directory as references name it, too: `.`, `../..`, `/`
    Dots,
    Directory,
    /// A file that is a list by its name.
    List,
    File,
    /// A pattern for documents that the shell did not replace.
    Pattern,
}

/// What an argument before `--` may name.
pub fn named(name: &OsString) -> Option<Named> {
    let (path, bytes) = (Path::new(name), name.as_encoded_bytes());
    let is_hidden = |error: io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    let is_there = || path.symlink_metadata().map_or_else(is_hidden, |_| true);
    Some(if bytes == b"-" {
        Named::Stdin
    } else if is_dots(name) {
        Named::Dots
    } else if !is_there() {
        return is_pattern(bytes).then_some(Named::Pattern);
    } else if path.is_dir() {
        Named::Directory
    } else if matches!(&*ending_of(bytes), "txt" | "list" | "csv" | "tsv") {
        Named::List
    } else {
        Named::File
    })
}

/// Whether an argument is a directory as references name it, too.
pub fn is_dots(name: &OsString) -> bool {
    name.as_encoded_bytes().iter().all(|byte| b"./".contains(byte)) && Path::new(name).is_dir()
}

/// Whether a text is a path with the marks of a pattern: in a segment that is only `*` or `**`, in its ending, or
/// before the ending of a document.
fn is_pattern(text: &[u8]) -> bool {
    let Parts { scheme, net_loc, path, query, fragment, .. } = parse(text);
    let has_mark = |text: &[u8]| text.iter().any(|byte| b"*[".contains(byte));
    let mut segments = path.split(|byte| *byte == b'/');
    let last = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_path = scheme.is_none() && net_loc.is_none() && query.is_empty() && fragment.is_empty();
    let is_typed = has_mark(path) && Type::of_name(last).is_some();
    is_path && (is_typed || has_mark(ending_of(last).as_bytes()) || segments.any(|name| matches!(name, b"*" | b"**")))
}

/// Refuses `--check` and `--compare` of an argument that is surely no reference: nobody would read what it names, and
/// no fault would be found.
pub fn name_for_reference(cli: &Cli) -> Option<String> {
    if cli.reads_documents() || cli.pairs || cli.check.is_none() && cli.compare.is_none() {
        return None;
    }
    let is_guard = cli.check() == Some(CheckKind::Host);
    let refusal = |name: &OsString| {
        let source = Source::File(Path::new(name));
        let (what, fix) = match named(name)? {
            Named::Stdin => ("no file here", "omit it to read standard input"),
            Named::Dots if !is_guard => return None, // an example of the RFC
            Named::Dots | Named::Directory => ("a directory", "use --links"),
            Named::File => ("a file", "use --links"),
            Named::List => ("a file", "use --file"),
            Named::Pattern => ("a pattern, not a name", "use --links"),
        };
        Some(format!("{source} is {what}; {fix}, or write -- before a reference"))
    };
    let is_typed = |path: &&PathBuf| Type::of_name(path.as_os_str().as_encoded_bytes()).is_some();
    let list = || {
        let source = Source::File(cli.files.iter().find(is_typed)?);
        Some(format!("{source} is a document by its name, not a list; use --links {source}"))
    };
    cli.before_hyphens().iter().find_map(refusal).or_else(list)
}
