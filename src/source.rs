//! Where records and documents come from.

use std::ffi::OsString;
use std::path::Path;

use crate::resolver::{Parts, parse};

/// Where records or a document come from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The command line: each argument is a record.
    Arguments(&'a [OsString]),
    Stdin,
    File(&'a Path),
}

impl<'a> Source<'a> {
    /// The source that a name means: `-` is standard input.
    pub fn of(path: &'a Path) -> Self {
        if path.as_os_str() == "-" { Source::Stdin } else { Source::File(path) }
    }

    /// Its name in messages and JSON: `argument`, `-` or the path.
    pub fn name(self) -> &'a [u8] {
        match self {
            Source::Arguments(_) => b"argument",
            Source::Stdin => b"-",
            Source::File(path) => path.as_os_str().as_encoded_bytes(),
        }
    }

    /// Whether its name is the URL of a page, which absurl does not fetch.
    pub fn is_url(self) -> bool {
        let Parts { scheme, net_loc, .. } = parse(self.name());
        let is_web = |scheme: &[u8]| [&b"http"[..], b"https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
        net_loc.is_some() && scheme.is_some_and(is_web)
    }

    /// What is written before its name where it begins a line: GitHub Actions obeys lines that begin with `::`.
    pub fn line_prefix(self) -> &'static [u8] {
        if self.name().trim_ascii_start().starts_with(b"::") { b"./" } else { b"" }
    }
}
