//! What the bytes of a text mean.

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::mem;
use std::ops::Range;

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED,
};
use encoding_rs_io::DecodeReaderBytesBuilder;

use super::layer::{Layer, Replaced};
use crate::limits::MAX_RECORD;
use crate::strip::without_breaks;

/// How the bytes of a text are decoded. What was replaced in it, such as character references, is UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct Decoding {
    /// The charset of the bytes.
    charset: &'static Encoding,
    /// The charset of the document.
    pub document: &'static Encoding,
    /// The charset that browsers encode queries in.
    pub query: &'static Encoding,
}

impl Decoding {
    /// The decoding of a document in a charset.
    pub fn new(charset: &'static Encoding) -> Self {
        let document = charset.output_encoding();
        Decoding { charset, document, query: document }
    }

    /// Opens a text of which `start` has been read, after its BOM. It is decoded if its charset does not have ASCII's
    /// bytes. Returns its decoding, too, and the number of bytes before it.
    pub fn open<'t>(self, start: Vec<u8>, rest: impl Read + 't) -> (Box<dyn Read + 't>, Decoding, u64) {
        let bom = Encoding::for_bom(&start).map_or(0, |(_, length)| length);
        let mut text = Cursor::new(start).chain(rest);
        if self.charset.is_ascii_compatible() {
            text.get_mut().0.set_position(bom as u64);
            (Box::new(text), self, bom as u64)
        } else {
            let decoder = DecodeReaderBytesBuilder::new().encoding(Some(self.charset)).bom_override(true).build(text);
            (Box::new(decoder), self.decoded(), 0)
        }
    }

    /// The decoding of a text in UTF-8 that has been made of this one.
    pub fn decoded(self) -> Self {
        Decoding { charset: UTF_8, ..self }
    }

    /// The decoding of HTML or CSS in an attribute: browsers encode its queries in UTF-8.
    pub fn of_attribute(self) -> Self {
        Decoding { query: UTF_8, ..self }
    }

    /// A URL in a text as RFC 1808 reads it, without TAB, CR and LF: with the text's bytes in UTF-8, windows-1252 and
    /// x-user-defined, otherwise in UTF-8.
    pub fn keep<'t>(self, text: &'t [u8], url: Range<usize>, replaced: &[Replaced]) -> Cow<'t, [u8]> {
        let is_kept = [UTF_8, WINDOWS_1252, X_USER_DEFINED].contains(&self.charset);
        if is_kept { without_breaks(&text[url]) } else { self.decode(text, url, replaced) }
    }

    /// A URL in a text in UTF-8, without TAB, CR and LF. Bytes that the charset does not have become U+FFFD.
    pub fn decode<'t>(self, text: &'t [u8], url: Range<usize>, replaced: &[Replaced]) -> Cow<'t, [u8]> {
        let bytes = &text[url.clone()];
        if bytes.is_ascii() || self.charset == UTF_8 && str::from_utf8(bytes).is_ok() {
            return without_breaks(bytes);
        }
        let decode = |range| self.charset.decode_without_bom_handling(&text[range]).0;
        let (mut decoded, mut at) = (Vec::new(), url.start);
        let first = replaced.partition_point(|piece| piece.text().end <= url.start);
        // no piece is partly in the URL
        for piece in replaced[first..].iter().map(Replaced::text).take_while(|piece| piece.start < url.end) {
            decoded.extend_from_slice(decode(at..piece.start).as_bytes());
            at = piece.end;
            decoded.extend_from_slice(&text[piece]);
        }
        decoded.extend_from_slice(decode(at..url.end).as_bytes());
        Cow::Owned(without_breaks(&decoded).into_owned())
    }

    /// A text that is nested in this one, and its decoding. It is in UTF-8 if the charset does not have all that was
    /// replaced, or has bytes of ASCII in other characters, such as the backslash; `layer` then leads from there to the
    /// text around. `None` if it is longer than [`MAX_RECORD`] in UTF-8.
    pub fn nested(self, text: &[u8], layer: &mut Layer) -> Option<(Vec<u8>, Decoding)> {
        let is_mixed = layer.replaced.iter().any(|piece| !text[piece.text()].is_ascii());
        if self.charset == UTF_8 || text.is_ascii() || self.charset.is_single_byte() && !is_mixed {
            return Some((text.to_vec(), self));
        }
        let (mut decoded, mut pieces) = (Vec::with_capacity(text.len()), Vec::new());
        let (mut at, mut raw_at) = (0, 0);
        for piece in mem::take(&mut layer.replaced) {
            let (range, raw) = (piece.text(), piece.raw());
            self.decode_piece(&text[at..range.start], raw_at, &mut decoded, &mut pieces);
            pieces.push(Replaced::new(decoded.len()..decoded.len() + range.len(), raw.clone()));
            (at, raw_at) = (range.end, raw.end);
            decoded.extend_from_slice(&text[range]);
        }
        self.decode_piece(&text[at..], raw_at, &mut decoded, &mut pieces);
        layer.replaced = pieces;
        (decoded.len() <= MAX_RECORD).then(|| (decoded, self.decoded()))
    }

    /// Decodes a text in which nothing was replaced. Each character that has other bytes in UTF-8 becomes a piece.
    fn decode_piece(self, text: &[u8], mut raw_at: usize, decoded: &mut Vec<u8>, pieces: &mut Vec<Replaced>) {
        let mut bytes = self.charset.new_decoder_without_bom_handling();
        let (mut utf8, mut raw_len) = ([0; 64], 0);
        for (index, byte) in text.iter().enumerate() {
            let is_last = index + 1 == text.len();
            let (_, _, len, _) = bytes.decode_to_utf8(&[*byte], &mut utf8, is_last);
            raw_len += 1;
            if len > 0 && decoded.len() <= MAX_RECORD {
                if utf8[..len] != [*byte] || raw_len > 1 {
                    pieces.push(Replaced::new(decoded.len()..decoded.len() + len, raw_at..raw_at + raw_len));
                }
                decoded.extend_from_slice(&utf8[..len]);
                (raw_at, raw_len) = (raw_at + raw_len, 0);
            }
        }
    }
}

/// The charset that a text names itself has. UTF-16 there means UTF-8: otherwise it could not have been read.
pub fn of_named(charset: &'static Encoding) -> &'static Encoding {
    if charset == UTF_16BE || charset == UTF_16LE { UTF_8 } else { charset }
}

/// The charset of iconv that has all characters of another one in browsers.
pub fn iconv_name(charset: &'static Encoding) -> &'static str {
    let names =
        [(SHIFT_JIS, "CP932"), (EUC_KR, "CP949"), (BIG5, "BIG5-HKSCS"), (GBK, "GB18030"), (REPLACEMENT, "CHARSET")];
    names.iter().find(|(own, _)| *own == charset).map_or(charset.name(), |(_, name)| name)
}
