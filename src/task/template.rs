//! Program in the place of a URL, which a template of a page or of an email has until it is filled in.

use std::mem;

use memchr::{memchr, memmem};

use crate::document::Link;
use crate::record::{Complaint, StandardBase};
use crate::strip::without_breaks;

/// Finds links of a document that have a template, or a base that is one.
#[derive(Default)]
pub struct Templates {
    /// Whether the base that the document itself has is a template.
    is_base: bool,
    /// Where the last value is that was searched for a template, in each text around it.
    searched: Vec<u64>,
    /// Whether it has one.
    is_found: bool,
    /// Whether that is reported.
    is_reported: bool,
}

impl Templates {
    /// Sets the base of the next links.
    pub fn set_base(&mut self, base: &StandardBase<'_>) {
        // as WHATWG writes it
        let written = || String::from_utf8_lossy(base.text).replace("%7B", "{").replace("%3C", "<");
        self.is_base = base.place().is_some() && is_in(written().as_bytes());
    }

    /// Why a link of `document` is not rewritten, if a template decides where it leads. A value with many links is
    /// searched once. `follows`: the links follow what moves.
    pub fn why_kept(&mut self, link: &Link<'_>, document: &[u8], follows: bool) -> Option<Complaint> {
        let places = link.layers.iter().map(|layer| layer.start);
        if !places.clone().eq(self.searched.iter().copied()) {
            let value = link.value.unwrap_or_default();
            // program in the text of a link, in XML
            let has_instruction = |markup| memmem::find(markup, b"<?").is_some();
            self.is_found = link.markup(document, 0..value.len()).any(|(_, markup)| has_instruction(markup))
                || is_in(value)
                || link.is_pointy() && is_in(&[b"<", value].concat());
            (self.searched, self.is_reported) = (places.collect(), false);
        }
        let what = match (self.is_found, self.is_base) {
            (true, _) => "a template, not a URL",
            (false, true) => "its base is a template, not a URL",
            (false, false) => return None,
        };
        let fix = match () {
            () if follows => "check it by hand",
            () if begins_path(link) => "it stays relative",
            () => "it is kept",
        };
        Some(("template", what, fix).into())
    }

    /// Whether the template of the last value has been reported; from now on it is. One message for each value is
    /// enough.
    pub fn was_reported(&mut self) -> bool {
        self.is_found && mem::replace(&mut self.is_reported, true)
    }
}

/// Whether a link begins with a part of a relative path, and a template follows in it.
fn begins_path(link: &Link<'_>) -> bool {
    let text = link.value.map_or(&b""[..], |value| &value[link.range.clone()]);
    let start = text.split(|byte| b"{<[$#*%".contains(byte)).next().unwrap_or_default().trim_ascii();
    is_in(text) && !matches!(start, [] | [b'/' | b'\\', ..]) && !start.contains(&b':')
}

/// Whether program is in a value: PHP, ASP, or a placeholder of a template or of mail, such as `*|X|*` or `%%x%%`. URLs
/// lose TAB, CR and LF.
fn is_in(value: &[u8]) -> bool {
    let value = &*without_breaks(value);
    (0..value.len()).any(|at| match &value[at..] {
        [b'<' | b'{' | b'[', b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => false,
        [b'<', b'?', name @ ..] => {
            name.starts_with(b"=") || name.get(..3).is_some_and(|name| name.eq_ignore_ascii_case(b"php"))
        }
        [b'%', b'%', rest @ ..] if !rest.first().is_some_and(u8::is_ascii_digit) => {
            memchr(b'%', rest).is_some_and(|end| end > 0 && rest[end..].starts_with(b"%%"))
        }
        [b'<' | b'{' | b'[', b'%', ..]
        | [b'{' | b'$' | b'#', b'{', ..]
        | [b'[', b'[', ..]
        | [b'{', b'$' | b'@', ..]
        | [b'*', b'|', ..] => true,
        _ => false,
    })
}
