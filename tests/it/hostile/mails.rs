//! Emails that are made to hurt, and limits of headers.

use std::fmt::Display;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::row::{FULL, MUCH, PLAIN, QUICK, Size, each, join, row, run_all, text, times};
use super::{G, HTML};
use crate::harness::absurl;
use crate::refuse::NO_HTML;

/// A message in a message in base64.
fn in_base64(message: impl AsRef<[u8]>) -> String {
    format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}", STANDARD.encode(message))
}

/// A message in a message in base64, many times.
fn encoded(count: usize) -> String {
    (0..count).fold(HTML.to_owned(), |message, _| in_base64(message))
}

/// What is said about parts in too many levels.
fn too_deep(line: impl Display) -> String {
    format!("absurl: -:{line}:1: not searching parts nested more than 100 levels deep; extract them first\n")
}

/// What is said about a multipart whose boundary never comes.
fn undivided(line: usize) -> String {
    format!("absurl: -:{line}:1: not searching the content, which lacks the boundary of its Content-Type\n")
}

/// What is said about a Content-Type that is too long.
fn long_type(line: usize) -> String {
    format!("absurl: -:{line}:1: ignoring the end of the Content-Type field: it is longer than 16 KiB; shorten it\n")
}

fn mails(Size { many, long }: Size) {
    const LINKS: &str = "--links - --media-type message/rfc822 -b http://a/b/c/d";
    const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\n\n";
    let nested = |levels: usize| {
        join([
            text("Content-Type: multipart/mixed; boundary=b0\n\n"),
            each(levels, |n| format!("--b{}\nContent-Type: multipart/mixed; boundary=b{n}\n\n", n - 1)),
            text(format!("--b{levels}\n{HTML}\n")),
        ])
    };
    run_all(vec![
        row("100 000 headers", LINKS).reads(join([times("X: y\n", 100_000), text(HTML)])).writes(text(G)),
        row("of 100 000 Base headers without a URL the first are reported, the others counted", LINKS)
            .reads(join([times("Base: y\n", 100_000), text(HTML)]))
            .writes(text(G))
            .says(join([
                each(10, |line| {
                    format!("absurl: -:{line}:1: ignoring the Base field \"y\": it is not an absolute URL; write Base: <URL:http://host/path>\n")
                }),
                text("absurl: -: 99990 more like these\n"),
            ]))
            .within(PLAIN),
        row("100 000 Content-Type headers: the first applies", LINKS)
            .reads(join([text("Content-Type: text/html\n"), times("Content-Type: text/plain\n", 100_000), text("\n<a href=g>")]))
            .writes(text(G)),
        row("a header line of many MB", LINKS)
            .reads(join([text("X: "), times("y", long), text("\n"), text(HTML)]))
            .writes(text(G))
            .within(MUCH),
        row("a Content-Type of many MB is reported", LINKS)
            .reads(join([text("Content-Type: "), times("y", long), text("\n\n<a href=g>")]))
            .says(text(long_type(1)))
            .status(1)
            .within(MUCH),
        row("a Content-Base of many folds", LINKS)
            .reads(join([text("Content-Base: http://a/"), times("\n y", 5 * many), text("/\n"), text(HTML)]))
            .writes(text(G))
            .says(text(format!(
                "absurl: -:1:1: ignoring the Content-Base field \"http://a/{}\"...: it is longer than 8 KiB; shorten it\n",
                "y".repeat(191)
            )))
            .status(1)
            .within(MUCH),
        row("a Content-Base of 17 MB is ignored", LINKS)
            .reads(join([text("Content-Base: http://a/"), times("y", 17_000_000), text("/\n"), text(HTML)]))
            .writes(text(G))
            .says(text("absurl: -:1:1: ignoring the Content-Base field: it is longer than 16 MiB; shorten it\n"))
            .status(1)
            .within(MUCH),
        row("a Content-Base of many open comments", LINKS)
            .reads(join([text("Content-Base: "), times("(", 5 * many), text("\n"), text(HTML)]))
            .writes(text(G))
            .says(text(format!(
                "absurl: -:1:1: ignoring the Content-Base field \"{}\"...: it is not an absolute URL; write Content-Base: \
                 http://host/path\n",
                "(".repeat(200)
            )))
            .within(PLAIN),
        row("100 levels of parts are searched", LINKS).reads(nested(99)).writes(text(G)),
        row("parts in more than 100 levels are not searched", LINKS)
            .reads(nested(100))
            .says(text(too_deep("303")))
            .status(1),
        row("10 000 nested multiparts are not searched to their end", LINKS)
            .reads(nested(10_000))
            .says(text(too_deep("303")))
            .status(1),
        row("10 000 nested multiparts have a base", "-d - --print-base -b http://a/b/c/d").reads(nested(10_000)).writes(text("http://a/b/c/d\t3.3\n")),
        row("a part that 10 000 nested multiparts do not have", "-d - --print-base --part 2")
            .reads(nested(10_000))
            .status(2)
            .says(text(format!(
                "absurl: -: no such part; use --part with one of {} and 96 more\n",
                (1..=4).map(|level| ["1"; 4][..level].join(".")).collect::<Vec<_>>().join(", "),
            ))),
        row("100 000 messages in messages are not searched to their end", LINKS)
            .reads(join([times("Content-Type: message/rfc822\n\n", 100_000), text(HTML)]))
            .says(text(too_deep("203")))
            .status(1)
            .within(PLAIN),
        row("the levels of an encoded message count too", LINKS)
            .reads(text(in_base64(nested(98).flatten().collect::<Vec<_>>())))
            .writes(text(G)),
        row("parts of an encoded message in more than 100 levels are not searched", LINKS)
            .reads(text(in_base64(nested(99).flatten().collect::<Vec<_>>())))
            .says(text(too_deep(format!("decoded part {}:300", ["1"; 100].join(".")))))
            .status(1),
        row("a message encoded three times is read", LINKS).reads(text(encoded(3))).writes(text(G)),
        row("a message encoded twenty times is reported", LINKS)
            .reads(text(encoded(20)))
            .status(1)
            .says(text("absurl: -:decoded part 1.1.1:4:1: not searching a message with more than 3 layers of transfer encoding; decode it first\n")),
        row("100 000 boundary look-alikes are text", LINKS)
            .reads(join([
                text(MIXED),
                text("--b\nContent-Type: text/html\n\n"),
                times("--bb\n--b-\n --b\n-b\n----b\n--b--x\n--B\n", 100_000),
                text("<a href=g>\n--b--\n<a href=h>"),
            ]))
            .writes(text(G)),
        row("200 000 parts with a link each", LINKS)
            .reads(join([text(MIXED), times("--b\nContent-Type: text/html\n\n<a href=g>\n", 200_000), text("--b--\n")]))
            .writes(times(G, 200_000))
            .within(MUCH),
        row("a Content-Base of 10 MB is ignored once", LINKS)
            .reads(join([
                text("Content-Base: http://a/"),
                times("x", 10_000_000),
                text("\nContent-Type: multipart/mixed; boundary=b\n\n"),
                times("--b\nContent-Base: y\n\n", 100_000),
            ]))
            .says(text(format!(
                "absurl: -:1:1: ignoring the Content-Base field \"http://a/{}\"...: it is longer than 8 KiB; shorten it\n\
                 {NO_HTML}",
                "x".repeat(191)
            )))
            .status(1)
            .within(MUCH),
        row("a base that each level makes longer is reported where it is too long", LINKS)
            .reads(join([
                text("Content-Base: http://a/\nContent-Type: message/rfc822\n\n"),
                times(format!("Content-Base: {}/\nContent-Type: message/rfc822\n\n", "x".repeat(99)), 82),
                text(HTML),
            ]))
            .writes(join([text("http://a/"), times("x".repeat(99) + "/", 81), text("g\n")]))
            .says(text(format!(
                "absurl: -:247:1: ignoring the Content-Base field \"{}/\": it may be longer than 8 KiB once it is \
                 resolved; write an absolute URL\n", "x".repeat(99)
            )))
            .status(1),
        row("base64 cut off in a character", LINKS)
            .reads(text(format!("Content-Transfer-Encoding: base64\nContent-Type: text/html\n\n{}", &STANDARD.encode("<a href=g><a href=h>")[..22])))
            .writes(text(G)),
        row("base64 with control bytes and lines of rubbish in it", LINKS)
            .reads(text(format!(
                "Content-Transfer-Encoding: base64\nContent-Type: text/html\n\n{}",
                STANDARD.encode("<a href=g>").chars().map(|char| format!("{char}\x1B\0\n")).collect::<String>()
            )))
            .writes(text(G)),
        row("quoted-printable of many equals signs", LINKS)
            .reads(join([text("Content-Transfer-Encoding: quoted-printable\nContent-Type: text/html\n\n"), times("=", 10 * many), text("<a href=3D'g'>")]))
            .writes(text(G))
            .within(MUCH),
        row("a charset that lies", LINKS)
            .reads(text(b"Content-Type: text/html; charset=utf-8\n\n<a href=\xFF><a href=g>"))
            .writes(text(b"http://a/b/c/\xFF\nhttp://a/b/c/g\n")),
        row("a charset that says UTF-16 of ASCII has no links in it, whatever a META says", LINKS)
            .reads(text("Content-Type: text/html; charset=utf-16le\n\n<meta charset=utf-8><a href=g>"))
            .says(text("absurl: -:3:1: not searching the content, which is not in UTF-16LE; name its own charset\n"))
            .status(1),
        row("an mbox of many lines that begin no message", LINKS)
            .reads(join([text("From x\n"), text(HTML), times("\n\nFrom x\n-", many)]))
            .writes(text(G))
            .within(PLAIN),
        row("many interim answers of HTTP", LINKS)
            .reads(join([times("HTTP/1.1 100 Continue\n\n", many), text("HTTP/1.1 200 OK\n\n<a href=g>")]))
            .writes(text(G))
            .within(PLAIN),
        row("a header of NUL, ESC and bytes that are no text", LINKS)
            .reads(text(b"\0\x1B\xFF: \0\nContent-Base: http://\x1B\xFF\0/\nContent-Type: text/html\n\n<a href=g>"))
            .writes(text(b"http://\x1B\xFF\0/g\n")),
        row("a boundary of 10 MB", LINKS)
            .reads(join([text("Content-Type: multipart/mixed; boundary="), times("b", 10_000_000), text("\n\n--b\n"), text(HTML)]))
            .says(text(long_type(1)))
            .status(1)
            .within(PLAIN),
        row("an empty message", LINKS).says(text(NO_HTML)),
    ]);
}

