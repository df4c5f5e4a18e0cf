//! The tokens of CSS, as far as they matter for URLs (section 4.3 of CSS Syntax Module Level 3).

use std::ops::Range;

use memchr::{memchr2, memmem};

use crate::document::place::layer::Replaced;
use crate::limits::MAX_RECORD;

/// A token. The numbers of sections are those of the standard.
pub enum Token {
    /// White space or a comment.
    Space,
    Name,
    /// `@` and a name.
    At(Range<usize>),
    /// The content of a string.
    String(Range<usize>),
    /// The content of `url()`, or of the string in it.
    Url(Range<usize>),
    Other,
}

/// The `(` of `image-set()` among the open brackets.
const IMAGE_SET: u8 = b'i';

/// The bytes that a string, a comment, an at-rule, an escape or a bracket begins or ends with.
const TELLING: &[u8] = b"\"'/<@\\()[]{}";

/// Whether each byte is one of [`TELLING`].
static IS_TELLING: [bool; 256] = {
    let mut is_telling = [false; 256];
    let mut index = 0;
    while index < TELLING.len() {
        is_telling[TELLING[index] as usize] = true;
        index += 1;
    }
    is_telling
};

/// Reads the tokens of a text.
pub struct Tokens {
    pub text: Vec<u8>,
    /// Where its next token starts.
    at: usize,
    open: Vec<u8>,
    /// Where a comment starts that does not end.
    pub unclosed: Option<usize>,
}

impl Tokens {
    /// The tokens of a text.
    pub fn new(text: Vec<u8>) -> Self {
        Tokens { text, at: 0, open: Vec::new(), unclosed: None }
    }

    /// Whether the next token is directly in `image-set()`.
    pub fn is_in_set(&self) -> bool {
        self.open.last() == Some(&IMAGE_SET)
    }

    /// Whether the next token is directly in `[` and `]`, as in a selector.
    pub fn is_in_brackets(&self) -> bool {
        self.open.last() == Some(&b'[')
    }

    /// Whether a name is `expected`.
    pub fn is(&self, name: &Range<usize>, expected: &str) -> bool {
        let name = &self.text[name.clone()];
        if !name.contains(&b'\\') {
            return name.eq_ignore_ascii_case(expected.as_bytes());
        }
        let mut unescaped = Vec::new();
        unescape(name, &mut unescaped, &mut Vec::new());
        unescaped.eq_ignore_ascii_case(expected.as_bytes())
    }

    /// Skips what surely has no URL and opens or closes nothing, up to a byte of [`TELLING`]. A name before a `(` or an
    /// escape is not skipped, as it may be `url`, nor a `#`, which that name may follow: `#url(` is no URL.
    pub fn skip_dull(&mut self) {
        let rest = &self.text[self.at..];
        let dull = rest.iter().position(|&byte| IS_TELLING[usize::from(byte)]).unwrap_or(rest.len());
        self.at += match rest.get(dull) {
            Some(b'(' | b'\\') => {
                let name = rest[..dull].iter().rev().take_while(|byte| is_name(**byte)).count();
                rest[..dull - name].strip_suffix(b"#").map_or(dull - name, <[u8]>::len)
            }
            _ => dull,
        };
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips the bytes that `is_skipped` names.
    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| !is_skipped(byte)).unwrap_or(rest.len());
    }

    fn skip_escape(&mut self) {
        self.at += escape_length(&self.text[self.at..]);
    }

    /// Takes escapes, and the bytes that `is_part` names: a name (4.3.11) or a URL without quotes.
    fn take(&mut self, is_part: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        loop {
            self.skip(&is_part);
            if !is_escape(&self.text[self.at..]) {
                return start..self.at;
            }
            self.skip_escape();
        }
    }

    /// Takes an identifier, a function's name or `url(` with what follows (4.3.4).
    fn identifier(&mut self) -> Token {
        let name = self.take(is_name);
        if self.peek() != Some(b'(') {
            return Token::Name;
        }
        self.at += 1;
        if !self.is(&name, "url") {
            let is_set = self.is(&name, "image-set") || self.is(&name, "-webkit-image-set");
            self.open.push(if is_set { IMAGE_SET } else { b'(' });
            return Token::Other;
        }
        self.skip(is_space);
        let url = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                self.open.push(b'(');
                self.string(quote)
            }
            _ => self.unquoted(),
        };
        url.map_or(Token::Other, Token::Url)
    }

    /// Takes a string up to its quote or the end of the text; `None` if there is a newline in it (4.3.5).
    fn string(&mut self, quote: u8) -> Option<Range<usize>> {
        self.at += 1;
        let start = self.at;
        loop {
            self.skip(|byte| byte != quote && byte != b'\\' && !is_newline(byte));
            match self.text[self.at..] {
                [b'\\', _, ..] => self.skip_escape(),
                [byte, ..] if is_newline(byte) => return None,
                _ => break,
            }
        }
        let end = self.at;
        self.at = self.text.len().min(end + 1);
        Some(start..end)
    }

    /// Takes the rest of a URL without quotes, up to `)` or the end of the text (4.3.6); `None` if it is a bad one
    /// (4.3.14).
    fn unquoted(&mut self) -> Option<Range<usize>> {
        let url = self.take(is_url);
        self.skip(is_space);
        let is_good = matches!(self.peek(), Some(b')') | None);
        loop {
            self.skip(|byte| byte != b')' && byte != b'\\');
            if self.peek() != Some(b'\\') {
                self.at = self.text.len().min(self.at + 1);
                return is_good.then_some(url);
            }
            self.skip_escape();
        }
    }
}

