//! `--spec` and `--compare`: what other standards answer, where they differ, and why.

use std::{slice, str};

use predicates::prelude::*;
use serde_json::Value;

use crate::generate::{Pair, as_pairs, every};
use crate::harness::{absurl, parse_objects, records};
use crate::messages::undecodable;
use crate::resolve::{exact, json};
use crate::table::{assert_each, read_rows};

/// RFC 3986 §5.4: section, reference, expected.
const RFC_3986: &str = include_str!("../data/rfc3986.tsv");
/// The URL Standard: base, reference, expected.
const WHATWG: &str = include_str!("../data/whatwg.tsv");
/// Where absurl departs from it: base, reference, its answer, the URL Standard's.
const WHATWG_QUIRKS: &str = include_str!("../data/whatwg-quirks.tsv");
/// A standard, a base, a reference with a flaw (`g`: the base has it), and the words for it.
const FLAWS: &str = include_str!("../data/flaws.tsv");
/// Base, reference, the three answers, reasons.
const COMPARE: &str = include_str!("../data/compare.tsv");

/// Bytes for a message.
fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn rfc_3986_has_its_own_42_examples() {
    let rows = read_rows::<3>(RFC_3986);
    assert_eq!(rows.len(), 42);
    for base in ["http://a/b/c/d;p?q", "http://a/b/c/d;p?q#f"] {
        let input: Vec<u8> = rows.iter().flat_map(|[_, reference, _]| [reference, &b"\n"[..]].concat()).collect();
        let (stdout, stderr, status) = absurl(&["-s", "rfc3986", "-b", base]).input(input).bytes();
        let urls = records(&stdout, b'\n');
        assert_eq!((urls.len(), &*stderr, status), (rows.len(), "", 0));
        let each = rows.iter().zip(urls);
        assert_each(each.map(|([_, reference, expected], url)| (shown(reference), shown(url), shown(expected))));
    }
}

#[test]
fn rfc_3986_is_taken_by_the_letter() {
    for (base, reference, expected) in [
        ("urn:a/b", "c", "urn:a/c"),
        ("urn:a/b", "..", "urn:/"),
        ("mailto:a", "b", "mailto:b"),
        ("http://a/../b", "?y", "http://a/../b?y"),
        ("http://a/b/c", "%2E%2E/g%2e", "http://a/b/%2E%2E/g%2e"),
        ("http://a/%2e%2e/c", "../g%25", "http://a/g%25"),
        ("http://a/b c", "x:%2e/../y", "x:/y"),
        ("http://a/b c", "x:/%2e/../y", "x:/y"),
        ("http://a", "g", "http://a/g"),
        ("http://a/b#c d", "?y", "http://a/b?y"),
        ("", "http://a/./b", "http://a/b"),
        ("x:/a", ".//b", "x:/.//b"),
    ] {
        let record = format!("{base}\t{reference}\n");
        let (stdout, stderr, _) = absurl(&["-p", "-s", "rfc3986"]).input(record).text();
        assert_eq!((stdout.trim_end_matches('\n'), stderr.as_str()), (expected, ""), "{base} + {reference}");
    }
}

#[test]
fn whatwg_has_the_cases_of_the_url_standard() {
    let rows = read_rows::<3>(WHATWG);
    let answers = |rows: &[[Vec<u8>; 3]]| {
        let pairs: Vec<_> = rows.iter().map(|[base, reference, _]| (base.clone(), reference.clone())).collect();
        let (stdout, stderr, status) = absurl(&["-0", "-p", "-s", "whatwg"]).input(as_pairs(&pairs, b'\0')).bytes();
        let urls = records(&stdout, b'\0').into_iter().map(shown).collect::<Vec<_>>();
        (urls, stderr.is_empty(), status)
    };
    // a run that succeeds succeeds with each pair, so only those that fail have their own
    let (failing, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|[.., expected]| expected.is_empty());
    let (urls, is_silent, status) = answers(&others);
    assert_eq!((urls.len(), is_silent, status), (others.len(), true, 0));
    let case = |[base, reference, _]: &[Vec<u8>; 3]| format!("{} + {}", shown(base), shown(reference));
    assert_each(others.iter().zip(urls).map(|(row, url)| (case(row), url, shown(&row[2]))));
    assert_each(failing.iter().map(|row| (case(row), answers(slice::from_ref(row)), (vec![String::new()], false, 1))));
}

