//! The sieve against the general way: a record that it is certain of must be what its law says.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by a panic")]

use std::ops::ControlFlow;

use crate::fast::Stretch;
use crate::fast::sieve::{Law, Sieve};
use crate::fast::tests::{AFTER, Random, every};
use crate::resolver::grammar::{repeated_scheme, violations};
use crate::resolver::{Base, is_unsuitable, parse, resolve};
use crate::rfc1738::notes::notes;
use crate::rfc1738::schemes::{self, SchemeFinding, doubtful_scheme};
use crate::spec::Spec;
use crate::spec::prepared::{PreparedBase, is_normal};
use crate::spec::rfc3986::flaws;

/// The bytes that the sieve looks at together.
const CHUNK: usize = 64;

/// Bases that all standards have as they are, and many that they do not.
const BASES: &[&str] = &[
    "http://a/",
    "http://a",
    "http://a#f",
    "http://a?q",
    "http://a/b/c/d",
    "http://a/b/c/d;p?q#f",
    "http://a/b/c/d?q/../r",
    "https://a/b;p/c/d",
    "https://www.example.org/b/c.html?k=v",
    "http://www.example.com/docs/guide/chapter/page.html;v=1?x=y#top",
    "http://localhost:8080/b/c/d",
    "http://u:p@h/b/c/d",
    "http://u@v@h/b/c/d",
    "http://A/b/c",
    "HTTP://a/b/c",
    "http://a/b/../c",
    "http://a/b/.",
    "http://a/b/..",
    "http://a/b/%2e",
    "http://a:80/b/c",
    "http://a/b/c?",
    "http://a/b/c#",
    "http://a/b/c;",
    "http://a//b//c",
    "http://a//",
    "http://a////b",
    "http://a/b///c//d",
    "http://a//b///",
    "http:///b/c",
    "http:/b/c",
    "http://a?x/b/c",
    "http://a#x/b/c",
    "http://a;x/b/c",
    "http://1.2/x/y",
    "http://a/~x/y",
    "http://a/%41/y",
    "http://a/b c/d",
    "http://a/b'c/d?e'f",
    "http://a/b:c/d@e?f:g",
    "http://a/b:/d",
    "http://a/b|/c/d",
    "http://a/b\\c/d",
    "http://a/b/c/d/e/f/g/h/i/j/k/l/m",
    "ftp://h/a/b",
    "file:///a/b",
    "ws://h/a/b",
    "s:/a/b",
    "mailto:g@h",
    "",
];

/// A base that is not UTF-8 in what it does not hand down.
const NOT_UTF8: &[u8] = b"http://a/b#\xFF";

/// What records are made of, in the random tests.
const TOKENS: &[&str] = &[
    "/", "/", ".", "..", "../", "../", "./", "//", "#", "?", ";", ":", "%", "%2e", "%2E", "~", "a", "b", "B", "g",
    "http://", "https://", "HTTP://", "http:", "h", "1", "0x7f", "xn--", "-", "@", "'", "\"", "<", "|", "\\", "^", "[",
    "]", " ", "\u{E9}", "\r", "c:", "C|", "=", "&", "a.b", ".com", "::", "mailto:", "file:", "ftp://", "abcz09.-",
    "/g", "?q", "/a/../b", "/.", "/a?", "#f", "/;p", "/%41", ":80", "/g;x=1", "/../y", "/...", "/.a", "{", "`", "!",
    "_", "\0", "\u{7F}", "\u{1}",
];

/// What RFC 1738 finds in a URL.
fn of_scheme(url: &[u8]) -> Vec<SchemeFinding> {
    let parts = parse(url);
    schemes::violations(url, &parts).into_iter().chain(notes(url, &parts)).flatten().collect()
}

/// The standards' answers with one base.
struct General<'a> {
    /// The base by RFC 1808.
    base: Option<Base<'a>>,
    /// The base by the others.
    others: [PreparedBase; 2],
}

impl<'a> General<'a> {
    /// The general way with a base.
    fn new(base: &'a [u8]) -> Self {
        let others = [Spec::Rfc3986, Spec::Whatwg].map(|spec| PreparedBase::new(spec, base));
        General { base: Base::new(base).ok(), others }
    }

