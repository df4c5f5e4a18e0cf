//! A URL and its six components: §2.1 names them, §2.4 parses them, §4 step 7 recombines them.
//!
//! Each parser takes what is left of §2.4's parse string and returns `(rest, component)`.

use memchr::memchr;

/// The six components of a URL (§2.1), each without its delimiter, as bytes of the text.
///
/// A scheme or net_loc without its delimiter is `None`. In the other four, empty and absent are the
/// same (§2.4.1, §2.4.4, §2.4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Everything before the first `:`, if it can be a scheme name.
    pub scheme: Option<&'a [u8]>,
    /// Everything after `//`, up to the next `/`.
    pub net_loc: Option<&'a [u8]>,
    /// The path, with the slash that may precede it (§2.4.6).
    pub path: &'a [u8],
    /// Everything after the first `;` that is left.
    pub params: &'a [u8],
    /// Everything after the first `?` that is left.
    pub query: &'a [u8],
    /// Everything after the first `#`.
    pub fragment: &'a [u8],
}

/// Splits any bytes into the components of a URL, by the rules of §2.4 in their order. Never fails.
pub fn parse(text: &[u8]) -> Parts<'_> {
    let (rest, fragment) = cut(text, b'#'); // §2.4.1
    let (rest, scheme) = parse_scheme(rest); // §2.4.2
    let (rest, net_loc) = parse_net_loc(rest); // §2.4.3
    let (rest, query) = cut(rest, b'?'); // §2.4.4
    let (path, params) = cut(rest, b';'); // §2.4.5 // silent: reading 8
    Parts {
        scheme,
        net_loc,
        path,                               // §2.4.6
        params: params.unwrap_or_default(), // silent: reading 3
        query: query.unwrap_or_default(),
        fragment: fragment.unwrap_or_default(),
    }
}

/// The text before and after the left-most `delimiter`.
pub fn cut(text: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr(delimiter, text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// The scheme: one or more bytes of a scheme name, before the first `:` (§2.4.2).
pub fn parse_scheme(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let name = text.iter().take_while(|&&byte| is_scheme_byte(byte)).count();
    match text.split_at(name) {
        (name @ [_, ..], [b':', rest @ ..]) => (rest, Some(name)), // silent: reading 9
        _ => (text, None),
    }
}

/// Whether a scheme name may contain `byte`: §2.2 `alpha | digit | "+" | "-" | "."`.
pub fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The net_loc: everything after a leading `//`, up to the next `/` and to nothing else (§2.4.3).
pub fn parse_net_loc(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.strip_prefix(b"//") {
        Some(text) => {
            let end = memchr(b'/', text).unwrap_or(text.len());
            (&text[end..], Some(&text[..end])) // silent: readings 4 and 7
        }
        None => (text, None),
    }
}

impl<'a> Parts<'a> {
    /// The path that step 6 merges a reference with: `/` for a base with a net_loc and no path.
    pub fn path_to_merge(&self) -> &'a [u8] {
        match self.net_loc {
            Some(_) if self.path.is_empty() => b"/", // silent: reading 5
            _ => self.path,
        }
    }

    /// Recombines the components (§4 step 7), calling `put` with each piece. Parsing the result
    /// returns them (law 2), except that the path gains [`Parts::inserted`].
    pub fn recombine(&self, mut put: impl FnMut(&[u8])) {
        if let Some(scheme) = self.scheme {
            put(scheme);
            put(b":");
        }
        if let Some(net_loc) = self.net_loc {
            put(b"//");
            put(net_loc);
        }
        put(self.inserted());
        put(self.path);
        for (delimiter, component) in self.after_path() {
            if !component.is_empty() {
                put(&[delimiter]); // silent: reading 3
                put(component);
            }
        }
    }

    /// What the path needs before it so that it is not parsed as part of the net_loc, nor as one:
    /// `/`, `/.` or nothing.
    pub fn inserted(&self) -> &'static [u8] {
        let empty = self.path.is_empty() && self.params.is_empty() && self.query.is_empty();
        match self.net_loc {
            Some(_) if !empty && !self.path.starts_with(b"/") => b"/", // silent: reading 5
            None if self.path.starts_with(b"//") => b"/.",             // silent: reading 6
            _ => b"",
        }
    }

    /// Where each component ends in `text`, the URL that was parsed; the scheme with its colon.
    /// After the path, a component that is not empty starts one byte after the end before it.
    pub fn ends(&self, text: &[u8]) -> [usize; 6] {
        let scheme = self.scheme.map_or(0, |scheme| scheme.len() + 1);
        let net_loc = scheme + self.net_loc.map_or(0, |net_loc| 2 + net_loc.len());
        let path = net_loc + self.path.len();
        let mut end = path;
        let [params, query, fragment] = self.after_path().map(|(delimiter, component)| {
            if text.get(end) == Some(&delimiter) {
                end += 1 + component.len();
            }
            end
        });
        [scheme, net_loc, path, params, query, fragment]
    }

    /// The components of a URL that was parsed before: `ends` is what [`Parts::ends`] returned.
    pub fn from_ends(text: &'a [u8], [scheme, net_loc, path, params, query, fragment]: [usize; 6]) -> Self {
        let after = |start: usize, end: usize| if end > start { &text[start + 1..end] } else { b"" };
        Parts {
            scheme: (scheme > 0).then(|| &text[..scheme - 1]),
            net_loc: (net_loc > scheme).then(|| &text[scheme + 2..net_loc]),
            path: &text[net_loc..path],
            params: after(path, params),
            query: after(params, query),
            fragment: after(query, fragment),
        }
    }

    /// The components after the path, each with its delimiter.
    fn after_path(&self) -> [(u8, &'a [u8]); 3] {
        [(b';', self.params), (b'?', self.query), (b'#', self.fragment)]
    }
}

/// Whether `text` has a `#`, a `?` and a `;` that nothing follows; `parts` are its own.
pub fn lone_delimiters(text: &[u8], parts: Parts<'_>) -> (bool, bool, bool) {
    let [.., path, params, query, fragment] = parts.ends(text);
    (fragment - query == 1, query - params == 1, params - path == 1)
}
