//! `--spec` and `--compare`: what other standards answer, where they differ, and why.
#![cfg(feature = "spec")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::format_collect,
    reason = "a test says no by a panic"
)]

use std::str;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// RFC 3986 §5.4: section, reference, expected.
const RFC_3986: &str = include_str!("data/rfc3986.tsv");
/// The URL Standard: base, reference, expected.
const WHATWG: &str = include_str!("data/whatwg.tsv");
/// Base, reference, the three answers, reasons.
const COMPARE: &str = include_str!("data/compare.tsv");

/// Runs absurl: its standard output, standard error and exit status.
fn absurl(arguments: &[&str], input: impl AsRef<[u8]>) -> (Vec<u8>, String, i32) {
    let output = assert_cmd::Command::new(cargo_bin("absurl")).args(arguments).write_stdin(input.as_ref()).output();
    let output = output.unwrap();
    (output.stdout, String::from_utf8(output.stderr).unwrap(), output.status.code().unwrap())
}

/// The same, where standard output is UTF-8.
fn says(arguments: &[&str], input: impl AsRef<[u8]>) -> (String, String, i32) {
    let (stdout, stderr, status) = absurl(arguments, input);
    (String::from_utf8(stdout).unwrap(), stderr, status)
}

/// The rows of a table: fields parted by TAB, `\xNN` for a byte.
fn rows(table: &str) -> impl Iterator<Item = Vec<Vec<u8>>> {
    let lines = table.lines().filter(|line| !line.starts_with("# ") && !line.is_empty());
    lines.map(|line| {
        let unescape = |field: &str| {
            let mut pieces = field.split("\\x");
            let mut bytes = pieces.next().unwrap().as_bytes().to_vec();
            for piece in pieces {
                bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
                bytes.extend_from_slice(&piece.as_bytes()[2..]);
            }
            bytes
        };
        line.split('\t').map(unescape).collect()
    })
}

/// Bytes for a message.
fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn rfc_3986_has_its_own_42_examples() {
    let mut examples = 0;
    for row in rows(RFC_3986) {
        let (reference, expected) = (&row[1], &row[2]);
        for base in ["http://a/b/c/d;p?q", "http://a/b/c/d;p?q#f"] {
            let input = [reference, &b"\n"[..]].concat();
            let (stdout, stderr, status) = absurl(&["-s", "rfc3986", "-b", base], input);
            assert_eq!(shown(&stdout), shown(&[expected, &b"\n"[..]].concat()), "{}", shown(reference));
            assert_eq!((stderr.as_str(), status), ("", 0));
        }
        examples += 1;
    }
    assert_eq!(examples, 42);
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
        let (stdout, stderr, _) = says(&["-s", "rfc3986", "-b", base, reference], "");
        assert_eq!((stdout.trim_end_matches('\n'), stderr.as_str()), (expected, ""), "{base} + {reference}");
    }
}

#[test]
fn whatwg_has_the_cases_of_the_url_standard() {
    let mut cases = 0;
    for row in rows(WHATWG) {
        let [base, reference, expected] = &row[..] else { panic!("{} fields", row.len()) };
        let input = [reference, &b"\0"[..]].concat();
        let (stdout, stderr, status) = absurl(&["-0", "-s", "whatwg", "-b", str::from_utf8(base).unwrap()], input);
        let case = format!("{} + {}: {stderr}", shown(base), shown(reference));
        assert_eq!(shown(&stdout), shown(&[expected, &b"\0"[..]].concat()), "{case}");
        assert_eq!((status, stderr.is_empty()), (i32::from(expected.is_empty()), !expected.is_empty()), "{case}");
        cases += 1;
    }
    assert!(cases > 70);
}

/// The answer or the code of the error that `--spec` gives, as in the table.
fn answer(spec: &str, base: &[u8], reference: &[u8]) -> Vec<u8> {
    let record = [base, b"\t", reference, b"\n"].concat();
    let (plain, _, status) = absurl(&["-p", "-s", spec], &record);
    if status == 0 {
        return plain.strip_suffix(b"\n").unwrap().to_vec();
    }
    let (json, _, _) = absurl(&["-p", "-j", "-s", spec], &record);
    let object: Value = serde_json::from_slice(&json).unwrap();
    format!("!{}", object["error"]["code"].as_str().unwrap()).into_bytes()
}

