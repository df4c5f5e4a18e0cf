//! The links and bases of XML documents.

use std::fs;

use serde_json::Value;

use crate::documents::decoded;
use crate::harness::{Document, absurl, fields, new_directory, read_documents};
use crate::resolve::exact;
use crate::table::{assert_each, message_of, read_rows};

#[test]
fn each_document_of_xml_has_its_links() {
    let rows = read_rows::<5>(include_str!("../data/base/xml.tsv"));
    let status_of = |message: &[u8]| match str::from_utf8(message).expect("UTF-8") {
        "" => 0,
        message if message.contains(": ignoring") || message.contains(": not searching") => 1,
        _ => 2,
    };
    let task = |options: &[u8]| if options.starts_with(b"--print-base") { &b""[..] } else { b"--links " };
    let options: Vec<_> = rows.iter().map(|[_, options, ..]| [task(options), options].concat()).collect();
    let documents = rows.iter().zip(&options).map(|([_, _, text, _, message], options)| Document {
        status: Some(status_of(message)),
        ..Document::new(options, text)
    });
    let answers = read_documents(&["-b", "http://a/b/c/d"], &documents.collect::<Vec<_>>());
    let text = |object: &Value, name: &str| exact(object, name).unwrap_or_default();
    let printed = |object: &Value| match object.get("url").or(object.get("error")) {
        Some(_) => text(object, "url"),
        None => [text(object, "base"), text(object, "base_rule")].join(&b'\t'),
    };
    assert_each(rows.iter().zip(answers).map(|([case, _, _, lines, message], (objects, said, status))| {
        let given = objects.iter().map(printed).collect::<Vec<_>>().join(&b' ').escape_ascii().to_string();
        let lines = lines.escape_ascii().to_string();
        (decoded(case), (given, said, status), (lines, message_of(message, "-:"), status_of(message)))
    }));
}

/// A feed with everything that has a location.
const FEED: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"/d/\">
  <link href=\"x\"/>
  <logo> ../logo.png
  </logo>
  <entry xml:base=\"e/\">
    <content type=\"html\">
      &lt;p>text
      &lt;a href=\"y?a&amp;amp;b\">&lt;/a> &lt;img srcset='a b, c'>
    </content>
    <summary type=\"html\"><![CDATA[
      <iframe srcdoc=\"<a href='z'>\">]]></summary>
  </entry>
</feed>
";

#[test]
fn links_of_xml_have_their_locations_and_bases() {
    let (stdout, ..) = absurl(&["-l", "-j", "-b", "http://a/b/c", "-"]).input(FEED).text();
    let names = "url element attribute line column base_line base_column base_rule base_by";
    assert_eq!(
        fields(&stdout, names),
        [
            "http://a/d/x link href 3 15 2 53 3.1 xml:base",
            "http://a/logo.png logo null 4 10 2 53 3.1 xml:base",
            "http://a/d/e/y?a&b a href 9 19 6 20 3.1 xml:base",
            "http://a/d/e/a img srcset 9 58 6 20 3.1 xml:base",
            "http://a/d/e/c img srcset 9 58 6 20 3.1 xml:base",
            "http://a/d/e/z a href 12 32 6 20 3.1 xml:base",
        ]
    );
}

#[test]
fn all_tasks_work_on_xml() {
    let run = |arguments| absurl(&["-b", "http://a/b/c"]).words(arguments).input(FEED);
    let (stdout, ..) = run("-l -e -").text();
    assert!(stdout.contains("-:4:10 <logo>: ../logo.png\n") && stdout.contains("-:9:19 <a href>: y?a&b\n"), "{stdout}");
    assert!(stdout.contains("the base URL is http://a/d/e/ (§3.1, xml:base in -:6:20)\n"), "{stdout}");
    run("--print-base -").gives("http://a/d/\t3.1\n", "", 0);
    run("-d - ../q").gives("http://a/q\n", "", 0);
    run("-l -c -").gives("", "absurl: no illegal characters in 6 links\n", 0);
    run("-l --compare -").gives("", "absurl: no differences in 6 links\n", 0);
    let check = FEED.replace("y?a", "y z?a").replace("e/\"", "e {/\"");
    let (stdout, ..) = absurl(&["-l", "-c", "-b", "http://a/b/c", "-"]).input(check).text();
    assert!(stdout.contains("-:6:20: ") && stdout.contains("-:9:19: y z?a&b: "), "{stdout}");
}

#[test]
fn a_name_or_a_media_type_says_what_a_document_is() {
    let link = "<a xmlns:x='http://www.w3.org/1999/xlink' x:href='y'/>";
    for (name, links) in [("a.xhtml", "http://a/y\n"), ("a.xht", "http://a/y\n"), ("a.html", ""), ("a", "")] {
        let directory = new_directory("a_name_or_a_media_type_says_what_a_document_is");
        fs::write(directory.join(name), link).unwrap();
        absurl(&["-l", "-b", "http://a/", name]).directory(&directory).gives(links, "", 0);
    }
    let mail = "(x)\nBase: <URL:http://b/>\nContent-Type: text/html\n\n<a href=y>";
    for (name, links) in [("a.eml", "http://b/y\n"), ("a.MHT", "http://b/y\n"), ("a.mhtml", "http://b/y\n")] {
        let directory = new_directory("a_name_or_a_media_type_says_what_a_document_is");
        fs::write(directory.join(name), mail).unwrap();
        absurl(&["-l", "-b", "http://a/", name]).directory(&directory).gives(links, "", 0);
    }
    for media_type in [
        "application/xml",
        "Text/XML; charset=UTF-8",
        "image/svg+xml",
        "application/atom+xml;type=feed",
        "application/atom+xml; type=entry; charset=\"utf-8\"",
        "application/rdf+xml;",
        " application/rss+xml ; x=y;; ",
    ] {
        absurl(&["-l", "-b", "http://a/", "--media-type", media_type]).input(link).gives("http://a/y\n", "", 0);
    }
    absurl(&["-l", "-b", "http://a/", "--media-type", "text/html"])
        .input("<svg xmlns='http://www.w3.org/2000/svg'><a href=y>")
        .gives("http://a/y\n", "", 0);
}
