//! The URLs in style sheets and declarations, by CSS Syntax Module Level 3.
//!
//! The tokens are those of its section 4.3. They are read from bytes, so every charset that has ASCII's bytes works.
//! URLs that the sheet itself answers are skipped, `url(#x)` and `url()`, and those of `@namespace`, which are names.

#[cfg(test)]
mod tests;
mod tokens;

use std::io::{self, Read};
use std::ops::Range;
use std::rc::Rc;

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::holds::{Holds, suspected};
use super::place::decoding::Decoding;
use super::place::layer::{Escape, Layer};
use super::place::lines::Lines;
use super::problem::Problem;
use super::reader::{Event, Opening, Reader, Value, read_whole};
use super::values::Options;
use crate::limits::MAX_RECORD;
use crate::strip::{after_blanks, without_breaks};
use tokens::{Token, Tokens, unescape};

/// The last token that decides what the next one is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// `@import`: a string is a link.
    Import,
    /// `@namespace` or the prefix after it: neither a string nor a URL is a link.
    Namespace,
    /// Another one: a string is a link only if it is directly in `image-set()`.
    Other,
}

/// A style sheet or the declarations of an attribute, being read.
pub struct Sheet {
    tokens: Tokens,
    /// The number of bytes before the text: those of a BOM.
    shift: usize,
    /// How its bytes are decoded.
    decoding: Decoding,
    /// How it is read.
    options: Rc<Options>,
    /// The name of the element that has it.
    element: Vec<u8>,
    /// The name of the attribute that has it; empty if the element itself does.
    attribute: Vec<u8>,
    /// What the next token follows.
    after: After,
    /// Whether the current URL is that of an `@import`.
    is_import: bool,
    /// The content of the current URL's token, without escapes.
    content: Vec<u8>,
    /// The lines before the token's content.
    lines: Lines,
    counted: usize,
    /// Where the raw text is searched from for `@import`, if no tokens are read.
    raw_from: Option<usize>,
}

impl Sheet {
    /// Starts to read a style sheet.
    ///
    /// # Errors
    /// The text cannot be read, or it is too long.
    pub fn new(text: impl Read, how: &Opening<'_>) -> io::Result<Self> {
        let mut bytes = read_whole(text, "the style sheet", MAX_RECORD)?;
        let mut shift = Encoding::for_bom(&bytes).map_or(0, |(_, length)| length);
        let charset = how.charset.unwrap_or(UTF_8);
        let mut decoding = Decoding::new(charset);
        bytes.drain(..shift);
        if charset != UTF_8 && !charset.is_single_byte() {
            bytes = charset.decode_without_bom_handling(&bytes).0.into_owned().into_bytes();
            (decoding, shift) = (decoding.decoded(), 0);
        }
        let (lines, style) = (Lines::starting_in(how.line), Value { element: b"style", ..Value::default() });
        Ok(Sheet { shift, lines, ..Sheet::nested(bytes, &style, decoding, how.options) })
    }

    /// Starts to read a text that is a value of another one.
    pub fn nested(text: Vec<u8>, value: &Value<'_>, decoding: Decoding, options: &Rc<Options>) -> Self {
        Sheet {
            tokens: Tokens::new(text),
            shift: 0,
            decoding,
            options: Rc::clone(options),
            element: value.element.to_vec(),
            attribute: value.attribute.to_vec(),
            after: After::Other,
            is_import: false,
            content: Vec::new(),
            lines: Lines::default(),
            counted: 0,
            raw_from: (value.holds == Holds::Imports).then_some(0),
        }
    }

    /// Whether it has other text in another charset. One that names no charset has that of the page that loads it (CSS
    /// Syntax, section 3.2). ESC is for ISO-2022-JP, NUL is half of a character in UTF-16, and in Shift_JIS, Big5 and
    /// gb18030 the last byte of a character in UTF-8 may take a backslash with it.
    pub fn depends_on_charset(&self) -> bool {
        let text = &self.tokens.text;
        let takes_backslash = |at: usize| at > 0 && !text[at - 1].is_ascii();
        memchr2(0, 0x1B, text).is_some()
            || str::from_utf8(text).is_err()
            || memchr_iter(b'\\', text).any(takes_backslash)
    }

    /// Goes to the next URL of an `@import` in the raw text: a browser that looks ahead knows neither strings nor bad
    /// URLs. Returns where it is.
    fn next_raw_import(&mut self) -> Option<Range<usize>> {
        let (text, from) = (&self.tokens.text, self.raw_from?);
        let url = import_url(&text[from + find_import(&text[from..])?..]);
        let start = url.as_ptr().addr() - text.as_ptr().addr();
        self.raw_from = Some(start + url.len());
        Some(start..start + url.len())
    }

