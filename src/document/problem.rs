//! What is skipped in a document, and why.

use std::fmt;

/// Something in a document that is skipped. What has it is `BASE` or the name of a header field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A relative URL, without a base that it can be relative to.
    Relative(&'static str),
    /// A URL that the standard cannot parse.
    Invalid(&'static str),
    /// A relative URL that makes a very long base.
    LongBase(&'static str),
    /// A BASE that the HTML Standard does not allow.
    ForbiddenBase,
    /// A header field without a usable URL.
    NoUrl(&'static str),
    /// What is longer than [`MAX_RECORD`](crate::limits::MAX_RECORD).
    TooLong(&'static str),
    /// A Content-Type field of which only the start is read.
    LongType,
    /// A message in too many transfer encodings, each in another.
    EncodedTooOften,
    /// Parts of a message that are nested too deep.
    TooDeep,
}

impl Problem {
    /// Its kind, in a word.
    pub fn kind(self) -> &'static str {
        match self {
            Problem::Relative(_) => "relative-base",
            Problem::Invalid(_) => "invalid-base",
            Problem::LongBase(_) => "long-base",
            Problem::ForbiddenBase => "forbidden-base",
            Problem::NoUrl(_) => "no-url",
            Problem::TooLong(_) => "too-long",
            Problem::LongType => "long-content-type",
            Problem::EncodedTooOften => "encoded-too-often",
            Problem::TooDeep => "too-deep",
        }
    }

    /// Whether links may be missing, or wrong because of a limit.
    pub fn may_lose_links(self) -> bool {
        matches!(self, Problem::TooLong(_) | Problem::LongType | Problem::EncodedTooOften | Problem::TooDeep)
    }
}

/// What has a base, in a sentence.
struct Subject(&'static str);

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "BASE" => f.write_str("the BASE"),
            field => write!(f, "the {field} field"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Problem::Relative(by) => write!(
                f,
                "ignoring {}: its relative URL cannot be resolved; pass the document's URL with --base",
                Subject(by)
            ),
            Problem::Invalid(by) => write!(f, "ignoring {}: its URL is invalid", Subject(by)),
            Problem::LongBase(by) => write!(
                f,
                "ignoring {}: its URL, resolved, may be longer than 8 KiB; write an absolute URL",
                Subject(by)
            ),
            Problem::ForbiddenBase => {
                f.write_str("ignoring the BASE: its URL is a data: or javascript: URL; use the document's own URL")
            }
            Problem::NoUrl(by) => {
                let example = if by == "Base" { "<URL:http://host/path>" } else { "http://host/path" };
                write!(f, "ignoring {}: it has no absolute URL; write {by}: {example}", Subject(by))
            }
            Problem::TooLong(by) => write!(f, "ignoring {}: it is longer than 16 MiB; shorten it", Subject(by)),
            Problem::LongType => {
                f.write_str("ignoring the end of the Content-Type field: it is longer than 16 KiB; shorten it")
            }
            Problem::EncodedTooOften => {
                f.write_str("not searching a message with more than 3 layers of transfer encoding; decode it first")
            }
            Problem::TooDeep => f.write_str("not searching parts nested more than 100 levels deep; extract them first"),
        }
    }
}
