//! The answers: the program against the RFC's examples, the readings, the literal oracle, and the laws.

use crate::generate::{
    Pair, Random, as_pairs, as_records, every, single_bytes, slices, some_pairs, some_reference, string,
};
use crate::harness::{Run, absurl, parse_objects, records};
use crate::oracle::{self, Components, Failure};
use crate::table::{assert_each, read_rows};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Output;
use std::str;

/// §5.1, §5.2 and §10: section, base, reference, expected.
const EXAMPLES: &str = include_str!("../data/examples.tsv");
/// Where the RFC is silent or contradicts itself: reading, base, reference, expected, error.
const READINGS: &str = include_str!("../data/readings.tsv");
/// What the author of RFC 1808 published as its answers: page, base, reference, expected.
const ROYTEST: &str = include_str!("../data/roytest.tsv");
/// The base of §5.
pub const BASE: &str = "http://a/b/c/d;p?q#f";
/// The components in the order in which they are inherited, and printed.
pub const NAMES: [&str; 6] = ["scheme", "net_loc", "path", "params", "query", "fragment"];

/// The bases and references of a table, its second and third column.
fn pairs_of<const N: usize>(table: &[[Vec<u8>; N]]) -> Vec<Pair> {
    table.iter().map(|row| (row[1].clone(), row[2].clone())).collect()
}

/// Asserts that the pairs of a table have the answers of its fourth column.
fn assert_as_pairs<const N: usize>(table: &[[Vec<u8>; N]], status: i32) {
    for (arguments, end) in [(&["--pairs"][..], b'\n'), (&["--pairs", "-0"], b'\0')] {
        let run = absurl(arguments).input(as_pairs(&pairs_of(table), end)).output();
        let got = records(&run.stdout, end);
        assert_eq!(got.len(), table.len(), "{}", complaint(&run));
        assert_each(table.iter().zip(got).map(|(row, got)| {
            let [section, base, reference, expected] = [0, 1, 2, 3].map(|field| row[field].escape_ascii().to_string());
            (format!("{section}: {base} + {reference}"), got.escape_ascii().to_string(), expected)
        }));
        assert_eq!(run.status.code(), Some(status), "{}", complaint(&run));
    }
}

/// The code that `--json` gives a failure.
pub fn code(failure: &Failure) -> &'static str {
    match failure {
        Failure::NoBase => "no-base",
        Failure::UnsuitableBase => "unsuitable-base",
        Failure::BaseWithoutScheme => "base-without-scheme",
    }
}

/// The record the oracle expects, and the exit status 1 if it is a failure's: an empty record.
fn expected_answer(base: &[u8], reference: &[u8]) -> (Vec<u8>, i32) {
    match oracle::resolve(base, reference) {
        Ok(answer) => (answer.url, 0),
        Err(_) => (Vec::new(), 1),
    }
}

/// Asserts that the run answered each pair as the oracle does, record by record, and has the exit status for it.
pub fn assert_as_oracle<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>, run: &Output, end: u8) {
    let mut got = records(&run.stdout, end).into_iter();
    let (mut count, mut status, mut differences) = (0, 0, Vec::new());
    for (base, reference) in pairs {
        let (expected, failed) = expected_answer(base, reference);
        status |= failed;
        count += 1;
        let got = got.next();
        if got != Some(&expected[..]) && differences.len() < 10 {
            let [base, reference, expected] = [base, reference, &expected[..]].map(<[u8]>::escape_ascii);
            let got = got.map_or("no record".to_string(), |got| format!("\"{}\"", got.escape_ascii()));
            differences.push(format!(
                "record {count}: base \"{base}\", reference \"{reference}\"\n  expected \"{expected}\"\n  got      {got}"
            ));
        }
    }
    assert!(differences.is_empty(), "the first differences:\n{}\n{}", differences.join("\n"), complaint(run));
    assert_eq!(got.next(), None, "more than {count} records");
    assert_eq!(run.status.code(), Some(status), "{}", complaint(run));
}

/// The exit status, and the beginning of what the run said on standard error.
pub fn complaint(run: &Output) -> String {
    let said: String = String::from_utf8_lossy(&run.stderr).chars().take(1000).collect();
    format!("{}, standard error: {said}", run.status)
}

/// The JSON objects that the program printed for the pairs, one each.
pub fn json(arguments: &[&str], pairs: &[Pair]) -> Vec<Value> {
    let run = absurl(&[arguments, &["--pairs", "-0", "--json", "-q"]].concat()).input(as_pairs(pairs, b'\0')).output();
    let objects = parse_objects(&run.stdout);
    assert_eq!(objects.len(), pairs.len(), "{}", complaint(&run));
    objects
}

