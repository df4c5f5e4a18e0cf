//! The types of documents: one table.

use memchr::memrchr;

use super::namespace::Namespace;
use MediaType::{Css, Html, Markdown, Message, Xml};

/// How a document is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MediaType {
    Html,
    /// As a message: RFC 822, MIME or HTTP.
    Message,
    Xml,
    /// As a style sheet.
    Css,
    Markdown,
}

/// A type of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    pub name: &'static str,
    pub help: &'static str,
    /// How it is read.
    pub read_as: MediaType,
    /// What such names end in, in lower case, without the dot.
    pub endings: &'static [&'static str],
    /// What the document may begin with that outranks such a name. The first that it begins with decides.
    pub outranked_by: &'static [Start],
    /// Whether the name decides otherwise.
    pub by_name: ByName,
    /// The namespaces and the names of its root elements.
    pub roots: &'static [(Namespace, &'static str)],
}

/// What a document may begin with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// A field of an email.
    Email,
    /// A root of the table, `html`, or a doctype html.
    Root,
    /// The root `html`, or a doctype html.
    Page,
    /// An element of HTML, SVG or MathML, or one with a hyphen, without an XML declaration.
    Element,
    /// SVG in any namespace, or a start that is cut before the root.
    Svg,
    /// Any element of HTML, or a start that is cut before the root.
    Xhtml,
    /// A page in the namespace of XHTML, if the name ends in `.xml`.
    XhtmlInXml,
}

/// Whether the name of a document decides what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByName {
    Always,
    /// If it does not begin with `<`.
    WithoutTag,
    /// If it has no root element; its reader says why.
    WithoutRoot,
    Never,
}

use ByName::{Always, Never, WithoutRoot, WithoutTag};
use Start::{Element, Email, Page, Root, Svg, Xhtml, XhtmlInXml};

/// What decides if no name does.
pub const UNNAMED: &[Start] = &[Email, Root, Element];

/// A row of the table: its name and help, how it is read, endings, what decides, and roots.
const fn row(
    [name, help]: [&'static str; 2],
    read_as: MediaType,
    endings: &'static [&'static str],
    (outranked_by, by_name): (&'static [Start], ByName),
    roots: &'static [(Namespace, &'static str)],
) -> Type {
    Type { name, help, read_as, endings, outranked_by, by_name, roots }
}

/// The root elements of Atom 1.0 and 0.3.
const FEEDS: &[(Namespace, &str)] =
    &[(Namespace::Atom, "feed"), (Namespace::Atom, "entry"), (Namespace::Atom03, "feed"), (Namespace::Atom03, "entry")];

/// The root elements of vocabularies without a media type of their own.
const OTHERS: &[(Namespace, &str)] = &[
    (Namespace::Sitemap, "urlset"),
    (Namespace::Sitemap, "sitemapindex"),
    (Namespace::None, "urlset"),
    (Namespace::None, "sitemapindex"),
    (Namespace::None, "opml"),
    (Namespace::Opml, "opml"),
];

#[rustfmt::skip]
pub static TYPES: &[Type] = &[
    row(["text/html", "HTML"], Html, &["html", "htm"], (&[Root], Always), &[]),
    row(["text/css", "A style sheet"], Css, &["css"], (&[Page, Element], Always), &[]),
    row(
        ["text/markdown", "Markdown: CommonMark, with GitHub's tables, footnotes and task lists"],
        Markdown, &["md", "markdown"], (&[Page], Always), &[],
    ),
    row(
        ["message/rfc822", "An email or another message: RFC 822, MIME or HTTP"],
        Message, &["eml", "mht", "mhtml", "mbox"], (UNNAMED, WithoutTag), &[],
    ),
    row(["application/atom+xml", "An Atom feed"], Xml, &["atom"], (&[Email, Root], WithoutRoot), FEEDS),
    row(
        ["application/rss+xml", "An RSS feed"],
        Xml, &["rss"], (&[Email, Root], WithoutRoot), &[(Namespace::None, "rss"), (Namespace::Rss, "rss")],
    ),
    row(
        ["application/rdf+xml", "RDF, such as a feed of RSS 1"],
        Xml, &["rdf"], (&[Email, Root], WithoutRoot), &[(Namespace::Rdf, "RDF")],
    ),
    row(["image/svg+xml", "SVG"], Xml, &["svg"], (&[Email, Svg, Root], Never), &[(Namespace::Svg, "svg")]),
    row(["application/xhtml+xml", "XHTML, read as XML"], Xml, &["xhtml", "xht"], (&[Xhtml, Root], Never), &[]),
    row(
        ["application/xml", "XML: sitemaps, OPML, the types above, or any XML with xml:base, XLink, href or src"],
        Xml, &["xml", "opml"], (&[Email, XhtmlInXml, Root], WithoutRoot), OTHERS,
    ),
];

