//! What surely stays, against the answers of all standards.
#![allow(clippy::expect_used, reason = "a test fails by a panic")]

use super::Stays;
use crate::compare::leaving::OwnHost;
use crate::fast::tests::{Random, every};
use crate::limits::MAX_RECORD;
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;

/// Bases with which references may surely stay.
const BASES: &[&str] = &["http://a/", "https://a.b", "http://u@a:80/b/c;d?e#f", "https://[::1]/", "http://1.2.3.4/b c"];

/// A sieve, and what it is measured against.
struct Both {
    stays: Stays,
    own: OwnHost,
    bases: Vec<PreparedBase>,
}

impl Both {
    fn new(base: &str) -> Self {
        let own = OwnHost::of(base.as_bytes()).expect("a host");
        let bases = Spec::ALL.iter().map(|spec| PreparedBase::new(*spec, base.as_bytes())).collect();
        Both { stays: Stays::new(b'\n', &own.host), own, bases }
    }

    /// Asserts that a reference reaches a host if that is certain; returns whether it is.
    fn check(&self, reference: &[u8]) -> bool {
        let host = self.stays.certain_host(reference);
        if let Some(host) = host {
            let mut urls = [const { Vec::new() }; 3];
            let mut answers =
                self.bases.iter().zip(&mut urls).map(|(base, url)| base.resolve(reference, url).ok().map(|()| &**url));
            let answers = [answers.next().flatten(), answers.next().flatten(), answers.next().flatten()];
            assert_eq!(
                OwnHost { host: host.to_vec(), ..self.own.clone() }.departures([reference; 2], answers, &[]),
                [],
                "{} {}",
                String::from_utf8_lossy(&self.own.host),
                reference.escape_ascii()
            );
        }
        host.is_some()
    }
}

#[test]
fn what_surely_stays_does() {
    let alphabet = b"/\\:.?#@g1%| \t\x01\x7F\xE9;";
    for base in BASES {
        let both = Both::new(base);
        let own = ["http://", "https://"].map(|scheme| [scheme.as_bytes(), &both.own.host, b"/"].concat());
        let certain = every(alphabet, 4).filter(|reference| both.check(reference)).count();
        assert!(certain > 10_000, "{base} {certain}");
        for start in own {
            every(alphabet, 2).for_each(|rest| assert!(both.check(&[&start[..], &rest].concat())));
        }
        let mut random = Random(base.len() as u64);
        let pieces = [
            "//",
            "http:",
            "https://",
            "javascript:",
            "[",
            "]",
            "\u{FF0F}",
            "\u{3002}",
            "..",
            "C|",
            "\u{A0}",
            "a",
            "&=~",
        ];
        for _ in 0..5000 {
            let text: String = (0..6).map(|_| pieces[random.below(pieces.len())]).collect();
            both.check(text.as_bytes());
            both.check(&[text.as_bytes(), b"\xFF"].concat());
        }
    }
}

#[test]
fn a_block_is_skipped_up_to_what_is_not_certain() {
    let stays = Stays::new(b'\n', b"a");
    for (text, records, read) in [
        ("g\nh\r\n\n\r\n//b\n", 4, 8),
        ("g\r\r\nh\n", 0, 0),
        ("g", 0, 0),
        ("http://a/ \t:\n//a/\n//a\n", 2, 18),
        ("http://a:80/\n", 0, 0),
    ] {
        let done = stays.pass(text.as_bytes(), text.len());
        assert_eq!((done.records, done.read), (records, read), "{text:?}");
    }
    let long = [vec![b'g'; MAX_RECORD + 1], b"\n".to_vec()].concat();
    assert_eq!(stays.pass(&long, long.len()).records, 0);
    assert_eq!(stays.pass(&long[1..], long.len() - 1).records, 1);
    assert_eq!(Stays::new(b'\0', b"a").pass(b"g\r\0h\0", 5).records, 0);
}

#[test]
fn a_record_is_skipped_only_if_it_is_utf_8() {
    let stays = Stays::new(b'\n', b"a");
    for (list, records) in
        [(&b"\xC3\xA9\n//a/\xC3\xA9\ng\xE9\n"[..], 2), (b"//a/\xE9\n", 0), (b"g\n\xE2\x82\n\x82\n", 1)]
    {
        let list = [list, &b"g\n".repeat(20)].concat();
        assert_eq!(stays.pass(&list, list.len()).records, records, "{}", list.escape_ascii());
    }
    for (length, after) in (1..40).flat_map(|length| [(length, 0), (length, 20)]) {
        let list = [b"g".repeat(length), b"\n".to_vec(), b"\xE9\n".repeat(after)].concat();
        let done = stays.pass(&list, list.len());
        assert_eq!((done.records, done.read), (1, length + 1));
        for place in 0..length {
            let mut list = list.clone();
            list[place] = 0xE9;
            assert_eq!(stays.pass(&list, list.len()).records, 0, "{length} {place}");
        }
    }
}
