//! HTML documents (§10): where their BASE is, and their links, as the HTML Standard has them.
//!
//! The tokens are html5gum's. What its tokenizer has to be told, and what decides whether a BASE
//! is one, is which elements stand open, so those that matter are kept here.

use std::cell::RefCell;
use std::io::{self, Read};

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use encoding_rs_io::DecodeReaderBytesBuilder;
use html5gum::{Error, IoReader, State, Tokenizer};
use memchr::memchr_iter;

use super::Stop;

/// How much is read at once, in bytes.
const BLOCK: usize = 64 * 1024;

/// How many bytes the tokenizer may not yet have taken when it reads on, and more.
const LEFT: u64 = 16;

/// How many bytes of an attribute's name are kept, or a few more: those of none that is known are as
/// many.
const NAME: usize = 64;

/// How many bytes from the start a META may name the charset.
const PRESCAN: usize = 1024;

/// How the value of an attribute holds URLs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// One URL.
    Url,
    /// URLs with white space between them.
    Spaced,
    /// URLs with commas between them.
    Commas,
    /// The image candidates of a srcset: each is a URL and what it is for.
    Candidates,
    /// A time, and perhaps the URL that a META refresh goes to after it.
    Refresh,
    /// None; it says what something else is about.
    Nothing,
}

/// An attribute that may hold URLs, with its element.
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    /// The element's name, in lower case.
    pub element: &'a [u8],
    /// Which of the element's [`attributes`] it is.
    pub index: usize,
    /// Its value, character references decoded.
    pub value: &'a [u8],
    /// The line where the value begins.
    pub line: u64,
    /// The column where the value begins, in bytes from 1.
    pub column: u64,
}

