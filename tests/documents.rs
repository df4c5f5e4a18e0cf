//! The base URLs of documents (§3), and their links.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test says no by a panic")]
#![allow(clippy::format_collect, reason = "a test may be slow")]

mod support;

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use support::{absurl, records, rows};

/// Where the documents are.
const DOCUMENTS: &str = "tests/data/base/";

/// Runs the program on a document of the table, with options in one string.
fn on(document: &str, more: &[&str], options: &str) -> Output {
    let path = format!("{DOCUMENTS}{document}");
    let arguments: Vec<_> = ["-d", &path].into_iter().chain(more.iter().copied()).chain(options.split(' ')).collect();
    absurl(&arguments.into_iter().filter(|argument| !argument.is_empty()).collect::<Vec<_>>(), Vec::new())
}

/// Bytes as text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Standard output, standard error and the status of a run, with `input` on its standard input.
fn run(arguments: &[&str], input: impl Into<Vec<u8>>) -> (String, String, Option<i32>) {
    let output = absurl(arguments, input.into());
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// One field of a line of JSON.
fn field(line: &str, name: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(line).expect("JSON")[name].clone()
}

#[test]
fn each_document_has_its_base_and_rule() {
    let table = fs::read_to_string(format!("{DOCUMENTS}bases.tsv")).expect("the table");
    let rows = rows::<5>(&table);
    assert!(rows.len() >= 190);
    for [document, options, base, rule, message] in rows {
        let (document, options, message) = (text(&document), text(&options), text(&message));
        let output = on(&document, &["--print-base"], &options);
        let row = format!("{document} {options}");
        let (stdout, status) = match &*base {
            b"-" => (Vec::new(), 2),
            base => ([base, b"\t", &*rule, b"\n"].concat(), i32::from(base.is_empty())),
        };
        assert_eq!(output.stdout.escape_ascii().to_string(), stdout.escape_ascii().to_string(), "{row}");
        assert_eq!(output.status.code(), Some(status), "{row}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(&message) && stderr.is_empty() == message.is_empty(), "{row}: {stderr}");
        assert!(stderr.bytes().all(|byte| byte == b'\n' || (0x20..0x7F).contains(&byte)), "{row}: {stderr:?}");
    }
}

#[test]
fn a_reference_is_resolved_with_the_base_of_each_document() {
    let table = fs::read_to_string(format!("{DOCUMENTS}bases.tsv")).expect("the table");
    for [document, options, base, rule, _] in rows::<5>(&table).into_iter().filter(|row| row[2] != b"-") {
        let (document, options) = (text(&document), text(&options));
        let arguments: Vec<_> = options.split(' ').filter(|option| !option.is_empty()).collect();
        let path = format!("{DOCUMENTS}{document}");
        let output = absurl(&[&["-q", "-d", &path], &*arguments, &["--", ""]].concat(), Vec::new());
        assert_eq!(output.stdout, [&*base, b"\n"].concat(), "{document} {options}");
        let output = absurl(&[&["-q", "-j", "-d", &path], &*arguments, &["--", ""]].concat(), Vec::new());
        assert_eq!(field(&text(&output.stdout), "base_rule"), text(&rule), "{document} {options}");
        let output = absurl(&[&["-q", "-e", "-d", &path], &*arguments, &["--", ""]].concat(), Vec::new());
        assert!(text(&output.stdout).lines().next().expect("a line").contains(&format!("§{}", text(&rule))));
    }
}

#[test]
fn each_document_has_its_links() {
    let table = fs::read_to_string(format!("{DOCUMENTS}links.tsv")).expect("the table");
    for [document, options, links] in rows::<3>(&table) {
        let output = on(&text(&document), &["--links", "-q"], &text(&options));
        let links: Vec<_> =
            links.split(|&byte| byte == b' ').map(|link| if link == b"-" { b"" } else { link }).collect();
        let shown = |links: &[&[u8]]| links.iter().map(|link| link.escape_ascii().to_string()).collect::<Vec<_>>();
        assert_eq!(shown(&records(&output.stdout, b'\n')), shown(&links), "{}", text(&document));
        assert_eq!(output.status.code(), Some(i32::from(links.contains(&&b""[..]))), "{}", text(&document));
    }
}

#[test]
fn the_appendix_of_the_rfc_holds_whatever_the_context() {
    for context in [&[][..], &["-b", "http://other/a/b"], &["-b", "mailto:me@host"], &["-b", ""]] {
        let document = ["-d", "tests/data/base/rfc_section_10.html", "../x"];
        let (stdout, stderr, status) = run(&[context, &document].concat(), "");
        assert_eq!((&*stdout, &*stderr, status), ("http://www.ics.uci.edu/Test/a/x\n", "", Some(0)));
    }
}

#[test]
fn a_link_is_told_with_its_place() {
    let page = "<base href=http://h/>\n<p>\n  <IMG alt=x\n SRCSET='a, b'>\n<a  href>x</a>";
    let (stdout, _, _) = run(&["-j", "-l", "-d", "-"], page);
    let told: Vec<_> = stdout
        .lines()
        .map(|line| ["url", "element", "attribute", "line", "column", "record", "part"].map(|name| field(line, name)))
        .map(|fields| fields.map(|field| field.to_string().replace('"', "")).join(" "))
        .collect();
    assert_eq!(
        told,
        ["http://h/a img srcset 4 10 1 null", "http://h/b img srcset 4 10 2 null", "http://h/ a href 5 5 3 null"]
    );
}

#[test]
fn lines_are_counted_over_crlf_and_long_documents() {
    let page = format!("<base href=http://h/>\r\n{}<a href=x>", "<p>text &amp; more\r\n".repeat(50_000));
    let (stdout, _, _) = run(&["-j", "-l", "-d", "-"], page);
    assert_eq!((field(&stdout, "line"), field(&stdout, "column")), (50_002.into(), 9.into()));
}

#[test]
fn a_link_in_a_part_is_told_with_the_line_of_the_file_or_of_the_decoded_part() {
    let (stdout, _, _) = run(&["-j", "-l", "-d", "tests/data/base/nested.eml"], "");
    let told: Vec<_> = stdout.lines().map(|line| (field(line, "part"), field(line, "line"))).collect();
    assert_eq!(told, [("2.1".into(), 20.into()), ("2.2".into(), 25.into()), ("3".into(), 33.into())]);
    let (_, stderr, status) =
        run(&["-l", "-d", "-"], "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg==\n");
    assert!(stderr.starts_with("absurl: -:decoded body:1:9: the reference has no scheme"), "{stderr}");
    assert_eq!(status, Some(1));
}

#[test]
fn json_names_the_rule_and_the_place() {
    let (stdout, _, _) = run(&["-j", "--print-base", "--part", "2.1", "-d", "tests/data/base/nested.eml"], "");
    assert_eq!(
        stdout,
        "{\"source\":\"tests/data/base/nested.eml\",\"base\":\"http://inner/a/b\",\"base_rule\":\"3.2\",\
         \"base_by\":\"Content-Base\",\"base_file\":\"tests/data/base/nested.eml\",\"base_part\":\"2\",\
         \"base_line\":12,\"base_column\":1}\n"
    );
    let (stdout, _, status) = run(&["-j", "--print-base", "-d", "-"], "<p>");
    assert_eq!((&*stdout, status), ("{\"source\":\"-\",\"base\":null,\"base_rule\":\"3.4\"}\n", Some(1)));
    let (stdout, _, status) = run(&["-j", "--print-base", "-b", "http://a/"], "");
    assert_eq!((&*stdout, status), ("{\"base\":\"http://a/\",\"base_rule\":\"3.3\"}\n", Some(0)));
}

#[test]
fn explain_names_the_rule_and_the_place() {
    for (arguments, step_1) in [
        (
            &["-d", "tests/data/base/rfc_section_10.html"][..],
            "http://www.ics.uci.edu/Test/a/b/c (§3.1, BASE in tests/data/base/rfc_section_10.html:4:13)",
        ),
        (
            &["-d", "tests/data/base/nested.eml", "--part", "2.1"],
            "http://inner/a/b (§3.2, Content-Base in tests/data/base/nested.eml:12:1, part 2)",
        ),
        (&["-d", "tests/data/base/no_base.html", "-b", "http://a/"], "http://a/ (§3.3, --base)"),
    ] {
        let (stdout, _, _) = run(&[arguments, &["-e", "x"]].concat(), "");
        assert!(stdout.starts_with(&format!("Step 1  the base URL is {step_1}\nStep 2")), "{stdout}");
        let (stdout, _, _) = run(&[arguments, &["-e", "--print-base"]].concat(), "");
        assert_eq!(stdout, format!("Step 1  the base URL is {step_1}\n"));
    }
    let (stdout, _, _) = run(&["-e", "-l", "-p"], "http://a/\ttests/data/base/no_base.html\n");
    assert!(stdout.starts_with("Step 1  the base URL is http://a/ (§3.3, its record)"), "{stdout}");
}

#[test]
fn many_documents_come_one_after_the_other() {
    let documents = ["-d", "tests/data/base/no_base.html", "-d", "tests/data/base/rfc_section_10.html"];
    let (stdout, stderr, status) = run(&[&["-l", "-b", "http://a/b"], &documents[..]].concat(), "");
    assert_eq!((&*stdout, &*stderr, status), ("http://a/../x\nhttp://www.ics.uci.edu/Test/a/x\n", "", Some(0)));
}

#[test]
fn pairs_bring_each_document_its_url() {
    let list = "http://one/a/b\ttests/data/base/no_base.html\n\
                no tab\n\
                \ttests/data/base/rfc_section_10.html\n\
                no-scheme\ttests/data/base/rfc_section_10.html\n\
                http://two/a/b\ttests/data/base/none\n\
                http://two/a/b\ttests/data/base/no_base.html\n";
    let (stdout, stderr, status) = run(&["-l", "-p"], list);
    assert_eq!(stdout, "http://one/x\n\nhttp://www.ics.uci.edu/Test/a/x\n\nhttp://two/x\n");
    assert_eq!(
        stderr,
        "absurl: -:2: no TAB in the record; write BASE TAB FILE\n\
         absurl: -:4: the base URL has no scheme (\\xC2\\xA72.2); write all of it, such as http://host/path\n\
         absurl: -:5: tests/data/base/none: no such file or directory; give a file that can be read\n"
            .replace("\\xC2\\xA7", "§")
    );
    assert_eq!(status, Some(2));
    let list = list.replace('\n', "\0");
    let (stdout, _, _) = run(&["-l", "-p", "-0", "--fail-fast"], list);
    assert_eq!(stdout, "http://one/x\0\0");
}

#[test]
fn a_link_that_fails_gives_an_empty_record_and_a_message_with_its_place() {
    let page = "<a href=x>\n<a href=http://b/>\n  <a href=y>";
    let (stdout, stderr, status) = run(&["-l", "-d", "-"], page);
    assert_eq!((&*stdout, status), ("\nhttp://b/\n\n", Some(1)));
    assert_eq!(
        stderr,
        "absurl: -:1:9: the reference has no scheme and there is no base URL (§3.4); give the URL of its document with --base\n\
         absurl: -:3:11: the reference has no scheme and there is no base URL (§3.4); give the URL of its document with --base\n"
    );
    let (stdout, stderr, status) = run(&["-l", "-q", "--fail-fast", "-d", "-"], page);
    assert_eq!((&*stdout, &*stderr, status), ("\n", "", Some(1)));
    let (stdout, _, _) = run(&["-l", "-k", "-b", "http://h/", "-d", "-"], page);
    assert_eq!(stdout, "x\thttp://h/x\nhttp://b/\thttp://b/\ny\thttp://h/y\n");
}

#[test]
fn a_document_that_cannot_be_read_is_an_error() {
    for (path, what) in [("tests/none", "no such file or directory"), ("tests", "is a directory")] {
        let message = format!("absurl: {path}: {what}; give a file that can be read\n");
        for arguments in [&["-b", "http://a/", "-d", path, "x"][..], &["-l", "-d", path], &["--print-base", "-d", path]]
        {
            assert_eq!(run(arguments, ""), (String::new(), message.clone(), Some(2)), "{arguments:?}");
        }
    }
    let (stdout, _, status) = run(&["-l", "-d", "tests/none", "-d", "tests/data/base/rfc_section_10.html"], "");
    assert_eq!((&*stdout, status), ("http://www.ics.uci.edu/Test/a/x\n", Some(2)));
}

#[test]
fn what_does_not_go_together_is_wrong_usage() {
    for arguments in [
        "-d a -d b x",
        "-d -",
        "-d - -f -",
        "-l",
        "-l -d - -d -",
        "-l -d a x",
        "-l -d a -f b",
        "-l -d a --part 1",
        "-l -p -d a",
        "-l -p -b http://a/",
        "-p -d a",
        "--part 1 x",
        "-d a --part 0 x",
        "-d a --part 1. x",
        "-d a --part +1 x",
        "-d a --media-type text/plain x",
        "--media-type text/html x",
        "-d a --print-base x",
        "-d a --print-base -f b",
        "-d a --print-base -l",
        "-d a --print-base -k",
        "-d a --print-base -c",
        #[cfg(feature = "spec")]
        "-d a --print-base --compare",
        #[cfg(feature = "spec")]
        "-d a --print-base -s whatwg",
    ] {
        let (stdout, stderr, status) = run(&arguments.split(' ').collect::<Vec<_>>(), "");
        assert_eq!((&*stdout, status), ("", Some(2)), "{arguments}");
        assert!(stderr.starts_with("error: "), "{arguments}: {stderr}");
    }
}

#[test]
fn of_an_mbox_only_the_first_message_is_read() {
    let from = "From a@b Mon Jan  1 00:00:00 2020";
    let first = format!("{from}\nSubject: x\nContent-Type: text/html\n\n<a href=1>\n");
    let second = "Subject: y\nContent-Type: text/html\n\n<base href=http://second/><a href=2>\n";
    for (mbox, links) in [
        (format!("{first}\n{from}\n{second}"), "http://r/1\n"),
        (format!("\u{FEFF}{first}\n{from}\n{second}").replace('\n', "\r\n"), "http://r/1\n"),
        // no message begins without an empty line, or without a header field
        (format!("{first}{from}\n{second}"), "http://second/1\nhttp://second/2\n"),
        (format!("{first}\nFrom here on:\n\n<a href=2>"), "http://r/1\nhttp://r/2\n"),
        // what began as no mbox is none
        (format!("{second}\n{from}\n{first}"), "http://second/2\nhttp://second/1\n"),
    ] {
        assert_eq!(
            run(&["-l", "-b", "http://r/", "-d", "-"], &*mbox),
            (links.into(), String::new(), Some(0)),
            "{mbox}"
        );
    }
}

#[test]
fn a_status_line_has_a_version_and_a_code() {
    let header = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n";
    let base = "<base href=http://h/><a href=x>";
    for (document, links) in [
        (format!("HTTP/1.1 is a protocol\n\n{base}"), "http://h/x\n"),
        (format!("HTTP/1.1 2000 pages\n\n{base}"), "http://h/x\n"),
        (format!("HTTP/1.1\n\n{base}"), "http://h/x\n"),
        (format!("HTTP/1.1 200\n\n{base}"), "http://h/x\n"),
        (format!("HTTP/2 200 \n\n{base}"), "http://h/x\n"),
        // where another status line could stand, this is the body
        (format!("{header}HTTP/1.1 is a <a href=y>protocol</a>\n\n{base}"), "http://h/y\nhttp://h/x\n"),
        (format!("{header}{header}{base}"), "http://h/x\n"),
    ] {
        assert_eq!(run(&["-l", "-d", "-"], &*document), (links.into(), String::new(), Some(0)), "{document}");
    }
    let (_, _, status) = run(&["--print-base", "-d", "-"], "HTTP/1.1 is a protocol\nBase: <URL:http://h/>\n\n");
    assert_eq!(status, Some(1));
}

#[test]
fn a_byte_order_mark_outranks_the_charset_of_the_transport() {
    let utf_16 = |text: &str| [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for html in ["<base href=http://h/\u{E9}/><a href=\u{E9}>", "<a href=http://h/\u{E9}/\u{E9}>"] {
        for (charset, html) in [
            ("koi8-r", format!("\u{FEFF}{html}").into_bytes()),
            ("utf-16", format!("\u{FEFF}{html}").into_bytes()),
            ("shift_jis", utf_16(html)),
        ] {
            for before in ["", "HTTP/1.1 200 OK\n"] {
                let header = format!("{before}Content-Type: text/html; charset={charset}\n\n").into_bytes();
                let told = ("http://h/\u{E9}/\u{E9}\n".into(), String::new(), Some(0));
                assert_eq!(run(&["-l", "-d", "-"], [header, html.clone()].concat()), told, "{charset}");
            }
        }
    }
}

#[test]
fn a_very_long_content_type_is_told_of() {
    let what = "the Content-Type field of this header has more than 16 KiB, and what is behind them is passed over";
    let told = |line: u32| format!("absurl: -:{line}:1: {what}; shorten it\n");
    let long = ";a*0=b".repeat(100_000);
    let message = format!("Base: <URL:http://a/>\nContent-Type: text/html{long}\n\n<a href=x>");
    assert_eq!(run(&["-l", "-d", "-"], message), ("http://a/x\n".into(), told(1), Some(1)));
    let message =
        format!("X: y\nContent-Type: multipart/mixed{long};boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x:y>");
    assert_eq!(run(&["-l", "-d", "-"], &*message), (String::new(), told(1), Some(1)));
    assert_eq!(run(&["-b", "http://a/", "--print-base", "-d", "-"], message).1, told(1));
    let message = format!(
        "Content-Type: multipart/mixed{};boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x:y>",
        ";a=b".repeat(4000)
    );
    assert_eq!(run(&["-l", "-d", "-"], message), ("x:y\n".into(), String::new(), Some(0)));
}

#[test]
fn links_are_judged_at_their_places_and_each_base_once() {
    let page = "<base href='http://h/a b'>\n<a href=c|d>\n <a href=e><a href='f g'>";
    let (stdout, stderr, status) = run(&["-l", "-c", "-d", "-"], page);
    let places: Vec<_> = stdout.lines().map(|line| line.split(" is ").next().expect("a piece")).collect();
    assert_eq!(places, ["-:1:13: \" \"", "-:2:9: \"|\"", "-:3:21: \" \""]);
    assert_eq!((&*stderr, status), ("", Some(1)));
    let (stdout, _, _) = run(&["-l", "-c", "-j", "-d", "-"], page);
    let told: Vec<_> = stdout
        .lines()
        .map(|line| ["source", "element", "attribute", "line", "column", "base_rule"].map(|name| field(line, name)))
        .map(|fields| fields.map(|field| field.to_string().replace('"', "")).join(" "))
        .collect();
    assert_eq!(told, ["- null null null null 3.1", "- a href 2 9 3.1", "- a href 3 10 3.1", "- a href 3 21 3.1"]);
    let (stdout, _, _) = run(&["-l", "-c", "-b", "http://h/|", "-d", "-"], "<a href=c><a href=d>");
    assert_eq!(stdout.matches("base:10: ").count(), 1, "{stdout}");
    let (stdout, _, _) = run(&["-l", "-c", "-p"], "http://h/|\ttests/data/base/no_base.html\n");
    assert!(stdout.starts_with("tests/data/base/no_base.html:base:10: \"|\""), "{stdout}");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    let (stdout, _, _) = run(&["-c", "-d", "-", "x"], page);
    assert!(stdout.starts_with("-:1:13: "), "{stdout}");
}

#[cfg(feature = "spec")]
#[test]
fn links_are_compared_at_their_places() {
    let page = "<base href=http://h/a/>\n<a href=../../x>";
    let (stdout, _, status) = run(&["-l", "--compare", "-d", "-"], page);
    assert!(stdout.starts_with("-:2:9: ../../x\n"), "{stdout}");
    assert_eq!(status, Some(1));
    let (stdout, _, _) = run(&["-l", "--compare", "-j", "-d", "-"], page);
    assert_eq!(
        (field(&stdout, "element"), field(&stdout, "line"), field(&stdout, "base_rule")),
        ("a".into(), 2.into(), "3.1".into())
    );
}

#[test]
fn a_list_on_standard_input_cannot_name_it() {
    let (stdout, stderr, status) = run(&["-l", "-p"], "http://a/\t-\nhttp://one/a/b\ttests/data/base/no_base.html\n");
    assert_eq!((&*stdout, status), ("http://one/x\n", Some(2)));
    assert_eq!(stderr, "absurl: -:1: -: standard input is the list itself; give a file that can be read\n");
}

#[test]
fn a_very_long_relative_base_is_told_of() {
    let page = format!("<base href='{}'><a href=x>", "x".repeat(9000));
    let (stdout, stderr, _) = run(&["-l", "-b", "http://a/", "-d", "-"], page);
    assert_eq!(stdout, "http://a/x\n");
    assert!(stderr.contains("longer than 8192 bytes"), "{stderr}");
}

#[test]
fn relative_bases_of_a_message_that_are_very_long_together_are_told_of() {
    let parts = 1000;
    let part = "--x\nContent-Location: b\nContent-Type: text/html\n\n<a href=c>\n";
    let header = "Content-Type: multipart/mixed; boundary=x\n";
    let long = format!("Base: <URL:http://a/{}/e>\n{header}\n{}--x--\n", "d".repeat(8000), part.repeat(parts));
    let (stdout, stderr, status) = run(&["-l", "-d", "-"], long.clone());
    assert_eq!((stdout.lines().count(), status), (parts, Some(0)));
    let room = 1024 * 1024 + 4 * long.len();
    let fit = room / format!("http://a/{}/b", "d".repeat(8000)).len();
    assert_eq!(stderr.lines().count(), parts - fit);
    let first = format!("absurl: -:{}:1: the relative base URLs of this message", 5 + 5 * fit);
    assert!(stderr.starts_with(&first), "{first}: {stderr}");

    // short ones are all taken
    let short = format!("Base: <URL:http://a/d/e>\n{header}\n{}--x--\n", part.repeat(parts));
    let (stdout, stderr, _) = run(&["-l", "-d", "-"], short);
    assert_eq!((stdout.lines().count(), &*stderr), (parts, ""));
}

#[test]
fn an_itemtype_has_urls() {
    let (stdout, _, _) = run(&["-l", "-d", "-"], "<p itemscope itemtype='http://a/b  http://c/d'>");
    assert_eq!(stdout, "http://a/b\nhttp://c/d\n");
}

#[test]
fn control_bytes_stay_out_of_messages_and_explanations() {
    let message = b"Content-Type: text/html\nContent-Base: \x1b[31m \x1b\n\n<a href='\x1b[32m'>";
    let (stdout, stderr, _) = run(&["-e", "-l", "-b", "http://h/", "-d", "-"], message);
    assert!(!stdout.contains('\x1b') && !stderr.contains('\x1b'));
    assert!(stdout.contains("\\x1B[32m"), "{stdout}");
}

#[test]
fn the_answers_come_before_the_end_of_the_page_once_the_base_is_known() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_absurl"))
        .args(["-l", "-d", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input is piped");
    // a META is looked for in 1 KiB
    let page = format!("<base href=http://h/><a href=x>{}", "<p>".repeat(335));
    stdin.write_all(page.as_bytes()).expect("it reads");
    let mut answer = [0; 11];
    child.stdout.as_mut().expect("its standard output is piped").read_exact(&mut answer).expect("it answers");
    assert_eq!(&answer, b"http://h/x\n");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn hostile_nesting_ends_in_answers() {
    let base = "Base: <URL:http://a/b/c>\n";
    let html = "Content-Type: text/html\n\n<a href=x>\n";
    let open = |number: usize| format!("Content-Type: multipart/mixed; boundary=b{number}\n\n--b{number}\n");
    let opened: String = (0..10_000).map(open).collect();
    let closed: String = (0..10_000).rev().map(|number| format!("--b{number}--\n")).collect();
    for message in [
        format!("{base}{opened}{html}{closed}"),
        format!("{base}{opened}{html}"),
        format!("{base}{}{html}", "Content-Type: multipart/mixed; boundary=b\n\n--b\n".repeat(100_000)),
        format!("{base}{}{html}", "Content-Type: message/rfc822\n\n".repeat(100_000)),
        format!(
            "{base}Content-Type: multipart/mixed; boundary=b\n\n{}--b\n{html}",
            "--b\nContent-Type: multipart/mixed; boundary=none\n\nx\n".repeat(100_000)
        ),
        format!("{}{base}{html}", "X: y\n".repeat(100_000)),
    ] {
        assert_eq!(run(&["-l", "-d", "-"], message), ("http://a/b/x\n".into(), String::new(), Some(0)));
    }
    for page in [
        "<div>".repeat(1_000_000) + "<a href=x>",
        "<svg>".repeat(1_000_000) + "<a href=x>" + &"</svg>".repeat(1_000_000),
        "<math><mi><template>".to_owned() + &"<svg>".repeat(500_000) + &"</math>".repeat(500_000) + "<a href=x>",
        "<a href=x><!-- ".to_owned() + &"<a href=y>".repeat(500_000),
        "<a ".to_owned() + &"b=c ".repeat(500_000) + "href=x " + &"href=y ".repeat(500_000) + ">",
    ] {
        assert_eq!(
            run(&["-l", "-b", "http://a/b/c", "-d", "-"], page),
            ("http://a/b/x\n".into(), String::new(), Some(0))
        );
    }
}

#[test]
fn a_message_in_many_encodings_is_told_of() {
    use base64::Engine;
    let mut message = b"Content-Type: text/html\n\n<a href=http://h/>\n".to_vec();
    for depth in 1..=5 {
        let encoded = base64::engine::general_purpose::STANDARD.encode(&message);
        message =
            format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{encoded}\n").into_bytes();
        let (stdout, stderr, status) = run(&["-l", "-d", "-"], message.clone());
        let expected = if depth <= 3 { ("http://h/\n", 0, true) } else { ("", 1, false) };
        assert_eq!((&*stdout, status.expect("a status"), stderr.is_empty()), expected, "{depth}");
    }
}

#[test]
fn a_file_without_a_name_is_said_to_be_empty() {
    let (stdout, stderr, status) = run(&["-l", "-p"], b"http://a\t\n".to_vec());
    assert_eq!(stderr, "absurl: -:1: FILE is empty; write BASE TAB FILE\n");
    assert_eq!((&*stdout, status), ("", Some(2)));
}
