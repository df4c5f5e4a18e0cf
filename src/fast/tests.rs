//! The fast way against the general one, byte for byte.
#![allow(clippy::expect_used, reason = "a test fails by a panic")]
#![allow(clippy::cast_possible_truncation, reason = "a byte is chosen below 256")]

use super::{CHUNK, Shortcut};
use crate::resolver::{Base, resolve};

/// Bases that the fast way takes, and some that it must leave alone.
const BASES: &[&str] = &[
    "http://a/b/c/d;p?q#f",
    "http://a/b/c/d",
    "http://a/b/c/d?q",
    "http://a/b/c/d#f",
    "http://a/b/c/d?q#f",
    "https://a/",
    "https://www.example.org:8080/b/c.html?k=v",
    "http://u@h/b/c",
    "http://u:p@h:80/b/c",
    "http://u:p@h/b/c",
    "http://a#f/b",
    "http://a?q/b",
    "http://a;p/b/c",
    "http://a>b/c",
    "http://a",
    "http://a#f",
    "http://a#",
    "https://www.example.org",
    "x://",
    "http://a?q",
    "http:///b/c",
    "http:/b/c",
    "http://a/b;",
    "http://a/b?",
    "http://a/b#",
    "http://a/b;?q#f",
    "http://a/b;p?#f",
    "http://a/b?#",
    "http://a/b/../c/./d",
    "http://a/b/.c/..d/...",
    "http://a/../b",
    "http://a/b/..",
    "http://a//b//c",
    "http://a/b:c/d?x/y:z/../w;v#f/g?h",
    "ftp://h/b/c;type=a",
    "file:///etc/hosts",
    "x:/a/b",
    "urn:a/b",
    "mailto:g@h",
    "",
];

/// References from pages, and some at the edges of the rules.
const REFERENCES: &[&str] = &[
    "",
    "g.html",
    "g/h-i.png",
    "page.html#section-1",
    "search.php?q=words&lang=en",
    "a/b/c/d/e/f/index.html",
    "../g",
    "../../api/java.base/java/lang/String.html#charAt(int)",
    "../../../../../../../../g.html",
    "../../../../../../../../../g.html",
    "../../../../../../../../../../g.html",
    "../../../../../../../../../../../g.html",
    "..",
    "../",
    "../..",
    ".",
    "./",
    "./g;p=1?y=x#s",
    "a/./b/../c",
    "/",
    "/docs/guide/chapter/page.html?x=y#z",
    "//cdn.example.net:8080/lib/a.js",
    "#top",
    "?page=2&sort=name",
    ";v=2",
    "http://www.example.com/docs/guide/a-b.html?x=1#top",
    "https://example.org/",
    "mailto:someone@example.org",
    "javascript:void(0)",
    "HTTP://EXAMPLE.ORG/a/b",
];

/// The bytes in patterns, and some others.
const INTERESTING: &[u8] = b"/./.:#?;>gh%@\t\r\n\0\x7F\x80\xAF\xBF\xFF";

/// The longest base here, roughly.
const LONG: usize = 5000;

/// A generator of random numbers, the same in each run (xorshift).
pub struct Random(pub u64);

impl Random {
    /// A number less than `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    /// One of some things, at random.
    pub fn of<'a, T: ?Sized>(&mut self, things: &[&'a T]) -> &'a T {
        things[self.below(things.len())]
    }

    /// An interesting byte, sometimes any byte.
    fn byte(&mut self) -> u8 {
        match self.below(8) {
            0 => self.below(256) as u8,
            _ => INTERESTING[self.below(INTERESTING.len())],
        }
    }

    /// A text with up to three bytes replaced, added or removed.
    pub fn mutated(&mut self, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        for _ in 0..self.below(4) {
            let at = self.below(text.len() + 1);
            match self.below(3) {
                0 if at < text.len() => text[at] = self.byte(),
                1 if at < text.len() => _ = text.remove(at),
                _ => text.insert(at, self.byte()),
            }
        }
        text
    }
}

/// Appends the answer of `resolve` to a record, after the record itself with `keep`; false if there
/// is no answer.
fn general(record: &[u8], base: Option<&Base<'_>>, end: u8, keep: bool, path: &mut Vec<u8>, out: &mut Vec<u8>) -> bool {
    let record = if end == b'\n' { record.strip_suffix(b"\r").unwrap_or(record) } else { record };
    let own;
    let (base, reference) = match base {
        Some(base) => (base, record),
        None => {
            let Some(tab) = record.iter().position(|&byte| byte == b'\t') else { return false };
            let Ok(base) = Base::new(&record[..tab]) else { return false };
            own = base;
            (&own, &record[tab + 1..])
        }
    };
    let Ok(resolved) = resolve(base, reference, path, |_| {}) else { return false };
    if keep {
        out.extend_from_slice(&[record, b"\t"].concat());
    }
    resolved.write(|piece| out.extend_from_slice(piece));
    out.push(end);
    true
}