#[test]
fn mails_that_are_made_to_hurt() {
    mails(QUICK);
}

#[test]
#[ignore = "150 MB: 2 seconds"]
fn mails_that_are_made_to_hurt_in_full_size() {
    mails(FULL);
}

#[test]
fn mails_in_many_levels_end_in_answers() {
    const LINK: &str = "http://a/b/x\n";
    let base = "Base: <URL:http://a/b/c>\n";
    let html = "Content-Type: text/html\n\n<a href=x>\n";
    let open = |number: usize| format!("Content-Type: multipart/mixed; boundary=b{number}\n\n--b{number}\n");
    let opened: String = (0..10_000).map(open).collect();
    let closed: String = (0..10_000).rev().map(|number| format!("--b{number}--\n")).collect();
    let many = (0..10).map(|sibling| too_deep(304 + 3 * sibling)).collect::<String>();
    let more = "absurl: -: 99890 more like these\n";
    let rows = [
        ("multiparts that are closed", format!("{base}{opened}{html}{closed}"), "", too_deep(304)),
        ("multiparts that are not closed", format!("{base}{opened}{html}"), "", too_deep(304)),
        (
            "multiparts of one boundary: those of the last level are next to each other",
            format!("{base}{}{html}", "Content-Type: multipart/mixed; boundary=b\n\n--b\n".repeat(100_000)),
            LINK,
            many + more,
        ),
        (
            "messages in messages",
            format!("{base}{}{html}", "Content-Type: message/rfc822\n\n".repeat(100_000)),
            "",
            too_deep(204),
        ),
        (
            "multiparts whose boundary never comes",
            format!(
                "{base}Content-Type: multipart/mixed; boundary=b\n\n{}--b\n{html}",
                "--b\nContent-Type: multipart/mixed; boundary=c\n\nx\n".repeat(100_000)
            ),
            LINK,
            (0..10).map(|part| undivided(5 + 4 * part)).collect::<String>() + "absurl: -: 99990 more like these\n",
        ),
        ("a base after 100 000 fields", format!("{}{base}{html}", "X-Y: z\n".repeat(100_000)), LINK, String::new()),
    ];
    run_all(
        rows.map(|(name, mail, links, messages)| {
            let status = i32::from(!messages.is_empty());
            row(name, "-l -").reads(text(mail)).writes(text(links)).says(text(messages)).status(status).within(MUCH)
        })
        .into(),
    );
}

