//! `--compare=host`: which host each answer reaches, and how many differences are shown in full.

use std::str;

use serde_json::Value;

use crate::generate::Pair;
use crate::harness::{absurl, parse_objects};
use crate::resolve::json;
use crate::spec::{compared, pairs_of};
use crate::table::{assert_each, read_rows};

/// Base, reference, three hosts, verdict, the hosts for programs that trim and collapse slashes.
const HOSTS: &str = include_str!("../data/hosts.tsv");

#[test]
fn each_row_of_the_table_has_its_hosts_and_its_verdict() {
    let rows = read_rows::<7>(HOSTS);
    let status_of = |rows: &[&[Vec<u8>; 7]]| {
        let records = rows.iter().flat_map(|[base, reference, ..]| [base, &b"\t"[..], reference, b"\0"].concat());
        absurl(&["-0pq", "--compare=host"]).input(records.collect::<Vec<_>>()).bytes().2
    };
    let is_another = |row: &[Vec<u8>; 7]| match &*row[5] {
        b"another" => true,
        b"same" => false,
        verdict => panic!("{}", verdict.escape_ascii()),
    };
    // a run that succeeds does so for each row
    let all_are_same = status_of(&rows.iter().filter(|row| !is_another(row)).collect::<Vec<_>>()) == 0;
    let pairs = pairs_of(&rows);
    let objects = compared("--compare", &pairs).into_iter().zip(compared("--compare=host", &pairs));
    assert_each(rows.iter().zip(objects).map(|(row, (object, of_hosts))| {
        let [base, reference, hosts @ .., _, _] = row;
        let host_by = |spec| (object[spec]["error"].is_object(), object[spec].get("host").cloned());
        let expected_host = |host: &Vec<u8>| match str::from_utf8(host).unwrap() {
            "=" => (false, None),
            "!" => (true, Some(Value::Null)),
            "-" => (false, Some(Value::Null)),
            host => (false, Some(Value::from(host))),
        };
        let status = if all_are_same && !is_another(row) { 0 } else { status_of(&[row]) };
        let shown = if is_another(row) { object.clone() } else { Value::Null };
        let given = (["rfc1808", "rfc3986", "whatwg"].map(host_by), status, of_hosts);
        let expected = (hosts.each_ref().map(expected_host), i32::from(is_another(row)), shown);
        (format!("{} + {}", base.escape_ascii(), reference.escape_ascii()), given, expected)
    }));
}

#[test]
fn whatwg_has_no_answer_with_a_long_host() {
    // in these, H is a host of 2,049 bytes and S one of 2,048; an empty answer is none
    let cases = [
        ("http://g/", "//H/..", ""),
        ("http://g/", r"\\H\b", ""),
        ("http://g/", "//@S/./", ""),
        ("http://g/", "//S:/./", ""),
        ("https://g/", "http:H/a", ""),
        ("http://H/", "b", ""),
        ("file://H/", "..", ""),
        ("x:", "x://H", ""),
        ("http://g/", "//S/../a/%2e/b", "http://S/a/b"),
        ("http://S/a/../b", "../c", "http://S/c"),
        ("http://g/", "http:H/a", "http://g/H/a"),
        ("http://g/", "file:H/..", "file:///"),
        ("file:///", "///H/../a", "file:///a"),
    ];
    let (long, longest) = ("h".repeat(2049), "h".repeat(2048));
    let write = |text: &str| text.replace('H', &long).replace('S', &longest);
    let pairs: Vec<Pair> =
        cases.iter().map(|(base, reference, _)| (write(base).into_bytes(), write(reference).into_bytes())).collect();
    let objects = json(&["-s", "whatwg"], &pairs).into_iter().zip(compared("--compare", &pairs));
    assert_each(cases.iter().zip(objects).map(|((base, reference, answer), (object, compared))| {
        let is_too_long = [&object, &compared["whatwg"]].map(|object| object["error"]["code"] == "too-long");
        let given = (is_too_long, object["url"].as_str().unwrap_or_default().to_owned());
        (format!("{base} + {reference}"), given, ([answer.is_empty(); 2], write(answer)))
    }));
    absurl(&["-s", "whatwg", "-b", &write("http://H/"), "g"]).gives(
        "",
        format!("absurl: --base: \"{}\"...: user, host and port are longer than 2 KiB\n", &write("http://H")[..200]),
        2,
    );
}