/// The exact bytes of the field `name`: those in base64, where the text had to lose some.
pub fn exact(object: &Value, name: &str) -> Option<Vec<u8>> {
    match object[format!("{name}_base64")].as_str() {
        Some(base64) => Some(BASE64.decode(base64).expect("it is base64")),
        None => object[name].as_str().map(|text| text.as_bytes().to_vec()),
    }
}

/// The names of the inherited components.
pub fn inherited_names(object: &Value) -> Vec<&str> {
    let names = object["inherited"].as_array().unwrap_or_else(|| panic!("nothing said of what is inherited: {object}"));
    names.iter().map(|name| name.as_str().expect("a name is a string")).collect()
}

/// The six components by the names of the RFC: what `--json` prints of them.
pub fn name_components(components: &Components) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    serde_json::json!({
        "scheme": components.scheme.as_deref().map(text),
        "net_loc": components.net_loc.as_deref().map(text),
        "path": text(&components.path),
        "params": text(&components.params),
        "query": text(&components.query),
        "fragment": text(&components.fragment),
    })
}

/// The examples whose base is the one of §5: references, and what is expected.
fn examples_of_section_5() -> (Vec<String>, Vec<String>) {
    let text = |bytes| String::from_utf8(bytes).expect("the examples are ASCII");
    let table: Vec<[_; 4]> = read_rows(EXAMPLES);
    let section_5 = table.into_iter().filter(|[_, base, ..]| base == BASE.as_bytes());
    section_5.map(|[_, _, reference, expected]| (text(reference), text(expected))).unzip()
}

#[test]
fn the_tables_are_complete() {
    assert_eq!(read_rows::<4>(EXAMPLES).len(), 40);
    assert_eq!(read_rows::<4>(ROYTEST).len(), 73);
    let rows: Vec<[_; 5]> = read_rows(READINGS);
    for reading in 1..=20 {
        let number = reading.to_string().into_bytes();
        assert!(rows.iter().any(|row| row[0] == number), "no row for reading {reading}");
    }
}

#[test]
fn the_oracle_agrees_with_the_examples() {
    let rows = read_rows(EXAMPLES).into_iter().chain(read_rows(ROYTEST));
    assert_each(rows.map(|[section, base, reference, expected]| {
        let row = format!("§{} {}", section.escape_ascii(), reference.escape_ascii());
        let url = oracle::resolve(&base, &reference).map(|answer| answer.url.escape_ascii().to_string());
        (row, url, Ok(expected.escape_ascii().to_string()))
    }));
}

#[test]
fn the_oracle_agrees_with_the_readings() {
    assert_each(read_rows(READINGS).into_iter().map(|[reading, base, reference, expected, error]| {
        let got = match oracle::resolve(&base, &reference) {
            Ok(answer) => (answer.url.escape_ascii().to_string(), String::new()),
            Err(failure) => (String::new(), code(&failure).to_owned()),
        };
        let [reading, base, reference] = [reading, base, reference].map(|field| field.escape_ascii().to_string());
        let expected = (expected.escape_ascii().to_string(), String::from_utf8(error).expect("a code is ASCII"));
        (format!("{reading}: {base} + {reference}"), got, expected)
    }));
}

#[test]
fn the_examples_hold_as_arguments() {
    assert_each(read_rows(EXAMPLES).into_iter().map(|[_, base, reference, expected]| {
        let [base, reference, expected] = [base, reference, expected].map(|field| String::from_utf8(field).unwrap());
        let run = absurl(&["--base", &base, "--", &reference]).text();
        (format!("{base} + {reference}"), run, (expected + "\n", String::new(), 0))
    }));
}

#[test]
fn the_examples_hold_as_many_arguments() {
    let (references, expected) = examples_of_section_5();
    let run = references.iter().fold(absurl(&["-b", BASE, "--"]), Run::argument);
    run.gives(expected.join("\n") + "\n", "", 0);
}

#[test]
fn the_examples_hold_on_standard_input() {
    let (references, expected) = examples_of_section_5();
    for (arguments, end) in [(&["-b", BASE][..], "\n"), (&["-b", BASE, "-0"], "\0")] {
        let input = as_records(&references, end.as_bytes()[0]);
        absurl(arguments).input(input).gives(expected.join(end) + end, "", 0);
    }
}

#[test]
fn the_examples_hold_as_pairs() {
    assert_as_pairs(&read_rows::<4>(EXAMPLES), 0);
    assert_as_pairs(&read_rows::<4>(ROYTEST), 0);
}

#[test]
fn the_examples_hold_in_json() {
    let table: Vec<[_; 4]> = read_rows(EXAMPLES);
    let pairs = pairs_of(&table);
    assert_each(table.iter().zip(json(&[], &pairs)).map(|([_, base, reference, expected], object)| {
        let given = ["base", "reference", "url"].map(|name| object[name].as_str().map(str::to_owned));
        let expected = [base, reference, expected].map(|field| String::from_utf8(field.clone()).ok());
        (object, given, expected)
    }));
}

