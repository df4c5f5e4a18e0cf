//! What moves: URLs at or below one URL, OLD, will be at or below another one, NEW.
//!
//! With OLD `http://a/guide` and NEW `http://a/docs/manual`, `http://a/guide/x#y` will be `http://a/docs/manual/x#y`,
//! and `http://a/guidebook` stays.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode, percent_encode};

use crate::document::types::Type;
use crate::output::location::{Quoted, Shortened};
use crate::record::Complaint;
use crate::resolver::parts::{cut, parse_scheme};
use crate::rfc1738::login::Login;
use crate::site::{UNKNOWN_HOST, shown};
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;

/// What a URL that is OLD or NEW does not have as it is, with what is not ASCII: documents are in any charset.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ');

/// All that moves.
pub struct MovePlan {
    moves: Vec<MovePair>,
    /// Whether the files lie at NEW already.
    pub have_moved: bool,
}

/// OLD and NEW.
struct MovePair {
    urls: [Vec<u8>; 2],
    /// The URLs as the user wrote them.
    texts: [String; 2],
    /// Whether there is something at OLD, or was.
    is_found: Cell<bool>,
    /// Whether it follows from another one, and what is below OLD stays: the directory that means an index.html.
    is_of_index: bool,
}

impl MovePair {
    /// How the directory moves whose index.html moves: `http://a/guide/` to `http://a/docs/`, or to a page.
    fn of_index(&self) -> Option<Self> {
        let [old, new] = &self.urls;
        let old = old.strip_suffix(b"index.html").filter(|old| old.ends_with(b"/"))?;
        let new = new.strip_suffix(b"index.html").filter(|new| new.ends_with(b"/")).unwrap_or(new);
        let (texts, is_found) = (self.texts.clone(), Cell::new(true));
        Some(MovePair { urls: [old, new].map(<[u8]>::to_vec), texts, is_found, is_of_index: true })
    }

    /// What follows OLD, if `from` is 0, or NEW in a URL that moves.
    fn rest<'u>(&self, from: usize, url: &'u [u8]) -> Option<&'u [u8]> {
        let is_own = |rest: &&[u8]| {
            !self.is_of_index || matches!(rest, [] | [b'/'] | [b'?' | b'#', ..] | [b'/', b'?' | b'#', ..])
        };
        after(&self.urls[from], url).filter(is_own)
    }
}

impl MovePlan {
    /// Reads `texts`, OLD and NEW in turn: URLs, or references to be resolved with `base`. `escape` makes a
    /// path of URLs from one of names.
    ///
    /// # Errors
    /// One of them has no URL that can move, or nobody knows which of two places a URL has.
    pub fn new(
        spec: Spec,
        base: &[u8],
        texts: &[&[u8]],
        have_moved: bool,
        escape: impl Fn(&[u8]) -> Vec<u8>,
    ) -> Result<Self, String> {
        let flag = if have_moved { "--moved" } else { "--move" };
        let (prepared, (origin, path)) = (PreparedBase::new(spec, base), divide(base));
        let unknown = UNKNOWN_HOST.as_bytes();
        let mut moves: Vec<MovePair> = Vec::new();
        for texts in texts.as_chunks::<2>().0 {
            let mut urls = [Vec::new(), Vec::new()];
            for (side, (text, url)) in texts.iter().zip(&mut urls).enumerate() {
                let is_path = parse_scheme(text).1.is_none() && !text.starts_with(b"//");
                let escaped =
                    if is_path { escape(text) } else { percent_encode(text, ESCAPED).collect::<String>().into() };
                let answered = prepared.resolve(&escaped, url);
                let authority = spec.scheme_and_authority(url).1.unwrap_or_default();
                let has_host = !Login::divide(authority).host.is_empty() || url.starts_with(b"file://");
                let is_unknown = base.starts_with(unknown);
                let leaves_site = side == 0 && is_unknown && after(unknown, url).is_none();
                let climbs = is_unknown && is_path && climbs(cut(cut(text, b'#').0, b'?').0);
                // which of two places is at OLD then, or at NEW before?
                let counts = side == 0 || have_moved;
                let is_named = counts && moves.iter().any(|other| after(&other.urls[side], stem(url)) == Some(b""));
                let what = match () {
                    () if text.is_empty() || answered.is_err() || !has_host => "is no path, and no URL with a host",
                    () if leaves_site => "has a host; add --base, the URL of the directory",
                    () if climbs => "leads out of the directory; use --base URL",
                    () if is_named => "is named twice; name one place for each",
                    () => {
                        let (its, rest) = divide(url);
                        if is_same_host(its, origin) {
                            *url = [&base[..base.len() - path.len()], rest].concat(); // as the user writes it
                        }
                        continue;
                    }
                };
                return Err(format!("{flag}: {} {what}", Quoted(text)));
            }
            let texts = texts.map(|text| Shortened(text).to_string());
            moves.push(MovePair { urls, texts, is_found: Cell::default(), is_of_index: false });
        }
        // before the directory itself: what it means is elsewhere then
        let of_indexes: Vec<_> = moves.iter().filter_map(MovePair::of_index).collect();
        moves.splice(..0, of_indexes);
        Ok(MovePlan { moves, have_moved })
    }

