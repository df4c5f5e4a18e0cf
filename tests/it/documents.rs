//! The base URLs of documents (§3), and their links.

use std::collections::BTreeMap;
use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::cli::no_base;
use crate::explain::unwrapped;
use crate::harness::{Document, read_documents};
use crate::harness::{Run, SHARED_BASE, absurl, fields, new_directory, new_file, parse_objects, records, shell};
use crate::table::{assert_each, read_rows};

/// A document, options, its base, the rule, what the message has.
const BASES: &str = include_str!("../data/base/bases.tsv");

/// Where the documents are.
const DOCUMENTS: &str = "tests/data/base/";

/// Runs the program on a document of the table, with options in one string.
fn on(document: &str, more: &[&str], options: &str) -> Output {
    let path = format!("{DOCUMENTS}{document}");
    let document = if more.contains(&"--links") { "" } else { "-d" };
    absurl(more).words(options).words(document).argument(path).output()
}

/// The message about a document without a base.
pub fn without_base(name: &str) -> String {
    format!("absurl: {name}: no base URL; use --base URL\n")
}

/// Bytes as text.
pub fn decoded(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn each_document_has_its_base_and_rule() {
    let rows = read_rows::<5>(BASES);
    // one run reads all documents about which nothing is said; --part takes one document
    let is_quiet = |[_, options, base, _, message]: &&[Vec<u8>; 5]| {
        !options.starts_with(b"--part") && message.is_empty() && !matches!(&**base, b"" | b"-")
    };
    let (quiet, others): (Vec<_>, Vec<_>) = rows.iter().partition(is_quiet);
    let mut runs = BTreeMap::<_, Vec<_>>::new();
    for [document, options, base, rule, _] in quiet {
        runs.entry(options).or_default().push((decoded(document), [base, &b"\t"[..], rule].concat()));
    }
    for (options, rows) in runs {
        let with_file = |run: Run, (document, _): &_| run.argument(format!("{DOCUMENTS}{document}"));
        let run = rows.iter().fold(absurl(&["--print-base"]).words(&decoded(options)), with_file);
        let (stdout, stderr, status) = run.bytes();
        let lines: Vec<_> = stdout.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
        let is_shared = options.starts_with(b"-b") && rows.len() > 1;
        assert_eq!((&*stderr, status), (if is_shared { SHARED_BASE } else { "" }, 0));
        assert_eq!(lines.len(), rows.len());
        let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
        assert_each(rows.iter().zip(lines).map(|((document, base), line)| (document, shown(line), shown(base))));
    }
    assert_each(others.into_iter().map(|[document, options, base, rule, message]| {
        let (document, options, mut message) = (decoded(document), decoded(options), decoded(message));
        if base.is_empty() && message.is_empty() {
            message = "no base URL; use --base URL".into();
        }
        let output = on(&document, &["--print-base"], &options);
        let (stdout, status) = match &**base {
            b"-" => (Vec::new(), 2),
            base => ([base, b"\t", &**rule, b"\n"].concat(), i32::from(base.is_empty())),
        };
        let stderr = decoded(&output.stderr);
        let has_message = stderr.contains(&message) && stderr.is_empty() == message.is_empty();
        let is_plain = stderr.chars().all(|char| matches!(char, '\n' | ' '..='~' | '§'));
        let given = (output.stdout.escape_ascii().to_string(), output.status.code(), has_message, is_plain);
        let expected = (stdout.escape_ascii().to_string(), Some(status), true, true);
        (format!("{document} {options}: {stderr}"), given, expected)
    }));
}

#[test]
fn a_reference_is_resolved_with_the_base_of_each_document() {
    let rows = read_rows::<5>(BASES).into_iter().filter(|row| row[2] != b"-");
    assert_each(rows.map(|[document, options, base, rule, _]| {
        let (document, options) = (decoded(&document), decoded(&options));
        let path = format!("{DOCUMENTS}{document}");
        let run = |flags| absurl(&[flags, "-d", &path]).words(&options).arguments(&["--", ""]).output().stdout;
        let explanation = unwrapped(&decoded(&run("-qe")));
        let step_1 = explanation.lines().find(|line| line.starts_with("Step 1 ")).unwrap_or_default();
        let has_rule = step_1.contains(&format!("§{}", decoded(&rule)));
        let object = parse_objects(run("-qj")).swap_remove(0);
        let given = (run("-q").escape_ascii().to_string(), object["base_rule"].clone(), has_rule);
        let url = [&*base, b"\n"].concat().escape_ascii().to_string();
        (format!("{document} {options}: {step_1}"), given, (url, Value::from(decoded(&rule)), true))
    }));
}

#[test]
fn each_document_has_its_links() {
    let rows = read_rows::<3>(include_str!("../data/base/links.tsv"));
    assert_each(rows.into_iter().map(|[document, options, links]| {
        let output = on(&decoded(&document), &["--links", "-q"], &decoded(&options));
        let links: Vec<_> =
            links.split(|&byte| byte == b' ').map(|link| if link == b"-" { b"" } else { link }).collect();
        let shown = |links: &[&[u8]]| links.iter().map(|link| link.escape_ascii().to_string()).collect::<Vec<_>>();
        let expected = (shown(&links), Some(i32::from(links.contains(&&b""[..]))));
        (decoded(&document), (shown(&records(&output.stdout, b'\n')), output.status.code()), expected)
    }));
}

#[test]
fn the_links_of_a_page_are_those_of_a_browser_or_a_named_quirk() {
    let rows = read_rows::<5>(include_str!("../data/base/browser.tsv"));
    let man = fs::read_to_string("man/documents.txt").expect("the man page");
    let quirks = man.split("# QUIRKS").nth(1).and_then(|rest| rest.split("\n# ").next()).expect("the quirks");
    let documents = rows
        .iter()
        .map(|[_, options, text, ..]| Document::new(if options.is_empty() { b"--spec whatwg" } else { options }, text));
    let answers = read_documents(&["-l", "-b", "http://r.example/d/p"], &documents.collect::<Vec<_>>());
    assert_each(rows.iter().zip(answers).map(|([case, _, document, links, quirk], (objects, ..))| {
        let urls: Vec<_> = objects.iter().map(|link| link["url"].as_str().unwrap_or_default()).collect();
        let case = format!("case {}: {}", decoded(case), document.escape_ascii());
        (case, (urls.join(" "), quirks.contains(&decoded(quirk))), (decoded(links), true))
    }));
}

#[test]
fn the_appendix_of_the_rfc_holds_whatever_the_context() {
    for context in [&[][..], &["-b", "http://other/a/b"], &["-b", "mailto:me@host"]] {
        let document = ["-d", "tests/data/base/rfc_section_10.html", "../x"];
        absurl(&[context, &document].concat()).gives("http://www.ics.uci.edu/Test/a/x\n", "", 0);
    }
}

#[test]
fn a_link_has_its_location() {
    let page = "<base href=http://h/>\n<p>\n  <IMG alt=x\n SRCSET='a, b'>\n<a  href>x</a>";
    let (stdout, _, _) = absurl(&["-j", "-l", "-"]).input(page).text();
    let printed = fields(&stdout, "url element attribute line column record part");
    assert_eq!(
        printed,
        ["http://h/a img srcset 4 10 1 null", "http://h/b img srcset 4 10 2 null", "http://h/ a href 5 5 3 null"]
    );
}

#[test]
fn lines_are_counted_over_crlf_and_long_documents() {
    let page = format!("<base href=http://h/>\r\n{}<a href=x>", "<p>text &amp; more\r\n".repeat(50_000));
    let (stdout, _, _) = absurl(&["-j", "-l", "-"]).input(page).text();
    assert_eq!(fields(&stdout, "line column"), ["50002 9"]);
}

#[test]
fn a_lone_cr_ends_a_line_of_html() {
    for padding in [21, 1024 - 10, 64 * 1024 - 10, 65 * 1024 - 10].into_iter().flat_map(|at| at..at + 12) {
        let page = format!("<base href=http://h/>{}\r\r\n\n\r<a href=x>", "-".repeat(padding - 21));
        let (stdout, _, _) = absurl(&["-j", "-l", "-"]).input(page).text();
        assert_eq!(fields(&stdout, "line column"), ["5 9"], "{padding}");
    }
}

#[test]
fn lines_are_counted_wherever_a_block_ends() {
    let blocks = [1024, 1024 + 64 * 1024];
    for padding in blocks.into_iter().flat_map(|block| block - 30..block + 5) {
        let page = format!("<base href=http://h/>{}<a href=x\n><a\n href=y>", "-".repeat(padding - 21));
        let (stdout, _, _) = absurl(&["-j", "-l", "-"]).input(page).text();
        assert_eq!(fields(&stdout, "line column"), [&*format!("1 {}", padding + 9), "3 7"], "{padding}");
    }
}

#[test]
fn a_link_in_a_part_has_the_line_of_the_file_or_of_the_decoded_part() {
    let (stdout, _, _) = absurl(&["-j", "-l", "tests/data/base/nested.eml"]).text();
    assert_eq!(fields(&stdout, "part line"), ["2.1 20", "2.2 25", "3 33"]);
    let encoded = "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj14Pg==\n";
    let (stdout, stderr, status) = absurl(&["-jl", "-"]).input(encoded).text();
    assert!(stderr.starts_with("absurl: -:decoded body:1:9: "), "{stderr}");
    assert_eq!(fields(&stdout, "part line"), ["null 1"]);
    assert_eq!(status, 1);
}

#[test]
fn json_names_the_rule_and_the_location() {
    let (stdout, _, _) = absurl(&["-j", "--print-base", "--part", "2.1", "-d", "tests/data/base/nested.eml"]).text();
    assert_eq!(
        stdout,
        "{\"source\":\"tests/data/base/nested.eml\",\"spec\":\"rfc1808\",\"base\":\"http://inner/a/b\",\"base_rule\":\"3.2\",\
         \"base_by\":\"Content-Base\",\"base_file\":\"tests/data/base/nested.eml\",\"base_part\":\"2\",\
         \"base_line\":12,\"base_column\":1}\n"
    );
    let (stdout, _, status) = absurl(&["-j", "--print-base", "-d", "-"]).input("<p>").text();
    assert_eq!(
        (&*stdout, status),
        ("{\"source\":\"-\",\"spec\":\"rfc1808\",\"base\":null,\"base_rule\":\"3.4\"}\n", 1)
    );
    let (stdout, _, status) = absurl(&["-j", "--print-base", "-b", "http://a/"]).input("<p>").text();
    assert_eq!(
        (&*stdout, status),
        ("{\"source\":\"-\",\"spec\":\"rfc1808\",\"base\":\"http://a/\",\"base_rule\":\"3.3\"}\n", 0)
    );
}

#[test]
fn explain_names_the_rule_and_the_location() {
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
        let (stdout, _, _) = absurl(&[arguments, &["-e", "x"]].concat()).text();
        assert!(stdout.starts_with("argument 1: x\nThe reference is a path: "), "{stdout}");
        let stdout = unwrapped(&stdout);
        assert!(
            stdout.contains(&format!("\nBy RFC 1808, section 4:\nStep 1   the base URL is {step_1}\nStep 2")),
            "{stdout}"
        );
        let (stdout, _, _) = absurl(&[arguments, &["-e", "--print-base"]].concat()).text();
        assert_eq!(unwrapped(&stdout), format!("Step 1   the base URL is {step_1}\n"));
    }
    let (stdout, _, _) = absurl(&["-e", "-l", "-p"]).input("http://a/\ttests/data/base/no_base.html\n").text();
    assert!(stdout.starts_with("tests/data/base/no_base.html:1:29 <a href>: ../x\nThe reference is "), "{stdout}");
    assert!(stdout.contains("\nStep 1   the base URL is http://a/ (§3.3, the record)\n"), "{stdout}");
}

