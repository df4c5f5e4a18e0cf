//! The contents of entities in a transfer encoding. What is damaged is decoded as far as possible.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use super::entity::Coding;

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

/// A range of a text that others own, too.
pub struct Shared(pub Rc<Vec<u8>>, pub Range<usize>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0[self.1.clone()]
    }
}

/// Whether the last group of a text in base64 is not full.
pub fn lacks_digits(text: &[u8]) -> bool {
    text.iter().filter(|byte| is_base64(**byte)).count() % 4 > 0
}

/// Whether a byte is a digit of base64, or fills its last group.
fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
