//! The URLs of documents in a directory, by its URL and their names.

use std::path::{Component, Path, absolute};

use crate::resolver::grammar::{is_reserved, is_unreserved};
use crate::resolver::parse;
use crate::source::Source;
use crate::spec::Spec;

/// The URLs of sources in a directory, or of this directory itself, which has the URL `base`. A standard says how names
/// are written.
///
/// # Errors
/// It is no directory, or the name of a source does not begin with its name. Links in the file system do not matter.
pub fn urls_below(directory: &Path, base: &[u8], sources: &[Source<'_>], spec: Spec) -> Result<Vec<Vec<u8>>, String> {
    let root = Source::File(directory);
    if !directory.is_dir() {
        return Err(format!("--root: {root} is not a directory"));
    }
    let goes_up = |path: &Path| path.components().any(|part| part == Component::ParentDir);
    let absolute = |path: &Path| absolute(path).map_err(|error| format!("{}: {error}", Source::File(path)));
    let (root_path, root_goes_up) = (absolute(directory)?, goes_up(directory));
    let url = |source: &Source<'_>| {
        let Source::File(path) = source else { return Err(format!("{source} has no name in {root}")) };
        if root_goes_up || goes_up(path) {
            return Err(format!("--root {root} and {source}: write both names without \"..\""));
        }
        let path = absolute(path)?;
        let relative = path
            .strip_prefix(&root_path)
            .map_err(|_| format!("{source} is outside {root}, the directory of --root"))?;
        Ok(url_below(base, relative, spec))
    };
    sources.iter().map(url).collect()
}

/// The URL of a file in a directory with the URL `directory`, as a standard writes it; empty if that is not known.
pub fn url_below(directory: &[u8], relative: &Path, spec: Spec) -> Vec<u8> {
    // a query and a fragment are no part of its path
    let mut url = directory.split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default().to_vec();
    for name in relative.iter().filter(|_| !directory.is_empty()) {
        // after file:// a name would be a host
        if !url.ends_with(b"/") || parse(&url).path.is_empty() {
            url.push(b'/');
        }
        escape(name.as_encoded_bytes(), |byte| is_of_name(byte, spec), &mut url);
    }
    url
}

/// A path as somebody typed it, with its names as a standard writes them. Slashes, escapes, query and fragment stay.
pub fn escape_path(text: &[u8], spec: Spec) -> Vec<u8> {
    let mut path = Vec::new();
    escape(text, |byte| b"/%?#".contains(&byte) || is_of_name(byte, spec), &mut path);
    path
}

/// Whether a byte of a name stays in a URL.
fn is_of_name(byte: u8, spec: Spec) -> bool {
    match spec {
        // outside of the path percent-encode set, and no slash or escape
        Spec::Whatwg => byte.is_ascii_graphic() && !b"\"#%<>?\\^`{}".contains(&byte),
        Spec::Rfc3986 if byte == b'~' => true, // unreserved
        // §2.2 pchar, and no params, query or escape
        _ => is_unreserved(byte) || is_reserved(byte) && !matches!(byte, b';' | b'/' | b'?'),
    }
}

/// Writes bytes, each as `%` and its number but those that are kept.
pub fn escape(bytes: &[u8], is_kept: impl Fn(u8) -> bool, out: &mut Vec<u8>) {
    for &byte in bytes {
        if is_kept(byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
}