    /// Asserts that a law holds for a reference; returns RFC 1808's answer.
    fn assert(&self, law: Law, reference: &[u8]) -> Option<Vec<u8>> {
        let shown = reference.escape_ascii();
        let base = self.base.unwrap_or_default();
        if law != Law::Same {
            let parts = parse(reference);
            assert_eq!(violations(reference, false).count(), 0, "{shown}");
            assert_eq!(doubtful_scheme(&parts, &base.parts).or(repeated_scheme(&parts, &base.parts)), None, "{shown}");
        }
        if law == Law::LegalByAll {
            assert_eq!(flaws(reference, false).next(), None, "{shown}");
            let has_opaque_path = self.others[1].resolve(b"x", &mut Vec::new()).is_err();
            if !has_opaque_path {
                let found = self.others[1].url_errors(reference, &mut |_| ControlFlow::Break(()));
                assert!(found.is_continue(), "{} {shown}", base.text.escape_ascii());
            }
        }
        if matches!(law, Law::Legal | Law::LegalByAll) {
            return None;
        }
        let mut path = Vec::new();
        let own = resolve(&base, reference, &mut path, |_| ()).map(|resolved| {
            let mut url = Vec::new();
            resolved.write(|piece| url.extend_from_slice(piece));
            url
        });
        if law == Law::LegalInHttp {
            let url = own.expect("an answer");
            assert_eq!(of_scheme(&url), [], "{} {shown}", base.text.escape_ascii());
            return None;
        }
        for other in &self.others {
            let mut url = Vec::new();
            let answer = other.resolve(reference, &mut url).map(|()| &url);
            let base = base.text.escape_ascii();
            let [own, answer] =
                [own.as_ref().ok(), answer.ok()].map(|url| url.map(|url| url.escape_ascii().to_string()));
            assert_eq!(own, answer, "{base} {shown}");
            assert!(own.is_some(), "{base} {shown}");
        }
        own.ok()
    }
}

/// Sends a block through a sieve, record by record; asserts that what it is certain of is so.
/// Returns the number of records that it is certain of. Without a base, each record has its own.
fn check_block(law: Law, base: Option<&[u8]>, end: u8, records: &[u8]) -> usize {
    let mut sieve = Sieve::new(law, end, base.is_none(), false);
    let mut slices = Sieve::new(law, b'\0', false, false);
    let mut general = General::new(base.unwrap_or_default());
    if let Some(base) = general.base.filter(|_| base.is_some()) {
        sieve.set_base(&base, is_normal(&base));
        slices.set_base(&base, is_normal(&base));
    }
    let block = [records, AFTER].concat();
    let (mut rest, mut certain) = (&block[..], 0);
    let mut out = vec![0; 1 << 16];
    while rest.len() > AFTER.len() {
        let Stretch { read, records, .. } = sieve.pass(rest, rest.len() - AFTER.len());
        let mut passed = &rest[..read];
        let mut all = Vec::new();
        for record in passed.split_inclusive(|&byte| byte == end) {
            let record = record.strip_suffix(&[end]).expect("a record with its end");
            let record = if end == b'\n' { record.strip_suffix(b"\r").unwrap_or(record) } else { record };
            let reference = match base {
                Some(_) => record,
                None => {
                    let tab = record.iter().position(|&byte| byte == b'\t').expect("a pair");
                    if general.base.is_none_or(|base| base.text != &record[..tab]) {
                        general = General::new(&record[..tab]);
                    }
                    let base = general.base.expect("a base");
                    let shown = record.escape_ascii();
                    assert_eq!(violations(base.text, true).count(), 0, "{shown}");
                    let no_base = PreparedBase::new(Spec::Whatwg, b"");
                    assert!(no_base.url_errors(base.text, &mut |_| ControlFlow::Break(())).is_continue(), "{shown}");
                    assert_eq!(flaws(base.text, true).next(), None, "{shown}");
                    assert!(!base.parts.scheme.is_none_or(is_unsuitable), "{shown}");
                    &record[tab + 1..]
                }
            };
            if let Some(url) = general.assert(law, reference) {
                all.extend([&url[..], &[end]].concat());
            }
            certain += 1;
        }
        // the same as lines: the answers of all standards
        if law == Law::Same && records > 0 {
            let mut answers = Vec::new();
            while !passed.is_empty() {
                let done = sieve.fill(rest, rest.len() - AFTER.len(), &mut out);
                assert_ne!(done.records, 0, "{}", rest.escape_ascii());
                let read = done.read.min(passed.len());
                answers.extend_from_slice(&out[..done.written]);
                (passed, rest) = (&passed[read..], &rest[done.read..]);
            }
            assert_eq!(answers.escape_ascii().to_string(), all.escape_ascii().to_string());
        } else {
            rest = &rest[read..];
        }
        // the next one is not certain, or the last
        let next = rest.iter().position(|&byte| byte == end).map_or(rest.len(), |at| at + 1);
        let single = rest[..next].strip_suffix(&[end]).unwrap_or(&rest[..next]);
        if base.is_some() && rest.len() > AFTER.len() && slices.skips(single) {
            general.assert(law, single);
        }
        rest = &rest[next..];
    }
    certain
}

