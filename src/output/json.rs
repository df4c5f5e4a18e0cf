//! A record as a JSON object.

use std::fmt;
use std::io::{self, Write};

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

use super::explain::{self, Colors, Line};
use super::{Buffer, Facts, Origin, Record};
use crate::base::{Link, Part};
use crate::input::Source;
use crate::resolver::{Parts, Resolved, parse};

/// The names of the first components, in the order of §2.1: none of them, one, up to all.
const INHERITED: [&str; 7] = [
    "",
    r#""scheme""#,
    r#""scheme","net_loc""#,
    r#""scheme","net_loc","path""#,
    r#""scheme","net_loc","path","params""#,
    r#""scheme","net_loc","path","params","query""#,
    r#""scheme","net_loc","path","params","query","fragment""#,
];

/// The rule of §3 that gives a base, and where that stands.
#[derive(Serialize)]
pub(super) struct Whence<'a> {
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
            file: place.and(origin.document).map(|document| Text::new(document.name())),
            part: place.and_then(|place| Number::of(place.part)),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
        }
    }
}

/// A link's place in its document.
#[derive(Serialize)]
pub(super) struct Linked<'a> {
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
            element: Text::new(link.element),
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
        source: origin.document.map(|document| Text::new(document.name())),
        base: (!url.is_empty()).then_some(Text::new(url)),
        whence: origin.into(),
        base_base64: Base64::needed(url),
    };
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
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

/// Bytes that become a JSON string: what is not UTF-8 becomes U+FFFD.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    /// The bytes.
    bytes: &'a [u8],
    /// Whether they stand in the string as they are: the only bytes there are ASCII, and none that
    /// JSON escapes. Most URLs are so, and need no UTF-8 check.
    plain: bool,
}

