//! How a value holds URLs, and where they are in it.

use std::ops::Range;

use memchr::{memchr, memrchr};

use crate::strip::{BREAKS, after_blanks};

/// How the value of an attribute, or a text that is like one, holds URLs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Holds {
    /// One URL, perhaps an empty one: the HTML Standard's "valid URL".
    #[default]
    Url,
    /// One URL: without it there is no link. The HTML Standard's "valid non-empty URL".
    NonEmpty,
    /// A non-empty URL that a browser fetches at once, while it reads the page.
    Fetched,
    /// A non-empty URL, fetched at once, of a style sheet whose hash is known: that of a LINK with integrity.
    Hashed,
    /// One URL in SVG: without it there is no link. It means a part of the document if it starts with `#`.
    SvgUrl,
    /// One URL by which others know the document: that of a LINK with rel canonical or alternate, or of a META of Open
    /// Graph. It is not empty.
    Canonical,
    /// The URL of the base.
    Base,
    /// URLs separated by white space.
    Spaced,
    /// URLs separated by commas.
    Commas,
    /// The values of an animation, separated by semicolons: those that may be URLs.
    Animated,
    /// One value of an animation, if it may be a URL.
    AnimatedOnce,
    /// The image candidates of a srcset, which a browser fetches at once: each is a URL and its descriptors.
    Candidates,
    /// Image candidates that a script fetches later.
    LazyCandidates,
    /// The content of a META refresh: a time, then perhaps a URL.
    Refresh,
    /// That content, and what else programs may take for its URL.
    AnyRefresh,
    /// URLs with white space between them, if it begins like one that names a host: a value that no table has.
    Suspected,
    /// HTML, a text of its own.
    Html,
    /// HTML that is no document: its BASE is a link.
    Fragment,
    /// HTML in a comment, for Outlook: its BASE and META mean nothing.
    Comment,
    /// CSS, a text of its own.
    Css,
    /// CSS that is no attribute, but the text of STYLE.
    Style,
    /// That text as browsers read it that look ahead: what follows each `@import`, whatever is around that.
    Imports,
    /// No URL, but something to know about the element.
    Nothing,
}

use Holds::{
    Animated, AnimatedOnce, AnyRefresh, Base, Candidates, Canonical, Commas, Comment, Css, Fetched, Fragment, Hashed,
    Html, Imports, LazyCandidates, NonEmpty, Nothing, Refresh, Spaced, Style, Suspected, SvgUrl, Url,
};

/// The bytes after the time of a META refresh in which its URL begins.
const REFRESH_STARTS: usize = 64;

impl Holds {
    /// Whether browsers fetch what it names as soon as they have read it, so that a BASE that comes later means nothing
    /// to it (tried in Chromium).
    pub fn is_fetched(self) -> bool {
        matches!(self, Fetched | Hashed | Candidates | SvgUrl | Refresh | AnyRefresh | Html | Css | Style)
    }

    /// Whether it is of an animation, whose values may be CSS, too.
    pub fn is_animated(self) -> bool {
        matches!(self, Animated | AnimatedOnce)
    }

    /// Where the first URL from `start` on is in a value, without white space around it, and where the next one is
    /// searched from, if there may be one. A value that is a text of its own has none here.
    pub fn next_url(self, value: &[u8], start: usize) -> Option<(Range<usize>, Option<usize>)> {
        let text = &value[start..];
        let (url, rest) = match self {
            Url | Base => (text.trim_ascii(), None),
            NonEmpty | Fetched | Hashed | SvgUrl | Canonical => {
                (Some(text.trim_ascii()).filter(|url| !url.is_empty())?, None)
            }
            AnimatedOnce => (Some(text.trim_ascii()).filter(|url| url.iter().any(|byte| may_be_of_url(*byte)))?, None),
            Refresh => (refresh(text)?, None),
            AnyRefresh => any_refresh(value, start)?,
            Suspected => suspected(text)?,
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
            Animated => {
                let at = text.iter().position(|byte| may_be_of_url(*byte))?;
                let start = text[..at].iter().rposition(|byte| *byte == b';').map_or(0, |end| end + 1);
                let end = text[at..].iter().position(|byte| *byte == b';').map_or(text.len(), |length| at + length);
                (text[start..end].trim_ascii(), Some(&text[end..]))
            }
            Candidates | LazyCandidates => {
                let text = &text[text.iter().position(|byte| !is_space_or_comma(*byte))?..];
                let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
                let (url, rest) = text.split_at(end);
                let commas = url.iter().rev().take_while(|&&byte| byte == b',').count();
                let rest = if commas > 0 { rest } else { &rest[descriptors(rest)..] };
                (&url[..end - commas], Some(rest))
            }
            Html | Fragment | Comment | Css | Style | Imports | Nothing => return None,
        };
        let start = url.as_ptr().addr() - value.as_ptr().addr();
        Some((start..start + url.len(), rest.map(|rest| value.len() - rest.len())))
    }

