//! What is not a document, or has nothing that was asked for.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::documents::without_base;
use crate::harness::{Document, SHARED_BASE, absurl, located, new_directory, new_file, read_documents};
use crate::table::{assert_each, message_of, read_rows};

/// What is said about a message without HTML.
pub const NO_HTML: &str = "absurl: -: the message has no HTML part, and plain text is not searched\n";

#[test]
fn what_is_not_a_list_is_refused_by_its_first_bytes() {
    let binary = "binary data, not lines; use --null if NUL ends them";
    let document = "a document, not a list; use --links";
    let utf_16 = "UTF-16; convert it: iconv -f UTF-16 -t UTF-8 FILE";
    let json = "JSON, not a list; jq -r '.. | strings' prints its strings";
    let playlist = "a playlist; grep -v '^#' prints its URLs";
    let rows: &[(&[u8], &str)] = &[
        (b"\x1F\x8B\x08\0g\n", "gzip data; zcat FILE prints its text"),
        (b"BZh91AY&SY\n", "bzip2 data; bzcat FILE prints its text"),
        (b"\xFD7zXZ\0\n", "xz data; xzcat FILE prints its text"),
        (b"\x28\xB5\x2F\xFD\n", "zstd data; zstdcat FILE prints its text"),
        (b"PK\x03\x04\x14\0\n", "a zip archive; unzip it, then pass its directory to --links"),
        (b"%PDF-1.4\n", "a PDF; pdftohtml -stdout FILE prints its text"),
        (b"WARC/1.0\r\n", "a WARC; warcio extract --payload FILE OFFSET prints a page"),
        (b"\xFF\xFEg\0\n\0", utf_16),
        (b"\xFE\xFF\0g\0\n", utf_16),
        (b"<!DOCTYPE html>\n", document),
        (b"\xEF\xBB\xBF\n <HTML>\n", document),
        (b"<?xml version='1.0'?>\n", document),
        (b"<a href=g>\n", document),
        (b"\n<P>\n", document),
        (b"<br/>g\n", document),
        (b"<!-- g\n", document),
        (b"HTTP/1.1 200 OK\n", document),
        (b"http/2 200\n", document),
        (b"HTTP/3 200\n", document),
        (b"Return-Path: x\n", document),
        (b"received: x\n", document),
        (b"Delivered-To: x\n", document),
        (b"Message-ID: x\n", document),
        (b"MIME-Version: 1.0\n", document),
        (b"g\n\0\n", binary),
        (b"a\0b\n", binary),
        (b"\0", binary),
        (&[&[b'g'; 511][..], b"\0\n"].concat(), binary),
        (b"g\0h", binary),
        (b"[\"g\", \"h\"]\n", json),
        (b"\xEF\xBB\xBF \r\n{ \n\t\"url\": \"g\"}\n", json),
        (b"[ \n {}]", json),
        (&[b"{", &*b" \n".repeat(9), b"\"g\""].concat(), json),
        (b"#EXTM3U\n#EXT-X-VERSION:3\na.ts\n", playlist),
        (b"\xEF\xBB\xBF#EXTM3U x\r\n", playlist),
        (b"#EXTM3U", playlist),
    ];
    for (list, what) in rows {
        let message = format!("absurl: -: {what}\n");
        for arguments in [&["-b", "x:"][..], &["-p"], &["-c"], &["-j", "-b", "x:"], &["-l", "-p"], &["-e", "-b", "x:"]]
        {
            let (stdout, stderr, status) = absurl(arguments).input(*list).text();
            assert!(stderr.starts_with(&message), "{arguments:?}: {stderr}");
            assert_eq!((&*stdout, status), ("", 2), "{arguments:?}");
        }
        let path = new_file("no_list", list);
        let message = format!("absurl: {path}: {what}\n");
        absurl(&["-b", "x:", "-f", &path, "-f", "-", "h"]).input("g\n").gives("x:h\nx:g\n", message, 2);
        if *what == binary {
            assert_eq!(absurl(&["-0", "-b", "x:"]).input(*list).bytes().2, 0, "{list:?}");
        } else if *what == json {
            absurl(&["-0", "-b", "x:"]).input(*list).gives("", format!("absurl: -: {json}\n"), 2);
        }
    }
}

