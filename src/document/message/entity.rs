//! Messages and their parts, each with what its header says, and why its content is not searched.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::Encoding;
use memchr::memmem;

use super::header::{BASE_FIELDS, BaseField, Coding, line_at};
use super::url::url_in;
use crate::document::sniff::{Sniffed, sniff};
use crate::document::types::{Root, TYPES, decode_start};
use crate::document::{Candidate, MediaType, Problem, Rule, html::begins_with_tag};
use crate::limits::{MAX_PROLOG, MAX_QUOTED, MAX_RECORD};
use crate::refuse::{other_kind, wide_encoding};
use crate::resolver::parse;

/// Types of contents that may have a message with HTML in them: signed, encrypted, of Outlook, cut.
const CLOSED: &[&str] = &[
    "application/pkcs7-mime",
    "application/x-pkcs7-mime",
    "application/pgp-encrypted",
    "application/ms-tnef",
    "application/vnd.ms-tnef",
    "message/partial",
];

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
    /// Its number in the entity around it, from 1; 0 for the whole message.
    pub number: u32,
    /// The number of entities directly in it.
    pub children: u32,
    pub kind: Kind,
    /// The type that its header names, in lower case; empty if it names none.
    pub type_name: String,
    pub coding: Coding,
    pub charset: Option<&'static Encoding>,
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
    /// The number of headers with such fields: its own and those around it.
    pub bases: usize,
    /// Whether it is the last response of HTTP.
    pub is_response: bool,
    /// A coding of its content that is not decoded, if its header names one.
    pub foreign_coding: Option<&'static str>,
    /// Whether its header says that HTTP sends it in chunks.
    pub is_chunked: bool,
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

    /// Whether its content may have HTML in it, but cannot be read.
    pub fn is_closed(&self) -> bool {
        CLOSED.contains(&&*self.type_name)
    }

    /// The media type that its content is read as; `None` if it is not searched for links.
    pub fn searched_as(&self, content: &[u8]) -> Option<MediaType> {
        match self.kind {
            Kind::Text(media_type) => Some(media_type),
            // a response without a Content-Type
            Kind::Other if self.is_response && self.type_name.is_empty() => untyped(content),
            _ => None,
        }
    }

    /// The media type that its content is read as, which starts so and is searched as a type: XHTML is XML if it says so.
    pub fn read_as(&self, media_type: MediaType, start: &[u8]) -> MediaType {
        let is_xhtml = self.type_name == "application/xhtml+xml" && decode_start(start).contains("w3.org/1999/xhtml");
        if is_xhtml { MediaType::Xml } else { media_type }
    }

    /// Why its content is not what its header says, so that not even a base is found in it: in words after "the content,
    /// which". `body` is the content in its transfer encoding, `start` the decoded start.
    pub fn encoded_as(&self, body: &[u8], start: &[u8]) -> Option<Problem> {
        let because = |kind, why: String| Some(Problem::Content { kind, why: why.into() });
        // curl --compressed keeps the field, but not the compression
        match self.foreign_coding {
            Some(coding) if !self.is_response => {
                return because("encoded", format!("is encoded as {coding}; decode it first"));
            }
            Some(coding) if is_binary(start) => {
                let fix = "fetch it with curl -i --compressed URL";
                return because("compressed", format!("is compressed with {coding}; {fix}"));
            }
            _ => {}
        }
        if self.is_chunked && is_in_chunks(body) {
            return because("chunked", "is still in chunks; fetch it with curl -i, without --raw".into());
        }
        let is_named = self.charset.is_some_and(|charset| !charset.is_ascii_compatible());
        if let Some(encoding) = wide_encoding(start).filter(|encoding| *encoding != "UTF-16" && !is_named) {
            return because("charset", format!("is in {encoding}; convert it to UTF-8"));
        }
        other_kind(start).and_then(|kind| because("binary", format!("is {kind}; extract it first")))
    }

    /// Why no links are searched in its content, which starts so and would be read as a type.
    pub fn unfit(&self, media_type: Option<MediaType>, start: &[u8]) -> Option<Problem> {
        let because = |kind, why: Cow<'static, str>| Some(Problem::Content { kind, why });
        let Some(media_type) = media_type else {
            let why = match &*self.type_name {
                "" => "is not HTML, CSS, XML or Markdown; fetch it without -i".into(),
                name => {
                    let name: String = name.chars().take(MAX_QUOTED).collect();
                    format!("is {name}; only HTML, CSS, XML and Markdown are read").into()
                }
            };
            return because("other-type", why);
        };
        let fix = if self.is_response { "; fetch it without -i" } else { "" };
        let says = |what: &str| format!("is {what}, although its Content-Type is {}{fix}", self.type_name);
        let is_typed = !self.type_name.is_empty();
        let needs_root = self.type_name == "text/xml"
            || TYPES.iter().any(|row| row.name == self.type_name && row.needs_root())
            || memmem::find(start, b"w3.org/1999/x").is_none(); // XLink or XHTML in it
        match media_type {
            _ if start.is_empty() && self.is_response => because("empty", "is empty; fetch it with curl -i URL".into()),
            _ if start.is_empty() => because("empty", "is empty".into()),
            MediaType::Html if is_typed && is_feed(start) => because("other-type", says("XML").into()),
            // as a file that ends in .xml
            MediaType::Xml if needs_root && matches!(Root::find(start), Root::Unread { .. }) => {
                let fix = "save it, and use --media-type application/xml for xml:base and XLink";
                because("other-type", format!("is XML of an unknown type; {fix}").into())
            }
            MediaType::Css if is_typed && begins_with_tag(start) => because("other-type", says("HTML").into()),
            MediaType::Html | MediaType::Css | MediaType::Xml | MediaType::Markdown | MediaType::Message => None,
        }
    }
}

/// Whether a content that starts so is XML that is read, and not as SVG is, which HTML may be, too.
fn is_feed(start: &[u8]) -> bool {
    let is_xml = || Root::find(start) == Root::Known(MediaType::Xml);
    !begins_with_tag(start) && is_xml() && memmem::find(start, b"<svg").is_none()
}

/// How the content of a response without a Content-Type is read.
fn untyped(content: &[u8]) -> Option<MediaType> {
    let start = &content[..content.len().min(MAX_PROLOG)];
    match sniff(start, start.len() == content.len(), b"") {
        None | Some(Sniffed::Known(MediaType::Message)) => Some(MediaType::Html),
        Some(Sniffed::Known(media_type)) => Some(media_type),
        Some(_) => None,
    }
}

/// Whether a content starts with bytes that are no text. A NUL may be half of a character.
fn is_binary(content: &[u8]) -> bool {
    content.iter().take(256).any(|byte| matches!(byte, 1..=8 | 14..=26 | 28..=31))
}

/// Whether a content starts with a chunk of HTTP: its length in a line, so many bytes, and a line end.
fn is_in_chunks(content: &[u8]) -> bool {
    let (line, next) = line_at(content, 0);
    let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let Some(length) = str::from_utf8(&line[..digits]).ok().and_then(|digits| usize::from_str_radix(digits, 16).ok())
    else {
        return false;
    };
    let after = line[digits..].trim_ascii_start();
    let rest = content.get(next.saturating_add(length)..).unwrap_or_default();
    (after.is_empty() || after.starts_with(b";")) && (rest.is_empty() || line_at(rest, 0).0.is_empty())
}

/// The base URL that a header field may have: §3.1, or by RFC 2110 and RFC 2557.
pub fn candidate(field: &BaseField, value: &[u8]) -> Candidate {
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
    Candidate::in_header(Rule::Embedded, by, url, field.line)
}
