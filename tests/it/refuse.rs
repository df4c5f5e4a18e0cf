//! What is not a document, or has nothing that was asked for.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use crate::documents::without_base;
use crate::harness::{absurl, located_links, new_directory, new_file, utf_16_message};
use crate::table::read_rows;

/// What is said about a message without HTML.
pub const NO_HTML: &str = "absurl: -: the message has no HTML part, and plain text is not searched\n";

/// The start of an archive of tar with a page.
fn tar(magic: &[u8]) -> Vec<u8> {
    let mut archive = b"page.html".to_vec();
    archive.resize(257, 0);
    archive.extend(magic);
    archive.resize(512, 0);
    archive.extend(b"<a href=x>\n");
    archive
}

/// The start of an archive of ar, with the start of its first member.
fn ar(member: &[u8]) -> Vec<u8> {
    [&b"!<arch>\ndebian-binary   1410122664  0     0     100644  4         `\n"[..], member].concat()
}

#[test]
fn what_is_not_a_document_is_refused_by_name() {
    let tagless =
        "the text has no HTML tag; use --media-type text/markdown for Markdown, text/css for CSS, or --file for a list";
    let image = "the file is an image; only HTML, CSS, XML, Markdown and email can be read";
    let media = "the file is an image, audio or video; only HTML, CSS, XML, Markdown and email can be read";
    let font = "the file is a font; only HTML, CSS, XML, Markdown and email can be read";
    let program = "the file is a program; only HTML, CSS, XML, Markdown and email can be read";
    let utf_16 = format!("the text has no HTML tag, and {}", utf_16_message("UTF-16"));
    let utf_16 = utf_16.trim_end();
    let rows: &[(&[u8], &str, bool)] = &[
        (b"\x1F\x8B\x08\0<a href=x>", "the file is compressed with gzip; decompress it first: zcat FILE", true),
        (b"\xFD7zXZ\0", "the file is compressed with xz; decompress it first: xzcat FILE", true),
        (b"\x28\xB5\x2F\xFD", "the file is compressed with zstd; decompress it first: zstdcat FILE", true),
        (b"PK\x03\x04<a href=x>", "the file is a zip archive; extract a page first: unzip -p FILE PAGE", true),
        (b"%PDF-1.4\n<a href=x>", "the file is a PDF; convert it first: pdftohtml -stdout FILE", true),
        (b"\x89PNG\r\n\x1A\n", image, true),
        (b"GIF89a\x01\0<a href=x>", image, true),
        (b"\xFF\xD8\xFF\xE0", image, true),
        (b"BZh91AY&SY\x03<a href=x>", "the file is compressed with bzip2; decompress it first: bzcat FILE", true),
        (b"7z\xBC\xAF\x27\x1C<a href=x>", "the file is a 7z archive; extract a page first: 7z x -so FILE PAGE", true),
        (b"BM\x9A\0\0\0\0\0\0\0", image, true),
        (b"\0\0\x01\0\x01\0", image, true),
        (b"RIFF\0\0\0\0WEBP", media, true),
        (b"\0\0\0\x1Cftypheic", media, true),
        (b"\0\0\0\x20ftypavif", media, true),
        (b"ID3\x02\0", media, true),
        (b"ID3\x03\0", media, true),
        (b"ID3\x04\0", media, true),
        (b"\xFF\xFB\x90", media, true),
        (b"OggS\0", media, true),
        (b"\x1A\x45\xDF\xA3", media, true),
        (b"wOFF\0\x01", font, true),
        (b"wOF2\0\x01", font, true),
        (b"\0\x01\0\0\0\x0A<a href=x>", font, true),
        (b"OTTO\0\x0A<a href=x>", font, true),
        (b"ttcf\0\x01<a href=x>", font, true),
        (&tar(b"ustar\x0000"), "the file is a tar archive; extract a page first: tar -xOf FILE PAGE", true),
        (&tar(b"ustar  \0"), "the file is a tar archive; extract a page first: tar -xOf FILE PAGE", true),
        (
            b"SQLite format 3\0<a href=x>",
            "the file is an SQLite database; print its references first: sqlite3 FILE 'SELECT url FROM TABLE'",
            true,
        ),
        (
            b"bplist00\xD1\x01<a href=x>",
            "the file is a property list; only HTML, CSS, XML, Markdown and email can be read",
            true,
        ),
        (
            &ar(b"\0\x01<a href=x>"),
            "the file is an ar archive; only HTML, CSS, XML, Markdown and email can be read",
            true,
        ),
        (b"OTTO, SQLite format 3, bplist, ttcf, ustar", tagless, false),
        (b"RIFF is a container", tagless, false),
        (b"GIF89a is a format", tagless, false),
        (b"mp4 ftyp is a box", tagless, false),
        (b"\x7FELF\x02\x01<a href=x>", program, true),
        (b"MZ\x90\0\x03", program, true),
        (b"\xFE\xED\xFA\xCE", program, true),
        (b"\xFE\xED\xFA\xCF", program, true),
        (b"\xCE\xFA\xED\xFE", program, true),
        (b"\xCF\xFA\xED\xFE", program, true),
        (b"\xCA\xFE\xBA\xBE", program, true),
        (b"\0asm\x01", program, true),
        (b"BM and MZ", tagless, false),
        (
            b"PAR1\x15\x04<a href=x>",
            "the file is a Parquet table; print its references first: duckdb -list -noheader -separator $'\\t' -c \"SELECT url FROM 'FILE'\" (for --pairs: base, url)",
            true,
        ),
        (b"\x05\x8E\x01\x93", "the file is binary data; only HTML, CSS, XML, Markdown and email can be read", false),
        (b"\x1B[31mred\x0C", tagless, false),
        (b"", "the document is empty", false),
        (b"\xEF\xBB\xBF# a [link](x) < b", tagless, false),
        (b"1 <2 and <!-- a comment -->", tagless, false),
        (b"[a](b) <http://a/b> <https:> <urn:", tagless, false),
        (b"mail <me@b.example> or <x\xFF>", tagless, false),
        (b"a </ b <a", tagless, false),
        (b"\xFF\xFEt\0e\0x\0t\0", utf_16, false),
    ];
    for &(document, what, is_refused_as_a_base) in rows {
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
fn what_is_not_a_list_is_refused_by_its_first_bytes() {
    let binary = "binary data, not lines; if its records end in NUL, use --null";
    let media = "the file is an image, audio or video; a list of references is text";
    let rows: &[(&[u8], &str)] = &[
        (b"\x1F\x8B\x08\0g\n", "the file is compressed with gzip; decompress it first: zcat FILE"),
        (b"\x1F\x8B\x08\x08\x61\n", "the file is compressed with gzip; decompress it first: zcat FILE"),
        (b"PK\x03\x04\x14\0\n", "the file is a zip archive; extract a page first: unzip -p FILE PAGE"),
        (b"7z\xBC\xAF\x27\x1C\0\n", "the file is a 7z archive; extract a page first: 7z x -so FILE PAGE"),
        (b"%PDF-1.4\n", "the file is a PDF; convert it first: pdftohtml -stdout FILE"),
        (b"\x89PNG\r\n\x1A\n", "the file is an image; a list of references is text"),
        (b"GIF89a\x01\0\x01\0\n", "the file is an image; a list of references is text"),
        (b"RIFF\x24\x08\0\0WEBP\n", media),
        (b"\0\0\0\x20ftypavif\n", media),
        (b"OggS\0\x02\n", media),
        (b"wOF2\0\x01\n", "the file is a font; a list of references is text"),
        (b"OTTO\0\x0B\n", "the file is a font; a list of references is text"),
        (b"\0\x01\0\0\0\n", "the file is a font; a list of references is text"),
        (&ar(b"2.0\n\x1F\x8B\x08\0"), "the file is an ar archive; a list of references is text"),
        (&tar(b"ustar\x0000"), "the file is a tar archive; extract a page first: tar -xOf FILE PAGE"),
        (b"bplist00\xD1\x01\n", "the file is a property list; a list of references is text"),
        (b"\x7FELF\x02\x01\n", "the file is a program; a list of references is text"),
        (
            b"PAR1\x15\x04\x15\n",
            "the file is a Parquet table; print its references first: duckdb -list -noheader -separator $'\\t' -c \"SELECT url FROM 'FILE'\" (for --pairs: base, url)",
        ),
        (b"g\n\0\n", binary),
        (b"\0", binary),
        (&[&[b'g'; 511][..], b"\0\n"].concat(), binary),
        (b"g\0h", binary),
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
        b"BZh91AY&SY",
        b"BM",
        b"PDF-1.4",
        b"\x1B[31m",
        b"\x01\x02\x03",
        b"\xFF\xFE",
        &[&[b'g'; 600][..], b"\0"].concat(),
    ] {
        let list = [reference, b"\n"].concat();
        absurl(&["-b", "x:"]).input(&*list).gives([b"x:", &*list].concat(), "", 0);
    }
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
fn a_page_with_nul_bytes_or_in_utf_16_is_a_document() {
    let utf_16: Vec<u8> = "<a href=x>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for document in [&b"<\0p><a href=x>"[..], b"<p>text\0</p><a href=x>", &[&b"\xFE\xFF"[..], &*utf_16].concat()] {
        let (_, stderr, status) = absurl(&["--links", "-b", "http://h/"]).input(document).text();
        assert_eq!((&*stderr, status), ("", 0), "{}", document.escape_ascii());
    }
    let long = format!("{}<a href=x>", "text without a tag\n".repeat(10_000));
    absurl(&["--links", "-b", "http://h/"]).input(long).gives("http://h/x\n", "", 0);
}

#[test]
fn a_document_in_utf_16_without_a_byte_order_mark_is_refused() {
    let utf_16_of = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<_>>();
    let utf_32_of = |text: &str, bytes: fn(u32) -> [u8; 4]| text.chars().map(u32::from).flat_map(bytes).collect();
    for page in ["<p><a href=x>", "<p>\u{44F}\u{E9} <a href=x>", "a { b: url(x) }", "Subject: x\n\n", "<rss/>"] {
        for (name, page) in [
            ("UTF-16LE", utf_16_of(page, u16::to_le_bytes)),
            ("UTF-16BE", utf_16_of(page, u16::to_be_bytes)),
            ("UTF-32LE", utf_32_of(page, u32::to_le_bytes)),
            ("UTF-32BE", utf_32_of(page, u32::to_be_bytes)),
            ("UTF-32", utf_32_of(&format!("\u{FEFF}{page}"), u32::to_le_bytes)),
        ] {
            for line in [
                "-l",
                "-lc",
                "--print-base",
                "-d - g",
                "--rewrite",
                "-l --media-type text/html",
                "-l --media-type text/css;charset=utf-8",
                "-l --media-type application/xml",
            ] {
                let message = format!("absurl: -: {}", utf_16_message(name));
                let (stdout, stderr, status) = absurl(&["-b", "http://h/"]).words(line).input(&*page).text();
                assert!(stderr.starts_with(&message), "{line}: {stderr}");
                assert_eq!((&*stdout, status), ("", 2), "{line}");
            }
        }
    }
    let page = utf_16_of("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>\u{4E00}", u16::to_le_bytes);
    absurl(&["-l"]).input(&*page).gives("", format!("absurl: -: {}", utf_16_message("UTF-16LE")), 2);
    let markdown = utf_16_of("[a](g)", u16::to_le_bytes);
    let message = format!("absurl: -: {}", utf_16_message("UTF-16LE"));
    absurl(&["-l", "--media-type", "text/markdown", "-"]).input(markdown).gives("", message, 2);
    // its charset is named, or XML declares it
    let page = utf_16_of("<a href=x>", u16::to_le_bytes);
    absurl(&["-l", "-b", "x:"]).words("--media-type text/html;charset=utf-16le").input(&*page).gives("x:x\n", "", 0);
    let feed = utf_16_of("<?xml version='1.0'?><rss><channel><link>x</link></channel></rss>", u16::to_be_bytes);
    absurl(&["-l", "-b", "x:"]).input(&*feed).gives("x:x\n", "", 0);
    absurl(&["--links", "-b", "http://h/"]).input("<\0a\0><a href=x>").gives("http://h/x\n", "", 0);
    absurl(&["-l"]).input("\0\0<a href=x>").gives(
        "",
        "absurl: -: the file is binary data; only HTML, CSS, XML, Markdown and email can be read\n",
        2,
    );
}

#[test]
fn a_response_that_is_still_compressed_is_not_searched() {
    let response = |field: &str, body: &[u8]| {
        let header = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{field}\r\n\r\n");
        [header.as_bytes(), body].concat()
    };
    let packed = b"\x1F\x8B\x08\0\0\0<a href=x>\n";
    for name in ["gzip", "x-gzip", "br", "deflate", "zstd", "compress"] {
        let what = format!("which is compressed with {name}; fetch it with curl -i --compressed URL");
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
    let what = "which is image/png; only HTML, CSS, XML and Markdown are read";
    absurl(&["--links"]).input(image).gives("", format!("absurl: -:5:1: not searching the content, {what}\n"), 1);
}

#[test]
fn a_refused_document_leaves_the_others() {
    let empty = "tests/data/base/empty.html";
    let arguments = ["--links", "-b", "http://a/b", empty, "tests/data/base/no_base.html"];
    absurl(&arguments).gives("http://a/../x\n", format!("absurl: {empty}: the document is empty\n"), 2);
    let list = format!("http://a/b\t{empty}\nhttp://a/b\ttests/data/base/no_base.html\n");
    let message = format!("absurl: -:1: {empty}: the document is empty\n");
    absurl(&["--links", "-p"]).input(list).gives("\nhttp://a/../x\n", message, 1);
}

#[test]
fn a_record_fails_if_its_document_does() {
    let empty = "tests/data/base/empty.html";
    let list = format!("http://h/\tmissing:x\nhttp://h/\t{empty}\nhttp://h/\t\n");
    let messages = [
        "-:1: missing:x: no such file or directory",
        "-:2: tests/data/base/empty.html: the document is empty",
        "-:3: the document's name is empty; write BASE TAB DOCUMENT",
    ];
    let messages = messages.map(|message| format!("absurl: {message}\n")).concat();
    let object = |number, name, code, message| {
        format!(
            "{{\"source\":\"-\",\"record\":{number},\"reference\":\"{name}\",\"base\":\"http://h/\",\
             \"error\":{{\"code\":\"{code}\",\"message\":\"{message}\"}}}}\n"
        )
    };
    let objects = object(1, "missing:x", "unreadable", "missing:x: no such file or directory")
        + &object(2, empty, "not-a-document", &format!("{empty}: the document is empty"))
        + &object(3, "", "unreadable", "the document's name is empty; write BASE TAB DOCUMENT");
    let run = |flags: &[&str]| absurl(&[&["-l", "-p"], flags].concat()).input(list.clone());
    run(&[]).gives("\n\n\n", messages.clone(), 1);
    run(&["--spec=whatwg", "-k"]).gives(list.replace('\n', "\t\n"), messages.clone(), 1);
    run(&["-j"]).gives(objects.clone(), messages.clone(), 1);
    run(&["-c", "-j"]).gives(objects.clone(), messages.clone() + "absurl: no violations in 3 records, 3 failed\n", 1);
    run(&["--compare", "-j"]).gives(objects, messages.clone() + "absurl: 0 of 3 records differ, 3 failed\n", 1);
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

#[test]
fn what_a_document_is_follows_from_its_content_and_its_name() {
    let directory = new_directory("what_a_document_is_follows_from_its_content_and_its_name");
    for [name, document, links, message] in &read_rows::<4>(include_str!("../data/sniffed.tsv")) {
        let [name, links, message] = [name, links, message].map(|field| str::from_utf8(field).expect("UTF-8"));
        let case = format!("{name} {}", document.escape_ascii());
        if name != "-" {
            fs::write(directory.join(name), document).expect("the document");
        }
        let run = |arguments: &[&str]| {
            let run = absurl(arguments).arguments(&["-b", "http://h/", name]).directory(&directory);
            run.input(if name == "-" { document.clone() } else { Vec::new() }).text()
        };
        let (stdout, stderr, status) = run(&["-l", "-j"]);
        assert!(stderr.contains(message) && stderr.is_empty() == message.is_empty(), "{case}: {stderr}");
        if links.starts_with("refused") {
            assert_eq!((&*stdout, status, stderr.lines().count()), ("", 2, 1), "{case}");
            assert_eq!(run(&["--rewrite"]), (String::new(), stderr, 2), "{case}");
            // a base is looked for in all that has some
            let status = if links == "refused" { 0 } else { 2 };
            assert_eq!(run(&["--print-base"]).2, status, "{case}");
            let with_base = absurl(&["-b", "http://h/", "-d", name, "g"]).directory(&directory);
            assert_eq!(with_base.input(document.clone()).text().2, status, "{case}");
            let (_, stderr, status) = run(&["-l", "--media-type", "text/html"]);
            let has_no_tag = ["no HTML tag", "none of HTML"].iter().any(|message| stderr.contains(message));
            assert!(status == 0 || has_no_tag, "{case}: {stderr}");
            continue;
        }
        assert_eq!((&*located_links(&stdout).join("|"), status), (links, 0), "{case}");
    }
}

#[test]
fn a_header_of_a_message_may_be_long() {
    for length in [3_000, 5_000, 60_000, 70_000, 200_000] {
        let field = format!("DKIM-Signature: {}\n", "x".repeat(60)).repeat(length / 77);
        let mail = format!("{field}Content-Type: text/html\nBase: <URL:http://b/>\n\n<a href=g>");
        absurl(&["-l", "-"]).input(mail).gives("http://b/g\n", "", 0);
    }
    let page = format!("Note: {} <a href=g>\nx", "x".repeat(10_000));
    absurl(&["-l", "-b", "http://h/", "-"]).input(page).gives("http://h/g\n", "", 0);
}
