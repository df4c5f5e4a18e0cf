//! What to write instead of a text that is not legal.

use crate::escaped::character_at;
use crate::limits::MAX_QUOTED;
use crate::resolver::grammar::escape;
use crate::resolver::parse;
use crate::strip::unwrapping;

/// What makes a place of a text legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// An escape instead of the byte at an offset.
    Escape(usize),
    /// `./` before the text.
    Dot,
}

/// The text with all repairs, which are in its order; `None` if it is too long to quote or would still be wrong.
pub fn repaired(
    text: &[u8],
    repairs: impl Iterator<Item = Repair>,
    is_legal: impl Fn(&[u8]) -> bool,
) -> Option<Vec<u8>> {
    if text.len() > MAX_QUOTED {
        return None;
    }
    let (mut fixed, mut start) = (Vec::new(), 0);
    for repair in repairs {
        match repair {
            Repair::Escape(at) => {
                fixed.extend(&text[start..at]);
                fixed.extend(escape(text[at]));
                start = at + 1;
            }
            Repair::Dot => drop(fixed.splice(..0, *b"./")),
        }
    }
    fixed.extend(&text[start..]);
    is_legal(&fixed).then_some(fixed)
}

/// The character at an offset as escapes.
pub fn escaped(text: &[u8], at: usize) -> Vec<u8> {
    character_at(text, at).iter().flat_map(|byte| escape(*byte)).collect()
}

/// How to fix a byte that is there by mistake: one of the `<URL:` and `>` around a URL, or a slip.
pub fn removal(text: &[u8], at: usize) -> Option<String> {
    let slip = || match text[at] {
        b' ' => "remove the space",
        b'"' => "remove the quotes",
        b'<' | b'>' => "remove the brackets",
        b'\r' => "remove the CR",
        _ => "remove it",
    };
    unwrapping(text, at).or_else(|| is_slip(text, at).then(|| slip().into()))
}

/// Whether a byte is before or after a URL by mistake: a space, a control character, a quote or an
/// angle bracket at the end of a text whose rest has a scheme or `//`; or a CR at the end of any text, where a line of
/// Windows ended. It looks at a few bytes only.
pub fn is_slip(text: &[u8], at: usize) -> bool {
    if text.get(at..) == Some(b"\r") {
        return true;
    }
    let is_outside = |byte: &&u8| byte.is_ascii_control() || matches!(byte, b' ' | b'"' | b'<' | b'>');
    let length = text.len().min(MAX_QUOTED);
    let before = text[..length].iter().take_while(is_outside).count();
    let after = text[text.len() - length..].iter().rev().take_while(is_outside).count();
    let rest = parse(&text[before..length]);
    (at < before || at >= text.len() - after) && (rest.scheme.is_some() || rest.net_loc.is_some())
}
