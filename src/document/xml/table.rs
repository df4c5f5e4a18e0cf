//! The links of XML: one table of namespaces, elements, and their attributes or texts.

use crate::document::holds::Holds;
use crate::document::html::elements::is_known;

/// The namespaces that have links.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Namespace {
    #[default]
    None,
    /// RSS 0.91 to 2: mostly that of its elements without a namespace.
    Rss,
    /// OPML: that of its elements without a namespace.
    Opml,
    Atom,
    Atom03,
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
    /// Sitemaps, also those of images and videos.
    Sitemap,
    /// The module of RSS for podcasts.
    Itunes,
    /// Media RSS.
    Media,
    /// The module of RSS for comments.
    Wfw,
    /// The namespace of podcasts by the Podcast Index.
    Podcast,
    /// The chapters of podcasts by Podlove.
    Chapters,
    /// Threads in Atom (RFC 4685).
    Thread,
    Other,
}

use Namespace::{
    Atom, Atom03, Chapters, Content, Itunes, Math, Media, None as NoNamespace, Opml, Podcast, Rdf, Rss, Rss1, Sitemap,
    Svg, Thread, Wfw, XLink, Xhtml,
};

/// The names of the namespaces, without `http://` and without a slash at the end. Feeds write them with `https`, with and
/// without that slash, and in any case.
const NAMES: &[(&str, Namespace)] = &[
    ("www.w3.org/2005/Atom", Atom),
    ("purl.org/atom/ns#", Atom03),
    ("backend.userland.com/rss", Rss),
    ("backend.userland.com/rss2", Rss),
    ("blogs.law.harvard.edu/tech/rss", Rss),
    ("purl.org/rss/1.0", Rss1),
    ("my.netscape.com/rdf/simple/0.9", Rss1),
    ("channel.netscape.com/rdf/simple/0.9", Rss1),
    ("purl.org/rss/1.0/modules/content", Content),
    ("www.w3.org/1999/02/22-rdf-syntax-ns#", Rdf),
    ("www.w3.org/2000/svg", Svg),
    ("www.w3.org/1999/xhtml", Xhtml),
    ("www.w3.org/1998/Math/MathML", Math),
    ("www.w3.org/1999/xlink", XLink),
    ("www.sitemaps.org/schemas/sitemap/0.9", Sitemap),
    ("www.google.com/schemas/sitemap/0.84", Sitemap),
    ("www.google.com/schemas/sitemap-image/1.1", Sitemap),
    ("www.google.com/schemas/sitemap-video/1.1", Sitemap),
    ("www.itunes.com/dtds/podcast-1.0.dtd", Itunes),
    ("search.yahoo.com/mrss", Media),
    ("video.search.yahoo.com/mrss", Media),
    ("www.rssboard.org/media-rss", Media),
    ("wellformedweb.org/CommentAPI", Wfw),
    ("podcastindex.org/namespace/1.0", Podcast),
    ("github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", Podcast),
    ("podlove.org/simple-chapters", Chapters),
    ("purl.org/syndication/thread/1.0", Thread),
];

/// What prefixes mean that are not declared, although they have to be.
const PREFIXES: &[(&str, Namespace)] = &[
    ("atom", Atom),
    ("content", Content),
    ("image", Sitemap),
    ("itunes", Itunes),
    ("media", Media),
    ("podcast", Podcast),
    ("psc", Chapters),
    ("rdf", Rdf),
    ("thr", Thread),
    ("video", Sitemap),
    ("wfw", Wfw),
    ("xlink", XLink),
];

impl Namespace {
    /// The namespace that has a name.
    pub fn of(name: &[u8]) -> Self {
        if name.is_empty() {
            return NoNamespace;
        }
        let name = name.to_ascii_lowercase();
        let bare = name.strip_prefix(b"http://").or_else(|| name.strip_prefix(b"https://")).unwrap_or(&name);
        let bare = bare.strip_suffix(b"/").unwrap_or(bare);
        let row = NAMES.iter().find(|(own, _)| own.as_bytes().eq_ignore_ascii_case(bare));
        row.map_or(Namespace::Other, |(_, namespace)| *namespace)
    }

    /// The namespace of a prefix that is not declared.
    pub fn of_undeclared(prefix: &[u8]) -> Self {
        let row = PREFIXES.iter().find(|(own, _)| own.as_bytes() == prefix);
        row.map_or(Namespace::Other, |(_, namespace)| *namespace)
    }

