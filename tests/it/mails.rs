//! Mailboxes of several messages, and dumps of HTTP with redirects.

use crate::harness::new_file;
use crate::harness::{Document, absurl, fields, located_links, parse_objects, read_documents};
use crate::table::{assert_each, read_rows};

/// Options and a name, a message, its links, what is said about it, the exit status. `-` is a name without an
/// ending, which is read as standard input is.
const MESSAGES: &str = include_str!("../data/messages.tsv");

/// What is not searched in a message is named, and fails.
#[test]
fn each_message_of_the_table_is_read_whole_or_says_why_not() {
    let rows = read_rows::<5>(MESSAGES);
    let status_of = |status: &[u8]| str::from_utf8(status).expect("UTF-8").parse::<i32>().expect("a number");
    let documents = rows.iter().map(|[options, text, _, _, status]| {
        let unnamed = Document::new(options, text);
        let (options, name) = unnamed.options.rsplit_once(' ').unwrap_or(("", unnamed.options));
        let name = if name == "-" { unnamed.name } else { name };
        Document { options, name, status: Some(status_of(status)), ..unnamed }
    });
    let answers = read_documents(&["-l", "-b", "http://h/d/"], &documents.collect::<Vec<_>>());
    assert_each(rows.iter().zip(answers).map(|([_, document, links, messages, status], (objects, said, given))| {
        let joined = |field: &[u8], start: &str| {
            let lines = str::from_utf8(field).expect("UTF-8").split_terminator('|');
            lines.map(|line| format!("{start}{line}\n")).collect::<String>()
        };
        let found = objects.iter().map(|link| format!("{}\n", link["url"].as_str().unwrap_or_default())).collect();
        let expected = (joined(links, ""), joined(messages, "absurl: -:"), status_of(status));
        (document.escape_ascii(), (found, said, given), expected)
    }));
}

/// The note about redirects that cannot have led to the base.
const FIRST: &str = "is taken as the first URL; the last one is ";

/// An HTML response without its body.
const PAGE: &str = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n";

/// A redirect, and the empty line after it.
fn redirect(status: &str, location: &str) -> String {
    format!("HTTP/1.1 {status} x\nServer: x\nLocation: {location}\nBase: <URL:http://no/>\n\n")
}

/// A page to which redirects led.
fn dump(locations: &[&str]) -> String {
    let redirects: Vec<_> = locations.iter().map(|location| redirect("301", location)).collect();
    redirects.concat() + PAGE + "<a href=y>"
}

#[test]
fn redirects_that_were_followed_give_the_url_of_retrieval() {
    let instead =
        |to: &str| format!("redirected to \"{to}\", so it was retrieved from there, not from \"http://b/c\"\n");
    for (headers, link, note) in [
        // a Location that was followed, whatever the version and the status
        (redirect("301", "http://h/d/e"), "http://h/d/y", instead("http://h/d/e")),
        (redirect("302", "http://h/d/e").replace("/1.1", "/1.0"), "http://h/d/y", instead("http://h/d/e")),
        (redirect("303", "http://h/d/e").replace("/1.1", "/2"), "http://h/d/y", instead("http://h/d/e")),
        (redirect("307", "http://h/d/e").replace("/1.1", "/3"), "http://h/d/y", instead("http://h/d/e")),
        (redirect("308", "HTTP://h/d/../e").replace("Location", "location"), "HTTP://h/y", instead("HTTP://h/d/../e")),
        (redirect("301", "http://b/c"), "http://b/y", String::new()),
        // several: the last one applies, and a relative one is relative to the URL before it
        (redirect("301", "http://h/d/e") + &redirect("302", "http://i/"), "http://i/y", instead("http://i/")),
        (redirect("301", "http://h/d/e") + &redirect("302", "../f/"), "http://h/f/y", instead("http://h/f/")),
        (redirect("301", "http://h/d") + &redirect("302", "//i/"), "http://i/y", instead("http://i/")),
        (redirect("301", "d/") + &redirect("302", "http://h/e"), "http://h/y", instead("http://h/e")),
        // without an absolute one, the first is relative to the base
        (redirect("301", "/d/"), "http://b/d/y", format!("--base {FIRST}http://b/d/\n")),
        (redirect("301", "//h/d/"), "http://h/d/y", format!("--base {FIRST}http://h/d/\n")),
        (redirect("301", "d/e") + &redirect("302", "f/g"), "http://b/d/f/y", format!("--base {FIRST}http://b/d/f/g\n")),
        // these are not redirects
        (redirect("201", "http://h/d/"), "http://b/y", String::new()),
        (redirect("304", "http://h/d/"), "http://b/y", String::new()),
        (redirect("100", "http://h/d/") + "HTTP/1.1 200 Connection established\n\n", "http://b/y", String::new()),
        ("HTTP/1.1 301 x\n\n".into(), "http://b/y", String::new()),
        ("HTTP/1.1 301 x\nX: \n Location: http://h/\n\n".into(), "http://b/y", String::new()),
    ] {
        let note = if note.is_empty() { note } else { format!("absurl: -: {note}") };
        for dump in [format!("{headers}{PAGE}<a href=y>"), format!("{headers}{PAGE}<a href=y>").replace('\n', "\r\n")] {
            absurl(&["-lb", "http://b/c", "-"]).input(dump.clone()).gives(format!("{link}\n"), note.clone(), 0);
        }
    }
    // the Location of the last response was not followed: it is a link
    let last = redirect("301", "http://h/d/") + "<a href=y>";
    absurl(&["-l", "-b", "http://b/c", "-"]).input(last).gives("http://h/d/\nhttp://no/y\n", "", 0);
}

