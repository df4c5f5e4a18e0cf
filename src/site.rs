//! Names below a directory, looked up as a server does: byte for byte, whatever the file system takes for equal.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::{fs, mem};

use memchr::memmem;
use percent_encoding::percent_decode;

use crate::resolver::parts::cut;

/// The longest path that is looked up, in bytes: no system opens a longer one.
const MAX_PATH: usize = 4096;

/// The URL of a directory whose host nobody knows. It is never shown.
pub const UNKNOWN_HOST: &str = "http://absurl-does-not-know.invalid/";

/// A URL as it is shown: from its root if its host is not known.
pub fn shown(url: &[u8]) -> Cow<'_, [u8]> {
    match url.strip_prefix(UNKNOWN_HOST.trim_end_matches('/').as_bytes()) {
        Some(path) if path.starts_with(b"//") => [b"/.", path].concat().into(), // it is no host
        path => path.unwrap_or(url).into(),
    }
}

/// The file that a directory means.
const INDEX: &[u8] = b"index.html";

/// Why a path leads to no file. Paths are decoded, and below the directory.
#[derive(Debug, PartialEq, Eq)]
pub enum Missing {
    /// A name is not there: the path, or if a name beside it may be meant the path up to it and that name.
    Name(Vec<u8>, Option<Vec<u8>>),
    /// A directory, with the slash after it, has no index.html.
    Index(Vec<u8>),
    /// A slash follows the name of a file.
    Slash(Vec<u8>),
    /// Two slashes are in it.
    Slashes(Vec<u8>),
}

/// What a name in a directory is. A name that is neither, such as a link that leads nowhere, is not there.
enum Listed {
    File,
    /// One that has not been looked into.
    Directory(PathBuf),
    /// One that has: its index.
    Known(usize),
}

/// A directory that a path has led to.
#[derive(Default)]
struct Directory {
    path: PathBuf,
    /// `None` if it has not been listed, or cannot be.
    names: Option<BTreeMap<Box<[u8]>, Listed>>,
    /// The names by what they are in lower case, once one has been missed. The last of several counts.
    lower: HashMap<Vec<u8>, Box<[u8]>>,
}

/// A directory, and those below it that paths have led to. What has been listed is kept.
pub struct Site {
    directories: Vec<Directory>,
    /// Their indexes by their real paths, so that links in a loop end.
    known: HashMap<PathBuf, usize>,
    /// The endings that a server adds to a name, each with its dot.
    endings: Vec<Vec<u8>>,
}

impl Site {
    pub fn new(root: &Path, endings: Vec<Vec<u8>>) -> Self {
        let mut site = Site { directories: Vec::new(), known: HashMap::new(), endings };
        site.add(root.to_owned());
        site
    }

    /// Looks a decoded path up, from below the directory. `None` if it leads to a file.
    ///
    /// # Errors
    /// A directory cannot be listed: which one, and why.
    pub fn miss(&mut self, path: &[u8]) -> Result<Option<Missing>, (PathBuf, io::Error)> {
        if path.len() > MAX_PATH {
            return Ok(Some(Missing::Name(path.to_vec(), None)));
        }
        if path.starts_with(b"/") || memmem::find(path, b"//").is_some() {
            return Ok(Some(Missing::Slashes(path.to_vec())));
        }
        let (mut directory, mut start) = (0, 0);
        loop {
            self.list(directory)?;
            let (name, after) = cut(path.get(start..).unwrap_or_default(), b'/');
            let end = start + name.len();
            if name.is_empty() {
                let directory_path = || [path, if start > path.len() { b"/" } else { &b""[..] }].concat();
                return Ok((!self.is_file(directory, INDEX)).then(|| Missing::Index(directory_path())));
            }
            let is_page = self.endings.iter().any(|ending| self.is_file(directory, &[name, ending].concat()));
            let is_file = self.is_file(directory, name);
            return Ok(match (after, self.enter(directory, name)) {
                (None, _) if is_file || is_page => None,
                // without a slash after it, too: servers redirect to it
                (_, Some(inner)) => {
                    (directory, start) = (inner, end + 1);
                    continue;
                }
                (Some(b""), None) if is_file => Some(Missing::Slash(path[..end].to_vec())),
                (Some(_), None) if is_file => Some(Missing::Name(path.to_vec(), None)),
                (after, None) => Some(match self.near(directory, name, after.is_none_or(<[u8]>::is_empty)) {
                    Some(near) => Missing::Name(path[..end].to_vec(), Some(near)),
                    None => Missing::Name(path.to_vec(), None),
                }),
            });
        }
    }

