//! The URL Standard of the WHATWG, by the url crate.

use std::borrow::Cow;

use url::{ParseError, Url};

use super::NoAnswer;
use crate::resolver::{Base, parse};

/// A base as the URL Standard parses it.
#[derive(Default)]
pub struct ParsedBase {
    /// Its text.
    text: Vec<u8>,
    /// What it is; `None` if it is empty, which is no base.
    url: Option<Result<Url, NoAnswer>>,
}

impl ParsedBase {
    /// The base with a text, parsed again only if that is another one than before.
    fn of(&mut self, text: &[u8]) -> Result<Option<&Url>, NoAnswer> {
        if self.text != text {
            self.text = text.to_vec();
            self.url = (!text.is_empty()).then(|| {
                let text = std::str::from_utf8(text).map_err(|_| NoAnswer::NotUtf8)?;
                let url = Url::parse(text).map_err(|_| NoAnswer::BaseNotUrl)?;
                if has_backslash_host(text, None) { Err(NoAnswer::BaseNotUrl) } else { Ok(url) }
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
    let base = parsed.of(base.text)?;
    let text = match base {
        Some(base) => mend(text, base),
        None => Cow::Borrowed(text),
    };
    if has_backslash_host(&text, base) {
        return Err(NoAnswer::BadHost);
    }
    let resolved = Url::options().base_url(base).parse(&text).map_err(|error| match error {
        ParseError::RelativeUrlWithoutBase => NoAnswer::NoBase,
        ParseError::RelativeUrlWithCannotBeABaseBase => NoAnswer::OpaqueBase,
        ParseError::EmptyHost => NoAnswer::NoHost,
        ParseError::InvalidPort => NoAnswer::BadPort,
        ParseError::InvalidIpv4Address | ParseError::InvalidIpv6Address => NoAnswer::BadAddress,
        ParseError::Overflow => NoAnswer::TooLong,
        _ => NoAnswer::BadHost,
    })?;
    url.extend_from_slice(resolved.as_str().as_bytes());
    Ok(())
}

/// A reference that the url crate reads as the URL Standard reads `text`.
///
/// The crate departs from the standard where a reference begins with slashes. With a special base
/// all slashes before the host are one `//` ("special authority ignore slashes state"), not only
/// two. With any other base a backslash is no slash ("relative state", "relative slash state").
fn mend<'a>(text: &'a str, base: &Url) -> Cow<'a, str> {
    let is_slash = |char: char| matches!(char, '/' | '\\');
    let trimmed = text.trim_matches(|char: char| char <= ' ');
    if !trimmed.starts_with(|char| is_slash(char) || is_removed(char)) || base.scheme() == "file" {
        return Cow::Borrowed(text);
    }
    let clean: Cow<'_, str> = if trimmed.contains(is_removed) {
        Cow::Owned(trimmed.chars().filter(|&char| !is_removed(char)).collect())
    } else {
        Cow::Borrowed(trimmed)
    };
    let after = clean.trim_start_matches(is_slash);
    let slashes = clean.len().saturating_sub(after.len());
    if is_special(base.scheme()) {
        if slashes > 2 { Cow::Owned(format!("//{after}")) } else { Cow::Borrowed(text) }
    } else if clean.starts_with('\\') {
        Cow::Owned(format!("./{clean}"))
    } else if let Some(rest) = clean.strip_prefix('/').filter(|rest| rest.starts_with('\\')) {
        Cow::Owned(format!("/./{rest}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a text that does not get a special scheme has a backslash in its host or port, which the
/// URL Standard forbids there; the crate takes one behind a `:` for the end of the port.
fn has_backslash_host(text: &str, base: Option<&Url>) -> bool {
    if !text.contains('\\') {
        return false;
    }
    let clean: String = text.trim_matches(|char: char| char <= ' ').chars().filter(|&char| !is_removed(char)).collect();
    let (scheme, rest) = match (parse(clean.as_bytes()).scheme, base) {
        (Some(scheme), _) => clean.split_at_checked(scheme.len().saturating_add(1)).unwrap_or_default(),
        (None, Some(base)) => (base.scheme(), clean.as_str()),
        (None, None) => return false,
    };
    let special = is_special(&scheme.trim_end_matches(':').to_ascii_lowercase());
    let authority = rest.strip_prefix("//").filter(|_| !special).unwrap_or_default();
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default().contains('\\')
}

/// Whether the URL Standard removes a character wherever it stands: "ASCII tab or newline".
fn is_removed(char: char) -> bool {
    matches!(char, '\t' | '\n' | '\r')
}

/// Whether a scheme, in lower case, is one of the URL Standard's "special schemes".
pub fn is_special(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file")
}
