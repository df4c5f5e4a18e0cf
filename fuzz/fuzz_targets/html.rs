//! The reader of HTML. Input: a document.
#![no_main]

use absurl_fuzz::Chance;
use absurl_fuzz::base::MediaType;
use absurl_fuzz::document::{self, RETRIEVALS, Spot, Told};
use libfuzzer_sys::fuzz_target;

/// What may be in memory for any document: two blocks and the ends of their lines.
const LEAST: usize = 2 << 20;
/// How many bytes may be in memory for one of the document, beside that.
const TIMES: usize = 64;
/// How many times as long as the document what is read of it may be: a byte that is none in its
/// charset becomes the three of U+FFFD.
const GROWTH: usize = 3;

/// Whether what an attribute has stands in the document as it was told.
fn is_verbatim(text: &[u8]) -> bool {
    text.is_ascii() && !text.iter().any(|byte| matches!(byte, b'&' | b'\0' | b'\x1B'))
}

/// Asserts that each link stands where it is said to stand.
fn check_places(text: &[u8], told: &Told) {
    let mut starts = vec![0];
    starts.extend(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1));
    for link in &told.links {
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
        if let (Some(at), true) = (found, matches!(link.attribute, "href" | "src")) {
            assert!(link.text.is_empty() || rest[..at].iter().all(|byte| byte.is_ascii_whitespace()), "{link:?}");
        }
        assert!(found.is_some(), "{link:?}");
    }
}

fuzz_target!(|text: &[u8]| {
    let mut chance = Chance::of(text);
    let retrieval = chance.of_all(&RETRIEVALS);
    let html = Some(MediaType::Html);
    document::forget(text, retrieval, html, LEAST + TIMES * text.len());
    let told = document::check(text, retrieval, html, GROWTH, &mut chance);

    // all links have the document's base, and what is passed over for it is told once
    let (base, passed) = document::base(document::document(text, retrieval, html), &[]).expect("the document itself");
    assert!(told.links.iter().all(|link| link.base == base));
    assert_eq!(told.problems, passed.problems);
    assert!(told.problems.len() <= 1);
    if is_verbatim(text) {
        check_places(text, &told);
    }
});
