//! Where flags meet, and where the bases of documents meet the standards that resolve their links.

use crate::harness::{Run, absurl, split_words};
use crate::table::{assert_each, read_rows};

/// Messages of a row as they are on standard error.
fn join_messages(field: &str, before: &str) -> String {
    let messages = field.split('|').filter(|message| !message.is_empty());
    messages.map(|message| format!("absurl: {before}{message}\n")).collect()
}

/// What the program prints for a command line.
fn run_line(line: &str) -> (String, String, i32) {
    split_words(line).iter().fold(absurl(&[]), Run::argument).text()
}

#[test]
fn flags_that_meet() {
    let rows = read_rows(include_str!("../data/flags.tsv"));
    assert_each(rows.iter().map(|fields: &[Vec<u8>; 4]| {
        let [line, output, errors, status] = fields.each_ref().map(|field| str::from_utf8(field).expect("UTF-8"));
        let expected = match output.strip_prefix("= ") {
            Some(same) => run_line(same),
            None => (output.to_owned(), join_messages(errors, ""), status.parse().unwrap()),
        };
        (line, (run_line(line), expected.2.to_string()), (expected, status.to_owned()))
    }));
}

#[test]
fn bases_that_meet_standards() {
    let rows = read_rows(include_str!("../data/standards.tsv"));
    assert_each(rows.iter().map(|fields: &[Vec<u8>; 5]| {
        let [options, document, output, errors, status] =
            fields.each_ref().map(|field| str::from_utf8(field).expect("UTF-8"));
        let run = absurl(&["-l", "-b", "http://a/b/c", "-"]).words(options).input(document);
        let expected = (output.to_owned(), join_messages(errors, "-:"), status.parse().unwrap());
        (format!("{options} {document}"), run.text(), expected)
    }));
}

#[test]
fn a_base_is_at_most_8_kib_long_with_the_one_around_it() {
    for (around, own, is_used) in [(4096, 4096, true), (4096, 4097, false), (4097, 4096, false)] {
        let around = format!("http://a/{}/", "x".repeat(around - "http://a//".len()));
        let own = format!("{}/", "y".repeat(own - 1));
        let run = absurl(&["-l", "-b", &around, "-"]).input(format!("<base href='{own}'><a href=g>"));
        let ignored = predicates::str::contains("it may be longer than 8 KiB once it is resolved");
        if is_used {
            run.gives(format!("{around}{own}g\n"), "", 0);
        } else {
            run.gives(format!("{around}g\n"), ignored, 1);
        }
    }
}