#[test]
fn many_documents_come_one_after_the_other() {
    let documents = ["tests/data/base/no_base.html", "tests/data/base/rfc_section_10.html"];
    let links = "http://a/../x\nhttp://www.ics.uci.edu/Test/a/x\n";
    absurl(&["-l", "-b", "http://a/b"]).arguments(&documents).gives(links, SHARED_BASE, 0);
    let (stdout, _, status) = absurl(&[&["--print-base", "-k"], &documents[..]].concat()).text();
    assert_eq!(
        (&*stdout, status),
        (
            "tests/data/base/no_base.html\t\t3.4\n\
             tests/data/base/rfc_section_10.html\thttp://www.ics.uci.edu/Test/a/b/c\t3.1\n",
            1
        )
    );
    let (stdout, _, _) = absurl(&[&["--print-base", "--fail-fast"], &documents[..]].concat()).text();
    assert_eq!(stdout, "\t3.4\n");
    // one that cannot be read is no reason to end
    let message = "absurl: missing: no such file or directory\n";
    absurl(&["--print-base", "missing", documents[1]]).gives("http://www.ics.uci.edu/Test/a/b/c\t3.1\n", message, 2);
}

#[test]
fn without_arguments_standard_input_is_the_document() {
    let page = "<base href=http://a/b/><a href=x>";
    for arguments in [&["-l"][..], &["-l", "-"]] {
        absurl(arguments).input(page).gives("http://a/b/x\n", "", 0);
    }
    for arguments in [&["--print-base"][..], &["--print-base", "-"], &["--print-base", "-d", "-"]] {
        absurl(arguments).input(page).gives("http://a/b/\t3.1\n", "", 0);
    }
}