/// [`check_block`] with each law and terminator, without and with the base in each record.
fn check_all(base: &[u8], references: &[Vec<u8>]) -> usize {
    let mut certain = 0;
    let scheme = parse(base).scheme.unwrap_or_default().to_ascii_lowercase();
    let is_http = matches!(&scheme[..], b"http" | b"https") && of_scheme(base).is_empty();
    for law in [Law::Legal, Law::Same, Law::LegalByAll, Law::LegalInHttp] {
        if law == Law::LegalInHttp && !is_http {
            continue;
        }
        for (ending, end) in [(&b"\n"[..], b'\n'), (b"\r\n", b'\n'), (b"\0", b'\0')] {
            let records = |before: &[&[u8]]| -> Vec<u8> {
                references.iter().flat_map(|reference| [&before.concat(), &reference[..], ending].concat()).collect()
            };
            certain += check_block(law, Some(base), end, &records(&[]));
            if law != Law::LegalInHttp {
                certain += check_block(law, None, end, &records(&[base, b"\t"]));
            }
        }
    }
    certain
}

/// Every short text over the bytes that matter.
fn check_every(longest: u32, bases: &[&str]) {
    for bytes in [&b":/?#;.g%@\\A^ "[..], b"/?#.;gh:", b"/.#1a-"] {
        let references: Vec<_> = every(bytes, longest).collect();
        for base in bases {
            check_all(base.as_bytes(), &references);
            for start in ["//", "http://", "https://h", "../", "../../"] {
                let longer: Vec<_> = every(bytes, longest - 1).map(|end| [start.as_bytes(), &end].concat()).collect();
                check_all(base.as_bytes(), &longer);
            }
        }
    }
}

#[test]
fn every_short_record() {
    check_every(2, BASES);
    check_all(NOT_UTF8, &every(b":/?#;.g", 3).collect::<Vec<_>>());
    check_every(3, &["http://a/b/c/d;p?q#f", "http://www.example.org"]);
}

#[test]
#[ignore = "millions of records: a second"]
fn every_record_up_to_four_bytes() {
    check_every(3, BASES);
    check_every(4, &["http://a/b/c/d;p?q#f", "http://www.example.org"]);
}

#[test]
#[ignore = "takes minutes"]
fn every_record_up_to_five_bytes() {
    check_every(5, &BASES[..16]);
}

#[test]
fn every_byte_at_every_place() {
    let texts = ["g", "ab/c?d", "../x/y", "//h/p/q", "#frag", "?a=b", "./a.b", "/r/s", "http://h/", "https://h.i/a"];
    for base in ["http://h/a/b.c?q=r#f", "http://h"] {
        for text in texts {
            let all = (0..text.len()).flat_map(|at| (0..=255).map(move |byte| (at, byte)));
            let references: Vec<_> = all
                .flat_map(|(at, byte)| {
                    let mut put = text.as_bytes().to_vec();
                    put.insert(at, byte);
                    let mut replaced = text.as_bytes().to_vec();
                    replaced[at] = byte;
                    [put, replaced]
                })
                .collect();
            assert!(check_all(base.as_bytes(), &references) > 0);
        }
    }
    for base in BASES {
        for at in 0..base.len() {
            for byte in 0..=255 {
                let mut text = base.as_bytes().to_vec();
                text[at] = byte;
                let record = [&text[..], b"\tg/h\n"].concat();
                check_block(Law::Same, None, b'\n', &record);
                check_block(Law::Legal, None, b'\n', &record);
                if byte < 128 {
                    check_block(Law::Same, Some(&text), b'\n', b"g/h\n../g\n?y\n/r\n");
                }
            }
        }
    }
}

#[test]
fn hosts_that_are_not_plain() {
    let hosts = [
        "xn--", "xn--a", "a.xn--b", "a..b", ".a", "a.", "-a", "a-", "a--b", "1.a", "a.1", "1", "0x7f", "a.0x1", "a.09",
        "a:", "a:80", "a:443", "a@b", "A", "a_b", "[::1]", "%61", "a%2eb", "", ".", "..",
    ];
    let long = ["xn--fiqs8s", "localhost", "a.b.c-d.e2"];
    for end in ["", "/", "/g", "?q", "#f", "/..", "/;p", "\\g", "//g", "/g?q#f"] {
        let all = |start: &str| -> Vec<_> {
            hosts.iter().chain(&long).map(|host| format!("{start}{host}{end}").into_bytes()).collect()
        };
        let references: Vec<_> =
            ["//", "///", "http://", "https://", "http:", "HTTP://"].into_iter().flat_map(all).collect();
        for base in all("http://").into_iter().chain(all("https://")).filter(|base| !base.contains(&b'\\')) {
            check_all(&base, &references);
            check_all(&base, &[b"g".to_vec(), b"../g".to_vec(), b"/g".to_vec(), b"?q".to_vec(), b"#f".to_vec()]);
        }
    }
}

