//! Locations as messages name them, and text that is safe to show on a terminal.

use std::fmt;

use crate::document::Place;
use crate::escaped::{Escaped, shortened};
use crate::record::Record;
use crate::source::Source;

/// Where a record or a link is.
#[derive(Clone, Copy)]
pub enum Location<'a> {
    /// A record: `FILE:LINE`, or `argument 3`.
    Record(Source<'a>, u64),
    /// The base URL of the command line, or the one that a record gives for a document.
    Base(Option<Source<'a>>),
    /// A place in a document: `FILE:LINE:COL`, with the part if the line is one of its decoded text.
    Document(Source<'a>, Place<'a>),
}

impl<'a> Location<'a> {
    pub fn of(record: &Record<'a>) -> Self {
        match record.link {
            None => Location::Record(record.source, record.number),
            Some(link) => Location::Document(record.source, link.place),
        }
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Location::Base(None) => f.write_str("base"),
            Location::Base(Some(source)) => write!(f, "{source}:base"),
            Location::Record(Source::Arguments(_), number) => write!(f, "argument {number}"),
            Location::Record(source, number) => write!(f, "{source}:{number}"),
            Location::Document(source, Place { part, line, column }) => {
                let decoded = match part.filter(|part| part.is_decoded) {
                    Some(part) if part.number.is_empty() => ":decoded body".into(),
                    Some(part) => format!(":decoded part {}", part.number),
                    None => String::new(),
                };
                write!(f, "{source}{decoded}:{line}:{column}")
            }
        }
    }
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Escaped(self.line_prefix()), Escaped(self.name()))
    }
}

/// Text, cut after [`MAX_QUOTED`](crate::limits::MAX_QUOTED) bytes.
pub struct Shortened<'a>(pub &'a [u8]);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, dots) = shortened(self.0);
        write!(f, "{}{dots}", Escaped(text))
    }
}

/// Text in quotes, cut after [`MAX_QUOTED`](crate::limits::MAX_QUOTED) bytes.
pub struct Quoted<'a>(pub &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, dots) = shortened(self.0);
        write!(f, "\"{}\"{dots}", Escaped(text))
    }
}

#[cfg(test)]
mod tests;
