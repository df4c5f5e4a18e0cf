//! Goes through the lines of a message and finds its entities, one after the other.
//!
//! Only the current entity and those around it are kept, so memory does not grow with the number of parts. A message in
//! a transfer encoding is decoded when it comes, and is a text of its own:
//!
//! ```text
//! Content-Type: multipart/mixed; boundary=b      path: [multipart]
//!
//! --b
//! Content-Type: text/html                        path: [multipart, 1], returned once its end is found
//!
//! <a href=x>
//! --b
//! Content-Type: message/rfc822                   path: [multipart, 2]
//! Content-Transfer-Encoding: base64
//!
//! Q29udGVudC1UeXBlOi...                          path: [multipart, 2, 2.1], in a second text
//! ```

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::mem;
use std::rc::Rc;

use super::decode::{Shared, decode, lacks_digits};
use super::entity::{BaseField, Coding, Entity, Kind, candidate};
use super::fields::LinkField;
use super::header::line_at;
use super::links::HeaderLinks;
use crate::document::base_source::BaseSource;
use crate::document::problem::Problem;
use crate::document::values::{Candidate, Options, Part};
use crate::limits::{MAX_DEPTH, MAX_ENCODING_DEPTH};
use crate::resolver::{Parts, parse};

/// What the current line is in.
enum State {
    /// Nothing: the entities from an index of the path on have ended. `starts`: another one starts in the next line.
    Between { len: usize, starts: bool },
    /// The header of the last entity, which starts here.
    Header(usize),
    /// The content of the last entity, which has no parts, and starts here.
    Body(usize),
    /// The text before, between and after parts, or parts that are not searched.
    Outside,
    /// The text has ended.
    End,
}

/// A multipart whose end has not been found.
struct OpenMultipart {
    /// Its index in the path.
    index: usize,
    boundary: Vec<u8>,
}

/// A text that has entities: the message, or a message in it that had to be decoded.
struct WalkedText {
    bytes: Rc<Vec<u8>>,
    /// The index of its first entity in the path.
    first: usize,
    /// Where the current line starts.
    at: usize,
    /// Where the next line starts.
    next: usize,
    /// The number of the current line.
    line: u64,
    state: State,
    /// The open multiparts, the innermost last.
    open: Vec<OpenMultipart>,
}

/// What a message has next.
pub enum Arrived {
    /// An entity: the last one of the path.
    Entity,
    /// A multipart has ended that has no parts: which part it is, the line of its header, and what is wrong with it.
    Undivided(Option<Part>, u64, Problem),
}

/// Goes through the entities of a message in the order of the document.
pub struct Walker {
    /// The number of the message in a mailbox of several.
    message: Option<u32>,
    /// Whether it is an HTTP response.
    is_http: bool,
    /// How it is read.
    options: Rc<Options>,
    /// The number of bases around it, apart from `--base`.
    bases: usize,
    /// The message, and the messages in it that had to be decoded, each in the one before it.
    texts: Vec<WalkedText>,
    /// The current entity after those around it.
    path: Vec<Entity>,
    /// The Link fields of the early hints before a response.
    hints: Vec<LinkField>,
}

impl Walker {
    /// A walker at the offset in a text where a header starts, with `line` lines before it.
    pub fn new(text: Rc<Vec<u8>>, start: usize, line: u64, message: Option<u32>) -> Self {
        let texts = vec![WalkedText::new(text, 0, start, line)];
        let (is_http, options, bases) = Default::default();
        Walker { message, is_http, options, bases, texts, path: Vec::new(), hints: Vec::new() }
    }

    /// Gives the walker the choices of a run.
    pub fn with(self, options: &Rc<Options>) -> Self {
        Walker { options: Rc::clone(options), ..self }
    }

    /// Makes it the walker of an HTTP response, with the number of bases around it and the Link fields of the early
    /// hints before it.
    pub fn of_response(self, bases: usize, hints: Vec<LinkField>) -> Self {
        Walker { is_http: true, bases, hints, ..self }
    }

    /// Goes to the next entity; `None` at the end of the message.
    pub fn advance(&mut self) -> Option<Arrived> {
        loop {
            let text = self.texts.last_mut()?;
            let step = match text.state {
                State::Between { len, starts } => {
                    text.state = State::Outside;
                    let undivided = self.end_entities(len);
                    if starts {
                        self.start_entity();
                    }
                    undivided
                }
                State::End => {
                    let first = text.first;
                    let undivided = self.end_entities(first);
                    self.texts.pop();
                    undivided
                }
                State::Header(_) | State::Body(_) | State::Outside => self.read_line().then_some(Arrived::Entity),
            };
            if step.is_some() {
                return step;
            }
        }
    }

    /// Goes to the entity of a number, outermost first; an empty number is that of the message itself. Returns whether
    /// there is one.
    pub fn find(&mut self, number: &[u32]) -> bool {
        while let Some(step) = self.advance() {
            let numbers = self.path.iter().skip(1).map(|entity| entity.number);
            if matches!(step, Arrived::Entity) && numbers.eq(number.iter().copied()) {
                return true;
            }
        }
        false
    }

