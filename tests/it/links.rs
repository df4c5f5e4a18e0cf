//! Which links a document has, and where, as far as it takes more than the documents of `tests/data/base` have.

use crate::harness::{absurl, located_links};
use crate::table::read_rows;

/// Options, document, links, message.
const LINKS: &str = include_str!("../data/links.tsv");

#[test]
fn each_document_of_the_table_has_its_links_and_messages() {
    let mut documents = 0;
    for [options, document, links, message] in &read_rows(LINKS) {
        let [options, links, message] = [options, links, message].map(|field| str::from_utf8(field).expect("UTF-8"));
        let options: Vec<_> = options.split_whitespace().collect();
        let run = absurl(&["-l", "-j", "-b", "http://h/", "-"]).arguments(&options).input(document.clone());
        let (stdout, stderr, _) = run.text();
        let message = if message.is_empty() { String::new() } else { format!("absurl: -:{message}\n") };
        assert_eq!((&*located_links(&stdout).join("|"), stderr), (links, message), "{}", document.escape_ascii());
        documents += 1;
    }
    assert!(documents > 60, "{documents}");
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
