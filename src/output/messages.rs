//! The lines on standard error: `absurl: WHERE: what; fix`.

use std::fmt;
use std::io::{self, Write};

use super::buffer::Buffer;
use super::location::Escaped;
use crate::limits::MAX_MESSAGES;
use crate::source::Source;

/// Messages not yet written, and how many of each kind the current source has had.
#[derive(Default)]
pub struct Messages {
    pending: Buffer,
    /// The name of the source that the counts are about.
    source: Vec<u8>,
    /// The kinds of messages about it, each with its number and what else shows them.
    counts: Vec<(&'static str, u64, &'static str)>,
}

impl Messages {
    /// Adds a line.
    pub fn say(&mut self, message: impl fmt::Display) {
        self.add(format_args!("absurl: {message}"));
    }

    /// Adds a line about a source, unless it has had enough of that kind. `fix`: what shows the others.
    pub fn say_of(&mut self, source: Source<'_>, kind: &'static str, message: impl fmt::Display, fix: &'static str) {
        if self.source != source.name() {
            self.end_source();
            self.source = source.name().to_vec();
        }
        let place = self.counts.iter().position(|(known, ..)| *known == kind).unwrap_or_else(|| {
            self.counts.push((kind, 0, fix));
            self.counts.len() - 1
        });
        let (_, count, _) = &mut self.counts[place];
        *count += 1;
        if *count <= MAX_MESSAGES {
            self.say(message);
        }
    }

    /// Adds a line for each kind of which some messages were left out.
    pub fn end_source(&mut self) {
        for (kind, count, fix) in std::mem::take(&mut self.counts) {
            if count > MAX_MESSAGES {
                let (name, more) = (Escaped(&self.source).to_string(), count - MAX_MESSAGES);
                self.say(format_args!("{name}: {more} more like these ({kind}){fix}"));
            }
        }
    }

    /// Adds a line as it is.
    pub fn add(&mut self, line: impl fmt::Display) {
        writeln!(self.pending, "{line}");
    }

    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Writes the lines. A failure cannot be reported anywhere; the exit status stays.
    pub fn flush(&mut self) {
        let _ = io::stderr().lock().write_all(self.pending.bytes());
        self.pending.clear();
    }
}
