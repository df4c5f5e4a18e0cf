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
    /// A Content-Type field of which only the start is read.
    LongType,
    /// A content of a message that is not searched.
    Content {
        /// Its kind, in a word.
        kind: &'static str,
        /// Why, after "which".
        why: Cow<'static, str>,
    },
    /// The Location of a redirect that was not followed, and has no content.
    Unfollowed(Vec<u8>),
    /// The responses of another transfer after those of the first.
    NextTransfer,
    /// A message in too many transfer encodings, each in another.
    EncodedTooOften,
    /// Parts of a message that are nested too deep.
    TooDeep,
    /// An entity of XML whose text is not known.
    Entity,
    /// A charset that browsers refuse to decode.
    Charset,
    /// HTML in a feed that is written in Base64.
    Base64,
    /// A text in a document that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    LongText,
    /// A text in an attribute that is nested too deep.
    TextTooDeep,
    /// A STYLE element that is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    LongStyle,
}

impl Problem {
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

    /// Its kind, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Base { kind, .. } | Problem::Content { kind, .. } => kind,
            Problem::TooLong(_) | Problem::LongStyle => "too-long",
            Problem::LongType => "long-content-type",
            Problem::Unfollowed(_) => "unfollowed",
            Problem::NextTransfer => "next-transfer",
            Problem::EncodedTooOften => "encoded-too-often",
            Problem::TooDeep | Problem::TextTooDeep => "too-deep",
            Problem::Entity => "entity",
            Problem::Charset => "charset",
            Problem::Base64 => "base64",
            Problem::LongText => "long-text",
        }
    }
}
