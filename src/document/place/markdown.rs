//! How an answer is written in Markdown.

use pulldown_cmark::{Event, Parser, Tag};

/// What is around a URL or HTML in Markdown, and how often it has each of [`MARKS`] itself: with an answer that has one
/// more often, what is around might be read differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A destination by itself.
    Bare(Counts),
    /// A destination in `<` and `>`.
    Pointy(Counts),
    /// A URL or address in `<` and `>` that is its own text.
    Autolink,
    /// A block of HTML.
    Block,
    /// A tag or a comment in a text. HTML itself leaves only [`TAG_MARKS`] as they are.
    Tag { own: Counts, has_quotes: bool },
    /// A label that a reference definition has, too: it has to stay as it is.
    Label,
}

/// The bytes that may mean something to the Markdown around: with a `<` far before them, or at the start of a line.
const MARKS: [u8; 8] = *b"\"'`|<>[]";

/// A number for each of [`MARKS`].
type Counts = [u32; MARKS.len()];

/// Those of [`MARKS`] that matter in a destination.
const DESTINATION_MARKS: &[u8] = b"\"'`|<>";

/// Those that matter in a tag, and that the value of an attribute may have. A tag with a quote has one around a value,
/// too. A label with a bracket in it is none.
const TAG_MARKS: &[u8] = b"`|[]'";

impl Form {
    /// That of a destination.
    pub fn of_destination(raw: &[u8], is_pointy: bool) -> Self {
        let own = count(raw);
        if is_pointy { Form::Pointy(own) } else { Form::Bare(own) }
    }

    /// That of a tag.
    pub fn of_tag(raw: &[u8]) -> Self {
        Form::Tag { own: count(raw), has_quotes: raw.contains(&b'\'') }
    }

    /// Whether HTML is in it, and no URL.
    pub fn is_html(self) -> bool {
        matches!(self, Form::Block | Form::Tag { .. })
    }

    /// Writes a URL, or a piece of HTML; `None` if it cannot be written there.
    pub fn write(self, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let (marks, own) = match self {
            Form::Bare(own) | Form::Pointy(own) => (DESTINATION_MARKS, own),
            Form::Tag { own, has_quotes } => (tag_marks(has_quotes), own),
            Form::Autolink | Form::Block | Form::Label => (&b""[..], Counts::default()),
        };
        // a mark that the text has is written as it is; another one as a number
        let counts = count(text);
        if (0..MARKS.len()).any(|at| marks.contains(&MARKS[at]) && (1..counts[at]).contains(&own[at])) {
            return None;
        }
        let is_own = |byte| MARKS.iter().zip(own).any(|(mark, own)| *mark == byte && own > 0);
        let (is_pointy, is_destination) = (matches!(self, Form::Pointy(_)), marks == DESTINATION_MARKS);
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
                _ if marks.contains(&byte) && !is_own(byte) => out.extend_from_slice(format!("&#{byte};").as_bytes()),
                b'<' | b'>' if is_pointy => out.extend_from_slice(format!("&#{byte};").as_bytes()),
                _ => out.push(byte),
            }
        }
        Some(())
    }
}

/// The marks that count in a tag.
fn tag_marks(has_quotes: bool) -> &'static [u8] {
    if has_quotes { b"`|[]" } else { TAG_MARKS }
}

/// How often a text has each of [`MARKS`], but for those after a backslash; for `|` in a table, also after two.
fn count(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let (mut is_escaped, mut last) = (false, b' ');
    for byte in text {
        let may_count = !is_escaped && (last, *byte) != (b'\\', b'|');
        (is_escaped, last) = (*byte == b'\\' && may_count, *byte);
        if let Some(at) = MARKS.iter().position(|mark| mark == byte).filter(|_| may_count) {
            counts[at] += 1;
        }
    }
    counts
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
