//! Places, escapes and edits of texts inside texts.

use encoding_rs::{KOI8_R, WINDOWS_1252};

use super::Escape::{Css, Html, HtmlMissing, HtmlUnquoted, Verbatim, XmlAttribute, XmlCdata, XmlText};
use super::{Charset, Edit, Escape, Layer, Replaced, Unwritable, lift_answer, mark};

/// A text of `raw` bytes; each `(decoded, raw)` is a piece of it, and all between them are the same.
fn layer_of(start: u64, escape: Escape, pieces: &[(usize, usize, usize)]) -> Layer {
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
    let edit = lift_answer(&[layer_of(10, escape, &[])], 1..3, answer.as_bytes(), Charset::Utf8);
    edit.map_or_else(|_| "unwritable".into(), |edit| String::from_utf8_lossy(&edit.text).into_owned())
}

#[test]
fn places_are_those_of_the_text_around() {
    // a&amp;b, CRLF, NUL: a & b LF U+FFFD c
    let layer = layer_of(100, Html(b'"'), &[(1, 1, 5), (1, 1, 2), (0, 3, 1)]);
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
    let layer = layer_of(0, XmlText, &[(0, 0, 7), (1, 0, 7), (1, 0, 7)]);
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
        (Css(false), "a</b>\"'()\\ \n\u{7F};&", "a\\3C /b>\\22 \\27 \\28 \\29 \\5C \\20 \\A \\7F ;&"),
        (Verbatim, "\\3C \"&<", "\\3C \"&<"),
    ] {
        assert_eq!(written(escape, answer), expected, "{escape:?} {answer:?}");
    }
}

#[test]
fn an_unquoted_value_gets_quotes_where_it_needs_them() {
    let value = [layer_of(5, HtmlUnquoted { len: 1 }, &[])];
    let missing = [layer_of(5, HtmlMissing, &[])];
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
        assert_eq!(text(lift_answer(&value, 0..1, answer.as_bytes(), Charset::Utf8)), Ok(unquoted.into()), "{answer}");
        let expected = format!("=\"{}\"", unquoted.trim_matches('"'));
        assert_eq!(text(lift_answer(&missing, 0..0, answer.as_bytes(), Charset::Utf8)), Ok(expected), "{answer}");
    }
}

#[test]
fn a_number_before_an_answer_stays_as_it_is() {
    // href="&#x20ftp": a reference ends at the first character that is no digit
    let html = [layer_of(0, Html(b'"'), &[(0, 1, 5)])];
    let answer = lift_answer(&html, 1..2, b"ftp://a/", Charset::Utf8).map(|edit| edit.text);
    assert_eq!(answer, Ok(b"&#102;tp://a/".to_vec()));
    // in srcdoc, href=&quot/g&quot;
    let quot = [layer_of(0, Html(b'"'), &[(0, 1, 5)])];
    for (answer, expected) in [("http://a/", "&#104;ttp://a/"), ("=", "&#61;"), ("/", "/")] {
        let edit = lift_answer(&quot, 1..2, answer.as_bytes(), Charset::Utf8).map(|edit| edit.text);
        assert_eq!(edit, Ok(expected.into()));
    }
    let css = [layer_of(0, Css(false), &[(0, 1, 3)])];
    let answer = lift_answer(&css, 1..2, b"ftp://a/", Charset::Utf8).map(|edit| edit.text);
    assert_eq!(answer, Ok(b"\\66 tp://a/".to_vec()));
    let html = [layer_of(0, Html(b'"'), &[(0, 1, 6)])];
    let answer = lift_answer(&html, 1..2, b"http://a/", Charset::Utf8).map(|edit| edit.text);
    assert_eq!(answer, Ok(b"http://a/".to_vec()));
}

#[test]
fn layers_are_escaped_from_the_inside_out() {
    // <iframe srcdoc='<a href=&quot;g&quot;>'>, then a URL in CSS in a STYLE in XML
    let srcdoc = layer_of(16, Html(b'\''), &[(8, 1, 6), (1, 1, 6)]);
    let value = layer_of(9, Html(b'"'), &[]);
    let lifted = lift_answer(&[srcdoc, value], 0..1, b"http://a/?'\"&", Charset::Utf8);
    let text = b"http://a/?&#39;&amp;quot;&amp;amp;".to_vec();
    assert_eq!(lifted, Ok(Edit { range: 30..31, text }));
    let lifted = lift_answer(
        &[layer_of(50, XmlCdata, &[]), layer_of(7, Verbatim, &[]), layer_of(4, Css(false), &[])],
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
        let edit = lift_answer(&[layer_of(0, escape, &[])], 0..1, answer.as_bytes(), charset);
        edit.map(|edit| edit.text.escape_ascii().to_string())
    };
    let html = Html(b'"');
    assert_eq!(text(html, "é", Charset::Utf8), Ok(r"\xc3\xa9".into()));
    assert_eq!(text(html, "é&", Charset::Decoded(WINDOWS_1252)), Ok(r"\xe9&amp;".into()));
    assert_eq!(text(html, "д", Charset::Decoded(WINDOWS_1252)), Ok("&#1076;".into()));
    assert_eq!(text(html, "дé", Charset::Decoded(KOI8_R)), Ok(r"\xc4&#233;".into()));
    assert_eq!(text(Css(false), "дé", Charset::Decoded(KOI8_R)), Ok(r"\xc4\\E9 ".into()));
    assert_eq!(text(XmlCdata, "é", Charset::Decoded(KOI8_R)), Ok("]]>&#233;<![CDATA[".into()));
    assert_eq!(text(html, "\u{85}", Charset::Decoded(KOI8_R)), Err(Unwritable::Character));
}

#[test]
fn kept_bytes_are_written_as_they_are() {
    // href="\xE9&eacute;", of which the first byte is one of the file
    let layers = [layer_of(0, Html(b'"'), &[(1, 2, 8)])];
    let marked = mark(&layers, 0, b"\xE9\xC3\xA9");
    let answer = [b"http://a/\xC3\xA9/\xE8/", &marked[..]].concat();
    let text = lift_answer(&layers, 0..3, &answer, Charset::Kept).map(|edit| edit.text.escape_ascii().to_string());
    assert_eq!(text, Ok(r"http://a/&#233;/\xe8/\xe9&#233;".into()));
    // nothing of a text in a reference of the text around is a byte of the file
    let layers = [layer_of(0, Html(b'"'), &[(0, 4, 12)]), layer_of(1, Html(b'"'), &[])];
    assert_eq!(mark(&layers, 0, b"\xC3\xA9"), b"\xC3\xA9");
}
