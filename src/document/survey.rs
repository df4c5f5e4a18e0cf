//! What has to be known of a document before it is rewritten.

use std::io;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8};
use memchr::memmem;

use super::items::Content;
use super::place::decoding::iconv_name;
use super::sniff::NotADocument;
use super::types::MediaType;
use super::values::{Candidate, Item, Options};
use super::xml::Xml;
use super::{Document, open};
use crate::limits::PRESCAN;
use crate::strip::without_bom;

/// The start of a BASE.
const BASE: &[u8] = b"<base";

/// Finds the base that a document has for all of its links, perhaps after some of them, so that none has to wait for it.
/// `relative`: its links are to become relative.
///
/// # Errors
/// It cannot be read, or not be rewritten.
pub fn survey(text: &[u8], options: &Options, relative: bool) -> io::Result<Option<Candidate>> {
    let mut document = Document::new(text, options.clone())?;
    let Content::Text { media_type, .. } = document.content else {
        return Err(NotADocument::Message.into());
    };
    let (start, mut rest) = text.split_at(text.len().min(PRESCAN));
    let charset = open::charset(media_type, &mut start.to_vec(), &mut rest, options.charset)?;
    if let Some(charset) = charset.filter(|charset| is_wide(charset)) {
        let has_bom = Encoding::for_bom(start).is_some();
        let from = if has_bom { "UTF-16" } else { iconv_name(charset) }; // iconv then removes the mark
        let name = if charset == REPLACEMENT { "one that browsers refuse" } else { charset.name() };
        // XML would still be said to be in that charset
        let sed = if media_type == MediaType::Xml { " | sed '1s/ encoding=[^ ?]*//'" } else { "" };
        let command = format!("(printf '\\357\\273\\277'; iconv -f {from} -t UTF-8 FILE{sed})");
        let why = format!("the charset is {name}; convert it first: {command}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    if relative
        && media_type == MediaType::Xml
        && let Some(root) = Xml::root_of_data(without_bom(text))
    {
        return Err(NotADocument::Data(root).into());
    }
    if media_type != MediaType::Html || !may_have_base(text) {
        return Ok(None);
    }
    let mut items = document.bases();
    while let Some(item) = items.next()? {
        if let Item::Base { candidates, .. } = item {
            return Ok(candidates.into_iter().next());
        }
    }
    Ok(None)
}

/// Whether `<base` has other bytes in a charset than in UTF-8, or the same bytes mean something else, too.
fn is_wide(charset: &'static Encoding) -> bool {
    charset != UTF_8 && !charset.is_single_byte()
}

/// Whether the start of a BASE is anywhere in a text, perhaps in a comment: the tags of most pages need no second reading.
fn may_have_base(text: &[u8]) -> bool {
    let is_base = |at| text[at..].get(..BASE.len()).is_some_and(|start: &[u8]| start.eq_ignore_ascii_case(BASE));
    [b"<b", b"<B"].iter().any(|start| memmem::find_iter(text, start).any(is_base))
}
