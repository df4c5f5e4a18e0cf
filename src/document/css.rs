//! The URLs in style sheets and declarations, by CSS Syntax Module Level 3.
//!
//! The tokens are those of its section 4.3, read from bytes: every charset that has ASCII's bytes will do. What
//! is skipped are URLs that the sheet itself answers, `url(#x)` and `url()`, and those of `@namespace`, which are names.

#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::ops::Range;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr2, memchr2_iter, memmem};

use super::decoding::Decoding;
use super::layer::{Escape, Layer, Replaced};
use super::reader::{Event, Reader, Value};
use crate::limits::{MAX_RECORD, PRESCAN};

/// What the next token is if it is a string or a URL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    /// A URL is a link, a string only if it is directly in `image-set()`.
    Url,
    /// Both are links: it follows `@import` or `url(`.
    String,
    /// Neither is a link: it follows `@namespace`.
    Name,
}

/// What an open bracket belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// `{`.
    Braces,
    /// `[`.
    Brackets,
    /// `(`, also of a function.
    Parentheses,
    /// `image-set(`.
    ImageSet,
}

/// The tokens that matter, the others being [`Other`](Token::Other).
enum Token {
    /// White space or a comment.
    Space,
    /// An identifier.
    Name,
    /// `@` and a name.
    At(Range<usize>),
    /// A function's name with its `(`.
    Function(Range<usize>),
    /// The content of `url()` without quotes.
    Url(Range<usize>),
    /// The content of a string.
    String(Range<usize>),
    /// An opening bracket.
    Open(Block),
    /// A closing bracket.
    Close(Block),
    /// Anything else.
    Other,
}

/// A style sheet or the declarations of an attribute, being read.
pub struct Sheet {
    /// The text.
    text: Vec<u8>,
    /// How its bytes are decoded.
    decoding: Decoding,
    /// The name of the element that has it.
    element: Vec<u8>,
    /// The name of the attribute that has it; empty if the element itself does.
    attribute: &'static str,
    /// Where its next token starts.
    at: usize,
    /// What is expected there.
    expects: Expects,
    /// The open brackets.
    open: Vec<Block>,
    /// The content of the current URL's token, without escapes.
    content: Vec<u8>,
    /// Where the URL is in it.
    range: Range<usize>,
    /// Where its line starts.
    line_start: usize,
    /// The number of that line, from 1.
    line: u64,
    /// Where line ends have been counted up to.
    counted: usize,
}

