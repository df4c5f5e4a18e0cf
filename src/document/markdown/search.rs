//! Where Markdown has links and HTML.

use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::Range;

use memchr::{memchr3_iter, memmem, memrchr};
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::document::place::markdown::{Form, MarkdownMarks};

/// GitHub's additions to CommonMark that decide what a link is. Not front matter: its parser takes any text between two
/// lines for that.
const GITHUB: Options = Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES).union(Options::ENABLE_TASKLISTS);

/// A URL or HTML in Markdown.
pub struct MarkdownValue {
    /// Where it is. A URL is without the `<` and `>` around it.
    pub range: Range<usize>,
    /// What is around it.
    pub form: Form,
    pub what: What,
}

/// What a value in Markdown is.
pub enum What {
    Url {
        /// Whether it is that of an image.
        is_image: bool,
        /// The URL, if it is written with escapes.
        decoded: Option<Box<[u8]>>,
    },
    /// A block of HTML, or a tag or comment in a text: its lines, without what marks quotes and lists before them. Those
    /// that follow each other directly are one.
    Html(Vec<Range<usize>>),
}

/// A link or an image whose text is being read.
struct OpenLink<'a> {
    is_image: bool,
    kind: LinkType,
    url: CowStr<'a>,
    /// Where the last part of its text ends.
    text_end: usize,
}

/// Finds the links and HTML of a text.
struct Search<'a> {
    text: &'a [u8],
    /// The text as pulldown-cmark reads it.
    prepared: &'a [u8],
    values: Vec<MarkdownValue>,
    /// The open links and images, the innermost last.
    open: Vec<OpenLink<'a>>,
    /// The number of images among them: their text is no HTML.
    images: usize,
    /// The lines of the current block of HTML.
    block: Vec<Range<usize>>,
    /// Whether a table is open.
    is_in_table: bool,
}