/// Asserts that the answers to `block` are those of `resolve`; returns the number of records that
/// are answered, and of all. Without a base, each record has its own. With `keep`, each answer has
/// its record before it.
fn check_in(base: Option<&str>, end: u8, keep: bool, block: &[u8], after: &[u8], room: usize) -> (u64, u64) {
    let base = base.map(|base| Base::new(base.as_bytes()).expect("a base"));
    let mut shortcut = Shortcut::new(end, base.is_none(), keep);
    if let Some(base) = &base {
        shortcut.set_base(base);
    }
    let (mut out, mut path, mut expected) = (vec![0xAA; room], Vec::new(), Vec::new());
    let text = [block, after].concat();
    let (mut rest, mut answered, mut all) = (block, 0, 0);
    while !rest.is_empty() {
        let text = &text[text.len() - after.len() - rest.len()..];
        let done = shortcut.fill(text, rest.len(), &mut out);
        expected.clear();
        let (mut records, mut read) = (rest.split_inclusive(|&byte| byte == end), 0);
        for _ in 0..done.records {
            let record = records.next().expect("no more records than there are");
            let text = record.strip_suffix(&[end]).expect("a record that has its terminator");
            let (before, is_resolved) =
                (expected.len(), general(text, base.as_ref(), end, keep, &mut path, &mut expected));
            read += record.len();
            let [text, wanted] = [text, &expected[before..]].map(<[u8]>::escape_ascii);
            let got = &out[before..expected.len().min(done.written)];
            assert!(
                is_resolved && got == &expected[before..],
                "{base:?} {text}: {} and not {wanted}",
                got.escape_ascii()
            );
        }
        assert_eq!((done.read, done.written), (read, expected.len()), "{base:?}");
        let left = records.next();
        all += done.records + u64::from(left.is_some());
        answered += done.records;
        rest = &rest[read + left.map_or(0, <[u8]>::len)..];
    }
    (answered, all)
}

/// [`check_in`] with ample room, and with bytes after the block, so that all of it may be answered.
fn check(base: Option<&str>, end: u8, block: &[u8]) -> (u64, u64) {
    let room = 8 * LONG + 4 * block.len();
    let (answered, all) = check_in(base, end, false, block, AFTER, room);
    assert_eq!(check_in(base, end, true, block, AFTER, room), (answered, all), "{base:?}");
    (answered, all)
}

/// What may follow the records of a block: anything, as this looks like a record and like the end of one.
pub const AFTER: &[u8; 2 * CHUNK] =
    b"\n/../.\0:#?;x\ty\r\n../../http://h/./g#?\n\0/./#;?//\n../..\n\0.\n\0\n/../.\0:#?;x\ty\r\n../../http://h/./g#?\n\0/./#;?//\n../..\n\0.\nabcdefghijklmno";

/// Asserts that the answers to references are those of `resolve`, as lines and as records that end
/// in NUL, without and with their base before them; returns the number of answers.
fn check_all(base: &str, references: &[Vec<u8>]) -> u64 {
    let records = |before: &[&[u8]], end: &[u8]| -> Vec<u8> {
        references.iter().flat_map(|reference| [&before.concat(), &reference[..], end].concat()).collect()
    };
    let mut answered = 0;
    for (ending, end) in [(&b"\n"[..], b'\n'), (b"\r\n", b'\n'), (b"\0", b'\0')] {
        answered += check(Some(base), end, &records(&[], ending)).0;
        answered += check(None, end, &records(&[base.as_bytes(), b"\t"], ending)).0;
    }
    answered
}

/// All texts of some bytes, up to a length.
pub fn every(bytes: &[u8], longest: u32) -> impl Iterator<Item = Vec<u8>> {
    let text = move |length: u32, number: usize| {
        (0..length).map(|index| bytes[number / bytes.len().pow(index) % bytes.len()]).collect()
    };
    (0..=longest).flat_map(move |length| (0..bytes.len().pow(length)).map(move |number| text(length, number)))
}

/// Bases of these lengths, of three kinds.
fn long_bases(lengths: impl IntoIterator<Item = usize>) -> impl Iterator<Item = String> {
    lengths.into_iter().flat_map(|length| {
        let fill = |start: &str, end: &str| format!("{start}{}{end}", "x".repeat(length - start.len() - end.len()));
        [fill("http://h/a/", "/b?q#f"), fill("https://h/a/b?", ""), fill("http://h:80/", "/c/d/e/")]
    })
}

