//! Pages under `--check=host`: they are read in every way that something may read them.

use std::fs;

use serde_json::Value;

use crate::harness::{Run, absurl, new_directory, parse_objects};
use crate::resolve::exact;
use crate::table::{assert_each, read_rows};

/// Name, document, the links in other modes, what is found, whether Chromium requests it: `tests/browser/wary` knows that.
const WARY: &str = include_str!("../data/wary.tsv");

/// The objects that are printed of a document, and the places of its messages.
type Found = (Vec<Value>, Vec<String>);

/// What one run prints of each document that `is_wanted`, and its status.
fn read(flags: &[&str], is_wanted: impl Fn(&[Vec<u8>; 5]) -> bool) -> (Vec<Found>, i32) {
    let directory = new_directory("wary");
    let rows: Vec<_> = read_rows::<5>(WARY).into_iter().filter(is_wanted).collect();
    let write = |(number, [name, text, ..]): (usize, &[Vec<u8>; 5])| {
        let name = format!("{number}/{}", str::from_utf8(name).unwrap());
        fs::create_dir(directory.join(number.to_string())).unwrap();
        fs::write(directory.join(&name), text).unwrap();
        name
    };
    let names: Vec<_> = rows.iter().enumerate().map(write).collect();
    let flags = [&["-lj", "-b", "http://h/"], flags].concat();
    let (stdout, stderr, status) = names.iter().fold(absurl(&flags), Run::argument).directory(&directory).text();
    let objects = parse_objects(stdout);
    let of_document = |name: &String| {
        let own = objects.iter().filter(|object| object["source"] == **name).cloned().collect();
        let messages = stderr.lines().filter_map(|line| line.strip_prefix(&format!("absurl: {name}:")));
        (own, messages.map(|line| line.splitn(3, ':').take(2).collect::<Vec<_>>().join(":")).collect())
    };
    (names.iter().map(of_document).collect(), status)
}

/// The references of links, of those that leave if these are wanted.
fn references(links: &[Value], leave: bool) -> Vec<String> {
    let leaves = |link: &&Value| !leave || link["violations"].as_array().is_some_and(|found| !found.is_empty());
    let reference = |link| exact(link, "reference").unwrap().escape_ascii().to_string();
    links.iter().filter(leaves).map(reference).collect()
}

/// Asserts that each row has what is expected of it in a column.
fn assert_column(column: usize, given: impl IntoIterator<Item = Vec<String>>) {
    let rows = read_rows::<5>(WARY);
    assert_each(rows.iter().zip(given).map(|(row, given)| {
        let case = format!("{} {}", row[0].escape_ascii(), row[1].escape_ascii());
        (case, given.join("|"), row[column].escape_ascii().to_string())
    }));
}

#[test]
fn a_page_is_read_in_every_way() {
    let (answers, status) = read(&["--check=host"], |_| true);
    assert_column(
        3,
        answers.into_iter().map(|(links, places)| {
            let places = places.into_iter().map(|place| format!("!{place}"));
            references(&links, true).into_iter().chain(places).collect()
        }),
    );
    assert_eq!(status, 1);
}

#[test]
fn other_modes_read_what_they_read() {
    // some of these documents are no documents to them
    let (answers, _) = read(&[], |_| true);
    assert_column(2, answers.into_iter().map(|(links, _)| references(&links, false)));
}

#[test]
fn what_is_found_decides_the_status() {
    assert_eq!(read(&["--check=host"], |row| row[3].is_empty()).1, 0);
    for row in read_rows::<5>(WARY).iter().filter(|row| !row[3].is_empty()).step_by(9) {
        assert_eq!(read(&["--check=host"], |other| other == row).1, 1, "{}", row[1].escape_ascii());
    }
    // what Chromium requests is found
    for [_, text, _, found, requests] in read_rows::<5>(WARY) {
        assert!(requests != b"yes" || !found.is_empty(), "{}", text.escape_ascii());
    }
}

/// A page may load a style sheet as text in its own charset (CSS Syntax, 3.2).
#[test]
fn a_style_sheet_without_a_charset_is_in_utf_8() {
    let long = |end: &[u8]| [&b"p{background:url(a)}".repeat(9999), end].concat();
    let message = |place: &str| {
        let what =
            "not searching a text whose charset other readers may not find; convert it to UTF-8 and name that first";
        format!("absurl: -:{place}: {what}\n")
    };
    let part = b"Content-Type: text/css\n\np{--a:'\xFF'}";
    let response = b"HTTP/1.1 200 OK\nContent-Type: text/css; charset=latin1\n\np{--a:'\xFF'}";
    for (media_type, sheet, said) in [
        ("text/css", long(b"/*\xFF*/"), message("1:1")),
        ("text/css", long(b"/*\x1B*/"), message("1:1")),
        ("text/css", long(b"p\0{\0}\0"), message("1:1")),
        ("text/css", long("/*\u{e9}*/".as_bytes()), String::new()),
        ("text/css; charset=latin1", long(b"/*\xFF*/"), String::new()),
        ("message/rfc822", part.to_vec(), message("3:1")),
        ("message/rfc822", response.to_vec(), String::new()),
    ] {
        let run = absurl(&["-l", "--check=host", "-b", "http://h/", "--media-type", media_type]).input(&*sheet);
        let (stdout, stderr, status) = run.text();
        let said_only: String = stderr.split_inclusive('\n').filter(|line| line.contains("-:")).collect();
        assert_eq!((&*stdout, &*said_only, status), ("", &*said, i32::from(!said.is_empty())), "{media_type}");
        assert_eq!(absurl(&["-lq", "-b", "http://h/", "--media-type", media_type]).input(sheet).text().2, 0);
    }
}
