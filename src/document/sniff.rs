//! What a document is, by its first bytes and its name.

use super::html::begins_with_tag;
use super::message::{is_encoded, is_message};
use super::refuse::UnreadXml;
use super::types::{MediaType, Root, Type, decode_start, ending_of};
use crate::limits::MAX_PROLOG;
use Sniffed::{Known, Refused, Unread};

/// What a document is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sniffed {
    /// It is read as this.
    Known(MediaType),
    /// It is read as HTML, but not its links, although it has some tag; why.
    Refused(String),
    /// It is XML of a type that is not read, or of an unknown one.
    Unread(Option<&'static UnreadXml>),
}

/// Finds out what a document is that starts so; `None` if more bytes are needed.
///
/// What surely is other text decides first, then a name that decides by itself, then a message and a root element, and then
/// other names. Any other text is HTML if it has a tag somewhere, unless its name says that it is something else.
pub fn sniff(start: &[u8], is_end: bool, name: &[u8]) -> Option<Sniffed> {
    let row = Type::of_name(name);
    let named = row.map(|row| row.read_as);
    let needs_root = row.is_some_and(Type::needs_root);
    let is_enough = is_end || start.len() >= MAX_PROLOG;
    let text = decode_start(start);
    let lines = text.trim_start_matches(['\r', '\n']).as_bytes();
    let text = text.trim_ascii_start();
    if text.is_empty() && !is_enough {
        return None;
    }
    let ending = ending_of(name);
    let may_be_any = ["html", "htm", "xhtml", "php", "md"].contains(&&*ending);
    if !may_be_any && named != Some(MediaType::Markdown) {
        if let Some((_, what, fix)) = OTHER_TEXTS.iter().find(|(begin, ..)| text.starts_with(begin)) {
            return Some(Refused(format!("the file is {what}; {fix}")));
        } else if is_json(text, is_end)? {
            return Some(Refused(format!("the text is JSON; {JSON}")));
        }
    }
    if let Some(row) = row.filter(|row| row.is_by_name) {
        return match Root::find(start) {
            Root::Later if !is_enough => None,
            root => Some(sniff_named(row, root, text)),
        };
    }
    // other names decide only where the content leaves it open
    let (is_page, is_mail) = (named == Some(MediaType::Html), named == Some(MediaType::Message));
    if is_mail && !text.starts_with('<') || is_message(lines, is_end, is_page)? {
        return Some(Known(MediaType::Message));
    }
    if is_page && is_encoded(start) {
        let what = "the text is a message, such as MHTML; use --media-type message/rfc822";
        return Some(Refused(what.into()));
    }
    match Root::find(start) {
        Root::Later if !is_enough => return None,
        Root::Known(media_type) => return Some(Known(media_type)),
        Root::Unread { is_xml: true, .. } if is_page => return Some(Known(MediaType::Html)),
        Root::Unread { what, is_xml, .. } if is_xml || needs_root => return Some(Unread(what)),
        Root::Unread { .. } | Root::Element(_) | Root::Missing | Root::Later => {}
    }
    // some tag is in many texts, so a name takes precedence over it, but not over a tag at the start
    let row = NOT_HTML.iter().find(|(endings, _)| endings.contains(&&*ending));
    Some(match row.filter(|_| !text.is_empty() && !begins_with_tag(text.as_bytes())) {
        Some((_, fix)) => Refused(format!("its name ends in .{ending}, and it does not begin as HTML; {fix}")),
        None if !is_page && has_feed(text) => Known(MediaType::Xml),
        None => Known(MediaType::Html),
    })
}

/// Whether a text has the root element of a feed or a sitemap, and no HTML: something is before it, or it is not
/// well-formed. The reader of XML then says where.
fn has_feed(text: &str) -> bool {
    const ROOTS: &[&str] = &["rss", "feed", "rdf:RDF", "opml", "urlset", "sitemapindex"];
    let mut names = text.split('<').skip(1).filter_map(|tag| tag.split([' ', '\t', '\r', '\n', '>', '/']).next());
    names
        .find(|name| ROOTS.contains(name) || name.eq_ignore_ascii_case("html"))
        .is_some_and(|name| ROOTS.contains(&name))
}

/// What a document is whose name decides, by the root element that it may have. A style sheet begins with no tag and no
/// XML, but Markdown may begin with a tag of HTML.
fn sniff_named(row: &Type, root: Root, text: &str) -> Sniffed {
    let (media_type, needs_root) = (row.read_as, row.needs_root());
    let is = |expected| media_type == expected;
    let (is_xml, is_css, is_markdown) = (is(MediaType::Xml), is(MediaType::Css), is(MediaType::Markdown));
    let begins = begins_with_tag(text.as_bytes());
    match root {
        Root::Unread { what, has_namespace, .. } if is_xml && (needs_root || !has_namespace) => Unread(what),
        Root::Element(false) if needs_root => Unread(None),
        Root::Known(content) if is_css || is_markdown && !begins => Known(content),
        Root::Unread { what, is_xml: true, .. } if is_css => Unread(what),
        Root::Element(_) if is_css => Known(MediaType::Html),
        _ if is_css && begins && !text.starts_with("<!--") => Known(MediaType::Html),
        _ => Known(media_type),
    }
}