    /// What an answer has that would end the URL, or be lost, in a value with `before` before the URL: the other side
    /// of [`Holds::next_url`].
    pub fn obstacle(self, before: &[u8], answer: &[u8]) -> Option<&'static str> {
        if answer.iter().any(|byte| BREAKS.contains(byte)) {
            return Some("the answer has TAB, CR or LF, which URLs lose here");
        }
        let has_space = answer.iter().any(u8::is_ascii_whitespace);
        match self {
            Spaced | Candidates | LazyCandidates if has_space => {
                Some("the answer has white space, which ends a URL here")
            }
            _ if answer.last().is_some_and(u8::is_ascii_whitespace) => {
                Some("the answer has white space at its end, which URLs lose here")
            }
            Candidates | LazyCandidates if answer.ends_with(b",") => {
                Some("the answer has a comma at its end, which URLs lose here")
            }
            Commas if answer.contains(&b',') => Some("the answer has a comma, which ends a URL here"),
            Refresh => match before.trim_ascii_end().last() {
                Some(quote @ (b'"' | b'\'')) if answer.contains(quote) => {
                    Some("the answer has a quote, which ends a URL here")
                }
                Some(before) if *before != b'=' && after_name(answer).is_some() => {
                    Some("the answer starts with \"url=\", which is no part of a URL here")
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether Chromium takes another URL from the content of a META refresh than the one in a range: up to its last quote,
/// and without white space of Unicode around it.
pub fn is_ambiguous(content: &[u8], url: &Range<usize>) -> bool {
    let (before, after) = (&content[..url.start], &content[url.end..]);
    let quote = before.trim_ascii_end().last().filter(|byte| matches!(byte, b'"' | b'\''));
    let has_more = quote.is_some_and(|quote| memchr(*quote, after) != memrchr(*quote, after));
    has_more || str::from_utf8(&content[url.clone()]).is_ok_and(|url| url.trim() != url)
}

/// What a URL begins with that names a host, but for slashes.
const WEB: [&[u8]; 5] = [b"http:", b"https:", b"ws:", b"wss:", b"ftp:"];

/// The URL that a text begins with after white space and C0, if that may name a host, and what is after it. TAB, CR and
/// LF end only its path: a host may go on after them.
pub fn suspected(text: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let is_break = |byte: &u8| BREAKS.contains(byte);
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let text = after_blanks(text);
    let start: Vec<u8> = text.iter().filter(|byte| !is_break(byte)).take(6).map(u8::to_ascii_lowercase).collect();
    let after = match &*start {
        [first, second, ..] if is_slash(first) && is_slash(second) => 0,
        start => WEB.iter().any(|scheme| start.starts_with(scheme)).then(|| memchr(b':', text))?? + 1,
    };
    let host = after + text[after..].iter().position(|byte| !is_slash(byte) && !is_break(byte))?;
    let is_blank = |byte: &u8| *byte <= b' ';
    let ends_host = |byte: &u8| is_slash(byte) || matches!(byte, b'?' | b'#') || is_blank(byte) && !is_break(byte);
    let path = text[host..].iter().position(ends_host).map_or(text.len(), |length| host + length);
    let end = text[path..].iter().position(is_blank).map_or(text.len(), |length| path + length);
    (end > host).then(|| (text[..end].trim_ascii_end(), Some(&text[end..])))
}

/// The URL in the content of a META refresh, and then, from `start` on, what else may be one: all that follows the
/// time, `url=`, or a quote, as others end a URL at the last quote, and skip other white space.
///
/// | content | URLs |
/// |---|---|
/// | `0;url='//own.example'@evil.test/` | `//own.example` and `//own.example'@evil.test/` |
/// | `0;url=`, U+3000, `//evil.test/` | U+3000, `//evil.test/` and `//evil.test/` |
fn any_refresh(content: &[u8], start: usize) -> Option<(&[u8], Option<&[u8]>)> {
    let known = refresh(content);
    if let Some(url) = known.filter(|_| start == 0) {
        return Some((url, Some(&content[1..])));
    }
    let is_edge = |byte: &u8| !byte.is_ascii_graphic() || matches!(byte, b'"' | b'\'');
    let is_time = |byte: &u8| is_edge(byte) || byte.is_ascii_digit() || b".;,".contains(byte);
    let time = content.iter().position(|byte| !is_time(byte))?;
    let starts = start.max(time)..content.len().min(time + REFRESH_STARTS);
    starts.into_iter().find_map(|at| {
        let (before, rest) = content.split_at(at);
        let is_named = before.strip_suffix(b"=").is_some_and(|name| {
            let name = &name[..name.iter().rposition(|byte| !is_edge(byte)).map_or(0, |last| last + 1)];
            name.len() > 2 && name[name.len() - 3..].eq_ignore_ascii_case(b"url")
        });
        let begins = at == time || is_named || before.last().is_some_and(|byte| matches!(byte, b'"' | b'\''));
        let first = rest.iter().position(|byte| !is_edge(byte)).filter(|_| begins)?;
        let url = &rest[first..=rest.iter().rposition(|byte| !is_edge(byte))?];
        let is_url = is_named || suspected(url).is_some() || url.windows(2).any(|two| two == b"//");
        // URLs come in their order
        let is_new =
            known.is_none_or(|known| known.as_ptr() <= url.as_ptr() && known.as_ptr_range() != url.as_ptr_range());
        (is_url && is_new).then_some((url, Some(&rest[first + 1..])))
    })
}

/// What follows `url=` in the content of a META refresh.
fn after_name(content: &[u8]) -> Option<&[u8]> {
    match content {
        [u, r, l, rest @ ..] if [*u, *r, *l].eq_ignore_ascii_case(b"url") => rest.trim_ascii_start().strip_prefix(b"="),
        _ => None,
    }
}

/// Whether a byte shows that an animated value may be a URL.
fn may_be_of_url(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\' | b':')
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
/// steps; `None` if it has only a time or is malformed. Browsers take an empty one for that of the page, whatever its
/// BASE is.
fn refresh(content: &[u8]) -> Option<&[u8]> {
    let content = content.trim_ascii_start();
    let time_end = content.iter().position(|byte| b";,".contains(byte) || byte.is_ascii_whitespace())?;
    let (time, rest) = content.split_at(time_end);
    // around the time, Chromium skips VT and the white space of Unicode, too
    let time = str::from_utf8(time).map_or(time, |time| time.trim().as_bytes());
    let is_time = !time.is_empty() && time.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let after = match rest {
        _ if !is_time => return None,
        [b';' | b',', after @ ..] => after,
        [byte, after @ ..] if byte.is_ascii_whitespace() => {
            let after = after.trim_ascii_start();
            after.strip_prefix(b";").or_else(|| after.strip_prefix(b",")).unwrap_or(after)
        }
        _ => return None,
    }
    .trim_ascii_start();
    let url = match after_name(after).map_or(after, <[u8]>::trim_ascii_start) {
        [quote @ (b'"' | b'\''), rest @ ..] => rest.split(|byte| byte == quote).next().unwrap_or_default(),
        url => url,
    };
    Some(url.trim_ascii()).filter(|url| !url.is_empty())
}
