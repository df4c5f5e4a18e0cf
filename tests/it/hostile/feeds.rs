//! XML that is made to hurt.

use super::row::{FULL, MUCH, PLAIN, QUICK, Row, Size, each, join, row, run_all, text, times};
use super::{G, GH};
use crate::harness::Bytes;

/// The links of XML on standard input, in no more memory than plain answers take.
fn xml(name: &'static str, document: Bytes) -> Row {
    row(name, "--links - --media-type application/xml -b http://a/b/c/d").reads(document).within(PLAIN)
}

/// A feed with a link before and after other elements.
fn feed(name: &'static str, elements: Bytes) -> Row {
    let (start, end) = ("<feed xmlns='http://www.w3.org/2005/Atom'><link href='g'/>", "<link href='h'/></feed>");
    xml(name, join([text(start), elements, text(end)]))
}

/// An SVG document with declarations and elements.
fn svg(name: &'static str, declarations: Bytes, elements: Bytes) -> Row {
    xml(
        name,
        join([
            text("<!DOCTYPE svg ["),
            declarations,
            text("]><svg xmlns='http://www.w3.org/2000/svg'>"),
            elements,
            text("</svg>"),
        ]),
    )
}

fn feeds(Size { many, long }: Size) {
    let good = |name, elements| feed(name, elements).writes(text(GH));
    let bad = |name, elements, what: &str| {
        let message = format!("absurl: -:{what}; 1 link read before it\n");
        feed(name, elements).writes(text(G)).says(text(message)).status(2)
    };
    // each but the first is ten times the one before it
    let entities = |count, first: &'static str| {
        each(count, move |n| match n {
            1 => format!("<!ENTITY l1 '{first}'>"),
            _ => format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10)),
        })
    };
    run_all(vec![
        good("9,999 nested elements", join([times("<a>", 9_999), times("</a>", 9_999)])),
        bad("many nested elements", times("<a>", many), "1:30056: elements are nested more than 10,000 levels deep"),
        bad(
            "names that are longer than 16 MiB together",
            each(18, |_| format!("<{}>", "x".repeat(1_000_000))),
            "1:17000093: the names of the open elements are longer than 16 MiB",
        ),
        bad(
            "a comment of many MB",
            join([text("<!--"), times("x", long)]),
            "1:59: a tag, a comment or a text is longer than 16 MiB",
        ),
        bad("a text of many MB", times("x", long), "1:59: a tag, a comment or a text is longer than 16 MiB"),
        bad(
            "a tag of many MB",
            join([text("<a b='"), times("x", long)]),
            "1:59: a tag, a comment or a text is longer than 16 MiB",
        ),
        good("a text of many MB with comments", times("xxxxxxxxxxxxxxxxxx<!---->", 4 * many)),
        good("many references", times("&#120;&amp;", many)),
        good("many elements", times("<a/>", many)),
        good("10,000 attributes", join([text("<a "), each(10_000, |n| format!("x{n}='' ")), text("/>")])),
        bad(
            "many attributes",
            join([text("<a "), each(many, |n| format!("x{n}='' ")), text("/>")]),
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
            "100 nested bases, many times",
            join([each(99, |_| "<a xml:base='x/'>".into()), times("<a xml:base='y/'/>", many), times("</a>", 99)]),
        ),
        bad(
            "many nested bases",
            times("<a xml:base='x/'>", many),
            "1:1759: elements with xml:base are nested more than 100 levels deep",
        ),
        feed("a link with many references", join([text("<link href='"), times("&#120;", many), text("'/>")]))
            .writes(join([text("http://a/b/c/g\nhttp://a/b/c/"), times("x", many), text("\nhttp://a/b/c/h\n")])),
        row("a link with many line ends is rewritten", "--rewrite -b http://a/b/c")
            .reads(join([text("<rss><enclosure url='x"), times("\r\n", 8 * many), text("y'/></rss>")]))
            .writes(join([text("<rss><enclosure url='http://a/b/x"), times(" ", 8 * many), text("y'/></rss>")]))
            .within(MUCH),
        feed(
            "a text that is a link of 20 MB fails alone",
            join([text("<logo>"), times("xxxxxxxxxxxxxxx<!---->", 1_300_000), text("</logo>")]),
        )
        .writes(text("http://a/b/c/g\n\nhttp://a/b/c/h\n"))
        .says(text("absurl: -:1:65: the link is longer than 16 MiB; shorten it\n"))
        .status(1),
        feed(
            "HTML of 20 MB is not searched",
            join([text("<content type='html'>"), times("xxxxxxxxxxxxxxx<!---->", 1_300_000), text("</content>")]),
        )
        .writes(text(GH))
        .says(text("absurl: -:1:80: not searching a text in the document that is longer than 16 MiB\n"))
        .status(1),
        svg(
            "a STYLE of 20 MB is not searched",
            text(""),
            join([
                text("<a href='g'/><style>"),
                times("xxxxxxxxxxxxxxx<!---->", 1_300_000),
                text("</style><a href='h'/>"),
            ]),
        )
        .writes(text(GH))
        .says(text("absurl: -:1:78: not searching the STYLE: it is longer than 16 MiB; split it\n"))
        .status(2),
        svg(
            "a billion laughs",
            entities(10, "lol"),
            text("<a href='&l10;'/><a href='g'/>"),
        )
        .writes(text(G))
        .says(text(
            "absurl: -:1:581: ignoring an entity: it is external or circular, has markup or is too long; write its text instead\n",
        ))
        .status(1),
        svg(
            "a billion times nothing",
            entities(1000, ""),
            text("<a href='&l1000;g'/>"),
        )
        .writes(text(G)),
        svg(
            "a short entity, many times",
            text("<!ENTITY o 'http://example.org/ontology#'>"),
            times("<a href='&o;x'/>", many),
        )
        .writes(times("http://example.org/ontology#x\n", many)),
        feed(
            "pages in a feed, by the 100 000",
            times("<title type='html'>&lt;a href='i'></title>", 100_000),
        )
        .writes(join([text(G), times("http://a/b/c/i\n", 100_000), text("http://a/b/c/h\n")])),
        feed(
            "a page of 15 MB in a feed",
            join([text("<title type='html'><![CDATA["), times("<a href='i'>", many), text("]]></title>")]),
        )
        .writes(join([text(G), times("http://a/b/c/i\n", many), text("http://a/b/c/h\n")]))
        .within(MUCH),
    ]);
}

#[test]
fn feeds_that_are_made_to_hurt() {
    feeds(QUICK);
}

#[test]
#[ignore = "200 MB: 5 seconds"]
fn feeds_that_are_made_to_hurt_in_full_size() {
    feeds(FULL);
}
