//! Tests of the validation errors: against whatwg-url, and against what the url crate answers.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by a panic")]

use std::ops::ControlFlow;

use crate::escaped::Escaped;
use crate::fast::tests::Random;
use crate::limits::MAX_QUOTED;
use crate::spec::Spec;
use crate::spec::prepared::PreparedBase;
use crate::spec::url_error::{UrlError, UrlErrorKind as Kind};
use crate::strip::BREAKS;
use crate::table::{assert_each, read_rows};

/// All errors of a text.
fn errors_of(base: &[u8], text: &[u8]) -> Vec<UrlError> {
    let mut errors = Vec::new();
    let done = PreparedBase::new(Spec::Whatwg, base).url_errors(text, &mut |error| {
        errors.push(error);
        ControlFlow::Continue(())
    });
    assert!(done.is_continue() && errors.is_sorted_by_key(|error| error.at));
    errors
}

/// A text without the white space around it.
fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| *byte > b' ').unwrap_or(text.len());
    let end = text.iter().rposition(|byte| *byte > b' ').map_or(start, |last| last + 1);
    &text[start..end]
}

/// The names of errors as rows compare them, sorted: those of IPv6 are one, and a run of what absurl has one error for.
fn comparable<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let is_ipv6 = |name: &str| name.starts_with("IPv6-") || name.starts_with("IPv4-in-IPv6-");
    let mut names: Vec<_> = names
        .map(|name| match name {
            "IPv6-unclosed" | "IPv6-piece-leading-zero" => name,
            _ if is_ipv6(name) => "IPv6-invalid",
            _ => name,
        })
        .collect();
    if names.contains(&"IPv6-invalid") {
        names.retain(|name| *name != "IPv6-piece-leading-zero");
    }
    names.sort_unstable();
    names.dedup_by(|one, other| {
        one == other && matches!(*one, "invalid-credentials" | "special-scheme-missing-following-solidus")
    });
    names
}

/// Whether an error is about white space around a text or a break in it: the standard has one for both ends, and one
/// for all breaks.
fn is_removed(text: &[u8], error: &UrlError) -> bool {
    let is_end = error.at == 0 || error.at + error.length == text.len();
    let is_white = |byte: &u8| BREAKS.contains(byte) || is_end && *byte <= b' ';
    error.kind == Kind::InvalidUrlUnit && text.get(error.at).is_some_and(is_white)
}

/// What differs between the errors of a row and those of the standard, whose parser stops at a failure: names that are
/// missing, and others.
fn differences<'n>(text: &[u8], errors: &[UrlError], names: &'n str, fails: bool) -> (Vec<&'n str>, Vec<&'static str>) {
    let ends = [text.first(), text.last()].into_iter().flatten().any(|byte| *byte <= b' ');
    let inner = trim(text).iter().any(|byte| BREAKS.contains(byte));
    // these are the first that it reports
    let names = names.split(' ').filter(|name| !name.is_empty()).skip(usize::from(ends) + usize::from(inner));
    let own = errors.iter().filter(|error| !is_removed(text, error)).map(|error| error.kind.name());
    let (mut missing, mut others) = (comparable(names), comparable(own));
    others.retain(|own| match missing.iter().position(|name| name == own) {
        Some(at) => {
            missing.remove(at);
            false
        }
        None => !fails,
    });
    (missing, others)
}

/// The rows that differ: a text, the names that only absurl has, and whether it fails. url 2.5.8 does not accept what
/// begins with xn-- and is not Punycode; and the standard has one error for all characters of an opaque host.
const DIFFERENT: &[(&str, &[&str], bool)] = &[
    ("file://xn--bcher-kva%41-xn--a\\}/^", &[], true),
    ("sc://xn--bcher-kva:65536@\u{FFFE}}/", &["invalid-URL-unit"], false),
    ("//u@v@%31.0xg:65536@!$&()*+,;=_-\u{1FFFF}{", &["invalid-URL-unit"], false),
    ("sc://u@\u{FDD0}b%2e\u{80}", &["invalid-URL-unit"], false),
    ("sc://u:p@[:10000:\u{E9}]:80@\u{FFFE}\u{E9}`", &["invalid-URL-unit"], false),
];

#[test]
fn errors_are_those_of_whatwg_url() {
    let rows = read_rows::<4>(include_str!("../../../../tests/data/whatwg-errors.tsv"));
    assert_each(rows.iter().map(|[base, text, names, failure]| {
        let errors = errors_of(base, text);
        let names = str::from_utf8(names).expect("names are ASCII");
        let fails = failure == b"failure";
        let (missing, others) = differences(text, &errors, names, fails);
        let mut failing = errors.iter().filter(|error| error.is_failure).map(|error| error.kind.name()).peekable();
        let own_fails = failing.peek().is_some();
        // the last name is that of the failure
        let last = comparable(names.rsplit(' ').next().into_iter());
        let is_named = !fails || failing.any(|name| last == [name]);
        let different = DIFFERENT.iter().find(|(different, ..)| different.as_bytes() == text);
        let (expected, fails) = different.map_or((vec![], fails), |(_, others, fails)| (others.to_vec(), *fails));
        let case = format!("{} {} {names}", Escaped(base), Escaped(text));
        (case, (missing, others, own_fails, is_named), (vec![], expected, fails, true))
    }));
}