/// A text for pulldown-cmark, with the same places. A CR alone is LF. End tags are in lower case: for it, no other one ends
/// a block of PRE, SCRIPT, STYLE or TEXTAREA. Around a reference to a footnote it reads no link: the labels of footnotes
/// become ones that no reference has.
pub fn prepare(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut prepared = bytes.to_vec();
    for at in memchr3_iter(b'\r', b'[', b'<', bytes) {
        let rest = &bytes[at + 1..];
        match bytes[at] {
            b'\r' if !rest.starts_with(b"\n") => prepared[at] = b'\n',
            b'[' if rest.starts_with(b"^") && bytes[..at].last().is_none_or(|last| b"> \t\n\r".contains(last)) => {
                let length = rest.iter().take_while(|byte| !matches!(byte, b'[' | b']' | b'\n' | b'\r')).count();
                if rest[length..].starts_with(b"]:") {
                    let label = &mut prepared[at + "[^".len()..=at + length];
                    let is_name = |byte: &&mut u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
                    label.iter_mut().filter(is_name).for_each(|byte| *byte = b'^');
                }
            }
            b'<' if rest.starts_with(b"/") => {
                let length = rest[1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                prepared[at + 2..at + 2 + length].make_ascii_lowercase();
            }
            _ => {}
        }
    }
    String::from_utf8(prepared).unwrap_or_else(|_| text.to_owned()) // it is: whole characters were replaced by ASCII
}

/// Finds the links and HTML of a text, in their order. `prepared` is the text after [`prepare`].
///
/// # Errors
/// A link was not found again.
pub fn find(text: &str, prepared: &str) -> io::Result<Vec<MarkdownValue>> {
    let mut events = Parser::new_ext(prepared, GITHUB).into_offset_iter();
    // where definitions are that are used, and whether only images use them
    let mut used = HashMap::new();
    let (values, open, block) = (Vec::new(), Vec::new(), Vec::new());
    let (text, prepared) = (text.as_bytes(), prepared.as_bytes());
    let mut search = Search { text, prepared, values, open, images: 0, block, is_in_table: false };
    while let Some((event, range)) = events.next() {
        if let Event::Start(Tag::Link { id, .. } | Tag::Image { id, .. }) = &event
            && let Some(definition) = events.reference_definitions().get(id)
        {
            *used.entry(definition.span.start).or_insert(true) &= is_image(&event);
        }
        search.read(event, range)?;
    }
    for (_, definition) in events.reference_definitions().iter() {
        let span = definition.span.clone();
        let is_image = used.get(&span.start) == Some(&true);
        let label = label_end(&text[span.clone()]);
        search.add_destination(is_image, definition.dest.as_bytes(), span.start + label + "]:".len()..span.end)?;
    }
    search.values.sort_by_key(|value| value.range.start);
    Ok(search.values)
}

/// Whether an event starts an image.
fn is_image(event: &Event<'_>) -> bool {
    matches!(event, Event::Start(Tag::Image { .. }))
}

impl<'a> Search<'a> {
    /// Reads what comes next.
    fn read(&mut self, event: Event<'a>, range: Range<usize>) -> io::Result<()> {
        let (end, is_image) = (range.end, is_image(&event));
        match event {
            Event::Start(
                Tag::Link { link_type: kind, dest_url: url, .. } | Tag::Image { link_type: kind, dest_url: url, .. },
            ) => {
                self.images += usize::from(is_image);
                self.open.push(OpenLink { is_image, kind, url, text_end: range.start + "[".len() });
                return Ok(());
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(range)?,
            Event::Start(Tag::Table(_)) => self.is_in_table = true,
            Event::End(TagEnd::Table) => self.is_in_table = false,
            Event::Html(_) => self.add_line(range),
            Event::End(TagEnd::HtmlBlock) => self.end_block(),
            Event::InlineHtml(html) if self.images == 0 => self.add_tag(&html, range),
            _ => {}
        }
        if let Some(open) = self.open.last_mut() {
            open.text_end = end;
        }
        Ok(())
    }

    /// Ends the innermost link or image, which is in a range.
    fn end_link(&mut self, range: Range<usize>) -> io::Result<()> {
        let Some(link) = self.open.pop() else { return Ok(()) };
        self.images -= usize::from(link.is_image);
        if self.images > 0 {
            return Ok(());
        }
        match link.kind {
            LinkType::Inline => {
                let start = memmem::find(&self.text[link.text_end..range.end], b"](").ok_or_else(lost)?;
                let start = link.text_end + start + "](".len();
                self.add_destination(link.is_image, link.url.as_bytes(), start..range.end)?;
            }
            LinkType::Autolink | LinkType::Email => {
                let inner = range.start + 1..range.end - 1;
                let scheme = if link.kind == LinkType::Email { "mailto:" } else { "" };
                let url = if self.is_in_table { link.url.replace("\\|", "|") } else { link.url.into_string() };
                self.add_url(link.is_image, (scheme.to_owned() + &url).as_bytes(), inner, Form::Autolink);
            }
            LinkType::Shortcut | LinkType::Collapsed => {
                for value in self.values.iter_mut().rev().take_while(|value| value.range.start >= range.start) {
                    value.form = Form::Label;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the URL at the start of a range of the text, after white space and what marks quotes.
    fn add_destination(&mut self, is_image: bool, url: &[u8], range: Range<usize>) -> io::Result<()> {
        let text = &self.text[..range.end];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C);
        let length = |from: usize, is: &dyn Fn(&u8) -> bool| text[from..].iter().take_while(|byte| is(byte)).count();
        let mut start = range.start + length(range.start, &is_space);
        if text[range.start..start].iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            // ">" marks a quote, or it is where the URL starts
            let passed = start..start + length(start, &|byte| is_space(byte) || *byte == b'>');
            start = passed.end;
            let is_passed = !url.is_empty() && url.iter().all(|byte| *byte == b'>');
            if is_passed && matches!(text.get(start), None | Some(b'"' | b'\'' | b'(' | b')')) {
                // its line has nothing else, but a mark of a quote may be in the next one
                let line = text[passed.clone()].split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
                start = passed.start + memrchr(b'>', line).ok_or_else(lost)? + 1;
            }
            let decoded = |start: usize| decode(&self.text[start..destination_end(text, start)?]);
            if decoded(start).is_none_or(|decoded| decoded.as_bytes() != url) {
                // it starts with one ">" or more
                let last = start - 1;
                let others = url.len().checked_sub(decoded(last).ok_or_else(lost)?.len());
                start = others.and_then(|others| last.checked_sub(others)).ok_or_else(lost)?;
                decoded(start).filter(|decoded| decoded.as_bytes() == url).ok_or_else(lost)?;
            }
        }
        let end = destination_end(text, start).ok_or_else(lost)?;
        let is_same = self.prepared[start..end] == text[start..end];
        let own = if is_same { None } else { decode(&text[start..end]) };
        let url = own.as_ref().map_or(url, String::as_bytes);
        let marks = self.marks(start..end);
        let (range, form) = match text.get(start) {
            // the answer goes before the white space, which may have two line ends
            _ if start == end => (range.start..range.start, Form::Bare(marks)),
            Some(b'<') => (start + 1..end - 1, Form::Pointy(marks)),
            _ => (start..end, Form::Bare(marks)),
        };
        self.add_url(is_image, url, range, form);
        Ok(())
    }

    /// The marks of Markdown that a range has.
    fn marks(&self, range: Range<usize>) -> MarkdownMarks {
        MarkdownMarks::new(&self.text[range], self.is_in_table)
    }

    /// Adds a URL that is written in a range.
    fn add_url(&mut self, is_image: bool, url: &[u8], range: Range<usize>, form: Form) {
        let decoded = (self.text[range.clone()] != *url).then(|| url.into());
        self.values.push(MarkdownValue { range, form, what: What::Url { is_image, decoded } });
    }

    /// Adds a line to the current block of HTML.
    fn add_line(&mut self, line: Range<usize>) {
        // the events leave out CR of CRLF
        let is_next = |end: usize| matches!(&self.text[end..line.start], [] | [b'\r']);
        match self.block.last_mut() {
            Some(last) if is_next(last.end) => last.end = line.end,
            _ => self.block.push(line),
        }
    }

    /// Ends the current block of HTML.
    fn end_block(&mut self) {
        let lines = mem::take(&mut self.block);
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            let range = first.start..last.end;
            self.values.push(MarkdownValue { range, form: Form::Block, what: What::Html(lines) });
        }
    }

    /// Adds a tag or a comment in a text. `html` is without what marks quotes and lists before its lines.
    fn add_tag(&mut self, html: &str, range: Range<usize>) {
        let (mut lines, mut start) = (Vec::<Range<usize>>::new(), range.start);
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let raw = self.text[range.clone()].split_inclusive(is_end);
        for (line, raw) in html.as_bytes().split_inclusive(is_end).zip(raw) {
            start += raw.len();
            let line = start - line.len()..start;
            match lines.last_mut() {
                // LF of CRLF, for example
                Some(last) if last.end == line.start => last.end = line.end,
                _ => lines.push(line),
            }
        }
        let form = Form::Tag(self.marks(range.clone()));
        self.values.push(MarkdownValue { range, form, what: What::Html(lines) });
    }
}

/// Where the label at the start of a reference definition ends.
fn label_end(definition: &[u8]) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: &u8| {
        let is_plain = !is_escaped;
        is_escaped = *byte == b'\\' && is_plain;
        *byte == b']' && is_plain
    };
    definition.iter().position(is_end).unwrap_or(0)
}

/// Where a destination ends that starts in a text, with its `>` if it starts with `<`.
fn destination_end(text: &[u8], start: usize) -> Option<usize> {
    let (is_pointy, mut depth, mut at) = (text.get(start) == Some(&b'<'), 0, start);
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if text.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'>' if is_pointy => return Some(at + 1),
            _ if is_pointy => {}
            0..=b' ' => break,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    (!is_pointy).then_some(at)
}

/// A destination without its escapes.
fn decode(raw: &[u8]) -> Option<String> {
    let raw = String::from_utf8_lossy(raw);
    // the space keeps a backslash at the end from escaping `)`
    Parser::new(&format!("[]({raw} )")).find_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    })
}

/// The error that a link is not where it should be.
fn lost() -> io::Error {
    io::Error::other("a link of Markdown was not found again; please report this as a bug")
}
