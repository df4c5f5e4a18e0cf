//! What is read in XML, without the rest of the program.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::format_collect,
    reason = "a failed test panics"
)]

use std::io::Read;

use super::{Xml, XmlError};
use crate::document::holds::Holds;
use crate::document::place::layer::{Charset, Layer, lift_answer};
use crate::document::reader::{Event, Reader};

/// A text that arrives in blocks of some bytes.
struct Blocks<'a>(&'a [u8], usize);

impl Read for Blocks<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let length = bytes.len().min(self.1);
        self.0.read(&mut bytes[..length])
    }
}

/// What a document has, each as a few words; an error is the last.
fn events_of(document: &[u8], block: usize) -> Vec<String> {
    let mut xml = Xml::new(Blocks(document, block), 1 << 16);
    let (mut shown, mut base) = (Vec::new(), 0);
    let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
    loop {
        let event = match xml.advance() {
            Ok(None) => return shown,
            Ok(Some(event)) => event,
            Err(error) => {
                let fault = error.get_ref().and_then(|error| error.downcast_ref::<XmlError>()).unwrap();
                shown.push(format!("fault {}:{} {fault}", fault.line, fault.column));
                return shown;
            }
        };
        let value = xml.value();
        let (all, location) = (value.text.unwrap_or_default(), format!("{}:{}", value.line, value.column));
        let space = if value.attribute.is_empty() { "" } else { "@" };
        let name = format!("{}{space}{}", text(value.element), text(value.attribute));
        shown.push(match event {
            Event::Base(candidate) => {
                base += 1;
                format!("{} {} {location} {}", candidate.by.name(), base - 1, text(&candidate.url.unwrap()))
            }
            Event::EndBases(count) => {
                base -= count;
                continue;
            }
            Event::Value(layer) => {
                let mut rest = Some(0);
                while let Some((range, next)) = rest.and_then(|rest| value.holds.next_url(all, rest)) {
                    assert_edit(document, &layer, range.clone());
                    shown.push(format!("{name} {base} {location} {}", text(&all[range])));
                    rest = next;
                }
                if matches!(value.holds, Holds::Html | Holds::Css | Holds::Style) {
                    shown.push(format!("{name} {:?} {base} {location} {}", value.holds, text(all)));
                }
                continue;
            }
            Event::Problem(problem) => format!("{location} {problem}"),
        });
    }
}

/// A link that is replaced by a marker is that marker when it is read again.
fn assert_edit(document: &[u8], layer: &Layer, range: std::ops::Range<usize>) {
    let Ok(edit) = lift_answer(std::slice::from_ref(layer), range, b"MARK&<\"'", Charset::Utf8) else { return };
    let range = edit.range.start as usize..edit.range.end as usize;
    let edited = [&document[..range.start], &*edit.text, &document[range.end..]].concat();
    let mut xml = Xml::new(&*edited, 1 << 16);
    let mut is_found = false;
    while let Ok(Some(event)) = xml.advance() {
        let (value, mut rest) = (xml.value(), Some(0).filter(|_| matches!(event, Event::Value(_))));
        while let Some((range, next)) = rest.and_then(|rest| value.holds.next_url(value.text.unwrap(), rest)) {
            is_found |= value.text.unwrap()[range] == *b"MARK&<\"'";
            rest = next;
        }
    }
    assert!(is_found, "{}", edited.escape_ascii());
}

/// What a document has, however it arrives.
#[track_caller]
fn has(document: &str, events: &[&str]) {
    for block in [1, 3, 1 << 20] {
        assert_eq!(events_of(document.as_bytes(), block), events, "{document}");
    }
}

/// The declaration of Atom.
const ATOM: &str = "xmlns='http://www.w3.org/2005/Atom'";

#[test]
fn links_of_atom() {
    let feed = |inner: &str| format!("<feed {ATOM}>{inner}</feed>");
    let column = |column: usize| format!("1:{}", feed("").len() - "</feed>".len() + column);
    has(&feed("<link href='x'/>"), &[&format!("link@href 0 {} x", column(13))]);
    has(&feed("<link href=' x&amp;y '></link>"), &[&format!("link@href 0 {} x&y", column(13))]);
    has(&feed("<id>x</id><category scheme='y'/>"), &[]);
    has(&feed("<icon> x </icon>"), &[&format!("icon 0 {} x", column(8))]);
    has(&feed("<logo>\n<!-- - --> x<![CDATA[&y]]>&#122;<!----></logo>"), &["logo 0 2:12 x&yz"]);
    has(&feed("<logo></logo><logo/><logo> <b/>x</logo>"), &[]);
    has(&feed("<content type='html'>&lt;p></content>"), &[&format!("content Html 0 {} <p>", column(22))]);
    has(&feed("<content type='text'>&lt;p></content><title type='xhtml'/>"), &[]);
    has(
        &feed("<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><a href='x'/></div></content>"),
        &[&format!("a@href 0 {} x", column(74))],
    );
}