#[test]
fn a_base_that_the_redirects_can_have_led_to_is_the_last_url() {
    for (base, locations, is_last) in [
        ("http://h/x/", "/x/", true),
        ("http://h/x/", "/x/#f", true),
        ("http://h/x/#f", "/x/", true),
        ("http://h/x", "/x/", false),
        ("http://h/x/", "x/", true),
        ("http://h/d/x/", "x/", true),
        ("http://h/d/x", "x", true),
        ("http://h/d/x", "./x", true),
        ("http://h/d/y", "x", false),
        ("http://h/a/b/c", "a/b/c", true),
        ("http://h/b/c", "a/b/c", false),
        // the URL before it is deeper
        ("http://h/x/", "../x/", true),
        ("http://h/d/x", "../x", true),
        ("http://h/d/x/y", "../../x/y", true),
        ("http://h/d/", "..", true),
        ("http://h/x/y/", "../x/", false),
        ("http://h/d/x", "a/../x", true),
        ("http://h/d/a/b/", "a/c/../b/", true),
        ("http://h/d/x", "a/../../x", true),
        ("http://h/d?p=2", "?p=2", true),
        ("http://h/d?p=2", "d?p=2", true),
        ("http://h/d?p=3", "?p=2", false),
        ("http://h/d?p=a/b", "?p=a/b", true),
        ("http://h/d", "", true),
        ("http://h/x", "//h/x", true),
        ("http://h/x", "//i/x", false),
        // one standard is enough, as nobody knows which one was followed
        ("http://h/d/x;a/b", "d/x;a/b", true),
        ("http://h/d/x;a/b", "x;a/b", true),
        ("http://h/d/../x", "/d/../x", true),
        ("http://h/d/../x", "/x", true),
        ("http://h/x", "/d/../x", true),
        ("HTTP://H", "/", true),
        ("http://h/%c3%A9", "/\u{E9}", true),
        ("http://h/x/y", "x\\y", true),
        ("http://h/x/y", "..\\y", true),
        ("http://h/x/y", ".%2E/y", true),
        ("http://i/", "\\\\i", true),
        // of several
        ("http://h/a/b", "/a/ b", true),
        ("http://h/a/b", "/b /a/", false),
        ("http://h/b", "/a/ b", false),
        ("http://h/a/b", "a/ b", true),
        ("http://h/b", "a/ b", false),
        ("http://h/x", "//i/ x", false),
        ("http://h/x", "//i/ /x", false),
        ("http://h/x", "//i/ //h/x", true),
        ("http://h/d/x?q", "x ?q", true),
        ("http://h/d/x?q", "/x ?q", false),
    ] {
        let dump = dump(&locations.split(' ').collect::<Vec<_>>());
        for standard in ["rfc1808", "rfc3986", "whatwg"] {
            let (_, messages, status) = absurl(&["-lb", base, "-s", standard, "-"]).input(dump.clone()).text();
            let case = format!("-s {standard} -b {base}: {locations}: {messages}");
            assert_eq!((messages.is_empty(), messages.contains(FIRST), status), (is_last, !is_last, 0), "{case}");
        }
    }
    let note = "absurl: -: redirected to \"x\", which is relative; pass the first URL as the base\n";
    let unknown = redirect("301", "x") + PAGE + "<a href=z:>";
    absurl(&["-l", "-"]).input(unknown.clone()).gives("z:\n", note, 0);
    absurl(&["--print-base", "-qb", "http://h/", "-"]).input(unknown).gives("http://h/x\t3.3\n", "", 0);
    // the base is that of a record
    let dump = new_file("redirects", dump(&["x/"]));
    absurl(&["-lpf", "-"]).input(format!("http://h/x/\t{dump}\n")).gives("http://h/x/y\n", "", 0);
    absurl(&["-lpf", "-"]).input(format!("http://h/\t{dump}\n")).gives(
        "http://h/x/y\n",
        format!("absurl: {dump}: the record's URL {FIRST}http://h/x/\n"),
        0,
    );
    absurl(&["-lqpf", "-"]).input(format!("http://h/\t{dump}\n")).gives("http://h/x/y\n", "", 0);
}

