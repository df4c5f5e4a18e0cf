//! Whether a document can be rewritten.

use std::io;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8};

use super::items::Content;
use super::place::decoding::iconv_name;
use super::sniff::NotADocument;
use super::types::MediaType;
use super::xml::Xml;
use super::{Document, open};
use crate::limits::PRESCAN;
use crate::strip::without_bom;

/// Checks that a document, which has a text, can be rewritten. `relative`: its links are to become relative.
///
/// # Errors
/// It cannot.
pub fn check(document: &Document<'_>, text: &[u8], relative: bool) -> io::Result<()> {
    let Content::Text { media_type, .. } = document.content else {
        return Err(NotADocument::Message.into());
    };
    let (start, mut rest) = text.split_at(text.len().min(PRESCAN));
    let charset = open::charset(media_type, &mut start.to_vec(), &mut rest, document.options.charset)?;
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
    Ok(())
}

/// Whether markup has other bytes in a charset than in UTF-8, or the same bytes mean something else, too.
fn is_wide(charset: &'static Encoding) -> bool {
    charset != UTF_8 && !charset.is_single_byte()
}
