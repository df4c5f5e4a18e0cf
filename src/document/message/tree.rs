//! A message and the entities in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::{iter, mem};

use encoding_rs::{Encoding, UTF_8};

use super::decode::decode;
use super::header::{BASE_FIELDS, BaseField, Coding};
use super::url::url;
use super::walk::Walker;
use super::{first_of_mbox, header_start};
use crate::document::{Candidate, Part, Problem};
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
    Html,
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
    /// Where its content is in the text, if it is HTML or has to be decoded.
    pub body: Range<usize>,
    /// The line where its content starts.
    pub line: u64,
    /// The header fields that may have its base URL, in their precedence.
    pub fields: Vec<BaseField>,
    /// The number of headers with such fields: its own and those around it.
    pub bases: usize,
    /// Whether its Content-Type is longer than what is read of it.
    pub is_type_cut: bool,
    /// How HTTP compresses its content, if it is HTML and still compressed.
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
pub struct Tree {
    /// The message, and the messages in it that had to be decoded.
    texts: Vec<Vec<u8>>,
    /// The entities: those of the message in document order, then those of each decoded message.
    entities: Vec<Entity>,
    /// Where the entities of a decoded message are, by the entity whose content it is.
    decoded: HashMap<usize, Range<usize>>,
}

impl Tree {
    /// Finds the entities of a message.
    pub fn new(mut text: Vec<u8>) -> Self {
        text.truncate(first_of_mbox(&text));
        let (start, is_http) = header_start(&text);
        let mut tree = Tree { texts: vec![text], entities: Vec::new(), decoded: HashMap::new() };
        let mut encoded = Walker::new(&tree.texts[0], 0, start, is_http, &mut tree.entities).walk(None);
        for _ in 0..MAX_ENCODING_DEPTH {
            for entity in mem::take(&mut encoded) {
                let (text, first) = (tree.content(entity).into_owned(), tree.entities.len());
                let walker = Walker::new(&text, tree.texts.len(), 0, false, &mut tree.entities);
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

    /// Whether an entity is HTML, or may be because it is not searched.
    pub fn may_have_html(&self) -> bool {
        self.entities.iter().any(|entity| entity.kind == Kind::Html || entity.problems().next().is_some())
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

    /// The part that an entity is; `None` for the message itself. `is_decoded`: its text had to be
    /// decoded.
    pub fn part(&self, entity: usize, is_decoded: bool) -> Option<Part> {
        (entity > 0 || is_decoded).then(|| Part { number: self.number(entity), is_decoded })
    }

    /// The content of an entity without parts, decoded.
    pub fn content(&self, entity: usize) -> Cow<'_, [u8]> {
        let Entity { text, body, coding, .. } = &self.entities[entity];
        decode(&self.texts[*text][body.clone()], *coding)
    }

    /// The number of a part, such as `2.1`; empty for the message itself.
    fn number(&self, entity: usize) -> String {
        let path = self.path_to(entity).into_iter().skip(1);
        path.map(|entity| self.entities[entity].number.to_string()).collect::<Vec<_>>().join(".")
    }

    /// The entity of a number, outermost first; an empty number is the message itself.
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
    let url = match url(value) {
        _ if value.len() > MAX_RECORD => Err(Problem::TooLong(by)),
        // a Base field has an absolute URL
        Some(url) if field.rank > 0 || parse(&url).scheme.is_some() => Ok(url),
        _ => Err(Problem::no_url(by, value)),
    };
    let decoded = url.as_ref().cloned().unwrap_or_default();
    Candidate { by, url, decoded, encoding: UTF_8, is_in_body: false, line: field.line, column: 1, start: 0 }
}