/// How to make references of JSON.
const JSON: &str = "print its URLs with jq -r '.. | .url? | strings' FILE, or its HTML with \
                    jq -r '.items[].content_html // empty' FILE | absurl -b URL --links";

/// How to make a document of a web archive.
const WARC: &str = "warcio index -f offset,warc-target-uri FILE prints OFFSET and URL of each page, \
                    warcio extract --payload FILE OFFSET | absurl -b URL --links reads one";

/// How to make a document of text with markup of another kind.
const PANDOC: &str = "convert it first: pandoc -t html FILE";

/// How to read text that no other program makes HTML of.
const AS_HTML: &str = "use --media-type text/html to read its tags";

/// What text begins with that is no HTML although some tag may be in it, what it is, and how to read it.
const OTHER_TEXTS: &[(&str, &str, &str)] = &[
    ("WARC/1.", "a web archive (WARC)", WARC),
    ("{\\rtf", "RTF", PANDOC),
    ("BEGIN:VCALENDAR", "a calendar (iCalendar)", AS_HTML),
    ("BEGIN:VCARD", "a contact (vCard)", AS_HTML),
    ("WEBVTT\n", "a list of subtitles (WebVTT)", AS_HTML),
    ("WEBVTT\r", "a list of subtitles (WebVTT)", AS_HTML),
];

/// Names of files that are no HTML although some tag may be in them, and how to read them.
const NOT_HTML: &[(&[&str], &str)] = &[
    (&["rst", "tex"], PANDOC),
    (&["emlx"], "drop its first line: tail -n +2 FILE"),
    (&["adoc"], "convert it first: asciidoctor -o - FILE"),
    (&["txt"], "use --media-type text/html if it is HTML, --file for a list"),
    (&["json", "jsonl", "ndjson"], JSON),
    (&["csv"], "for a list in its first column, use cut -d, -f1 FILE"),
    (&["tsv"], "for a list in its first column, use cut -f1 FILE"),
    (&["yaml", "yml", "toml", "js", "mjs", "ts", "py"], AS_HTML),
    (&["warc"], WARC),
];

/// Whether a text begins as JSON does and nothing else; `None` if more of it is needed. Templates begin with `{{` or `{%`, and
/// other texts with `[if`, `[1]:` or `[[toc]]`.
fn is_json(text: &str, is_end: bool) -> Option<bool> {
    let bytes = text.as_bytes();
    let mut rest = bytes.iter().copied().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
    let mut next = || rest.next().map_or((bytes.len(), None), |(at, byte)| (at, Some(byte)));
    let (_, first) = next();
    let (at, second) = next();
    Some(match (first, second) {
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{' | b'"' | b']')) => true,
        (Some(b'['), Some(b'[')) => matches!(next().1, Some(b'"' | b'{' | b'0'..=b'9')),
        (Some(b'['), Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n')) => {
            let word = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
            let (word, after) = bytes[at..].split_at(word.count());
            // std reads "nan" and "inf" in any case
            let has_digit = word.iter().any(u8::is_ascii_digit);
            let is_number = has_digit && str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok());
            let is_value = is_number || matches!(word, b"true" | b"false" | b"null");
            match after.trim_ascii_start() {
                [] if is_value && !is_end => return None,
                [b']', after @ ..] if is_value && after.trim_ascii().is_empty() && !is_end => return None,
                [b']', after @ ..] => is_value && after.trim_ascii().is_empty(),
                [after, ..] => is_value && *after == b',',
                [] => false,
            }
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn json_begins_as_no_other_text() {
        for json in [
            "{\"a\"",
            "{ \"a\"",
            "{}",
            "{\n}",
            "[{",
            "[ {",
            "[\"",
            "[]",
            "[ ]",
            "[[\"",
            "[[{",
            "[[1",
            "[ [ 1",
            "[1,",
            "[-1.5e+3 ,",
            "[true,",
            "[false ,",
            "[null,",
            "[1]",
            "[null ]\n",
            "[]x",
        ] {
            assert_eq!(is_json(json, true), Some(true), "{json}");
        }
        for text in [
            "",
            "{",
            "[",
            "{{ x }}",
            "{% if %}",
            "{a",
            "[if lt IE 9]",
            "[1]: <a href=x>",
            "[toc]",
            "[[toc]]",
            "[1] see,",
            "[tabs id=1],",
            "[1a,",
            "[-,",
            "[nullable,",
            "[true]: x",
            "[[",
            "[1",
            "(1,",
            "\"a\"",
            "<a>",
            "[x](y)",
        ] {
            assert_eq!(is_json(text, true), Some(false), "{text}");
        }
        for text in ["[1", "[1]", "[1] ", "[true", "[12 "] {
            assert_eq!(is_json(text, false), None, "{text}");
        }
    }
}
