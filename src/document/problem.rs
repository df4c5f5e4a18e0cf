//! What is skipped in a document, and why.

use std::borrow::Cow;
use std::fmt;

use super::base_source::BaseSource;
use crate::escaped::Escaped;
use crate::limits::MAX_QUOTED;

/// Something in a document that is skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What it counts as, in a word, where messages like it are left out.
    pub kind: &'static str,
    pub weight: Weight,
    /// What is said of it, and how to fix it.
    pub before: Cow<'static, str>,
    /// A text to be quoted there.
    pub quoted: Option<Vec<u8>>,
    /// What is said after that.
    pub after: Cow<'static, str>,
}

/// What a problem means for the exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// It stays.
    Note,
    /// 1: what is skipped may have had links, or is the URL of retrieval.
    Skipped,
    /// 2: it had to be read.
    Error,
}

impl Problem {
    const fn new(kind: &'static str, weight: Weight, what: &'static str) -> Self {
        Problem { kind, weight, before: Cow::Borrowed(what), quoted: None, after: Cow::Borrowed("") }
    }

    /// What may have had links: its kind in a word, and a sentence that says how to fix it.
    const fn other(kind: &'static str, what: &'static str) -> Self {
        Problem::new(kind, Weight::Skipped, what)
    }

    /// A Content-Type field of which only the start is read.
    pub const LONG_TYPE: Self = Problem::other(
        "long-content-type",
        "ignoring the end of the Content-Type field: it is longer than 16 KiB; shorten it",
    );
    /// The responses of another transfer after those of the first.
    pub const NEXT_TRANSFER: Self = Problem::other(
        "next-transfer",
        "not searching from here on: another HTTP response seems to start; save each page to its own file",
    );
    /// A response of HTTP without its end.
    pub const INCOMPLETE: Self =
        Problem::other("incomplete", "the page is incomplete, as its header shows; fetch it again");
    /// A part of a message without its end.
    pub const CUT_BASE64: Self = Problem::other(
        "incomplete",
        "not searching the end of a part: its base64 is incomplete; save the complete message",
    );
    /// A message in too many transfer encodings, each in another.
    pub const ENCODED_TOO_OFTEN: Self = Problem::other(
        "encoded-too-often",
        "not searching a message with more than 3 layers of transfer encoding; decode it first",
    );
    /// Parts of a message that are nested too deep.
    pub const TOO_DEEP: Self =
        Problem::other("too-deep", "not searching parts nested more than 100 levels deep; extract them first");
    /// An entity of XML whose text is not known.
    pub const ENTITY: Self = Problem::other(
        "entity",
        "ignoring an entity: it is external or circular, has markup or is too long; write its text instead",
    );
    /// Default values in a DOCTYPE that may be bases or links.
    pub const DEFAULT: Self = Problem::other(
        "default",
        "ignoring the default values of attributes in the DOCTYPE; write them in the elements",
    );
    /// An instruction for a style sheet that cannot be read.
    pub const STYLE_SHEET: Self =
        Problem::other("stylesheet", "ignoring an xml-stylesheet instruction that is malformed; quote its values");
    /// A BASE of XHTML that is read as XML, where only one in HEAD applies.
    pub const BASE_OUTSIDE_HEAD: Self = Problem::other("base", "ignoring a BASE that is not in HEAD; move it there");
    /// CSS that ends in a comment.
    pub const UNCLOSED_COMMENT: Self =
        Problem::other("unclosed", "not searching the rest: a comment is not closed; close it");
    /// HTML that ends in text that is no markup.
    pub const UNCLOSED: Self = Problem::other(
        "unclosed",
        "not searching the rest: a quote, comment or element is not closed; close it (XHTML: --media-type application/xhtml+xml)",
    );
    /// An email or MHTML in the name of HTML.
    pub const MISNAMED: Self = Problem::other(
        "misnamed",
        "reading an email or MHTML as HTML, as its name says; name it .eml or .mhtml, or use --media-type message/rfc822",
    );
    /// HTML with links of Markdown in its text.
    pub const MARKDOWN: Self = Problem::other(
        "markdown",
        "the text looks like Markdown, whose own links are not searched; if it is, use --media-type text/markdown",
    );
    /// A charset that browsers refuse to decode.
    pub const CHARSET: Self = Problem::other(
        "charset",
        "not searching a text in a charset that browsers refuse to decode; convert it to UTF-8 and name that",
    );
    /// A charset that not all readers of a page or a style sheet find.
    pub const CHARSET_IN_DOUBT: Self = Problem::other(
        "charset",
        "not searching a text whose charset other readers may not find; convert it to UTF-8 and name that first",
    );
    /// HTML in a feed that is written in Base64.
    pub const BASE64: Self = Problem::other("base64", "not searching HTML in Base64; write it with mode=\"escaped\"");
    /// A text in a document that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    pub const LONG_TEXT: Self =
        Problem::other("long-text", "not searching a text in the document that is longer than 16 MiB");
    /// A STYLE element that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    pub const LONG_STYLE: Self =
        Problem::new("too-long", Weight::Error, "not searching the STYLE: it is longer than 16 MiB; split it");
    /// A text in an attribute that is nested too deep.
    pub const TEXT_TOO_DEEP: Self =
        Problem::other("too-deep", "not searching documents nested more than 10 levels deep; extract them first");

