//! The answers: the program against the RFC's examples, the readings, the literal oracle, and the laws.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test says no by a panic")]

mod oracle;
mod support;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use oracle::{Components, Failure};
use serde_json::Value;
use std::process::Output;
use std::str;
use support::{Random, absurl, every, records, rows};

/// §5.1, §5.2 and §10: section, base, reference, expected.
const EXAMPLES: &str = include_str!("data/examples.tsv");
/// Where the RFC is silent or contradicts itself: reading, base, reference, expected, error.
const READINGS: &str = include_str!("data/readings.tsv");
/// The base of §5.
const BASE: &str = "http://a/b/c/d;p?q#f";
/// The components in the order in which they are inherited, and printed.
const NAMES: [&str; 6] = ["scheme", "net_loc", "path", "params", "query", "fragment"];

/// A base and a reference.
type Pair = (Vec<u8>, Vec<u8>);

// ---------------------------------------------------------------------------------------------------------- helpers

/// The bases and references of a table, its second and third column.
fn pairs_of<const N: usize>(table: &[[Vec<u8>; N]]) -> Vec<Pair> {
    table.iter().map(|row| (row[1].clone(), row[2].clone())).collect()
}

/// The pairs as records `BASE TAB REFERENCE`, each with its `end`.
fn as_pairs(pairs: &[Pair], end: u8) -> Vec<u8> {
    pairs.iter().flat_map(|(base, reference)| [base, &b"\t"[..], reference, &[end]].concat()).collect()
}

/// The references as records, each with its `end`.
fn as_records(references: &[impl AsRef<[u8]>], end: u8) -> Vec<u8> {
    references.iter().flat_map(|reference| [reference.as_ref(), &[end]].concat()).collect()
}

/// The code that `--json` gives a failure.
fn code(failure: &Failure) -> &'static str {
    match failure {
        Failure::NoBase => "no-base",
        Failure::UnsuitableBase => "unsuitable-base",
        Failure::BaseWithoutScheme => "base-without-scheme",
    }
}

/// The record the oracle expects, and the exit status 1 if it is a failure's: an empty record.
fn expected(base: &[u8], reference: &[u8]) -> (Vec<u8>, i32) {
    match oracle::resolve(base, reference) {
        Ok(answer) => (answer.url, 0),
        Err(_) => (Vec::new(), 1),
    }
}