    /// The current entity after those around it, the whole message first.
    pub fn path(&self) -> &[Entity] {
        &self.path
    }

    /// What may be the base URL of an entity of the path by its own header, in its order of precedence. Nothing is
    /// relative to a Content-Location such as the cid: of a STYLE in MHTML, without a path that begins with a slash.
    pub fn candidates(&self, index: usize) -> Vec<Candidate> {
        let &Entity { text, ref fields, is_response: is_of_http, .. } = &self.path[index];
        let bytes = &self.texts[text].bytes;
        let candidate = |field: &BaseField| candidate(field, &bytes[field.value.clone()]);
        let candidates = fields.iter().map(|field| Candidate { is_of_http, ..candidate(field) });
        let is_opaque = |url: &Vec<u8>| match parse(url) {
            Parts { scheme: Some(_), net_loc: None, path, .. } => !path.starts_with(b"/"),
            _ => false,
        };
        let is_base = |candidate: &Candidate| {
            candidate.by != BaseSource::ContentLocation || !candidate.url.as_ref().is_ok_and(is_opaque)
        };
        candidates.filter(is_base).collect()
    }

    /// The links in the header of an entity of the path, if it is a message and has some.
    pub fn links(&self, index: usize) -> Option<HeaderLinks> {
        let is_message = index == 0 || self.path[index - 1].kind == Kind::Message;
        let Entity { links, text, .. } = &self.path[index];
        let fields = links.iter().filter(|_| is_message).filter_map(|field| field.as_read(&self.options)).collect();
        HeaderLinks::open(Rc::clone(&self.texts[*text].bytes), fields, self.is_http && index == 0)
    }

    /// The part that an entity of the path is; `None` for a message that is no part of a mailbox. `is_decoded`: its
    /// text had to be decoded.
    pub fn part(&self, index: usize, is_decoded: bool) -> Option<Part> {
        let is_decoded = is_decoded || self.path[index].text > 0;
        (index > 0 || is_decoded || self.message.is_some()).then(|| Part { number: self.number(index), is_decoded })
    }

    /// The number of an entity of the path, such as `2.1`; empty for a message that is no part of a mailbox.
    pub fn number(&self, index: usize) -> String {
        let path = self.path[1..=index].iter().map(|entity| entity.number);
        self.message.into_iter().chain(path).map(|number| number.to_string()).collect::<Vec<_>>().join(".")
    }

    /// The content of an entity of the path that has no parts, decoded.
    pub fn content(&self, index: usize) -> Box<dyn Read> {
        let Entity { text, body, transfer, .. } = &self.path[index];
        match decode(self.encoded(index), transfer.coding) {
            Cow::Owned(decoded) => Box::new(Cursor::new(decoded)),
            Cow::Borrowed(_) => Box::new(Cursor::new(Shared(Rc::clone(&self.texts[*text].bytes), body.clone()))),
        }
    }

    /// The content of an entity in its transfer encoding.
    pub fn encoded(&self, index: usize) -> &[u8] {
        let Entity { text, body, .. } = &self.path[index];
        &self.texts[*text].bytes[body.clone()]
    }

    /// Leaves only the first entities in the path. Returns the last one of the others if it is a multipart without a
    /// part; those around it have one.
    fn end_entities(&mut self, len: usize) -> Option<Arrived> {
        let index = self.path.len().checked_sub(1).filter(|index| *index >= len && self.path[*index].is_undivided());
        let undivided = index.map(|index| {
            let entity = &self.path[index];
            let what = match entity.transfer.coding {
                Coding::Base64 => "is a multipart in base64, which RFC 2045 forbids; decode it",
                _ => "lacks the boundary of its Content-Type",
            };
            Arrived::Undivided(self.part(index, false), entity.header_line, Problem::content("no-parts", what))
        });
        self.path.truncate(len);
        undivided
    }

    /// Starts an entity in the last one of the path, whose header is in the next lines.
    fn start_entity(&mut self) {
        let text_index = self.texts.len() - 1;
        let text = &mut self.texts[text_index];
        let mut entity = Entity {
            text: text_index,
            header_line: text.line + 1,
            bases: self.bases,
            is_response: self.is_http && self.path.is_empty(),
            links: mem::take(&mut self.hints),
            ..Entity::default()
        };
        if let Some(parent) = self.path.last_mut() {
            parent.children += 1;
            (entity.number, entity.bases) = (parent.children, parent.bases); // §3.2
        }
        self.path.push(entity);
        text.state = State::Header(text.next);
    }

