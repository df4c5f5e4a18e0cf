//! RFC 1808 §2.4 and §4 once more, word for word, as plain rewriting of strings: the oracle that the program is
//! measured against. It shares no line with `src`, is not optimized, and is meant to be read next to the RFC: what is in
//! quotation marks is the RFC's own text. Where the RFC is silent or unclear, `reading N` names the decision, by its
//! number in the table of readings of the man page.
//!
//! Readings without a branch of their own. 12: dot segments are those of step 6 and nothing else, `%2e` is no dot.
//! 14: any scheme not named in reading 13 is like any other. 17: bytes are never decoded. 18 is about lines, and a line
//! was taken apart before it came here. 19: `<URL:g>` is a path like any other.

use std::ops::Range;

/// The absolute form of an embedded URL, and how §4 came to it.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The absolute form.
    pub url: Vec<u8>,
    /// What was inherited from the base URL, by name, in the order of §4.
    pub inherited: Vec<&'static str>,
    /// What step 6 removed, in the order of the RFC: the operation, `a` to `d`, and the removed text.
    pub removals: Vec<(char, Vec<u8>)>,
}

/// Why there is no absolute form.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The base URL is the empty string, and the embedded URL is not absolute: reading 16.
    NoBase,
    /// The scheme of the base URL is "never used with relative URLs" (§2.3): reading 13.
    UnsuitableBase,
    /// The base URL is itself relative: reading 15.
    BaseWithoutScheme,
}

/// The six components of §2.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// `None` if the URL is relative.
    pub scheme: Option<Vec<u8>>,
    /// `None` if there is no `//`. Reading 4: an empty one is not an absent one.
    pub net_loc: Option<Vec<u8>>,
    /// With the slash that may precede it, "simply storing the preceding slash along with the path" (§2.4.6).
    pub path: Vec<u8>,
    /// Empty or absent, which are one thing: reading 3.
    pub params: Vec<u8>,
    /// Empty or absent, which are one thing: reading 3.
    pub query: Vec<u8>,
    /// Empty or absent, which are one thing: reading 3.
    pub fragment: Vec<u8>,
}

/// §2.4: "breaking down a URL (relative or absolute) into the component parts". "The rules are listed in the order in
/// which they would be applied by the parser."
pub fn parse(url: &[u8]) -> Components {
    let mut parse_string = url.to_vec();

    // §2.4.1 "If the parse string contains a crosshatch "#" character ..."
    let fragment = take_after_first(b'#', &mut parse_string);

    // §2.4.2 "If the parse string contains a colon ":" after the first character and before any characters not allowed
    // as part of a scheme name (i.e., any not an alphanumeric, plus "+", period ".", or hyphen "-"), the <scheme> of
    // the URL is the substring of characters up to but not including the first colon. These characters and the colon
    // are then removed".
    // Reading 9: at least one character, and it may be any of those. Its case is kept.
    let allowed = |b: &u8| b.is_ascii_alphanumeric() || b"+.-".contains(b);
    let scheme = match parse_string.iter().position(|b| !allowed(b)) {
        Some(colon) if colon > 0 && parse_string[colon] == b':' => {
            let scheme = parse_string[..colon].to_vec();
            parse_string.drain(..=colon);
            Some(scheme)
        }
        _ => None,
    };

    // §2.4.3 "If the parse string begins with a double-slash "//", then the substring of characters after the
    // double-slash and up to, but not including, the next slash "/" character is the network location/login (<net_loc>)
    // of the URL. If no trailing slash "/" is present, the entire remaining parse string is assigned to <net_loc>. The
    // double-slash and <net_loc> are removed".
    // Reading 7: only a slash ends it, "?" and ";" are part of it. Reading 4: it may be empty.
    let net_loc = parse_string.starts_with(b"//").then(|| {
        parse_string.drain(..2);
        let slash = parse_string.iter().position(|&b| b == b'/').unwrap_or(parse_string.len());
        parse_string.drain(..slash).collect()
    });

    // §2.4.4 "If the parse string contains a question mark "?" character ..."
    let query = take_after_first(b'?', &mut parse_string);

    // §2.4.5 "If the parse string contains a semicolon ";" character ..."
    // Reading 8: wherever in the path that is.
    let params = take_after_first(b';', &mut parse_string);

    // §2.4.6 "After the above steps, all that is left of the parse string is the URL <path> and the slash "/" that may
    // precede it."
    Components { scheme, net_loc, path: parse_string, params, query, fragment }
}

