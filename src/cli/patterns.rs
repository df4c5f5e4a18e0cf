//! `*` and `?` in the names of documents: no shell of Windows expands them.

use std::ffi::OsString;
use std::mem;
use std::path::PathBuf;

use glob::{MatchOptions, glob_with};

use super::Cli;

/// Matches as the system does, and no hidden files.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: false, require_literal_separator: true, require_literal_leading_dot: true };

impl Cli {
    /// Replaces each pattern among the documents by the files that match it. References stay: they may have `?`.
    pub(super) fn expand_documents(&mut self) {
        if self.reads_documents() && !self.pairs {
            self.references = mem::take(&mut self.references).into_iter().flat_map(expand).collect();
        }
    }
}

/// The files that match a name, sorted; the name itself if there are none.
fn expand(name: OsString) -> Vec<OsString> {
    let is_pattern = |name: &&str| name.contains(['*', '?']) && !name.starts_with(r"\\?\");
    // brackets are ordinary characters to the shells of Windows
    let pattern = name.to_str().filter(is_pattern).map(|name| name.replace('[', "[[]"));
    let files = pattern.and_then(|pattern| glob_with(&pattern, OPTIONS).ok()).into_iter().flatten().flatten();
    let files: Vec<_> = files.map(PathBuf::into_os_string).collect();
    if files.is_empty() { vec![name] } else { files }
}
