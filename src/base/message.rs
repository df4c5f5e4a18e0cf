//! Messages (§3.1) and the entities they are made of (§3.2): RFC 822, MIME, and HTTP's headers.
//!
//! The Content-Type and the transfer encodings are read by mail-parser. Which line begins a part is
//! decided here, line by line: a boundary is one only as a whole line (RFC 2046 §5.1.1), one look at
//! each line is enough however many multiparts stand open, and nothing calls itself.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::io;
use std::ops::Range;

use encoding_rs::Encoding;
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType, HeaderValue};
use memchr::{memchr, memchr_iter, memmem};

use super::{Found, Html, Part, Place, Problem, Rule, absolute};
use crate::memory::{ask, grow};
use crate::resolver::parse;

/// How often a message may be in a transfer encoding, one in the other.
const DEEPEST: usize = 3;

/// The most bytes of a Content-Type field that are looked at.
const LONGEST_TYPE: usize = 16 * 1024;

/// How many bytes the base URLs of a message that are made of relative ones may have together, beside
/// [`MADE_TIMES`] as many as the message: a few bytes of each part could make one of 8 KiB.
const MADE: usize = 1024 * 1024;

/// See [`MADE`].
const MADE_TIMES: usize = 4;

/// How many parts are listed, and how many levels of them.
const LISTED: usize = 30;

/// What an entity is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Parts.
    Multipart,
    /// Parts that are messages if they do not say otherwise.
    Digest,
    /// A message in a message.
    Message,
    /// HTML.
    Html,
    /// Something else.
    Other,
}

/// How the bytes of an entity are encoded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    /// Not at all.
    Identity,
    /// In base64.
    Base64,
    /// As quoted-printable.
    QuotedPrintable,
}

/// A message or a part of one.
struct Entity {
    /// What it stands in.
    parent: Option<usize>,
    /// Its number there, from 1; 0 for the whole message.
    number: u32,
    /// How many entities stand directly in it.
    children: u32,
    /// What it is.
    kind: Kind,
    /// Its encoding.
    coding: Coding,
    /// Its charset.
    charset: Option<&'static Encoding>,
    /// Which text it stands in.
    text: usize,
    /// Where its content is there, if it is HTML or has to be decoded.
    body: Range<usize>,
    /// The line where that begins.
    line: u64,
    /// Which of the tree's bases is its own or that of the innermost entity around it.
    base: Option<usize>,
}

/// A base URL that a header has.
struct Defined {
    /// The URL.
    url: Vec<u8>,
    /// The field's name.
    by: &'static str,
    /// Whose header it is.
    entity: usize,
    /// The field's line.
    line: u64,
}

/// Something that is passed over.
pub struct Note {
    /// In which entity.
    pub entity: usize,
    /// In which line.
    pub line: u64,
    /// What.
    pub problem: Problem,
}

/// A message, taken apart.
pub struct Tree {
    /// The message, and the messages in it that had to be decoded.
    texts: Vec<Vec<u8>>,
    /// Its entities in document order, the message itself first; those of decoded messages last.
    entities: Vec<Entity>,
    /// Where the entities of a decoded message are, by the entity that it is the content of.
    decoded: HashMap<usize, Range<usize>>,
    /// The bases in their headers.
    bases: Vec<Defined>,
    /// How many more bytes of those may be made of relative ones.
    room: usize,
    /// What is passed over, in the order of the entities.
    pub notes: Vec<Note>,
}

/// Whether a document begins as a message does: with a status line of HTTP, an mbox `From ` line
/// before a header field, or a header field.
pub fn begins(start: &[u8]) -> bool {
    let start = without_bom(start);
    let is_field = |line: &[u8]| field(line).is_some();
    match line_at(start, 0) {
        (line, next) if line.starts_with(b"From ") => is_field(line_at(start, next).0),
        (line, _) => is_status(line) || is_field(line),
    }
}

/// Whether [`begins`] says the same of all documents that begin so: the lines it looks at are whole,
/// or the first byte begins none of them.
pub fn is_enough(start: &[u8]) -> bool {
    let before = usize::from(without_bom(start).starts_with(b"From "));
    without_bom(start).starts_with(b"<") || memchr_iter(b'\n', start).nth(before).is_some()
}