#[test]
fn each_row_of_the_table_has_its_answers_and_its_reasons() {
    let mut differing = 0;
    for row in rows(COMPARE) {
        let [base, reference, rfc1808, rfc3986, whatwg, reasons] = &row[..] else { panic!("{} fields", row.len()) };
        let case = format!("{} + {}", shown(base), shown(reference));
        for (spec, expected) in [("rfc1808", rfc1808), ("rfc3986", rfc3986), ("whatwg", whatwg)] {
            assert_eq!(shown(&answer(spec, base, reference)), shown(expected), "{case} by {spec}");
        }
        let record = [base, &b"\t"[..], reference, b"\n"].concat();
        let (json, _, status) = absurl(&["-p", "-j", "--compare"], &record);
        let expected = str::from_utf8(reasons).unwrap();
        if expected == "-" {
            assert_eq!((shown(&json).as_str(), status), ("", 0), "{case}");
            continue;
        }
        differing += 1;
        assert_eq!(status, 1, "{case}");
        let object: Value = serde_json::from_slice(&json).unwrap();
        let reasons: Vec<_> = object["why"].as_array().unwrap().iter().map(|why| why.as_str().unwrap()).collect();
        assert_eq!(reasons.join(","), expected, "{case}");
        for (spec, expected) in [("rfc1808", rfc1808), ("rfc3986", rfc3986), ("whatwg", whatwg)] {
            match str::from_utf8(expected).map(|expected| expected.strip_prefix('!')) {
                Ok(Some(code)) => assert_eq!(object[spec]["error"]["code"], code, "{case}"),
                Ok(None) => assert_eq!(object[spec]["url"].as_str().unwrap().as_bytes(), expected, "{case}"),
                Err(_) => assert!(object[spec]["url_base64"].is_string(), "{case}"),
            }
        }
    }
    assert!(differing > 45, "{differing}");
}

/// What WHATWG only normalises.
const NORMALISATIONS: [&str; 7] =
    ["slash-after-host", "case", "percent-encoding", "default-port", "host-spelling", "backslash", "white-space"];

#[test]
fn meaning_leaves_normalisations_out() {
    for row in rows(COMPARE) {
        let [base, reference, .., reasons] = &row[..] else { panic!("{} fields", row.len()) };
        let record = [base, &b"\t"[..], reference, b"\n"].concat();
        let (json, _, status) = absurl(&["-p", "-j", "--compare=meaning"], &record);
        let reasons = str::from_utf8(reasons).unwrap().split(',');
        let expected: Vec<_> = reasons.filter(|why| *why != "-" && !NORMALISATIONS.contains(why)).collect();
        assert_eq!(status, i32::from(!expected.is_empty()));
        if !expected.is_empty() {
            let object: Value = serde_json::from_slice(&json).unwrap();
            assert_eq!(object["why"], Value::from(expected));
        }
    }
}

#[test]
fn an_error_in_one_is_a_difference_if_another_has_an_answer() {
    let references = every(&[":", "/", "?", "#", "g", "@", " ", "1", "\\", "[", "http:"], 3);
    let mut errors = 0;
    for base in ["", "http://a/b", "x:/a", "telnet://h/x", "mailto:a"] {
        let records: String = references.iter().map(|reference| format!("{base}\t{reference}\0")).collect();
        let (json, _, _) = says(&["-0", "-p", "-j", "--compare=meaning"], records);
        let mut seen = 0;
        for object in json.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let Some(whys) = object["why"].as_array() else { continue };
            let has = |code: &str| whys.iter().any(|why| why == code);
            assert_eq!(has("error-rfc3986"), object["rfc3986"]["error"].is_object(), "{object}");
            assert_eq!(has("error-whatwg"), object["whatwg"]["error"].is_object(), "{object}");
            assert_eq!(has("unsuitable-base"), object["rfc1808"]["error"]["code"] == "unsuitable-base", "{object}");
            assert!(!has("other"), "{object}");
            seen += 1;
        }
        assert!(seen > 0, "{base}");
        errors += seen;
    }
    assert!(errors > 3_000, "{errors}");
}

/// All texts over an alphabet up to a length.
fn every(alphabet: &[&str], longest: u32) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|text| alphabet.iter().map(move |more| format!("{text}{more}"))).collect();
        all.extend_from_slice(&last);
    }
    all
}