#[test]
fn references_that_look_like_other_files_are_references() {
    for reference in [
        &b"GIF89a.html"[..],
        b"a/b/ftyp",
        b"OggSpeex.html",
        b"RIFF",
        b"wOFF",
        b"wOF2.css",
        b"PAR1/x",
        b"OTTO",
        b"ttcf.html",
        b"SQLite format 3",
        b"bplist00.html",
        b"!arch",
        b"BZhx1AY&SY",
        b"<http://a/>",
        b"<g.html>",
        b"<p-q>",
        b"< p>",
        b"<!g>",
        b"<>",
        b"<?g",
        b"{}",
        b"[]",
        b"[1, \"g\"]",
        b"[[\"g\"]]",
        b"{ g",
        b"\"g\"",
        b"BM",
        b"PDF-1.4",
        b"\x1B[31m",
        b"\x01\x02\x03",
        &[&[b'g'; 600][..], b"\0"].concat(),
    ] {
        let list = [reference, b"\n"].concat();
        absurl(&["-b", "x:"]).input(&*list).gives([b"x:", &*list].concat(), "", 0);
    }
    absurl(&["-b", "x:", "{\"a\": 1}"]).gives("x:{\"a\": 1}\n", "", 0);
    // a terminal and a coprocess are answered at once, whatever comes later
    let mut running = absurl(&["-b", "x:"]).start(Stdio::piped(), Stdio::piped(), Stdio::null());
    let (mut input, mut output) = (running.stdin.take().unwrap(), running.stdout.take().unwrap());
    for (record, answer) in [(b"g\n", b"x:g\n"), (b"\0\n", b"x:\0\n")] {
        input.write_all(record).unwrap();
        let mut read = [0; 4];
        output.read_exact(&mut read).unwrap();
        assert_eq!(&read, answer);
    }
}

#[test]
fn json_that_arrives_in_pieces_is_refused() {
    let json = "absurl: -: JSON, not a list; jq -r '.. | strings' prints its strings";
    let refused = &*format!("{json}\n");
    for (piece, answer, rest, answers, message) in [
        ("{", "", "\"g\": 1}\n", "", refused),
        ("[ ", "", "\n\"g\"]\n", "", refused),
        ("{\n", "", "  \"g\": 1\n}\n", "", refused),
        ("[\n  ", "", "{\n", "", refused),
        // more is needed to see what it is, but after the first record
        ("[\n", "", "1\n\"g\"\n", "x:[\nx:1\nx:\"g\"\n", ""),
        ("[\n", "", "", "x:[\n", ""),
        ("\n", "x:\n", "[\n", "x:[\n", ""),
        ("g\n", "x:g\n", "{\"g\": 1}\n", "x:{\"g\": 1}\n", ""),
    ] {
        let mut running = absurl(&["-b", "x:"]).start(Stdio::piped(), Stdio::piped(), Stdio::piped());
        let (mut input, mut output) = (running.stdin.take().unwrap(), running.stdout.take().unwrap());
        input.write_all(piece.as_bytes()).unwrap();
        let mut read = vec![0; answer.len()];
        output.read_exact(&mut read).unwrap();
        assert_eq!(read, answer.as_bytes());
        if answer.is_empty() {
            sleep(Duration::from_millis(50)); // a slow machine reads both pieces at once, and says the same
        }
        input.write_all(rest.as_bytes()).unwrap();
        drop(input);
        let (mut more, mut said) = (String::new(), String::new());
        output.read_to_string(&mut more).unwrap();
        running.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((&*more, &*said), (answers, message), "{piece:?}");
    }
}