#[test]
fn pairs_bring_each_document_its_url() {
    let list = "http://one/a/b\ttests/data/base/no_base.html\n\
                no tab\n\
                \ttests/data/base/rfc_section_10.html\n\
                no-scheme\ttests/data/base/rfc_section_10.html\n\
                http://two/a/b\ttests/data/base/missing\n\
                http://two/a/b\ttests/data/base/no_base.html\n";
    let links = "http://one/x\n\nhttp://www.ics.uci.edu/Test/a/x\n\n\nhttp://two/x\n";
    let messages = "absurl: -:2: no TAB; write BASE TAB DOCUMENT\n\
                    absurl: -:4: the base URL \"no-scheme\" has no scheme; use an absolute URL such as http://host/path\n\
                    absurl: -:5: tests/data/base/missing: no such file or directory\n";
    absurl(&["-l", "-p"]).input(list).gives(links, messages, 1);
    let list = list.replace('\n', "\0");
    let (stdout, _, _) = absurl(&["-l", "-p", "-0", "--fail-fast"]).input(list).text();
    assert_eq!(stdout, "http://one/x\0\0");
}

#[test]
fn a_link_that_fails_gives_an_empty_record_and_a_message_with_its_location() {
    let page = "<a href=x>\n<a href=http://b/>\n  <a href=y>";
    let messages =
        ["-:1:9", "-:3:11"].map(|place| no_base(place).replace('\n', ", such as https://example.com/\n")).concat();
    absurl(&["-l", "-"]).input(page).gives("\nhttp://b/\n\n", messages, 1);
    absurl(&["-l", "-q", "--fail-fast", "-"]).input(page).gives("\n", "", 1);
    let kept = "x\thttp://h/x\nhttp://b/\thttp://b/\ny\thttp://h/y\n";
    absurl(&["-l", "-k", "-b", "http://h/", "-"]).input(page).gives(kept, "", 0);
}

