//! Which links a document has, and where, as far as it takes more than the documents of `tests/data/base` have.

use crate::harness::{Document, absurl, located, read_documents};
use crate::table::{assert_each, message_of, read_rows};

/// Options, document, links, message.
const LINKS: &str = include_str!("../data/links.tsv");

#[test]
fn each_document_of_the_table_has_its_links_and_messages() {
    let rows = read_rows::<4>(LINKS);
    assert_eq!(rows.len(), 218);
    let documents: Vec<_> = rows.iter().map(|[options, text, ..]| Document::new(options, text)).collect();
    let answers = read_documents(&["-l", "-b", "http://h/"], &documents);
    assert_each(rows.iter().zip(answers).map(|([_, document, links, message], (objects, said, _))| {
        let found = objects.iter().map(located).collect::<Vec<_>>().join("|");
        let links = str::from_utf8(links).expect("UTF-8").to_owned();
        (document.escape_ascii(), (found, said), (links, message_of(message, "-:")))
    }));
}

#[test]
fn at_most_512_elements_of_html_are_open() {
    // the text after the last end tag is in MI again, where CDATA is
    let page = format!("<math><mi>{}{}<![CDATA[ > <a href=g> ]]>", "<b>".repeat(600), "</b>".repeat(510));
    absurl(&["-l", "-"]).input(page).gives("", "", 0);
}

#[test]
fn a_text_of_xml_is_as_long_as_its_pieces() {
    let (start, padding) = ("<rss version=\"2.0\"><channel><description>", "x".repeat(5_000));
    let feed = format!("{start}{padding}&amp;{padding}&lt;a href='http://h/'&gt;</description></channel></rss>");
    absurl(&["-l", "-"]).input(feed).gives("http://h/\n", "", 0);
}
