//! Markdown: CommonMark with the tables, footnotes and task lists of GitHub.
//!
//! pulldown-cmark says where a link is as a whole; [`search`] finds its URL in it. `> [a](<b c> "d")` has the URL
//! `b c` in bytes 7 to 10 of the file, in the form [`Form::Pointy`]; `place/markdown.rs` knows how an answer is
//! written there.
//!
//! Its HTML is a text inside a text, without what marks quotes and lists before its lines. Its own BASE is a link:
//! Markdown has no HEAD.

mod depth;
pub mod search;

use std::io::{self, Read};
use std::ops::Range;
use std::vec;

use encoding_rs::{Encoding, UTF_8};
use memchr::memrchr;

use super::holds::Holds;
use super::place::decoding::Decoding;
use super::place::layer::{Escape, Layer, Replaced};
use super::place::lines::Lines;
use super::place::markdown::Form;
use super::reader::{Event, Reader, Value, read_whole};
use super::survey::iconv_name;
use search::{MarkdownValue, What};

/// What a link is in HTML: how it holds URLs, its element and attribute.
const A: Meaning = (Holds::Url, b"a", "href");

/// What an image is in HTML.
const IMG: Meaning = (Holds::Url, b"img", "src");

/// HTML in Markdown.
const HTML: Meaning = (Holds::Fragment, b"", ""); // silent: reading 22

type Meaning = (Holds, &'static [u8], &'static str);

/// Markdown that is being read.
pub struct Markdown {
    text: String,
    /// The length of what is before it: the byte order mark and front matter.
    shift: usize,
    /// The values not yet reached.
    values: vec::IntoIter<MarkdownValue>,
    /// The lines before the current value.
    lines: Lines,
    /// The number of bytes before it.
    counted: usize,
    /// The current URL or HTML.
    value: Vec<u8>,
    /// Where lines of the current HTML start in the file.
    line_starts: Vec<u64>,
    /// What it is in HTML: how it holds URLs, and the element and attribute.
    meaning: Meaning,
}

impl Markdown {
    /// Starts to read Markdown that starts in a line of its file. `charset` is the one that its transport names.
    ///
    /// # Errors
    /// The text cannot be read, is too long, or is not in UTF-8.
    pub fn open(text: impl Read, charset: Option<&'static Encoding>, line: u64) -> io::Result<Self> {
        let mut bytes = read_whole(text, "the Markdown")?;
        let (charset, bom) =
            Encoding::for_bom(&bytes).map_or((charset, 0), |(charset, length)| (Some(charset), length));
        let charset = charset.unwrap_or(UTF_8);
        let is_utf_8 = charset == UTF_8 || charset.is_ascii_compatible() && bytes.is_ascii();
        let text = String::from_utf8(bytes.split_off(bom)).ok().filter(|_| is_utf_8);
        let mut text = text.ok_or_else(|| {
            let from = if charset == UTF_8 { "CHARSET" } else { iconv_name(charset) };
            let rename = if charset == UTF_8 { "" } else { ", and name charset=utf-8, if you name a charset" };
            io::Error::other(format!(
                "the Markdown is not in UTF-8; convert it first: iconv -f {from} -t UTF-8 FILE{rename}"
            ))
        })?;
        depth::check(&text)?;
        let mut prepared = search::prepare(&text);
        let rest = text.split_off(front_matter(&prepared));
        let mut lines = Lines::starting_in(line);
        lines.pass(text.as_bytes());
        let values = search::find(&rest, &prepared.split_off(text.len()))?.into_iter();
        let shift = bom + text.len();
        Ok(Markdown {
            text: rest,
            shift,
            values,
            lines,
            counted: 0,
            value: Vec::new(),
            line_starts: Vec::new(),
            meaning: HTML,
        })
    }

    /// Takes a URL that is written in a range of the text. Returns what is replaced in it.
    fn take_url(&mut self, range: Range<usize>, decoded: Option<&[u8]>) -> Vec<Replaced> {
        let raw = &self.text.as_bytes()[range];
        self.value.extend_from_slice(decoded.unwrap_or(raw));
        let piece = |url: &[u8]| Replaced::new(0..url.len(), 0..raw.len());
        decoded.map(piece).into_iter().collect()
    }

