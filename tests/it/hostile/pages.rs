//! Pages that are made to hurt.

use super::row::{FULL, LITTLE, MUCH, NESTED, PLAIN, QUICK, Row, Size, each, join, row, run_all, text, times};
use super::{G, GH};
use crate::harness::Bytes;

/// The links of a page on standard input.
const NO_LINKS: &str = "absurl: -: no links\n";
const LINKS: &str = "--links - --media-type text/html -b http://a/b/c/d";

/// A row with a link before and after some HTML.
fn page_row(name: &'static str, html: Bytes) -> Row {
    row(name, LINKS).reads(join([text("<a href=g>"), html, text("<a href=h>")]))
}

/// What is said about a page that ends in a text that starts at a column.
fn unclosed(column: u64) -> Bytes {
    let what = "not searching the rest: a quote, comment or element is not closed; close it (XHTML: --media-type application/xhtml+xml)";
    text(format!("absurl: -:1:{column}: {what}\n"))
}

/// What is said about a page whose texts are nested too deep at a column, and end in texts that start `outside`.
fn too_deep(column: u64, outside: impl IntoIterator<Item = Bytes>) -> Bytes {
    let what = "not searching documents nested more than 10 levels deep; extract them first";
    let outside = outside.into_iter().fold(text(""), |all, one| join([all, one]));
    let end = text("absurl: no links to check; not everything was read\n");
    join([text(format!("absurl: -:1:{column}: {what}\n")), outside, end])
}

