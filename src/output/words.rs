//! Why a record fails, why something in a document is skipped, and why a source cannot be read: in words.

use std::fmt;
use std::io;

use memchr::memchr;

use super::location::{Escaped, Quoted, Shortened};
use crate::document::{Fault, Problem};
use crate::input::Unreadable;
use crate::record::{Complaint, Failure, Record};
use crate::resolver::{Unresolvable, parse};
use crate::source::Source;
use crate::spec::Spec;

impl Failure<'_> {
    /// The failure of a record in words. `pairs`: each record has its own base.
    pub fn describe(self, record: &Record<'_>, pairs: bool) -> Complaint {
        let (code, what, fix) = match self {
            Failure::Document(complaint) => return complaint.clone(),
            Failure::NoTab(after) => {
                let fix = format!("write BASE TAB {after}").into();
                return Complaint { code: "no-tab", what: "no TAB in the record".into(), fix };
            }
            Failure::FileName => ("no-tab", "the record is the name of a file", "use --file"),
            Failure::TooLong if record.link.is_some() => ("too-long", "the link is longer than 16 MiB", "shorten it"),
            Failure::TooLong => ("too-long", "the record is longer than 16 MiB", "split it"),
            Failure::Newline => ("newline", "the argument contains a newline", "use --null"),
            Failure::Unresolvable(Unresolvable::NoBase) if pairs => {
                ("no-base", "relative URL with an empty base", "write the document's URL before the TAB")
            }
            Failure::Unresolvable(why) => why.describe(),
        };
        let mut complaint = Complaint { code, what: what.into(), fix: fix.into() };
        if let (Failure::Unresolvable(Unresolvable::NoBase), Source::Arguments([first, _, ..])) = (self, record.source)
            && !pairs
            && parse(first.as_encoded_bytes()).scheme.is_some()
        {
            complaint.fix = "write --base before argument 1".into();
        }
        if let Failure::Unresolvable(Unresolvable::BaseWithoutScheme) = self
            && let Some(tab) = memchr(b'\t', record.text)
        {
            complaint.what = format!("the base URL {} has no scheme", Quoted(&record.text[..tab])).into();
        }
        complaint
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.fix {
            "" => f.write_str(&self.what),
            fix => write!(f, "{}; {fix}", self.what),
        }
    }
}

impl fmt::Display for Unreadable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.get_ref().and_then(|error| error.downcast_ref::<Fault>()) {
            Some(fault) => write!(f, "{}:{}:{}: {fault}", self.source, fault.line, fault.column)?,
            None => write!(f, "{}: {}", self.source, system(&self.error))?,
        }
        if self.source.is_url() {
            f.write_str("; absurl does not fetch")?;
        }
        match self.answered {
            None => Ok(()),
            Some(0) => f.write_str("; no record was answered"),
            Some(answered) => write!(f, "; records from {} on were not answered", answered + 1),
        }
    }
}

/// The hosts that the standards reach, in the order of [`Spec::ALL`], in a sentence.
pub fn name_hosts(hosts: [Option<&[u8]>; 3]) -> String {
    let named = Spec::ALL.iter().zip(hosts).map(|(spec, host)| match host {
        Some(host) => format!("{} {}", spec.title(), Shortened(host)),
        None => format!("{} none", spec.title()),
    });
    named.collect::<Vec<_>>().join(", ")
}

/// What has a base, in a sentence.
fn subject(by: &str) -> String {
    match by {
        "BASE" | "xml:base" => format!("the {by}"),
        field => format!("the {field} field"),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Base { by, text, what, fix, .. } => {
                write!(f, "ignoring {} {}: {what}; {fix}", subject(by), Quoted(text))
            }
            Problem::TooLong(by) => write!(f, "ignoring {}: it is longer than 16 MiB; shorten it", subject(by)),
            Problem::Content { why, .. } => write!(f, "not searching the content, which {}", Escaped(why.as_bytes())),
            Problem::Part { what, .. } => write!(f, "{}", Escaped(what.as_bytes())),
            Problem::Unfollowed(location) => {
                write!(f, "the redirect to {} was not followed; fetch it with curl -iL URL", Quoted(location))
            }
            Problem::Other(_, what) => f.write_str(what),
        }
    }
}

/// An error as part of a sentence: the system's words in lower case, without its number.
pub fn system(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return "no such file or directory".to_owned(); // Windows says it in other words
    }
    let text = error.to_string();
    if !text.contains(" (os error") {
        return text; // absurl's own words, which may begin with a name
    }
    let text = text.split(" (os error").next().unwrap_or_default().trim_end_matches('.'); // Windows writes a full stop
    if text.chars().nth(1).is_some_and(|letter| !letter.is_lowercase() && letter != ' ') {
        return text.to_owned(); // XML, UTF-16
    }
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}