/// References of these lengths with a byte or two that matter at each place near the edges of chunks.
fn check_edges(lengths: &[usize]) {
    for start in ["", "/", "//h", "//h/", "#", "?", "./", "../", "http://", "https://h/", "a/", "a;b", "a/b/c/?q", "a#"]
    {
        let mut references = Vec::new();
        for length in lengths.iter().copied().filter(|length| *length >= start.len()) {
            let mut plain = start.as_bytes().to_vec();
            plain.resize(length, b'a');
            references.push(plain.clone());
            for at in (start.len()..length).filter(|at| at % CHUNK > 60 || at % CHUNK < 3) {
                for byte in *b"/.:#?;%\r" {
                    let mut text = plain.clone();
                    text[at] = byte;
                    references.push(text.clone());
                    if at + 1 < length {
                        for next in *b"/.#?:" {
                            text[at + 1] = next;
                            references.push(text.clone());
                        }
                    }
                }
            }
        }
        assert!(check_all(b"http://a/b/c/d;p?q#f", &references) > 0);
        assert!(check_all(b"https://www.example.org/docs/page.html", &references) > 0);
    }
}

#[test]
fn lengths_and_places_around_the_edges_of_chunks() {
    check_edges(&[1, 2, 63, 64, 65, 128]);
}

#[test]
#[ignore = "takes a minute"]
fn every_length_and_place_around_the_edges_of_chunks() {
    check_edges(&(0..=200).collect::<Vec<_>>());
}

/// A text of random tokens, some of them stretched.
fn random_text(random: &mut Random, tokens: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(tokens) {
        text.extend(random.of(TOKENS).as_bytes());
        match random.below(12) {
            0 => text.extend(b"a-path/to.some/thing".repeat(random.below(5))),
            1 => text.extend(b"x".repeat(random.below(80))),
            _ => {}
        }
    }
    text
}

/// Random references to random bases.
fn check_random(seed: u64, bases: usize) {
    let mut random = Random(seed);
    for _ in 0..bases {
        let mut base = random.of(BASES).as_bytes().to_vec();
        match random.below(4) {
            0 => base = random.mutated(&base),
            1 => base.extend(random_text(&mut random, 4)),
            2 => base = [b"http://", &random_text(&mut random, 6)[..]].concat(),
            _ => {}
        }
        base.retain(|byte| !b"\t\n\0".contains(byte));
        let references: Vec<_> = (0..60)
            .map(|_| {
                let text = random_text(&mut random, 7);
                random.mutated(&text).into_iter().filter(|byte| !b"\n\0".contains(byte)).collect()
            })
            .collect();
        check_all(&base, &references);
    }
}

#[test]
fn random_records() {
    check_random(1808, 600);
}

#[test]
#[ignore = "takes a minute"]
fn many_random_records() {
    for seed in [3986, 1738, 2396, 1630] {
        check_random(seed, 50_000);
    }
}

#[test]
fn most_records_of_a_page_are_certain() {
    let references = [
        "a.html",
        "../b/c.html#d",
        "/e/f.png",
        "https://example.org/g",
        "#top",
        "?i=j",
        "//k.l/m.css",
        "./m",
        "n?u=x://y",
    ];
    let references = references.map(|reference| reference.as_bytes().to_vec());
    // all of them, by two laws, with three ends, as pairs too; by the third law all but the last, by the fourth those
    // without a host and a colon
    assert_eq!(
        check_all(b"http://www.example.org/docs/guide/page.html?q#f", &references),
        2 * 3 * 2 * 9 + 3 * 8 + 3 * 2 * 6
    );
}

#[test]
fn the_examples_of_the_sieve_hold() {
    let base = Base::new(b"http://a/b/c").expect("a base");
    for (record, legal, same) in [
        ("g/h?y", true, true),
        ("../g", true, true),
        ("../../../g", true, false),
        ("g h", false, false),
        ("g#", true, false),
        ("x:g", false, false),
        (";x", true, false),
    ] {
        for (law, passes) in [(Law::Legal, legal), (Law::Same, same)] {
            let mut sieve = Sieve::new(law, b'\n', false, false);
            sieve.set_base(&base, true);
            assert_eq!(sieve.skips(record.as_bytes()), passes, "{record} by {law:?}");
        }
    }
}