fn pages(Size { many, long }: Size) {
    run_all(vec![
        page_row(
            "a comment of many MB that never ends hides what follows",
            join([text("<!--"), times("x-", long / 2)]),
        )
        .writes(text(G)),
        page_row(
            "a comment of many MB of comment starts hides what follows",
            join([text("<!--"), times("<!--", 10 * many)]),
        )
        .writes(text(G)),
        page_row(
            "a title of many of its own half end tags hides what follows",
            join([text("<title>"), times("</titl", 3 * many)]),
        )
        .writes(text(G))
        .says(unclosed(18))
        .status(1),
        page_row(
            "a script of many of its own half end tags hides what follows",
            join([text("<script><!--<script>"), times("</script", 2 * many)]),
        )
        .writes(text(G))
        .says(unclosed(19))
        .status(1),
        row("many CDATA sections without an end in SVG", "--check=host -l - --media-type text/html -b http://a/b/c/d")
            .reads(join([text("<svg>"), times("<![CDATA[>", many)]))
            .says(too_deep(116, []))
            .status(1)
            .within(NESTED),
        row("many raw texts in each other", "--check=host -l - --media-type text/html -b http://a/b/c/d")
            .reads(times("<title><style>", many))
            .says(too_deep(78, (1..=10).rev().map(|level| unclosed(8 + 7 * level))))
            .status(1)
            .within(NESTED),
        row("a HEAD of many MB without a META", LINKS)
            .reads(join([text("<link href=g>"), times("<meta name=x>", long / 13), text("<a href=h>")]))
            .writes(text(GH))
            .within(PLAIN),
        page_row("many nested elements", times("<div><b>", many)).writes(text(GH)),
        page_row("many nested elements of SVG", times("<svg>", many)).writes(text(GH)).within(PLAIN),
        page_row("many elements of SVG, MATH and HTML in each other", times("<svg><desc><math><mi>", many / 4))
            .writes(text(GH))
            .within(PLAIN),
        page_row(
            "many TEMPLATE and end tags of what is not open",
            join([times("<template>", many), times("</svg></math></desc>", many)]),
        )
        .writes(text(GH))
        .within(PLAIN),
        page_row("many \"<\"", times("<", many)).writes(text(GH)),
        page_row(
            "attributes by the 100 000, all different",
            join([text("<a "), each(3 * many / 10, |n| format!("x{n}=1 ")), text("href=i>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n")),
        page_row(
            "attributes by the 100 000, all the same: the first applies",
            join([text("<a "), each(3 * many / 10, |n| format!("href={n} ")), text(">")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/1\nhttp://a/b/c/h\n")),
        page_row(
            "attributes by the 100 000, each in double quotes",
            join([text("<a "), each(3 * many / 10, |n| format!("x{n}=\"\" ")), text("href=i>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n")),
        page_row("an attribute's name of many MB needs no memory", join([text("<a "), times("x", long), text("=1>")]))
            .writes(text(GH)),
        page_row("a value of many MB is a link", join([text("<a href='"), times("&#120;", 2 * many), text("'>")]))
            .writes(join([text(G), text("http://a/b/c/"), times("x", 2 * many), text("\nhttp://a/b/c/h\n")]))
            .within(PLAIN),
        page_row(
            "a srcset of many candidates",
            join([text("<img srcset='"), times("x 1x (,), ", 3 * many / 10), text("'>")]),
        )
        .writes(join([text(G), times("http://a/b/c/x\n", 3 * many / 10), text("http://a/b/c/h\n")]))
        .within(PLAIN),
        page_row("a ping of many URLs", join([text("<a ping='"), times("x \n", many), text("'>")]))
            .writes(join([text(G), times("http://a/b/c/x\n", many), text("http://a/b/c/h\n")]))
            .within(PLAIN),
        page_row(
            "a number of many MB for a character",
            join([text("<a href='&#"), times("9", 10 * many), text(";'>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/\u{FFFD}\nhttp://a/b/c/h\n")),
        page_row(
            "a META refresh after a time of many MB",
            join([text("<meta http-equiv=refresh content='"), times("0", 10 * many), text(";url=i'>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n"))
        .within(PLAIN),
        page_row(
            "a link longer than 16 MiB fails alone",
            join([text("<a href='"), times("x", long), text("' ping=i>")]),
        )
        .writes(text("http://a/b/c/g\n\nhttp://a/b/c/i\nhttp://a/b/c/h\n"))
        .says(text("absurl: -:1:20: the link is longer than 16 MiB; shorten it\n"))
        .status(1)
        .within(PLAIN),
        page_row(
            "links that are longer than 16 MiB together are links",
            join([text("<a href='"), times(" ", 16_777_215), text("i' ping='"), times(" ", 16_777_215), text("j'>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/j\nhttp://a/b/c/h\n"))
        .within(MUCH),
        page_row("an element's name of many MB needs no memory", join([text("<"), times("x", long), text(">")]))
            .writes(text(GH)),
        row("a BASE longer than 16 MiB is ignored", LINKS)
            .reads(join([text("<base href='http://q/"), times("x", 17_000_000), text("'><a href=g>")]))
            .writes(text(G))
            .says(text("absurl: -:1:13: ignoring the BASE: it is longer than 16 MiB; shorten it\n"))
            .status(1)
            .within(PLAIN),
        row("a BASE after many links applies to all of them", LINKS)
            .reads(join([times("<a href=g>\n", many), text("<base href=http://q/>")]))
            .writes(times("http://q/g\n", many))
            .within(PLAIN),
        row("a BASE after 100 MB of text is found", "-d - --print-base")
            .reads(join([text("<p>"), times("text\n", long / 5), text("<base href=http://q/>")]))
            .writes(text("http://q/\t3.1\n")),
        row("a BASE of many MB is ignored", LINKS)
            .reads(join([
                text("<base href='http://a/"),
                times("x", 10 * many),
                text("'>"),
                times("<a href=http://b/>", 100_000),
            ]))
            .writes(times("http://b/\n", 100_000))
            .says(text(format!(
                "absurl: -:1:13: ignoring the BASE \"http://a/{}\"...: it is longer than 8 KiB; shorten it\n",
                "x".repeat(191)
            )))
            .status(1)
            .within(MUCH),
        row("BASE by the 100 000: the first applies", LINKS)
            .reads(join([each(100_000, |n| format!("<base href=/{n}/>")), text("<a href=g>")]))
            .writes(text("http://a/1/g\n")),
        row("UTF-16 that ends in half a character", LINKS)
            .reads(join([text(b"\xFF\xFE"), text(b"<\0a\0 \0h\0r\0e\0f\0=\0g\0>\0<")]))
            .writes(text(G)),
        row("UTF-16 with a lone surrogate", LINKS)
            .reads(text(b"\xFE\xFF\0<\0a\0 \0h\0r\0e\0f\0=\xD8\0\0>"))
            .writes(text("http://a/b/c/\u{FFFD}\n")),
        row("a META that says UTF-16 in ASCII lies", LINKS)
            .reads(text("<meta charset=utf-16><a href=g>"))
            .writes(text(G)),
        row("a META that names no charset", LINKS)
            .reads(text(b"<meta charset='\x1B\xFF'><a href=\xFF>"))
            .writes(text(b"http://a/b/c/\xFF\n")),
        row("a page cut off in a tag has no link there", LINKS).reads(text("<a href=g><a href='h")).writes(text(G)),
        row("NUL, ESC and bytes that are no text in links", LINKS)
            .reads(text(b"<a href='\0\x1B\xFF'><a href=\x1B>"))
            .writes(text(b"http://a/b/c/\xEF\xBF\xBD\x1B\xFF\nhttp://a/b/c/\x1B\n")),
        row("links are explained without raw control bytes in their places", "--links - --check -b http://a/")
            .reads(text("<a href=\x1B>\n"))
            .writes(text("-:1:9: \\x1B: \\x1B is not allowed in a path; write %1B\n"))
            .says(text("absurl: 1 violation in 1 link\n"))
            .status(1),
        row("a page of NUL alone has no links", LINKS).reads(times("\0", 10 * many)).says(text(NO_LINKS)),
        row("a NUL without a type is binary data", "--links -")
            .reads(times("\0", 10 * many))
            .says(text("absurl: -: binary data (NUL at byte 1)\n"))
            .status(2),
        row("an empty page has no links", LINKS).says(text(NO_LINKS)),
        row("nothing without a type is no page", "--links -").says(text("absurl: -: empty\n")).status(2),
    ]);
}

#[test]
fn pages_that_are_made_to_hurt() {
    pages(QUICK);
}

#[test]
#[ignore = "500 MB: 5 seconds"]
fn pages_that_are_made_to_hurt_in_full_size() {
    pages(FULL);
}

fn pages_of_elements(Size { many, .. }: Size) {
    let rows = [
        ("DIV", "<div>".repeat(many) + "<a href=x>"),
        ("SVG that is closed", "<svg>".repeat(many) + "<a href=x>" + &"</svg>".repeat(many)),
        (
            "SVG in MATH",
            "<math><mi><template>".to_owned() + &"<svg>".repeat(many / 2) + &"</math>".repeat(many / 2) + "<a href=x>",
        ),
        ("a comment with links", "<a href=x><!-- ".to_owned() + &"<a href=y>".repeat(many / 2)),
        (
            "attributes around the first HREF",
            "<a ".to_owned() + &"b=c ".repeat(many / 2) + "href=x " + &"href=y ".repeat(many / 2) + ">",
        ),
    ];
    let of_page =
        |(name, page)| row(name, "-l -b http://a/b/c -").reads(text(page)).writes(text("http://a/b/x\n")).within(MUCH);
    run_all(rows.map(of_page).into());
}

/// Links whose bases are in turns the one of the user, which is long, and others.
fn long_bases_in_turns(Size { many, .. }: Size) {
    let base = format!("http://a/{}", "x/".repeat(50_000));
    let links = many / 2;
    let late = || join([times("<a href=/x><img src=/x>", links), text("<base href=http://a/>")]);
    let nested = || times("<a href=/x><iframe srcdoc='<base href=http://a/b/><a href=/x>'></iframe>", links);
    let of_page = |arguments: &str, page: Bytes| row("long bases in turns", arguments).argument(&base).reads(page);
    run_all(
        vec![
            of_page("-l - -s whatwg -b", late()).writes(times("http://a/x\n", 2 * links)),
            of_page("-l - --check -s whatwg -b", late())
                .says(text(format!("absurl: no illegal characters in {} links\n", 2 * links))),
            of_page("-l - --check=host -b", late())
                .says(text(format!("absurl: all {} links stay on their host\n", 2 * links + 1))),
            of_page("--rewrite - -s whatwg -b", late())
                .writes(join([times("<a href=http://a/x><img src=http://a/x>", links), text("<base href=http://a/>")])),
            of_page("-l - -b", nested()).writes(times("http://a/x\n", 2 * links)),
            of_page("-l - --compare -b", nested())
                .says(text(format!("absurl: no differences in {} links\n", 2 * links))),
            of_page("-l - --check=host -b", nested())
                .says(text(format!("absurl: all {} links stay on their host\n", 3 * links))),
            // 100 KB to climb
            of_page("--rewrite - --relative -b", nested())
                .writes(times("<a href=/x><iframe srcdoc='<base href=http://a/b/><a href=../x>'></iframe>", links)),
        ]
        .into_iter()
        .map(|row| row.within(MUCH))
        .collect(),
    );
}

#[test]
fn long_bases_in_turns_are_prepared_once() {
    long_bases_in_turns(QUICK);
}

#[test]
#[ignore = "a million links: seconds"]
fn long_bases_in_turns_are_prepared_once_in_full_size() {
    long_bases_in_turns(FULL);
}

#[test]
fn pages_of_many_elements_end_in_answers() {
    pages_of_elements(QUICK);
}

#[test]
#[ignore = "millions of elements: a second"]
fn pages_of_many_elements_end_in_answers_in_full_size() {
    pages_of_elements(FULL);
}

/// A page or a feed is rewritten.
const REWRITE: &str = "--rewrite -b http://a/b/c/d";

/// A file is rewritten.
fn file_row(name: &'static str, page: Bytes, rewritten: Bytes) -> Row {
    row(name, "--rewrite -b http://a/b/c/d page").file("page", page).writes(rewritten)
}

/// A file with a BASE at its end is rewritten.
fn file_with_base(name: &'static str, page: Bytes, rewritten: Bytes) -> Row {
    let (base, answer) = (text("<base href=/h/>"), text("<base href=http://a/h/>"));
    file_row(name, join([page, base]), join([rewritten, answer]))
}

fn rewritten_pages(Size { many, .. }: Size) {
    let links = |url: &str| times(format!("<p>text\n<a href={url}></a></p>\n"), 300_000);
    run_all(vec![
        file_row("a file of many MB", links("g"), links("http://a/b/c/g")).within(PLAIN),
        file_with_base("a file of many MB with a BASE", links("g"), links("http://a/h/g")).within(PLAIN),
        row("a comment of many MB in a file", "--rewrite page.html")
            .file("page.html", join([text("<!-- <base>"), times("x-", 10_000_000)]))
            .writes(join([text("<!-- <base>"), times("x-", 10_000_000)])),
        row("a srcset of many candidates", REWRITE)
            .reads(join([text("<img srcset='"), times("x&#x20;1x,", 3 * many / 10), text("'>")]))
            .writes(join([text("<img srcset='"), times("http://a/b/c/x&#x20;1x,", 3 * many / 10), text("'>")]))
            .within(PLAIN),
        row("a value of many references", REWRITE)
            .reads(join([text("<a href='"), times("&#120;", many), text("'>")]))
            .writes(join([text("<a href='http://a/b/c/"), times("x", many), text("'>")]))
            .within(PLAIN),
        row("a link of many references is longer than 16 MiB", REWRITE)
            .reads(join([text("<a href='"), times("&lt", 6_000_000), text("' ping=i>")]))
            .writes(join([text("<a href='"), times("&lt", 6_000_000), text("' ping=http://a/b/c/i>")]))
            .says(text("absurl: -:1:10: the link is longer than 16 MiB; shorten it\n"))
            .status(1)
            .within(2 * PLAIN),
        row("a link of many references", REWRITE)
            .reads(join([text("<a href='"), times("&lt", 5 * many), text("/'>")]))
            .writes(join([text("<a href='http://a/b/c/"), times("&lt;", 5 * many), text("/'>")]))
            .within(2 * PLAIN),
        row("a link of many line ends", REWRITE)
            .reads(join([text("<a href='x"), times("\r\n", 8 * many), text("y'>")]))
            .writes(text("<a href='http://a/b/c/xy'>"))
            .within(2 * PLAIN),
        row("a style sheet of many escapes", "--rewrite -b http://a/b/c/d --media-type text/css")
            .reads(join([text("a{b:url('"), times("\\x", 8 * many), text("')")]))
            .writes(join([text("a{b:url('http://a/b/c/"), times("x", 8 * many), text("')")]))
            .within(2 * PLAIN),
        row("a style sheet of many NULs", "--rewrite -b http://a/b/c/d --media-type text/css")
            .reads(join([text("a{b:url('"), times("\0", 6_000_000), text("')")]))
            .writes(join([text("a{b:url('"), times("\0", 6_000_000), text("')")]))
            .says(text("absurl: -:1:10: the link is longer than 16 MiB; shorten it\n"))
            .status(1)
            .within(2 * PLAIN),
        row("a link longer than 16 MiB stays", REWRITE)
            .reads(join([text("<a href='"), times("x", 20_000_000), text("' ping=i>")]))
            .writes(join([text("<a href='"), times("x", 20_000_000), text("' ping=http://a/b/c/i>")]))
            .says(text("absurl: -:1:10: the link is longer than 16 MiB; shorten it\n"))
            .status(1)
            .within(PLAIN),
    ]);
}

/// A row with a file of more than 4 MiB: a start, many links, and an end.
fn long_page(name: &'static str, [start, link, end]: [impl AsRef<[u8]>; 3], many: usize) -> Row {
    row(name, "--links page.html -b http://a/b/c/d")
        .file("page.html", join([text(start), times(link, 3 * many), text(end)]))
        .writes(times("http://a/g\n", 3 * many))
        .within(MUCH)
}

#[test]
fn long_pages_with_and_without_a_base() {
    let Size { many, .. } = QUICK;
    let link = "<a href=g>Some text.</a>";
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let part = "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n";
    let response = &format!("HTTP/1.1 200 OK\nContent-Type: multipart/related; boundary=x\n\n--x\n{part}");
    run_all(vec![
        long_page(
            "links do not wait if there is no BASE",
            ["<!-- base <bas -->", "<a href=/g>Some text</a>", ""],
            many,
        )
        .within(LITTLE),
        long_page("links wait for a late BASE", ["", link, "<BaSe href=/>"], many),
        long_page("links wait for a BASE in UTF-16", ["\u{FEFF}", link, "<base href=/>"].map(utf_16), many),
        long_page(
            "links wait for a BASE with an escape sequence in it",
            ["<meta charset=iso-2022-jp>", link, "<\u{1B}(Jbase href=/>"],
            many,
        ),
        long_page(
            "links wait for an encoded BASE in an HTTP response",
            [response, "<a href=3Dg>Some text.</a>=\n", "=3Cbase href=3D/>"],
            many,
        ),
    ]);
}

#[test]
fn pages_that_are_rewritten() {
    rewritten_pages(QUICK);
}

#[test]
#[ignore = "200 MB: 4 seconds"]
fn pages_that_are_rewritten_in_full_size() {
    rewritten_pages(FULL);
}

#[test]
#[ignore = "it needs half a gigabyte of memory"]
fn the_longest_document_is_rewritten() {
    let long = |length: usize| join([text("<a href=g>"), times("x", length)]);
    let rewritten = || join([text("<a href=http://a/b/c/g>"), times("x", 255 << 20)]);
    let refused = "the document is longer than 256 MiB, which is too long for --rewrite; split it";
    run_all(vec![
        row("255 MiB of a pipe", REWRITE).reads(long(255 << 20)).writes(rewritten()).within(MUCH),
        file_row("255 MiB of a file", long(255 << 20), rewritten()).within(MUCH),
        row("257 MiB of a pipe", REWRITE)
            .reads(long(257 << 20))
            .says(text(format!("absurl: -: {refused}\n")))
            .status(2)
            .within(2 * MUCH),
        row("257 MiB of a file", "--rewrite -i page.html")
            .file("page.html", long(257 << 20))
            .says(text(format!("absurl: page.html: {refused}\nabsurl: 0 of 1 document changed, 1 failed\n")))
            .status(2)
            .within(2 * MUCH),
    ]);
}
