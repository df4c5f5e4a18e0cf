//! Every pair of flags works or is refused with a true sentence, and no flag is silently ignored.

use std::collections::BTreeMap;
use std::fs;

use crate::harness::{absurl, length_of};
use crate::help::output_of;
use crate::table::read_rows;

/// Arguments, and the flags with their values.
const FLAGS: &[&str] = &[
    "tests/data/base/no_base.html tests/data/pairs.html",
    "--base mailto:~x",
    "--file tests/data/readings.tsv",
    "--pairs",
    "--null",
    "--document tests/data/pairs.html",
    "--part 1",
    "--document tests/data/pairs.eml --part 1",
    "--media-type message/rfc822",
    "--links",
    "--rewrite",
    "--in-place",
    "--dry-run",
    "--move a b",
    "--moved a b",
    "--root tests/data",
    "--print-base",
    "--relative",
    "--keep-input",
    "--with-place",
    "--json",
    "--explain",
    "--color always",
    "--progress",
    "--check",
    "--allow H",
    "--check=host --allow H",
    "--spec whatwg",
    "--compare",
    "--fail-fast",
    "--quiet",
    "--generate man",
];

/// The flags of a line, as the table names them.
fn name_of(flags: &str) -> String {
    let names: Vec<_> = flags.split(' ').filter(|word| word.starts_with("--")).collect();
    if names.is_empty() { "REFERENCE".into() } else { names.join(" ") }
}

/// A list, a page and an email on standard input; a NUL or a tag of HTML at the start of a list would be refused. With one of them at least, each flag changes something.
const INPUTS: [&str; 3] = [
    "<p-q>\ng\nhttp://H/\ttests/data/base/no_base.html\n\n//h//a/../b c\nx:LONG\nx:y\0g\n",
    "<p-q><base href=../b?/><a href=../z?>x</a>\n<a href='g h'><img src=//h/%zz>\n",
    "Content-Type: text/html\nBase: <URL:http://m/n/>\n\n<a href=../../z>\n",
];

/// Flags that change nothing together with others, and why that is right.
const NO_EFFECT: &[(&str, &[&str])] = &[
    // the base URL in the document applies
    ("--base", &["--document", "--document --part"]),
    // without --base there is no own host
    ("--document", &["--check=host --allow"]),
    ("--document --part", &["--check=host --allow"]),
    // an email is recognized
    ("--media-type", &["--document --part"]),
    // the others take precedence; a relative BASE and --base would show it with --print-base;
    // without a base all say the same
    (
        "--spec",
        &[
            "REFERENCE",
            "--file",
            "--relative",
            "--check=host --allow",
            "--compare",
            "--generate",
            "--print-base",
            "--rewrite",
        ],
    ),
    // a mailto URL has no other reference
    ("--relative", &["--base"]),
    // no record fails, or only one
    ("--fail-fast", &["--document", "--document --part", "--print-base"]),
    ("--quiet", &["--document", "--document --part", "--generate"]),
];

/// Whether a flag changes nothing together with another one.
fn has_no_effect(flag: &str, other: &str) -> bool {
    match flag {
        "--color" => !["--explain", "--part", "--media-type"].contains(&other), // nothing is colored
        "--progress" => !["--part", "--media-type"].contains(&other),           // standard error is not a terminal
        _ => NO_EFFECT.iter().any(|(name, others)| *name == flag && others.contains(&other)),
    }
}

/// What the program does with an input.
fn run_with(flags: &str, input: &str) -> (Vec<u8>, String, i32) {
    absurl(&[]).words(flags).input(input.replace("LONG", &"y".repeat(512))).bytes()
}

/// What the program does with each of the inputs.
fn run(flags: &str) -> Vec<(Vec<u8>, String, i32)> {
    INPUTS.map(|input| run_with(flags, input)).into()
}

/// The pairs that are refused, and their sentences.
fn read_refused() -> BTreeMap<(String, String), String> {
    let table = fs::read_to_string("tests/data/pairs.tsv").expect("the table");
    let text = |field| String::from_utf8(field).expect("the table is UTF-8");
    let rows = read_rows(&table).into_iter().skip(1).map(|row| row.map(text));
    let mut refused = BTreeMap::new();
    for [first, second, sentence] in rows {
        let other = refused.insert((first, second), sentence);
        assert_eq!(other, None, "two rows have one pair");
    }
    refused
}