#[test]
fn a_response_that_is_still_compressed_is_not_searched() {
    let response = |field: &str, body: &[u8]| {
        let header = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{field}\r\n\r\n");
        [header.as_bytes(), body].concat()
    };
    let packed = b"\x1F\x8B\x08\0\0\0<a href=x>\n";
    for name in ["gzip", "x-gzip", "br", "deflate", "zstd", "compress"] {
        let what = "which cannot be read as text/html; fetch it with curl -iL --compressed URL";
        let message = format!("absurl: -:5:1: not searching the content, {what}\n");
        let field = format!("content-ENCODING: {} ", name.to_uppercase());
        absurl(&["--links"]).input(response(&field, packed)).gives("", message.clone(), 1);
        let base = ["-b", "http://h/", "-d", "-", "g"];
        absurl(&base).input(response(&field, packed)).gives("http://h/g\n", message, 1);
        let page = b"<base href=http://a/b/>\n<a href=x>";
        absurl(&["--links"]).input(response(&field, page)).gives("http://a/b/x\n", "", 0);
    }
    absurl(&["--links"]).input(response("Content-Encoding: identity", b"\x01<a href=x:>")).gives("x:\n", "", 0);
    let image = [&b"HTTP/1.1 200 OK\nContent-Type: image/png\nContent-Encoding: gzip\n\n"[..], packed].concat();
    let what = "which is image/png";
    absurl(&["--links"]).input(image).gives("", format!("absurl: -:5:1: not searching the content, {what}\n"), 1);
}

#[test]
fn a_refused_document_leaves_the_others() {
    let empty = &*new_file("empty", "");
    let arguments = ["--links", "-b", "http://a/b", empty, "tests/data/base/no_base.html"];
    absurl(&arguments).gives("http://a/../x\n", format!("{SHARED_BASE}absurl: {empty}: empty\n"), 2);
    let list = format!("http://a/b\t{empty}\nhttp://a/b\ttests/data/base/no_base.html\n");
    let message = format!("absurl: -:1: {empty}: empty\n");
    absurl(&["--links", "-p"]).input(list).gives("\nhttp://a/../x\n", message, 1);
}

