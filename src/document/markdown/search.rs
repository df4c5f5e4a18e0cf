//! Where Markdown has links and HTML.

use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::Range;

use memchr::{memchr_iter, memchr2, memchr3_iter, memmem};
use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::events::Events;
use super::{front_matter, white_space};
use crate::document::holds::Holds;
use crate::document::place::markdown::{Form, read_destination};
use crate::strip::without_bom;

/// What a link is in HTML.
const A: Meaning = (Holds::Url, b"a", "href");

/// What an image is in HTML.
const IMG: Meaning = (Holds::Fetched, b"img", "src");

/// HTML in Markdown.
pub const HTML: Meaning = (Holds::Fragment, b"", ""); // silent: reading 22

/// How a value holds URLs, its element and attribute.
pub type Meaning = (Holds, &'static [u8], &'static str);

/// A URL or HTML in Markdown.
pub struct MarkdownValue {
    /// Where it is. A URL is without the `<` and `>` around it.
    pub range: Range<usize>,
    /// What is around it.
    pub form: Form,
    /// What it is in HTML.
    pub meaning: Meaning,
    /// The URL, if it is written with escapes.
    pub decoded: Option<String>,
    /// The lines of HTML, without what marks quotes and lists before them. Those that follow each other directly are one.
    pub lines: Vec<Range<usize>>,
}

/// Finds the links and HTML of a text.
struct Search<'a> {
    text: &'a [u8],
    /// The text as pulldown-cmark reads it.
    prepared: &'a [u8],
    values: Vec<MarkdownValue>,
    /// Whether there are destinations with escapes: the events say only in which links these are.
    has_escapes: bool,
    /// What another search, which finds these, too, has to read as `%`, so that there are no escapes in destinations.
    masked: Vec<Range<usize>>,
    /// Where the last part of the text of a link ends.
    text_end: usize,
    /// Where the last image ends: what it has in it is no link and no HTML.
    image_end: usize,
    /// Where the last link ends whose text is its label: what it has in it stays.
    label_end: usize,
    /// The lines of the current HTML.
    lines: Vec<Range<usize>>,
}

