//! Which links a document has, and where, as far as it takes more than the documents of `tests/data/base` have.

use serde_json::Value;

use crate::harness::{Document, absurl, fields, located, parse_objects, read_documents};
use crate::table::{assert_each, message_of, read_rows};

/// Options, document, links, message.
const LINKS: &str = include_str!("../data/links.tsv");

#[test]
fn each_document_of_the_table_has_its_links_and_messages() {
    let rows = read_rows::<4>(LINKS);
    let documents: Vec<_> = rows.iter().map(|[options, text, ..]| Document::new(options, text)).collect();
    let answers = read_documents(&["-l", "-b", "http://h/"], &documents);
    assert_each(rows.iter().zip(answers).map(|([_, document, links, message], (objects, said, _))| {
        let found = objects.iter().map(located).collect::<Vec<_>>().join("|");
        let links = str::from_utf8(links).expect("UTF-8").to_owned();
        (document.escape_ascii(), (found, said), (links, message_of(message, "-:")))
    }));
}

#[test]
fn what_is_fetched_before_a_base_does_not_have_it_by_whatwg() {
    let rows = read_rows::<2>(include_str!("../data/fetched.tsv"));
    let pages: Vec<_> = rows.iter().map(|[element, _]| [element, &b"<base href=/e/>"[..]].concat()).collect();
    for spec in ["whatwg", "rfc1808", "rfc3986"] {
        let documents: Vec<_> = pages.iter().map(|page| Document::new(b"--media-type text/html", page)).collect();
        let answers = read_documents(&["-l", "-b", "http://h/d/", "-s", spec], &documents);
        assert_each(rows.iter().zip(&pages).zip(answers).map(|(([_, when], page), (links, ..))| {
            let directory = if when == b"early" && spec == "whatwg" { 'd' } else { 'e' };
            let rewritten = absurl(&["--rewrite", "-b", "http://h/d/", "-s", spec]).input(page.clone()).text().0;
            let urls: Vec<_> = links.iter().map(|link| link["url"].as_str().unwrap_or_default().to_owned()).collect();
            let url = format!("http://h/{directory}/XY");
            let expected = String::from_utf8_lossy(page).replace("/e/", "http://h/e/").replace("XY", &url);
            (format!("{spec} {}", page.escape_ascii()), (urls, rewritten), (vec![url], expected))
        }));
    }
}

#[test]
fn each_task_has_its_base_for_what_is_fetched_before_a_base() {
    let run = |flags: &[&str], page: &str| absurl(flags).arguments(&["-b", "http://h/d/", "-"]).input(page).text().0;
    let page = "<script src=x></script><iframe srcdoc='<img src=y><a href=z>'></iframe><a href=t><base href=//i/e/><img src=u>";
    let list = |flags: &[&str]| run(&[&["-l"], flags].concat(), page);
    assert_eq!(list(&["-s", "whatwg"]), "http://h/d/x\nhttp://h/d/y\nhttp://h/d/z\nhttp://i/e/t\nhttp://i/e/u\n");
    assert_eq!(list(&[]), "http://i/e/x\nhttp://i/e/y\nhttp://i/e/z\nhttp://i/e/t\nhttp://i/e/u\n");
    assert_eq!(list(&["--compare"]), "");
    let mail =
        "Content-Type: text/html\nContent-Base: http://i/\n\n<script src=x></script><base href=http://h/><a href=y>";
    assert_eq!(run(&["-l", "--check=host"], mail), "-:4:13: x: reaches i (WHATWG), not h\n");
    let explained = run(&["-l", "--explain", "-s", "whatwg"], "<img src=x><base href=/e/>");
    assert!(explained.contains("http://h/d/x") && explained.contains("http://h/e/x"), "{explained}");
    for spec in ["rfc1808", "rfc3986"] {
        let explained = run(&["-l", "--explain", "-s", spec], "<img src=x><base href=/e/>");
        let note = "Note     WHATWG gives http://h/d/x: the document has another base URL\n";
        assert!(explained.contains(note) && explained.contains("http://h/e/x"), "{explained}");
    }
}

#[test]
fn json_has_the_rel_of_an_element() {
    let html = "<a href=b rel='Prev x'><form action=c rel=help><area href=d><link href=e rel=next><img src=f rel=no>\
        <a href=g ping='h i' rel><svg><a href=j rel=next /></svg>";
    let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><a href='b' rel='next'/><img src='c' rel='no'/>\
        <svg xmlns='http://www.w3.org/2000/svg'><a href='d' rel='help'/></svg></html>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='next' href='b'/><link href='c'/></feed>";
    for (text, rels) in [
        (html, &["Prev x", "help", "null", "next", "null", "", "", "", "next"][..]),
        (xhtml, &["next", "null", "help"]),
        (atom, &["next", "null"]),
    ] {
        let (stdout, ..) = absurl(&["-lj", "-b", "http://h/", "-"]).input(text).text();
        assert_eq!(fields(&stdout, "rel"), rels, "{text}");
    }
    let (stdout, ..) = absurl(&["-lj", "-b", "http://h/", "-"]).input("<a href=b>").text();
    assert!(!stdout.contains("rel\""), "{stdout}");
    for (length, field) in [(255, "rel"), (256, "rel_omitted")] {
        let page = format!("<a rel={} href=b ping='c d'>", "x".repeat(length));
        let (stdout, ..) = absurl(&["-lj", "-b", "http://h/", "-"]).input(page).text();
        assert_eq!(stdout.matches(&format!("\"{field}\":")).count(), 3, "{stdout}");
    }
}

#[test]
fn at_most_512_elements_of_html_are_open() {
    // the text after the last end tag is in MI again, where CDATA is
    let page = format!("<math><mi>{}{}<![CDATA[ > <a href=g> ]]>", "<b>".repeat(600), "</b>".repeat(510));
    absurl(&["-l", "-"]).input(page).gives("", "", 0);
}

#[test]
fn a_comment_for_outlook_may_be_long_and_is_marked() {
    let page = |count| format!("<p><!--[if mso]>{}<a href=g><![endif]--><a href=h>", "-x\n".repeat(count));
    for count in [0, 1_000, 10_000, 100_000] {
        let (links, said, status) = absurl(&["-lj", "-b", "http://h/", "-"]).input(page(count)).text();
        let is_in_comment = |link: &Value| (located(link), link.get("comment").cloned());
        let line = count + 1;
        let columns = if count == 0 { [25, 47] } else { [9, 31] };
        let places = columns.map(|column| format!("{line}:{column}:http://h/"));
        let expected = [(format!("{}g", places[0]), Some(Value::Bool(true))), (format!("{}h", places[1]), None)];
        assert_eq!(
            (&*parse_objects(links).iter().map(is_in_comment).collect::<Vec<_>>(), &*said, status),
            (&expected[..], "", 0)
        );
    }
    let message = "absurl: -:1:17: not searching a text in the document that is longer than 16 MiB
";
    absurl(&["-l", "-b", "http://h/", "-"]).input(page(6 << 20)).gives(
        "http://h/h
",
        message,
        1,
    );
}

#[test]
fn a_text_of_xml_is_as_long_as_its_pieces() {
    let (start, padding) = ("<rss version=\"2.0\"><channel><description>", "x".repeat(5_000));
    let feed = format!("{start}{padding}&amp;{padding}&lt;a href='http://h/'&gt;</description></channel></rss>");
    absurl(&["-l", "-"]).input(feed).gives("http://h/\n", "", 0);
}