#[test]
fn every_short_reference() {
    let references: Vec<_> = every(b":/?#;.g", 6).collect();
    let lines: Vec<u8> = references.iter().flat_map(|reference| [reference, &b"\n"[..]].concat()).collect();
    for base in BASES {
        let (answered, all) = check(Some(base), b'\n', &lines);
        assert_eq!(all, references.len() as u64);
        assert!(answered == 0 || answered > all / 20, "{base}: {answered}");
    }
    let short: Vec<_> = every(b":/?#;.g", 4).collect();
    for base in BASES {
        check_all(base, &short);
    }
}

#[test]
fn every_short_reference_to_a_long_base() {
    let references: Vec<_> = every(b"/?#.g", 4).collect();
    for base in long_bases((60..=70).chain(120..=140)) {
        assert!(check_all(&base, &references) > 0, "{base}");
    }
    let references: Vec<_> = REFERENCES.iter().map(|text| text.as_bytes().to_vec()).collect();
    for base in long_bases([255, 256, 257, 319, 320, 321].into_iter().chain(4090..=4100)) {
        assert!(check_all(&base, &references) > 0, "{base}");
    }
}

#[test]
fn many_ups_to_a_base_of_any_depth() {
    let references: Vec<_> =
        (0..14).flat_map(|ups| every(b"/.g?", 3).map(move |end| ["../".repeat(ups).into(), end].concat())).collect();
    for depth in 0..14 {
        for segment in ["a/", "/", "a.b/"] {
            assert!(check_all(&format!("http://h/{}", segment.repeat(depth)), &references) > 0);
        }
    }
}

#[test]
fn every_base_before_a_realistic_reference() {
    let mut block = Vec::new();
    for start in ["http://", "http://g", "https://g/", "http://g:1/g", "ftp:", ""] {
        for base in every(b":/?#;.g@", 4) {
            for reference in ["g", "?y", "#s", ";x", "/r", "//n", "../../g", "./g", ""] {
                block.extend([start.as_bytes(), &base, b"\t", reference.as_bytes(), b"\n"].concat());
            }
        }
    }
    let (answered, all) = check(None, b'\n', &block);
    assert!(answered > all / 10, "{answered} of {all}");
}

/// [`check_all`] of references of these lengths, with a byte or two that matter at each place near
/// the edges of chunks.
fn check_edges(lengths: &[usize]) {
    for base in ["http://a/b/c/d;p?q#f", "https://www.example.org/docs/guide/page.html"] {
        for start in ["", "/", "//h", "#", "?", ";", "./", "../", "../../", "http://", "a/", "a/b/c/?q"] {
            let mut references = Vec::new();
            for length in lengths.iter().copied().filter(|length| *length >= start.len()) {
                let mut plain = start.as_bytes().to_vec();
                plain.resize(length, b'a');
                references.push(plain.clone());
                for at in (start.len()..length).filter(|at| at % CHUNK > 60 || at % CHUNK < 3 || at + 3 > length) {
                    for byte in *b"/.:#?;\r" {
                        let mut text = plain.clone();
                        text[at] = byte;
                        references.push(text.clone());
                        if at + 1 < length && byte != b'\r' {
                            for next in *b"/.#?" {
                                text[at + 1] = next;
                                references.push(text.clone());
                            }
                        }
                    }
                }
            }
            assert!(check_all(base, &references) > 0);
        }
    }
}

#[test]
fn lengths_and_places_around_the_edges_of_chunks() {
    check_edges(&[1, 2, 3, 8, 62, 63, 64, 65, 66, 128, 129]);
}

#[test]
#[ignore = "takes ten seconds"]
fn every_length_and_place_around_the_edges_of_chunks() {
    check_edges(&(0..=200).collect::<Vec<_>>());
}

#[test]
fn every_byte_at_every_place() {
    let texts = [
        "g",
        "ab/c?d",
        "../x/y",
        "//h/p/q",
        "#frag",
        "?a=b&c",
        ";p?q",
        "./a.b",
        "/r/s",
        "http://h/",
        "https://h/",
        "../../a",
    ];
    let base = "http://h:80/a/b.c?q=r#f";
    let changed = |text: &str| -> Vec<Vec<u8>> {
        let all = (0..text.len()).flat_map(|at| (0..=255).map(move |byte| (at, byte)));
        all.map(|(at, byte)| {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            bytes
        })
        .collect()
    };
    for text in texts {
        assert!(check_all(base, &changed(text)) > 0);
    }
    for base in [base, "https://u@h/a//b/;p?q"] {
        for end in [b'\n', b'\0'] {
            let mut block = Vec::new();
            for base in changed(base) {
                block.extend(texts.map(|text| [&base, &b"\t"[..], text.as_bytes(), &[end]].concat()).concat());
            }
            assert!(check(None, end, &block).0 > 0);
        }
    }
}

