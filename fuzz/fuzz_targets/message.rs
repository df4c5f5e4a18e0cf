//! The reader of messages. Input: a document.
#![no_main]

use absurl_fuzz::Chance;
use absurl_fuzz::base::{MediaType, Problem};
use absurl_fuzz::document::{self, RETRIEVALS, base, document};
use libfuzzer_sys::fuzz_target;

/// What may be in memory for any document: two blocks, the ends of their lines, and a MiB of bases.
const LEAST: usize = 4 << 20;
/// How many bytes may be in memory for one of the document, beside that: an entity needs hardly more
/// than an empty line.
const TIMES: usize = 256;
/// How many times as long as the document what is read of it may be: a byte that is none in its
/// charset becomes the three of U+FFFD, and messages may be encoded three times over.
const GROWTH: usize = 3 * 4;

/// The numbers of a part.
fn numbers(part: &str) -> Vec<u32> {
    part.split('.').map(|number| number.parse().expect("a number")).collect()
}

fuzz_target!(|text: &[u8]| {
    let mut chance = Chance::of(text);
    let retrieval = chance.of_all(&RETRIEVALS);
    let media_type = chance.of_all(&[None, Some(MediaType::Message), Some(MediaType::Message), Some(MediaType::Html)]);
    document::forget(text, retrieval, media_type, LEAST + TIMES * text.len());
    let told = document::check(text, retrieval, media_type, GROWTH, &mut chance);

    // each link has the base of its part
    let mut parts: Vec<_> = told.links.iter().map(|link| (&link.spot.part, &link.base)).collect();
    parts.dedup();
    for (part, expected) in parts.into_iter().take(8) {
        let number = part.as_deref().map_or(vec![], |part| if part.is_empty() { vec![] } else { numbers(part) });
        let (found, passed) = base(document(text, retrieval, media_type), &number).expect("the part of a link");
        assert_eq!(found, *expected);
        // and what is passed over for it is told with the links too
        for problem in &passed.problems {
            assert!(told.problems.contains(problem), "{problem:?} of {part:?}");
        }
    }

    // the parts that are listed are there, and no others
    if let Err(none) = document(text, retrieval, media_type).find(&[u32::MAX]) {
        let (list, more) = none.parts.rsplit_once(" and ").unwrap_or((&none.parts, ""));
        for part in list.split(", ").filter(|part| !part.is_empty()) {
            let number = numbers(part);
            assert!(document(text, retrieval, media_type).find(&number).is_ok(), "{part}");
            let (found, _) = base(document(text, retrieval, media_type), &number).expect("a part that is listed");
            assert!(found.spot.is_some() || found.length == retrieval.len());
            assert!(more.is_empty() || more.ends_with(" more"));
        }
    }
    let too_deep = told.problems.iter().filter(|(_, problem)| *problem == Problem::TooDeep).count();
    assert!(too_deep <= text.len());
});
