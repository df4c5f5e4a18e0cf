//! The URL Standard of the WHATWG, by the url crate.

use std::borrow::Cow;

use url::{ParseError, Position, Url};

use super::NoAnswer;
use crate::resolver::{Base, parse};

/// A base as the URL Standard parses it.
#[derive(Default)]
pub struct ParsedBase {
    /// Its text.
    text: Vec<u8>,
    /// What [`read`] makes of it; `None` if it is empty, which is no base.
    url: Option<Result<Url, NoAnswer>>,
}

impl ParsedBase {
    /// The base with a text, parsed again only if that is another one than before.
    fn of(&mut self, text: &[u8]) -> Result<Option<&Url>, NoAnswer> {
        if self.text != text {
            self.text = text.to_vec();
            self.url = (!text.is_empty()).then(|| {
                let text = std::str::from_utf8(text).map_err(|_| NoAnswer::NotUtf8)?;
                read(text, None).map_err(|_| NoAnswer::BaseNotUrl)
            });
        }
        self.url.as_ref().map(|url| url.as_ref().map_err(|why| *why)).transpose()
    }
}

/// Resolves a reference as `new URL(reference, base)` does, and appends the answer, its `href`, to
/// `url`; `parsed` remembers the base.
///
/// # Errors
/// The base cannot be parsed, whatever the reference, or the reference cannot.
pub fn resolve(parsed: &mut ParsedBase, base: &Base<'_>, text: &[u8], url: &mut Vec<u8>) -> Result<(), NoAnswer> {
    let text = std::str::from_utf8(text).map_err(|_| NoAnswer::NotUtf8)?;
    let resolved = read(text, parsed.of(base.text)?)?;
    if resolved.scheme() == "file" || !resolved.path().contains('~') {
        url.extend_from_slice(resolved.as_str().as_bytes());
        return Ok(());
    }
    url.extend_from_slice(resolved[..Position::BeforePath].as_bytes());
    for segment in resolved.path().split_inclusive('/') {
        match after_drive(segment).and_then(|after| after.strip_prefix('~')) {
            Some(after) => {
                url.extend_from_slice(segment.as_bytes().get(..2).unwrap_or_default());
                url.extend_from_slice(after.as_bytes());
            }
            None => url.extend_from_slice(segment.as_bytes()),
        }
    }
    url.extend_from_slice(resolved[Position::AfterPath..].as_bytes());
    Ok(())
}

/// What the url crate makes of a text, mended where it departs from the URL Standard: see [`mend`] and
/// [`hide_drives`]. Nor does it refuse a host that is missing after credentials, or a backslash in a
/// host or port (it takes one behind a `:` for the end of the port), if the scheme is not special.
fn read(text: &str, base: Option<&Url>) -> Result<Url, NoAnswer> {
    let trimmed = text.trim_matches(|char: char| char <= ' ');
    let clean: Cow<'_, str> = if trimmed.contains(is_removed) {
        Cow::Owned(trimmed.chars().filter(|&char| !is_removed(char)).collect())
    } else {
        Cow::Borrowed(trimmed)
    };
    let clean = match base {
        Some(base) => mend(clean, base),
        None => clean,
    };
    let shape = Shape::of(&clean, base);
    if !shape.special {
        let host = shape.authority.rsplit('@').next().unwrap_or_default();
        if host.contains('\\') {
            return Err(NoAnswer::BadHost);
        } else if host.is_empty() && !shape.authority.is_empty() {
            return Err(NoAnswer::NoHost);
        }
    }
    let text = hide_drives(&clean, &shape);
    Url::options().base_url(base).parse(&text).map_err(|error| match error {
        ParseError::RelativeUrlWithoutBase => NoAnswer::NoBase,
        ParseError::RelativeUrlWithCannotBeABaseBase => NoAnswer::OpaqueBase,
        ParseError::EmptyHost => NoAnswer::NoHost,
        ParseError::InvalidPort => NoAnswer::BadPort,
        ParseError::InvalidIpv4Address | ParseError::InvalidIpv6Address => NoAnswer::BadAddress,
        ParseError::Overflow => NoAnswer::TooLong,
        _ => NoAnswer::BadHost,
    })
}

