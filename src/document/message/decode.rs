//! The contents of entities in a transfer encoding. What is damaged is decoded as far as possible.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;
use std::rc::Rc;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use super::header::Coding;

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
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    text.iter().copied().filter(is_base64).collect()
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

/// The content of an entity, decoded. Without a transfer encoding it shares its bytes with the message.
#[derive(Clone)]
pub struct Decoded {
    text: Rc<Vec<u8>>,
    /// Where the rest of the content is in the text.
    rest: Range<usize>,
}

impl Decoded {
    /// The content that is in a range of a text.
    pub fn new(text: &Rc<Vec<u8>>, range: Range<usize>, coding: Coding) -> Self {
        match decode(&text[range.clone()], coding) {
            Cow::Borrowed(_) => Decoded { text: Rc::clone(text), rest: range },
            Cow::Owned(decoded) => Decoded { rest: 0..decoded.len(), text: Rc::new(decoded) },
        }
    }
}

impl Read for Decoded {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = (&self.text[self.rest.clone()]).read(bytes)?;
        self.rest.start += length;
        Ok(length)
    }
}