/// Each Location that was followed is resolved as links are: by the standard of the task, or by each for itself.
#[test]
fn locations_are_resolved_by_the_standard_of_the_task() {
    let instead =
        |to: &str| format!(" redirected to \"{to}\", so it was retrieved from there, not from \"http://h/\"\n");
    let ignored = |at: &str, what: &str| format!("{at} ignoring the Location field \"{what}\n");
    let slash = dump(&["http://h/d/", "/\\evil.com", "?q"]);
    let no_uri = "/\\evil.com\": \"\\\" is not allowed in a path; write %5C";
    let port = dump(&["http://a:99999/", "/z"]);
    let bad_port = "http://a:99999/\": port \"99999\" is greater than 65535; write a smaller one or omit it";
    let opaque = dump(&["http://h/d", "x:y", "z"]);
    let no_base = "z\": no scheme, so it needs a base whose path starts with \"/\"; write the URL with its scheme";
    let same_scheme = dump(&["http://i/d/", "http:x"]);
    let many = dump(&[vec!["http://h/"], vec!["a/"; 20_000]].concat());
    let relative = dump(&["/\\evil.com", "?q"]);
    let without = "absurl: -:14:9: relative URL without a base; use --base URL, such as https://example.com/\n";
    let first = |to: &str| format!(" --base {FIRST}{to}\n");
    let (other, leaves) = (dump(&["//i/d/"]), "absurl: 1 link may leave its host\n");
    // browsers may go where the others have an answer
    let long = dump(&["http://h/", &format!("/{}", "\u{e9}".repeat(3000)), "\\\\evil.com"]);
    let too_long = "\\\\evil.com\": it may be longer than 8 KiB once it is resolved; write an absolute URL";
    for (arguments, dump, output, message, status) in [
        ("-l", &slash, "http://h/y\n", instead("http://h/\\evil.com?q"), 0),
        ("-l -s whatwg", &slash, "http://evil.com/y\n", instead("http://evil.com/?q"), 0),
        ("-l -s rfc3986", &slash, "http://h/y\n", ignored("8:1:", no_uri), 1),
        ("-l -q -s rfc3986", &slash, "http://h/y\n", String::new(), 1),
        ("-l -q -s whatwg", &slash, "http://evil.com/y\n", String::new(), 0),
        ("--print-base -s whatwg", &slash, "http://evil.com/?q\t3.3\n", instead("http://evil.com/?q"), 0),
        ("-s whatwg y -d", &slash, "http://evil.com/y\n", instead("http://evil.com/?q"), 0),
        ("-l --check=host -q", &slash, "", String::new(), 1),
        ("-l --check=host -q", &long, "", String::new(), 1),
        ("-l -s whatwg", &long, "http://h/y\n", ignored("13:1:", too_long), 1),
        ("-l", &port, "http://a:99999/y\n", instead("http://a:99999/z"), 0),
        ("-l -s whatwg", &port, "http://h/y\n", ignored("3:1:", bad_port), 1),
        ("-l", &opaque, "x:y\n", instead("x:z"), 0),
        ("-l -s whatwg", &opaque, "http://h/y\n", ignored("13:1:", no_base), 1),
        // a URL like http:x is absolute, but not to browsers
        ("-l", &same_scheme, "http:y\n", instead("http:x"), 0),
        ("-l -s whatwg", &same_scheme, "http://i/d/y\n", instead("http://i/d/x"), 0),
        ("-l -q", &many, "http://h/y\n", String::new(), 1),
        // from the base on, if it is the first URL
        ("-l", &relative, "http://h/y\n", first("http://h/\\evil.com?q"), 0),
        ("-l -s whatwg", &relative, "http://evil.com/y\n", first("http://evil.com/?q"), 0),
        // no base is better than one that is known to be wrong
        ("-l -s rfc3986", &relative, "\n", ignored("3:1:", no_uri) + without, 1),
        ("--print-base -s whatwg", &relative, "http://evil.com/?q\t3.3\n", first("http://evil.com/?q"), 0),
        ("-s whatwg y -d", &relative, "http://evil.com/y\n", first("http://evil.com/?q"), 0),
        ("-l --check=host -q", &relative, "", String::new(), 1),
        ("-l --check=host", &other, "-:9:9: y: reaches i, not h\n", first("http://i/d/") + leaves, 1),
    ] {
        let (stdout, stderr, given) = absurl(&["-b", "http://h/"]).words(arguments).argument("-").input(&**dump).text();
        let message = if message.is_empty() { message } else { format!("absurl: -:{message}") };
        assert_eq!((&*stdout, stderr, given), (output, message, status), "{arguments}");
    }
}

