//! The attributes that hold URLs, and the URLs in their values.

use std::ops::Range;

use super::elements::Language;
use crate::document::layer::Escape;
use crate::document::reader::Nested;

/// How the value of an attribute holds URLs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// One URL.
    Url,
    /// One URL in SVG: it means a part of the document if it starts with `#`.
    SvgUrl,
    /// URLs separated by white space.
    Spaced,
    /// URLs separated by commas.
    Commas,
    /// The image candidates of a srcset: each is a URL and its descriptors.
    Candidates,
    /// The content of a META refresh: a time, then perhaps a URL.
    Refresh,
    /// HTML.
    Html,
    /// The URL of the base.
    Base,
    /// CSS.
    Css,
    /// CSS that is no attribute, but the text of STYLE.
    Style(Escape),
    /// No URL, but something to know about the element.
    Nothing,
}

use Holds::{Base, Candidates, Commas, Css, Html, Nothing, Refresh, Spaced, Style, SvgUrl, Url};

impl Holds {
    /// What the value is, if it is a text with links of its own.
    pub fn nested(self) -> Option<Nested> {
        match self {
            Html => Some(Nested::Html),
            Css | Style(_) => Some(Nested::Css),
            _ => None,
        }
    }
}

/// A known attribute: its name, and how it holds URLs.
pub type Attribute = (&'static str, Holds);

/// The attributes that every element of HTML may have.
static GLOBAL: [Attribute; 3] = [("style", Css), ("itemid", Url), ("itemtype", Spaced)];

/// The text of STYLE.
pub static STYLE: Attribute = ("", Style(Escape::Verbatim));

/// The text of STYLE in SVG, where markup is markup: without CDATA, in it, and partly in it.
pub static SVG_STYLES: [Attribute; 3] =
    [("", Style(Escape::XmlText)), ("", Style(Escape::XmlCdata)), ("", Style(Escape::XmlMixed))];

/// The attributes of every element of SVG and MATH: CSS, and what has to be known of ANNOTATION-XML and FONT.
static FOREIGN: [Attribute; 5] =
    [("style", Css), ("encoding", Nothing), ("color", Nothing), ("face", Nothing), ("size", Nothing)];

/// The known attribute of an element that has a name.
pub fn attribute(language: Language, element: &[u8], name: &[u8]) -> Option<&'static Attribute> {
    let (of_element, of_all): (&[_], &[_]) = match language {
        Language::Html => (of_html(element), &GLOBAL),
        Language::Svg => (of_svg(element), &FOREIGN),
        Language::Math => (of_math(element), &FOREIGN),
    };
    of_element.iter().chain(of_all).find(|attribute| attribute.0.as_bytes() == name)
}

/// The attributes of an element of SVG.
fn of_svg(element: &[u8]) -> &'static [Attribute] {
    match element {
        b"style" => &[("type", Nothing)],
        b"a" => &[("href", Url), ("xlink:href", Url)],
        b"image" | b"use" | b"script" | b"feimage" | b"textpath" | b"pattern" | b"lineargradient"
        | b"radialgradient" | b"mpath" | b"animate" | b"animatemotion" | b"animatetransform" | b"set" => {
            &[("href", SvgUrl), ("xlink:href", SvgUrl)]
        }
        _ => &[],
    }
}

/// The attributes of an element of MATH: none if it is no element of MathML.
fn of_math(element: &[u8]) -> &'static [Attribute] {
    match element {
        [b'm', ..] | b"annotation" | b"annotation-xml" | b"none" | b"semantics" => &[("href", Url)],
        _ => &[],
    }
}

