//! Program in the place of a URL, which a template of a page or of an email has until it is filled in.

use memchr::{memchr, memmem};

use crate::record::{Complaint, StandardBase};
use crate::strip::without_breaks;

/// Why a link is not rewritten, if its value or its base has a template.
pub fn keeps(has_template: bool, has_template_as_base: bool) -> Option<Complaint> {
    let what = if has_template {
        "a template, not a URL"
    } else if has_template_as_base {
        "its base is a template, not a URL"
    } else {
        return None;
    };
    Some(("template", what, "it is kept").into())
}

/// Whether the base that a document itself has is a template.
pub fn is_base(base: &StandardBase<'_>) -> bool {
    // as WHATWG writes it
    base.place().is_some()
        && is_in(String::from_utf8_lossy(base.text).replace("%7B", "{").replace("%3C", "<").as_bytes())
}

/// Whether program is in a value: PHP, ASP, or a placeholder of a template or of mail, such as `*|X|*` or `%%x%%`. URLs
/// lose TAB, CR and LF.
pub fn is_in(value: &[u8]) -> bool {
    let value = &*without_breaks(value);
    (0..value.len()).any(|at| match &value[at..] {
        [b'<' | b'{' | b'[', b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => false,
        [b'<', b'?', name @ ..] => {
            name.starts_with(b"=") || name.get(..3).is_some_and(|name| name.eq_ignore_ascii_case(b"php"))
        }
        [b'%', b'%', rest @ ..] if !rest.first().is_some_and(u8::is_ascii_digit) => {
            memchr(b'%', rest).is_some_and(|end| end > 0 && rest[end..].starts_with(b"%%"))
        }
        [b'<' | b'{' | b'[', b'%', ..] | [b'{' | b'$' | b'#', b'{', ..] | [b'*', b'|', ..] => true,
        _ => false,
    })
}

/// Whether markup of XML has a processing instruction, which is program in the text of a link.
pub fn has_instruction(markup: &[u8]) -> bool {
    memmem::find(markup, b"<?").is_some()
}
