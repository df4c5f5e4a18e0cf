//! The links of XML: one table of namespaces, elements, and their attributes or texts.

use super::element_stack::split_prefix;
use crate::document::holds::Holds;
use crate::document::html::elements::is_known;
use crate::document::namespace::Namespace;
use crate::document::types::TYPES;

use Namespace::{
    Atom, Atom03, Chapters, Content, Itunes, Math, Media, None as NoNamespace, Opml, Other, Podcast, Rdf, Rss, Rss1,
    Schema, Sitemap, Svg, Thread, Wfw, Wsdl, XLink, Xhtml,
};

/// The namespace of an element whose name is in the namespace `written`, in a document with a root: RSS and OPML have
/// no namespace, and others lack it or undo it. Elements of HTML that feeds do not have are those of pages in them.
pub fn namespace_of(written: Namespace, local: &[u8], root: Option<&(Namespace, Vec<u8>)>) -> Namespace {
    let own = match (written, root) {
        (NoNamespace, Some((NoNamespace, name))) => match &**name {
            b"rss" => Rss,
            b"opml" => Opml,
            b"urlset" | b"sitemapindex" => Sitemap,
            name if is_known(name) => Xhtml,
            _ => NoNamespace,
        },
        (NoNamespace, Some((Rdf, name))) if name == b"RDF" => Rss1,
        (NoNamespace, Some((root @ (Rss | Opml | Sitemap), _))) => *root,
        // that of xhtml:link is written in many ways
        (Other | Sitemap, Some((_, name))) if name == b"urlset" && local == b"link" => Xhtml,
        (namespace, _) => namespace,
    };
    let is_feed = matches!(own, Rss | Rss1 | Atom | Atom03);
    if is_feed && each_of_element(own, local).next().is_none() && is_known(local) { Xhtml } else { own }
}

/// The roots that say in any namespace what they are: their names, the namespaces that they may have, and what to do if
/// they have another one.
const ROOTS: &[(&[u8], &[Namespace], &str)] = &[
    (b"rss", &[Rss], "omit it"),
    (b"opml", &[Opml], "omit it"),
    (b"feed", &[Atom, Atom03], "write http://www.w3.org/2005/Atom"),
    (b"urlset", &[Sitemap], "write http://www.sitemaps.org/schemas/sitemap/0.9"),
    (b"sitemapindex", &[Sitemap], "write http://www.sitemaps.org/schemas/sitemap/0.9"),
];

/// The namespace that such a root means by another one, and what to do; `None` if there is nothing to do.
pub fn meant_by_root((written, local): (Namespace, &[u8])) -> Option<(Namespace, &'static str)> {
    let (_, may_be, fix) = ROOTS.iter().find(|row| row.0 == local)?;
    may_be.first().filter(|_| !may_be.contains(&written)).map(|meant| (*meant, *fix))
}

/// Whether attributes without a prefix of an element whose name is in the namespace `written` may be those of RDF
/// (RDF/XML, section 6.1.4), which other vocabularies in it are not.
pub fn is_rdf(written: Namespace, root: Option<&(Namespace, Vec<u8>)>) -> bool {
    root.is_some_and(|(namespace, name)| *namespace == Rdf && name == b"RDF") && !matches!(written, Xhtml | Svg | Math)
}

/// Whether a root is none of the table of types, nor of a page or an image, so that [`OTHERS`] apply.
pub fn is_other((namespace, name): &(Namespace, Vec<u8>)) -> bool {
    let is_its = |root: &(Namespace, &str)| root.0 == *namespace && root.1.as_bytes() == name;
    !matches!(namespace, Xhtml | Svg | Math)
        && !matches!(&**name, b"html" | b"svg")
        && !TYPES.iter().any(|row| row.roots.iter().any(is_its))
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
    /// HTML as its text in Atom 0.3, if its `mode` says that markup is escaped.
    HtmlByMode,
    /// CSS as its text, unless its `type` says otherwise.
    Style,
}

impl Has {
    /// What an attribute without a prefix holds by it, and its name.
    pub fn attribute(self, name: &[u8]) -> Option<(&'static str, Holds)> {
        match self {
            Attribute(attribute, holds) if attribute.as_bytes() == name => Some((attribute, holds)),
            _ => None,
        }
    }
}

use Has::{Attribute, HtmlByMode, HtmlByType, Permalink, Style, Text};
use Holds::{Css, Html, NonEmpty, Spaced, SvgUrl, Url};

/// A row of the table: the names of elements, or none for each one of the namespace, and what they have.
type Row = (&'static [&'static str], Has);

