//! The links in the headers of responses and messages (§3.1).

use serde_json::Value;

use crate::harness::{Answer, Document, absurl, fields, parse_objects, read_documents};
use crate::table::{assert_each, read_rows};

/// Where a case is from, options and a name, a message, its links, what is said about it, the exit status.
const HEADERS: &str = include_str!("../data/headers.tsv");

/// A link as the table has it.
fn link(link: &Value) -> String {
    let rel = link["rel"].as_str().map(|rel| format!("[{rel}] ")).unwrap_or_default();
    let url = link["url"].as_str().or(link["reference"].as_str()).unwrap_or_default();
    let attribute = link["attribute"].as_str().unwrap_or_default();
    format!("{}:{} {attribute} {rel}{url}", link["line"], link["column"])
}

#[test]
fn each_header_of_the_table_has_its_links_and_messages() {
    let mut rows = read_rows::<6>(HEADERS);
    let is_check = |row: &[Vec<u8>; 6]| row[1].starts_with(b"--check");
    rows.sort_by_key(is_check);
    let status_of = |status: &[u8]| str::from_utf8(status).expect("UTF-8").parse::<i32>().expect("a number");
    let documents = rows.iter().map(|[_, options, text, _, _, status]| {
        let unnamed = Document::new(options, text);
        let (options, name) = unnamed.options.rsplit_once(' ').unwrap_or(("", unnamed.options));
        let name = if name == "-" { unnamed.name } else { name };
        Document { options, name, status: Some(status_of(status)), ..unnamed }
    });
    // --check says at the end how many there are
    let checked = |document: &Document<'_>| {
        let flags = ["-lj", "-b", "http://h/d/", document.options, "-"];
        let (found, said, status) = absurl(&flags).input(document.text).text();
        let is_of_document = |line: &&str| line.starts_with("absurl: -:");
        let leaves = |link: &Value| link["violations"].as_array().is_some_and(|all| !all.is_empty());
        let found = parse_objects(found).into_iter().filter(leaves).collect();
        (found, said.lines().filter(is_of_document).map(|line| format!("{line}\n")).collect(), status)
    };
    let (checks, documents): (Vec<_>, Vec<_>) = documents.partition(|document| !document.options.is_empty());
    let read = read_documents(&["-l", "-b", "http://h/d/"], &documents);
    let answers = read.into_iter().chain(checks.iter().map(checked));
    assert_each(rows.iter().zip(answers).map(
        |([source, _, text, links, messages, status], (objects, said, given)): (_, Answer)| {
            let lines = |field: &[u8], start: &str| {
                let lines = str::from_utf8(field).expect("UTF-8").split_terminator('|');
                lines.map(|line| format!("{start}{line}\n")).collect::<String>()
            };
            let found = objects.iter().map(|its| link(its) + "\n").collect();
            let expected = (lines(links, ""), lines(messages, "absurl: -:"), status_of(status));
            (format!("{} {}", source.escape_ascii(), text.escape_ascii()), (found, said, given), expected)
        },
    ));
}

#[test]
fn links_of_headers_come_first_and_have_an_element_of_their_own() {
    let dump = "HTTP/1.1 200 OK\nLink: <a>; rel=next\nContent-Type: text/html\n\n<a href=b rel='Prev x'>";
    let (stdout, stderr, status) = absurl(&["-lj", "-b", "http://h/", "-"]).input(dump).text();
    let expected = ["field link next http://h/a", "a href Prev x http://h/b"];
    assert_eq!(
        (&fields(&stdout, "element attribute rel url")[..], &*stderr, status),
        (&expected.map(str::to_owned)[..], "", 0)
    );
    let explained = absurl(&["-le", "-b", "http://h/", "-"]).input(dump).text().0;
    assert!(explained.starts_with("-:2:8 <field link>: a\n"), "{explained}");
}

/// What a redirect to another host gives is relative to a URL there.
#[test]
fn a_redirect_to_a_host_without_a_scheme_is_found() {
    for (location, found) in [("//e/b", 1), ("/\\e/b", 1), ("//own/p", 0), ("/b", 0)] {
        let dump =
            format!("HTTP/1.1 302 F\nLocation: {location}\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<a href=x>");
        let run = |mode: &[&str]| absurl(mode).words("-l -b http://own/p -").input(dump.clone()).text().2;
        assert_eq!((run(&["--check=host"]), run(&[])), (found, 0), "{location}");
    }
}

/// To a browser, each byte of HTTP is a character.
#[test]
fn bytes_outside_ascii_are_characters_in_http() {
    let dump = b"HTTP/1.1 201 Created\nLocation: \xE9?\xC3\xA9\nContent-Type: text/html\n\n<p>";
    absurl(&["-l", "-b", "http://h/", "-"]).input(&dump[..]).gives(&b"http://h/\xE9?\xC3\xA9\n"[..], "", 0);
    absurl(&["-ls", "whatwg", "-b", "http://h/", "-"]).input(&dump[..]).gives("http://h/%C3%A9?%C3%83%C2%A9\n", "", 0);
    let dump = "HTTP/1.1 200 OK\nLink: <//\u{EA}.com/>\nContent-Type: text/html\n\n<p>";
    let found = "-:2:8: //\u{EA}.com/: reaches xn--a-xfa.com (WHATWG), not xn--bda.com\n";
    let sum = "absurl: 1 link may leave its host\n";
    absurl(&["-l", "--check=host", "-b", "http://\u{EA}.com/", "-"]).input(dump).gives(found, sum, 1);
}

/// A header is as long as a message may be.
#[test]
fn a_long_header_is_read_once() {
    let start = "HTTP/1.1 200 OK\nContent-Type: application/json\n";
    let many = |text: &str| text.repeat(100_000);
    for (fields, count) in [
        (format!("Link: {}{}", " ".repeat(1_000_000), many("<a>,")), 100_000),
        (format!("Link: {}", many("<a>; rel=x,\n ")), 100_000),
        (format!("Link: {}", many("<a>; anchor,")), 0),
        (format!("Link: {}", many("<a>; \"")), 1),
        (format!("List-Help: {}", many("<a> (x(y)),")), 100_000),
        (format!("List-Help: {}", many("((")), 0),
        (many("Link:\n"), 0),
    ] {
        let (stdout, ..) = absurl(&["-l", "-b", "http://h/", "-"]).input(format!("{start}{fields}\n\n{{}}")).text();
        assert_eq!(stdout.lines().count(), count, "{}", &fields[..20]);
    }
}
