//! The contents of entities in a transfer encoding. What is damaged is decoded as far as possible.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::rc::Rc;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use super::entity::Coding;
use crate::limits::BLOCK;

/// The content of an entity.
pub fn decode(body: &[u8], coding: Coding) -> Cow<'_, [u8]> {
    match coding {
        Coding::Identity => Cow::Borrowed(body),
        Coding::Base64 => {
            Cow::Owned(base64_decode(body).or_else(|| base64_decode(&only_base64(body))).unwrap_or_default())
        }
        Coding::QuotedPrintable => {
            let lenient = || quoted_printable_decode(&escape_stray_equals(body)).unwrap_or_else(|| body.to_vec());
            Cow::Owned(quoted_printable_decode(body).unwrap_or_else(lenient))
        }
    }
}

/// A text without the bytes that are neither digits of base64 nor fill its last group.
fn only_base64(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| is_base64(*byte)).collect()
}

/// Quoted-printable text in which each `=` that encodes nothing is encoded itself.
fn escape_stray_equals(text: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for (index, run) in text.split(|&byte| byte == b'=').enumerate() {
        let encodes = match run {
            [one, two, ..] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit() => true,
            _ => {
                let space = run.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
                run.get(space) == Some(&b'\n')
            }
        };
        if index > 0 {
            escaped.extend_from_slice(if encodes { b"=" } else { b"=3D" });
        }
        escaped.extend_from_slice(run);
    }
    escaped
}

/// The content of an entity, decoded a piece at a time: it is never in memory twice.
pub struct Decoded {
    text: Rc<Vec<u8>>,
    /// Where the rest of the content is in the text, as it is encoded.
    rest: Range<usize>,
    coding: Coding,
    /// The current piece, decoded.
    piece: Cursor<Vec<u8>>,
}

impl Decoded {
    /// The content that is in a range of a text.
    pub fn new(text: Rc<Vec<u8>>, range: Range<usize>, coding: Coding) -> Self {
        Decoded { text, rest: range, coding, piece: Cursor::default() }
    }
}

impl Read for Decoded {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.piece.read(bytes)?;
            let mut rest = &self.text[self.rest.clone()];
            if length > 0 || rest.is_empty() || bytes.is_empty() {
                return Ok(length);
            }
            if self.coding == Coding::Identity {
                let length = rest.read(bytes)?;
                self.rest.start += length;
                return Ok(length);
            }
            let piece = &rest[..piece_len(rest, self.coding)];
            self.piece = Cursor::new(decode(piece, self.coding).into_owned());
            self.rest.start += piece.len();
        }
    }
}

/// The length of a first piece that can be decoded by itself: quoted-printable up to the end of a line, base64 up to the
/// end of a group of four digits.
fn piece_len(content: &[u8], coding: Coding) -> usize {
    let mut length = content.len().min(BLOCK);
    let mut digits = content[..length].iter().filter(|byte| is_base64(**byte)).count();
    while length < content.len() {
        match coding {
            Coding::Identity => break,
            Coding::QuotedPrintable if content[length - 1] == b'\n' => break,
            Coding::Base64 if digits % 4 == 0 && !is_base64(content[length]) => break,
            Coding::QuotedPrintable | Coding::Base64 => {}
        }
        digits += usize::from(is_base64(content[length]));
        length += 1;
    }
    length
}

/// Whether the last group of a text in base64 is not full.
pub fn lacks_digits(text: &[u8]) -> bool {
    text.iter().filter(|byte| is_base64(**byte)).count() % 4 > 0
}

/// Whether a byte is a digit of base64, or fills its last group.
fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by a panic")]
mod tests {
    use std::io::Read;
    use std::rc::Rc;

    use super::{Coding, Decoded, decode};
    use crate::limits::BLOCK;

    #[test]
    fn a_content_in_pieces_is_that_of_the_whole() {
        let line =
            |text: &str, length: usize| text.repeat(length / text.len()).chars().take(length).collect::<String>();
        for (coding, lines) in [
            (Coding::Base64, [line("YWJj", 76), line("YWJj", 75), line("A", 3), "YQ==".into()]),
            (Coding::Base64, [line("YWJj", BLOCK), "*".into(), line("Z", 5), String::new()]),
            (Coding::QuotedPrintable, [line("=3Da", 76), "x=".into(), "=ZZ = ".into(), String::new()]),
            (Coding::QuotedPrintable, [line("=C3=A9", BLOCK - 2), "=".into(), "a  ".into(), "=41".into()]),
            (Coding::Identity, [line("abc", 100), String::new(), "x".into(), line("y", BLOCK)]),
        ] {
            for end in ["\n", "\r\n"] {
                let some = lines.join(end) + end;
                let body = some.repeat(3 * BLOCK / some.len() + 1);
                let text = Rc::new(body.into_bytes());
                let whole = decode(&text, coding).into_owned();
                let mut pieces = Vec::new();
                let mut decoded = Decoded::new(Rc::clone(&text), 0..text.len(), coding);
                decoded.read_to_end(&mut pieces).expect("memory can be read");
                assert!(pieces == whole, "{} and {} bytes", pieces.len(), whole.len());
            }
        }
    }
}
