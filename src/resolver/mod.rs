//! RFC 1808 on bytes. No I/O, no allocation for a reference, no UTF-8 check.
//!
//! | § | where |
//! |---|---|
//! | 2.1, 2.4, 4 step 7 | [`parts`] |
//! | 2.2, 5.3 | [`grammar`] |
//! | 2.3, 3.4, 4 steps 1 to 5 | here |
//! | 4 step 6 | [`merge`] |
//!
//! `silent: reading N` marks where the RFC is silent or contradicts itself. The section READINGS of
//! absurl-documents(7) lists the readings, and `tests/data/readings.tsv` has cases for 1 to 20.

pub mod grammar;
pub mod merge;
pub mod parts;

pub use merge::Removed;
pub use parts::{Parts, parse};

/// A base URL: empty if there is none, otherwise with a scheme (§4 step 1, §2.2).
#[derive(Clone, Copy, Debug, Default)]
pub struct Base<'a> {
    /// Its bytes, unchanged.
    pub text: &'a [u8],
    pub parts: Parts<'a>,
}

impl<'a> Base<'a> {
    /// Parses a base URL (§4 step 2).
    ///
    /// # Errors
    /// [`Unresolvable::BaseWithoutScheme`] if it is not empty and has no scheme.
    pub fn new(text: &'a [u8]) -> Result<Self, Unresolvable> {
        let parts = parse(text);
        if parts.scheme.is_none() && !text.is_empty() {
            return Err(Unresolvable::BaseWithoutScheme); // silent: reading 15
        }
        Ok(Base { text, parts })
    }
}

/// The step of §4 that decides what the reference inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// 1: without a base URL, the reference is interpreted as an absolute URL.
    Absolute,
    /// 2a: the reference is empty and inherits the entire base URL.
    Empty,
    /// 2b: the reference has a scheme and inherits nothing.
    Scheme,
    /// 3: the reference has a net_loc.
    NetLoc,
    /// 4: the reference's path starts with a slash.
    Rooted,
    /// 5a: the reference has no path, but params.
    Params,
    /// 5b: the reference has no path and no params, but a query.
    Query,
    /// 5b: the reference has a fragment at most, and inherits path, params and query.
    Inherited,
    /// 6: the two paths are merged.
    Merged,
}

impl Step {
    /// The step's number in §4.
    pub fn number(self) -> &'static str {
        match self {
            Step::Absolute => "1",
            Step::Empty => "2a",
            Step::Scheme => "2b",
            Step::NetLoc => "3",
            Step::Rooted => "4",
            Step::Params => "5a",
            Step::Query | Step::Inherited => "5b",
            Step::Merged => "6",
        }
    }

    /// The number of components inherited: always the first ones of scheme, net_loc, path, params,
    /// query and fragment (law 4).
    pub fn inherits(self) -> usize {
        match self {
            Step::Absolute | Step::Scheme => 0,
            Step::NetLoc => 1,
            Step::Rooted | Step::Merged => 2,
            Step::Params => 3,
            Step::Query => 4,
            Step::Inherited => 5,
            Step::Empty => 6,
        }
    }
}

/// The result of §4 for a reference.
#[derive(Clone, Copy, Debug)]
pub struct Resolved<'a> {
    /// The components of the answer, before step 7.
    pub parts: Parts<'a>,
    /// The step that decided what is inherited.
    pub step: Step,
    /// The answer of step 1, 2a or 2b. Recombining its components would lose a lone delimiter.
    verbatim: Option<&'a [u8]>,
}

impl<'a> Resolved<'a> {
    /// The answer of step 1, 2a or 2b: a URL, byte for byte.
    fn verbatim(text: &'a [u8], parts: Parts<'a>, step: Step) -> Self {
        Resolved { parts, step, verbatim: Some(text) } // silent: readings 1 and 2
    }

    /// Writes the absolute URL (§4 step 7), calling `put` with each piece: at most two bytes more
    /// than base and reference together.
    pub fn write(&self, mut put: impl FnMut(&[u8])) {
        match self.verbatim {
            Some(text) => put(text),
            None => self.parts.recombine(put),
        }
    }
}

/// Why a reference has no absolute URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolvable {
    /// The reference has no scheme, and there is no base URL (§3.4).
    NoBase,
    /// The base URL's scheme is never used with relative URLs (§2.3).
    UnsuitableBase,
    /// The base URL is not absolute (§2.2).
    BaseWithoutScheme,
}

impl Unresolvable {
    /// The code of the error in JSON, what is wrong, and how to fix it.
    pub fn describe(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Unresolvable::NoBase => (
                "no-base",
                "relative URL without a base", // §3.4
                "use --base URL",
            ),
            Unresolvable::UnsuitableBase => {
                ("unsuitable-base", "the base URL's scheme does not allow relative URLs", "write an absolute URL")
            }
            Unresolvable::BaseWithoutScheme => {
                ("base-without-scheme", "the base URL has no scheme", "use an absolute URL such as http://host/path")
            }
        }
    }

    /// What is wrong, and how to fix it.
    pub fn words(self) -> (String, String) {
        let (_, what, fix) = self.describe();
        (what.into(), fix.into())
    }
}

/// Resolves a reference, §4 steps 1 to 6; [`Resolved::write`] is step 7.
///
/// Only step 6 uses `path`, as the buffer of the merged path, and `removed`, which it calls with
/// each removal.
///
/// # Errors
/// A relative reference without a base URL, or with one of an unsuitable scheme.
pub fn resolve<'a>(
    base: &Base<'a>,
    text: &'a [u8],
    path: &'a mut Vec<u8>,
    removed: impl FnMut(Removed<'_>),
) -> Result<Resolved<'a>, Unresolvable> {
    let mut url = parse(text); // §4 step 2
    let Some(scheme) = base.parts.scheme else {
        return match url.scheme {
            Some(_) => Ok(Resolved::verbatim(text, url, Step::Absolute)),
            None => Err(Unresolvable::NoBase), // silent: reading 16
        }; // §4 step 1
    };
    let base = if text.is_empty() {
        return Ok(Resolved::verbatim(base.text, base.parts, Step::Empty)); // §4 step 2a
    } else if url.scheme.is_some() {
        return Ok(Resolved::verbatim(text, url, Step::Scheme)); // §4 step 2b
    } else if is_unsuitable(scheme) {
        return Err(Unresolvable::UnsuitableBase); // silent: readings 13 and 14
    } else {
        base.parts
    };
    url.scheme = base.scheme; // §4 step 2c

    let step = if url.net_loc.is_some_and(|net_loc| !net_loc.is_empty()) {
        Step::NetLoc
    } else {
        url.net_loc = base.net_loc; // §4 step 3
        if url.path.starts_with(b"/") {
            Step::Rooted // §4 step 4
        } else if !url.path.is_empty() {
            merge::merge(base.path_to_merge(), url.path, path, removed);
            url.path = path; // §4 step 6
            Step::Merged
        } else {
            url.path = base.path; // §4 step 5
            if !url.params.is_empty() {
                Step::Params
            } else {
                url.params = base.params; // §4 step 5a
                if !url.query.is_empty() {
                    Step::Query
                } else {
                    url.query = base.query; // §4 step 5b
                    Step::Inherited
                }
            }
        }
    };
    Ok(Resolved { parts: url, step, verbatim: None })
}

/// Whether a scheme is never used with relative URLs (§2.3).
pub fn is_unsuitable(scheme: &[u8]) -> bool {
    [&b"mailto"[..], b"news", b"telnet"].iter().any(|name| scheme.eq_ignore_ascii_case(name)) // §2.3
}
