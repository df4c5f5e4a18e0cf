//! `--allow`: what else than the own host references may reach.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::harness::{Run, absurl, length_of, parse_objects};
use crate::leaves::some_pairs;
use crate::resolve::json;
use crate::table::{assert_each, read_rows};

/// SOURCEs, base, reference, status, what is said.
const ALLOW: &str = include_str!("../data/allow.tsv");

/// The SOURCEs of a row as flags.
fn flags(sources: &str) -> Vec<String> {
    sources.split(' ').map(|source| format!("--allow={source}")).collect()
}

#[test]
fn each_row_of_the_table_is_allowed_a_finding_or_refused() {
    let rows = read_rows::<5>(ALLOW);
    let statuses: BTreeSet<_> = rows.iter().map(|row| &*row[3]).collect();
    assert!(statuses.into_iter().eq([&b"0"[..], b"1", b"2"]), "a row of each status, and of no other");
    let mut quick = Vec::new();
    assert_each(rows.iter().map(|row| {
        let [sources, base, reference, status, said] = row.each_ref().map(|field| str::from_utf8(field).unwrap());
        let run = || flags(sources).iter().fold(absurl(&["--check=host", "-b", base]), Run::argument);
        let (stdout, stderr, given) = run().arguments(&["--", reference]).text();
        let (location, sum) = (format!("argument 1: {reference}: "), format!("{stderr}{stdout}"));
        let given_said = match given {
            0 => sum.strip_prefix("absurl: 1 reference stays on its host or is allowed\n").unwrap_or(&sum).into(),
            1 => stdout.replace('\n', "\\n").trim_end_matches("\\n").replace(&location, ""),
            _ => stderr.trim_end().replace("absurl: --allow: ", ""),
        };
        if given == 2 {
            let (quoted, sentence) = given_said.rsplit_once("\" ").unwrap_or_default();
            assert!(length_of(sentence) <= 120 && quoted.starts_with('"'), "{given_said}");
        } else {
            // a list, of which most is skipped, and JSON, which asks each standard, say the same
            let list = run().argument("-0q").input(format!("{reference}\0g\0"));
            let (json, _, of_json) = run().argument("-0j").input(format!("{reference}\0g\0")).text();
            let is_found = parse_objects(json)[0]["violations"] != serde_json::json!([]);
            quick.push((
                sources.to_owned() + " " + reference,
                (list.text().2, of_json, is_found),
                (given, given, given == 1),
            ));
        }
        let name = format!("{sources} {base} {reference}");
        (name, (given.to_string(), given_said), (status.to_owned(), said.to_owned()))
    }));
    assert_each(quick);
}

#[test]
fn what_is_allowed_is_left_out_of_the_findings_and_nothing_else() {
    let starts = ["", "//evil.com", "//a.example.com", "/\\\\[::1]", "javascript:"];
    let pairs: Vec<_> = some_pairs(44, 5000)
        .into_iter()
        .enumerate()
        .map(|(number, (base, reference))| (base, [starts[number % starts.len()].as_bytes(), &reference].concat()))
        .collect();
    let allow = ["--check=host", "--allow=evil.com", "--allow=[::1]", "--allow=*.example.com", "--allow=javascript:"];
    let is_allowed = |violation: &Value| {
        let host = violation["host"].as_str().unwrap_or_default();
        let is_below =
            host.strip_suffix(".example.com").is_some_and(|below| below.split('.').all(|label| !label.is_empty()));
        ["evil.com", "[::1]"].contains(&host)
            || is_below && url::Host::parse(host).is_ok()
            || violation["scheme"] == "javascript"
    };
    // fewer standards may be left to name in the message
    let is_same = |one: &Value, other: &Value| {
        ["code", "host", "scheme", "standards"].iter().all(|name| one[name] == other[name])
    };
    let (mut left_out, mut left) = (0, 0);
    for (all, object) in json(&allow[..1], &pairs).iter().zip(json(&allow, &pairs)) {
        let (all, given) = (all["violations"].as_array().unwrap(), object["violations"].as_array().unwrap());
        // what programs that trim read is allowed by itself
        let (mut trimmed, mut expected): (Vec<_>, Vec<_>) =
            all.iter().cloned().partition(|violation| violation["reading"] == "trimmed");
        trimmed.retain(|violation| !is_allowed(violation));
        if expected.iter().any(|violation| !is_allowed(violation)) {
            expected.retain(|violation| !is_allowed(violation));
        } else if expected.len() == 1 {
            // what all standards with an answer say; RFC 3986 may have no answer
            let standards = expected[0]["standards"].as_array().unwrap();
            let says = |spec: &str| standards.contains(&spec.into());
            if standards.len() == 3 || says("rfc1808") && says("whatwg") && given.is_empty() {
                expected.clear();
            }
        }
        expected.append(&mut trimmed);
        assert!(
            given.len() == expected.len() && given.iter().zip(&expected).all(|(one, other)| is_same(one, other)),
            "{object}"
        );
        (left_out, left) = (left_out + all.len() - given.len(), left + given.len());
    }
    assert!(left_out > 300 && left > 1000, "{left_out} {left}");
}

#[test]
fn pages_and_pairs_reach_what_is_allowed_with_their_own_bases() {
    let page =
        "<base href=//cdn.example.net/><a href=x><a href=/x><a href='/\\evil.com'><a href=mailto:a@b><a href=tel:1>";
    let allow =
        |input: &str, flags: &str| absurl(&["--check=host", "--allow", "cdn.example.net"]).words(flags).input(input);
    let flags = "-l --allow mailto: --media-type text/html -b https://example.com/";
    let found = "\
-:1:61: /\\evil.com: reaches evil.com (WHATWG), not example.com
-:1:100: tel:1: not a link to a web host (scheme tel)
";
    let sum = "absurl: 2 of 6 links may reach what is not allowed\n";
    allow(page, flags).gives(found, sum, 1);
    allow("https://a/\t//cdn.example.net\nhttps://b/\t//b/\n", "-p").gives(
        "",
        "absurl: all 2 references stay on their host or are allowed\n",
        0,
    );
    // the base of a record has its own scheme, whose hosts count
    allow("foo://a/\tfoo://b/\n", "-p --allow foo:").gives(
        "-:1: foo://b/: reaches b, not a\n",
        "absurl: 1 reference may reach what is not allowed\n",
        1,
    );
    allow("http://a/\tfoo://b/\n", "-p -q --allow foo:").gives("", "", 0);
    // a base is needed all the same
    let failed = "absurl: -:1: no host to stay on; use --base URL\nabsurl: 1 of 1 reference was not checked\n";
    allow("//cdn.example.net/\n", "").gives("", failed, 1);
}

#[cfg(unix)]
#[test]
fn a_source_that_is_not_utf_8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let source = std::ffi::OsStr::from_bytes(b"a\xFF");
    let refused =
        "absurl: --allow: \"a\\xFF\" is not a host; write a domain name, or an IP address, IPv6 in brackets\n";
    absurl(&["--check=host", "-b", "http://a/", "--allow"]).argument(source).gives("", refused, 2);
}
