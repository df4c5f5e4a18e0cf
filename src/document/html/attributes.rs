//! The attributes of HTML, SVG and MathML that hold URLs.

use memchr::memchr;

use super::elements::Language;
use crate::document::holds::Holds::{
    self, Animated, AnimatedOnce, AnyRefresh, Base, Candidates, Canonical, Commas, Comment, Css, Fetched, Fragment,
    Hashed, Html, Imports, LazyCandidates, NonEmpty, Nothing, Refresh, Spaced, Style, Suspected, SvgUrl, Url,
};
use crate::limits::MAX_NAME;

/// A known attribute: its name, and how it holds URLs.
pub type KnownAttribute = (&'static str, Holds);

/// A row of a table: names of elements, and their attributes.
pub type Row = (&'static [&'static [u8]], &'static [KnownAttribute]);

/// The attributes that every element of HTML may have.
pub static GLOBAL: &[KnownAttribute] = &[("style", Css), ("itemid", Url), ("itemtype", Spaced)];

/// The text of STYLE.
pub static STYLE: KnownAttribute = ("", Style);

/// The text of STYLE that browsers look through for `@import`.
pub static IMPORTS: KnownAttribute = ("", Imports);

/// The HTML of a conditional comment.
pub static COMMENT: KnownAttribute = ("", Comment);

/// HTML that is a CDATA section for others.
pub static CDATA: KnownAttribute = ("", Fragment);

/// CSS in the values of an animation.
pub static ANIMATED_CSS: KnownAttribute = ("values", Css);

/// What is read in addition where a page is read in every way: on any element.
#[rustfmt::skip]
static WARY: &[KnownAttribute] = &[
    ("xml:base", Url), ("xlink:href", SvgUrl), ("attributionsrc", Spaced),
    ("fill", Css), ("stroke", Css), ("filter", Css), ("mask", Css), ("clip-path", Css), ("cursor", Css), ("marker", Css),
    ("marker-start", Css), ("marker-mid", Css), ("marker-end", Css),
];

/// Attributes of an element that animates an attribute of another one.
#[rustfmt::skip]
static ANIMATION: &[KnownAttribute] =
    &[("values", Animated), ("to", AnimatedOnce), ("from", AnimatedOnce), ("by", AnimatedOnce)];

/// The attributes of an element whose name has a hyphen, which scripts define: those that hold URLs on others, and then
/// any one.
#[rustfmt::skip]
static CUSTOM: &[KnownAttribute] = &[
    ("src", Suspected), ("href", Suspected), ("poster", Suspected), ("data", Suspected), ("action", Suspected), ("*", Suspected),
];

/// The attributes of every element of SVG and MATH: CSS, and what has to be known of ANNOTATION-XML and FONT.
pub static FOREIGN: &[KnownAttribute] =
    &[("style", Css), ("encoding", Nothing), ("color", Nothing), ("face", Nothing), ("size", Nothing)];

/// What an element says of the relations of its links.
pub static REL: KnownAttribute = ("rel", Nothing);

/// Adds bytes to a name, of which at most [`MAX_NAME`] are stored.
pub fn push_name(name: &mut Vec<u8>, bytes: &[u8]) {
    match bytes {
        [byte] if name.len() < MAX_NAME => name.push(*byte),
        _ => name.extend_from_slice(&bytes[..bytes.len().min(MAX_NAME - name.len())]),
    }
}

/// The known attribute of an element that has a name.
pub fn known_attribute(language: Language, element: &[u8], name: &[u8]) -> Option<&'static KnownAttribute> {
    let (of_element, of_all) = match language {
        Language::Html if element.starts_with(b"v:") => (of_vml(element), GLOBAL),
        Language::Html => (of_html(element), GLOBAL),
        Language::Svg => (of_svg(element), FOREIGN),
        Language::Math => (of_math(element), FOREIGN),
    };
    of_element.iter().chain(of_all).find(|attribute| attribute.0.as_bytes() == name)
}

/// The attribute of an element of this name in any language: a browser that looks ahead reads HTML in SVG, too.
#[cold]
pub fn suspected_attribute(element: &[u8], name: &[u8]) -> Option<&'static KnownAttribute> {
    let is_animation = element == b"set" || element.starts_with(b"animate");
    let of_animation = if is_animation { ANIMATION } else { &[] };
    let is_its = |attribute: &&KnownAttribute| attribute.0.as_bytes() == name;
    let mut known = [Language::Html, Language::Svg, Language::Math].into_iter();
    known
        .find_map(|language| known_attribute(language, element, name))
        .or_else(|| WARY.iter().chain(of_animation).find(is_its))
        .or_else(|| {
            let is_name = matches!(name, b"class" | b"id") || name.starts_with(b"xmlns");
            let may_be_url = element.contains(&b'-') && !is_name;
            CUSTOM.iter().find(|row| may_be_url && (is_its(row) || row.0 == "*"))
        })
}

