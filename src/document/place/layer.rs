//! Texts inside texts: where a place in the innermost one is in the file, and how an answer is written there.
//!
//! The value of an attribute is a text inside HTML, srcdoc is HTML inside a value, a URL in CSS is inside a text of
//! CSS. Each [`Layer`] leads from one of these texts to the text around it, the first of them to the file.

use std::ops::Range;

use encoding_rs::Encoding;

use super::markdown::Form;

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
/// A link may have 8 million of them, and so many need as much memory as there are bytes in one: 16.
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
    /// The text of a string or a URL of CSS.
    Css,
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
    /// A page in Latin-1 has `href="\xE9"`, and its base is `http://h/\xC3\xA9/`, in UTF-8. The answer has the bytes of both,
    /// `http://h/\xC3\xA9/\xE9`. Written by characters, those of the base would become the one byte `\xE9`, and the page
    /// would have another link when it is read again. Written as bytes without marks, a `&eacute;` in the link, which is UTF-8
    /// here, could not be told from them and would become two characters.
    Kept,
}

/// The first of 256 private characters, which are the bytes of a file whose charset is [`Charset::Kept`].
const FIRST_MARK: u32 = 0x10_FF00;

/// Why an answer cannot be written in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwritable {
    /// A character cannot be written there, or it is neither in the charset nor can be named.
    Character,
    /// The text is partly CDATA: it is not known how a character is written.
    Mixed,
    /// The text is in a label of Markdown: a definition has the same label.
    Label,
    /// There is something in the text that Markdown reads, too, such as the end of a line.
    Markdown,
}

impl Layer {
    /// The range in the text around that a range of this text has.
    pub fn outer(&self, range: Range<u64>) -> Range<u64> {
        let start = self.raw(range.start, true);
        let end = if range.is_empty() { start } else { self.raw(range.end, false) };
        self.start + start..self.start + end
    }

    /// Where a place of the text is in the text around, from its start. In or next to an empty piece, that is
    /// after it for the start of a range, and before it for its end.
    fn raw(&self, place: u64, is_start: bool) -> u64 {
        let is_before = |piece: &Replaced| {
            if is_start { u64::from(piece.end) <= place } else { u64::from(piece.at) < place }
        };
        let (before, rest) = self.replaced.split_at(self.replaced.partition_point(is_before));
        let place = rest.first().map_or(place, |piece| place.min(piece.at.into())); // a piece is replaced as a whole
        let Some(piece) = before.last() else { return place };
        u64::from(piece.raw_end) + place.saturating_sub(piece.end.into())
    }

