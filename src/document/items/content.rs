//! What the content of an entity of a message is read as, and whether it is searched.

use memchr::memmem;

use crate::document::message::{Coding, Entity, Kind, line_at};
use crate::document::problem::Problem;
use crate::document::sniff::{Root, decode_start, sniff};
use crate::document::types::{MediaType, TYPES, Type};
use crate::document::values::Options;
use crate::limits::{MAX_PROLOG, MAX_QUOTED};
use crate::refuse::{nul, packed};

/// The media type that the content of an entity is read as; `None` if it is not searched for links.
pub fn searched_as(entity: &Entity, content: &[u8]) -> Option<MediaType> {
    match entity.kind {
        Kind::Text(media_type) => Some(media_type),
        // a response without a Content-Type
        Kind::Other if entity.is_response && entity.type_name.is_empty() => {
            let start = &content[..content.len().min(MAX_PROLOG)];
            let sniffed = sniff(start, start.len() == content.len(), &Options::default())?.ok();
            sniffed.filter(|media_type| *media_type != MediaType::Message)
        }
        _ => None,
    }
}

/// What a content is, as its header and its start show. Only [`Shown::Text`] is searched for links.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Text, decoded, of the type that its header names.
    Text,
    /// Empty, or of a type that is not read: no links are missing.
    NoDocument,
    /// A document of another type.
    OtherDocument,
    /// No text, or not decoded: not even a base is found in it.
    Bytes,
}

impl Shown {
    /// What a content is that starts so, and would be read as a type. `body`: the content in its transfer encoding.
    pub fn of(entity: &Entity, media_type: Option<MediaType>, body: &[u8], start: &[u8], options: &Options) -> Self {
        let type_name = &*entity.type_name;
        let is_xml = media_type == Some(MediaType::Xml);
        let root = || Root::find(decode_start(start).trim_ascii_start(), true, is_xml).unwrap_or_default();
        let is_its = |row: &Type| row.name == type_name && row.needs_root();
        // other XML may have XLink or XHTML in it
        let needs_root = || {
            let has_root = type_name == "text/xml" || TYPES.iter().any(is_its);
            has_root || memmem::find(start, b"w3.org/1999/x").is_none()
        };
        match media_type {
            None if !type_name.is_empty() => Shown::NoDocument,
            _ if !is_text(entity, body, start) => Shown::Bytes,
            Some(MediaType::Html) if root().is_feed() => Shown::OtherDocument,
            Some(MediaType::Css) if root().begins_html() => Shown::OtherDocument,
            // as a file that ends in .xml
            Some(MediaType::Xml) if needs_root() && root().is_unread(options) => Shown::NoDocument,
            // an MHTML file has empty style sheets
            Some(MediaType::Css) if !entity.is_response => Shown::Text,
            Some(_) if !start.is_empty() => Shown::Text,
            _ => Shown::NoDocument,
        }
    }
}

/// Whether a content that starts so is text: decoded, and neither packed nor binary data.
fn is_text(entity: &Entity, body: &[u8], start: &[u8]) -> bool {
    // curl --compressed keeps the field, but not the compression
    let may_be_binary = entity.transfer.is_compressed || entity.transfer.coding == Coding::Base64;
    let is_control = |byte: &u8| matches!(byte, 1..=8 | 14..=26 | 28..=31);
    let begins_tag = matches!(decode_start(start).trim_ascii_start().as_bytes(), [b'<', next, ..] if *next != 0);
    let is_wide = entity.transfer.charset.is_some_and(|charset| !charset.is_ascii_compatible());
    // a content with a type is text, unless it is in UTF-16 or UTF-32 and does not say so
    let has_type = !entity.type_name.is_empty() && start.iter().take(4).filter(|byte| **byte == 0).count() < 2;
    packed(start).is_none()
        && !(may_be_binary && start.iter().take(256).any(is_control))
        && !(entity.transfer.is_chunked && is_in_chunks(body))
        && (begins_tag || is_wide || has_type || nul(start).is_none())
}

/// That a content, which would be read as a type, is not searched.
pub fn unsearched(entity: &Entity, media_type: Option<MediaType>) -> Problem {
    let name: String = entity.type_name.chars().take(MAX_QUOTED).collect();
    let fix = if entity.is_response { "; fetch it with curl -iL --compressed URL" } else { "" };
    let what = match &*name {
        "" => format!("cannot be read as HTML, CSS, XML or Markdown{fix}"),
        name if media_type.is_some() => format!("cannot be read as {name}{fix}"),
        name => format!("is {name}"),
    };
    Problem::content("not-searched", what)
}

/// Whether a content has no links, because it is plain text, an image, or what is heard or seen.
pub fn is_linkless(entity: &Entity) -> bool {
    let kind = entity.type_name.split('/').next().unwrap_or_default();
    !entity.has_parts() && matches!(kind, "" | "text" | "image" | "audio" | "video")
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
