//! Goes through the lines of a message and finds its entities.

use super::header::{Coding, line_at};
use super::tree::{Entity, Kind};
use crate::document::MediaType;
use crate::document::sniff::{Sniffed, sniff};
use crate::limits::{MAX_DEPTH, MAX_PROLOG};

/// What the current line is in.
enum State {
    /// The header of the last entity, which starts here.
    Header(usize),
    /// The content of the last entity, which has no parts, and starts here.
    Body(usize),
    /// The text before, between and after parts, or parts that are not searched.
    Outside,
}

/// A multipart whose end has not been found.
struct OpenMultipart {
    /// The index of the entity.
    index: usize,
    boundary: Vec<u8>,
}

/// Goes through the lines of a text.
pub struct Walker<'a> {
    text: &'a [u8],
    /// Its index in the tree.
    text_index: usize,
    /// Whether it has a status line of HTTP.
    is_http: bool,
    /// The number of bases around it, apart from `--base`.
    bases: usize,
    entities: &'a mut Vec<Entity>,
    /// Where the current line starts.
    at: usize,
    /// Where the next line starts.
    next: usize,
    /// The number of the current line.
    line: u64,
    /// What the current line is in.
    state: State,
    /// The open multiparts, the innermost last.
    open: Vec<OpenMultipart>,
    /// The messages that have to be decoded.
    encoded: Vec<usize>,
}

impl<'a> Walker<'a> {
    /// A walker at the offset in a text where a header starts. `text_index` is that of the text in the tree.
    /// `line` lines are before that.
    pub fn new(text: &'a [u8], text_index: usize, start: usize, line: u64, entities: &'a mut Vec<Entity>) -> Self {
        let (state, open, encoded) = (State::Outside, Vec::new(), Vec::new());
        let (is_http, bases) = (false, 0);
        Walker { text, text_index, is_http, bases, entities, at: start, next: start, line, state, open, encoded }
    }

    /// The same for a text that may be an HTTP response, and has some bases around it.
    pub fn of_http(self, is_http: bool, bases: usize) -> Self {
        Walker { is_http, bases, ..self }
    }

    /// Finds all entities, the first one in `parent`. Returns the messages that have to be decoded.
    pub fn walk(mut self, parent: Option<usize>) -> Vec<usize> {
        self.start_entity(parent);
        while self.next < self.text.len() {
            self.at = self.next;
            self.line += 1;
            let (line, next) = line_at(self.text, self.at);
            self.next = next;
            match (self.delimiter(line), &self.state) {
                (Some((level, is_end)), _) => {
                    self.end_entity(true);
                    let parent = self.open[level].index;
                    self.open.truncate(if is_end { level } else { level + 1 });
                    if !is_end {
                        self.start_entity(Some(parent));
                    }
                }
                (None, &State::Header(start)) if line.is_empty() => self.end_header(start),
                (None, &State::Header(start)) if start < self.at && line.starts_with(b"<") => {
                    (self.next, self.line) = (self.at, self.line - 1); // the empty line is missing
                    self.end_header(start);
                }
                (None, State::Body(_)) if self.open.is_empty() => self.next = self.text.len(),
                (None, _) => {}
            }
        }
        self.at = self.text.len();
        self.line += 1;
        self.end_entity(false);
        self.encoded
    }

    /// The level of the open multipart whose boundary a line is, and whether the line ends that multipart.
    fn delimiter(&self, line: &[u8]) -> Option<(usize, bool)> {
        let boundary = line.strip_prefix(b"--").filter(|_| !self.open.is_empty())?.trim_ascii_end();
        let find = |boundary: &[u8]| self.open.iter().rposition(|open| open.boundary == boundary);
        let part = find(boundary).map(|level| (level, false));
        part.or_else(|| Some((find(boundary.strip_suffix(b"--")?)?, true)))
    }

    /// Starts an entity whose header is in the next lines.
    fn start_entity(&mut self, parent: Option<usize>) {
        let mut entity = Entity {
            parent,
            text: self.text_index,
            header_line: self.line + 1,
            bases: self.bases,
            ..Entity::default()
        };
        if let Some(parent) = parent.map(|parent| &mut self.entities[parent]) {
            parent.children += 1;
            (entity.number, entity.depth, entity.bases) = (parent.children, parent.depth + 1, parent.bases); // §3.2
        }
        self.entities.push(entity);
        self.state = State::Header(self.next);
    }

    /// Ends the header of the last entity at the current line. Its content starts in the next one.
    fn end_header(&mut self, start: usize) {
        let Some((entity, before)) = self.entities.split_last_mut() else { return };
        let is_http = self.is_http && entity.parent.is_none();
        let by_default = match entity.parent {
            _ if is_http => untyped(&self.text[self.next..]),
            Some(parent) if before[parent].kind == Kind::Digest => Kind::Message,
            _ => Kind::Other,
        };
        let boundary = entity.read_header(self.text, start..self.at, by_default, is_http);
        entity.bases += usize::from(!entity.fields.is_empty());
        entity.line = self.line + 1;
        let has_parts = !matches!(entity.kind, Kind::Text(_) | Kind::Other);
        entity.is_unsearched = has_parts && entity.depth == MAX_DEPTH;
        let index = before.len();
        self.state = match (entity.kind, boundary) {
            _ if entity.is_unsearched => State::Outside,
            (Kind::Multipart | Kind::Digest, Some(boundary)) => {
                self.open.push(OpenMultipart { index, boundary });
                State::Outside
            }
            (Kind::Message, _) if entity.coding == Coding::Identity => return self.start_entity(Some(index)),
            _ => State::Body(self.next),
        };
    }

    /// Ends the entity that the current line is in. `is_delimited`: by a boundary, which owns the line
    /// end before it.
    fn end_entity(&mut self, is_delimited: bool) {
        if let State::Header(start) = self.state {
            self.end_header(start);
        }
        let index = self.entities.len() - 1;
        let entity = &mut self.entities[index];
        if let State::Body(start) = self.state {
            let start = start.min(self.at); // later than the current line if that cuts the header
            let body = &self.text[start..self.at];
            let line_end: &[u8] = if body.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
            let body = if is_delimited { body.strip_suffix(line_end).unwrap_or(body) } else { body };
            entity.body = start..start + body.len();
            // curl --compressed keeps the field, but not the compression
            entity.compression.take_if(|_| !matches!(entity.kind, Kind::Text(_)) || !is_binary(body));
            match entity.kind {
                Kind::Text(_) if entity.compression.is_some() => entity.kind = Kind::Other,
                Kind::Message => self.encoded.push(index),
                _ => {}
            }
        }
        self.state = State::Outside;
    }
}

/// What the content of a response without a Content-Type is.
fn untyped(content: &[u8]) -> Kind {
    let start = &content[..content.len().min(MAX_PROLOG)];
    match sniff(start, start.len() == content.len(), b"") {
        None | Some(Ok(Sniffed { media_type: MediaType::Message, .. })) => Kind::Text(MediaType::Html),
        Some(Ok(Sniffed { media_type, refusal: None })) => Kind::Text(media_type),
        Some(_) => Kind::Other,
    }
}

/// Whether a content starts with bytes that are no text. A NUL may be half of a character.
fn is_binary(content: &[u8]) -> bool {
    content.iter().take(256).any(|byte| matches!(byte, 1..=8 | 14..=26 | 28..=31))
}
