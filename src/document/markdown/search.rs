//! Where Markdown has links and HTML.

use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::Range;

use memchr::{memchr2, memchr3_iter, memmem};
use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::events::Events;
use super::front_matter;
use crate::document::holds::Holds;
use crate::document::place::markdown::{Form, read_destination};
use crate::strip::without_bom;

/// What a link is in HTML.
const A: Meaning = (Holds::Url, b"a", b"href");

/// What an image is in HTML.
const IMG: Meaning = (Holds::Fetched, b"img", b"src");

/// HTML in Markdown.
pub const HTML: Meaning = (Holds::Fragment, b"", b""); // silent: reading 22

/// How a value holds URLs, its element and attribute.
pub type Meaning = (Holds, &'static [u8], &'static [u8]);

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
    /// The lines of HTML, without what marks quotes and lists before them. Those that follow each other directly are
    /// one.
    pub lines: Vec<Range<usize>>,
}

/// Finds the links and HTML of a text.
struct Search<'a> {
    text: &'a [u8],
    /// The text as pulldown-cmark reads it.
    prepared: &'a [u8],
    values: Vec<MarkdownValue>,
    /// The links and images that have not ended, and the destination of each that has one of its own.
    open: Vec<Option<(Meaning, CowStr<'a>)>>,
    /// Where the last part of the text of a link ends.
    text_end: usize,
    /// Where the last image ends: what it has in it is no link and no HTML.
    image_end: usize,
    /// Where the last link ends whose text is its label: what it has in it stays.
    label_end: usize,
    /// The lines of the current HTML.
    lines: Vec<Range<usize>>,
}

/// A text for pulldown-cmark, with the same places. A byte order mark and front matter are empty lines. A CR alone is
/// LF. End tags are in lower case: for it, no other one ends a block of PRE, SCRIPT, STYLE or TEXTAREA. Around a
/// reference to a footnote it reads no link: the labels of footnotes become ones that no reference has.
pub fn prepare(text: &str) -> String {
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
    prepared
}

/// Finds the links and HTML of a text, in their order. `prepared` is the text after [`prepare`].
///
/// # Errors
/// Titles have too many lines.
pub fn find(text: &str, prepared: &str) -> io::Result<Vec<MarkdownValue>> {
    let mut events = Events::of(prepared);
    let (text, prepared) = (text.as_bytes(), prepared.as_bytes());
    let (values, open, lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut search = Search { text, prepared, values, open, text_end: 0, image_end: 0, label_end: 0, lines };
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
        let range = definition.span.start + label.len()..definition.span.end;
        search.add_destination(meaning, &definition.dest, range, "]:");
    }
    search.values.sort_by_key(|value| value.range.start);
    Ok(search.values)
}

impl<'a> Search<'a> {
    /// Reads what comes next. `meaning` is that of a link or an image.
    fn read(&mut self, event: Event<'a>, meaning: Meaning, range: Range<usize>) {
        let is_start = matches!(event, Event::Start(_));
        let text_end = mem::replace(&mut self.text_end, if is_start { range.start + 1 } else { range.end });
        match event {
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some((meaning, url)) = self.open.pop().flatten() {
                    self.add_destination(meaning, &url, text_end..range.end, "](");
                }
            }
            Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                let is_in_image = range.start < self.image_end;
                if meaning == IMG {
                    self.image_end = self.image_end.max(range.end);
                }
                let is_inline = link_type == LinkType::Inline && !is_in_image;
                let inner = range.start + 1..range.end - 1;
                match link_type {
                    _ if is_in_image => {}
                    LinkType::Autolink => self.add(inner, Form::Autolink, meaning, None),
                    LinkType::Email => self.add(inner, Form::Autolink, meaning, Some(format!("mailto:{dest_url}"))),
                    LinkType::Shortcut | LinkType::Collapsed => self.label_end = self.label_end.max(range.end),
                    _ => {}
                }
                self.open.push(is_inline.then_some((meaning, dest_url)));
            }
            _ if range.start < self.image_end => {}
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

    /// Adds the destination of a link or a definition, which comes after `mark` in a range.
    fn add_destination(&mut self, meaning: Meaning, url: &CowStr<'_>, range: Range<usize>, mark: &str) {
        // one without escapes is borrowed from the text
        let borrowed = match url {
            CowStr::Borrowed(url) => url.as_ptr().addr().checked_sub(self.prepared.as_ptr().addr()),
            CowStr::Boxed(_) | CowStr::Inlined(_) => None,
        };
        let borrowed = borrowed.filter(|start| (range.start..=range.end).contains(start));
        let Some(start) = borrowed.or_else(|| self.find_destination(url, range.clone(), mark)) else { return };
        let is_pointy = self.prepared[..start].ends_with(b"<");
        let range = start..start + destination_length(&self.prepared[start..range.end], is_pointy);
        let raw = &self.text[range.clone()];
        // in a table `\\|` has two meanings; what `prepare` changed has to be read again
        let decoded = match has_escapes(raw) {
            true if raw == &self.prepared[range.clone()] => Some(url.to_string()),
            true => read_destination(raw, is_pointy),
            false => None,
        };
        self.add(range, Form::of_destination(raw, is_pointy), meaning, decoded.filter(|url| url.as_bytes() != raw));
    }

    /// Where a destination with escapes starts after `mark`: perhaps in the next line, after what marks a quote there.
    fn find_destination(&self, url: &str, range: Range<usize>, mark: &str) -> Option<usize> {
        let text = &self.prepared[..range.end];
        let after = range.start + memmem::find(&text[range.start..], mark.as_bytes())? + mark.len();
        let is_before = |at: usize| match text[at..] {
            [b'>', ..] => {
                let raw = &text[at..at + destination_length(&text[at..], false)];
                !has_escapes(raw) || read_destination(raw, false).as_deref() != Some(url)
            }
            [byte, ..] => byte == 0x0B || byte.is_ascii_whitespace(),
            [] => false,
        };
        let start = (after..range.end).find(|at| !is_before(*at))?;
        Some(start + usize::from(text[start] == b'<'))
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

/// The length of the destination at the start of a text: up to a `>`, or up to white space or a `)` without its `(`.
fn destination_length(text: &[u8], is_pointy: bool) -> usize {
    let (mut is_after_backslash, mut depth) = (false, 0);
    let is_end = |byte: &u8| {
        let is_escaped = is_after_backslash && byte.is_ascii_punctuation();
        is_after_backslash = *byte == b'\\' && !is_escaped;
        match byte {
            _ if is_escaped => return false,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if is_pointy { *byte == b'>' } else { depth < 0 || *byte <= b' ' }
    };
    text.iter().position(is_end).unwrap_or(text.len())
}

/// Whether a destination is written with escapes.
fn has_escapes(raw: &[u8]) -> bool {
    memchr2(b'\\', b'&', raw).is_some()
}