impl Sheet {
    /// Starts to read a style sheet. `charset` is the one that its transport names; a BOM overrides it, and it overrides
    /// `@charset`.
    ///
    /// # Errors
    /// The text cannot be read, or it is too long.
    pub fn new(text: impl Read, charset: Option<&'static Encoding>) -> io::Result<Self> {
        let mut bytes = Vec::new();
        text.take(MAX_RECORD as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > MAX_RECORD {
            return Err(io::Error::other("the style sheet is longer than 16 MiB; split it"));
        }
        let bom = Encoding::for_bom(&bytes).map_or(0, |(_, length)| length);
        let charset = self::charset(&bytes, charset);
        let mut decoding = Decoding::new(charset, UTF_8);
        let mut at = bom;
        if let Some(charset) = charset.filter(|charset| *charset != UTF_8 && !charset.is_single_byte()) {
            bytes = charset.decode_without_bom_handling(&bytes[bom..]).0.into_owned().into_bytes();
            (decoding, at) = (decoding.decoded(), 0);
        }
        Ok(Sheet { at, line_start: at, counted: at, ..Sheet::nested(bytes, decoding, b"style", "") })
    }

    /// Starts to read a text that is nested in another one: in an element, or in an attribute that has a name.
    pub fn nested(text: Vec<u8>, decoding: Decoding, element: &[u8], attribute: &'static str) -> Self {
        Sheet {
            text,
            decoding,
            element: element.to_vec(),
            attribute,
            at: 0,
            expects: Expects::Url,
            open: Vec::new(),
            content: Vec::new(),
            range: 0..0,
            line: 1,
            line_start: 0,
            counted: 0,
        }
    }

    /// The byte that is `ahead` of the next one.
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// Whether the next bytes are those.
    fn is_at(&self, bytes: &[u8]) -> bool {
        self.text[self.at..].starts_with(bytes)
    }

    /// Whether a valid escape is `ahead` (4.3.8).
    fn is_escape(&self, ahead: usize) -> bool {
        self.peek(ahead) == Some(b'\\') && !self.peek(ahead + 1).is_some_and(is_newline)
    }

    /// Whether a name starts `ahead` (4.3.9).
    fn is_name_start(&self, ahead: usize) -> bool {
        let is_start = |at| self.peek(at).is_some_and(|byte| is_name(byte) && !byte.is_ascii_digit() && byte != b'-');
        match self.peek(ahead) {
            Some(b'-') => self.peek(ahead + 1) == Some(b'-') || is_start(ahead + 1) || self.is_escape(ahead + 1),
            _ => is_start(ahead) || self.is_escape(ahead),
        }
    }

    /// Skips the bytes that `is_skipped` names.
    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| !is_skipped(byte)).unwrap_or(rest.len());
    }

    /// Skips an escape.
    fn skip_escape(&mut self) {
        self.at += escape_length(&self.text[self.at..]);
    }

    /// Takes a name (4.3.11).
    fn name(&mut self) -> Range<usize> {
        let start = self.at;
        loop {
            self.skip(is_name);
            if !self.is_escape(0) {
                return start..self.at;
            }
            self.skip_escape();
        }
    }

    /// Takes the next token (4.3.1); `None` at the end.
    fn token(&mut self) -> Option<Token> {
        let byte = self.peek(0)?;
        Some(match byte {
            b'"' | b'\'' => return Some(self.string(byte)),
            b'/' if self.peek(1) == Some(b'*') => {
                let start = self.at + 2;
                self.at = memmem::find(&self.text[start..], b"*/").map_or(self.text.len(), |end| start + end + 2);
                Token::Space
            }
            b'@' if self.is_name_start(1) => {
                self.at += 1;
                Token::At(self.name())
            }
            b'#' => {
                self.at += 1;
                self.name();
                Token::Other
            }
            b'<' if self.is_at(b"<!--") => {
                self.at += 4;
                Token::Other
            }
            b'-' if self.is_at(b"-->") => {
                self.at += 3;
                Token::Other
            }
            // a number is its digits for all that matters here; its unit is no identifier
            _ if byte.is_ascii_digit() => {
                self.skip(|byte| byte.is_ascii_digit());
                if self.is_name_start(0) {
                    self.name();
                }
                Token::Other
            }
            _ if is_space(byte) => {
                self.skip(is_space);
                Token::Space
            }
            _ if self.is_name_start(0) => return Some(self.identifier()),
            _ => {
                self.at += 1;
                match byte {
                    b'{' => Token::Open(Block::Braces),
                    b'[' => Token::Open(Block::Brackets),
                    b'(' => Token::Open(Block::Parentheses),
                    b'}' => Token::Close(Block::Braces),
                    b']' => Token::Close(Block::Brackets),
                    b')' => Token::Close(Block::Parentheses),
                    _ => Token::Other,
                }
            }
        })
    }

    /// Takes an identifier, a function's name or a URL without quotes (4.3.4).
    fn identifier(&mut self) -> Token {
        let name = self.name();
        if self.peek(0) != Some(b'(') {
            return Token::Name;
        }
        self.at += 1;
        if !self.is(&name, "url") {
            return Token::Function(name);
        }
        let start = self.at;
        self.skip(is_space);
        if matches!(self.peek(0), Some(b'"' | b'\'')) {
            self.at = start;
            return Token::Function(name);
        }
        self.unquoted()
    }

    /// Takes a string up to its quote, the end of the text, or a newline, which makes it a bad string (4.3.5).
    fn string(&mut self, quote: u8) -> Token {
        self.at += 1;
        let start = self.at;
        loop {
            self.skip(|byte| byte != quote && byte != b'\\' && !is_newline(byte));
            match self.peek(0) {
                None => return Token::String(start..self.at),
                Some(b'\\') => self.skip_escape(),
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Token::String(start..self.at - 1);
                }
                Some(_) => return Token::Other,
            }
        }
    }

    /// Takes the rest of a URL without quotes: up to `)` or the end of the text (4.3.6), also if it is a bad one (4.3.14).
    fn unquoted(&mut self) -> Token {
        let start = self.at;
        loop {
            self.skip(is_url);
            let end = self.at;
            self.skip(is_space);
            match self.peek(0) {
                None => return Token::Url(start..end),
                Some(b')') => {
                    self.at += 1;
                    return Token::Url(start..end);
                }
                Some(b'\\') if end == self.at && self.is_escape(0) => self.skip_escape(),
                Some(_) => break,
            }
        }
        loop {
            self.skip(|byte| byte != b')' && byte != b'\\');
            match self.peek(0) {
                Some(b'\\') if self.is_escape(0) => self.skip_escape(),
                byte => {
                    self.at += usize::from(byte.is_some());
                    if byte != Some(b'\\') {
                        return Token::Other;
                    }
                }
            }
        }
    }

    /// Whether a name is `expected`.
    fn is(&self, name: &Range<usize>, expected: &str) -> bool {
        let name = &self.text[name.clone()];
        let is_same = name.eq_ignore_ascii_case(expected.as_bytes());
        if is_same || !name.contains(&b'\\') {
            return is_same;
        }
        let mut decoded = Vec::new();
        decode(name, false, &mut decoded, &mut Vec::new());
        decoded.eq_ignore_ascii_case(expected.as_bytes())
    }

    /// The content of a token that may be a link, and whether it is a string.
    fn link(&mut self, token: Token) -> Option<(Range<usize>, bool)> {
        let expects = self.expects;
        if !matches!(token, Token::Space) {
            self.expects = Expects::Url;
        }
        match token {
            Token::At(name) if self.is(&name, "import") => self.expects = Expects::String,
            Token::At(name) if self.is(&name, "namespace") => self.expects = Expects::Name,
            // the prefix of a namespace
            Token::Name if expects == Expects::Name => self.expects = Expects::Name,
            Token::Function(name) if self.is(&name, "url") => {
                self.expects = if expects == Expects::Name { Expects::Name } else { Expects::String };
                self.open.push(Block::Parentheses);
            }
            Token::Function(name) => {
                let is_set = self.is(&name, "image-set") || self.is(&name, "-webkit-image-set");
                self.open.push(if is_set { Block::ImageSet } else { Block::Parentheses });
            }
            Token::Open(block) => self.open.push(block),
            Token::Close(block) => {
                let innermost =
                    self.open.last().map(|open| if *open == Block::ImageSet { Block::Parentheses } else { *open });
                if innermost == Some(block) {
                    self.open.pop();
                }
            }
            Token::Url(raw) if expects != Expects::Name => return Some((raw, false)),
            Token::String(raw) => {
                let is_in_set = expects == Expects::Url && self.open.last() == Some(&Block::ImageSet);
                return (expects == Expects::String || is_in_set).then_some((raw, true));
            }
            Token::Space | Token::Name | Token::At(_) | Token::Url(_) | Token::Other => {}
        }
        None
    }

    /// Reads the content of a token. Returns whether it has a URL that is a link.
    fn read(&mut self, raw: Range<usize>, is_string: bool, layer: &mut Layer) -> bool {
        let start = raw.start;
        self.content.clear();
        layer.replaced.clear();
        decode(&self.text[raw], is_string, &mut self.content, &mut layer.replaced);
        let url = self.content.trim_ascii();
        let before = self.content.len() - self.content.trim_ascii_start().len();
        self.range = before..before + url.len();
        if matches!(url, [] | [b'#', ..]) {
            return false;
        }
        (layer.start, layer.escape) = (start as u64, Escape::Css);
        for end in memchr2_iter(b'\n', b'\r', &self.text[self.counted..start]).map(|end| self.counted + end) {
            if self.text[end] == b'\n' || self.text.get(end + 1) != Some(&b'\n') {
                self.line += 1;
                self.line_start = end + 1;
            }
        }
        self.counted = start;
        true
    }
}

