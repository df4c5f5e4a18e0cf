//! Texts inside texts: where a place in the innermost one is in the file, and how an answer is written there.
//!
//! The value of an attribute is a text inside HTML, srcdoc is HTML inside a value, a URL in CSS is inside a text of
//! CSS. Each [`Layer`] leads from one of these texts to the text around it, the first of them to the file.

#[cfg(test)]
mod tests;

use std::ops::Range;

use encoding_rs::Encoding;
use memchr::memmem;

use super::markdown::Form;
use crate::strip::BREAKS;

/// A text inside another one.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Where it starts in the text around it, in bytes; that of the first layer is in the file.
    pub start: u64,
    /// Its pieces that are written differently there, ascending.
    pub replaced: Vec<Replaced>,
    /// How text is written there.
    pub escape: Escape,
}

/// A piece of a text that is written differently in the text around it: a character reference, CRLF, an escape of
/// CSS. It may be empty, as a comment in XML is.
///
/// A link may have 8 million pieces, so one has only 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replaced {
    /// Where it starts in the text.
    at: u32,
    /// Where it ends there.
    end: u32,
    /// Where it starts in the text around, counted from the layer's start.
    raw_at: u32,
    /// Where it ends there.
    raw_end: u32,
}

impl Replaced {
    /// A piece at a range of the text, which is a range of the text around, counted from the layer's start. Both are in
    /// the first 4 GiB, as [`MAX_RECORD`](crate::limits::MAX_RECORD) is.
    pub fn new(text: Range<usize>, raw: Range<usize>) -> Self {
        let short = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Replaced { at: short(text.start), end: short(text.end), raw_at: short(raw.start), raw_end: short(raw.end) }
    }

    /// Where it is in the text.
    pub fn text(&self) -> Range<usize> {
        self.at as usize..self.end as usize
    }

    /// Where it is in the text around, counted from the layer's start.
    pub fn raw(&self) -> Range<usize> {
        self.raw_at as usize..self.raw_end as usize
    }
}

/// How a text is written in the text around it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Escape {
    /// As it is: the text of STYLE.
    #[default]
    Verbatim,
    /// The value of an attribute of HTML, in these quotes.
    Html(u8),
    /// The value of an attribute of HTML, without quotes.
    HtmlUnquoted {
        /// The length of the value.
        len: u32,
    },
    /// The value of an attribute of HTML that has no value; it starts after the attribute's name.
    HtmlMissing,
    /// The value of an attribute of XML, in these quotes.
    XmlAttribute(u8),
    XmlText,
    /// A CDATA section of XML.
    XmlCdata,
    /// Text and CDATA of XML: `&`, `<` and `>` are written differently in them, so not at all.
    XmlMixed,
    /// HTML in a comment of HTML: as it is, but nothing in it can end the comment.
    Comment,
    /// The text of a URL of CSS, and whether it is in quotes, where a space needs no escape.
    Css(bool),
    /// A URL or HTML in Markdown.
    Markdown(Form),
}

/// New text for a range of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes that it replaces.
    pub range: Range<u64>,
    pub text: Vec<u8>,
}

/// The charset of a file that is edited.
#[derive(Clone, Copy)]
pub enum Charset {
    /// UTF-8, or an unknown one: bytes are written as they are.
    Utf8,
    /// A charset of single bytes, whose characters have been decoded.
    Decoded(&'static Encoding),
    /// A charset of single bytes that RFC 1808 reads as they are: bytes of a file are marked by [`mark`].
    ///
    /// A page in Latin-1 has `href="\xE9"`, and its base is `http://h/\xC3\xA9/`, in UTF-8. The answer has the bytes of
    /// both, `http://h/\xC3\xA9/\xE9`. Written by characters, those of the base would become the one byte `\xE9`, and
    /// the page would have another link when it is read again. Written as bytes without marks, a `&eacute;` in the
    /// link, which is UTF-8 here, would look the same and would become two characters.
    Kept,
}

/// The first of 256 private characters, which are the bytes of a file whose charset is [`Charset::Kept`].
const FIRST_MARK: u32 = 0x10_FF00;

/// What helps if an answer has a character that cannot be written.
pub const ENCODE: &str = "percent-encode it in the link or the base URL";

/// Why an answer cannot be written in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwritable {
    /// A character cannot be written there, or it is neither in the charset nor can be named.
    Character,
    /// It would end the comment that has it.
    Comment,
    /// The text is partly CDATA: it is not known how a character is written.
    Mixed,
    /// The text is in a label of Markdown: a definition has the same label.
    Label,
    /// There is something in the text that Markdown reads, too, such as the end of a line.
    Markdown,
}