/// Asserts that the run answered each pair as the oracle does, record by record, and has the exit status for it.
fn assert_as_oracle<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>, run: &Output, end: u8) {
    let mut got = records(&run.stdout, end).into_iter();
    let (mut count, mut status, mut differences) = (0, 0, Vec::new());
    for (base, reference) in pairs {
        let (expected, failed) = expected(base, reference);
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
fn complaint(run: &Output) -> String {
    let said: String = String::from_utf8_lossy(&run.stderr).chars().take(1000).collect();
    format!("{}, standard error: {said}", run.status)
}

/// The JSON objects that the program printed for the pairs, one each.
fn json(arguments: &[&str], pairs: &[Pair]) -> Vec<Value> {
    let run = absurl(&[arguments, &["--pairs", "-0", "--json", "-q"]].concat(), as_pairs(pairs, b'\0'));
    let lines = records(&run.stdout, b'\n');
    assert_eq!(lines.len(), pairs.len(), "{}", complaint(&run));
    let object = |line: &&[u8]| serde_json::from_slice(line).unwrap_or_else(|e| panic!("{e}: {}", line.escape_ascii()));
    lines.iter().map(object).collect()
}

/// The exact bytes of the field `name`: those in base64, where the text had to lose some.
fn exact(object: &Value, name: &str) -> Option<Vec<u8>> {
    match object[format!("{name}_base64")].as_str() {
        Some(base64) => Some(BASE64.decode(base64).expect("it is base64")),
        None => object[name].as_str().map(|text| text.as_bytes().to_vec()),
    }
}

/// The names of the inherited components.
fn inherited(object: &Value) -> Vec<&str> {
    let names = object["inherited"].as_array().unwrap_or_else(|| panic!("nothing said of what is inherited: {object}"));
    names.iter().map(|name| name.as_str().expect("a name is a string")).collect()
}

/// The six components by the names of the RFC: what `--json` prints of them.
fn named(components: &Components) -> Value {
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

// ------------------------------------------------------------------------------------------------- pairs by chance

/// A string of fewer than `longest` bytes without any of the bytes `never`: delimiters, dots, or anything.
fn string(random: &mut Random, longest: usize, never: &[u8]) -> Vec<u8> {
    let length = random.below(longest);
    let piece = |random: &mut Random, style| match style {
        0 => random.pick(&["/", "/", ".", ".", "..", "g", ";", "?", "#", ":"]).as_bytes().to_vec(),
        1 => random.pick(&["/", "../", "./", "g/", "/..", "..", ".", "%2e", "...", "a-b_c.html"]).as_bytes().to_vec(),
        2 => random.pick(&["/", "g", "x.y", "../", "\u{e9}", "\u{20ac}", "?k=v&", "#", ";t=a"]).as_bytes().to_vec(),
        3 => vec![random.byte() & 0x7F],
        _ => vec![random.byte()],
    };
    let style = random.below(6); // the last: a new style for each piece
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let style = if style == 5 { random.below(5) } else { style };
        bytes.extend(piece(random, style));
    }
    bytes.iter_mut().filter(|b| never.contains(b)).for_each(|b| *b = b'g');
    bytes
}

/// A base: most are valid, some empty, some without scheme, some unsuitable.
fn some_base(random: &mut Random, never: &[u8]) -> Vec<u8> {
    let never = [never, b"\t"].concat();
    let start = match random.below(20) {
        0 => return Vec::new(),
        1 => "",
        2 => random.pick(&["mailto:", "MAILTO:", "news:", "NeWs:", "telnet:", "telneT://h/", "newsx:"]),
        _ => random.pick(&[
            "http://a/",
            "http://a",
            "http://a//",
            "HTTP:",
            "file:///",
            "urn:",
            "x-1.y+z://u@h:80/",
            "g:/",
        ]),
    };
    [start.as_bytes(), &string(random, 24, &never)].concat()
}

/// A reference: one in twelve has a scheme, one in twelve a `net_loc`.
fn some_reference(random: &mut Random, never: &[u8]) -> Vec<u8> {
    let start = match random.below(12) {
        0 => random.pick(&["g:", "http:", "1+.-:", "MailTo:"]),
        1 => "//",
        _ => "",
    };
    [start.as_bytes(), &string(random, 24, never)].concat()
}

/// As many pairs of base and reference, without any of the bytes `never`.
fn some_pairs(seed: u64, count: usize, never: &[u8]) -> Vec<Pair> {
    let mut random = Random(seed);
    (0..count).map(|_| (some_base(&mut random, never), some_reference(&mut random, never))).collect()
}

/// The pairs as slices.
fn slices(pairs: &[Pair]) -> impl Iterator<Item = (&[u8], &[u8])> {
    pairs.iter().map(|(base, reference)| (&base[..], &reference[..]))
}

// -------------------------------------------------------------------------------------------------------- the tables

/// The examples whose base is the one of §5: references, and what is expected.
fn examples_of_section_5() -> (Vec<String>, Vec<String>) {
    let text = |bytes| String::from_utf8(bytes).expect("the examples are ASCII");
    let table: Vec<[_; 4]> = rows(EXAMPLES);
    let section_5 = table.into_iter().filter(|[_, base, ..]| base == BASE.as_bytes());
    section_5.map(|[_, _, reference, expected]| (text(reference), text(expected))).unzip()
}

#[test]
fn the_tables_are_whole() {
    assert_eq!(rows::<4>(EXAMPLES).len(), 40);
    let rows: Vec<[_; 5]> = rows(READINGS);
    for reading in 1..=19 {
        let number = reading.to_string().into_bytes();
        assert!(rows.iter().any(|row| row[0] == number), "no row for reading {reading}");
    }
}

#[test]
fn the_oracle_agrees_with_the_examples() {
    for [section, base, reference, expected] in rows(EXAMPLES) {
        let row = format!("§{} {}", section.escape_ascii(), reference.escape_ascii());
        let url = oracle::resolve(&base, &reference).map(|answer| answer.url);
        assert_eq!(url, Ok(expected), "{row}");
    }
}

#[test]
fn the_oracle_agrees_with_the_readings() {
    for [reading, base, reference, expected, error] in rows(READINGS) {
        let got = match oracle::resolve(&base, &reference) {
            Ok(answer) => (answer.url.escape_ascii().to_string(), ""),
            Err(failure) => (String::new(), code(&failure)),
        };
        let [reading, base, reference] = [reading, base, reference].map(|field| field.escape_ascii().to_string());
        let expected = (expected.escape_ascii().to_string(), str::from_utf8(&error).expect("a code is ASCII"));
        assert_eq!((got.0.as_str(), got.1), (expected.0.as_str(), expected.1), "{reading}: {base} + {reference}");
    }
}

#[test]
fn the_examples_hold_as_arguments() {
    for [_, base, reference, expected] in rows(EXAMPLES) {
        let [base, reference] = [&base, &reference].map(|field| str::from_utf8(field).expect("an example is ASCII"));
        let run = absurl(&["--base", base, "--", reference], Vec::new());
        assert_eq!(records(&run.stdout, b'\n'), [&expected[..]], "{reference}: {}", complaint(&run));
        assert_eq!(run.status.code(), Some(0), "{reference}");
    }
}

#[test]
fn the_examples_hold_as_many_arguments() {
    let (references, expected) = examples_of_section_5();
    let arguments: Vec<_> = ["-b", BASE, "--"].into_iter().chain(references.iter().map(String::as_str)).collect();
    let run = absurl(&arguments, Vec::new());
    assert_eq!(String::from_utf8_lossy(&run.stdout), expected.join("\n") + "\n", "{}", complaint(&run));
    assert_eq!(run.status.code(), Some(0));
}

#[test]
fn the_examples_hold_on_standard_input() {
    let (references, expected) = examples_of_section_5();
    for (arguments, end) in [(&["-b", BASE][..], "\n"), (&["-b", BASE, "-0"], "\0")] {
        let run = absurl(arguments, as_records(&references, end.as_bytes()[0]));
        assert_eq!(String::from_utf8_lossy(&run.stdout), expected.join(end) + end, "{}", complaint(&run));
        assert_eq!(run.status.code(), Some(0));
    }
}

#[test]
fn the_examples_hold_as_pairs() {
    let table: Vec<[_; 4]> = rows(EXAMPLES);
    let pairs = pairs_of(&table);
    for (arguments, end) in [(&["--pairs"][..], b'\n'), (&["--pairs", "-0"], b'\0')] {
        let run = absurl(arguments, as_pairs(&pairs, end));
        let got = records(&run.stdout, end);
        assert_eq!(got.len(), table.len(), "{}", complaint(&run));
        for ([_, _, reference, expected], got) in table.iter().zip(got) {
            assert_eq!(got, expected, "{}", reference.escape_ascii());
        }
        assert_eq!(run.status.code(), Some(0));
    }
}

#[test]
fn the_examples_hold_in_json() {
    let table: Vec<[_; 4]> = rows(EXAMPLES);
    let pairs = pairs_of(&table);
    for ([_, base, reference, expected], object) in table.iter().zip(json(&[], &pairs)) {
        for (name, value) in [("base", base), ("reference", reference), ("url", expected)] {
            assert_eq!(object[name].as_str().map(str::as_bytes), Some(&value[..]), "{name} of {object}");
        }
    }
}

#[test]
fn the_last_line_of_an_explanation_ends_in_the_answer() {
    for [_, base, reference, expected] in rows(EXAMPLES) {
        let [base, reference] = [&base, &reference].map(|field| str::from_utf8(field).expect("an example is ASCII"));
        let run = absurl(&["--explain", "--base", base, "--", reference], Vec::new());
        let explanation = run.stdout.trim_ascii_end();
        let last = explanation.rsplit(|&b| b == b'\n').next().expect("a split has at least one piece");
        let before = last.strip_suffix(&expected[..]);
        assert!(before.is_some_and(|b| b.ends_with(b" ")), "{reference}: {}{}", last.escape_ascii(), complaint(&run));
        assert_eq!(run.status.code(), Some(0), "{reference}");
    }
}

#[test]
fn the_readings_hold_as_pairs() {
    let table: Vec<[_; 5]> = rows(READINGS);
    let pairs = pairs_of(&table);
    for (arguments, end) in [(&["--pairs"][..], b'\n'), (&["--pairs", "-0"], b'\0')] {
        let run = absurl(arguments, as_pairs(&pairs, end));
        let got = records(&run.stdout, end);
        assert_eq!(got.len(), table.len(), "{}", complaint(&run));
        for ([reading, base, reference, expected, _], got) in table.iter().zip(got) {
            let [reading, base, reference] = [reading, base, reference].map(|field| field.escape_ascii());
            let [got, expected] = [got, expected].map(|url| url.escape_ascii().to_string());
            assert_eq!(got, expected, "reading {reading}: {base} + {reference}");
        }
        assert_eq!(run.status.code(), Some(1), "some rows are failures");
    }
}

#[test]
fn the_readings_hold_with_a_base_option() {
    for [reading, base, reference, expected, error] in rows(READINGS) {
        // Not every system has arguments that are not UTF-8; those bases are tried as pairs.
        let Ok(base) = str::from_utf8(&base) else { continue };
        let row = format!("reading {}: {base} + {}", reading.escape_ascii(), reference.escape_ascii());
        let run = absurl(&["-0", "--base", base], as_records(&[&reference], b'\0'));
        let (records_expected, status): (&[&[u8]], _) = match &error[..] {
            b"" => (&[&expected], 0),
            b"base-without-scheme" => (&[], 2), // an error before anything is read
            _ => (&[b""], 1),
        };
        assert_eq!(records(&run.stdout, b'\0'), records_expected, "{row}: {}", complaint(&run));
        assert_eq!(run.status.code(), Some(status), "{row}: {}", complaint(&run));
        assert_eq!(run.stderr.is_empty(), status == 0, "{row}: {}", complaint(&run));
    }
}

#[test]
fn the_readings_hold_in_json() {
    let table: Vec<[_; 5]> = rows(READINGS);
    let pairs = pairs_of(&table);
    for ([_, _, _, expected, error], object) in table.iter().zip(json(&[], &pairs)) {
        if error.is_empty() {
            assert_eq!(exact(&object, "url").as_ref(), Some(expected), "{object}");
            assert_eq!(object["error"], Value::Null, "{object}");
        } else {
            assert_eq!(object["error"]["code"].as_str().map(str::as_bytes), Some(&error[..]), "{object}");
            assert!(object["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{object}");
            assert_eq!(object.get("url"), None, "{object}");
        }
    }
}

// -------------------------------------------------------------------------------------------------------- the oracle

#[test]
fn every_short_reference_resolves_as_the_oracle_says() {
    let references: Vec<_> = every(b":/?#;.g", 6).collect();
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
        let run = absurl(&["-q", "--base", base], as_records(&references, b'\n'));
        assert_as_oracle(references.iter().map(|reference| (base.as_bytes(), &reference[..])), &run, b'\n');
    }
}

#[test]
fn half_a_million_random_pairs_in_lines_resolve_as_the_oracle_says() {
    let mut pairs = some_pairs(1808, 500_000, b"\n");
    let run = absurl(&["-q", "--pairs"], as_pairs(&pairs, b'\n'));
    // A line may end in CR LF.
    for (_, reference) in &mut pairs {
        if reference.ends_with(b"\r") {
            reference.pop();
        }
    }
    assert_as_oracle(slices(&pairs), &run, b'\n');
}

#[test]
fn half_a_million_random_pairs_that_end_in_nul_resolve_as_the_oracle_says() {
    let pairs = some_pairs(1738, 500_000, b"\0");
    let run = absurl(&["-q", "--pairs", "-0"], as_pairs(&pairs, b'\0'));
    assert_as_oracle(slices(&pairs), &run, b'\0');
}

#[test]
fn random_references_of_one_base_resolve_as_the_oracle_says() {
    for (seed, base) in [BASE, "http://www.ics.uci.edu/Test/a/b/c", "urn:a/b", "x:/a", "", "news:x"].iter().enumerate()
    {
        for (arguments, end) in [(&["-q"][..], b'\n'), (&["-q", "-0"], b'\0')] {
            let mut random = Random(seed as u64);
            let references: Vec<_> = (0..10_000).map(|_| some_reference(&mut random, b"\r\n\0")).collect();
            let run = absurl(&[arguments, &["-b", base]].concat(), as_records(&references, end));
            assert_as_oracle(references.iter().map(|reference| (base.as_bytes(), &reference[..])), &run, end);
        }
    }
}

#[test]
fn references_of_any_length_resolve_as_the_oracle_says() {
    let mut random = Random(1995);
    let references: Vec<_> = (0..3000)
        .map(|number| {
            let longest = if number % 100 == 99 { 20_000 } else { 500 };
            let reference = string(&mut random, longest, b"\r\n\0");
            // Now and then longer than any block that input may be read in.
            let much = if number % 1000 == 999 { 3_000_000 } else { 0 };
            [b"../x/..".repeat(much.min(1)), vec![b'x'; much], reference].concat()
        })
        .collect();
    for (arguments, end) in [(&["-b", BASE][..], b'\n'), (&["-b", BASE, "-0"], b'\0')] {
        let run = absurl(arguments, as_records(&references, end));
        assert_as_oracle(references.iter().map(|reference| (BASE.as_bytes(), &reference[..])), &run, end);
    }
}

// ---------------------------------------------------------------------------------------------------------- the laws

#[test]
fn law_1_as_many_records_come_out_as_went_in_and_in_their_order() {
    // With failures in between: without base, with an unsuitable one, and with both and worse as pairs.
    let mut random = Random(1);
    let references: Vec<_> = (0..2000).map(|_| some_reference(&mut random, b"\r\n\0")).collect();
    let all = some_pairs(2, 2000, b"\r\n\0");
    for base in [None, Some(""), Some("mailto:x"), Some(BASE)] {
        for (null, end) in [(&[][..], b'\n'), (&["-0"], b'\0')] {
            let arguments = [null, base.map_or(vec![], |base| vec!["-b", base]).as_slice()].concat();
            let run = absurl(&arguments, as_records(&references, end));
            let base = base.unwrap_or("").as_bytes();
            assert_as_oracle(references.iter().map(|reference| (base, &reference[..])), &run, end);
            assert_each_failure_has_its_message(references.iter().map(|reference| (base, &reference[..])), &run);
        }
    }
    for (arguments, end) in [(&["--pairs"][..], b'\n'), (&["--pairs", "-0"], b'\0')] {
        let run = absurl(arguments, as_pairs(&all, end));
        assert_as_oracle(slices(&all), &run, end);
        assert_each_failure_has_its_message(slices(&all), &run);
    }
}

/// Asserts that standard error has one line for each pair that fails, in their order, and that it names the record.
fn assert_each_failure_has_its_message<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])>, run: &Output) {
    let said = String::from_utf8(run.stderr.clone()).expect("messages are ASCII: other bytes are written as escapes");
    let failed = pairs.enumerate().filter(|(_, (base, reference))| oracle::resolve(base, reference).is_err());
    let mut said = said.lines();
    for (index, _) in failed {
        let start = format!("absurl: -:{}: ", index + 1);
        let message = said.next();
        assert!(message.is_some_and(|message| message.starts_with(&start)), "{start} is not the start of {message:?}");
    }
    assert_eq!(said.next(), None, "a message for no failure");
}

