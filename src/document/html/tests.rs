//! The map from the value of an attribute to the bytes of the file.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "a failed test panics")]

use std::io::{self, Read};

use super::attributes::suspected_attribute;
use super::{HTML_BLOCK, Page, may_have_base};
use crate::document::holds::Holds;
use crate::document::place::layer::{Escape, Layer};
use crate::document::reader::{Event, Opening, Reader};
use crate::document::{Document, Item, MediaType, Options};
use crate::fast::tests::Random;
use crate::limits::PRESCAN;

/// What a value is written with, and what it is. None of them changes the meaning of the next one.
const PIECES: &[(&str, &str)] = &[
    ("a", "a"),
    ("/", "/"),
    ("\u{E9}", "\u{E9}"),
    ("\n", "\n"),
    ("\r", "\n"),
    ("\r\n", "\n"),
    ("\0", "\u{FFFD}"),
    ("&amp;", "&"),
    ("&caps;", "\u{2229}\u{FE00}"), // as long as it is written
    ("&fjlig;", "fj"),
    ("&#0;", "\u{FFFD}"),
    ("&#xE9;", "\u{E9}"),
    ("&#10;", "\n"),
    ("&noname;", "&noname;"),
    ("&;", "&;"),
    ("&Gg;", "\u{22D9}"), // one byte shorter than it is written
    ("&#x;", "&#x;"),
];

/// What ends at the next byte, which `/` is.
const OPEN: &[(&str, &str)] =
    &[("&lt", "<"), ("&#38", "&"), ("&#x26", "&"), ("&#", "&#"), ("&nonam", "&nonam"), ("&", "&")];

/// A text that is read a few bytes at a time.
struct InPieces<'a>(&'a [u8], usize);

impl Read for InPieces<'_> {
    fn read(&mut self, free: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(self.0.len()).min(free.len());
        let (bytes, rest) = self.0.split_at(length);
        free[..length].copy_from_slice(bytes);
        self.0 = rest;
        Ok(length)
    }
}

#[test]
fn a_base_is_found_wherever_it_is() {
    for length in [0, 1, HTML_BLOCK - 5, HTML_BLOCK - 4, HTML_BLOCK - 3, HTML_BLOCK, 3 * HTML_BLOCK - 2] {
        for (end, is_found) in
            [("<base", true), ("<BaSe href=g>", true), ("<bas", false), ("< base", false), ("", false)]
        {
            let text = "<".repeat(length) + end;
            for step in [1, 3, HTML_BLOCK + 1] {
                let found = may_have_base(InPieces(text.as_bytes(), step)).unwrap();
                assert_eq!(found, is_found, "{length} bytes before {end:?}, {step} at once");
            }
        }
    }
}

/// The decoded value of the one link of a page, and the layer of it.
fn layer_of(page: &[u8], step: usize) -> (Vec<u8>, Layer) {
    let options = Options { rewrites: true, ..Options::default() };
    let how = Opening { charset: None, line: 1, may_be_markdown: false, wants_links: true, options: &options.into() };
    let mut reader = Page::new(Vec::new(), InPieces(page, step), &how).unwrap();
    let Some(Event::Value(layer)) = reader.advance().unwrap() else { panic!("{}", page.escape_ascii()) };
    (reader.value().text.unwrap().to_vec(), layer)
}

/// Asserts that the map of a value leads to the bytes that each piece is written with.
fn check(before: &str, pieces: &[(&str, &str)], quote: &str, step: usize) {
    let written: String = pieces.iter().map(|piece| piece.0).collect();
    let page = format!("{before}<a b='&lt;' href={quote}{written}{quote}>");
    let (value, layer) = layer_of(page.as_bytes(), step);
    let case = || format!("{:?} {step}: {layer:?}", &page[before.len()..]);
    let expected: String = pieces.iter().map(|piece| piece.1).collect();
    assert_eq!(String::from_utf8_lossy(&value), expected, "{}", case());
    let escape = match quote.as_bytes() {
        [quote] => Escape::Html(*quote),
        _ => Escape::HtmlUnquoted { len: value.len().try_into().unwrap() },
    };
    assert_eq!(layer.escape, escape, "{}", case());

    // the pieces that are replaced, and what is between them, give all of the value
    let raw = &page.as_bytes()[usize::try_from(layer.start).unwrap()..];
    let (mut at, mut raw_at) = (0, 0);
    for piece in &layer.replaced {
        let (is, written) = (piece.text(), piece.raw());
        assert_eq!(written.start - raw_at, is.start - at, "{}", case());
        assert_same(&value[at..is.start], &raw[raw_at..written.start]);
        (at, raw_at) = (is.end, written.end);
        let source = String::from_utf8_lossy(&raw[written]);
        let piece = PIECES.iter().chain(OPEN).find(|piece| *piece.0 == source);
        assert_eq!(piece.map(|piece| piece.1.as_bytes()), Some(&value[is]), "{}", case());
    }
    assert_same(&value[at..], &raw[raw_at..raw_at + value.len() - at]);
    assert_eq!(raw_at + value.len() - at, written.len(), "{}", case());
    assert!(raw[written.len()..].starts_with(quote.as_bytes()), "{}", case());
}

