//! What is skipped in a document, and why.

use std::borrow::Cow;

use crate::limits::MAX_QUOTED;

/// Something in a document that is skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A base URL that cannot be used.
    Base {
        /// What has it: `BASE`, or the name of a header field.
        by: &'static str,
        text: Vec<u8>,
        /// Its kind, in a word.
        kind: &'static str,
        /// Why it cannot be used.
        what: Cow<'static, str>,
        /// How to fix it.
        fix: Cow<'static, str>,
    },
    /// A base URL that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD), and what has it.
    TooLong(&'static str),
    /// A content of a message that is not searched.
    Content {
        /// Its kind, in a word.
        kind: &'static str,
        /// Why, after "which".
        why: Cow<'static, str>,
    },
    /// What else is wrong with a part of a message.
    Part {
        /// Its kind, in a word.
        kind: &'static str,
        /// A sentence about it.
        what: String,
    },
    /// The Location of a redirect that was not followed, and has no content.
    Unfollowed(Vec<u8>),
    /// What else is skipped: its kind in a word, and a sentence that says how to fix it.
    Other(&'static str, &'static str),
}

impl Problem {
    /// A Content-Type field of which only the start is read.
    pub const LONG_TYPE: Self = Problem::Other(
        "long-content-type",
        "ignoring the end of the Content-Type field: it is longer than 16 KiB; shorten it",
    );
    /// The responses of another transfer after those of the first.
    pub const NEXT_TRANSFER: Self = Problem::Other(
        "next-transfer",
        "not searching from here on: another HTTP response seems to start; save each page to its own file",
    );
    /// A response of HTTP without its end.
    pub const INCOMPLETE: Self =
        Problem::Other("incomplete", "the page is incomplete, as its header shows; fetch it again");
    /// A part of a message without its end.
    pub const CUT_BASE64: Self = Problem::Other(
        "incomplete",
        "not searching the end of a part: its base64 is incomplete; save the complete message",
    );
    /// A message in too many transfer encodings, each in another.
    pub const ENCODED_TOO_OFTEN: Self = Problem::Other(
        "encoded-too-often",
        "not searching a message with more than 3 layers of transfer encoding; decode it first",
    );
    /// Parts of a message that are nested too deep.
    pub const TOO_DEEP: Self =
        Problem::Other("too-deep", "not searching parts nested more than 100 levels deep; extract them first");
    /// An entity of XML whose text is not known.
    pub const ENTITY: Self = Problem::Other(
        "entity",
        "ignoring an entity: it is external or circular, has markup or is too long; write its text instead",
    );
    /// Default values in a DOCTYPE that may be bases or links.
    pub const DEFAULT: Self = Problem::Other(
        "default",
        "ignoring the default values of attributes in the DOCTYPE; write them in the elements",
    );
    /// HTML or CSS that ends in text that is no markup.
    pub const UNCLOSED: Self = Problem::Other(
        "unclosed",
        "not searching the rest: a quote, a comment or an element such as TITLE is not closed; close it, or name XHTML's type",
    );
    /// HTML with links of Markdown in its text.
    pub const MARKDOWN: Self = Problem::Other(
        "markdown",
        "the text looks like Markdown, whose own links are not searched; use --media-type text/markdown",
    );
    /// A charset that browsers refuse to decode.
    pub const CHARSET: Self = Problem::Other(
        "charset",
        "not searching a text in a charset that browsers refuse to decode; convert it to UTF-8 and name that",
    );
    /// HTML in a feed that is written in Base64.
    pub const BASE64: Self = Problem::Other("base64", "not searching HTML in Base64; write it with mode=\"escaped\"");
    /// A text in a document that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    pub const LONG_TEXT: Self =
        Problem::Other("long-text", "not searching a text in the document that is longer than 16 MiB");
    /// A STYLE element that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    pub const LONG_STYLE: Self =
        Problem::Other("too-long", "not searching the STYLE: it is longer than 16 MiB; split it");
    /// A text in an attribute that is nested too deep.
    pub const TEXT_TOO_DEEP: Self =
        Problem::Other("too-deep", "not searching documents nested more than 10 levels deep; extract them first");

    /// A base URL that cannot be used.
    pub fn base(
        by: &'static str,
        text: &[u8],
        kind: &'static str,
        what: impl Into<Cow<'static, str>>,
        fix: impl Into<Cow<'static, str>>,
    ) -> Self {
        let text = text[..text.len().min(MAX_QUOTED + 1)].to_vec();
        Problem::Base { by, text, kind, what: what.into(), fix: fix.into() }
    }

    /// A header field without a usable URL.
    pub fn no_url(by: &'static str, value: &[u8]) -> Self {
        let fix = match by {
            "Base" => "write Base: <URL:http://host/path>",
            "Content-Base" => "write Content-Base: http://host/path",
            _ => "write Content-Location: http://host/path",
        };
        Problem::base(by, value.trim_ascii(), "no-url", "it is not an absolute URL", fix)
    }

    /// What is said of it: words, a text to be quoted, and words after that.
    pub fn sentence(&self) -> (Cow<'_, str>, Option<&[u8]>, Cow<'_, str>) {
        let (before, quoted, after) = match self {
            Problem::Base { by, text, what, fix, .. } => {
                return (format!("ignoring {} ", subject(by)).into(), Some(text), format!(": {what}; {fix}").into());
            }
            Problem::TooLong(by) => {
                let what = format!("ignoring {}: it is longer than 16 MiB; shorten it", subject(by));
                return (what.into(), None, "".into());
            }
            Problem::Content { why, .. } => {
                return (format!("not searching the content, which {why}").into(), None, "".into());
            }
            Problem::Unfollowed(location) => {
                ("the redirect to ", Some(&**location), " was not followed; fetch it with curl -iL URL")
            }
            Problem::Part { what, .. } => (&**what, None, ""),
            Problem::Other(_, what) => (*what, None, ""),
        };
        (before.into(), quoted, after.into())
    }

    /// Its kind, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Base { kind, .. }
            | Problem::Content { kind, .. }
            | Problem::Part { kind, .. }
            | Problem::Other(kind, _) => kind,
            Problem::TooLong(_) => "too-long",
            Problem::Unfollowed(_) => "unfollowed",
        }
    }
}

/// What has a base, in a sentence.
fn subject(by: &str) -> String {
    match by {
        "BASE" | "xml:base" => format!("the {by}"),
        field => format!("the {field} field"),
    }
}
