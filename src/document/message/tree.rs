//! A message and the entities in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::{iter, mem};

use encoding_rs::{Encoding, UTF_8};
use memchr::memchr_iter;

use super::decode::decode;
use super::header::{BASE_FIELDS, BaseField, Coding};
use super::http::{Redirects, last_response};
use super::url::url_in;
use super::walk::Walker;
use super::{header::line_at, without_bom};
use crate::document::{Candidate, MediaType, Part, Problem, Rule};
use crate::limits::{MAX_DEPTH, MAX_ENCODING_DEPTH, MAX_LISTED_PARTS, MAX_RECORD};
use crate::resolver::parse;

/// What an entity is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Kind {
    Multipart,
    /// Parts that are messages unless they say otherwise.
    Digest,
    /// A message in a message.
    Message,
    /// HTML, or any text with links that is the content of an HTTP response.
    Text(MediaType),
    #[default]
    Other,
}

/// A message or a part of one.
#[derive(Default)]
pub struct Entity {
    /// The entity that it is in.
    pub parent: Option<usize>,
    /// Its number there, from 1; 0 for the whole message.
    pub number: u32,
    /// The number of entities directly in it.
    pub children: u32,
    /// The number of entities around it.
    pub depth: usize,
    pub kind: Kind,
    pub coding: Coding,
    pub charset: Option<&'static Encoding>,
    /// The index of the text that it is in.
    pub text: usize,
    /// The line where its header starts.
    pub header_line: u64,
    /// Where its content is in the text, if it has links or has to be decoded.
    pub body: Range<usize>,
    /// The line where its content starts.
    pub line: u64,
    /// The header fields that may have its base URL, in their precedence.
    pub fields: Vec<BaseField>,
    /// The number of headers with such fields: its own and those around it.
    pub bases: usize,
    /// Whether its Content-Type is longer than what is read of it.
    pub is_type_cut: bool,
    /// How HTTP compresses its content, if that would have links and is still compressed.
    pub compression: Option<&'static str>,
    /// Whether its parts are not searched.
    pub is_unsearched: bool,
}

impl Entity {
    /// What of it is skipped, with the line.
    pub fn problems(&self) -> impl Iterator<Item = (u64, Problem)> {
        let unsearched = if self.depth == MAX_DEPTH { Problem::TooDeep } else { Problem::EncodedTooOften };
        let long_type = self.is_type_cut.then_some((self.header_line, Problem::LongType));
        let compressed = self.compression.map(|coding| (self.line, Problem::Compressed(coding)));
        long_type.into_iter().chain(compressed).chain(self.is_unsearched.then_some((self.line, unsearched)))
    }
}

/// A message and all entities in it, as a list.
#[derive(Default)]
pub struct Tree {
    /// The message, and the messages in it that had to be decoded.
    texts: Vec<Vec<u8>>,
    /// The entities: those of the message in document order, then those of each decoded message.
    entities: Vec<Entity>,
    /// Where the entities of a decoded message are, by the entity whose content it is.
    decoded: HashMap<usize, Range<usize>>,
    /// Its number in a mailbox of several messages.
    message: Option<u32>,
    /// The redirects that led to it.
    pub redirects: Redirects,
}

impl Tree {
    /// Finds the entities of a message, before which the file has `lines` lines. `message` is its number in a mailbox
    /// of several messages.
    pub fn new(text: Vec<u8>, lines: u64, message: Option<u32>) -> Self {
        let mut start = text.len() - without_bom(&text).len();
        let mut first_line = lines;
        if line_at(&text, start).0.starts_with(b"From ") {
            (start, first_line) = (line_at(&text, start).1, lines + 1);
        }
        let response = last_response(&text, start, first_line);
        let is_http = response.is_some();
        let (start, redirects) = response.unwrap_or((start, Redirects::default()));
        let mut tree = Tree { texts: vec![text], entities: Vec::new(), decoded: HashMap::new(), message, redirects };
        let line = lines + memchr_iter(b'\n', &tree.texts[0][..start]).count() as u64;
        let bases = usize::from(tree.redirects.url.is_some());
        let walker = Walker::new(&tree.texts[0], 0, start, line, &mut tree.entities);
        let mut encoded = walker.of_http(is_http, bases).walk(None);
        for _ in 0..MAX_ENCODING_DEPTH {
            for entity in mem::take(&mut encoded) {
                let (text, first) = (tree.content(entity).into_owned(), tree.entities.len());
                let walker = Walker::new(&text, tree.texts.len(), 0, 0, &mut tree.entities);
                encoded.extend(walker.walk(Some(entity)));
                tree.texts.push(text);
                tree.decoded.insert(entity, first..tree.entities.len());
            }
        }
        for entity in encoded {
            tree.entities[entity].is_unsearched = true;
        }
        tree
    }

    /// Whether an entity has links, or may have some because it is not searched.
    pub fn may_have_links(&self) -> bool {
        let may_have = |entity: &Entity| matches!(entity.kind, Kind::Text(_)) || entity.problems().next().is_some();
        self.entities.iter().any(may_have)
    }

