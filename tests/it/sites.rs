//! Directories under `--check=host`: what a walk reads there, and what it says of the rest.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::harness::{Run, absurl, parse_objects, tree};

/// A run in a directory.
fn check(root: &Path, line: &str) -> Run {
    absurl(&["--check=host"]).words(line).directory(root)
}

/// A page with one link, which stays.
const PAGE: &str = "<a href=g>";

/// A page with one link, which leaves.
const LEAVES: &str = "<a href=//e/>";

/// XML of a type that is not in the table.
const UNKNOWN: &str = "<note xmlns='x'><a xmlns='http://www.w3.org/1999/xhtml' href='//e/'/>\
                       <svg xmlns='http://www.w3.org/2000/svg'><image href='//f/'/></svg><a href='//no/'/></note>";

#[test]
fn hidden_names_and_unknown_xml_are_read() {
    let files = [
        ("site/a.html", PAGE),
        ("site/.b.html", LEAVES),
        ("site/.well-known/a.html", LEAVES),
        ("site/d/.c/.d.css", "a{b:url(//e/)}"),
        ("site/x.xml", UNKNOWN),
        ("site/y.rss", "<x:note xmlns:x='x'><img xmlns='http://www.w3.org/1999/xhtml' src='//e/'/></x:note>"),
        ("site/z.svg", "<note xmlns='x' xmlns:l='http://www.w3.org/1999/xlink' l:href='//e/'/>"),
    ];
    let root = tree("wary", &files);
    let found = "\
site/.b.html:1:9: //e/: reaches e, not h
site/.well-known/a.html:1:9: //e/: reaches e, not h
site/d/.c/.d.css:1:9: //e/: reaches e, not h
site/x.xml:1:63: //e/: reaches e, not h
site/x.xml:1:123: //f/: reaches f, not h
site/x.xml:1:145: //no/: reaches no, not h
site/y.rss:1:68: //e/: reaches e, not h
site/z.svg:1:64: //e/: reaches e, not h
";
    let sums = "absurl: site: 7 documents read\nabsurl: 8 of 9 links may leave their host\n";
    check(&root, "-l -b http://h site").gives(found, sums, 1);
    // other runs are as they were
    let sums = "absurl: site: 1 document read, 3 files skipped (1 .rss, 1 .svg, 1 .xml)\n";
    absurl(&[]).words("-l -b http://h site").directory(&root).gives("http://h/g\n", sums, 0);
    // a file that is named is read, too
    check(&root, "-lq -b http://h site/x.xml").gives("", "", 1);
}

#[test]
fn a_file_that_is_not_read_is_a_finding() {
    let files = [
        ("site/a.html", PAGE),
        ("site/b.html", "%PDF-1.4"),
        ("site/c.css", "PK\x03\x04"),
        ("site/d.xml", "a\0b"),
        ("site/e.svg", "text"),
        ("site/f.xml", " \n"),
        ("site/g.txt", "%PDF-1.4"),
        ("site/h", LEAVES),
        ("site/i.eml", "\u{FEFF}\0"),
        ("site/k.html", "<\0i\0m\0g\0"),
    ];
    let root = tree("not_read", &files);
    fs::write(root.join("site/i.eml"), b"\xFF\xFES\0:\0").unwrap();
    let fifo = r#"mkfifo site/j.html; exec "$@""#;
    let found = "\
site/b.html:1:1: not read, so it may have links that leave: a PDF
site/c.css:1:1: not read, so it may have links that leave: a zip archive
site/d.xml:1:1: not read, so it may have links that leave: binary data (NUL at byte 2)
site/e.svg:1:1: not read, so it may have links that leave: type not recognized
site/i.eml:1:1: not read, so it may have links that leave: UTF-16
site/j.html:1:1: not read, so it may have links that leave: a special file
site/k.html:1:1: not read, so it may have links that leave: binary data (NUL at byte 2)
";
    let walked = "absurl: site: 1 document read, 7 not read, 3 files skipped (1 empty, 1 without an ending, 1 .txt)\n";
    let sum = "absurl: 1 link stays on its host; not everything was read\n";
    let run = || check(&root, "-l -b http://h site").shell(fifo);
    run().gives(found, format!("{walked}{sum}"), 1);
    fs::remove_file(root.join("site/j.html")).unwrap();
    check(&root, "-lq -b http://h site").gives("", "", 1);
    let first = "site/b.html:1:1: not read, so it may have links that leave: a PDF\n";
    check(&root, "-l --fail-fast -b http://h site").gives(first, sum, 1);
    // without a document, too: nothing says that all is well
    fs::remove_file(root.join("site/a.html")).unwrap();
    let (stdout, stderr, status) = check(&root, "-l -b http://h site").text();
    let walked = walked.replace("1 document read, 7", "0 documents read, 6");
    let walked = walked + "absurl: no links to check; not everything was read\n";
    assert_eq!((stdout.lines().count(), stderr, status), (6, walked, 1));
    let (stdout, ..) = check(&root, "-lj -b http://h/x/ site").text();
    let object = &parse_objects(stdout)[0];
    let expected = serde_json::json!({
        "source": "site/b.html", "base": "http://h/x/b.html", "line": 1, "column": 1,
        "violations": [{
            "in": "document", "production": "host", "code": "not-read",
            "message": "not read, so it may have links that leave: a PDF",
        }],
    });
    assert_eq!(object, &expected);
}

