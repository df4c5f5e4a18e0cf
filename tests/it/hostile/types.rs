//! What hurts in any type of documents: links of control bytes, long links, and many of them.

use super::row::{PLAIN, Row, join, row, run_all, text, times};

/// Each type, and what such documents have: at their start, before a link, after it, and at their end.
pub const TYPES: &[(&str, [&str; 4])] = &[
    ("text/html", ["", "<a href='", "'>", ""]),
    ("text/css", ["", "@import '", "';", ""]),
    ("text/markdown", ["", "[a](<", ">)\n\n", ""]),
    ("message/rfc822", ["Content-Type: text/html\n\n", "<a href='", "'>", ""]),
    ("application/atom+xml", ["<feed xmlns='http://www.w3.org/2005/Atom'>", "<link href='", "'/>", "</feed>"]),
    ("application/rss+xml", ["<rss><channel>", "<link>", "</link>", "</channel></rss>"]),
    ("application/rdf+xml", ["<rdf:RDF>", "<rdf:li rdf:resource='", "'/>", "</rdf:RDF>"]),
    ("image/svg+xml", ["<svg xmlns='http://www.w3.org/2000/svg'>", "<a href='", "'/>", "</svg>"]),
    ("application/xhtml+xml", ["<html xmlns='http://www.w3.org/1999/xhtml'>", "<a href='", "'/>", "</html>"]),
    ("application/xml", ["<urlset>", "<url><loc>", "</loc></url>", "</urlset>"]),
];

fn control_bytes(name: &'static str, [start, before, after, end]: [&str; 4]) -> Row {
    let lead = [start, before].concat();
    let (line, column) = (lead.matches('\n').count() + 1, lead.len() - lead.rfind('\n').map_or(0, |at| at + 1) + 1);
    row(name, "--links - --check -b http://a/ --media-type")
        .argument(name)
        .reads(text([&lead, "\x1Bx", after, end].concat()))
        .writes(text(format!("-:{line}:{column}: \\x1Bx: \\x1B is not allowed in a path; write %1Bx\n")))
        .says(text("absurl: 1 violation in 1 link\n"))
        .status(1)
}

fn many_links(name: &'static str, [start, before, after, end]: [&str; 4]) -> Row {
    let (long, link) = ("x".repeat(1_000_000), |url: &str| [before, url, after].concat());
    row(name, "--links - -b http://a/b/c/d --media-type")
        .argument(name)
        .reads(join([text(start), text(link(&long)), times(link("g"), 100_000), text(end)]))
        .writes(join([text(format!("http://a/b/c/{long}\n")), times("http://a/b/c/g\n", 100_000)]))
        .within(PLAIN)
}

#[test]
fn each_type_has_links_that_are_made_to_hurt() {
    run_all(
        TYPES.iter().flat_map(|(name, pieces)| [control_bytes(name, *pieces), many_links(name, *pieces)]).collect(),
    );
}