/// "The substring after the first (left-most)" `delimiter` "and up to the end of the parse string". "The matched
/// substring, including the" delimiter, "is removed from the parse string before continuing."
/// "If the" delimiter "is the last character, or no" delimiter "is present, then the" component "is empty": reading 3.
fn take_after_first(delimiter: u8, parse_string: &mut Vec<u8>) -> Vec<u8> {
    match parse_string.iter().position(|&b| b == delimiter) {
        Some(first) => parse_string.split_off(first)[1..].to_vec(),
        None => Vec::new(),
    }
}

/// §4: the absolute form of the URL `embedded` in a document whose base URL is `base`.
pub fn resolve(base: &[u8], embedded: &[u8]) -> Result<Answer, Failure> {
    let verbatim = |text: &[u8], inherited: &[&'static str]| {
        Ok(Answer { url: text.to_vec(), inherited: inherited.to_vec(), removals: Vec::new() })
    };

    // Step 1: "If the base URL is the empty string (unknown), the embedded URL is interpreted as an absolute URL and we
    // are done."
    // Reading 16: an absolute URL has a scheme.
    if base.is_empty() {
        return if parse(embedded).scheme.is_some() { verbatim(embedded, &[]) } else { Err(Failure::NoBase) };
    }

    // Step 2: "Both the base and embedded URLs are parsed into their component parts as described in Section 2.4."
    let base_url = parse(base);
    let mut url = parse(embedded);

    // Reading 15: §2 asks for an absolute base URL, whatever is embedded.
    let Some(base_scheme) = base_url.scheme else { return Err(Failure::BaseWithoutScheme) };

    // a) "If the embedded URL is entirely empty, it inherits the entire base URL (i.e., is set equal to the base URL)
    //    and we are done."
    // Reading 1: verbatim, fragment and all. Reading 3: `#` and `?` are not entirely empty.
    if embedded.is_empty() {
        return verbatim(base, &["scheme", "net_loc", "path", "params", "query", "fragment"]);
    }
    // b) "If the embedded URL starts with a scheme name, it is interpreted as an absolute URL and we are done."
    // Reading 2: verbatim.
    if url.scheme.is_some() {
        return verbatim(embedded, &[]);
    }
    // Reading 13: §2.3 has three schemes that "are never used with relative URLs", in any case of letters.
    if ["mailto", "news", "telnet"].iter().any(|never| base_scheme.eq_ignore_ascii_case(never.as_bytes())) {
        return Err(Failure::UnsuitableBase);
    }
    // c) "Otherwise, the embedded URL inherits the scheme of the base URL."
    url.scheme = Some(base_scheme);
    let mut inherited = vec!["scheme"];
    let mut removals = Vec::new();

    'skip_to_step_7: {
        // Step 3: "If the embedded URL's <net_loc> is non-empty, we skip to Step 7. Otherwise, the embedded URL
        // inherits the <net_loc> (if any) of the base URL."
        // Reading 4: an empty one is replaced too, even by an absent one.
        if url.net_loc.as_ref().is_some_and(|net_loc| !net_loc.is_empty()) {
            break 'skip_to_step_7;
        }
        url.net_loc = base_url.net_loc;
        inherited.push("net_loc");

        // Step 4: "If the embedded URL path is preceded by a slash "/", the path is not relative and we skip to Step 7."
        if url.path.starts_with(b"/") {
            break 'skip_to_step_7;
        }

        // Step 5: "If the embedded URL path is empty (and not preceded by a slash), then the embedded URL inherits the
        // base URL path, and"
        // Reading 12: as it is, dots and all.
        if url.path.is_empty() {
            url.path = base_url.path;
            inherited.push("path");
            // a) "if the embedded URL's <params> is non-empty, we skip to step 7; otherwise, it inherits the <params>
            //    of the base URL (if any) and"
            if !url.params.is_empty() {
                break 'skip_to_step_7;
            }
            url.params = base_url.params;
            inherited.push("params");
            // b) "if the embedded URL's <query> is non-empty, we skip to step 7; otherwise, it inherits the <query> of
            //    the base URL (if any) and we skip to step 7."
            if !url.query.is_empty() {
                break 'skip_to_step_7;
            }
            url.query = base_url.query;
            inherited.push("query");
            break 'skip_to_step_7;
        }

        // Step 6
        // Reading 5: a base URL with a <net_loc> and an empty path has the path "/" here.
        let no_path = url.net_loc.is_some() && base_url.path.is_empty();
        let base_path = if no_path { b"/".to_vec() } else { base_url.path };
        (url.path, removals) = step_6(base_path, &url.path);
    }

    // Step 7: "The resulting URL components, including any inherited from the base URL, are recombined to give the
    // absolute form of the embedded URL."
    Ok(Answer { url: recombine(&url), inherited, removals })
}

