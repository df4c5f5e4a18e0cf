//! The links and bases of XML documents.

use std::fs;

use crate::harness::{absurl, fields, new_directory};
use crate::table::read_rows;

#[test]
fn each_document_of_xml_has_its_links() {
    let table = fs::read_to_string("tests/data/base/xml.tsv").expect("the table");
    let rows = read_rows::<5>(&table);
    assert!(rows.len() >= 100);
    for [case, options, document, printed, message] in rows {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (case, options, message) = (text(&case), text(&options), text(&message));
        let task = if options.contains("--print-base") { "" } else { "--links" };
        let run = absurl(&["-b", "http://a/b/c/d", "-"]).words(task).words(&options);
        let (stdout, stderr, status) = run.input(document).bytes();
        let lines: Vec<_> = stdout.strip_suffix(b"\n").unwrap_or(&stdout).split(|byte| *byte == b'\n').collect();
        assert_eq!(
            lines.join(&b' ').escape_ascii().to_string(),
            printed.escape_ascii().to_string(),
            "{case}: {stderr}"
        );
        assert!(stderr.contains(&message) && stderr.is_empty() == message.is_empty(), "{case}: {stderr}");
        let expected = match &*message {
            "" => 0,
            message if ["ignoring", "not searching"].iter().any(|start| message.starts_with(start)) => 1,
            _ => 2,
        };
        assert_eq!(status, expected, "{case}");
    }
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
    run("-l -c -").gives("", "absurl: no violations in 6 records\n", 0);
    #[cfg(feature = "spec")]
    run("-l --compare -").gives("", "absurl: 0 of 6 records differ\n", 0);
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
