//! A record as a JSON object.

use std::fmt;
use std::io::{self, Write};

use base64::display::Base64Display;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD};
use serde::{Serialize, Serializer};

use super::explain::{self, Colors, Line};
use super::{Buffer, Facts};
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

/// Bytes that become a JSON string: what is not UTF-8 becomes U+FFFD.
#[derive(Clone, Copy)]
struct Text<'a> {
    /// The bytes.
    bytes: &'a [u8],
    /// Whether they stand in the string as they are: the only bytes there are ASCII, and none that
    /// JSON escapes. Most URLs are so, and need no UTF-8 check.
    plain: bool,
}

impl<'a> Text<'a> {
    /// Any bytes.
    fn new(bytes: &'a [u8]) -> Self {
        let is_plain = |byte: u8| matches!(byte, 0x20 | 0x21 | 0x23..=0x5B | 0x5D..=0x7E);
        Text { bytes, plain: bytes.iter().fold(true, |plain, &byte| plain & is_plain(byte)) }
    }

    /// Bytes of which all stand in other texts, or are delimiters.
    #[inline]
    fn made_of(texts: &[Text<'_>], bytes: &'a [u8]) -> Self {
        if texts.iter().all(|text| text.plain) { Text { bytes, plain: true } } else { Text::new(bytes) }
    }

    /// The bytes as base64 (RFC 4648 §4), if the string cannot have them.
    fn base64(self) -> Option<Base64Display<'a, 'static, GeneralPurpose>> {
        let exact = self.plain || std::str::from_utf8(self.bytes).is_ok();
        (!exact).then(|| Base64Display::new(self.bytes, &STANDARD))
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

/// Appends the object and LF; fields that do not apply are left out.
pub fn write(facts: &Facts<'_>, steps: bool, out: &mut Buffer) -> io::Result<()> {
    let record = facts.record;
    let [reference, base] = [record.reference, record.base].map(Text::new);
    let url = Text::made_of(&[reference, base], facts.url);
    field(out, "{\"source\":", Some(Text::new(record.source.name())))?;
    out.add([b",\"record\":"])?;
    serde_json::to_writer(&mut *out, &record.number)?;
    field(out, ",\"reference\":", Some(reference))?;
    field(out, ",\"base\":", (!base.bytes.is_empty()).then_some(base))?;
    match facts.outcome {
        Ok(resolved) => {
            field(out, ",\"url\":", Some(url))?;
            answer(out, url, resolved)?;
        }
        Err(failure) => {
            let (code, what, remedy) = failure.describe(facts.pairs);
            write!(out, ",\"error\":{{\"code\":\"{code}\",\"message\":\"{what}; {remedy}\"}}")?;
        }
    }
    if steps {
        explanation(out, facts)?;
    }
    for (name, text) in [("reference", reference), ("base", base), ("url", url)] {
        if let Some(base64) = text.base64() {
            write!(out, ",\"{name}_base64\":\"{base64}\"")?;
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