#[test]
fn a_very_long_content_type_is_reported() {
    let long = ";a*0=b".repeat(100_000);
    let message = format!("Base: <URL:http://a/>\nContent-Type: text/html{long}\n\n<a href=x>");
    assert_eq!(absurl(&["-l", "-"]).input(message).text(), ("http://a/x\n".into(), long_type(1), 1));
    let message =
        format!("X: y\nContent-Type: multipart/mixed{long};boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x:y>");
    assert_eq!(absurl(&["-l", "-"]).input(&*message).text(), (String::new(), long_type(1), 1));
    assert_eq!(absurl(&["-b", "http://a/", "--print-base", "-d", "-"]).input(message).text().1, long_type(1));
    let message = format!(
        "Content-Type: multipart/mixed{};boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=x:y>",
        ";a=b".repeat(4000)
    );
    assert_eq!(absurl(&["-l", "-"]).input(message).text(), ("x:y\n".into(), String::new(), 0));
}

#[test]
fn relative_bases_of_a_message_may_be_very_long_together() {
    let parts = 10_000;
    let long = format!("http://a/{}/", "d".repeat(8000));
    let part = "--x\nContent-Location: b\nContent-Type: text/html\n\n<a href=http://h/>\n";
    let header = format!("Base: <URL:{long}e>\nContent-Type: multipart/mixed; boundary=x\n\n");
    run_all(vec![
        row("each part has its own", "-l -")
            .reads(join([
                text(header),
                times(part, parts),
                text("--x\nContent-Type: text/html\n\n<a href=g>\n--x--\n"),
            ]))
            .writes(join([times("http://h/\n", parts), text(long + "g\n")])),
    ]);
}

#[test]
fn a_message_in_many_encodings_is_reported() {
    for depth in 1..=5 {
        let (stdout, stderr, status) = absurl(&["-l", "-", "-b", "http://h/"]).input(encoded(depth)).text();
        let expected = if depth <= 3 { ("http://h/g\n", 0, true) } else { ("", 1, false) };
        assert_eq!((&*stdout, status, stderr.is_empty()), expected, "{depth}");
    }
}
