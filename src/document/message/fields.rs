//! The header fields that have links, each by its own grammar. A field may be folded: a line end in a URL, and the
//! white space around it, are no part of it.

use std::ops::Range;

use memchr::{memchr, memrchr};

use super::url::{decode_words, without_comments};
use crate::document::holds::Holds;
use crate::document::values::Options;

/// How the value of a field has links.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    /// Those of RFC 8288, each in `<` and `>` with its parameters.
    Link,
    /// It is one URL (RFC 9110).
    Whole,
    /// A time, then perhaps a URL (HTML Standard).
    Refresh,
    /// Whatever may be a URL in that.
    AnyRefresh,
    /// URLs in `<` and `>`, with commas between them, and comments (RFC 2369).
    List,
    /// Those to which a Content-Security-Policy has violations reported, all of a directive as one text.
    Reports,
    /// Each quoted string that may be a URL with a host, in structured fields (RFC 9651) and in JSON.
    Strings,
    /// Any text of a Link field in `<` and `>`: programs differ in where quotes and links end.
    Suspected,
}

use Grammar::{AnyRefresh, Link, List, Refresh, Reports, Strings, Suspected, Whole};

/// The fields that have links, in lower case.
#[rustfmt::skip]
static FIELDS: &[(&str, Grammar)] = &[
    ("link", Link), ("location", Whole), ("refresh", Refresh),
    ("list-archive", List), ("list-help", List), ("list-owner", List), ("list-post", List), ("list-subscribe", List),
    ("list-unsubscribe", List),
    ("content-security-policy", Reports), ("content-security-policy-report-only", Reports),
    ("speculation-rules", Strings), ("reporting-endpoints", Strings), ("report-to", Strings), ("nel", Strings),
];

/// A field that may have links.
#[derive(Clone)]
pub struct LinkField {
    pub name: &'static str,
    pub grammar: Grammar,
    /// Where its value is in the text.
    pub value: Range<usize>,
    /// The line where it starts.
    pub line: u64,
    /// Whether it is that of early hints, a response before the last one.
    pub is_hint: bool,
}

impl LinkField {
    /// A field that has a name; `None` if it has no links.
    pub fn new(name: &[u8], value: Range<usize>, line: u64) -> Option<Self> {
        let (name, grammar) = *FIELDS.iter().find(|(its, _)| name.eq_ignore_ascii_case(its.as_bytes()))?;
        Some(LinkField { name, grammar, value, line, is_hint: false })
    }

    /// The field in the grammar in which it is read: in a wary run, the one that finds all that something may read.
    /// `None` if it is not read.
    pub fn as_read(&self, options: &Options) -> Option<Self> {
        match self.grammar {
            Link if options.wary => Some(LinkField { grammar: Suspected, ..self.clone() }),
            Refresh if options.wary => Some(LinkField { grammar: AnyRefresh, ..self.clone() }),
            grammar => (options.wary || !self.is_hint && !matches!(grammar, Reports | Strings)).then(|| self.clone()),
        }
    }
}

/// A link in the value of a field.
pub struct FieldLink {
    /// Where its URL is in the value.
    pub url: Range<usize>,
    /// The text of its first `rel`, without quotes.
    pub rel: Option<Vec<u8>>,
    /// Where the next link is searched from.
    pub next: usize,
}

impl Grammar {
    /// The text of an encoded value: some programs encode a list of URLs as if it were words (RFC 2047).
    pub fn decoded(self, value: &[u8]) -> Option<Vec<u8>> {
        let value = value.trim_ascii_start();
        if self == List && value.starts_with(b"=?") { decode_words(value) } else { None }
    }

    /// The bytes of a URL that is written like this.
    pub fn unfolded(self, url: &[u8]) -> Vec<u8> {
        match self {
            List => url.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect(),
            Reports => url.to_vec(),
            Strings => unescaped(url),
            Link | Suspected | Whole | Refresh | AnyRefresh => {
                url.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect::<Vec<_>>().concat()
            }
        }
    }

    /// How a URL that was found is held.
    pub fn holds(self) -> Holds {
        match self {
            Link | Suspected => Holds::Url,
            Whole | Refresh | AnyRefresh | List | Strings => Holds::NonEmpty,
            Reports => Holds::Spaced,
        }
    }

    /// The first link of a value from an offset on.
    pub fn next_link(self, value: &[u8], start: usize) -> Option<FieldLink> {
        let rest = &value[start..];
        let (url, rel, rest) = match self {
            Link => link_value(rest)?,
            List => list_item(rest, start == 0)?,
            Reports => reports(rest)?,
            Strings => string(rest)?,
            Suspected => suspected(rest)?,
            Whole => whole(Holds::NonEmpty, value, start)?,
            Refresh => whole(Holds::Refresh, value, start)?,
            AnyRefresh => whole(Holds::AnyRefresh, value, start)?,
        };
        let at = url.as_ptr().addr() - value.as_ptr().addr();
        Some(FieldLink { url: at..at + url.len(), rel, next: value.len() - rest.len() })
    }
}

/// A link: its URL, its `rel`, and what is after it.
type Found<'t> = (&'t [u8], Option<Vec<u8>>, &'t [u8]);

/// The next URL of a value that holds it as an attribute does.
fn whole(holds: Holds, value: &[u8], start: usize) -> Option<Found<'_>> {
    let (url, next) = holds.next_url(value, start)?;
    Some((&value[url], None, &value[next.unwrap_or(value.len())..]))
}