/// Asserts that a text is that of the file but for line ends, and has no reference.
fn assert_same(text: &[u8], raw: &[u8]) {
    let normal: Vec<_> = raw.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte }).collect();
    assert_eq!(text.escape_ascii().to_string(), normal.escape_ascii().to_string());
}

#[test]
fn the_map_of_a_value_leads_to_its_bytes() {
    let slash = ("/", "/");
    let mut sequences = vec![vec![]];
    let open = OPEN.iter().flat_map(|open| PIECES[1..].iter().map(|piece| vec![*open, slash, *piece]));
    sequences.extend(open);
    for &first in PIECES {
        sequences.push(vec![first]);
        for &second in PIECES {
            sequences.push(vec![first, second]);
            sequences.extend(PIECES.iter().map(|third| vec![first, second, *third]));
            sequences.extend(OPEN.iter().map(|open| vec![first, second, *open, slash]));
        }
    }
    for sequence in sequences {
        // CR and LF that follow each other are one piece
        if sequence.windows(2).any(|pair| pair[0].0 == "\r" && pair[1].0.starts_with('\n')) {
            continue;
        }
        for quote in ["\"", "'"] {
            for step in [1, 2, 3, 5, 1000] {
                check("", &sequence, quote, step);
            }
        }
        if !sequence.is_empty() && !sequence.iter().any(|piece| piece.0.contains(['\r', '\n'])) {
            (1..4).for_each(|step| check("", &sequence, "", step));
        }
    }
}

#[test]
fn the_map_of_a_value_does_not_depend_on_where_a_block_ends() {
    let sequence: Vec<_> = PIECES.iter().copied().chain([("&lt", "<"), ("/", "/")]).collect();
    for block in [PRESCAN, PRESCAN + HTML_BLOCK] {
        for padding in block - 130..block + 5 {
            check(&" ".repeat(padding), &sequence, "\"", usize::MAX);
            check(&format!("\u{FEFF}{}", " ".repeat(padding)), &sequence, "'", usize::MAX);
            let skipped = format!("<p>x{}<i class=\"<b>\">\r\n</i ><br></i>", " ".repeat(padding));
            check(&skipped, &sequence, "\"", usize::MAX);
        }
    }
}

#[test]
fn an_attribute_without_a_value_has_its_place_after_its_name() {
    for page in ["<a href>", "<a href/>", "<a href >", "<a href x=y>", "<a href/=>"] {
        let (value, layer) = layer_of(page.as_bytes(), 1);
        assert_eq!((&*value, layer.start, layer.escape), (&b""[..], 7, Escape::HtmlMissing), "{page}");
    }
    for (page, start) in [("<a href=>", 8), ("<a href =>", 9), ("<a href=\r\n >", 11)] {
        let (value, layer) = layer_of(page.as_bytes(), 1);
        assert_eq!((&*value, layer.start, layer.escape), (&b""[..], start, Escape::HtmlUnquoted { len: 0 }), "{page}");
    }
    let (_, layer) = layer_of(b"<a href\r\n=\r\n\r\nx>", 1);
    assert_eq!((layer.start, layer.escape), (14, Escape::HtmlUnquoted { len: 1 }));
}

/// What a page has: `base` and its URL, or a link with the index of its base.
fn items_of(page: &str, rewrites: bool) -> String {
    let options = Options { media_type: Some(MediaType::Html), rewrites, ..Options::default() };
    let mut document = Document::new(page.as_bytes(), options).unwrap();
    let (mut items, mut shown) = (document.links(), Vec::new());
    while let Some(item) = items.next().unwrap() {
        shown.push(match item {
            Item::Problem(_, problem) => problem.to_string(),
            Item::Base { outer, mut candidates, .. } => {
                let candidate = candidates.remove(0);
                format!("base{outer}={}", String::from_utf8_lossy(candidate.url.as_ref().unwrap()))
            }
            Item::PageEnd(base) => format!("end{base}"),
            Item::Link(link) => {
                let kind = if link.holds == Holds::Base { "base " } else { "" };
                format!("{kind}{}:{}", link.base, String::from_utf8_lossy(&link.kept()))
            }
        });
    }
    shown.join(" ")
}