    /// Whether text at a place that starts with a byte would be read as part of the piece before it: of a number without
    /// an end, or of the name `&quot` without its semicolon.
    fn continues(&self, place: u64, first: u8) -> bool {
        let end = |piece: &Replaced| u64::from(piece.end);
        let Ok(index) = self.replaced.binary_search_by_key(&place, end) else { return false };
        match self.escape {
            Escape::Css => first.is_ascii_hexdigit(),
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
pub fn edit(layers: &[Layer], range: Range<usize>, answer: &[u8], mut charset: Charset) -> Result<Edit, Unwritable> {
    let mut edit = Edit { range: range.start as u64..range.end as u64, text: answer.to_vec() };
    for layer in layers.iter().rev() {
        edit = layer.lift(&edit, charset)?;
        charset = Charset::Utf8; // what is not ASCII is in the file's charset by now
    }
    Ok(edit)
}

/// The URL in a text inside others, without TAB, CR and LF. Its bytes that are bytes of a file whose charset is
/// [`Charset::Kept`] are marked; all others that are not ASCII are UTF-8.
pub fn mark(layers: &[Layer], start: usize, url: &[u8]) -> Vec<u8> {
    let is_of_file = |at: usize| {
        let mut place = at as u64..at as u64 + 1;
        layers.iter().rev().all(|layer| {
            let is_same = usize::try_from(place.start).is_ok_and(|at| layer.replaced_at(at).is_none());
            place = layer.outer(place.clone());
            is_same
        })
    };
    let mut marked = Vec::with_capacity(url.len() * 2);
    for (index, byte) in url.iter().enumerate().filter(|(_, byte)| !matches!(byte, b'\t' | b'\r' | b'\n')) {
        match char::from_u32(FIRST_MARK + u32::from(*byte)) {
            Some(mark) if !byte.is_ascii() && is_of_file(start + index) => {
                marked.extend_from_slice(mark.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => marked.push(*byte),
        }
    }
    marked
}

/// Whether a value of HTML needs quotes.
fn needs_quotes(value: &[u8]) -> bool {
    let is_special = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`=<>".contains(byte);
    value.is_empty() || value.iter().any(is_special)
}

/// Whether a byte is written as it is everywhere.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'-'..=b':' | b'#' | b'%' | b'?' | b'_')
}

fn write(text: &[u8], escape: Escape, charset: Charset, out: &mut Vec<u8>) -> Result<(), Unwritable> {
    if let Escape::Markdown(form) = escape {
        return form.write(text, out).ok_or(Unwritable::Character);
    }
    if text.iter().copied().all(is_plain) {
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
        Charset::Kept => match u32::from(char).checked_sub(FIRST_MARK).and_then(|byte| u8::try_from(byte).ok()) {
            Some(byte) => out.push(byte),
            None => escape.name(char, out)?,
        },
    }
    Ok(())
}

impl Escape {
    /// Writes a character of ASCII.
    fn ascii(self, byte: u8, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        use Escape::{Css, Html, HtmlUnquoted, Verbatim, XmlAttribute, XmlCdata, XmlMixed, XmlText};
        let written: &[u8] = match (self, byte) {
            (Verbatim, _) => &[byte],
            (_, 0) => return Err(Unwritable::Character),
            (XmlMixed, b'&' | b'<' | b'>') => return Err(Unwritable::Mixed),
            (XmlAttribute(_) | XmlText | XmlCdata | XmlMixed, 1..=8 | 11 | 12 | 14..=31) => {
                return Err(Unwritable::Character);
            }
            (Css, b'<' | b'"' | b'\'' | b'(' | b')' | b'\\' | b' ' | 1..=31 | 127) | (_, b'\r') => {
                return self.name(byte.into(), out);
            }
            (XmlCdata, b'>') if out.ends_with(b"]]") => b"]]><![CDATA[>",
            (Css | XmlCdata, _) => &[byte],
            (_, b'&') => b"&amp;",
            (Html(b'"') | XmlAttribute(b'"'), b'"') => b"&quot;",
            (Html(b'\'') | XmlAttribute(b'\''), b'\'') => b"&#39;",
            // for a browser that runs scripts, </noscript> in an attribute ends NOSCRIPT
            (Html(_) | XmlAttribute(_) | XmlText, b'<') => b"&lt;",
            (Html(_) | XmlText, b'>') => b"&gt;",
            (XmlAttribute(_), b'\t' | b'\n') => return self.name(byte.into(), out),
            (HtmlUnquoted { .. }, _) if needs_quotes(&[byte]) => return self.name(byte.into(), out),
            _ => &[byte],
        };
        out.extend_from_slice(written);
        Ok(())
    }

    /// Writes a character by its number.
    fn name(self, char: char, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        let number = u32::from(char);
        let name = match self {
            Escape::Verbatim => return Err(Unwritable::Character),
            Escape::XmlMixed => return Err(Unwritable::Mixed),
            // HTML takes these numbers for characters of windows-1252
            Escape::Html(_) | Escape::HtmlUnquoted { .. } if (0x80..0xA0).contains(&number) => {
                return Err(Unwritable::Character);
            }
            Escape::XmlCdata => format!("]]>&#{number};<![CDATA["),
            Escape::Css => format!("\\{number:X} "),
            _ => format!("&#{number};"),
        };
        out.extend_from_slice(name.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{KOI8_R, WINDOWS_1252};

    use super::Escape::{Css, Html, HtmlMissing, HtmlUnquoted, Verbatim, XmlAttribute, XmlCdata, XmlText};
    use super::{Charset, Edit, Escape, Layer, Replaced, Unwritable, edit, mark};

    /// A text of `raw` bytes; each `(decoded, raw)` is a piece of it, and all between them are the same.
    fn layer(start: u64, escape: Escape, pieces: &[(usize, usize, usize)]) -> Layer {
        let (mut end, mut raw_end) = (0, 0);
        let piece = |&(gap, len, raw_len)| {
            let (at, raw_at) = (end + gap, raw_end + gap);
            (end, raw_end) = (at + len, raw_at + raw_len);
            Replaced::new(at..end, raw_at..raw_end)
        };
        Layer { start, replaced: pieces.iter().map(piece).collect(), escape }
    }

    /// What an answer is in place of `abc`.
    fn written(escape: Escape, answer: &str) -> String {
        let edit = edit(&[layer(10, escape, &[])], 1..3, answer.as_bytes(), Charset::Utf8);
        edit.map_or_else(|_| "unwritable".into(), |edit| String::from_utf8_lossy(&edit.text).into_owned())
    }

    #[test]
    fn places_are_those_of_the_text_around() {
        // a&amp;b, CRLF, NUL: a & b LF U+FFFD c
        let layer = layer(100, Html(b'"'), &[(1, 1, 5), (1, 1, 2), (0, 3, 1)]);
        for (range, outer) in [
            (0..8, 100..111),
            (0..1, 100..101),
            (1..2, 101..106),
            (2..3, 106..107),
            (3..4, 107..109),
            (4..7, 109..110),
            (5..6, 109..110),
            (7..8, 110..111),
            (2..2, 106..106),
            (0..0, 100..100),
            (8..8, 111..111),
        ] {
            assert_eq!(layer.outer(range.clone()), outer, "{range:?}");
        }
        let replaced: Vec<_> = (0..9).map(|at| layer.replaced_at(at).is_some()).collect();
        assert_eq!(replaced, [false, true, false, true, true, true, true, false, false]);
    }

    #[test]
    fn an_empty_piece_at_an_end_is_outside() {
        // <!---->a<!---->b<!---->
        let layer = layer(0, XmlText, &[(0, 0, 7), (1, 0, 7), (1, 0, 7)]);
        assert_eq!(layer.outer(0..1), 7..8);
        assert_eq!(layer.outer(1..2), 15..16);
        assert_eq!(layer.outer(0..2), 7..16);
        assert_eq!(layer.outer(0..0), 7..7);
        assert_eq!(layer.outer(2..2), 23..23);
    }

    #[test]
    fn each_place_has_its_escapes() {
        for (escape, answer, expected) in [
            (Html(b'"'), r#"http://a/?x&y="'<>`"#, "http://a/?x&amp;y=&quot;'&lt;&gt;`"),
            (Html(b'\''), r#"http://a/?x&y="'<>`"#, "http://a/?x&amp;y=\"&#39;&lt;&gt;`"),
            (Html(b'"'), "</style>&amp;", "&lt;/style&gt;&amp;amp;"),
            (Html(b'"'), "\r\n\t\u{1}", "&#13;\n\t\u{1}"),
            (Html(b'"'), "\0", "unwritable"),
            (HtmlUnquoted { len: 9 }, "a b=\"'`<>&/", "a&#32;b&#61;&#34;&#39;&#96;&#60;&#62;&amp;/"),
            (XmlAttribute(b'"'), "&<>\"'\t\n\r ", "&amp;&lt;>&quot;'&#9;&#10;&#13; "),
            (XmlAttribute(b'\''), "\"'", "\"&#39;"),
            (XmlAttribute(b'"'), "\u{1}", "unwritable"),
            (XmlText, "&<>\"']]>\r", "&amp;&lt;&gt;\"']]&gt;&#13;"),
            (XmlCdata, "&<>]]>]>]]", "&<>]]]]><![CDATA[>]>]]"),
            (XmlCdata, "\r", "]]>&#13;<![CDATA["),
            (Css, "a</b>\"'()\\ \n\u{7F};&", "a\\3C /b>\\22 \\27 \\28 \\29 \\5C \\20 \\A \\7F ;&"),
            (Verbatim, "\\3C \"&<", "\\3C \"&<"),
        ] {
            assert_eq!(written(escape, answer), expected, "{escape:?} {answer:?}");
        }
    }

    #[test]
    fn an_unquoted_value_gets_quotes_where_it_needs_them() {
        let place = [layer(5, HtmlUnquoted { len: 1 }, &[])];
        let missing = [layer(5, HtmlMissing, &[])];
        for (answer, unquoted) in [
            ("http://a/g", "http://a/g"),
            ("http://a/?x&y", "http://a/?x&amp;y"),
            ("", r#""""#),
            ("a b", r#""a b""#),
            ("a=b", r#""a=b""#),
            ("a\"b", r#""a&quot;b""#),
            ("a'b", r#""a'b""#),
            ("a`b", r#""a`b""#),
            ("a<b", r#""a&lt;b""#),
            ("a>b", r#""a&gt;b""#),
        ] {
            let text = |edit: Result<Edit, _>| edit.map(|edit| String::from_utf8_lossy(&edit.text).into_owned());
            assert_eq!(text(edit(&place, 0..1, answer.as_bytes(), Charset::Utf8)), Ok(unquoted.into()), "{answer}");
            let expected = format!("=\"{}\"", unquoted.trim_matches('"'));
            assert_eq!(text(edit(&missing, 0..0, answer.as_bytes(), Charset::Utf8)), Ok(expected), "{answer}");
        }
    }

    #[test]
    fn a_number_before_an_answer_stays_as_it_is() {
        // href="&#x20ftp": a reference ends at the first character that is no digit
        let html = [layer(0, Html(b'"'), &[(0, 1, 5)])];
        let answer = edit(&html, 1..2, b"ftp://a/", Charset::Utf8).map(|edit| edit.text);
        assert_eq!(answer, Ok(b"&#102;tp://a/".to_vec()));
        // in srcdoc, href=&quot/g&quot;
        let quot = [layer(0, Html(b'"'), &[(0, 1, 5)])];
        for (answer, written) in [("http://a/", "&#104;ttp://a/"), ("=", "&#61;"), ("/", "/")] {
            let edit = edit(&quot, 1..2, answer.as_bytes(), Charset::Utf8).map(|edit| edit.text);
            assert_eq!(edit, Ok(written.into()));
        }
        let css = [layer(0, Css, &[(0, 1, 3)])];
        let answer = edit(&css, 1..2, b"ftp://a/", Charset::Utf8).map(|edit| edit.text);
        assert_eq!(answer, Ok(b"\\66 tp://a/".to_vec()));
        let html = [layer(0, Html(b'"'), &[(0, 1, 6)])];
        let answer = edit(&html, 1..2, b"http://a/", Charset::Utf8).map(|edit| edit.text);
        assert_eq!(answer, Ok(b"http://a/".to_vec()));
    }

    #[test]
    fn layers_are_escaped_from_the_inside_out() {
        // <iframe srcdoc='<a href=&quot;g&quot;>'>, then a URL in CSS in a STYLE in XML
        let srcdoc = layer(16, Html(b'\''), &[(8, 1, 6), (1, 1, 6)]);
        let value = layer(9, Html(b'"'), &[]);
        let lifted = edit(&[srcdoc, value], 0..1, b"http://a/?'\"&", Charset::Utf8);
        let text = b"http://a/?&#39;&amp;quot;&amp;amp;".to_vec();
        assert_eq!(lifted, Ok(Edit { range: 30..31, text }));
        let lifted = edit(
            &[layer(50, XmlCdata, &[]), layer(7, Verbatim, &[]), layer(4, Css, &[])],
            0..1,
            b"x:]]></style>",
            Charset::Utf8,
        );
        let text = b"x:]]]]><![CDATA[>\\3C /style>".to_vec();
        assert_eq!(lifted, Ok(Edit { range: 61..62, text }));
    }

    #[test]
    fn what_the_charset_lacks_is_named() {
        let text = |escape, answer: &str, charset| {
            let edit = edit(&[layer(0, escape, &[])], 0..1, answer.as_bytes(), charset);
            edit.map(|edit| edit.text.escape_ascii().to_string())
        };
        let html = Html(b'"');
        assert_eq!(text(html, "é", Charset::Utf8), Ok(r"\xc3\xa9".into()));
        assert_eq!(text(html, "é&", Charset::Decoded(WINDOWS_1252)), Ok(r"\xe9&amp;".into()));
        assert_eq!(text(html, "д", Charset::Decoded(WINDOWS_1252)), Ok("&#1076;".into()));
        assert_eq!(text(html, "дé", Charset::Decoded(KOI8_R)), Ok(r"\xc4&#233;".into()));
        assert_eq!(text(Css, "дé", Charset::Decoded(KOI8_R)), Ok(r"\xc4\\E9 ".into()));
        assert_eq!(text(XmlCdata, "é", Charset::Decoded(KOI8_R)), Ok("]]>&#233;<![CDATA[".into()));
        assert_eq!(text(html, "\u{85}", Charset::Decoded(KOI8_R)), Err(Unwritable::Character));
    }

    #[test]
    fn kept_bytes_are_written_as_they_are() {
        // href="\xE9&eacute;", of which the first byte is one of the file
        let layers = [layer(0, Html(b'"'), &[(1, 2, 8)])];
        let marked = mark(&layers, 0, b"\xE9\xC3\xA9");
        let answer = [b"http://a/\xC3\xA9/\xE8/", &marked[..]].concat();
        let text = edit(&layers, 0..3, &answer, Charset::Kept).map(|edit| edit.text.escape_ascii().to_string());
        assert_eq!(text, Ok(r"http://a/&#233;/\xe8/\xe9&#233;".into()));
        // nothing of a text in a reference of the text around is a byte of the file
        let layers = [layer(0, Html(b'"'), &[(0, 4, 12)]), layer(1, Html(b'"'), &[])];
        assert_eq!(mark(&layers, 0, b"\xC3\xA9"), b"\xC3\xA9");
    }
}