/// A reference that the url crate reads as the URL Standard reads `text`.
///
/// The crate departs from the standard where a reference begins with slashes. With a special base
/// all slashes before the host are one `//` ("special authority ignore slashes state"), not only
/// two. With any other base a backslash is no slash ("relative state", "relative slash state").
fn mend<'a>(clean: Cow<'a, str>, base: &Url) -> Cow<'a, str> {
    let is_slash = |char: char| matches!(char, '/' | '\\');
    if !clean.starts_with(is_slash) || base.scheme() == "file" {
        return clean;
    }
    let after = clean.trim_start_matches(is_slash);
    let slashes = clean.len().saturating_sub(after.len());
    if is_special(base.scheme()) {
        if slashes > 2 { Cow::Owned(format!("//{after}")) } else { clean }
    } else if clean.starts_with('\\') {
        Cow::Owned(format!("./{clean}"))
    } else if let Some(rest) = clean.strip_prefix('/').filter(|rest| rest.starts_with('\\')) {
        Cow::Owned(format!("/./{rest}"))
    } else {
        clean
    }
}

/// How the URL Standard will divide a text.
struct Shape<'a> {
    /// Whether its scheme is `file`, for which all is otherwise; nothing else is told then.
    file: bool,
    /// Whether its scheme is special.
    special: bool,
    /// User, host and port; empty if there are none.
    authority: &'a str,
    /// All that follows.
    path: &'a str,
}

impl<'a> Shape<'a> {
    /// Divides a text that has no white space to be removed.
    fn of(text: &'a str, base: Option<&Url>) -> Self {
        let scheme = parse(text.as_bytes()).scheme.filter(|scheme| scheme.first().is_some_and(u8::is_ascii_alphabetic));
        let (own, rest) = text.split_at_checked(scheme.map_or(0, <[u8]>::len)).unwrap_or_default();
        let rest = if own.is_empty() { rest } else { rest.strip_prefix(':').unwrap_or(rest) };
        let (own, base) = (own.to_ascii_lowercase(), base.map_or("", Url::scheme));
        let inherited = own.is_empty() || own == base;
        let scheme = if own.is_empty() { base } else { own.as_str() };
        let (special, file) = (is_special(scheme), scheme == "file");
        // before the host of a special scheme all slashes are one "//"
        let after = rest.trim_start_matches(['/', '\\']);
        let slashes = rest.len().saturating_sub(after.len());
        let after = if special { Some(after).filter(|_| slashes > 1 || !inherited) } else { rest.strip_prefix("//") };
        let Some(after) = after else { return Shape { file, special, authority: "", path: rest } };
        let end = after.find(|char| matches!(char, '/' | '?' | '#') || special && char == '\\');
        let (authority, path) = after.split_at_checked(end.unwrap_or(after.len())).unwrap_or_default();
        Shape { file, special, authority, path }
    }
}

/// A text in which no segment of the path is a drive letter, for the crate keeps these before a
/// `..` in every scheme, but the standard in `file` only ("shorten a URL's path"): each that begins
/// like one gets a `~` behind it, which is taken from the answer's.
fn hide_drives<'a>(text: &'a str, shape: &Shape<'_>) -> Cow<'a, str> {
    let (path, after) = match shape.path.find(['?', '#']) {
        Some(end) => shape.path.split_at_checked(end).unwrap_or_default(),
        None => (shape.path, ""),
    };
    let ends = |char| char == '/' || shape.special && char == '\\';
    if shape.file || !path.contains([':', '|']) || !path.split(ends).any(|segment| after_drive(segment).is_some()) {
        return Cow::Borrowed(text);
    }
    let before = text.get(..text.len().saturating_sub(shape.path.len())).unwrap_or_default();
    let mut hidden = before.to_owned();
    for segment in path.split_inclusive(ends) {
        match after_drive(segment).and_then(|after| segment.strip_suffix(after).zip(Some(after))) {
            Some((drive, after)) => hidden.extend([drive, "~", after]),
            None => hidden.push_str(segment),
        }
    }
    hidden.push_str(after);
    Cow::Owned(hidden)
}

/// What stands behind a drive letter of Windows, if a segment begins with one.
fn after_drive(segment: &str) -> Option<&str> {
    match segment.as_bytes() {
        [letter, b':' | b'|', ..] if letter.is_ascii_alphabetic() => segment.get(2..),
        _ => None,
    }
}

/// Whether the URL Standard removes a character wherever it stands: "ASCII tab or newline".
fn is_removed(char: char) -> bool {
    matches!(char, '\t' | '\n' | '\r')
}

/// Whether a scheme, in lower case, is one of the URL Standard's "special schemes".
pub fn is_special(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file")
}