    /// Where a URL will be; `None` if it stays.
    ///
    /// # Errors
    /// NEW has a query or a fragment, and gives no place to the rest of the URL.
    pub fn new_url(&self, url: &[u8]) -> Result<Option<Vec<u8>>, Complaint> {
        self.map(url, 0)
    }

    /// Where the document was that has a URL now, when its links were written, and where it will be.
    pub fn places(&self, url: &[u8]) -> [Vec<u8>; 2] {
        let was = if self.have_moved { self.map(url, 1).ok().flatten() } else { Some(url.to_vec()) };
        let will_be = was.as_ref().and_then(|was| self.map(was, 0).ok()?);
        [was, will_be].map(|place| place.unwrap_or(url.to_vec()))
    }

    /// The URL to which another one moves by the longest OLD, if `from` is 0, or back by the longest NEW, if it is 1.
    fn map(&self, url: &[u8], from: usize) -> Result<Option<Vec<u8>>, Complaint> {
        let fitting = self.moves.iter().filter_map(|found| Some((found, found.rest(from, url)?)));
        let Some((found, rest)) = fitting.min_by_key(|(_, rest)| rest.len()) else { return Ok(None) };
        found.is_found.set(true);
        let (from, to) = (&found.urls[from], &found.urls[1 - from]);
        // a folder, with or without a slash, and its index become the page
        let is_page = Type::of_name(divide(to).1).is_some();
        let index = rest.strip_prefix(b"/index.html").filter(|_| is_page);
        let is_end = |rest: &&[u8]| is_page && from.ends_with(b"/") && matches!(rest, [] | [b'?' | b'#', ..]);
        let rest = index.or(rest.strip_prefix(b"/")).filter(is_end).unwrap_or(rest);
        let is_before = |byte: &u8| *byte == b'#' || *byte == b'?' && !rest.starts_with(b"#");
        if !rest.is_empty() && to.iter().any(is_before) {
            let what = format!("{} would be lost at {}", Shortened(rest), Shortened(&shown(to)));
            return Err(("no-place", what, "add OLD and NEW for it").into());
        }
        Ok(Some([if rest.starts_with(b"/") { stem(to) } else { to }, rest].concat()))
    }

    /// Says which files lie only where the flag does not expect them, or at which NEW there is no file. `lies`: whether
    /// a file lies at or below a URL, and not below another one, if that is known; or only a document counts.
    pub fn misplaced(&self, lies: impl Fn(&[u8], &[u8], bool) -> Option<bool>) -> Option<String> {
        let at = usize::from(self.have_moved);
        self.moves.iter().filter(|found| !found.is_of_index).find_map(|MovePair { urls, texts, is_found, .. }| {
            let (here, there, new) = (&urls[at], &urls[1 - at], &texts[1]);
            let has_file = lies(here, there, false);
            is_found.set(has_file == Some(true) && !here.iter().any(|byte| b"?#".contains(byte)));
            if has_file != Some(true) && lies(there, here, true) == Some(true) {
                let fix = ["after the move, use --moved", "before the move, use --move"][at];
                return Some(format!("no document is at {}, one is at {}; {fix}", texts[at], texts[1 - at]));
            }
            (at == 1 && has_file == Some(false)).then(|| format!("nothing is at {new}; check NEW, or use --move"))
        })
    }

