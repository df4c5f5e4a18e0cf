//! The namespaces of XML that have links.

/// A namespace that has links.
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
    /// XML Schema.
    Schema,
    /// WSDL 1.1 and 2.0.
    Wsdl,
    Other,
}

use Namespace::{
    Atom, Atom03, Chapters, Content, Itunes, Math, Media, None as NoNamespace, Podcast, Rdf, Rss, Rss1, Schema,
    Sitemap, Svg, Thread, Wfw, Wsdl, XLink, Xhtml,
};

/// The names of the namespaces, without `http://` and without a slash at the end. Feeds write them with `https`, with
/// and without that slash, and in any case.
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
    ("www.w3.org/2001/XMLSchema", Schema),
    ("schemas.xmlsoap.org/wsdl", Wsdl),
    ("www.w3.org/ns/wsdl", Wsdl),
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
}
