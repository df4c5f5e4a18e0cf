//! XML that is made to hurt.

use super::row::{MUCH, PLAIN, Row, each, join, row, run, text, times};
use crate::harness::Bytes;

/// A feed with a link before and after other elements.
fn feed(row: Row, elements: Bytes) -> Row {
    let link = |url| text(format!("<link href='{url}'/>"));
    row.reads(join([
        text("<feed xmlns='http://www.w3.org/2005/Atom'>"),
        link("g"),
        elements,
        link("h"),
        text("</feed>"),
    ]))
}

/// An SVG document with declarations and elements.
fn svg(row: Row, declarations: Bytes, elements: Bytes) -> Row {
    row.reads(join([
        text("<!DOCTYPE svg ["),
        declarations,
        text("]><svg xmlns='http://www.w3.org/2000/svg'>"),
        elements,
        text("</svg>"),
    ]))
}

/// A row whose second record cannot be read.
fn fails(row: Row, what: &str) -> Row {
    let message = format!("absurl: -:{what}; records from 2 on were not answered\n");
    row.writes(text("http://a/b/c/g\n")).says(text(message)).status(2)
}

#[test]
fn feeds_that_are_made_to_hurt() {
    const LINKS: &str = "--links - --media-type application/xml -b http://a/b/c/d";
    const GH: &str = "http://a/b/c/g\nhttp://a/b/c/h\n";
    let good = |name, elements| feed(row(name, LINKS), elements).writes(text(GH)).within(PLAIN);
    let bad = |name, elements, what: &str| fails(feed(row(name, LINKS), elements), what).within(PLAIN);
    run(vec![
        good("9,999 nested elements", join([times("<a>", 9_999), times("</a>", 9_999)])),
        bad("a million nested elements", times("<a>", 1_000_000), "1:30056: elements are nested more than 10,000 levels deep"),
        bad(
            "names that are longer than 16 MiB together",
            each(100, |_| format!("<{}>", "x".repeat(1_000_000))),
            "1:17000093: the names of the open elements are longer than 16 MiB",
        ),
        bad(
            "a comment of 100 MB",
            join([text("<!--"), times("x", 100_000_000)]),
            "1:59: a tag, a comment or a text is longer than 16 MiB",
        ),
        bad("a text of 100 MB", times("x", 100_000_000), "1:59: a tag, a comment or a text is longer than 16 MiB"),
        bad(
            "a tag of 100 MB",
            join([text("<a b='"), times("x", 100_000_000)]),
            "1:59: a tag, a comment or a text is longer than 16 MiB",
        ),
        good("a text of 100 MB with comments", times("xxxxxxxxxxxxxxxxxx<!---->", 4_000_000)),
        good("a million references", times("&#120;&amp;", 1_000_000)),
        good("a million elements", times("<a/>", 1_000_000)),
        good("10,000 attributes", join([text("<a "), each(10_000, |n| format!("x{n}='' ")), text("/>")])),
        bad(
            "a million attributes",
            join([text("<a "), each(1_000_000, |n| format!("x{n}='' ")), text("/>")]),
            "1:59: an element has more than 10,000 attributes",
        ),
        good(
            "a thousand elements in 9,000 namespaces of Atom each",
            each(10, |_| {
                let declarations: String =
                    (0..9_000).map(|n| format!(" xmlns:x{n}='http://www.w3.org/2005/Atom'")).collect();
                format!("<a{declarations}>{}</a>", "<x1:b x2:c=''/>".repeat(100))
            }),
        ),
        good(
            "9,000 nested namespaces",
            join([each(9_000, |n| format!("<x{n}:a xmlns:x{n}='http://www.w3.org/2000/svg'>")), each(9_000, |n| {
                format!("</x{}:a>", 9_001 - n)
            })]),
        ),
        good(
            "100 nested bases, a million times",
            join([each(99, |_| "<a xml:base='x/'>".into()), times("<a xml:base='y/'/>", 1_000_000), times("</a>", 99)]),
        ),
        bad(
            "a million nested bases",
            times("<a xml:base='x/'>", 1_000_000),
            "1:1759: elements with xml:base are nested more than 100 levels deep",
        ),
        feed(row("a link with a million references", LINKS), join([text("<link href='"), times("&#120;", 1_000_000), text("'/>")]))
            .writes(join([text("http://a/b/c/g\nhttp://a/b/c/"), times("x", 1_000_000), text("\nhttp://a/b/c/h\n")]))
            .within(PLAIN),
        feed(
            row("a text that is a link of 20 MB fails alone", LINKS),
            join([text("<logo>"), times("xxxxxxxxxxxxxxx<!---->", 1_300_000), text("</logo>")]),
        )
        .writes(text("http://a/b/c/g\n\nhttp://a/b/c/h\n"))
        .says(text("absurl: -:1:65: the link is longer than 16 MiB; shorten it\n"))
        .status(1)
        .within(PLAIN),
        svg(
            row("a billion laughs", LINKS),
            each(10, |n| format!("<!ENTITY l{n} '{}'>", if n == 1 { "lol".into() } else { format!("&l{};", n - 1).repeat(10) })),
            text("<a href='&l10;'/><a href='g'/>"),
        )
        .writes(text("http://a/b/c/g\n"))
        .says(text(
            "absurl: -:1:581: ignoring an entity: it is external or circular, has markup or is too long; expand it first: xmllint --noent\n",
        ))
        .status(1)
        .within(PLAIN),
        svg(
            row("a billion times nothing", LINKS),
            each(1000, |n| format!("<!ENTITY l{n} '{}'>", if n == 1 { String::new() } else { format!("&l{};", n - 1).repeat(10) })),
            text("<a href='&l1000;g'/>"),
        )
        .writes(text("http://a/b/c/g\n"))
        .within(PLAIN),
        svg(
            row("a short entity, a million times", LINKS),
            text("<!ENTITY o 'http://example.org/ontology#'>"),
            times("<a href='&o;x'/>", 1_000_000),
        )
        .writes(times("http://example.org/ontology#x\n", 1_000_000))
        .within(PLAIN),
        feed(
            row("pages in a feed, by the 100 000", LINKS),
            times("<title type='html'>&lt;a href='i'></title>", 100_000),
        )
        .writes(join([text("http://a/b/c/g\n"), times("http://a/b/c/i\n", 100_000), text("http://a/b/c/h\n")]))
        .within(PLAIN),
        feed(
            row("a page of 15 MB in a feed", LINKS),
            join([text("<title type='html'><![CDATA["), times("<a href='i'>", 1_250_000), text("]]></title>")]),
        )
        .writes(join([text("http://a/b/c/g\n"), times("http://a/b/c/i\n", 1_250_000), text("http://a/b/c/h\n")]))
        .within(MUCH),
    ]);
}
