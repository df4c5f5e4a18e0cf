//! Pages that are made to hurt.

use super::row::{MUCH, PLAIN, Row, each, join, row, run_all, text, times};
use super::{G, GH};
use crate::harness::Bytes;

/// The links of a page on standard input.
const LINKS: &str = "--links - --media-type text/html -b http://a/b/c/d";

/// A row with a link before and after some HTML.
fn page_row(name: &'static str, html: Bytes) -> Row {
    row(name, LINKS).reads(join([text("<a href=g>"), html, text("<a href=h>")]))
}

/// What is said about a page that ends in a text that starts at a column.
fn unclosed(column: u64) -> Bytes {
    let what = "not searching the rest: a quote, a comment or an element such as TITLE or SCRIPT is not closed; close it, or for XHTML use --media-type application/xhtml+xml";
    text(format!("absurl: -:1:{column}: {what}\n"))
}

#[test]
fn pages_that_are_made_to_hurt() {
    run_all(vec![
        page_row(
            "a comment of 100 MB that never ends hides what follows",
            join([text("<!--"), times("x-", 50_000_000)]),
        )
        .writes(text(G)),
        page_row(
            "a comment of 40 MB of comment starts hides what follows",
            join([text("<!--"), times("<!--", 10_000_000)]),
        )
        .writes(text(G)),
        page_row(
            "a title of millions of its own half end tags hides what follows",
            join([text("<title>"), times("</titl", 3_000_000)]),
        )
        .writes(text(G))
        .says(unclosed(18))
        .status(1),
        page_row(
            "a script of millions of its own half end tags hides what follows",
            join([text("<script><!--<script>"), times("</script", 2_000_000)]),
        )
        .writes(text(G))
        .says(unclosed(19))
        .status(1),
        page_row("a million nested elements", times("<div><b>", 1_000_000)).writes(text(GH)),
        page_row("a million nested elements of SVG", times("<svg>", 1_000_000)).writes(text(GH)).within(PLAIN),
        page_row("a million elements of SVG, MATH and HTML in each other", times("<svg><desc><math><mi>", 250_000))
            .writes(text(GH))
            .within(PLAIN),
        page_row(
            "a million TEMPLATE and end tags of what is not open",
            join([times("<template>", 1_000_000), times("</svg></math></desc>", 1_000_000)]),
        )
        .writes(text(GH))
        .within(PLAIN),
        page_row("a million \"<\"", times("<", 1_000_000)).writes(text(GH)),
        page_row(
            "attributes by the 100 000, all different",
            join([text("<a "), each(300_000, |n| format!("x{n}=1 ")), text("href=i>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n")),
        page_row(
            "attributes by the 100 000, all the same: the first applies",
            join([text("<a "), each(300_000, |n| format!("href={n} ")), text(">")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/1\nhttp://a/b/c/h\n")),
        page_row(
            "attributes by the 100 000, each in double quotes",
            join([text("<a "), each(300_000, |n| format!("x{n}=\"\" ")), text("href=i>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n")),
        page_row(
            "an attribute's name of 100 MB needs no memory",
            join([text("<a "), times("x", 100_000_000), text("=1>")]),
        )
        .writes(text(GH)),
        page_row("a value of 15 MB is a link", join([text("<a href='"), times("&#120;", 2_500_000), text("'>")]))
            .writes(join([text(G), text("http://a/b/c/"), times("x", 2_500_000), text("\nhttp://a/b/c/h\n")]))
            .within(PLAIN),
        page_row(
            "a srcset of a million candidates",
            join([text("<img srcset='"), times("x 1x (,), ", 300_000), text("'>")]),
        )
        .writes(join([text(G), times("http://a/b/c/x\n", 300_000), text("http://a/b/c/h\n")]))
        .within(PLAIN),
        page_row("a ping of a million URLs", join([text("<a ping='"), times("x \n", 1_000_000), text("'>")]))
            .writes(join([text(G), times("http://a/b/c/x\n", 1_000_000), text("http://a/b/c/h\n")]))
            .within(PLAIN),
        page_row("a number of 10 MB for a character", join([text("<a href='&#"), times("9", 10_000_000), text(";'>")]))
            .writes(text("http://a/b/c/g\nhttp://a/b/c/\u{FFFD}\nhttp://a/b/c/h\n")),
        page_row(
            "a META refresh after a time of 10 MB",
            join([text("<meta http-equiv=refresh content='"), times("0", 10_000_000), text(";url=i'>")]),
        )
        .writes(text("http://a/b/c/g\nhttp://a/b/c/i\nhttp://a/b/c/h\n"))
        .within(PLAIN),
        page_row(
            "a link longer than 16 MiB fails alone",
            join([text("<a href='"), times("x", 200_000_000), text("' ping=i>")]),
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
        page_row("an element's name of 100 MB needs no memory", join([text("<"), times("x", 100_000_000), text(">")]))
            .writes(text(GH)),
        row("a BASE longer than 16 MiB is ignored", LINKS)
            .reads(join([text("<base href='http://q/"), times("x", 17_000_000), text("'><a href=g>")]))
            .writes(text(G))
            .says(text("absurl: -:1:13: ignoring the BASE: it is longer than 16 MiB; shorten it\n"))
            .status(1)
            .within(PLAIN),
        row("a BASE after a million links applies to all of them", LINKS)
            .reads(join([times("<a href=g>\n", 1_000_000), text("<base href=http://q/>")]))
            .writes(times("http://q/g\n", 1_000_000))
            .within(PLAIN),
        row("a BASE after 100 MB of text is found", "-d - --print-base")
            .reads(join([text("<p>"), times("text\n", 20_000_000), text("<base href=http://q/>")]))
            .writes(text("http://q/\t3.1\n")),
        row("a BASE of 10 MB is not read anew for each of 100 000 links", LINKS)
            .reads(join([
                text("<base href='http://a/"),
                times("x", 10_000_000),
                text("'>"),
                times("<a href=http://b/>", 100_000),
            ]))
            .writes(times("http://b/\n", 100_000))
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
            .writes(text(
                "-:1:9: \\x1B: \\x1B is a control character, not allowed in a path segment (§2.2 pchar); write %1B\n",
            ))
            .says(text("absurl: 1 violation in 1 record\n"))
            .status(1),
        row("a page of NUL alone is no page of links", LINKS)
            .reads(times("\0", 10_000_000))
            .says(text("absurl: -: the document is empty\n"))
            .status(2),
        row("an empty page", LINKS).says(text("absurl: -: the document is empty\n")).status(2),
    ]);
}

#[test]
fn pages_of_a_million_elements_end_in_answers() {
    let rows = [
        ("DIV", "<div>".repeat(1_000_000) + "<a href=x>"),
        ("SVG that is closed", "<svg>".repeat(1_000_000) + "<a href=x>" + &"</svg>".repeat(1_000_000)),
        (
            "SVG in MATH",
            "<math><mi><template>".to_owned() + &"<svg>".repeat(500_000) + &"</math>".repeat(500_000) + "<a href=x>",
        ),
        ("a comment with links", "<a href=x><!-- ".to_owned() + &"<a href=y>".repeat(500_000)),
        (
            "attributes around the first HREF",
            "<a ".to_owned() + &"b=c ".repeat(500_000) + "href=x " + &"href=y ".repeat(500_000) + ">",
        ),
    ];
    let of_page =
        |(name, page)| row(name, "-l -b http://a/b/c -").reads(text(page)).writes(text("http://a/b/x\n")).within(MUCH);
    run_all(rows.map(of_page).into());
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

#[test]
fn pages_that_are_rewritten() {
    let links = |url: &str| times(format!("<p>text\n<a href={url}></a></p>\n"), 500_000);
    run_all(vec![
        file_row("a file of 10 MB", links("g"), links("http://a/b/c/g")).within(PLAIN),
        file_with_base("a file of 10 MB with a BASE", links("g"), links("http://a/h/g")).within(PLAIN),
        row("a comment of 20 MB in a file", "--rewrite page")
            .file("page", join([text("<!-- <base>"), times("x-", 10_000_000)]))
            .writes(join([text("<!-- <base>"), times("x-", 10_000_000)])),
        row("a srcset of a million candidates", REWRITE)
            .reads(join([text("<img srcset='"), times("x&#x20;1x,", 300_000), text("'>")]))
            .writes(join([text("<img srcset='"), times("http://a/b/c/x&#x20;1x,", 300_000), text("'>")]))
            .within(PLAIN),
        row("a value of a million references", REWRITE)
            .reads(join([text("<a href='"), times("&#120;", 1_000_000), text("'>")]))
            .writes(join([text("<a href='http://a/b/c/"), times("x", 1_000_000), text("'>")]))
            .within(PLAIN),
        row("a link of 6 million references is longer than 16 MiB", REWRITE)
            .reads(join([text("<a href='"), times("&lt", 6_000_000), text("' ping=i>")]))
            .writes(join([text("<a href='"), times("&lt", 6_000_000), text("' ping=http://a/b/c/i>")]))
            .says(text("absurl: -:1:10: the link is longer than 16 MiB; shorten it\n"))
            .status(1)
            .within(2 * PLAIN),
        row("a link of 5 million references", REWRITE)
            .reads(join([text("<a href='"), times("&lt", 5_000_000), text("/'>")]))
            .writes(join([text("<a href='http://a/b/c/"), times("&lt;", 5_000_000), text("/'>")]))
            .within(2 * PLAIN),
        row("a link of 8 million line ends", REWRITE)
            .reads(join([text("<a href='x"), times("\r\n", 8_000_000), text("y'>")]))
            .writes(text("<a href='http://a/b/c/xy'>"))
            .within(2 * PLAIN),
        row("a style sheet of 8 million escapes", "--rewrite -b http://a/b/c/d --media-type text/css")
            .reads(join([text("a{b:url('"), times("\\x", 8_000_000), text("')")]))
            .writes(join([text("a{b:url('http://a/b/c/"), times("x", 8_000_000), text("')")]))
            .within(2 * PLAIN),
        row("a style sheet of 16 million NULs", "--rewrite -b http://a/b/c/d --media-type text/css")
            .reads(join([text("a{b:url('"), times("\0", 16_000_000), text("')")]))
            .writes(join([text("a{b:url('"), times("\0", 16_000_000), text("')")]))
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