    /// Reads the next line of the innermost text. Returns whether an entity is complete: its header, and its content if
    /// it has no parts.
    fn read_line(&mut self) -> bool {
        let text_index = self.texts.len() - 1;
        let text = &mut self.texts[text_index];
        text.line += 1;
        text.at = text.next;
        if text.next >= text.bytes.len() {
            return self.end_entity(false, State::End);
        }
        let (line, next) = line_at(&text.bytes, text.at);
        text.next = next;
        match (text.delimiter(line), &text.state) {
            (Some((level, is_end)), _) => {
                let len = text.open[level].index + 1;
                let has_ended = self.end_entity(true, State::Between { len, starts: !is_end });
                let text = &mut self.texts[text_index];
                text.open.truncate(if is_end { level } else { level + 1 });
                has_ended
            }
            (None, &State::Header(start)) if line.is_empty() => self.end_header(start),
            (None, &State::Header(start)) if start < text.at && (line.starts_with(b"<") || line.starts_with(b"--")) => {
                (text.next, text.line) = (text.at, text.line - 1); // the empty line is missing
                self.end_header(start)
            }
            (None, State::Body(_)) if text.open.is_empty() => {
                text.next = text.bytes.len();
                false
            }
            (None, _) => false,
        }
    }

    /// Ends the header of the last entity at the current line. Its content starts in the next one. Returns whether it
    /// is complete: it has parts, or is not searched for them.
    fn end_header(&mut self, start: usize) -> bool {
        let index = self.path.len() - 1;
        let is_in_digest = index > 0 && self.path[index - 1].kind == Kind::Digest;
        let text_index = self.texts.len() - 1;
        let (text, entity) = (&mut self.texts[text_index], &mut self.path[index]);
        entity.kind = if is_in_digest { Kind::Message } else { Kind::Other };
        let boundary = entity.read_header(&text.bytes, start..text.at, &self.options);
        entity.bases += usize::from(!entity.fields.is_empty());
        entity.line = text.line + 1;
        let is_too_deep = entity.has_parts() && index == MAX_DEPTH;
        entity.problems.extend(is_too_deep.then_some((entity.line, Problem::TOO_DEEP)));
        text.state = match (entity.kind, boundary) {
            _ if is_too_deep => State::Outside,
            (Kind::Multipart | Kind::Digest, boundary) => {
                text.open.extend(boundary.map(|boundary| OpenMultipart { index, boundary }));
                State::Outside
            }
            (Kind::Message, _) if entity.transfer.coding == Coding::Identity => {
                State::Between { len: index + 1, starts: true }
            }
            _ => State::Body(text.next),
        };
        !matches!(text.state, State::Body(_))
    }

    /// Ends the entity that the current line is in, and goes on with a state. `is_delimited`: by a boundary, which owns
    /// the line end before it. Returns whether there is one that has not been returned.
    fn end_entity(&mut self, is_delimited: bool, next: State) -> bool {
        let text_index = self.texts.len() - 1;
        let has_ended = match self.texts[text_index].state {
            State::Header(start) => self.end_header(start),
            _ => false,
        };
        let text = &mut self.texts[text_index];
        let state = mem::replace(&mut text.state, next);
        let State::Body(start) = state else { return has_ended };
        let index = self.path.len() - 1;
        let entity = &mut self.path[index];
        let start = start.min(text.at); // later than the current line if that cuts the header
        let body = &text.bytes[start..text.at];
        let line_end: &[u8] = if body.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
        let body = if is_delimited { body.strip_suffix(line_end).unwrap_or(body) } else { body };
        entity.body = start..start + body.len();
        let is_cut =
            !is_delimited && !text.open.is_empty() && entity.transfer.coding == Coding::Base64 && lacks_digits(body);
        entity.problems.extend(is_cut.then_some((entity.line, Problem::CUT_BASE64)));
        if entity.kind == Kind::Message {
            if self.texts.len() > MAX_ENCODING_DEPTH {
                entity.problems.push((entity.line, Problem::ENCODED_TOO_OFTEN));
            } else {
                self.start_decoded();
            }
        }
        true
    }

    /// Starts to search the last entity, which is a message in a transfer encoding.
    fn start_decoded(&mut self) {
        let index = self.path.len() - 1;
        let text = decode(self.encoded(index), self.path[index].transfer.coding).into_owned();
        self.texts.push(WalkedText::new(Rc::new(text), index + 1, 0, 0));
    }
}

impl WalkedText {
    fn new(bytes: Rc<Vec<u8>>, first: usize, start: usize, line: u64) -> Self {
        let state = State::Between { len: first, starts: true };
        WalkedText { bytes, first, at: start, next: start, line, state, open: Vec::new() }
    }

    /// The level of the open multipart whose boundary a line is, and whether the line ends that multipart.
    fn delimiter(&self, line: &[u8]) -> Option<(usize, bool)> {
        let boundary = line.strip_prefix(b"--").filter(|_| !self.open.is_empty())?.trim_ascii_end();
        let find = |boundary: &[u8]| self.open.iter().rposition(|open| open.boundary == boundary);
        let part = find(boundary).map(|level| (level, false));
        part.or_else(|| Some((find(boundary.strip_suffix(b"--")?)?, true)))
    }
}
