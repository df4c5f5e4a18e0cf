//! The links of XML: one table of namespaces, elements, and their attributes or texts.

use crate::document::html::attributes::Holds;
use crate::document::layer::Escape;

/// The namespaces that have links.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Namespace {
    /// No namespace: RSS 2, if that is the root.
    #[default]
    None,
    /// Atom.
    Atom,
    /// RSS 1, and 0.90.
    Rss1,
    /// The module of RSS that has a page in its content.
    Content,
    /// RDF.
    Rdf,
    /// SVG.
    Svg,
    /// XHTML: its attributes are those of HTML.
    Xhtml,
    /// MathML.
    Math,
    /// XLink.
    XLink,
    /// `xml:base` and other attributes of XML itself.
    Xml,
    /// Any other.
    Other,
}

use Namespace::{Atom, Content, Math, None as NoNamespace, Rdf, Rss1, Svg, XLink, Xhtml};

/// The names of the namespaces.
const NAMES: [(&str, Namespace); 10] = [
    ("", NoNamespace),
    ("http://www.w3.org/2005/Atom", Atom),
    ("http://purl.org/rss/1.0/", Rss1),
    ("http://my.netscape.com/rdf/simple/0.9/", Rss1),
    ("http://purl.org/rss/1.0/modules/content/", Content),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", Rdf),
    ("http://www.w3.org/2000/svg", Svg),
    ("http://www.w3.org/1999/xhtml", Xhtml),
    ("http://www.w3.org/1998/Math/MathML", Math),
    ("http://www.w3.org/1999/xlink", XLink),
];

impl Namespace {
    /// The namespace that has a name.
    pub fn of(name: &[u8]) -> Self {
        NAMES.iter().find(|(known, _)| known.as_bytes() == name).map_or(Namespace::Other, |(_, namespace)| *namespace)
    }
}

/// What an element has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Has {
    /// A URL in an attribute without a prefix.
    Url(&'static str),
    /// A URL as its text.
    Text,
    /// A URL as its text, unless an attribute has a value.
    TextUnless(&'static str, &'static str),
    /// HTML as its text.
    Html,
    /// HTML as its text, if its `type` says so.
    HtmlByType,
    /// CSS as its text, unless its `type` says otherwise.
    Style,
}

use Has::{Html, HtmlByType, Style, Text, TextUnless, Url};

impl Has {
    /// How the element's text holds URLs.
    pub fn holds(self) -> Holds {
        match self {
            Html | HtmlByType => Holds::Html,
            Style => Holds::Style(Escape::XmlText),
            Url(_) | Text | TextUnless(..) => Holds::Url,
        }
    }
}

/// What elements have; an empty name stands for each one of a namespace.
const ELEMENTS: [(Namespace, &str, Has); 27] = [
    (Atom, "link", Url("href")),
    (Atom, "content", Url("src")),
    (Atom, "generator", Url("uri")),
    (Atom, "icon", Text),
    (Atom, "logo", Text),
    (Atom, "uri", Text),
    (Atom, "content", HtmlByType),
    (Atom, "rights", HtmlByType),
    (Atom, "subtitle", HtmlByType),
    (Atom, "summary", HtmlByType),
    (Atom, "title", HtmlByType),
    (NoNamespace, "link", Text),
    (NoNamespace, "docs", Text),
    (NoNamespace, "comments", Text),
    (NoNamespace, "url", Text),
    (NoNamespace, "guid", TextUnless("isPermaLink", "false")),
    (NoNamespace, "enclosure", Url("url")),
    (NoNamespace, "source", Url("url")),
    (NoNamespace, "description", Html),
    (Rss1, "link", Text),
    (Rss1, "url", Text),
    (Rss1, "description", Html),
    (Content, "encoded", Html),
    (Svg, "style", Style),
    (Svg, "", Url("href")),
    (Xhtml, "style", Style),
    (Math, "", Url("href")),
];

/// The attributes that have a URL on any element.
const ATTRIBUTES: [(Namespace, &str, &str); 3] =
    [(XLink, "href", "xlink:href"), (Rdf, "about", "rdf:about"), (Rdf, "resource", "rdf:resource")];

/// What an element has. What is in no namespace counts only if the root is that of RSS.
pub fn of_element(namespace: Namespace, name: &[u8], is_rss: bool) -> impl Iterator<Item = Has> {
    let is_its =
        move |row: &(Namespace, &str, Has)| row.0 == namespace && (row.1.is_empty() || row.1.as_bytes() == name);
    let is_known = namespace != Namespace::Other && (is_rss || namespace != NoNamespace);
    ELEMENTS.iter().filter(move |_| is_known).filter(move |row| is_its(row)).map(|row| row.2)
}

/// The name of an attribute with a prefix that has a URL.
pub fn of_attribute(namespace: Namespace, name: &[u8]) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|row| row.0 == namespace && row.1.as_bytes() == name).map(|row| row.2)
}
