//! Markdown: CommonMark with the tables, footnotes and task lists of GitHub.
//!
//! pulldown-cmark lends the URL of a link from the text, so [`search`] knows where it is. `> [a](<b c> "d")` has the
//! URL `b c` in bytes 7 to 10 of the file, in the form `Form::Pointy`; `place/markdown.rs` knows how an answer is
//! written there.
//!
//! Its HTML is a text inside a text, without what marks quotes and lists before its lines. Its own BASE is a link:
//! Markdown has no HEAD.

mod depth;
mod events;
mod front_matter;
pub mod search;
mod titles;

use std::io::{self, Read};
use std::mem;
use std::ops::Range;
use std::rc::Rc;
use std::vec;

use encoding_rs::{Encoding, UTF_8};

use super::html::elements::raw_name;
use super::place::decoding::{Decoding, iconv_name};
use super::place::layer::{Escape, Layer, Replaced};
use super::place::lines::Lines;
use super::place::markdown::Form;
use super::problem::Problem;
use super::reader::{Event, Opening, Reader, Value, read_whole};
use super::values::Options;
use crate::limits::MAX_MARKDOWN;
use search::{HTML, MarkdownValue, Meaning};

/// Markdown that is being read.
pub struct Markdown {
    text: String,
    /// The values not yet reached.
    values: vec::IntoIter<MarkdownValue>,
    /// The lines before the current value.
    lines: Lines,
    /// The number of bytes before it that count.
    counted: usize,
    /// The current URL or HTML.
    value: Vec<u8>,
    /// What it is in HTML: how it holds URLs, and the element and attribute.
    meaning: Meaning,
    /// How it is read.
    options: Rc<Options>,
    /// Whether the current value is a tag whose HTML goes on in the text after it, if that matters.
    is_open: bool,
}

impl Markdown {
    /// Starts to read Markdown that starts in a line of its file. `charset` is the one that its transport names.
    ///
    /// # Errors
    /// The text cannot be read, is too long, or is not in UTF-8.
    pub fn open(text: impl Read, charset: Option<&'static Encoding>, how: &Opening<'_>) -> io::Result<Self> {
        let bytes = read_whole(text, "the Markdown", MAX_MARKDOWN)?;
        let (charset, bom) =
            Encoding::for_bom(&bytes).map_or((charset, 0), |(charset, length)| (Some(charset), length));
        let charset = charset.unwrap_or(UTF_8);
        let is_utf_8 = charset == UTF_8 || charset.is_ascii_compatible() && bytes.is_ascii();
        let text = String::from_utf8(bytes).ok().filter(|_| is_utf_8);
        let text = text.ok_or_else(|| {
            let from = if charset == UTF_8 { "CHARSET" } else { iconv_name(charset) };
            let rename = if charset == UTF_8 { "" } else { ", and name charset=utf-8, if you name a charset" };
            io::Error::other(format!(
                "the Markdown is not in UTF-8; convert it first: iconv -f {from} -t UTF-8 FILE{rename}"
            ))
        })?;
        depth::check(&text)?;
        let values = search::find(&text, &search::prepare(&text))?.into_iter();
        let (lines, options) = (Lines::starting_in(how.line), Rc::clone(how.options));
        let value = Vec::new();
        Ok(Markdown { text, values, lines, counted: bom, value, meaning: HTML, options, is_open: false })
    }

    /// Whether the next value is a start tag in a line, after which there is raw text until more than its end tag
    /// comes.
    fn opens_raw_text(&self) -> bool {
        let Some((first, rest)) = self.values.as_slice().split_first() else { return false };
        if first.meaning != HTML || first.form == Form::Block {
            return false;
        }
        let name_in = |range: &Range<usize>, start: &[u8]| {
            let tag = self.text.as_bytes()[range.clone()].strip_prefix(start)?;
            let length = tag.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            raw_name(&tag[..length].to_ascii_lowercase())
        };
        let Some(name) = name_in(&first.range, b"<") else { return false };
        let next = rest.iter().find(|value| value.meaning == HTML);
        // what is between the tags of a STYLE is CSS to a browser, and text here
        name == b"style" || next.and_then(|next| name_in(&next.range, b"</")) != Some(name)
    }

    /// Takes HTML that starts at `start` and is written in some lines. Returns what is replaced in it. That includes
    /// bytes that are the same, but have to stay, because Markdown reads them, too.
    fn take_html(&mut self, start: usize, lines: &[Range<usize>]) -> Vec<Replaced> {
        let (mut replaced, bytes) = (Vec::new(), self.text.as_bytes());
        let mut end = start;
        for line in lines {
            if line.start > end {
                let at = self.value.len();
                replaced.push(Replaced::new(at..at, end - start..line.start - start));
            }
            end = line.start;
            while end < line.end {
                let next = bytes.get(end + 1);
                let (byte, raw_len) = match (bytes[end], next) {
                    (b'\r', Some(b'\n')) => (b'\n', 2),
                    (b'\r', _) => (b'\n', 1),
                    (byte, _) => (byte, 1),
                };
                let stays = match byte {
                    // VT is white space in Markdown, but not in HTML
                    b'\n' | b'<' | b'>' | 0x0B => true,
                    b'-' | b'?' | b']' => next == Some(&b'>'),
                    b'\\' => matches!(next, Some(b'>' | b'|')),
                    _ => false,
                };
                if stays {
                    let (at, raw_at) = (self.value.len(), end - start);
                    replaced.push(Replaced::new(at..at + 1, raw_at..raw_at + raw_len));
                }
                self.value.push(byte);
                end += raw_len;
            }
        }
        replaced
    }
}

impl Reader for Markdown {
    fn advance(&mut self) -> io::Result<Option<Event>> {
        if mem::take(&mut self.is_open) {
            return Ok(Some(Event::Problem(Problem::UNCLOSED)));
        }
        self.is_open = self.options.wary && self.opens_raw_text();
        let Some(MarkdownValue { range, form, meaning, decoded, lines }) = self.values.next() else { return Ok(None) };
        self.lines.pass(&self.text.as_bytes()[self.counted..range.start]);
        self.counted = range.start;
        self.meaning = meaning;
        self.value.clear();
        let (start, raw) = (range.start as u64, 0..range.len());
        let replaced = if meaning == HTML {
            self.take_html(range.start, &lines)
        } else {
            let url = decoded.as_ref().map_or(&self.text.as_bytes()[range], String::as_bytes);
            self.value.extend_from_slice(url);
            decoded.map(|url| Replaced::new(0..url.len(), raw)).into_iter().collect()
        };
        Ok(Some(Event::Value(Layer { start, replaced, escape: Escape::Markdown(form) })))
    }

    fn value(&self) -> Value<'_> {
        let (line, column) = self.lines.location();
        let (holds, element, attribute) = self.meaning;
        Value { text: Some(&self.value), holds, element, attribute, is_early: false, line, column }
    }

    fn decoding(&self) -> Decoding {
        Decoding::new(UTF_8)
    }
}