impl<'a> Text<'a> {
    /// Any bytes.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let is_plain = |byte: u8| matches!(byte, 0x20 | 0x21 | 0x23..=0x5B | 0x5D..=0x7E);
        Text { bytes, plain: bytes.iter().fold(true, |plain, &byte| plain & is_plain(byte)) }
    }

    /// Bytes of which all stand in other texts, or are delimiters.
    #[inline]
    fn made_of(texts: &[Text<'_>], bytes: &'a [u8]) -> Self {
        if texts.iter().all(|text| text.plain) { Text { bytes, plain: true } } else { Text::new(bytes) }
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.bytes) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_str(self),
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.bytes.utf8_chunks() {
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

/// Appends the object and LF; fields that do not apply are left out.
pub fn write(facts: &Facts<'_>, steps: bool, out: &mut Buffer) -> io::Result<()> {
    let texts = begin(facts.record, out)?;
    let url = Text::made_of(&texts, facts.url);
    match facts.outcome {
        Ok(resolved) => {
            field(out, ",\"url\":", Some(url))?;
            answer(out, url, resolved)?;
        }
        Err(failure) => failed(out, failure.describe(facts.pairs))?,
    }
    if steps {
        explanation(out, facts)?;
    }
    end(texts, url, out)
}

/// Appends the object of a record that has other `fields` than an answer, and LF.
#[cfg(feature = "spec")]
pub fn write_fields(record: &Record<'_>, fields: &impl Serialize, out: &mut Buffer) -> io::Result<()> {
    let texts = begin(record, out)?;
    flat(out, fields)?;
    end(texts, Text::new(b""), out)
}

/// Appends what an object begins with: what is known of a record before it is resolved. Returns the
/// reference and the base.
fn begin<'a>(record: &Record<'a>, out: &mut Buffer) -> io::Result<[Text<'a>; 2]> {
    let [reference, base] = [record.reference, record.base].map(Text::new);
    field(out, "{\"source\":", Some(Text::new(record.source.name())))?;
    out.add([b",\"record\":"])?;
    serde_json::to_writer(&mut *out, &record.number)?;
    field(out, ",\"reference\":", Some(reference))?;
    field(out, ",\"base\":", (!base.bytes.is_empty()).then_some(base))?;
    if let Some(origin) = record.origin {
        flat(out, &Whence::from(origin))?;
    }
    if let Some(link) = record.link {
        flat(out, &Linked::from(link))?;
    }
    Ok([reference, base])
}

/// Appends what an object ends with: the exact bytes of what is not UTF-8.
fn end([reference, base]: [Text<'_>; 2], url: Text<'_>, out: &mut Buffer) -> io::Result<()> {
    for (before, text) in [("reference", reference), ("base", base), ("url", url)] {
        if !text.plain
            && let Some(base64) = Base64::needed(text.bytes)
        {
            write!(out, ",\"{before}_base64\":")?;
            serde_json::to_writer(&mut *out, &base64)?;
        }
    }
    out.add([b"}\n"])
}

/// Appends a string, or null, behind the name of its field and what else there is before it.
#[allow(clippy::inline_always, reason = "measured: then most lengths are constants")]
#[inline(always)]
fn field(out: &mut Buffer, before: &str, text: Option<Text<'_>>) -> io::Result<()> {
    match text {
        None => out.add([before.as_bytes(), b"null"]),
        Some(Text { bytes, plain: true }) => out.add([before.as_bytes(), b"\"", bytes, b"\""]),
        Some(text) => {
            out.add([before.as_bytes()])?;
            Ok(serde_json::to_writer(out, &text)?)
        }
    }
}

/// Appends the fields of an object that is not empty, as fields of the object around it.
fn flat(out: &mut Buffer, object: &impl Serialize) -> io::Result<()> {
    let start = out.length;
    serde_json::to_writer(&mut *out, object)?;
    if let Some(brace) = out.bytes.get_mut(start) {
        *brace = b',';
    }
    out.truncate(out.length - 1);
    Ok(())
}

/// Appends why a record has no answer.
fn failed(out: &mut Buffer, why: (&'static str, &'static str, &'static str)) -> io::Result<()> {
    out.add([b",\"error\":"])?;
    Ok(serde_json::to_writer(out, &Failed::new(why))?)
}

/// Appends the components of the URL, the names of those that came from the base, and the step that
/// decided that.
fn answer(out: &mut Buffer, url: Text<'_>, resolved: &Resolved<'_>) -> io::Result<()> {
    // what was recombined is what parsing gives back (law 2), but for what is put in
    let Parts { scheme, net_loc, path, params, query, fragment } =
        if resolved.parts.put_in().is_empty() { resolved.parts } else { parse(url.bytes) };
    let part = |bytes| Some(Text::made_of(&[url], bytes));
    field(out, ",\"components\":{\"scheme\":", scheme.and_then(part))?;
    field(out, ",\"net_loc\":", net_loc.and_then(part))?;
    field(out, ",\"path\":", part(path))?;
    field(out, ",\"params\":", part(params))?;
    field(out, ",\"query\":", part(query))?;
    field(out, ",\"fragment\":", part(fragment))?;
    let inherited = INHERITED.get(resolved.step.inherits()).copied().unwrap_or_default();
    let step = resolved.step.number();
    out.add([b"},\"inherited\":[", inherited.as_bytes(), b"],\"step\":\"", step.as_bytes(), b"\""])
}

/// Appends every step, as it is told: there may be more lines than memory.
fn explanation(out: &mut Buffer, facts: &Facts<'_>) -> io::Result<()> {
    let mut before = ",\"steps\":[{\"step\":";
    explain::tell(facts, Colors::default(), &mut |Line { step, text, removed }: Line<'_>| {
        field(out, std::mem::replace(&mut before, "},{\"step\":"), Some(Text::new(step.as_bytes())))?;
        field(out, ",\"text\":", Some(Text::new(text.as_bytes())))?;
        removed.map_or(Ok(()), |removed| field(out, ",\"removed\":", Some(Text::new(removed))))
    })?;
    out.add([b"}]"])
}

/// Appends the object of a record for which there is no memory, and LF.
pub fn write_no_memory(
    source: Source<'_>,
    record: u64,
    message: fmt::Arguments<'_>,
    out: &mut Buffer,
) -> io::Result<()> {
    field(out, "{\"source\":", Some(Text::new(source.name())))?;
    writeln!(out, ",\"record\":{record},\"error\":{{\"code\":\"no-memory\",\"message\":\"{message}\"}}}}")
}

/// Appends the object of a record that is resolved by another standard, and LF: what RFC 1808 calls
/// components, inherited and step does not apply.
#[cfg(feature = "spec")]
pub fn write_answer(
    record: &Record<'_>,
    spec: &str,
    outcome: Result<&[u8], (&'static str, &'static str, &'static str)>,
    out: &mut Buffer,
) -> io::Result<()> {
    let texts = begin(record, out)?;
    out.add([b",\"spec\":\"", spec.as_bytes(), b"\""])?;
    let url = Text::new(outcome.unwrap_or_default());
    match outcome {
        Ok(_) => field(out, ",\"url\":", Some(url))?,
        Err(why) => failed(out, why)?,
    }
    end(texts, url, out)
}
