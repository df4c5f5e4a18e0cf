//! Tests of the URLs in style sheets.

#![allow(clippy::expect_used, clippy::panic, clippy::cast_possible_truncation, reason = "a test fails by a panic")]

use super::*;
use crate::document::open::open;
use crate::document::place::layer::Replaced;
use crate::document::place::layer::{Charset, lift_answer};
use crate::document::{Document, Item, MediaType, Options};

/// A URL: the layer and the content of its token, where it is there, its line and column.
type LocatedUrl = (Layer, Vec<u8>, Range<usize>, u64, u64);

/// The URLs in a text.
fn urls_of(text: &[u8]) -> Vec<LocatedUrl> {
    let options = Options::default();
    let how = Opening { charset: None, line: 1, may_be_markdown: false, wants_links: true, options: &options.into() };
    let Ok(Ok(mut sheet)) = open(MediaType::Css, text, &how) else { panic!("memory can be read") };
    let mut urls = Vec::new();
    while let Some(Event::Value(layer)) = sheet.advance().expect("memory can be read") {
        let Value { text, holds, line, column, .. } = sheet.value();
        let text = text.expect("a text").to_vec();
        let (range, _) = holds.next_url(&text, 0).expect("a URL");
        urls.push((layer, text, range, line, column));
    }
    urls
}

#[test]
fn a_url_has_its_place() {
    let text = "a{b:url(x)}\n@import\r\n 'y';\rc{d:url(\n\n z)}url('\u{E9}\\\n \\61 b ')";
    let urls = urls_of(text.as_bytes());
    let places: Vec<_> =
        urls.iter().map(|(layer, _, range, line, column)| (layer.start, range.clone(), *line, *column)).collect();
    assert_eq!(places, [(8, 0..1, 1, 9), (23, 0..1, 3, 3), (38, 0..1, 6, 2), (46, 0..5, 6, 10)]);
    let [.., (layer, text, ..)] = &*urls else { panic!("no URL") };
    assert_eq!(*text, "\u{E9} ab ".as_bytes());
    let piece = |at, len, raw_at, raw_len| Replaced::new(at..at + len, raw_at..raw_at + raw_len);
    assert_eq!(layer.replaced, [piece(2, 0, 2, 2), piece(3, 1, 5, 4)]);
}

/// An answer as it is written in CSS.
fn escape(answer: &str, in_quotes: bool) -> Option<Vec<u8>> {
    let layer = Layer { start: 0, replaced: Vec::new(), escape: Escape::Css(in_quotes) };
    Some(lift_answer(&[layer], 0..0, answer.as_bytes(), Charset::Utf8).ok()?.text)
}

#[test]
fn an_answer_comes_back() {
    for (answer, expected) in [
        ("http://a/b?c#d", "http://a/b?c#d"),
        ("</style>", "\\3C /style>"),
        ("\"", "\\22 "),
        ("'", "\\27 "),
        ("(", "\\28 "),
        (")", "\\29 "),
        ("\\", "\\5C "),
        (" ", "\\20 "),
        ("\t\n\r\x0C", "\\9 \\A \\D \\C "),
        ("\x01\x0B\x1F\x7F", "\\1 \\B \\1F \\7F "),
        ("a b c", "a\\20 b\\20 c"),
        ("\u{E9}\u{FFFD}", "\u{E9}\u{FFFD}"),
    ] {
        for (open, close) in [("url(", ")"), ("url(\"", "\")"), ("url('", "')")] {
            let in_quotes = open != "url(";
            let expected = if in_quotes { expected.replace("\\20 ", " ") } else { expected.into() };
            let escaped = escape(answer, in_quotes).expect("it can be written");
            assert_eq!(String::from_utf8_lossy(&escaped), expected);
            let text = [open.as_bytes(), b"x", &escaped, b"x", close.as_bytes()].concat();
            let texts: Vec<_> = urls_of(&text).into_iter().map(|(_, text, ..)| text).collect();
            assert_eq!(texts, [["x", answer, "x"].concat().into_bytes()]);
        }
    }
    assert_eq!(escape("\0", true), None);
}

