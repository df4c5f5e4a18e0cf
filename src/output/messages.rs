//! The lines on standard error: `absurl: WHERE: what; fix`.

use std::fmt;
use std::io::{self, Write};

use super::buffer::Buffer;
use crate::limits::MAX_MESSAGES;
use crate::source::Source;

/// Messages not yet written, and how many of each kind there have been.
#[derive(Default)]
pub struct Messages {
    pending: Buffer,
    /// The name of the last source that a message was about.
    source: Vec<u8>,
    /// The kinds of messages about it.
    counts: Vec<Count>,
    /// Those whose cause is one for all sources.
    shared: Vec<Count>,
}

/// How many messages of a kind there have been.
struct Count {
    kind: &'static str,
    messages: u64,
    /// The number of sources with messages that were left out.
    sources: u64,
    /// The name of the last of them, and how it is shown.
    name: Vec<u8>,
    source: String,
}

/// The kinds of messages whose cause is one for all sources: without a `--base`, no base, no own host, and nothing that
/// a relative base could be relative to; two records that name one directory; a type that the user names.
const SHARED: &[&str] = &["no-base", "no-links", "no-own-host", "relative-base", "rewritten-twice"];

impl Messages {
    pub fn say(&mut self, message: impl fmt::Display) {
        self.add(format_args!("absurl: {message}"));
    }

    /// Adds a line, unless there have been enough of its kind, about its source or about all.
    pub fn say_of(&mut self, source: Source<'_>, kind: &'static str, message: impl fmt::Display) {
        if self.source != source.name() {
            self.end_source();
            self.source = source.name().to_vec();
        }
        let counts = if SHARED.contains(&kind) { &mut self.shared } else { &mut self.counts };
        let index = counts.iter().position(|count| count.kind == kind).unwrap_or_else(|| {
            counts.push(Count { kind, messages: 0, sources: 0, name: Vec::new(), source: String::new() });
            counts.len() - 1
        });
        let count = &mut counts[index];
        count.messages += 1;
        if count.messages <= MAX_MESSAGES {
            self.say(message);
        } else if count.sources == 0 || count.name != source.name() {
            count.sources += 1;
            (count.name, count.source) = (source.name().to_vec(), source.to_string());
        }
    }

    /// Adds a line for each kind of messages about the last source of which some were left out.
    fn end_source(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        self.say_rest(&counts);
    }

    /// Adds a line for each kind of which some messages were left out.
    pub fn end(&mut self) {
        self.end_source();
        let shared = std::mem::take(&mut self.shared);
        self.say_rest(&shared);
    }

    /// Adds a line for each kind about the messages that were left out.
    fn say_rest(&mut self, counts: &[Count]) {
        for Count { messages, sources, source, .. } in counts {
            match (messages.saturating_sub(MAX_MESSAGES), sources) {
                (0, _) => {}
                (more, 1) => self.say(format_args!("{source}: {more} more like these")),
                (more, _) => self.say(format_args!("{more} more like these in {sources} sources")),
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