impl Iterator for Tokens {
    type Item = Token;

    /// Takes the next token (4.3.1).
    fn next(&mut self) -> Option<Token> {
        let rest = &self.text[self.at..];
        let byte = *rest.first()?;
        match byte {
            b'"' | b'\'' => return Some(self.string(byte).map_or(Token::Other, Token::String)),
            b'/' if rest.starts_with(b"/*") => {
                let end = memmem::find(&rest[2..], b"*/");
                self.unclosed = end.is_none().then_some(self.at);
                self.at += end.map_or(rest.len(), |end| end + 4);
                return Some(Token::Space);
            }
            b'<' if rest.starts_with(b"<!--") => self.at += 4,
            b'@' if is_name_start(&rest[1..]) => {
                self.at += 1;
                return Some(Token::At(self.take(is_name)));
            }
            // a color or the like, or a number with its unit: no identifier
            b'#' | b'0'..=b'9' => {
                self.at += 1;
                self.take(is_name);
            }
            _ if is_space(byte) => {
                self.skip(is_space);
                return Some(Token::Space);
            }
            _ if is_name_start(rest) => return Some(self.identifier()),
            _ => {
                self.at += 1;
                match byte {
                    b'(' | b'[' | b'{' => self.open.push(byte),
                    b')' => _ = self.open.pop_if(|open| matches!(*open, b'(' | IMAGE_SET)),
                    b']' => _ = self.open.pop_if(|open| *open == b'['),
                    b'}' => _ = self.open.pop_if(|open| *open == b'{'),
                    _ => {}
                }
            }
        }
        Some(Token::Other)
    }
}

/// Whether a text starts with a valid escape (4.3.8).
fn is_escape(text: &[u8]) -> bool {
    text.strip_prefix(b"\\").is_some_and(|rest| rest.first().is_none_or(|byte| !is_newline(*byte)))
}

/// Whether a text starts with a name (4.3.9).
fn is_name_start(text: &[u8]) -> bool {
    match text {
        [b'-', b'-', ..] => true,
        [b'-', rest @ ..] => is_name_start(rest),
        [b'0'..=b'9', ..] | [] => false,
        [byte, ..] => is_name(*byte) || is_escape(text),
    }
}

/// Whether a byte is a newline.
fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'\x0C')
}

/// Whether a byte is white space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t') || is_newline(byte)
}

/// Whether a byte can be in a name; NUL means U+FFFD.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'\0' | 0x80..)
}

/// Whether a byte can be in a URL without quotes; NUL means U+FFFD.
fn is_url(byte: u8) -> bool {
    matches!(byte, b'\0' | b'!'..) && !matches!(byte, b'"' | b'\'' | b'(' | b')' | b'\\' | b'\x7F')
}

/// The length of the escape that a text starts with: a backslash and a newline or a byte, or up to six digits and the
/// white space after them (4.3.7).
fn escape_length(text: &[u8]) -> usize {
    let digits = text[1..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
    match &text[1 + digits..] {
        [b'\r', b'\n', ..] => digits + 3,
        [byte, ..] if digits == 0 || is_space(*byte) => digits + 2,
        _ => digits + 1,
    }
}

/// Adds a raw text to `text`, with its escapes and NULs decoded, and these to `replaced`. Once the text is too long,
/// the rest is added as it is.
pub fn unescape(raw: &[u8], text: &mut Vec<u8>, replaced: &mut Vec<Replaced>) {
    let mut raw_at = 0;
    while let Some(length) = memchr2(b'\\', b'\0', &raw[raw_at..]).filter(|_| text.len() <= MAX_RECORD) {
        text.extend_from_slice(&raw[raw_at..raw_at + length]);
        raw_at += length;
        let raw_len = if raw[raw_at] == b'\0' { 1 } else { escape_length(&raw[raw_at..]) };
        let at = text.len();
        let number = match &raw[raw_at..raw_at + raw_len] {
            [_] | [_, b'\0'] => Some(0),
            [_, digits @ ..] if digits[0].is_ascii_hexdigit() => {
                let digits = digits.iter().map_while(|&byte| char::from(byte).to_digit(16));
                Some(digits.fold(0, |number, digit| number * 16 + digit))
            }
            [_, byte, ..] if is_newline(*byte) => None,
            escape => {
                text.extend_from_slice(&escape[1..]);
                None
            }
        };
        if let Some(number) = number {
            let char = char::from_u32(number).filter(|char| *char != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
            text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
        replaced.push(Replaced::new(at..text.len(), raw_at..raw_at + raw_len));
        raw_at += raw_len;
    }
    text.extend_from_slice(&raw[raw_at..]);
}