#[test]
fn a_record_fails_if_its_document_does() {
    let empty = &*new_file("empty", "");
    let list = format!("http://h/\tmissing:x\nhttp://h/\t{empty}\nhttp://h/\t\n");
    let messages = [
        "-:1: missing:x: no such file or directory",
        &format!("-:2: {empty}: empty"),
        "-:3: the document's name is empty; write BASE TAB DOCUMENT",
    ];
    let messages = messages.map(|message: &str| format!("absurl: {message}\n")).concat();
    let object = |number, name, code, message| {
        format!(
            "{{\"source\":\"-\",\"record\":{number},\"spec\":\"rfc1808\",\"reference\":\"{name}\",\"base\":\"http://h/\",\
             \"error\":{{\"code\":\"{code}\",\"message\":\"{message}\"}}}}\n"
        )
    };
    let objects = object(1, "missing:x", "unreadable", "missing:x: no such file or directory")
        + &object(2, &empty.replace('\\', "\\\\"), "not-a-document", &format!("{empty}: empty").replace('\\', "\\\\"))
        + &object(3, "", "unreadable", "the document's name is empty; write BASE TAB DOCUMENT");
    let run = |flags: &[&str]| absurl(&[&["-l", "-p"], flags].concat()).input(list.clone());
    run(&[]).gives("\n\n\n", messages.clone(), 1);
    run(&["--spec=whatwg", "-k"]).gives(list.replace('\n', "\t\n"), messages.clone(), 1);
    run(&["-j"]).gives(objects.clone(), messages.clone(), 1);
    run(&["-c", "-j"]).gives(
        objects.clone(),
        messages.clone() + "absurl: no illegal characters in 3 links, 3 failed\n",
        1,
    );
    let objects = objects.replace(r#""spec":"rfc1808","#, "");
    run(&["--compare", "-j"]).gives(objects, messages.clone() + "absurl: no differences in 3 links, 3 failed\n", 1);
    run(&["-q", "--fail-fast"]).gives("\n", "", 1);
    let (stdout, _, _) = run(&["-e"]).text();
    assert!(stdout.starts_with("-:1: http://h/\\x09missing:x\n\nerror: missing:x: no such file"), "{stdout}");
}

#[test]
fn a_message_without_html_is_noted() {
    for message in ["Subject: x\n\ntext", "Date: x\nFrom: y\n"] {
        absurl(&["--links"]).input(message).gives("", NO_HTML, 0);
        absurl(&["--links", "-q"]).input(message).gives("", "", 0);
        absurl(&["--links", "--media-type", "message/rfc822"]).input(message).gives("", NO_HTML, 0);
    }
}

#[test]
fn many_messages_without_html_are_counted() {
    let mail = new_file("no_html.eml", "Subject: x\n\ntext");
    let note = NO_HTML.replace(" -:", &format!(" {mail}:"));
    let many = note.repeat(10) + "absurl: 3 more messages have no HTML part\n";
    absurl(&[&["--links"][..], &[&*mail; 13]].concat()).gives("", many.clone(), 0);
    absurl(&["--links", "-p"]).input(format!("http://h/\t{mail}\n").repeat(13)).gives("", many, 0);
    let one = note.repeat(10) + "absurl: 1 more message has no HTML part\n";
    absurl(&[&["--links"][..], &[&*mail; 11]].concat()).gives("", one, 0);
}

#[test]
fn a_message_without_a_base_of_its_own_names_its_parts() {
    let mail = "tests/data/base/multipart_without_base.eml";
    let note = format!(
        "absurl: {mail}: the message itself has no base URL; for a part, use --document and --part with one of 1, 2\n"
    );
    absurl(&["--print-base", mail]).gives("\t3.4\n", note.clone(), 1);
    absurl(&["--print-base", "-q", mail]).gives("\t3.4\n", "", 1);
    absurl(&["--print-base", "-d", mail, "--part", "1"]).gives("\t3.4\n", without_base(mail), 1);
    let (_, stderr, _) = absurl(&["-d", mail, "g"]).text();
    assert!(stderr.starts_with(&note) && stderr.lines().count() == 2, "{stderr}");
    absurl(&["-d", mail, "-b", "x:", "g"]).gives("x:g\n", "", 0);
    let many = format!("Content-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\n".repeat(1000));
    let note = note.replace(mail, "-").replace("1, 2", "1, 2, 3, 4, 5 and 995 more");
    absurl(&["--print-base"]).input(many).gives("\t3.4\n", note, 1);
}

/// What is said about a text that nothing shows to be a document.
pub const UNKNOWN: &str = "type not recognized; for Markdown add --media-type text/markdown, for a list omit --links";

/// What is said about XML with another root, perhaps of a namespace: NAME or NAME NAMESPACE.
pub fn unread_root(root: &str) -> String {
    let root = match root.split_once(' ') {
        Some((name, namespace)) => format!("<{name}> in the namespace \"{namespace}\""),
        None => format!("<{root}>"),
    };
    format!(
        "XML with the root {root}, which is not read; --media-type application/xml reads xml:base, XLink, href and src"
    )
}

#[test]
fn what_a_document_is_follows_from_its_content_and_its_name() {
    let rows = read_rows::<4>(include_str!("../data/sniffed.tsv"));
    let documents = rows.iter().map(|[name, text, ..]| {
        let name = str::from_utf8(name).expect("UTF-8");
        Document { name, ..Document::new(b"", text) }
    });
    let answers = read_documents(&["-l", "-b", "http://h/"], &documents.collect::<Vec<_>>());
    assert_each(rows.iter().zip(answers).map(|([name, document, links, message], (objects, said, status))| {
        let [name, links, message] = [name, links, message].map(|field| str::from_utf8(field).expect("UTF-8"));
        let message = match message.split_once(' ') {
            Some(("root", root)) => unread_root(root),
            _ if message == "unknown" => UNKNOWN.to_owned(),
            _ => message.to_owned(),
        };
        let separator = if message.starts_with(':') { "-" } else { "-: " };
        let is_refused = links == "refused";
        let found = objects.iter().map(located).collect::<Vec<_>>().join("|");
        let links = if is_refused { "" } else { links }.to_owned();
        let expected = message_of(message.as_bytes(), separator);
        let has_reason = !is_refused || !said.is_empty();
        (format!("{name} {}", document.escape_ascii()), (found, said, has_reason, status), (links, expected, true, 2))
    }));
}

#[test]
fn a_root_may_come_late() {
    let directory = new_directory("a_root_may_come_late");
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://b/'><link href='1'/></feed>";
    for (length, name, expected) in [
        (60_000, "a", "http://b/1\n"),
        (66_000, "a.xml", "http://b/1\n"),
        (66_000, "a.atom", "http://b/1\n"),
        (66_000, "a.svg", "http://b/1\n"),
        (66_000, "a", ""),
        (66_000, "a.html", "http://h/1\n"),
    ] {
        let document = format!("<?xml version='1.0'?><!-- {} -->{feed}", "x".repeat(length));
        fs::write(directory.join(name), document).expect("the document");
        let (stderr, status) =
            if expected.is_empty() { (format!("absurl: {name}: {UNKNOWN}\n"), 2) } else { (String::new(), 0) };
        absurl(&["-l", "-b", "http://h/", name]).directory(&directory).gives(expected, stderr, status);
    }
    // the tag of a root that is cut does not show its namespace
    let attribute = "x".repeat(66_000);
    let feed = format!("<feed x='{attribute}' xmlns='http://www.w3.org/2005/Atom'><link href='g'/></feed>");
    let run =
        |flags: &[&str], document: &str| absurl(flags).arguments(&["-b", "http://h/", "-"]).input(document).text();
    let long = "absurl: -: the root tag <feed> is longer than the 64 KiB that are looked at; add --media-type application/xml\n";
    assert_eq!(run(&["-l"], &feed), (String::new(), long.into(), 2));
    assert_eq!(run(&["-l", "--media-type", "application/xml"], &feed), ("http://h/g\n".into(), String::new(), 0));
    let cut = format!("absurl: -: {}\n", unread_root("feed"));
    assert_eq!(run(&["-l"], &feed[..60_000]), (String::new(), cut, 2));
    // a doctype is enough
    let page = format!("<!doctype html><!-- {} --><a href=g>", "x".repeat(66_000));
    absurl(&["-l", "-b", "http://h/", "-"]).input(page).gives("http://h/g\n", "", 0);
}

#[test]
fn what_is_refused_by_name_is_counted_in_a_directory() {
    let directory = new_directory("what_is_refused_by_name_is_counted_in_a_directory");
    for (name, document) in [
        ("a.html", "%PDF-1.4"),
        ("b.xml", "<kml/>"),
        ("c.rss", ""),
        ("d.css", "a\0b"),
        ("e.md", "[a](g)"),
        ("f.svg", "x"),
    ] {
        fs::write(directory.join(name), document).expect("the document");
    }
    let sum = "absurl: .: 1 document read, 5 files skipped (1 a PDF, 1 binary data, 1 empty, ...)\n";
    absurl(&["-l", "-b", "http://h/", "."]).directory(&directory).gives("http://h/g\n", sum, 0);
}

#[test]
fn standard_input_is_read_by_the_same_rule() {
    let run =
        |arguments: &[&str], document: &str| absurl(&["-b", "http://h/"]).arguments(arguments).input(document).text();
    for (arguments, document, unfit) in [
        (&["-l"][..], "x <a href=g>", UNKNOWN.to_owned()),
        (&["-k", "-l", "-"], "# a\n[b](g)", UNKNOWN.to_owned()),
        (&["--print-base"], "x <a href=g>", UNKNOWN.to_owned()),
        (&["--rewrite"], "# a\n[b](g)", UNKNOWN.to_owned()),
        (&["-d", "-", "g"], "a\nb\n", UNKNOWN.to_owned()),
        (&["--rewrite"], "<kml/>", unread_root("kml")),
        (&["--print-base"], "", "empty".to_owned()),
        (&["-d", "-", "g"], "a\0b", "binary data (NUL at byte 2)".to_owned()),
        (&["-l", "--media-type", "text/html"], "%PDF-1.4", "a PDF; pdftohtml -stdout FILE prints its text".to_owned()),
    ] {
        assert_eq!(run(arguments, document), (String::new(), format!("absurl: -: {unfit}\n"), 2), "{document}");
    }
    let no_links = "absurl: -: no links\n";
    for (document, links, note) in
        [("x <a href=g>", "http://h/g\n", ""), ("", "", no_links), ("a\0<a href=g>", "http://h/g\n", "")]
    {
        let arguments = ["-l", "--media-type", "text/html"];
        assert_eq!(run(&arguments, document), (links.to_owned(), note.to_owned(), 0), "{document}");
    }
}

#[test]
fn a_header_of_a_message_may_be_long() {
    for length in [3_000, 5_000, 60_000, 70_000, 200_000] {
        let field = format!("DKIM-Signature: {}\n", "x".repeat(60)).repeat(length / 77);
        let mail = format!("{field}Content-Type: text/html\nBase: <URL:http://b/>\n\n<a href=g>");
        absurl(&["-l", "-"]).input(mail).gives("http://b/g\n", "", 0);
    }
}

/// The modes with a sum, and what they say of one record, of two, and of two if that is not everything.
const SUMS: &[(&str, [&str; 3])] = &[
    (
        "-c",
        [
            "no illegal characters in 1 reference",
            "no illegal characters in 2 references",
            "no illegal characters in 2 references",
        ],
    ),
    (
        "--check=host",
        ["1 reference stays on its host", "all 2 references stay on their host", "2 references stay on their host"],
    ),
    (
        "--compare",
        ["no differences in 1 reference", "no differences in 2 references", "no differences in 2 references"],
    ),
    (
        "--compare=host",
        [
            "no different hosts in 1 reference",
            "no different hosts in 2 references",
            "no different hosts in 2 references",
        ],
    ),
];

#[test]
fn no_sum_claims_what_was_not_read() {
    let directory = new_directory("no_sum_claims_what_was_not_read");
    fs::create_dir(directory.join("site")).unwrap();
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='g'/><link href='h'/>";
    for (name, text) in [
        ("one", "g\n"),
        ("two", "g\nh\n"),
        ("x.json", "[\"g\"]\n"),
        ("a.html", "<a href=g><a href=h>"),
        ("b.atom", feed),
        ("empty.html", ""),
        ("site/a.html", "<a href=g><a href=h>"),
        ("site/b.xml", "<rss><"),
    ] {
        fs::write(directory.join(name), text).unwrap();
    }
    for &(mode, [one, two, two_of_more]) in SUMS {
        let more = |sum: &str| format!("{sum}; not everything was read");
        for (arguments, sum) in [
            ("-f one", one.to_owned()),
            ("-f two", two.into()),
            ("-f missing", String::new()),
            ("-f x.json", String::new()),
            ("-f missing -f one", more(one)),
            ("-f x.json -f two", more(two_of_more)),
            ("-f two -f missing", more(two_of_more)),
            ("-l missing.html", String::new()),
            ("-l two", String::new()),
            ("-l site/b.xml", String::new()),
            ("-l a.html", two.into()),
            ("-l a.html missing.html", more(two_of_more)),
            ("-l b.atom", more(two_of_more)),
            ("-l site", more(two_of_more)),
            ("-l empty.html", format!("no links to {}", if mode.starts_with("--co") { "compare" } else { "check" })),
        ] {
            let run = absurl(&["-b", "http://h/", mode]).words(arguments).directory(&directory);
            let (stdout, stderr, status) = run.text();
            let is_whole = !sum.is_empty() && !sum.contains(';');
            assert_eq!((&*stdout, status), ("", if is_whole { 0 } else { 2 }), "{mode} {arguments}");
            let said = stderr.lines().last().unwrap_or_default();
            let sum = if arguments.starts_with("-l") { sum.replace("reference", "link") } else { sum };
            if sum.is_empty() {
                assert_eq!(stderr.lines().count(), 1, "{mode} {arguments}: {stderr}");
            } else {
                assert_eq!(said, format!("absurl: {sum}"), "{mode} {arguments}");
            }
        }
        // a part that is not searched may have had links, too
        let page = "<a href=g><a href=h><!-- <a href=i>x</a>";
        let (_, stderr, status) = absurl(&["-l", "-b", "http://h/", mode]).input(page).text();
        assert!(
            stderr.ends_with(&format!("absurl: {}\n", more(&two_of_more.replace("reference", "link")))),
            "{mode}: {stderr}"
        );
        assert_eq!(status, 1);
        // the records that failed come first
        let (_, stderr, _) = absurl(&["-p", mode, "-f", "-", "-f", "missing"]).input("g\n").text();
        let failed = if mode == "--check=host" { "1 of 1 reference was not checked" } else { ", 1 failed" };
        assert!(stderr.ends_with(&format!("{}\n", more(failed))), "{mode}: {stderr}");
    }
}