/// A text without the BOM that it may begin with.
fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// Whether a line is a status line of HTTP: version, space, three digits, and nothing or a space
/// after them.
fn is_status(line: &[u8]) -> bool {
    let Some([major, rest @ ..]) = line.strip_prefix(b"HTTP/") else { return false };
    let rest = match rest {
        [b'.', minor, rest @ ..] if minor.is_ascii_digit() => rest,
        rest => rest,
    };
    let is_code = match rest {
        [b' ', code @ ..] => match code.split_at_checked(3) {
            Some((code, after)) => code.iter().all(u8::is_ascii_digit) && matches!(after, [] | [b' ', ..]),
            None => false,
        },
        _ => false,
    };
    major.is_ascii_digit() && is_code
}

/// The line at an offset, without CR and LF, and where the next one begins.
fn line_at(text: &[u8], at: usize) -> (&[u8], usize) {
    let rest = text.get(at..).unwrap_or_default();
    match memchr(b'\n', rest) {
        None => (rest, text.len()),
        Some(end) => {
            let line = rest.split_at(end).0;
            (line.strip_suffix(b"\r").unwrap_or(line), at.saturating_add(end).saturating_add(1))
        }
    }
}

/// The name of a header field and the length of what stands before its value, if the line begins
/// one.
fn field(line: &[u8]) -> Option<(&[u8], usize)> {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let (name, rest) = line.split_at(line.iter().take_while(is_name).count());
    let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_field = !name.is_empty() && rest.get(spaces) == Some(&b':');
    is_field.then_some((name, name.len().saturating_add(spaces).saturating_add(1)))
}

/// Where the header of a message begins, after BOM, mbox line, status line and earlier headers that
/// had one, and whether it had a status line.
fn header(text: &[u8]) -> (usize, bool) {
    let mut at = text.len().saturating_sub(without_bom(text).len());
    if line_at(text, at).0.starts_with(b"From ") {
        at = line_at(text, at).1;
    }
    let mut is_http = false;
    while let (line, mut next) = line_at(text, at)
        && is_status(line)
    {
        (at, is_http) = (next, true);
        while let (line, after) = line_at(text, next)
            && next < text.len()
        {
            next = after;
            if line.is_empty() {
                break;
            }
        }
        if !is_status(line_at(text, next).0) {
            break;
        }
        at = next;
    }
    (at, is_http)
}

/// Where the first message of an mbox ends, or a text that is no mbox: the next one begins after an
/// empty line with a `From ` line and a header field.
fn first_of_mbox(text: &[u8]) -> usize {
    if !without_bom(text).starts_with(b"From ") {
        return text.len();
    }
    let begins_next = |at: &usize| {
        let (before, rest) = text.split_at(*at);
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        before.ends_with(b"\n") && begins(rest.split_at(1).1)
    };
    memmem::find_iter(text, b"\nFrom ").find(begins_next).map_or(text.len(), |at| at.saturating_add(1))
}

/// Header fields that matter, in one header.
#[derive(Default)]
struct Fields<'a> {
    /// Those that may have a base URL: the place of the name in [`BASES`], the value and its line.
    bases: Vec<(usize, &'a [u8], u64)>,
    /// The Content-Type.
    media_type: Option<&'a [u8]>,
    /// The Content-Transfer-Encoding.
    coding: Option<&'a [u8]>,
}

/// The header fields that may have a base URL, the first outranking the others.
const BASES: [&str; 3] = ["Base", "Content-Base", "Content-Location"];

/// The fields of a header whose first line has the number `line`.
///
/// # Errors
/// There is no memory.
fn fields(header: &[u8], mut line: u64) -> io::Result<Fields<'_>> {
    let (mut fields, mut at) = (Fields::default(), 0);
    while at < header.len() {
        let begins_at = (at, line);
        let first = line_at(header, at).0;
        let mut end = at;
        while end < header.len() {
            end = line_at(header, end).1;
            line = line.saturating_add(1);
            if !header.get(end).is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
                break;
            }
        }
        at = end;
        let Some((name, before)) = field(first) else { continue };
        let value = header.get(begins_at.0.saturating_add(before)..end).unwrap_or_default();
        if let Some(base) = BASES.iter().position(|base| name.eq_ignore_ascii_case(base.as_bytes())) {
            grow(&mut fields.bases)?;
            fields.bases.push((base, value, begins_at.1));
        } else if name.eq_ignore_ascii_case(b"content-type") {
            fields.media_type.get_or_insert(value);
        } else if name.eq_ignore_ascii_case(b"content-transfer-encoding") {
            fields.coding.get_or_insert(value);
        }
    }
    Ok(fields)
}