impl Reader for Sheet {
    fn advance(&mut self, layer: &mut Layer) -> io::Result<Option<Event>> {
        while let Some(token) = self.token() {
            if let Some((raw, is_string)) = self.link(token)
                && self.read(raw, is_string, layer)
            {
                return Ok(Some(Event::Link));
            }
        }
        Ok(None)
    }

    fn value(&self) -> Value<'_> {
        Value {
            text: Some(&self.content),
            range: self.range.clone(),
            element: &self.element,
            attribute: self.attribute,
            line: self.line,
            column: (self.counted - self.line_start) as u64 + 1,
            is_base: false,
        }
    }

    fn decoding(&self) -> Decoding {
        self.decoding
    }
}

/// The charset of a style sheet that starts with some bytes, perhaps the one that its transport names.
pub fn charset(start: &[u8], transport: Option<&'static Encoding>) -> Option<&'static Encoding> {
    let by_bom = Encoding::for_bom(start).map(|(charset, _)| charset);
    by_bom.or(transport).or_else(|| named_charset(start))
}

/// The charset that a style sheet names. UTF-16 there means UTF-8: otherwise it could not have been read.
fn named_charset(text: &[u8]) -> Option<&'static Encoding> {
    let rest = text.strip_prefix(b"@charset \"")?;
    let label = &rest[..memchr(b'"', &rest[..rest.len().min(PRESCAN)])?];
    let is_named = |named: &&Encoding| *named != REPLACEMENT && rest[label.len() + 1..].starts_with(b";");
    let named = Encoding::for_label(label).filter(is_named)?;
    Some(if named == UTF_16BE || named == UTF_16LE { UTF_8 } else { named })
}