    /// Takes HTML that is written in some lines. Returns what is replaced in it. That includes bytes that are the same, but
    /// have to stay, because Markdown reads them, too.
    fn take_html(&mut self, lines: &[Range<usize>], form: Form) -> Vec<Replaced> {
        let (mut replaced, bytes) = (Vec::new(), self.text.as_bytes());
        let start = lines.first().map_or(0, |line| line.start);
        let last_line = lines.last().map_or(0, |line| last_line_start(bytes, start..line.end));
        let is_in_table = matches!(form, Form::Tag(marks) if marks.is_in_table);
        let is_tag = form != Form::Block;
        let mut end = start;
        for line in lines {
            if line.start > end {
                let at = self.value.len();
                replaced.push(Replaced::new(at..at, end - start..line.start - start));
            }
            end = line.start;
            while end < line.end {
                let (byte, raw_len, must_stay) = match (bytes[end], bytes.get(end + 1)) {
                    (b'\r', Some(b'\n')) => (b'\n', 2, true),
                    (b'\r', _) => (b'\n', 1, true),
                    (b'\n', _) => (b'\n', 1, is_tag),
                    (b'\\', Some(b'|')) if is_in_table => (b'|', 2, true),
                    (byte @ (b'<' | b'>'), _) | (byte @ (b'-' | b'?' | b']' | b'\\'), Some(b'>')) => {
                        (byte, 1, is_tag || end >= last_line)
                    }
                    // VT: white space in Markdown, but not in HTML
                    (byte @ 0x0B, _) => (byte, 1, true),
                    (byte, _) => (byte, 1, false),
                };
                if must_stay {
                    let (at, raw_at) = (self.value.len(), end - start);
                    replaced.push(Replaced::new(at..at + 1, raw_at..raw_at + raw_len));
                }
                self.value.push(byte);
                end += raw_len;
                if byte == b'\n' {
                    self.line_starts.push((self.shift + end) as u64);
                }
            }
        }
        replaced
    }
}

impl Reader for Markdown {
    fn advance(&mut self) -> io::Result<Option<Event>> {
        let Some(MarkdownValue { range, form, what }) = self.values.next() else { return Ok(None) };
        self.lines.pass(&self.text.as_bytes()[self.counted..range.start]);
        self.counted = range.start;
        self.value.clear();
        self.line_starts.clear();
        let start = (self.shift + range.start) as u64;
        let replaced;
        (self.meaning, replaced) = match what {
            What::Url { is_image: true, decoded } => (IMG, self.take_url(range, decoded.as_deref())),
            What::Url { is_image: false, decoded } => (A, self.take_url(range, decoded.as_deref())),
            What::Html(lines) => (HTML, self.take_html(&lines, form)),
        };
        Ok(Some(Event::Value(Layer { start, replaced, escape: Escape::Markdown(form) })))
    }

    fn value(&self) -> Value<'_> {
        let (line, column) = self.lines.location();
        let (holds, element, attribute) = self.meaning;
        Value { text: Some(&self.value), holds, element, attribute, line, column }
    }

    fn line_starts(&self) -> Option<&[u64]> {
        Some(&self.line_starts)
    }

    fn decoding(&self) -> Decoding {
        Decoding::new(UTF_8)
    }
}

/// The length of the front matter at the start of a text: from a line `---` to one of `---` or `...`, or between two
/// lines `+++`. There is none if the second line is empty, as where `---` is a rule.
fn front_matter(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let ends: &[&str] = match first.trim_end() {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return 0,
    };
    let mut length = first.len();
    for line in lines {
        let is_empty = line.trim_ascii().is_empty();
        if length == first.len() && is_empty {
            return 0;
        }
        length += line.len();
        if ends.contains(&line.trim_end()) {
            return length;
        }
    }
    0
}

/// Where the last line of some HTML starts, if that line ends the block, as `-->` and `</pre>` do. Otherwise the end of
/// the HTML: an empty line ends other blocks, and other tags end by themselves.
fn last_line_start(text: &[u8], range: Range<usize>) -> usize {
    let html = &text[range.clone()];
    let starts = [&b"<!"[..], b"<?", b"<pre", b"<script", b"<style", b"<textarea"];
    let is = |start: &&[u8]| html.get(..start.len()).is_some_and(|html| html.eq_ignore_ascii_case(start));
    if !starts.iter().any(is) {
        return range.end;
    }
    range.start + memrchr(b'\n', html.trim_ascii_end()).unwrap_or(0)
}