/// The media type and its parameters.
fn media_type(value: &[u8]) -> Option<ContentType<'static>> {
    let mut value = value.split_at(value.len().min(LONGEST_TYPE)).0.trim_ascii().to_vec();
    value.push(b'\n');
    match MessageStream::new(&value).parse_content_type() {
        HeaderValue::ContentType(media_type) => HeaderValue::ContentType(media_type).into_owned().into_content_type(),
        _ => None,
    }
}

/// The URL in a header field: `<URL:...>` with any white space, or a bare URL with folds in it;
/// RFC 822 comments around it are dropped, and so are quotes. What is in an encoded word is
/// decoded. `None` if something else is there too.
fn url(value: &[u8]) -> Option<Vec<u8>> {
    let mut words;
    let mut rest = without_comments(value);
    if rest.starts_with(b"=?") {
        words = rest.to_vec();
        words.push(b'\n');
        words = match MessageStream::new(&words).parse_unstructured() {
            HeaderValue::Text(text) => text.as_bytes().to_vec(),
            _ => return None,
        };
        rest = &words;
    }
    let not_space = |byte: &&u8| !byte.is_ascii_whitespace();
    let (url, after): (Vec<u8>, _) = match rest {
        [b'<', inside @ ..] => {
            let (inside, after) = inside.split_at(memchr(b'>', inside)?);
            let inside: Vec<u8> = inside.iter().filter(not_space).copied().collect();
            match inside.split_at_checked(4) {
                Some((wrapper, url)) if wrapper.eq_ignore_ascii_case(b"url:") => (url.to_vec(), after.split_at(1).1),
                _ => (inside, after.split_at(1).1),
            }
        }
        [b'"', inside @ ..] => {
            let (inside, after) = inside.split_at(memchr(b'"', inside)?);
            (inside.iter().filter(not_space).copied().collect(), after.split_at(1).1)
        }
        mut bare => {
            let mut url = Vec::new();
            loop {
                let (word, after) = bare.split_at(bare.iter().take_while(not_space).count());
                url.extend_from_slice(word);
                let space = after.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                let (space, next) = after.split_at(space);
                if next.is_empty() || next.starts_with(b"(") || !space.contains(&b'\n') {
                    break (url, after);
                }
                bare = next;
            }
        }
    };
    (!url.is_empty() && without_comments(after).is_empty()).then_some(url)
}