    /// The index of a directory, which may be known by another name.
    fn add(&mut self, path: PathBuf) -> usize {
        match self.known.entry(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.directories.push(Directory { path, ..Directory::default() });
                *new.insert(self.directories.len() - 1)
            }
        }
    }

    /// Lists a directory, unless that has been done.
    fn list(&mut self, index: usize) -> Result<(), (PathBuf, io::Error)> {
        let directory = &mut self.directories[index];
        if directory.names.is_none() {
            directory.names = Some(list(&directory.path).map_err(|error| (directory.path.clone(), error))?);
        }
        Ok(())
    }

    fn is_file(&self, directory: usize, name: &[u8]) -> bool {
        let names = self.directories[directory].names.as_ref();
        names.is_some_and(|names| matches!(names.get(name), Some(Listed::File)))
    }

    /// The index of the directory with a name in another one; `None` if there is none.
    fn enter(&mut self, directory: usize, name: &[u8]) -> Option<usize> {
        let kind = self.directories[directory].names.as_mut()?.get_mut(name)?;
        let path = match kind {
            Listed::File => return None,
            Listed::Known(index) => return Some(*index),
            Listed::Directory(path) => mem::take(path),
        };
        let index = self.add(path);
        self.directories[directory].names.as_mut()?.insert(name.into(), Listed::Known(index));
        Some(index)
    }

    /// A name in a directory that may be meant by one that is not there. `is_last`: no other follows it.
    fn near(&mut self, directory: usize, name: &[u8], is_last: bool) -> Option<Vec<u8>> {
        let page = [name, b".html"].concat();
        if is_last && self.is_file(directory, &page) {
            return Some(page);
        }
        let Directory { names, lower, .. } = &mut self.directories[directory];
        if lower.is_empty() {
            lower.extend(names.iter().flatten().map(|(name, _)| (in_lower_case(name), name.clone())));
        }
        lower.get(&in_lower_case(name)).map(|near| near.to_vec())
    }
}

/// The names in a directory.
///
/// # Errors
/// It cannot be listed.
fn list(path: &Path) -> io::Result<BTreeMap<Box<[u8]>, Listed>> {
    let mut names = BTreeMap::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let mut kind = entry.file_type()?;
        if kind.is_symlink() {
            kind = match fs::metadata(entry.path()) {
                Ok(target) => target.file_type(),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error),
                Err(_) => continue,
            };
        }
        let kind = match kind {
            kind if kind.is_file() => Listed::File,
            kind if kind.is_dir() => Listed::Directory(entry.path()),
            _ => continue,
        };
        names.insert(entry.file_name().as_encoded_bytes().into(), kind);
    }
    Ok(names)
}

fn in_lower_case(name: &[u8]) -> Vec<u8> {
    str::from_utf8(name).map_or_else(|_| name.to_ascii_lowercase(), |name| name.to_lowercase().into_bytes())
}

/// A path without percent-encoding; `None` if it has an encoded slash or NUL, which no name has, or a `%` that encodes
/// nothing: nginx and Apache refuse that.
pub fn decode(path: &[u8]) -> Option<Vec<u8>> {
    let mut escapes = memchr::memchr_iter(b'%', path).map(|at| path.get(at + 1..at + 3));
    let is_name = |digits: Option<&[u8]>| {
        digits
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit) && !matches!(digits, b"00" | b"2F" | b"2f"))
    };
    escapes.all(is_name).then(|| percent_decode(path).collect())
}

#[cfg(test)]
mod tests;
