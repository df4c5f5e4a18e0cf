//! A URL and its six components: §2.1 names them, §2.4 parses them, §4 step 7 recombines them.
//!
//! Each parser below takes what is left of §2.4's parse string and returns `(rest, component)`.

use memchr::memchr;

/// The six components of a URL (§2.1), each without its delimiter, as the bytes that came.
///
/// `None` for scheme and net_loc: the delimiter was not there. In the other four an empty and an
/// absent component are one thing (§2.4.1, §2.4.4, §2.4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts<'a> {
    /// What stands before the first `:`, if it may be a scheme name.
    pub scheme: Option<&'a [u8]>,
    /// What follows `//`, up to the next `/`.
    pub net_loc: Option<&'a [u8]>,
    /// The path with the slash that may precede it (§2.4.6).
    pub path: &'a [u8],
    /// What follows the first `;` that is left.
    pub params: &'a [u8],
    /// What follows the first `?` that is left.
    pub query: &'a [u8],
    /// What follows the first `#`.
    pub fragment: &'a [u8],
}

/// Splits any bytes into the components of a URL, by the rules of §2.4 in their order. Never fails.
pub fn parse(text: &[u8]) -> Parts<'_> {
    let (rest, fragment) = cut(text, b'#'); // §2.4.1
    let (rest, scheme) = scheme(rest); // §2.4.2
    let (rest, net_loc) = net_loc(rest); // §2.4.3
    let (rest, query) = cut(rest, b'?'); // §2.4.4
    let (path, params) = cut(rest, b';'); // §2.4.5 // silent: reading 8
    Parts {
        scheme,
        net_loc,
        path, // §2.4.6
        params,
        query,
        fragment,
    }
}

/// What stands before the left-most `delimiter`, and what stands after it: empty if it is the last
/// byte or not there at all (`// silent: reading 3`).
fn cut(text: &[u8], delimiter: u8) -> (&[u8], &[u8]) {
    match memchr(delimiter, text) {
        Some(place) => (text.split_at(place).0, text.split_at(place + 1).1),
        None => (text, b""),
    }
}

/// The scheme: one or more bytes allowed in a scheme name, before the first `:` (§2.4.2).
fn scheme(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let name = text.iter().take_while(|&&byte| is_scheme_byte(byte)).count();
    match text.split_at(name) {
        (name @ [_, ..], [b':', rest @ ..]) => (rest, Some(name)), // silent: reading 9
        _ => (text, None),
    }
}

/// Whether `byte` may stand in a scheme name: §2.2 `alpha | digit | "+" | "-" | "."`.
pub fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The net_loc: what follows a leading `//`, up to the next `/` and to nothing else (§2.4.3).
fn net_loc(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.strip_prefix(b"//") {
        Some(text) => {
            let end = memchr(b'/', text).unwrap_or(text.len());
            let (net_loc, rest) = text.split_at(end); // silent: readings 4 and 7
            (rest, Some(net_loc))
        }
        None => (text, None),
    }
}

impl Parts<'_> {
    /// Gives out the URL that the components make together (§4 step 7), piece by piece. Parsing it
    /// gives them back (law 2), except that the path gains what [`Parts::put_in`] tells.
    pub fn recombine(&self, mut put: impl FnMut(&[u8])) {
        if let Some(scheme) = self.scheme {
            put(scheme);
            put(b":");
        }
        if let Some(net_loc) = self.net_loc {
            put(b"//");
            put(net_loc);
        }
        put(self.put_in());
        put(self.path);
        for (delimiter, component) in [(b";", self.params), (b"?", self.query), (b"#", self.fragment)] {
            if !component.is_empty() {
                put(delimiter); // silent: reading 3
                put(component);
            }
        }
    }

    /// What has to stand before the path lest a parser take it for a part of the net_loc: `/`, `/.`
    /// or nothing.
    pub fn put_in(&self) -> &'static [u8] {
        let empty = self.path.is_empty() && self.params.is_empty() && self.query.is_empty();
        match self.net_loc {
            Some(_) if !empty && !self.path.starts_with(b"/") => b"/", // silent: reading 5
            None if self.path.starts_with(b"//") => b"/.",             // silent: reading 6
            _ => b"",
        }
    }
}

/// Whether a URL has a `#`, a `?` and a `;` that nothing follows; `parts` are its own.
pub fn lone_delimiters(text: &[u8], parts: Parts<'_>) -> (bool, bool, bool) {
    let fragment = text.ends_with(b"#") && parts.fragment.is_empty();
    let before = text.splitn(2, |&byte| byte == b'#').next().unwrap_or_default();
    let prefix =
        parts.scheme.map_or(0, |scheme| scheme.len() + 1) + parts.net_loc.map_or(0, |net_loc| net_loc.len() + 2);
    let rest = before.get(prefix..).unwrap_or_default();
    let query = rest.ends_with(b"?") && parts.query.is_empty();
    let before = rest.splitn(2, |&byte| byte == b'?').next().unwrap_or_default();
    (fragment, query, before.ends_with(b";") && parts.params.is_empty())
}