#[test]
fn law_1_counts_empty_records_and_one_without_its_end() {
    let run = |arguments: &[&str], input: &[u8]| absurl(arguments, input.to_vec()).stdout;
    assert_eq!(run(&["-b", "x:/a"], b""), b"");
    assert_eq!(run(&["-b", "x:/a"], b"\n"), b"x:/a\n");
    assert_eq!(run(&["-b", "x:/a"], b"g"), b"x:/g\n");
    assert_eq!(run(&["-b", "x:/a"], b"\n\r\ng\n\n\nh"), b"x:/a\nx:/a\nx:/g\nx:/a\nx:/a\nx:/h\n");
    assert_eq!(run(&["-b", "x:/a", "-0"], b"\0"), b"x:/a\0");
    assert_eq!(run(&["-b", "x:/a", "-0"], b"g\0\0\0h"), b"x:/g\0x:/a\0x:/a\0x:/h\0");
}

#[test]
fn law_1_holds_in_json() {
    let pairs = some_pairs(3, 5000, b"\0");
    for (index, ((base, reference), object)) in pairs.iter().zip(json(&[], &pairs)).enumerate() {
        assert_eq!(object["source"], "-", "{object}");
        assert_eq!(object["record"], index + 1, "{object}");
        assert_eq!(exact(&object, "reference").as_ref(), Some(reference), "{object}");
        assert_eq!(exact(&object, "base").unwrap_or_default(), *base, "{object}");
        match oracle::resolve(base, reference) {
            Ok(answer) => assert_eq!(exact(&object, "url"), Some(answer.url), "{object}"),
            Err(failure) => assert_eq!(object["error"]["code"], code(&failure), "{object}"),
        }
    }
}