#[test]
fn a_page_that_is_rewritten_has_its_base_as_a_link() {
    for (page, expected) in [
        ("<a href=a><base href=/x/><a href=b><base href=y>", "base0=/x/ 1:a base 1:/x/ 1:b"),
        ("<a href=a><base target=x><base href=' &#47;x '><a href=b>", "base0=/x 1:a base 1:/x 1:b"),
        ("<template><base href=y></template><a href=a>", "0:a"),
        ("<base href=''><a href=a><base href=y>", "base 0: 0:a"),
        (
            "<base href=x/><a href=a><iframe srcdoc='<a href=b><base href=y/>'></iframe><a href=c>",
            "base0=x/ base 1:x/ 1:a base1=y/ 2:b base 2:y/ 1:c",
        ),
    ] {
        assert_eq!(items_of(page, true), expected, "{page}");
    }
}

#[test]
fn tags_that_are_skipped_change_what_follows() {
    for (page, expected) in [
        ("<p>x<i title=\"<a href=a>\"></i><a class=\"c\" href=\"b\">", "0:b"),
        ("<p>x<textarea></textarea x><a href=a></p><textarea></p><a href=b></textarea><a href=c>", "0:a 0:c"),
        ("<p>x<style>p{background:url(a)}</style><i style=\"background:url(b)\">", "0:a 0:b"),
        ("<p>x<template><base href=x></template><base href=y><a href=a>", "base0=y 1:a"),
        ("<p>x<svg><style>p{background:url(a)}</style><title><a href=b></title><a xlink:href=c>", "0:a 0:b"),
    ] {
        assert_eq!(items_of(page, false), expected, "{page}");
    }
}

/// A text of which every other reading is interrupted by a signal.
struct Interrupted<'a>(&'a [u8], bool);

impl Read for Interrupted<'_> {
    fn read(&mut self, free: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            Err(io::ErrorKind::Interrupted.into())
        } else {
            InPieces(self.0, 700).read(free).inspect(|&length| self.0 = &self.0[length..])
        }
    }
}

#[test]
fn an_interrupted_reading_goes_on() {
    let padding = " ".repeat(3 * PRESCAN);
    let utf_16: Vec<_> = format!("\u{FEFF}{padding}<a href=u>").encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (text, media_type) in [
        (format!("{padding}<a href=u>").into_bytes(), MediaType::Html),
        (utf_16, MediaType::Html),
        (format!("{padding}a{{b:url(u)}}").into_bytes(), MediaType::Css),
        (format!("<rss>{padding}<link>u</link></rss>").into_bytes(), MediaType::Xml),
        (format!("Content-Type: text/html\n\n{padding}<a href=u>").into_bytes(), MediaType::Message),
    ] {
        let options = Options { media_type: Some(media_type), ..Options::default() };
        let mut document = Document::new(Interrupted(&text, false), options).unwrap();
        let (mut items, mut links) = (document.links(), 0);
        while let Some(item) = items.next().unwrap() {
            links += u32::from(matches!(item, Item::Link(_)));
        }
        assert_eq!(links, 1, "{media_type:?}");
    }
}

/// The links of a page, each with its place and the index of its base.
fn places(page: &str) -> Vec<String> {
    let mut document = Document::new(page.as_bytes(), Options::default()).unwrap();
    let (mut items, mut shown) = (document.links(), Vec::new());
    while let Some(item) = items.next().unwrap() {
        if let Item::Link(link) = item {
            let (place, url) = (link.place, String::from_utf8_lossy(&link.kept()).into_owned());
            shown.push(format!("{}:{} {} {url}", place.line, place.column, link.base));
        }
    }
    shown
}

