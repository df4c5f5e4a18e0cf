//! Messages and their parts, each with what its header says.

use std::ops::Range;

use encoding_rs::Encoding;

use super::fields::LinkField;
use super::url::url_in;
use crate::document::base_source::BaseSource;
use crate::document::problem::Problem;
use crate::document::types::MediaType;
use crate::document::values::{Candidate, Rule};
use crate::limits::MAX_RECORD;
use crate::resolver::parse;

/// The header fields that may have a base URL.
pub const BASE_FIELDS: [BaseSource; 3] = [BaseSource::Base, BaseSource::ContentBase, BaseSource::ContentLocation];

/// How the bytes of an entity are encoded.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Coding {
    #[default]
    Identity,
    Base64,
    QuotedPrintable,
}

/// How an entity is sent, as its header says.
#[derive(Clone, Copy, Default)]
pub struct Transfer {
    pub coding: Coding,
    /// Whether HTTP sends it in a coding that is not decoded.
    pub is_compressed: bool,
    /// Whether HTTP sends it in chunks.
    pub is_chunked: bool,
    /// The charset that its Content-Type names.
    pub charset: Option<&'static Encoding>,
}

/// A header field that may have a base URL.
pub struct BaseField {
    pub by: BaseSource,
    /// Where its value is in the text.
    pub value: Range<usize>,
    pub line: u64,
}

/// What an entity is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Kind {
    Multipart,
    /// Parts that are messages unless they say otherwise.
    Digest,
    /// A message in a message.
    Message,
    /// HTML, CSS or SVG, or another text with links: as the content of an HTTP response, or for the guard.
    Text(MediaType),
    #[default]
    Other,
}

/// A message or a part of one.
#[derive(Default)]
pub struct Entity {
    /// Its number in the entity around it, from 1; 0 for the whole message.
    pub number: u32,
    /// The number of entities directly in it.
    pub children: u32,
    pub kind: Kind,
    /// The type that its header names, in lower case; empty if it names none.
    pub type_name: String,
    pub transfer: Transfer,
    /// The index of the text that it is in.
    pub text: usize,
    /// The line where its header starts.
    pub header_line: u64,
    /// Where its content is in the text, if it has no parts.
    pub body: Range<usize>,
    /// The line where its content starts.
    pub line: u64,
    /// The header fields that may have its base URL, in their precedence.
    pub fields: Vec<BaseField>,
    /// The header fields that may have links, in their order.
    pub links: Vec<LinkField>,
    /// The number of headers with such fields: its own and those around it.
    pub bases: usize,
    /// Whether it is the last response of HTTP.
    pub is_response: bool,
    /// What of it is skipped, with the line.
    pub problems: Vec<(u64, Problem)>,
}

impl Entity {
    /// Whether it consists of entities.
    pub fn has_parts(&self) -> bool {
        matches!(self.kind, Kind::Multipart | Kind::Digest | Kind::Message)
    }

    /// Whether it is a multipart without a part.
    pub fn is_undivided(&self) -> bool {
        matches!(self.kind, Kind::Multipart | Kind::Digest) && self.children == 0 && self.problems.is_empty()
    }
}

/// The base URL that a header field may have: §3.1, or by RFC 2110 and RFC 2557.
pub fn candidate(field: &BaseField, value: &[u8]) -> Candidate {
    let by = field.by;
    let url = match url_in(value) {
        _ if value.len() > MAX_RECORD => Err(Problem::too_long(by)),
        // `URL:` is a prefix in brackets only
        Some(url) if parse(&url).scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"url")) => {
            Err(Problem::no_url(by, value))
        }
        // a Base field has an absolute URL
        Some(url) if by != BaseSource::Base || parse(&url).scheme.is_some() => Ok(url),
        _ => Err(Problem::no_url(by, value)),
    };
    Candidate::in_header(Rule::Embedded, by, url, field.line)
}