#[test]
fn the_last_line_of_an_explanation_ends_in_the_answer() {
    assert_each(read_rows(EXAMPLES).into_iter().map(|[_, base, reference, expected]| {
        let [base, reference] = [&base, &reference].map(|field| str::from_utf8(field).expect("an example is ASCII"));
        let run = absurl(&["--explain", "--base", base, "--", reference]).output();
        let explanation = run.stdout.trim_ascii_end();
        let last = explanation.rsplit(|&b| b == b'\n').next().expect("a split has at least one piece");
        let before = last.strip_suffix(&expected[..]);
        let case = format!("{reference}: {}{}", last.escape_ascii(), complaint(&run));
        (case, (before.is_some_and(|b| b.ends_with(b" ")), run.status.code()), (true, Some(0)))
    }));
}

#[test]
fn the_readings_hold_as_pairs() {
    assert_as_pairs(&read_rows::<5>(READINGS), 1); // some rows are failures
}

#[test]
fn the_readings_hold_with_a_base_option() {
    // not every system has arguments that are not UTF-8; those bases are tried as pairs
    let rows = read_rows::<5>(READINGS).into_iter().filter(|[_, base, ..]| str::from_utf8(base).is_ok());
    let (mut runs, mut rows_of_runs) = (BTreeMap::<_, Vec<_>>::new(), Vec::new());
    for (index, row) in rows.enumerate() {
        // those that have a message have runs of their own
        let is_silent = row[4].is_empty() && !row[1].is_empty();
        runs.entry((row[1].clone(), (!is_silent).then_some(index))).or_default().push(row);
    }
    for ((base, own), rows) in runs {
        let references: Vec<_> = rows.iter().map(|row| &row[2]).collect();
        let base = str::from_utf8(&base).expect("UTF-8");
        let run = absurl(&["-0", "--base", base]).input(as_records(&references, b'\0')).output();
        let mut got = records(&run.stdout, b'\0').into_iter();
        rows_of_runs.extend(rows.iter().map(|[reading, _, reference, expected, error]| {
            let row = format!(
                "reading {}: {base} + {}: {}",
                reading.escape_ascii(),
                reference.escape_ascii(),
                complaint(&run)
            );
            let (expected, status) = match &error[..] {
                b"" => (Some(&**expected), 0),
                b"base-without-scheme" => (None, 2), // an error before anything is read
                _ => (Some(&b""[..]), 1),
            };
            let shown = |record: Option<&[u8]>| record.map(|record| record.escape_ascii().to_string());
            let given = (shown(got.next()), run.status.code(), run.stderr.is_empty());
            (row, given, (shown(expected), Some(status), own.is_none()))
        }));
        assert_eq!(got.next(), None, "{base}");
    }
    assert_each(rows_of_runs);
}

#[test]
fn the_readings_hold_in_json() {
    let table: Vec<[_; 5]> = read_rows(READINGS);
    let pairs = pairs_of(&table);
    assert_each(table.iter().zip(json(&[], &pairs)).map(|([_, _, _, expected, error], object)| {
        let url = exact(&object, "url").map(|url| url.escape_ascii().to_string());
        let has_message = object["error"]["message"].as_str().is_some_and(|message| !message.is_empty());
        let code = object["error"]["code"].as_str().map(str::to_owned);
        let expected = match &**error {
            b"" => (Some(expected.escape_ascii().to_string()), None, false),
            error => (None, Some(error.escape_ascii().to_string()), true),
        };
        let has_field = object.get(if error.is_empty() { "error" } else { "url" }).is_some();
        (object, ((url, code, has_message), has_field), (expected, false))
    }));
}

/// Compares every reference of so many bytes with the oracle.
fn every_reference_agrees(longest: u32) {
    let references: Vec<_> = every(&single_bytes(b":/?#;.g"), longest).collect();
    let bases = [
        BASE,
        "http://a",               // no path
        "http://a/",              // nothing but the slash
        "http://a#f",             // no path, and something after it
        "http://a?x/y",           // a net_loc with "?"
        "http://a/b;p/q?r#s",     // params with "/"
        "http://a/b/../c/./d/..", // dots in the path, the last segment too
        "http://a/../..//./b;p",  // dots that no segment precedes
        "http://a//b//c",         // empty segments
        "http://a//x?q",          // an empty first segment
        "file:///etc/hosts",      // an empty net_loc
        "x://",                   // an empty net_loc and nothing else
        "x:/a",                   // no net_loc
        "x:/.//b",                // no net_loc, and a path that would look like one
        "http:b",                 // a path without slash
        "urn:a/b",                // a path without slash, of two segments
        "g:",                     // nothing but a scheme
        "g:;p?q#f",               // no path
        "mailto:g@h",             // unsuitable
    ];
    for base in bases {
        let run = absurl(&["-q", "--base", base]).input(as_records(&references, b'\n')).output();
        assert_as_oracle(references.iter().map(|reference| (base.as_bytes(), &reference[..])), &run, b'\n');
    }
}