#[test]
#[expect(clippy::too_many_lines, reason = "most of them are lists")]
fn a_tag_that_is_skipped_does_what_html5gum_makes_of_it() {
    const NAMES: &[&str] = &[
        "a",
        "annotation-xml",
        "b",
        "base",
        "body",
        "br",
        "desc",
        "div",
        "font",
        "foreignobject",
        "form",
        "frameset",
        "h1",
        "head",
        "html",
        "i",
        "iframe",
        "img",
        "input",
        "li",
        "math",
        "mi",
        "noscript",
        "option",
        "p",
        "plaintext",
        "script",
        "select",
        "style",
        "svg",
        "table",
        "td",
        "template",
        "textarea",
        "title",
        "tr",
        "ul",
        "xmp",
    ];
    const ATTRIBUTES: &[&str] = &[
        "",
        "",
        "",
        " class=\"<a href=n>\"",
        " id=\"\n\" title=\"\"",
        " href=\"u\"",
        " style=\"background:url(v)\"",
        " class='<a href=n>'",
        " \r\n\t hidden data_x:y='' id=\"\"",
        " href",
        " class=c",
        " class =\"c\"",
        "/",
        " /",
        " encoding=\"text/html\"",
    ];
    const TEXTS: &[&str] = &["", "", "x", "\r\n", "<!--<b>-->", "&lt;", "<a href=w>", "<base href=y>"];
    let mut random = Random(1);
    let (mut links, mut bases) = (0, 0);
    for _ in 0..60_000 {
        // a name with a capital letter is not skipped
        let (mut skipped, mut read) = (String::from("<p>x"), String::from("<p>x"));
        for _ in 0..random.below(12) {
            let (slash, name, attributes) = (random.of(&["", "", "/"]), random.of(NAMES), random.of(ATTRIBUTES));
            let text = random.of(TEXTS);
            skipped.extend(["<", slash, name, attributes, ">", text]);
            read.extend(["<", slash, &name[..1].to_uppercase(), &name[1..], attributes, ">", text]);
        }
        let expected = places(&read);
        links += expected.len();
        assert_eq!(places(&skipped), expected, "{skipped}");
        let expected = base_of(&read, true);
        bases += usize::from(expected.is_some());
        assert_eq!(base_of(&skipped, false), expected, "{skipped}");
    }
    assert!(links > 30_000 && bases > 10_000, "{links} {bases}");
}

/// The place and the URL of the base of a page, as it is read for its links or for its base alone.
fn base_of(page: &str, for_links: bool) -> Option<String> {
    let mut document = Document::new(page.as_bytes(), Options::default()).unwrap();
    let mut items = if for_links { document.links() } else { document.bases() };
    while let Some(item) = items.next().unwrap() {
        if let Item::Base { candidates, .. } = item {
            let base = &candidates[0];
            let url = String::from_utf8_lossy(base.url.as_ref().unwrap()).into_owned();
            return Some(format!("{}:{} {url}", base.line, base.column));
        }
    }
    None
}

/// Tags are skipped without a look at the table for these attributes.
#[test]
fn no_element_has_a_url_in_class_or_id() {
    for element in ["a", "img", "link", "meta", "base", "use", "animate", "set", "v:fill", "font", "annotation-xml"] {
        for attribute in ["class", "id"] {
            assert!(suspected_attribute(element.as_bytes(), attribute.as_bytes()).is_none(), "{element} {attribute}");
        }
    }
}

/// A text that cannot be read to its end.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, free: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::from_raw_os_error(5)) } else { self.0.read(free) }
    }
}

#[test]
fn after_a_read_error_no_link_lacks_its_base() {
    let long = " ".repeat(2 * PRESCAN);
    for (page, expected) in [
        ("<a href=g>", vec![]),
        ("<a href=g><a href='h", vec![]),
        ("<base href=http://h/><a href=g>", vec!["g"]),
        ("<a href=g><base href=http://h/><a href=i><a href", vec!["g", "i"]),
        ("<base href=http://h/><style>a { background: url(g) }</style><style>a { background: url(cu", vec!["g"]),
        ("<base href=http://h/><svg><style>a { background: url(cu", vec![]),
        ("<style>a { background: url(cu", vec![]),
    ] {
        let page = format!("<p>{long}{page}");
        let mut document = Document::new(Broken(page.as_bytes()), Options::default()).unwrap();
        let mut items = document.links();
        let mut links = Vec::new();
        let error = loop {
            match items.next() {
                Ok(Some(Item::Link(link))) => links.push(String::from_utf8(link.decoded().into_owned()).unwrap()),
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        assert_eq!(links, expected, "{}", page.trim_start_matches(&["<p>", &long].concat()));
        assert_eq!(error.unwrap().raw_os_error(), Some(5));
    }
}