#[test]
fn every_difference_has_a_reason_that_is_known() {
    let references = every(&[":", "/", "?", "#", ";", ".", "g", "\\", "%2e", "A"], 4);
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
        let (json, _, _) = says(&["-p", "-j", "--compare"], records);
        for line in json.lines() {
            assert!(!line.contains("\"why\":[]") && !line.contains("\"other\""), "{line}");
            differing += usize::from(line.contains("\"why\":["));
        }
    }
    assert!(differing > 30_000, "{differing}");
}

#[test]
fn a_block_tells_all_and_a_table_counts() {
    let list = "g\n../../../g\nhttp:g\n\n\x1b[1m\n";
    let (stdout, stderr, status) = says(&["--compare", "-b", "http://a/b/c/d#f"], list);
    let expected = r#"-:2: ../../../g
  rfc1808  http://a/../g
  rfc3986  http://a/g
  whatwg   http://a/g
  why      RFC 1808 keeps surplus ".." (step 6)

-:3: http:g
  rfc1808  http:g
  rfc3986  http:g
  whatwg   http://a/b/c/g
  why      RFC 1808 takes a reference with the base's scheme for absolute (step 2b)

-:4: 
  rfc1808  http://a/b/c/d#f
  rfc3986  http://a/b/c/d
  whatwg   http://a/b/c/d
  why      RFC 1808 has an empty reference inherit the base's fragment (step 2a)

-:5: \x1B[1m
  rfc1808  http://a/b/c/\x1B[1m
  rfc3986  error: by RFC 3986 it is no URI reference
  whatwg   http://a/b/c/[1m
  why      RFC 3986 has no answer
  why      WHATWG removes white space and control characters
"#;
    assert_eq!((stdout.as_str(), status), (expected, 1));
    let expected = r#"absurl: 4 of 5 records differ
       1  error-rfc3986           RFC 3986 has no answer
       1  fragment-inherited      RFC 1808 has an empty reference inherit the base's fragment (step 2a)
       1  same-scheme             RFC 1808 takes a reference with the base's scheme for absolute (step 2b)
       1  surplus-dots            RFC 1808 keeps surplus ".." (step 6)
       1  white-space             WHATWG removes white space and control characters
"#;
    assert_eq!(stderr, expected);
}

#[test]
fn agreement_is_silent_and_exits_with_0() {
    let (stdout, stderr, status) = says(&["--compare", "-b", "http://a/b/"], "g\n?y\n../g\n");
    assert_eq!((stdout.as_str(), stderr.as_str(), status), ("", "absurl: 0 of 3 records differ\n", 0));
    let (stdout, stderr, status) = says(&["--compare", "-b", "http://a/b/"], "");
    assert_eq!((stdout.as_str(), stderr.as_str(), status), ("", "absurl: 0 of 0 records differ\n", 0));
}

#[test]
fn a_record_without_any_answer_fails_and_is_no_difference() {
    let (stdout, stderr, status) = says(&["--compare"], "g\nx:y\n");
    let expected = "\
absurl: -:1: the reference has no scheme and there is no base URL (§3.4); give the URL of its document with --base
absurl: 0 of 2 records differ
";
    assert_eq!((stdout.as_str(), stderr.as_str(), status), ("", expected, 1));
    let (stdout, stderr, status) = says(&["--compare", "-p", "-j"], "no tab\nb\tg\n");
    let codes: Vec<_> =
        stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["error"]["code"].clone()).collect();
    assert_eq!(codes, ["no-tab", "base-without-scheme"]);
    assert_eq!((stderr.lines().count(), status), (3, 1));
}

#[test]
fn quiet_leaves_the_table_and_fail_fast_the_first_difference() {
    let base = "http://a/b";
    let (stdout, stderr, status) = says(&["--compare", "-q", "-b", base], "g\n../g\n../h\n");
    assert_eq!((stdout.as_str(), status), ("", 1));
    assert!(stderr.starts_with("absurl: 2 of 3 records differ\n       2  surplus-dots "), "{stderr}");
    let (stdout, stderr, _) = says(&["--compare", "--fail-fast", "-b", base], "g\n../g\n../h\n");
    assert_eq!(stdout.lines().count(), 5);
    assert!(stderr.starts_with("absurl: 1 of 2 records differ\n"), "{stderr}");
}

