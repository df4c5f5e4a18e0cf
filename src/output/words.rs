//! The words of an error joined to a message: why a record fails, what of a document is skipped, why a source cannot be
//! read. The sentences are where the errors are declared.

use std::fmt;
use std::io;

use memchr::memchr;

use super::location::{Quoted, Shortened};
use crate::document::{Problem, XmlError};
use crate::escaped::Escaped;
use crate::input::SourceError;
use crate::record::{Complaint, Failure, Record, StandardBase};
use crate::resolver::{Unresolvable, parse};
use crate::source::Source;
use crate::spec::Spec;

impl Failure<'_> {
    /// The failure of a record in words, with its base.
    pub fn describe(self, record: &Record<'_>, base: &StandardBase<'_>) -> Complaint {
        let mut complaint = self.complaint();
        match (self, record.source, base.origin) {
            (Failure::Unresolvable(Unresolvable::NoBase), ..) if base.in_record => {
                complaint.what = "relative URL with an empty base".into();
                complaint.fix = "write the document's URL before the TAB".into();
            }
            (Failure::Unresolvable(Unresolvable::NoBase), Source::Arguments([first, _, ..]), _)
                if parse(first.as_encoded_bytes()).scheme.is_some() =>
            {
                complaint.fix = "write --base before argument 1".into();
            }
            (Failure::Unresolvable(Unresolvable::NoBase), _, Some(origin)) if record.link.is_none() => {
                complaint.what = format!("{} has no base URL", origin.document).into();
            }
            (Failure::Unresolvable(Unresolvable::NoBase), ..) if record.link.is_some() => {
                complaint.fix = "use --base URL, such as https://example.com/".into();
            }
            _ => {}
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

impl fmt::Display for SourceError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.get_ref().and_then(|error| error.downcast_ref::<XmlError>()) {
            Some(fault) => write!(f, "{}:{}:{}: {fault}", self.source, fault.line, fault.column)?,
            None if self.source.is_url() => {
                return write!(f, "{}: absurl does not fetch; pass what curl prints on standard input", self.source);
            }
            None => write!(f, "{}: {}", self.source, system(&self.error))?,
        }
        let Some((answered, word)) = self.answered else { return Ok(()) };
        write!(f, "; {} read before it", counted(answered, word))
    }
}

/// The hosts that the standards reach, in the order of [`Spec::ALL`], in a sentence.
pub fn name_hosts(hosts: [Option<&[u8]>; 3]) -> String {
    let named = Spec::ALL.iter().zip(hosts).map(|(spec, host)| match host {
        Some(host) => format!("{} {}", spec.title(), Shortened(host)),
        None => format!("{} no host", spec.title()),
    });
    named.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Escaped(self.before.as_bytes()))?;
        if let Some(quoted) = &self.quoted {
            write!(f, "{}", Quoted(quoted))?;
        }
        f.write_str(&self.after)
    }
}

/// A number and the word for what is counted.
pub fn counted(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
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
