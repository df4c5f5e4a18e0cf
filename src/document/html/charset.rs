//! The charset that a page names, or that some reader may take for its own.

use std::io::{self, Read};
use std::rc::Rc;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

use super::lines::LineCounter;
use super::reading::Reading;
use super::source::Notes;
use super::tags::{PageToken, tokenize};
use crate::limits::{MAX_GUESSED, MAX_HEAD, PRESCAN};

/// The charsets that META name in a text, which is read for them, and the notes on it.
fn labels<'t>(text: impl Read + 't, reading: Reading) -> (impl Iterator<Item = Vec<u8>> + 't, Rc<Notes>) {
    let notes = Notes::new(reading, &Rc::default(), LineCounter::new(1, 0));
    let (tags, notes) = tokenize(Box::new(text), PRESCAN, notes, 0);
    let tokens = tags.flatten().take_while(|token| !matches!(token, PageToken::HeadEnd));
    (tokens.filter_map(|token| if let PageToken::Charset(label) = token { Some(label) } else { None }), notes)
}

/// The charset of a text that names no charset: UTF-8 if all of it is that, or else windows-1252, as in Chromium. What
/// is read for that is added to `start`.
pub fn guess_charset(start: &mut Vec<u8>, text: &mut impl Read) -> io::Result<&'static Encoding> {
    text.take(MAX_GUESSED.saturating_sub(start.len() as u64)).read_to_end(start)?;
    Ok(match str::from_utf8(start) {
        Err(error) if error.error_len().is_some() || (start.len() as u64) < MAX_GUESSED => WINDOWS_1252,
        _ => UTF_8,
    })
}

/// The charset that the first META in the HEAD of a page names, or else one in its first bytes, or else its XML
/// declaration. `start` of it has been read; what is read of HEAD is added, and that is at most [`MAX_HEAD`] bytes.
///
/// # Errors
/// The text cannot be read.
pub fn named_charset(start: &mut Vec<u8>, text: &mut impl Read) -> io::Result<Option<&'static Encoding>> {
    let mut kept = start.clone();
    let rest = Kept { text: text.take(MAX_HEAD - PRESCAN as u64), kept: &mut kept };
    let in_head = charset_by_meta(start.chain(rest), Reading::Head)?;
    let by_meta = match in_head {
        None => charset_by_meta(&**start, Reading::Prescan)?,
        named => named,
    };
    let named = by_meta.or_else(|| Encoding::for_label(xml_encoding(start)?));
    *start = kept;
    Ok(named)
}

/// The charset that the first META in a text names that names one. x-user-defined there means windows-1252.
fn charset_by_meta(text: impl Read, reading: Reading) -> io::Result<Option<&'static Encoding>> {
    let (mut labels, notes) = labels(text, reading);
    let named = labels.find_map(|label| Encoding::for_label(&label));
    let named = named.map(|named| if named == X_USER_DEFINED { WINDOWS_1252 } else { named });
    notes.error.take().map_or(Ok(named), Err)
}

/// Whether some readers may decode a page that starts so otherwise than from a charset: not all META that name one name
/// the same, and one of them has other bytes for markup. An escape sequence of ISO-2022-JP is one that a browser
/// guesses by.
pub fn has_charset_in_doubt(start: &[u8], charset: Option<&'static Encoding>) -> bool {
    if Encoding::for_bom(start).is_some() {
        return false;
    }
    let first = &start[..start.len().min(PRESCAN)];
    let labels = |text, reading| labels(text, reading).0.collect::<Vec<_>>();
    let (in_head, in_text) = (labels(start, Reading::Head), labels(first, Reading::Prescan));
    let is_utf_7 = |label: &Vec<u8>| label.to_ascii_lowercase().ends_with(b"utf-7");
    let first = |labels: &[Vec<u8>]| labels.iter().find_map(|label| Encoding::for_label(label));
    let (by_head, by_text) = (first(&in_head), first(&in_text));
    let named = [by_head, by_text, charset];
    let differ = by_head.is_some() && by_text.is_some() && by_head != by_text;
    let is_partly_wide = named.contains(&Some(ISO_2022_JP)) && named.iter().any(|named| *named != Some(ISO_2022_JP));
    let is_guessed = charset.is_none() && memchr(0x1B, start).is_some();
    differ || is_partly_wide || is_guessed || in_head.iter().chain(&in_text).any(is_utf_7)
}

/// A text that is kept as it is read.
struct Kept<'k, R> {
    text: R,
    kept: &'k mut Vec<u8>,
}

impl<R: Read> Read for Kept<'_, R> {
    fn read(&mut self, free: &mut [u8]) -> io::Result<usize> {
        let length = self.text.read(free)?;
        self.kept.extend_from_slice(&free[..length]);
        Ok(length)
    }
}

/// The encoding in the XML declaration that a page starts with.
pub fn xml_encoding(start: &[u8]) -> Option<&[u8]> {
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let value = &declaration[memmem::find(declaration, b"encoding")? + 8..];
    match value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start() {
        [quote @ (b'"' | b'\''), rest @ ..] => Some(&rest[..memchr(*quote, rest)?]),
        _ => None,
    }
}