    /// All entities in document order.
    pub fn in_order(&self) -> Vec<usize> {
        let first_decoded = self.decoded.values().map(|range| range.start).min();
        let of_message = 0..first_decoded.unwrap_or(self.entities.len());
        let mut open = vec![of_message];
        let mut order = Vec::with_capacity(self.entities.len());
        while let Some(range) = open.last_mut() {
            if let Some(entity) = range.next() {
                order.push(entity);
                open.extend(self.decoded.get(&entity).cloned());
            } else {
                open.pop();
            }
        }
        order
    }

    /// An entity after those around it, the whole message first.
    pub fn path_to(&self, entity: usize) -> Vec<usize> {
        let mut path: Vec<_> = self.outwards(entity).collect();
        path.reverse();
        path
    }

    /// An entity, then those around it.
    fn outwards(&self, entity: usize) -> impl Iterator<Item = usize> {
        iter::successors(Some(entity), |&entity| self.entities[entity].parent)
    }

    pub fn entity(&self, entity: usize) -> &Entity {
        &self.entities[entity]
    }

    /// What may be the base URL of an entity by its own header, in its order of precedence.
    pub fn candidates(&self, entity: usize) -> Vec<Candidate> {
        let Entity { text, fields, .. } = &self.entities[entity];
        fields.iter().map(|field| candidate(field, &self.texts[*text][field.value.clone()])).collect()
    }

    /// The URL that the message was retrieved from after redirects, if they name it (§3.3).
    pub fn location(&self) -> Option<Candidate> {
        let (url, line) = self.redirects.url.clone()?;
        let (by, decoded) = ("Location", url.clone());
        let rule = Rule::Retrieval;
        Some(Candidate {
            rule,
            by,
            url: Ok(url),
            decoded,
            encoding: UTF_8,
            is_in_body: false,
            line,
            column: 1,
            start: 0,
        })
    }

    /// The part that an entity is; `None` for a message that is no part of a mailbox. `is_decoded`: its text had to be
    /// decoded.
    pub fn part(&self, entity: usize, is_decoded: bool) -> Option<Part> {
        (entity > 0 || is_decoded || self.message.is_some()).then(|| Part { number: self.number(entity), is_decoded })
    }

    /// The content of an entity without parts, decoded.
    fn content(&self, entity: usize) -> Cow<'_, [u8]> {
        decode(self.encoded(entity), self.entities[entity].coding)
    }

    /// The content of an entity without parts, in its transfer encoding.
    pub fn encoded(&self, entity: usize) -> &[u8] {
        let Entity { text, body, .. } = &self.entities[entity];
        &self.texts[*text][body.clone()]
    }

    /// The number of a part, such as `2.1`; empty for a message that is no part of a mailbox.
    fn number(&self, entity: usize) -> String {
        let path = self.path_to(entity).into_iter().skip(1).map(|entity| self.entities[entity].number);
        self.message.into_iter().chain(path).map(|number| number.to_string()).collect::<Vec<_>>().join(".")
    }

    /// The entity of a number, outermost first; an empty number is the message itself.
    pub fn find(&self, number: &[u32]) -> Option<usize> {
        let (mut innermost, mut rest) = (0, number);
        for (index, entity) in self.entities.iter().enumerate() {
            let Some((first, after)) = rest.split_first() else { break };
            if entity.parent == Some(innermost) && entity.number == *first {
                (innermost, rest) = (index, after);
            }
        }
        rest.is_empty().then_some(innermost)
    }

    /// The numbers of the parts, or of the first of them.
    pub fn list(&self) -> String {
        let is_listed = |entity: &usize| self.entities[*entity].depth < MAX_LISTED_PARTS;
        let parts: Vec<_> = (1..self.entities.len()).take(MAX_LISTED_PARTS).filter(is_listed).collect();
        let list = parts.iter().map(|entity| self.number(*entity)).collect::<Vec<_>>().join(", ");
        let more = self.entities.len() - 1 - parts.len();
        if more > 0 { format!("{list} and {more} more") } else { list }
    }
}

/// The base URL that a header field may have: §3.1, or by RFC 2110 and RFC 2557.
fn candidate(field: &BaseField, value: &[u8]) -> Candidate {
    let by = BASE_FIELDS[field.rank];
    let url = match url_in(value) {
        _ if value.len() > MAX_RECORD => Err(Problem::TooLong(by)),
        // `URL:` is a prefix in brackets only
        Some(url) if parse(&url).scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"url")) => {
            Err(Problem::no_url(by, value))
        }
        // a Base field has an absolute URL
        Some(url) if field.rank > 0 || parse(&url).scheme.is_some() => Ok(url),
        _ => Err(Problem::no_url(by, value)),
    };
    let decoded = url.as_ref().cloned().unwrap_or_default();
    Candidate {
        rule: Rule::Embedded,
        by,
        url,
        decoded,
        encoding: UTF_8,
        is_in_body: false,
        line: field.line,
        column: 1,
        start: 0,
    }
}
