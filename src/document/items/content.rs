//! What the content of an entity of a message is read as, and why it is not searched.

use memchr::memmem;

use crate::document::message::{Coding, Entity, Kind, line_at};
use crate::document::problem::Problem;
use crate::document::sniff::{NotADocument, Root, decode_start, sniff};
use crate::document::types::{MediaType, TYPES, Type};
use crate::document::values::Options;
use crate::limits::{MAX_PROLOG, MAX_QUOTED};
use crate::refuse::{Packed, nul, packed};

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

/// Why a content is not what its header says, so that not even a base is found in it: in words after "the content,
/// which". `body` is the content in its transfer encoding, `start` the decoded start.
pub fn encoded_as(entity: &Entity, body: &[u8], start: &[u8]) -> Option<Problem> {
    // curl --compressed keeps the field, but not the compression
    match entity.transfer.compression {
        Some(coding) if is_binary(start) => {
            let fix = "fetch it with curl -i --compressed URL";
            return Some(Problem::content("compressed", format_args!("is compressed with {coding}; {fix}")));
        }
        _ => {}
    }
    if entity.transfer.is_chunked && is_in_chunks(body) {
        return Some(Problem::content("chunked", "is still in chunks; fetch it with curl -i, without --raw"));
    }
    let begins_tag = matches!(decode_start(start).trim_ascii_start().as_bytes(), [b'<', next, ..] if *next != 0);
    let is_wide = entity.charset.is_some_and(|charset| !charset.is_ascii_compatible());
    // a content with a type is text, unless it is in UTF-16 or UTF-32 and does not say so
    let is_text = !entity.type_name.is_empty() && start.iter().take(4).filter(|byte| **byte == 0).count() < 2;
    match (packed(start), nul(start)) {
        (None, _) if entity.transfer.coding == Coding::Base64 && is_binary(start) => {
            Some(Problem::content("binary", "is binary data"))
        }
        (Some(Packed { what, .. }), _) => Some(Problem::content("binary", format_args!("is {what}; extract it first"))),
        (None, Some(at)) if !begins_tag && !is_wide && !is_text => {
            Some(Problem::content("binary", format_args!("is {}", NotADocument::Binary(at))))
        }
        _ => None,
    }
}

/// Why no links are searched in a content, which starts so and would be read as a type.
pub fn unfit(entity: &Entity, media_type: Option<MediaType>, start: &[u8], options: &Options) -> Option<Problem> {
    let type_name = &*entity.type_name;
    // an MHTML file has empty ones
    let is_sheet = !entity.is_response && media_type == Some(MediaType::Css);
    if media_type.is_none() && !type_name.is_empty() {
        return Some(other_type(type_name));
    } else if start.is_empty() && !is_sheet {
        let fix = if entity.is_response { "; fetch it with curl -i URL" } else { "" };
        return Some(Problem::content("empty", format_args!("is empty{fix}")));
    }
    let Some(media_type) = media_type else {
        return Some(Problem::content("other-type", "is not HTML, CSS, XML or Markdown; fetch it without -i"));
    };
    let fix = if entity.is_response { "; fetch it without -i" } else { "" };
    let says = |what: &str| {
        Some(Problem::content(
            "contradiction",
            format_args!("is {what}, although its Content-Type is {type_name}{fix}"),
        ))
    };
    let root =
        Root::find(decode_start(start).trim_ascii_start(), true, media_type == MediaType::Xml).unwrap_or_default();
    let is_its = |row: &Type| row.name == type_name && row.needs_root();
    let needs_root =
        // XLink or XHTML in it
        type_name == "text/xml" || TYPES.iter().any(is_its) || memmem::find(start, b"w3.org/1999/x").is_none();
    match media_type {
        MediaType::Html if !type_name.is_empty() && root.is_feed() => says("XML"),
        // as a file that ends in .xml
        MediaType::Xml if needs_root && root.is_unread(options) => {
            Some(Problem::content("other-type", format_args!("is {}", NotADocument::Root(root.name, root.uri).what())))
        }
        MediaType::Css if root.begins_html() => says("HTML"),
        MediaType::Html | MediaType::Css | MediaType::Xml | MediaType::Markdown | MediaType::Message => None,
    }
}

/// Whether a content has no links, because it is plain text, an image, or what is heard or seen.
pub fn is_linkless(entity: &Entity) -> bool {
    let kind = entity.type_name.split('/').next().unwrap_or_default();
    !entity.has_parts() && matches!(kind, "" | "text" | "image" | "audio" | "video")
}

/// That a content has another media type than those that are read.
pub fn other_type(name: &str) -> Problem {
    let name: String = name.chars().take(MAX_QUOTED).collect();
    Problem::content("other-type", format_args!("is {name}"))
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