#[test]
fn errors_have_places_and_words() {
    let rows = read_rows::<5>(include_str!("../../../../tests/data/url-errors.tsv"));
    let texts =
        rows.chunk_by(|[base, text, ..], [other_base, other_text, ..]| (base, text) == (other_base, other_text));
    assert_each(texts.map(|rows| {
        let [base, text, ..] = &rows[0];
        let given = errors_of(base, text).into_iter().map(|error| {
            let UrlError { kind, at, length, is_failure, .. } = error;
            let (what, fix) = error.describe(text);
            assert!(what.len() + fix.len() < MAX_QUOTED, "{what}; {fix}");
            let semicolon = if fix.is_empty() { "" } else { "; " };
            let fails = if is_failure { "!" } else { "" };
            format!("{at}+{length} {}{fails} {what}{semicolon}{fix}", kind.name())
        });
        let expected = rows.iter().filter(|[_, _, place, ..]| !place.is_empty());
        let expected = expected.map(|[_, _, fields @ ..]| String::from_utf8_lossy(&fields.join(&b' ')).into_owned());
        (Escaped(text), given.collect::<Vec<_>>(), expected.collect())
    }));
}
/// What random texts are made of.
const PIECES: [&str; 64] = [
    "/",
    "/",
    "//",
    "\\",
    "?",
    "#",
    "@",
    ":",
    "%",
    "%41",
    "%2e",
    "%C3%A9",
    "%zz",
    "[",
    "]",
    "[::1]",
    "[01::]",
    "[::1.2.3.4]",
    ".",
    "..",
    "1",
    "0x1",
    "256",
    "08",
    "1.2.3.4",
    "h",
    "a.b",
    "-",
    "_",
    "xn--",
    "xn--bcher-kva",
    "\u{E9}",
    "\u{DF}",
    "\u{AD}",
    "\u{FF0E}",
    "\u{5D0}",
    "\u{200D}",
    "\u{80}",
    "\u{FDD0}",
    "\u{FFFD}",
    "\0",
    "\t",
    "\n",
    " ",
    "\"",
    "<",
    "^",
    "|",
    "{",
    "~",
    "c:",
    "c|",
    "/c|/",
    ":80",
    ":8a",
    ":65536",
    "u:p@",
    "http:",
    "https://",
    "file:",
    "file://",
    "sc:",
    "sc://",
    "mailto:",
];

/// Bases of each kind; the first is no base.
const BASES: [&[u8]; 8] =
    [b"", b"http://a/b/c?q", b"https://x/", b"file:///c:/d", b"file://h/e", b"sc://a/b", b"sc:/a", b"mailto:x"];

/// Asserts that a text has an error with which the standard fails, exactly if absurl has no answer to it.
fn assert_agrees(random: &mut Random, bases: &[(&[u8], PreparedBase)]) {
    let mut text = random.of(&["", "", "//", "http://", "sc://", "file://"]).as_bytes().to_vec();
    (0..random.below(8)).for_each(|_| text.extend(random.of(&PIECES).bytes()));
    if random.below(3) == 0 {
        text = random.mutated(&text);
    }
    let (name, base) = &bases[random.below(bases.len())];
    let mut fails = false;
    let done = base.url_errors(&text, &mut |error| {
        fails |= error.is_failure;
        assert!(error.at + error.length <= text.len());
        ControlFlow::Continue(())
    });
    let answer = base.resolve(&text, &mut Vec::new());
    assert!(done.is_continue());
    assert_eq!(fails, answer.is_err(), "{} {}: {answer:?}", Escaped(name), Escaped(&text));
}

#[test]
fn what_fails_has_no_answer() {
    let bases = BASES.map(|base| (base, PreparedBase::new(Spec::Whatwg, base)));
    let mut random = Random(1);
    (0..50_000).for_each(|_| assert_agrees(&mut random, &bases));
}

#[test]
#[ignore = "3 s: a million random texts"]
fn what_fails_has_no_answer_a_million_times() {
    let bases = BASES.map(|base| (base, PreparedBase::new(Spec::Whatwg, base)));
    let mut random = Random(2);
    (0..1_000_000).for_each(|_| assert_agrees(&mut random, &bases));
}

#[test]
fn long_texts_take_linear_time() {
    // many times as long, they would take hours if each byte took the length of the text
    for piece in
        ["@", ":", "[", "%41", "1.", "0x1.", "\t", "\\", "/", "\u{E9}", "\u{80}", "a.", "-", "_", "xn--a.", "%zz"]
    {
        for start in ["http://", "http:", "sc://", "sc:", "file://", "http://[", "http://h:", " "] {
            let text = start.to_owned() + &piece.repeat(100_000);
            let mut count = 0;
            let done = PreparedBase::new(Spec::Whatwg, b"http://a/").url_errors(text.as_bytes(), &mut |error| {
                count += usize::from(error.length <= text.len());
                ControlFlow::Continue(())
            });
            assert!(done.is_continue() && count <= text.len() + 3, "{start}{piece}");
        }
    }
}

#[test]
fn errors_end_where_the_caller_breaks() {
    let text = b" http:///u@a\tb_c:x/ {";
    let all = errors_of(b"http://a/", text);
    for limit in 1..=all.len() {
        let mut errors = Vec::new();
        let done = PreparedBase::new(Spec::Whatwg, b"http://a/").url_errors(text, &mut |error| {
            errors.push(error);
            if errors.len() == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((errors.as_slice(), done.is_break()), (&all[..limit], true));
    }
}
