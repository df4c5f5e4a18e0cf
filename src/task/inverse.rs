//! The inverse of resolving: the reference that leads from a base to a URL.
//!
//! With the base `http://a/b/c/d`, `http://a/b/g?y` is `../g?y`. Each form is made from the texts of base and URL, then
//! resolved, so a reference that is returned surely gives back the bytes of the URL.

use encoding_rs::Encoding;
use memchr::memchr_iter;

use super::standards::OneStandard;
use crate::limits::MAX_CLIMB;
use crate::record::{BaseId, Bases};
use crate::resolver::merge::directory;
use crate::resolver::parse;
use crate::spec::rfc3986::divide;
use crate::spec::{Spec, dot_segment};

/// What a reference consists of, in the order in which it is tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceForm {
    /// The fragment alone.
    Fragment,
    /// The query, and what follows it.
    Query,
    /// A path from the base's directory, and what follows it.
    Directory,
    /// The path from the root, and what follows it.
    Root,
    /// The URL itself.
    Url,
}

use ReferenceForm::{Directory, Fragment, Query, Root, Url};

/// Makes references to URLs by one standard.
pub struct Inverse {
    spec: Spec,
    pub resolver: OneStandard,
    /// The last base of a document itself, which is short, and the last one that the user gave.
    bases: [Option<WrittenBase>; 2],
    /// The reference that was made last.
    form: Vec<u8>,
    /// Scratch space for its answer.
    answer: Vec<u8>,
}

/// A base as its standard writes it.
struct WrittenBase {
    id: BaseId,
    /// The scheme and the net_loc, with their delimiters.
    before_path: Vec<u8>,
    path: Vec<u8>,
    /// The number of slashes in the path.
    depth: usize,
}

impl Inverse {
    pub fn new(spec: Spec) -> Self {
        let resolver = OneStandard::with_sieve(spec);
        Inverse { spec, resolver, bases: [None, None], form: Vec::new(), answer: Vec::new() }
    }

    /// The first reference that leads from the base to `url`, an answer of the standard, and no shorter form than
    /// `first`. Linear in the URL and the base's path. `None` if only the empty reference gives the URL, because the
    /// base has dots that RFC 3986 removes from any other one's path.
    pub fn reference(
        &mut self,
        bases: &Bases<'_>,
        encoding: &'static Encoding,
        url: &[u8],
        first: ReferenceForm,
    ) -> Option<(ReferenceForm, &[u8])> {
        let Inverse { spec, resolver, bases: written, form, answer } = self;
        let base = WrittenBase::renew(written, *spec, bases, resolver);
        let [path, path_end, query, fragment] = places(*spec, url);
        // but for the URL itself, no form has a scheme or a net_loc
        let first = if base.before_path == url[..path] { first } else { Url };
        for kind in [Fragment, Query, Directory, Root, Url].into_iter().filter(|kind| *kind >= first) {
            form.clear();
            match kind {
                Fragment => form.extend_from_slice(&url[fragment..]),
                Query if fragment > query => form.extend_from_slice(&url[query..]),
                Directory => from_directory(&base.path, &url[path..], path_end - path, form),
                Root if url[path..].starts_with(b"/") => form.extend_from_slice(&url[path..]),
                Query | Root => {}
                Url => form.extend_from_slice(url),
            }
            if form.is_empty() || form.starts_with(b"//") {
                continue;
            }
            answer.clear();
            let is_itself = kind == Url && *spec == Spec::Rfc1808; // §4 step 2b
            if is_itself || resolver.resolve(bases, encoding, form, answer).is_ok() && *answer == url {
                return Some((kind, form));
            }
        }
        None
    }

    /// Whether the path of a reference leads from the base's directory above the root by WHATWG, which then drops `..`:
    /// below another path, each would count.
    pub fn leads_above_root(&mut self, bases: &Bases<'_>, reference: &[u8]) -> bool {
        let base = WrittenBase::renew(&mut self.bases, self.spec, bases, &mut self.resolver);
        let mut depth = base.depth;
        if depth == 0 {
            return false; // there is no root
        }
        divide(reference).path.split(|byte| matches!(byte, b'/' | b'\\')).any(|segment| {
            match dot_segment(segment) {
                None => depth += 1,
                Some(b"..") => depth -= 1,
                Some(_) => {}
            }
            depth == 0
        })
    }
}

impl WrittenBase {
    /// The base as it was written for a record before, or as it is written for another one.
    fn renew<'b>(
        written: &'b mut [Option<Self>; 2],
        spec: Spec,
        bases: &Bases<'_>,
        resolver: &mut OneStandard,
    ) -> &'b mut Self {
        let base = &mut written[usize::from(bases.id == bases.given_id)];
        base.take_if(|base| base.id != bases.id);
        base.get_or_insert_with(|| {
            let mut text = Vec::new();
            // the empty reference has no answer where the base's path is opaque
            if resolver.resolve(bases, encoding_rs::UTF_8, b"#", &mut text).is_err() {
                text.extend_from_slice(bases.of(spec).text);
            }
            let [start, end, ..] = places(spec, &text);
            // silent: reading 5
            let path = if start == end && text[..end].contains(&b'/') { b"/" } else { &text[start..end] };
            let depth = memchr_iter(b'/', path).count();
            WrittenBase { id: bases.id, before_path: text[..start].to_vec(), path: path.to_vec(), depth }
        })
    }
}

/// Where the path of a URL starts and ends, and where its query and its fragment start, each with its delimiter.
fn places(spec: Spec, url: &[u8]) -> [usize; 4] {
    if spec == Spec::Rfc1808 {
        let [_, start, end, params, query, _] = parse(url).ends(url);
        return [start, end, params, query];
    }
    let uri = divide(url);
    let start = uri.scheme.map_or(0, |scheme| scheme.len() + 1) + uri.authority.map_or(0, |host| host.len() + 2);
    let end = start + uri.path.len();
    [start, end, end, end + uri.query.map_or(0, |query| query.len() + 1)]
}

/// Writes the path from the directory of the base's path: `../` for each of its segments that the URL's directory does
/// not share, then the rest of the URL, which begins with a path of `path_len` bytes. Nothing if there are too many and
/// the path from the root is shorter.
fn from_directory(base: &[u8], url: &[u8], path_len: usize, form: &mut Vec<u8>) {
    let (base, own) = (directory(base), directory(&url[..path_len]));
    let same = base.iter().zip(own).take_while(|(base, own)| base == own).count();
    let shared = directory(&base[..same]).len();
    let rest = &url[shared..];
    let most = MAX_CLIMB.max(shared / 3);
    let parents = memchr_iter(b'/', &base[shared..]).take(most + 1).count();
    if parents > most {
        return;
    } else if parents > 0 {
        form.extend(b"../".iter().cycle().take(3 * parents));
    } else if needs_dot(rest, path_len - shared) {
        form.extend_from_slice(b"./");
    }
    form.extend_from_slice(rest);
}

/// Whether a reference needs `./`: its path is empty, it begins with a byte that may mean something, or it seems to
/// have a scheme.
fn needs_dot(reference: &[u8], path_len: usize) -> bool {
    let is_harmless = |byte: &u8| byte.is_ascii_alphanumeric() || b"._~-%".contains(byte);
    let special = reference.iter().find(|byte| b":/?#".contains(byte));
    path_len == 0 || !reference.first().is_some_and(is_harmless) || special == Some(&b':')
}