#[test]
fn names_that_servers_give_to_html_are_read() {
    let files = [
        ("site/a.html.en", LEAVES),
        ("site/b.HTM.zh-TW", LEAVES),
        ("site/c.shtml", LEAVES),
        ("site/d.svgz", LEAVES),
        ("site/e.html.br", LEAVES),
        (
            "site/f.html",
            "Subject: a\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<img src=3D\"//e/\">",
        ),
    ];
    let root = tree("served", &files);
    let found = "\
site/a.html.en:1:9: //e/: reaches e, not h
site/b.HTM.zh-TW:1:9: //e/: reaches e, not h
site/c.shtml:1:9: //e/: reaches e, not h
";
    let misnamed = "absurl: site/f.html:1:1: reading an email or MHTML as HTML, as its name says; \
        name it .eml or .mhtml, or use --media-type message/rfc822\n";
    let walked = "absurl: site: 4 documents read, 2 files skipped (1 .br, 1 .svgz)\n";
    let sum = "absurl: 3 of 4 links may leave their host; not everything was read\n";
    check(&root, "-l -b http://h site").gives(found, format!("{misnamed}{walked}{sum}"), 1);
    // in other runs it is a note
    let walked = "absurl: site: 1 document read, 5 files skipped (1 .br, 1 .en, 1 .shtml, ...)\n";
    let run = absurl(&[]).words("-l -b http://h site").directory(&root);
    run.gives("http://h/3D\"//e/\"\n", format!("{misnamed}{walked}"), 0);
    check(&root, "-lq -b http://h --media-type message/rfc822 site/f.html").gives("", "", 1);
}

