//! Text that is safe to show on a terminal.

use std::fmt;

use crate::limits::MAX_QUOTED;

/// Bytes for a person's eyes. What [`char::escape_debug`] leaves as it is, and quotes and the
/// backslash, is shown as it is. All else is `\xNN` for each byte: control, format and bidi
/// characters, letters that show nothing, and what is not UTF-8.
pub struct Escaped<'a>(pub &'a [u8]);

impl<'a> Escaped<'a> {
    /// The first bytes of a text that are not UTF-8.
    pub fn not_utf_8(text: &'a [u8]) -> Option<Self> {
        text.utf8_chunks().map(|chunk| chunk.invalid()).find(|bytes| !bytes.is_empty()).map(Escaped)
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(text) = str::from_utf8(self.0)
            && is_printable_ascii(self.0)
        {
            return f.write_str(text);
        }
        let is_escaped = |char| match char {
            ' '..='~' => false,
            // letters and signs that show nothing
            '\u{115F}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}' | '\u{1D159}' => true,
            _ => char.escape_debug().len() > 1,
        };
        for chunk in self.0.utf8_chunks() {
            for piece in chunk.valid().split_inclusive(is_escaped) {
                let (shown, escaped) = piece.split_at(piece.trim_end_matches(is_escaped).len());
                f.write_str(shown)?;
                hex(escaped.as_bytes(), f)?;
            }
            hex(chunk.invalid(), f)?;
        }
        Ok(())
    }
}

/// Whether bytes are all from 0x20 to 0x7E, and so shown as they are.
pub fn is_printable_ascii(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'))
}

/// The first whole characters of a text, up to [`MAX_QUOTED`] bytes, and dots if that is not all of it.
pub fn shortened(text: &[u8]) -> (&[u8], &'static str) {
    if text.len() <= MAX_QUOTED {
        return (text, "");
    }
    // a character of UTF-8 has at most three bytes after its first
    let is_first = |end: &usize| text[*end] & 0xC0 != 0x80;
    let end = (MAX_QUOTED - 3..=MAX_QUOTED).rev().find(is_first).unwrap_or(MAX_QUOTED);
    (&text[..end], "...")
}

/// A text in quotes, shortened; without quotes where some of it cannot be shown.
pub fn quoted(text: &[u8]) -> String {
    let (text, dots) = shortened(text);
    let shown = Escaped(text).to_string();
    if shown.as_bytes() == text { format!("\"{shown}\"{dots}") } else { format!("{shown}{dots}") }
}

/// The bytes of the UTF-8 character at an offset; the byte alone if there is none.
pub fn character_at(text: &[u8], at: usize) -> &[u8] {
    let most = &text[at..(at + 4).min(text.len())];
    let first = most.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    &most[..first.map_or(1, char::len_utf8).min(most.len())]
}

/// A character in a sentence.
pub fn noun(character: &[u8]) -> String {
    if character == b" " { "a space".into() } else { quoted(character) }
}

/// Writes bytes as `\xNN`.
fn hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02X}"))
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn printable_text_is_shown_and_all_else_escaped() {
        for (bytes, shown) in [
            (&b"a \"'\\~"[..], r#"a "'\~"#),
            ("\u{E9}\u{4E2D}\u{1F600}".as_bytes(), "\u{E9}\u{4E2D}\u{1F600}"),
            (b"\0\t\n\x1B[m\x7F", r"\x00\x09\x0A\x1B[m\x7F"),
            // C1, soft hyphen, no-break space, zero width space, right-to-left override, BOM
            ("\u{9B}\u{AD}\u{A0}\u{200B}".as_bytes(), r"\xC2\x9B\xC2\xAD\xC2\xA0\xE2\x80\x8B"),
            ("\u{202E}g\u{FEFF}".as_bytes(), r"\xE2\x80\xAEg\xEF\xBB\xBF"),
            ("\u{115F}\u{1160}\u{3164}".as_bytes(), r"\xE1\x85\x9F\xE1\x85\xA0\xE3\x85\xA4"),
            ("\u{2800}\u{1D159}".as_bytes(), r"\xE2\xA0\x80\xF0\x9D\x85\x99"),
            (b"\xFFg\xC3", r"\xFFg\xC3"),
            (b"", ""),
        ] {
            assert_eq!(Escaped(bytes).to_string(), shown);
        }
    }
}