#[test]
fn in_pairs_a_block_has_its_base() {
    let (stdout, _, status) = says(&["--compare", "-p"], "http://a/b\tg\nhttp://A/b\tg\n");
    assert!(stdout.starts_with("-:2: g\n  base     http://A/b\n  rfc1808  http://A/g\n"), "{stdout}");
    assert_eq!(status, 1);
}

#[test]
fn another_spec_answers_in_every_format() {
    let base = ["-b", "http://a/b/c/d;p?q#f"];
    let with = |more: &[&str], input: &[u8]| absurl(&[&["-s", "whatwg"], &base[..], more].concat(), input);
    assert_eq!(with(&[], b"../../../g\n\n"), (b"http://a/g\nhttp://a/b/c/d;p?q\n".to_vec(), String::new(), 0));
    assert_eq!(with(&["-k"], b"../../../g\r\n"), (b"../../../g\thttp://a/g\n".to_vec(), String::new(), 0));
    assert_eq!(with(&["-0"], b"a\nb\0g"), (b"http://a/b/c/ab\0http://a/b/c/g\0".to_vec(), String::new(), 0));
    let (stdout, stderr, status) = with(&["-j"], b"g\nhttp:///\n");
    let expected = concat!(
        r#"{"source":"-","record":1,"reference":"g","base":"http://a/b/c/d;p?q#f","spec":"whatwg","url":"http://a/b/c/g"}"#,
        "\n",
        r#"{"source":"-","record":2,"reference":"http:///","base":"http://a/b/c/d;p?q#f","spec":"whatwg","error":{"code":"no-host","message":"by the URL Standard a host is missing; write it after \"//\""}}"#,
        "\n"
    );
    assert_eq!(String::from_utf8(stdout).unwrap(), expected);
    assert_eq!(stderr, "absurl: -:2: by the URL Standard a host is missing; write it after \"//\"\n");
    assert_eq!(status, 1);
    let (stdout, stderr, status) = with(&["--fail-fast", "-q"], b"g\nhttp:///\ng\n");
    assert_eq!((&*stdout, stderr.as_str(), status), (&b"http://a/b/c/g\n\n"[..], "", 1));
    assert_eq!(says(&["-s", "rfc1808", "-b", "http://a/b", "../g"], "").0, "http://a/../g\n");
}

#[test]
fn input_that_is_not_utf_8_is_an_error_of_its_record() {
    for spec in ["rfc3986", "whatwg"] {
        let (stdout, stderr, status) = absurl(&["-s", spec, "-b", "http://a/b"], b"\xFF\ng\n");
        assert_eq!((&*stdout, status), (&b"\nhttp://a/g\n"[..], 1));
        let expected = "absurl: -:1: the record or its base is not UTF-8, and only RFC 1808 reads bytes; percent-encode all that is not ASCII\n";
        assert_eq!(stderr, expected);
        let (stdout, _, status) = absurl(&["-p", "-s", spec], b"http://a/\xFF\tg\nhttp://a/\tg\n");
        assert_eq!((&*stdout, status), (&b"\nhttp://a/g\n"[..], 1));
    }
}

