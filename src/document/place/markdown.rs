//! How an answer is written in Markdown.

use pulldown_cmark::{Event, Parser, Tag};

/// What is around a URL or HTML in Markdown, and the number of its own [`MARKS`]: with an answer that has more, what is
/// around might be read differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A destination by itself.
    Bare(usize),
    /// A destination in `<` and `>`.
    Pointy(usize),
    /// A URL or address in `<` and `>` that is its own text.
    Autolink,
    /// A block of HTML.
    Block,
    /// A tag or a comment in a text. HTML itself leaves only [`TAG_MARKS`] as they are.
    Tag { own: usize, has_quotes: bool },
    /// A label that a reference definition has, too: it has to stay as it is.
    Label,
}

/// The bytes that may mean something to the Markdown around: with a `<` far before them, or at the start of a line.
const MARKS: &[u8] = b"\"'`|<>";

/// Those of [`MARKS`] that the value of an attribute may have. A tag with a quote has one around a value, too.
const TAG_MARKS: &[u8] = b"`|'";

impl Form {
    /// That of a destination.
    pub fn of_destination(raw: &[u8], is_pointy: bool) -> Self {
        let own = count(MARKS, raw);
        if is_pointy { Form::Pointy(own) } else { Form::Bare(own) }
    }

    /// That of a tag.
    pub fn of_tag(raw: &[u8]) -> Self {
        let has_quotes = raw.contains(&b'\'');
        Form::Tag { own: count(tag_marks(has_quotes), raw), has_quotes }
    }

    /// Whether HTML is in it, and no URL.
    pub fn is_html(self) -> bool {
        matches!(self, Form::Block | Form::Tag { .. })
    }

    /// Writes a URL, or a piece of HTML; `None` if it cannot be written there.
    pub fn write(self, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let (marks, own) = match self {
            Form::Bare(own) | Form::Pointy(own) => (MARKS, own),
            Form::Tag { own, has_quotes } => (tag_marks(has_quotes), own),
            Form::Autolink | Form::Block | Form::Label => (&b""[..], 0),
        };
        if own > 0 && count(marks, text) > own {
            return None;
        }
        let (is_pointy, is_destination) = (matches!(self, Form::Pointy(_)), marks == MARKS);
        let needs_escapes = is_destination
            && (text.ends_with(b"\\") || read_destination(text, is_pointy).is_none_or(|read| read.as_bytes() != text));
        for &byte in text {
            match byte {
                b'\0' => return None,
                b'>' if self == Form::Block => return None,
                1..=b' ' | b'<' | b'>' | b'`' | b'|' | 0x7F if self == Form::Autolink => return None,
                b'(' | b')' | b'\\' if needs_escapes => out.extend([b'\\', byte]),
                b'&' if needs_escapes => out.extend_from_slice(b"&amp;"),
                b' ' if is_pointy => out.push(byte),
                1..=b' ' | 0x7F if is_destination => out.extend_from_slice(format!("&#{byte};").as_bytes()),
                _ if own == 0 && marks.contains(&byte) => out.extend_from_slice(format!("&#{byte};").as_bytes()),
                b'<' | b'>' if is_pointy => out.extend_from_slice(format!("&#{byte};").as_bytes()),
                _ => out.push(byte),
            }
        }
        Some(())
    }
}

/// The marks that count in a tag.
fn tag_marks(has_quotes: bool) -> &'static [u8] {
    if has_quotes { b"`|" } else { TAG_MARKS }
}

/// The number of marks in a text, but for those after a backslash.
fn count(marks: &[u8], text: &[u8]) -> usize {
    let mut is_escaped = false;
    let counts = |byte: &u8| {
        let is_plain = !is_escaped;
        is_escaped = *byte == b'\\' && is_plain;
        is_plain && marks.contains(byte)
    };
    text.iter().copied().filter(counts).count()
}

/// A destination without its escapes.
pub fn read_destination(raw: &[u8], is_pointy: bool) -> Option<String> {
    let (start, end) = if is_pointy { ("<", ">") } else { ("", "") };
    let raw = String::from_utf8_lossy(raw);
    // the space keeps a backslash at the end from escaping `)`
    Parser::new(&format!("[]({start}{raw}{end} )")).find_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    })
}