/// Chromium reads neither field in HTTP, and no browser has a base from a header.
#[test]
fn by_whatwg_no_header_of_http_gives_a_base() {
    let run =
        |arguments: &str, document: &str| absurl(&["-b", "http://h/d/"]).words(arguments).argument("-").input(document);
    let mail = "Content-Base: http://b/c/\nContent-Type: text/html\n\n<a href=y>";
    let parts = "Content-Type: multipart/related; boundary=x\n\n--x\n";
    let in_part = format!("HTTP/1.1 200 OK\n{parts}{mail}\n--x--\n");
    for field in ["Content-Base: http://b/c/", "Base: <URL:http://b/c/>"] {
        let response = format!("HTTP/1.1 200 OK\n{field}\nContent-Type: text/html\n\n<a href=y>");
        for (standard, base, rule) in
            [("rfc1808", "http://b/c/", "3.1"), ("rfc3986", "http://b/c/", "3.1"), ("whatwg", "http://h/d/", "3.3")]
        {
            run(&format!("-l -s {standard}"), &response).gives(format!("{base}y\n"), "", 0);
            run(&format!("--print-base -s {standard}"), &response).gives(format!("{base}\t{rule}\n"), "", 0);
            for document in [mail, &in_part] {
                run(&format!("-l -s {standard}"), document).gives("http://b/c/y\n", "", 0);
            }
        }
        let (found, _, status) = run("-l --check=host", &response).text();
        assert_eq!((&*found, status), ("-:5:9: y: reaches b (RFC 1808, RFC 3986), not h\n", 1), "{field}");
        let (differing, _, status) = run("-l --compare", &response).text();
        assert!(differing.contains("http://b/c/y") && differing.contains("http://h/d/y"), "{differing}");
        assert_eq!(status, 1, "{field}");
    }
    // what is no base has no faults
    let response = "HTTP/1.1 200 OK\nContent-Base: (\nContent-Type: text/html\n\n<a href=y>";
    run("-l -s whatwg", response).gives("http://h/d/y\n", "", 0);
}

#[test]
fn whatwg_escapes_the_bytes_of_a_location() {
    let header = |bytes: &[u8]| [b"HTTP/1.1 302 Found\nLocation: http://h/", bytes, b"\n\n"].concat();
    for (bytes, path) in
        [(&b"caf\xE9/"[..], "caf%E9/"), (b"caf\xC3\xA9/", "caf%C3%A9/"), (b"?\xE9", ""), (b"%E9/", "%E9/")]
    {
        let relative = b"HTTP/1.1 302 Found\nLocation: x\n\n";
        let page = [PAGE.as_bytes(), b"<a href=y>"].concat();
        let printed = format!("http://h/{path}y\n");
        let run = |dump: Vec<u8>| absurl(&["-l", "-s", "whatwg", "-"]).input(dump);
        run([header(bytes), page.clone()].concat()).gives(printed.clone(), "", 0);
        run([header(bytes), relative.to_vec(), page].concat()).gives(printed.clone(), "", 0);
    }
}