#[test]
fn law_2_parsing_a_result_gives_back_what_was_recombined() {
    let mut pairs = some_pairs(4, 20_000, b"\0");
    for base in ["http://a", "x:/a", "file:///b;p?q#f", "g:b"] {
        pairs.extend(every(b":/?#;.g", 4).map(|reference| (base.into(), reference)));
    }
    for ((base, reference), object) in pairs.iter().zip(json(&[], &pairs)) {
        if oracle::resolve(base, reference).is_err() {
            continue;
        }
        let url = exact(&object, "url").unwrap_or_else(|| panic!("no url: {object}"));
        let components = named(&oracle::parse(&url));
        assert_eq!(object["components"], components, "{object}");

        // What was recombined: the inherited ones from the base, the others from the reference. Only the path that
        // step 6 merges is neither's, and a path may have gained the `/` of reading 5 or the `/.` of reading 6.
        let (base, reference) = (named(&oracle::parse(base)), named(&oracle::parse(reference)));
        let inherited = inherited(&object);
        for name in NAMES {
            let origin = if inherited.contains(&name) { &base } else { &reference };
            if name != "path" {
                assert_eq!(components[name], origin[name], "{name} of {object}");
            } else if object["step"] != "6" {
                let [path, origin] = [&components, origin].map(|of| of[name].as_str().expect("a path is a string"));
                let gained = path.strip_suffix(origin);
                assert!(gained.is_some_and(|gained| ["", "/", "/."].contains(&gained)), "path of {object}");
            }
        }
    }
}

