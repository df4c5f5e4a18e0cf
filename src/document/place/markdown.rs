//! How an answer is written in Markdown.

/// What is around a URL or HTML in Markdown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A destination by itself.
    Bare(Marks),
    /// A destination in `<` and `>`.
    Pointy(Marks),
    /// A URL or address in `<` and `>` that is its own text.
    Autolink,
    /// A block of HTML.
    Block,
    /// A tag or a comment in a text.
    Tag(Marks),
    /// A label that a reference definition has, too: it has to stay as it is.
    Label,
}

/// What a place has that Markdown may read. What is new in an answer is written so that Markdown does not.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Marks {
    /// Whether it has quotes: a `<` far before it may start no tag because of them.
    has_quotes: bool,
    /// Whether it has backticks: a line may start no code because of them.
    has_backticks: bool,
    /// Whether it has `|` that is not in a table: a text may be no table because of it.
    has_pipes: bool,
    /// Whether it is in a table, where `|` is written as `\|`.
    pub is_in_table: bool,
}

impl Marks {
    /// Those of a place with a text.
    pub fn new(text: &[u8], is_in_table: bool) -> Self {
        let has = |byte: &u8| text.contains(byte);
        Marks {
            has_quotes: has(&b'"') || has(&b'\''),
            has_backticks: has(&b'`'),
            has_pipes: !is_in_table
                && (text.starts_with(b"|") || text.windows(2).any(|pair| pair[1] == b'|' && pair[0] != b'\\')),
            is_in_table,
        }
    }
}

/// The parentheses in parentheses that CommonMark promises to read in a destination.
const MAX_PARENTHESES: usize = 3;

impl Form {
    /// Whether it is that of HTML.
    pub fn is_html(self) -> bool {
        matches!(self, Form::Block | Form::Tag(_))
    }

    /// Writes a URL, or a piece of HTML; `None` if it cannot be written there.
    pub fn write(self, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let text = str::from_utf8(text).ok()?;
        let is_balanced = is_balanced(text.as_bytes());
        for (index, byte) in text.bytes().enumerate() {
            let rest = &text.as_bytes()[index + 1..];
            let needs_number = match (self, byte) {
                (Form::Label, _)
                | (_, b'\0')
                | (Form::Block, b'>')
                | (Form::Autolink, 1..=b' ' | b'<' | b'>' | b'`' | b'|' | 0x7F) => return None,
                (Form::Bare(marks) | Form::Pointy(marks) | Form::Tag(marks), b'|') => !marks.has_pipes,
                (Form::Bare(marks) | Form::Pointy(marks), b'"' | b'\'') | (Form::Tag(marks), b'\'') => {
                    !marks.has_quotes
                }
                (Form::Bare(marks) | Form::Pointy(marks) | Form::Tag(marks), b'`') => !marks.has_backticks,
                (Form::Bare(_) | Form::Pointy(_), 1..=31 | b'<' | b'>' | 0x7F) | (Form::Bare(_), b' ') => true,
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
fn is_balanced(url: &[u8]) -> bool {
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