#[test]
fn a_second_transfer_in_a_dump_is_not_searched() {
    let first = redirect("301", "http://one/") + PAGE + "<a href=1>\n";
    let second = redirect("301", "http://two/") + PAGE + "<a href=2>\n";
    let message = "absurl: -:10:1: not searching from here on: another HTTP response seems to start; save each page to its own file\n";
    absurl(&["-l", "-"]).input(first.clone() + &second).gives("http://one/1\n", message, 1);
    // the status line of an example
    let example = first + "HTTP/1.1 200 OK\nHTTP/1.1 is old\nX: y\n";
    absurl(&["-l", "-"]).input(example).gives("http://one/1\n", "", 0);
    // many that are none take linear time
    let page = PAGE.to_owned() + "<a href=x:>" + &">HTTP/1.1 200".repeat(200_000);
    absurl(&["-l", "-"]).input(page).gives("x:\n", "", 0);
}

#[test]
fn print_base_names_the_location_and_a_base_inside_applies_before_it() {
    let dump = redirect("301", "http://h/d/e") + PAGE;
    absurl(&["--print-base", "-"]).input(dump.clone()).gives("http://h/d/e\t3.3\n", "", 0);
    let explained = "Step 1   the base URL is http://h/d/e (§3.3, Location in -:3:1)\n";
    absurl(&["--print-base", "-e", "-"]).input(dump.clone()).gives(explained, "", 0);
    absurl(&["-d", "-", "y"]).input(dump.clone()).gives("http://h/d/y\n", "", 0);
    let with_base = format!("{dump}<base href=f/><a href=y>");
    absurl(&["-l", "-"]).input(with_base.clone()).gives("http://h/d/f/y\n", "", 0);
    absurl(&["-ls", "whatwg", "-"]).input(with_base).gives("http://h/d/f/y\n", "", 0);
    let relative = redirect("301", "http://h/d/") + &redirect("301", "e") + PAGE + "<a href=y>";
    let (stdout, _, _) = absurl(&["-lj", "-"]).input(relative).text();
    let names = "base base_rule base_by base_line url";
    assert_eq!(fields(&stdout, names), ["http://h/d/e 3.3 Location 8 http://h/d/y"]);
    let with_header = redirect("301", "http://h/d/e") + "HTTP/1.1 200 OK\nContent-Base: g/\n\n<a href=y>";
    absurl(&["-l", "-"]).input(with_header).gives("http://h/d/g/y\n", "", 0);
}

#[test]
fn the_content_type_of_a_response_decides_how_its_body_is_read() {
    let message = "absurl: -:4:1: not searching the content, which is text/\\x1B[31mx\n";
    absurl(&["-l", "-b", "http://h/", "-"])
        .input("HTTP/1.1 200 OK\nContent-Type: text/\u{1B}[31mX\n\n<a href=g>")
        .gives("", message, 1);
    let rss = "<rss><channel><link>g</link></channel></rss>";
    for (content_type, body, links) in [
        ("text/css", "@import 'g';", "-:4:10:http://h/g\n"),
        ("text/css; charset=iso-8859-1", "a { b: url(\u{e9}) }", "-:4:12:http://h/é\n"),
        ("application/rss+xml", rss, "-:4:21:http://h/g\n"),
        ("text/xml", rss, "-:4:21:http://h/g\n"),
        ("Application/XML; charset=utf-8", rss, "-:4:21:http://h/g\n"),
        ("image/svg+xml", "\n<svg xmlns='http://www.w3.org/2000/svg'><a href='g'/></svg>", "-:5:50:http://h/g\n"),
        ("application/xhtml+xml", "<a href='g'/>", "-:4:10:http://h/g\n"),
        ("text/html", "Note: see <a href=g>", "-:4:19:http://h/g\n"),
    ] {
        let dump = format!("HTTP/1.1 200 OK\nContent-Type: {content_type}\n\n{body}");
        let bytes: Vec<u8> = if content_type.contains("8859") {
            dump.chars().map(|char| u8::try_from(u32::from(char)).expect("Latin-1")).collect()
        } else {
            dump.into_bytes()
        };
        let (stdout, stderr, status) = absurl(&["-lj", "-s", "whatwg", "-b", "http://h/", "-"]).input(bytes).text();
        let found: String = located_links(&stdout).iter().map(|link| format!("-:{link}\n")).collect();
        assert_eq!((&*found, &*stderr, status), (&*links.replace('é', "%C3%A9"), "", 0), "{content_type}");
    }
    for content_type in ["text/plain", "application/json", "image/png"] {
        let dump = format!("HTTP/1.1 200 OK\nContent-Type: {content_type}\n\n<a href=g>");
        let why = format!("which is {content_type}");
        let message = format!("absurl: -:4:1: not searching the content, {why}\n");
        absurl(&["-l", "-b", "http://h/", "-"]).input(dump).gives("", message, 1);
    }
}