#[test]
fn bases_end_with_their_elements() {
    let feed = format!(
        "<feed {ATOM} xml:base='a/'><link href='1'/><entry xml:base='b/'><link xml:base='c/' href='2'/>\
         <link href='3'/></entry><link href='4'/><entry xml:base=''><link href='5'/></entry></feed>"
    );
    let shown: Vec<_> = events_of(feed.as_bytes(), 5)
        .iter()
        .map(|event| event.split(' ').enumerate().filter(|(index, _)| *index != 2).map(|(_, word)| word.to_owned()))
        .map(|words| words.collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        shown,
        [
            "xml:base 0 a/",
            "link@href 1 1",
            "xml:base 1 b/",
            "xml:base 2 c/",
            "link@href 3 2",
            "link@href 2 3",
            "link@href 1 4",
            "link@href 1 5"
        ]
    );
}

#[test]
fn links_of_rss() {
    let rss = |inner: &str| format!("<rss>\n{inner}</rss>");
    has(&rss("<link>x</link>"), &["link 0 2:7 x"]);
    has(
        &rss("<docs>x</docs><comments>y</comments><url>z</url>"),
        &["docs 0 2:7 x", "comments 0 2:25 y", "url 0 2:42 z"],
    );
    has(&rss("<guid>x</guid>"), &["guid 0 2:7 x"]);
    has(&rss("<guid isPermaLink='true'>x</guid><guid isPermaLink='false'>y</guid>"), &["guid 0 2:26 x"]);
    has(&rss("<enclosure url='x'/><source url='y'>z</source>"), &["enclosure@url 0 2:17 x", "source@url 0 2:34 y"]);
    has(&rss("<description>&lt;a></description>"), &["description Html 0 2:14 <a>"]);
    has(&rss("<description>\n <![CDATA[<a>]]>\n</description>"), &["description Html 0 3:11 <a>\\n"]);
    has("<other><link>x</link></other>", &[]);
    has(
        "<rss xmlns='x'><link>x</link></rss>",
        &["1:1 ignoring the namespace \"x\" of <rss>; omit it", "link 0 1:22 x"],
    );
    has(
        "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\n\
         <channel r:about='x'><link>y</link><image r:resource='z'/></channel></r:RDF>",
        &["channel@rdf:about 0 2:19 x", "link 0 2:28 y", "image@rdf:resource 0 2:55 z"],
    );
}

#[test]
fn links_of_svg_and_xhtml() {
    let svg = |inner: &str| {
        format!("<svg xmlns='http://www.w3.org/2000/svg' xmlns:l='http://www.w3.org/1999/xlink'>\n{inner}</svg>")
    };
    has(&svg("<a href='x'/><use l:href='y'/>"), &["a@href 0 2:10 x", "use@xlink:href 0 2:27 y"]);
    has(&svg("<use l:href='x' href='y'/>"), &["use@href 0 2:23 y"]);
    let page = |inner: &str| format!("<html xmlns='http://www.w3.org/1999/xhtml'>\n{inner}</html>");
    has(&page("<img srcset='a 1x, b, c 2x'/>"), &["img@srcset 0 2:14 a", "img@srcset 0 2:14 b", "img@srcset 0 2:14 c"]);
    has(&page("<meta http-equiv='Refresh' content='1; url=x'/>"), &["meta@content 0 2:37 x"]);
    has(&page("<iframe srcdoc='&lt;p>'/>"), &["iframe@srcdoc Html 0 2:17 <p>"]);
    has(
        &page("<head profile='x'><link href='y'/><base href='z/'/><base href='no'/></head><a href='w'/>"),
        &["BASE 0 2:47 z/", "head@profile 1 2:16 x", "link@href 1 2:31 y", "a@href 1 2:85 w"],
    );
    has(
        &page("<head><link xml:base='v/' href='y'/><link href='y'/><base href='z/'/></head><a href='w'/>"),
        &["BASE 0 2:65 z/", "xml:base 1 2:23 v/", "link@href 2 2:33 y", "link@href 1 2:49 y", "a@href 1 2:86 w"],
    );
    has(
        &page("<head><link xml:base='v/' href='y'/><x xml:base='u/'><base href='z/'/></x></head><a href='w'/>"),
        &["xml:base 0 2:23 v/", "link@href 1 2:33 y", "xml:base 0 2:50 u/", "BASE 1 2:66 z/", "a@href 2 2:91 w"],
    );
    has(
        &page("<head><link href='y'/></head><base href='z/'/><a href='w'/>"),
        &["link@href 0 2:19 y", "2:30 ignoring a BASE that is not in HEAD; move it there", "a@href 0 2:56 w"],
    );
}