    /// A content of a message that is not searched. `why`, after "which".
    pub fn content(kind: &'static str, why: impl fmt::Display) -> Self {
        Problem { before: format!("not searching the content, which {why}").into(), ..Problem::other(kind, "") }
    }

    /// Makes a note of the problem.
    pub fn noted(self) -> Self {
        Problem { weight: Weight::Note, ..self }
    }

    /// What else is wrong with a part of a message: a sentence about it.
    pub fn part(kind: &'static str, what: String) -> Self {
        Problem { before: what.into(), ..Problem::other(kind, "") }
    }

    /// A part of an email that is not read, and whose name is that of a document.
    pub fn named(name: &[u8]) -> Self {
        let (quoted, after) = (Some(name[..name.len().min(MAX_QUOTED + 1)].to_vec()), "; extract it first".into());
        let what = "not read, so it may have links that leave: the part named ";
        Problem { quoted, after, ..Problem::other("name", what) }
    }

    /// The Location of a redirect that was not followed, and has no content.
    pub fn unfollowed(location: &[u8]) -> Self {
        let (quoted, after) = (Some(location.to_vec()), "; curl -iL URL fetches what is there".into());
        Problem { quoted, after, ..Problem::other("unfollowed", "this is a redirect to ") }
    }

    /// The namespace of the root of XML, whose name says what it is. `fix`: what to do with it.
    pub fn namespace(root: &[u8], namespace: &[u8], fix: &str) -> Self {
        let after = format!(" of <{}>; {fix}", Escaped(root)).into();
        let quoted = Some(namespace[..namespace.len().min(MAX_QUOTED + 1)].to_vec());
        Problem { quoted, after, ..Problem::other("namespace", "ignoring the namespace ") }
    }

    /// A base URL that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD), and what has it.
    pub fn too_long(by: BaseSource) -> Self {
        Problem::part("too-long", format!("ignoring {}: it is longer than 16 MiB; shorten it", subject(by)))
    }

    /// A base URL that cannot be used. `by`: what has it. `why`: a sentence, with its fix.
    pub fn base(by: BaseSource, text: &[u8], kind: &'static str, why: &str) -> Self {
        Problem {
            kind,
            weight: Weight::Note,
            before: format!("ignoring {} ", subject(by)).into(),
            quoted: Some(text[..text.len().min(MAX_QUOTED + 1)].to_vec()),
            after: format!(": {why}").into(),
        }
    }

    /// A header field without a usable URL.
    pub fn no_url(by: BaseSource, value: &[u8]) -> Self {
        let example = if by == BaseSource::Base { "<URL:http://host/path>" } else { "http://host/path" };
        let why = format!("it is not an absolute URL; write {}: {example}", by.name());
        Problem::base(by, value.trim_ascii(), "no-url", &why)
    }
}

/// What has a base, in a sentence.
fn subject(by: BaseSource) -> String {
    match by {
        BaseSource::Element | BaseSource::XmlBase => format!("the {}", by.name()),
        field => format!("the {} field", field.name()),
    }
}