#[test]
fn whatwg_has_the_quirks_of_the_url_crate() {
    let rows = read_rows::<4>(WHATWG_QUIRKS);
    assert_each(rows.iter().map(|[base, reference, expected, standard]| {
        let record = [base, &b"\t"[..], reference, b"\0"].concat();
        let (stdout, _, _) = absurl(&["-0", "-p", "-s", "whatwg"]).input(record).bytes();
        let case = format!("{} + {}: {}", shown(base), shown(reference), shown(standard));
        (case, (shown(&stdout), expected != standard), (shown(&[expected, &b"\0"[..]].concat()), true))
    }));
}

#[test]
fn resolving_and_checking_have_one_voice() {
    let rows = read_rows::<4>(FLAWS);
    assert_each(rows.iter().map(|[spec, base, reference, words]| {
        let run = |arguments: &[&str], list: Vec<u8>| {
            let spec = str::from_utf8(spec).unwrap();
            absurl(&[&["-0s", spec], arguments].concat()).input(list).bytes()
        };
        let after = |text: &[u8], place: &[u8]| {
            let text = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
            shown(text.strip_prefix(place).unwrap_or(text))
        };
        let list = [reference, &b"\0"[..]].concat();
        let pair = [base, &b"\t"[..], &list].concat();
        let has_bad_base = reference == b"g";
        let (_, resolved, status) = run(&["-p"], pair.clone());
        let place = if has_bad_base {
            [b"absurl: -:1: the base \"", &base[..], b"\": "].concat()
        } else {
            b"absurl: -:1: ".into()
        };
        let (checked, ..) = run(&["-cp"], pair);
        let colon = checked.iter().skip(5).position(|byte| *byte == b':').map_or(0, |at| at + 5);
        let text = if has_bad_base { base } else { reference };
        let checked = after(&checked[colon..], &[b": ", &text[..], b": "].concat());
        let words = shown(words);
        let given = (after(resolved.as_bytes(), &place), checked, status);
        (format!("{} {} {}", shown(spec), shown(base), shown(reference)), given, (words.clone(), words, 1))
    }));
}

#[test]
fn without_a_base_all_specs_have_the_same_message() {
    for arguments in [&["g"][..], &["http://a/", "g"]] {
        let plain = absurl(arguments).text().1;
        for spec in ["rfc3986", "whatwg"] {
            assert_eq!(absurl(&[&["-s", spec], arguments].concat()).text().1, plain);
        }
    }
}

#[test]
fn a_comparison_shows_how_to_fix_an_error() {
    let (stdout, ..) = absurl(&["--compare", "-b", "x:/y", "g h"]).text();
    assert!(stdout.contains("a space is not allowed in a path; write g%20h\n"), "{stdout}");
}

#[test]
fn a_base_that_another_spec_cannot_use_ends_the_run() {
    for (spec, base, message) in [
        ("rfc3986", "http://a/{b}", "\"{\" is not allowed in a path; write http://a/%7Bb%7D"),
        ("whatwg", "http://a:b/", "\"b\" is not allowed in a port; write digits"),
    ] {
        let once = format!("absurl: --base: \"{base}\": {message}\n");
        absurl(&["-s", spec, "-b", base, "g", "x:y"]).gives("", once.clone(), 2);
        for wanted in ["--links", "--print-base"] {
            absurl(&["-s", spec, "-b", base, wanted]).input("<a href=g><a href=h>").gives("", once.clone(), 2);
        }
        absurl(&["-s", spec, "-lp"]).input(format!("{base}\tx:y.html\n{base}\tz\n")).gives(
            "\n\n",
            format!("absurl: -:1: {message}\nabsurl: -:2: {message}\n"),
            1,
        );
    }
}

/// The bases and the references of the table.
pub fn pairs_of<const N: usize>(table: &[[Vec<u8>; N]]) -> Vec<Pair> {
    table.iter().map(|row| (row[0].clone(), row[1].clone())).collect()
}

/// What `--compare` prints of each pair: an object, or null.
pub fn compared(flag: &str, pairs: &[Pair]) -> Vec<Value> {
    let (json, ..) = absurl(&["-0pj", flag]).input(as_pairs(pairs, b'\0')).bytes();
    let mut objects = vec![Value::Null; pairs.len()];
    for object in parse_objects(json) {
        let number = object["record"].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap();
        objects[number - 1] = object;
    }
    objects
}

