//! The reader of HTML. Input: a document.
#![no_main]

use absurl_fuzz::document::{MediaType, Problem};
use absurl_fuzz::random;
use absurl_fuzz::reading::{self, Contents, RETRIEVALS, Spot};
use libfuzzer_sys::fuzz_target;

/// The memory that any document may take: two blocks and the ends of their lines.
const LEAST: usize = 2 << 20;
/// The bytes of memory for one of the document, in addition.
const TIMES: usize = 128;
/// How many times as long as the document its references may be: a byte that its charset does not
/// have becomes the three of U+FFFD.
const GROWTH: usize = 3;

/// Whether the links are in the document as they were read, whatever charset it names: ISO-2022-JP has
/// no SO, SI and ESC, and CSS no backslash.
fn is_verbatim(text: &[u8]) -> bool {
    text.is_ascii() && !text.iter().any(|byte| matches!(byte, b'&' | b'\\' | b'\0' | b'\x0E' | b'\x0F' | b'\x1B'))
}

/// Asserts that each link is where its place says.
fn check_places(text: &[u8], contents: &Contents) {
    let mut starts = vec![0];
    // LF, CR LF and a lone CR end a line
    let ends = |at: &usize| text[*at] == b'\n' || text[*at] == b'\r' && text.get(at + 1) != Some(&b'\n');
    starts.extend((0..text.len()).filter(ends).map(|at| at + 1));
    // a URL in STYLE of SVG may have comments in it
    let has_svg = text.windows(3).any(|word| word.eq_ignore_ascii_case(b"svg"));
    for link in contents.links.iter().filter(|link| !has_svg || !link.attribute.is_empty()) {
        let Spot { part, line, column } = &link.spot;
        assert!(part.is_none());
        let line = starts[usize::try_from(line - 1).expect("a line there is")];
        let place = line + usize::try_from(column - 1).expect("a column there is");
        let rest: Vec<u8> = text[place..]
            .iter()
            .filter(|byte| !matches!(byte, b'\t' | b'\r' | b'\n'))
            .take(64 * 1024)
            .copied()
            .collect();
        let found = memchr::memmem::find(&rest, &link.text);
        // an attribute that holds one URL has nothing but white space before it
        if let (Some(at), true) = (found, matches!(&*link.attribute, "href" | "src")) {
            assert!(link.text.is_empty() || rest[..at].iter().all(|byte| byte.is_ascii_whitespace()), "{link:?}");
        }
        assert!(found.is_some(), "{link:?}");
    }
}

fuzz_target!(|text: &[u8]| {
    let mut random = random(text);
    let retrieval = random.pick(&RETRIEVALS);
    let html = Some(MediaType::Html);
    if reading::is_refused(text, html) {
        return;
    }
    reading::forget(text, html, LEAST + TIMES * text.len());
    let contents = reading::check(text, retrieval, html, GROWTH, &mut random);

    // all links but those of srcdoc have the document's base, and there is one at most
    let base = reading::base(reading::document(text, html), retrieval, &[]).expect("the document itself");
    // UTF-16 by its byte order mark may turn out not to be
    let is_utf_16 = text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF");
    assert!(is_utf_16 || base.problems.is_empty());
    if !text.windows(6).any(|name| name.eq_ignore_ascii_case(b"srcdoc")) {
        assert!(contents.links.iter().all(|link| link.base == base.base));
        let is_unclosed = |problem: &Problem| *problem == Problem::UNCLOSED;
        assert!(is_utf_16 || contents.problems.iter().all(|(_, problem)| is_unclosed(problem)));
    }
    if is_verbatim(text) {
        check_places(text, &contents);
    }
});
