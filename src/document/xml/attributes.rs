//! The attributes of a start tag of XML.

use memchr::memchr;

use super::event::DecodedValue;
use crate::limits::MAX_ATTRIBUTES;

/// An attribute of a start tag.
pub struct Attribute<'a> {
    /// Its name, with its prefix.
    pub name: &'a [u8],
    /// Its value, as it is in the document.
    pub raw: &'a [u8],
    /// The quote around the value.
    pub quote: u8,
    /// Where the value starts in the tag.
    pub at: usize,
    /// The value; `None` before it is read, or if it cannot be known, because of an entity.
    pub value: Option<DecodedValue>,
}

/// Reads the attributes of a start tag without its end, whose name ends at `at`. An error has its offset in the tag.
pub fn read<'a>(tag: &'a [u8], mut at: usize) -> Result<Vec<Attribute<'a>>, (usize, &'static str)> {
    let mut attributes: Vec<Attribute<'a>> = Vec::new();
    loop {
        let rest = tag[at..].trim_ascii_start();
        let is_after_space = tag.len() - rest.len() > at;
        at = tag.len() - rest.len();
        if rest.is_empty() {
            break;
        }
        let name = rest.iter().position(|byte| *byte == b'=' || byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(name);
        let value = rest.trim_ascii_start().strip_prefix(b"=").map(<[u8]>::trim_ascii_start);
        let quoted = match value {
            _ if !is_after_space => return Err((at, "there is no white space before an attribute")),
            _ if !is_name(name) => return Err((at, "an attribute has no valid name")),
            None => return Err((at, "an attribute has no value")),
            Some([quote @ (b'"' | b'\''), value @ ..]) => memchr(*quote, value).map(|end| (*quote, value, end)),
            Some(_) => None,
        };
        let Some((quote, value, end)) = quoted else { return Err((at, "the value of an attribute has no quotes")) };
        at = tag.len() - value.len();
        let raw = &value[..end];
        if memchr(b'<', raw).is_some() {
            return Err((at, "the value of an attribute contains <"));
        }
        attributes.push(Attribute { name, raw, quote, at, value: None });
        at += end + 1;
        if attributes.len() > MAX_ATTRIBUTES {
            break; // too many
        }
    }
    if attributes.len() < 2 {
        return Ok(attributes);
    }
    let mut names: Vec<_> = attributes.iter().map(|attribute| (attribute.name, attribute.at)).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err((pair[1].1, "an element has two attributes with the same name")),
        None => Ok(attributes),
    }
}

/// Whether a text is a name, as far as its bytes of ASCII are concerned.
pub fn is_name(name: &[u8]) -> bool {
    let is_start = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || !byte.is_ascii();
    let is_part = |byte: &u8| is_start(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    name.first().is_some_and(is_start) && name.iter().all(is_part)
}