#[test]
fn each_row_of_the_table_has_its_answers() {
    let (table, mut all) = (read_rows::<6>(COMPARE), Vec::new());
    let pairs = pairs_of(&table);
    for (column, spec) in [(2, "rfc1808"), (3, "rfc3986"), (4, "whatwg")] {
        let (plain, ..) = absurl(&["-0pq", "-s", spec]).input(as_pairs(&pairs, b'\0')).bytes();
        for ((row, object), plain) in table.iter().zip(json(&["-s", spec], &pairs)).zip(records(&plain, b'\0')) {
            let [expected, plain] = [&row[column], plain].map(shown);
            let case = format!("{} + {} by {spec}", shown(&row[0]), shown(&row[1]));
            let url = exact(&object, "url").map(|url| shown(&url));
            let (given, expected) = match expected.strip_prefix('!') {
                Some(code) => (
                    (object["error"]["code"].as_str().map(str::to_owned), plain),
                    (Some(code.to_owned()), String::new()),
                ),
                None => ((url, plain), (Some(expected.clone()), expected)),
            };
            all.push((case, given, expected));
        }
    }
    assert_each(all);
}

#[test]
fn each_row_of_the_table_has_its_reasons() {
    let table = read_rows::<6>(COMPARE);
    assert_each(table.iter().zip(compared("--compare", &pairs_of(&table))).map(
        |([base, reference, answers @ .., why], object)| {
            let case = format!("{} + {}", shown(base), shown(reference));
            if why == b"-" {
                return (case, (object, Vec::new()), (Value::Null, Vec::new()));
            }
            let (mut given, mut expected) = (Vec::new(), Vec::new());
            for (spec, answer) in ["rfc1808", "rfc3986", "whatwg"].into_iter().zip(answers) {
                let (object, text) = (&object[spec], str::from_utf8(answer));
                let (field, value) = match text.map(|text| text.strip_prefix('!').ok_or(text)) {
                    Ok(Ok(code)) => (object["error"]["code"].clone(), code.into()),
                    Ok(Err(url)) => (object["url"].clone(), url.into()),
                    Err(_) => (object["url_base64"].is_string().into(), true.into()),
                };
                given.push(field);
                expected.push(value);
            }
            let reasons: Value = str::from_utf8(why).unwrap().split(',').collect();
            (case, (codes(&object), given), (reasons, expected))
        },
    ));
}

/// The codes of the reasons, or null.
fn codes(object: &Value) -> Value {
    object["why"].as_array().map_or(Value::Null, |why| why.iter().map(|reason| reason["code"].clone()).collect())
}

/// What WHATWG only writes another way.
const NORMALIZATIONS: &[&str] = &["slash-after-host", "case", "percent-encoding", "default-port", "host-spelling"];

#[test]
fn meaning_leaves_normalizations_out() {
    let table = read_rows::<6>(COMPARE);
    let objects = compared("--compare=meaning", &pairs_of(&table));
    assert_each(table.iter().zip(objects).map(|([base, reference, .., reasons], object)| {
        let reasons = str::from_utf8(reasons).unwrap().split(',');
        let expected = reasons.filter(|why| *why != "-" && !NORMALIZATIONS.contains(why)).map(Value::from).collect();
        let found = codes(&object).as_array().cloned().unwrap_or_default();
        (format!("{} + {}", shown(base), shown(reference)), found, expected)
    }));
}

/// Every text over an alphabet of texts.
fn texts(alphabet: &[&str], longest: u32) -> Vec<String> {
    every(alphabet, longest).map(|text| String::from_utf8(text).unwrap()).collect()
}

