//! How an answer is written in Markdown.

/// What is around a URL or HTML in Markdown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A destination by itself.
    Bare(MarkdownMarks),
    /// A destination in `<` and `>`.
    Pointy(MarkdownMarks),
    /// A URL or address in `<` and `>` that is its own text.
    Autolink,
    /// A block of HTML.
    Block,
    /// A tag or a comment in a text.
    Tag(MarkdownMarks),
    /// A label that a reference definition has, too: it has to stay as it is.
    Label,
}

/// The bytes that may mean something to the Markdown around: with a `<` far before them, or at the start of a line.
const MARKS: &[u8] = b"\"'`|<>";

/// The [`MARKS`] that a text in Markdown has. They may be in its answer too, because what is around is read with them. New
/// ones, which come first in an answer, are written so that they mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkdownMarks {
    /// The number of each of [`MARKS`], at most 65,535: each link that waits has room for them.
    own: [u16; MARKS.len()],
    /// Whether it is in a table, where `|` is written as `\|`.
    pub is_in_table: bool,
}

/// A number of each of [`MARKS`].
type Counts = [usize; MARKS.len()];

impl MarkdownMarks {
    /// The marks of a text.
    pub fn new(text: &[u8], is_in_table: bool) -> Self {
        let mut is_escaped = false;
        let bytes = text.iter().copied().filter(|byte| {
            let counts = !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
            counts
        });
        let own = count_marks(bytes).map(|count| u16::try_from(count).unwrap_or(u16::MAX));
        MarkdownMarks { own, is_in_table }
    }
}

fn count_marks(bytes: impl Iterator<Item = u8>) -> Counts {
    let mut counts = Counts::default();
    for index in bytes.filter_map(mark_of) {
        counts[index] += 1;
    }
    counts
}

/// The index of a mark.
fn mark_of(byte: u8) -> Option<usize> {
    MARKS.iter().position(|mark| *mark == byte)
}

/// The depth of parentheses that CommonMark promises to read in a destination.
const MAX_PARENTHESES: usize = 3;

impl Form {
    /// Whether HTML is in it, and no URL.
    pub fn is_html(self) -> bool {
        matches!(self, Form::Block | Form::Tag(_))
    }

    /// Writes a URL, or a piece of HTML; `None` if it cannot be written there.
    pub fn write(self, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let text = str::from_utf8(text).ok()?;
        let is_balanced = has_balanced_parentheses(text.as_bytes());
        let own = match self {
            Form::Bare(marks) | Form::Pointy(marks) | Form::Tag(marks) => marks.own,
            Form::Autolink | Form::Block | Form::Label => [0; MARKS.len()],
        };
        let mut left = count_marks(text.bytes());
        for (index, byte) in text.bytes().enumerate() {
            let rest = &text.as_bytes()[index + 1..];
            let is_new = mark_of(byte).is_some_and(|mark| {
                left[mark] -= 1;
                left[mark] >= usize::from(own[mark])
            });
            let needs_number = match (self, byte) {
                (Form::Label, _)
                | (_, b'\0')
                | (Form::Block, b'>')
                | (Form::Autolink, 1..=b' ' | b'<' | b'>' | b'`' | b'|' | 0x7F) => return None,
                (Form::Bare(_), b' ')
                | (Form::Pointy(_), b'<' | b'>')
                | (Form::Bare(_) | Form::Pointy(_), 1..=31 | 0x7F) => true,
                (Form::Bare(_), b'<') if index == 0 => true,
                (Form::Bare(_) | Form::Pointy(_), _) if is_new => true,
                (Form::Tag(_), b'\'' | b'`' | b'|') => is_new,
                (Form::Bare(_) | Form::Pointy(_), b'&') => is_reference(rest),
                _ => false,
            };
            let needs_backslash = match (self, byte) {
                (Form::Bare(_), b'(' | b')') => !is_balanced,
                (Form::Bare(_) | Form::Pointy(_), b'\\') => !rest.first().is_some_and(u8::is_ascii_alphanumeric),
                _ => false,
            };
            if needs_number && byte == b'&' {
                out.extend_from_slice(b"&amp;");
            } else if needs_number {
                out.extend_from_slice(format!("&#{byte};").as_bytes());
            } else {
                out.extend(needs_backslash.then_some(b'\\'));
                out.push(byte);
            }
        }
        Some(())
    }
}

/// Whether the parentheses of a destination need no escapes.
fn has_balanced_parentheses(url: &[u8]) -> bool {
    let mut depth = 0_usize;
    for byte in url {
        match (byte, depth) {
            (b'(', MAX_PARENTHESES) | (b')', 0) => return false,
            (b'(', _) => depth += 1,
            (b')', _) => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Whether a text after `&` makes it a character reference, perhaps an unknown one.
fn is_reference(text: &[u8]) -> bool {
    let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count();
    length > 0 && text.get(length) == Some(&b';')
}
