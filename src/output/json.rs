//! A record as a JSON object.

use std::fmt;
use std::io::{self, Write};

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};

use super::explain::{self, Colors, Line};
use super::{Buffer, Facts};
use crate::resolver::{Parts, parse};

/// The names of the components, in the order of §2.1.
const COMPONENTS: [&str; 6] = ["scheme", "net_loc", "path", "params", "query", "fragment"];

/// One object; fields that do not apply are left out.
#[derive(Serialize)]
struct Object<'a> {
    /// What the record comes from.
    source: Text<'a>,
    /// Its number there, from 1.
    record: u64,
    /// The reference.
    reference: Text<'a>,
    /// The base URL; null if there is none.
    base: Option<Text<'a>>,
    /// The standard that it is resolved by, if that is not RFC 1808.
    #[serde(skip_serializing_if = "Option::is_none")]
    spec: Option<&'a str>,
    /// The absolute URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Text<'a>>,
    /// The components of `url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<Components<'a>>,
    /// The names of those that came from the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    inherited: Option<&'a [&'a str]>,
    /// The step of §4 that decided what is inherited.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<&'a str>,
    /// Why there is no `url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failed<'a>>,
    /// Every step.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Steps<'a>>,
    /// The exact bytes of a reference that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_base64: Option<Base64<'a>>,
    /// The exact bytes of a base that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_base64: Option<Base64<'a>>,
    /// The exact bytes of a URL that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    url_base64: Option<Base64<'a>>,
}

/// The components of a URL; a scheme or net_loc that is not there is null.
#[derive(Serialize)]
struct Components<'a> {
    /// §2.4.2
    scheme: Option<Text<'a>>,
    /// §2.4.3
    net_loc: Option<Text<'a>>,
    /// §2.4.6
    path: Text<'a>,
    /// §2.4.5
    params: Text<'a>,
    /// §2.4.4
    query: Text<'a>,
    /// §2.4.1
    fragment: Text<'a>,
}

impl<'a> From<Parts<'a>> for Components<'a> {
    fn from(parts: Parts<'a>) -> Self {
        Components {
            scheme: parts.scheme.map(Text),
            net_loc: parts.net_loc.map(Text),
            path: Text(parts.path),
            params: Text(parts.params),
            query: Text(parts.query),
            fragment: Text(parts.fragment),
        }
    }
}

/// Why a record has no answer.
#[derive(Serialize)]
pub(super) struct Failed<'a> {
    /// For programs.
    code: &'a str,
    /// For people.
    message: Message<'a>,
}

impl Failed<'_> {
    /// A failure in the words of [`Failure::describe`](super::Failure::describe).
    pub(super) fn new((code, what, remedy): (&'static str, &'static str, &'static str)) -> Self {
        Failed { code, message: Message(what, remedy) }
    }
}

/// What is wrong, and how to mend it.
struct Message<'a>(&'a str, &'a str);

impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}; {}", self.0, self.1))
    }
}

/// Bytes as a JSON string: what is not UTF-8 becomes U+FFFD.
pub(super) struct Text<'a>(pub(super) &'a [u8]);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_str(self),
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

/// Bytes as base64 (RFC 4648 §4).
pub(super) struct Base64<'a>(&'a [u8]);

impl<'a> Base64<'a> {
    /// The bytes, if a JSON string cannot have them.
    pub(super) fn needed(bytes: &'a [u8]) -> Option<Self> {
        std::str::from_utf8(bytes).is_err().then_some(Base64(bytes))
    }
}

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(self.0, &STANDARD))
    }
}

/// The explanation as an array, written as it is told: it may have more lines than memory.
struct Steps<'a>(&'a Facts<'a>);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// One line of it.
        #[derive(Serialize)]
        struct Element<'a> {
            /// The step of §4.
            step: &'a str,
            /// What it does.
            text: &'a str,
            /// What it removes.
            #[serde(skip_serializing_if = "Option::is_none")]
            removed: Option<Text<'a>>,
        }
        let mut sequence = serializer.serialize_seq(None)?;
        let mut failed = None;
        let told = explain::tell(self.0, Colors::default(), &mut |line: Line<'_>| {
            let Line { step, text, removed } = line;
            let element = Element { step, text, removed: removed.map(Text) };
            sequence.serialize_element(&element).map_err(|error| {
                failed = Some(error);
                io::ErrorKind::OutOfMemory.into()
            })
        });
        match (told, failed) {
            (Ok(()), None) => sequence.end(),
            (Err(error), None) => Err(S::Error::custom(error)),
            (_, Some(error)) => Err(error),
        }
    }
}

/// Appends the object and LF.
pub fn write(facts: &Facts<'_>, steps: bool, out: &mut Buffer) -> io::Result<()> {
    let record = facts.record;
    let resolved = facts.outcome.as_ref().ok();
    let url = resolved.map(|_| facts.url);
    let failure = facts.outcome.as_ref().err();
    let object = Object {
        source: Text(record.source.name()),
        record: record.number,
        reference: Text(record.reference),
        base: (!record.base.is_empty()).then_some(Text(record.base)),
        spec: None,
        url: url.map(Text),
        components: url.map(|url| parse(url).into()),
        inherited: resolved.map(|resolved| COMPONENTS.split_at(resolved.step.inherits()).0),
        step: resolved.map(|resolved| resolved.step.number()),
        error: failure.map(|failure| Failed::new(failure.describe(facts.pairs))),
        steps: steps.then_some(Steps(facts)),
        reference_base64: Base64::needed(record.reference),
        base_base64: Base64::needed(record.base),
        url_base64: url.and_then(Base64::needed),
    };
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
}

/// Appends the object of a record that is resolved by another standard, and LF: what RFC 1808 calls
/// components, inherited and step does not apply.
#[cfg(feature = "spec")]
pub fn write_answer(
    record: &super::Record<'_>,
    spec: &str,
    outcome: Result<&[u8], (&'static str, &'static str, &'static str)>,
    out: &mut Buffer,
) -> io::Result<()> {
    let object = Object {
        source: Text(record.source.name()),
        record: record.number,
        reference: Text(record.reference),
        base: (!record.base.is_empty()).then_some(Text(record.base)),
        spec: Some(spec),
        url: outcome.ok().map(Text),
        components: None,
        inherited: None,
        step: None,
        error: outcome.err().map(Failed::new),
        steps: None,
        reference_base64: Base64::needed(record.reference),
        base_base64: Base64::needed(record.base),
        url_base64: None,
    };
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
}