#[test]
fn a_document_that_cannot_be_read_is_an_error() {
    let path = "tests/missing";
    for arguments in [&["-b", "http://a/", "-d", path, "x"][..], &["-l", path], &["--print-base", path]] {
        absurl(arguments).gives("", "absurl: tests/missing: no such file or directory\n", 2);
    }
    // Windows denies access to a directory
    if cfg!(unix) {
        absurl(&["-d", "tests", "x"]).gives("", "absurl: tests: a directory; -d takes one document\n", 2);
    }
    let (stdout, _, status) = absurl(&["-l", "tests/missing", "tests/data/base/rfc_section_10.html"]).text();
    assert_eq!((&*stdout, status), ("http://www.ics.uci.edu/Test/a/x\n", 2));
}

#[test]
fn what_does_not_go_together_is_wrong_usage() {
    const ONCE: &str = "standard input can be read only once";
    let part = |number: &str| {
        format!("--part: \"{number}\" is not a part number; use numbers from 1 with dots between them, such as 2.1")
    };
    for (arguments, what) in [
        ("-d -", "standard input is the document; pass the references as arguments".into()),
        ("-d - -f -", ONCE.into()),
        ("-l - -", ONCE.into()),
        ("-l -p -f - -f -", ONCE.into()),
        ("-l -d a x", "--links cannot be used with --document; pass documents as arguments".into()),
        ("-l -d a -f x", "--links cannot be used with --document; pass documents as arguments".into()),
        ("-l -p -d a", "--pairs cannot be used with --document".into()),
        ("-l a -f b", "--links takes documents as arguments; omit --file".into()),
        ("-l a --part 1", "--links cannot be used with --part".into()),
        ("-l -p -b http://a/", "--pairs cannot be used with --base; each line has its own base URL".into()),
        ("-p -d a", "--pairs cannot be used with --document".into()),
        ("--part 1 x", "--part needs --document".into()),
        ("-p --part 1", "--part needs --document".into()),
        ("-d a --part 0 x", part("0")),
        ("-d a --part 1. x", part("1.")),
        ("-d a --part +1 x", part("+1")),
        (
            "-d a --media-type text/plain x",
            "--media-type: \"text/plain\" is not a type that absurl reads; try text/html".into(),
        ),
        (
            "-l --media-type text/html;charset=x",
            "--media-type: \"text/html;charset=x\" has no charset that the Encoding Standard knows; write \
             text/html;charset=utf-8"
                .into(),
        ),
        (
            "-l --media-type message/rfc822;charset=utf-8",
            "--media-type: \"message/rfc822;charset=utf-8\" has a charset; only a text has one, such as \
             text/html;charset=utf-8"
                .into(),
        ),
        ("--media-type text/html x", "--media-type needs --links, --rewrite, --print-base or --document".into()),
        ("-d a --print-base x", "--print-base reads --document or arguments, not both".into()),
        ("-d a --print-base -f b", "--file cannot be used with --print-base".into()),
        ("--print-base -l a", "--links cannot be used with --print-base".into()),
        ("--print-base -c a", "--print-base cannot be used with --check".into()),
        ("--print-base --compare a", "--print-base cannot be used with --compare".into()),
    ] {
        absurl(&[]).words(arguments).gives("", format!("absurl: {what}\n"), 2);
    }
}