/// Tries each pair of flags with the first inputs that show that both change something, or with `all` of them.
fn each_pair_works_or_is_refused(all: bool) {
    let refused = read_refused();
    let alone: Vec<_> = FLAGS.iter().map(|flags| (name_of(flags), flags, run(flags))).collect();
    let mut refusals = 0;
    for (number, (first, one, one_alone)) in alone.iter().enumerate() {
        for (second, two, two_alone) in &alone[number..] {
            let sentence = refused.get(&(first.clone(), second.clone()));
            refusals += usize::from(sentence.is_some());
            let mut without_effect = vec![(first, second, two_alone), (second, first, one_alone)];
            without_effect.retain(|(flag, other, _)| !has_no_effect(flag, other) && !second.contains(&**first));
            for (index, input) in INPUTS.iter().enumerate() {
                let together = run_with(&format!("{one} {two}"), input);
                if let Some(sentence) = sentence {
                    assert_eq!(together, (Vec::new(), format!("absurl: {sentence}\n"), 2), "{first} {second}");
                    assert!(length_of(sentence) <= 120, "{sentence}");
                    assert_eq!(together, run_with(&format!("{two} {one}"), input), "{second} {first}");
                    without_effect.clear();
                } else {
                    // an email cannot be rewritten
                    let works = together.2 < 2 || together.1.contains("cannot be rewritten");
                    assert!(works, "{first} {second}: {together:?}");
                    without_effect.retain(|(_, _, without)| together == without[index]);
                }
                if without_effect.is_empty() && !all {
                    break;
                }
            }
            let without_effect: Vec<_> = without_effect.iter().map(|(flag, other, _)| (flag, other)).collect();
            assert!(without_effect.is_empty(), "{without_effect:?}");
        }
    }
    assert_eq!(refusals, refused.len());
}

#[test]
fn each_pair_of_flags_works_or_is_refused_with_its_sentence() {
    each_pair_works_or_is_refused(false);
}

#[test]
#[ignore = "1,400 processes: 3 seconds"]
fn each_pair_of_flags_works_or_is_refused_with_each_input() {
    each_pair_works_or_is_refused(true);
}

#[test]
fn each_flag_of_the_help_is_paired() {
    let help = output_of(&["-h"]);
    let lines = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let listed = lines.filter_map(|line| line.split_once("--")?.1.split([' ', '[']).next());
    let paired: Vec<_> =
        FLAGS.iter().flat_map(|flags| flags.split(' ')).filter_map(|word| word.strip_prefix("--")).collect();
    let missing: Vec<_> = listed.filter(|name| !paired.contains(name) && !["help", "version"].contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_flag_given_twice_applies_once() {
    for flags in FLAGS.iter().filter(|flags| !["REFERENCE", "--file", "--part"].contains(&&*name_of(flags))) {
        assert_eq!(run(&format!("{flags} {flags}")), run(flags), "{flags}");
    }
}

#[test]
fn of_a_flag_given_twice_the_last_applies() {
    for (flags, output) in [
        ("-b http://a/ -b http://b/ g", "http://b/g\n"),
        ("-s rfc3986 -s whatwg -b http://a/ /./g h#", "http://a/g\nhttp://a/h#\n"),
        ("-s whatwg -s rfc1808 -b http://a/ /./g", "http://a/./g\n"),
        ("--compare --compare=meaning -b http://a g", ""),
        ("--compare --compare=host -b http://a ../g", ""),
        ("--color always --color never -b http://a/ g", "http://a/g\n"),
        ("-d tests/data/base/no_base.html -d tests/data/pairs.html g", "http://a/g\n"),
        ("-d tests/data/pairs.eml --part 7 --part 1 g", "http://a/g\n"),
        ("-qq -jj --fail-fast --fail-fast -b x:/ -s whatwg -c ?", ""),
    ] {
        let (stdout, _, status) = absurl(&[]).words(flags).text();
        assert_eq!(status, 0, "{flags}");
        assert!(stdout == output || output.is_empty(), "{flags}: {stdout}");
    }
}