    /// Goes to the next string or URL that is a link, unless the sheet itself answers it. Returns where its content is.
    fn next_link(&mut self) -> Option<Range<usize>> {
        if self.raw_from.is_some() {
            return self.next_raw_import();
        }
        loop {
            if self.after == After::Other {
                self.tokens.skip_dull();
            }
            let (token, after) = (self.tokens.next()?, self.after);
            self.after = match &token {
                Token::At(name) if self.tokens.is(name, "import") => After::Import,
                Token::At(name) if self.tokens.is(name, "namespace") => After::Namespace,
                Token::Name if after == After::Namespace => after,
                Token::Space => after,
                _ => After::Other,
            };
            self.is_import = after == After::Import;
            let is_string_link = after == After::Import || after == After::Other && self.tokens.is_in_set();
            match token {
                Token::Url(raw) if after != After::Namespace => return Some(raw),
                Token::String(raw) if is_string_link => return Some(raw),
                // it may come to `image-set()` by a variable
                Token::String(raw)
                    if self.options.wary
                        && after == After::Other
                        && !self.tokens.is_in_brackets()
                        && may_name_host(&self.tokens.text[raw.clone()]) =>
                {
                    return Some(raw);
                }
                _ => {}
            }
        }
    }
}

impl Reader for Sheet {
    fn advance(&mut self) -> io::Result<Option<Event>> {
        while let Some(raw) = self.next_link() {
            let (start, mut replaced) = ((self.shift + raw.start) as u64, Vec::new());
            self.content.clear();
            match self.raw_from {
                Some(_) => self.content.extend_from_slice(&self.tokens.text[raw.clone()]),
                None => unescape(&self.tokens.text[raw.clone()], &mut self.content, &mut replaced),
            }
            if !matches!(self.content.trim_ascii(), [] | [b'#', ..]) {
                self.lines.pass(&self.tokens.text[self.counted..raw.start]);
                self.counted = raw.start;
                let is_quote = |before: usize| matches!(self.tokens.text[before], b'"' | b'\'');
                let escape = Escape::Css(raw.start.checked_sub(1).is_some_and(is_quote));
                return Ok(Some(Event::Value(Layer { start, replaced, escape })));
            }
        }
        // in one line, a comment hides nothing by mistake
        let text = &self.tokens.text;
        let hides_urls = |start: &usize| {
            let line = memchr(b'\n', &text[*start..]);
            line.is_some_and(|line| memmem::find(&text[*start + line..], b"url(").is_some())
        };
        Ok(self.tokens.unclosed.take().filter(hides_urls).map(|start| {
            self.lines.pass(&text[self.counted..start]);
            self.counted = start;
            Event::Problem(Problem::UNCLOSED_COMMENT)
        }))
    }

    fn value(&self) -> Value<'_> {
        let (line, column) = self.lines.location();
        Value {
            text: (self.content.len() <= MAX_RECORD).then_some(&*self.content),
            holds: Holds::Url,
            element: &self.element,
            attribute: &self.attribute,
            line,
            column,
            is_early: false,
        }
    }

    /// Browsers encode the query of an `@import` in UTF-8 (tried in Chromium).
    fn decoding(&self) -> Decoding {
        if self.is_import { self.decoding.of_attribute() } else { self.decoding }
    }
}

/// The charset that a style sheet names at its start.
pub fn named_charset(text: &[u8]) -> Option<&'static Encoding> {
    let rest = text.strip_prefix(b"@charset \"")?;
    let label = &rest[..memchr(b'"', rest)?];
    Encoding::for_label(label).filter(|_| rest[label.len() + 1..].starts_with(b";"))
}

/// Whether a text may have a URL. Most attributes have no function and no at-rule, so no URL. In a wary run a string
/// may be one.
pub fn may_have_urls(text: &[u8], options: &Options) -> bool {
    memchr2(b'(', b'@', text).is_some() || options.wary && memchr2(b'"', b'\'', text).is_some()
}

/// Where the first `@import` of a text ends.
pub fn find_import(text: &[u8]) -> Option<usize> {
    let is_import = |at: &usize| text[at + 1..].get(..6).is_some_and(|name| name.eq_ignore_ascii_case(b"import"));
    memchr_iter(b'@', text).find(is_import).map(|at| at + 7)
}

/// The URL at the start of what follows `@import`: with quotes, in `url()` or bare, up to `;`. A line end is no part of
/// it.
fn import_url(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let is_url = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"url("));
    let text = if is_url { text[4..].trim_ascii_start() } else { text };
    let (quote, text) = match text {
        [quote @ (b'"' | b'\''), text @ ..] => (Some(quote), text),
        _ => (None, text),
    };
    let ends = |byte: &u8| match quote {
        _ if *byte == b';' => true,
        Some(quote) => byte == quote,
        None => matches!(byte, b' ' | b')'),
    };
    &text[..text.iter().position(ends).unwrap_or(text.len())]
}

/// Whether the content of a string may be a URL with a host: something follows two slashes in it, or the scheme of such
/// a URL.
fn may_name_host(raw: &[u8]) -> bool {
    let mut text = Vec::new();
    unescape(raw, &mut text, &mut Vec::new());
    let text = without_breaks(&text).to_ascii_lowercase();
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let begins_host = |byte: &u8| *byte > b' ' && !is_slash(byte);
    let has_host = text.windows(3).any(|bytes| bytes[..2].iter().all(is_slash) && begins_host(&bytes[2]));
    let names_host = |rest: &[u8]| rest.iter().find(|byte| !is_slash(byte)).is_some_and(begins_host);
    has_host || suspected(&text).is_some() || after_blanks(&text).strip_prefix(b"file:").is_some_and(names_host)
}