/// What a document has that matters for URLs.
pub enum Event<'a> {
    /// A BASE element with an HREF, which is in the attribute.
    Base(Attribute<'a>),
    /// An attribute that may hold URLs.
    Links(Attribute<'a>),
    /// The charset that a META names.
    Charset(&'a [u8]),
}

/// An attribute that is known, and how it holds URLs.
type Known = (&'static str, Holds);

/// The attributes of an element that are known: those that the HTML Standard gives URLs, obsolete
/// ones too, and what else has to be known of it.
pub fn attributes(element: &[u8]) -> &'static [Known] {
    use Holds::{Candidates, Commas, Nothing, Refresh, Spaced, Url};
    match element {
        b"a" | b"area" => &[("href", Url), ("ping", Spaced), ("itemid", Url), ("itemtype", Spaced)],
        b"link" => &[("href", Url), ("imagesrcset", Candidates), ("itemid", Url), ("itemtype", Spaced)],
        b"base" => &[("href", Nothing)],
        b"img" | b"image" => &[
            ("src", Url),
            ("srcset", Candidates),
            ("longdesc", Url),
            ("usemap", Url),
            ("lowsrc", Url),
            ("dynsrc", Url),
            ("itemid", Url),
            ("itemtype", Spaced),
        ],
        b"audio" | b"embed" | b"script" | b"track" | b"bgsound" => {
            &[("src", Url), ("itemid", Url), ("itemtype", Spaced)]
        }
        b"source" => &[("src", Url), ("srcset", Candidates), ("itemid", Url), ("itemtype", Spaced)],
        b"video" => &[("src", Url), ("poster", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"frame" | b"iframe" => &[("src", Url), ("longdesc", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"input" => &[("src", Url), ("formaction", Url), ("usemap", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"button" => &[("formaction", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"form" | b"isindex" => &[("action", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"blockquote" | b"del" | b"ins" | b"q" => &[("cite", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"object" => &[
            ("data", Url),
            ("usemap", Url),
            ("classid", Url),
            ("codebase", Url),
            ("archive", Spaced),
            ("itemid", Url),
            ("itemtype", Spaced),
        ],
        b"applet" => &[("codebase", Url), ("archive", Commas), ("itemid", Url), ("itemtype", Spaced)],
        b"body" | b"table" | b"thead" | b"tbody" | b"tfoot" | b"tr" | b"td" | b"th" => {
            &[("background", Url), ("itemid", Url), ("itemtype", Spaced)]
        }
        b"html" => &[("manifest", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"head" => &[("profile", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"command" | b"menuitem" => &[("icon", Url), ("itemid", Url), ("itemtype", Spaced)],
        b"meta" => &[
            ("content", Refresh),
            ("http-equiv", Nothing),
            ("charset", Nothing),
            ("itemid", Url),
            ("itemtype", Spaced),
        ],
        b"annotation-xml" => &[("encoding", Nothing)],
        b"font" => &[("color", Nothing), ("face", Nothing), ("size", Nothing), ("itemid", Url), ("itemtype", Spaced)],
        _ => &[("itemid", Url), ("itemtype", Spaced)],
    }
}

/// Reads a document to its end, telling of each BASE, each attribute with URLs and each charset, in
/// the order of the document. `charset` is what its transport says; a BOM outranks it, a META in
/// the first KiB does not. Its first line gets the number `line`.
///
/// Needs memory for one tag and for the names of elements in SVG, MATH and TEMPLATE that stand
/// open.
///
/// # Errors
/// What `each` returns, or that the document cannot be read.
pub fn scan(
    mut document: impl Read,
    charset: Option<&'static Encoding>,
    line: u64,
    each: &mut dyn FnMut(Event<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut start = Vec::new();
    document.by_ref().take(PRESCAN as u64).read_to_end(&mut start).map_err(Stop::Unreadable)?;
    let charset = match Encoding::for_bom(&start) {
        Some((charset, _)) => Some(charset),
        None => charset.or_else(|| named_charset(&start)),
    };
    let charset = charset.filter(|charset| {
        // the bytes of these are what URLs are made of, or nothing sensible is known of them
        ![UTF_8, WINDOWS_1252, X_USER_DEFINED, REPLACEMENT].contains(charset)
    });
    let mut decoded = DecodeReaderBytesBuilder::new()
        .encoding(charset)
        .bom_override(true)
        .strip_bom(true)
        .utf8_passthru(true)
        .build(start.chain(document));
    tokenize(&mut decoded, line, each)
}

/// The charset that a META in the first bytes of a document names. UTF-16 there means UTF-8: the
/// META could not have been read otherwise.
fn named_charset(start: &[u8]) -> Option<&'static Encoding> {
    let mut named = None;
    let _ = tokenize(&mut &*start, 1, &mut |event| match event {
        Event::Charset(label) => {
            named = Encoding::for_label(label);
            if named.is_some() { Err(Stop::Enough) } else { Ok(()) }
        }
        _ => Ok(()),
    });
    named.map(|charset| if charset == UTF_16BE || charset == UTF_16LE { UTF_8 } else { charset })
}

/// [`scan`], of text in UTF-8 or in another charset that has ASCII's bytes.
fn tokenize(text: &mut dyn Read, line: u64, each: &mut dyn FnMut(Event<'_>) -> Result<(), Stop>) -> Result<(), Stop> {
    let lines = RefCell::new(Lines { line, ..Lines::default() });
    let mut block = vec![0; BLOCK];
    let reader = IoReader::new_with_buffer(Counted { text, lines: &lines }, block.as_mut_slice());
    let tags = Tags {
        each,
        stopped: None,
        lines: &lines,
        offset: 0,
        kind: None,
        name: Vec::new(),
        self_closing: false,
        known: &[],
        attribute: Vec::new(),
        attribute_at: (0, 0),
        value: None,
        values: Vec::new(),
        found: Vec::new(),
        text_of: Vec::new(),
        open: Vec::new(),
        places: Default::default(),
    };
    match Tokenizer::new_with_emitter(reader, tags).next() {
        None => Ok(()),
        Some(Ok(stop)) => Err(stop),
        Some(Err(error)) => Err(Stop::Unreadable(error)),
    }
}

/// The ends of lines in what has been read and not yet been passed.
#[derive(Default)]
struct Lines {
    /// Their offsets, ascending.
    ends: Vec<u64>,
    /// How many of them have been passed.
    passed: usize,
    /// How many bytes have been read.
    read: u64,
    /// The line after the last end that has been passed.
    line: u64,
    /// The offset where it begins.
    start: u64,
}

impl Lines {
    /// Notes the ends of lines in the bytes read next. Those of earlier bytes are passed: the
    /// tokenizer reads on when it has none left but a few.
    fn add(&mut self, bytes: &[u8]) {
        self.locate(self.read.saturating_sub(LEFT));
        self.ends.drain(..self.passed);
        self.passed = 0;
        self.ends.extend(memchr_iter(b'\n', bytes).map(|at| self.read.saturating_add(at as u64)));
        self.read = self.read.saturating_add(bytes.len() as u64);
    }

    /// The line and column, both from 1, of an offset that is not before one asked for earlier.
    fn locate(&mut self, offset: u64) -> (u64, u64) {
        let ahead = self.ends.split_at(self.passed).1;
        let passed = ahead.iter().take_while(|&&end| end < offset).count();
        if let Some((&last, _)) = ahead.split_at(passed).0.split_last() {
            self.start = last.saturating_add(1);
        }
        self.passed = self.passed.saturating_add(passed);
        self.line = self.line.saturating_add(passed as u64);
        (self.line, offset.saturating_sub(self.start).saturating_add(1))
    }
}

/// A text whose lines are counted.
struct Counted<'a> {
    /// The text. Of one type, so that the tokenizer is compiled once.
    text: &'a mut dyn Read,
    /// Its lines.
    lines: &'a RefCell<Lines>,
}

impl Read for Counted<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let length = loop {
            match self.text.read(block) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.lines.borrow_mut().add(block.split_at(length).0);
        Ok(length)
    }
}

/// An attribute that has been found in the tag being read.
struct Found {
    /// Which of the element's it is.
    index: usize,
    /// Where its value is in `values`.
    value: std::ops::Range<usize>,
    /// Its line.
    line: u64,
    /// Its column.
    column: u64,
}

/// The elements that are kept while they stand open: those that put what is in them under rules of
/// their own, and those in SVG and MATH whose content is HTML again.
const NAMES: [&str; 12] =
    ["template", "svg", "math", "foreignobject", "desc", "title", "annotation-xml", "mi", "mo", "mn", "ms", "mtext"];

/// The place of an element in [`NAMES`].
const TEMPLATE: usize = 0;
/// The place of an element in [`NAMES`].
const SVG: usize = 1;
/// The place of an element in [`NAMES`].
const MATH: usize = 2;
/// The places in [`NAMES`] of what holds HTML in SVG.
const IN_SVG: std::ops::RangeInclusive<usize> = 3..=5;
/// The place of an element in [`NAMES`].
const ANNOTATION: usize = 6;
/// The places in [`NAMES`] of what holds HTML in MATH.
const IN_MATH: std::ops::RangeInclusive<usize> = 7..=11;

/// Whether an element cannot stand in SVG or MATH and ends them.
fn breaks_out(element: &[u8]) -> bool {
    matches!(
        element,
        b"b" | b"big"
            | b"blockquote"
            | b"body"
            | b"br"
            | b"center"
            | b"code"
            | b"dd"
            | b"div"
            | b"dl"
            | b"dt"
            | b"em"
            | b"embed"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"head"
            | b"hr"
            | b"i"
            | b"img"
            | b"li"
            | b"listing"
            | b"menu"
            | b"meta"
            | b"nobr"
            | b"ol"
            | b"p"
            | b"pre"
            | b"ruby"
            | b"s"
            | b"small"
            | b"span"
            | b"strong"
            | b"strike"
            | b"sub"
            | b"sup"
            | b"table"
            | b"tt"
            | b"u"
            | b"ul"
            | b"var"
    )
}

/// Which tag is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A start tag.
    Start,
    /// An end tag.
    End,
}

/// What the tokenizer hands its tokens to: only tags matter.
struct Tags<'a> {
    /// Who is told.
    each: &'a mut dyn FnMut(Event<'_>) -> Result<(), Stop>,
    /// What it returned.
    stopped: Option<Stop>,
    /// The lines of the text.
    lines: &'a RefCell<Lines>,
    /// How many bytes of the text have been taken.
    offset: usize,
    /// The kind of the tag.
    kind: Option<Kind>,
    /// Its name.
    name: Vec<u8>,
    /// Whether it ends in `/>`.
    self_closing: bool,
    /// The attributes to look for in it.
    known: &'static [Known],
    /// The name of the attribute being read.
    attribute: Vec<u8>,
    /// The line and the column where it begins.
    attribute_at: (u64, u64),
    /// Which one it is and where its value begins, if that has begun and it is looked for.
    value: Option<Found>,
    /// The values of the attributes found.
    values: Vec<u8>,
    /// The attributes found.
    found: Vec<Found>,
    /// The element whose content is text only, as long as it is being read.
    text_of: Vec<u8>,
    /// Which of [`NAMES`] stand open, the innermost last.
    open: Vec<u8>,
    /// Where each of them is in `open`, ascending.
    places: [Vec<usize>; NAMES.len()],
}

impl Tags<'_> {
    /// Whether the tag stands in SVG or MATH, and not in HTML therein.
    fn in_foreign(&self) -> bool {
        self.open.last().is_some_and(|&name| [SVG, MATH].contains(&usize::from(name)))
    }

    /// Notes that an element stands open.
    fn push(&mut self, name: usize) {
        if let (Some(places), Ok(name)) = (self.places.get_mut(name), u8::try_from(name)) {
            places.push(self.open.len());
            self.open.push(name);
        }
    }

    /// Notes that the innermost element has ended.
    fn pop(&mut self) -> Option<usize> {
        let name = usize::from(self.open.pop()?);
        if let Some(places) = self.places.get_mut(name) {
            places.pop();
        }
        Some(name)
    }

    /// Where the innermost open element of a name is in `open`.
    fn innermost(&self, name: usize) -> Option<usize> {
        self.places.get(name)?.last().copied()
    }

    /// The attribute that is being read or has just been read, if it is looked for and new.
    fn looked_for(&self) -> Option<usize> {
        let index = self.known.iter().position(|(name, _)| name.as_bytes() == self.attribute)?;
        (!self.found.iter().any(|found| found.index == index)).then_some(index)
    }

    /// An attribute with its place and, for now, no value.
    fn begin(&self, index: usize, (line, column): (u64, u64)) -> Found {
        Found { index, value: self.values.len()..self.values.len(), line, column }
    }

    /// Ends the attribute being read.
    fn end_attribute(&mut self) {
        if self.attribute.is_empty() {
            return;
        }
        let found = match self.value.take() {
            None => self.looked_for().map(|index| self.begin(index, self.attribute_at)),
            found => found,
        };
        if let Some(mut found) = found {
            found.value.end = self.values.len();
            self.found.push(found);
        }
        self.attribute.clear();
    }

    /// The value of the attribute `name`, if it has been found.
    fn value_of(&self, name: &str) -> Option<&[u8]> {
        let found = self.found.iter().find(|found| self.known.get(found.index).is_some_and(|known| known.0 == name))?;
        self.values.get(found.value.clone())
    }

    /// Tells what the start tag has.
    fn tell(&mut self, in_html: bool) -> Result<(), Stop> {
        let is_refresh = match &*self.name {
            b"base" if !in_html || self.innermost(TEMPLATE).is_some() => return Ok(()),
            b"meta" => {
                let equiv = self.value_of("http-equiv").map(<[u8]>::trim_ascii).unwrap_or_default();
                let charset = match self.value_of("content") {
                    Some(content) if equiv.eq_ignore_ascii_case(b"content-type") => charset_in(content),
                    _ => None,
                };
                let is_refresh = equiv.eq_ignore_ascii_case(b"refresh");
                if let Some(label) = self.value_of("charset").or(charset) {
                    let label = label.to_vec();
                    (self.each)(Event::Charset(&label))?;
                }
                is_refresh
            }
            _ => false,
        };
        for found in &self.found {
            let value = self.values.get(found.value.clone()).unwrap_or_default();
            let Found { index, line, column, .. } = *found;
            let attribute = Attribute { element: &self.name, index, value, line, column };
            match self.known.get(index).map(|known| known.1) {
                Some(Holds::Nothing) if self.name == b"base" => (self.each)(Event::Base(attribute))?,
                Some(Holds::Refresh) if !is_refresh => {}
                Some(Holds::Nothing) | None => {}
                Some(_) => (self.each)(Event::Links(attribute))?,
            }
        }
        Ok(())
    }

    /// Follows a start tag; the state that the tokenizer has to go on in.
    fn started(&mut self) -> Option<State> {
        let mut foreign = self.in_foreign();
        let is_old_font =
            self.name == b"font" && ["color", "face", "size"].iter().any(|name| self.value_of(name).is_some());
        if foreign && (breaks_out(&self.name) || is_old_font) {
            self.break_out();
            foreign = false;
        }
        if let Err(stop) = self.tell(!foreign) {
            self.stopped = Some(stop);
        }
        if foreign || matches!(&*self.name, b"svg" | b"math") {
            let innermost = self.open.last().map_or(TEMPLATE, |&name| usize::from(name));
            let name = NAMES.iter().position(|name| name.as_bytes() == self.name)?;
            let holds_html = match innermost {
                SVG => IN_SVG.contains(&name),
                MATH if name == ANNOTATION => self.value_of("encoding").is_some_and(|encoding| {
                    [&b"text/html"[..], b"application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
                }),
                MATH => IN_MATH.contains(&name),
                _ => false,
            };
            // an element named svg in MATH is none, nor is one named math in SVG
            let is_foreign = name == innermost || !foreign && (name == SVG || name == MATH);
            if !self.self_closing && (holds_html || is_foreign) {
                self.push(name);
            }
            return None;
        }
        let state = match &*self.name {
            b"template" => {
                self.push(TEMPLATE);
                return None;
            }
            b"title" | b"textarea" => State::RcData,
            b"script" => State::ScriptData,
            b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => State::RawText,
            b"plaintext" => State::PlainText,
            _ => return None,
        };
        self.text_of.clone_from(&self.name);
        Some(state)
    }

    /// Ends SVG and MATH up to the HTML around them.
    fn break_out(&mut self) {
        while self.in_foreign() {
            self.pop();
        }
    }

    /// Follows an end tag.
    fn ended(&mut self) {
        if matches!(&*self.name, b"p" | b"br") {
            self.break_out(); // as tags that stand for empty elements
        }
        let Some(name) = NAMES.iter().position(|name| name.as_bytes() == self.name) else { return };
        // nothing in a TEMPLATE ends what is around it, and no element that is not open ends at all
        if self.innermost(name).is_none() || self.innermost(name) < self.innermost(TEMPLATE) {
            return;
        }
        while let Some(ended) = self.pop() {
            if ended == name {
                break;
            }
        }
    }
}

/// The label after `charset=` in the content of a META.
fn charset_in(content: &[u8]) -> Option<&[u8]> {
    let at = content.windows(7).position(|window| window.eq_ignore_ascii_case(b"charset"))?;
    let rest = content.get(at.saturating_add(7)..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    match rest {
        [quote @ (b'"' | b'\''), rest @ ..] => rest.split(|byte| byte == quote).next(),
        rest => rest.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next(),
    }
}

impl html5gum::Emitter for Tags<'_> {
    type Token = Stop;

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.offset = self.offset.saturating_add_signed(offset);
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Stop> {
        self.stopped.take()
    }

    fn init_start_tag(&mut self) {
        self.kind = Some(Kind::Start);
        self.name.clear();
        self.self_closing = false;
        self.known = &[];
        self.attribute.clear();
        self.value = None;
        self.values.clear();
        self.found.clear();
    }

    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.kind = Some(Kind::End);
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        match self.name.try_reserve(name.len()) {
            Ok(()) => self.name.extend_from_slice(name),
            Err(error) => self.stopped = Some(Stop::Unreadable(error.into())),
        }
    }

    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    fn init_attribute(&mut self) {
        if self.kind == Some(Kind::Start) {
            self.end_attribute();
            self.known = attributes(&self.name);
            self.attribute_at = self.lines.borrow_mut().locate(self.offset.saturating_sub(1) as u64);
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        if !self.known.is_empty() && self.attribute.len() < NAME {
            self.attribute.extend_from_slice(name);
        }
    }

    fn init_attribute_value(&mut self) {
        self.value = self.looked_for().map(|index| {
            let at = self.lines.borrow_mut().locate(self.offset as u64);
            self.begin(index, at)
        });
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.value.is_some() {
            match self.values.try_reserve(value.len()) {
                Ok(()) => self.values.extend_from_slice(value),
                Err(error) => self.stopped = Some(Stop::Unreadable(error.into())),
            }
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        match self.kind {
            Some(Kind::Start) => self.started(),
            _ => {
                self.ended();
                None
            }
        }
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.kind == Some(Kind::End) && !self.text_of.is_empty() && self.name == self.text_of
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.in_foreign()
    }

    fn set_last_start_tag(&mut self, _: Option<&[u8]>) {}
    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    fn emit_string(&mut self, _: &[u8]) {}
    fn init_comment(&mut self) {}
    fn emit_current_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}

/// Calls `each` with every URL in the value of an attribute, white space around it dropped, in the
/// order in which they stand.
///
/// # Errors
/// What `each` returns.
pub fn split(value: &[u8], holds: Holds, mut each: impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    match holds {
        Holds::Url => each(value.trim_ascii()),
        Holds::Nothing => Ok(()),
        Holds::Spaced => value.split(is_space).filter(|url| !url.is_empty()).try_for_each(each),
        Holds::Commas => {
            value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).filter(|url| !url.is_empty()).try_for_each(each)
        }
        Holds::Refresh => refresh(value).map_or(Ok(()), each),
        Holds::Candidates => {
            let mut rest = value;
            loop {
                let begins = rest.iter().position(|byte| !is_space(byte) && *byte != b',');
                let Some((_, candidate)) = begins.map(|at| rest.split_at(at)) else { return Ok(()) };
                let end = candidate.iter().position(is_space).unwrap_or(candidate.len());
                let (url, after) = candidate.split_at(end);
                let commas = url.iter().rev().take_while(|&&byte| byte == b',').count();
                each(url.split_at(url.len().saturating_sub(commas)).0)?;
                rest = if commas > 0 { after } else { after.split_at(descriptors(after)).1 };
            }
        }
    }
}

/// How many bytes the descriptors of an image candidate have: up to the next comma that is in no
/// parentheses.
fn descriptors(text: &[u8]) -> usize {
    let mut inside = false;
    text.iter()
        .position(|&byte| {
            inside = byte == b'(' || inside && byte != b')';
            byte == b',' && !inside
        })
        .unwrap_or(text.len())
}

/// The URL in the content of a META refresh, by the HTML Standard's shared declarative refresh
/// steps; `None` if it has only a time or is wrong.
fn refresh(content: &[u8]) -> Option<&[u8]> {
    let rest = content.trim_ascii_start();
    if !rest.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return None;
    }
    let time = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let after = match rest.split_at(time).1 {
        [b';' | b',', after @ ..] => after,
        [byte, after @ ..] if byte.is_ascii_whitespace() => {
            let after = after.trim_ascii_start();
            after.strip_prefix(b";").or_else(|| after.strip_prefix(b",")).unwrap_or(after)
        }
        _ => return None,
    }
    .trim_ascii_start();
    let named = match after {
        [u, r, l, rest @ ..] if [*u, *r, *l].eq_ignore_ascii_case(b"url") => {
            rest.trim_ascii_start().strip_prefix(b"=").map(<[u8]>::trim_ascii_start)
        }
        _ => None,
    };
    let url = match named.unwrap_or(after) {
        [quote @ (b'"' | b'\''), rest @ ..] => rest.split(|byte| byte == quote).next().unwrap_or_default(),
        url => url,
    };
    (!after.is_empty()).then_some(url.trim_ascii())
}