/// Records that end in `end`: realistic references, mutated, with a base before them if `bases`.
fn realistic(random: &mut Random, count: usize, bases: bool, end: u8) -> Vec<u8> {
    let mut block = Vec::new();
    let mut base = Vec::new();
    for _ in 0..count {
        if bases {
            match random.below(4) {
                0 => {
                    base = random_base(random).into();
                    base = random.mutated(&base);
                }
                1 => base = random_base(random).into(),
                _ => {}
            }
            block.extend_from_slice(&base);
            block.push(b'\t');
        }
        let mut reference = random.of(REFERENCES).as_bytes().to_vec();
        if random.below(4) == 0 {
            reference.extend(b"chapter/paragraph-".repeat(random.below(12)));
            reference.extend(random.of(REFERENCES).as_bytes());
        }
        block.extend(if random.below(2) == 0 { random.mutated(&reference) } else { reference });
        block.extend_from_slice(if random.below(9) == 0 { b"\r" } else { b"" });
        block.push(end);
    }
    block
}

/// A random base, sometimes a long one.
fn random_base(random: &mut Random) -> String {
    let base = random.of(BASES);
    let longer = if random.below(5) == 0 { random.below(12) } else { 0 };
    format!("{base}{}", "/chapter-1/a.b".repeat(longer))
}

/// Realistic records with random changes, a tenth as many for each base.
fn check_realistic(count: usize) {
    let mut random = Random(1808);
    for end in [b'\n', b'\0'] {
        for base in BASES {
            check(Some(base), end, &realistic(&mut random, count / 10, false, end));
        }
        let (answered, all) = check(None, end, &realistic(&mut random, count, true, end));
        assert!(answered > all / 10, "{answered} of {all}");
    }
}

#[test]
fn realistic_records_with_random_changes() {
    check_realistic(20_000);
}

#[test]
#[ignore = "a million records: a second"]
fn many_realistic_records_with_random_changes() {
    check_realistic(150_000);
}

#[test]
fn any_bytes() {
    let mut random = Random(1738);
    for end in [b'\n', b'\0'] {
        for base in [Some("http://a/b/c/d;p?q#f"), None] {
            let mut ends: Vec<_> = (0..300_000)
                .map(|_| match random.below(16) {
                    0 => end,
                    _ => random.below(256) as u8,
                })
                .collect();
            let mut any: Vec<_> = (0..300_000).map(|_| random.byte()).collect();
            for block in [&mut ends, &mut any] {
                block.push(end);
                check(base, end, block);
            }
        }
    }
}

#[test]
fn at_every_distance_from_the_end_of_a_block_and_of_the_room() {
    let mut random = Random(1994);
    for (base, pairs) in [(Some("http://a/b/c/d;p?q#f"), false), (None, true)] {
        for end in [b'\n', b'\0'] {
            let block = realistic(&mut random, 100, pairs, end);
            for length in 0..block.len().min(1500) {
                for keep in [false, true] {
                    check_in(base, end, keep, &block[..length], b"", 1 << 15);
                    check_in(base, end, keep, &block[block.len() - length..], b"", 1 << 15);
                    check_in(base, end, keep, &block, AFTER, length);
                }
            }
        }
    }
}

#[test]
fn most_records_of_a_page_are_answered() {
    let references =
        ["a.html", "../b/c.html#d", "/e/f.png", "https://example.org/g", "#h", "?i=j", "//k/l.css", "./m", ""];
    for (base, end) in
        ["http://www.example.org/docs/guide/page.html?q#f", "http://u:p@h:80/a/b;p", "http://www.example.org"]
            .into_iter()
            .flat_map(|base| [(base, b'\n'), (base, b'\0')])
    {
        let lines = references.map(|reference| format!("{reference}{}", char::from(end))).concat().repeat(100);
        assert_eq!(check(Some(base), end, lines.as_bytes()), (900, 900));
        let pairs = references.map(|reference| format!("{base}\t{reference}{}", char::from(end))).concat().repeat(100);
        assert_eq!(check(None, end, pairs.as_bytes()), (900, 900));
    }
}
