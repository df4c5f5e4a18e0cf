//! Values that no line end divides, and the width of a text.

use std::borrow::Cow;
use std::fmt::Display;

use crate::escaped::Escaped;

/// A space where no line ends. No text has it: [`Escaped`] shows control characters as `\xNN`.
pub const NO_BREAK: char = '\x1F';

/// A value as a text has it: escaped, and never broken.
pub fn unbroken(value: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(value) {
        Ok(text) if value.iter().fold(true, |plain, byte| plain & byte.is_ascii_graphic()) => text.into(),
        _ => unbroken_words(Escaped(value)).into(),
    }
}

/// Words that are never broken.
pub fn unbroken_words(words: impl Display) -> String {
    words.to_string().replace(' ', NO_BREAK.encode_utf8(&mut [0]))
}

/// The number of characters that a terminal shows of a text with colors.
pub fn shown_width(text: &[u8]) -> usize {
    // most texts have a character for each byte
    if text.is_ascii() && !text.contains(&b'\x1B') {
        return text.len();
    }
    // each code is ESC, "[", digits and "m"
    let mut is_code = false;
    let is_shown = |byte: &&u8| {
        is_code |= **byte == b'\x1B';
        let is_shown = !is_code && **byte & 0xC0 != 0x80;
        is_code &= **byte != b'm';
        is_shown
    };
    text.iter().filter(is_shown).count()
}