/// Whether an element may say what relations its links have.
pub fn has_rel(element: &[u8]) -> bool {
    matches!(element, b"a" | b"area" | b"form" | b"link")
}

/// Whether a META replaces a header field of HTTP.
pub fn is_http_equiv<'a>(field: &[u8], value_of: impl Fn(&str) -> Option<&'a [u8]>) -> bool {
    value_of("http-equiv").is_some_and(|value| value.eq_ignore_ascii_case(field))
}

/// The row of an attribute of HTML as the other attributes of its tag decide it; `None` if it has no links. `is_wary`:
/// whatever may be a link is one.
pub fn decided<'a>(
    element: &[u8],
    row: &'static KnownAttribute,
    is_wary: bool,
    value_of: impl Fn(&str) -> Option<&'a [u8]>,
) -> Option<&'static KnownAttribute> {
    match row.1 {
        Nothing => None,
        Refresh if is_http_equiv(b"refresh", &value_of) => Some(if is_wary { &("content", AnyRefresh) } else { row }),
        Refresh => {
            let is_of = |names: &[&str]| {
                ["property", "name"].into_iter().filter_map(&value_of).any(|name| has_keyword(name, names))
            };
            if is_of(PREVIEW) {
                Some(&("content", Canonical))
            } else {
                (is_wary && is_of(TILES)).then_some(&("content", Suspected))
            }
        }
        NonEmpty if element == b"link" => Some(href_of_link(row, value_of)),
        _ => Some(row),
    }
}

/// The properties of Open Graph, of Twitter's cards, of the tiles of Windows and of search engines that are URLs.
#[rustfmt::skip]
const PREVIEW: &[&str] = &[
    "og:url", "og:image", "og:image:url", "og:image:secure_url", "og:video", "og:video:url", "og:video:secure_url",
    "og:audio", "og:audio:url", "og:audio:secure_url", "twitter:image", "twitter:image:src",
    "twitter:player", "twitter:player:stream", "thumbnail", "msapplication-tileimage", "msapplication-square70x70logo",
    "msapplication-square150x150logo", "msapplication-wide310x150logo", "msapplication-square310x310logo",
];

/// Others of Windows that are URLs, or none.
const TILES: &[&str] = &["msapplication-config", "msapplication-starturl"];

/// The row of the HREF of a LINK, which is `row` if the LINK is neither fetched at once nor names its document. An
/// alternate style sheet or icon is one of its files.
fn href_of_link<'a>(
    row: &'static KnownAttribute,
    value_of: impl Fn(&str) -> Option<&'a [u8]>,
) -> &'static KnownAttribute {
    let rel = value_of("rel").unwrap_or_default();
    let has = |keywords| has_keyword(rel, keywords);
    if has(&["stylesheet"]) && value_of("integrity").is_some_and(|hash| !hash.trim_ascii().is_empty()) {
        &("href", Hashed)
    } else if has(&["stylesheet", "preload", "modulepreload", "prefetch"]) {
        &("href", Fetched)
    } else if has(&["canonical"]) || has(&["alternate"]) && !has(&["icon"]) {
        &("href", Canonical)
    } else {
        row
    }
}

/// Whether a value, separated by white space, has one of these keywords, in any case.
fn has_keyword(value: &[u8], keywords: &[&str]) -> bool {
    let is_one = |own: &[u8]| keywords.iter().any(|keyword| keyword.as_bytes().eq_ignore_ascii_case(own));
    value.split(u8::is_ascii_whitespace).any(is_one)
}

/// The names of SVG that people write with capitals. html5gum has them in lower case.
pub const CAMEL_CASE: &[&str] =
    &["animateMotion", "animateTransform", "feImage", "linearGradient", "radialGradient", "textPath"];

/// The attributes of an element of MATH: none if it is no element of MathML.
fn of_math(element: &[u8]) -> &'static [KnownAttribute] {
    match element {
        [b'm', ..] | b"annotation" | b"annotation-xml" | b"none" | b"semantics" => &[("href", Url)],
        _ => &[],
    }
}

/// Makes one table both a `match`, which is faster than a search, and a list.
macro_rules! table {
    ($find:ident, $list:ident: $($($element:literal)|+ => $attributes:expr,)+) => {
        /// The attributes of an element, without those of every element.
        fn $find(element: &[u8]) -> &'static [KnownAttribute] {
            match element {
                $($($element)|+ => &$attributes,)+
                _ => &[],
            }
        }

        /// All rows of the table.
        pub static $list: &[Row] = &[$((&[$($element),+], &$attributes)),+];
    };
}

