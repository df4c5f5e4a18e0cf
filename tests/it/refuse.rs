//! What is not a document, or has nothing that was asked for.

use crate::harness::{absurl, file};

/// What is said about a message without HTML.
const NO_HTML: &str =
    "absurl: -: the message has no HTML part, so no links; if it is a page, use --media-type text/html\n";

#[test]
fn what_is_not_a_document_is_refused_by_name() {
    let tagless = "the text has no HTML tag; for a list of references, use --file, not --links";
    let image = "the file is an image; only HTML and mail can be read";
    let rows: [(&[u8], &str, bool); 13] = [
        (
            b"\x1F\x8B\x08\0<a href=x>",
            "the file is compressed with gzip; decompress it first: zcat FILE | absurl --links",
            true,
        ),
        (b"\xFD7zXZ\0", "the file is compressed with xz; decompress it first: xzcat FILE | absurl --links", true),
        (
            b"\x28\xB5\x2F\xFD",
            "the file is compressed with zstd; decompress it first: zstdcat FILE | absurl --links",
            true,
        ),
        (
            b"PK\x03\x04<a href=x>",
            "the file is a zip archive; extract a page first: unzip -p FILE PAGE | absurl --links",
            true,
        ),
        (b"%PDF-1.4\n<a href=x>", "the file is a PDF; convert it first: pdftohtml -stdout FILE | absurl --links", true),
        (b"\x89PNG\r\n\x1A\n", image, true),
        (b"GIF89a<a href=x>", image, true),
        (b"\xFF\xD8\xFF\xE0", image, true),
        (b"RIFF\0\0\0\0WEBP", "the file is an image, audio or video; only HTML and mail can be read", true),
        (b"", "the document is empty", false),
        (b"\xEF\xBB\xBF# a [link](x) < b", tagless, false),
        (b"1 <2 and <!-- a comment -->", tagless, false),
        (b"\xFF\xFEt\0e\0x\0t\0", tagless, false),
    ];
    for (document, what, is_refused_as_a_base) in rows {
        let shown = document.escape_ascii();
        for arguments in [&["--links", "-c"][..], &["--links"]] {
            let (stdout, stderr, status) = absurl(arguments).input(document).text();
            let message = format!("absurl: -: {what}\n");
            assert!(stderr.starts_with(&message), "{shown}: {stderr}");
            assert_eq!((&*stdout, status), ("", 2), "{shown}");
        }
        let (stdout, stderr, status) = absurl(&["-d", "-", "-b", "http://h/a/", "g"]).input(document).text();
        if is_refused_as_a_base {
            assert_eq!((stdout, stderr, status), (String::new(), format!("absurl: -: {what}\n"), 2), "{shown}");
        } else {
            assert_eq!((&*stdout, &*stderr, status), ("http://h/a/g\n", "", 0), "{shown}");
        }
        let typed = absurl(&["--links", "-b", "http://h/", "--media-type", "text/html"]).input(document).text();
        assert_eq!(typed, (String::new(), format!("absurl: -: {what}\n"), 2), "{shown}");
        let typed = absurl(&["--links", "--media-type", "message/rfc822"]).input(document).text();
        let expected = if is_refused_as_a_base { (format!("absurl: -: {what}\n"), 2) } else { (NO_HTML.into(), 0) };
        assert_eq!((typed.1, typed.2), expected, "{shown}");
    }
}

#[test]
fn a_page_with_nul_bytes_or_in_utf_16_is_a_document() {
    let utf_16: Vec<u8> = "<a href=x>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for document in [&b"\0<\0a href=x>"[..], b"text\0</p><a href=x>", &[&b"\xFE\xFF"[..], &*utf_16].concat()] {
        let (_, stderr, status) = absurl(&["--links", "-b", "http://h/"]).input(document).text();
        assert_eq!((&*stderr, status), ("", 0), "{}", document.escape_ascii());
    }
    let long = format!("{}<a href=x>", "text without a tag\n".repeat(10_000));
    absurl(&["--links", "-b", "http://h/"]).input(long).gives("http://h/x\n", "", 0);
}

#[test]
fn a_refused_document_leaves_the_others() {
    let empty = "tests/data/base/empty.html";
    let arguments = ["--links", "-b", "http://a/b", empty, "tests/data/base/no_base.html"];
    absurl(&arguments).gives("http://a/../x\n", format!("absurl: {empty}: the document is empty\n"), 2);
    let list = format!("http://a/b\t{empty}\nhttp://a/b\ttests/data/base/no_base.html\n");
    let message = format!("absurl: -:1: {empty}: the document is empty\n");
    absurl(&["--links", "-p"]).input(list).gives("http://a/../x\n", message, 2);
}

#[test]
fn a_message_without_html_is_noted() {
    for message in
        ["Subject: x\n\ntext", "HTTP/1.1 200 OK\nContent-Type: image/png\n\n\x01", "a:hover { color: red }\n"]
    {
        absurl(&["--links"]).input(message).gives("", NO_HTML, 0);
        absurl(&["--links", "-q"]).input(message).gives("", "", 0);
        absurl(&["--links", "--media-type", "message/rfc822"]).input(message).gives("", NO_HTML, 0);
    }
    absurl(&["--links"]).input("Content-Type: text/html\n\n").gives("", "", 0);
}

#[test]
fn many_messages_without_html_are_counted() {
    let mail = file("no_html.eml", "Subject: x\n\ntext");
    let note = NO_HTML.replace(" -:", &format!(" {mail}:"));
    let many = note.repeat(10) + "absurl: 3 more messages have no HTML part\n";
    absurl(&[&["--links"][..], &[&*mail; 13]].concat()).gives("", many.clone(), 0);
    absurl(&["--links", "-p"]).input(format!("http://h/\t{mail}\n").repeat(13)).gives("", many, 0);
}

#[test]
fn a_message_without_a_base_of_its_own_names_its_parts() {
    let mail = "tests/data/base/multipart_without_base.eml";
    let note = format!(
        "absurl: {mail}: the message itself has no base URL; for a part, use --document and --part with one of 1, 2\n"
    );
    absurl(&["--print-base", mail]).gives("\t3.4\n", note, 1);
    for arguments in [&["--print-base", "-q", mail][..], &["--print-base", "-d", mail, "--part", "1"]] {
        absurl(arguments).gives("\t3.4\n", "", 1);
    }
}
