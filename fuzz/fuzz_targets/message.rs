//! The reader of messages. Input: a document.
#![no_main]

use absurl_fuzz::document::{MediaType, Problem};
use absurl_fuzz::limits::MAX_DEPTH;
use absurl_fuzz::random;
use absurl_fuzz::reading::{self, RETRIEVALS, base, document};
use libfuzzer_sys::fuzz_target;

/// The memory that any document may take: two blocks and the ends of their lines.
const LEAST: usize = 4 << 20;
/// The bytes of memory for one of the document, in addition: an attribute that waits for a BASE takes 80, and a header
/// field with a base is hardly longer than its name.
const TIMES: usize = 256;
/// How many times as long as the document its references may be: a byte that its charset does not
/// have becomes the three of U+FFFD, and messages may be encoded three times.
const GROWTH: usize = 3 * 4;

/// The numbers of a part.
fn numbers(part: &str) -> Vec<u32> {
    part.split('.').filter(|number| !number.is_empty()).map(|number| number.parse().expect("a number")).collect()
}

fuzz_target!(|text: &[u8]| {
    let mut random = random(text);
    let retrieval = random.pick(&RETRIEVALS);
    let media_type = random.pick(&[None, Some(MediaType::Message), Some(MediaType::Message), Some(MediaType::Html)]);
    if reading::is_refused(text, media_type) {
        return;
    }
    reading::forget(text, media_type, LEAST + TIMES * text.len());
    let contents = reading::check(text, retrieval, media_type, GROWTH, &mut random);

    // each link has the base of its part; those of a header have the base before that of the content
    let of_contents = contents.links.iter().filter(|link| link.element != b"field");
    let mut parts: Vec<_> = of_contents.map(|link| (&link.spot.part, &link.base)).collect();
    parts.dedup();
    for (part, expected) in parts.into_iter().take(8) {
        let number = part.as_deref().map_or(vec![], numbers);
        // a part that is located by cid: has the base of the page before it
        let base_part = expected.spot.as_ref().and_then(|spot| spot.part.as_deref());
        if base_part.is_some_and(|base_part| !number.starts_with(&numbers(base_part))) {
            continue;
        }
        assert!(number.len() <= MAX_DEPTH);
        let found = base(document(text, media_type), retrieval, &number).expect("the part of a link");
        assert_eq!(found.base, *expected);
        // and what is skipped for it is reported with the links too
        for problem in &found.problems {
            assert!(contents.problems.contains(problem), "{problem:?} of {part:?}");
        }
    }

    // the parts that are listed are there, and no others
    let mut whole = document(text, media_type);
    if !whole.select(&[u32::MAX]).expect("memory can be read") {
        let parts = whole.parts().expect("memory can be read");
        let (list, more) = parts.rsplit_once(" and ").unwrap_or((&parts, ""));
        for part in list.split(", ").filter(|part| !part.is_empty()) {
            let found =
                base(document(text, media_type), retrieval, &numbers(part)).expect("a part that is listed").base;
            assert!(found.spot.is_some() || found.length == retrieval.len(), "{part}");
            assert!(more.is_empty() || more.ends_with(" more"));
        }
    }
    let unsearched = |problem: &Problem| [&Problem::ENCODED_TOO_OFTEN, &Problem::TOO_DEEP].contains(&problem);
    assert!(contents.problems.iter().filter(|(_, problem)| unsearched(problem)).count() <= text.len());
});