#[test]
fn conflicts_are_told_in_clear_words() {
    for (arguments, words) in [
        (
            &["-e", "-s", "whatwg"][..],
            "--explain tells the steps of RFC 1808, and where another spec differs; leave --spec out",
        ),
        (&["-c", "-s", "rfc3986"], "--check judges by the grammar of RFC 1808; leave --spec out"),
        (&["--compare", "-s", "whatwg"], "'--compare[=<WHICH>]' cannot be used with '--spec <SPEC>'"),
        (&["--compare", "-c"], "cannot be used with"),
        (&["--compare", "-e"], "cannot be used with"),
        (&["--compare", "-k"], "cannot be used with"),
        (&["--compare=some"], "invalid value 'some'"),
        (&["-s", "rfc2396"], "invalid value 'rfc2396'"),
    ] {
        let (stdout, stderr, status) = says(&[arguments, &["-b", "http://a/", "g"]].concat(), "");
        assert_eq!((stdout.as_str(), status), ("", 2), "{arguments:?}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    // a reference may follow, for what is compared is given behind a "=" only
    let (_, stderr, status) = says(&["-b", "http://a/", "--compare", "g"], "");
    assert_eq!((stderr.as_str(), status), ("absurl: 0 of 1 record differs\n", 0));
}

#[test]
fn an_explanation_tells_before_its_last_line_where_others_differ() {
    let last = |arguments: &[&str]| {
        let (stdout, _, _) = says(&[&["-e"], arguments].concat(), "");
        let lines: Vec<_> = stdout.lines().rev().take(3).map(|line| line.trim_start().to_owned()).collect();
        lines
    };
    let lines = last(&["-b", "http://a/b/c/d", "../../../g"]);
    assert_eq!(lines[0], "recombined: http://a/../g");
    assert_eq!(lines[1], "Step 7  RFC 3986 and WHATWG would answer http://a/g; RFC 1808 keeps surplus \"..\" (step 6)");
    let lines = last(&["-b", "http://a/b", "//G"]);
    assert_eq!(lines[0], "recombined: http://G");
    assert_eq!(
        lines[1],
        "Step 7  WHATWG would answer http://g/; WHATWG puts a slash after the host; WHATWG puts scheme and host in lower case"
    );
    let lines = last(&["-b", "http://a/b", "\x1bg"]);
    assert_eq!(lines[0], "recombined: http://a/\\x1Bg");
    assert_eq!(lines[1], "WHATWG would answer http://a/g; WHATWG removes white space and control characters");
    assert_eq!(lines[2], "Step 7  RFC 3986 would have no answer: by RFC 3986 it is no URI reference");
    let lines = last(&["-b", "http://a/b/", "g"]);
    assert_eq!(lines[0], "Step 7  recombined: http://a/b/g");
    assert!(lines[1].starts_with("6d"), "{lines:?}");
    let lines = last(&["-b", "http://a/b#f", ""]);
    assert_eq!(lines[0], "skipped by 2a: the answer is http://a/b#f");
    assert!(lines[1].starts_with("Step 7  RFC 3986 and WHATWG would answer http://a/b; "), "{lines:?}");
    let lines = last(&["-b", "mailto:a", "b"]);
    assert!(lines[0].starts_with("error: relative URLs are never used"), "{lines:?}");
    assert!(lines[1].starts_with("2c   RFC 3986 would answer mailto:b; "), "{lines:?}");
    let lines = last(&["g"]);
    assert!(lines[0].starts_with("error: the reference has no scheme"), "{lines:?}");
    assert!(lines[1].starts_with("Step 1"), "{lines:?}");
    let (json, _, _) = says(&["-e", "-j", "-b", "http://a/b", "../g"], "");
    let object: Value = serde_json::from_str(&json).unwrap();
    let steps = object["steps"].as_array().unwrap();
    assert_eq!(steps[steps.len() - 1]["text"], "recombined: http://a/../g");
    assert!(steps[steps.len() - 2]["text"].as_str().unwrap().starts_with("RFC 3986 and WHATWG would answer"));
}

#[test]
fn control_bytes_never_come_out_raw() {
    let mut list = Vec::new();
    for byte in (1..0x20).chain([0x7F, 0x80, 0xC2, 0xFF]) {
        for around in ["", "http://", "//", "x:", "?", "#", "1:", "mailto:"] {
            list.extend_from_slice(around.as_bytes());
            list.extend_from_slice(&[byte, b'g', 0]);
        }
    }
    list.extend_from_slice("\u{9B}31m\0".as_bytes());
    for base in ["http://a/b\u{9B}", "mailto:a", "x:/\u{1B}[1m"] {
        for arguments in
            [&["-c"][..], &["--compare"], &["-e"], &["-q", "--compare"], &["-c", "-j"], &["--compare", "-j"]]
        {
            let (stdout, stderr, _) = absurl(&[&["-0", "-b", base], arguments].concat(), &list);
            let is_json = arguments.contains(&"-j");
            for (text, json) in [(&*stdout, is_json), (stderr.as_bytes(), false)] {
                let control = |byte: &u8| *byte < 0x20 && *byte != b'\n' || *byte == 0x7F;
                let text = String::from_utf8(text.to_vec()).unwrap();
                assert!(json || !text.as_bytes().iter().any(control), "{arguments:?}");
                assert!(json || !text.chars().any(|char| ('\u{80}'..'\u{A0}').contains(&char)), "{arguments:?}");
            }
        }
    }
}