/// A long part is searched for its BASE before it is read, so that no link waits for it.
#[test]
fn a_base_of_a_long_part_applies_to_the_links_before_it() {
    let padding = "x\n".repeat(600_000);
    for (field, base) in [("8bit", "<BASE href=http://b/>"), ("quoted-printable", "=3Cba=\nse href=3Dhttp://b/>")] {
        let header = format!("Content-Type: text/html\nContent-Transfer-Encoding: {field}\n\n");
        let mail = |base: &str| format!("{header}<a href='x'>{padding}{base}<a href='y'>");
        let run = |mail: String| absurl(&["-l", "-b", "http://h/", "--media-type", "message/rfc822", "-"]).input(mail);
        run(mail(base)).gives("http://b/x\nhttp://b/y\n", "", 0);
        run(mail("<basefont>")).gives("http://h/x\nhttp://h/y\n", "", 0);
        run(mail("")).gives("http://h/x\nhttp://h/y\n", "", 0);
    }
}

/// The line that starts a message.
const FROM: &str = "From a@b Mon Jan  1 00:00:00 2020";

/// A mailbox of three messages: HTML, a plain one, and a multipart.
fn example_mailbox() -> String {
    let first = format!("{FROM}\nSubject: x\nContent-Type: text/html\nBase: <URL:http://one/>\n\n<a href=1>\n");
    let second = format!("{FROM}\nSubject: y\n\nplain\nFrom here on\n>From there: x\n");
    let parts = "Content-Type: multipart/mixed; boundary=b\n\n\
        --b\n\nplain\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj0zPg==\n--b--\n";
    format!("{first}\n{second}\n{FROM}\n{parts}")
}