impl Unwritable {
    /// The reason in words, and what helps.
    pub fn describe(self) -> (&'static str, &'static str) {
        match self {
            Unwritable::Character => ("the answer has a character that cannot be written here", ENCODE),
            Unwritable::Comment => ("the answer has -- or --!, which would end the comment", ENCODE),
            Unwritable::Mixed => {
                ("the answer has a character that is written differently in CDATA", "write the text without CDATA")
            }
            Unwritable::Label => (
                "the text that has the URL is also the label of a reference definition",
                "give the link another label: [text][label]",
            ),
            Unwritable::Markdown => (
                "the URL has a line break or a character that has a meaning in Markdown",
                "write it in one line and percent-encode the others",
            ),
        }
    }
}

impl Layer {
    /// Whether its pieces are ascending, here and in the text around: all that looks for one relies on that.
    pub fn is_ascending(&self) -> bool {
        let follows = |pair: &[Replaced]| matches!(pair, [a, b] if a.end <= b.at && a.raw_end <= b.raw_at);
        self.replaced.windows(2).all(follows)
    }

    /// The range in the text around that a range of this text has.
    pub fn outer(&self, range: Range<u64>) -> Range<u64> {
        let start = self.raw(range.start, true);
        let end = if range.is_empty() { start } else { self.raw(range.end, false) };
        self.start + start..self.start + end
    }

    /// Where an offset of the text is in the text around, from its start. In or next to an empty piece, that is
    /// after it for the start of a range, and before it for its end.
    fn raw(&self, at: u64, is_start: bool) -> u64 {
        let is_before = |piece: &Replaced| {
            if is_start { u64::from(piece.end) <= at } else { u64::from(piece.at) < at }
        };
        let (before, rest) = self.replaced.split_at(self.replaced.partition_point(is_before));
        let at = rest.first().map_or(at, |piece| at.min(piece.at.into())); // a piece is replaced as a whole
        let Some(piece) = before.last() else { return at };
        u64::from(piece.raw_end) + at.saturating_sub(piece.end.into())
    }

    /// Whether text that starts with the byte `first` would be read, at an offset, as part of the piece before it: of a
    /// number without an end, or of a name such as `&quot` without its semicolon.
    fn continues(&self, at: u64, first: u8) -> bool {
        let end = |piece: &Replaced| u64::from(piece.end);
        let Ok(index) = self.replaced.binary_search_by_key(&at, end) else { return false };
        match self.escape {
            Escape::Css(_) => first.is_ascii_hexdigit(),
            Escape::Html(_) | Escape::HtmlUnquoted { .. } => {
                // as long as `&lt`, `&amp` and `&quot` without their semicolons
                let may_be_name = (3..=5).contains(&self.replaced[index].raw().len());
                first.is_ascii_hexdigit() || may_be_name && (first.is_ascii_alphanumeric() || first == b'=')
            }
            _ => false,
        }
    }

    /// The piece that a byte of the text is in, if it is written differently in the text around it.
    pub fn replaced_at(&self, at: usize) -> Option<&Replaced> {
        let count = self.replaced.partition_point(|piece| piece.text().end <= at);
        self.replaced.get(count).filter(|piece| piece.text().start <= at)
    }

    /// Where the text around has something in a range of this text, or at its ends, that is no part of this text: the
    /// offset in this text, and the range there.
    pub fn left_out(&self, range: Range<u64>) -> impl Iterator<Item = (u64, Range<u64>)> {
        let first = self.replaced.partition_point(|piece| u64::from(piece.end) < range.start);
        let pieces = self.replaced[first..].iter().take_while(move |piece| u64::from(piece.at) <= range.end);
        let place = |piece: &Replaced| self.start + u64::from(piece.raw_at)..self.start + u64::from(piece.raw_end);
        pieces.filter(|piece| piece.at == piece.end).map(move |piece| (piece.at.into(), place(piece)))
    }

    /// Whether there is an empty piece inside a range, such as the border of a CDATA section.
    fn has_border(&self, range: &Range<u64>) -> bool {
        let first = self.replaced.partition_point(|piece| u64::from(piece.at) <= range.start);
        let inside = self.replaced[first..].iter().take_while(|piece| u64::from(piece.at) < range.end);
        inside.into_iter().any(|piece| piece.at == piece.end)
    }

    /// Whether a piece of a range is written differently.
    fn has_replaced(&self, range: &Range<u64>) -> bool {
        let first = self.replaced.partition_point(|piece| u64::from(piece.end) <= range.start);
        self.replaced.get(first).is_some_and(|piece| u64::from(piece.at) < range.end)
    }