#[test]
fn a_link_out_of_the_walk_is_a_finding() {
    let files = [("site/d/x.html", PAGE), ("outside/y.html", LEAVES), ("outside/z", LEAVES)];
    let root = tree("links_out", &files);
    for (target, link) in [
        // to what the walk reads
        (".", "site/loop"),
        ("d", "site/latest"),
        ("d/x.html", "site/page"),
        ("../../site", "site/d/again.html"),
        // a file that is read by its own name
        ("../outside/z", "site/z.html"),
        // to what it does not read
        ("../outside", "site/outside"),
        ("../outside", "site/v1.html"),
        ("../outside/y.html", "site/y"),
        ("gone", "site/nowhere"),
        // to what is no document
        ("../outside/z", "site/z"),
        ("../outside/z", "site/z.png"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    let not_read = |name| format!("site/{name}:1:1: not read, so it may have links that leave: a symbolic link\n");
    let found = ["nowhere", "outside", "v1.html", "y"].map(not_read).concat();
    let leaves = "site/z.html:1:9: //e/: reaches e, not h\n";
    let sums = "absurl: site: 2 documents read, 4 not read, 2 files skipped (2 without an ending)\n\
                absurl: 1 of 2 links may leave their host; not everything was read\n";
    check(&root, "-l -b http://h site").gives(format!("{found}{leaves}"), sums, 1);
    // a directory that is named by a link is the one that is walked
    symlink("site", root.join("alias")).unwrap();
    let (stdout, ..) = check(&root, "-l -b http://h alias").text();
    assert_eq!(stdout, format!("{found}{leaves}").replace("site/", "alias/"));
    fs::remove_file(root.join("site/nowhere")).unwrap();
    // a pair is a walk of its own
    let (stdout, ..) = check(&root, "-l -p").input("http://h/\tsite/d\nhttp://h/\toutside\n").text();
    let again = not_read("d/again.html");
    assert_eq!(stdout, format!("{again}outside/y.html:1:9: //e/: reaches e, not h\n"));
}

/// A page as a generator of sites makes it.
const MADE: &str = "<!doctype html><link rel=stylesheet href=/assets/a.css><a href=../>Home</a>";

#[test]
fn a_site_of_mike_stays() {
    let root = tree(
        "mike",
        &[
            ("site/.nojekyll", ""),
            ("site/index.html", "<meta http-equiv=refresh content='1; url=latest/'><a href=latest/>latest</a>"),
            ("site/versions.json", "[]"),
            ("site/v1/index.html", MADE),
            ("site/v2/index.html", MADE),
            ("site/v2/sitemap.xml.gz", "\x1F\x08"),
            ("site/v2/404.html", MADE),
        ],
    );
    symlink("v2", root.join("site/latest")).unwrap();
    let sums = "absurl: site: 4 documents read, 3 files skipped (1 without an ending, 1 .gz, 1 .json)\n\
                absurl: all 8 links stay on their host\n";
    check(&root, "-l -b https://docs.example/ site").gives("", sums, 0);
    // a version elsewhere is not read
    fs::create_dir(root.join("v3")).unwrap();
    symlink("../v3", root.join("site/v3")).unwrap();
    let found = "site/v3:1:1: not read, so it may have links that leave: a symbolic link\n";
    let sums = sums.replace("read, 3", "read, 1 not read, 3");
    let sums = sums.replace("all 8", "8").replace("host\n", "host; not everything was read\n");
    check(&root, "-l -b https://docs.example/ site").gives(found, sums, 1);
}

#[test]
fn a_site_of_docusaurus_stays() {
    let search = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\" \
        xmlns:moz=\"http://www.mozilla.org/2006/browser/search/\">\n  <ShortName>Docs</ShortName>\n  \
        <InputEncoding>UTF-8</InputEncoding>\n  \
        <Image width=\"16\" height=\"16\" type=\"image/x-icon\">https://docs.example/img/favicon.ico</Image>\n  \
        <Url type=\"text/html\" method=\"get\" template=\"https://docs.example/search?q={searchTerms}\"/>\n  \
        <Url type=\"application/opensearchdescription+xml\" rel=\"self\" template=\"https://docs.example/opensearch.xml\"/>\n  \
        <moz:SearchForm>https://docs.example/</moz:SearchForm>\n</OpenSearchDescription>\n";
    let map = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <url><loc>https://docs.example/blog</loc></url></urlset>";
    let page = "<!doctype html><link rel=search type=application/opensearchdescription+xml href=/opensearch.xml>";
    let root = tree(
        "docusaurus",
        &[
            ("build/.nojekyll", ""),
            ("build/404.html", page),
            ("build/assets/css/styles.1.css", "a{background:url(/img/a.svg)}"),
            ("build/assets/js/main.1.js", "fetch('//e/')"),
            ("build/index.html", page),
            ("build/opensearch.xml", search),
            ("build/sitemap.xml", map),
        ],
    );
    let sums = "absurl: build: 5 documents read, 1 file skipped (1 without an ending)\n\
                absurl: all 8 links stay on their host\n";
    check(&root, "-l -b https://docs.example/ build").gives("", sums, 0);
}

#[test]
fn a_site_of_jekyll_stays() {
    let feed = "<?xml version=\"1.0\" encoding=\"utf-8\"?><?xml-stylesheet type=\"text/xml\" \
        href=\"https://docs.example/feed.xslt.xml\"?><feed xmlns=\"http://www.w3.org/2005/Atom\">\
        <link href=\"https://docs.example/feed.xml\" rel=\"self\" type=\"application/atom+xml\" />\
        <id>https://docs.example/feed.xml</id><title type=\"html\">Docs</title></feed>";
    let style = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xsl:stylesheet version=\"3.0\" \
        xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\
        <xsl:template match=\"/\"><html xmlns=\"http://www.w3.org/1999/xhtml\"><body>\
        <a href=\"{/atom:feed/atom:link[1]/@href}\">Docs</a></body></html></xsl:template></xsl:stylesheet>";
    let files = [("_site/feed.xml", feed), ("_site/feed.xslt.xml", style), ("_site/index.html", MADE)];
    let root = tree("jekyll", &files);
    let (stdout, stderr, status) = check(&root, "-l -b https://docs.example/ _site").text();
    assert_eq!((&*stdout, status), ("", 0), "{stderr}");
    assert!(stderr.starts_with("absurl: _site: 3 documents read\nabsurl: all "), "{stderr}");
}