#[test]
fn json_has_every_difference_in_full() {
    let (json, ..) = absurl(&["-j", "--compare", "-b", "http://a/b"]).input("#\n".repeat(20)).text();
    assert!(parse_objects(json).iter().all(|object| object["whatwg"]["url"] == "http://a/b#"));
}

#[test]
fn reasons_come_in_the_order_of_what_they_change() {
    for (base, reference, reasons) in [
        ("http://a/b/c", "///../g?#", "empty-net-loc,dots-kept,lone-delimiter"),
        ("http://A/b", "../g'?#", "surplus-dots,lone-delimiter,case"),
        ("http://A/b", "#", "lone-delimiter,case"),
        ("http://A/b", "/\\evil.com/../?", "backslash,raw-character,dots-kept,lone-delimiter"),
    ] {
        let (json, ..) = absurl(&["-j", "--compare", "-b", base, reference]).text();
        let why: Vec<_> = parse_objects(json)[0]["why"]
            .as_array()
            .unwrap()
            .iter()
            .map(|why| why["code"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(why.join(","), reasons, "{base} {reference}");
    }
}

#[test]
fn reasons_with_equal_counts_are_summed_in_the_order_of_what_they_change() {
    for (references, codes) in [
        // fragment, path, query, host, each once; and what is counted twice before them
        ("#\n/../g\ng?\n/\\x\n", "lone-delimiter,backslash,raw-character,dots-kept,slash-after-host"),
        ("#\n/../g\n", "dots-kept,lone-delimiter"),
        ("/../g\n#\n", "dots-kept,lone-delimiter"),
        ("g'?a'\n//h\n/../g\n", "dots-kept,slash-after-host,percent-encoding"),
        ("///x/y\n../../g\n#\n", "empty-net-loc,surplus-dots,lone-delimiter"),
    ] {
        let (_, stderr, _) = absurl(&["--compare", "-b", "http://a/b"]).input(references).text();
        let rows = stderr.lines().skip(1).map(|row| row.split_whitespace().nth(1).expect("a code"));
        assert_eq!(rows.collect::<Vec<_>>().join(","), codes, "{references:?}");
    }
}

#[test]
fn one_record_is_summed_as_people_say_it() {
    for (flag, reference, summary) in [
        ("--compare", "g", "no differences in 1 reference"),
        ("--compare", "#", "1 reference differs"),
        ("--compare=meaning", "//h", "no differences in 1 reference"),
        ("--compare=host", "#", "no different hosts in 1 reference"),
        ("--compare=host", "///x", "1 reference has different hosts"),
    ] {
        let (_, stderr, status) = absurl(&[flag, "-b", "http://a/b", reference]).text();
        assert_eq!(stderr.lines().next(), Some(&*format!("absurl: {summary}")), "{flag} {reference}");
        assert_eq!(status, i32::from(!summary.starts_with(['n', 't'])), "{flag} {reference}");
    }
    // whatever has failed is counted, too
    let (_, stderr, _) = absurl(&["--compare", "g"]).text();
    assert!(stderr.ends_with("\nabsurl: no differences in 1 reference, 1 failed\n"), "{stderr}");
}

#[test]
fn explanations_name_the_host_that_others_find_before_a_question_mark() {
    for (base, reference, notes) in [
        (
            "http://a/b",
            "//h?x@y/",
            "RFC 3986 gives the same URL, but with host h: a \"?\" ends the host|\
             WHATWG gives http://h/?x@y/: a \"?\" ends the host; a slash is added after the host",
        ),
        ("x://a/b", "//h?x@y/", "RFC 3986 and WHATWG give the same URL, but with host h: a \"?\" ends the host"),
        ("x://a/b", "//?@y/", "RFC 3986 and WHATWG give the same URL, but with host -: a \"?\" ends the host"),
        ("x://a/b", "//h?@h/", "RFC 3986 and WHATWG give the same"),
        ("http://a?x/y", "g", "RFC 3986 and WHATWG give http://a/g: a \"?\" ends the host"),
    ] {
        let (text, ..) = absurl(&["-e", "-b", base, reference]).text();
        let (_, text) = text.split_once("\nNote ").expect("a note");
        let (text, _) = text.split_once("\nStep 7 ").expect("step 7");
        let text = text.replace("\n         ", " ").replace("\nNote ", "|");
        assert_eq!(text.replace("    ", ""), notes, "{base} {reference}");
    }
}