    /// Says which file seems to move into a directory that is NEW, as with mv. `path` is that of a URL.
    pub fn file_into_directory(&self, path: impl Fn(&[u8]) -> Option<PathBuf>) -> Option<String> {
        self.moves.iter().find_map(|MovePair { urls: [old, new], texts, .. }| {
            let (old, new) = (path(old)?, path(new)?);
            let inner = new.join(old.file_name()?);
            let is_into = new.is_dir() && (old.is_file() || inner.is_file());
            let (name, [old, new]) = (Shortened(inner.file_name()?.as_encoded_bytes()), texts);
            let fix = format!("for a file in it, write {}/{name}", new.trim_end_matches('/'));
            is_into.then(|| format!("{old} will be {new} itself; {fix}"))
        })
    }

    /// Says which OLD or NEW seems to begin with the name of `directory`, where paths begin. `path` is that of a URL.
    pub fn repeats_name(&self, directory: &Path, path: impl Fn(&[u8]) -> Option<PathBuf>) -> Option<String> {
        let name = Path::new(directory.file_name()?);
        let inner = directory.join(name);
        let is_inner = |url| path(url).is_some_and(|path| path.starts_with(&inner) && path != inner);
        let mut sides = self.moves.iter().flat_map(|found| found.urls.iter().zip(&found.texts));
        let (_, text) = sides.find(|(url, _)| is_inner(url)).filter(|_| !inner.exists())?;
        let [directory, name, inner] =
            [directory, name, &inner].map(|path| Shortened(path.as_os_str().as_encoded_bytes()));
        Some(format!("{text} is a path below {inner}, which is not there; omit {name}/ for a path in {directory}"))
    }

    /// Says at which OLD nothing has been found.
    pub fn unused(&self) -> Option<String> {
        let MovePair { texts: [old, _], .. } = self.moves.iter().find(|found| !found.is_found.get())?;
        let kind = if old.contains("://") { "a URL that links have" } else { "a path in the directory" };
        Some(format!("nothing is at {old}; check OLD, {kind}"))
    }
}

/// Whether a path leads above where it begins.
fn climbs(path: &[u8]) -> bool {
    let mut depth = 0;
    path.split(|byte| *byte == b'/').any(|segment| {
        depth += match segment {
            b"" | b"." => 0,
            b".." => -1,
            _ => 1,
        };
        depth < 0
    })
}

/// What follows a URL in one that is the same or below it, by whole segments. A slash at its end does not matter.
pub fn after<'u>(start: &[u8], url: &'u [u8]) -> Option<&'u [u8]> {
    let ((own, mut start), (its, mut rest)) = (divide(stem(start)), divide(url));
    if !is_same_host(own, its) {
        return None;
    }
    let is_path = !start.iter().any(|byte| b"?#".contains(byte));
    let has_fragment = start.contains(&b'#');
    while !start.is_empty() {
        let [segment, other] = [start, rest].map(|text| {
            let end = text.iter().skip(1).position(|byte| b"/?#".contains(byte));
            &text[..end.map_or(text.len(), |end| end + 1)]
        });
        if !percent_decode(segment).eq(percent_decode(other)) {
            return None;
        }
        (start, rest) = (&start[segment.len()..], &rest[other.len()..]);
    }
    let fits = rest.is_empty() || is_path || rest.starts_with(b"#") && !has_fragment;
    fits.then_some(rest)
}

/// A URL without the slash at the end of its path.
fn stem(url: &[u8]) -> &[u8] {
    url.strip_suffix(b"/").filter(|url| !url.iter().any(|byte| b"?#".contains(byte))).unwrap_or(url)
}

/// The scheme and the net_loc of a URL, http for https and without the usual port, and what follows.
fn divide(url: &[u8]) -> ([&[u8]; 2], &[u8]) {
    let (rest, scheme) = parse_scheme(url);
    let rest = rest.strip_prefix(b"//").unwrap_or(rest);
    let end = rest.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(rest.len());
    let (host, rest) = rest.split_at(end);
    let (scheme, port): (_, &[u8]) = match scheme.unwrap_or_default() {
        scheme if scheme.eq_ignore_ascii_case(b"http") => (scheme, b":80"),
        scheme if scheme.eq_ignore_ascii_case(b"https") => (&scheme[..4], b":443"),
        scheme => (scheme, b""),
    };
    ([scheme, host.strip_suffix(port).unwrap_or(host)], rest)
}

fn is_same_host(one: [&[u8]; 2], other: [&[u8]; 2]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.eq_ignore_ascii_case(other))
}