#[test]
fn a_status_line_has_a_version_and_a_code() {
    let header = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n";
    let base = "<base href=http://h/><a href=x>";
    for (document, links) in [
        (format!("HTTP/1.1 200\n\n{base}"), "http://h/x\n"),
        (format!("HTTP/2 200 \n\n{base}"), "http://h/x\n"),
        // where another status line could be, this is the body
        (format!("{header}HTTP/1.1 is a <a href=y>protocol</a>\n\n{base}"), "http://h/y\nhttp://h/x\n"),
        // a proxy answers before the server does
        (format!("HTTP/1.1 200 Connection established\n\n{header}{base}"), "http://h/x\n"),
        (format!("HTTP/1.1 401 Unauthorized\nContent-Type: text/html\n\n{header}{base}"), "http://h/x\n"),
    ] {
        absurl(&["-l", "-"]).input(document).gives(links, "", 0);
    }
    // a response with a content of its own is followed by that, or by another transfer
    let other = "absurl: -:4:1: not searching from here on: another HTTP response seems to start; save each page to its own file\n";
    let (stdout, stderr, status) = absurl(&["-l", "-"]).input(format!("{header}{header}{base}")).text();
    assert!(stdout.is_empty() && stderr.starts_with(other) && status == 1, "{stdout}{stderr}");
    let body = format!("{header}<a href=/no>");
    let long = format!("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: {}\n\n{body}", body.len());
    absurl(&["-lb", "http://h/", "-"]).input(long).gives("http://h/no\n", "", 0);
    for start in ["HTTP/1.1 is a protocol", "HTTP/1.1 2000 pages", "HTTP/1.1"] {
        let (_, _, status) = absurl(&["-l", "-"]).input(format!("{start}\n\n{base}")).text();
        assert_eq!(status, 2, "{start}");
    }
}