    /// Turns an edit of this text into one of the text around it.
    fn lift(&self, edit: &Edit, charset: Charset) -> Result<Edit, Unwritable> {
        if self.escape == Escape::XmlMixed && self.has_border(&edit.range) {
            return Err(Unwritable::Mixed);
        }
        match self.escape {
            Escape::Markdown(Form::Label) => return Err(Unwritable::Label),
            Escape::Comment if ends_comment(&edit.text) => return Err(Unwritable::Comment),
            Escape::Markdown(form) if form.is_html() && self.has_replaced(&edit.range) => {
                return Err(Unwritable::Markdown);
            }
            _ => {}
        }
        let mut text = Vec::with_capacity(edit.text.len() + 16);
        let is_quoted = match self.escape {
            Escape::HtmlMissing => {
                text.push(b'=');
                true
            }
            Escape::HtmlUnquoted { len } => edit.range == (0..len.into()) && needs_quotes(&edit.text),
            _ => false,
        };
        if is_quoted {
            text.push(b'"');
            write(&edit.text, Escape::Html(b'"'), charset, &mut text)?;
            text.push(b'"');
        } else {
            let rest = match edit.text.split_first() {
                Some((first, rest)) if self.continues(edit.range.start, *first) => {
                    self.escape.name(char::from(*first), &mut text)?;
                    rest
                }
                _ => &edit.text,
            };
            write(rest, self.escape, charset, &mut text)?;
        }
        Ok(Edit { range: self.outer(edit.range.clone()), text })
    }
}

/// Lifts the answer for a range of the innermost text through all layers, from the inside out.
///
/// # Errors
/// The answer cannot be written there.
pub fn lift_answer(
    layers: &[Layer],
    range: Range<usize>,
    answer: &[u8],
    mut charset: Charset,
) -> Result<Edit, Unwritable> {
    // a text in Markdown gets character references, which STYLE does not have
    if let [Layer { escape: Escape::Markdown(Form::Tag { .. }), .. }, inner @ ..] = layers
        && inner.iter().find(|layer| layer.escape != Escape::Comment).is_some_and(|it| it.escape == Escape::Verbatim)
    {
        return Err(Unwritable::Character);
    }
    let mut edit = Edit { range: range.start as u64..range.end as u64, text: answer.to_vec() };
    for layer in layers.iter().rev() {
        edit = layer.lift(&edit, charset)?;
        charset = Charset::Utf8; // what is not ASCII is in the file's charset by now
    }
    Ok(edit)
}