#[test]
fn an_error_in_one_is_a_difference_if_another_has_an_answer() {
    let references = texts(&[":", "/", "?", "#", "g", "@", " ", "1", "\\", "[", "http:"], 3);
    let mut errors = 0;
    for base in ["", "http://a/b", "x:/a", "telnet://h/x", "mailto:a"] {
        let records: String = references.iter().map(|reference| format!("{base}\t{reference}\0")).collect();
        let (json, _, _) = absurl(&["-0", "-p", "-j", "--compare=meaning"]).input(records).text();
        let mut seen = 0;
        for object in parse_objects(json) {
            let Some(whys) = object["why"].as_array() else { continue };
            let has = |code: &str| whys.iter().any(|why| why["code"] == code);
            let is_error = |spec: &str| object[spec]["error"].is_object();
            let rfc3986 = ["raw-space", "raw-character", "colon-segment", "bad-authority"].iter().any(|code| has(code));
            assert!(is_error("rfc3986") == rfc3986 || has("scheme-name"), "{object}");
            let whatwg = ["opaque-base", "bad-base", "bad-host", "bad-port"].iter().any(|code| has(code));
            assert!(is_error("whatwg") == whatwg || has("scheme-name"), "{object}");
            assert!(has("unsuitable-base") || !is_error("rfc1808") || base.is_empty(), "{object}");
            assert!(!has("other"), "{object}");
            seen += 1;
        }
        assert!(seen > 0, "{base}");
        errors += seen;
    }
    assert!(errors > 3_000, "{errors}");
}

/// Asks for the reasons of all texts of some pieces; returns how many differ.
fn no_reason_is_unknown(longest: u32) -> usize {
    let references = texts(&[":", "/", "?", "#", ";", ".", "g", "\\", "%2e", "A"], longest);
    let mut differing = 0;
    for base in [
        "http://a/b/c/d;p?q#f",
        "http://a",
        "http://A:80/b/../c;",
        "http://a?x/y",
        "https://a/b;p/q/..",
        "x:/a/b",
        "x://h/b\\c",
        "urn:a/b",
        "file:///e/h",
        "mailto:a",
    ] {
        let records: String = references.iter().map(|reference| format!("{base}\t{reference}\n")).collect();
        let (json, _, _) = absurl(&["-p", "-j", "--compare"]).input(records).text();
        for line in json.lines() {
            assert!(!line.contains("\"why\":[]") && !line.contains("\"other\""), "{line}");
            differing += usize::from(line.contains("\"why\":["));
        }
    }
    differing
}

#[test]
fn every_difference_has_a_reason_that_is_known() {
    let differing = no_reason_is_unknown(3);
    assert!(differing > 3_000, "{differing}");
}

#[test]
#[ignore = "100,000 pairs: a second"]
fn every_difference_of_four_pieces_has_a_reason_that_is_known() {
    let differing = no_reason_is_unknown(4);
    assert!(differing > 30_000, "{differing}");
}

#[test]
fn no_reason_is_searched_for_a_base_of_more_than_8_kib() {
    for (length, expected) in [(8 << 10, "surplus-dots"), ((8 << 10) + 1, "long-base")] {
        let base = format!("{:/<length$}", "http://h");
        let (json, _, status) = absurl(&["-j", "--compare", "-b", &base]).input("../".repeat(length)).text();
        let object = &parse_objects(json)[0];
        assert_eq!((codes(object), status), (Value::from(vec![expected]), 1));
    }
}

#[test]
fn agreement_is_silent_and_exits_with_0() {
    absurl(&["--compare", "-b", "http://a/b/"]).input("g\n?y\n../g\n").gives(
        "",
        "absurl: no differences in 3 references\n",
        0,
    );
    absurl(&["--compare", "-b", "http://a/b/"]).gives("", "absurl: no references to compare\n", 0);
}

#[test]
fn a_record_without_any_answer_fails_and_is_no_difference() {
    let (stdout, stderr, status) = absurl(&["--compare", "-p", "-j"]).input("no tab\nb\tg\n").text();
    let codes: Vec<_> = parse_objects(stdout).iter().map(|object| object["error"]["code"].clone()).collect();
    assert_eq!(codes, ["no-tab", "base-without-scheme"]);
    assert_eq!((stderr.lines().count(), status), (3, 1));
}

