//! A character in a message about it.

use crate::escaped::Escaped;

/// The bytes of the UTF-8 character at an offset; the byte alone if there is none.
pub fn character_at(text: &[u8], at: usize) -> &[u8] {
    let most = &text[at..(at + 4).min(text.len())];
    let first = most.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    &most[..first.map_or(1, char::len_utf8).min(most.len())]
}

/// A character in quotes, or the escaped bytes of one that cannot be shown.
pub fn quoted(character: &[u8]) -> String {
    let shown = Escaped(character).to_string();
    if shown.as_bytes() == character { format!("\"{shown}\"") } else { shown }
}

/// The sentence that the character at an offset is not allowed in a component.
pub fn is_not_allowed(text: &[u8], at: usize, component: &str) -> String {
    match text[at] {
        b' ' => format!("a space is not allowed in {component}"),
        _ => format!("{} is not allowed in {component}", quoted(character_at(text, at))),
    }
}
