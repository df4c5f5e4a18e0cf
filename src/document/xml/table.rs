//! The links of XML: one table of namespaces, elements, and their attributes or texts.

use crate::document::holds::Holds;

/// The namespaces that have links.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Namespace {
    /// No namespace: RSS 2, if that is the root.
    #[default]
    None,
    Atom,
    /// RSS 1, and 0.90.
    Rss1,
    /// The module of RSS that has a page in its content.
    Content,
    Rdf,
    Svg,
    /// XHTML: its attributes are those of HTML.
    Xhtml,
    Math,
    XLink,
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
#[derive(Clone, Copy)]
pub enum Has {
    /// URLs in an attribute without a prefix.
    Attribute(&'static str, Holds),
    /// A URL or HTML as its text.
    Text(Holds),
    /// A URL as its text, unless `isPermaLink` is false.
    Permalink,
    /// HTML as its text, if its `type` says so.
    HtmlByType,
    /// CSS as its text, unless its `type` says otherwise.
    Style,
}

use Has::{Attribute, HtmlByType, Permalink, Style, Text};
use Holds::{Css, Html, SvgUrl, Url};

/// What elements have; an empty name stands for each one of a namespace.
const ELEMENTS: [(Namespace, &str, Has); 30] = [
    (Atom, "link", Attribute("href", Url)),
    (Atom, "content", Attribute("src", Url)),
    (Atom, "generator", Attribute("uri", Url)),
    (Atom, "icon", Text(Url)),
    (Atom, "logo", Text(Url)),
    (Atom, "uri", Text(Url)),
    (Atom, "content", HtmlByType),
    (Atom, "rights", HtmlByType),
    (Atom, "subtitle", HtmlByType),
    (Atom, "summary", HtmlByType),
    (Atom, "title", HtmlByType),
    (NoNamespace, "link", Text(Url)),
    (NoNamespace, "docs", Text(Url)),
    (NoNamespace, "comments", Text(Url)),
    (NoNamespace, "url", Text(Url)),
    (NoNamespace, "guid", Permalink),
    (NoNamespace, "enclosure", Attribute("url", Url)),
    (NoNamespace, "source", Attribute("url", Url)),
    (NoNamespace, "description", Text(Html)),
    (Rss1, "link", Text(Url)),
    (Rss1, "url", Text(Url)),
    (Rss1, "description", Text(Html)),
    (Content, "encoded", Text(Html)),
    (Svg, "style", Style),
    (Svg, "a", Attribute("href", Url)),
    (Svg, "", Attribute("href", SvgUrl)),
    (Svg, "", Attribute("style", Css)),
    (Xhtml, "style", Style),
    (Math, "", Attribute("href", Url)),
    (Math, "", Attribute("style", Css)),
];

/// The attributes that have a URL on any element.
const ATTRIBUTES: [(Namespace, &str, &str); 3] =
    [(XLink, "href", "xlink:href"), (Rdf, "about", "rdf:about"), (Rdf, "resource", "rdf:resource")];

/// What an element has. What is in no namespace counts only if the root is that of RSS.
pub fn of_element(namespace: Namespace, name: &[u8], is_rss: bool) -> Vec<Has> {
    let is_its = |row: &&(Namespace, &str, Has)| {
        row.0 == namespace && (row.1.is_empty() || row.1.as_bytes() == name) && (is_rss || namespace != NoNamespace)
    };
    ELEMENTS.iter().filter(is_its).map(|row| row.2).collect()
}

/// The name of an attribute with a prefix that has a URL.
pub fn of_attribute(namespace: Namespace, name: &[u8]) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|row| row.0 == namespace && row.1.as_bytes() == name).map(|row| row.2)
}
