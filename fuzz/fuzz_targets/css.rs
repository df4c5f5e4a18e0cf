//! The URLs in style sheets, against those that are found with the tokens of another tokenizer. Input: a style sheet.
#![no_main]

use std::ops::Range;
use std::rc::Rc;

use absurl_fuzz::document::css::Sheet;
use absurl_fuzz::document::place::decoding::Decoding;
use absurl_fuzz::document::place::layer::{Charset, Edit, Layer, lift_answer};
use absurl_fuzz::document::reader::{Event, Reader, Value};
use absurl_fuzz::random;
use cssparser::{ParseError, Parser, Token};
use libfuzzer_sys::fuzz_target;

/// What the strings and URLs are that come next.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// A URL is a link.
    Url,
    /// So is a string.
    Both,
    /// Neither is.
    Neither,
}

/// What a link is replaced by.
const ANSWERS: [&str; 4] = ["http://a/b", "a", "x'\"()\\</style> \t\n\r\x0C\x01\x7Fx", "\u{E9}9a"];

/// The other tokenizer is known to be wrong.
struct Unfair;

/// A URL as it is read: the layer and the content of its token, where it is there, its line and column.
struct Url {
    layer: Layer,
    text: Vec<u8>,
    range: Range<usize>,
    line: u64,
    column: u64,
}

impl Url {
    /// The URL.
    fn url(&self) -> &[u8] {
        &self.text[self.range.clone()]
    }
}

/// The URLs in a style sheet.
fn urls(text: &[u8]) -> Vec<Url> {
    let mut sheet = Sheet::nested(text.to_vec(), &Value::default(), Decoding::new(encoding_rs::UTF_8), &Rc::default());
    let mut urls = Vec::new();
    while let Some(Event::Value(layer)) = sheet.advance().expect("memory can be read") {
        let value = sheet.value();
        let text = value.text.expect("a text").to_vec();
        let (range, _) = value.holds.next_url(&text, 0).expect("a URL");
        urls.push(Url { layer, text, range, line: value.line, column: value.column });
    }
    urls
}

/// A token with a link: the link, and the range of the token.
type Found = (String, Range<usize>);

/// Adds the links in a block. `is_set`: it is that of `image-set()`.
fn links<'a>(
    parser: &mut Parser<'a>,
    is_set: bool,
    mut next: Next,
    found: &mut Vec<Found>,
) -> Result<(), ParseError<Unfair>> {
    loop {
        let start = parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else { return Ok(()) };
        let token = token.clone();
        let mut inner = None;
        let mut link = None;
        match &token {
            Token::WhiteSpace(_) | Token::Comment(_) => continue,
            Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => next = Next::Both,
            Token::AtKeyword(name) if name.eq_ignore_ascii_case("namespace") => next = Next::Neither,
            Token::Ident(_) if next == Next::Neither => {}
            Token::UnquotedUrl(url) => {
                link = (next != Next::Neither).then_some(url);
                next = Next::Url;
            }
            Token::QuotedString(url) => {
                link = (next == Next::Both || next == Next::Url && is_set).then_some(url);
                next = Next::Url;
            }
            // after white space the other tokenizer takes the backslash for the fault, and reads `\)` as the end
            Token::BadUrl(content) if content.as_bytes().windows(2).any(|pair| pair[0] <= b' ' && pair[1] == b'\\') => {
                return Err(ParseError::custom(Unfair));
            }
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                inner = Some((false, if next == Next::Neither { next } else { Next::Both }));
                next = Next::Url;
            }
            Token::Function(name) => {
                let names = ["image-set", "-webkit-image-set"];
                inner = Some((names.iter().any(|set| name.eq_ignore_ascii_case(set)), Next::Url));
                next = Next::Url;
            }
            Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                inner = Some((false, Next::Url));
                next = Next::Url;
            }
            _ => next = Next::Url,
        }
        if let Some(url) = link {
            let url = url.trim_matches([' ', '\t', '\n', '\x0C', '\r']);
            if !url.is_empty() && !url.starts_with('#') {
                found.push((url.to_string(), start..parser.position().byte_index()));
            }
        }
        if let Some((is_set, next)) = inner {
            parser.parse_nested_block(|parser| links(parser, is_set, next, found))?;
        }
    }
}

fuzz_target!(|text: &[u8]| {
    let mut random = random(text);
    let text = String::from_utf8_lossy(text);
    let mut expected = Vec::new();
    let mut parser = Parser::new(&text);
    parser.set_nested_block_limit(0);
    if links(&mut parser, false, Next::Url, &mut expected).is_err() {
        return;
    }

    let urls = urls(text.as_bytes());
    let found: Vec<_> = urls.iter().map(|url| std::str::from_utf8(url.url()).expect("UTF-8")).collect();
    assert_eq!(found, expected.iter().map(|(url, _)| &**url).collect::<Vec<_>>());
    for (index, (url, (_, token))) in urls.iter().zip(expected).enumerate() {
        let Url { layer, text: content, range, line, column } = url;
        let start = layer.start as usize;
        assert!(token.start < start && start <= token.end);
        // the map covers all of the content, and what is not replaced is the same
        let (mut at, mut raw) = (0, start);
        for piece in &layer.replaced {
            assert_eq!(content[at..piece.text().start], text.as_bytes()[raw..start + piece.raw().start]);
            (at, raw) = (piece.text().end, start + piece.raw().end);
        }
        let end = raw + content.len() - at;
        assert!(end <= token.end);
        assert_eq!(content[at..], text.as_bytes()[raw..end]);
        // the place is that of the content
        let before = &text[..start];
        let is_in_crlf = before.ends_with('\r') && text[start..].starts_with('\n');
        let lines = before.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count();
        assert_eq!(*line, (lines - usize::from(is_in_crlf)) as u64 + 1);
        let line_start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        assert!(is_in_crlf || *column == (start - line_start) as u64 + 1);
        // an answer that is written there is read there
        let answer = random.pick(&ANSWERS).as_bytes();
        let layers = std::slice::from_ref(layer);
        let edit = lift_answer(layers, range.clone(), answer, Charset::Utf8).expect("it can be written");
        let Edit { range, text: escaped } = edit;
        let (start, end) = (range.start as usize, range.end as usize);
        let written = [&text.as_bytes()[..start], &escaped, &text.as_bytes()[end..]].concat();
        let again = self::urls(&written);
        assert_eq!(again.len(), urls.len(), "{}", written.escape_ascii());
        for (number, (again, url)) in again.iter().zip(&urls).enumerate() {
            let expected = if number == index { answer } else { url.url() };
            assert_eq!(again.url(), expected, "{}", written.escape_ascii());
        }
    }
});