/// What the name of a file ends in, in lower case, without the dot; empty if it has no dot.
pub fn ending_of(name: &[u8]) -> String {
    let start = memrchr(b'.', name).map_or(name.len(), |dot| dot + 1);
    String::from_utf8_lossy(&name[start..]).to_ascii_lowercase()
}

impl Type {
    /// The type that the name of a file ends in.
    pub fn of_name(name: &[u8]) -> Option<&'static Self> {
        let ending = ending_of(name);
        TYPES.iter().find(|row| row.endings.contains(&&*ending))
    }

    /// The type of a file as servers may name it: HTML in a language, such as `index.html.en`, and with includes are
    /// HTML, too. Packed files and scripts have short endings, too.
    pub fn of_served(name: &[u8]) -> Option<&'static Self> {
        let ending = ending_of(name);
        let is_language = match ending.as_bytes() {
            b"br" | b"gz" | b"js" | b"xz" => false,
            [a, b, rest @ ..] => {
                a.is_ascii_lowercase() && b.is_ascii_lowercase() && matches!(rest, [] | [b'-' | b'_', ..])
            }
            _ => false,
        };
        let without = memrchr(b'.', name).map_or(name, |dot| &name[..dot]);
        let html = || match &*ending {
            "shtml" => Type::of_name(b".html"),
            _ => Type::of_name(without).filter(|_| is_language),
        };
        Type::of_name(name).or_else(|| html().filter(|row| row.read_as == Html))
    }

    /// Whether its documents are XML.
    pub fn is_xml(&self) -> bool {
        self.read_as == Xml
    }

    /// Whether its documents are XML with a root element that is known.
    pub fn needs_root(&self) -> bool {
        self.is_xml() && !self.roots.is_empty()
    }
}

impl MediaType {
    /// The type of an HTTP response by its Content-Type, in lower case.
    pub fn of_content(name: &str) -> Option<Self> {
        if name == "text/xml" || name.ends_with("+xml") {
            return Some(Xml); // RFC 7303
        }
        TYPES.iter().find(|row| row.name == name).map(|row| row.read_as)
    }
}

#[cfg(test)]
mod tests {
    use super::{Type, ending_of};

    #[test]
    fn a_name_has_one_ending() {
        for (name, ending) in [("a.RST", "rst"), ("a.b.rst", "rst"), ("rst", ""), ("a.rst.html", "html"), ("", "")] {
            assert_eq!(ending_of(name.as_bytes()), ending, "{name}");
        }
    }

    #[test]
    fn servers_give_more_names_to_html() {
        for (names, is_html) in [
            (["a.html.en", "a.HTM.pt-BR", "a.html.zh_tw", "a.SHTML", "a.html"], true),
            (["a.html.br", "a.html.gz", "a.html.orig", "a.svg.en", "a.en"], false),
        ] {
            for name in names {
                let row = Type::of_served(name.as_bytes());
                assert_eq!(row.is_some_and(|row| row.name == "text/html"), is_html, "{name}");
            }
        }
    }

    #[test]
    fn the_name_says_what_a_document_is() {
        for (path, expected) in
            [("a/b.SVG", Some("image/svg+xml")), ("a/b.svg.HTM", Some("text/html")), ("vg", None), ("a.svg/b", None)]
        {
            assert_eq!(Type::of_name(path.as_bytes()).map(|row| row.name), expected, "{path}");
        }
    }
}