/// What the elements of a namespace have. Only the URLs of Atom (RFC 4287), XLink, RDF and links of SVG may be empty.
/// An empty text is never a link.
fn rows_of(namespace: Namespace) -> &'static [Row] {
    match namespace {
        Atom => &[
            (&["link"], Attribute("href", Url)),
            (&["content"], Attribute("src", NonEmpty)),
            (&["generator"], Attribute("uri", Url)),
            (&["icon", "logo", "uri"], Text(Url)),
            (&["content", "rights", "subtitle", "summary", "title"], HtmlByType),
        ],
        Atom03 => &[
            (&["link"], Attribute("href", Url)),
            (&["generator"], Attribute("url", Url)),
            (&["url"], Text(Url)),
            (&["content", "copyright", "info", "summary", "tagline", "title"], HtmlByMode),
        ],
        Rss => &[
            (&["link", "docs", "comments", "url"], Text(Url)),
            (&["link"], Attribute("href", NonEmpty)),
            (&["guid"], Permalink),
            (&["enclosure", "source"], Attribute("url", NonEmpty)),
            (&["description"], Text(Html)),
        ],
        Rss1 => &[(&["link", "url"], Text(Url)), (&["description"], Text(Html))],
        Content => &[(&["encoded"], Text(Html))],
        Itunes => &[
            (&["image"], Attribute("href", NonEmpty)),
            (&["image"], Attribute("url", NonEmpty)),
            (&["new-feed-url"], Text(Url)),
        ],
        Media => &[(&["content", "player", "thumbnail"], Attribute("url", NonEmpty))],
        Wfw => &[(&["comment", "commentRss", "commentRSS"], Text(Url))],
        Podcast => &[
            (&["chapters", "funding", "transcript"], Attribute("url", NonEmpty)),
            (&["person"], Attribute("href", NonEmpty)),
            (&["person"], Attribute("img", NonEmpty)),
        ],
        Chapters => &[(&["chapter"], Attribute("href", NonEmpty)), (&["chapter"], Attribute("image", NonEmpty))],
        Thread => &[(&["in-reply-to"], Attribute("href", Url)), (&["in-reply-to"], Attribute("source", Url))],
        Opml => &[
            (&["outline"], Attribute("xmlUrl", NonEmpty)),
            (&["outline"], Attribute("xmlurl", NonEmpty)),
            (&["outline"], Attribute("htmlUrl", NonEmpty)),
            (&["outline"], Attribute("htmlurl", NonEmpty)),
            (&["outline"], Attribute("url", NonEmpty)),
        ],
        Sitemap => &[(&["loc", "content_loc", "player_loc", "thumbnail_loc"], Text(Url))],
        Svg => &[
            (&["style"], Style),
            (&["a"], Attribute("href", Url)),
            (&["a"], Attribute("ping", Spaced)),
            (&[], Attribute("href", SvgUrl)),
            (&[], Attribute("style", Css)),
        ],
        Xhtml => &[(&["style"], Style)],
        Math => &[(&[], Attribute("href", Url)), (&[], Attribute("style", Css))],
        _ => &[],
    }
}

/// What elements have in XML with any other root, unless the rows above say more of them: a namespace, or `None` for
/// each one, and a row.
const OTHERS: &[(Option<Namespace>, Row)] = &[
    (None, (&[], Attribute("href", NonEmpty))),
    (None, (&[], Attribute("src", NonEmpty))),
    (Some(Schema), (&["import", "include", "override", "redefine"], Attribute("schemaLocation", NonEmpty))),
    (Some(Wsdl), (&["import", "include"], Attribute("location", NonEmpty))),
];

/// The attributes that have a URL on any element.
const ATTRIBUTES: &[(Namespace, &str, &str)] =
    &[(XLink, "href", "xlink:href"), (Rdf, "about", "rdf:about"), (Rdf, "resource", "rdf:resource")];

/// Attributes, and texts by an empty name, that are names even if they are URLs: of an element, or of any one.
const IDENTIFIERS: &[(&str, &[&str])] = &[
    ("", &["rel", "namespace", "ns", "targetNamespace", "requiredExtensions", "requiredFeatures", "rdf:datatype"]),
    ("", &["xlink:arcrole", "xlink:role", "xsi:noNamespaceSchemaLocation", "xsi:schemaLocation"]),
    ("category", &["domain", "scheme", "term"]),
    ("generator", &["", "uri", "url"]),
    ("guid", &[""]),
];

/// Whether an attribute of an element, or its text, is a name even if it is a URL.
pub fn is_identifier(element: &[u8], attribute: &[u8]) -> bool {
    let (_, local) = split_prefix(attribute);
    let is_its = |(own, names): &(&str, &[&str])| {
        matches!(own.as_bytes(), own if own.is_empty() || own == element)
            && names.iter().any(|name| [attribute, local].contains(&name.as_bytes()))
    };
    attribute.starts_with(b"xmlns") || IDENTIFIERS.iter().any(is_its)
}

/// What an element has.
pub fn of_element(namespace: Namespace, name: &[u8]) -> Vec<Has> {
    each_of_element(namespace, name).collect()
}

fn each_of_element(namespace: Namespace, name: &[u8]) -> impl Iterator<Item = Has> {
    rows_of(namespace).iter().filter(move |row| has_name(row, name)).map(|row| row.1)
}

/// What an element of XML with any other root has beside that.
pub fn of_other_element(namespace: Namespace, name: &[u8]) -> impl Iterator<Item = Has> {
    let is_its = move |own: &Option<Namespace>| own.is_none_or(|own| own == namespace);
    OTHERS.iter().filter(move |(own, row)| is_its(own) && has_name(row, name)).map(|(_, row)| row.1)
}

/// Whether a row is about elements with this name.
fn has_name((names, _): &Row, name: &[u8]) -> bool {
    names.is_empty() || names.iter().any(|own| own.as_bytes() == name)
}

/// The name of an attribute with a prefix that has a URL.
pub fn of_attribute(namespace: Namespace, name: &[u8]) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|row| row.0 == namespace && row.1.as_bytes() == name).map(|row| row.2)
}
