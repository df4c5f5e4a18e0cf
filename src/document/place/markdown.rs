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
/// ones are written so that they mean nothing.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct MarkdownMarks {
    /// A bit for each of [`MARKS`].
    own: u8,
    /// Whether it is in a table, where `|` is written as `\|`.
    pub is_in_table: bool,
}

impl MarkdownMarks {
    /// The marks of a text.
    pub fn new(text: &[u8], is_in_table: bool) -> Self {
        let mut own = 0;
        for (index, byte) in text.iter().enumerate() {
            if index == 0 || text[index - 1] != b'\\' {
                own |= bit(*byte);
            }
        }
        MarkdownMarks { own: if is_in_table { own & !bit(b'|') } else { own }, is_in_table }
    }

    /// Whether a byte is a mark that the text does not have.
    fn is_new(self, byte: u8) -> bool {
        bit(byte) & !self.own != 0
    }
}

/// The bit of a mark; 0 if it is none.
fn bit(byte: u8) -> u8 {
    MARKS.iter().position(|mark| *mark == byte).map_or(0, |index| 1 << index)
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
        for (index, byte) in text.bytes().enumerate() {
            let rest = &text.as_bytes()[index + 1..];
            let needs_number = match (self, byte) {
                (Form::Label, _)
                | (_, b'\0')
                | (Form::Block, b'>')
                | (Form::Autolink, 1..=b' ' | b'<' | b'>' | b'`' | b'|' | 0x7F) => return None,
                (Form::Bare(_), b' ')
                | (Form::Pointy(_), b'<' | b'>')
                | (Form::Bare(_) | Form::Pointy(_), 1..=31 | 0x7F) => true,
                (Form::Bare(_), b'<') if index == 0 => true,
                (Form::Bare(marks) | Form::Pointy(marks), _) if marks.is_new(byte) => true,
                (Form::Tag(marks), b'\'' | b'`' | b'|') => marks.is_new(byte),
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