/// The attributes of an element of HTML that are not global: those with URLs in the HTML Standard, obsolete
/// ones too, and what else has to be known.
pub fn of_html(element: &[u8]) -> &'static [Attribute] {
    match element {
        b"a" | b"area" => &[("href", Url), ("ping", Spaced)],
        b"link" => &[("href", Url), ("imagesrcset", Candidates)],
        b"base" => &[("href", Base)],
        b"img" | b"image" => &[
            ("src", Url),
            ("srcset", Candidates),
            ("longdesc", Url),
            ("usemap", Url),
            ("lowsrc", Url),
            ("dynsrc", Url),
        ],
        b"audio" | b"embed" | b"script" | b"track" | b"bgsound" => &[("src", Url)],
        b"source" => &[("src", Url), ("srcset", Candidates)],
        b"video" => &[("src", Url), ("poster", Url)],
        b"frame" => &[("src", Url), ("longdesc", Url)],
        b"iframe" => &[("src", Url), ("longdesc", Url), ("srcdoc", Html)],
        b"input" => &[("src", Url), ("formaction", Url), ("usemap", Url), ("type", Nothing)],
        b"button" => &[("formaction", Url)],
        b"form" | b"isindex" => &[("action", Url)],
        b"blockquote" | b"del" | b"ins" | b"q" => &[("cite", Url)],
        b"object" => &[("data", Url), ("usemap", Url), ("classid", Url), ("codebase", Url), ("archive", Spaced)],
        b"applet" => &[("codebase", Url), ("archive", Commas)],
        b"body" | b"table" | b"thead" | b"tbody" | b"tfoot" | b"tr" | b"td" | b"th" => &[("background", Url)],
        b"html" => &[("manifest", Url)],
        b"head" => &[("profile", Url)],
        b"command" | b"menuitem" => &[("icon", Url)],
        b"style" => &[("type", Nothing)],
        b"meta" => &[("content", Refresh), ("http-equiv", Nothing), ("charset", Nothing)],
        _ => &[],
    }
}

/// Where the first URL from `start` on is in an attribute's value, without white space around it, and where the next one
/// is searched from, if there may be one.
pub fn next_url(holds: Holds, value: &[u8], start: usize) -> Option<(Range<usize>, Option<usize>)> {
    let text = &value[start..];
    let (url, rest) = match holds {
        Url | SvgUrl | Base => (text.trim_ascii(), None),
        Refresh => (refresh(text)?, None),
        Spaced => {
            let text = &text[text.iter().position(|byte| !byte.is_ascii_whitespace())?..];
            let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
            (&text[..end], Some(&text[end..]))
        }
        Commas => {
            let text = &text[text.iter().position(|byte| !is_space_or_comma(*byte))?..];
            let end = text.iter().position(|byte| *byte == b',').unwrap_or(text.len());
            (text[..end].trim_ascii_end(), Some(&text[end..]))
        }
        Candidates => {
            let text = &text[text.iter().position(|byte| !is_space_or_comma(*byte))?..];
            let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
            let (url, rest) = text.split_at(end);
            let commas = url.iter().rev().take_while(|&&byte| byte == b',').count();
            let rest = if commas > 0 { rest } else { &rest[descriptors(rest)..] };
            (&url[..end - commas], Some(rest))
        }
        Html | Css | Style(_) | Nothing => return None,
    };
    let start = url.as_ptr().addr() - value.as_ptr().addr();
    Some((start..start + url.len(), rest.map(|rest| value.len() - rest.len())))
}

/// Whether a byte separates image candidates, or URLs separated by commas.
fn is_space_or_comma(byte: u8) -> bool {
    byte == b',' || byte.is_ascii_whitespace()
}

/// The length of the descriptors of an image candidate: they end at a comma outside parentheses.
fn descriptors(text: &[u8]) -> usize {
    let mut is_inside = false;
    text.iter()
        .position(|&byte| {
            is_inside = byte == b'(' || is_inside && byte != b')';
            byte == b',' && !is_inside
        })
        .unwrap_or(text.len())
}

/// The URL in the content of a META refresh, by the HTML Standard's shared declarative refresh
/// steps; `None` if it has only a time or is malformed.
fn refresh(content: &[u8]) -> Option<&[u8]> {
    let rest = content.trim_ascii_start();
    let time = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let after = match &rest[time..] {
        _ if time == 0 => return None,
        [b';' | b',', after @ ..] => after,
        [byte, after @ ..] if byte.is_ascii_whitespace() => {
            let after = after.trim_ascii_start();
            after.strip_prefix(b";").or_else(|| after.strip_prefix(b",")).unwrap_or(after)
        }
        _ => return None,
    }
    .trim_ascii_start();
    let named = match after {
        [u, r, l, rest @ ..] if [*u, *r, *l].eq_ignore_ascii_case(b"url") => {
            rest.trim_ascii_start().strip_prefix(b"=").map(<[u8]>::trim_ascii_start)
        }
        _ => None,
    };
    let url = match named.unwrap_or(after) {
        [quote @ (b'"' | b'\''), rest @ ..] => rest.split(|byte| byte == quote).next().unwrap_or_default(),
        url => url,
    };
    (!after.is_empty()).then_some(url.trim_ascii())
}