/// What follows white space and comments.
fn without_comments(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii();
    while rest.starts_with(b"(") {
        let (mut depth, mut is_quoted) = (0_usize, false);
        let end = rest.iter().position(|&byte| {
            match byte {
                _ if std::mem::take(&mut is_quoted) => {}
                b'\\' => is_quoted = true,
                b'(' => depth = depth.saturating_add(1),
                b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        rest = end.and_then(|end| rest.get(end.saturating_add(1)..)).unwrap_or_default().trim_ascii();
    }
    rest
}

/// What the lines now being read belong to.
enum State {
    /// The header of an entity, which begins at an offset, in a line.
    Header(usize, usize, u64),
    /// The content of an entity that has no parts here, which begins at an offset.
    Body(usize, usize),
    /// Nothing: what stands before, between and after parts.
    Nothing,
}

/// The multiparts that stand open, the innermost last.
#[derive(Default)]
struct Open {
    /// The entities and their boundaries.
    multiparts: Vec<(usize, Vec<u8>)>,
    /// Where in there a boundary is, the innermost last.
    places: HashMap<Vec<u8>, Vec<usize>>,
}

impl Open {
    /// Begins a multipart.
    fn push(&mut self, entity: usize, boundary: Vec<u8>) {
        self.places.entry(boundary.clone()).or_default().push(self.multiparts.len());
        self.multiparts.push((entity, boundary));
    }

    /// The innermost multipart of a boundary.
    fn find(&self, boundary: &[u8]) -> Option<usize> {
        self.places.get(boundary)?.last().copied()
    }

    /// Ends multiparts until `length` are left.
    fn truncate(&mut self, length: usize) {
        while self.multiparts.len() > length
            && let Some((_, boundary)) = self.multiparts.pop()
            && let Some(places) = self.places.get_mut(&boundary)
        {
            places.pop();
            if places.is_empty() {
                self.places.remove(&boundary);
            }
        }
    }

    /// The multipart whose part a line ends, with its place, and whether it ends the multipart too.
    fn delimits(&self, line: &[u8]) -> Option<(usize, usize, bool)> {
        let rest = line.strip_prefix(b"--").filter(|_| !self.multiparts.is_empty())?.trim_ascii_end();
        let found = self.find(rest).map(|place| (place, false));
        let (place, is_end) = found.or_else(|| Some((self.find(rest.strip_suffix(b"--")?)?, true)))?;
        Some((place, self.multiparts.get(place)?.0, is_end))
    }
}

impl Tree {
    /// Takes a message apart whose retrieval URL is `retrieval`, or empty.
    ///
    /// # Errors
    /// There is no memory.
    pub fn new(mut text: Vec<u8>, retrieval: &[u8]) -> io::Result<Self> {
        text.truncate(first_of_mbox(&text));
        let (start, is_http) = header(&text);
        let room = text.len().saturating_mul(MADE_TIMES).saturating_add(MADE);
        let (texts, entities, decoded) = (vec![text], Vec::new(), HashMap::new());
        let mut tree = Tree { texts, entities, decoded, bases: Vec::new(), room, notes: Vec::new() };
        let mut encoded = Vec::new();
        tree.walk(0, start, None, is_http, retrieval, &mut encoded)?;
        for _ in 0..DEEPEST {
            for entity in std::mem::take(&mut encoded) {
                let Some(text) = tree.content(entity)?.map(Cow::into_owned) else { continue };
                tree.texts.push(text);
                let first = tree.entities.len();
                tree.walk(tree.texts.len().saturating_sub(1), 0, Some(entity), false, retrieval, &mut encoded)?;
                tree.decoded.insert(entity, first..tree.entities.len());
            }
        }
        for entity in encoded {
            let line = tree.entities.get(entity).map_or(1, |entity| entity.line);
            tree.note(entity, line, Problem::TooDeep)?;
        }
        Ok(tree)
    }

    /// Notes something that is passed over.
    ///
    /// # Errors
    /// There is no memory.
    fn note(&mut self, entity: usize, line: u64, problem: Problem) -> io::Result<()> {
        grow(&mut self.notes)?;
        self.notes.push(Note { entity, line, problem });
        Ok(())
    }

    /// Adds an entity in another one.
    ///
    /// # Errors
    /// There is no memory.
    fn add(&mut self, parent: Option<usize>, text: usize) -> io::Result<usize> {
        let (mut number, mut base) = (0, None);
        if let Some(parent) = parent.and_then(|parent| self.entities.get_mut(parent)) {
            parent.children = parent.children.saturating_add(1);
            (number, base) = (parent.children, parent.base); // §3.2
        }
        let (kind, coding) = (Kind::Other, Coding::Identity);
        grow(&mut self.entities)?;
        self.entities.push(Entity {
            parent,
            number,
            children: 0,
            kind,
            coding,
            charset: None,
            text,
            body: 0..0,
            line: 1,
            base,
        });
        Ok(self.entities.len().saturating_sub(1))
    }

    /// Takes a text apart from `start` on, where a header begins; adds to `encoded` the messages in
    /// it that have to be decoded.
    ///
    /// # Errors
    /// There is no memory.
    fn walk(
        &mut self,
        text: usize,
        start: usize,
        parent: Option<usize>,
        is_http: bool,
        retrieval: &[u8],
        encoded: &mut Vec<usize>,
    ) -> io::Result<()> {
        let bytes = self.texts.get_mut(text).map(std::mem::take).unwrap_or_default();
        let mut line_number = memchr_iter(b'\n', bytes.split_at(start.min(bytes.len())).0).count() as u64;
        let mut open = Open::default();
        let mut state = State::Header(self.add(parent, text)?, start, line_number.saturating_add(1));
        let mut at = start;
        loop {
            let (line, next) = line_at(&bytes, at);
            let is_end = at >= bytes.len();
            line_number = line_number.saturating_add(1);
            let delimited = open.delimits(line);
            if let State::Header(entity, from, number) = state
                && (is_end || delimited.is_some() || line.is_empty())
            {
                let header = bytes.get(from..at).unwrap_or_default();
                let after = line_number.saturating_add(1);
                state = self.head(entity, header, number, is_http, retrieval, &mut open)?;
                if let Some(entity) = self.entities.get_mut(entity) {
                    entity.line = after;
                    entity.body = next..next;
                }
                state = match state {
                    State::Header(entity, ..) => State::Header(entity, next, after),
                    State::Body(entity, _) => State::Body(entity, next),
                    State::Nothing => State::Nothing,
                };
                if let (true, State::Header(entity, ..)) = (is_end || delimited.is_some(), &state) {
                    self.head(*entity, b"", after, false, retrieval, &mut open)?;
                    state = State::Nothing;
                }
            }
            if is_end || delimited.is_some() {
                if let State::Body(entity, from) = state
                    && let Some(part) = self.entities.get_mut(entity)
                {
                    let end = match bytes.get(from..at) {
                        Some([.., b'\r', b'\n']) if !is_end => at.saturating_sub(2),
                        Some([.., b'\n']) if !is_end => at.saturating_sub(1),
                        _ => at,
                    };
                    part.body = from.min(end)..end;
                    if part.kind == Kind::Message {
                        encoded.push(entity);
                    }
                }
                state = State::Nothing;
            }
            if is_end {
                break;
            }
            if let Some((place, multipart, ends)) = delimited {
                open.truncate(if ends { place } else { place.saturating_add(1) });
                if !ends {
                    state = State::Header(self.add(Some(multipart), text)?, next, line_number.saturating_add(1));
                }
            }
            at = match state {
                State::Body(..) if open.multiparts.is_empty() => bytes.len(),
                _ => next,
            };
        }
        if let Some(room) = self.texts.get_mut(text) {
            *room = bytes;
        }
        Ok(())
    }

    /// Reads the header of an entity; what follows it.
    ///
    /// # Errors
    /// There is no memory.
    fn head(
        &mut self,
        entity: usize,
        header: &[u8],
        line: u64,
        is_http: bool,
        retrieval: &[u8],
        open: &mut Open,
    ) -> io::Result<State> {
        let is_http = is_http && entity == 0;
        let fields = fields(header, line)?;
        self.define(entity, &fields, is_http, retrieval)?;
        let parent = self.entities.get(entity).and_then(|entity| entity.parent);
        let media_type = fields.media_type.and_then(media_type);
        if fields.media_type.is_some_and(|value| value.len() > LONGEST_TYPE) {
            self.note(entity, line, Problem::LongType)?;
        }
        let mut boundary = None;
        let kind = match media_type
            .as_ref()
            .map(|media_type| (media_type.ctype(), media_type.subtype().unwrap_or_default()))
        {
            None if is_http => Kind::Html,
            None if parent.is_some_and(|parent| self.kind(parent) == Kind::Digest) => Kind::Message,
            None => Kind::Other,
            Some((main, sub)) => {
                let is = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
                if is(main, "multipart") {
                    let given = media_type.as_ref().and_then(|media_type| media_type.attribute("boundary"));
                    boundary = given.map(|given| given.trim_ascii_end().as_bytes().to_vec());
                    match boundary {
                        None => Kind::Other,
                        Some(_) if is(sub, "digest") => Kind::Digest,
                        Some(_) => Kind::Multipart,
                    }
                } else if is(main, "message") && (is(sub, "rfc822") || is(sub, "global") || is(sub, "news")) {
                    Kind::Message
                } else if is(main, "text") && is(sub, "html") {
                    Kind::Html
                } else {
                    Kind::Other
                }
            }
        };
        let coding = match fields.coding.map(without_comments) {
            Some(value) if begins_with(value, b"base64") => Coding::Base64,
            Some(value) if begins_with(value, b"quoted-printable") => Coding::QuotedPrintable,
            _ => Coding::Identity,
        };
        let charset =
            media_type.as_ref().and_then(|media_type| Encoding::for_label(media_type.attribute("charset")?.as_bytes()));
        let text = self.entities.get_mut(entity).map_or(0, |entity| {
            (entity.kind, entity.coding, entity.charset) = (kind, coding, charset);
            entity.text
        });
        Ok(match (kind, boundary, coding) {
            (Kind::Multipart | Kind::Digest, Some(boundary), _) => {
                open.push(entity, boundary);
                State::Nothing
            }
            (Kind::Message, _, Coding::Identity) => State::Header(self.add(Some(entity), text)?, 0, 0),
            _ => State::Body(entity, 0),
        })
    }

    /// Notes the base URL that a header has, if it has one: §3.1, or by RFC 2110 and RFC 2557.
    ///
    /// # Errors
    /// There is no memory.
    fn define(&mut self, entity: usize, fields: &Fields<'_>, is_http: bool, retrieval: &[u8]) -> io::Result<()> {
        let outer = self.entities.get(entity).and_then(|entity| self.bases.get(entity.base?));
        let outer = outer.map_or(retrieval, |outer| &outer.url);
        let ranks: &[usize] = if is_http { &[0, 1] } else { &[0, 1, 2] }; // RFC 7231: a Content-Location is none there
        for (rank, (_, value, line)) in ranks
            .iter()
            .flat_map(|rank| fields.bases.iter().filter(move |field| field.0 == *rank).map(move |field| (*rank, field)))
        {
            let by = BASES.get(rank).copied().unwrap_or_default();
            ask(value.len().saturating_mul(4))?;
            let found = match url(value) {
                None => Err(Problem::NoUrl(by)),
                Some(url) if parse(&url).scheme.is_some() => Ok(url),
                Some(_) if rank == 0 => Err(Problem::NoUrl(by)),
                Some(url) => match absolute(outer, &url) {
                    Err(why) => Err(why.unwrap_or(Problem::RelativeField(by))),
                    Ok(url) => match self.room.checked_sub(url.len()) {
                        None => Err(Problem::LongBases),
                        Some(room) => {
                            self.room = room;
                            Ok(url)
                        }
                    },
                },
            };
            match found {
                Err(problem) => {
                    grow(&mut self.notes)?;
                    self.notes.push(Note { entity, line: *line, problem });
                }
                Ok(url) => {
                    if let Some(entity) = self.entities.get_mut(entity) {
                        entity.base = Some(self.bases.len());
                    }
                    grow(&mut self.bases)?;
                    self.bases.push(Defined { url, by, entity, line: *line }); // §3.1
                    break;
                }
            }
        }
        Ok(())
    }

    /// All entities, in document order.
    pub fn entities(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.entities.len());
        let own = self.decoded.values().map(|range| range.start).min().unwrap_or(self.entities.len());
        let (mut range, mut outer) = (0..own, Vec::new());
        loop {
            if let Some(entity) = range.next() {
                order.push(entity);
                if let Some(inner) = self.decoded.get(&entity) {
                    outer.push(std::mem::replace(&mut range, inner.clone()));
                }
            } else if let Some(around) = outer.pop() {
                range = around;
            } else {
                return order;
            }
        }
    }

    /// What an entity is.
    pub fn kind(&self, entity: usize) -> Kind {
        self.entities.get(entity).map_or(Kind::Other, |entity| entity.kind)
    }

    /// Whether what is passed over may be about links: in what has none, only what makes it so is.
    pub fn may_have_links(&self, note: &Note) -> bool {
        note.problem == Problem::LongType || self.kind(note.entity) != Kind::Other
    }

    /// Which of the tree's base URLs is that of an entity, and it.
    pub fn base_url(&self, entity: usize) -> Option<(usize, &[u8])> {
        let index = self.entities.get(entity)?.base?;
        Some((index, &self.bases.get(index)?.url))
    }

    /// The base URL of an entity by its header or one around it.
    pub fn base(&self, entity: usize) -> Option<Found<'_>> {
        let base = self.bases.get(self.entities.get(entity)?.base?)?;
        let rule = if base.entity == entity { Rule::Embedded } else { Rule::Encapsulating }; // §3.1, §3.2
        let place = Some(self.place(base.entity, base.line));
        Some(Found { url: Cow::Borrowed(&base.url), rule, by: base.by, place })
    }

    /// A place in the header of an entity.
    pub fn place(&self, entity: usize, line: u64) -> Place<'_> {
        let is_decoded = self.entities.get(entity).is_some_and(|entity| entity.text > 0);
        let part = (entity > 0).then_some(Part { tree: self, entity, is_decoded });
        Place { part, line, column: 1 }
    }

    /// The HTML that an entity is.
    ///
    /// # Errors
    /// There is no memory.
    pub fn html(&self, index: usize) -> io::Result<Option<Html<'_, Cow<'_, [u8]>>>> {
        let Some(entity) = self.entities.get(index).filter(|entity| entity.kind == Kind::Html) else { return Ok(None) };
        let Some(text) = self.content(index)? else { return Ok(None) };
        let is_encoded = entity.coding != Coding::Identity;
        let is_decoded = is_encoded || entity.text > 0;
        let part = (index > 0 || is_decoded).then_some(Part { tree: self, entity: index, is_decoded });
        Ok(Some(Html { text, charset: entity.charset, line: if is_encoded { 1 } else { entity.line }, part }))
    }

    /// The content of an entity that has no parts, decoded. What is wrong with its encoding is
    /// taken as it can be.
    ///
    /// # Errors
    /// There is no memory.
    fn content(&self, entity: usize) -> io::Result<Option<Cow<'_, [u8]>>> {
        let Some(entity) = self.entities.get(entity) else { return Ok(None) };
        let body = self.texts.get(entity.text).and_then(|text| text.get(entity.body.clone()));
        let Some(body) = body else { return Ok(None) };
        if entity.coding != Coding::Identity {
            ask(body.len().saturating_mul(6))?;
        }
        Ok(Some(match entity.coding {
            Coding::Identity => Cow::Borrowed(body),
            Coding::Base64 => {
                let is_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
                let lenient = || base64_decode(&body.iter().filter(is_base64).copied().collect::<Vec<_>>());
                Cow::Owned(base64_decode(body).or_else(lenient).unwrap_or_default())
            }
            Coding::QuotedPrintable => {
                let lenient = || quoted_printable_decode(&mended(body)).unwrap_or_else(|| body.to_vec());
                Cow::Owned(quoted_printable_decode(body).unwrap_or_else(lenient))
            }
        }))
    }

    /// An entity and those around it, outwards.
    pub fn around(&self, entity: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(entity), |entity| self.entities.get(*entity)?.parent)
    }

    /// The number of a part, innermost first; empty for the message itself.
    pub fn number(&self, entity: usize) -> Vec<u32> {
        self.around(entity)
            .filter_map(|entity| self.entities.get(entity))
            .map(|entity| entity.number)
            .filter(|number| *number > 0)
            .collect()
    }

    /// The entity of a number, outermost first; empty is the message itself.
    pub fn find(&self, number: &[u32]) -> Option<usize> {
        let (mut found, mut rest) = (0, number);
        for (index, entity) in self.entities.iter().enumerate() {
            let Some((first, after)) = rest.split_first() else { break };
            if entity.parent == Some(found) && entity.number == *first {
                (found, rest) = (index, after);
            }
        }
        rest.is_empty().then_some(found)
    }

    /// The numbers of the parts, or of the first of them.
    pub fn list(&self) -> String {
        let mut list = String::new();
        let mut more = 0_usize;
        for (listed, entity) in (1..self.entities.len()).enumerate() {
            if listed >= LISTED || self.around(entity).nth(LISTED).is_some() {
                more = more.saturating_add(1);
                continue;
            }
            let part = Part { tree: self, entity, is_decoded: false };
            let comma = if list.is_empty() { "" } else { ", " };
            let _ = write!(list, "{comma}{part}");
        }
        if more > 0 {
            // a String takes all that is written to it
            let _ = write!(list, " and {more} more");
        }
        list
    }
}

/// Whether a value begins with a token, in any case.
fn begins_with(value: &[u8], token: &[u8]) -> bool {
    let (first, after) = value.split_at(token.len().min(value.len()));
    first.eq_ignore_ascii_case(token)
        && !after.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Quoted-printable text in which each `=` that encodes nothing is encoded itself.
fn mended(text: &[u8]) -> Vec<u8> {
    let mut mended = Vec::with_capacity(text.len());
    let mut runs = text.split(|&byte| byte == b'=');
    mended.extend_from_slice(runs.next().unwrap_or_default());
    for run in runs {
        let encodes = match run {
            [one, two, ..] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit() => true,
            _ => {
                let space = run.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
                run.get(space) == Some(&b'\n')
            }
        };
        mended.extend_from_slice(if encodes { b"=" } else { b"=3D" });
        mended.extend_from_slice(run);
    }
    mended
}