/// §4 step 6: the new path, and what was removed from it.
fn step_6(base_path: Vec<u8>, embedded_path: &[u8]) -> (Vec<u8>, Vec<(char, Vec<u8>)>) {
    let mut path = base_path;
    let mut removals = Vec::new();
    let mut remove = |operation, path: &mut Vec<u8>, place| removals.push((operation, path.drain(place).collect()));

    // "The last segment of the base URL's path (anything following the rightmost slash "/", or the entire path if no
    // slash is present) is removed and the embedded URL's path is appended in its place."
    // Reading 12: also where that last segment is `..`.
    let rightmost_slash = path.iter().rposition(|&b| b == b'/');
    path.truncate(rightmost_slash.map_or(0, |slash| slash + 1));
    path.extend_from_slice(embedded_path);

    // "The following operations are then applied, in order, to the new path:"
    // Reading 11: to the text as it then is, each operation once.
    let dot = |segment: &[u8]| segment == b".";
    let not_dot_dot = |segment: &[u8]| segment != b"..";

    // a) "All occurrences of "./", where "." is a complete path segment, are removed."
    while let Some(place) = matches(&path, dot, b"/").first().cloned() {
        remove('a', &mut path, place);
    }
    // b) "If the path ends with "." as a complete path segment, that "." is removed."
    if let Some(place) = matches(&path, dot, b"").last().filter(|place| place.end == path.len()).cloned() {
        remove('b', &mut path, place);
    }
    // c) "All occurrences of "<segment>/../", where <segment> is a complete path segment not equal to "..", are
    //    removed. Removal of these path segments is performed iteratively, removing the leftmost matching pattern on
    //    each iteration, until no matching pattern remains."
    while let Some(place) = matches(&path, not_dot_dot, b"/../").first().cloned() {
        remove('c', &mut path, place);
    }
    // d) "If the path ends with "<segment>/..", where <segment> is a complete path segment not equal to "..", that
    //    "<segment>/.." is removed."
    if let Some(place) = matches(&path, not_dot_dot, b"/..").last().filter(|place| place.end == path.len()).cloned() {
        remove('d', &mut path, place);
    }

    (path, removals)
}

/// The places in `path`, from left to right, of a complete segment that is `wanted`, followed by `tail`.
///
/// Reading 10: a slash at the start of the path, as it is at this moment, precedes the first segment and ends no segment;
/// everywhere else an empty segment is a segment.
fn matches(path: &[u8], wanted: impl Fn(&[u8]) -> bool, tail: &[u8]) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut start = usize::from(path.starts_with(b"/"));
    for segment in path[start..].split(|&b| b == b'/') {
        let end = start + segment.len();
        if wanted(segment) && path[end..].starts_with(tail) {
            places.push(start..end + tail.len());
        }
        start = end + 1;
    }
    places
}

/// §4 step 7: `<scheme>://<net_loc>/<path>;<params>?<query>#<fragment>` (§2.1), of that what is there.
fn recombine(url: &Components) -> Vec<u8> {
    let after = |delimiter: &[u8], component: &[u8]| match component {
        b"" => Vec::new(), // Reading 3: an empty component has no delimiter.
        _ => [delimiter, component].concat(),
    };
    let mut rest = [url.path.clone(), after(b";", &url.params), after(b"?", &url.query)].concat();

    let net_loc = if let Some(net_loc) = &url.net_loc {
        // Reading 5: no part of the rest may become part of the net_loc.
        if !rest.is_empty() && !rest.starts_with(b"/") {
            rest.insert(0, b'/');
        }
        [b"//", net_loc.as_slice()].concat()
    } else {
        // Reading 6: no part of the path may become a net_loc.
        if url.path.starts_with(b"//") {
            rest.splice(..0, *b"/.");
        }
        Vec::new()
    };

    let scheme = url.scheme.iter().flat_map(|scheme| [scheme.as_slice(), b":"].concat()).collect();
    [scheme, net_loc, rest, after(b"#", &url.fragment)].concat()
}