/// Marks the bytes of a URL that are bytes of a file whose charset is [`Charset::Kept`], and leaves out TAB, CR and LF.
/// All other bytes that are not ASCII are UTF-8. The URL starts at `start` of the innermost text.
pub fn mark(layers: &[Layer], start: usize, url: &[u8]) -> Vec<u8> {
    let is_of_file = |at: usize| {
        let mut range = at as u64..at as u64 + 1;
        layers.iter().rev().all(|layer| {
            let is_same = usize::try_from(range.start).is_ok_and(|at| layer.replaced_at(at).is_none());
            range = layer.outer(range.clone());
            is_same
        })
    };
    let mut marked = Vec::with_capacity(url.len() * 2);
    for (index, byte) in url.iter().enumerate().filter(|(_, byte)| !BREAKS.contains(byte)) {
        match char::from_u32(FIRST_MARK + u32::from(*byte)) {
            Some(char) if !byte.is_ascii() && is_of_file(start + index) => {
                marked.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => marked.push(*byte),
        }
    }
    marked
}

/// Whether text would end a comment of HTML, perhaps with a `>` after it.
fn ends_comment(text: &[u8]) -> bool {
    let is_end = |end: &[u8]| text.ends_with(end) || memmem::find(text, &[end, b">"].concat()).is_some();
    is_end(b"--") || is_end(b"--!")
}

/// The bytes of an answer in which some bytes are [marked](mark).
pub fn unmark(answer: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(answer.len());
    for chunk in answer.utf8_chunks() {
        for char in chunk.valid().chars() {
            match marked_byte(char) {
                Some(byte) => bytes.push(byte),
                None => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        bytes.extend_from_slice(chunk.invalid());
    }
    bytes
}

/// The byte of a file that a private character is.
fn marked_byte(char: char) -> Option<u8> {
    u8::try_from(u32::from(char).checked_sub(FIRST_MARK)?).ok()
}

/// Whether a value of HTML needs quotes.
fn needs_quotes(value: &[u8]) -> bool {
    let is_special = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`=<>".contains(byte);
    value.is_empty() || value.iter().any(is_special)
}

/// Whether a byte is written as it is in every text.
fn is_never_escaped(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'-'..=b':' | b'#' | b'%' | b'?' | b'_')
}

fn write(text: &[u8], escape: Escape, charset: Charset, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    if let Escape::Markdown(form) = escape {
        return form.write(text, out).ok_or(Unwritable::Character);
    }
    if text.iter().copied().all(is_never_escaped) {
        out.extend_from_slice(text);
        return Ok(());
    }
    for chunk in text.utf8_chunks() {
        for char in chunk.valid().chars() {
            match u8::try_from(char) {
                Ok(byte) if byte.is_ascii() => escape.ascii(byte, out)?,
                _ => write_wide(char, escape, charset, out)?,
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
    Ok(())
}

/// Writes a character that is not ASCII.
fn write_wide(char: char, escape: Escape, charset: Charset, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    let mut utf8 = [0; 4];
    let utf8 = char.encode_utf8(&mut utf8);
    match charset {
        Charset::Utf8 => out.extend_from_slice(utf8.as_bytes()),
        Charset::Decoded(encoding) => match encoding.encode(utf8) {
            (bytes, _, false) => out.extend_from_slice(&bytes),
            _ => escape.name(char, out)?,
        },
        Charset::Kept => match marked_byte(char) {
            Some(byte) => out.push(byte),
            None => escape.name(char, out)?,
        },
    }
    Ok(())
}

impl Escape {
    /// Writes a character of ASCII.
    fn ascii(self, byte: u8, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        use Escape::{
            Comment, Css, Html, HtmlMissing, HtmlUnquoted, Markdown, Verbatim, XmlAttribute, XmlCdata, XmlMixed,
            XmlText,
        };
        let written: &[u8] = match (self, byte) {
            (Verbatim | Comment | Markdown(_), _) => &[byte],
            (_, 0) => return Err(Unwritable::Character),
            (XmlMixed, b'&' | b'<' | b'>') => return Err(Unwritable::Mixed),
            (XmlAttribute(_) | XmlText | XmlCdata | XmlMixed, 1..=8 | 11 | 12 | 14..=31) => {
                return Err(Unwritable::Character);
            }
            (Css(false), b' ') | (Css(_), b'<' | b'"' | b'\'' | b'(' | b')' | b'\\' | 1..=31 | 127) | (_, b'\r') => {
                return self.name(byte.into(), out);
            }
            (XmlCdata, b'>') if out.ends_with(b"]]") => b"]]><![CDATA[>",
            (Html(_) | HtmlUnquoted { .. } | HtmlMissing | XmlAttribute(_) | XmlText, b'&') => b"&amp;",
            (Html(b'"') | XmlAttribute(b'"'), b'"') => b"&quot;",
            (Html(b'\'') | XmlAttribute(b'\''), b'\'') => b"&#39;",
            // for a browser that runs scripts, </noscript> in an attribute ends NOSCRIPT
            (Html(_) | XmlAttribute(_) | XmlText, b'<') => b"&lt;",
            (Html(_) | XmlText, b'>') => b"&gt;",
            (XmlAttribute(_), b'\t' | b'\n') => return self.name(byte.into(), out),
            (HtmlUnquoted { .. }, _) if needs_quotes(&[byte]) => return self.name(byte.into(), out),
            (
                Html(_) | HtmlUnquoted { .. } | HtmlMissing | XmlAttribute(_) | XmlText | XmlCdata | XmlMixed | Css(_),
                _,
            ) => &[byte],
        };
        out.extend_from_slice(written);
        Ok(())
    }

    /// Writes a character by its number.
    fn name(self, char: char, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        let number = u32::from(char);
        let name = match self {
            Escape::Verbatim | Escape::Comment => return Err(Unwritable::Character),
            Escape::XmlMixed => return Err(Unwritable::Mixed),
            // HTML takes these numbers for characters of windows-1252
            Escape::Html(_) | Escape::HtmlUnquoted { .. } if (0x80..0xA0).contains(&number) => {
                return Err(Unwritable::Character);
            }
            Escape::XmlCdata => format!("]]>&#{number};<![CDATA["),
            Escape::Css(_) => format!("\\{number:X} "),
            Escape::Html(_)
            | Escape::HtmlUnquoted { .. }
            | Escape::HtmlMissing
            | Escape::XmlAttribute(_)
            | Escape::XmlText
            | Escape::Markdown(_) => format!("&#{number};"),
        };
        out.extend_from_slice(name.as_bytes());
        Ok(())
    }
}