#[test]
fn quiet_leaves_the_status_and_fail_fast_the_first_difference() {
    let base = "http://a/b";
    for (flag, status) in
        [("--compare", 1), ("--compare=host", 0), ("--compare=meaning", 1), ("--check=host", 0), ("-c", 0)]
    {
        absurl(&[flag, "-q", "-b", base]).input("g\n../g\n../h\n").gives("", "", status);
    }
    let (_, stderr, _) = absurl(&["--compare", "-b", base]).input("g\n../g\n../h\n").text();
    assert!(stderr.starts_with("absurl: 2 of 3 references differ\n       2  surplus-dots "), "{stderr}");
    let (stdout, stderr, _) = absurl(&["--compare", "--fail-fast", "-b", base]).input("g\n../g\n../h\n").text();
    assert_eq!(stdout.lines().count(), 6);
    assert!(stderr.starts_with("absurl: 1 of 2 references differs; stopped there\n"), "{stderr}");
}

#[test]
fn each_pair_has_its_own_base() {
    for spec in ["whatwg", "rfc3986"] {
        // dots that the fast way leaves to the standard
        let run = absurl(&["-p", "-s", spec]).input("http://a/b\t..//../g\nhttp://b/c\t..//../g\n");
        run.gives("http://a/g\nhttp://b/g\n", "", 0);
    }
}

#[test]
fn another_spec_answers_in_every_format() {
    let base = ["-b", "http://a/b/c/d;p?q#f"];
    let with =
        |more: &[&str], input: &[u8]| absurl(&[&["-s", "whatwg"], &base[..], more].concat()).input(input).bytes();
    assert_eq!(with(&[], b"../../../g\n\n"), (b"http://a/g\nhttp://a/b/c/d;p?q\n".to_vec(), String::new(), 0));
    assert_eq!(with(&["-k"], b"../../../g\r\n"), (b"../../../g\thttp://a/g\n".to_vec(), String::new(), 0));
    assert_eq!(with(&["-0"], b"a\nb\0g"), (b"http://a/b/c/ab\0http://a/b/c/g\0".to_vec(), String::new(), 0));
    let (stdout, stderr, status) = with(&["--fail-fast", "-q"], b"g\nhttp:///\ng\n");
    assert_eq!((&*stdout, stderr.as_str(), status), (&b"http://a/b/c/g\n\n"[..], "", 1));
    assert_eq!(absurl(&["-s", "rfc1808", "-b", "http://a/b", "../g"]).text().0, "http://a/../g\n");
}

#[test]
fn whatwg_decodes_what_is_not_utf_8_and_rfc_3986_rejects_it() {
    let run = |spec, more: &[&str], input: &'static [u8]| {
        let (stdout, stderr, status) = absurl(&[&["-s", spec], more].concat()).input(input).bytes();
        (String::from_utf8(stdout).unwrap(), stderr, status)
    };
    let (list, base, pairs) = (b"\xFF\ng\n", ["-b", "http://a/b"], b"http://a/\xFF/\tg\nhttp://a/\tg\n");
    let expected = "absurl: -:1: \\xFF is not UTF-8; convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE\n\
                    absurl: -:1: \\xFF is not allowed in a path; write %FF\n";
    assert_eq!(run("rfc3986", &base, list), ("\nhttp://a/g\n".into(), expected.into(), 1));
    let note = undecodable("-:1", "\\xFF");
    assert_eq!(run("whatwg", &base, list), ("http://a/%EF%BF%BD\nhttp://a/g\n".into(), note, 0));
    let (stdout, _, status) = run("rfc3986", &["-p"], pairs);
    assert_eq!((stdout.as_str(), status), ("\nhttp://a/g\n", 1));
    assert_eq!(run("whatwg", &["-p"], pairs).0, "http://a/%EF%BF%BD/g\nhttp://a/g\n");
}

#[test]
fn conflicts_are_reported_in_clear_words() {
    for (arguments, words) in [
        (&["--compare", "-c"][..], "absurl: --check cannot be used with --compare"),
        (&["--compare", "-e"], "absurl: --explain cannot be used with --compare"),
        (&["--compare", "-k"], "absurl: --keep-input cannot be used with --compare"),
        (&["--compare=some"], "absurl: --compare: \"some\" is not all, meaning or host"),
        (&["-s", "rfc2396"], "absurl: --spec: \"rfc2396\" is not rfc1808, rfc3986 or whatwg"),
    ] {
        absurl(&[arguments, &["-b", "http://a/", "g"]].concat()).gives("", predicate::str::contains(words), 2);
    }
    // a reference may follow, because the values of --compare follow a "="
    absurl(&["-b", "http://a/", "--compare", "g"]).gives("", "absurl: no differences in 1 reference\n", 0);
}
