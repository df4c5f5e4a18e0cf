//! `--rewrite --relative`: documents with relative links, the laws that they obey, and sites that move.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{Run, absurl, new_directory, parse_objects, tree};
use crate::rewrite::{
    assert_laws, assert_rows, list, real_documents, rewrite, table, test_documents, without, write_files,
};
use crate::table::read_rows;

/// The URL of the documents of the laws.
const BASE: &str = "http://a/b/c?d";

/// The table's rows: options, document, output, message.
fn rows() -> Vec<[Vec<u8>; 4]> {
    read_rows(include_str!("../data/rewrite-relative.tsv"))
}

#[test]
fn each_document_becomes_relative() {
    assert_rows(&["--rewrite", "--relative"], rows());
}

/// What is wrong with documents that become relative as they are, and once their links are absolute.
fn broken(options: &[&str], documents: &[(String, Vec<u8>)], directory: &Path) -> Vec<String> {
    let with_base = [&["-b", BASE], options].concat();
    let absolute = rewrite(&with_base, &write_files(documents, directory));
    let absolute = documents.iter().zip(absolute).map(|((name, _), (text, _))| (format!("{name}, absolute"), text));
    let all: Vec<_> = documents.iter().cloned().chain(absolute).collect();
    let files = write_files(&all, directory);
    let relative = [&with_base[..], &["--relative"]].concat();
    let before = list(&with_base, &files);
    let outputs = rewrite(&relative, &files);
    let after = list(&with_base, &files);
    let again = rewrite(&relative, &files);
    let is_markdown = options.contains(&"text/markdown");
    let how = |at: usize| {
        let ((_, document), (output, _)) = (&all[at], &outputs[at]);
        // law (a): the links are the same
        if let Some((one, other)) = before[at].urls().iter().zip(after[at].urls()).find(|(one, other)| *one != other) {
            return Some(format!("the link {} is {}", one.escape_ascii(), other.escape_ascii()));
        }
        if before[at].links.len() != after[at].links.len() {
            return Some("there are more links, or less".into());
        }
        // law (b): nothing but links is changed; nobody knows here where one of Markdown ends
        let rest = without(&before[at].offsets(document), document);
        if !is_markdown && rest != without(&after[at].offsets(output), output) {
            return Some("a change outside of links".into());
        }
        // law (c): twice is once
        (again[at].0 != *output).then(|| "the second output differs".into())
    };
    (0..all.len()).filter_map(|at| Some(format!("{} {options:?}: {}", all[at].0, how(at)?))).collect()
}

#[test]
fn the_laws_hold_on_the_rows_of_both_tables() {
    let directory = new_directory("relative_laws_of_rows");
    for media_type in ["", "text/css", "text/markdown", "image/svg+xml", "application/xhtml+xml"] {
        let of_type = |[options, ..]: &[Vec<u8>; 4]| {
            let options = String::from_utf8_lossy(options);
            if media_type.is_empty() { !options.contains("--media-type") } else { options.contains(media_type) }
        };
        let rows = table().into_iter().chain(rows()).filter(of_type);
        let named: Vec<_> = rows.map(|[_, document, ..]| (document.escape_ascii().to_string(), document)).collect();
        assert!(!named.is_empty(), "no document is {media_type:?}");
        for spec in ["rfc1808", "rfc3986", "whatwg"] {
            let options = &["--spec", spec, "--media-type", media_type];
            let wrong = broken(if media_type.is_empty() { &options[..2] } else { options }, &named, &directory);
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    }
}

/// The endings of the documents that the laws are asserted on.
pub const ENDINGS: &[&str] = &["html", "htm", "xhtml", "svg", "css", "md"];

#[test]
fn the_laws_hold_on_the_documents_of_the_tests() {
    let files = test_documents(ENDINGS);
    assert_laws("relative_laws_of_files", &files, &["rfc1808", "whatwg"], broken);
}

#[test]
#[ignore = "it reads all documents of the machine"]
fn the_laws_hold_on_real_documents() {
    assert_laws("relative_laws_of_real_files", &real_documents(ENDINGS), &["rfc1808", "whatwg"], broken);
}

/// A run of `--rewrite --in-place --relative` in a directory.
fn move_tree(root: &Path, line: &str) -> Run {
    absurl(&["--rewrite", "-i", "--relative"]).words(line).directory(root)
}

/// The files of a directory to which its links lead if it is served under a URL: the page, a number and the file.
fn files_led_to(root: &Path, url: &str, spec: &str) -> BTreeSet<(String, u64, PathBuf)> {
    let (stdout, ..) = absurl(&["-l", "-j", "-q", "-s", spec, "-b", url]).argument(root).bytes();
    let mut found = BTreeSet::new();
    for object in parse_objects(stdout) {
        let Some(path) = object["url"].as_str().and_then(|link| link.strip_prefix(url)) else { continue };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let file =
            root.join(if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.into() });
        if file.is_file() {
            let (source, record) = (object["source"].as_str().unwrap(), object["record"].as_u64().unwrap());
            found.insert((source.to_owned(), record, file));
        }
    }
    found
}