/// The first link of a Link field without an anchor, by RFC 8288, appendix B.2. Text that is no parameter is skipped up
/// to a comma.
fn link_value(value: &[u8]) -> Option<Found<'_>> {
    let mut rest = value;
    loop {
        let start = rest.iter().position(|byte| *byte != b',' && !byte.is_ascii_whitespace())?;
        let target = rest[start..].strip_prefix(b"<")?;
        let end = memchr(b'>', target)?;
        rest = &target[end + 1..];
        let (rel, is_anchored, after) = parameters(rest);
        rest = &after[memchr(b',', after).unwrap_or(after.len())..];
        if !is_anchored {
            return Some((target[..end].trim_ascii(), rel, rest));
        }
    }
}

/// The first `rel` of the parameters at the start of a text, whether there is an anchor, and what is after them.
fn parameters(mut text: &[u8]) -> (Option<Vec<u8>>, bool, &[u8]) {
    let (mut rel, mut is_anchored) = (None, false);
    while let Some(parameter) = text.trim_ascii_start().strip_prefix(b";") {
        let (name, value, after) = parameter_of(parameter);
        is_anchored |= name.eq_ignore_ascii_case(b"anchor");
        if name.eq_ignore_ascii_case(b"rel") && rel.is_none() {
            rel = Some(value);
        }
        text = after;
    }
    (rel, is_anchored, text)
}

/// The first text in `<` and `>`, of a text with several `<` from the first and from the last of them on.
fn suspected(value: &[u8]) -> Option<Found<'_>> {
    let start = memchr(b'<', value)?;
    let end = start + memchr(b'>', &value[start..])?;
    let last = memrchr(b'<', &value[..end]).unwrap_or(start);
    let next = if last > start { last } else { end };
    let after = &value[end + 1..];
    let (rel, ..) = parameters(&after[..memchr(b'<', after).unwrap_or(after.len())]);
    Some((value[start + 1..end].trim_ascii(), rel, &value[next..]))
}

/// The name and the value of a parameter, and what is after it (RFC 8288, appendix B.3).
fn parameter_of(text: &[u8]) -> (&[u8], Vec<u8>, &[u8]) {
    let text = text.trim_ascii_start();
    let is_end = |byte: &u8| matches!(byte, b'=' | b';' | b',') || byte.is_ascii_whitespace();
    let (name, rest) = text.split_at(text.iter().position(is_end).unwrap_or(text.len()));
    let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else { return (name, Vec::new(), rest) };
    let value = value.trim_ascii_start();
    if let Some(quoted) = value.strip_prefix(b"\"") {
        let (text, rest) = quoted_string(quoted);
        return (name, text, rest);
    }
    let (value, rest) = value.split_at(value.iter().position(|byte| b";,".contains(byte)).unwrap_or(value.len()));
    (name, value.trim_ascii_end().to_vec(), rest)
}

/// What is in a quoted string after its first quote, and what is after it (RFC 8288, appendix B.4).
fn quoted_string(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let (mut inside, mut is_quoted) = (Vec::new(), false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' if !is_quoted => return (inside, &text[at + 1..]),
            b'\\' if !is_quoted => {
                is_quoted = true;
                continue;
            }
            b'\r' | b'\n' => {}
            byte => inside.push(*byte),
        }
        is_quoted = false;
    }
    (inside, b"")
}

/// The first quoted string that begins like a URL with a host.
fn string(value: &[u8]) -> Option<Found<'_>> {
    let mut rest = value;
    loop {
        let text = &rest[memchr(b'"', rest)? + 1..];
        let (_, after) = quoted_string(text);
        let text = &text[..text.len() - after.len()];
        let text = text.strip_suffix(b"\"").unwrap_or(text);
        if Holds::Suspected.next_url(&unescaped(text), 0).is_some() {
            return Some((text, None, after));
        }
        rest = after;
    }
}

/// The first URL of a list: RFC 2369 ends it at what is no URL in brackets.
fn list_item(text: &[u8], is_first: bool) -> Option<Found<'_>> {
    let text = without_comments(text);
    let text = if is_first { text } else { without_comments(text.strip_prefix(b",")?) };
    let inside = text.strip_prefix(b"<")?;
    let (url, rest) = inside.split_at(memchr(b'>', inside)?);
    Some((url.trim_ascii(), None, &rest[1..]))
}

/// The URLs of the first directive `report-uri` of policies, which commas separate.
fn reports(policies: &[u8]) -> Option<Found<'_>> {
    let mut rest = policies;
    while !rest.is_empty() {
        let (directive, after) = rest.split_at(rest.iter().position(|byte| b";,".contains(byte)).unwrap_or(rest.len()));
        let directive = directive.trim_ascii_start();
        let name = directive.iter().position(u8::is_ascii_whitespace).unwrap_or(directive.len());
        if directive[..name].eq_ignore_ascii_case(b"report-uri") {
            return Some((directive[name..].trim_ascii(), None, after));
        }
        rest = after.get(1..).unwrap_or_default();
    }
    None
}

/// The content of a quoted string of a structured field or of JSON: control characters as white space.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let (mut content, mut rest) = (Vec::new(), text);
    while let Some(at) = memchr(b'\\', rest) {
        content.extend_from_slice(&rest[..at]);
        let code = rest.get(at + 2..at + 6).and_then(|code| u32::from_str_radix(str::from_utf8(code).ok()?, 16).ok());
        let (char, length) = match (rest.get(at + 1), code.and_then(char::from_u32)) {
            (Some(b'u'), Some(char)) => (char, 6),
            (Some(b'b' | b'f'), _) => (' ', 2),
            (Some(b'n' | b'r' | b't'), _) => ('\t', 2),
            (byte, _) => (byte.map_or(' ', |byte| char::from(*byte)), 2),
        };
        content.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        rest = rest.get(at + length..).unwrap_or_default();
    }
    content.extend_from_slice(rest);
    content
}