#[test]
fn all_messages_of_a_mailbox_are_read_and_numbered() {
    for mailbox in
        [example_mailbox(), format!("\u{FEFF}{}", example_mailbox()), example_mailbox().replace('\n', "\r\n")]
    {
        let run = absurl(&["-lj", "-b", "http://r/", "-"]).input(mailbox.clone());
        let (stdout, stderr, status) = run.text();
        let links: Vec<_> = parse_objects(stdout)
            .iter()
            .map(|link| [&link["url"], &link["part"], &link["line"], &link["base_part"]].map(ToString::to_string))
            .collect();
        let note = "absurl: -: 1 of 3 messages has no HTML part\n";
        let expected = [[r#""http://one/1""#, r#""1""#, "6", r#""1""#], [r#""http://r/3""#, r#""3.2""#, "1", "null"]];
        assert_eq!((links, &*stderr, status), (expected.map(|row| row.map(ToString::to_string)).into(), note, 0));
        absurl(&["--print-base", "--document", "-", "--part", "1"]).input(mailbox.clone()).gives(
            "http://one/\t3.1\n",
            "",
            0,
        );
        absurl(&["--print-base", "-b", "http://r/", "-d", "-", "--part", "3.2"]).input(mailbox.clone()).gives(
            "http://r/\t3.3\n",
            "",
            0,
        );
        let note = "absurl: -: the message itself has no base URL; for a part, use --document and --part with one of 1, 2, 3\n";
        absurl(&["--print-base", "-"]).input(mailbox.clone()).gives("\t3.4\n", note, 1);
        let error = "absurl: -: no such part; use --part with one of 1, 2, 3\n";
        absurl(&["-d", "-", "--part", "4", "x:y"]).input(mailbox).gives("", error, 2);
    }
}

#[test]
fn a_message_of_a_mailbox_starts_at_a_from_line_before_a_field() {
    let page = "Subject: y\nContent-Type: text/html\n\n<base href=http://second/><a href=2>\n";
    let first = format!("{FROM}\nSubject: x\nContent-Type: text/html\n\n<a href=1>\n");
    for (mbox, links) in [
        (format!("{first}\n{FROM}\n{page}"), "http://r/1\nhttp://second/2\n"),
        // without an empty line before it, a field of messages follows
        (format!("{first}{FROM}\n{page}"), "http://r/1\nhttp://second/2\n"),
        (format!("{first}{FROM}\nNote: y\n{page}"), "http://second/1\nhttp://second/2\n"),
        // no message begins without a header field
        (format!("{first}\nFrom here on:\n\n<a href=2>"), "http://r/1\nhttp://r/2\n"),
        (format!("{first}\nFrom {}\nX: y\n<a href=2>", "x".repeat(20_000)), "http://r/1\nhttp://r/2\n"),
        // what does not start as an mbox is not one
        (format!("{page}\n{first}"), "http://second/2\nhttp://second/1\n"),
        // a mailbox ends in a From line or in the middle of one
        (format!("{first}\n{FROM}\n"), "http://r/1\n"),
        (format!("{first}\nFrom "), "http://r/1\n"),
        (format!("{first}\n{FROM}\nX:"), "http://r/1\n"),
    ] {
        let note = if mbox.ends_with("X:") { "absurl: -: 1 of 2 messages has no HTML part\n" } else { "" };
        absurl(&["-l", "-b", "http://r/", "-"]).input(mbox).gives(links, note, 0);
    }
}

/// `--check=host` reads what any program that shows emails reads.
#[test]
fn a_wary_run_reads_more_parts_of_an_email() {
    let html = "Content-Type: text/html\n\n<a href=g>";
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><image href='//e/'/></svg>";
    let leaves = |line: u64, column: u64| format!("-:{line}:{column}: //e/: reaches e, not h\n");
    let second = |line: u64, name: &str| {
        format!("absurl: -:{line}:1: ignoring a second {name} field, which other programs may read; remove one\n")
    };
    let charset = |line: u64, name: &str| {
        format!(
            "absurl: -:{line}:1: reading the content as it is, because its charset is \"{name}\"; convert it to UTF-8\n"
        )
    };
    for (part, found, said) in [
        // other types than HTML
        (format!("Content-Type: image/svg+xml\n\n{svg}"), leaves(11, 54), String::new()),
        ("Content-Type: text/css\n\na{b:url(//e/)}".into(), leaves(11, 9), String::new()),
        ("Content-Type: text/css\n\n".into(), String::new(), String::new()),
        ("Content-Type: TEXT/x-amp-html\n\n<a href=//e/>".into(), leaves(11, 9), String::new()),
        ("Content-Type: text/watch-html\n\n<a href=//e/>".into(), leaves(11, 9), String::new()),
        (format!("Content-Type: application/xml\n\n<x xmlns='y'>{svg}</x>"), leaves(11, 67), String::new()),
        (
            "Content-Type: text/css\nContent-Transfer-Encoding: rot13\n\na{b:url(//e/)}".into(),
            leaves(12, 9),
            "absurl: -:9:1: reading the content as it is, because its Content-Transfer-Encoding is \"rot13\"; decode it first\n".into(),
        ),
        // two fields of one name
        (format!("Content-Type: text/plain\n{html}"), String::new(), second(10, "Content-Type")),
        (format!("content-type: image/png\n{html}"), String::new(), second(10, "Content-Type")),
        (
            format!("Content-Transfer-Encoding: 7bit\nContent-transfer-encoding:\n base64\n{html}"),
            String::new(),
            second(10, "Content-Transfer-Encoding"),
        ),
        // a charset that is not decoded
        ("Content-Type: text/html; charset=utf-7\n\n+ADw-a href=//e/>".into(), String::new(), charset(9, "utf-7")),
        ("Content-Type: text/html; charset=\"IBM037\"\n\nx".into(), String::new(), charset(9, "IBM037")),
        ("Content-Type: text/html; charset=latin1\n\nx".into(), String::new(), String::new()),
        ("Content-Type: text/html; charset=\"\"\n\nx".into(), String::new(), String::new()),
        ("Content-Type: text/plain; charset=utf-7\n\nx".into(), String::new(), String::new()),
    ] {
        let mail = format!("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n{html}\n--b\n{part}\n--b--\n");
        let (stdout, stderr, status) = absurl(&["-l", "--check=host", "-b", "http://h/"]).input(&*mail).text();
        let said_only = stderr.lines().filter(|line| line.starts_with("absurl: -:")).map(|line| format!("{line}\n"));
        let expected_status = i32::from(!found.is_empty() || !said.is_empty());
        assert_eq!((stdout, said_only.collect::<String>(), status), (found, said.clone(), expected_status), "{part}");
        // other runs are as they were
        let is_old = part.contains("base64") || part.contains("charset=") || part.contains("x-amp");
        if is_old {
            let links = if part.contains("base64") { "http://h/g\nhttp://h/g\n" } else { "http://h/g\n" };
            absurl(&["-l", "-b", "http://h/"]).input(mail).gives(links, "", 0);
        }
    }
}

/// Under `--check=host` a part is named that a program may read otherwise than its Content-Type says.
#[test]
fn a_wary_run_names_what_programs_read_otherwise() {
    let html = "\n\n<a href=g>";
    let twice = |name: &str| {
        format!("ignoring a second {name} in the Content-Type field, which other programs may read; remove one")
    };
    let named =
        |name: &str| format!("not read, so it may have links that leave: the part named \"{name}\"; extract it first");
    let text = |parameters: &str| format!("Content-Type: text/html; {parameters}{html}");
    let parts = |parameters: &str| format!("Content-Type: multipart/mixed; {parameters}\n\n--c\nX: y{html}\n--c--");
    let other = |parameters: &str| format!("Content-Type: application/octet-stream; {parameters}{html}");
    let file = |parameters: &str| format!("Content-Disposition: attachment; {parameters}{html}");
    for (part, said) in [
        // two parameters of one name
        (text("charset=utf-8; charset=iso-2022-jp"), twice("charset")),
        (text("Charset = utf-8;\n charset*=us-ascii''utf-7"), twice("charset")),
        (text("charset=; charset=utf-8"), twice("charset")),
        (text("charset=utf-8"), String::new()),
        (text("charset=utf-8; x-charset=utf-8"), String::new()),
        (text("charset*0=utf; charset*1=-8"), String::new()),
        (text("charset=utf-8; boundary=a; boundary=b"), String::new()),
        ("Content-Type: text/plain; charset=utf-8; charset=utf-7\n\nx".into(), String::new()),
        (parts("boundary=c; boundary=d"), twice("boundary")),
        (parts("boundary=c; boundary*=''d"), twice("boundary")),
        (parts("boundary*0=c; boundary*0*=d"), twice("boundary")),
        (parts("boundary*0*=''c"), String::new()),
        (parts("boundary=c; charset=a; charset=b"), String::new()),
        // a file of a type that is read
        (other("name=x.html"), named("x.html")),
        (other("name=\"a b.SVG\""), named("a b.SVG")),
        (other("name=x.pdf; name*=utf-8''x%2Ehtml"), named("x.html")),
        (other("name*0=x.; name*1=htm"), named("x.htm")),
        (other("name=\"=?utf-8?Q?x=2Ehtml?=\""), named("x.html")),
        (file("filename=x.xml"), named("x.xml")),
        (file("filename=x.png; FILENAME*=utf-8''%C3%A9.md"), named("\u{e9}.md")),
        ("Content-Type: text/plain; name=x.eml\n\nx".into(), named("x.eml")),
        ("Content-Type: application/pdf; name=x.pdf\n\nx".into(), String::new()),
        (file("filename=html"), String::new()),
        (other("x=x.html"), String::new()),
        (text("name=x.html"), String::new()),
        (parts("boundary=c; name=x.html"), String::new()),
    ] {
        let mail = format!("Content-Type: multipart/mixed; boundary=b\n\n\n--b\n{part}\n--b\n{}\n--b--\n", text(""));
        let (_, stderr, status) = absurl(&["-l", "--check=host", "-b", "http://h/"]).input(&*mail).text();
        let found: Vec<_> = stderr.lines().filter_map(|line| line.strip_prefix("absurl: -:5:1: ")).collect();
        assert_eq!((found.join("|"), status), (said.clone(), i32::from(!said.is_empty())), "{part}");
        let (_, stderr, status) = absurl(&["-l", "-b", "http://h/"]).input(mail).text();
        assert_eq!((&*stderr, status), ("", 0), "{part}");
    }
    let response = "HTTP/1.1 200 OK\nContent-Type: text/html;charset=utf-8;charset=iso-2022-jp\n\n<a href=g>";
    let said = format!("absurl: -:2:1: {}\n", twice("charset"));
    let (_, stderr, status) = absurl(&["-l", "--check=host", "-b", "http://h/"]).input(response).text();
    assert!(stderr.starts_with(&said) && status == 1, "{stderr}");
    absurl(&["-l", "-b", "http://h/"]).input(response).gives("http://h/g\n", "", 0);
}
