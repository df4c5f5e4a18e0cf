//! Which links a document has, and where, as far as it takes more than the documents of `tests/data/base` have.

use serde_json::Value;

use crate::harness::{Document, absurl, located, parse_objects, read_documents};
use crate::table::{assert_each, message_of, read_rows};

/// Options, document, links, message.
const LINKS: &str = include_str!("../data/links.tsv");

#[test]
fn each_document_of_the_table_has_its_links_and_messages() {
    let rows = read_rows::<4>(LINKS);
    assert_eq!(rows.len(), 229);
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
