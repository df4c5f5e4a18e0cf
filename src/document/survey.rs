//! What has to be known of a document before it is rewritten.

use std::io::{self, Read};

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, REPLACEMENT, SHIFT_JIS, UTF_8};
use memchr::memmem;

use super::message::Selected;
use super::refuse::{TagSearch, Unfit};
use super::{Candidate, Content, Document, Item, MediaType, Options};
use crate::limits::{HTML_BLOCK, PRESCAN};

/// The start of a BASE.
const BASE: &[u8] = b"<base";

/// Finds the base that a document may have for all of its links. `text` starts to read it.
///
/// # Errors
/// It cannot be read, or not be rewritten.
pub fn survey<R: Read>(text: impl Fn() -> R, options: &Options) -> io::Result<Option<Candidate>> {
    let mut document = Document::new(text(), options.clone())?;
    if let Some(refusal) = document.refusal.take() {
        return Err(refusal);
    }
    let Content::Text(media_type, _) = document.content else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, Unfit::Message));
    };
    let mut start = Vec::new();
    text().take(PRESCAN as u64).read_to_end(&mut start)?;
    let charset = wide_charset(media_type, &start, options.charset);
    if let Some(charset) = charset {
        let has_bom = Encoding::for_bom(&start).is_some();
        let from = if has_bom { "UTF-16" } else { iconv_name(charset) }; // iconv then removes the mark
        let name = if charset == REPLACEMENT { "one that browsers refuse" } else { charset.name() };
        // XML would still be said to be in that charset
        let sed = if media_type == MediaType::Xml { " | sed '1s/ encoding=[^ ?]*//'" } else { "" };
        let command = format!("(printf '\\357\\273\\277'; iconv -f {from} -t UTF-8 FILE{sed})");
        let why = format!("the charset is {name}; convert it first: {command}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    if media_type != MediaType::Html || !may_have_base(TagSearch::new(text()), true)? {
        return Ok(None);
    }
    let mut items = document.bases(Selected::default());
    while let Some(item) = items.next()? {
        if let Item::Base { candidates, .. } = item {
            return Ok(candidates.into_iter().next());
        }
    }
    Ok(None)
}

impl Document<'_> {
    /// Whether it is HTML that surely has no BASE, so that no link has to wait for one. `text` starts to read it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn search_base<R: Read>(&mut self, text: impl Fn() -> R) -> io::Result<bool> {
        let Content::Text(MediaType::Html, _) = self.content else { return Ok(false) };
        let mut start = Vec::new();
        text().take(PRESCAN as u64).read_to_end(&mut start)?;
        self.options.lacks_base = lacks_base(&start, self.options.charset, text())?;
        Ok(self.options.lacks_base)
    }
}

/// Whether HTML surely has no BASE. `start` is its start, `transport` the charset that its transport names.
///
/// # Errors
/// It cannot be read.
pub(super) fn lacks_base(start: &[u8], transport: Option<&'static Encoding>, text: impl Read) -> io::Result<bool> {
    Ok(wide_charset(MediaType::Html, start, transport).is_none() && !may_have_base(text, false)?)
}

/// The charset of a text, unless `<base` has the same bytes in it as in UTF-8, and these bytes mean nothing else.
fn wide_charset(
    media_type: MediaType,
    start: &[u8],
    transport: Option<&'static Encoding>,
) -> Option<&'static Encoding> {
    media_type.charset(start, transport).filter(|charset| *charset != UTF_8 && !charset.is_single_byte())
}

/// The charset of iconv that has all characters of another one in browsers.
pub(super) fn iconv_name(charset: &'static Encoding) -> &'static str {
    let names =
        [(SHIFT_JIS, "CP932"), (EUC_KR, "CP949"), (BIG5, "BIG5-HKSCS"), (GBK, "GB18030"), (REPLACEMENT, "CHARSET")];
    names.iter().find(|(own, _)| *own == charset).map_or(charset.name(), |(_, name)| name)
}

/// Whether the start of a BASE is anywhere in a text, perhaps in a comment: most pages need no second reading then.
/// `to_end`: the text is read to its end in any case.
fn may_have_base(mut text: impl Read, to_end: bool) -> io::Result<bool> {
    let (mut block, mut kept, mut has_base) = (vec![0; HTML_BLOCK], 0, false);
    let starts = [memmem::Finder::new(b"<b"), memmem::Finder::new(b"<B")];
    loop {
        let end = match text.read(&mut block[kept..]) {
            Ok(0) => return Ok(has_base),
            Ok(read) => kept + read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let is_base = |at| block[at..end].get(..BASE.len()).is_some_and(|start| start.eq_ignore_ascii_case(BASE));
        has_base = has_base || starts.iter().any(|start| start.find_iter(&block[..end]).any(is_base));
        if has_base && !to_end {
            return Ok(true);
        }
        kept = end.min(BASE.len() - 1); // the start of a BASE may be cut
        block.copy_within(end - kept..end, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{BASE, may_have_base};
    use crate::limits::HTML_BLOCK;

    #[test]
    fn a_base_is_found_wherever_a_block_ends() {
        for at in (0..20).chain(HTML_BLOCK - 20..HTML_BLOCK + 20).chain(2 * HTML_BLOCK - 40..2 * HTML_BLOCK) {
            let text = [&b"<".repeat(at), &b"<BaSe"[..], b">"].concat();
            assert!(may_have_base(&*text, false).is_ok_and(|has_base| has_base), "{at}");
        }
        assert!(may_have_base(&b"<bas e"[..], true).is_ok_and(|has_base| !has_base));
        assert!(may_have_base(BASE, true).is_ok_and(|has_base| has_base));
        assert!(may_have_base(&b""[..], false).is_ok_and(|has_base| !has_base));
    }
}