#[test]
fn every_short_reference_resolves_as_the_oracle_says() {
    every_reference_agrees(5);
}

#[test]
#[ignore = "2.6 million pairs: 2 seconds"]
fn every_reference_of_6_bytes_resolves_as_the_oracle_says() {
    every_reference_agrees(6);
}

/// Compares random pairs in lines with the oracle.
fn pairs_in_lines_agree(count: usize) {
    let mut pairs = some_pairs(1808, count, b"\n");
    let run = absurl(&["-q", "--pairs"]).input(as_pairs(&pairs, b'\n')).output();
    // A line may end in CR LF.
    for (_, reference) in &mut pairs {
        if reference.ends_with(b"\r") {
            reference.pop();
        }
    }
    assert_as_oracle(slices(&pairs), &run, b'\n');
}

/// Compares random pairs that end in NUL with the oracle.
fn pairs_that_end_in_nul_agree(count: usize) {
    let pairs = some_pairs(1738, count, b"\0");
    let run = absurl(&["-q", "--pairs", "-0"]).input(as_pairs(&pairs, b'\0')).output();
    assert_as_oracle(slices(&pairs), &run, b'\0');
}

#[test]
fn random_pairs_resolve_as_the_oracle_says() {
    pairs_in_lines_agree(100_000);
    pairs_that_end_in_nul_agree(100_000);
}

#[test]
#[ignore = "a million pairs: 2 seconds"]
fn a_million_random_pairs_resolve_as_the_oracle_says() {
    pairs_in_lines_agree(500_000);
    pairs_that_end_in_nul_agree(500_000);
}

#[test]
fn random_references_of_one_base_resolve_as_the_oracle_says() {
    for (seed, base) in [BASE, "http://www.ics.uci.edu/Test/a/b/c", "urn:a/b", "x:/a", "", "news:x"].iter().enumerate()
    {
        for (arguments, end) in [(&["-q"][..], b'\n'), (&["-q", "-0"], b'\0')] {
            let mut random = Random(seed as u64);
            let references: Vec<_> = (0..10_000).map(|_| some_reference(&mut random, b"\r\n\0")).collect();
            let run = absurl(&[arguments, &["-b", base]].concat()).input(as_records(&references, end)).output();
            assert_as_oracle(references.iter().map(|reference| (base.as_bytes(), &reference[..])), &run, end);
        }
    }
}

/// Compares references of up to `longest` bytes with the oracle, some of them much longer.
fn references_of_any_length_agree(longest: usize) {
    let mut random = Random(1995);
    let references: Vec<_> = (0..2 * longest)
        .map(|number| {
            let longest = if number % 100 == 99 { 40 * longest } else { longest };
            let reference = string(&mut random, longest, b"\r\n\0");
            // once longer than any block that input may be read in
            let much = if number == longest { 3_000_000 } else { 0 };
            [b"../x/..".repeat(much.min(1)), vec![b'x'; much], reference].concat()
        })
        .collect();
    for (arguments, end) in [(&["-b", BASE][..], b'\n'), (&["-b", BASE, "-0"], b'\0')] {
        let run = absurl(arguments).input(as_records(&references, end)).output();
        assert_as_oracle(references.iter().map(|reference| (BASE.as_bytes(), &reference[..])), &run, end);
    }
}

#[test]
fn references_of_any_length_resolve_as_the_oracle_says() {
    references_of_any_length_agree(200);
}

#[test]
#[ignore = "3,000 references: a second"]
fn longer_references_of_any_length_resolve_as_the_oracle_says() {
    references_of_any_length_agree(1_500);
}

#[test]
fn json_carries_bytes_that_are_not_utf_8() {
    let pairs = [(b"x://h\xFF/a".to_vec(), b"\xC3(\xE9?\x80".to_vec())];
    let [object] = &json(&[], &pairs)[..] else { panic!("not one object") };
    let url = b"x://h\xFF/\xC3(\xE9?\x80";
    for (name, bytes) in [("base", &pairs[0].0[..]), ("reference", &pairs[0].1), ("url", url)] {
        assert_eq!(object[name], String::from_utf8_lossy(bytes).as_ref(), "{object}");
        assert_eq!(object[format!("{name}_base64")], BASE64.encode(bytes), "{object}");
    }
}