/// A text for pulldown-cmark, with the same places. A byte order mark and front matter are empty lines. A CR alone is LF.
/// End tags are in lower case: for it, no other one ends a block of PRE, SCRIPT, STYLE or TEXTAREA. Around a reference to a
/// footnote it reads no link: the labels of footnotes become ones that no reference has. A line of VT or FF is not blank.
///
/// # Errors
/// Titles have too many lines.
pub fn prepare(text: &str) -> io::Result<String> {
    let bytes = text.as_bytes();
    let mut prepared = bytes.to_vec();
    for at in memchr3_iter(b'\r', b'[', b'<', bytes) {
        let rest = &bytes[at + 1..];
        match bytes[at] {
            b'\r' if !rest.starts_with(b"\n") => prepared[at] = b'\n',
            b'[' if rest.starts_with(b"^") => {
                let length = rest.iter().take_while(|byte| !matches!(byte, b'[' | b']' | b'\n' | b'\r')).count();
                let is_first = bytes[..at].last().is_none_or(|last| b"> \t\n\r".contains(last));
                if rest[..length].iter().any(|byte| matches!(byte, b' ' | b'\t')) {
                    prepared[at + 1] = b'%'; // for GitHub, that is no label of a footnote
                } else if is_first && rest[length..].starts_with(b"]:") {
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
    // whole characters were replaced by ASCII, so there is no error
    let mut prepared = String::from_utf8(prepared).unwrap_or_else(|_| text.to_owned());
    let bom = prepared.len() - without_bom(prepared.as_bytes()).len();
    let front = bom + front_matter::length(prepared.get(bom..).unwrap_or_default());
    prepared.replace_range(..front, &"\n".repeat(front));
    white_space::fill(&mut prepared)?;
    Ok(prepared)
}

/// Finds the links and HTML of a text, in their order. `prepared` is the text after [`prepare`].
///
/// # Errors
/// Titles have too many lines, or a link was not found again.
pub fn find(text: &str, prepared: &str) -> io::Result<Vec<MarkdownValue>> {
    let Search { values, has_escapes, masked, .. } = Search::run(text, prepared)?;
    if !has_escapes {
        return Ok(values);
    }
    let mut without_escapes = prepared.as_bytes().to_vec();
    for range in masked {
        without_escapes[range].fill(b'%');
    }
    // all of it was ASCII, so there is no error
    let without_escapes = String::from_utf8(without_escapes).unwrap_or_default();
    let Search { values: found, has_escapes, .. } = Search::run(text, &without_escapes)?;
    // of a destination with escapes, the first search knows where its link ends
    let agrees = |(first, second): (&MarkdownValue, &MarkdownValue)| {
        first.meaning == second.meaning && first.range.end >= second.range.end
    };
    if !has_escapes && found.len() == values.len() && values.iter().zip(&found).all(agrees) {
        return Ok(found);
    }
    Err(io::Error::other("a link of Markdown was not found again; please report this as a bug"))
}

impl<'a> Search<'a> {
    /// Finds the links and HTML of a text, in their order.
    ///
    /// # Errors
    /// Titles have too many lines.
    fn run(text: &'a str, prepared: &'a str) -> io::Result<Self> {
        let (values, lines, masked) = (Vec::new(), Vec::new(), Vec::new());
        let (has_escapes, text_end, image_end, label_end) = (false, 0, 0, 0);
        let mut events = Events::of(prepared);
        let (text, prepared) = (text.as_bytes(), prepared.as_bytes());
        let mut search = Search { text, prepared, values, has_escapes, masked, text_end, image_end, label_end, lines };
        // where definitions are that are used, and whether only images use them
        let mut used = HashMap::new();
        while let Some((event, range)) = events.advance()? {
            let meaning = if matches!(event, Event::Start(Tag::Image { .. })) { IMG } else { A };
            if let Event::Start(Tag::Link { id, .. } | Tag::Image { id, .. }) = &event
                && !id.is_empty()
                && let Some(definition) = events.definitions().get(id)
            {
                *used.entry(definition.span.start).or_insert(true) &= meaning == IMG;
            }
            search.read(event, meaning, range);
        }
        search.label_end = 0;
        for (label, definition) in events.definitions().iter() {
            let use_of_it = used.get(&definition.span.start);
            if use_of_it.is_none() && matches!(&*definition.dest, "" | "#") {
                continue; // `[comment]: <> (text)`
            }
            let meaning = if use_of_it == Some(&true) { IMG } else { A };
            search.add_destination(meaning, &definition.dest, definition.span.end);
            search.mask(definition.span.start + label.len()..definition.span.end, "]:");
        }
        search.values.sort_by_key(|value| value.range.start);
        Ok(search)
    }

    /// Reads what comes next. `meaning` is that of a link or an image.
    fn read(&mut self, event: Event<'a>, meaning: Meaning, range: Range<usize>) {
        let is_start = matches!(event, Event::Start(_));
        let text_end = mem::replace(&mut self.text_end, if is_start { range.start + 1 } else { range.end });
        match event {
            Event::End(TagEnd::Link | TagEnd::Image) => self.mask(text_end..range.end, "]("),
            Event::Text(_) => {
                // without the escapes after it, a `<` could start a tag
                for at in memchr_iter(b'<', &self.prepared[range.clone()]) {
                    let name = range.start + at + 1;
                    if self.prepared.get(name).is_some_and(u8::is_ascii_alphabetic) {
                        self.masked.push(name..name + 1);
                    }
                }
            }
            _ if range.start < self.image_end => {}
            Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                if meaning == IMG {
                    self.image_end = range.end;
                }
                let inner = range.start + 1..range.end - 1;
                match link_type {
                    LinkType::Inline => self.add_destination(meaning, &dest_url, range.end),
                    LinkType::Autolink => self.add(inner, Form::Autolink, meaning, None),
                    LinkType::Email => self.add(inner, Form::Autolink, meaning, Some(format!("mailto:{dest_url}"))),
                    LinkType::Shortcut | LinkType::Collapsed => self.label_end = self.label_end.max(range.end),
                    _ => {}
                }
            }
            Event::Html(_) => self.add_line(range),
            Event::End(TagEnd::HtmlBlock) => self.add(range, Form::Block, HTML, None),
            Event::InlineHtml(html) => {
                let (mut end, raw) = (range.start, &self.prepared[range.clone()]);
                let is_end = |byte: &u8| *byte == b'\n';
                // `html` is without what marks quotes and lists before its lines
                for (line, raw) in html.as_bytes().split_inclusive(is_end).zip(raw.split_inclusive(is_end)) {
                    end += raw.len();
                    self.add_line(end - line.len()..end);
                }
                let form = Form::of_tag(&self.text[range.clone()]);
                self.add(range, form, HTML, None);
            }
            _ => {}
        }
    }

    /// Masks the escapes after `mark` in the range of a link or a definition.
    fn mask(&mut self, range: Range<usize>, mark: &str) {
        let Some(mark) = memmem::find(&self.prepared[range.clone()], mark.as_bytes()) else { return };
        let mut at = range.start + mark;
        while let Some(next) = memchr2(b'\\', b'&', self.prepared.get(at..range.end).unwrap_or_default()) {
            at += next;
            let rest = &self.prepared[at..];
            let length = match rest {
                [b'\\', b'\\', b'|', ..] => 3, // in a table
                // the others after it would be fewer, and could end code
                [b'\\', b'`', ..] => 1 + rest[1..].iter().take_while(|byte| **byte == b'`').count(),
                [b'\\', next, ..] if next.is_ascii_punctuation() => 2,
                _ => 1,
            };
            self.masked.push(at..at + length);
            at += length;
        }
    }

    /// Adds the destination of a link or a definition that ends at `end`.
    fn add_destination(&mut self, meaning: Meaning, url: &CowStr<'_>, end: usize) {
        // one without escapes is borrowed from the text
        let start = match url {
            CowStr::Borrowed(url) => url.as_ptr().addr().checked_sub(self.prepared.as_ptr().addr()),
            CowStr::Boxed(_) | CowStr::Inlined(_) => None,
        };
        let Some(range) = start.map(|start| start..start + url.len()).filter(|range| range.end <= self.prepared.len())
        else {
            self.has_escapes = true;
            return self.add(end..end, Form::Label, meaning, None);
        };
        let raw = &self.text[range.clone()];
        let is_pointy = self.text[..range.start].ends_with(b"<");
        let has_escapes = memchr2(b'\\', b'&', raw).is_some();
        let decoded = if has_escapes { read_destination(raw, is_pointy) } else { None };
        self.add(range, Form::of_destination(raw, is_pointy), meaning, decoded.filter(|url| url.as_bytes() != raw));
    }

    /// Adds a URL, or the current HTML. In a label, it stays.
    fn add(&mut self, range: Range<usize>, form: Form, meaning: Meaning, decoded: Option<String>) {
        let form = if range.start < self.label_end { Form::Label } else { form };
        self.values.push(MarkdownValue { range, form, meaning, decoded, lines: mem::take(&mut self.lines) });
    }

    /// Adds a line to the current HTML.
    fn add_line(&mut self, line: Range<usize>) {
        // the events leave out CR of CRLF
        let is_next = |end: usize| matches!(&self.text[end..line.start], [] | [b'\r']);
        match self.lines.last_mut() {
            Some(last) if is_next(last.end) => last.end = line.end,
            _ => self.lines.push(line),
        }
    }
}