#[test]
fn law_3_a_reference_with_a_scheme_comes_back_as_it_went_in() {
    let mut random = Random(5);
    let references: Vec<_> = (0..20_000)
        .map(|_| {
            [random.pick(&["g:", "http:", "HTTP://", "1+.-:", "mailto:"]).as_bytes(), &string(&mut random, 40, b"\0")]
                .concat()
        })
        .collect();
    let input = as_records(&references, b'\0');
    for base in ["", BASE, "g:", "mailto:x", "x://"] {
        let run = absurl(&["-0", "-b", base], input.clone());
        assert!(run.stdout == input, "base {base}: {}", complaint(&run));
        assert_eq!(run.status.code(), Some(0), "base {base}: {}", complaint(&run));
    }
}

#[test]
fn law_4_what_is_inherited_is_a_prefix_of_the_six_components() {
    let mut pairs = some_pairs(6, 20_000, b"\0");
    pairs.extend(every(b":/?#;.g", 4).map(|reference| (BASE.into(), reference)));
    for ((base, reference), object) in pairs.iter().zip(json(&[], &pairs)) {
        let Ok(answer) = oracle::resolve(base, reference) else { continue };
        let inherited = inherited(&object);
        assert!(NAMES.starts_with(&inherited), "{object}");
        assert_eq!(inherited, answer.inherited, "{object}");
    }
}

#[test]
fn law_5_an_explanation_lists_what_the_literal_rewriting_of_step_6_removes() {
    let mut pairs = some_pairs(7, 10_000, b"\0");
    for base in [BASE, "urn:a/b", "http://a//x/../y"] {
        pairs.extend(every(b"./g", 8).map(|reference| (base.into(), reference)));
    }
    for ((base, reference), object) in pairs.iter().zip(json(&["--explain"], &pairs)) {
        let Ok(answer) = oracle::resolve(base, reference) else { continue };
        let expected: Vec<_> = answer
            .removals
            .iter()
            .map(|(operation, removed)| (format!("6{operation}"), String::from_utf8_lossy(removed).into_owned()))
            .collect();
        let removal = |item: &Value| Some((item["step"].as_str()?.to_string(), item["removed"].as_str()?.to_string()));
        let steps = object["steps"].as_array().unwrap_or_else(|| panic!("no steps: {object}"));
        assert_eq!(steps.iter().filter_map(removal).collect::<Vec<_>>(), expected, "{object}");
        assert_eq!(exact(&object, "url"), Some(answer.url), "{object}");
    }
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