/// A site for `https://x/`, without BASE.
const SITE: &[(&str, &str)] = &[
    (
        "index.html",
        "<link rel=stylesheet href=/css/main.css><link rel=canonical href=https://x/>\n\
         <a href=/blog/>Blog</a> <a href=/about.html#us>About</a> <a href=https://x/blog/post.html?x>Post</a>\n\
         <a href=https://y/>Other</a> <a href=http://x/about.html>http</a> <a href=/>Start</a> <a href=/gone>Gone</a>",
    ),
    ("about.html", "<a href=/>Start</a><a href=blog/>Blog</a><img srcset='/img/a.svg 1x, //x/img/b.svg 2x'>"),
    ("blog/index.html", "<a href=/blog/post.html>Post</a><a href=..>Start</a><a href=/blog/index.html>Blog</a>"),
    ("blog/post.html", "<style>@import '/css/main.css';</style><a href=/blog/>Blog</a><a href=/blog/post.html#c>C</a>"),
    ("blog/read.md", "[Start](/) ![a](/img/a.svg)\n\n[post]: https://x/blog/post.html\n"),
    ("css/main.css", "@import \"/css/more.css\"; a { background: url(/img/a.svg#x) }"),
    ("css/more.css", ""),
    ("img/a.svg", "<svg xmlns='http://www.w3.org/2000/svg'><a href='/blog/'/><use href='/img/b.svg#x'/></svg>"),
    ("img/b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ("feed.xml", "<rss version='2.0'><channel><link>https://x/</link></channel></rss>"),
    ("mail.eml", "Content-Type: text/html\n\n<a href=/>"),
];

/// The number of links of a site to its own files, which all lead to them under `https://x/repo/` once they are relative.
fn moves(site: &Path, spec: &str) -> usize {
    let before = files_led_to(site, "https://x/", spec);
    move_tree(site, &format!("-q -s {spec} -b https://x/ .")).output();
    let after = files_led_to(site, "https://x/repo/", spec);
    let lost: Vec<_> = before.difference(&after).collect();
    assert_eq!(lost, Vec::<&_>::new());
    before.len()
}

#[test]
fn a_site_moves_under_a_path() {
    for spec in ["rfc1808", "rfc3986", "whatwg"] {
        let site = tree("site", SITE);
        // the canonical URL and those of the feed and the email stay
        let kept = ["index.html", "feed.xml", "mail.eml"].map(|name| fs::read_to_string(site.join(name)).unwrap());
        let own = BTreeSet::from_iter(["feed.xml", "mail.eml"].map(|name| site.join(name)));
        let before = files_led_to(&site, "https://x/", spec);
        let of_pages = before.iter().filter(|(source, ..)| !own.contains(Path::new(source)));
        let canonical = 1;
        let expected = of_pages.count() - canonical;
        let sums = "absurl: .: 9 documents read, 2 files skipped (1 in need of absolute URLs, 1 .eml)\nabsurl: 7 of 9 documents changed\n";
        move_tree(&site, &format!("-s {spec} -b https://x/ .")).gives("", sums, 0);
        let after = files_led_to(&site, "https://x/repo/", spec);
        assert_eq!((after.len(), before.intersection(&after).count()), (expected, expected));
        let now = ["index.html", "feed.xml", "mail.eml"].map(|name| fs::read_to_string(site.join(name)).unwrap());
        assert_eq!(kept[1..], now[1..]);
        assert!(now[0].contains("href=https://x/>\n") && now[0].contains("href=http://x/about.html>"), "{}", now[0]);
    }
}

/// `ABSURL_SITE` names a directory without BASE, which becomes relative.
#[test]
#[ignore = "it changes a directory that the environment names"]
fn a_real_site_moves_under_a_path() {
    let Ok(site) = std::env::var("ABSURL_SITE") else { return };
    assert!(moves(Path::new(&site), "rfc1808") > 0);
}

#[test]
fn pages_with_a_base_are_counted() {
    let files = [
        ("a.html", "<base href=/x/><a href=/x/y>"),
        ("b.html", "<a href=/b>"),
        ("c.html", "<base href=/x/>"),
        ("d.html", "<base target=x><a href=g><base href=./><a href=/g>"),
    ];
    let root = tree("relative_bases", &files);
    move_tree(&root, "-b http://a/ --root . a.html b.html").gives(
        "",
        "absurl: 2 of 2 documents changed, 1 relative to its own BASE\n",
        0,
    );
    assert_eq!(fs::read_to_string(root.join("a.html")).unwrap(), "<base href=/x/><a href=y>");
    // a relative BASE moves with its page
    let sums = "absurl: .: 4 documents read\nabsurl: 1 of 4 documents changed, 2 relative to their own BASE\n";
    move_tree(&root, "-b http://a/ .").gives("", sums, 0);
    // links that become absolute need no such count
    let sums = "absurl: .: 4 documents read\nabsurl: 4 of 4 documents changed\n";
    absurl(&["--rewrite", "-i", "-b", "http://a/", "."]).directory(&root).gives("", sums, 0);
}

#[test]
fn the_sum_says_which_hashes_no_longer_fit() {
    let sheet = |href: &str| format!("<link rel=stylesheet integrity=sha256-x href={href}>");
    let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head><link rel='stylesheet' href='/a.css' integrity='sha256-x'/></head></html>";
    let pages = [sheet("/a.css"), sheet("a.css"), sheet("https://y/a.css"), sheet("https://x/a.css")].concat();
    let files = [
        ("a.css", "@import '/b.css';"),
        ("b.css", "a { background: url(/i.png) }"),
        ("c.css", "@import 'b.css';"),
        ("d.html", &*pages),
        ("e.html", &*sheet("https://y/a.css")),
        ("f.html", "<link rel=stylesheet href=/a.css integrity><link rel=icon integrity=sha256-x href=/i>"),
        ("g.xhtml", xhtml),
        ("h.html", &*sheet("a.css")),
    ];
    for (relative, changed) in [("--relative", [2, 5]), ("", [3, 7])] {
        for (flag, change) in [("-n", "would change"), ("-i", "changed")] {
            let root = tree("hashes", &files);
            let [sheets, all] = changed;
            let sum = format!(
                "absurl: .: 8 documents read\nabsurl: {all} of 8 documents {change}\nabsurl: {sheets} style sheets {change}, \
                 3 pages name style sheets with integrity: update the hashes, or browsers refuse them\n"
            );
            let run = absurl(&["--rewrite", flag, "-b", "https://x/", "."]).words(relative).directory(&root);
            let (_, stderr, status) = run.text();
            assert_eq!((stderr, status), (sum, i32::from(flag == "-n")));
        }
    }
    let root = tree("no_hashes", &[("a.css", "@import 'b.css';"), files[3]]);
    let sum = "absurl: .: 2 documents read\nabsurl: 1 of 2 documents changed\n";
    move_tree(&root, "-b https://x/ .").gives("", sum, 0);
}

#[test]
fn a_page_that_is_sent_for_any_url_has_a_note() {
    let files = [
        ("site/404.html", "<a href=/b/>"),
        ("site/b/404.html", "<a href=g>"),
        ("site/c/404.html", "<base href=/><a href=g>"),
        ("site/d/404.html", "<a href=#s><a href=http://h/>"),
    ];
    let root = tree("not_found", &files);
    let note = |name: &str| {
        let fix = format!("then run absurl -s whatwg --rewrite -i -b https://HOST/PATH/ {name}");
        format!("absurl: {name}: hosts send it for any URL, where relative links fail; {fix}\n")
    };
    let read = "absurl: site: 4 documents read\n";
    let sum = "of 4 documents changed, 1 relative to its own BASE\n";
    let [first, second] = ["site/404.html", "site/b/404.html"].map(note);
    move_tree(&root, "-b http://a/ site").gives("", format!("{first}{second}{read}absurl: 1 {sum}"), 0);
    // the remedy
    let run =
        absurl(&["-s", "whatwg", "--rewrite", "-i", "-b", "https://HOST/repo/sub/", "site/404.html"]).directory(&root);
    run.gives("", "absurl: 1 of 1 document changed\n", 0);
    assert_eq!(fs::read_to_string(root.join("site/404.html")).unwrap(), "<a href=https://host/repo/sub/b/>");
    move_tree(&root, "-b http://a/ site").gives("", format!("{second}{read}absurl: 0 {sum}"), 0);
}

#[test]
fn each_record_of_a_list_has_its_base() {
    let page = "<a href=/x/y>";
    let root = tree("relative_pairs", &[("a.html", page), ("b.html", page), ("s/c.html", page), ("d.rss", "<rss/>")]);
    let list = "http://a/x/\ta.html\n\tb.html\nhttp://a/x/\ts\nhttp://a/\td.rss\n";
    let messages = "absurl: b.html:1:9: no base; write one before the TAB\n\
                    absurl: s: 1 document read\n\
                    absurl: -:4: d.rss: XML with the root <rss> needs absolute URLs; omit --relative\n\
                    absurl: 2 of 4 documents changed, 1 failed\n";
    move_tree(&root, "-p").input(list).gives("", messages, 1);
    let texts = ["a.html", "b.html", "s/c.html"].map(|name| fs::read_to_string(root.join(name)).unwrap());
    assert_eq!(texts, ["<a href=y>", page, "<a href=y>"]);
}