#[rustfmt::skip]
table! { of_svg, SVG:
    b"style" => [("type", Nothing)],
    b"a" => [("href", Url), ("xlink:href", Url), ("ping", Spaced), ("rel", Nothing)],
    b"image" | b"use" | b"script" | b"feimage" | b"textpath" | b"pattern" | b"lineargradient" | b"radialgradient" | b"mpath"
    | b"animate" | b"animatemotion" | b"animatetransform" | b"set" => [("href", SvgUrl), ("xlink:href", SvgUrl)],
}

// The attributes of HTML that are not global: those with URLs in the HTML Standard, obsolete ones too, and what else
// has to be known. Of those with one URL, `Url` may be empty, and `Fetched` is fetched before a BASE that comes later
// (tried in Chromium). An empty ACTION is no URL that BASE would change, but the document's own.
table! { of_html, HTML:
    b"a" | b"area" => [("href", Url), ("ping", Spaced), ("rel", Nothing)],
    b"link" => [("href", NonEmpty), ("imagesrcset", Candidates), ("rel", Nothing), ("integrity", Nothing)],
    b"base" => [("href", Base)],
    b"img" | b"image" => [
        ("src", Fetched), ("srcset", Candidates), ("longdesc", NonEmpty), ("usemap", NonEmpty), ("lowsrc", NonEmpty),
        ("dynsrc", NonEmpty), ("data-src", NonEmpty), ("data-srcset", LazyCandidates),
    ],
    b"script" => [("src", Fetched)],
    b"audio" | b"bgsound" | b"track" => [("src", NonEmpty)],
    b"embed" => [("src", NonEmpty), ("code", NonEmpty)],
    b"source" => [
        ("src", NonEmpty), ("srcset", Candidates), ("data-src", NonEmpty), ("data-srcset", LazyCandidates),
    ],
    b"amp-img" | b"amp-anim" => [("src", NonEmpty), ("srcset", LazyCandidates)],
    b"video" => [("src", NonEmpty), ("poster", Fetched)],
    b"amp-video" => [("src", NonEmpty), ("srcset", LazyCandidates), ("poster", NonEmpty)],
    b"model" => [("src", NonEmpty), ("poster", NonEmpty)],
    b"fencedframe" => [("src", NonEmpty)],
    b"frame" => [("src", Fetched), ("longdesc", NonEmpty)],
    b"iframe" => [("src", Fetched), ("longdesc", NonEmpty), ("srcdoc", Html), ("data-src", NonEmpty)],
    b"input" => [("src", Fetched), ("formaction", NonEmpty), ("usemap", NonEmpty), ("type", Nothing)],
    b"button" => [("formaction", NonEmpty)],
    b"form" | b"isindex" => [("action", NonEmpty), ("rel", Nothing)],
    b"blockquote" | b"del" | b"ins" | b"q" => [("cite", Url)],
    b"object" => [
        ("data", NonEmpty), ("usemap", NonEmpty), ("classid", NonEmpty), ("codebase", NonEmpty), ("archive", Spaced),
    ],
    b"applet" => [("codebase", NonEmpty), ("archive", Commas)],
    b"body" | b"table" | b"col" | b"colgroup" | b"thead" | b"tbody" | b"tfoot" | b"tr" | b"td" | b"th" => [
        ("background", NonEmpty),
    ],
    b"html" => [("manifest", NonEmpty)],
    b"head" => [("profile", NonEmpty)],
    b"command" | b"menuitem" => [("icon", NonEmpty)],
    b"style" => [("type", Nothing)],
    b"meta" => [
        ("content", Refresh), ("http-equiv", Nothing), ("charset", Nothing), ("property", Nothing), ("name", Nothing),
    ],
}

// VML, which Outlook draws.
table! { of_vml, VML:
    b"v:group" | b"v:image" | b"v:oval" | b"v:rect" | b"v:roundrect" | b"v:shape" => [("href", NonEmpty), ("src", NonEmpty)],
    b"v:fill" | b"v:imagedata" => [("src", NonEmpty)],
}

/// The label after `charset=` in the content of a META; `None` if its quote is not closed.
pub fn charset_in(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        let start = rest.windows(7).position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = &rest[start + 7..];
        if let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") {
            return match value.trim_ascii_start() {
                [quote @ (b'"' | b'\''), rest @ ..] => Some(&rest[..memchr(*quote, rest)?]),
                rest => rest.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next(),
            };
        }
    }
}