#[test]
fn a_byte_order_mark_overrides_the_charset_of_the_transport() {
    let utf_16 = |text: &str| [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for html in ["<base href=http://h/\u{E9}/><a href=\u{E9}>", "<a href=http://h/\u{E9}/\u{E9}>"] {
        for (charset, html) in [
            ("koi8-r", format!("\u{FEFF}{html}").into_bytes()),
            ("utf-16", format!("\u{FEFF}{html}").into_bytes()),
            ("shift_jis", utf_16(html)),
        ] {
            for before in ["", "HTTP/1.1 200 OK\n"] {
                let header = format!("{before}Content-Type: text/html; charset={charset}\n\n").into_bytes();
                let document = [header, html.clone()].concat();
                absurl(&["-l", "-"]).input(document).gives("http://h/\u{E9}/\u{E9}\n", "", 0);
            }
        }
    }
}

#[test]
fn links_are_checked_at_their_locations_and_each_base_once() {
    let page = "<base href='http://h/a b'>\n<a href=c|d>\n <a href=e><a href='f g'>";
    let (stdout, stderr, status) = absurl(&["-l", "-c", "-"]).input(page).text();
    let places: Vec<_> = stdout.lines().map(|line| line.split(" is ").next().expect("a piece")).collect();
    assert_eq!(places, ["-:1:13: http://h/a b: a space", "-:2:9: c|d: \"|\"", "-:3:21: f g: a space"]);
    assert_eq!((&*stderr, status), ("absurl: 3 violations in 2 of 3 links and in 1 base URL\n", 1));
    let (stdout, _, _) = absurl(&["-l", "-c", "-j", "-"]).input(page).text();
    let printed = fields(&stdout, "source element attribute line column base_rule");
    assert_eq!(printed, ["- null null null null 3.1", "- a href 2 9 3.1", "- a href 3 10 3.1", "- a href 3 21 3.1"]);
    let (stdout, _, _) = absurl(&["-l", "-c", "-b", "http://h/|", "-"]).input("<a href=c><a href=d>").text();
    assert_eq!(stdout.matches("base:10: ").count(), 1, "{stdout}");
    let (stdout, _, _) = absurl(&["-l", "-c", "-p"]).input("http://h/|\ttests/data/base/no_base.html\n").text();
    assert!(stdout.starts_with("tests/data/base/no_base.html:base:10: http://h/|: \"|\""), "{stdout}");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    let (stdout, _, _) = absurl(&["-c", "-d", "-", "x"]).input(page).text();
    assert!(stdout.starts_with("-:1:13: "), "{stdout}");
}

#[test]
fn links_are_compared_at_their_locations() {
    let page = "<base href=http://h/a/>\n<a href=../../x>";
    let (stdout, _, status) = absurl(&["-l", "--compare", "-"]).input(page).text();
    assert!(stdout.starts_with("-:2:9: ../../x\n"), "{stdout}");
    assert_eq!(status, 1);
    let (stdout, _, _) = absurl(&["-l", "--compare", "-j", "-"]).input(page).text();
    assert_eq!(fields(&stdout, "element line base_rule"), ["a 2 3.1"]);
    // a base that no standard can use is one message
    absurl(&["-l", "--compare"]).input("<base href=g><a href=http://h/>").gives(
        "",
        "absurl: -:1:12: ignoring the BASE \"g\": it is relative and there is no base URL; use --base URL\n\
         absurl: no differences in 1 link\n",
        0,
    );
}

#[test]
fn a_list_on_standard_input_cannot_name_it() {
    let list = "http://a/\t-\nhttp://one/a/b\ttests/data/base/no_base.html\n";
    let twice = ["-l", "-p", "http://a/\t-", "http://b/\t-"];
    absurl(&twice).input("<a href=g>").gives(
        "http://a/g\n\n",
        "absurl: argument 2: -: standard input can be read only once\n",
        1,
    );
    let message = "absurl: -:1: -: standard input is already used for the list of documents\n";
    absurl(&["-l", "-p"]).input(list).gives("\nhttp://one/x\n", message, 1);
}

#[test]
fn an_itemtype_has_urls() {
    let page = "<p itemscope itemtype='http://a/b  http://c/d'>";
    absurl(&["-l", "-"]).input(page).gives("http://a/b\nhttp://c/d\n", "", 0);
}

#[cfg(unix)]
#[test]
fn json_has_the_bytes_of_a_name_that_is_not_utf_8() {
    use std::os::unix::ffi::OsStringExt;
    let directory = new_directory("name");
    let name = std::ffi::OsString::from_vec(b"\xE9.html".to_vec());
    fs::write(directory.join(&name), "<p-q><a href='x|'>").expect("a file");
    for arguments in [&["--links"][..], &["--print-base"], &["--links", "-c"], &["-f"]] {
        let run = absurl(&[&["-j", "-b", "http://h/"], arguments].concat()).argument(&name).directory(&directory);
        let (stdout, ..) = run.text();
        assert_eq!(parse_objects(stdout)[0]["source_base64"], "6S5odG1s", "{arguments:?}");
    }
    fs::write(directory.join(&name), "<base href=http://h/>").expect("a file");
    let (stdout, ..) = absurl(&["-j", "g", "-d"]).argument(&name).directory(&directory).text();
    assert_eq!(parse_objects(stdout)[0]["base_file_base64"], "6S5odG1s");
}

#[cfg(unix)]
#[test]
fn a_name_with_a_newline_would_make_two_lines() {
    let directory = new_directory("newline");
    fs::write(directory.join("a\nb"), "<base href=http://h/>").expect("a file");
    let message = "absurl: a\\x0Ab: the document's name contains a newline; use --null\n";
    absurl(&["--print-base", "-k", "a\nb"]).directory(&directory).gives("\n", message, 1);
    absurl(&["--print-base", "-k0", "a\nb"]).directory(&directory).gives("a\nb\thttp://h/\t3.1\0", "", 0);
}

/// More than a file needs to be searched for a BASE before its links are read.
fn long(before: &[u8], after: &[u8]) -> Vec<u8> {
    [before, &b"x\n".repeat(530_000), after].concat()
}

/// Asserts that a file, as an argument and on standard input, gives what a pipe gives.
fn assert_same_from_file(file: &str, modes: &[&[&str]]) {
    let page = fs::read(file).unwrap();
    for mode in modes {
        let arguments = [&["-b", "http://a/b/c"], *mode].concat();
        let by_name = |name: &str| match mode {
            ["-d", ..] => absurl(&[&["-d", name, "g", "//"], &arguments[..2]].concat()),
            _ => absurl(&[&arguments[..], &[name]].concat()),
        };
        let rename = |(stdout, stderr, status): (String, String, i32)| {
            // JSON escapes the backslashes of Windows
            let stdout = stdout.replace(&file.replace('\\', r"\\"), "-");
            (stdout.replace(file, "-"), stderr.replace(file, "-"), status)
        };
        let (stdout, stderr, status) = by_name("-").input(&*page).text();
        let expected = (stdout, stderr, status);
        assert_eq!(rename(by_name(file).text()), expected, "{mode:?} {file}");
    }
}

#[test]
fn a_file_without_a_base_gives_what_a_pipe_gives() {
    let directory = new_directory("searched");
    let utf16 = |text: &str| [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let pages: &[Vec<u8>] = &[
        long(b"<a href=g>", b"<a href=h>"),
        long(b"<a href=g>", b"<base href=http://b/d/><a href=h>"),
        long(b"<a href=g><BASE\nhref=/d/>", b"<base href=http://b/>"),
        long(b"<!--<base href=http://b/>--><a href=g>", b""),
        long(b"\xEF\xBB\xBF<a href='\xC3\xA9'>", b"<iframe srcdoc='<base href=http://s/><a href=x>'></iframe>"),
        long(b"<meta charset=iso-8859-1><a href='\xE9'>", b"<a href='\xE9?\xE9'>"),
        long(b"<meta charset=gbk><a href='\x81\x3C'>", b"<base href=http://b/>"),
        utf16(&format!("<a href=g>{}<base href=http://b/>", "x\n".repeat(300_000))),
        long(b"<svg><a href=g /></svg>", b"<a href=h"),
        long(b"no tag", b""),
        long(b"<http://x/>", b""),
        long(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=g>", b"<a href=h>"),
        long(
            b"Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=g>",
            b"=3Cbase href=3Dhttp://q/>",
        ),
    ];
    let modes: &[&[&str]] = &[
        &["-lj"],
        &["-lc"],
        &["-l", "--compare"],
        &["-ls", "whatwg"],
        &["--print-base"],
        &["--print-base", "-j"],
        &["-d"],
    ];
    for (number, page) in pages.iter().enumerate() {
        let file = directory.join(format!("page{number}"));
        fs::write(&file, page).unwrap();
        assert_same_from_file(file.to_str().unwrap(), modes);
    }
    let mut bases = fs::read_dir("tests/data/base").unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    bases.sort();
    for path in bases.iter().filter(|path| path.extension().is_some_and(|ending| ending == "html")).step_by(12) {
        let file = directory.join("page");
        fs::write(&file, long(&fs::read(path).unwrap(), b"<a href=z>")).unwrap();
        assert_same_from_file(file.to_str().unwrap(), &[&["-lj"], &["--print-base", "-j"]]);
    }
}

#[cfg(unix)]
#[test]
fn a_file_is_searched_from_where_it_is_read() {
    let page = long(b"<base href=http://b/>\n<a href=g>", b"<a href=h>");
    let file = new_file("searched_later", page);
    let links = shell(&format!("(read line; absurl -l -b http://c/) <{file}")).text().0;
    assert_eq!(links, "http://c/g\nhttp://c/h\n");
}
