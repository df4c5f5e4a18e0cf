//! A base, ready for many references.

use memchr::{memchr, memchr2};

use super::kind::{DOT, EMPTY, FRAGMENT, KINDS, MAX_PARENTS, PARAMS, PATH, QUERY, ROOTED, parents};
use super::masks::{CHUNK, Masks, SLACK};
use crate::resolver::merge::{directory, has_dot_segments, parent};
use crate::resolver::parts::lone_delimiters;
use crate::resolver::{Base, is_unsuitable};

/// How to make an answer: `base[..base_len]`, then `reference[skip..]`.
#[derive(Clone, Copy, Default)]
pub struct Splice {
    /// The number of bytes from the base.
    pub base_len: usize,
    /// The number of bytes that the reference loses.
    pub skip: usize,
}

/// Where the parts of a base end, in bytes from its start: the scheme with its colon, the net_loc, the
/// path up to its last slash, the path, the params, the query, and the fragment.
type Ends = [usize; 7];

/// The ends of a base. `None` if there are answers that do not start with its text: if it is
/// empty or unsuitable, has a lone delimiter, dot segments, or a path that does not start with a
/// slash.
fn usable_ends(base: &Base<'_>) -> Option<Ends> {
    let Base { text, parts } = *base;
    let [scheme, net_loc, path, params, query, whole] = parts.ends(text);
    let above = directory(parts.path_to_merge());
    let (_, lone_query, lone_params) = lone_delimiters(text, parts);
    let no_path = parts.path.is_empty();
    let fits = above.starts_with(b"/") && !has_dot_segments(above) && !lone_query && !lone_params;
    if !fits || no_path && whole > net_loc || parts.scheme.is_none_or(is_unsuitable) {
        return None;
    }
    let slash = usize::from(no_path); // silent: reading 5
    let (path, params) = (path + slash, params + slash);
    Some([scheme, net_loc, net_loc + above.len(), path, params, query, whole])
}

/// The ends of the base before the first TAB, from masks alone. `None` if it is not of the
/// most common kind: `http://` or `https://`, a net_loc without delimiters, a path without
/// params, perhaps a query and a fragment, all in two chunks.
#[inline(always)]
fn common_ends(record: &[u8; 2 * CHUNK], terminator: u8) -> Option<Ends> {
    let scheme = match record {
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 5,
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 6,
        _ => return None,
    };
    let [first, second] = record.as_chunks().0 else { return None };
    let [first, second] = [first, second].map(|chunk| Masks::of(chunk, [terminator, b'\t']));
    let both = |first: u64, second: u64| u128::from(first) | u128::from(second) << CHUNK;

    let whole = both(first.end, second.end).trailing_zeros() as usize;
    if record.get(whole) != Some(&b'\t') {
        return None;
    }
    let end = 1 << whole;
    let after_scheme = (end - 1) & u128::MAX << (scheme + 2);
    let special = both(first.special, second.special) & after_scheme;
    let path = (special | end).trailing_zeros() as usize;
    let slash = both(first.slash, second.slash) & after_scheme & ((1 << path) - 1);
    let lone = special << 1 & (special | end);
    let dotted = both(first.dot, second.dot) & slash << 1;
    if slash == 0 || lone | dotted != 0 {
        return None;
    }
    let query = match record[path] {
        b'?' => memchr(b'#', &record[path..whole]).map_or(whole, |at| path + at),
        b'#' | b'\t' => path,
        _ => return None,
    };
    let net_loc = slash.trailing_zeros() as usize;
    let above = 2 * CHUNK - slash.leading_zeros() as usize;
    Some([scheme, net_loc, above, path, path, query, whole])
}

/// A base, ready for many references.
pub struct SplicedBase {
    /// Its text, `/`, and remains of longer ones.
    pub text: Vec<u8>,
    /// The length of its text.
    pub len: usize,
    /// How to answer each kind of reference.
    pub splices: [Splice; KINDS],
    /// Whether `splices` has the kinds of `../` too.
    has_ups: bool,
    /// Whether any answers are certain.
    pub usable: bool,
}

/// What the base of a record is, after that of the record before it.
pub enum Change<'a> {
    None,
    /// Another base of the most common kind, at the start of these bytes.
    Common(&'a [u8; 2 * CHUNK]),
    Other,
}

impl SplicedBase {
    pub fn new() -> Self {
        let (text, splices) = (vec![0; 2 * CHUNK + SLACK], [Splice::default(); KINDS]);
        SplicedBase { text, len: 0, splices, has_ups: false, usable: false }
    }

    /// Prepares a base, but for `../`.
    pub fn set(&mut self, base: &Base<'_>) {
        let ends = usable_ends(base);
        self.usable = ends.is_some();
        if let Some(ends) = ends {
            let len = base.text.len();
            if self.text.len() < len + 1 + SLACK {
                self.text.resize(len + 1 + SLACK, 0);
            }
            self.text[..len].copy_from_slice(base.text);
            self.text[len] = b'/'; // silent: reading 5
            self.set_splices(ends);
        }
    }

    /// Prepares the base that a record has before its first TAB, but for `../`; returns its length, if it
    /// is usable, and what has changed.
    #[inline(always)]
    pub fn set_from<'a>(&mut self, record: &'a [u8], terminator: u8) -> Option<(usize, Change<'a>)> {
        if self.usable && record.starts_with(&self.text[..self.len]) && record.get(self.len) == Some(&b'\t') {
            return Some((self.len, Change::None));
        }
        if let Some(start) = record.first_chunk()
            && let Some(ends) = common_ends(start, terminator)
        {
            *self.text.first_chunk_mut()? = *start;
            self.set_splices(ends);
            self.usable = true;
            return Some((self.len, Change::Common(start)));
        }
        let len = memchr2(b'\t', terminator, record).filter(|len| record[*len] == b'\t')?;
        self.set(&Base::new(&record[..len]).ok()?);
        self.usable.then_some((len, Change::Other))
    }

    /// Sets the splices of all kinds but those of `../`.
    #[inline(always)]
    fn set_splices(&mut self, [scheme, net_loc, above, path, params, query, whole]: Ends) {
        for (kind, base_len) in [
            (EMPTY, whole),    // §4 step 2a
            (PARAMS, path),    // §4 step 5a
            (QUERY, params),   // §4 step 5b
            (FRAGMENT, query), // §4 step 5b
            (PATH, above),     // §4 step 6
        ] {
            self.splices[kind] = Splice { base_len, skip: 0 };
            self.splices[kind + 1] = Splice { base_len, skip: 0 };
        }
        self.splices[ROOTED] = Splice { base_len: net_loc, skip: 0 }; // §4 step 4
        self.splices[ROOTED + 1] = Splice { base_len: scheme, skip: 0 }; // §4 step 3
        self.splices[DOT + 1] = Splice { base_len: above, skip: 2 }; // §4 step 6a
        self.len = whole;
        self.has_ups = false;
    }

    /// Sets the splices of one `../` and more; false if this base has them.
    pub fn set_ups(&mut self) -> bool {
        if self.has_ups {
            return false;
        }
        let net_loc = self.splices[ROOTED].base_len;
        let mut splice = self.splices[PATH];
        for count in 1..=MAX_PARENTS {
            if let Some(above) = parent(&self.text[net_loc..splice.base_len]) {
                splice = Splice { base_len: net_loc + above, skip: 3 * count }; // §4 step 6c
            }
            self.splices[parents(count)] = splice;
        }
        self.has_ups = true;
        true
    }
}
