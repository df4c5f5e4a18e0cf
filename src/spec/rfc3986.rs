//! RFC 3986 §5; what a URI is says iri-string. Here `§` means RFC 3986.
//!
//! The dots are removed here, as iri-string looks at a path anew for each few segments of it: a
//! path of a million segments would take hours.

use iri_string::types::{UriAbsoluteStr, UriReferenceStr};
use memchr::{memchr, memrchr};

use super::NoAnswer;
use crate::resolver::Base;

/// A base for references that need none.
const NO_BASE: &str = "none:";

/// Resolves a reference by §5.2, strictly (§5.2.2), and appends the answer to `url`.
///
/// The base is looked at only if the reference has no scheme (§5.2.2); its fragment never (§5.1).
/// A path that would begin with `//` where there is no authority, which §3.3 forbids, gets `/.`
/// before it.
///
/// # Errors
/// The reference is no `URI-reference`, or it is relative and the base is no `absolute-URI`.
pub fn resolve(base: &Base<'_>, text: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
    let text = std::str::from_utf8(text).map_err(|_| NoAnswer::NotUtf8)?;
    let reference: &UriReferenceStr = text.try_into().map_err(|_| NoAnswer::NotUri)?;
    let scheme = reference.scheme_str();
    let base_text = match base.text.splitn(2, |&byte| byte == b'#').next() {
        _ if scheme.is_some() => NO_BASE,
        None | Some([]) => return Err(NoAnswer::NoBase),
        Some(base) => std::str::from_utf8(base).map_err(|_| NoAnswer::NotUtf8)?,
    };
    let base: &UriAbsoluteStr = base_text.try_into().map_err(|_| NoAnswer::BaseNotUri)?;

    let (path, query) = (reference.path_str(), reference.query_str());
    let is_own = scheme.is_some() || reference.authority_str().is_some();
    let authority = if is_own { reference.authority_str() } else { base.authority_str() };
    url.extend_from_slice(scheme.unwrap_or(base.scheme_str()).as_bytes());
    url.push(b':');
    put(url, b"//", authority);
    let start = url.len();
    if is_own || path.starts_with('/') {
        remove_dots(path.as_bytes(), url);
    } else if path.is_empty() {
        url.extend_from_slice(base.path_str().as_bytes());
    } else {
        let base_path = base.path_str();
        let directory = match memrchr(b'/', base_path.as_bytes()) {
            Some(slash) => base_path.as_bytes().get(..=slash).unwrap_or_default(),
            None if authority.is_some() => b"/", // §5.2.3
            None => b"",
        };
        remove_dots(&[directory, path.as_bytes()].concat(), url);
    }
    if authority.is_none() && url.split_at(start).1.starts_with(b"//") {
        url.splice(start..start, *b"/.");
    }
    put(url, b"?", if is_own || !path.is_empty() { query } else { query.or(base.query_str()) });
    put(url, b"#", reference.fragment_str());
    Ok(())
}

/// Appends a component with what stands before it, if it is there (§5.3).
fn put(url: &mut Vec<u8>, before: &[u8], component: Option<&str>) {
    if let Some(component) = component {
        url.extend_from_slice(before);
        url.extend_from_slice(component.as_bytes());
    }
}

/// Appends a path without its dot segments, by the letter of §5.2.4; the rules there are A to E.
fn remove_dots(path: &[u8], out: &mut Vec<u8>) {
    let (start, mut input) = (out.len(), path);
    let pop = |out: &mut Vec<u8>| {
        let last = memrchr(b'/', out.split_at(start).1).unwrap_or_default();
        out.truncate(start.saturating_add(last));
    };
    while let [first, after @ ..] = input {
        input = match input {
            [b'.', b'.', b'/', rest @ ..] | [b'.', b'/', rest @ ..] => rest, // A
            [b'/', b'.', b'/', ..] => after.split_at(1).1,                   // B
            b"/." => b"/",
            [b'/', b'.', b'.', b'/', ..] => {
                pop(out); // C
                after.split_at(2).1
            }
            b"/.." => {
                pop(out);
                b"/"
            }
            b"." | b".." => b"", // D
            _ => {
                let (segment, rest) = after.split_at(memchr(b'/', after).unwrap_or(after.len())); // E
                out.push(*first);
                out.extend_from_slice(segment);
                rest
            }
        };
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test says no by a panic")]
mod tests {
    use iri_string::types::{UriAbsoluteStr, UriReferenceStr};

    use super::resolve;
    use crate::resolver::Base;

    /// What iri-string answers, whose own resolution is quadratic, but right for short paths.
    fn plainly(base: &str, reference: &str) -> Option<String> {
        let (base, reference): (&UriAbsoluteStr, &UriReferenceStr) =
            (base.try_into().ok()?, reference.try_into().ok()?);
        Some(reference.resolve_against(base).to_string())
    }

    #[test]
    fn every_short_reference_has_the_answer_of_iri_string() {
        let bases = ["http://a/b/c/d;p?q", "http://a", "s:b/c", "s:/b//c/.", "s:", "s://a/../b/..?q"];
        let mut references = vec![String::new()];
        let mut first = 0;
        for _ in 0..6 {
            let end = references.len();
            for at in first..end {
                for byte in [':', '/', '?', '#', '.', 'g'] {
                    references.push(format!("{}{byte}", references[at]));
                }
            }
            first = end;
        }
        for base in bases {
            let parsed = Base::new(base.as_bytes()).unwrap();
            for reference in &references {
                let mut url = Vec::new();
                let answer =
                    resolve(&parsed, reference.as_bytes(), &mut url).ok().map(|()| String::from_utf8(url).unwrap());
                assert_eq!(answer, plainly(base, reference), "{base} {reference}");
            }
        }
    }
}