#[test]
fn entities() {
    let svg = |subset: &str, url: &str| {
        format!("<!DOCTYPE svg [{subset}]>\n<svg xmlns='http://www.w3.org/2000/svg'>\n<a href='{url}'/></svg>")
    };
    has(&svg("<!ENTITY x 'y'>", "&x;/z"), &["a@href 0 3:10 y/z"]);
    has(&svg("<!ENTITY x 'y'><!ENTITY x 'no'>", "&x;"), &["a@href 0 3:10 y"]);
    has(&svg("<!-- <!ENTITY x 'no'> --><!ENTITY x \"y>\"><!ENTITY z '&x;&x;'>", "&z;"), &["a@href 0 3:10 y>y>"]);
    let problem =
        "3:10 ignoring an entity: it is external or circular, has markup or is too long; write its text instead";
    has(&svg("<!ENTITY x '<b/>'>", "&x;"), &[problem]);
    has(&svg("<!ENTITY x SYSTEM '/etc/passwd'>", "&x;"), &[problem]);
    has(&svg("<!ENTITY x '&#38;y;'>", "&x;"), &[problem]);
    let fault = |what| format!("fault 3:10 the XML is not well-formed: {what}");
    has(&svg("", "&x;"), &[&fault("an entity is not declared")]);
    has(&svg("", "&#0;"), &[&fault("a character reference is invalid")]);
    has(&svg("", "a&b"), &[&fault("an & does not start a reference")]);
    let laughs: String = (1..10).map(|n| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10))).collect();
    has(&svg(&format!("<!ENTITY l0 'lol'>{laughs}"), "&l9;"), &[problem]);
    let namespace = "<!DOCTYPE svg [<!ENTITY s 'http://www.w3.org/2000/svg'>]>\n<svg xmlns='&s;'><a href='x'/></svg>";
    has(namespace, &["a@href 0 2:27 x"]);
}

#[test]
fn what_is_not_well_formed_is_a_fault() {
    let start = "<rss>\n<link>x</link>\n";
    for (rest, column, what) in [
        ("", 1, "an element is not closed"),
        ("</rs>", 1, "an end tag does not match its start tag"),
        ("</rss></rss>", 7, "an end tag does not match its start tag"),
        ("</rss>x", 7, "there is text outside the root element"),
        ("</rss><rss/>", 7, "it has a second root element"),
        ("<a", 1, "a tag is not closed"),
        ("<a b='>", 1, "a tag is not closed"),
        ("<!-- ", 1, "a comment is not closed"),
        ("<![CDATA[", 1, "a CDATA section is not closed"),
        ("<?x", 1, "a processing instruction is not closed"),
        ("<!DOCTYPE", 1, "a DOCTYPE is not closed"),
        ("<!x", 1, "what starts with <! is no comment, CDATA section or DOCTYPE"),
        ("<!-- -- -->", 6, "a comment contains --"),
        ("<a b></a>", 4, "an attribute has no value"),
        ("<a b=c></a>", 4, "the value of an attribute has no quotes"),
        ("<a b='c'd='e'/>", 9, "there is no white space before an attribute"),
        ("<a b='<'/>", 7, "the value of an attribute contains <"),
        ("<a b='' b=''/>", 12, "an element has two attributes with the same name"),
        ("<1/>", 1, "a tag has no valid name"),
        ("<!DOCTYPE a>", 1, "a DOCTYPE is not before the root element"),
        ("a ]]> b", 3, "a text contains ]]>"),
        ("a & b", 3, "an & does not start a reference"),
        ("a &b; b", 3, "an entity is not declared"),
    ] {
        let fault = format!("fault 3:{column} the XML is not well-formed: {what}");
        has(&format!("{start}{rest}"), &["link 0 2:7 x", &fault]);
    }
    has("", &["fault 1:1 the XML is not well-formed: it has no root element"]);
}

#[test]
fn bytes_that_are_not_ascii_are_kept() {
    let feed = b"<feed xmlns='http://www.w3.org/2005/Atom'>\n<\xE9 a\xE9=''/><link href='\xE9&#233;'/></feed>";
    assert_eq!(events_of(feed, 2), ["link@href 0 2:23 \\xe9\\xc3\\xa9"]);
    let feed = b"<\xE9></\xE8>";
    assert_eq!(events_of(feed, 2), ["fault 1:4 the XML is not well-formed: an end tag does not match its start tag"]);
}
