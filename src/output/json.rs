//! A record as a JSON object.

use std::fmt;
use std::io::{self, Write};

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};

use super::explain::{self, Colors, Line};
use super::{Buffer, Facts, Origin};
use crate::base::{Link, Part};
use crate::input::Source;
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
    /// Why that is the base.
    #[serde(flatten)]
    whence: Option<Whence<'a>>,
    /// The link that the reference is.
    #[serde(flatten)]
    link: Option<Linked<'a>>,
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

/// The rule of §3 that gives a base, and where that stands.
#[derive(Serialize)]
struct Whence<'a> {
    /// The rule's section.
    #[serde(rename = "base_rule")]
    rule: &'a str,
    /// What has it: BASE or the name of a header field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "base_by")]
    by: Option<&'a str>,
    /// The document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "base_file")]
    file: Option<Text<'a>>,
    /// The part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "base_part")]
    part: Option<Number<'a>>,
    /// The line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "base_line")]
    line: Option<u64>,
    /// The column.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "base_column")]
    column: Option<u64>,
}

impl<'a> From<Origin<'a>> for Whence<'a> {
    fn from(origin: Origin<'a>) -> Self {
        let place = origin.found.place;
        Whence {
            rule: origin.found.rule.section(),
            by: place.map(|_| origin.found.by),
            file: place.and(origin.document).map(|document| Text(document.name())),
            part: place.and_then(|place| Number::of(place.part)),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
        }
    }
}

/// A link's place in its document.
#[derive(Serialize)]
struct Linked<'a> {
    /// The element's name.
    element: Text<'a>,
    /// The attribute's name.
    attribute: &'a str,
    /// The part of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<Number<'a>>,
    /// The line where the attribute's value begins.
    line: u64,
    /// The column where it begins, in bytes.
    column: u64,
}

impl<'a> From<&Link<'a>> for Linked<'a> {
    fn from(link: &Link<'a>) -> Self {
        Linked {
            element: Text(link.element),
            attribute: link.attribute,
            part: Number::of(link.place.part),
            line: link.place.line,
            column: link.place.column,
        }
    }
}

/// The number of a part.
struct Number<'a>(Part<'a>);

impl<'a> Number<'a> {
    /// It, unless that is the whole message.
    fn of(part: Option<Part<'a>>) -> Option<Self> {
        part.filter(|part| !part.is_whole()).map(Number)
    }
}

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A base URL, and why it is the one.
#[derive(Serialize)]
struct BaseObject<'a> {
    /// The document that was looked into.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Text<'a>>,
    /// The URL; null if there is none.
    base: Option<Text<'a>>,
    /// Why.
    #[serde(flatten)]
    whence: Whence<'a>,
    /// The exact bytes of a base that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_base64: Option<Base64<'a>>,
}

/// Appends the object of a base URL and LF.
pub fn write_base(origin: Origin<'_>, out: &mut Buffer) -> io::Result<()> {
    let url = &*origin.found.url;
    let object = BaseObject {
        source: origin.document.map(|document| Text(document.name())),
        base: (!url.is_empty()).then_some(Text(url)),
        whence: origin.into(),
        base_base64: Base64::needed(url),
    };
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
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
        whence: record.origin.map(Whence::from),
        link: record.link.map(Linked::from),
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

/// Appends the object of a record for which there is no memory, and LF.
pub fn write_no_memory(source: Source<'_>, record: u64, what: &str, out: &mut Buffer) -> io::Result<()> {
    write!(out, "{{\"source\":")?;
    serde_json::to_writer(&mut *out, &Text(source.name()))?;
    let message = format_args!("no memory for {what}; split the record, or give more memory");
    writeln!(out, ",\"record\":{record},\"error\":{{\"code\":\"no-memory\",\"message\":\"{message}\"}}}}")
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
        whence: record.origin.map(Whence::from),
        link: record.link.map(Linked::from),
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