    /// What an element of this namespace is in a document with a root: RSS and OPML have no namespace, and others lack it
    /// or undo it. Elements of HTML that feeds do not have are those of pages in them.
    pub fn within(self, local: &[u8], root: Option<&(Namespace, Vec<u8>)>) -> Self {
        let own = match (self, root) {
            (NoNamespace, Some((NoNamespace, name))) => match &**name {
                b"rss" => Rss,
                b"opml" => Opml,
                b"urlset" | b"sitemapindex" => Sitemap,
                name if is_known(name) => Xhtml,
                _ => NoNamespace,
            },
            (NoNamespace, Some((Rdf, name))) if name == b"RDF" => Rss1,
            (NoNamespace, Some((root @ (Rss | Sitemap), _))) => *root,
            (namespace, _) => namespace,
        };
        let is_feed = matches!(own, Rss | Rss1 | Atom | Atom03);
        if is_feed && is_known(local) && of_element(own, local).is_empty() { Xhtml } else { own }
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
    /// The same in Atom 0.3, if its `mode` says that markup is escaped.
    HtmlByMode,
    /// CSS as its text, unless its `type` says otherwise.
    Style,
}

use Has::{Attribute, HtmlByMode, HtmlByType, Permalink, Style, Text};
use Holds::{Css, Html, SvgUrl, Url};

/// What elements have; without names, each one of a namespace.
const ELEMENTS: &[(Namespace, &[&str], Has)] = &[
    (Atom, &["link"], Attribute("href", Url)),
    (Atom, &["content"], Attribute("src", Url)),
    (Atom, &["generator"], Attribute("uri", Url)),
    (Atom, &["icon", "logo", "uri"], Text(Url)),
    (Atom, &["content", "rights", "subtitle", "summary", "title"], HtmlByType),
    (Atom03, &["link"], Attribute("href", Url)),
    (Atom03, &["generator"], Attribute("url", Url)),
    (Atom03, &["url"], Text(Url)),
    (Atom03, &["content", "copyright", "info", "summary", "tagline", "title"], HtmlByMode),
    (Rss, &["link", "docs", "comments", "url"], Text(Url)),
    (Rss, &["link"], Attribute("href", Url)),
    (Rss, &["guid"], Permalink),
    (Rss, &["enclosure", "source"], Attribute("url", Url)),
    (Rss, &["description"], Text(Html)),
    (Rss1, &["link", "url"], Text(Url)),
    (Rss1, &["description"], Text(Html)),
    (Content, &["encoded"], Text(Html)),
    (Itunes, &["image"], Attribute("href", Url)),
    (Itunes, &["image"], Attribute("url", Url)),
    (Itunes, &["new-feed-url"], Text(Url)),
    (Media, &["content", "player", "thumbnail"], Attribute("url", Url)),
    (Wfw, &["comment", "commentRss", "commentRSS"], Text(Url)),
    (Podcast, &["chapters", "funding", "transcript"], Attribute("url", Url)),
    (Podcast, &["person"], Attribute("href", Url)),
    (Podcast, &["person"], Attribute("img", Url)),
    (Chapters, &["chapter"], Attribute("href", Url)),
    (Chapters, &["chapter"], Attribute("image", Url)),
    (Thread, &["in-reply-to"], Attribute("href", Url)),
    (Thread, &["in-reply-to"], Attribute("source", Url)),
    (Opml, &["outline"], Attribute("xmlUrl", Url)),
    (Opml, &["outline"], Attribute("xmlurl", Url)),
    (Opml, &["outline"], Attribute("htmlUrl", Url)),
    (Opml, &["outline"], Attribute("htmlurl", Url)),
    (Opml, &["outline"], Attribute("url", Url)),
    (Sitemap, &["loc", "content_loc", "player_loc", "thumbnail_loc"], Text(Url)),
    (Svg, &["style"], Style),
    (Svg, &["a"], Attribute("href", Url)),
    (Svg, &[], Attribute("href", SvgUrl)),
    (Svg, &[], Attribute("style", Css)),
    (Xhtml, &["style"], Style),
    (Math, &[], Attribute("href", Url)),
    (Math, &[], Attribute("style", Css)),
];

/// The attributes that have a URL on any element.
const ATTRIBUTES: &[(Namespace, &str, &str)] =
    &[(XLink, "href", "xlink:href"), (Rdf, "about", "rdf:about"), (Rdf, "resource", "rdf:resource")];

/// What an element has.
pub fn of_element(namespace: Namespace, name: &[u8]) -> Vec<Has> {
    let has_name = |names: &[&str]| names.is_empty() || names.iter().any(|own| own.as_bytes() == name);
    ELEMENTS.iter().filter(|row| row.0 == namespace && has_name(row.1)).map(|row| row.2).collect()
}

/// The name of an attribute with a prefix that has a URL.
pub fn of_attribute(namespace: Namespace, name: &[u8]) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|row| row.0 == namespace && row.1.as_bytes() == name).map(|row| row.2)
}