/// Whether a text may have a URL: without a function or an at-rule it does not, as most attributes.
pub fn may_have_urls(text: &[u8]) -> bool {
    memchr2(b'(', b'@', text).is_some()
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

/// Whether a byte can be in a URL without quotes and is not white space; NUL means U+FFFD.
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

/// Adds a text without escapes and NUL, and what was replaced in it. `is_string`: a newline may be escaped, and so may
/// the end of the text.
fn decode(raw: &[u8], is_string: bool, text: &mut Vec<u8>, replaced: &mut Vec<Replaced>) {
    let mut raw_at = 0;
    while let Some(length) = memchr2(b'\\', b'\0', &raw[raw_at..]) {
        text.extend_from_slice(&raw[raw_at..raw_at + length]);
        raw_at += length;
        let raw_len = if raw[raw_at] == b'\0' { 1 } else { escape_length(&raw[raw_at..]) };
        let at = text.len();
        match &raw[raw_at..raw_at + raw_len] {
            [b'\\'] if is_string => {}
            [_] | [_, b'\0'] => push(text, None),
            [_, digits @ ..] if digits[0].is_ascii_hexdigit() => {
                let digits = digits.iter().map_while(|&byte| char::from(byte).to_digit(16));
                let number = digits.fold(0, |number, digit| number * 16 + digit);
                push(text, char::from_u32(number).filter(|_| number != 0));
            }
            [_, byte, ..] if is_newline(*byte) => {}
            escape => text.extend_from_slice(&escape[1..]),
        }
        replaced.push(Replaced { at, len: text.len() - at, raw_at, raw_len });
        raw_at += raw_len;
    }
    text.extend_from_slice(&raw[raw_at..]);
}

/// Adds a character, or U+FFFD where there is none.
fn push(text: &mut Vec<u8>, character: Option<char>) {
    let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}