#[test]
fn texts_of_a_kind_take_linear_time() {
    for piece in [
        "url(",
        "url('",
        "url('\n",
        "url(a b",
        "\\",
        "image-set(",
        "/*",
        "@import ",
        "(",
        "a",
        "'\n",
        "#",
        "@namespace a ",
        "url\\(",
    ] {
        let text = piece.repeat(4_000_000 / piece.len());
        let count = urls_of(text.as_bytes()).len();
        assert!(count <= text.len() / 4, "{piece}");
    }
}

#[test]
fn a_url_in_a_page_has_its_bytes() {
    for (page, written) in [
        ("<style>a{b:url( x )}</style>", "x"),
        ("\u{FEFF}<style>\r\n\0a\r\n{b:url(' x\\\r\ny')}", "x\\\r\ny"),
        ("<style></a><</stylex>url(</x>)", "</x>"),
        ("<style>\r\r\n\r\n\n<\r\nurl(x)", "x"),
        ("<svg><style>\r\n&amp;&noname;&#65;&nbsp;&#233;\r\nurl(x&amp;y)", "x&amp;y"),
        ("<svg><style>&quot;&quot; url(&#34;xy&quot;)", "xy"),
        ("<svg><style><!-- ' --> url(xy)", "xy"),
        ("<svg><style><![CDATA[\r\n'&amp;']]>\r\nurl(xy)", "xy"),
        ("<svg><style><![CDATA[url(x&amp;y)]]>", "x&amp;y"),
        ("<svg><style><!----><g>url(z)</g>url(x<![CDATA[y]]>)<!-- -->", "x<![CDATA[y"),
        ("<p style='a:url(&apos; x&amp;y\\&#51;1 &apos;)'>", "x&amp;y\\&#51;1 "),
        ("<p style=\"a:url('\\\r\n x')\">", "x"),
        ("<p style=a:url(xy)>", "xy"),
        ("<iframe srcdoc='&lt;style>a:url(\"&amp;amp;x'>", "&amp;amp;x"),
        ("<iframe srcdoc='&lt;p style=\"a:url(\\26 amp;x&amp;#97;\">'>", "\\26 amp;x&amp;#97;"),
    ] {
        let options = Options { rewrites: true, ..Options::default() };
        let mut document = Document::new(page.as_bytes(), options).expect("HTML");
        let mut links = document.links();
        let Some(Item::Link(link)) = links.next().expect("memory can be read") else { panic!("no link: {page}") };
        let range = link.range.start as u64..link.range.end as u64;
        let range = link.layers.iter().rev().fold(range, |range, layer| layer.outer(range));
        assert_eq!(page.get(range.start as usize..range.end as usize), Some(written), "{page:?}");
    }
}

/// The at-rules, strings and URLs in a text, each with where it is, and whether it is in `image-set()`.
fn telling(text: &[u8], skips: bool) -> Vec<(Range<usize>, bool)> {
    let (mut tokens, mut ranges) = (Tokens::new(text.to_vec()), Vec::new());
    loop {
        if skips {
            tokens.skip_dull();
        }
        let is_in_set = tokens.is_in_set();
        match tokens.next() {
            Some(Token::At(range) | Token::String(range) | Token::Url(range)) => ranges.push((range, is_in_set)),
            Some(Token::Space | Token::Name | Token::Other) => {}
            None => return ranges,
        }
    }
}

#[test]
fn what_is_skipped_has_no_token_that_matters() {
    let pieces = [
        "url(",
        "image-set(",
        "#",
        "-",
        "5",
        "a",
        "\\",
        "\"",
        ")",
        "/",
        "*",
        " ",
        "@",
        "<!--",
        "}",
        "[",
        "\u{E9}",
        "\n",
        ".",
        "(",
    ];
    let mut random = 1_u64;
    for length in 1..=12 {
        for _ in 0..20_000 {
            let text: String = (0..length)
                .map(|_| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    pieces[(random >> 33) as usize % pieces.len()]
                })
                .collect();
            assert_eq!(telling(text.as_bytes(), true), telling(text.as_bytes(), false), "{text}");
        }
    }
}
